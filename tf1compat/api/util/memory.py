"""`tensorflow.python.util.memory`."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any


def dismantle_ordered_dict(ordered_dict: MutableMapping[Any, Any]) -> None:
    """Empties an ordered dict; today's have no cycles of references that would outlive it."""
    ordered_dict.clear()
