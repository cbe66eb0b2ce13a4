"""`tf.contrib.constrained_optimization`: optimizers whose second player minimizes swap regret."""

from __future__ import annotations

import abc
import math
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.constrained_optimization import constrained_optimizer
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


def _maximal_eigenvector_power_method(
    matrix: Any, epsilon: float = 1e-06, maximum_iterations: int = 100
) -> Any:
    """The eigenvector of the greatest eigenvalue, by the power method."""
    if not matrix.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    if epsilon <= 0.0:
        raise ValueError("epsilon must be strictly positive")
    if maximum_iterations <= 0:
        raise ValueError("maximum_iterations must be strictly positive")

    def goes_on(iteration: Any, vector: Any, old_vector: Any) -> Any:
        not_done = iteration < maximum_iterations
        not_converged = linalg_ops.norm(vector - old_vector) > epsilon
        return math_ops.logical_and(not_done, not_converged)

    def step(iteration: Any, vector: Any, old_vector: Any) -> tuple[Any, ...]:
        iteration += 1
        new = math_ops.matmul(matrix, array_ops.expand_dims(vector, 1))[:, 0]
        new /= linalg_ops.norm(new)
        return iteration, new, vector

    iteration = constant_op.constant(0)
    vector = array_ops.ones_like(matrix[:, 0])
    vector /= linalg_ops.norm(vector)
    first = step(iteration, vector, vector)
    return control_flow_ops.while_loop(goes_on, step, loop_vars=first, name="power_method")[1]


def _project_stochastic_matrix_wrt_euclidean_norm(matrix: Any) -> Any:
    """The nearest matrix without negative elements whose columns sum to 1."""
    if not matrix.dtype.is_floating:
        raise ValueError("multipliers must have a floating-point dtype")
    shape = matrix.get_shape()
    if shape.ndims is None:
        raise ValueError("matrix must have known shape")
    if shape.ndims != 2:
        raise ValueError(f"matrix must be two dimensional (instead is {shape.ndims}-dimensional)")
    if shape[0] != shape[1]:
        raise ValueError(f"matrix must be square (instead has shape ({shape[0]},{shape[1]}))")
    dimension = shape.dims[0].value
    if dimension is None:
        raise ValueError("matrix must have fully-known shape")

    def total(x: TensorLike) -> Any:
        return math_ops.reduce_sum(x, axis=0, keepdims=True)

    def excess(x: TensorLike) -> Any:
        lacking = 1.0 - total(x)
        return lambda count: lacking / count

    return constrained_optimizer.projected(matrix, excess, total, dimension)


def _project_log_stochastic_matrix_wrt_kl_divergence(log_matrix: Any) -> Any:
    """Logarithms of a matrix with its columns scaled to sum to 1."""
    log_matrix = log_matrix - math_ops.reduce_max(log_matrix, axis=0, keepdims=True)
    return log_matrix - math_ops.log(
        math_ops.reduce_sum(math_ops.exp(log_matrix), axis=0, keepdims=True)
    )


class _SwapRegretOptimizer(constrained_optimizer.RegretOptimizer):
    """The state is a stochastic matrix; its stationary distribution weighs objective and
    constraints."""

    STATE_NAME = "swap_regret_optimizer_state"

    @abc.abstractmethod
    def _stochastic_matrix(self, state: Any) -> Any:
        """The matrix."""

    def _distribution(self, state: Any) -> Any:
        distribution = _maximal_eigenvector_power_method(self._stochastic_matrix(state))
        distribution = math_ops.abs(distribution)
        distribution /= math_ops.reduce_sum(distribution)
        return distribution

    def _loss_and_gradient(
        self, state: Any, objective: Any, constraints: Any, proxy_constraints: Any
    ) -> tuple[Any, Any]:
        zero = array_ops.zeros((1,), dtype=constraints.dtype)
        costs = array_ops.concat((zero, constraints), axis=0)
        everything = array_ops.concat(
            (array_ops.expand_dims(objective, 0), proxy_constraints), axis=0
        )
        distribution = self._distribution(state)
        loss = math_ops.tensordot(math_ops.cast(distribution, everything.dtype), everything, 1)
        gradient = math_ops.matmul(
            array_ops.expand_dims(math_ops.cast(costs, distribution.dtype), 1),
            array_ops.expand_dims(distribution, 0),
        )
        return loss, gradient


