"""The message of TF's checkpoint_state.proto; it has no public name."""

from __future__ import annotations

from typing import Any

from tf1compat.core.own_protos import message


def __getattr__(name: str) -> Any:
    if name != "CheckpointState":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message(name)
