"""What models of time series have in common
(`tensorflow.contrib.timeseries.python.timeseries.model`)."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries import math_utils
from tf1compat.api.contrib.timeseries.feature_keys import TrainEvalFeatures
from tf1compat.api.feature_column import feature_column
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import DTypeLike

# `loss` is a scalar; `end_state` the structure of the model's state, for each window of the batch;
# `predictions` has tensors [batch, window, …], for the `prediction_times` [batch, window].
ModelOutputs = collections.namedtuple(
    "ModelOutputs", ["loss", "end_state", "predictions", "prediction_times"]
)


class TimeSeriesModel(abc.ABC):
    """A model of a time series, in a graph.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      num_features: how many values there are for each time.
      exogenous_feature_columns: feature columns of what is known besides.
      dtype: of values and losses.
    """

    def __init__(
        self,
        num_features: int,
        exogenous_feature_columns: Any = None,
        dtype: DTypeLike = dtypes.float32,
    ):
        self._exogenous_feature_columns = exogenous_feature_columns or []
        self.num_features = num_features
        self.dtype = dtype
        self._input_statistics: Any = None
        self._graph_initialized = False
        self._stats_means: Any = None
        self._stats_sigmas: Any = None

    @property
    def exogenous_feature_columns(self) -> Any:
        """Feature columns of what is known besides."""
        return self._exogenous_feature_columns

    def generate(
        self,
        number_of_series: int,
        series_length: int,
        model_parameters: Any = None,
        seed: int | None = None,
    ) -> Any:
        """Draws series from the model, if it can.

        Raises:
          NotImplementedError: it can't.
        """
        raise NotImplementedError("This model does not support generation.")

    def initialize_graph(self, input_statistics: Any = None) -> None:
        """Makes what is needed in the graph.

        Args:
          input_statistics: an InputStatistics, by which values are normalized.
        """
        self._graph_initialized = True
        self._input_statistics = input_statistics
        if input_statistics:
            self._stats_means, variances = input_statistics.overall_feature_moments
            self._stats_sigmas = math_ops.sqrt(variances)

    def _scale_data(self, data: Any) -> Any:
        if self._input_statistics is None:
            return data
        return (data - self._stats_means) / self._stats_sigmas

    def _scale_variance(self, variance: Any) -> Any:
        if self._input_statistics is None:
            return variance
        return variance / self._input_statistics.overall_feature_moments.variance

    def _scale_back_data(self, data: Any) -> Any:
        if self._input_statistics is None:
            return data
        return data * self._stats_sigmas + self._stats_means

    def _scale_back_variance(self, variance: Any) -> Any:
        if self._input_statistics is None:
            return variance
        return variance * self._input_statistics.overall_feature_moments.variance

    def _check_graph_initialized(self) -> None:
        if not self._graph_initialized:
            raise ValueError(
                "TimeSeriesModels require initialize_graph() to be called before use. This defines "
                "variables and ops in the default graph, and allows Tensor-valued input statistics "
                "to be specified."
            )

    def define_loss(self, features: dict[str, Any], mode: str) -> ModelOutputs:
        """The ModelOutputs of a batch of windows, from the model's start.

        Args:
          features: times [batch, window], values [batch, window, num_features], and what the
            exogenous columns are of.
          mode: a key of tf.estimator.ModeKeys.

        Raises:
          ValueError: `initialize_graph` was not called.
        """
        self._check_graph_initialized()
        start = self.get_start_state()
        batch = array_ops.shape(features[TrainEvalFeatures.TIMES])[0]
        state = math_utils.replicate_state(start_state=start, batch_size=batch)
        return self.get_batch_loss(features=features, mode=mode, state=state)

    @abc.abstractmethod
    def get_start_state(self) -> Any:
        """The state before a series: a structure of tensors with no batch dimension."""

    @abc.abstractmethod
    def get_batch_loss(self, features: Any, mode: str, state: Any) -> ModelOutputs:
        """The ModelOutputs of a batch of windows, from a state."""

    @abc.abstractmethod
    def predict(self, features: Any) -> dict[str, Any]:
        """Predictions for the times [batch, window] in the features, from the state there."""

    def _get_exogenous_embedding_shape(self) -> Any:
        """The static shape of what the exogenous columns give for one time."""
        if not self._exogenous_feature_columns:
            return (0,)
        with ops.Graph().as_default():
            spec = feature_column.make_parse_example_spec(self._exogenous_feature_columns)
            examples = array_ops.placeholder(shape=[None], dtype=dtypes.string)
            embedded = feature_column.input_layer(
                features=parsing_ops.parse_example(serialized=examples, features=spec),
                feature_columns=self._exogenous_feature_columns,
            )
            return embedded.get_shape().as_list()[1:]

    def _process_exogenous_features(self, times: Any, features: dict[str, Any]) -> Any:
        """[batch, window, units] of the exogenous columns; None if there are none.

        Raises:
          ValueError: a feature has no known rank.
        """
        if not self._exogenous_feature_columns:
            return None
        rows = {name: _without_windows(name, x) for name, x in features.items()}
        embedded = feature_column.input_layer(
            features=rows, feature_columns=self._exogenous_feature_columns, trainable=True
        )
        shape = [array_ops.shape(times), array_ops.shape(embedded)[1:]]
        regressors = array_ops.reshape(embedded, array_ops.concat(shape, axis=0))
        regressors.set_shape(times.get_shape().concatenate(embedded.get_shape()[1:]))
        return math_ops.cast(regressors, dtype=self.dtype)


def _without_windows(name: str, x: Any) -> Any:
    """A feature [batch, window, …] as [batch * window, …], as feature columns take it."""
    if x.get_shape().ndims is None:
        raise ValueError(
            "Features with unknown rank are not supported. Got shape "
            f"{x.get_shape()} for feature {name}."
        )
    shape = array_ops.shape(x)
    x = array_ops.reshape(x, array_ops.concat([[shape[0] * shape[1]], shape[2:]], axis=0))
    # Columns want numbers to have a second dimension.
    return x[:, None] if x.get_shape().ndims == 1 and x.dtype != dtypes.string else x
