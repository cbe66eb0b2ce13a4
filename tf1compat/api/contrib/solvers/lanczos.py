"""Lanczos' bidiagonalization (`tensorflow.contrib.solvers.python.ops.lanczos`)."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.contrib.solvers import util
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.control_flow.tensor_array_ops import TensorArray
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_PREFIX = "contrib.solvers.lanczos."

# A vector that lost more than this part of its norm is made orthogonal again (B. N. Parlett, The
# Symmetric Eigenvalue Problem, 1980, pp. 105-109).
_LOST = 0.7071


class LanczosBidiagState(NamedTuple):
    """Left and right vectors, and the two diagonals of B."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


def _column(vectors: Any, i: Any) -> Any:
    """A vector of a TensorArray, whose elements are rows, as a column."""
    return array_ops.expand_dims(vectors.read(i), -1)


def _with_column(vectors: Any, column: Any, i: Any) -> Any:
    return vectors.write(i, array_ops.squeeze(column))


def _orthogonal_once(count: Any, basis: Any, v: Any) -> tuple[Any, Any]:
    """What is left of `v` without its parts along the first vectors, normalized, and its norm."""

    def without(j: Any, basis: Any, v: Any) -> tuple[Any, Any, Any]:
        shape = v.get_shape()
        direction = _column(basis, j)
        v = v - math_ops.matmul(direction, v, adjoint_a=True) * direction
        v.set_shape(shape)
        return j + 1, basis, v

    first = constant(0, dtype=dtypes.int32)
    left = control_flow_ops.while_loop(lambda j, *_: j < count, without, [first, basis, v])[2]
    return util.l2normalize(left)


def _orthogonal(count: Any, basis: Any, v: TensorLike) -> tuple[Any, Any]:
    norm = util.l2norm(v)
    once = _orthogonal_once(count, basis, v)
    return control_flow_ops.cond(
        once[1] < _LOST * norm, lambda: _orthogonal_once(count, basis, v), lambda: once
    )


@tf_export(_PREFIX + "lanczos_bidiag")
def lanczos_bidiag(
    operator: Any,
    k: Any,
    orthogonalize: bool = True,
    starting_vector: Any = None,
    name: str = "lanczos_bidiag",
) -> LanczosBidiagState:
    """Orthonormal U, V and a lower bidiagonal B with A V = U B and A* U[:, :-1] = V B[:-1]*.

    As tf.contrib.solvers.lanczos.lanczos_bidiag in TF 1.15.

    Args:
      operator: A, with `shape`, `dtype`, `apply` and `apply_adjoint` (see `util.LinearOperator`).
      k: how many steps.
      orthogonalize: whether each vector is made orthogonal to all before it.
      starting_vector: [m]; random if it is None.
      name: scope of the ops.

    Returns:
      `u`: [m, k + 1], `v`: [n, k], the diagonal `alpha` and the one below, `beta`: [k].
    """

    def array(size: TensorLike, name: str) -> TensorArray:
        return TensorArray(dtype=dtype, size=size, tensor_array_name=name, clear_after_read=False)

    def normalized(count: Any, basis: Any, v: TensorLike) -> tuple[Any, Any]:
        return _orthogonal(count(), basis, v) if orthogonalize else util.l2normalize(v)

    def step(i: Any, state: LanczosBidiagState) -> tuple[Any, LanczosBidiagState]:
        u = _column(state.u, i)
        r = operator.apply_adjoint(u)
        shape = r.get_shape()
        r = control_flow_ops.cond(
            i > 0, lambda: r - state.beta.read(i - 1) * _column(state.v, i - 1), lambda: r
        )
        r.set_shape(shape)  # A conditional forgets it.
        v, alpha = normalized(lambda: i - 1, state.v, r)
        u, beta = normalized(lambda: i, state.u, operator.apply(v) - alpha * u)
        following = i + 1
        return following, LanczosBidiagState(
            _with_column(state.u, u, i + 1),
            _with_column(state.v, v, i),
            state.alpha.write(i, alpha),
            state.beta.write(i, beta),
        )

    with ops.name_scope(name):
        dtype = operator.dtype
        if starting_vector is None:
            starting_vector = random_ops.random_uniform(operator.shape[:1], -1, 1, dtype=dtype)
        first, _ = util.l2normalize(starting_vector)
        state = LanczosBidiagState(
            _with_column(array(k + 1, "u"), first, 0),
            array(k, "v"),
            array(k, "alpha"),
            array(k, "beta"),
        )
        i = constant(0, dtype=dtypes.int32)
        _, state = control_flow_ops.while_loop(lambda i, _: i < k, step, [i, state])
        return LanczosBidiagState(
            array_ops.matrix_transpose(state.u.stack()),
            array_ops.matrix_transpose(state.v.stack()),
            state.alpha.stack(),
            state.beta.stack(),
        )


@tf_export(_PREFIX + "bidiag_matmul")
def bidiag_matmul(
    matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = "bidiag_matmul"
) -> Any:
    """The product with a lower bidiagonal [k + 1, k] matrix B, or with the adjoint of B[:-1].

    Args:
      matrix: [m, k + 1], or [m, k] for the adjoint.
      alpha: [k], the diagonal.
      beta: [k], the diagonal below it.
      adjoint_b: whether it is the adjoint.
      name: scope of the ops.

    Returns:
      [m, k].
    """
    with ops.name_scope(name):
        alpha = array_ops.expand_dims(alpha, 0)
        if adjoint_b is False:
            beta = array_ops.expand_dims(beta, 0)
            return matrix[:, :-1] * alpha + matrix[:, 1:] * beta
        beta = array_ops.expand_dims(beta[:-1], 0)
        rows = array_ops.shape(matrix)[:1]
        zeros = array_ops.expand_dims(array_ops.zeros(rows, dtype=matrix.dtype), 1)
        return matrix * alpha + array_ops.concat([zeros, matrix[:, :-1] * beta], 1)
