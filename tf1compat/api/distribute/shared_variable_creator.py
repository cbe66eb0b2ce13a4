"""How replicas share the variables that they make
(`tensorflow.python.distribute.shared_variable_creator`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any


def _canonicalize_variable_name(name: str | None) -> str:
    """A variable's name without the numbers that make names unique."""
    if name is None:
        return "Variable"
    return re.sub(r"_\d+(?=/|$)", "", name)


def make_fn(shared_variable_store: dict[str, list[Any]], device_id: int) -> Callable[..., Any]:
    """The variable creator of a replica: the first one makes variables, the others take the same
    ones in the same order.

    Args:
      shared_variable_store: the variables by name.
      device_id: the replica's number.

    Returns:
      The creator; it raises RuntimeError where the first replica made no such variable.
    """
    assert isinstance(device_id, int)
    taken: dict[str, int] = {}

    def create(next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        key = _canonicalize_variable_name(kwargs.get("name"))
        made = next_creator(*args, **kwargs)
        shared_variable_store.setdefault(key, []).append(made)
        return made

    def reuse(next_creator: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        name = kwargs.get("name")
        key = _canonicalize_variable_name(name)
        found = shared_variable_store.get(key, [])
        at = taken.get(key, 0)
        if at >= len(found):
            raise RuntimeError(
                f"Tried to create variable {name} with mismatching name on device {device_id}"
            )
        taken[key] = at + 1
        return found[at]

    return reuse if device_id else create
