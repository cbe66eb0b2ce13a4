"""Operations that write summaries: a writer is a resource of the session (`tf.contrib.summary`)."""

from __future__ import annotations

import os
import time
import weakref
from typing import Any

import numpy as np
from google.protobuf.message import DecodeError, Message

from tf1compat.api.lib.io import file_io
from tf1compat.api.summary.writer.event_file_writer import EventsWriter
from tf1compat.backend import Array
from tf1compat.core import errors, protos
from tf1compat.core.op_registry import op, register
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.summary import summary
from tf1compat.kernels.summary.summary_database import DatabaseWriter
from tf1compat.kernels.variables import resources


class _FileWriter:
    """Queues events and writes them to a file: when there are many, in time, and at last."""

    def __init__(self, logdir: str, max_queue: int, flush_millis: int, suffix: str):
        file_io.recursive_create_dir(logdir)
        self._max_queue = max_queue
        self._flush_seconds = flush_millis / 1000
        self._file = EventsWriter(os.path.join(logdir, "events"))
        self._file.init_with_suffix(suffix)
        self._waiting: list[Any] = []
        self._last_flush = time.time()
        # What is left is written when the writer is gone, or when Python ends.
        weakref.finalize(self, _write, self._file, self._waiting)

    def add(self, event: Any) -> None:
        """Queues an event."""
        self._waiting.append(event)
        late = time.time() - self._last_flush > self._flush_seconds
        if late or len(self._waiting) > self._max_queue:
            self.flush()

    def add_scalar(self, step: int, tag: str, value: np.ndarray) -> None:
        """Queues a number, as a float32."""
        found = summary.message()
        found.value.add(tag=tag, simple_value=float(value.astype(np.float32)))
        self.add(event(np.array(step), summary=found))

    def close(self) -> None:
        """Writes what is queued."""
        self.flush()

    def flush(self) -> None:
        """Writes what is queued."""
        _write(self._file, self._waiting)
        self._last_flush = time.time()


def _write(file: EventsWriter, events: list[Any]) -> None:
    while events:
        file.write_event(events.pop(0))
    file.flush()


class _Slot:
    """What a handle leads to: the writer, once it is made."""

    def __init__(self, source: Any):
        attrs = source._attrs
        name = attrs["shared_name"].decode() or source.name
        self.name = f"{attrs['container'].decode() or 'localhost'}/{name}"
        self.writer: _FileWriter | DatabaseWriter | None = None


register("SummaryWriter", shape=lambda: (), source=True, host=True)


def _slot(ctx: LoweringContext, handle: Any) -> _Slot:
    return resources.find(ctx, handle, _Slot)


def find(ctx: LoweringContext, handle: Any) -> _FileWriter | DatabaseWriter:
    """The writer behind a handle.

    Raises:
      NotFoundError: none was made.
    """
    slot = _slot(ctx, handle)
    if slot.writer is None:
        container = slot.name.partition("/")[0]
        raise errors.NotFoundError(
            None, None, f"Container {container} does not exist. (Could not find resource: "
            f"{slot.name})",
        )  # fmt: skip
    return slot.writer


def event(step: Any, **what: Any) -> Any:
    """An Event of now; `step` is an array of one integer."""
    return protos.load("event_pb2", "Event")(
        wall_time=time.time(), step=int(step.reshape(())), **what
    )


def _parsed(message: Message, data: bytes, text: str) -> Any:
    try:
        message.ParseFromString(data)
    except DecodeError:
        raise errors.DataLossError(None, None, text) from None
    return message


def _nothing(*_: Any) -> None:
    """The shape of an operation without outputs."""


_FACTS: dict[str, Any] = {"host": True, "reads": (0,), "effect": True}


@op("CreateSummaryFileWriter", **_FACTS)
class CreateSummaryFileWriter:
    shape = _nothing

    def lower(
        writer: Any, logdir: Any, max_queue: Any, flush_millis: Any, filename_suffix: Any, *,
        ctx: LoweringContext,
    ) -> None:  # fmt: skip
        slot = _slot(ctx, writer)
        # One that is there already stays, whatever the arguments.
        if slot.writer is None:
            slot.writer = _FileWriter(
                logdir[()].decode(), int(max_queue), int(flush_millis), filename_suffix[()].decode()
            )


