"""Names of `tf.train` for reading and writing events (`tensorflow.python.training.summary_io`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.lib.io.tf_record import tf_record_iterator
from tf1compat.api.summary.writer.writer import FileWriter
from tf1compat.api.summary.writer.writer_cache import FileWriterCache
from tf1compat.core import protos
from tf1compat.core.export import tf_export

SummaryWriter = FileWriter
SummaryWriterCache = FileWriterCache


@tf_export("train.summary_iterator")
def summary_iterator(path: Any) -> Iterator[Any]:
    """The events of a file.

    Args:
      path: of the file.

    Yields:
      `Event` messages.
    """
    event = protos.load("event_pb2", "Event")
    for record in tf_record_iterator(path):
        yield event.FromString(record)
