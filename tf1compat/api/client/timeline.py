"""`tensorflow.python.client.timeline`: what a run did, as a trace that chrome://tracing shows."""

from __future__ import annotations

import collections
import json
import re
from typing import Any

from tf1compat.core.graph import Graph

AllocationMaximum = collections.namedtuple(  # noqa: PYI024
    "AllocationMaximum", ("timestamp", "num_bytes", "tensors")
)
StepStatsAnalysis = collections.namedtuple(  # noqa: PYI024
    "StepStatsAnalysis", ("chrome_trace", "allocator_maximums")
)


class _ChromeTrace:
    """Events in Chrome's trace format: those that name processes first."""

    def __init__(self) -> None:
        self._metadata: list[dict[str, Any]] = []
        self._events: list[dict[str, Any]] = []

    def name_process(self, name: str, pid: int) -> None:
        event = {"name": "process_name", "ph": "M", "pid": pid, "args": {"name": name}}
        self._metadata.append(event)

    def add(
        self, ph: str, category: str, name: str, pid: int, timestamp: int, **fields: Any
    ) -> None:
        event = {"ph": ph, "cat": category, "name": name, "pid": pid, "ts": timestamp, **fields}
        self._events.append(event)

    def format_to_string(self, pretty: bool = False) -> str:
        """The trace as JSON."""
        trace = {"traceEvents": self._metadata + self._events}
        if pretty:
            return json.dumps(trace, indent=4, separators=(",", ": "))
        return json.dumps(trace, separators=(",", ":"))


class _Tensor:
    """A tensor of the trace: when it is made and last used."""

    def __init__(self, number: int, pid: int, stats: Any, end: int, place: tuple[int, int]):
        allocation = stats.tensor_description.allocation_description
        self.number = number
        self.pid = pid
        self.allocator = allocation.allocator_name
        self.num_bytes = allocation.requested_bytes
        self.created = 0
        self.last_used = end
        self.ready = end
        self.place = place


