"""Messages of Protocol Buffers as tensors of their fields, and back. On the host."""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Sequence
from typing import Any

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import DecodeError

from tf1compat.core import dtypes, errors, own_protos, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.kernels.text.string import invalid

_F = FieldDescriptor
# The tensors that a field may be; the first one is that of its own kind.
_DTYPES: dict[int, tuple[dtypes.DType, ...]] = {
    _F.TYPE_DOUBLE: (dtypes.float64,),
    _F.TYPE_FLOAT: (dtypes.float32, dtypes.float64),
    **dict.fromkeys((_F.TYPE_INT64, _F.TYPE_SINT64, _F.TYPE_SFIXED64), (dtypes.int64,)),
    **dict.fromkeys((_F.TYPE_UINT64, _F.TYPE_FIXED64), (dtypes.uint64,)),
    **dict.fromkeys(
        (_F.TYPE_INT32, _F.TYPE_SINT32, _F.TYPE_SFIXED32), (dtypes.int32, dtypes.int64)
    ),
    **dict.fromkeys((_F.TYPE_UINT32, _F.TYPE_FIXED32), (dtypes.uint32, dtypes.uint64)),
    _F.TYPE_BOOL: (dtypes.bool,),
    _F.TYPE_ENUM: (dtypes.int32,),
    **dict.fromkeys(
        (_F.TYPE_STRING, _F.TYPE_BYTES, _F.TYPE_MESSAGE, _F.TYPE_GROUP), (dtypes.string,)
    ),
}
_NO_DESCRIPTORS = "Source does not represent serialized file descriptor set proto."
_LOCAL = (b"", b"local://")
_MESSAGES = (_F.TYPE_MESSAGE, _F.TYPE_GROUP)
_TYPE_NAMES = {
    value: name.removeprefix("TYPE_").lower()
    for name, value in vars(_F).items()
    if name.startswith("TYPE_")
}


@functools.cache
def _local_pool() -> Any:
    """The messages that Python knows, TF's among them."""
    package = importlib.import_module("tensorboard.compat.proto")
    for module in pkgutil.iter_modules(package.__path__):
        if module.name.endswith("_pb2"):
            importlib.import_module(f"{package.__name__}.{module.name}")
    return descriptor_pool.Default()


@functools.lru_cache(maxsize=16)
def _pool(source: bytes) -> Any:
    """The messages that a descriptor source tells of.

    Raises:
      InvalidArgumentError: it is no FileDescriptorSet.
    """
    if source in _LOCAL:
        return _local_pool()
    if source.startswith(b"bytes://"):
        data = source[len(b"bytes://") :]
    else:
        try:
            with open(source, "rb") as file:
                data = file.read()
        except OSError:
            raise invalid(_NO_DESCRIPTORS) from None
    try:
        files = descriptor_pb2.FileDescriptorSet.FromString(data)
    except DecodeError:
        raise invalid(_NO_DESCRIPTORS) from None
    found = descriptor_pool.DescriptorPool()
    for file in files.file:
        found.Add(file)
    return found


def _message_type(name: str, source: bytes) -> Descriptor:
    pool = _pool(source)
    # TF's own messages are those that TensorBoard ships.
    for text in (name, name.replace("tensorflow.", "tensorboard.", 1)):
        try:
            return pool.FindMessageTypeByName(text)
        except KeyError:
            pass
    own = own_protos.find(name.removeprefix("tensorflow.")) if source in _LOCAL else None
    if own is not None:
        return own.DESCRIPTOR
    raise invalid(f"No descriptor found for message type {name}")


def _fields(message: Descriptor, type_name: str, names: Any) -> list[FieldDescriptor]:
    found = []
    for name in names:
        field = message.fields_by_name.get(name)
        if field is None:
            try:
                field = message.file.pool.FindExtensionByName(name)
            except KeyError:
                raise invalid(f"Unknown field: {name} in message type {type_name}") from None
        found.append(field)
    return found


