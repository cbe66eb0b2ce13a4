"""`tensorflow.python.ops.ragged.ragged_gather_ops`: chosen rows and elements."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_array_ops
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = 0,
    batch_dims: Any = 0,
    name: Name = None,
) -> Any:
    """As `tf.gather`, where `params` or `indices` may be ragged.

    Raises:
      ValueError: `axis` or `batch_dims` is not 0, or the rank of `indices` unknown.
    """
    if not isinstance(axis, int) or axis != 0:
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with ops.name_scope(name, "RaggedGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        if is_ragged(indices):
            return indices.with_values(gather(params, indices.values))
        if not is_ragged(params):
            return array_ops.gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("indices.shape.ndims must be known statically")
        found = raw_ops.RaggedGather(
            indices=indices,
            params_dense_values=params.flat_values,
            params_nested_splits=params.nested_row_splits,
            OUTPUT_RAGGED_RANK=indices.shape.ndims + params.ragged_rank - 1,
        )
        return RaggedTensor.from_nested_row_splits(
            found.output_dense_values, found.output_nested_splits, validate=False
        )


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: Name = None) -> Any:
    """As `tf.gather_nd`, where `params` or `indices` may be ragged.

    Raises:
      ValueError: `batch_dims` is not 0, or the shape of `indices` doesn't fit.
    """
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if not (is_ragged(params) or is_ragged(indices)):
        return array_ops.gather_nd(params, indices, name)
    with ops.name_scope(name, "RaggedGatherNd", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("indices.rank be statically known.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if is_ragged(indices) and rank == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        index_size = dimension_value(indices.shape[-1])
        if index_size is None:
            raise ValueError("indices.shape[-1] must be statically known.")
        if rank > 2:
            return _by_rows(params, indices, rank)
        return _by_tuples(params, indices, rank, index_size)


def _by_rows(params: Any, indices: Any, rank: int) -> Any:
    """`gather_nd` by the rows of indices with more than two dimensions."""
    dense = not is_ragged(indices)
    if dense:
        indices = RaggedTensor.from_tensor(
            indices, ragged_rank=rank - 2, row_splits_dtype=params.row_splits.dtype
        )
    result = indices.with_flat_values(gather_nd(params, indices.flat_values))
    if dense and is_ragged(result) and result.ragged_rank == rank - 2:
        return result.to_tensor()
    return result


def _by_tuples(params: RaggedTensor, indices: Any, rank: int, index_size: int) -> Any:
    """`gather_nd` by one tuple of `index_size` indices, or a vector of them."""
    if index_size == 0:
        params_rank = params.ragged_rank + array_ops.rank(params.flat_values)
        for _ in range(rank - 1):
            params = ragged_array_ops.expand_dims(params, axis=0)
        ones = array_ops.ones([params_rank], dtypes.int32)
        multiples = array_ops.concat([array_ops.shape(indices)[:-1], ones], axis=0)
        return ragged_array_ops.tile(params, multiples)
    if index_size == 1:
        return gather(params, array_ops.reshape(indices, [-1]))
    # Dimension by dimension, what is left of each tuple is where its element lies in the values.
    indices = math_ops.cast(indices, params.row_splits.dtype)
    places = array_ops.gather(params.row_splits, indices[..., 0])
    places += indices[..., 1]
    values = params.values
    for dim in range(2, index_size):
        if not is_ragged(values):
            places = array_ops.expand_dims(places, axis=1)
            places = array_ops.concat([places, indices[..., dim:]], axis=1)
            return array_ops.gather_nd(values, places)
        places = array_ops.gather(values.row_starts(), places)
        places += indices[..., dim]
        values = values.values
    return gather(values, places)
