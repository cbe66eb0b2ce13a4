"""Moments of a series, kept in variables while its windows are seen (a part of
`tensorflow.contrib.timeseries.python.timeseries.math_utils`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries.feature_keys import TrainEvalFeatures
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl
from tf1compat.api.random import init_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.typing import DTypeLike, Initializer

Moments = collections.namedtuple("Moments", ["mean", "variance"])
InputStatistics = collections.namedtuple(
    "InputStatistics",
    ["series_start_moments", "overall_feature_moments", "start_time", "total_observation_count"],
)
# What the moments are worked out of: the latest time, the number of windows, the sum of their mean
# distances in time, the number of observations, and the sums of values and of their squares.
_Sums = collections.namedtuple(
    "_Sums", ["latest", "windows", "distances", "observations", "values", "squares"]
)


def _variable(
    name: str, shape: Any, dtype: DTypeLike, initializer: Initializer | None = None
) -> Any:
    return variable_scope.get_variable(
        name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=False
    )


def _on_device_of(variable: Any, update: Any, value: Any) -> Any:
    """An update beside its variable, so that workers seldom come between; `value` makes it."""
    with ops.device(variable.device):
        return update(variable, value())


class InputStatisticsFromMiniBatch:
    """Moments of a series in variables, updated by each mini-batch of windows.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      num_features: how many values there are for each time.
      dtype: of the moments.
      starting_variance_window_size: how many values the moments of the start are of.
    """

    def __init__(
        self, num_features: int, dtype: DTypeLike, starting_variance_window_size: int = 16
    ):
        self._starting_variance_window_size = starting_variance_window_size
        self._num_features = num_features
        self._dtype = dtype

    def initialize_graph(self, features: dict[str, Any], update_statistics: bool = True) -> Any:
        """Makes the variables, and the operations that update them.

        Args:
          features: what an input function gives; without times or values nothing is updated.
          update_statistics: whether variables are updated, as in training.

        Returns:
          An InputStatistics of variables, or of tensors after the update.
        """
        times = features.get(TrainEvalFeatures.TIMES)
        values = features.get(TrainEvalFeatures.VALUES)
        with variable_scope.variable_scope("input_statistics", use_resource=True):
            statistics = self._statistics()
        with variable_scope.variable_scope("input_statistics_auxiliary", use_resource=True):
            sums = self._sums()
        if not update_statistics or times is None or values is None:
            return statistics
        with ops.control_dependencies([self._update(statistics, sums, times, values)]):
            found = [array_ops.identity(variable) for variable in nest.flatten(statistics)]
            found = nest.pack_sequence_as(statistics, found)
            # Another worker may have written the start since; it is never after these times.
            start = math_ops.minimum(found.start_time, math_ops.reduce_min(times))
            return found._replace(start_time=start)

    def _moments(self, mean: str, variance: str) -> Moments:
        shape = [self._num_features]
        return Moments(
            _variable(mean, shape, self._dtype, init_ops.zeros_initializer()),
            _variable(variance, shape, self._dtype, init_ops.ones_initializer()),
        )

    def _statistics(self) -> InputStatistics:
        return InputStatistics(
            self._moments("series_start_mean", "series_start_variance"),
            self._moments("overall_feature_mean", "overall_feature_var"),
            _variable("start_time", None, dtypes.int64, dtypes.int64.max),
            _variable("total_observation_count", [], dtypes.int64, init_ops.ones_initializer()),
        )

    def _sums(self) -> _Sums:
        shape, dtype = [self._num_features], self._dtype
        zeros = init_ops.zeros_initializer
        return _Sums(
            _variable("max_time_seen", None, dtypes.int64, dtypes.int64.min),
            _variable("chunk_count", [], dtypes.int64, zeros()),
            _variable("inter_observation_duration_sum", [], dtype, zeros()),
            _variable("example_count", [], dtypes.int64),
            _variable("overall_feature_sum", shape, dtype, zeros()),
            _variable("overall_feature_sum_of_squares", shape, dtype, zeros()),
        )

    def _update(self, statistics: InputStatistics, sums: _Sums, times: Any, values: Any) -> Any:
        """The operation that takes a mini-batch into account."""
        values = math_ops.cast(values, self._dtype)
        span = math_ops.reduce_max(times, axis=1) - math_ops.reduce_min(times, axis=1)
        span = math_ops.cast(span, self._dtype)
        distances = span / math_ops.cast(array_ops.shape(times)[1] - 1, self._dtype)
        latest = _on_device_of(
            sums.latest,
            state_ops.assign,
            lambda: math_ops.maximum(sums.latest, math_ops.reduce_max(times)),
        )
        added = [
            (sums.windows, lambda: array_ops.shape(times, out_type=dtypes.int64)[0]),
            (sums.distances, lambda: math_ops.reduce_sum(distances)),
            (sums.observations, lambda: array_ops.size(times, out_type=dtypes.int64)),
            (sums.values, lambda: math_ops.reduce_sum(values, axis=[0, 1])),
            (sums.squares, lambda: math_ops.reduce_sum(values**2, axis=[0, 1])),
        ]
        added = [_on_device_of(variable, state_ops.assign_add, x) for variable, x in added]
        with ops.control_dependencies([control_flow_ops.group(latest, *added)]):
            moments = self._update_moments(statistics.overall_feature_moments, sums)
            start_moments, start = self._update_start(statistics, times, values)
            distance = sums.distances / math_ops.cast(sums.windows, self._dtype)
            length = math_ops.cast(latest - start + 1, self._dtype)
            count = math_ops.cast(math_ops.round(length / distance), dtypes.int64)
            count = state_ops.assign(statistics.total_observation_count, count)
            return control_flow_ops.group(*moments, start_moments, start, count)

    def _update_moments(self, moments: Moments, sums: _Sums) -> list[Any]:
        count = math_ops.cast(sums.observations, self._dtype)
        mean = sums.values / count
        mean_update = state_ops.assign(moments.mean, mean)
        # The estimate of a sample, n / (n - 1).
        variance = count / (count - 1.0) * (sums.squares / count - mean**2)
        return [mean_update, state_ops.assign(moments.variance, variance)]

    def _update_start(self, statistics: InputStatistics, times: Any, values: Any) -> Any:
        """Updates the start's time, and its moments where a window is not after the start."""
        first = math_ops.cast(math_ops.argmin(times[:, 0]), dtypes.int32)

        def update_moments() -> Any:
            start_values = values[first, : self._starting_variance_window_size]
            mean, variance = nn_impl.moments(start_values, axes=[0])
            moments = statistics.series_start_moments
            return control_flow_ops.group(
                state_ops.assign(moments.mean, mean), state_ops.assign(moments.variance, variance)
            )

        with ops.device(statistics.start_time.device):
            moments = control_flow_ops.cond(
                math_ops.less_equal(times[first, 0], statistics.start_time),
                update_moments,
                control_flow_ops.no_op,
            )
            with ops.control_dependencies([moments]):
                earliest = math_ops.minimum(statistics.start_time, math_ops.reduce_min(times))
                return moments, state_ops.assign(statistics.start_time, earliest)
