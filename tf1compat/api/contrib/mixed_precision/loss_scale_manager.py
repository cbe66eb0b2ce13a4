"""How much losses are scaled (`tensorflow.contrib.mixed_precision.python.loss_scale_manager`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike


@tf_export("contrib.mixed_precision.LossScaleManager")
class LossScaleManager(metaclass=abc.ABCMeta):
    """Knows by what a loss is multiplied."""

    @abc.abstractmethod
    def get_loss_scale(self) -> Any:
        """The factor: a float32 scalar."""

    @abc.abstractmethod
    def update_loss_scale(self, finite_grads: Any) -> Any:
        """An operation to be run at each step.

        Args:
          finite_grads: a bool scalar: whether all gradients were finite.
        """


@tf_export("contrib.mixed_precision.FixedLossScaleManager")
class FixedLossScaleManager(LossScaleManager):
    """A factor that stays.

    Args:
      loss_scale: the factor.

    Raises:
      ValueError: it is less than 1.
    """

    def __init__(self, loss_scale: float):
        if loss_scale < 1:
            raise ValueError("loss scale must be at least 1.")
        self._loss_scale = ops.convert_to_tensor(loss_scale, dtype=dtypes.float32)

    def get_loss_scale(self) -> Any:
        """See `LossScaleManager`."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """See `LossScaleManager`."""
        del finite_grads
        return raw_ops.NoOp()


@tf_export("contrib.mixed_precision.ExponentialUpdateLossScaleManager")
class ExponentialUpdateLossScaleManager(LossScaleManager):
    """A factor that grows while gradients are finite, and shrinks when they aren't.

    Args:
      init_loss_scale: the first factor.
      incr_every_n_steps: after so many good steps it grows,
      decr_every_n_nan_or_inf: after so many bad ones it shrinks,
      incr_ratio: by this,
      decr_ratio: or by this, to 1 at least.
    """

    def __init__(
        self, init_loss_scale: float, incr_every_n_steps: int, decr_every_n_nan_or_inf: int = 2,
        incr_ratio: float = 2, decr_ratio: float = 0.8,
    ):  # fmt: skip
        self._incr_every_n_steps = incr_every_n_steps
        self._decr_every_n_nan_or_inf = decr_every_n_nan_or_inf
        self._incr_ratio, self._decr_ratio = incr_ratio, decr_ratio
        initial = ops.convert_to_tensor(init_loss_scale, dtypes.float32)
        self._loss_scale = _state("loss_scale", initial, dtypes.float32)
        self._num_good_steps = _state("good_steps", 0, dtypes.int32)
        self._num_bad_steps = _state("bad_steps", 0, dtypes.int32)

    def get_loss_scale(self) -> Any:
        """See `LossScaleManager`."""
        return self._loss_scale

    def update_loss_scale(self, finite_grads: Any) -> Any:
        """See `LossScaleManager`."""
        return control_flow_ops.cond(finite_grads, self._after_good_step, self._after_bad_step)

    def _after_good_step(self) -> Any:
        scale, ratio = self._loss_scale, self._incr_ratio

        def grow() -> Any:
            # It stays where it would overflow.
            grown = control_flow_ops.cond(
                raw_ops.IsFinite(scale * ratio), lambda: scale * ratio, lambda: scale
            )
            return self._set_scale(grown)

        good = self._num_good_steps
        return control_flow_ops.cond(
            good + 1 >= self._incr_every_n_steps, grow, lambda: state_ops.assign_add(good, 1).op
        )

    def _after_bad_step(self) -> Any:
        good, bad = self._num_good_steps, self._num_bad_steps

        def count() -> Any:
            return control_flow_ops.group(state_ops.assign_add(bad, 1), state_ops.assign(good, 0))

        return control_flow_ops.cond(
            bad + 1 >= self._decr_every_n_nan_or_inf,
            lambda: self._set_scale(raw_ops.Maximum(1.0, self._loss_scale * self._decr_ratio)),
            count,
        )

    def _set_scale(self, value: Any) -> Any:
        update = state_ops.assign(self._loss_scale, value)
        counts = [state_ops.assign(v, 0) for v in (self._num_good_steps, self._num_bad_steps)]
        return control_flow_ops.group(update, control_flow_ops.group(*counts))


def _state(name: str, value: Any, dtype: DTypeLike) -> Any:
    return variable_scope.variable(name=name, initial_value=value, dtype=dtype, trainable=False)
