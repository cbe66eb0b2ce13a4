"""`tf.contrib.constrained_optimization.AdditiveExternalRegretOptimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.constrained_optimization import constrained_optimizer
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


def _project_multipliers_wrt_euclidean_norm(multipliers: Any, radius: Any) -> Any:
    """The nearest multipliers that aren't negative and whose sum is at most `radius`."""
    if not multipliers.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    shape = multipliers.get_shape()
    if shape.ndims is None:
        raise ValueError("multipliers must have known shape")
    if shape.ndims != 1:
        raise ValueError(
            f"multipliers must be one dimensional (instead is {shape.ndims}-dimensional)"
        )
    dimension = shape.dims[0].value
    if dimension is None:
        raise ValueError("multipliers must have fully-known shape")

    def excess(x: TensorLike) -> Any:
        lacking = radius - math_ops.reduce_sum(x)
        return lambda count: math_ops.minimum(0.0, lacking / count)

    return constrained_optimizer.projected(multipliers, excess, math_ops.reduce_sum, dimension)


@tf_export("contrib.constrained_optimization.AdditiveExternalRegretOptimizer")
class AdditiveExternalRegretOptimizer(constrained_optimizer.RegretOptimizer):
    """Lagrange multipliers that go up by the constraints.

    Args:
      optimizer: of the variables.
      constraint_optimizer: of the multipliers; `optimizer` by default.
      maximum_multiplier_radius: the greatest sum of the multipliers; None for any.

    Raises:
      ValueError: that isn't positive.
    """

    STATE_NAME = "external_regret_optimizer_state"

    def __init__(
        self,
        optimizer: Any,
        constraint_optimizer: Any = None,
        maximum_multiplier_radius: Any = None,
    ):
        super().__init__(optimizer=optimizer, constraint_optimizer=constraint_optimizer)
        if maximum_multiplier_radius and maximum_multiplier_radius <= 0.0:
            raise ValueError("maximum_multiplier_radius must be strictly positive")
        self._maximum_multiplier_radius = maximum_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Any:
        return array_ops.zeros((num_constraints,), dtype=dtypes.float32)

    def _loss_and_gradient(
        self, state: Any, objective: Any, constraints: Any, proxy_constraints: Any
    ) -> tuple[Any, Any]:
        weights = math_ops.cast(state, proxy_constraints.dtype)
        loss = objective + math_ops.tensordot(weights, proxy_constraints, 1)
        return loss, math_ops.cast(constraints, state.dtype)

    def _projection_op(self, state: Any, name: Name = None) -> Any:
        with ops.colocate_with(state):
            if self._maximum_multiplier_radius:
                multipliers = _project_multipliers_wrt_euclidean_norm(
                    state, self._maximum_multiplier_radius
                )
            else:
                multipliers = math_ops.maximum(state, 0.0)
            return state_ops.assign(state, multipliers, name=name)
