"""What a run tells about itself: `RunMetadata`."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.runtime import devices
from tf1compat.runtime.host.clock import Clock


class _Part(NamedTuple):
    """Operations that ran together, where, and when."""

    ops: list[Operation]
    device: str
    start: float
    end: float
    outputs: dict[int, np.ndarray] = {}


class Trace:
    """Notes which operations a run executes, and when; filled into a `RunMetadata` at its end.

    An XLA program computes all operations of a region at once.  So a region is listed with its
    time, and the operations in it without one; those on the host have times, and the memory of what
    they gave, of their own.

    Args:
      options: a `RunOptions`, or None.
      run_metadata: a `RunMetadata`, or None.
      task: what the names of the devices begin with.

    Raises:
      AttributeError: they are no protos (the texts are TF 1.15's).
    """

    def __init__(self, options: Any, run_metadata: Any, task: str):
        if options is not None:
            options.SerializeToString()
        if run_metadata is not None:
            _ = run_metadata.ParseFromString
        self._options = options
        self._metadata = run_metadata
        self._task = task
        self._parts: list[_Part] = []
        #: Graphs that are told of instead of the operations that ran.
        self.graphs: list[Any] = []
        #: Knows which of several names of the CPU operations ask for, if there is one.
        self.placer: Any = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing will be filled in."""
        return self._options is None or self._metadata is None

    @property
    def wants_graphs(self) -> bool:
        """Whether the graph that runs is asked for."""
        return self._options is not None and self._options.output_partition_graphs

    def place(self, op: Any, device: str) -> str:
        """The name of the device that an operation ran on.

        Args:
          op: the operation.
          device: where it ran; several CPUs are names of one.
        """
        if self.placer is None or "/device:CPU:" not in device or not isinstance(op, Operation):
            return device
        return self.placer.name_of_cpu(op) or device

    @contextlib.contextmanager
    def timed(
        self, ops: Sequence[Operation], compiled: bool = False, task: str | None = None
    ) -> Iterator[None]:
        """Notes that the `with` block runs `ops`, as a compiled program or on the host; or that
        another task does."""
        start = time.time()
        yield
        device = devices.of_programs() if compiled else "/device:CPU:0"
        where = (self._task if task is None else task) + device
        self._parts.append(_Part(list(ops), where, start, time.time()))

    def add_host(self, ops: Sequence[Operation], clock: Clock) -> None:
        """Notes what a program on the host computed.

        Args:
          ops: its operations, in order.
          clock: of the run; what has no line only hands on a value, and takes no time.
        """
        where = f"{self._task}/device:CPU:0"
        ends: dict[Any, float] = {}
        for op, start, end, outputs in clock.timings:
            ends[op] = end
            if isinstance(op, Operation):
                self._parts.append(_Part([op], where, start, end, outputs))
        now = clock.start
        for op in ops:
            now = ends.get(op, now)
            if isinstance(op, Operation) and op not in clock.lines:
                self._parts.append(_Part([op], where, now, now))
        self._parts.sort(key=lambda part: part.start)

    def finish(self) -> None:
        """Fills in the `RunMetadata`, as far as the options ask for it."""
        options, metadata = self._options, self._metadata
        if options is None or metadata is None:
            return
        if options.trace_level != options.NO_TRACE:
            metadata.Clear()
            found: dict[str, Any] = {}
            regions = 0
            seen: set[int] = set()

            def of(device: str) -> Any:
                if device not in found:
                    found[device] = metadata.step_stats.dev_stats.add(device=device)
                return found[device]

            for ops, device, start, end, outputs in self._parts:
                if len(ops) > 1:
                    label = f"region_{regions} = Xla({len(ops)} operations)"
                    _add(of(device), f"region_{regions}", label, start, end)
                    regions += 1
                for op in ops:
                    last = end if len(ops) == 1 else start
                    node = _add(of(self.place(op, device)), op.name, _label(op), start, last)
                    if outputs:
                        _add_outputs(node, op.outputs, outputs, seen)
        if options.output_partition_graphs and self.graphs:
            metadata.partition_graphs.extend(self.graphs)
        elif options.output_partition_graphs:
            from tf1compat.core.graph_def import fill_node_def

            graphs: dict[str, Any] = {}
            for part in self._parts:
                task = part.device.partition("/device:")[0]
                if task not in graphs:
                    graphs[task] = metadata.partition_graphs.add()
                for op in part.ops:
                    if isinstance(op, Operation):
                        fill_node_def(graphs[task].node.add(), op, sort_control_inputs=True)


def _label(op: Any) -> str:
    inputs = ", ".join(tensor._op._name for tensor in op._inputs)
    return f"{op.name} = {op.type}({inputs})"


def _add(stats: Any, name: str, label: str, start: float, end: float) -> Any:
    micros = int(start * 1e6)
    length = max(int(end * 1e6) - micros, 0)
    return stats.node_stats.add(
        node_name=name,
        timeline_label=label,
        all_start_micros=micros,
        op_start_rel_micros=0,
        op_end_rel_micros=length,
        all_end_rel_micros=length,
    )


def _add_outputs(
    node: Any, outputs_of: Sequence[Any], outputs: dict[int, np.ndarray], seen: set[int]
) -> None:
    """Says what an operation gave; memory that none before it had (`seen`) is its own."""
    for slot, value in outputs.items():
        output = node.output.add(slot=slot)
        about = output.tensor_description
        about.dtype = outputs_of[slot].dtype.base_dtype.as_datatype_enum
        for size in value.shape:
            about.shape.dim.add(size=size)
        place = value.__array_interface__["data"][0]
        memory = about.allocation_description
        memory.requested_bytes, memory.allocator_name, memory.ptr = value.nbytes, "cpu", place
        if place not in seen:
            seen.add(place)
            memory.allocated_bytes = value.nbytes
            node.memory.add(
                allocator_name="cpu", total_bytes=value.nbytes, peak_bytes=value.nbytes,
                live_bytes=value.nbytes,
            )  # fmt: skip
