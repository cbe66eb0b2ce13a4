"""`tensorflow.python.ops.ragged.ragged_batch_gather_ops`: chosen elements of each row."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_gather_ops, ragged_util
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.core import ops
from tf1compat.core.typing import Name


def batch_gather(params: Any, indices: Any, name: Name = None) -> Any:
    """As `tf.batch_gather`, where `params` or `indices` may be ragged.

    Raises:
      ValueError: their shapes do not fit.
    """
    if not (is_ragged(params) or is_ragged(indices)):
        return array_ops.batch_gather(params, indices, name)
    mismatch = "batch shape from indices does not match params shape"
    with ops.name_scope(name, "RaggedBatchGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if not is_ragged(indices):
            if rank == 1:
                return ragged_gather_ops.gather(params, indices)
            if rank > 2:
                raise ValueError(mismatch)
            starts = array_ops.expand_dims(params.row_starts(), 1)
            places = math_ops.cast(indices, starts.dtype) + starts
            return ragged_gather_ops.gather(params.values, places)
        if rank > 2:
            if not is_ragged(params):
                raise ValueError(mismatch)
            checks = [check_ops.assert_equal(params.row_splits, indices.row_splits)]
            with ops.control_dependencies(checks):
                found = batch_gather(params.values, indices.values)
                return RaggedTensor.from_row_splits(found, indices.row_splits, validate=False)
        if not is_ragged(params):
            if params.shape.ndims is not None and params.shape.ndims < 2:
                raise ValueError(mismatch)
            params = RaggedTensor.from_tensor(
                params, ragged_rank=1, row_splits_dtype=indices.row_splits.dtype
            )
        lengths = indices.row_lengths()
        starts = ragged_util.repeat(params.row_starts(), lengths, axis=0)
        places = math_ops.cast(indices.values, starts.dtype) + starts
        found = ragged_gather_ops.gather(params.values, places)
        return RaggedTensor.from_row_splits(found, indices.row_splits, validate=False)
