"""What `tf.RaggedTensor.from_tensor` and `to_tensor` record."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape


def from_tensor(
    cls: Any,
    tensor: Any,
    lengths: Any,
    padding: Any,
    ragged_rank: int,
    name: Any,
    dtype: dtypes.DType,
) -> Any:
    """As `RaggedTensor.from_tensor`; `cls` is that class, `dtype` that of the row splits."""
    if lengths is not None and padding is not None:
        raise ValueError("Specify lengths or padding, but not both")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
    if ragged_rank <= 0:
        raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
    with ops.name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
        tensor = ops.convert_to_tensor(tensor, name="tensor")
        tensor.shape.with_rank_at_least(ragged_rank + 1)
        shape = array_ops.shape(tensor, out_type=dtype)
        ncols = shape[1]
        if ragged_rank > 1:
            return _nested(cls, tensor, lengths, padding, ragged_rank, shape, dtype)
        if padding is not None:
            lengths = _lengths_without(padding, tensor, ncols, dtype)
        if lengths is not None:
            if isinstance(lengths, list | tuple) and lengths:
                if not isinstance(lengths[0], int | float):
                    return _of_nested_lengths(cls, tensor, lengths)
            return _of_lengths(cls, tensor, lengths, ncols, dtype)
        nrows = shape[0]
        count = nrows * ncols
        splits = math_ops.range(nrows + 1) * ncols
        values_shape = array_ops.concat([[count], shape[2:]], axis=0)
        values = array_ops.reshape(tensor, values_shape)
        return cls.from_row_splits(values, splits, validate=False)


def _nested(
    cls: Any,
    tensor: Tensor,
    lengths: Any,
    padding: Any,
    ragged_rank: int,
    shape: Tensor,
    dtype: dtypes.DType,
) -> Any:
    """The innermost ragged dimension by itself; the outer ones have rows of one length."""
    flat_shape = array_ops.concat([constant([-1], dtype), shape[ragged_rank:]], axis=0)
    flattened = array_ops.reshape(tensor, flat_shape)
    values = cls.from_tensor(flattened, lengths, padding, row_splits_dtype=dtype)
    sizes = math_ops.cumprod(shape)
    splits = [math_ops.range(0, sizes[dim - 1] + 1) * shape[dim] for dim in range(1, ragged_rank)]
    return cls.from_nested_row_splits(values, splits, validate=False)


def _lengths_without(padding: Any, tensor: Tensor, ncols: Tensor, dtype: dtypes.DType) -> Tensor:
    """How long the rows are without the padding at their ends."""
    padding = ops.convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    is_padding = math_ops.equal(padding, tensor)
    rank = array_ops.rank(tensor)
    inner = math_ops.range(2, rank)
    whole: Any = control_flow_ops.cond(
        rank > 2,
        lambda: math_ops.reduce_all(is_padding, axis=inner),
        lambda: is_padding,
    )
    whole.set_shape(TensorShape([None, None]))
    whole.set_shape(tensor.shape[:2])
    is_value = math_ops.cast(math_ops.logical_not(whole), dtype)
    columns = array_ops.expand_dims(math_ops.range(1, ncols + 1), 0)
    return math_ops.reduce_max(is_value * columns, axis=1)


def _of_nested_lengths(cls: Any, tensor: Tensor, lengths: Any) -> Any:
    tensor.shape.with_rank_at_least(len(lengths) + 1)
    count = math_ops.reduce_sum(lengths[-1])
    ones = array_ops.ones([count], dtype=dtypes.bool)
    ragged_mask = cls.from_nested_row_lengths(ones, lengths, validate=False)
    mask = ragged_mask.to_tensor(default_value=False)
    values = array_ops.boolean_mask(tensor, mask)
    return cls.from_nested_row_lengths(values, lengths, validate=False)


def _of_lengths(cls: Any, tensor: Tensor, lengths: Any, ncols: Tensor, dtype: dtypes.DType) -> Any:
    lengths = ragged_util.convert_to_int_tensor(lengths, "lengths", dtype)
    lengths.shape.assert_has_rank(1)
    lengths = math_ops.maximum(math_ops.minimum(lengths, ncols), 0)
    limits = math_ops.cumsum(lengths)
    splits = array_ops.concat([array_ops.zeros([1], dtype), limits], axis=0)
    mask = array_ops.sequence_mask(lengths, maxlen=ncols)
    values = array_ops.boolean_mask(tensor, mask)
    return cls.from_row_splits(values, splits, validate=False)


def to_tensor(value: Any, default_value: Any, name: Any) -> Tensor:
    """As `RaggedTensor.to_tensor`."""
    with ops.name_scope(name, "RaggedToTensor", [value, default_value]):
        if default_value is not None:
            default_value = ops.convert_to_tensor(
                default_value, name="default_value", dtype=value.dtype
            )
        values = value.values
        if nest.is_composite(values):
            values = values.to_tensor(default_value)
        if default_value is not None:
            rank, default_rank = values.shape.ndims, default_value.shape.ndims
            if rank is not None:
                default_value.shape.with_rank_at_most(rank - 1)
            if rank is None or default_rank is None or rank != default_rank + 1:
                shape_of_one = array_ops.shape(values)[1:]
                default_value = array_ops.broadcast_to(default_value, shape_of_one)
            default_value.shape.assert_is_compatible_with(values.shape[1:])
        dtype = value.row_splits.dtype
        row_lengths = [value.row_splits[1:] - value.row_splits[:-1]]
        nrows = array_ops.shape(value.row_splits, out_type=dtype)[0] - 1
        ncols = math_ops.maximum(math_ops.reduce_max(row_lengths), 0)
        values_shape = array_ops.shape(values, out_type=dtype)
        shape_of_one = values_shape[1:]
        count = values_shape[0]
        if default_value is None:
            default_value = array_ops.zeros(shape_of_one, dtype=values.dtype)
        default_value.shape.assert_is_compatible_with(values.shape[1:])
        default_value.set_shape(values.shape[1:])
        starts = array_ops.expand_dims(value.row_splits[:-1], 1)
        limits = array_ops.expand_dims(value.row_splits[1:], 1)
        columns = array_ops.expand_dims(math_ops.range(0, ncols), 0)
        # The default is the last row of the table that everything is gathered from.
        table = array_ops.concat([values, array_ops.stack([default_value])], axis=0)
        places = starts + columns
        in_row = places < limits
        default_places = array_ops.fill(array_ops.stack([nrows, ncols]), count)
        return array_ops.gather(table, array_ops.where(in_row, places, default_places))
