"""`tensorflow.python.ops.linalg_ops`: decompositions, systems of equations, norms."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops, map_fn
from tf1compat.api.math import math_ops
from tf1compat.api.util import dispatch
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

# Determinants, inverses and functions of matrices.


@tf_export("linalg.det", "matrix_determinant")
@dispatch.add_dispatch_support
def matrix_determinant(input: TensorLike, name: Name = None) -> Tensor:
    """The determinants of square matrices.

    Args:
      input: float32, float64, complex64 or complex128 matrices [..., n, n].
      name: the operation's name.

    Returns:
      A tensor [...].
    """
    return raw_ops.MatrixDeterminant(input, name=name)


@tf_export("linalg.slogdet")
def log_matrix_determinant(input: TensorLike, name: Name = None) -> Any:
    """The signs, and the logs of the magnitudes, of the determinants of square matrices.

    Args:
      input: matrices [..., n, n].
      name: the operation's name.

    Returns:
      (sign, log_abs_determinant), each [...].
    """
    return raw_ops.LogMatrixDeterminant(input, name=name)


@tf_export("linalg.inv", "matrix_inverse")
@dispatch.add_dispatch_support
def matrix_inverse(input: TensorLike, adjoint: Any = False, name: Name = None) -> Tensor:
    """The inverses of square matrices, or of their adjoints.

    Args:
      input: matrices [..., n, n].
      adjoint: whether to invert the adjoint.
      name: the operation's name.

    Returns:
      A tensor like `input`.

    Raises:
      InvalidArgumentError: in a run, a matrix is not invertible.
    """
    return raw_ops.MatrixInverse(input, adjoint=adjoint, name=name)


@tf_export("linalg.logm")
def matrix_logarithm(input: TensorLike, name: Name = None) -> Tensor:
    """The principal logarithms of square matrices.

    Args:
      input: complex64 or complex128 matrices [..., n, n].
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.MatrixLogarithm(input, name=name)


