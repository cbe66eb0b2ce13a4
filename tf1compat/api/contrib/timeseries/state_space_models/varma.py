"""Auto-regression with moving averages (`…timeseries.state_space_models.varma`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries import matrix_utils
from tf1compat.api.contrib.timeseries.state_space_models import state_space_model
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core.tensor_shape import dimension_value


class VARMA(state_space_model.StateSpaceModel):
    """A vector auto-regressive moving average model: values hang on some values and some noises
    before, by matrices that are learned.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      autoregressive_order: on how many values.
      moving_average_order: on how many noises.
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, autoregressive_order: int, moving_average_order: int,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        self.ar_order = autoregressive_order
        self.ma_order = moving_average_order
        self.state_num_blocks = max(autoregressive_order, moving_average_order + 1)
        super().__init__(configuration=configuration)
        self.state_dimension = self.state_num_blocks * self.num_features

    def _unit(self) -> Any:
        return linalg_ops.eye(self.num_features, dtype=self.dtype)

    def _define_parameters(self, observation_transition_tradeoff_log: Any = None) -> None:
        with variable_scope.variable_scope(self._variable_scope):
            self.ar_coefs = variable_scope.get_variable(
                name="ar_coefs",
                shape=[self.num_features, self.num_features, self.ar_order],
                dtype=self.dtype,
                initializer=init_ops.zeros_initializer(),
            )
            units = array_ops.tile(self._unit()[None, :, :], [self.ma_order, 1, 1])
            self.ma_coefs = variable_scope.get_variable(
                name="ma_coefs", initializer=units, dtype=self.dtype
            )
        super()._define_parameters(
            observation_transition_tradeoff_log=observation_transition_tradeoff_log
        )

    def get_state_transition(self) -> Any:
        """The values before, multiplied and added; the others move on by one."""
        missing = self.state_num_blocks - self.ar_order
        padded = array_ops.pad(self.ar_coefs, [[0, 0], [0, 0], [0, missing]])
        first = array_ops.reshape(padded, [self.num_features, self.state_dimension])
        others = linalg_ops.eye((self.state_num_blocks - 1) * self.num_features, dtype=self.dtype)
        moved = array_ops.pad(others, [[0, 0], [0, self.num_features]])
        return array_ops.concat([first, moved], axis=0)

    def get_noise_transform(self) -> Any:
        """The noise of a step, multiplied for those in which it counts."""
        missing = self.state_num_blocks - 1 - self.ma_order
        later = array_ops.reshape(
            array_ops.pad(self.ma_coefs, [[missing, 0], [0, 0], [0, 0]]),
            [(self.state_num_blocks - 1) * self.num_features, self.num_features],
            name="noise_transform",
        )
        return array_ops.concat([later, self._unit()], axis=0)

    def get_observation_model(self, times: Any) -> Any:
        """The first values are observed; with averages, the last noise too.

        Args:
          times: not used.
        """
        unit, name = self._unit(), "observation_model"
        if self.ar_order > self.ma_order or self.state_num_blocks < 2:
            missing = self.num_features * (self.state_num_blocks - 1)
            return array_ops.pad(unit, [[0, 0], [0, missing]], name=name)
        missing = self.num_features * (self.state_num_blocks - 2)
        padded = array_ops.pad(unit, [[0, 0], [0, missing]])
        return array_ops.concat([padded, self._unit()], axis=1, name=name)

    def get_state_transition_noise_covariance(self, minimum_initial_variance: float = 1e-5) -> Any:
        """The covariance of the noise of transitions, learned.

        Args:
          minimum_initial_variance: the least that it is at first.
        """
        scale: Any = 0.0
        variance = self._series_start_variance()
        if variance is not None:
            mean = math_ops.reduce_mean(variance)
            scale = math_ops.log(math_ops.maximum(mean, minimum_initial_variance))
        transform = self._tensor(self.get_noise_transform())
        return matrix_utils.variable_covariance_matrix(
            dimension_value(transform.shape[1]), "state_transition_noise", dtype=self.dtype,
            initial_overall_scale_log=scale,
        )  # fmt: skip
