"""`tensorflow.python.pywrap_tensorflow`: what TF wraps of its C++ and programs use by this path."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tf1compat.api.lib.io import tf_record
from tf1compat.api.lib.io.file_io import tf_error
from tf1compat.api.summary.writer import event_file_writer
from tf1compat.api.util.compat import as_str, as_str_any
from tf1compat.core import constants, dtypes, errors, protos, shapes
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.formats import bundle, checkpoint


class CheckpointReader:
    """Reads the tensors of a checkpoint, without a graph or a session.

    Args:
      filename: the checkpoint's name, as `tf.train.Saver.save` returned it.

    Raises:
      NotFoundError: there is no such checkpoint.
      DataLossError: it is corrupt.
    """

    def __init__(self, filename: Any):
        self._reader = _read(checkpoint.open_reader, as_str(filename))

    def has_tensor(self, tensor_str: Any) -> bool:
        """Whether the checkpoint holds a tensor of that name."""
        return self._reader.has(as_str(tensor_str))

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        """The shape of each tensor, by name."""
        return {name: list(self._reader.shape(name)) for name in self._reader.names()}

    def get_variable_to_dtype_map(self) -> dict[str, dtypes.DType]:
        """The type of each tensor, by name."""
        return {name: self._reader.dtype(name) for name in self._reader.names()}

    def debug_string(self) -> bytes:
        """A line for each tensor: its name, type and shape."""
        lines = []
        for key, dtype, shape, more in self._reader.summary():
            text = f" (DT_{dtypes.cpp_name(dtype).upper()}) {shapes.to_string(shape)}"
            lines.append(key + text.encode() + more + b"\n")
        return b"".join(lines)

    def get_tensor(self, tensor_str: Any) -> Any:
        """The value of a tensor, an array, or a number or bytes if it is a scalar.

        Raises:
          NotFoundError: the checkpoint does not hold it.
          DataLossError: its bytes are corrupt.
        """
        name = as_str(tensor_str)
        is_bundle = isinstance(self._reader, bundle.Reader)
        if not is_bundle:
            if not self._reader.has(name):
                raise errors.NotFoundError(None, None, f"{name} not found in checkpoint file")
            if self._reader.is_sliced(name):
                raise errors.UnimplementedError(None, None, "Sliced checkpoints are not supported")
        found = _read(self._reader.get, name)
        return found if found.ndim else found[()]


class PyRecordReader:
    """The records of a file that may grow: TensorBoard reads event files by it.

    Args:
      filename: the file.
      start_offset: where the first record to read starts.
      compression_type_string: "GZIP", "ZLIB" or "".

    Raises:
      NotFoundError: there is no such file.
    """

    def __init__(self, filename: Any, start_offset: int, compression_type_string: Any):
        self._reader: tf_record.RecordReader | None = None
        self._reader = tf_record.RecordReader(filename, as_str_any(compression_type_string))
        self._reader.seek(start_offset)
        self._offset = start_offset
        self._record = b""

    def GetNext(self) -> None:  # noqa: N802
        """Reads a record.

        Raises:
          OutOfRangeError: there is none yet; a later call may find it.
          DataLossError: it is corrupt, or not whole yet.
          FailedPreconditionError: the reader is closed.
        """
        if self._reader is None:
            raise errors.FailedPreconditionError(None, None, "Reader is closed.")
        try:
            record = self._reader.read()
            if record is None:
                raise errors.OutOfRangeError(None, None, "Read less bytes than requested")
        except errors.OpError:
            self._reader.seek(self._offset)
            raise
        self._record, self._offset = record, self._reader.offset

    def record(self) -> bytes:
        """The record that was read last."""
        return self._record

    def offset(self) -> int:
        """Where it ends."""
        return self._offset

    def Close(self) -> None:  # noqa: N802
        """Closes the file."""
        if self._reader is not None:
            self._reader.close()
        self._reader = None

    def __del__(self) -> None:
        self.Close()


def PyRecordReader_New(  # noqa: N802
    filename: Any, start_offset: int, compression_type_string: Any, out_status: Any
) -> PyRecordReader:
    """A PyRecordReader; its errors are raised, so that `out_status` is left alone."""
    del out_status
    return PyRecordReader(filename, start_offset, compression_type_string)


class EventsWriter:
    """Appends events to a file that TensorBoard reads.

    Args:
      file_prefix: the path that the file's name begins with, bytes.

    Raises:
      TypeError: the prefix is no bytes.
    """

    def __init__(self, file_prefix: bytes):
        self._writer = event_file_writer.EventsWriter(_text(file_prefix))

    def InitWithSuffix(self, suffix: bytes) -> bool:  # noqa: N802
        """Makes the file, with a name that ends in `suffix`."""
        self._writer.init_with_suffix(_text(suffix))
        return True

    def FileName(self) -> bytes:  # noqa: N802
        """The file's path."""
        return os.fsencode(self._writer.path())

    def WriteEvent(self, event: Any) -> None:  # noqa: N802
        """Appends an event.

        Raises:
          TypeError: it is no `Event`.
        """
        if not isinstance(event, protos.load("event_pb2", "Event")):
            raise TypeError(f"Expected an event_pb2.Event proto,  but got {type(event)}")
        self._writer.write_event(event)

    def _WriteSerializedEvent(self, event_str: bytes) -> None:  # noqa: N802
        self._writer.write_serialized(event_str)

    def Flush(self) -> bool:  # noqa: N802
        """Hands what was written to the operating system."""
        self._writer.flush()
        return True

    def Close(self) -> bool:  # noqa: N802
        """Closes the file; a later event goes to a new one."""
        self._writer.close()
        return True


def _text(path: bytes) -> str:
    if not isinstance(path, bytes):
        raise TypeError(f"expected bytes, {type(path).__name__} found")
    return os.fsdecode(path)


def TF_TryEvaluateConstant_wrapper(graph: Graph, output: Any) -> np.ndarray | None:  # noqa: N802
    """The value of a tensor if it follows from constants alone, as TF 1.15's C API tells it.

    Args:
      graph: `Graph._c_graph` of the tensor's graph.
      output: `Tensor._as_tf_output()` of the tensor.

    Returns:
      An array, or None if the value is not known before the graph is run.
    """
    del graph
    return constants.known_value(output)


def _read(function: Any, argument: str) -> Any:
    try:
        return function(argument)
    except OSError as error:
        raise tf_error(error.filename or argument, error) from None


@tf_export("train.NewCheckpointReader")
def NewCheckpointReader(filepattern: Any) -> CheckpointReader:  # noqa: N802
    """A reader of the checkpoint of that name, as `tf.train.NewCheckpointReader` in TF 1.15.

    Args:
      filepattern: the checkpoint's prefix, as `Saver.save` returns it.

    Returns:
      A `CheckpointReader`.

    Raises:
      NotFoundError: there is no such checkpoint.
      DataLossError: it is corrupt.
    """
    return CheckpointReader(filepattern)