@tf_export("linalg.sqrtm", "matrix_square_root")
def matrix_square_root(input: TensorLike, name: Name = None) -> Tensor:
    """The principal square roots of square matrices: root @ root is the matrix.

    Args:
      input: matrices [..., n, n]; real ones without negative eigenvalues.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.MatrixSquareRoot(input, name=name)


# Decompositions.


@tf_export("linalg.cholesky", "cholesky")
@dispatch.add_dispatch_support
def cholesky(input: TensorLike, name: Name = None) -> Tensor:
    """The lower triangular factors of positive definite matrices: factor @ factor^H.

    Args:
      input: matrices [..., n, n]; only the lower triangles are read.
      name: the operation's name.

    Returns:
      A tensor like `input`.

    Raises:
      InvalidArgumentError: in a run, a matrix is not positive definite.
    """
    return raw_ops.Cholesky(input, name=name)


@tf_export("linalg.lu")
def lu(input: TensorLike, output_idx_type: Any = dtypes.int32, name: Name = None) -> Any:
    """LU decompositions of square matrices, with rows permuted: P @ L @ U.

    Args:
      input: matrices [..., n, n].
      output_idx_type: int32 or int64, of the permutation.
      name: the operation's name.

    Returns:
      (lu, p): both factors in one matrix [..., n, n], without the unit diagonal of L, and the
      permutation [..., n].

    Raises:
      InvalidArgumentError: in a run, a matrix is not invertible.
    """
    return raw_ops.Lu(input, output_idx_type=output_idx_type, name=name)


@tf_export("linalg.qr", "qr")
def qr(input: TensorLike, full_matrices: bool = False, name: Name = None) -> Any:
    """The QR decomposition of (batches of) matrices: (q, r).

    Args:
      input: matrices [..., m, n].
      full_matrices: whether `q` is square.
      name: the operation's name.

    Returns:
      (q, r): [..., m, p] and [..., p, n], where p is min(m, n), or m if full.
    """
    return raw_ops.Qr(input, full_matrices=full_matrices, name=name)


@tf_export("linalg.svd", "svd")
def svd(
    tensor: TensorLike, full_matrices: bool = False, compute_uv: bool = True, name: Name = None
) -> Any:
    """The singular value decomposition of matrices: u @ diag(s) @ v^H.

    Args:
      tensor: matrices [..., m, n].
      full_matrices: whether `u` and `v` are square.
      compute_uv: whether to compute `u` and `v`.
      name: the operation's name.

    Returns:
      (s, u, v): [..., p] from the largest on, [..., m, p] and [..., n, p], where p is min(m, n), or
      m and n if full; `s` alone without `compute_uv`.
    """
    s, u, v = raw_ops.Svd(tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    return (math_ops.real(s), u, v) if compute_uv else math_ops.real(s)


@tf_export("linalg.eigh", "self_adjoint_eig")
def self_adjoint_eig(tensor: TensorLike, name: Name = None) -> Any:
    """The eigenvalues and eigenvectors of self-adjoint matrices.

    Args:
      tensor: matrices [..., n, n]; only the lower triangles are read.
      name: the operation's name.

    Returns:
      (e, v): [..., n] in ascending order, and [..., n, n] with the vectors as columns.
    """
    e, v = raw_ops.SelfAdjointEigV2(tensor, compute_v=True, name=name)
    return e, v


@tf_export("linalg.eigvalsh", "self_adjoint_eigvals")
def self_adjoint_eigvals(tensor: TensorLike, name: Name = None) -> Tensor:
    """The eigenvalues of self-adjoint matrices.

    Args:
      tensor: matrices [..., n, n]; only the lower triangles are read.
      name: the operation's name.

    Returns:
      A tensor [..., n], in ascending order.
    """
    e, _ = raw_ops.SelfAdjointEigV2(tensor, compute_v=False, name=name)
    return e


# Systems of equations.


@tf_export("linalg.solve", "matrix_solve")
@dispatch.add_dispatch_support
def matrix_solve(
    matrix: TensorLike, rhs: TensorLike, adjoint: Any = False, name: Name = None
) -> Tensor:
    """The solutions of matrix @ x = rhs.

    Args:
      matrix: square matrices [..., n, n].
      rhs: [..., n, k].
      adjoint: whether to take the adjoint of `matrix`.
      name: the operation's name.

    Returns:
      A tensor [..., n, k].

    Raises:
      InvalidArgumentError: in a run, a matrix is not invertible.
    """
    return raw_ops.MatrixSolve(matrix, rhs, adjoint=adjoint, name=name)


@tf_export("linalg.triangular_solve", "matrix_triangular_solve")
def matrix_triangular_solve(
    matrix: TensorLike,
    rhs: TensorLike,
    lower: TensorLike = True,
    adjoint: Any = False,
    name: Name = None,
) -> Tensor:
    """The solutions of matrix @ x = rhs for triangular matrices.

    Args:
      matrix: square matrices [..., n, n]; only one triangle is read.
      rhs: [..., n, k].
      lower: whether that is the lower one.
      adjoint: whether to take the adjoint of `matrix`.
      name: the operation's name.

    Returns:
      A tensor [..., n, k].

    Raises:
      InvalidArgumentError: in a run, a number on a diagonal is 0.
    """
    return raw_ops.MatrixTriangularSolve(matrix, rhs, lower=lower, adjoint=adjoint, name=name)


@tf_export("linalg.cholesky_solve", "cholesky_solve")
def cholesky_solve(chol: Any, rhs: TensorLike, name: Name = None) -> Tensor:
    """The solutions of matrix @ x = rhs, of the Cholesky factor of the matrix.

    Args:
      chol: lower triangular factors [..., n, n], as of `tf.cholesky`.
      rhs: [..., n, k].
      name: the name scope, "cholesky_solve" by default.

    Returns:
      A tensor [..., n, k].
    """
    with ops.name_scope(name, "cholesky_solve", [chol, rhs]):
        y = raw_ops.MatrixTriangularSolve(chol, rhs, adjoint=False, lower=True)
        return raw_ops.MatrixTriangularSolve(chol, y, adjoint=True, lower=True)


def tridiagonal_solve(
    diagonals: Any, rhs: TensorLike, partial_pivoting: Any = True, name: Name = None
) -> Tensor:
    """The solutions of systems with tridiagonal matrices: the op behind
    `tf.linalg.tridiagonal_solve`."""
    return raw_ops.TridiagonalSolve(diagonals, rhs, partial_pivoting=partial_pivoting, name=name)


def tridiagonal_mat_mul(
    superdiag: Any, maindiag: Any, subdiag: Any, rhs: TensorLike, name: Name = None
) -> Tensor:
    """Products with tridiagonal matrices: the op behind `tf.linalg.tridiagonal_matmul`."""
    return raw_ops.TridiagonalMatMul(superdiag, maindiag, subdiag, rhs, name=name)


def _RegularizedGramianCholesky(matrix: Any, l2_regularizer: Any, first_kind: bool) -> Tensor:
    """The Cholesky factor of matrix^H @ matrix (or of matrix @ matrix^H, of the second kind) plus
    `l2_regularizer` times the identity."""
    gramian = math_ops.matmul(matrix, matrix, adjoint_a=first_kind, adjoint_b=not first_kind)
    if isinstance(l2_regularizer, ops.Tensor) or l2_regularizer != 0:
        shape = array_ops.shape(matrix)
        batch = shape[:-2]
        side = -1 if first_kind else -2
        size = shape[side]
        identity = eye(size, batch_shape=batch, dtype=matrix.dtype)
        static = matrix.shape[side]
        identity.set_shape(matrix.shape[:-2].concatenate([static, static]))
        gramian += l2_regularizer * identity
    return raw_ops.Cholesky(gramian)


# From this size on, TF 1.15 leaves batches of small matrices to the op.
_CACHE_SIZE = 256_000


def _is_composed(matrix: Tensor, fast: bool) -> bool:
    """Whether `matrix_solve_ls` is made of other ops."""
    if fast is False:
        return False
    shape = matrix.get_shape()
    if not shape.is_fully_defined():
        return True
    size = shape.num_elements() * matrix.dtype.size
    many = shape[:-2].num_elements() > min(shape[-2:].as_list())
    return not (size > _CACHE_SIZE and many)


@tf_export("linalg.lstsq", "matrix_solve_ls")
def matrix_solve_ls(
    matrix: TensorLike,
    rhs: TensorLike,
    l2_regularizer: Any = 0.0,
    fast: bool = True,
    name: Name = None,
) -> Tensor:
    """Solutions of matrix @ x = rhs in the least-squares sense.

    Args:
      matrix: [..., m, n].
      rhs: [..., m, k].
      l2_regularizer: a scalar; the weight of the squares of the solution.
      fast: solve the normal equations by Cholesky; else by an orthogonal decomposition, which
        gives the shortest solution, and ignores `l2_regularizer`.
      name: the name scope, "matrix_solve_ls" by default.

    Returns:
      A tensor [..., n, k].

    Raises:
      NotImplementedError: complex128 with a regularizer.
    """
    matrix = ops.convert_to_tensor(matrix, name="matrix")
    if matrix.dtype == dtypes.complex128 and l2_regularizer != 0:
        raise NotImplementedError(
            "matrix_solve_ls is currently disabled for complex128 and l2_regularizer != 0 due to "
            "poor accuracy."
        )
    if not _is_composed(matrix, fast):
        return raw_ops.MatrixSolveLs(matrix, rhs, l2_regularizer, fast=fast, name=name)

    def of_tall() -> Tensor:
        factor = _RegularizedGramianCholesky(matrix, l2_regularizer, first_kind=True)
        return cholesky_solve(factor, math_ops.matmul(matrix, rhs, adjoint_a=True))

    def of_wide() -> Tensor:
        factor = _RegularizedGramianCholesky(matrix, l2_regularizer, first_kind=False)
        return math_ops.matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)

    with ops.name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        shape = matrix.get_shape()[-2:]
        if shape.is_fully_defined():
            return of_tall() if shape[-2] >= shape[-1] else of_wide()
        shape = array_ops.shape(matrix)[-2:]
        return control_flow_ops.cond(shape[-2] >= shape[-1], of_tall, of_wide)


@tf_export("eye", "linalg.eye")
def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: Name = None,
) -> Any:
    """Identity matrices.

    Args:
      num_rows, num_columns: the size; square by default.
      batch_shape: the shape of a batch of them.
      dtype: the dtype.
      name: the name scope, "eye" by default.

    Returns:
      [batch_shape, num_rows, num_columns].
    """
    with ops.name_scope(name, default_name="eye", values=[num_rows, num_columns, batch_shape]):
        is_square = num_columns is None
        batch = [] if batch_shape is None else batch_shape
        columns = num_rows if is_square else num_columns
        if isinstance(num_rows, ops.Tensor) or isinstance(columns, ops.Tensor):
            diagonal = math_ops.minimum(num_rows, columns)
        else:
            if not all(isinstance(size, numbers.Integral) for size in (num_rows, columns)):
                raise TypeError("num_rows and num_columns must be positive integer values.")
            is_square = num_rows == columns
            diagonal = min(num_rows, columns)
        if isinstance(batch, ops.Tensor) or isinstance(diagonal, ops.Tensor):
            batch = ops.convert_to_tensor(batch, name="shape", dtype=dtypes.int32)
        else:
            batch = list(batch)
        diagonal_shape = _batched(batch, [diagonal])
        matrix_shape = None if is_square else _batched(batch, [num_rows, columns])
        ones = array_ops.ones(diagonal_shape, dtype=dtype)
        if is_square:
            return raw_ops.MatrixDiag(ones, name="diag")
        zeros = array_ops.zeros(matrix_shape, dtype=dtype)
        return raw_ops.MatrixSetDiag(zeros, ones, name="set_diag")


def _batched(batch: Any, sizes: list[Any]) -> Any:
    """The shape of a batch of what has a shape, a tensor if the batch's is."""
    if isinstance(batch, ops.Tensor):
        return array_ops.concat((batch, sizes), axis=0)
    return batch + sizes


