"""`tensorflow.python.ops.ragged.ragged_util`: what the ragged functions share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.sequence_ops import (
    convert_to_int_tensor,
    get_positive_axis,
    repeat_with_axis,
)
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.core import raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

__all__ = [
    "assert_splits_match",
    "convert_to_int_tensor",
    "get_positive_axis",
    "lengths_to_splits",
    "repeat",
    "repeat_ranges",
    "splits_to_lengths",
]

repeat = repeat_with_axis


def assert_splits_match(nested_splits_lists: Sequence[Sequence[Tensor]]) -> list[Any]:
    """Operations that fail unless all the nested row splits are the same.

    Raises:
      ValueError: they differ in number.
    """
    message = "Inputs must have identical ragged splits"
    first = nested_splits_lists[0]
    if any(len(splits) != len(first) for splits in nested_splits_lists):
        raise ValueError(message)
    return [
        check_ops.assert_equal(expected, found, message=message)
        for splits in nested_splits_lists[1:]
        for expected, found in zip(first, splits, strict=True)
    ]


def lengths_to_splits(lengths: TensorLike) -> Tensor:
    """The row splits of rows of these lengths."""
    return array_ops.concat([[0], math_ops.cumsum(lengths)], axis=-1)


def splits_to_lengths(splits: Tensor) -> Tensor:
    """The lengths of the rows with these row splits."""
    return splits[1:] - splits[:-1]


def repeat_ranges(params: TensorLike, splits: Tensor, repeats: Tensor) -> Tensor:
    """Repeats each range `params[splits[i] : splits[i + 1]]`.

    Args:
      params: the tensor that the ranges are of.
      splits: int32 or int64, shape [ranges + 1].
      repeats: how often, a scalar or one for each range.
    """
    starts, limits = _repeated_bounds(splits, repeats)
    one = array_ops.ones((), starts.dtype)
    return array_ops.gather(params, raw_ops.RaggedRange(starts, limits, one).rt_dense_values)


def _repeated_bounds(splits: Tensor, repeats: Tensor) -> tuple[Tensor, Tensor]:
    """Where each range starts and where it ends, as often as it is repeated."""
    if repeats.shape.ndims != 0:
        return repeat(splits[:-1], repeats, axis=0), repeat(splits[1:], repeats, axis=0)
    # With each limit repeated, the ranges lie `repeats` places apart.
    repeated = repeat(splits, repeats, axis=0)
    last = array_ops.shape(repeated, out_type=repeats.dtype)[0] - repeats
    return repeated[:last], repeated[repeats:]
