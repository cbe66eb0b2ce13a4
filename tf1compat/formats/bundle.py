"""Checkpoints of TF's version 2: `PREFIX.index`, a table of entries, and files of data.

The index has a header under the empty key, and an entry for each tensor: its type, its shape and
where its bytes are. A tensor saved in slices has an entry that lists them, and each slice one.
"""

from __future__ import annotations

import dataclasses
import os
import struct
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

import google_crc32c
import numpy as np

from tf1compat.core import dtypes, errors, protos, shapes, tensor_proto
from tf1compat.core.file_names import local
from tf1compat.core.own_protos import message
from tf1compat.formats import table, tensor_slice, writing
from tf1compat.formats.crc32c import masked
from tf1compat.formats.snappy import varint

_CHECKSUM = struct.Struct("<I")


def index_name(prefix: str) -> str:
    """The file of the index."""
    return f"{local(prefix)}.index"


def data_name(prefix: str, shard: int, shards: int) -> str:
    """A file of data."""
    return f"{local(prefix)}.data-{shard:05d}-of-{shards:05d}"


# Bytes of tensors.


def _string_parts(array: np.ndarray) -> tuple[list[bytes], int]:
    """The bytes of a tensor of strings, in parts, and their CRC-32C."""
    texts = array.ravel().tolist()
    sizes = b"".join(
        struct.pack("<I" if len(text) <= 0xFFFFFFFF else "<Q", len(text)) for text in texts
    )
    crc = google_crc32c.value(sizes)
    checksum = _CHECKSUM.pack(masked(crc))
    parts = [b"".join(table.put_varint(len(text)) for text in texts), checksum, *texts]
    return parts, google_crc32c.extend(google_crc32c.extend(crc, checksum), b"".join(texts))


def _strings(data: bytes, shape: tuple[int, ...], crc: int) -> np.ndarray:
    at, sizes = 0, []
    for _ in range(int(np.prod(shape, dtype=np.int64))):
        size, at = varint(data, at)
        sizes.append(size)
    texts, position = [], at + _CHECKSUM.size
    for size in sizes:
        texts.append(data[position : position + size])
        position += size
    found = np.empty(len(texts), object)
    found[:] = texts
    found = found.reshape(shape)
    if masked(_string_parts(found)[1]) != crc:
        raise errors.DataLossError(None, None, "Checksum does not match: corrupt strings")
    return found


@dataclasses.dataclass(frozen=True)
class Variant:
    """A scalar variant as checkpoints have it.

    Attributes:
      type_name: what kind of value it is.
      metadata: says how its tensors are to be read.
      tensors: what the value is made of.
    """

    type_name: str
    metadata: str
    tensors: tuple[np.ndarray, ...]

    # It is a value among arrays.
    shape: ClassVar[tuple[int, ...]] = ()
    dtype: ClassVar[Any] = np.dtype(object)

    def encoded(self) -> tuple[list[bytes], int]:
        """Its bytes, in parts (how many there are, the value, a checksum), and their CRC-32C."""
        proto = protos.VariantTensorDataProto(
            type_name=self.type_name, metadata=self.metadata.encode()
        )
        proto.tensors.extend(tensor_proto.make_tensor_proto(tensor) for tensor in self.tensors)
        data = proto.SerializeToString()
        crc = google_crc32c.extend(google_crc32c.value(struct.pack("<Q", len(data))), data)
        checksum = _CHECKSUM.pack(masked(crc))
        return [table.put_varint(len(data)), data, checksum], google_crc32c.extend(crc, checksum)

    @classmethod
    def decoded(cls, data: bytes, crc: int) -> Variant:
        """The variant of such bytes.

        Raises:
          DataLossError: the checksum is another.
        """
        size, at = varint(data, 0)
        proto = protos.VariantTensorDataProto.FromString(data[at : at + size])
        tensors = tuple(tensor_proto.make_ndarray(tensor) for tensor in proto.tensors)
        summed = struct.pack("<Q", size) + data[at:]
        if masked(google_crc32c.value(summed)) != crc:
            raise errors.DataLossError(None, None, "Checksum does not match: corrupt variant")
        return cls(proto.type_name, proto.metadata.decode(), tensors)


