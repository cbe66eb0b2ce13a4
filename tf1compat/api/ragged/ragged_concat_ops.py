"""`tensorflow.python.ops.ragged.ragged_concat_ops`: joining ragged tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_array_ops, ragged_gather_ops, ragged_util
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name


def concat(values: Any, axis: int, name: Name = None) -> Any:
    """As `tf.concat`, where any of `values` may be ragged."""
    if not isinstance(values, list | tuple):
        values = [values]
    with ops.name_scope(name, "RaggedConcat", values):
        return _join(values, axis, stack_values=False)


@tf_export("ragged.stack")
def stack(values: Any, axis: int = 0, name: Name = None) -> Any:
    """Stacks tensors of one rank, some of them perhaps ragged (as in TF 1.15).

    Args:
      values: tensors or ragged tensors of one dtype and rank.
      axis: where the new dimension is put.
      name: a name scope.

    Returns:
      A ragged tensor of rank + 1 dimensions.

    Raises:
      ValueError: the ranks differ, or `axis` is out of range.
      InvalidArgumentError: at run time, if the rows do not fit.
    """
    if not isinstance(values, list | tuple):
        values = [values]
    with ops.name_scope(name, "RaggedConcat", values):
        return _join(values, axis, stack_values=True)


def _join(rt_inputs: Any, axis: int, stack_values: bool) -> Any:
    if not rt_inputs:
        raise ValueError("rt_inputs may not be empty.")
    converted = [convert_to_tensor_or_ragged_tensor(value, name="rt_input") for value in rt_inputs]
    dtype, matched = match_row_splits_dtypes(*converted, return_dtype=True)
    parts: list[Any] = list(matched)
    if len(parts) == 1:
        return ragged_array_ops.expand_dims(parts[0], axis=axis) if stack_values else parts[0]
    ndims = None
    for part in parts:
        if ndims is None:
            ndims = part.shape.ndims
        else:
            part.shape.assert_has_rank(ndims)
    out_ndims = ndims + 1 if ndims is not None and stack_values else ndims
    axis = ragged_util.get_positive_axis(axis, out_ndims)
    if not any(is_ragged(part) for part in parts):
        if ndims is not None and out_ndims is not None and axis in (out_ndims - 1, ndims - 1):
            return array_ops.stack(parts, axis) if stack_values else array_ops.concat(parts, axis)
    parts = [
        part
        if is_ragged(part)
        else RaggedTensor.from_tensor(part, ragged_rank=1, row_splits_dtype=dtype)
        for part in parts
    ]
    ragged_rank = max(part.ragged_rank for part in parts)
    parts = [_of_ragged_rank(part, ragged_rank, dtype) for part in parts]
    if axis == 0:
        return _along_rows(parts, stack_values)
    if axis == 1:
        return _along_columns(parts, stack_values)
    splits = [[part.row_splits] for part in parts]
    values = [part.values for part in parts]
    with ops.control_dependencies(ragged_util.assert_splits_match(splits)):
        return RaggedTensor.from_row_splits(
            _join(values, axis - 1, stack_values), splits[0][0], validate=False
        )


def _along_rows(parts: list[RaggedTensor], stack_values: bool) -> RaggedTensor:
    flat_values = array_ops.concat([part.flat_values for part in parts], axis=0)
    nested = [part.nested_row_splits for part in parts]
    joined = [_joined_splits(list(splits)) for splits in zip(*nested, strict=True)]
    if stack_values:
        lengths = array_ops.stack([part.nrows() for part in parts])
        joined.insert(0, ragged_util.lengths_to_splits(lengths))
    return RaggedTensor.from_nested_row_splits(flat_values, joined, validate=False)


def _along_columns(parts: list[RaggedTensor], stack_values: bool) -> RaggedTensor:
    """All rows of the first, of the second, …, in the order of rows and then of parts."""
    count = len(parts)
    nrows = parts[0].nrows()
    checks = [
        check_ops.assert_equal(
            part.nrows(), nrows, message="Input tensors have incompatible shapes."
        )
        for part in parts[1:]
    ]
    with ops.control_dependencies(checks):
        joined = _along_rows(parts, stack_values=False)
        rows = math_ops.range(nrows * count)
        by_part = array_ops.reshape(rows, [count, -1])
        order = array_ops.reshape(array_ops.transpose(by_part), [-1])
        permuted = ragged_gather_ops.gather(joined, order)
        if stack_values:
            splits = math_ops.range(0, nrows * count + 1, count)
            _tell_rows(parts, splits)
            return RaggedTensor.from_row_splits(permuted, splits, validate=False)
        splits = permuted.row_splits[::count]
        _tell_rows(parts, splits)
        return RaggedTensor.from_row_splits(permuted.values, splits, validate=False)


def _tell_rows(parts: list[RaggedTensor], splits: Tensor) -> None:
    """Tells row splits how many rows there are."""
    for part in parts:
        if part.shape[0] is not None:
            splits.set_shape(TensorShape(part.shape[0] + 1))


def _of_ragged_rank(value: Any, ragged_rank: int, dtype: dtypes.DType) -> Any:
    """`value` with that many ragged dimensions."""
    if ragged_rank <= 0:
        return value
    if not is_ragged(value):
        value = RaggedTensor.from_tensor(value, row_splits_dtype=dtype)
    if value.ragged_rank >= ragged_rank:
        return value
    return value.with_values(_of_ragged_rank(value.values, ragged_rank - 1, dtype))


def _joined_splits(splits_list: list[Tensor]) -> Tensor:
    pieces = [splits_list[0]]
    offset = splits_list[0][-1]
    for splits in splits_list[1:]:
        pieces.append(splits[1:] + offset)
        offset += splits[-1]
    return array_ops.concat(pieces, axis=0)
