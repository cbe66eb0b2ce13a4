"""`tensorflow.python.eager.executor`: who runs eager operations."""

from __future__ import annotations

from typing import Any


class Executor:
    """Runs eager operations; here they have always run when their call returns.

    Args:
      handle: whether operations may run later, which is only told.
    """

    def __init__(self, handle: Any):
        self._handle = handle

    def is_async(self) -> bool:
        """Whether operations may run later."""
        return bool(self._handle)

    def handle(self) -> Any:
        """What the executor was made of."""
        return self._handle

    def wait(self) -> None:
        """Does nothing: nothing is left to run."""

    def clear_error(self) -> None:
        """Does nothing: an operation that fails raises in its call."""


def new_executor(enable_async: bool) -> Executor:
    """A new executor."""
    return Executor(enable_async)
