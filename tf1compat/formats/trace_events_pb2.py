"""The messages that TF's profiler writes for TensorBoard (trace_events.proto)."""

from __future__ import annotations

from typing import Any

from tf1compat.formats.message_tables import messages

_MESSAGES = {
    "Trace": "devices:1:Device{uint32} trace_events:4:+TraceEvent",
    "Device": "name:1:string device_id:2:uint32 resources:3:Resource{uint32}",
    "Resource": "name:1:string resource_id:2:uint32",
    "TraceEvent": (
        "device_id:1:uint32 resource_id:2:uint32 name:3:string timestamp_ps:9:uint64 "
        "duration_ps:10:uint64 args:11:string{string}"
    ),
}


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals().update(messages("trace_events", "tensorflow.profiler", _MESSAGES, {}))
    return globals()[name]