class Writer:
    """Writes a checkpoint with one file of data.

    Nobody sees the files half written: they get their names in `finish`.

    Args:
      prefix: the checkpoint's name.
    """

    def __init__(self, prefix: str):
        self._prefix = prefix
        self._entries: dict[bytes, Any] = {}
        self._size = 0
        folder = os.path.dirname(local(prefix))
        if folder and not os.path.exists(folder):
            os.mkdir(folder)
        self._suffix = f".tempstate{uuid.uuid4().int & (1 << 64) - 1}"
        self._data_name = data_name(prefix, 0, 1)
        self._file = writing.create(self._data_name + self._suffix)

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        try:
            self._file.close()
        finally:
            if kind is not None:
                os.remove(self._data_name + self._suffix)

    def add(self, name: str, array: np.ndarray | Variant) -> None:
        """Adds a tensor, or a variant.

        Raises:
          InvalidArgumentError: there is one of that name.
        """
        self._put(name.encode(), array)

    def add_slice(
        self, name: str, shape: Sequence[int], part: tensor_slice.Slice, array: np.ndarray
    ) -> None:
        """Adds a slice of a tensor.

        Raises:
          InvalidArgumentError: it is there already, or others of the tensor were of another type or
            shape.
        """
        if tensor_slice.is_full(part, shape):
            self.add(name, array)
            return
        entry = self._entries.setdefault(name.encode(), message("BundleEntryProto")())
        entry.dtype = dtypes.as_dtype(array.dtype).as_datatype_enum
        entry.shape = _shape_bytes(shape)
        entry.slices.append(tensor_slice.to_proto(part))
        self._put(tensor_slice.key(name, part), array)

    def _put(self, key: bytes, array: np.ndarray | Variant) -> None:
        if key in self._entries:
            text = key.decode(errors="backslashreplace")
            raise errors.InvalidArgumentError(None, None, f"Adding duplicate key: {text}")
        dtype = dtypes.as_dtype(array.dtype)
        if isinstance(array, Variant):
            dtype = dtypes.variant
            parts, crc = array.encoded()
        elif dtype is dtypes.string:
            parts, crc = _string_parts(array)
        else:
            data: Any = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            parts, crc = [data], google_crc32c.value(data.tobytes())
        size = 0
        for part in parts:
            size += self._file.write(part)
        self._entries[key] = message("BundleEntryProto")(
            dtype=dtype.as_datatype_enum,
            shape=_shape_bytes(array.shape),
            offset=self._size,
            size=size,
            crc32c=masked(crc),
        )
        self._size += size

    def finish(self) -> None:
        """Completes the files."""
        self._file.close()
        os.replace(self._data_name + self._suffix, self._data_name)
        _write_index(self._prefix, self._entries, 1)


def _write_index(prefix: str, entries: dict[bytes, Any], shards: int) -> None:
    version = protos.VersionDef(producer=1).SerializeToString()
    header = message("BundleHeaderProto")(num_shards=shards, version=version)
    rows = [(b"", header), *sorted(entries.items())]
    data = table.write((key, proto.SerializeToString()) for key, proto in rows)
    temporary = f"{index_name(prefix)}.tempstate{uuid.uuid4().int & (1 << 64) - 1}"
    try:
        with writing.create(temporary) as file:
            file.write(data)
        os.replace(temporary, index_name(prefix))
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def _shape_bytes(shape: Sequence[int]) -> bytes:
    proto = protos.TensorShapeProto()
    for dim in shape:
        proto.dim.add(size=dim)
    return proto.SerializeToString()


def _shape(entry: Any) -> tuple[int, ...]:
    return tuple(dim.size for dim in protos.TensorShapeProto.FromString(entry.shape).dim)


def merge(prefixes: Iterable[str], destination: str, delete_old_dirs: bool) -> None:
    """Makes one checkpoint of several that hold other tensors, or other slices of them.

    Raises:
      OSError: a file can't be read, moved or written.
    """
    prefixes = list(dict.fromkeys(prefixes))
    entries: dict[bytes, Any] = {}
    moves: list[str] = []
    for prefix in prefixes:
        reader = Reader(prefix)
        for key, entry in reader.entries.items():
            if entry.slices and key in entries:
                known = list(entries[key].slices)
                entries[key].slices.extend(part for part in entry.slices if part not in known)
                continue
            if key in entries:
                text = key.decode(errors="backslashreplace")
                raise errors.InvalidArgumentError(
                    None, None, f"Duplicate tensor keyed by {text} encountered, when merging prefix"
                )
            if not entry.slices:
                entry.shard_id += len(moves)
            entries[key] = entry
        moves += [data_name(prefix, i, reader.shards) for i in range(reader.shards)]
    folder = os.path.dirname(local(destination))
    if folder:
        os.makedirs(folder, exist_ok=True)
    for i, name in enumerate(moves):
        os.replace(name, data_name(destination, i, len(moves)))
    _write_index(destination, entries, len(moves))
    for prefix in prefixes:
        if index_name(prefix) != index_name(destination):
            os.remove(index_name(prefix))
    if delete_old_dirs:
        for folder in {os.path.dirname(local(prefix)) for prefix in prefixes}:
            if folder and folder != os.path.dirname(local(destination)) and not os.listdir(folder):
                os.rmdir(folder)


