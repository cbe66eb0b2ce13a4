"""The messages of TF's control_flow.proto; they have no public name."""

from __future__ import annotations

from typing import Any

from tf1compat.core.own_protos import message

_NAMES = ("CondContextDef", "ControlFlowContextDef", "ValuesDef", "WhileContextDef")


def __getattr__(name: str) -> Any:
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message(name)
