"""TFRecord files: records with their lengths and checksums, perhaps compressed as a whole.

A record is its length (uint64), the length's masked CRC-32C (uint32), its bytes, their masked
CRC-32C (uint32), all little-endian.
"""

from __future__ import annotations

import contextlib
import struct
import zlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.lib.io.file_io import errors_of, tf_error
from tf1compat.api.util.compat import as_bytes
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import errors
from tf1compat.core.export import tf_export
from tf1compat.core.file_names import local
from tf1compat.formats.crc32c import masked_crc

_HEADER = struct.Struct("<QI")
_CHECKSUM = struct.Struct("<I")
_BLOCK = 1 << 18
_GZIP = 16  # What zlib adds to the window's bits for gzip's format.


@tf_export("io.TFRecordCompressionType", "python_io.TFRecordCompressionType")
class TFRecordCompressionType:
    """How a file is compressed as a whole."""

    NONE = 0
    ZLIB = 1
    GZIP = 2


@tf_export("io.TFRecordOptions", "python_io.TFRecordOptions")
class TFRecordOptions:
    """How a file of records is compressed (as `tf.io.TFRecordOptions` in TF 1.15).

    Args:
      compression_type: "GZIP", "ZLIB", "" or None, or one of `TFRecordCompressionType`.
      flush_mode, input_buffer_size, output_buffer_size, window_bits, compression_level,
        compression_method, mem_level, compression_strategy: parameters of zlib; None for its own
        values.

    Raises:
      ValueError: there is no such `compression_type`.
    """

    compression_type_map = {
        TFRecordCompressionType.ZLIB: "ZLIB",
        TFRecordCompressionType.GZIP: "GZIP",
        TFRecordCompressionType.NONE: "",
    }

    def __init__(
        self,
        compression_type: Any = None,
        flush_mode: int | None = None,
        input_buffer_size: int | None = None,
        output_buffer_size: int | None = None,
        window_bits: int | None = None,
        compression_level: int | None = None,
        compression_method: int | None = None,
        mem_level: int | None = None,
        compression_strategy: int | None = None,
    ):
        self.get_compression_type_string(compression_type)
        self.compression_type = compression_type
        self.flush_mode = flush_mode
        self.input_buffer_size = input_buffer_size
        self.output_buffer_size = output_buffer_size
        self.window_bits = window_bits
        self.compression_level = compression_level
        self.compression_method = compression_method
        self.mem_level = mem_level
        self.compression_strategy = compression_strategy

    @classmethod
    def get_compression_type_string(cls, options: Any) -> str:
        """The name of a compression type: "GZIP", "ZLIB" or "".

        Args:
          options: the name itself, one of `TFRecordCompressionType`, `TFRecordOptions` or None.

        Raises:
          ValueError: it is none of these.
        """
        if not options:
            return ""
        if isinstance(options, TFRecordOptions):
            return cls.get_compression_type_string(options.compression_type)
        if options in cls.compression_type_map:
            return cls.compression_type_map[options]
        if options in cls.compression_type_map.values():
            return options
        raise ValueError(f'Not a valid compression_type: "{options}"')

    def _compressor(self) -> Any:
        """What compresses the file; None where nothing does."""
        kind = self.get_compression_type_string(self.compression_type)
        if not kind:
            return None
        bits = _window_bits(kind)
        return zlib.compressobj(
            _or(self.compression_level, zlib.Z_DEFAULT_COMPRESSION),
            _or(self.compression_method, zlib.DEFLATED),
            _or(self.window_bits, bits),
            _or(self.mem_level, 9),
            _or(self.compression_strategy, zlib.Z_DEFAULT_STRATEGY),
        )


def _or(value: int | None, default: int) -> int:
    return default if value is None else value


def _window_bits(kind: str) -> int:
    return zlib.MAX_WBITS + (_GZIP if kind == "GZIP" else 0)


def _inflated(inflater: Any, block: bytes) -> bytes:
    try:
        return inflater.decompress(block)
    except zlib.error as error:
        # "Error -3 while decompressing data: incorrect header check"
        code, _, text = str(error).removeprefix("Error ").partition(" ")
        reason = text.partition(": ")[2]
        raise errors.DataLossError(
            None, None, f"inflate() failed with error {code}: {reason}"
        ) from None


