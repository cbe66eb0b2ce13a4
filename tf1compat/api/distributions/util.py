"""What distributions are made of: checks, conversions of their parameters, small linear algebra."""

from __future__ import annotations

import functools
import hashlib
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import ShapeLike, TensorLike

# ---- Checks ----------

_INTEGER_OF_FLOAT = {
    dtypes.float16: dtypes.int16,
    dtypes.float32: dtypes.int32,
    dtypes.float64: dtypes.int64,
}
_UNSIGNED = (dtypes.bool, dtypes.uint8, dtypes.uint16)
_SIGNED = (*_INTEGER_OF_FLOAT, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64)


def assert_integer_form(
    x: TensorLike,
    data: TensorLike | None = None,
    summarize: int | None = None,
    message: str | None = None,
    int_dtype: Any = None,
    name: str = "assert_integer_form",
) -> Any:
    """An op that fails where `x`, of a float dtype, is not whole.

    Args:
      x: a tensor.
      data: tensors to print on failure.
      summarize: how many entries of each to print.
      message: text of the error.
      int_dtype: the dtype that the numbers must survive a cast to; by default the signed integer of
        the size of `x`'s dtype.
      name: of the op.

    Returns:
      The assertion.

    Raises:
      TypeError: there is no integer dtype for `x`'s.
    """
    with ops.name_scope(name, values=[x, data]):
        x = ops.convert_to_tensor(x, name="x")
        if x.dtype.is_integer:
            return control_flow_ops.no_op()
        text = message or f"{x} has non-integer components"
        if int_dtype is None:
            int_dtype = _INTEGER_OF_FLOAT.get(x.dtype.base_dtype)
            if int_dtype is None:
                raise TypeError(f"Unrecognized type {x.dtype.name}")
        whole = math_ops.cast(math_ops.cast(x, int_dtype), x.dtype)
        return check_ops.assert_equal(
            x, whole, data=data, summarize=summarize, message=text, name=name
        )


def assert_symmetric(matrix: TensorLike) -> Any:
    """The matrix, once it is known to equal its transpose."""
    check = check_ops.assert_equal(matrix, array_ops.matrix_transpose(matrix))
    return control_flow_ops.with_dependencies([check], matrix)


def embed_check_nonnegative_integer_form(
    x: TensorLike, name: str = "embed_check_nonnegative_integer_form"
) -> Any:
    """`x`, once it is known to be whole and not negative."""
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        checks = [check_ops.assert_non_negative(x, message=f"'{x}' must be non-negative.")]
        if not x.dtype.is_integer:
            text = f"'{x}' cannot contain fractional components."
            checks.append(assert_integer_form(x, message=text))
        return control_flow_ops.with_dependencies(checks, x)


def same_dynamic_shape(a: TensorLike, b: TensorLike) -> Any:
    """Whether two tensors have the same shape when the graph runs: a bool tensor."""
    a = ops.convert_to_tensor(a, name="a")
    b = ops.convert_to_tensor(b, name="b")

    def all_equal() -> Any:
        # Concatenated both ways round: lengths that differ would not broadcast.
        there = array_ops.concat([array_ops.shape(a), array_ops.shape(b)], 0)
        back = array_ops.concat([array_ops.shape(b), array_ops.shape(a)], 0)
        return math_ops.reduce_all(math_ops.equal(there, back))

    same_rank = math_ops.equal(array_ops.rank(a), array_ops.rank(b))
    return control_flow_ops.cond(same_rank, all_equal, lambda: constant_op.constant(False))


def maybe_get_static_value(x: TensorLike | None, dtype: Any = None) -> Any:
    """The value of `x` if it is known while recording, as a NumPy array; else None."""
    if x is None:
        return None
    try:
        value = tensor_util.constant_value(x)
    except TypeError:
        value = x
    return value if value is None or dtype is None else np.array(value, dtype)


def _is_known_unsigned_by_dtype(dt: Any) -> bool:
    return dt.base_dtype in _UNSIGNED


def _is_known_dtype(dt: Any) -> bool:
    return dt.base_dtype in _UNSIGNED or dt.base_dtype in _SIGNED


