"""What the kernels of linear algebra share: shapes and checks of batches of matrices, and LU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend import jax, jnp, lax
from tf1compat.core import shapes
from tf1compat.core.shapes import Dim, Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse

Array = Any


# Static shapes.


def smaller(rows: Dim, columns: Dim) -> Dim:
    """The smaller dimension; unknown while either is, except that nothing is below 0."""
    if rows is None or columns is None:
        return 0 if 0 in (rows, columns) else None
    return min(rows, columns)


def square(matrix: Shape) -> Shape:
    """The shape of square matrices, each dimension known if the other one is."""
    matrix = shapes.with_rank_at_least(matrix, 2)
    if matrix is None:
        return None
    size = shapes.merge_dim(matrix[-2], matrix[-1])
    return (*matrix[:-2], size, size)


def unchanged_square(matrix: Shape, *_: Any) -> Shape:
    """The output has the shape of the first input, square matrices."""
    return square(matrix)


def batch_of(matrix: Shape) -> Shape:
    """The dimensions before those of the matrices."""
    return None if matrix is None else matrix[:-2]


# Values.


def in_single(lower: Callable[..., Any]) -> Callable[..., Any]:
    """A rule that computes matrices of half precision in single precision, as XLA in TF does."""

    @functools.wraps(lower)
    def call(*inputs: Any, **keywords: Any) -> Any:
        dtype = inputs[0].dtype
        if dtype != np.float16:
            return lower(*inputs, **keywords)
        found = lower(*[jnp.asarray(x, np.float32) for x in inputs], **keywords)
        return jax.tree.map(lambda x: x.astype(dtype) if x.dtype == np.float32 else x, found)

    return call


def adjoint(x: Array) -> Array:
    """The conjugate transpose of matrices."""
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def diagonal_of(x: Array) -> Array:
    """The diagonals of matrices."""
    return jnp.diagonal(x, axis1=-2, axis2=-1)


def check_matrices(ctx: LoweringContext, *values: Any) -> None:
    """Fails the run with TF's text unless all inputs are matrices, of one batch shape."""
    rank = np.ndim(values[0])
    if rank < 2:
        refuse(ctx, f"Input tensor 0 must have rank >= 2, got {rank}")
    for value in values[1:]:
        if np.ndim(value) != rank:
            refuse(ctx, "All input tensors must have the same rank.")
        if np.shape(value)[:-2] != np.shape(values[0])[:-2]:
            refuse(ctx, "All input tensors must have the same outer dimensions.")


def check_square(ctx: LoweringContext, value: Any) -> None:
    """Fails the run with TF's text unless the input is made of square matrices."""
    check_matrices(ctx, value)
    if value.shape[-1] != value.shape[-2]:
        refuse(ctx, "Input matrix must be square.")


class LuFactors(NamedTuple):
    """LU factors of square matrices, with rows permuted."""

    lu: Array
    permutation: Array

    @property
    def invertible(self) -> Array:
        """Whether no pivot is zero (or NaN)."""
        return jnp.all(jnp.abs(diagonal_of(self.lu)) > 0)

    def solve(self, rhs: Array) -> Array:
        """The solutions of matrix @ x = rhs."""
        rows = jnp.broadcast_to(self.permutation[..., None], rhs.shape)
        rhs = jnp.take_along_axis(rhs, rows, axis=-2)
        rhs = lax.linalg.triangular_solve(
            self.lu, rhs, left_side=True, lower=True, unit_diagonal=True
        )
        return lax.linalg.triangular_solve(self.lu, rhs, left_side=True, lower=False)


def lu_factors(matrix: Array) -> LuFactors:
    """LU with partial pivoting."""
    lu, _, permutation = lax.linalg.lu(matrix)
    return LuFactors(lu, permutation)


def product(x: Array, y: Array) -> Array:
    """The matrix product, in the precision of the dtype on every device."""
    return jnp.matmul(x, y, precision=lax.Precision.HIGHEST)
