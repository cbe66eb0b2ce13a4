"""`tensorflow.contrib.predictor.predictor_factories`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.learn.estimators import estimator as contrib_estimator
from tf1compat.api.contrib.predictor import (
    contrib_estimator_predictor,
    core_estimator_predictor,
    saved_model_predictor,
)
from tf1compat.api.estimator import estimator as core_estimator
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph


@tf_export("contrib.predictor.from_contrib_estimator")
def from_contrib_estimator(
    estimator: Any, prediction_input_fn: Any, input_alternative_key: Any = None,
    output_alternative_key: Any = None, graph: Graph | None = None, config: Any = None,
) -> Any:  # fmt: skip
    """A trained `tf.contrib.learn.Estimator` as a function.

    Args:
      estimator: the estimator.
      prediction_input_fn: makes an `InputFnOps`.
      input_alternative_key, output_alternative_key: which of several inputs and outputs.
      graph: where it is recorded; a new graph by default.
      config: the session's ConfigProto.

    Returns:
      A function from {name: an array} to {name: an array}.

    Raises:
      TypeError: it is a `tf.estimator.Estimator`.
      ValueError: there is no such output.
    """
    if isinstance(estimator, core_estimator.Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.contrib.learn.Estimator, but got type "
            "tf.python.estimator.Estimator. You likely want to call from_estimator."
        )
    return contrib_estimator_predictor.ContribEstimatorPredictor(
        estimator, prediction_input_fn, input_alternative_key=input_alternative_key,
        output_alternative_key=output_alternative_key, graph=graph, config=config,
    )  # fmt: skip


@tf_export("contrib.predictor.from_estimator")
def from_estimator(
    estimator: Any, serving_input_receiver_fn: Callable[..., Any], output_key: Any = None,
    graph: Graph | None = None,
    config: Any = None,
) -> Any:  # fmt: skip
    """A trained estimator as a function.

    Args:
      estimator: a `tf.estimator.Estimator`.
      serving_input_receiver_fn: makes a `ServingInputReceiver`.
      output_key: which of the model's exports.
      graph: where it is recorded; a new graph by default.
      config: the session's ConfigProto.

    Returns:
      A function from {name: an array} to {name: an array}.

    Raises:
      KeyError: there is no such export.
      TypeError: it is a `tf.contrib.learn.Estimator`.
    """
    if isinstance(estimator, contrib_estimator.Estimator):
        raise TypeError(
            "Expected estimator to be of type tf.python.estimator.Estimator, but got type "
            "tf.contrib.learn.Estimator. You likely want to call from_contrib_estimator."
        )
    return core_estimator_predictor.CoreEstimatorPredictor(
        estimator, serving_input_receiver_fn, output_key=output_key, graph=graph, config=config
    )


@tf_export("contrib.predictor.from_saved_model")
def from_saved_model(
    export_dir: Any, signature_def_key: Any = None, signature_def: Any = None,
    input_names: Any = None, output_names: Any = None, tags: Any = None, graph: Graph | None = None,
    config: Any = None,
) -> Any:  # fmt: skip
    """A SavedModel as a function.

    Args:
      export_dir: the SavedModel's folder.
      signature_def_key: a signature's name, or
      signature_def: a SignatureDef, or
      input_names, output_names: {name: a tensor's name in the graph}.
      tags: of the graph, with commas; "serve" by default.
      graph: where it is loaded; a new graph by default.
      config: the session's ConfigProto.

    Returns:
      A function from {name: an array} to {name: an array}.

    Raises:
      ValueError: there is no such graph or signature, or an argument is wrong.
    """
    return saved_model_predictor.SavedModelPredictor(
        export_dir, signature_def_key=signature_def_key, signature_def=signature_def,
        input_names=input_names, output_names=output_names, tags=tags, graph=graph, config=config,
    )  # fmt: skip
