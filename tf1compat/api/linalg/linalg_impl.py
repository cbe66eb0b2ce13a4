"""`tensorflow.python.ops.linalg.linalg_impl`: functions of matrices made of several ops."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops, special_math_ops
from tf1compat.api.util import dispatch
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

# What TF's module has under these names, too.
band_part = array_ops.matrix_band_part
cholesky = linalg_ops.cholesky
cholesky_solve = linalg_ops.cholesky_solve
det = linalg_ops.matrix_determinant
slogdet = linalg_ops.log_matrix_determinant
diag = array_ops.matrix_diag
diag_part = array_ops.matrix_diag_part
eigh = linalg_ops.self_adjoint_eig
eigvalsh = linalg_ops.self_adjoint_eigvals
einsum = special_math_ops.einsum
eye = linalg_ops.eye
inv = linalg_ops.matrix_inverse
logm = linalg_ops.matrix_logarithm
lu = linalg_ops.lu
lstsq = linalg_ops.matrix_solve_ls
norm = linalg_ops.norm
qr = linalg_ops.qr
set_diag = array_ops.matrix_set_diag
solve = linalg_ops.matrix_solve
sqrtm = linalg_ops.matrix_square_root
svd = linalg_ops.svd
tensordot = math_ops.tensordot
trace = math_ops.trace
transpose = array_ops.matrix_transpose
triangular_solve = linalg_ops.matrix_triangular_solve


@tf_export("linalg.logdet")
@dispatch.add_dispatch_support
def logdet(matrix: TensorLike, name: Name = None) -> Tensor:
    """The logs of the determinants of positive definite matrices.

    Args:
      matrix: self-adjoint matrices [..., n, n].
      name: the name scope, "logdet" by default.

    Returns:
      A real tensor [...].

    Raises:
      InvalidArgumentError: in a run, a matrix is not positive definite.
    """
    with ops.name_scope(name, "logdet", [matrix]):
        factor = linalg_ops.cholesky(matrix)  # A LinearOperator has its own.
        diagonal = math_ops.real(array_ops.matrix_diag_part(factor))
        return 2.0 * math_ops.reduce_sum(math_ops.log(diagonal), axis=[-1])


@tf_export("linalg.adjoint")
@dispatch.add_dispatch_support
def adjoint(matrix: TensorLike, name: Name = None) -> Tensor:
    """The conjugate transpose of matrices.

    Args:
      matrix: [..., m, n].
      name: the name scope, "adjoint" by default.

    Returns:
      A tensor [..., n, m].
    """
    with ops.name_scope(name, "adjoint", [matrix]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        return array_ops.matrix_transpose(matrix, conjugate=True)


# The exponential: Higham, "The scaling and squaring method for the matrix exponential revisited"
# (2005). Coefficients of the Padé approximations by degree, without the leading 1.
_PADE = {
    3: [120.0, 60.0, 12.0],
    5: [30240.0, 15120.0, 3360.0, 420.0, 30.0],
    7: [17297280.0, 8648640.0, 1995840.0, 277200.0, 25200.0, 1512.0, 56.0],
    9: [
        17643225600.0,
        8821612800.0,
        2075673600.0,
        302702400.0,
        30270240.0,
        2162160.0,
        110880.0,
        3960.0,
        90.0,
    ],
    13: [
        64764752532480000.0,
        32382376266240000.0,
        7771770303897600.0,
        1187353796428800.0,
        129060195264000.0,
        10559470521600.0,
        670442572800.0,
        33522128640.0,
        1323241920.0,
        40840800.0,
        960960.0,
        16380.0,
        182.0,
    ],
}
# Up to which 1-norm each degree is exact enough; beyond the last one, the matrix is scaled down.
_SINGLE = {3: 4.258730016922831e-01, 5: 1.880152677804762e00}
_SINGLE_MAX = 3.925724783138660
_DOUBLE = {
    3: 1.495585217958292e-002,
    5: 2.539398330063230e-001,
    7: 9.504178996162932e-001,
    9: 2.097847961257068e000,
}
_DOUBLE_MAX = 5.371920351148152


def _pade(matrix: Any, degree: int) -> tuple[Tensor, Tensor]:
    """The odd and the even part of the numerator."""
    b = [constant_op.constant(x, matrix.dtype) for x in _PADE[degree]]
    size = array_ops.shape(matrix)[-2]
    batch = array_ops.shape(matrix)[:-2]
    identity = linalg_ops.eye(size, batch_shape=batch, dtype=matrix.dtype)
    powers = {0: identity, 2: math_ops.matmul(matrix, matrix)}
    for power in range(4, min(degree, 7), 2):
        powers[power] = math_ops.matmul(powers[power - 2], powers[2])
    if degree == 9:
        powers[8] = math_ops.matmul(powers[6], powers[2])
    if degree == 13:
        return _pade13(matrix, powers, b)
    odd = powers[degree - 1]
    for power in range(degree - 3, -1, -2):
        odd = odd + b[power + 1] * powers[power]
    odd = math_ops.matmul(matrix, odd)
    even = b[degree - 1] * powers[degree - 1]
    for power in range(degree - 3, -1, -2):
        even = even + b[power] * powers[power]
    return odd, even


def _pade13(
    matrix: TensorLike, powers: dict[int, Tensor], b: list[Tensor]
) -> tuple[Tensor, Tensor]:
    high = powers[6] + b[11] * powers[4] + b[9] * powers[2]
    odd = math_ops.matmul(powers[6], high)
    for power in (6, 4, 2, 0):
        odd = odd + b[power + 1] * powers[power]
    odd = math_ops.matmul(matrix, odd)
    high = b[12] * powers[6] + b[10] * powers[4] + b[8] * powers[2]
    even = math_ops.matmul(powers[6], high)
    for power in (6, 4, 2, 0):
        even = even + b[power] * powers[power]
    return odd, even


@tf_export("linalg.expm")
def matrix_exponential(input: TensorLike, name: Name = None) -> Tensor:
    """The exponentials of square matrices.

    Args:
      input: floating-point or complex matrices [..., n, n].
      name: the name scope, "matrix_exponential" by default.

    Returns:
      A tensor like `input`.

    Raises:
      ValueError: another dtype.
    """
    with ops.name_scope(name, "matrix_exponential", [input]):
        matrix = ops.convert_to_tensor(input, name="input")
        if matrix.shape[-2:] == [0, 0]:
            return matrix
        batch: Any = matrix.shape[:-2]
        if not batch.is_fully_defined():
            batch = array_ops.shape(matrix)[:-2]
        flat = array_ops.concat(([-1], array_ops.shape(matrix)[-2:]), axis=0)
        matrix = array_ops.reshape(matrix, flat)
        size = math_ops.abs(matrix)
        l1_norm = math_ops.reduce_max(
            math_ops.reduce_sum(size, axis=array_ops.size(array_ops.shape(matrix)) - 2), axis=-1
        )
        if matrix.dtype in (dtypes.float16, dtypes.float32, dtypes.complex64):
            bounds, most = _SINGLE, _SINGLE_MAX
        elif matrix.dtype in (dtypes.float64, dtypes.complex128):
            bounds, most = _DOUBLE, _DOUBLE_MAX
        else:
            raise ValueError(f"tf.linalg.expm does not support matrices of type {matrix.dtype}")

        def const(value: float) -> Tensor:
            return constant_op.constant(value, l1_norm.dtype)

        def chosen(parts: list[Tensor], limits: list[float]) -> Tensor:
            """The first of the parts whose limit the norm is below."""
            if not limits:
                return parts[0]
            is_below = math_ops.less(l1_norm, const(limits[0]))
            return array_ops.where(is_below, parts[0], chosen(parts[1:], limits[1:]))

        most = const(most)
        squarings = math_ops.maximum(
            math_ops.floor(math_ops.log(l1_norm / most) / math_ops.log(const(2.0))), 0
        )
        parts = [_pade(matrix, degree) for degree in bounds]
        two = constant_op.constant(2.0, dtype=matrix.dtype)
        scale = math_ops.pow(two, math_ops.cast(squarings, matrix.dtype))
        last = 7 if bounds is _SINGLE else 13
        parts.append(_pade(matrix / scale[..., array_ops.newaxis, array_ops.newaxis], last))
        limits = list(bounds.values())
        odd = chosen([part[0] for part in parts], limits)
        even = chosen([part[1] for part in parts], limits)
        numerator = odd + even
        denominator = -odd + even
        result = linalg_ops.matrix_solve(denominator, numerator)
        most_squarings = math_ops.reduce_max(squarings)
        zero = const(0.0)

        def squared(i: Any, r: Any) -> Any:
            following = i + 1
            is_scaled = math_ops.less(i, squarings)
            return following, array_ops.where(is_scaled, math_ops.matmul(r, r), r)

        _, result = control_flow_ops.while_loop(
            lambda i, r: math_ops.less(i, most_squarings), squared, [zero, result]
        )
        if not matrix.shape.is_fully_defined():
            shape = array_ops.concat((batch, array_ops.shape(result)[-2:]), axis=0)
            return array_ops.reshape(result, shape)
        return array_ops.reshape(result, batch.concatenate(result.shape[-2:]))


# Tridiagonal matrices.


def _size(diagonals: Any, needs_both: bool) -> int:
    """The size of square matrices.

    Raises:
      ValueError: they are not square, or the size is unknown.
    """
    m1 = tensor_shape.dimension_value(diagonals.shape[-1])
    m2 = tensor_shape.dimension_value(diagonals.shape[-2])
    unknown = 'The size of the matrix needs to be known for diagonals_format="matrix"'
    if needs_both and (not m1 or not m2):
        raise ValueError(unknown)
    if m1 and m2 and m1 != m2:
        raise ValueError(f"Expected last two dimensions of diagonals to be same, got {m1} and {m2}")
    size = m1 or m2
    if not size:
        raise ValueError(unknown)
    return size


@tf_export("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals: Any,
    rhs: TensorLike,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: Name = None,
    partial_pivoting: bool = True,
) -> Tensor:
    """The solutions of matrix @ x = rhs for tridiagonal matrices.

    Args:
      diagonals: by `diagonals_format`: "compact": [..., 3, n], the superdiagonal (its last number
        is ignored), the diagonal, the subdiagonal (its first number is ignored); "sequence": the
        three of them, [..., n] each, or [..., n - 1] for the two outer ones; "matrix":
        [..., n, n].
      rhs: [..., n] or [..., n, k].
      diagonals_format: see `diagonals`.
      transpose_rhs: `rhs` is [..., k, n]; so is the result.
      conjugate_rhs: take the conjugate of `rhs`.
      name: the operation's name.
      partial_pivoting: whether rows change places where that helps precision.

    Returns:
      A tensor like `rhs`.

    Raises:
      ValueError: shapes that don't fit, or another format.
      InvalidArgumentError: in a run, a pivot is 0.
    """
    if diagonals_format == "sequence":
        diagonals = _stacked(diagonals)
    elif diagonals_format == "matrix":
        size = _size(diagonals, needs_both=False)
        any_place = [0, 0]
        indices = [
            [[1, 0], [0, 0], any_place],
            *([[i + 1, i], [i, i], [i - 1, i]] for i in range(1, size - 1)),
            [any_place, [size - 1, size - 1], [size - 2, size - 1]],
        ]
        transposed = array_ops.transpose(diagonals)
        diagonals = array_ops.transpose(array_ops.gather_nd(transposed, indices))
    elif diagonals_format != "compact":
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    return _solve_compact(diagonals, rhs, transpose_rhs, conjugate_rhs, partial_pivoting, name)


def _stacked(diagonals: Any) -> Tensor:
    """Three diagonals as one tensor [..., 3, n]."""
    if not isinstance(diagonals, tuple | list) or len(diagonals) != 3:
        raise ValueError("Expected diagonals to be a sequence of length 3.")
    above, main, below = diagonals
    if not below.shape[:-1].is_compatible_with(main.shape[:-1]) or not above.shape[
        :-1
    ].is_compatible_with(main.shape[:-1]):
        raise ValueError(
            "Tensors representing the three diagonals must have the same shape,"
            f"except for the last dimension, got {below.shape}, {main.shape}, {above.shape}"
        )
    size: Any = tensor_shape.dimension_value(main.shape[-1])

    def padded(values: Any, what: str, padding: list[int]) -> Any:
        length = tensor_shape.dimension_value(values.shape[-1])
        if not length or length == size:
            return values
        if length != size - 1:
            raise ValueError(
                f"Expected {what} to be have length {size} or {size - 1}, got {length}."
            )
        return array_ops.pad(values, [[0, 0]] * (len(values.shape) - 1) + [padding])

    below = padded(below, "subdiagonal", [1, 0])
    above = padded(above, "superdiagonal", [0, 1])
    return array_ops.stack((above, main, below), axis=-2)


def _solve_compact(
    diagonals: Any,
    rhs: Any,
    transpose_rhs: bool,
    conjugate_rhs: bool,
    partial_pivoting: bool,
    name: Any,
) -> Tensor:
    rank, rhs_rank = len(diagonals.shape), len(rhs.shape)
    if rank < 2:
        raise ValueError(f"Expected diagonals to have rank at least 2, got {rank}")
    if rhs_rank not in (rank, rank - 1):
        raise ValueError(f"Expected the rank of rhs to be {rank - 1} or {rank}, got {rhs_rank}")
    if diagonals.shape[-2] and diagonals.shape[-2] != 3:
        raise ValueError(f"Expected 3 diagonals got {diagonals.shape[-2]}")
    if not diagonals.shape[:-2].is_compatible_with(rhs.shape[: rank - 2]):
        raise ValueError(
            f"Batch shapes {diagonals.shape[:-2]} and {rhs.shape[: rank - 2]} are incompatible"
        )
    is_vector = rhs_rank == rank - 1
    if transpose_rhs and not is_vector:
        rhs = array_ops.matrix_transpose(rhs, conjugate=conjugate_rhs)
    elif conjugate_rhs:
        rhs = math_ops.conj(rhs)
    if is_vector:
        rhs = array_ops.expand_dims(rhs, -1)
    size, rows = diagonals.shape[-1], rhs.shape[-2]
    if size and rows and size != rows:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{size} and {rows}"
        )
    result = linalg_ops.tridiagonal_solve(diagonals, rhs, partial_pivoting, name)
    if is_vector:
        return array_ops.squeeze(result, -1)
    return array_ops.matrix_transpose(result) if transpose_rhs else result


@tf_export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(
    diagonals: Any, rhs: TensorLike, diagonals_format: str = "compact", name: Name = None
) -> Tensor:
    """The products of tridiagonal matrices and matrices.

    Args:
      diagonals: by `diagonals_format`: "compact": [..., 3, n]; "sequence": superdiagonal, diagonal
        and subdiagonal, [..., n] each; "matrix": [..., n, n].
      rhs: [..., n, k].
      diagonals_format: see `diagonals`.
      name: the operation's name.

    Returns:
      A tensor [..., n, k].

    Raises:
      ValueError: matrices that are not square, or another format.
    """
    if diagonals_format == "compact":
        above = diagonals[..., 0, :]
        main = diagonals[..., 1, :]
        below = diagonals[..., 2, :]
    elif diagonals_format == "sequence":
        above, main, below = diagonals
    elif diagonals_format == "matrix":
        size = _size(diagonals, needs_both=True)
        main = array_ops.matrix_diag_part(diagonals)
        diagonals = array_ops.transpose(diagonals)
        any_place = [0, 0]
        places = [*([i + 1, i] for i in range(size - 1)), any_place]
        above = array_ops.transpose(array_ops.gather_nd(diagonals, places))
        places = [any_place, *([i - 1, i] for i in range(1, size))]
        below = array_ops.transpose(array_ops.gather_nd(diagonals, places))
    else:
        raise ValueError(f"Unrecognized diagonals_format: {diagonals_format}")
    above = array_ops.expand_dims(above, -2)
    main = array_ops.expand_dims(main, -2)
    below = array_ops.expand_dims(below, -2)
    return linalg_ops.tridiagonal_mat_mul(above, main, below, rhs, name)


# Of singular values.


def _checked_matrix(a: Tensor, validate_args: bool) -> Tensor:
    """`a`, after the checks that it is a matrix of real numbers.

    Raises:
      TypeError: it is not real.
      ValueError: its rank is known to be less than 2.
    """
    if not a.dtype.is_floating:
        raise TypeError(f"Input `a` must have `float`-like `dtype` (saw {a.dtype.name}).")
    rank = a.shape.rank
    if rank is not None:
        if rank < 2:
            raise ValueError(f"Input `a` must have at least 2 dimensions (saw: {rank}).")
    elif validate_args:
        check = check_ops.assert_rank_at_least(
            a, rank=2, message="Input `a` must have at least 2 dimensions."
        )
        with ops.control_dependencies([check]):
            return array_ops.identity(a)
    return a


@tf_export("linalg.matrix_rank")
def matrix_rank(
    a: TensorLike, tol: Any = None, validate_args: bool = False, name: Name = None
) -> Tensor:
    """The ranks of matrices: how many singular values are above `tol`.

    Args:
      a: real matrices [..., m, n].
      tol: the threshold; by default, the largest singular value times max(m, n) times the
        precision of the dtype.
      validate_args: whether to check in a run what is not known before.
      name: the name scope, "matrix_rank" by default.

    Returns:
      An int32 tensor [...].
    """
    with ops.name_scope(name or "matrix_rank"):
        a = ops.convert_to_tensor(a, dtype_hint=dtypes.float32, name="a")
        a = _checked_matrix(a, validate_args)
        s = svd(a, compute_uv=False)
        if tol is None:
            sizes = a.shape[-2:]
            if sizes.is_fully_defined():
                longer: Any = np.max(sizes.as_list())
            else:
                longer = math_ops.reduce_max(array_ops.shape(a)[-2:])
            eps = np.finfo(a.dtype.as_numpy_dtype).eps
            scaled = eps * math_ops.cast(longer, a.dtype)
            tol = scaled * math_ops.reduce_max(s, axis=-1, keepdims=True)
        return math_ops.reduce_sum(math_ops.cast(s > tol, dtypes.int32), axis=-1)


@tf_export("linalg.pinv")
def pinv(
    a: TensorLike, rcond: Any = None, validate_args: bool = False, name: Name = None
) -> Tensor:
    """The Moore-Penrose pseudo-inverses of matrices.

    Args:
      a: real matrices [..., m, n].
      rcond: singular values up to `rcond` times the largest one count as 0; by default 10 max(m, n)
        times the precision of the dtype.
      validate_args: whether to check in a run what is not known before.
      name: the name scope, "pinv" by default.

    Returns:
      A tensor [..., n, m].
    """
    with ops.name_scope(name or "pinv"):
        a = ops.convert_to_tensor(a, name="a")
        a = _checked_matrix(a, validate_args)
        dtype = a.dtype.as_numpy_dtype
        if rcond is None:

            def size(dim: int) -> Any:
                static = tensor_shape.dimension_value(a.shape[dim])
                return array_ops.shape(a)[dim] if static is None else static

            rows, columns = size(-2), size(-1)
            if isinstance(rows, int) and isinstance(columns, int):
                longer: Any = float(max(rows, columns))
            else:
                longer = math_ops.cast(math_ops.maximum(rows, columns), dtype)
            rcond = 10.0 * longer * np.finfo(dtype).eps
        rcond = ops.convert_to_tensor(rcond, dtype=dtype, name="rcond")
        s, u, v = svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * math_ops.reduce_max(s, axis=-1)
        # Dividing by infinity drops a vector.
        is_large = s > array_ops.expand_dims_v2(cutoff, -1)
        s = array_ops.where_v2(is_large, s, np.array(np.inf, dtype))
        scaled = v / array_ops.expand_dims_v2(s, -2)
        result = math_ops.matmul(scaled, u, adjoint_b=True)
        if a.shape.rank is not None:
            result.set_shape(a.shape[:-2].concatenate([a.shape[-1], a.shape[-2]]))
        return result
