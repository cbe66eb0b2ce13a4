"""What a profile knows of operations: what a graph, an `OpLogProto` and runs say of them."""

from __future__ import annotations

import math
import re
import sys
from typing import Any

TRAINABLE = "_trainable_variables"
# What is measured of an operation: the fields of TF's protos, each also as `total_…`.
OF_RUNS = (
    "exec_micros", "accelerator_exec_micros", "cpu_exec_micros", "requested_bytes", "peak_bytes",
    "residual_bytes", "output_bytes", "run_count",
)  # fmt: skip
MEASURED = (*OF_RUNS, "parameters", "float_ops")
Numbers = dict[str, int]

_DEVICE = re.compile(r"/job:.*/replica:.*/task:.*/(device:)?[a-z]+:\d+", re.IGNORECASE)
_SCHEDULED = re.compile(r".*/(device:gpu|gpu|device:cpu|cpu|device:sycl):\d+")


class Execution:
    """What one step measured of an operation.

    Attributes:
      scheduled: device -> [(start, micros)] of the host.
      accelerated: device -> [(start, micros)] of an accelerator.
      measured: (device, `NodeExecStats`), as they were added.
    """

    def __init__(self) -> None:
        self.scheduled: dict[str, list[tuple[int, int]]] = {}
        self.accelerated: dict[str, list[tuple[int, int]]] = {}
        self.bytes: Numbers = dict.fromkeys(OF_RUNS[3:7], 0)
        self.measured: list[tuple[str, Any]] = []
        self.runs = 0
        self.start = 0
        self.end = 0

    def add(self, device: str, stats: Any) -> None:
        """Adds the `NodeExecStats` of a device, whose name is in lower case."""
        self.measured.append((device, stats))
        start = stats.all_start_micros
        if start > 0:
            micros = stats.op_end_rel_micros or 1  # As in TF, what is quick takes one.
            self.start = min(self.start, start) if self.start else start
            self.end = max(self.end, start + micros)
            if "stream:all" in device:
                self.accelerated.setdefault(device, []).append((start, micros))
            elif _SCHEDULED.fullmatch(device):
                self.scheduled.setdefault(device, []).append((start, micros))
                self.runs += 1
        self._add_memory(stats)

    def _add_memory(self, stats: Any) -> None:
        more = stats.memory_stats
        own = more.temp_memory_size + more.persistent_memory_size
        outputs = 0
        for output in stats.output:
            about = output.tensor_description.allocation_description
            outputs += max(about.allocated_bytes, about.requested_bytes)
        found = {
            "requested_bytes": own + sum(memory.total_bytes for memory in stats.memory),
            "peak_bytes": own + sum(memory.peak_bytes for memory in stats.memory),
            "residual_bytes": more.persistent_memory_size
            + sum(memory.live_bytes for memory in stats.memory),
            "output_bytes": outputs,
        }
        self.bytes = {key: self.bytes[key] + found[key] for key in found}

    def numbers(self) -> Numbers:
        """What `OF_RUNS` names."""
        accelerator, cpu = (
            sum(micros for pairs in by_device.values() for _, micros in pairs)
            for by_device in (self.accelerated, self.scheduled)
        )
        return {
            "exec_micros": accelerator + cpu,
            "accelerator_exec_micros": accelerator,
            "cpu_exec_micros": cpu,
            **self.bytes,
            "run_count": self.runs,
        }


