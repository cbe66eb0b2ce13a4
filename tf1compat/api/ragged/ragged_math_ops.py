"""`tensorflow.python.ops.ragged.ragged_math_ops`: ranges, segments and reductions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_functional_ops, ragged_util, segment_id_ops
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_RANGE_DTYPES = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


@tf_export("ragged.range")
def range(
    starts: Any,
    limits: Any = None,
    deltas: Any = 1,
    dtype: DTypeLike | None = None,
    name: Name = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:
    """Rows of numbers, each as `tf.range` makes them (as in TF 1.15).

    Args:
      starts: a vector or scalar; the limits, if there are none.
      limits: a vector or scalar: what each row stays below.
      deltas: a vector or scalar: the steps.
      dtype: int32, int64, float32 or float64; the widest of the arguments' by default.
      name: a name scope.
      row_splits_dtype: int32 or int64.

    Returns:
      A ragged tensor [rows, None].

    Raises:
      InvalidArgumentError: at run time, if a step is 0.
    """
    row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with ops.name_scope(name, "RaggedRange", [starts, limits, deltas]) as name:
        given = [
            ops.convert_to_tensor(value, dtype=dtype, name=what)
            for what, value in (("starts", starts), ("limits", limits), ("deltas", deltas))
        ]
        if dtype is None:
            assert all(tensor.dtype in _RANGE_DTYPES for tensor in given)
            widest = max((tensor.dtype for tensor in given), key=_RANGE_DTYPES.index)
            given = [math_ops.cast(tensor, widest) for tensor in given]
        found = raw_ops.RaggedRange(*given, Tsplits=row_splits_dtype, name=name)
        return RaggedTensor.from_row_splits(
            found.rt_dense_values, found.rt_nested_splits, validate=False
        )


# Segments.


def _segment_aggregate(
    unsorted_segment_op: Callable[..., Any],
    data: Any,
    segment_ids: Any,
    num_segments: Any,
    separator: str | None = None,
    name: Name = None,
) -> Any:
    """The rows of each segment combined: their first elements, their second ones, …"""
    if not (is_ragged(data) or is_ragged(segment_ids)):
        more = (name,) if separator is None else (separator, name)
        return unsorted_segment_op(data, segment_ids, num_segments, *more)
    with ops.name_scope(name, "RaggedSegment", [data, segment_ids, num_segments]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        segment_ids = convert_to_tensor_or_ragged_tensor(segment_ids, name="segment_ids")
        data, segment_ids = match_row_splits_dtypes(data, segment_ids)
        if segment_ids.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("segment_ids must have dtype int32 or int64.")
        if is_ragged(segment_ids):
            message = "segment_ids.shape must be a prefix of data.shape"
            if not is_ragged(data):
                raise ValueError(f"{message}, but segment_ids is ragged and data is not.")
            check = check_ops.assert_equal(segment_ids.row_splits, data.row_splits, message=message)
            with ops.control_dependencies([check]):
                return _segment_aggregate(
                    unsorted_segment_op, data.values, segment_ids.values, num_segments, separator
                )
        lengths = ragged_util.splits_to_lengths(data.row_splits)
        out_lengths = math_ops.maximum(
            math_ops.unsorted_segment_max(lengths, segment_ids, num_segments), 0
        )
        out_splits = array_ops.concat(
            [array_ops.zeros([1], out_lengths.dtype), math_ops.cumsum(out_lengths)], axis=0
        )
        starts = array_ops.gather(out_splits, segment_ids)
        places = range(starts, starts + lengths).values
        values = _segment_aggregate(
            unsorted_segment_op, data.values, places, out_splits[-1], separator
        )
        return RaggedTensor.from_row_splits(values, out_splits, validate=False)


def segment_sum(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """The sum of the rows of each segment (as `tf.math.unsorted_segment_sum`)."""
    return _segment_aggregate(
        math_ops.unsorted_segment_sum,
        data,
        segment_ids,
        num_segments,
        name=name or "RaggedSegmentSum",
    )


def segment_prod(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """The product of the rows of each segment (as `tf.math.unsorted_segment_prod`)."""
    return _segment_aggregate(
        math_ops.unsorted_segment_prod,
        data,
        segment_ids,
        num_segments,
        name=name or "RaggedSegmentProd",
    )


def segment_min(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """The minimum of the rows of each segment (as `tf.math.unsorted_segment_min`)."""
    return _segment_aggregate(
        math_ops.unsorted_segment_min,
        data,
        segment_ids,
        num_segments,
        name=name or "RaggedSegmentMin",
    )


def segment_max(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """The maximum of the rows of each segment (as `tf.math.unsorted_segment_max`)."""
    return _segment_aggregate(
        math_ops.unsorted_segment_max,
        data,
        segment_ids,
        num_segments,
        name=name or "RaggedSegmentMax",
    )


def segment_mean(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """The mean of the rows of each segment (as `tf.math.unsorted_segment_mean`)."""
    with ops.name_scope(name, "RaggedSegmentMean", [data, segment_ids, num_segments]):
        total, count = _totals(data, segment_ids, num_segments)
        if is_ragged(total):
            return total.with_flat_values(total.flat_values / count.flat_values)
        return total / count


def segment_sqrt_n(
    data: Any, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Any:
    """As `segment_sum`, divided by the square root of how many there are."""
    with ops.name_scope(name, "RaggedSegmentSqrtN", [data, segment_ids, num_segments]):
        total, count = _totals(data, segment_ids, num_segments)
        if is_ragged(total):
            root = math_ops.sqrt(count.flat_values)
            return total.with_flat_values(total.flat_values / root)
        return total / math_ops.sqrt(count)


def _totals(data: Any, segment_ids: TensorLike, num_segments: TensorLike) -> tuple[Any, Any]:
    """The sum of each segment, and how many elements it is of."""
    total = segment_sum(data, segment_ids, num_segments)
    ones = RaggedTensor.from_nested_row_splits(
        array_ops.ones_like(data.flat_values), data.nested_row_splits, validate=False
    )
    return total, segment_sum(ones, segment_ids, num_segments)


# Reductions.


def ragged_reduce_aggregate(
    reduce_op: Callable[..., Any],
    unsorted_segment_op: Callable[..., Any],
    rt_input: Any,
    axis: Any,
    keepdims: Any,
    separator: str | None = None,
    name: Name = None,
) -> Any:
    """Reduces dimensions of a ragged tensor.

    Args:
      reduce_op: what reduces dimensions of a tensor.
      unsorted_segment_op: what reduces segments of a tensor in the same way.
      rt_input: the tensor.
      axis: an int, several, or a constant tensor of them; None for all.
      keepdims: whether the dimensions stay; ragged ones can't.
      separator: what both functions are given as `separator`.
      name: a name scope.

    Raises:
      ValueError: `keepdims` is set, or `axis` unknown.
    """
    if not is_ragged(rt_input):
        more = {} if separator is None else {"separator": separator}
        return reduce_op(rt_input, axis, name=name, **more)
    if keepdims:
        raise ValueError("keepdims=True is not supported for RaggedTensors.")
    if isinstance(axis, Tensor):
        axis = tensor_util.constant_value(axis)
        if axis is None:
            raise ValueError("axis must be known at graph construction time.")
        if isinstance(axis, np.ndarray):
            axis = axis.tolist()
    if axis is None:
        return reduce_op(rt_input.flat_values, None, name=name)
    functions = (reduce_op, unsorted_segment_op)
    with ops.name_scope(name, "RaggedReduce", [rt_input, axis]):
        if isinstance(axis, tuple | list):
            axis = list(axis)
            if not axis:
                return rt_input
            if len(axis) > 1:
                ndims = rt_input.shape.ndims
                axis = sorted(ragged_util.get_positive_axis(dim, ndims) for dim in axis)
                inner = ragged_reduce_aggregate(*functions, rt_input, axis[-1], keepdims, separator)
                return ragged_reduce_aggregate(*functions, inner, axis[:-1], keepdims, separator)
            axis = axis[0]
        rt_input = convert_to_tensor_or_ragged_tensor(rt_input, name="rt_input")
        axis = ragged_util.get_positive_axis(axis, rt_input.shape.ndims)
        if axis == 0:
            lengths = ragged_util.splits_to_lengths(rt_input.row_splits)
            num_segments = math_ops.maximum(math_ops.reduce_max(lengths), 0)
            segment_ids = range(lengths).values
        elif axis == 1:
            num_segments = array_ops.shape(rt_input.row_splits)[0] - 1
            segment_ids = segment_id_ops.row_splits_to_segment_ids(rt_input.row_splits)
        else:
            return rt_input.with_values(
                ragged_reduce_aggregate(*functions, rt_input.values, axis - 1, keepdims, separator)
            )
        return _segment_aggregate(
            unsorted_segment_op, rt_input.values, segment_ids, num_segments, separator
        )


def _reduction(
    kind: str, reduce_op: Callable[..., Any], unsorted_segment_op: Callable[..., Any]
) -> Callable[..., Any]:
    """`tf.reduce_sum` and its like, where the tensor may be ragged."""
    scope = f"RaggedReduce{kind}"

    def reduce(
        input_tensor: Any,
        axis: TensorLike | None = None,
        keepdims: bool | None = None,
        name: Name = None,
    ) -> Any:
        return ragged_reduce_aggregate(
            reduce_op, unsorted_segment_op, input_tensor, axis, keepdims, name=name or scope
        )

    reduce.__name__ = reduce.__qualname__ = reduce_op.__name__
    reduce.__doc__ = f"As `tf.{reduce_op.__name__}`, where the tensor may be ragged."
    return reduce


reduce_sum = _reduction("Sum", math_ops.reduce_sum, math_ops.unsorted_segment_sum)
reduce_prod = _reduction("Prod", math_ops.reduce_prod, math_ops.unsorted_segment_prod)
reduce_min = _reduction("Min", math_ops.reduce_min, math_ops.unsorted_segment_min)
reduce_max = _reduction("Max", math_ops.reduce_max, math_ops.unsorted_segment_max)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: Name = None
) -> Any:
    """As `tf.reduce_mean`, where the tensor may be ragged."""
    with ops.name_scope(name, "RaggedReduceMean", [input_tensor, axis]):
        total = reduce_sum(input_tensor, axis, keepdims)
        if is_ragged(input_tensor):
            ones = RaggedTensor.from_nested_row_splits(
                array_ops.ones_like(input_tensor.flat_values),
                input_tensor.nested_row_splits,
                validate=False,
            )
        else:
            ones = array_ops.ones_like(input_tensor)
        count = reduce_sum(ones, axis, keepdims)
        if is_ragged(total):
            return RaggedTensor.from_nested_row_splits(
                total.flat_values / count.flat_values, total.nested_row_splits, validate=False
            )
        return total / count


def _cast(value: Any, dtype: dtypes.DType) -> Any:
    return ragged_functional_ops.map_flat_values(math_ops.cast, value, dtype)


def reduce_all(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: Name = None,
) -> Any:
    """As `tf.reduce_all`, where the tensor may be ragged."""
    with ops.name_scope(name, "RaggedReduceAll", [input_tensor, axis]):
        ints = _cast(input_tensor, dtypes.int32)
        return _cast(reduce_prod(ints, axis, keepdims), dtypes.bool)


def reduce_any(
    input_tensor: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    name: Name = None,
) -> Any:
    """As `tf.reduce_any`, where the tensor may be ragged."""
    with ops.name_scope(name, "RaggedReduceAny", [input_tensor, axis]):
        ints = _cast(input_tensor, dtypes.int32)
        return _cast(reduce_sum(ints, axis, keepdims), dtypes.bool)