def _is_repeated(field: FieldDescriptor) -> bool:
    return field.is_repeated


def _given(message: Any, field: FieldDescriptor) -> list[Any]:
    """The values of a field that a message has."""
    if field.is_extension:
        value = message.Extensions[field]
        has = message.HasExtension(field) if not _is_repeated(field) else True
    else:
        value = getattr(message, field.name)
        has = any(own is field for own, _ in message.ListFields())
    if _is_repeated(field):
        return list(value)
    return [value] if has else []


def _as_element(value: Any, field: FieldDescriptor) -> Any:
    if field.type in _MESSAGES:
        return value.SerializeToString()
    return value.encode() if isinstance(value, str) else value


def _array(shape: tuple[int, ...], dtype: dtypes.DType) -> np.ndarray:
    if dtype is dtypes.string:
        return np.full(shape, b"", object)
    return np.zeros(shape, dtype.as_numpy_dtype)


@op("DecodeProtoV2", host=True)
class DecodeProtoV2:
    def shape(bytes: Any, *, output_types: Sequence[DType]) -> Any:
        values = None if bytes is None else (*bytes, None)
        sizes = None if bytes is None else (*bytes, len(output_types))
        return [sizes, *[values] * len(output_types)]

    def lower(
        bytes: Any, *, message_type: str, field_names: Sequence[str], output_types: Sequence[DType],
        message_format: str, op: Operation,
    ) -> Any:  # fmt: skip
        descriptor = _message_type(message_type, op._attrs["descriptor_source"])
        if len(field_names) != len(output_types):
            raise invalid("field_names and output_types attributes must have the same length")
        fields = _fields(descriptor, message_type, field_names)
        for field, dtype in zip(fields, output_types):
            if dtype not in _DTYPES[field.type]:
                name = f"{message_type}.{field.name}"
                raise invalid(
                    f"Unexpected output type for {name}: {field.cpp_type} to "
                    f"{dtype.as_datatype_enum}"
                )
        if message_format not in ("binary", "text"):
            raise invalid("format must be one of binary or text")
        make = message_factory.GetMessageClass(descriptor)
        messages = [_parsed(make, text, message_format) for text in bytes.ravel().tolist()]
        rows = [[_given(message, field) for field in fields] for message in messages]
        sizes = np.array([[len(part) for part in row] for row in rows], np.int32)
        outputs = []
        for i, (field, dtype) in enumerate(zip(fields, output_types)):
            width = max([1, *(len(row[i]) for row in rows)])
            found = _array((len(rows), width), dtype)
            for place, row in zip(found, rows):
                values = row[i]
                if not values and not _is_repeated(field) and field.type not in _MESSAGES:
                    values = [field.default_value]
                for j, value in enumerate(values):
                    place[j] = _as_element(value, field)
            outputs.append(found.reshape(*bytes.shape, width))
        return [sizes.reshape(*bytes.shape, len(fields)), *outputs]


def _parsed(make: Any, text: bytes, form: str) -> Any:
    if form == "text":
        try:
            return text_format.Parse(text, make())
        except text_format.ParseError:
            raise errors.DataLossError(None, None, "Unable to parse text protobuf") from None
    try:
        return make.FromString(text)
    except DecodeError:
        raise errors.DataLossError(
            None, None, "CountFields: Failed to consume entire buffer"
        ) from None


