"""Runs of SavedModels of time series
(`tensorflow.contrib.timeseries.python.timeseries.saved_model_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.timeseries import head, input_pipeline, model_utils
from tf1compat.api.contrib.timeseries.feature_keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    SavedModelLabels,
)
from tf1compat.core.session_interface import SessionInterface


def _run(
    label: str, signatures: Any, session: SessionInterface, features: Any, continue_from: Any
) -> Any:
    """What a signature gives for features, and a state if there is one."""
    signature = signatures.signature_def[label]
    state = continue_from or {}
    if FilteringResults.STATE_TUPLE in state:
        state = head.state_to_dictionary(state[FilteringResults.STATE_TUPLE])

    def tensors(infos: Any) -> dict[str, Any]:
        return {key: session.graph.as_graph_element(info.name) for key, info in infos.items()}

    inputs = tensors(signature.inputs)
    feeds = {inputs[key]: value for given in (state, features) for key, value in given.items()}
    return session.run(tensors(signature.outputs), feed_dict=feeds)


def predict_continuation(
    continue_from: Any,
    signatures: Any,
    session: SessionInterface,
    steps: int | None = None,
    times: Any = None,
    exogenous_features: Any = None,
) -> dict[str, Any]:
    """Predicts what follows an evaluation or filtering, with a SavedModel.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      continue_from: what `Estimator.evaluate` or one of the functions here gave.
      signatures: the MetaGraphDef that `tf.saved_model.loader.load` gave.
      session: the session it loaded into.
      steps: how many times to predict; or None, and
      times: [batch, window] ints.
      exogenous_features: what the exogenous columns are of, [batch, window, …].

    Returns:
      Predictions by name, with the times.

    Raises:
      ValueError: both or none of `steps` and `times` are given.
    """
    predict_times = model_utils.canonicalize_times_or_steps_from_output(
        times=times, steps=steps, previous_model_output=continue_from
    )
    features = {PredictionFeatures.TIMES: predict_times, **(exogenous_features or {})}
    found = _run(SavedModelLabels.PREDICT, signatures, session, features, continue_from)
    found[PredictionFeatures.TIMES] = features[PredictionFeatures.TIMES]
    return found


def _filter(
    label: str, signatures: Any, session: SessionInterface, features: Any, continue_from: Any
) -> Any:
    features = input_pipeline._canonicalize_numpy_data(data=features, require_single_batch=False)
    found = _run(label, signatures, session, features, continue_from)
    found[FilteringResults.TIMES] = features[FilteringFeatures.TIMES]
    return found


def cold_start_filter(signatures: Any, session: SessionInterface, features: Any) -> dict[str, Any]:
    """The state after values, from the model's start, with a SavedModel.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      signatures, session: see `predict_continuation`.
      features: times, values and what the exogenous columns are of, with a batch or without.

    Returns:
      The state's arrays by name, and the times.
    """
    return _filter(SavedModelLabels.COLD_START_FILTER, signatures, session, features, None)


def filter_continuation(
    continue_from: Any, signatures: Any, session: SessionInterface, features: Any
) -> dict[str, Any]:
    """The state after values, from one before, with a SavedModel.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      continue_from: what `Estimator.evaluate` or one of the functions here gave.
      signatures, session, features: see `cold_start_filter`.

    Returns:
      The state's arrays by name, and the times.
    """
    return _filter(SavedModelLabels.FILTER, signatures, session, features, continue_from)