@tf_export("contrib.constrained_optimization.AdditiveSwapRegretOptimizer")
class AdditiveSwapRegretOptimizer(_SwapRegretOptimizer):
    """A matrix that steps by its gradient, and is projected then.

    Args:
      optimizer: of the variables.
      constraint_optimizer: of the matrix; `optimizer` by default.
    """

    def __init__(self, optimizer: Any, constraint_optimizer: Any = None):
        super().__init__(optimizer=optimizer, constraint_optimizer=constraint_optimizer)

    def _initial_state(self, num_constraints: int) -> Any:
        dimension = num_constraints + 1
        parts = (array_ops.ones((1, dimension)), array_ops.zeros((dimension - 1, dimension)))
        return array_ops.concat(parts, axis=0)

    def _stochastic_matrix(self, state: Any) -> Any:
        return state

    def _projection_op(self, state: Any, name: Name = None) -> Any:
        with ops.colocate_with(state):
            matrix = _project_stochastic_matrix_wrt_euclidean_norm(state)
            return state_ops.assign(state, matrix, name=name)


@tf_export("contrib.constrained_optimization.MultiplicativeSwapRegretOptimizer")
class MultiplicativeSwapRegretOptimizer(_SwapRegretOptimizer):
    """A matrix whose logarithms step.

    Args:
      optimizer: of the variables.
      constraint_optimizer: of the logarithms; `optimizer` by default.
      minimum_multiplier_radius: keeps the elements from 0.
      initial_multiplier_radius: the same at first; the minimum by default.

    Raises:
      ValueError: these are out of range.
    """

    def __init__(
        self, optimizer: Any, constraint_optimizer: Any = None,
        minimum_multiplier_radius: Any = 0.001, initial_multiplier_radius: Any = None,
    ):  # fmt: skip
        super().__init__(optimizer=optimizer, constraint_optimizer=constraint_optimizer)
        if minimum_multiplier_radius <= 0.0 or minimum_multiplier_radius >= 1.0:
            raise ValueError("minimum_multiplier_radius must be in the range (0,1)")
        if initial_multiplier_radius is None:
            initial_multiplier_radius = minimum_multiplier_radius
        elif initial_multiplier_radius < minimum_multiplier_radius:
            raise ValueError(
                "initial_multiplier_radius must be in the range [minimum_multiplier_radius,1]"
            )
        self._minimum_multiplier_radius = minimum_multiplier_radius
        self._initial_multiplier_radius = initial_multiplier_radius

    def _initial_state(self, num_constraints: int) -> Any:
        dimension, radius = num_constraints + 1, self._initial_multiplier_radius
        one = math.log(1.0 - radius * (dimension - 1) / dimension)
        zero = math.log(radius / dimension)
        parts = (
            constant_op.constant(one, dtype=dtypes.float32, shape=(1, dimension)),
            constant_op.constant(zero, dtype=dtypes.float32, shape=(dimension - 1, dimension)),
        )
        return array_ops.concat(parts, axis=0)

    def _stochastic_matrix(self, state: Any) -> Any:
        return math_ops.exp(state)

    def _projection_op(self, state: Any, name: Name = None) -> Any:
        with ops.colocate_with(state):
            dimension = state.get_shape().dims[0].value
            least = math_ops.log(self._minimum_multiplier_radius / math_ops.to_float(dimension))
            matrix = math_ops.maximum(
                _project_log_stochastic_matrix_wrt_kl_divergence(state), least
            )
            return state_ops.assign(state, matrix, name=name)
