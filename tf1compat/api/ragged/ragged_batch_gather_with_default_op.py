"""`tensorflow.python.ops.ragged.ragged_batch_gather_with_default_op`: chosen elements of each row,
and a default where there is none."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_array_ops, ragged_tensor_shape, ragged_where_op
from tf1compat.api.ragged.ragged_tensor import (
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.api.ragged.ragged_tensor_shape import RaggedTensorDynamicShape
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


def batch_gather_with_default(
    params: Any, indices: Any, default_value: Any = "", name: Name = None
) -> Any:
    """As `tf.batch_gather`, with `default_value` for indices that are out of range.

    Args:
      params, indices: tensors or ragged tensors.
      default_value: a scalar or vector.
      name: a name scope.

    Raises:
      ValueError: a rank is unknown, or `default_value` has another one.
    """
    with ops.name_scope(name, "RaggedBatchGatherWithDefault"):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        default = convert_to_tensor_or_ragged_tensor(default_value, name="default_value")
        dtype, (params, indices, default) = match_row_splits_dtypes(
            params, indices, default, return_dtype=True
        )
        if default.shape.ndims not in (0, 1):
            raise ValueError('"default_value" must be a scalar or vector')
        if indices.shape.ndims is None:
            raise ValueError("Indices must have a known rank.")
        if params.shape.ndims is None:
            raise ValueError("Params must have a known rank.")
        axis = indices.shape.ndims - 1
        fits = check_ops.assert_greater_equal(array_ops.rank(params), array_ops.rank(indices))
        with ops.control_dependencies([fits]):
            limits, padding = _limits_and_padding(params, indices, default, dtype)
            # The default stands before each row; all indices move by one.
            padded = array_ops.concat([math_ops.cast(padding, params.dtype), params], axis=axis)
            shifted = indices + 1
            outside = (indices < 0) | (indices > limits)
            places = ragged_where_op.where(outside, array_ops.zeros_like(indices), shifted)
            return array_ops.batch_gather(padded, places, name=name)


def _limits_and_padding(
    params: Any, indices: Any, default: Tensor, dtype: dtypes.DType
) -> tuple[Any, Any]:
    """What is beyond the last index of each row, and the default for each row."""
    axis = indices.shape.ndims - 1
    if is_ragged(params):
        lengths = ragged_array_ops.expand_dims(params.row_lengths(axis=axis), axis=-1)
        limits = math_ops.cast(lengths, indices.dtype)
        shape = _shape_of_default(params, indices, dtype)
        return limits, ragged_tensor_shape.broadcast_to(default, shape)
    sizes = array_ops.shape(params)
    outer, inner = sizes[:axis], sizes[axis + 1 : params.shape.ndims]
    shape = array_ops.concat([outer, [1], inner], 0)
    return sizes[axis], array_ops.broadcast_to(default, shape)


def _shape_of_default(params: Any, indices: Any, dtype: dtypes.DType) -> RaggedTensorDynamicShape:
    """The shape of `params` with size 1 in the dimension that is gathered from."""
    axis = indices.shape.ndims - 1
    shape = RaggedTensorDynamicShape.from_tensor(params, dim_size_dtype=dtype)
    sizes = shape.partitioned_dim_sizes
    if params.shape.ndims == indices.shape.ndims:
        if shape.num_inner_dimensions == 0:
            return RaggedTensorDynamicShape((*sizes[:-1], array_ops.ones_like(sizes[-1])), [])
        inner = array_ops.concat([shape.inner_dim_sizes[:-1], [1]], axis=0)
        return RaggedTensorDynamicShape(sizes, inner)
    if axis == 0:
        one, ones = constant(1, dtype=dtype), constant([1], dtype=dtype)
        sizes = (one, *[ones] * (shape.num_partitioned_dimensions - 1))
    else:
        ones = array_ops.ones_like(sizes[axis])
        sizes = (*sizes[:axis], *[ones] * (shape.num_partitioned_dimensions - axis))
    return RaggedTensorDynamicShape(sizes, shape.inner_dim_sizes)
