"""Names for what a conversion makes."""

from __future__ import annotations

import enum
from typing import Any


class _NamingStyle(enum.Enum):
    SNAKE = 1
    CAMEL = 2


class Namer:
    """Makes names that are not in use.

    Args:
      global_namespace: what the converted code sees, by name.
    """

    def __init__(self, global_namespace: Any):
        self.global_namespace = global_namespace
        self.generated_names: set[str] = set()

    def _as_symbol_name(self, fqn: Any, style: _NamingStyle = _NamingStyle.SNAKE) -> str:
        parts = fqn if isinstance(fqn, tuple) else (fqn,)
        words = [word for part in parts for word in part.split(".")]
        if style is _NamingStyle.CAMEL:
            return "".join(word[:1].upper() + word[1:] for word in words)
        return "_".join(words)

    def class_name(self, original_fqn: Any) -> str:
        """The name of a converted class."""
        return self._made("Tf" + self._as_symbol_name(original_fqn, _NamingStyle.CAMEL))

    def function_name(self, original_fqn: Any) -> str:
        """The name of a converted function."""
        return self._made("tf__" + self._as_symbol_name(original_fqn))

    def _made(self, name: str) -> str:
        """A name with a number if something else has it already, whatever was converted."""
        found, number = name, 0
        while found in self.global_namespace:
            number += 1
            found = f"{name}_{number}"
        self.generated_names.add(found)
        return found

    def new_symbol(self, name_root: str, reserved_locals: Any) -> str:
        """A name for a variable.

        Args:
          name_root: what it begins with; a number at its end is where the numbering goes on.
          reserved_locals: names, as strings or `QN`s, that are taken.

        Returns:
          The name, with a number if it takes one.
        """
        taken = set()
        for name in reserved_locals:
            if isinstance(name, str):
                taken.add(name)
            elif name.is_symbol():
                taken.add(str(name))
        root, _, last = name_root.rpartition("_")
        number = 0
        if last.isdigit():
            name_root, number = root, int(last)
        found = name_root
        while found in self.global_namespace or found in taken or found in self.generated_names:
            number += 1
            found = f"{name_root}_{number}"
        self.generated_names.add(found)
        return found
