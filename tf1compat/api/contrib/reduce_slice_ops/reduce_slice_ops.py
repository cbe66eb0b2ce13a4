"""`tensorflow.contrib.reduce_slice_ops.python.ops.reduce_slice_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops


def reduce_slice_sum(data: Any, indices: Any, axis: Any, name: str | None = None) -> Any:
    """The sums of slices along an axis.

    Args:
      data: a tensor of numbers.
      indices: int32 or int64, [n, 2]: where each slice begins and ends; or [n + 1], where one ends
        and the next begins. An empty slice gives 0.
      axis: the axis.
      name: name for the operation.

    Returns:
      A tensor like `data`, with n elements along the axis.

    Raises:
      ValueError: the shapes don't fit.
    """
    return raw_ops.ReduceSliceSum(data, indices, axis, name=name)


def reduce_slice_prod(data: Any, indices: Any, axis: Any, name: str | None = None) -> Any:
    """The products of slices along an axis.

    Args:
      data: a tensor of numbers.
      indices: int32 or int64, [n, 2]: where each slice begins and ends; or [n + 1], where one ends
        and the next begins. An empty slice gives 1.
      axis: the axis.
      name: name for the operation.

    Returns:
      A tensor like `data`, with n elements along the axis.

    Raises:
      ValueError: the shapes don't fit.
    """
    return raw_ops.ReduceSliceProd(data, indices, axis, name=name)


def reduce_slice_max(data: Any, indices: Any, axis: Any, name: str | None = None) -> Any:
    """The greatest elements of slices along an axis.

    Args:
      data: a tensor of numbers.
      indices: int32 or int64, [n, 2]: where each slice begins and ends; or [n + 1], where one ends
        and the next begins. An empty slice gives the least number of its type.
      axis: the axis.
      name: name for the operation.

    Returns:
      A tensor like `data`, with n elements along the axis.

    Raises:
      ValueError: the shapes don't fit.
    """
    return raw_ops.ReduceSliceMax(data, indices, axis, name=name)


def reduce_slice_min(data: Any, indices: Any, axis: Any, name: str | None = None) -> Any:
    """The least elements of slices along an axis.

    Args:
      data: a tensor of numbers.
      indices: int32 or int64, [n, 2]: where each slice begins and ends; or [n + 1], where one ends
        and the next begins. An empty slice gives the greatest number of its type.
      axis: the axis.
      name: name for the operation.

    Returns:
      A tensor like `data`, with n elements along the axis.

    Raises:
      ValueError: the shapes don't fit.
    """
    return raw_ops.ReduceSliceMin(data, indices, axis, name=name)
