"""`tensorflow.contrib.predictor.contrib_estimator_predictor`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.learn.utils import saved_model_export_utils
from tf1compat.api.contrib.predictor import predictor
from tf1compat.api.training import checkpoint_management, monitored_session
from tf1compat.core import ops
from tf1compat.core.graph import Graph


class ContribEstimatorPredictor(predictor.Predictor):
    """A `tf.contrib.learn.Estimator` as a function; see `from_contrib_estimator`."""

    def __init__(
        self, estimator: Any, prediction_input_fn: Any, input_alternative_key: Any = None,
        output_alternative_key: Any = None, graph: Graph | None = None, config: Any = None,
    ):  # fmt: skip
        self._graph = graph or ops.Graph()
        with self._graph.as_default():
            inputs = prediction_input_fn()
            model = estimator._get_predict_ops(inputs.features)
            path = checkpoint_management.latest_checkpoint(estimator.model_dir)
            creator = monitored_session.ChiefSessionCreator(
                config=config, checkpoint_filename_with_path=path
            )
            self._session = monitored_session.MonitoredSession(session_creator=creator)
        feeds, _ = saved_model_export_utils.get_input_alternatives(inputs)
        outputs, key = saved_model_export_utils.get_output_alternatives(
            model, output_alternative_key
        )
        default = saved_model_export_utils.DEFAULT_INPUT_ALTERNATIVE_KEY
        self._feed_tensors = feeds[input_alternative_key or default]
        self._fetch_tensors = outputs[key][1]
