"""The part of `tensorflow.python.ops.math_ops` that reduces segments of the first dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _segment(reduction: str) -> Callable[..., Tensor]:
    record = raw_ops.function(f"Segment{reduction}")

    def call(data: TensorLike, segment_ids: TensorLike, name: Name = None) -> Tensor:
        return record(data, segment_ids, name=name)

    function: Any = call
    name = function.__name__ = function.__qualname__ = f"segment_{reduction.lower()}"
    function.__doc__ = f"""The {reduction.lower()} of the rows of each segment.

    Args:
      data: a tensor of shape [n, …].
      segment_ids: a vector of n integers, sorted: the segment of each row.
      name: the operation's name.

    Returns:
      A tensor of shape [last segment + 1, …].
    """
    return tf_export(f"math.{name}", name)(function)


def _unsorted_segment(reduction: str) -> Callable[..., Tensor]:
    record = raw_ops.function(f"UnsortedSegment{reduction}")

    def call(
        data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
    ) -> Tensor:
        return record(data, segment_ids, num_segments, name=name)

    function: Any = call
    name = function.__name__ = function.__qualname__ = f"unsorted_segment_{reduction.lower()}"
    function.__doc__ = f"""The {reduction.lower()} of the elements of each segment.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: integers below `num_segments`; where negative, the data is dropped.
      num_segments: a scalar.
      name: the operation's name.

    Returns:
      A tensor of shape [num_segments, …].
    """
    return tf_export(f"math.{name}", name)(add_dispatch_support(function))


segment_max = _segment("Max")
segment_mean = _segment("Mean")
segment_min = _segment("Min")
segment_prod = _segment("Prod")
segment_sum = _segment("Sum")
unsorted_segment_max = _unsorted_segment("Max")
unsorted_segment_min = _unsorted_segment("Min")
unsorted_segment_prod = _unsorted_segment("Prod")
unsorted_segment_sum = _unsorted_segment("Sum")


def _unsorted_segment_n(data: Tensor, segment_ids: Tensor, num_segments: TensorLike) -> Tensor:
    """How many elements each segment has, at least 1, shaped to divide the segments' sums."""
    ones = array_ops.ones(array_ops.shape_internal(segment_ids), dtype=data.dtype)
    count = raw_ops.UnsortedSegmentSum(ones, segment_ids, num_segments)
    rank: Any = data.shape.ndims - segment_ids.shape.ndims  # pyright: ignore[reportOperatorIssue]
    return raw_ops.Maximum(array_ops.reshape(count, [num_segments, *[1] * rank]), 1)


@tf_export("math.unsorted_segment_mean", "unsorted_segment_mean")
@add_dispatch_support
def unsorted_segment_mean(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Tensor:
    """As `unsorted_segment_sum`, divided by the number of elements of each segment.

    Args:
      data, segment_ids, num_segments: as in `unsorted_segment_sum`.
      name: the operation's name.

    Returns:
      A tensor [num_segments, ...].
    """
    with ops.name_scope(name, "UnsortedSegmentMean"):
        data = ops.convert_to_tensor(data)
        segment_ids = ops.convert_to_tensor(segment_ids)
        count = _unsorted_segment_n(data, segment_ids, num_segments)
        return raw_ops.UnsortedSegmentSum(data, segment_ids, num_segments) / count


@tf_export("math.unsorted_segment_sqrt_n", "unsorted_segment_sqrt_n")
@add_dispatch_support
def unsorted_segment_sqrt_n(
    data: TensorLike, segment_ids: TensorLike, num_segments: TensorLike, name: Name = None
) -> Tensor:
    """As `unsorted_segment_sum`, divided by the square root of each segment's size.

    Args:
      data, segment_ids, num_segments: as in `unsorted_segment_sum`.
      name: the operation's name.

    Returns:
      A tensor [num_segments, ...].
    """
    with ops.name_scope(name, "UnsortedSegmentSqrtN"):
        data = ops.convert_to_tensor(data)
        segment_ids = ops.convert_to_tensor(segment_ids)
        count = _unsorted_segment_n(data, segment_ids, num_segments)
        total = raw_ops.UnsortedSegmentSum(data, segment_ids, num_segments)
        return total / raw_ops.Sqrt(count)


def _sparse_segment(
    reduction: str, suffix: str
) -> tuple[Callable[..., Tensor], Callable[..., Tensor]]:
    record = raw_ops.function(f"SparseSegment{reduction}")
    record_counted = raw_ops.function(f"SparseSegment{reduction}WithNumSegments")

    def call(
        data: TensorLike,
        indices: TensorLike,
        segment_ids: TensorLike,
        name: Name = None,
        num_segments: TensorLike | None = None,
    ) -> Tensor:
        if num_segments is None:
            return record(data, indices, segment_ids, name=name)
        return record_counted(data, indices, segment_ids, num_segments, name=name)

    def call_v2(
        data: TensorLike,
        indices: TensorLike,
        segment_ids: TensorLike,
        num_segments: TensorLike | None = None,
        name: Name = None,
    ) -> Tensor:
        return call(data, indices, segment_ids, name=name, num_segments=num_segments)

    function: Any = call
    name = function.__name__ = function.__qualname__ = f"sparse_segment_{suffix}"
    function.__doc__ = f"""`segment_{suffix}` of the rows of `data` that `indices` names.

    Args:
      data: a tensor of shape [n, …].
      indices: a vector of rows.
      segment_ids: the segments of these rows, sorted.
      name: the operation's name.
      num_segments: how many segments there are; by default, the last segment id + 1.

    Returns:
      A tensor of shape [segments, …].
    """
    return tf_export(f"sparse.segment_{suffix}", name)(function), call_v2


sparse_segment_mean, sparse_segment_mean_v2 = _sparse_segment("Mean", "mean")
sparse_segment_sqrt_n, sparse_segment_sqrt_n_v2 = _sparse_segment("SqrtN", "sqrt_n")
sparse_segment_sum, sparse_segment_sum_v2 = _sparse_segment("Sum", "sum")