def decompressed(data: bytes, kind: str) -> bytes:
    """Bytes that are compressed as "GZIP" or "ZLIB", as they were before.

    Raises:
      DataLossError: they are not compressed so.
    """
    return _inflated(zlib.decompressobj(_window_bits(kind)), data)


class _Stream:
    """The bytes of a file, decompressed as they are read.

    Args:
      path: of the file.
      kind: "GZIP", "ZLIB" or "".
    """

    def __init__(self, path: Any, kind: str):
        try:
            self._file = open(local(as_bytes(path)), "rb")  # noqa: SIM115
        except OSError as error:
            raise tf_error(path, error) from None
        self._bits = _window_bits(kind) if kind else None
        self._inflater: Any = None
        self._ready = b""
        self._path = path

    def read(self, count: int) -> bytes:
        """The next `count` bytes, or what is left of them.

        Raises:
          DataLossError: they can't be decompressed.
        """
        try:
            if self._bits is None:
                return self._file.read(count)
            while len(self._ready) < count:
                block = self._file.read(_BLOCK)
                if not block:
                    break
                self._ready += self._inflate(block)
        except OSError as error:
            raise tf_error(self._path, error) from None
        found, self._ready = self._ready[:count], self._ready[count:]
        return found

    def seek(self, offset: int) -> None:
        """Goes to a place of the decompressed bytes."""
        self._inflater, self._ready = None, b""
        self._file.seek(offset if self._bits is None else 0)
        if self._bits is not None:
            self.read(offset)

    def _inflate(self, block: bytes) -> bytes:
        found = b""
        while block:
            if self._inflater is None or self._inflater.eof:
                self._inflater = zlib.decompressobj(self._bits or 0)
            found += _inflated(self._inflater, block)
            block = self._inflater.unused_data
        return found

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


class RecordReader:
    """The records of a file, one after the other.

    Args:
      path: of the file.
      compression_type: "GZIP", "ZLIB" or "".

    Attributes:
      offset: where the next record starts.

    Raises:
      NotFoundError: there is no such file.
    """

    def __init__(self, path: Any, compression_type: str = ""):
        self._stream = _Stream(path, compression_type)
        self.offset = 0
        self._block, self._at = b"", 0  # What was read of the file, and where the next record is.

    def seek(self, offset: int) -> None:
        """Goes to where a record starts."""
        self._stream.seek(offset)
        self.offset = offset
        self._block, self._at = b"", 0

    def read(self) -> bytes | None:
        """The next record; None at the end of the file.

        Raises:
          DataLossError: a checksum is wrong, or the file ends within the record.
        """
        at, block = self._at, self._block
        start = at + _HEADER.size
        if len(block) < start and not self._has(_HEADER.size):
            self._block, self._at = b"", 0
            return None
        if block is not self._block:
            at, block, start = 0, self._block, _HEADER.size
        length, checksum = _HEADER.unpack_from(block, at)
        if masked_crc(block[at : at + 8]) != checksum:
            self._at = start
            raise errors.DataLossError(None, None, f"corrupted record at {self.offset}")
        at_data, self.offset = self.offset, self.offset + _HEADER.size
        if len(block) < start + length + _CHECKSUM.size:
            if not self._has(_HEADER.size + length + _CHECKSUM.size):
                self._block, self._at = b"", 0
                raise errors.DataLossError(None, None, f"truncated record at {at_data}")
            block, start = self._block, _HEADER.size
        end = start + length
        self._at = end + _CHECKSUM.size
        data = block[start:end]
        if masked_crc(data) != _CHECKSUM.unpack_from(block, end)[0]:
            raise errors.DataLossError(None, None, f"corrupted record at {self.offset}")
        self.offset += length + _CHECKSUM.size
        return data

    def read_some(self) -> list[bytes]:
        """The next records, as many as are at hand; none at the end of the file.

        Raises:
          DataLossError: a checksum is wrong, or the file ends within the next record.
        """
        block, at, found = self._block, self._at, []
        room = len(block) - _HEADER.size - _CHECKSUM.size
        while at <= room:
            length, checksum = _HEADER.unpack_from(block, at)
            if at + length > room or masked_crc(block[at : at + 8]) != checksum:
                break
            start = at + _HEADER.size
            end = start + length
            data = block[start:end]
            if masked_crc(data) != _CHECKSUM.unpack_from(block, end)[0]:
                break
            found.append(data)
            at = end + _CHECKSUM.size
        self.offset += at - self._at
        self._at = at
        if not found:  # The next one needs more of the file, or is damaged.
            record = self.read()
            return [] if record is None else [record]
        return found

    def _has(self, count: int) -> bool:
        """Reads on, so that the block begins with the next record; whether there are so many bytes
        of it."""
        rest = self._block[self._at :]
        self._block = rest + self._stream.read(max(_BLOCK, count - len(rest)))
        self._at = 0
        return len(self._block) >= count

    def close(self) -> None:
        """Closes the file."""
        self._stream.close()


