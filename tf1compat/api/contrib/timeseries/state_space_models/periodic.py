"""Cycles (`…timeseries.state_space_models.periodic`).

The values of a cycle add up to zero, so its state has one less than there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.timeseries.state_space_models import state_space_model
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops, math_sums
from tf1compat.core import dtypes, ops, raw_ops


def _behind_zeros(like: Any, part: Callable[[], Any], axis: int) -> Any:
    """Minus a part of a matrix, moved along an axis by zeros shaped like another part."""
    zeros = array_ops.zeros_like(like)
    return array_ops.concat([zeros, -part()], axis=axis)


class CycleStateSpaceModel(state_space_model.StateSpaceModel):
    """A cycle in which each time has its own value.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      periodicity: how many times there are in a cycle, an int.
      configuration: a StateSpaceModelConfiguration.
    """

    def __init__(
        self, periodicity: Any,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        self._periodicity = periodicity
        super().__init__(configuration=configuration)

    def _along_last(self, values: Any, like: Any, size: Any) -> Any:
        """A vector of a size, with as many dimensions before it as `like` has."""
        before = array_ops.ones([array_ops.rank(like)], dtype=dtypes.int32)
        return array_ops.reshape(values, array_ops.concat([before, [size]], axis=0))

    def get_state_transition(self) -> Any:
        """One step of the cycle."""
        return self.transition_to_powers(array_ops.ones([], dtype=dtypes.int32))

    def get_noise_transform(self) -> Any:
        """The first value has noise."""
        first = array_ops.ones([1], dtype=self.dtype)
        return array_ops.pad(first, paddings=[(0, self._periodicity - 2)])[..., None]

    def transition_to_powers(self, powers: Any) -> Any:
        """What the state is multiplied by in several steps: values change places, and the one that
        the state lacks is minus the sum of the others.

        Args:
          powers: how many, ints [...].
        """
        powers %= self._periodicity
        size = self._periodicity - 1
        places = self._along_last(math_ops.range(size, dtype=powers.dtype), powers, size)
        is_missing = math_ops.equal(places + 1, powers[..., None])
        shape = array_ops.shape(is_missing)
        missing = array_ops.where(
            is_missing,
            -array_ops.ones(shape=shape, dtype=self.dtype),
            array_ops.zeros(shape, dtype=self.dtype),
        )
        distances = places[..., None] - places[..., None, :]
        is_moved = math_ops.equal(distances % self._periodicity, powers[..., None, None])
        moved = array_ops.where(
            is_moved,
            array_ops.ones(array_ops.shape(is_moved), dtype=self.dtype),
            array_ops.zeros(array_ops.shape(is_moved), dtype=self.dtype),
        )
        return math_ops.cast(moved + missing[..., None], self.dtype)

    def transition_power_noise_accumulator(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, num_steps: Any, noise_addition_coefficient: Any = 1
    ) -> Any:
        """The covariances of what noise adds up to.

        Args:
          num_steps: after how many steps, ints [...].
          noise_addition_coefficient: what the noise of a step is multiplied by.
        """
        noise = array_ops.squeeze(self.state_transition_noise_covariance, axis=[-1, -2])
        places = self._along_last(
            math_ops.range(self._periodicity, dtype=num_steps.dtype), num_steps, self._periodicity
        )
        left = (places - (num_steps[..., None] - 1)) % self._periodicity
        factor = self._tensor(noise_addition_coefficient)[..., None] * noise
        turns = (num_steps[..., None] + left) // self._periodicity
        # How much noise each value has seen, from the last one on.
        seen = factor * math_ops.cast(turns, dtype=self.dtype)
        spread = array_ops.matrix_diag(seen)
        above = _behind_zeros(spread[..., :-1, 0:1], lambda: spread[..., :-1, 0:-2], -1)
        below = _behind_zeros(spread[..., 0:1, :-1], lambda: spread[..., 0:-2, :-1], -2)
        turned = array_ops.concat([seen[..., -1:], seen[..., :-2]], axis=-1)
        diagonal = array_ops.matrix_diag(seen[..., :-1] + turned)
        return diagonal + below + above

    def get_observation_model(self, times: Any) -> Any:
        """The first value is observed.

        Args:
          times: not used.
        """
        first = array_ops.ones([1], dtype=self.dtype)
        others = array_ops.zeros([self._periodicity - 2], dtype=self.dtype)
        return array_ops.concat(values=[first, others], axis=0)


class ResolutionCycleModel(CycleStateSpaceModel):
    """A cycle of fewer (or more) values than times, between which it is smooth: sums of sines.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      num_latent_values: how many values, an odd int.
      periodicity: how long a cycle is, a number.
      near_integer_threshold: how near to an integer a number is taken as one.
      configuration: a StateSpaceModelConfiguration.

    Raises:
      ValueError: an even number of values.
    """

    def __init__(
        self, num_latent_values: int, periodicity: Any, near_integer_threshold: float = 1e-8,
        configuration: Any = state_space_model.StateSpaceModelConfiguration(),  # noqa: B008
    ):  # fmt: skip
        if num_latent_values % 2 != 1:
            raise ValueError("Only odd numbers of latent values are supported.")
        self._num_latent_values = num_latent_values
        self._true_periodicity = periodicity
        self._near_integer_threshold = near_integer_threshold
        super().__init__(periodicity=num_latent_values, configuration=configuration)

    def _close_to_integer(self, value: Any) -> Any:
        value = math_ops.cast(value, self.dtype)
        distance = math_ops.abs(value - raw_ops.Round(x=value))
        return math_ops.less(distance, self._near_integer_threshold)

    def _values_per_time(self) -> Any:
        """(how many values there are, and how many of them a step goes on by)."""
        count = math_ops.cast(self._num_latent_values, self.dtype)
        return count, count / math_ops.cast(self._true_periodicity, dtype=self.dtype)

    def transition_to_powers(self, powers: Any) -> Any:
        """What the state is multiplied by in several steps.

        Args:
          powers: how many, ints [...].
        """
        count, per_time = self._values_per_time()
        turned = math_ops.cast(powers, self.dtype) * per_time
        coefficient = (math_ops.sin(turned * np.pi) / count)[..., None, None]
        size = self._num_latent_values - 1
        places = self._along_last(math_ops.range(size), turned, size)
        at = math_ops.cast(places, self.dtype)
        signs = math_ops.cast(1 - 2 * (places % 2), self.dtype)
        of_row = 1.0 / math_ops.sin(np.pi / count * (turned[..., None] - at - 1))
        distances = at[..., None, :] - at[..., None]
        of_all = signs[..., None, :] / math_ops.sin(
            np.pi / count * (turned[..., None, None] + distances)
        )
        smooth = coefficient * signs[..., None] * (of_row[..., None] + of_all)
        is_whole = self._close_to_integer(turned)
        whole = math_ops.cast(raw_ops.Round(x=turned), dtypes.int64)
        return array_ops.where(is_whole, super().transition_to_powers(whole), smooth)

    def transition_power_noise_accumulator(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, num_steps: Any
    ) -> Any:
        """The covariances of what noise adds up to.

        Args:
          num_steps: after how many steps, ints [...].
        """

        def folded() -> Any:
            """Whole cycles give the same each time."""
            true = math_ops.cast(self._true_periodicity, self.dtype)
            share = true / math_ops.cast(self._num_latent_values, self.dtype)
            once = super(ResolutionCycleModel, self).transition_power_noise_accumulator(
                noise_addition_coefficient=share,
                num_steps=ops.convert_to_tensor(self._num_latent_values, dtype=num_steps.dtype),
            )
            length = math_ops.cast(self._true_periodicity, num_steps.dtype)
            cycles = math_ops.cast(num_steps // length, self.dtype)
            each = cycles[..., None, None]
            before = array_ops.ones([array_ops.rank(cycles)], dtype=dtypes.int32)
            shape = array_ops.concat([before, array_ops.shape(once)], axis=0)
            summed = each * array_ops.reshape(once, shape)
            return num_steps % length, summed

        def not_folded() -> Any:
            size = self._num_latent_values - 1
            shape = array_ops.concat([array_ops.shape(num_steps), [size, size]], axis=0)
            return num_steps, array_ops.zeros(shape, dtype=self.dtype)

        left, summed = control_flow_ops.cond(self._whole_period_folding(), folded, not_folded)
        rest = self._power_sum_array(math_ops.reduce_max(left))
        noise = array_ops.squeeze(self.state_transition_noise_covariance, axis=[-1, -2])
        return summed + noise * array_ops.gather(rest, indices=left)

    def _whole_period_folding(self) -> Any:
        """Whether a cycle is a whole number of times long, and not shorter than its values."""
        return math_ops.logical_and(
            self._close_to_integer(self._true_periodicity),
            math_ops.greater_equal(self._true_periodicity, self._num_latent_values),
        )

    def _power_sum_array(self, max_remaining_steps: Any) -> Any:
        """What noise of variance 1 adds up to in 0, 1, 2, ... steps."""
        count, per_time = self._values_per_time()
        turned = math_ops.cast(math_ops.range(max_remaining_steps), self.dtype) * per_time
        places = math_ops.range(self._num_latent_values - 1)[None, ...]
        at = math_ops.cast(places, self.dtype)

        def cosecant(value: Any) -> Any:
            return 1.0 / math_ops.sin(np.pi / count * value)

        def whole_turns(value: Any) -> Any:
            """Where a cosecant is infinite, and the sign there."""
            normalized = value / count
            is_whole = self._close_to_integer(normalized)
            return is_whole, math_ops.cos(normalized * np.pi)

        apart = turned[..., None] - at
        both = cosecant(apart) + cosecant(apart - 1.0)
        products = both[..., None, :] * both[..., None]
        parity = (places[..., None, :] + places[..., None]) % 2
        signs = math_ops.cast(1 - 2 * parity, self.dtype)
        is_here, sign_here = whole_turns(turned[..., None] - at)
        is_next, sign_next = whole_turns(turned[..., None] - at - 1)
        is_one = math_ops.logical_or(is_here, is_next)
        sign = array_ops.where(is_here, sign_here, sign_next)
        are_ones = math_ops.logical_and(is_one[..., None], is_one[..., None, :])
        is_zero = self._close_to_integer(turned)
        products = array_ops.where(is_zero, array_ops.zeros_like(products), products)
        coefficient = math_ops.sin(np.pi * turned) / count
        ones = sign[..., None] * sign[..., None, :]
        masked = array_ops.where(are_ones, ones, products * coefficient[..., None, None] ** 2)
        return array_ops.pad(math_sums.cumsum(signs * masked), [(1, 0), (0, 0), (0, 0)])
