"""A level and its trend (`…timeseries.state_space_models.level_trend`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.timeseries.state_space_models import state_space_model
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.math.math_matmul import matmul
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes


class AdderStateSpaceModel(state_space_model.StateSpaceModel):
    """A model whose state is a level and what is added to it in a step.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      use_level_noise: whether the level has noise of its own, besides that of the trend.
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, use_level_noise: bool = True,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        self.use_level_noise = use_level_noise
        super().__init__(configuration=configuration)

    def get_prior_mean(self) -> Any:
        """The mean of the state before a series: where the series begins, and no trend."""
        with variable_scope.variable_scope(self._variable_scope):
            if self._input_statistics is None:
                return super().get_prior_mean()
            start = self._scale_data(self._input_statistics.series_start_moments.mean)
            level = math_ops.reduce_mean(start)
            first = array_ops.stack([level, 0.0])
            return first + variable_scope.get_variable(
                name="prior_state_mean",
                shape=first.get_shape(),
                initializer=init_ops.zeros_initializer(),
                dtype=self.dtype,
                trainable=self._configuration.trainable_start_state,
            )

    def transition_to_powers(self, powers: Any) -> Any:
        """What the state is multiplied by in several steps: the trend is added as often.

        Args:
          powers: how many, ints [...].
        """
        none = array_ops.zeros([array_ops.rank(powers), 2], dtype=dtypes.int32)
        corner = array_ops.concat([none, [(0, 1), (1, 0)]], axis=0)
        added = array_ops.pad(powers[..., None, None], paddings=corner)
        unit = linalg_ops.eye(num_rows=2, batch_shape=array_ops.shape(powers), dtype=self.dtype)
        return unit + math_ops.cast(added, self.dtype)

    def transition_power_noise_accumulator(self, num_steps: Any) -> Any:
        """The covariances of what noise adds up to, by sums of numbers and of their squares.

        Args:
          num_steps: after how many steps, ints [...].
        """
        count = math_ops.cast(num_steps, self.dtype)
        last = count - 1
        transform = self._tensor(self.get_noise_transform())
        once = matmul(transform, self.state_transition_noise_covariance)
        once = matmul(once, transform, adjoint_b=True)
        level, cross, cross_too, trend = array_ops.unstack(array_ops.reshape(once, [-1, 4]), axis=1)
        numbers = last * (last + 1) / 2
        squares = numbers * (2 * last + 1) / 3
        of_level = count * level + numbers * (cross + cross_too) + squares * trend
        crossed = count * cross + numbers * trend
        crossed_too = count * cross_too + numbers * trend
        of_trend = count * trend
        rows = array_ops.stack(axis=1, values=(of_level, crossed, crossed_too, of_trend))
        shape = array_ops.concat(values=[array_ops.shape(count), [2, 2]], axis=0)
        return array_ops.reshape(rows, shape)

    def get_state_transition(self) -> Any:
        """The trend is added to the level."""
        return [[1.0, 1.0], [0.0, 1.0]]

    def get_noise_transform(self) -> Any:
        """Noise of the trend, and of the level if it has its own."""
        return [[1.0, 0.0], [0.0, 1.0]] if self.use_level_noise else [[0.0], [1.0]]

    def get_observation_model(self, times: Any) -> Any:
        """The level is observed.

        Args:
          times: not used.
        """
        return constant_op.constant_v1([1.0, 0.0], dtype=self.dtype)
