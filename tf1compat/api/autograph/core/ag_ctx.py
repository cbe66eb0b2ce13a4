"""Whether functions that are called now are converted."""

from __future__ import annotations

import enum
from typing import Any

from tf1compat.core import context


class Status(enum.Enum):
    """What was said about conversion."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


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
        context.thread.autograph.append(self)
        return self

    def __exit__(self, *exc_info: Any) -> None:
        context.thread.autograph.pop()


class NullCtx:
    """Context manager that does nothing."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc_info: Any) -> None:
        pass


_default = ControlStatusCtx(Status.UNSPECIFIED)


def control_status_ctx() -> ControlStatusCtx:
    """What holds now in this thread."""
    return context.thread.autograph[-1] if context.thread.autograph else _default
