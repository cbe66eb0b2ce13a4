"""What a profile knows as a file: a `ProfileProto`, which TF's tool `tfprof` reads."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.profiler.tfprof_stats import Execution, Node, Stats, inputs_of
from tf1compat.formats import tfprof_pb2


def profile(stats: Stats) -> Any:
    """The `ProfileProto` of what is known."""
    found = tfprof_pb2.ProfileProto(has_trace=stats.has_traces, steps=sorted(stats.steps))
    numbers = {name: i for i, name in enumerate(stats.nodes)}
    for name, i in numbers.items():
        _fill_node(found.nodes[i], stats.nodes[name], numbers)
    for number, text in stats.texts.items():
        found.id_to_string[number] = text
    devices = {
        device
        for node in stats.nodes.values()
        for execution in node.executions.values()
        for device, _ in execution.measured
    }
    on_gpu = any("gpu:" in device for device in devices)
    found.miss_accelerator_stream = on_gpu and not any("stream:" in device for device in devices)
    return found


def _fill_node(proto: Any, node: Node, numbers: dict[str, int]) -> None:
    proto.name, proto.op, proto.id = node.name, node.op_type, numbers[node.name]
    for i, text in enumerate(inputs_of(node.op)):
        source, _, place = text.lstrip("^").partition(":")
        if source in numbers:
            proto.inputs[i] = numbers[source]
            proto.src_output_index[numbers[source]] = int(place or 0)
    shapes = [output.shape for output in node.op.outputs]
    for i, shape in enumerate(shapes):
        if shape.ndims is not None:
            proto.output_shapes[i].int64_values.extend(_sizes(shape) or [1])
    proto.shape.extend(node.shape or ())
    proto.op_types.extend(sorted(node.types))
    proto.canonical_device = node.device
    proto.host_device = re.sub(r"gpu:\d+", "cpu:0", node.device)
    proto.float_ops = node.float_ops
    if node.code is not None:
        proto.trace.CopyFrom(node.code)
    for key, value in node.op.node_def.attr.items():
        proto.attrs[key].CopyFrom(value)
    if shapes:
        listed = proto.attrs["_output_shapes"].list
        listed.shape.extend(shape.as_proto() for shape in shapes)
    for step, execution in node.executions.items():
        _fill_execution(proto.execs[step], execution)


def _sizes(shape: Any) -> list[int]:
    return [-1 if size is None else size for size in shape.as_list()]


def _fill_execution(proto: Any, execution: Execution) -> None:
    proto.run_count = execution.runs
    proto.all_start_micros, proto.latest_end_micros = execution.start, execution.end
    for field, by_device in (
        (proto.accelerator_execs, execution.accelerated), (proto.cpu_execs, execution.scheduled),
    ):  # fmt: skip
        for device, spans in by_device.items():
            for span in spans:
                field[device].times.add(int64_values=span)
    proto.devices.extend(sorted({device for device, _ in execution.measured}))
    for device, stats in execution.measured:
        own = Execution()
        own.add(device, stats)
        if not (stats.output or stats.memory or stats.HasField("memory_stats")):
            continue  # Streams say when they ran.
        more = stats.memory_stats
        where = "accelerator" if "gpu:" in device else "host"
        memory = proto.memory_execs.add(
            memory_micros=stats.all_start_micros + stats.op_end_rel_micros, **own.bytes
        )
        setattr(memory, f"{where}_temp_bytes", more.temp_memory_size)
        setattr(memory, f"{where}_persistent_bytes", more.persistent_memory_size)
        for used in stats.memory:
            if "GPU" in used.allocator_name:
                memory.allocator_bytes_in_use = max(
                    memory.allocator_bytes_in_use, used.allocator_bytes_in_use
                )
                for record in used.allocation_records:
                    proto.allocations.add(
                        alloc_micros=record.alloc_micros, alloc_bytes=record.alloc_bytes
                    )
        for output in stats.output:
            about = output.tensor_description.allocation_description
            memory.output_memory[output.slot].bytes = max(
                about.allocated_bytes, about.requested_bytes
            )
            memory.output_memory[output.slot].ptr = about.ptr