class Reader:
    """Reads a checkpoint.

    Args:
      prefix: the checkpoint's name.

    Attributes:
      entries: the `BundleEntryProto` of each key.
      shards: how many files of data there are.

    Raises:
      OSError: the index can't be read.
      DataLossError: it is corrupt.
    """

    def __init__(self, prefix: str):
        self._prefix = prefix
        with open(index_name(prefix), "rb") as file:
            rows = dict(table.read(file.read()))
        header = message("BundleHeaderProto").FromString(rows.pop(b"", b""))
        if header.endianness:
            raise errors.UnimplementedError(
                None, None, "Reading a bundle with different endianness from the reader"
            )
        self.shards = header.num_shards
        self.entries = {key: message("BundleEntryProto").FromString(v) for key, v in rows.items()}

    def names(self) -> list[str]:
        """The names of the tensors; slices are not among them."""
        return [key.decode() for key in self.entries if not key.startswith(b"\0")]

    def summary(self) -> Iterator[tuple[bytes, dtypes.DType, tuple[int, ...], bytes]]:
        """(key, type, shape, nothing) of each array of data; a slice is one."""
        for key, entry in self.entries.items():
            if not entry.slices:
                yield key, dtypes.as_dtype(entry.dtype), _shape(entry), b""

    def dtype(self, name: str) -> dtypes.DType:
        """The type of a tensor."""
        return dtypes.as_dtype(self._entry(name).dtype)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor."""
        return _shape(self._entry(name))

    def has(self, name: str) -> bool:
        """Whether there is such a tensor."""
        return name.encode() in self.entries

    def _entry(self, name: str) -> Any:
        entry = self.entries.get(name.encode())
        if entry is None:
            raise errors.NotFoundError(None, None, f"Key {name} not found in checkpoint")
        return entry

    def get(self, name: str, part: tensor_slice.Slice | None = None) -> np.ndarray:
        """A tensor, or a slice of it.

        Raises:
          NotFoundError: there is no such tensor, or not all of it.
          DataLossError: its bytes are corrupt.
        """
        entry = self._entry(name)
        if not entry.slices:
            found = self._read(entry)
            return found if part is None else found[tensor_slice.places(part, found.shape)]
        shape = self.shape(name)
        wanted = tensor_slice.full(len(shape)) if part is None else part
        stored = [tensor_slice.from_proto(proto) for proto in entry.slices]
        return assemble(
            name,
            shape,
            self.dtype(name),
            wanted,
            stored,
            lambda one: self._read(self.entries[tensor_slice.key(name, one)]),
        )

    def _read(self, entry: Any) -> Any:
        dtype = dtypes.as_dtype(entry.dtype)
        shape = _shape(entry)
        with open(data_name(self._prefix, entry.shard_id, self.shards), "rb") as file:
            file.seek(entry.offset)
            data = file.read(entry.size)
        if len(data) < entry.size:
            raise errors.OutOfRangeError(None, None, "Read less bytes than requested")
        if dtype is dtypes.string:
            return _strings(data, shape, entry.crc32c)
        if dtype is dtypes.variant:
            if shape:
                raise errors.UnimplementedError(
                    None, None, "tf1compat reads variants from checkpoints that are scalars only"
                )
            return Variant.decoded(data, entry.crc32c)
        crc = masked(google_crc32c.value(data))
        if crc != entry.crc32c:
            raise errors.DataLossError(
                None,
                None,
                f"Checksum does not match: stored {entry.crc32c} vs. calculated on the restored "
                f"bytes {crc}",
            )
        return np.frombuffer(bytearray(data), dtype.as_numpy_dtype).reshape(shape)


def assemble(
    name: str,
    shape: Sequence[int],
    dtype: dtypes.DType,
    wanted: tensor_slice.Slice,
    stored: Iterable[tensor_slice.Slice],
    read: Any,
) -> np.ndarray:
    """A slice of a tensor, put together from those that are stored.

    Raises:
      NotFoundError: they don't cover it.
    """
    result = np.zeros(tensor_slice.shape_of(wanted, shape), dtype.as_numpy_dtype)
    covered = np.zeros(result.shape, bool)
    for one in stored:
        both = tensor_slice.overlap(wanted, one, shape)
        if both is not None and not covered[both[0]].all():
            result[both[0]] = read(one)[both[1]]
            covered[both[0]] = True
    if not covered.all():
        raise errors.NotFoundError(
            None,
            None,
            f"Does not have sufficient slices for partitioned tensor {name} to restore in slice "
            f"{tensor_slice.to_text(wanted)}; shape {shapes.to_string(tuple(shape))}",
        )
    return result
