"""`tf.summary.FileWriter` (`tensorflow.python.summary.writer.writer`)."""

from __future__ import annotations

import os
import time
import warnings
from typing import Any

from tf1compat.api.framework import meta_graph
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging
from tf1compat.api.summary import plugin_asset
from tf1compat.api.summary.writer.event_file_writer import EventFileWriter
from tf1compat.api.summary.writer.event_file_writer_v2 import EventFileWriterV2
from tf1compat.core import ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import TensorLike

_PLUGINS_DIR = "plugins"


def _event(**fields: Any) -> Any:
    return protos.load("event_pb2", "Event")(**fields)


class SummaryToEventTransformer:
    """Makes events of summaries, graphs and logs, and gives them to a writer.

    Args:
      event_writer: what takes the events.
      graph: a `Graph` to write at once.
      graph_def: a `GraphDef` to write at once (deprecated).
    """

    def __init__(self, event_writer: Any, graph: Graph | None = None, graph_def: Any = None):
        self.event_writer = event_writer
        self._session_run_tags: set[str] = set()
        self._seen_summary_tags: set[str] = set()
        if graph is None and graph_def is None:
            return
        self.add_graph(graph=graph, graph_def=graph_def)
        shown = graph.as_graph_def(add_shapes=True) if isinstance(graph, ops.Graph) else graph
        self.add_meta_graph(meta_graph.create_meta_graph_def(graph_def=graph_def or shown))

    def add_summary(self, summary: Any, global_step: TensorLike | None = None) -> None:
        """Writes a summary.

        Args:
          summary: a `Summary`, or one serialized, as `Session.run` gives it. Metadata are written
            only with the first value of each tag.
          global_step: the number of the step.
        """
        if isinstance(summary, bytes):
            summary = protos.load("summary_pb2", "Summary").FromString(summary)
        for value in summary.value:
            if value.tag in self._seen_summary_tags:
                value.ClearField("metadata")
            self._seen_summary_tags.add(value.tag)
        self._add_event(_event(summary=summary), global_step)

    def add_session_log(self, session_log: Any, global_step: TensorLike | None = None) -> None:
        """Writes a `SessionLog`."""
        self._add_event(_event(session_log=session_log), global_step)

    def add_graph(
        self, graph: Graph | None, global_step: TensorLike | None = None, graph_def: Any = None
    ) -> None:
        """Writes a graph.

        Args:
          graph: a `Graph`.
          global_step: the number of the step.
          graph_def: a `GraphDef` in its place (deprecated).

        Raises:
          ValueError: both are given.
          TypeError: neither is.
        """
        if graph is not None and graph_def is not None:
            raise ValueError("Please pass only graph, or graph_def (deprecated), but not both.")
        given: Any = graph_def if graph is None else graph
        if isinstance(given, ops.Graph):
            if graph is None:
                tf_logging.warning(
                    "When passing a `Graph` object, please use the `graph` named argument instead "
                    "of `graph_def`."
                )
            self._write_plugin_assets(given)
            given = given.as_graph_def(add_shapes=True)
        elif isinstance(given, protos.GraphDef):
            tf_logging.warning(
                "Passing a `GraphDef` to the SummaryWriter is deprecated. Pass a `Graph` object "
                "instead, such as `sess.graph`."
            )
        else:
            raise TypeError(
                "The passed graph must be an instance of `Graph` or the deprecated `GraphDef`"
            )
        self._add_event(_event(graph_def=given.SerializeToString()), global_step)

    def _write_plugin_assets(self, graph: ops.Graph) -> None:
        for asset in plugin_asset.get_all_plugin_assets(graph):
            directory = os.path.join(
                self.event_writer.get_logdir(), _PLUGINS_DIR, asset.plugin_name
            )
            file_io.recursive_create_dir(directory)
            for name, content in asset.assets().items():
                with file_io.FileIO(os.path.join(directory, name), "w") as file:
                    file.write(content)

    def add_meta_graph(self, meta_graph_def: Any, global_step: TensorLike | None = None) -> None:
        """Writes a `MetaGraphDef`.

        Raises:
          TypeError: it is none.
        """
        if not isinstance(meta_graph_def, protos.load("meta_graph_pb2", "MetaGraphDef")):
            raise TypeError(
                f"meta_graph_def must be type MetaGraphDef, saw type: {type(meta_graph_def)}"
            )
        self._add_event(_event(meta_graph_def=meta_graph_def.SerializeToString()), global_step)

    def add_run_metadata(
        self, run_metadata: Any, tag: str, global_step: TensorLike | None = None
    ) -> None:
        """Writes what a run of a session left in a `RunMetadata`.

        Args:
          run_metadata: the message.
          tag: its name, which only one of a file can have.
          global_step: the number of the step.

        Raises:
          ValueError: the tag is taken.
        """
        if tag in self._session_run_tags:
            raise ValueError("The provided tag was already used for this event type")
        self._session_run_tags.add(tag)
        event = _event()
        event.tagged_run_metadata.tag = tag
        event.tagged_run_metadata.run_metadata = run_metadata.SerializeToString()
        self._add_event(event, global_step)

    def _add_event(self, event: Any, step: Any) -> None:
        event.wall_time = time.time()
        if step is not None:
            event.step = int(step)
        self.event_writer.add_event(event)


