"""Sparse tensors from dense ones (`tensorflow.contrib.layers.python.ops.sparse_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor

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
