"""The messages of TF's kernel_def.proto: which kernels there are."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.core import protos
from tf1compat.formats import message_tables

PACKAGE = "tf1compat.kernels"

_MESSAGES = {
    "KernelDef": (
        "op:1:string device_type:2:string constraint:3:+KernelDef.AttrConstraint "
        "host_memory_arg:4:+string label:5:string priority:6:int32"
    ),
    "KernelDef.AttrConstraint": "name:1:string allowed_values:2:{value}",
    "KernelList": "kernel:1:+KernelDef",
}


@functools.cache
def _messages() -> dict[str, Any]:
    value = protos.AttrValue.DESCRIPTOR
    tables = {name: fields.format(value=value.full_name) for name, fields in _MESSAGES.items()}
    return message_tables.messages("kernel_def", PACKAGE, tables, {}, (value.file.name,))


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _messages()[name]
