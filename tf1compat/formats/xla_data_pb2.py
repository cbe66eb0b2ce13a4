"""Of the messages of TF's xla_data.proto those that say which devices have what of a tensor."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import message_tables

PACKAGE = "tf1compat.xla_data"

_MESSAGES = {
    "OpSharding": (
        "type:1:OpSharding.Type tile_assignment_dimensions:3:+int64 "
        "tile_assignment_devices:4:+int64 tuple_shardings:5:+OpSharding"
    ),
}
_ENUMS = {"OpSharding.Type": {"REPLICATED": 0, "MAXIMAL": 1, "TUPLE": 2, "OTHER": 3}}


@functools.cache
def _messages() -> dict[str, Any]:
    return message_tables.messages("xla_data", PACKAGE, _MESSAGES, _ENUMS)


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _messages()[name]
