"""Linear algebra: decompositions, inverses, determinants and functions of matrices.

Systems of equations are in `linalg_solve.py`, the gradients in `linalg_grad.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import at, jax, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import Shape, op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import jnp_dtype, refuse
from tf1compat.kernels.linalg import matrices

Array = Any


# LU with partial pivoting: determinants and inverses.


def _determinant_shape(input: Shape) -> Shape:
    input = shapes.with_rank_at_least(input, 2)
    if input is None:
        return None
    shapes.merge_dim(input[-1], input[-2])
    return input[:-2]


def _sign_and_log(x: Array) -> tuple[Array, Array]:
    """The sign of the determinant and the log of its magnitude; 0 and an infinity where that log
    is not finite."""
    if 0 in x.shape:
        batch = x.shape[:-2]
        return jnp.ones(batch, x.dtype), jnp.zeros(batch, jnp.finfo(x.dtype).dtype)
    lu, pivots, _ = lax.linalg.lu(x)
    pivot = matrices.diagonal_of(lu)
    magnitude = jnp.abs(pivot)
    log = jnp.sum(jnp.log(magnitude), axis=-1)
    swaps = jnp.sum(pivots != np.arange(x.shape[-1]), axis=-1)
    parity = jnp.where(swaps % 2 == 0, 1, -1).astype(x.dtype)
    sign = parity * jnp.prod(pivot / magnitude.astype(x.dtype), axis=-1)
    infinity = jnp.where(log > 0, jnp.inf, -jnp.inf).astype(log.dtype)
    finite = jnp.isfinite(log)
    return jnp.where(finite, sign, jnp.zeros_like(sign)), jnp.where(finite, log, infinity)


@op("MatrixDeterminant", "BatchMatrixDeterminant")
class MatrixDeterminant:
    shape = _determinant_shape

    @matrices.in_single
    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        sign, log = _sign_and_log(input)
        return sign * jnp.exp(log).astype(input.dtype)


@op("LogMatrixDeterminant")
class LogMatrixDeterminant:
    def shape(input: Any) -> Any:
        batch = _determinant_shape(input)
        return [batch, batch]

    @matrices.in_single
    def lower(input: Any, *, ctx: LoweringContext) -> list[Array]:
        matrices.check_square(ctx, input)
        sign, log = _sign_and_log(input)
        return [sign, log.astype(input.dtype)]


@op("MatrixInverse", "BatchMatrixInverse")
class MatrixInverse:
    shape = matrices.unchanged_square

    @matrices.in_single
    def lower(input: Any, *, adjoint: bool, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        if 0 in input.shape:
            return jnp.asarray(input)
        factors = matrices.lu_factors(matrices.adjoint(input) if adjoint else input)
        ctx.check(factors.invertible, errors.InvalidArgumentError, "Input is not invertible.")
        return factors.solve(
            jnp.broadcast_to(jnp.eye(input.shape[-1], dtype=input.dtype), input.shape)
        )


@op("Lu")
class Lu:
    def shape(input: Any) -> Any:
        input = matrices.square(input)
        return [input, None if input is None else input[:-1]]

    @matrices.in_single
    def lower(input: Any, *, output_idx_type: DType, ctx: LoweringContext) -> list[Array]:
        if np.ndim(input) < 2:
            refuse(ctx, f"Input tensor must have rank >= 2, got {np.ndim(input)}")
        matrices.check_square(ctx, input)
        index = jnp_dtype(output_idx_type)
        if 0 in input.shape:
            return [jnp.asarray(input), jnp.zeros(input.shape[:-1], index)]
        if jnp.iscomplexobj(input):
            factors = _lu_by_modulus(input)
        else:
            factors = matrices.lu_factors(input)
        ctx.check(factors.invertible, errors.InvalidArgumentError, "Input is not invertible.")
        return [factors.lu, factors.permutation.astype(index)]


def _lu_by_modulus(x: Array) -> matrices.LuFactors:
    """LU of complex matrices, the pivot being the entry of the largest modulus, as in TF: LAPACK
    takes that of the largest |re| + |im|."""

    def of_one(x: Array) -> tuple[Array, Array]:
        size = x.shape[-1]
        place = jnp.arange(size)

        def step(k: Array, state: tuple[Array, Array]) -> tuple[Array, Array]:
            a, order = state
            pivot = jnp.argmax(jnp.where(place >= k, jnp.abs(a[:, k]), -1))
            rows = jnp.where(place == k, pivot, jnp.where(place == pivot, k, place))
            a, order = a[rows], order[rows]
            zero = jnp.zeros((), a.dtype)
            factors = jnp.where(place > k, a[:, k] / a[k, k], zero)
            right = jnp.where(place > k, a[k], zero)
            a = at(a)[:, k].set(jnp.where(place > k, factors, a[:, k]))
            return a - factors[:, None] * right, order

        return lax.fori_loop(0, size, step, (x, place))

    function = of_one
    for _ in range(x.ndim - 2):
        function = jax.vmap(function)
    return matrices.LuFactors(*function(jnp.asarray(x)))


# Cholesky.


@op("Cholesky", "BatchCholesky")
class Cholesky:
    shape = matrices.unchanged_square

    @matrices.in_single
    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        if 0 in input.shape:
            return jnp.asarray(input)
        factor = lax.linalg.cholesky(input, symmetrize_input=False)
        # A NaN of the input is no failure.
        failed = jnp.any(jnp.isnan(factor)) & ~jnp.any(jnp.isnan(jnp.tril(input)))
        ctx.check(
            ~failed,
            errors.InvalidArgumentError,
            "Cholesky decomposition was not successful. The input might not be valid.",
        )
        return factor


@op("CholeskyGrad", "BatchCholeskyGrad")
class CholeskyGrad:
    shape = matrices.unchanged_square

    def lower(l: Any, grad: Any, *, ctx: LoweringContext) -> Array:  # noqa: E741
        matrices.check_matrices(ctx, l, grad)
        if l.shape != grad.shape:
            refuse(ctx, "Inputs (L and grad) must have the same shape.")
        if l.shape[-1] != l.shape[-2]:
            refuse(ctx, "Inputs must be a square matrices.")
        # Murray, "Differentiation of the Cholesky decomposition" (2016); half of it, as in TF.
        factor = jnp.tril(l)
        middle = matrices.product(matrices.adjoint(factor), jnp.tril(grad))
        middle = jnp.tril(middle) + matrices.adjoint(jnp.tril(middle, -1))
        left = lax.linalg.triangular_solve(
            factor, middle, left_side=True, lower=True, transpose_a=True
        )
        whole = lax.linalg.triangular_solve(factor, left, left_side=False, lower=True)
        return whole / 2


# Orthogonal decompositions.  The signs of vectors are LAPACK's: TF's for QR, and arbitrary in TF,
# too, for the others.


@op("Qr")
class Qr:
    def shape(input: Any, *, full_matrices: bool) -> Any:
        input = shapes.with_rank_at_least(input, 2)
        if input is None:
            return [None, None]
        *batch, rows, columns = input
        if full_matrices:
            return [(*batch, rows, rows), (*batch, rows, columns)]
        small = matrices.smaller(rows, columns)
        return [(*batch, rows, small), (*batch, small, columns)]

    @matrices.in_single
    def lower(input: Any, *, full_matrices: bool, ctx: LoweringContext) -> Any:
        matrices.check_matrices(ctx, input)
        q, r = jnp.linalg.qr(input, mode="complete" if full_matrices else "reduced")
        return [q, r]


@op("Svd", "BatchSvd")
class Svd:
    def shape(input: Any, *, compute_uv: bool, full_matrices: bool) -> Any:
        input = shapes.with_rank_at_least(input, 2)
        if input is None:
            return [None, None, None] if compute_uv else [None, (0,), (0,)]
        *batch, rows, columns = input
        small = matrices.smaller(rows, columns)
        values = (*batch, small)
        if not compute_uv:
            return [values, (0,), (0,)]
        if full_matrices:
            return [values, (*batch, rows, rows), (*batch, columns, columns)]
        return [values, (*batch, rows, small), (*batch, columns, small)]

    @matrices.in_single
    def lower(
        input: Any, *, compute_uv: bool, full_matrices: bool, ctx: LoweringContext
    ) -> list[Array]:
        matrices.check_matrices(ctx, input)
        if not compute_uv:
            values = jnp.linalg.svd(input, compute_uv=False)
            empty = jnp.zeros((0,), input.dtype)
            return [values.astype(input.dtype), empty, empty]
        u, values, v_adjoint = jnp.linalg.svd(input, full_matrices=full_matrices)
        return [values.astype(input.dtype), u, matrices.adjoint(v_adjoint)]


def _eigen(ctx: LoweringContext, input: Array) -> tuple[Array, Array]:
    """Eigenvalues, in the input's dtype, and eigenvectors; of the lower triangles."""
    matrices.check_square(ctx, input)
    if 0 in input.shape:
        return jnp.zeros(input.shape[:-1], input.dtype), jnp.asarray(input)
    vectors, values = lax.linalg.eigh(input, lower=True, symmetrize_input=False)
    ctx.check(
        ~jnp.any(jnp.isnan(values)),
        errors.InvalidArgumentError,
        "Self-adjoint eigen decomposition was not successful. The input might not be valid.",
    )
    return values.astype(input.dtype), vectors


