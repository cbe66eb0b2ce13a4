"""Roots of symmetric positive definite matrices, by iteration."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike


def _eye(size: Any) -> Tensor:
    return linalg_ops.eye(math_ops.cast(size, dtypes.int32))


def matrix_square_root(
    mat_a: Any, mat_a_size: Any, iter_count: int = 100, ridge_epsilon: float = 1e-4
) -> Tensor:
    """The square root of a matrix (Iannazzo, 2006).

    Args:
      mat_a: the matrix, float32.
      mat_a_size: its size.
      iter_count: the largest number of iterations.
      ridge_epsilon: what is added to the diagonal.

    Returns:
      A matrix whose square is `mat_a`.
    """
    identity = _eye(mat_a_size)
    mat_a = mat_a + ridge_epsilon * identity
    norm = math_ops.sqrt(math_ops.reduce_sum(mat_a * mat_a))
    first = mat_a / norm

    def improves(
        i: Any, y: Any, old_y: Any, z: TensorLike, old_z: Any, error: Any, old_error: Any
    ) -> Any:
        return math_ops.logical_and(i < iter_count, error < old_error)

    def body(
        i: Any, y: Any, old_y: Any, z: TensorLike, old_z: Any, error: Any, old_error: Any
    ) -> Any:
        step = 0.5 * (3.0 * identity - math_ops.matmul(z, y))
        new_y = math_ops.matmul(y, step)
        new_z = math_ops.matmul(step, z)
        root = new_y * math_ops.sqrt(norm)
        residual = mat_a - math_ops.matmul(root, root)
        new_error = math_ops.sqrt(math_ops.reduce_sum(residual * residual)) / norm
        return i + 1, new_y, y, new_z, z, new_error, error

    start = [0, first, first, identity, identity, norm, norm + 1.0]
    # The last step made it worse: what was before it counts.
    best = control_flow_ops.while_loop(improves, body, start)[2]
    return best * math_ops.sqrt(norm)


def _power(matrix: TensorLike, exponent: float) -> Any:
    """A matrix to the power of a positive whole number, by squaring."""
    assert exponent == int(exponent) and exponent > 0
    product = None
    while exponent > 0:
        if exponent % 2 == 1:
            product = matrix if product is None else math_ops.matmul(matrix, product)
        exponent //= 2
        matrix = math_ops.matmul(matrix, matrix)
    return product


def matrix_inverse_pth_root(
    mat_g: Any,
    mat_g_size: Any,
    alpha: float,
    iter_count: int = 100,
    epsilon: float = 1e-6,
    ridge_epsilon: float = 1e-6,
) -> Tensor:
    """A matrix to the power `alpha = -1 / p` (Guo and Higham, 2006).

    Args:
      mat_g: the matrix, float32.
      mat_g_size: its size.
      alpha: minus the inverse of a positive whole number.
      iter_count: the largest number of iterations.
      epsilon: when the iteration is close enough.
      ridge_epsilon: what is added to the diagonal.

    Returns:
      A matrix of that size.
    """
    identity = _eye(mat_g_size)
    if mat_g_size == 1:
        return math_ops.pow(mat_g + ridge_epsilon, alpha)

    def is_far(i: Any, m: Any, x: Any) -> Any:
        may_go_on = i < iter_count
        distance = math_ops.reduce_max(math_ops.abs(m - identity))
        return math_ops.logical_and(may_go_on, distance > epsilon)

    def body(i: Any, m: Any, x: Any) -> Any:
        step = (1 - alpha) * identity + alpha * m
        return i + 1, math_ops.matmul(_power(step, -1.0 / alpha), m), math_ops.matmul(x, step)

    damped = mat_g + ridge_epsilon * identity
    scale = (1 - 1 / alpha) / (2 * linalg_ops.norm(damped))
    start = [0, damped * scale, identity * math_ops.pow(scale, -alpha)]
    return control_flow_ops.while_loop(is_far, body, start)[2]
