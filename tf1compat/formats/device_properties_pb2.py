"""The messages of TF's device_properties.proto: what a device of a cluster can do."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import message_tables

PACKAGE = "tf1compat.device_properties"

_MESSAGES = {
    "DeviceProperties": (
        "type:1:string vendor:2:string model:3:string frequency:4:int64 num_cores:5:int64 "
        "environment:6:string{string} num_registers:7:int64 l1_cache_size:8:int64 "
        "l2_cache_size:9:int64 l3_cache_size:10:int64 "
        "shared_memory_size_per_multiprocessor:11:int64 memory_size:12:int64 bandwidth:13:int64"
    ),
    "NamedDevice": "name:1:string properties:2:DeviceProperties",
}


@functools.cache
def messages() -> dict[str, Any]:
    return message_tables.messages("device_properties", PACKAGE, _MESSAGES, {})


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return messages()[name]