@op("SelfAdjointEigV2", "BatchSelfAdjointEigV2")
class SelfAdjointEigV2:
    def shape(input: Any, *, compute_v: bool) -> Any:
        input = matrices.square(input)
        values = None if input is None else input[:-1]
        return [values, input if compute_v else (0,)]

    @matrices.in_single
    def lower(input: Any, *, compute_v: bool, ctx: LoweringContext) -> list[Array]:
        values, vectors = _eigen(ctx, input)
        return [values, vectors if compute_v else jnp.zeros((0,), input.dtype)]


@op("SelfAdjointEig", "BatchSelfAdjointEig")
class SelfAdjointEig:
    def shape(input: Any) -> Shape:
        input = matrices.square(input)
        if input is None:
            return None
        *batch, size, _ = input
        return (*batch, None if size is None else size + 1, size)

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        values, vectors = _eigen(ctx, input)
        return jnp.concatenate([values[..., None, :], vectors], axis=-2)


# Functions of matrices.


def _triangular_square_root(t: Array) -> Array:
    """The square root of an upper triangular matrix, a column at a time."""
    size = t.shape[-1]
    place = jnp.arange(size)
    zero, one = jnp.zeros((), t.dtype), jnp.ones((), t.dtype)

    def step(j: Array, root: Array) -> Array:
        pivot = jnp.sqrt(t[j, j])
        before = place < j
        # (root + pivot) @ column = t[:, j], above row j; the identity from there on.
        system = jnp.where(before[:, None] & before, root, zero)
        system = system + jnp.diag(jnp.where(before, pivot, one))
        column = lax.linalg.triangular_solve(
            system, jnp.where(before, t[:, j], zero)[:, None], left_side=True, lower=False
        )[:, 0]
        return at(root)[:, j].set(jnp.where(place == j, pivot, column))

    return lax.fori_loop(0, size, step, jnp.zeros_like(t))


