"""The messages of TF's op_performance_data.proto: what operations cost."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import protos
from tf1compat.formats import device_properties_pb2, message_tables

_FOREIGN = ("AttrValue", "TensorProto", "TensorShapeProto")


@functools.cache
def _messages() -> dict[str, Any]:
    device = device_properties_pb2.messages()["DeviceProperties"].DESCRIPTOR
    attr, tensor, shape = (getattr(protos, name).DESCRIPTOR for name in _FOREIGN)
    dtype = tensor.fields_by_name["dtype"].enum_type
    table = {
        "SessionInfo": "intra_op_parallelism:1:int64",
        "OpInfo": (
            f"op:1:string attr:2:{attr.full_name}{{string}} inputs:3:+OpInfo.TensorProperties "
            f"outputs:5:+OpInfo.TensorProperties device:4:{device.full_name} "
            "session_info:6:SessionInfo"
        ),
        "OpInfo.TensorProperties": (
            f"dtype:1:#{dtype.full_name} shape:2:{shape.full_name} value:3:{tensor.full_name}"
        ),
        "NormalDistribution": "mu:1:double sigma:2:double",
        "LogNormalDistribution": "mu:1:double sigma:2:double",
        "OpPerformance": (
            "op:1:OpInfo session_info:12:SessionInfo node:5:string temporary_memory_size:2:int64 "
            "compute_cost:3:int64 compute_time:6:int64 memory_time:7:int64 "
            "compute_efficiency:4:double memory_efficiency:8:double "
            "execution_time_normal:10:NormalDistribution@execution_time "
            "execution_time_log_normal:11:LogNormalDistribution@execution_time "
            "op_memory:9:OpPerformance.OpMemory"
        ),
        "OpPerformance.OpMemory": (
            "output_memory:1:+int64 temp_memory:2:int64 persistent_memory:4:int64 "
            "device_temp_memory:3:int64 device_persistent_memory:5:int64"
        ),
        "OpPerformanceList": "op_performance:1:+OpPerformance",
    }
    depends = (device, attr, tensor, shape, dtype)
    files = tuple(dict.fromkeys(described.file.name for described in depends))
    return message_tables.messages(
        "op_performance_data", "tf1compat.op_performance_data", table, {}, files
    )


def __getattr__(name: str) -> Any:
    if name.startswith("_") or name not in _messages():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _messages()[name]