@op("CreateSummaryDbWriter", **_FACTS)
class CreateSummaryDbWriter:
    shape = _nothing

    def lower(
        writer: Any,
        db_uri: Any,
        experiment_name: Any,
        run_name: Any,
        user_name: Any,
        *,
        ctx: LoweringContext,
    ) -> None:
        slot = _slot(ctx, writer)
        if slot.writer is None:
            slot.writer = DatabaseWriter(
                *(x[()].decode() for x in (db_uri, experiment_name, run_name, user_name))
            )


@op("FlushSummaryWriter", **_FACTS)
class FlushSummaryWriter:
    shape = _nothing

    def lower(writer: Any, *, ctx: LoweringContext) -> None:
        find(ctx, writer).flush()


@op("CloseSummaryWriter", **_FACTS)
class CloseSummaryWriter:
    shape = _nothing

    def lower(writer: Any, *, ctx: LoweringContext) -> None:
        find(ctx, writer).close()
        _slot(ctx, writer).writer = None


@op("WriteScalarSummary", **_FACTS)
class WriteScalarSummary:
    shape = _nothing

    def lower(writer: Any, step: Any, tag: Any, value: Any, *, ctx: LoweringContext) -> None:
        number = value.ravel()[:1].reshape(())
        find(ctx, writer).add_scalar(int(step.reshape(())), tag[()].decode(), number)


@op("WriteHistogramSummary", **_FACTS)
class WriteHistogramSummary:
    shape = _nothing

    def lower(writer: Any, step: Array, tag: Any, values: Any, *, ctx: LoweringContext) -> None:
        target = find(ctx, writer)
        found = summary.histogram_summary(tag, values, tag[()].decode(), ctx)
        target.add(event(step, summary=found))


@op("WriteImageSummary", **_FACTS)
class WriteImageSummary:
    shape = _nothing

    def lower(
        writer: Any,
        step: Array,
        tag: Any,
        tensor: Any,
        bad_color: Any,
        *,
        max_images: int,
        ctx: LoweringContext,
    ) -> None:
        target = find(ctx, writer)
        found = summary.image_summary(tag, tensor, max_images, bad_color, ctx)
        target.add(event(step, summary=found))


@op("WriteAudioSummary", **_FACTS)
class WriteAudioSummary:
    shape = _nothing

    def lower(
        writer: Any, step: Array, tag: Array, tensor: Array, sample_rate: Array, *,
        max_outputs: int,
        ctx: LoweringContext,
    ) -> None:  # fmt: skip
        target = find(ctx, writer)
        found = summary.audio_summary(tag, tensor, sample_rate, max_outputs, ctx)
        target.add(event(step, summary=found))


@op("WriteSummary", **_FACTS)
class WriteSummary:
    shape = _nothing

    def lower(
        writer: Any,
        step: Array,
        tensor: Array,
        tag: Any,
        summary_metadata: Array,
        *,
        ctx: LoweringContext,
    ) -> None:
        found = summary.message()
        value = found.value.add(tag=tag[()].decode())
        summary.fill_tensor(value.tensor, np.asarray(tensor))
        if summary_metadata[()]:
            try:
                value.metadata.ParseFromString(summary_metadata[()])
            except DecodeError:
                value.metadata.Clear()
        find(ctx, writer).add(event(step, summary=found))


@op("WriteRawProtoSummary", **_FACTS)
class WriteRawProtoSummary:
    shape = _nothing

    def lower(writer: Any, step: Array, tensor: Array, *, ctx: LoweringContext) -> None:
        target = find(ctx, writer)
        found = summary.message()
        for i, data in enumerate(tensor.ravel().tolist()):
            text = f"Bad tf.compat.v1.Summary binary proto tensor string at index {i}"
            found.MergeFrom(_parsed(summary.message(), data, text))
        target.add(event(step, summary=found))


@op("WriteGraphSummary", **_FACTS)
class WriteGraphSummary:
    shape = _nothing

    def lower(writer: Any, step: Array, tensor: Any, *, ctx: LoweringContext) -> None:
        target = find(ctx, writer)
        graph = protos.load("graph_pb2", "GraphDef")()
        _parsed(graph, tensor[()], "Bad tf.GraphDef binary proto tensor string")
        target.add(event(step, graph_def=graph.SerializeToString()))


@op("ImportEvent", **_FACTS)
class ImportEvent:
    shape = _nothing

    def lower(writer: Any, event: Array, *, ctx: LoweringContext) -> None:
        target = find(ctx, writer)
        for data in event.ravel().tolist():
            made = protos.load("event_pb2", "Event")()
            target.add(_parsed(made, data, "Bad tf.Event binary proto tensor string"))
