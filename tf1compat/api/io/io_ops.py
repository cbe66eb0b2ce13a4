"""`tensorflow.python.ops.io_ops`: operations on files."""

from __future__ import annotations

from typing import Any

from tf1compat.api.lib.io.tf_record import TFRecordOptions
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("io.read_file", "read_file")
def read_file(filename: Any, name: str | None = None) -> ops.Tensor:
    """The contents of a file.

    Args:
      filename: a scalar string tensor.
      name: the operation's name.

    Returns:
      A scalar string tensor.

    Raises:
      NotFoundError: at run time, if there is no such file.
    """
    return raw_ops.ReadFile(filename, name=name)


@tf_export("io.write_file", "write_file")
def write_file(filename: Any, contents: TensorLike, name: str | None = None) -> ops.Operation:
    """An operation that writes a file, and makes the directories it lies in.

    Args:
      filename: a scalar string tensor.
      contents: a scalar string tensor.
      name: the operation's name.
    """
    return raw_ops.WriteFile(filename, contents, name=name)


@tf_export("io.matching_files", "matching_files")
def matching_files(pattern: Any, name: str | None = None) -> ops.Tensor:
    """The paths that match any of some patterns, sorted.

    Args:
      pattern: a string tensor, a scalar or a vector.
      name: the operation's name.

    Returns:
      A vector of strings.
    """
    return raw_ops.MatchingFiles(pattern, name=name)


# Readers.

_INSTEAD = "Queue-based input pipelines have been replaced by `tf.data`. Use "


@tf_export("ReaderBase")
class ReaderBase:
    """What every reader has: it gives the records of the files that a queue names.

    Args:
      reader_ref: the handle.
      supports_serialize: whether its state can be saved.

    Raises:
      RuntimeError: eager execution is on.
    """

    def __init__(self, reader_ref: Any, supports_serialize: bool = False):
        if context.executing_eagerly():
            raise RuntimeError(
                "Readers are not supported when eager execution is enabled. "
                "Instead, please use tf.data to get data into your model."
            )
        self._reader_ref = reader_ref
        self._supports_serialize = supports_serialize

    reader_ref = attribute("_reader_ref", "The handle.")

    def _op(self, kind: str) -> Any:
        """The function that records an operation on this reader's kind of handle."""
        version = "V2" if self._reader_ref.dtype == dtypes.resource else ""
        return getattr(raw_ops, kind + version)

    def _queue_ref(self, queue: Any) -> Any:
        queue_ref = queue if isinstance(queue, ops.Tensor) else queue.queue_ref
        if self._reader_ref.dtype == dtypes.resource:
            return queue_ref
        return raw_ops.FakeQueue(queue_ref)

    def read(self, queue: Any, name: str | None = None) -> Any:
        """The next record.

        Args:
          queue: a queue of file names, or its handle.
          name: the operation's name.

        Returns:
          Two scalar string tensors: what the record is called, and the record.
        """
        return self._op("ReaderRead")(self._reader_ref, self._queue_ref(queue), name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: str | None = None) -> Any:
        """The next records, at most `num_records`.

        Returns:
          Two vectors of strings: what the records are called, and the records.
        """
        return self._op("ReaderReadUpTo")(
            self._reader_ref, self._queue_ref(queue), num_records, name=name
        )

    def num_records_produced(self, name: str | None = None) -> ops.Tensor:
        """How many records there were so far (int64)."""
        return self._op("ReaderNumRecordsProduced")(self._reader_ref, name=name)

    def num_work_units_completed(self, name: str | None = None) -> ops.Tensor:
        """How many files were read so far (int64)."""
        return self._op("ReaderNumWorkUnitsCompleted")(self._reader_ref, name=name)

    def serialize_state(self, name: str | None = None) -> ops.Tensor:
        """The state as a string."""
        return self._op("ReaderSerializeState")(self._reader_ref, name=name)

    def restore_state(self, state: Any, name: str | None = None) -> ops.Operation:
        """An operation that takes a state back."""
        return self._op("ReaderRestoreState")(self._reader_ref, state, name=name)

    supports_serialize: bool = attribute("_supports_serialize", "Whether the state can be saved.")

    def reset(self, name: str | None = None) -> ops.Operation:
        """An operation that makes the reader begin anew."""
        return self._op("ReaderReset")(self._reader_ref, name=name)


@tf_export("WholeFileReader")
class WholeFileReader(ReaderBase):
    """Each file is one record."""

    @deprecated(None, f"{_INSTEAD}`tf.data.Dataset.map(tf.read_file)`.")
    def __init__(self, name: str | None = None):
        super().__init__(raw_ops.WholeFileReaderV2(name=name), supports_serialize=True)


@tf_export("TextLineReader")
class TextLineReader(ReaderBase):
    """Each line is a record.

    Args:
      skip_header_lines: how many lines of each file are left out.
      name: the name of the handle's operation.
    """

    @deprecated(None, f"{_INSTEAD}`tf.data.TextLineDataset`.")
    def __init__(self, skip_header_lines: Any = None, name: str | None = None):
        super().__init__(raw_ops.TextLineReaderV2(skip_header_lines=skip_header_lines, name=name))


@tf_export("FixedLengthRecordReader")
class FixedLengthRecordReader(ReaderBase):
    """All records have one length.

    Args:
      record_bytes: the length.
      header_bytes, footer_bytes: what is left out at the start and the end of each file.
      hop_bytes: how far apart records start; None or 0 for their length.
      name: the name of the handle's operation.
      encoding: "ZLIB" where files are compressed.
    """

    @deprecated(None, f"{_INSTEAD}`tf.data.FixedLengthRecordDataset`.")
    def __init__(
        self,
        record_bytes: int,
        header_bytes: int | None = None,
        footer_bytes: int | None = None,
        hop_bytes: int | None = None,
        name: str | None = None,
        encoding: str | None = None,
    ):
        super().__init__(
            raw_ops.FixedLengthRecordReaderV2(
                record_bytes=record_bytes,
                header_bytes=header_bytes,
                footer_bytes=footer_bytes,
                hop_bytes=hop_bytes,
                encoding=encoding,
                name=name,
            )
        )


@tf_export("TFRecordReader")
class TFRecordReader(ReaderBase):
    """The records of TFRecord files.

    Args:
      name: the name of the handle's operation.
      options: `TFRecordOptions`: how the files are compressed.
    """

    @deprecated(None, f"{_INSTEAD}`tf.data.TFRecordDataset`.")
    def __init__(self, name: str | None = None, options: Any = None):
        kind = TFRecordOptions.get_compression_type_string(options)
        super().__init__(raw_ops.TFRecordReaderV2(name=name, compression_type=kind))


@tf_export("IdentityReader")
class IdentityReader(ReaderBase):
    """Each file's name is a record."""

    @deprecated(None, f"{_INSTEAD}`tf.data.Dataset.map(...)`.")
    def __init__(self, name: str | None = None):
        super().__init__(raw_ops.IdentityReaderV2(name=name), supports_serialize=True)


@tf_export("LMDBReader")
class LMDBReader(ReaderBase):
    """The records of LMDB databases.

    Args:
      name: the name of the handle's operation.
      options: not used.
    """

    @deprecated(None, f"{_INSTEAD}`tf.contrib.data.LMDBDataset`.")
    def __init__(self, name: str | None = None, options: Any = None):
        super().__init__(raw_ops.LMDBReader(name=name))