_MATRIX_NORMS = ["euclidean", "fro", 1, 2, np.inf]
_VECTOR_NORMS = ["euclidean", 1, 2, np.inf]


@tf_export("norm", "linalg.norm")
@deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")
def norm(
    tensor: TensorLike,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: bool | None = None,
    name: Name = None,
    keep_dims: bool | None = None,
) -> Any:
    """The norm of vectors or matrices.

    Args:
      tensor: the values.
      ord: "euclidean", "fro" (matrices), a positive number or np.inf.
      axis: the dimension of the vectors, the two of the matrices, or None for all values at once.
      keepdims: keep the dimensions with size 1.
      name: the name scope, "norm" by default.
      keep_dims: the old name of `keepdims`.

    Returns:
      A tensor without the axes, or with 1 in their place for `keepdims`.

    Raises:
      ValueError: an `axis` or `ord` that is not one of these.
    """
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    is_matrix = isinstance(axis, tuple | list) and len(axis) == 2
    bad_axis = "'axis' must be None, an integer, or a tuple of 2 unique integers"
    if is_matrix:
        axis = tuple(axis)
        if not all(isinstance(a, int) for a in axis) or axis[0] == axis[1]:
            raise ValueError(bad_axis)
        if ord not in _MATRIX_NORMS:
            raise ValueError(f"'ord' must be a supported matrix norm in {_MATRIX_NORMS}, got {ord}")
    else:
        if not (isinstance(axis, int) or axis is None):
            raise ValueError(bad_axis)
        if ord not in _VECTOR_NORMS and (not np.isreal(ord) or ord <= 0):
            raise ValueError(f"'ord' must be a supported vector norm, got {ord}")
        axis = None if axis is None else (axis,)
    with ops.name_scope(name, "norm", [tensor]):
        tensor = ops.convert_to_tensor(tensor)
        first, last = (None, None) if axis is None else (axis[0], axis[-1])
        if is_matrix and ord == 2:
            result = _spectral_norm(tensor, axis)
        elif ord in ("fro", "euclidean", 2):
            squares = tensor * math_ops.conj(tensor)
            result = math_ops.sqrt(math_ops.reduce_sum(squares, axis, keepdims=True))
        else:
            result = math_ops.abs(tensor)
            if ord == 1:
                result = math_ops.reduce_sum(result, first, keepdims=True)
                if is_matrix:
                    result = math_ops.reduce_max(result, last, keepdims=True)
            elif ord == np.inf:
                if is_matrix:
                    result = math_ops.reduce_sum(result, last, keepdims=True)
                result = math_ops.reduce_max(result, first, keepdims=True)
            else:
                total = math_ops.reduce_sum(math_ops.pow(result, ord), axis, keepdims=True)
                result = math_ops.pow(total, 1.0 / ord)
        return result if keepdims else array_ops.squeeze(result, axis)


def _spectral_norm(tensor: TensorLike, axis: Any) -> Any:
    """The largest singular values of matrices in two dimensions, which are kept with size 1."""
    rank = array_ops.rank(tensor)
    positive = map_fn.map_fn(
        lambda i: control_flow_ops.cond(i >= 0, lambda: i, lambda: i + rank),
        ops.convert_to_tensor(axis),
    )
    axes = math_ops.range(rank)
    before = array_ops.concat([array_ops.setdiff1d(axes, positive)[0], positive], axis=0)

    def place(i: Any) -> Any:
        found = array_ops.where_v2(math_ops.equal(before, i))
        return math_ops.cast(array_ops.squeeze(found), dtype=dtypes.int32)

    after = map_fn.map_fn(place, axes)
    values = raw_ops.Svd(array_ops.transpose(tensor, perm=before), compute_uv=False)[0]
    largest = math_ops.reduce_max(math_ops.abs(values), axis=-1, keepdims=True)
    return array_ops.transpose(array_ops.expand_dims(largest, axis=-1), perm=after)
