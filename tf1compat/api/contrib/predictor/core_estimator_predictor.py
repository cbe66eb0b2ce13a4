"""`tensorflow.contrib.predictor.core_estimator_predictor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.predictor import predictor
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.saved_model import signature_constants
from tf1compat.api.training import monitored_session
from tf1compat.core import ops
from tf1compat.core.graph import Graph


class CoreEstimatorPredictor(predictor.Predictor):
    """A `tf.estimator.Estimator` as a function; see `from_estimator`."""

    def __init__(
        self, estimator: Any, serving_input_receiver_fn: Callable[..., Any], output_key: Any = None,
        graph: Graph | None = None, config: Any = None,
    ):  # fmt: skip
        self._graph = graph or ops.Graph()
        with self._graph.as_default():
            receiver = serving_input_receiver_fn()
            signature = _signature(receiver, estimator, output_key)
            creator = monitored_session.ChiefSessionCreator(
                config=config, checkpoint_dir=estimator.model_dir
            )
            self._session = monitored_session.MonitoredSession(session_creator=creator)
        self._take(predictor.names_of(signature.inputs), predictor.names_of(signature.outputs))


def _signature(receiver: Any, estimator: Any, output_key: Any) -> Any:
    key = output_key
    if key is None:
        key = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    spec = estimator.model_fn(receiver.features, None, ModeKeys.PREDICT, estimator.config)
    output = spec.export_outputs.get(key)
    if output is None:
        raise KeyError(f"output_key must be one of {spec.export_outputs.keys()}; got {key}")
    return output.as_signature_def(receiver.receiver_tensors)
