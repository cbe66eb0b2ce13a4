"""`tensorflow.python.framework.registry`: a table of things by name, each registered once."""

from __future__ import annotations

import sys
from collections.abc import KeysView
from typing import Any


class Registry:
    """Things by name.

    Args:
      name: what they are, for error messages.
    """

    def __init__(self, name: str):
        self._name = name
        self._registry: dict[str, tuple[Any, str]] = {}

    def register(self, candidate: Any, name: str | None = None) -> None:
        """Registers a thing under a name (default: its `__name__`).

        Raises:
          KeyError: the name is taken.
        """
        name = name or str(candidate.__name__)
        if name in self._registry:
            raise KeyError(
                f"Registering two {self._name} with name '{name}'! (Previous registration was in "
                f"{self._registry[name][1]})"
            )
        frame = sys._getframe(1)
        code = frame.f_code
        self._registry[name] = candidate, f"{code.co_name} {code.co_filename}:{frame.f_lineno}"

    def list(self) -> KeysView[str]:
        """The names."""
        return self._registry.keys()

    def lookup(self, name: str) -> Any:
        """The thing of that name.

        Raises:
          LookupError: there is none.
        """
        if name not in self._registry:
            raise LookupError(f"{self._name} registry has no entry for: {name}")
        return self._registry[name][0]
