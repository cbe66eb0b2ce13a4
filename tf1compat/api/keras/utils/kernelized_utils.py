"""`tensorflow.python.keras.utils.kernelized_utils`: kernels of pairs of vectors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core.typing import TensorLike


def _to_matrix(u: Any) -> Any:
    """A matrix: a vector is its one row."""
    rank = u.shape.rank
    if rank not in (1, 2):
        raise ValueError(f"The input tensor should have rank 1 or 2. Given rank: {rank}")
    return array_ops.expand_dims(u, 0) if rank == 1 else u


def _align_matrices(x: Any, y: Any) -> tuple[Any, Any]:
    """Each row of `x` beside each row of `y`, along a new axis of each."""
    x, y = _to_matrix(x), _to_matrix(y)
    if y.shape[1] != x.shape[1]:
        raise ValueError(
            "The outermost dimensions of the input tensors should match. Given: "
            f"{y.shape[1]} vs {x.shape[1]}."
        )
    rows = array_ops.tile(array_ops.expand_dims(x, 1), [1, y.shape[0], 1])
    columns = array_ops.tile(array_ops.expand_dims(y, 0), [x.shape[0], 1, 1])
    return rows, columns


def inner_product(u: TensorLike, v: Any) -> Any:
    """The inner product of each row of `u` with each row of `v`.

    Raises:
      ValueError: one has another rank than 1 or 2.
    """
    return math_ops.matmul(_to_matrix(u), _to_matrix(v), transpose_b=True)


def exact_gaussian_kernel(x: Any, y: Any, stddev: Any) -> Any:
    """exp(-|u - v|² / 2 stddev²) of each row u of `x` and v of `y`.

    Raises:
      ValueError: one has another rank than 1 or 2, or the rows are of different lengths.
    """
    rows, columns = _align_matrices(x, y)
    distances = math_ops.reduce_sum(math_ops.squared_difference(rows, columns), 2)
    return math_ops.exp(-distances / (2 * stddev * stddev))


def exact_laplacian_kernel(x: Any, y: Any, stddev: TensorLike) -> Any:
    """exp(-|u - v| / stddev) of each row u of `x` and v of `y`, by the 1-norm.

    Raises:
      ValueError: as `exact_gaussian_kernel`.
    """
    rows, columns = _align_matrices(x, y)
    distances = math_ops.reduce_sum(math_ops.abs(math_ops.subtract(rows, columns)), 2)
    return math_ops.exp(-distances / stddev)
