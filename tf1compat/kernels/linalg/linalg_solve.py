"""Systems of linear equations: square, triangular, tridiagonal and in the least-squares sense."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import at, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import Shape, op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.linalg import matrices

Array = Any


def _solution_shape(matrix: Shape, rhs: Shape, is_square: bool) -> Shape:
    matrix = matrices.square(matrix) if is_square else shapes.with_rank_at_least(matrix, 2)
    rhs = shapes.with_rank_at_least(rhs, 2)
    batch = shapes.merge(matrices.batch_of(matrix), matrices.batch_of(rhs))
    rows, columns = (None, None) if matrix is None else matrix[-2:]
    rhs_rows, count = (None, None) if rhs is None else rhs[-2:]
    rows = shapes.merge_dim(rows, rhs_rows)
    if is_square:
        columns = shapes.merge_dim(rows, columns)
    return None if batch is None else (*batch, columns, count)


def _square_solution_shape(matrix: Shape, rhs: Shape) -> Shape:
    return _solution_shape(matrix, rhs, is_square=True)


def _check_system(ctx: LoweringContext, matrix: Array, rhs: Array, is_square: bool = True) -> None:
    matrices.check_matrices(ctx, matrix, rhs)
    if is_square and matrix.shape[-1] != matrix.shape[-2]:
        refuse(ctx, "First input (lhs) must be a square matrix.")
    if matrix.shape[-2] != rhs.shape[-2]:
        refuse(ctx, "Input matrix and rhs are incompatible.")


_NOT_INVERTIBLE = "Input matrix is not invertible."


@op("MatrixSolve", "BatchMatrixSolve")
class MatrixSolve:
    shape = _square_solution_shape

    @matrices.in_single
    def lower(matrix: Any, rhs: Array, *, adjoint: bool, ctx: LoweringContext) -> Array:
        _check_system(ctx, matrix, rhs)
        if 0 in matrix.shape or 0 in rhs.shape:
            return jnp.asarray(rhs)
        factors = matrices.lu_factors(matrices.adjoint(matrix) if adjoint else matrix)
        ctx.check(factors.invertible, errors.InvalidArgumentError, _NOT_INVERTIBLE)
        return factors.solve(rhs)


@op("MatrixTriangularSolve", "BatchMatrixTriangularSolve")
class MatrixTriangularSolve:
    shape = _square_solution_shape

    def lower(
        matrix: Any, rhs: Array, *, lower: bool, adjoint: bool, ctx: LoweringContext
    ) -> Array:
        _check_system(ctx, matrix, rhs)
        if 0 in matrix.shape or 0 in rhs.shape:
            return jnp.asarray(rhs)
        ctx.check(
            jnp.all(jnp.abs(matrices.diagonal_of(matrix)) > 0),
            errors.InvalidArgumentError,
            _NOT_INVERTIBLE,
        )
        return lax.linalg.triangular_solve(
            matrix, rhs, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint
        )


@op("MatrixSolveLs", "BatchMatrixSolveLs")
class MatrixSolveLs:
    def shape(matrix: Any, rhs: Shape, l2_regularizer: Shape) -> Shape:
        shapes.with_rank(l2_regularizer, 0)
        return _solution_shape(matrix, rhs, is_square=False)

    def lower(
        matrix: Any, rhs: Array, l2_regularizer: Array, *, fast: bool, ctx: LoweringContext
    ) -> Array:
        if np.ndim(l2_regularizer):
            shape = text_of_shape(l2_regularizer)
            refuse(ctx, f"l2_regularizer must be scalar, got shape {shape}")
        ctx.check(l2_regularizer >= 0, errors.InvalidArgumentError, "l2_regularizer must be >= 0.")
        _check_system(ctx, matrix, rhs, is_square=False)
        rows, columns = matrix.shape[-2:]
        if 0 in matrix.shape or 0 in rhs.shape:
            return jnp.zeros((*matrix.shape[:-2], columns, rhs.shape[-1]), matrix.dtype)
        if not fast:
            return _least_norm(matrix, rhs)
        # The normal equations, by Cholesky.
        transposed = matrices.adjoint(matrix)
        is_tall = rows >= columns
        left, right = (transposed, matrix) if is_tall else (matrix, transposed)
        shift = jnp.asarray(l2_regularizer).astype(matrix.dtype)
        gramian = matrices.product(left, right)
        gramian = gramian + shift * jnp.eye(gramian.shape[-1], dtype=matrix.dtype)
        factor = lax.linalg.cholesky(gramian, symmetrize_input=False)
        ctx.check(
            ~jnp.any(jnp.isnan(factor)) | jnp.any(jnp.isnan(gramian)),
            errors.InvalidArgumentError,
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or provide "
            "a larger l2_regularizer > 0.",
        )
        solution = matrices.product(left, rhs) if is_tall else rhs
        for conjugate in (False, True):
            solution = lax.linalg.triangular_solve(
                factor,
                solution,
                left_side=True,
                lower=True,
                transpose_a=conjugate,
                conjugate_a=conjugate,
            )
        return solution if is_tall else matrices.product(transposed, solution)


def _least_norm(matrix: Array, rhs: Array) -> Array:
    """The shortest of the least-squares solutions, whatever the rank."""
    u, values, v_adjoint = jnp.linalg.svd(matrix, full_matrices=False)
    eps = jnp.finfo(values.dtype).eps
    cutoff = eps * min(matrix.shape[-2:]) * jnp.max(values, axis=-1, keepdims=True)
    inverse = jnp.where(values > cutoff, 1 / values, jnp.zeros((), values.dtype))
    scaled = inverse[..., None].astype(matrix.dtype) * matrices.product(matrices.adjoint(u), rhs)
    return matrices.product(matrices.adjoint(v_adjoint), scaled)


# Tridiagonal matrices: three rows (superdiagonal, diagonal, subdiagonal).


@op("TridiagonalSolve")
class TridiagonalSolve:
    def shape(diagonals: Any, rhs: Shape) -> Shape:
        diagonals = shapes.with_rank_at_least(diagonals, 2)
        rhs = shapes.with_rank_at_least(rhs, 2)
        shapes.merge(matrices.batch_of(diagonals), matrices.batch_of(rhs))
        three, size = (None, None) if diagonals is None else diagonals[-2:]
        shapes.merge_dim(size, None if rhs is None else rhs[-2])
        if three is not None:
            shapes.dim_with_value(three, 3)
        return rhs

    def lower(diagonals: Any, rhs: Array, *, partial_pivoting: bool, ctx: LoweringContext) -> Array:
        matrices.check_matrices(ctx, diagonals, rhs)
        three, size = diagonals.shape[-2:]
        if three != 3:
            refuse(
                ctx, f"Expected diagonals to be provided as a matrix with 3 rows, got {three} rows."
            )
        if size != rhs.shape[-2]:
            refuse(
                ctx,
                "Expected the same number of left-hand sides and right-hand sides, got "
                f"{size} and {rhs.shape[-2]}.",
            )
        if 0 in diagonals.shape or 0 in rhs.shape:
            return jnp.asarray(rhs)
        solution, invertible = _eliminate(jnp.asarray(diagonals), rhs, partial_pivoting)
        if size == 1:
            text = "The matrix is not invertible: it is a scalar with value zero."
        elif partial_pivoting:
            text = "The matrix is not invertible."
        else:
            text = (
                "The matrix is either not invertible, or requires pivoting. Try setting "
                "partial_pivoting = True."
            )
        ctx.check(invertible, errors.InvalidArgumentError, text)
        return solution


def _eliminate(diagonals: Array, rhs: Array, pivoting: bool) -> tuple[Array, Array]:
    """Gaussian elimination row by row, for a whole batch at once, and whether no pivot was 0."""
    upper, main, below = jnp.moveaxis(diagonals, (-2, -1), (0, 1))
    sides = jnp.moveaxis(jnp.asarray(rhs), -2, 0)
    zero = jnp.zeros_like(main[:1])
    upper, below = jnp.concatenate([upper[:-1], zero]), jnp.concatenate([below[1:], zero])
    # Below the last row, the identity.
    next_main = jnp.concatenate([main[1:], zero + 1])
    next_upper = jnp.concatenate([upper[1:], zero])
    next_side = jnp.concatenate([sides[1:], jnp.zeros_like(sides[:1])])

    def forward(row: Any, incoming: Any) -> Any:
        """Takes the pivot's row out of the next one; they change places if that one's is larger."""
        pivot, right, side = row
        low, next_pivot, next_right, following = incoming
        swap = (jnp.abs(pivot) < jnp.abs(low)) if pivoting else jnp.zeros(pivot.shape, bool)
        first = [jnp.where(swap, b, a) for a, b in ((pivot, low), (right, next_pivot))]
        second = [jnp.where(swap, a, b) for a, b in ((pivot, low), (right, next_pivot))]
        far = jnp.where(swap, next_right, jnp.zeros_like(right))
        own = jnp.where(swap[..., None], following, side)
        other = jnp.where(swap[..., None], side, following)
        factor = second[0] / first[0]
        remaining = second[1] - factor * first[1]
        beyond = jnp.where(swap, -factor * next_right, next_right)
        rest = other - factor[..., None] * own
        return (remaining, beyond, rest), (first[0], first[1], far, own)

    start = (main[0], upper[0], sides[0])
    _, rows = lax.scan(forward, start, (below, next_main, next_upper, next_side))

    def backward(known: Any, row: Any) -> Any:
        after, later = known
        pivot, right, far, side = row
        here = (side - right[..., None] * after - far[..., None] * later) / pivot[..., None]
        return (here, after), here

    nothing = jnp.zeros_like(sides[0])
    _, solution = lax.scan(backward, (nothing, nothing), rows, reverse=True)
    return jnp.moveaxis(solution, 0, -2), jnp.all(rows[0] != 0)


@op("TridiagonalMatMul")
class TridiagonalMatMul:
    def shape(superdiag: Any, maindiag: Shape, subdiag: Shape, rhs: Shape) -> Shape:
        above, main, below, rhs = (
            shapes.with_rank_at_least(x, 2) for x in (superdiag, maindiag, subdiag, rhs)
        )
        main = shapes.merge(above, main)
        shapes.merge(matrices.batch_of(main), matrices.batch_of(rhs))
        if main is not None and rhs is not None:
            shapes.merge_dim(main[-1], rhs[-2])
        shapes.merge(below, main)
        return rhs

    def lower(
        superdiag: Any, maindiag: Array, subdiag: Array, rhs: Array, *, ctx: LoweringContext
    ) -> Array:
        matrices.check_matrices(ctx, superdiag, maindiag, subdiag, rhs)
        size = rhs.shape[-2]
        for diagonal, name in (
            (superdiag, "superdiagonal"),
            (maindiag, "main diagonal"),
            (subdiag, "subdiagonal"),
        ):
            if diagonal.shape[-2:] != (1, size):
                refuse(ctx, f"Invalid {name} shape.")
        above, here, below = (jnp.swapaxes(x, -1, -2) for x in (superdiag, maindiag, subdiag))
        zeros = jnp.zeros_like(rhs[..., :1, :])
        after = jnp.concatenate([rhs[..., 1:, :], zeros], axis=-2)
        before = jnp.concatenate([zeros, rhs[..., :-1, :]], axis=-2)
        # What the padding of a diagonal holds is not looked at, NaN or not.
        above = at(above)[..., -1:, :].set(0)
        below = at(below)[..., :1, :].set(0)
        return here * rhs + above * after + below * before
