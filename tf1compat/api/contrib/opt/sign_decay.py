"""Sign decays for `AddSignOptimizer` and `PowerSignOptimizer`: functions of the global step."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op, gather_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

Decay = Callable[[Any], Tensor]


def _float(x: Any) -> Any:
    return math_ops.cast(x, dtypes.float32)


def _limited(global_step: TensorLike | None, decay_steps: TensorLike, name: str) -> Tensor:
    if global_step is None:
        raise ValueError(f"global_step is required for {name}.")
    return math_ops.minimum(global_step, decay_steps)


def get_linear_decay_fn(decay_steps: TensorLike) -> Decay:
    """A line from 1 down to 0 at `decay_steps`.

    Returns:
      A function from the global step to a float32 scalar.
    """

    def linear_decay_fn(global_step: TensorLike) -> Tensor:
        step = _limited(global_step, decay_steps, "linear_decay")
        rest = math_ops.cast(decay_steps, dtypes.int32) - math_ops.cast(step, dtypes.int32)
        return math_ops.maximum(0.0, _float(rest) / _float(decay_steps))

    return linear_decay_fn


def get_cosine_decay_fn(
    decay_steps: TensorLike, num_periods: float = 0.5, zero_after: float | None = None
) -> Decay:
    """Cosine waves between 1 and 0.

    Args:
      decay_steps: when they end.
      num_periods: how many there are.
      zero_after: the number of periods after which it is 0, or None.

    Returns:
      A function from the global step to a float32 scalar.
    """

    def cosine_decay_fn(global_step: TensorLike) -> Tensor:
        step = _limited(global_step, decay_steps, "cosine_decay")
        completed = _float(step) / _float(decay_steps)
        fraction = 2.0 * num_periods * completed
        decayed = 0.5 * (1.0 + math_ops.cos(constant_op.constant(math.pi) * fraction))
        if zero_after is None:
            return decayed
        is_over = math_ops.greater_equal(fraction, 2 * zero_after)
        return gather_ops.where(is_over, 0.0, decayed)

    return cosine_decay_fn


def get_restart_decay_fn(
    decay_steps: TensorLike, num_periods: float = 1, zero_after: float | None = None
) -> Decay:
    """Half cosine waves from 1 down to 0, one after another.

    Args:
      decay_steps: when they end.
      num_periods: how many there are.
      zero_after: the number of periods after which it is 0, or None.

    Returns:
      A function from the global step to a float32 scalar.
    """

    def restart_decay_fn(global_step: TensorLike) -> Tensor:
        step = _limited(global_step, decay_steps, "cosine_decay")
        completed = math_ops.mod(num_periods * _float(step), decay_steps)
        fraction = completed / _float(decay_steps)
        decayed = 0.5 * (1.0 + math_ops.cos(constant_op.constant(math.pi) * fraction))
        if zero_after is None:
            return decayed
        periods = _float(num_periods * step) / _float(decay_steps)
        return gather_ops.where(math_ops.greater_equal(periods, zero_after), 0.0, decayed)

    return restart_decay_fn