def _require_known(dt: Any) -> None:
    if not _is_known_dtype(dt):
        raise TypeError(f"Unrecognized dtype: {dt.name}")


def _largest_integer_by_dtype(dt: Any) -> int:
    """The largest integer up to which a dtype represents all integers exactly."""
    _require_known(dt)
    if dt.is_floating:
        return int(2 ** (np.finfo(dt.as_numpy_dtype).nmant + 1))
    return 1 if dt.base_dtype == dtypes.bool else np.iinfo(dt.as_numpy_dtype).max


def _smallest_integer_by_dtype(dt: Any) -> int:
    _require_known(dt)
    return 0 if _is_known_unsigned_by_dtype(dt) else -_largest_integer_by_dtype(dt)


def _is_integer_like_by_dtype(dt: Any) -> bool:
    _require_known(dt)
    return dt.is_integer or dt.base_dtype == dtypes.bool


def embed_check_categorical_event_shape(
    categorical_param: Any, name: str = "embed_check_categorical_event_shape"
) -> Any:
    """The parameter of a categorical distribution, once its number of classes is known to be
    right: at least 2, and no more than its dtype can number.

    Raises:
      TypeError: its dtype is not a float.
      ValueError: the number is known while recording, and wrong.
    """
    with ops.name_scope(name, values=[categorical_param]):
        x = ops.convert_to_tensor(categorical_param, name="categorical_param")
        dtype = x.dtype.base_dtype
        limit = _largest_integer_by_dtype(dtype) if dtype.is_floating else 0
        if limit == 0:
            raise TypeError(f"Unable to validate size of unrecognized dtype ({dtype.name}).")
        no_dimension = "A categorical-distribution parameter must have at least 1 dimension."
        too_few = "A categorical-distribution parameter must have at least 2 events."
        try:
            static = x.get_shape().with_rank_at_least(1)
        except ValueError:
            raise ValueError(no_dimension) from None
        size = dimension_value(static[-1])
        if size is None:
            shape_size = array_ops.shape(x, name="x_shape")[-1]
            too_many = (
                "Number of classes exceeds `dtype` precision, i.e., "
                f"{dtype.name} dtype cannot exceed {limit} shape."
            )
            checks = [
                check_ops.assert_rank_at_least(x, 1, message=no_dimension),
                check_ops.assert_greater_equal(array_ops.shape(x)[-1], 2, message=too_few),
                check_ops.assert_less_equal(shape_size, limit, message=too_many),
            ]
            return control_flow_ops.with_dependencies(checks, x)
        if size < 2:
            raise ValueError(too_few)
        if size > limit:
            raise ValueError(
                f"Number of classes exceeds `dtype` precision, i.e., {dtype.name} implies shape "
                f"({size}) cannot exceed {limit}."
            )
        return x


