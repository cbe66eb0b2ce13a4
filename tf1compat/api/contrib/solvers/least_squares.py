"""Least squares (`tensorflow.contrib.solvers.python.ops.least_squares`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.contrib.solvers import util
from tf1compat.api.contrib.solvers.linear_equations import CGState
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export


class CGLSState(CGState):
    """Where the iteration stands; `gamma` is the square of the normal equations' residual."""


@tf_export("contrib.solvers.least_squares.cgls")
def cgls(
    operator: Any, rhs: Any, tol: Any = 1e-6, max_iter: Any = 20, name: str = "cgls"
) -> CGLSState:
    """Finds the x that makes |A x - rhs| least, by conjugate gradients of the normal equations.

    As tf.contrib.solvers.least_squares.cgls in TF 1.15.

    Args:
      operator: A, with `shape`, `dtype`, `apply` and `apply_adjoint` (see `util.LinearOperator`).
      rhs: [m].
      tol: ends when the norm of A* (rhs - A x) is this part of what it was.
      max_iter: the most iterations.
      name: scope of the ops.

    Returns:
      The last state: `i` iterations; `x`, `p`: [n]; `r`: [m]; `gamma`.
    """

    def goes_on(i: Any, state: CGLSState) -> Any:
        return math_ops.logical_and(i < max_iter, state.gamma > tol)

    def step(i: Any, state: CGLSState) -> tuple[Any, CGLSState]:
        product = operator.apply(state.p)
        alpha = state.gamma / util.l2norm_squared(product)
        x = state.x + alpha * state.p
        r = state.r - alpha * product
        normal = operator.apply_adjoint(r)
        gamma = util.l2norm_squared(normal)
        p = normal + gamma / state.gamma * state.p
        return i + 1, CGLSState(i + 1, x, r, p, gamma)

    with ops.name_scope(name):
        size = operator.shape[1:]
        r = array_ops.expand_dims(rhs, -1)
        p = operator.apply_adjoint(r)
        gamma = util.l2norm_squared(p)
        tol = tol * tol * gamma
        x = array_ops.expand_dims(array_ops.zeros(size, dtype=r.dtype.base_dtype), -1)
        i = constant(0, dtype=dtypes.int32)
        state = CGLSState(i, x, r, p, gamma)
        return control_flow_ops.while_loop(goes_on, step, [i, state])[1].squeezed()
