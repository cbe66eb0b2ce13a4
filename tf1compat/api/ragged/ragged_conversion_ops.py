"""`tensorflow.python.ops.ragged.ragged_conversion_ops`: ragged, dense and sparse tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.math import math_ops
from tf1compat.api.ragged.ragged_tensor import RaggedTensor, is_ragged
from tf1compat.core import dtypes, raw_ops, tensor_shape
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, ShapeLike


def from_tensor(
    tensor: Any,
    lengths: Any = None,
    padding: Any = None,
    ragged_rank: int = 1,
    row_splits_dtype: Any = dtypes.int64,
    name: Name = None,
) -> RaggedTensor:
    """As `RaggedTensor.from_tensor`; what is ragged already stays as it is."""
    if is_ragged(tensor):
        return tensor
    return RaggedTensor.from_tensor(
        tensor, lengths, padding, ragged_rank, row_splits_dtype=row_splits_dtype, name=name
    )


def to_tensor(rt_input: Any, default_value: Any = None, name: Name = None) -> Any:
    """As `RaggedTensor.to_tensor`; what isn't ragged stays as it is."""
    return rt_input.to_tensor(default_value, name) if is_ragged(rt_input) else rt_input


def _partitions_below(value: Any) -> list[tuple[str, Tensor]]:
    if not isinstance(value, RaggedTensor):
        return []
    below = _partitions_below(value.values)
    if value._cached_value_rowids is not None:
        return [("VALUE_ROWIDS", value.value_rowids()), *below]
    return [("ROW_SPLITS", value.row_splits), *below]


def _partitions(value: RaggedTensor) -> list[tuple[str, Tensor]]:
    """How the rows of each dimension are told apart: the kinds and the tensors."""
    below = _partitions_below(value.values)
    if value._cached_value_rowids is not None:
        nrows = value.nrows()
        return [("FIRST_DIM_SIZE", nrows), ("VALUE_ROWIDS", value.value_rowids()), *below]
    return [("ROW_SPLITS", value.row_splits), *below]


def _shape_tensor(shape: Any, dtype: dtypes.DType) -> Tensor:
    """A shape as a vector, -1 for what is unknown."""
    if dtype not in (dtypes.int64, dtypes.int32):
        raise ValueError(f"Expected int64 or int32 for dtype: got {dtype}")
    if isinstance(shape, Tensor):
        known = shape.dtype in (dtypes.int64, dtypes.int32)
        return shape if known else math_ops.cast(shape, dtype)
    shape = tensor_shape.as_shape(shape)
    if not shape:
        return constant(-1, dtype=dtype)
    return constant([-1 if dim is None else dim for dim in shape.as_list()], dtype=dtype)


def ragged_to_dense(
    rt_input: RaggedTensor, default_value: Any = None, shape: ShapeLike | None = None
) -> Tensor:
    """A tensor of a given shape: rows are filled up with `default_value`, or cut off."""
    pairs = _partitions(rt_input)
    values = rt_input.flat_values
    if default_value is None:
        default_value = array_ops.zeros((), values.dtype)
    tensors = [tensor for _, tensor in pairs]
    return raw_ops.RaggedTensorToTensor(
        shape=_shape_tensor(shape, tensors[0].dtype),
        values=values,
        default_value=default_value,
        row_partition_types=[kind for kind, _ in pairs],
        row_partition_tensors=tensors,
    )


def to_sparse(rt_input: RaggedTensor, name: Name = None) -> SparseTensor:
    """As `RaggedTensor.to_sparse`."""
    return rt_input.to_sparse(name)


def from_sparse(st_input: Any, name: Name = None) -> RaggedTensor:
    """As `RaggedTensor.from_sparse`."""
    return RaggedTensor.from_sparse(st_input, name)
