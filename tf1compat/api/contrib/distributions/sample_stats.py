"""Statistics of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.signal import fft_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.auto_correlation")
def auto_correlation(
    x: TensorLike,
    axis: int = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Any:
    """How much a series has to do with itself some steps later.

    Args:
      x: float or complex tensor.
      axis: the dimension of the steps.
      max_lags: int, the last lag; by default all there are.
      center: whether the mean is taken away first.
      normalize: whether the result is divided by that at lag 0.
      name: scope of the ops.

    Returns:
      A tensor like `x`, where that dimension is one of the lags from 0 on.

    Raises:
      TypeError: `x` is of whole numbers.
    """
    with ops.name_scope(name, values=[x]):
        x = ops.convert_to_tensor(x, name="x")
        rank = distribution_util.rank_of(x)
        if axis < 0:
            axis = rank + axis
        shift = rank - 1 - axis
        series = util.rotate_transpose(x, shift)
        if center:
            series -= math_ops.reduce_mean(series, axis=-1, keepdims=True)
        length = util.prefer_static_shape(series)[-1]
        # Padded to a power of two, twice as long: no lag comes round to the beginning.
        as_float = math_ops.cast(length, np.float64)
        steps = math_ops.ceil(math_ops.log(as_float * 2) / np.log(2.0))
        padded_length = math_ops.pow(np.float64(2.0), steps)
        more = math_ops.cast(padded_length - as_float, np.int32)
        padded = util.pad(series, axis=-1, back=True, count=more)
        dtype = x.dtype
        if not dtype.is_complex:
            if not dtype.is_floating:
                raise TypeError(
                    f"Argument x must have either float or complex dtype found: {dtype}"
                )
            padded = math_ops.complex(padded, dtype.real_dtype.as_numpy_dtype(0.0))
        spectrum = fft_ops.fft(padded)
        products = fft_ops.ifft(spectrum * math_ops.conj(spectrum))
        products = math_ops.cast(products, dtype)
        known = series.shape.is_fully_defined()
        last = length - 1 if tensor_util.is_tensor(length) else np.int64(length) - 1
        if max_lags is None:
            max_lags = last
        else:
            max_lags = ops.convert_to_tensor(max_lags, name="max_lags")
            value = tensor_util.constant_value(max_lags)
            known = known and value is not None
            if known:
                max_lags = min(last, value)
            else:
                max_lags = math_ops.minimum(last, max_lags)
        products = products[..., : max_lags + 1]
        if known:
            products.set_shape([*series.shape.as_list()[:-1], min(length, max_lags + 1)])
        length = math_ops.cast(length, dtype.real_dtype)
        max_lags = math_ops.cast(max_lags, dtype.real_dtype)
        counts = length - math_ops.range(0.0, max_lags + 1.0)
        result = products / math_ops.cast(counts, dtype)
        if normalize:
            result /= result[..., :1]
        return util.rotate_transpose(result, -shift)


_ROUND = {"lower": math_ops.ceil, "higher": math_ops.floor, "nearest": math_ops.round}


@tf_export("contrib.distributions.percentile")
def percentile(
    x: TensorLike,
    q: Any,
    axis: TensorLike | None = None,
    interpolation: Any = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: Name = None,
) -> Any:
    """The value that `q` percent of the values are not above.

    Args:
      x: tensor of numbers.
      q: float scalar of 0 to 100.
      axis: int or ints, over which dimensions; by default all.
      interpolation: "lower", "higher" or "nearest": which of two neighbours.
      keep_dims: whether these dimensions are kept, with a size of 1.
      validate_args: whether `q` is checked when the graph runs.
      name: scope of the ops.

    Returns:
      A tensor of the dtype of `x`.

    Raises:
      ValueError: another interpolation, an axis that is not known or not there, or `q` is no
        scalar.
    """
    interpolation = "nearest" if interpolation is None else interpolation
    if interpolation not in _ROUND:
        raise ValueError(
            f"Argument 'interpolation' must be in {set(_ROUND)}.  Found {interpolation}"
        )
    with ops.name_scope(name or "percentile", values=[x, q]):
        x = ops.convert_to_tensor(x, name="x")
        q = math_ops.cast(q, dtypes.float64, name="q")
        rank = _known_rank(q)
        if rank not in (None, 0):
            raise ValueError(f"Expected argument 'x' to have ndims 0.  Found tensor {q!s}")
        if validate_args:
            q = control_flow_ops.with_dependencies(_checks_of_percentage(q), q)
        axes = None if axis is None else _axes(axis, x)
        rows = array_ops.reshape(x, [-1]) if axes is None else _with_last(x, axes)
        part = 1.0 - q / 100.0
        size = math_ops.cast(array_ops.shape(rows)[-1], dtypes.float64)
        index = _ROUND[interpolation]((size - 1) * part)
        size = array_ops.shape(rows)[-1]
        index = clip_ops.clip_by_value(math_ops.cast(index, dtypes.int32), 0, size - 1)
        descending, _ = nn_ops.top_k(rows, k=array_ops.shape(rows)[-1])
        result = descending[..., index]
        result.set_shape(rows.get_shape()[:-1])
        if keep_dims and axes is None:
            rank = _known_rank(x)
            rank = array_ops.rank(x) if rank is None else rank
            shape = array_ops.ones(shape=[rank], dtype=dtypes.int32)
            result *= array_ops.ones(shape, dtype=x.dtype)
        elif keep_dims:
            for i in sorted(axes or ()):
                result = array_ops.expand_dims(result, axis=i)
        return result


def _checks_of_percentage(q: Any) -> list[Any]:
    checks = [check_ops.assert_rank(q, 0)]
    for check, bound in (
        (check_ops.assert_greater_equal, 0.0),
        (check_ops.assert_less_equal, 100.0),
    ):
        checks.append(check(q, math_ops.cast(bound, dtypes.float64)))
    return checks


def _known_rank(x: Any) -> int | None:
    rank = x.get_shape().ndims
    if rank is None:
        shape = tensor_util.constant_value(array_ops.shape(x))
        rank = None if shape is None else shape.ndim
    return rank


def _axes(axis: TensorLike, x: TensorLike) -> list[int]:
    """The dimensions as a list of numbers from 0 on."""
    axis = ops.convert_to_tensor(axis, name="axis")
    check_ops.assert_integer(axis)
    axis_rank = _known_rank(axis)
    if axis_rank is not None and axis_rank > 1:
        raise ValueError(
            f"Expected argument 'x' to have ndims no more than 1.  Found tensor {axis!s}"
        )
    known = tensor_util.constant_value(axis)
    if known is None:
        raise ValueError(f"Expected argument 'axis' to be statically available.  Found: {axis}")
    rank = _known_rank(x)
    if rank is None:
        raise ValueError(f"Expected argument 'x' to have statically defined 'ndims'.  Found: {x}")
    if rank < 1:
        raise ValueError(f"Expected argument 'x' to have ndims >= 1.  Found tensor {x!s}")
    axes = []
    for i in np.atleast_1d(known).tolist():
        if i >= rank:
            raise ValueError(f"dim {i} not in the interval [0, {rank - 1}].")
        if i < -rank:
            raise ValueError(f"Negatively indexed dim {i} not in the interval [-{rank}, -1]")
        axes.append(i % rank)
    return axes


def _with_last(x: Any, axes: list[int]) -> Any:
    """A tensor with these dimensions as one, the last."""
    others = [i for i in range(x.shape.ndims) if i not in axes]
    moved = array_ops.transpose(x, perm=others + axes)
    if x.get_shape().is_fully_defined():
        sizes = x.get_shape().as_list()
        shape: Any = [sizes[i] for i in others] + [np.prod([sizes[i] for i in axes])]
    else:
        begin = array_ops.shape(moved)[: len(others)]
        shape = array_ops.concat([begin, [-1]], axis=0)
    return array_ops.reshape(moved, shape=shape)