@tf_export("summary.FileWriter")
class FileWriter(SummaryToEventTransformer):
    """Writes summaries to an event file, for TensorBoard; events wait in a queue to be written.

    Args:
      logdir: the directory of the file.
      graph: a `Graph` to write at once.
      max_queue: how many events may wait.
      flush_secs: how often they are handed to the operating system.
      graph_def: a `GraphDef` in place of `graph` (deprecated).
      filename_suffix: the end of the file's name.
      session: a session whose operations write the events, to the file of the writer that
        `tf.contrib.summary` has for the directory there; the file is this object's own by default.

    Raises:
      RuntimeError: when executing eagerly.
    """

    def __init__(
        self, logdir: str, graph: Graph | None = None, max_queue: int = 10, flush_secs: Any = 120,
        graph_def: Any = None, filename_suffix: Any = None, session: SessionInterface | None = None,
    ):  # fmt: skip
        if ops.executing_eagerly():
            raise RuntimeError(
                "tf.summary.FileWriter is not compatible with eager execution. "
                "Use tf.contrib.summary instead."
            )
        event_writer: Any
        if session is not None:
            event_writer = EventFileWriterV2(
                session, logdir, max_queue, flush_secs, filename_suffix
            )
        else:
            event_writer = EventFileWriter(logdir, max_queue, flush_secs, filename_suffix)
        self._closed = False
        super().__init__(event_writer, graph, graph_def)

    def __enter__(self) -> FileWriter:
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self.close()

    def get_logdir(self) -> str:
        """The directory of the file."""
        return self.event_writer.get_logdir()

    def _warn_if_event_writer_is_closed(self) -> None:
        if self._closed:
            warnings.warn(
                "Attempting to use a closed FileWriter. The operation will be a noop unless the "
                "FileWriter is explicitly reopened.",
                stacklevel=3,
            )

    def _add_event(self, event: Any, step: Any) -> None:
        self._warn_if_event_writer_is_closed()
        super()._add_event(event, step)

    def add_event(self, event: Any) -> None:
        """Writes an `Event`."""
        self._warn_if_event_writer_is_closed()
        self.event_writer.add_event(event)

    def flush(self) -> None:
        """Waits until every event is in the file."""
        self._warn_if_event_writer_is_closed()
        self.event_writer.flush()

    def close(self) -> None:
        """Writes what is queued and closes the file."""
        self.event_writer.close()
        self._closed = True

    def reopen(self) -> None:
        """Takes events again after `close`."""
        self.event_writer.reopen()
        self._closed = False
