"""Conjugate gradients (`tensorflow.contrib.solvers.python.ops.linear_equations`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.contrib.solvers import util
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class CGState(NamedTuple):
    """Where the iteration stands: steps, solution, residual, direction, squared residual."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any

    def squeezed(self) -> CGState:
        """The same with vectors in place of columns."""
        x, r, p = (array_ops.squeeze(column) for column in (self.x, self.r, self.p))
        return self._replace(x=x, r=r, p=p)


def descend(
    operator: Any,
    state: CGState,
    curvature: Callable[[Any, Any], Any],
    gradient: Callable[[Any], tuple[Any, Any]],
    goes_on: Callable[[Any, CGState], Any],
) -> CGState:
    """Follows conjugate directions.

    Args:
      operator: A.
      state: where to begin; the first direction is the gradient there.
      curvature: of a direction and A times it: how the residual's size bends along it.
      gradient: of a residual: where to go from there, and the square of its size.
      goes_on: whether there is to be another step.

    Returns:
      The last state, of `state`'s type, with vectors in place of columns.
    """

    def step(i: Any, state: CGState) -> tuple[Any, CGState]:
        image = operator.apply(state.p)
        length = state.gamma / curvature(state.p, image)
        moved = {"x": state.x + length * state.p, "r": state.r - length * image}
        down, gamma = gradient(moved["r"])
        turned = down + gamma / state.gamma * state.p
        return i + 1, state._replace(i=i + 1, **moved, p=turned, gamma=gamma)

    return control_flow_ops.while_loop(goes_on, step, [state.i, state])[1].squeezed()


@tf_export("contrib.solvers.linear_equations.conjugate_gradient")
def conjugate_gradient(
    operator: Any,
    rhs: TensorLike,
    preconditioner: Any = None,
    x: TensorLike | None = None,
    tol: Any = 1e-4,
    max_iter: Any = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Solves A x = rhs for a self-adjoint, positive definite A.

    As tf.contrib.solvers.linear_equations.conjugate_gradient in TF 1.15.

    Args:
      operator: A, with `shape`, `dtype` and `apply` (see `util.LinearOperator`).
      rhs: [n].
      preconditioner: an operator near A's inverse.
      x: [n], where to begin; zero if it is None.
      tol: ends when the residual's norm is this part of what it was.
      max_iter: the most iterations.
      name: scope of the ops.

    Returns:
      The last state: `i` iterations, and vectors [n].
    """

    def gradient(r: Any) -> tuple[Any, Any]:
        down = r if preconditioner is None else preconditioner.apply(r)
        return down, util.dot(r, down)

    def goes_on(i: Any, state: CGState) -> Any:
        return math_ops.logical_and(i < max_iter, linalg_ops.norm(state.r) > limit)

    with ops.name_scope(name):
        size = operator.shape[1:]
        r = array_ops.expand_dims(rhs, -1)
        if x is None:
            x = util.zero_column(size, r)
        else:
            x = array_ops.expand_dims(x, -1)
            r = r - operator.apply(x)
        p, gamma = gradient(r)
        limit = tol * linalg_ops.norm(r)
        begin = CGState(constant(0, dtype=dtypes.int32), x, r, p, gamma)
        return descend(operator, begin, util.dot, gradient, goes_on)
