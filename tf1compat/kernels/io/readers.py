"""Readers: records of the files whose names come from a queue."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import repeat
from typing import Any

import numpy as np

from tf1compat.api.lib.io import file_io, tf_record
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.summary import escaped
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import varint
from tf1compat.kernels.io import lmdb_files
from tf1compat.kernels.queues import queues
from tf1compat.kernels.text.string import invalid
from tf1compat.kernels.variables import resources

Record = tuple[bytes, bytes]


class _Reader:
    """Reads one file after the other.

    Args:
      source: the operation that owns it.
    """

    def __init__(self, source: Any):
        self.attrs = source._attrs
        if not self.attrs["shared_name"]:
            next(queues.numbers)  # Readers without a name take one of the numbers, too.
        self.produced = 0
        self.completed = 0
        self._records: Iterator[Record] | None = None
        self._lock = threading.Lock()

    def records(self, name: bytes) -> Iterator[Record]:
        """The (key, value)s of a file."""
        raise NotImplementedError

    def read(self, queue: Any, session: Any, count: int = 1) -> list[Record]:
        """The next records, of one file.

        Raises:
          OutOfRangeError: the queue is closed, and has no more names.
        """
        found: list[Record] = []
        with self._lock:
            while len(found) < count:
                if self._records is None:
                    if found:
                        break
                    (name,) = queue.dequeue(1, session)[0]
                    self._records = self.records(name[()])
                try:
                    record = next(self._records, None)
                except errors.OpError:
                    self._records = None
                    raise
                if record is None:
                    self._records = None
                    self.completed += 1
                else:
                    self.produced += 1
                    found.append(record)
        return found

    def reset(self) -> None:
        """Starts again, with the next file."""
        with self._lock:
            self.produced = self.completed = 0
            self._records = None

    # The state as text: started and finished files, records, the last file.

    def serialized(self) -> bytes:
        """The state.

        Raises:
          UnimplementedError: readers of this kind can't say it.
        """
        raise errors.UnimplementedError(None, None, "Reader SerializeState")

    def restore(self, state: bytes, name: str) -> None:
        """Takes a state up.

        Raises:
          UnimplementedError: readers of this kind can't.
          InvalidArgumentError: it is none.
        """
        raise errors.UnimplementedError(None, None, "Reader RestoreState")


class _OneRecord(_Reader):
    """Each file is one record, and each read that of one file."""

    kind = ""
    started = 0
    last = b""

    def reset(self) -> None:
        super().reset()
        self.started = 0
        self.last = b""

    def serialized(self) -> bytes:
        found = b""
        for tag, number in ((8, self.started), (16, self.completed), (24, self.produced)):
            found += bytes([tag]) + varint.encode(number) if number else b""
        if self.last:
            found += b"\x22" + varint.encode(len(self.last)) + self.last
        return found

    def restore(self, state: bytes, name: str) -> None:
        try:
            fields = varint.fields(state)
        except ValueError:
            text = f"Could not parse state for {self.kind} '{name}': {escaped(state)}"
            raise invalid(text) from None
        with self._lock:
            self.started = fields.get(1, 0)
            self.completed = fields.get(2, 0)
            self.produced = fields.get(3, 0)
            self.last = fields.get(4, b"")

    def value(self, name: bytes) -> bytes:
        """The record of a file."""
        raise NotImplementedError

    def read(self, queue: Any, session: Any, count: int = 1) -> list[Record]:
        if count <= 0:
            return []
        with self._lock:
            if self.started == self.completed:  # Else the last file could not be read.
                self.last = b""
                (name,) = queue.dequeue(1, session)[0]
                self.last = name[()]
                self.started += 1
            record = self.last, self.value(self.last)
            self.produced += 1
            self.completed = self.started
        return [record]


class _WholeFile(_OneRecord):
    kind = "WholeFileReader"

    def value(self, name: bytes) -> bytes:
        return file_io.read_file_to_string(name, binary_mode=True)


class _Identity(_OneRecord):
    kind = "IdentityReader"

    def value(self, name: bytes) -> bytes:
        return name


class _Lines(_Reader):
    def records(self, name: bytes) -> Iterator[Record]:
        text = file_io.read_file_to_string(name, binary_mode=True)
        for number, line in enumerate(file_io.lines_of(text), 1):
            if number > self.attrs["skip_header_lines"]:
                yield b"%s:%d" % (name, number), line


class _FixedLength(_Reader):
    def __init__(self, source: Any):
        super().__init__(source)
        for name in ("header_bytes", "record_bytes", "footer_bytes", "hop_bytes"):
            if self.attrs[name] < 0:
                raise invalid(f"{name} must be >= 0 not {self.attrs[name]}")

    def records(self, name: bytes) -> Iterator[Record]:
        data = file_io.read_file_to_string(name, binary_mode=True)
        attrs = self.attrs
        encoding = attrs["encoding"].decode()
        if encoding in ("ZLIB", "GZIP"):
            data = tf_record.decompressed(data, encoding)
        size, hop = attrs["record_bytes"], attrs["hop_bytes"] or attrs["record_bytes"]
        last = len(data) - attrs["footer_bytes"] - size
        starts = range(attrs["header_bytes"], last + 1, hop) if hop else repeat(0)
        for number, at in enumerate(starts):
            yield b"%s:%d" % (name, number), data[at : at + size]


class _Records(_Reader):
    def records(self, name: bytes) -> Iterator[Record]:
        reader = tf_record.RecordReader(name, self.attrs["compression_type"].decode())
        at = 0
        try:
            while (record := reader.read()) is not None:
                yield b"%s:%d" % (name, at), record
                at = reader.offset
        finally:
            reader.close()


class _Lmdb(_Reader):
    def records(self, name: bytes) -> Iterator[Record]:
        return lmdb_files.records(name)


_CLASSES: dict[str, type[_Reader]] = {
    "FixedLengthRecordReader": _FixedLength,
    "IdentityReader": _Identity,
    "LMDBReader": _Lmdb,
    "TFRecordReader": _Records,
    "TextLineReader": _Lines,
    "WholeFileReader": _WholeFile,
}


def _handle_shape_v1() -> Shape:
    return (2,)


def _handle_shape() -> Shape:
    return ()


for _name in _CLASSES:
    register(_name, shape=_handle_shape_v1, source=True, host=True)
    if _name == "LMDBReader":
        continue
    register(f"{_name}V2", shape=_handle_shape, source=True, host=True)


def _find(ctx: LoweringContext, handle: Any) -> _Reader:
    return resources.find(
        ctx, handle, lambda source: _CLASSES[source.type.removesuffix("V2")](source)
    )


def _names(ctx: LoweringContext, handle: Any) -> Any:
    """The queue that file names come from."""
    queue = queues.find(ctx, handle)
    if queue.dtypes != [dtypes.string]:
        raise invalid("Expected queue with single string component")
    return queue


@op("ReaderRead", "ReaderReadV2", host=True, reads=(0, 1), effect=True)
class ReaderRead:
    def shape(reader_handle: Any, queue_handle: Shape) -> Any:
        return [(), ()]

    def lower(reader_handle: Any, queue_handle: Any, *, ctx: LoweringContext) -> Any:
        queue = _names(ctx, queue_handle)
        ((key, value),) = _find(ctx, reader_handle).read(queue, ctx.session)
        return [np.array(key, object), np.array(value, object)]


@op("ReaderReadUpTo", "ReaderReadUpToV2", host=True, reads=(0, 1), effect=True)
class ReaderReadUpTo:
    def shape(reader_handle: Any, queue_handle: Shape, num_records: Shape) -> Any:
        shapes.with_rank(num_records, 0)
        return [(None,), (None,)]

    def lower(
        reader_handle: Any, queue_handle: Any, num_records: np.ndarray, *, ctx: LoweringContext
    ) -> Any:
        queue = _names(ctx, queue_handle)
        found = _find(ctx, reader_handle).read(queue, ctx.session, int(num_records))
        arrays = [np.empty(len(found), object) for _ in range(2)]
        for array, column in zip(arrays, zip(*found)):
            array[:] = column
        return arrays


@op("ReaderNumRecordsProduced", "ReaderNumRecordsProducedV2", host=True, reads=(0,), effect=True)
class ReaderNumRecordsProduced:
    def shape(reader_handle: Any) -> Shape:
        return ()

    def lower(reader_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, reader_handle).produced, np.int64)


@op(
    "ReaderNumWorkUnitsCompleted",
    "ReaderNumWorkUnitsCompletedV2",
    host=True,
    reads=(0,),
    effect=True,
)
class ReaderNumWorkUnitsCompleted:
    def shape(reader_handle: Any) -> Shape:
        return ()

    def lower(reader_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, reader_handle).completed, np.int64)


@op("ReaderReset", "ReaderResetV2", host=True, reads=(0,), effect=True)
class ReaderReset:
    def shape(reader_handle: Any) -> None:
        pass

    def lower(reader_handle: Any, *, ctx: LoweringContext) -> None:
        _find(ctx, reader_handle).reset()


not_differentiable(
    *_CLASSES,
    "ReaderNumRecordsProduced",
    "ReaderNumWorkUnitsCompleted",
    "ReaderRead",
    "ReaderReadUpTo",
    "ReaderReset",
)


@op("ReaderSerializeState", "ReaderSerializeStateV2", host=True, reads=(0,), effect=True)
class ReaderSerializeState:
    def shape(reader_handle: Any) -> Shape:
        return ()

    def lower(reader_handle: Any, *, ctx: LoweringContext) -> Any:
        return np.array(_find(ctx, reader_handle).serialized(), object)


@op("ReaderRestoreState", "ReaderRestoreStateV2", host=True, reads=(0,), effect=True)
class ReaderRestoreState:
    def shape(reader_handle: Any, state: Shape) -> None:
        shapes.with_rank(state, 0)

    def lower(reader_handle: Any, state: Any, *, ctx: LoweringContext) -> None:
        if np.ndim(state):
            shape = shapes.to_string(np.shape(state))
            raise invalid(f"Reader state must be scalar, but had shape: {shape}")
        _find(ctx, reader_handle).restore(state[()], reader_handle.source.name)


not_differentiable("ReaderSerializeState", "ReaderRestoreState")