class Node:
    """An operation.

    Attributes:
      inputs: index -> the name of an operation that it takes something of.
      input_shapes: index -> the sizes of an input, -1 for what is not known; none of a scalar is 1.
      types: what an option may choose it by: its type, its device, what a user said of it.
      traces: the lines that made it, the outermost first: (file, line, function).
      device: the canonical name of its device; "" if nothing ran it.
      op: the operation itself.
      code: a `CodeDef`, if it is known.
    """

    def __init__(self, op: Any):
        self.op = op
        self.name = op.name
        self.op_type = op.type
        self.code: Any = None
        self.inputs: dict[int, str] = {}
        self.input_shapes: dict[int, list[int]] = {}
        self.shape: list[int] | None = None
        self.types = {self.op_type}
        self.float_ops = 0
        self.traces: list[tuple[str, int, str]] = []
        self.device = ""
        self.data_format = ""
        self.executions: dict[int, Execution] = {}

    @property
    def on_accelerator(self) -> bool:
        """Whether a GPU ran it."""
        return "gpu:" in self.device

    def add_step(self, step: int, device: str, stats: Any) -> None:
        """Adds what a step measured."""
        lower = device.lower()
        if _DEVICE.fullmatch(device):
            if self.device and self.device != lower:
                sys.stderr.write(
                    f"Unexpected: graph node changed device: {self.device}->{lower}.\n"
                )
                return
            self.device = lower
            self.types.add(lower)
        self.executions.setdefault(step, Execution()).add(lower, stats)

    def numbers(self, step: int) -> Numbers:
        """What is known of it in a step, or on average where `step` is below 0."""
        if step >= 0:
            found = [self.executions[step].numbers()] if step in self.executions else []
        else:
            found = [execution.numbers() for execution in self.executions.values()]
        mean = {key: sum(each[key] for each in found) // max(len(found), 1) for key in OF_RUNS}
        known = self.shape is not None and -1 not in self.shape
        # TF takes a placeholder for parameters, too.
        return {
            **mean,
            "parameters": math.prod(self.shape or ()) if known else 0,
            "float_ops": self.float_ops,
        }


class Stats:
    """The operations of a graph, by name, and the steps that were measured.

    Args:
      graph: a `Graph`, or None.
      op_log: an `OpLogProto`.
    """

    def __init__(self, graph: Any, op_log: Any):
        self.nodes: dict[str, Node] = {}
        self.steps: set[int] = set()
        self.texts: dict[int, str] = {}
        self._covered: set[str] = set()
        self.add_graph(graph)
        self.add_log(op_log)

    @property
    def has_traces(self) -> bool:
        """Whether it is known where operations were made."""
        return any(node.traces for node in self.nodes.values())

    @property
    def coverage(self) -> float:
        """Which part of the operations was measured."""
        return len(self._covered) / (len(self.nodes) + 1e-10)

    def add_graph(self, graph: Any) -> None:
        """Adds what operations of a graph are not known yet."""
        for op in graph.get_operations() if graph is not None else ():
            if op.name not in self.nodes:
                self.nodes[op.name] = _node(graph, op)

    def add_log(self, op_log: Any) -> None:
        """Adds what an `OpLogProto` says of the operations that are known."""
        texts = op_log.id_to_string
        for number, text in texts.items():
            self.texts.setdefault(number, text)
        for entry in op_log.log_entries:
            node = self.nodes.get(entry.name)
            if node is None:
                continue
            node.types.update(entry.types)
            if entry.float_ops:
                node.float_ops = entry.float_ops
            if entry.code_def.traces and not node.traces:
                node.code = entry.code_def
                node.traces = [
                    (
                        texts[trace.file_id] if trace.file_id else trace.file,
                        trace.lineno,
                        texts[trace.function_id] if trace.function_id else trace.function,
                    )
                    for trace in entry.code_def.traces
                ]

    def add_step(self, step: int, run_meta: Any) -> None:
        """Adds what a `RunMetadata` says of the operations that are known."""
        self.steps.add(step)
        for device in run_meta.step_stats.dev_stats:
            for stats in device.node_stats:
                # Streams of accelerators say the type, too: "a:MatMul".
                node = self.nodes.get(stats.node_name.partition(":")[0])
                if node is not None:
                    self._covered.add(node.name)
                    node.add_step(step, device.device, stats)


def inputs_of(op: Any) -> list[str]:
    """The inputs of an operation as a GraphDef has them: control inputs last, by their names."""
    inputs = list(op.node_def.input)
    controls = sorted(text for text in inputs if text.startswith("^"))
    return [text for text in inputs if not text.startswith("^")] + controls


def _node(graph: Any, op: Any) -> Node:
    node = Node(op)
    node_def = op.node_def
    if "shape" in node_def.attr and not node_def.attr["shape"].shape.unknown_rank:
        node.shape = [dim.size for dim in node_def.attr["shape"].shape.dim] or [1]
    if "data_format" in node_def.attr:
        node.data_format = node_def.attr["data_format"].s.decode()
    for i, text in enumerate(inputs_of(op)):
        name, _, place = text.lstrip("^").partition(":")
        node.inputs[i] = name
        outputs = graph.get_operation_by_name(name).outputs
        number = int(place or 0)
        shape = outputs[number].shape if number < len(outputs) else None
        if shape is None:
            node.input_shapes[i] = []
        elif shape.ndims:
            node.input_shapes[i] = [-1 if size is None else size for size in shape.as_list()]
        else:
            node.input_shapes[i] = [1]
    return node
