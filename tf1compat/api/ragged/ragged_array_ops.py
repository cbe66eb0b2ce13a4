"""`tensorflow.python.ops.ragged.ragged_array_ops`: rearranging ragged tensors."""

from __future__ import annotations

import itertools
from typing import Any

from tf1compat.api.array import array_ops, sort_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_functional_ops, ragged_math_ops, ragged_util, segment_id_ops
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
    match_row_splits_dtypes,
)
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@tf_export("ragged.boolean_mask")
def boolean_mask(data: Any, mask: Any, name: Name = None) -> Any:
    """What a mask holds for, row by row (as in TF 1.15).

    Args:
      data: a tensor or ragged tensor.
      mask: a bool tensor or ragged tensor whose shape begins that of `data`.
      name: a name scope.

    Returns:
      A ragged tensor of as many dimensions as `data`; a tensor, if the mask is a vector.

    Raises:
      ValueError: the rank of `mask` is unknown or 0.
      InvalidArgumentError: at run time, if the rows do not fit.
    """
    with ops.name_scope(name, "RaggedMask", [data, mask]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        mask = convert_to_tensor_or_ragged_tensor(mask, dtypes.bool, name="mask")
        dtype, (data, mask) = match_row_splits_dtypes(data, mask, return_dtype=True)
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if is_ragged(mask):
            return _by_ragged_mask(data, mask, dtype)
        if is_ragged(data) and rank == 1:
            return _by_rows(data, mask)
        if is_ragged(data):
            mask = RaggedTensor.from_tensor(
                mask,
                ragged_rank=min(data.ragged_rank, rank - 1),
                row_splits_dtype=data.row_splits.dtype,
            )
            return boolean_mask(data, mask)
        return _of_tensors(data, mask, dtype)


def _by_ragged_mask(data: Any, mask: RaggedTensor, dtype: dtypes.DType) -> Any:
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(
            data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype
        )
    both = [mask.nested_row_splits, data.nested_row_splits[: mask.ragged_rank]]
    with ops.control_dependencies(ragged_util.assert_splits_match(both)):
        splits = []
        part: Any = mask
        while is_ragged(part):
            if part.shape.ndims > 2:
                splits.append(part.row_splits)
            else:
                ints = ragged_functional_ops.map_flat_values(math_ops.cast, part, dtype=dtype)
                lengths = ragged_math_ops.reduce_sum(ints, axis=1)
                splits.append(ragged_util.lengths_to_splits(lengths))
            part = part.values
            data = data.values
        values = boolean_mask(data, part)
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def _by_rows(data: RaggedTensor, mask: Tensor) -> RaggedTensor:
    lengths = array_ops.boolean_mask(data.row_lengths(), mask)
    splits = ragged_util.lengths_to_splits(lengths)
    rowids = segment_id_ops.row_splits_to_segment_ids(data.row_splits)
    values = boolean_mask(data.values, array_ops.gather(mask, rowids))
    return RaggedTensor.from_row_splits(values, splits, validate=False)


def _of_tensors(data: Tensor, mask: Tensor, dtype: dtypes.DType) -> Any:
    rank: Any = mask.shape.ndims
    values: Any = array_ops.boolean_mask(data, mask)
    if rank >= 2:
        counts = math_ops.count_nonzero(mask, axis=-1, dtype=dtype)
        lengths = array_ops.reshape(counts, [-1])
        values = RaggedTensor.from_row_lengths(values, lengths, validate=False)
    if rank > 2:
        shape = array_ops.shape(mask, out_type=dtype)
        limits = math_ops.cumprod(shape) + 1
        for dim in range(rank - 3, -1, -1):
            size = shape[dim + 1]
            splits = math_ops.range(limits[dim]) * size
            values = RaggedTensor.from_row_splits(values, splits, validate=False)
    return values


def tile(input: Any, multiples: Any, name: Name = None) -> Any:
    """As `tf.tile`, where `input` may be ragged."""
    with ops.name_scope(name, "RaggedTile", [input, multiples]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return array_ops.tile(input, multiples, name)
        multiples = ragged_util.convert_to_int_tensor(
            multiples, name="multiples", dtype=input.row_splits.dtype
        )
        multiples.shape.assert_has_rank(1)
        known = tensor_util.constant_value(multiples)
        repeated = [known is None or known[axis] != 1 for axis in range(1 + input.ragged_rank)]
        return RaggedTensor.from_nested_row_splits(
            _tiled_values(input, multiples, repeated),
            _tiled_splits(input, multiples, repeated),
            validate=False,
        )


def _tiled_values(value: RaggedTensor, multiples: Tensor, repeated: list[bool]) -> Tensor:
    ragged_rank, nested_splits = value.ragged_rank, value.nested_row_splits
    ends = nested_splits[-1]
    places = math_ops.range(ends[-1])
    for axis in reversed(range(1, 1 + ragged_rank)):
        if axis < ragged_rank:
            # Where the rows end, now that all below them is repeated.
            ends = array_ops.gather(ends * multiples[axis + 1], nested_splits[axis - 1])
        if repeated[axis]:
            places = ragged_util.repeat_ranges(places, ends, multiples[axis])
    values = array_ops.gather(value.flat_values, places)
    uniform = [multiples[:1], multiples[1 + ragged_rank :]]
    return array_ops.tile(values, array_ops.concat(uniform, axis=0))


def _tiled_splits(value: RaggedTensor, multiples: Tensor, repeated: list[bool]) -> list[Tensor]:
    # projected[a][b]: where the rows of dimension a start and end among those of a + b.
    nested_splits = value.nested_row_splits
    projected = [
        list(
            itertools.accumulate(
                nested_splits[dim + 1 : -1],
                lambda outer, inner: array_ops.gather(inner, outer),
                initial=splits,
            )
        )
        for dim, splits in enumerate(nested_splits)
    ]
    return [
        _tiled_splits_of(axis, splits, projected, multiples, repeated)
        for axis, splits in enumerate(nested_splits)
    ]


def _tiled_splits_of(
    axis: int,
    splits: Tensor,
    projected: list[list[Tensor]],
    multiples: Tensor,
    repeated: list[bool],
) -> Tensor:
    lengths = ragged_util.splits_to_lengths(splits) * multiples[axis + 1]
    longer: Any = 1
    for outer in reversed(range(1, 1 + axis)):
        if repeated[outer]:
            ends = projected[outer - 1][axis - outer] * longer
            lengths = ragged_util.repeat_ranges(lengths, ends, multiples[outer])
        longer *= multiples[outer]
    return ragged_util.lengths_to_splits(array_ops.tile(lengths, multiples[:1]))


def expand_dims(input: Any, axis: Any, name: Name = None) -> Any:
    """As `tf.expand_dims`, where `input` may be ragged."""
    with ops.name_scope(name, "RaggedExpandDims", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return array_ops.expand_dims(input, axis)
        ndims = input.shape.ndims
        axis = ragged_util.get_positive_axis(axis, None if ndims is None else 1 + ndims)
        if axis > 1:
            inner = expand_dims(input.values, axis - 1)
            return RaggedTensor.from_row_splits(inner, input.row_splits, validate=False)
        nrows = input.nrows()
        splits = math_ops.range(nrows + 1) if axis else array_ops.stack([0, nrows])
        return RaggedTensor.from_row_splits(input, splits, validate=False)


def size(input: Any, out_type: Any = dtypes.int32, name: Name = None) -> Tensor:
    """As `tf.size`, where `input` may be ragged: how many values it has."""
    values = input.flat_values if is_ragged(input) else input
    return array_ops.size(values, out_type=out_type, name=name)


def rank(input: Any, name: Name = None) -> Tensor:
    """As `tf.rank`, where `input` may be ragged."""
    with ops.name_scope(name, "RaggedRank", [input]) as name:
        if not is_ragged(input):
            return array_ops.rank(input, name)
        return input.ragged_rank + array_ops.rank(input.flat_values)


def ragged_one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: Name = None,
) -> Any:
    """As `tf.one_hot`, where `indices` may be ragged."""
    with ops.name_scope(name, "RaggedOneHot", [indices]):
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        if axis is not None:
            axis = ragged_util.get_positive_axis(axis, indices.shape.ndims)
            if axis < indices.ragged_rank:
                raise ValueError("axis may not be less than indices.ragged_rank.")
        values = indices.flat_values
        hot = array_ops.one_hot(values, depth, on_value, off_value, axis, dtype, name)
        return indices.with_flat_values(hot)


@tf_export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(
    data: Any, partitions: Any, num_partitions: Any, name: Name = None
) -> RaggedTensor:
    """The slices of each partition as one row (as in TF 1.15).

    Args:
      data: a tensor or ragged tensor.
      partitions: int32 or int64: the partition of each slice; its shape begins that of `data`.
      num_partitions: a scalar.
      name: a name scope.

    Returns:
      A ragged tensor [num_partitions, None, …].

    Raises:
      ValueError: the rank of `partitions` is unknown.
      InvalidArgumentError: at run time, if a partition is not below `num_partitions`.
    """
    with ops.name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data, partitions, num_partitions = _converted_partitions(data, partitions, num_partitions)
        ndims = partitions.shape.ndims
        if ndims is None:
            raise ValueError("partitions must have known rank.")
        num_partitions.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:ndims])
        if ndims > 1:
            return _stack_nested(data, partitions, num_partitions)
        if ndims == 1:
            return _stack_rows(data, partitions, num_partitions)
        one_row, its_id = array_ops.stack([data]), array_ops.stack([partitions])
        return RaggedTensor.from_value_rowids(one_row, its_id, nrows=num_partitions, validate=False)


