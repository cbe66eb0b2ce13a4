"""Who is to know which variables are read while something is recorded."""

from __future__ import annotations

import threading
from typing import Any

from tf1compat.core import context


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.stack: list[VariableWatcher] = []


_watchers = _Watchers()


class VariableWatcher:
    """Context manager that notes the trainable variables read inside the `with` block.

    Attributes:
      variables: them, in the order of their first use.
    """

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}

    @property
    def variables(self) -> list[Any]:
        return list(self._seen.values())

    def __enter__(self) -> VariableWatcher:
        _watchers.stack.append(self)
        return self

    def __exit__(self, *exc_info: Any) -> None:
        _watchers.stack.remove(self)

    def note(self, variable: Any) -> None:
        """Notes a variable."""
        self._seen.setdefault(id(variable), variable)


def variable_accessed(variable: Any) -> None:
    """Tells the function being built, and watchers if it is trainable, of a use of `variable`."""
    watch = getattr(context.default_graph(), "watch_variable", None)
    if watch is not None:
        watch(variable)
    if variable.trainable:
        for watcher in _watchers.stack:
            watcher.note(variable)
