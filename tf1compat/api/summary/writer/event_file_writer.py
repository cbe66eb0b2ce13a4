"""Event files, which TensorBoard reads (`tensorflow.python.summary.writer.event_file_writer`)."""

from __future__ import annotations

import contextlib
import os
import queue
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.lib.io.tf_record import TFRecordWriter
from tf1compat.api.platform import tf_logging
from tf1compat.api.util.compat import as_bytes
from tf1compat.core import errors, protos

_VERSION = "brain.Event:2"


class EventsWriter:
    """Appends events to a file `<prefix>.out.tfevents.<seconds>.<host><suffix>`.

    The file is made with the first event; a new one if somebody removed it since. As in TF 1.15, a
    program does not fail for events that can't be written, as on a full disk: they are lost. Here
    a warning says so.
    """

    def __init__(self, prefix: str):
        self._prefix = prefix
        self._suffix = ""
        self._path = ""
        self._records: TFRecordWriter | None = None
        self._warned = False

    def init_with_suffix(self, suffix: str) -> None:
        """Makes the file, with a name that ends in `suffix`."""
        self._suffix = suffix
        self._open()

    def _open(self) -> TFRecordWriter:
        if self._records is not None:
            if os.path.exists(self._path):
                return self._records
            tf_logging.error(f"The events file {self._path} has disappeared.")
            with self._losses():
                self._records.close()
        now = int(time.time())
        name = f"{self._prefix}.out.tfevents.{now:010d}.{socket.gethostname()}"
        self._path = name + self._suffix
        self._warned = False
        self._records = TFRecordWriter(self._path)
        version = protos.load("event_pb2", "Event")(wall_time=now, file_version=_VERSION)
        self._records.write(version.SerializeToString())
        self._records.flush()
        return self._records

    def path(self) -> str:
        """Where the events go; the file is made if there is none yet."""
        with self._losses():
            self._open()
        return self._path

    def write_event(self, event: Any) -> None:
        """Appends an event."""
        self.write_serialized(event.SerializeToString())

    def write_serialized(self, event: bytes) -> None:
        """Appends an event in its wire format."""
        with self._losses():
            self._open().write(event)

    def flush(self) -> None:
        """Hands what was written to the operating system."""
        if self._records is not None:
            with self._losses():
                self._records.flush()

    def close(self) -> None:
        """Closes the file; a later event goes to a new one."""
        if self._records is not None:
            with self._losses():
                self._records.close()
            self._records = None

    @contextlib.contextmanager
    def _losses(self) -> Iterator[None]:
        """Within it, what can't be written is lost; a warning says so once for a file."""
        try:
            yield
        except errors.OpError as error:
            if not self._warned:
                tf_logging.warning(f"Events are lost, as they can't be written: {error.message}")
            self._warned = True


class EventFileWriter:
    """Writes events to a file from a thread of its own.

    Args:
      logdir: the directory, made if need be.
      max_queue: how many events may wait to be written.
      flush_secs: how often they are handed to the operating system.
      filename_suffix: the end of the file's name.
    """

    def __init__(
        self, logdir: str, max_queue: int = 10, flush_secs: Any = 120, filename_suffix: Any = None
    ):
        self._logdir = str(logdir)
        if not file_io.is_directory(self._logdir):
            file_io.recursive_create_dir(self._logdir)
        self._event_queue: queue.Queue[Any] = queue.Queue(max_queue)
        self._ev_writer = EventsWriter(os.path.join(self._logdir, "events"))
        self._flush_secs = flush_secs
        self._sentinel_event = protos.load("event_pb2", "Event")()
        if filename_suffix:
            self._ev_writer.init_with_suffix(as_bytes(filename_suffix).decode())
        self._start()

    def _start(self) -> None:
        self._closed = False
        self._worker = _EventLoggerThread(
            self._event_queue, self._ev_writer, self._flush_secs, self._sentinel_event
        )
        self._worker.start()
        # Many programs end without closing their writers. It runs then, at the latest.
        weakref.finalize(self, self._worker.finish)

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self._logdir

    def reopen(self) -> None:
        """Takes events again after `close`, into the same file if its second has not passed."""
        if self._closed:
            self._start()

    def add_event(self, event: Any) -> None:
        """Queues an event; nothing if the writer is closed."""
        if not self._closed:
            self._event_queue.put(event)

    def flush(self) -> None:
        """Waits until every event is in the file."""
        self._event_queue.join()
        self._ev_writer.flush()

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        self.add_event(self._sentinel_event)
        self.flush()
        self._worker.join()
        self._ev_writer.close()
        self._closed = True


class _EventLoggerThread(threading.Thread):
    """Takes events from a queue and writes them, until it finds the sentinel."""

    def __init__(self, events: Any, ev_writer: Any, flush_secs: Any, sentinel_event: Any):
        super().__init__(daemon=True)
        self._queue = events
        self._ev_writer = ev_writer
        self._flush_secs = flush_secs
        # The first event is flushed at once.
        self._next_flush = 0.0
        self._sentinel_event = sentinel_event

    def run(self) -> None:
        while True:
            event = self._queue.get()
            try:
                if event is self._sentinel_event:
                    return
                self._ev_writer.write_event(event)
                now = time.time()
                if now > self._next_flush:
                    self._ev_writer.flush()
                    self._next_flush = now + self._flush_secs
            finally:
                self._queue.task_done()

    def finish(self) -> None:
        """Writes what is queued, as far as that takes no more than a second."""
        with contextlib.suppress(queue.Full):
            self._queue.put_nowait(self._sentinel_event)
        self.join(timeout=1.0)
        self._ev_writer.flush()
