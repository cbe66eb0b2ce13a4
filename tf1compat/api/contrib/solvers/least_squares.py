"""Least squares (`tensorflow.contrib.solvers.python.ops.least_squares`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.contrib.solvers import util
from tf1compat.api.contrib.solvers.linear_equations import CGState, descend
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class CGLSState(CGState):
    """Where the iteration stands; `gamma` is the square of the normal equations' residual."""


@tf_export("contrib.solvers.least_squares.cgls")
def cgls(
    operator: Any, rhs: TensorLike, tol: Any = 1e-6, max_iter: Any = 20, name: str = "cgls"
) -> CGState:
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

    def gradient(r: Any) -> tuple[Any, Any]:
        normal = operator.apply_adjoint(r)
        return normal, util.l2norm_squared(normal)

    def goes_on(i: Any, state: CGState) -> Any:
        return math_ops.logical_and(i < max_iter, state.gamma > limit)

    def curvature(p: Any, image: TensorLike) -> Any:
        del p
        return util.l2norm_squared(image)

    with ops.name_scope(name):
        size = operator.shape[1:]
        r = array_ops.expand_dims(rhs, -1)
        p, gamma = gradient(r)
        limit = tol * tol * gamma
        x = util.zero_column(size, r)
        begin = CGLSState(constant(0, dtype=dtypes.int32), x, r, p, gamma)
        return descend(operator, begin, curvature, gradient, goes_on)
