"""The messages of TF's profiler (tfprof_output.proto, tfprof_log.proto)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import protos

_INT, _STRING = 3, 9  # FieldDescriptorProto.Type
_TOTALS = {
    "total_exec_micros": 6, "total_requested_bytes": 7, "total_parameters": 8,
}  # fmt: skip
# Message -> field -> its number; a pair for what is no int64: (number, type), where "[t]" is
# repeated and "{t}" a map from int64.
_MESSAGES: dict[str, dict[str, Any]] = {
    "GraphNodeProto": {
        "name": (1, "s"), "exec_micros": 2, "requested_bytes": 3, "parameters": 4, **_TOTALS,
        "devices": (10, "[s]"), "shapes": (11, "[TensorShapeProto]"),
        "children": (12, "[GraphNodeProto]"), "float_ops": 13, "total_float_ops": 14,
        "input_shapes": (16, "{TensorShapeProto}"), "accelerator_exec_micros": 17,
        "cpu_exec_micros": 18, "total_accelerator_exec_micros": 19, "total_cpu_exec_micros": 20,
        "run_count": 21, "total_run_count": 22, "total_definition_count": 23, "peak_bytes": 24,
        "residual_bytes": 25, "output_bytes": 26, "total_peak_bytes": 27,
        "total_residual_bytes": 28, "total_output_bytes": 29,
    },
    "MultiGraphNodeProto": {
        "name": (1, "s"), "exec_micros": 2, "requested_bytes": 3, "parameters": 4, "float_ops": 5,
        **_TOTALS, "total_float_ops": 9, "graph_nodes": (10, "[GraphNodeProto]"),
        "children": (11, "[MultiGraphNodeProto]"), "accelerator_exec_micros": 12,
        "cpu_exec_micros": 13, "total_accelerator_exec_micros": 14, "total_cpu_exec_micros": 15,
        "peak_bytes": 16, "residual_bytes": 17, "output_bytes": 18, "total_peak_bytes": 19,
        "total_residual_bytes": 20, "total_output_bytes": 21,
    },
    "Trace": {
        "file": (1, "s"), "file_id": 6, "lineno": 2, "function": (3, "s"), "function_id": 7,
        "line": (4, "s"), "line_id": 8, "func_start_line": 5,
    },
    "CodeDef": {"traces": (1, "[Trace]")},
    "OpLogEntry": {
        "name": (1, "s"), "float_ops": 2, "types": (3, "[s]"), "code_def": (4, "CodeDef"),
    },
    "Checker": {"reports": (2, "[s]")},
    "AdviceProto": {"checkers": (1, "{Checker}")},
    "OpLogProto": {"log_entries": (1, "[OpLogEntry]"), "id_to_string": (2, "{s}")},
    "ProfileProto": {
        "nodes": (1, "{ProfileNode}"), "has_trace": (2, "b"),
        "miss_accelerator_stream": (5, "b"), "steps": (3, "[i]"), "id_to_string": (4, "{s}"),
    },
    "ProfileNode": {
        "name": (1, "s"), "op": (9, "s"), "id": 13, "inputs": (2, "{i}"),
        "input_shapes": (16, "{Tuple}"), "outputs": (3, "{i}"), "output_shapes": (15, "{Tuple}"),
        "src_output_index": (14, "{n}"), "shape": (4, "[i]"), "op_types": (5, "[s]"),
        "canonical_device": (6, "s"), "host_device": (7, "s"), "float_ops": 8,
        "trace": (10, "CodeDef"), "attrs": (11, "{AttrValue}"), "execs": (12, "{ExecProfile}"),
    },
    "ExecProfile": {
        "run_count": 1, "all_start_micros": 2, "latest_end_micros": 3,
        "accelerator_execs": (4, "{ExecTime}"), "cpu_execs": (5, "{ExecTime}"),
        "memory_execs": (7, "[ExecMemory]"), "allocations": (11, "[AllocationRecord]"),
        "devices": (6, "[s]"),
    },
    "ExecTime": {"times": (1, "[Tuple]")},
    "ExecMemory": {
        "memory_micros": 1, "host_temp_bytes": 2, "host_persistent_bytes": 3,
        "accelerator_temp_bytes": 4, "accelerator_persistent_bytes": 5, "requested_bytes": 6,
        "peak_bytes": 7, "residual_bytes": 8, "output_bytes": 9, "allocator_bytes_in_use": 10,
        "output_memory": (11, "{Memory}"),
    },
    "Tuple": {"int64_values": (1, "[i]")},
    "Memory": {"bytes": 1, "ptr": (2, "u")},
    "AllocationRecord": {"alloc_micros": 1, "alloc_bytes": 2},
}  # fmt: skip
# The types of maps' keys, of a message or of a field; others are int32.
_KEYS: dict[str, Any] = {
    "OpLogProto": _INT, "AdviceProto": _STRING, "ProfileProto": _INT, "src_output_index": _INT,
    "attrs": _STRING, "execs": _INT, "accelerator_execs": _STRING, "cpu_execs": _STRING,
}  # fmt: skip
_SCALARS = {"i": _INT, "s": _STRING, "b": 8, "n": 5, "u": 4}


def _make() -> dict[str, Any]:
    from google.protobuf import descriptor_pb2, message_factory

    shape, attr = protos.TensorShapeProto.DESCRIPTOR, protos.AttrValue.DESCRIPTOR
    file = descriptor_pb2.FileDescriptorProto(
        name="tf1compat/tfprof.proto", package="tf1compat.tfprof", syntax="proto3",
        dependency=[shape.file.name, attr.file.name],
    )  # fmt: skip
    proto = descriptor_pb2.FieldDescriptorProto

    def set_type(field: Any, kind: str) -> None:
        if kind in _SCALARS:
            field.type = _SCALARS[kind]
            return
        field.type = proto.TYPE_MESSAGE
        others = {"TensorShapeProto": shape.full_name, "AttrValue": attr.full_name}
        field.type_name = f".{others.get(kind, f'tf1compat.tfprof.{kind}')}"

    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field_name, about in fields.items():
            number, kind = about if isinstance(about, tuple) else (about, "i")
            field = message.field.add(name=field_name, number=number, label=proto.LABEL_OPTIONAL)
            if kind[0] == "{":
                entry_name = "".join(part.capitalize() for part in field_name.split("_")) + "Entry"
                entry = message.nested_type.add(name=entry_name)
                entry.options.map_entry = True
                key = entry.field.add(name="key", number=1, label=proto.LABEL_OPTIONAL)
                key.type = _KEYS.get(field_name, _KEYS.get(name, proto.TYPE_INT32))
                value = entry.field.add(name="value", number=2, label=proto.LABEL_OPTIONAL)
                set_type(value, kind[1:-1])
                field.type = proto.TYPE_MESSAGE
                field.type_name = f".tf1compat.tfprof.{name}.{entry_name}"
                field.label = proto.LABEL_REPEATED
                continue
            if kind[0] == "[":
                field.label = proto.LABEL_REPEATED
            set_type(field, kind.strip("[]"))
    pool = shape.file.pool
    pool.Add(file)
    found = {}
    for name in _MESSAGES:
        description = pool.FindMessageTypeByName(f"tf1compat.tfprof.{name}")
        found[name] = message_factory.GetMessageClass(description)
        protos.print_in_order(found[name])
    found["AdviceProto"].Checker = found["Checker"]
    return found


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals().update(_make())
    return globals()[name]