def _converted_partitions(data: Any, partitions: Any, num_partitions: Any) -> tuple[Any, Any, Any]:
    """All three as tensors; the partitions and their number of the dtype of row splits, if `data`
    has any."""
    data = convert_to_tensor_or_ragged_tensor(data, name="data")
    dtype = data.row_splits.dtype if is_ragged(data) else None
    partitions = convert_to_tensor_or_ragged_tensor(
        partitions, name="partitions", preferred_dtype=dtype
    )
    num_partitions = ops.convert_to_tensor(
        num_partitions, name="num_partitions", preferred_dtype=partitions.dtype
    )
    if dtype is not None:
        partitions = math_ops.cast(partitions, dtype)
    return data, partitions, math_ops.cast(num_partitions, partitions.dtype)


def _stack_rows(data: Any, partitions: Any, num_partitions: Tensor) -> RaggedTensor:
    """Of partitions of whole rows: the rows are sorted by them."""
    order = sort_ops.argsort(partitions, stable=True)
    rowids, values = (array_ops.gather(part, order) for part in (partitions, data))
    message = "partitions must be less than num_partitions"
    fits = check_ops.assert_less(rowids[-1:], num_partitions, message=message)
    with ops.control_dependencies([fits]):
        return RaggedTensor.from_value_rowids(values, rowids, nrows=num_partitions, validate=False)


def _stack_nested(data: Any, partitions: Any, num_partitions: Tensor) -> RaggedTensor:
    """Of partitions within the rows, which are joined."""
    dtype = partitions.dtype
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(data, row_splits_dtype=dtype, ragged_rank=1)
    if not is_ragged(partitions):
        ragged_rank = max(data.ragged_rank, partitions.shape.ndims - 1)
        partitions = RaggedTensor.from_tensor(
            partitions, row_splits_dtype=dtype, ragged_rank=ragged_rank
        )
    message = "data and partitions have incompatible ragged shapes"
    same = check_ops.assert_equal(data.row_splits, partitions.row_splits, message=message)
    with ops.control_dependencies([same]):
        return stack_dynamic_partitions(data.values, partitions.values, num_partitions)
