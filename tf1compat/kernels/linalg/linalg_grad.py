"""Gradients of linear algebra, recorded as TF 1.15 records them.

The formulas are those of Giles, "An extended collection of matrix derivative results" (2008), and
Townsend, "Differentiating the singular value decomposition" (2016).
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_impl, linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.op_registry import gradient
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.kernels.linalg import linalg as _linalg  # noqa: F401  (the ops come before their gradients)
from tf1compat.kernels.linalg import linalg_solve as _linalg_solve  # noqa: F401


@gradient("MatrixInverse")
def _matrix_inverse(op: Operation, grad: Tensor) -> Any:
    inverse = op.outputs[0]
    product = math_ops.matmul(grad, inverse, adjoint_b=True)
    return -math_ops.matmul(inverse, product, adjoint_a=True)


def _spread(factor: Any, determinant: Any) -> Any:
    """A factor for each matrix, in a shape that multiplies matrices."""
    shape = array_ops.concat([array_ops.shape(determinant), [1, 1]], 0)
    return array_ops.reshape(factor, shape)


@gradient("MatrixDeterminant")
def _matrix_determinant(op: Operation, grad: Tensor) -> Any:
    determinant = op.outputs[0]
    inverse = linalg_ops.matrix_inverse(op.inputs[0], adjoint=True)
    return _spread(grad * determinant, determinant) * inverse


@gradient("LogMatrixDeterminant")
def _log_matrix_determinant(op: Operation, _: Any, grad: Tensor) -> Any:
    inverse = linalg_ops.matrix_inverse(op.inputs[0], adjoint=True)
    return _spread(grad, op.outputs[1]) * inverse


def _batch(shape: Any) -> Any:
    """The shape of the batch, given that of the matrices."""
    return array_ops.slice(shape, [0], [math_ops.subtract(array_ops.size(shape), 2)])


def _kronecker(a: Any, b: Any) -> Any:
    a_shape, b_shape = array_ops.shape(a), array_ops.shape(b)
    a_order, b_order = a_shape[-1], b_shape[-1]
    batch = _batch(a_shape)
    a_spread = array_ops.concat([batch, [a_order], [1], [a_order], [1]], 0)
    b_spread = array_ops.concat([batch, [1], [b_order], [1], [b_order]], 0)
    a, b = array_ops.reshape(a, a_spread), array_ops.reshape(b, b_spread)
    order = a_order * b_order
    shape = array_ops.concat([batch, [order], [order]], 0)
    return array_ops.reshape(a * b, shape)


@gradient("MatrixSquareRoot")
def _matrix_square_root(op: Operation, grad: Tensor) -> Any:
    # From A = R R comes a Sylvester equation for dR: dA = R dR + dR R.
    root = op.outputs[0]
    shape = array_ops.shape(root)
    order = shape[-1]
    count = math_ops.reduce_prod(shape[0:-2])
    identity = linalg_ops.eye(order, dtype=root.dtype)
    identity = array_ops.tile(array_ops.reshape(identity, [-1]), [count])
    identity = array_ops.reshape(identity, shape)
    transposed = array_ops.matrix_transpose(root)
    first = _kronecker(identity, transposed)
    second = _kronecker(root, identity)
    system = math_ops.add(first, second)
    as_vector = array_ops.concat([_batch(shape), [order * order], [1]], 0)
    rhs = array_ops.reshape(array_ops.matrix_transpose(grad), as_vector)
    solution = linalg_ops.matrix_solve(system, rhs)
    return array_ops.matrix_transpose(array_ops.reshape(solution, shape))


def _lower_half(x: Any) -> Any:
    """Lower triangles that give symmetric matrices when their transposes are added."""
    halved = array_ops.matrix_set_diag(x, 0.5 * array_ops.matrix_diag_part(x))
    return array_ops.matrix_band_part(halved, -1, 0)


@gradient("Cholesky")
def _cholesky(op: Operation, grad: Tensor) -> Any:
    factor = op.outputs[0]
    size = array_ops.shape(factor)[-1]
    batch = array_ops.shape(factor)[:-2]
    identity = linalg_ops.eye(size, batch_shape=batch, dtype=factor.dtype)
    inverse = linalg_ops.matrix_triangular_solve(factor, identity)
    middle = _lower_half(math_ops.matmul(factor, grad, adjoint_a=True))
    result = math_ops.matmul(math_ops.matmul(inverse, middle, adjoint_a=True), inverse)
    result += linalg_impl.adjoint(result)
    return result * 0.5


@gradient("Qr")
def _qr(op: Operation, grad_q: Any, grad_r: Any) -> Any:
    q, r = op.outputs
    if q.dtype.is_complex:
        raise NotImplementedError(f"QrGrad not implemented for dtype: {q.dtype}")
    rows, columns = (None, None) if r._shape is None else r._shape[-2:]
    if rows is None or columns is None:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    if rows != columns:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )

    def times_inverse(x: Any) -> Any:
        solution = linalg_ops.matrix_triangular_solve(
            r, linalg_impl.adjoint(x), lower=False, adjoint=False
        )
        return linalg_impl.adjoint(solution)

    of_q = math_ops.matmul(q, grad_q, adjoint_a=True)
    skew_q = of_q - linalg_impl.adjoint(of_q)
    of_r = math_ops.matmul(r, grad_r, adjoint_b=True)
    skew_r = of_r - linalg_impl.adjoint(of_r)
    below = array_ops.matrix_band_part(skew_q + skew_r, -1, 0)
    first = math_ops.matmul(q, grad_r + times_inverse(below))
    second = times_inverse(grad_q - math_ops.matmul(q, of_q))
    return first + second


# Systems of equations.


def _minus_product(op: Operation, grad_rhs: Any) -> Any:
    """The gradient to the matrix, of that to the right-hand side."""
    solution = op.outputs[0]
    if op.get_attr("adjoint"):
        return -math_ops.matmul(solution, grad_rhs, adjoint_b=True)
    return -math_ops.matmul(grad_rhs, solution, adjoint_b=True)


@gradient("MatrixSolve")
def _matrix_solve(op: Operation, grad: Tensor) -> Any:
    adjoint = op.get_attr("adjoint")
    grad_rhs = linalg_ops.matrix_solve(op.inputs[0], grad, adjoint=not adjoint)
    return _minus_product(op, grad_rhs), grad_rhs


@gradient("MatrixTriangularSolve")
def _matrix_triangular_solve(op: Operation, grad: Tensor) -> Any:
    lower, adjoint = op.get_attr("lower"), op.get_attr("adjoint")
    grad_rhs = linalg_ops.matrix_triangular_solve(
        op.inputs[0], grad, lower=lower, adjoint=not adjoint
    )
    grad_matrix = _minus_product(op, grad_rhs)
    band = (-1, 0) if lower else (0, -1)
    return array_ops.matrix_band_part(grad_matrix, *band), grad_rhs


def _gramian_factor(op: Operation, first_kind: bool) -> Any:
    a, _, regularizer = op.inputs
    regularizer = math_ops.cast(regularizer, a.dtype.base_dtype)
    return linalg_ops._RegularizedGramianCholesky(a, regularizer, first_kind=first_kind)


def _of_tall(op: Operation, grad: Tensor) -> Any:
    a, b = op.inputs[:2]
    x = op.outputs[0]
    factor = _gramian_factor(op, first_kind=True)
    z = linalg_ops.cholesky_solve(factor, grad)
    product = math_ops.matmul(x, z, adjoint_b=True)
    symmetric = product + array_ops.matrix_transpose(product)
    grad_a = -math_ops.matmul(a, symmetric) + math_ops.matmul(b, z, adjoint_b=True)
    return grad_a, math_ops.matmul(a, z), None


def _of_wide(op: Operation, grad: Tensor) -> Any:
    a, b = op.inputs[:2]
    factor = _gramian_factor(op, first_kind=False)
    grad_b = linalg_ops.cholesky_solve(factor, math_ops.matmul(a, grad))
    z = linalg_ops.cholesky_solve(factor, b)
    of_factor = -math_ops.matmul(grad_b, math_ops.matmul(z, a, adjoint_a=True))
    residual = grad - math_ops.matmul(a, grad_b, adjoint_a=True)
    return of_factor + math_ops.matmul(z, residual, adjoint_b=True), grad_b, None


@gradient("MatrixSolveLs")
def _matrix_solve_ls(op: Operation, grad: Tensor) -> Any:
    if not op.get_attr("fast"):
        raise ValueError("Gradient not defined for fast=False")
    shape = op.inputs[0].get_shape()[-2:]
    if shape.is_fully_defined():
        return _of_tall(op, grad) if shape[-2] >= shape[-1] else _of_wide(op, grad)
    shape = array_ops.shape(op.inputs[0])[-2:]
    return control_flow_ops.cond(
        shape[-2] >= shape[-1], lambda: _of_tall(op, grad), lambda: _of_wide(op, grad)
    )


# Eigenvectors and singular vectors.


@gradient("SelfAdjointEigV2")
def _self_adjoint_eig(op: Operation, grad_e: Any, grad_v: Any) -> Any:
    e = op.outputs[0]
    with ops.control_dependencies([grad_e, grad_v]):
        if op.get_attr("compute_v"):
            v = op.outputs[1]
            # 1 / (e_j - e_i) off the diagonal: not finite where eigenvalues coincide.
            differences = array_ops.expand_dims(e, -2) - array_ops.expand_dims(e, -1)
            f = array_ops.matrix_set_diag(math_ops.reciprocal(differences), array_ops.zeros_like(e))
            inner = array_ops.matrix_diag(grad_e) + f * math_ops.matmul(v, grad_v, adjoint_a=True)
        else:
            _, v = linalg_ops.self_adjoint_eig(op.inputs[0])
            inner = array_ops.matrix_diag(grad_e)
        grad_a = math_ops.matmul(v, math_ops.matmul(inner, v, adjoint_b=True))
        # Only the lower triangle is read.
        grad_a = array_ops.matrix_band_part(grad_a + linalg_impl.adjoint(grad_a), -1, 0)
        return array_ops.matrix_set_diag(grad_a, 0.5 * array_ops.matrix_diag_part(grad_a))


def _shape_by_vectors(shape: Any, *of_vectors: Any) -> Any:
    """The shape of matrices [..., m, n], completed by [..., m, k] and [..., n, k] of vectors."""
    others = [x.with_rank_at_least(2) for x in of_vectors]
    sizes = [n.merge_with(x[-2]) for n, x in zip(shape.dims[-2:], others, strict=True)]
    batch = shape[:-2]
    for other in others:
        batch = batch.merge_with(other[:-2])
    return batch.concatenate(sizes)


@gradient("Svd")
def _svd(op: Operation, grad_s: Any, grad_u: Any, grad_v: Any) -> Any:
    a = op.inputs[0]
    a_shape = a.get_shape().with_rank_at_least(2)
    grad_diagonal = array_ops.matrix_diag(grad_s)
    if not op.get_attr("compute_uv"):
        _, u, v = linalg_ops.svd(a, compute_uv=True)
        grad_a = math_ops.matmul(u, math_ops.matmul(grad_diagonal, v, adjoint_b=True))
        grad_a.set_shape(a_shape)
        return grad_a
    is_full = op.get_attr("full_matrices")
    if a.dtype.is_complex:
        raise NotImplementedError(
            "SVD gradient is not implemented for complex types and compute_uv=True."
        )
    a_shape = _shape_by_vectors(a_shape, grad_u.get_shape(), grad_v.get_shape())
    m, n = a_shape.dims[-2].value, a_shape.dims[-1].value
    if m is None or n is None:
        raise NotImplementedError(
            "SVD gradient has not been implemented for input with unknown inner matrix shape."
        )
    s, u, v = op.outputs
    # A tall matrix is differentiated as its adjoint.
    is_tall = m > n
    if is_tall:
        m, n, u, v, grad_u, grad_v = n, m, v, u, grad_v, grad_u
    with ops.control_dependencies([grad_s, grad_u, grad_v]):
        if is_full and abs(m - n) > 1:
            raise NotImplementedError(
                "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True"
            )
        diagonal = array_ops.matrix_diag(s)
        squares = math_ops.square(s)
        s_shape = array_ops.shape(s)
        # The identity keeps the diagonal finite, for the derivatives of this gradient.
        identity = linalg_ops.eye(s_shape[-1], batch_shape=s_shape[:-1], dtype=s.dtype)
        differences = array_ops.expand_dims(squares, -2) - array_ops.expand_dims(squares, -1)
        f = array_ops.matrix_set_diag(
            math_ops.reciprocal(differences + identity), array_ops.zeros_like(s)
        )
        inverse = array_ops.matrix_diag(math_ops.reciprocal(s))
        v1, grad_v1 = v[..., :, :m], grad_v[..., :, :m]
        of_u = math_ops.matmul(u, grad_u, adjoint_a=True)
        of_v = math_ops.matmul(v1, grad_v1, adjoint_a=True)
        of_u, of_v = f * of_u, f * of_v
        inner = (
            grad_diagonal
            + math_ops.matmul(of_u + linalg_impl.adjoint(of_u), diagonal)
            + math_ops.matmul(diagonal, of_v + linalg_impl.adjoint(of_v))
        )
        result = math_ops.matmul(u, math_ops.matmul(inner, v1, adjoint_b=True))
        if m != n:
            transposed = array_ops.matrix_transpose(grad_v1)
            rest = transposed - math_ops.matmul(math_ops.matmul(transposed, v1), v1, adjoint_b=True)
            if is_full:
                v2, grad_v2 = v[..., :, m:n], grad_v[..., :, m:n]
                mixed = math_ops.matmul(v1, grad_v2, adjoint_a=True)
                rest -= math_ops.matmul(mixed, v2, adjoint_b=True)
            scaled = math_ops.matmul(u, inverse)
            result = result + math_ops.matmul(scaled, rest)
        grad_a = array_ops.matrix_transpose(result) if is_tall else result
        grad_a.set_shape(a_shape)
        return grad_a


# Tridiagonal matrices.


def _outer(x: Any) -> Any:
    """Paddings of nothing, for all dimensions but the last two."""
    return array_ops.zeros((array_ops.rank(x) - 2, 2), dtype=dtypes.int32)


def _paddings(outer: Any, last: list[list[int]]) -> Any:
    return array_ops.concat([outer, constant_op.constant(last)], axis=0)


def _shifted_up(x: Any) -> Any:
    paddings = _paddings(_outer(x), [[0, 1], [0, 0]])
    return array_ops.pad(x[..., 1:, :], paddings)


def _shifted_down(x: Any) -> Any:
    paddings = _paddings(_outer(x), [[1, 0], [0, 0]])
    return array_ops.pad(x[..., :-1, :], paddings)


@gradient("TridiagonalMatMul")
def _tridiagonal_mat_mul(op: Operation, grad: Tensor) -> Any:
    above, here, below = (array_ops.matrix_transpose(x, conjugate=True) for x in op.inputs[:3])
    rhs = math_ops.conj(op.inputs[3])
    grad_above = math_ops.reduce_sum(_shifted_up(rhs) * grad, axis=-1)
    grad_here = math_ops.reduce_sum(rhs * grad, axis=-1)
    grad_below = math_ops.reduce_sum(_shifted_down(rhs) * grad, axis=-1)
    grad_rhs = _shifted_down(above * grad) + here * grad + _shifted_up(below * grad)
    diagonals = [array_ops.expand_dims(x, -2) for x in (grad_above, grad_here, grad_below)]
    return [*diagonals, grad_rhs]


@gradient("TridiagonalSolve")
def _tridiagonal_solve(op: Operation, grad: Tensor) -> Any:
    grad_rhs = linalg_ops.tridiagonal_solve(
        _transposed(op.inputs[0]), grad, partial_pivoting=op.get_attr("partial_pivoting")
    )
    return -_three_diagonals(grad_rhs, op.outputs[0]), grad_rhs


def _transposed(diagonals: Any) -> Any:
    """The diagonals of the transposed matrix."""
    main = diagonals[..., 1, :]
    if diagonals.shape.is_fully_defined():
        zeros = array_ops.zeros([*diagonals.shape[:-2], 1], dtype=diagonals.dtype)
        above = array_ops.concat((diagonals[..., 2, 1:], zeros), axis=-1)
        below = array_ops.concat((zeros, diagonals[..., 0, :-1]), axis=-1)
    else:
        outer = _outer(diagonals)
        paddings = _paddings(outer, [[0, 1]])
        above = array_ops.pad(diagonals[..., 2, 1:], paddings)
        paddings = _paddings(outer, [[1, 0]])
        below = array_ops.pad(diagonals[..., 0, :-1], paddings)
    return array_ops.stack([above, main, below], axis=-2)


def _three_diagonals(x: Any, y: Any) -> Any:
    """The three diagonals of the product of `x` and the transposed `y`."""
    main = math_ops.reduce_sum(x * y, axis=-1)
    if y.shape.is_fully_defined():
        zeros = array_ops.zeros([*x.shape[:-2], 1, x.shape[-1]], dtype=x.dtype)
        after = array_ops.concat((y[..., 1:, :], zeros), axis=-2)
        above = math_ops.reduce_sum(x * after, axis=-1)
        before = array_ops.concat((zeros, y[..., :-1, :]), axis=-2)
        below = math_ops.reduce_sum(x * before, axis=-1)
    else:
        outer = _outer(y)
        paddings = _paddings(outer, [[0, 1], [0, 0]])
        above = math_ops.reduce_sum(x * array_ops.pad(y[..., 1:, :], paddings), axis=-1)
        paddings = _paddings(outer, [[1, 0], [0, 0]])
        below = math_ops.reduce_sum(x * array_ops.pad(y[..., :-1, :], paddings), axis=-1)
    return array_ops.stack([above, main, below], axis=-2)
