"""Whether functions that are called now are converted."""

from __future__ import annotations

import enum
import threading
from typing import Any


class Status(enum.Enum):
    """What was said about conversion."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


class _Stack(threading.local):
    def __init__(self) -> None:
        self.contexts: list[ControlStatusCtx] = []


_stack = _Stack()


class ControlStatusCtx:
    """Context manager inside which `status` holds.

    Args:
      status: the status.
      options: the options of the conversion, if it is enabled.
    """

    def __init__(self, status: Status, options: Any = None):
        self.status = status
        self.options = options

    def __enter__(self) -> ControlStatusCtx:
        _stack.contexts.append(self)
        return self

    def __exit__(self, *exc_info: Any) -> None:
        _stack.contexts.pop()


class NullCtx:
    """Context manager that does nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: Any) -> None:
        pass


_default = ControlStatusCtx(Status.UNSPECIFIED)


def control_status_ctx() -> ControlStatusCtx:
    """What holds now in this thread."""
    return _stack.contexts[-1] if _stack.contexts else _default
