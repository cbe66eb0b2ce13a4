"""Rules of what is converted, by modules."""

from __future__ import annotations

import enum
from types import ModuleType


class Action(enum.Enum):
    """What becomes of the functions of a module."""

    NONE = 0
    CONVERT = 1
    DO_NOT_CONVERT = 2


class Rule:
    """A rule for a module and those in it.

    Args:
      module_prefix: the module's name.
    """

    _action, _label = Action.NONE, ""

    def __init__(self, module_prefix: str):
        self._prefix = module_prefix

    def matches(self, module_name: str) -> bool:
        """Whether it is about a module of that name."""
        return f"{module_name}.".startswith(f"{self._prefix}.")

    def get_action(self, module: ModuleType) -> Action:
        """What it says of a module; `Action.NONE` if it isn't about it."""
        return self._action if self.matches(module.__name__) else Action.NONE

    def __str__(self) -> str:
        return f"{self._label} rule for {self._prefix}"


class DoNotConvert(Rule):
    """Says that functions are left as they are.

    Args:
      module_prefix: the module's name.
    """

    _action, _label = Action.DO_NOT_CONVERT, "DoNotConvert"


class Convert(Rule):
    """Says that functions are converted.

    Args:
      module_prefix: the module's name.
    """

    _action, _label = Action.CONVERT, "Convert"