def embed_check_integer_casting_closed(
    x: TensorLike,
    target_dtype: Any,
    assert_nonnegative: bool = True,
    name: str = "embed_check_casting_closed",
) -> Any:
    """`x`, once it is known that a cast to another dtype leaves its whole numbers as they are.

    Raises:
      TypeError: neither of the two dtypes is an integer (or bool), or one is no number.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        whole, target_whole = (_is_integer_like_by_dtype(d) for d in (x.dtype, target_dtype))
        if not whole and not x.dtype.is_floating:
            raise TypeError(f"{x.dtype.name}.dtype must be floating- or integer-type.")
        if not target_whole and not target_dtype.is_floating:
            raise TypeError(
                f"target_dtype ({target_dtype.name}) must be floating- or integer-type."
            )
        if not whole and not target_whole:
            raise TypeError(
                f"At least one of {x}.dtype ({x.dtype.name}) and target_dtype "
                f"({target_dtype.name}) must be integer-type."
            )
        checks = []
        if assert_nonnegative:
            text = "Elements must be non-negative."
            checks.append(check_ops.assert_non_negative(x, message=text))
        largest, smallest = (
            _largest_integer_by_dtype(target_dtype),
            _smallest_integer_by_dtype(target_dtype),
        )
        if x.dtype.is_floating:
            text = f"Elements must be {target_dtype.name}-equivalent."
            checks.append(assert_integer_form(x, int_dtype=target_dtype, message=text))
        else:
            if _largest_integer_by_dtype(x.dtype) > largest:
                text = f"Elements cannot exceed {largest}."
                checks.append(check_ops.assert_less_equal(x, largest, message=text))
            if not assert_nonnegative and _smallest_integer_by_dtype(x.dtype) < smallest:
                text = f"Elements cannot be smaller than {smallest}."
                checks.append(check_ops.assert_greater_equal(x, smallest, message=text))
        return control_flow_ops.with_dependencies(checks, x) if checks else x


# ---- Parameters ----------


def get_logits_and_probs(
    logits: Any = None,
    probs: Any = None,
    multidimensional: bool = False,
    validate_args: bool = False,
    name: str = "get_logits_and_probs",
    dtype: Any = None,
) -> tuple[Any, Any]:
    """Log-odds and probabilities, of which one is given.

    Args:
      logits: log-odds, or None.
      probs: probabilities, or None.
      multidimensional: whether the last dimension runs over the classes.
      validate_args: whether the probabilities are checked.
      name: scope of the ops.
      dtype: to convert to.

    Returns:
      `(logits, probs)`.

    Raises:
      ValueError: both are given, or neither.
      TypeError: what is given is not of a float dtype.
    """
    with ops.name_scope(name, values=[probs, logits]):
        if (probs is None) == (logits is None):
            raise ValueError("Must pass probs or logits, but not both.")
        if logits is not None:
            logits = ops.convert_to_tensor(logits, name="logits", dtype=dtype)
            if not logits.dtype.is_floating:
                raise TypeError("logits must having floating type.")
            if not multidimensional:
                return logits, math_ops.sigmoid(logits, name="probs")
            if validate_args:
                logits = embed_check_categorical_event_shape(logits)
            return logits, nn_ops.softmax(logits, name="probs")
        probs = ops.convert_to_tensor(probs, name="probs", dtype=dtype)
        if not probs.dtype.is_floating:
            raise TypeError("probs must having floating type.")
        if validate_args:
            probs = _checked_probs(probs, multidimensional)
        with ops.name_scope("logits"):
            if multidimensional:
                return math_ops.log(probs), probs
            return math_ops.log(probs) - math_ops.log1p(-1.0 * probs), probs


def _checked_probs(probs: Any, multidimensional: bool) -> Any:
    with ops.name_scope("validate_probs"):
        one = constant_op.constant(1.0, probs.dtype)
        checks = [check_ops.assert_non_negative(probs)]
        if multidimensional:
            probs = embed_check_categorical_event_shape(probs)
            total = math_ops.reduce_sum(probs, -1)
            text = "probs does not sum to 1."
            checks.append(check_ops.assert_near(total, one, message=text))
        else:
            text = "probs has components greater than 1."
            checks.append(check_ops.assert_less_equal(probs, one, message=text))
        return control_flow_ops.with_dependencies(checks, probs)


def gen_new_seed(seed: Any, salt: str) -> int | None:
    """Another seed, made of a seed and a word; None for None."""
    if seed is None:
        return None
    digest = hashlib.md5(f"{seed}{salt}".encode()).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF


def log_combinations(n: TensorLike, counts: Any, name: str = "log_combinations") -> Any:
    """The logarithm of the multinomial coefficient of `n` over the last dimension of `counts`."""
    with ops.name_scope(name, values=[n, counts]):
        n = ops.convert_to_tensor(n, name="n")
        counts = ops.convert_to_tensor(counts, name="counts")
        all_orders = math_ops.lgamma(n + 1)
        return all_orders - math_ops.reduce_sum(math_ops.lgamma(counts + 1), axis=[-1])


# ---- Shapes ----------


def pick_vector(cond: Any, true_vector: Any, false_vector: Any, name: str = "pick_vector") -> Any:
    """One of two vectors: as it is where the condition is known, else by a slice of both.

    Raises:
      TypeError: the condition is not a bool, or the vectors' dtypes differ.
    """
    with ops.name_scope(name, values=(cond, true_vector, false_vector)):
        cond = ops.convert_to_tensor(cond, name="cond")
        if cond.dtype != dtypes.bool:
            raise TypeError(f"{cond}.dtype={cond.dtype} which is not {dtypes.bool}")
        known = tensor_util.constant_value(cond)
        if known is not None:
            return true_vector if known else false_vector
        yes = ops.convert_to_tensor(true_vector, name="true_vector")
        no = ops.convert_to_tensor(false_vector, name="false_vector")
        if yes.dtype != no.dtype:
            raise TypeError(f"{yes}.dtype={yes.dtype} does not match {no}.dtype={no.dtype}")
        n = array_ops.shape(yes)[0]
        both = array_ops.concat([yes, no], 0)
        begin = [array_ops.where_v2(cond, 0, n)]
        return array_ops.slice(both, begin, [array_ops.where(cond, n, -1)])


def prefer_static_broadcast_shape(
    shape1: Any, shape2: Any, name: str = "prefer_static_broadcast_shape"
) -> Any:
    """The shape of two shapes broadcast: a `TensorShape` if both are known, else a tensor."""
    with ops.name_scope(name, values=[shape1, shape2]):
        known = [_known_shape(shape1), _known_shape(shape2)]
        if None not in known:
            return array_ops.broadcast_static_shape(*known)
        tensors = [_shape_as_tensor(shape1), _shape_as_tensor(shape2)]
        return array_ops.broadcast_dynamic_shape(*tensors)


def _known_shape(shape: ShapeLike) -> TensorShape | None:
    if isinstance(shape, TensorShape):
        return shape
    value = tensor_util.constant_value(_shape_as_tensor(shape))
    return None if value is None else TensorShape(value)


def _shape_as_tensor(shape: ShapeLike) -> Any:
    if isinstance(shape, TensorShape):
        if not shape.is_fully_defined():
            raise ValueError("Cannot broadcast from partially defined `TensorShape`.")
        shape = shape.as_list()
    return ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)


def prefer_static_value(x: TensorLike) -> Any:
    """The value of a tensor if it is known while recording, else the tensor."""
    value = tensor_util.constant_value(x)
    return x if value is None else value


def prefer_static_rank(x: TensorLike) -> Any:
    """The rank of a tensor, as a value if it is known while recording."""
    return prefer_static_value(array_ops.rank(x))


def prefer_static_shape(x: TensorLike) -> Any:
    """The shape of a tensor, as a value if it is known while recording."""
    return prefer_static_value(array_ops.shape(x))


def dimension_size(x: Any, axis: int) -> Any:
    """The size of one dimension: a number if it is known, else a tensor."""
    static = dimension_value(x.shape.with_rank_at_least(np.abs(axis))[axis])
    return array_ops.shape(x)[axis] if static is None else static


# ---- Matrices ----------


def matrix_diag_transform(
    matrix: TensorLike, transform: Any = None, name: str | None = None
) -> Any:
    """The matrix with a function applied to its diagonal."""
    with ops.name_scope(name, "matrix_diag_transform", [matrix]):
        matrix = ops.convert_to_tensor(matrix, name="matrix")
        if transform is None:
            return matrix
        diagonal = transform(array_ops.matrix_diag_part(matrix))
        return array_ops.matrix_set_diag(matrix, diagonal)


def rotate_transpose(x: TensorLike, shift: TensorLike, name: str = "rotate_transpose") -> Any:
    """`x` with its dimensions rotated to the right by `shift`, negative for the left."""
    with ops.name_scope(name, values=[x, shift]):
        x = ops.convert_to_tensor(x, name="x")
        shift = ops.convert_to_tensor(shift, name="shift")
        check_ops.assert_integer(shift)
        known = tensor_util.constant_value(shift)
        rank = x.get_shape().ndims
        if rank is not None and known is not None:
            if rank < 2 or known % rank == 0:
                return x
            return array_ops.transpose(x, perm=np.roll(np.arange(rank), known))
        rank = array_ops.rank(x)
        is_left = math_ops.less(shift, 0)
        to_left = math_ops.mod(-shift, rank)
        left = array_ops.where_v2(is_left, to_left, rank - math_ops.mod(shift, rank))
        head, tail = math_ops.range(0, left), math_ops.range(left, rank)
        return array_ops.transpose(x, perm=array_ops.concat([tail, head], 0))


def fill_triangular(x: TensorLike, upper: bool = False, name: str | None = None) -> Any:
    """A (batch of) triangular matrix of the elements of a vector, in TF's clockwise spiral.

    Raises:
      ValueError: the number of elements is known, and not a triangular number.
    """
    with ops.name_scope(name, "fill_triangular", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        n = _rows_of_triangle(x)
        sides = [None if tensor_util.is_tensor(n) else n] * 2
        static = x.shape.with_rank_at_least(1)[:-1].concatenate(sides)
        rank = prefer_static_rank(x)
        rest = x[..., n:]
        straight, turned = (x, rest) if upper else (rest, x)
        parts = [straight, array_ops.reverse(turned, axis=[rank - 1])]
        shape = (
            static.as_list()
            if static.is_fully_defined()
            else array_ops.concat([array_ops.shape(x)[:-1], [n, n]], axis=0)
        )
        square = array_ops.reshape(array_ops.concat(parts, axis=-1), shape)
        filled = array_ops.matrix_band_part(square, *((0, -1) if upper else (-1, 0)))
        filled.set_shape(static)
        return filled


def _rows_of_triangle(x: Any) -> Any:
    """How many rows a triangle of so many elements has: a number if it is known."""
    count = dimension_value(x.shape.with_rank_at_least(1)[-1])
    if count is None:
        doubled = math_ops.cast(2 * array_ops.shape(x)[-1], dtype=dtypes.float32)
        return math_ops.cast(math_ops.sqrt(0.25 + doubled), dtype=dtypes.int32)
    rows = (math.isqrt(1 + 8 * count) - 1) // 2
    if rows * (rows + 1) != 2 * count:
        raise ValueError(
            f"Input right-most shape ({count}) does not correspond to a triangular matrix."
        )
    return rows


def fill_triangular_inverse(x: TensorLike, upper: bool = False, name: str | None = None) -> Any:
    """The vector of which `fill_triangular` makes the matrix `x`."""
    with ops.name_scope(name, "fill_triangular_inverse", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        static = x.shape.with_rank_at_least(2)[:-2]
        n = dimension_size(x, -1)
        m = n * (n + 1) // 2
        rank = prefer_static_rank(x)

        def turned(x: TensorLike, place: int) -> Any:
            return array_ops.reverse(x, axis=[rank - place])

        if upper:
            head, triangle = x[..., 0, :], x[..., 1:, :]
        else:
            head, triangle = turned(x[..., -1, :], 2), x[..., :-1, :]
        rows = triangle + turned(turned(triangle, 1), 2)
        shape = array_ops.concat([array_ops.shape(x)[:-2], [n * (n - 1)]], axis=0)
        tail = array_ops.reshape(rows, shape)
        vector = array_ops.concat([head, tail[..., : m - n]], axis=-1)
        vector.set_shape(static.concatenate([None if tensor_util.is_tensor(m) else m]))
        return vector


def tridiag(
    below: Any = None, diag: TensorLike | None = None, above: Any = None, name: str | None = None
) -> Any:
    """A (batch of) matrix with the given diagonals and zeros elsewhere.

    Raises:
      ValueError: none is given.
    """

    def beside(x: TensorLike, name: str, rows: slice, columns: slice) -> Any:
        x = ops.convert_to_tensor(x, name=name)
        shape = array_ops.concat([array_ops.shape(x)[:-1], [1]], axis=0)
        zero = array_ops.zeros(shape, dtype=x.dtype)
        square = array_ops.matrix_diag(array_ops.concat([zero, x, zero], axis=-1))
        return square[..., rows, columns]

    not_first, not_last = slice(1, None), slice(None, -1)
    with ops.name_scope(name, "tridiag", [below, diag, above]):
        parts = []
        if below is not None:
            parts.append(beside(below, "below", not_last, not_first))
        if diag is not None:
            parts.append(array_ops.matrix_diag(ops.convert_to_tensor(diag, name="diag")))
        if above is not None:
            parts.append(beside(above, "above", not_first, not_last))
        if not parts:
            raise ValueError("Must specify at least one of `below`, `diag`, `above`.")
        return functools.reduce(lambda a, b: a + b, parts)


# ---- Numbers ----------


def reduce_weighted_logsumexp(
    logx: Any,
    w: TensorLike | None = None,
    axis: TensorLike | None = None,
    keep_dims: bool = False,
    return_sign: bool = False,
    name: str | None = None,
) -> Any:
    """`log(abs(sum(w * exp(logx))))`, computed without overflow.

    Args:
      logx: a float tensor.
      w: weights of its shape, which may be negative; None for ones.
      axis: the dimensions to sum over; None for all.
      keep_dims: whether they stay, of size 1.
      return_sign: whether the sign of the sum is returned too.
      name: scope of the ops.

    Returns:
      The logarithm, or `(logarithm, sign)`.
    """
    with ops.name_scope(name, "reduce_weighted_logsumexp", [logx, w]):
        logx = ops.convert_to_tensor(logx, name="logx")
        if w is None:
            total = math_ops.reduce_logsumexp(logx, axis=axis, keepdims=keep_dims)
            return (total, array_ops.ones_like(total)) if return_sign else total
        w = ops.convert_to_tensor(w, dtype=logx.dtype, name="w")
        exponent = logx + math_ops.log(math_ops.abs(w))
        largest = _finite_or_0(math_ops.reduce_max(exponent, axis=axis, keepdims=True))
        terms = math_ops.sign(w) * math_ops.exp(exponent - largest)
        total = math_ops.reduce_sum(terms, axis=axis, keepdims=keep_dims)
        if not keep_dims:
            largest = array_ops.squeeze(largest, axis)
        sign = math_ops.sign(total)
        result = largest + math_ops.log(sign * total)
        return (result, sign) if return_sign else result


def _finite_or_0(x: TensorLike) -> Any:
    """What may be subtracted: infinity less infinity would be NaN."""
    return array_ops.where_v2(math_ops.is_inf(x), array_ops.zeros_like(x), x)


def softplus_inverse(x: TensorLike, name: str | None = None) -> Any:
    """`log(exp(x) - 1)`, exact for very small and very large `x` too."""
    with ops.name_scope(name, "softplus_inverse", values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        threshold = np.log(np.finfo(x.dtype.as_numpy_dtype).eps) + 2.0
        small = math_ops.less(x, np.exp(threshold))
        large = math_ops.greater(x, -threshold)
        if_small = math_ops.log(x)
        extreme = math_ops.logical_or(small, large)
        # Ones where the result is not used, so that no infinity reaches the gradient.
        between = _log_expm1(array_ops.where_v2(extreme, array_ops.ones_like(x), x))
        return array_ops.where_v2(small, if_small, array_ops.where_v2(large, x, between))


def _log_expm1(x: Any) -> Any:
    return x + math_ops.log(-math_ops.expm1(-x))


def gauss_hermite(size: int, dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """The points of Gauss and Hermite, and their weights, which sum to 1."""
    both = np.polynomial.hermite.hermgauss(deg=size)
    points, weights = (x.astype(dtype.as_numpy_dtype) for x in both)
    return points, weights / np.abs(weights).sum(keepdims=True)


def process_quadrature_grid_and_probs(
    quadrature_grid_and_probs: Any, dtype: Any, validate_args: bool, name: str | None = None
) -> tuple[Any, Any]:
    """The points of a quadrature and their normalised weights, by default Gauss-Hermite's of 8.

    Raises:
      ValueError: the numbers of points and weights are known, and differ.
    """
    with ops.name_scope(name, "process_quadrature_grid_and_probs", [quadrature_grid_and_probs]):
        if quadrature_grid_and_probs is None:
            points, weights = gauss_hermite(8, dtype)
            grid = ops.convert_to_tensor(points, name="grid", dtype=dtype)
            return grid, ops.convert_to_tensor(weights, name="probs", dtype=dtype)
        grid, probs = quadrature_grid_and_probs
        grid = ops.convert_to_tensor(grid, name="grid", dtype=dtype)
        probs = ops.convert_to_tensor(probs, name="unnormalized_probs", dtype=dtype)
        probs /= linalg_ops.norm(probs, ord=1, axis=-1, keepdims=True, name="probs")
        text = "`quadrature_grid_and_probs` must be a `tuple` of same-length zero-th-dimension "
        m, n = (dimension_value(x.shape.with_rank_at_least(1)[-1]) for x in (probs, grid))
        if m is not None and n is not None:
            if m != n:
                raise ValueError(f"{text}`Tensor`s (saw lengths {m}, {n})")
        elif validate_args:
            sizes = dimension_size(probs, axis=-1), dimension_size(grid, axis=-1)
            check = check_ops.assert_equal(*sizes, message=f"{text}`Tensor`s")
            with ops.control_dependencies([check]):
                grid = array_ops.identity(grid)
                probs = array_ops.identity(probs)
        return grid, probs


def pad(
    x: TensorLike,
    axis: TensorLike,
    front: bool = False,
    back: bool = False,
    value: TensorLike = 0,
    count: Any = 1,
    name: str | None = None,
) -> Any:
    """`x` with `value` put `count` times in front of and behind one of its dimensions.

    Raises:
      ValueError: neither `front` nor `back` is set.
      TypeError: `count` is not an integer.
    """
    with ops.name_scope(name, "pad", [x, value, count]):
        x = ops.convert_to_tensor(x, name="x")
        value = ops.convert_to_tensor(value, dtype=x.dtype, name="value")
        count = ops.convert_to_tensor(count, name="count")
        if not count.dtype.is_integer:
            raise TypeError(f"`count.dtype` (`{count.dtype.name}`) must be `int`-like.")
        if not front and not back:
            raise ValueError("At least one of `front`, `back` must be `True`.")
        rank = array_ops.rank(x, name="ndims") if x.shape.ndims is None else x.shape.ndims
        axis = ops.convert_to_tensor(axis, name="axis")
        known = tensor_util.constant_value(axis)
        if known is None:
            axis = array_ops.where_v2(axis < 0, rank + axis, axis)
        else:
            axis = rank + known if known < 0 else known
        static = _shape_of_padded(x.shape, axis, count, front + back)
        places = array_ops.stack([axis if front else -1, axis if back else -1])
        paddings = array_ops.one_hot(
            indices=places, depth=rank, axis=0, on_value=count, dtype=dtypes.int32
        )
        x = array_ops.pad(x, paddings=paddings, constant_values=value)
        x.set_shape(static)
        return x


def _shape_of_padded(shape: TensorShape, axis: Any, count: Any, sides: int) -> TensorShape:
    """The shape with `count` more on so many sides of an axis, as far as that is known."""
    times = tensor_util.constant_value(count)
    if times is None or tensor_util.is_tensor(axis):
        return TensorShape(None)
    size = tensor_shape.dimension_at_index(shape, axis) + times * sides
    return shape[:axis].concatenate(size).concatenate(shape[axis + 1 :])


class AppendDocstring:
    """Decorator: adds a note, and a list of extra keyword arguments, to a docstring."""

    def __init__(
        self, additional_note: str = "", kwargs_dict: Mapping[str, str] | None = None
    ) -> None:
        bullets = []
        for key, value in sorted((kwargs_dict or {}).items()):
            if any(character.isspace() for character in key):
                raise ValueError(f'Parameter name "{key}" contains whitespace.')
            text = value.lstrip()
            if "\n" in text:
                raise ValueError(f'Parameter description for "{key}" contains newlines.')
            bullets.append(f"*  `{key}`: {text}")
        if bullets:
            additional_note += "\n\n##### `kwargs`:\n\n" + "\n".join(bullets)
        self._additional_note = additional_note

    def __call__(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def noted(*args: Any, **kwargs: Any) -> Any:
            return fn(*args, **kwargs)

        before = "" if noted.__doc__ is None else f"{noted.__doc__}\n"
        noted.__doc__ = before + self._additional_note
        return noted


def parent_frame_arguments() -> dict[str, Any]:
    """The arguments of the function that calls this, by name; of `**kwargs` each by its own."""
    caller = sys._getframe(1)
    names, _, extra, values = inspect.getargvalues(caller)
    found = {name: values[name] for name in names}
    return found | (values[extra] if extra else {})