@op("EncodeProto", host=True)
class EncodeProto:
    def shape(sizes: Any, values: Sequence[Shape]) -> Shape:
        sizes = shapes.with_rank_at_least(sizes, 2)
        for value in values:
            shapes.with_rank_at_least(value, 2)
        return None if sizes is None else sizes[:-1]

    def lower(
        sizes: Any,
        values: Sequence[np.ndarray],
        *,
        field_names: Sequence[str],
        message_type: str,
        Tinput_types: Sequence[DType],
        op: Operation,
    ) -> Any:
        descriptor = _message_type(message_type, op._attrs["descriptor_source"])
        if len(field_names) != len(values):
            raise invalid("Length of inputs list must match field_names")
        fields = _fields(descriptor, message_type, field_names)
        counts = sizes.reshape(-1, sizes.shape[-1])
        columns = []
        for i, (field, value, dtype) in enumerate(zip(fields, values, Tinput_types)):
            if dtype not in _DTYPES[field.type]:
                raise invalid(
                    f"Incompatible type for field {field.name}.  Saw dtype: "
                    f"{dtypes.cpp_name(dtype)} but field type is: {_TYPE_NAMES[field.type]}"
                )
            wanted = (*value.shape[:-1], len(fields))
            if sizes.shape != wanted:
                raise invalid(
                    "sizes should be batch_size + [len(field_names)].  Saw: "
                    f"{shapes.to_string(sizes.shape)} but expected: {shapes.to_string(wanted)}"
                )
            width = value.shape[-1]
            if np.any(counts[:, i] > width):
                row = int(np.argmax(counts[:, i] > width))
                raise invalid(
                    "Size to write must not be larger than value tensor; but saw: "
                    f"{counts[row, i]} > {width} at message {row} field {i}"
                )
            columns.append((field, value.reshape(len(counts), width), counts[:, i]))
        columns.sort(key=lambda column: column[0].number)
        make = message_factory.GetMessageClass(descriptor)
        found = np.empty(len(counts), object)
        for row in range(len(counts)):
            found[row] = b"".join(
                _written(make, field, column[row, : own[row]].tolist())
                for field, column, own in columns
            )
        return found.reshape(sizes.shape[:-1])


def _written(make: Any, field: FieldDescriptor, values: list[Any]) -> bytes:
    """A field of a message; one that is not repeated may be there several times, as in TF."""
    groups = [values] if _is_repeated(field) else [[value] for value in values]
    found = []
    for group in groups:
        message = make()
        for value in group:
            _put(message, field, value)
        found.append(message.SerializeToString() or _default(field))
    return b"".join(found)


def _default(field: FieldDescriptor) -> bytes:
    """A number 0 or an empty string, which messages of Protocol Buffers 3 leave out."""
    if _is_repeated(field):
        return b""
    sizes = {_F.CPPTYPE_DOUBLE: 8, _F.CPPTYPE_FLOAT: 4}
    fixed = {
        **dict.fromkeys((_F.TYPE_FIXED64, _F.TYPE_SFIXED64), 8),
        **dict.fromkeys((_F.TYPE_FIXED32, _F.TYPE_SFIXED32), 4),
    }
    size = sizes.get(field.cpp_type) or fixed.get(field.type)
    text = _DTYPES[field.type] == (dtypes.string,)
    kind = 2 if text else {8: 1, 4: 5, None: 0}[size]
    tag, head = field.number << 3 | kind, bytearray()
    while tag > 127:
        head.append(tag & 127 | 128)
        tag >>= 7
    head.append(tag)
    return bytes(head) + bytes(size or 1)


def _put(message: Any, field: FieldDescriptor, value: Any) -> None:
    """Sets a field, or adds to a repeated one."""
    if field.type == _F.TYPE_STRING:
        value = value.decode()
    elif field.type in (_F.TYPE_UINT32, _F.TYPE_FIXED32):
        value %= 1 << 32
    elif field.type in (_F.TYPE_UINT64, _F.TYPE_FIXED64):
        value %= 1 << 64
    if _is_repeated(field):
        values = message.Extensions[field] if field.is_extension else getattr(message, field.name)
        if field.type in _MESSAGES:
            values.add().ParseFromString(value)
        else:
            values.append(value)
    elif field.type in _MESSAGES:
        part = message.Extensions[field] if field.is_extension else getattr(message, field.name)
        part.ParseFromString(value)
        part.SetInParent()
    elif field.is_extension:
        message.Extensions[field] = value
    else:
        setattr(message, field.name, value)


not_differentiable("DecodeProtoV2", "EncodeProto")
