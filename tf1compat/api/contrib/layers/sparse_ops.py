"""Sparse tensors from dense ones (`tensorflow.contrib.layers.python.ops.sparse_ops`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

__all__ = ["dense_to_sparse_tensor", "indicators_to_sparse_ids"]


def _ignore_value_tensor(dtype: Any, ignore_value: Any = None) -> Tensor:
    if ignore_value is None:
        ignore_value = "" if dtype == dtypes.string else dtype.as_numpy_dtype()
    return math_ops.cast(ignore_value, dtype, name="ignore_value")


def dense_to_sparse_tensor(dense_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """The elements that are not `ignore_value`, by default 0 or "", as a sparse tensor."""
    with ops.name_scope("DenseToSparseTensor"):
        tensor = ops.convert_to_tensor(dense_tensor)
        ignored = _ignore_value_tensor(tensor.dtype, ignore_value)
        indices = gather_ops.where(math_ops.not_equal(tensor, ignored), name="indices")
        return SparseTensor(
            indices=indices,
            values=gather_ops.gather_nd(tensor, indices, name="values"),
            dense_shape=array_ops.shape(tensor, out_type=dtypes.int64, name="dense_shape"),
        )


def indicators_to_sparse_ids(
    indicators: Any, ignore_value: Any = None, dtype: Any = dtypes.int64
) -> SparseTensor:
    """Which elements of each row are not `ignore_value`, by their numbers.

    Args:
      indicators: a tensor [..., n].
      ignore_value: by default 0 or "".
      dtype: an integer dtype.

    Returns:
      A sparse tensor [..., greatest count] of numbers below n.

    Raises:
      ValueError: another dtype.
    """
    if not dtype.is_integer:
        raise ValueError(f"Invalid dtype {dtype} not integer.")
    with ops.name_scope(None, "indicators_to_sparse_ids", (indicators, ignore_value)):
        indicators = ops.convert_to_tensor(indicators, name="indicators")
        ignored = _ignore_value_tensor(indicators.dtype, ignore_value)
        missing = math_ops.equal(indicators, ignored, name="missing")
        zeros = array_ops.zeros_like(indicators, dtype=dtypes.int64, name="zeros")
        ones = array_ops.ones_like(indicators, dtype=dtypes.int64, name="ones")
        present = gather_ops.where(missing, zeros, ones, name="binary_indicators")
        # Each one's place among those of its row, counted from 1.
        places = gather_ops.where(
            missing, zeros, math_ops.cumsum(present, axis=-1), "row_index_indicators"
        )
        width = array_ops.reshape(math_ops.reduce_max(places), shape=(1,), name="result_last_dim")
        sparse = dense_to_sparse_tensor(places, ignore_value=0)
        columns = array_ops.reshape(sparse.values - 1, (-1, 1))
        return SparseTensor(
            indices=array_ops.concat((sparse.indices[:, :-1], columns), axis=1, name="indices"),
            values=math_ops.cast(sparse.indices[:, -1], dtype=dtype, name="values"),
            dense_shape=array_ops.concat(
                (sparse.dense_shape[0:-1], width), axis=0, name="dense_shape"
            ),
        )


def sparse_row_envelope(
    sparse_input: SparseTensor, row_axis: int = 0, col_axis: int = 1, name: Name = None
) -> Tensor:
    """How many columns each row needs for what is in it.

    Args:
      sparse_input: the tensor.
      row_axis, col_axis: which of its dimensions are meant.
      name: the name of the scope.

    Returns:
      For each row the index after its last element, 0 if there is none.

    Raises:
      ValueError: the dimensions are no integers, or the same.
    """
    if not all(isinstance(axis, int | np.integer) for axis in (row_axis, col_axis)):
        raise ValueError("`row_axis` and `col_axis` must be integers.")
    if row_axis == col_axis:
        raise ValueError("Row and column can not be the same axis.")
    with ops.name_scope(name, "sparse_row_envelope", [sparse_input]):
        indices = sparse_input.indices
        rows, columns = indices[:, row_axis], indices[:, col_axis]
        count = math_ops.cast(sparse_input.dense_shape[row_axis], dtypes.int32)
        ends: Any = math_ops.unsorted_segment_max(columns + 1, rows, count, name=name)
        zeros = array_ops.zeros_like(ends)
        return array_ops.where(ends > zeros, ends, zeros)