@tf_export("io.tf_record_iterator", "python_io.tf_record_iterator")
@deprecated(
    None,
    "Use eager execution and: \n`tf.data.TFRecordDataset(path)`",
    module="tensorflow.python.lib.io.tf_record",
)
def tf_record_iterator(path: Any, options: Any = None) -> Iterator[bytes]:
    """The records of a TFRecord file (as `tf.python_io.tf_record_iterator` in TF 1.15).

    Args:
      path: of the file.
      options: how it is compressed: `TFRecordOptions` or a compression type.

    Yields:
      A record's bytes.

    Raises:
      NotFoundError: there is no such file.
      DataLossError: the file is damaged.
    """
    reader = RecordReader(path, TFRecordOptions.get_compression_type_string(options))
    try:
        while (record := reader.read()) is not None:
            yield record
    finally:
        reader.close()


@tf_export("io.TFRecordWriter", "python_io.TFRecordWriter")
class TFRecordWriter:
    """Writes records to a TFRecord file (as `tf.python_io.TFRecordWriter` in TF 1.15).

    Args:
      path: of the file; what it held is lost.
      options: how it is compressed: `TFRecordOptions` or a compression type.

    Raises:
      NotFoundError: there is no such directory.
    """

    def __init__(self, path: Any, options: Any = None):
        if not isinstance(options, TFRecordOptions):
            options = TFRecordOptions(compression_type=options)
        self._compressor = options._compressor()
        self._path = path
        try:
            self._file: Any = open(local(as_bytes(path)), "wb")  # noqa: SIM115
        except OSError as error:
            raise tf_error(path, error) from None

    def __enter__(self) -> TFRecordWriter:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def __del__(self) -> None:
        # Where Python ends, names of modules may be gone; the file closes itself then.
        if self.__dict__.get("_file") is not None and contextlib is not None:
            with contextlib.suppress(errors.OpError):  # Nobody is there to be told.
                self.close()

    def _check_open(self) -> None:
        if self._file is None:
            raise errors.FailedPreconditionError(
                None, None, "Writer not initialized or previously closed"
            )

    def write(self, record: bytes) -> None:
        """Appends a record.

        Raises:
          TypeError: it is not bytes.
          FailedPreconditionError: the file is closed.
          ResourceExhaustedError: the disk is full.
        """
        if not isinstance(record, bytes):
            raise TypeError(f"expected bytes, {type(record).__name__} found")
        self._check_open()
        length = len(record).to_bytes(8, "little")
        parts = (length, _CHECKSUM.pack(masked_crc(length)))
        data = b"".join((*parts, record, _CHECKSUM.pack(masked_crc(record))))
        with errors_of(self._path):
            self._file.write(data if self._compressor is None else self._compressor.compress(data))

    def flush(self) -> None:
        """Hands what was written to the operating system.

        Raises:
          FailedPreconditionError: the file is closed.
          ResourceExhaustedError: the disk is full.
        """
        self._check_open()
        with errors_of(self._path):
            if self._compressor is not None:
                self._file.write(self._compressor.flush(zlib.Z_PARTIAL_FLUSH))
            self._file.flush()

    def close(self) -> None:
        """Closes the file.

        Raises:
          ResourceExhaustedError: the disk is full; the file is closed nevertheless.
        """
        file, self._file = self._file, None
        if file is None:
            return
        with errors_of(self._path), file:
            if self._compressor is not None:
                file.write(self._compressor.flush())
