"""What `tf.RaggedTensor.from_tensor` and `to_tensor` record."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike


def from_tensor(
    cls: Any,
    tensor: TensorLike,
    lengths: Any,
    padding: Any,
    ragged_rank: int,
    name: Any,
    dtype: dtypes.DType,
) -> Any:
    """As `RaggedTensor.from_tensor`; `cls` is that class, `dtype` that of the row splits."""
    _check_arguments(lengths, padding, ragged_rank)
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
        count = [nrows * ncols]
        splits = math_ops.range(nrows + 1) * ncols
        values = array_ops.reshape(tensor, array_ops.concat([count, shape[2:]], axis=0))
        return cls.from_row_splits(values, splits, validate=False)


def _check_arguments(lengths: TensorLike | None, padding: Any, ragged_rank: Any) -> None:
    if lengths is not None and padding is not None:
        raise ValueError("Specify lengths or padding, but not both")
    if not isinstance(ragged_rank, int):
        raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
    if ragged_rank <= 0:
        raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")


def _nested(
    cls: Any,
    tensor: Tensor,
    lengths: TensorLike,
    padding: Any,
    ragged_rank: int,
    shape: Tensor,
    dtype: dtypes.DType,
) -> Any:
    """The innermost ragged dimension by itself; the outer ones have rows of one length."""
    flat_shape = array_ops.concat([constant([-1], dtype), shape[ragged_rank:]], axis=0)
    rows = array_ops.reshape(tensor, flat_shape)
    innermost = cls.from_tensor(rows, lengths, padding, row_splits_dtype=dtype)
    counts = math_ops.cumprod(shape)
    outer = [math_ops.range(0, counts[dim] + 1) * shape[dim + 1] for dim in range(ragged_rank - 1)]
    return cls.from_nested_row_splits(innermost, outer, validate=False)


def _lengths_without(padding: Any, tensor: Tensor, ncols: Tensor, dtype: dtypes.DType) -> Tensor:
    """How long the rows are without the padding at their ends."""
    padding = ops.convert_to_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    is_padding = math_ops.equal(padding, tensor)
    rank = array_ops.rank(tensor)
    of_inner = functools.partial(math_ops.reduce_all, is_padding, axis=math_ops.range(2, rank))
    whole: Any = control_flow_ops.cond(rank > 2, of_inner, lambda: is_padding)
    whole.set_shape(TensorShape([None, None]).merge_with(tensor.shape[:2]))
    is_value = math_ops.cast(math_ops.logical_not(whole), dtype)
    columns = array_ops.expand_dims(math_ops.range(1, ncols + 1), 0)
    return math_ops.reduce_max(is_value * columns, axis=1)


def _of_nested_lengths(cls: Any, tensor: Tensor, lengths: Any) -> Any:
    tensor.shape.with_rank_at_least(len(lengths) + 1)
    flags = array_ops.ones([math_ops.reduce_sum(lengths[-1])], dtype=dtypes.bool)
    is_value = cls.from_nested_row_lengths(flags, lengths, validate=False).to_tensor(False)
    values = array_ops.boolean_mask(tensor, is_value)
    return cls.from_nested_row_lengths(values, lengths, validate=False)


def _of_lengths(
    cls: Any, tensor: Tensor, lengths: TensorLike, ncols: Tensor, dtype: dtypes.DType
) -> Any:
    lengths = ragged_util.convert_to_int_tensor(lengths, "lengths", dtype)
    lengths.shape.assert_has_rank(1)
    lengths = math_ops.maximum(math_ops.minimum(lengths, ncols), 0)
    limits = math_ops.cumsum(lengths)
    splits = array_ops.concat([array_ops.zeros([1], dtype), limits], axis=0)
    is_value = array_ops.sequence_mask(lengths, maxlen=ncols)
    return cls.from_row_splits(array_ops.boolean_mask(tensor, is_value), splits, validate=False)


def to_tensor(value: Any, default_value: Any, name: Any) -> Tensor:
    """As `RaggedTensor.to_tensor`."""
    with ops.name_scope(name, "RaggedToTensor", [value, default_value]):
        if default_value is not None:
            default_value = ops.convert_to_tensor(
                default_value, name="default_value", dtype=value.dtype
            )
        values, splits = value.values, value.row_splits
        if nest.is_composite(values):
            values = values.to_tensor(default_value)
        if default_value is not None:
            default_value = _default_of_rows(default_value, values)
        row_lengths = [ragged_util.splits_to_lengths(splits)]
        nrows = array_ops.shape(splits, out_type=splits.dtype)[0] - 1
        ncols = math_ops.maximum(math_ops.reduce_max(row_lengths), 0)
        sizes = array_ops.shape(values, out_type=splits.dtype)
        inner, count = sizes[1:], sizes[0]
        if default_value is None:
            default_value = array_ops.zeros(inner, dtype=values.dtype)
        default_value.set_shape(values.shape[1:])
        starts, limits = (
            array_ops.expand_dims(splits[part], 1) for part in (slice(-1), slice(1, None))
        )
        columns = array_ops.expand_dims(math_ops.range(0, ncols), 0)
        # The default is the last row of the table that everything is gathered from.
        table = array_ops.concat([values, array_ops.stack([default_value])], axis=0)
        places = starts + columns
        in_row = places < limits
        elsewhere = array_ops.fill(array_ops.stack([nrows, ncols]), count)
        return array_ops.gather(table, array_ops.where(in_row, places, elsewhere))


def _default_of_rows(default: Tensor, values: Tensor) -> Tensor:
    """The default in the shape of one of `values`."""
    rank, default_rank = values.shape.ndims, default.shape.ndims
    if rank is not None:
        default.shape.with_rank_at_most(rank - 1)
    if rank is None or default_rank is None or rank != default_rank + 1:
        default = array_ops.broadcast_to(default, array_ops.shape(values)[1:])
    default.shape.assert_is_compatible_with(values.shape[1:])
    return default