def _root_by_schur(x: Array) -> Array:
    t, vectors = lax.linalg.schur(x)
    root = jnp.vectorize(_triangular_square_root, signature="(n,n)->(n,n)")(t)
    return matrices.product(matrices.product(vectors, root), matrices.adjoint(vectors))


def _root_by_iteration(x: Array) -> Array:
    """By Denman and Beavers's product form, for devices without a Schur decomposition."""
    identity = jnp.eye(x.shape[-1], dtype=x.dtype)

    def step(_: Any, state: tuple[Array, Array]) -> tuple[Array, Array]:
        root, m = state
        inverse = jnp.linalg.inv(m)
        return (
            matrices.product(root, identity + inverse) / 2,
            identity / 2 + (m + inverse) / 4,
        )

    return lax.fori_loop(0, 30, step, (x, x))[0]


def _square_root(x: Array) -> Array:
    """The principal square roots of complex matrices."""
    return lax.platform_dependent(x, cpu=_root_by_schur, default=_root_by_iteration)


def _complex(x: Array) -> Array:
    return x.astype(np.result_type(x.dtype, np.complex64))


@op("MatrixSquareRoot")
class MatrixSquareRoot:
    shape = matrices.unchanged_square

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        if 0 in input.shape:
            return jnp.asarray(input)
        root = _square_root(_complex(jnp.asarray(input)))
        if jnp.iscomplexobj(input):
            return root
        # Where an eigenvalue is negative there is no real root: NaN, as in TF.
        size = jnp.max(jnp.abs(root.real), axis=(-1, -2), keepdims=True)
        off = jnp.max(jnp.abs(root.imag), axis=(-1, -2), keepdims=True)
        is_real = off <= np.sqrt(jnp.finfo(input.dtype).eps) * size
        return jnp.where(is_real, root.real, jnp.nan).astype(input.dtype)


# Nodes and weights for the integral of (x - 1) / (1 + t (x - 1)) over t from 0 to 1, which is
# log(x): exact to double precision where |x - 1| < 1/4.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


def _logarithm(x: Array) -> Array:
    """The principal logarithm: square roots until the matrix is near the identity, then a Padé
    approximation."""
    identity = jnp.eye(x.shape[-1], dtype=x.dtype)

    def is_far(state: tuple[Array, Array]) -> Array:
        x, count = state
        distance = jnp.max(jnp.sum(jnp.abs(x - identity), axis=-2))
        return (distance > 0.25) & (count < 100)

    def nearer(state: tuple[Array, Array]) -> tuple[Array, Array]:
        x, count = state
        return _square_root(x), count + 1

    near, count = lax.while_loop(is_far, nearer, (x, jnp.zeros((), np.int32)))
    rest = near - identity
    terms = [
        weight * jnp.linalg.solve(identity + node * rest, rest)
        for node, weight in zip(_NODES.tolist(), _WEIGHTS.tolist(), strict=True)
    ]
    scale = jnp.exp2(count.astype(jnp.finfo(x.dtype).dtype))
    return sum(terms[1:], terms[0]) * scale.astype(x.dtype)


@op("MatrixLogarithm")
class MatrixLogarithm:
    shape = matrices.unchanged_square

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        if 0 in input.shape:
            return jnp.asarray(input)
        return _logarithm(jnp.asarray(input))


@op("MatrixExponential")
class MatrixExponential:
    shape = matrices.unchanged_square

    def lower(input: Any, *, ctx: LoweringContext) -> Array:
        matrices.check_square(ctx, input)
        return jax.scipy.linalg.expm(input)