class Timeline:
    """The trace of one run.

    Args:
      step_stats: the `StepStats` of a `RunMetadata`.
      graph: the graph that was run; not used, as in TF 1.15.
    """

    def __init__(self, step_stats: Any, graph: Graph | None = None):
        self._step_stats = step_stats
        self._graph = graph
        self._trace = _ChromeTrace()
        self._pids: dict[str, tuple[int, int]] = {}  # device -> its processes: compute, tensors
        self._tensors: dict[str, _Tensor] = {}

    def analyze_step_stats(
        self, show_dataflow: bool = True, show_memory: bool = True
    ) -> StepStatsAnalysis:
        """Makes the trace, and finds out how much memory each allocator gave at most.

        Args:
          show_dataflow: whether arrows lead from where a tensor is made to where it is used.
          show_memory: whether tensors and counters of memory are in the trace.

        Returns:
          (the trace, {allocator: AllocationMaximum}).
        """
        self._trace.name_process("Allocators", 0)
        for i, device in enumerate(self._step_stats.dev_stats):
            self._pids[device.device] = 2 * i + 1, 2 * i + 2
            self._trace.name_process(f"{device.device} Compute", 2 * i + 1)
            self._trace.name_process(f"{device.device} Tensors", 2 * i + 2)
            _assign_lanes(device.node_stats)
        for device in self._step_stats.dev_stats:
            for stats in device.node_stats:
                self._add_outputs(device.device, stats, show_memory)
        flows = 0
        for device in self._step_stats.dev_stats:
            for stats in device.node_stats:
                flows = self._add_operation(device.device, stats, show_dataflow, flows)
        return StepStatsAnalysis(self._trace, self._count_memory() if show_memory else {})

    def generate_chrome_trace_format(
        self, show_dataflow: bool = True, show_memory: bool = False
    ) -> str:
        """The trace as JSON for chrome://tracing; arguments as in `analyze_step_stats`."""
        analysis = self.analyze_step_stats(show_dataflow, show_memory)
        return analysis.chrome_trace.format_to_string(pretty=True)

    def _add_outputs(self, device: str, stats: Any, show_memory: bool) -> None:
        compute, pid = self._pids[device]
        tid, start = stats.thread_id, stats.all_start_micros
        end = start + stats.all_end_rel_micros
        for i, output in enumerate(stats.output):
            name = f"{stats.node_name}:{i}" if i else stats.node_name
            tensor = _Tensor(len(self._tensors), pid, output, end, (compute, tid))
            tensor.created = start
            self._tensors[name] = tensor
            if show_memory:
                place: dict[str, Any] = {"tid": tid, "id": tensor.number}
                self._trace.add("N", "Tensor", name, pid, start, **place)
                description = str(output.tensor_description).replace('"', "")
                place["args"] = {"snapshot": {"tensor_description": description}}
                self._trace.add("O", "Tensor", name, pid, end - 1, **place)

    def _add_operation(self, device: str, stats: Any, show_dataflow: bool, flows: int) -> int:
        pid, tid, start = self._pids[device][0], stats.thread_id, stats.all_start_micros
        name = stats.node_name
        inputs: list[str] = []
        on_gpu = "/stream:" in device or "/memcpy" in device
        if on_gpu:
            name, op_type = [*name.split(":"), "unknown"][:2]
        elif name == "RecvTensor":
            op_type = name
        else:
            op_type, inputs = _parse_label(stats.timeline_label)
        args = {"name": name, "op": op_type}
        args.update((f"input{i}", tensor) for i, tensor in enumerate(inputs))
        length = stats.all_end_rel_micros
        self._trace.add("X", "Op", op_type, pid, start, dur=length, tid=tid, args=args)
        for label in inputs:
            # What a partition sends has a number after its name.
            known = label if label in self._tensors else label.rpartition("/_")[0]
            tensor = self._tensors.get(known)
            if tensor is None:
                continue
            tensor.last_used = max(tensor.last_used, start + length - 1)
            if show_dataflow and tensor.place != (pid, tid):
                ends = ("s", *tensor.place, tensor.ready), ("t", pid, tid, start)
                for ph, where, lane, when in ends:
                    self._trace.add(ph, "DataFlow", known, where, when, tid=lane, id=flows)
                flows += 1
        return flows

    def _count_memory(self) -> dict[str, AllocationMaximum]:
        changes: dict[str, list[tuple[int, int, str]]] = {}
        for name, tensor in self._tensors.items():
            place = {"tid": 0, "id": tensor.number}
            self._trace.add("D", "Tensor", name, tensor.pid, tensor.last_used, **place)
            changes.setdefault(tensor.allocator, []).extend(
                [
                    (tensor.created, tensor.num_bytes, name),
                    (tensor.last_used, -tensor.num_bytes, name),
                ]
            )
        maximums = {}
        for allocator, listed in changes.items():
            total = 0
            alive: set[str] = set()
            most = AllocationMaximum(timestamp=0, num_bytes=0, tensors=set())
            for timestamp, num_bytes, name in sorted(listed):
                total += num_bytes
                (alive.discard if num_bytes < 0 else alive.add)(name)
                if total > most.num_bytes:
                    most = AllocationMaximum(timestamp, total, set(alive))
                counted = {"args": {allocator: total}}
                self._trace.add("C", "Memory", allocator, 0, timestamp, **counted)
            maximums[allocator] = most
        return maximums


def _assign_lanes(all_stats: Any) -> None:
    """Gives operations that overlap in time different `thread_id`s."""
    lanes = [0]
    for stats in all_stats:
        start = stats.all_start_micros
        lane = next((i for i, busy_until in enumerate(lanes) if start > busy_until), len(lanes))
        lanes[lane : lane + 1] = [start + stats.all_end_rel_micros]
        stats.thread_id = lane


def _parse_label(label: str) -> tuple[str, list[str]]:
    """The op type and the inputs of "name = Type(input, input)"."""
    match = re.match(r"(.*) = (.*)\((.*)\)", label)
    if match is None:
        return "unknown", []
    return match[2], match[3].split(", ") if match[3] else []
