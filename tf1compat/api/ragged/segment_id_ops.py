"""`tensorflow.python.ops.ragged.segment_id_ops`: row splits and segment ids."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import DTypeLike, Name


@tf_export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(
    splits: Any, name: Name = None, out_type: DTypeLike | None = None
) -> Tensor:
    """The number of the row that each value belongs to (as in TF 1.15).

    Args:
      splits: int32 or int64, shape [rows + 1]: where the rows start and end.
      name: a name scope.
      out_type: the dtype of the result; that of `splits` by default.

    Returns:
      A vector [values].

    Raises:
      ValueError: `splits` is no such vector.
    """
    with ops.name_scope(name, "RaggedSplitsToSegmentIds", [splits]):
        splits = ops.convert_to_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if dimension_value(splits.shape[0]) == 0:
            raise ValueError("Invalid row_splits: []")
        out_type = splits.dtype if out_type is None else dtypes.as_dtype(out_type)
        row_lengths = ragged_util.splits_to_lengths(splits)
        nrows = array_ops.shape(splits, out_type=out_type)[-1] - 1
        return ragged_util.repeat(math_ops.range(nrows), repeats=row_lengths, axis=0)


@tf_export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: Name = None
) -> Tensor:
    """Where the rows start and end whose values have these segment ids (as in TF 1.15).

    Args:
      segment_ids: a sorted vector of integers.
      num_segments: how many rows there are; the last id and one by default.
      out_type: int32 or int64.
      name: a name scope.

    Returns:
      A vector [rows + 1].
    """
    if out_type is None:
        given = [x for x in (segment_ids, num_segments) if isinstance(x, Tensor)]
        out_type = given[0].dtype if given else dtypes.int64
    else:
        out_type = dtypes.as_dtype(out_type)
    with ops.name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]):
        segment_ids = ragged_util.convert_to_int_tensor(segment_ids, "segment_ids")
        segment_ids.shape.assert_has_rank(1)
        if num_segments is not None:
            num_segments = ragged_util.convert_to_int_tensor(num_segments, "num_segments")
            num_segments.shape.assert_has_rank(0)
        rows = None if num_segments is None else tensor_util.constant_value(num_segments)
        return row_lengths_and_splits(segment_ids, num_segments, out_type, rows)[1]


def row_lengths_and_splits(
    rowids: Tensor, nrows: Any, dtype: dtypes.DType, const_nrows: int | None
) -> tuple[Tensor, Tensor]:
    """How many values each row has, and the row splits.

    Args:
      rowids: the number of the row of each value.
      nrows: how many rows there are, a tensor; None for the last number and one.
      dtype: the dtype of both results.
      const_nrows: `nrows` as a number, if it is known.
    """
    lengths = math_ops.bincount(rowids, minlength=nrows, maxlength=nrows, dtype=dtype)
    splits = array_ops.concat([[0], math_ops.cumsum(lengths)], axis=0)
    if const_nrows is not None:
        splits.set_shape([const_nrows + 1])
    return lengths, splits
