"""Sparse tensors as strings (serialized TensorProtos), as variants, and as handles of a session."""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import numpy as np

from tf1compat.core import dtypes, protos, shapes, tensor_proto
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.sparse.sparse import check_order, check_parts

Parts = tuple[np.ndarray, np.ndarray, np.ndarray]


# One tensor as a string: its elements are in `tensor_content`, strings as their lengths and then
# their bytes.


def _varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def _encoded(array: np.ndarray, dtype: Any) -> bytes:
    proto = protos.TensorProto(dtype=dtype.as_datatype_enum)
    for size in array.shape:
        proto.tensor_shape.dim.add(size=size)
    if array.dtype.kind == "O":
        items = [item if isinstance(item, bytes) else str(item).encode() for item in array.ravel()]
        content = b"".join([_varint(len(item)) for item in items] + items)
    else:
        content = np.ascontiguousarray(array).tobytes()
    proto.tensor_content = content
    return proto.SerializeToString()


def _strings(content: bytes, count: int) -> list[bytes]:
    lengths, at = [], 0
    for _ in range(count):
        length = shift = 0
        while True:
            byte = content[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        lengths.append(length)
    found = []
    for length in lengths:
        found.append(content[at : at + length])
        at += length
    return found


def _decoded(data: Any, ctx: LoweringContext) -> tuple[np.ndarray, Any]:
    proto = protos.TensorProto()
    try:
        proto.ParseFromString(data)
        dtype = dtypes.as_dtype(proto.dtype)
    except Exception:  # What protobuf raises depends on its implementation.
        refuse(ctx, "Could not parse serialized proto")
    if dtype is not dtypes.string or not proto.tensor_content:
        return tensor_proto.make_ndarray(proto), dtype
    shape = [dim.size for dim in proto.tensor_shape.dim]
    array = np.empty(int(np.prod(shape)), object)
    array[:] = _strings(proto.tensor_content, array.size)
    return array.reshape(shape), dtype


def _packed(parts: Parts, dtype: Any, out_type: Any) -> np.ndarray:
    """A vector of the three parts."""
    found = np.empty(3, object)
    kinds = (dtypes.int64, dtype, dtypes.int64)
    for i, (part, kind) in enumerate(zip(parts, kinds, strict=True)):
        if out_type is dtypes.variant:
            found[i] = _Variant(part, kind)
        else:
            found[i] = _encoded(part, kind)
    return found


def packed_variants(parts: Parts, dtype: Any) -> np.ndarray:
    """A sparse tensor as the element of a dataset: a vector of three variants."""
    return _packed(parts, dtype, dtypes.variant)


class _Variant:
    """A tensor as an element of a variant tensor."""

    __slots__ = ("array", "dtype")

    def __init__(self, array: np.ndarray, dtype: Any):
        self.array, self.dtype = array, dtype


def _rows(indices: Any, values: Any, shape: Any) -> list[Parts]:
    """The rows of a sparse tensor in its first dimension."""
    found = []
    rest = np.array(shape[1:], np.int64)
    for row in range(int(shape[0])):
        mine = indices[:, 0] == row
        found.append((np.array(indices[mine, 1:], np.int64), values[mine], rest))
    return found


def _check_rows(indices: Any, values: Any, shape: Any, ctx: LoweringContext) -> None:
    check_parts(indices, values, shape, ctx)
    if len(shape) < 2:
        refuse(ctx, f"Rank of input SparseTensor should be > 1, but saw rank: {len(shape)}")
    check_order(indices, shape.tolist(), ctx)


def _joined(found: list[Parts], prefix: tuple[int, ...], ctx: LoweringContext) -> list[np.ndarray]:
    """Sparse tensors as the elements (of a shape `prefix`) of one."""
    rank = len(found[0][2])
    for i, (_, _, shape) in enumerate(found):
        if len(shape) != rank:
            refuse(
                ctx,
                f"Inconsistent shape across SparseTensors: rank prior to SparseTensor[{i}] was: "
                f"{rank} but rank of SparseTensor[{i}] is: {len(shape)}",
            )
    places = []
    for at, (indices, _, _) in zip(np.ndindex(*prefix), found, strict=True):
        own = np.broadcast_to(np.array(at, np.int64), (len(indices), len(prefix)))
        places.append(np.concatenate([own, indices], axis=1))
    sizes = np.max([shape for _, _, shape in found], axis=0)
    return [
        np.concatenate(places),
        np.concatenate([values for _, values, _ in found]),
        np.array([*prefix, *sizes], np.int64),
    ]


def _serialize_shape(sparse_indices: Any, sparse_values: Any, sparse_shape: Any) -> Any:
    shapes.with_rank(sparse_indices, 2)
    shapes.with_rank(sparse_values, 1)
    shapes.with_rank(sparse_shape, 1)


@op("SerializeSparse", host=True)
class SerializeSparse:
    def shape(sparse_indices: Any, sparse_values: Shape, sparse_shape: Shape) -> Shape:
        _serialize_shape(sparse_indices, sparse_values, sparse_shape)
        return (3,)

    def lower(
        sparse_indices: Any, sparse_values: np.ndarray, sparse_shape: np.ndarray, *, T: DType,
        out_type: DType,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        check_parts(sparse_indices, sparse_values, sparse_shape, ctx)
        return _packed((sparse_indices, sparse_values, sparse_shape), T, out_type)


@op("SerializeManySparse", host=True)
class SerializeManySparse:
    def shape(sparse_indices: Any, sparse_values: Shape, sparse_shape: Shape) -> Shape:
        _serialize_shape(sparse_indices, sparse_values, sparse_shape)
        return (None, 3)

    def lower(
        sparse_indices: Any, sparse_values: np.ndarray, sparse_shape: np.ndarray, *, T: DType,
        out_type: DType,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_rows(sparse_indices, sparse_values, sparse_shape, ctx)
        rows = _rows(sparse_indices, sparse_values, sparse_shape)
        found = np.empty((len(rows), 3), object)
        for i, parts in enumerate(rows):
            found[i] = _packed(parts, T, out_type)
        return found


def _unpacked(serialized: np.ndarray, dtype: Any, ctx: LoweringContext) -> list[Parts]:
    found: list[Any] = []
    for i, row in enumerate(serialized):
        parts = []
        kinds = (dtypes.int64, dtype, dtypes.int64)
        for position, (item, kind) in enumerate(zip(row, kinds, strict=True)):
            if isinstance(item, _Variant):
                part, own = item.array, item.dtype
            else:
                part, own = _decoded(item, ctx)
            if own is not kind:
                if position != 1:
                    refuse(ctx, f"Expected SparseTensor[{i}] to have int64 indices and shape")
                c_names = {"float32": "float", "float64": "double"}
                wanted, given = (c_names.get(d.name, d.name) for d in (dtype, own))
                refuse(
                    ctx,
                    f"Requested SparseTensor of type {wanted} but SparseTensor[{i}].values.dtype() "
                    f"== {given}",
                )
            parts.append(part)
        found.append(tuple(parts))
    return found


def _deserialize(serialized: Any, dtype: Any, ctx: LoweringContext) -> list[np.ndarray]:
    serialized = np.asarray(serialized)
    if not serialized.ndim:
        refuse(ctx, "Serialized sparse should have non-zero rank but found rank 0")
    if serialized.shape[-1] != 3:
        refuse(
            ctx,
            f"Serialized sparse should have 3 as the last dimension {text_of_shape(serialized)}",
        )
    if not serialized.size:
        refuse(
            ctx,
            "Serialized sparse should have at least 1 serialized tensor, but has a zero dimension "
            f"{text_of_shape(serialized)}",
        )
    found = _unpacked(serialized.reshape(-1, 3), dtype, ctx)
    return _joined(found, serialized.shape[:-1], ctx)


@op("DeserializeSparse", host=True)
class DeserializeSparse:
    def shape(serialized_sparse: Any) -> Any:
        return [(None, None), (None,), (None,)]

    def lower(serialized_sparse: Any, *, dtype: DType, ctx: LoweringContext) -> Any:
        return _deserialize(serialized_sparse, dtype, ctx)


@op("DeserializeManySparse", host=True)
class DeserializeManySparse:
    def shape(serialized_sparse: Any) -> Any:
        shapes.dim_with_value(shapes.with_rank(serialized_sparse, 2)[1], 3)
        return [(None, None), (None,), (None,)]

    def lower(serialized_sparse: Any, *, dtype: DType, ctx: LoweringContext) -> Any:
        return _deserialize(serialized_sparse, dtype, ctx)


# Handles.


class _TensorsMap:
    """The sparse tensors that a session keeps under a name, by handles that are not used twice."""

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._tensors: dict[int, Parts] = {}

    def keep(self, parts: Parts) -> int:
        handle = next(self._numbers)
        self._tensors[handle] = parts
        return handle

    def take(self, handle: int) -> Parts | None:
        return self._tensors.pop(handle, None)


_maps: weakref.WeakKeyDictionary[Any, dict[tuple[str, str], _TensorsMap]]
_maps = weakref.WeakKeyDictionary()


def _tensors_map(container: str, shared_name: str, ctx: LoweringContext) -> _TensorsMap:
    maps = _maps.setdefault(ctx.session, {})
    return maps.setdefault((container, shared_name or ctx.op.name), _TensorsMap())


@op("AddSparseToTensorsMap", host=True)
class AddSparseToTensorsMap:
    def shape(sparse_indices: Any, sparse_values: Shape, sparse_shape: Shape) -> Shape:
        _serialize_shape(sparse_indices, sparse_values, sparse_shape)
        return ()

    def lower(
        sparse_indices: Any, sparse_values: np.ndarray, sparse_shape: np.ndarray, *, container: str,
        shared_name: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        check_parts(sparse_indices, sparse_values, sparse_shape, ctx)
        parts = np.array(sparse_indices), np.array(sparse_values), np.array(sparse_shape)
        return np.int64(_tensors_map(container, shared_name, ctx).keep(parts))


@op("AddManySparseToTensorsMap", host=True)
class AddManySparseToTensorsMap:
    def shape(sparse_indices: Any, sparse_values: Shape, sparse_shape: Shape) -> Shape:
        _serialize_shape(sparse_indices, sparse_values, sparse_shape)
        return (None,)

    def lower(
        sparse_indices: Any, sparse_values: np.ndarray, sparse_shape: np.ndarray, *, container: str,
        shared_name: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_rows(sparse_indices, sparse_values, sparse_shape, ctx)
        rows = _rows(sparse_indices, sparse_values, sparse_shape)
        # TF first takes handles for the rows that have elements.
        order = sorted(range(len(rows)), key=lambda i: not len(rows[i][0]))
        tensors = _tensors_map(container, shared_name, ctx)
        handles = np.zeros(len(rows), np.int64)
        for i in order:
            handles[i] = tensors.keep(rows[i])
        return handles


@op("TakeManySparseFromTensorsMap", host=True)
class TakeManySparseFromTensorsMap:
    def shape(sparse_handles: Any) -> Any:
        shapes.with_rank(sparse_handles, 1)
        return [(None, None), (None,), (None,)]

    def lower(
        sparse_handles: Any, *, container: str, shared_name: str, ctx: LoweringContext
    ) -> Any:
        if np.ndim(sparse_handles) != 1:
            refuse(
                ctx,
                f"sparse_handles should be a vector but received shape "
                f"{text_of_shape(sparse_handles)}",
            )
        tensors = _tensors_map(container, shared_name, ctx)
        found = []
        for handle in sparse_handles.tolist():
            parts = tensors.take(handle)
            if parts is None:
                refuse(
                    ctx,
                    f"Unable to find SparseTensor: {handle} in map: {shared_name or ctx.op.name}",
                )
            found.append(parts)
        if not found:
            refuse(ctx, "Must have at least 1 handle")
        return _joined(found, (len(found),), ctx)
