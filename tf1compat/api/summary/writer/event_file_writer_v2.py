"""Writes events by operations of a session (`tensorflow.python.summary.writer.
event_file_writer_v2`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.lib.io import file_io
from tf1compat.api.summary import summary_ops_v2
from tf1compat.core import dtypes, ops
from tf1compat.core.session_interface import SessionInterface


class EventFileWriterV2:
    """Writes events to the file of a writer that is a resource of the session: with others of the
    same directory, and with summaries that operations write, it is one file.

    Args:
      session: where the writer is; its operations are recorded in the session's graph.
      logdir: the directory of the file, made if it is not there.
      max_queue: how many events may wait.
      flush_secs: how often they are handed to the operating system.
      filename_suffix: the end of the file's name.
    """

    def __init__(
        self, session: SessionInterface, logdir: str, max_queue: int = 10, flush_secs: Any = 120,
        filename_suffix: str = "",
    ):  # fmt: skip
        self._session: Any = session
        self._logdir = logdir
        self._closed = False
        if not file_io.is_directory(logdir):
            file_io.recursive_create_dir(logdir)
        with self._session.graph.as_default(), ops.name_scope("filewriter"):
            writer = summary_ops_v2.create_file_writer(
                logdir,
                max_queue=max_queue,
                flush_millis=flush_secs * 1000,
                filename_suffix=filename_suffix,
            )
            with summary_ops_v2.always_record_summaries(), writer.as_default():
                unused = constant_op.constant("unused", dtypes.string)
                self._event = array_ops.placeholder_with_default(unused, shape=[])
                self._add = summary_ops_v2.import_event(self._event)
            self._init, self._flush, self._close = writer.init(), writer.flush(), writer.close()
        self._session.run(self._init)

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self._logdir

    def reopen(self) -> None:
        """Takes events again after `close`, in a new file."""
        if self._closed:
            self._session.run(self._init)
            self._closed = False

    def add_event(self, event: Any) -> None:
        """Writes an `Event`, unless it is closed."""
        if not self._closed:
            self._session.run(self._add, {self._event: event.SerializeToString()})

    def flush(self) -> None:
        """Waits until every event is in the file."""
        self._session.run(self._flush)

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        if not self._closed:
            self.flush()
            self._session.run(self._close)
            self._closed = True
