"""Ending what waits (`tensorflow.python.eager.cancellation`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.core import waiting


class CancellationManager:
    """Ends calls that wait, such as those for an element of a queue, from another thread."""

    def __init__(self) -> None:
        self._impl = waiting.Cancellation()

    @property
    def is_cancelled(self) -> bool:
        """Whether `start_cancel` was called."""
        return self._impl.started

    def start_cancel(self) -> None:
        """Ends the calls that were made with it; later ones end at once."""
        self._impl.started = True

    def get_cancelable_function(self, concrete_function: Any) -> Callable[..., Any]:
        """A `ConcreteFunction` as one whose calls it ends.

        Args:
          concrete_function: what `get_concrete_function` gave.

        Returns:
          What is called as it is. Calls that are ended raise a CancelledError.
        """
        return concrete_function._experimental_with_cancellation_manager(self)
