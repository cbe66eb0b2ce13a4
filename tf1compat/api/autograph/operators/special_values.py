"""What stands for variables that have no value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Undefined:
    """The value of a variable that was given none.

    Args:
      symbol_name: its name.
    """

    __slots__ = ("symbol_name",)

    def __init__(self, symbol_name: str):
        self.symbol_name = symbol_name

    def read(self) -> Any:
        """Raises UnboundLocalError, as Python does."""
        raise UnboundLocalError(f"local variable '{self.symbol_name}' referenced before assignment")

    def __repr__(self) -> str:
        return self.symbol_name


class UndefinedReturnValue:
    """The result of a function that has not returned yet."""


def is_undefined(value: Any) -> bool:
    """Whether it stands for a variable without a value."""
    return isinstance(value, Undefined)


def is_undefined_return(value: Any) -> bool:
    """Whether it stands for the result of a function that has not returned."""
    return isinstance(value, UndefinedReturnValue)


def retval(value: Any) -> Any:
    """The result of a function: None where it has returned nothing."""
    return None if is_undefined_return(value) else value


def ldu(load: Callable[[], Any], name: str) -> Any:
    """What `load` gives, or what says that there is nothing yet."""
    try:
        return load()
    except (UnboundLocalError, NameError, AttributeError, KeyError, IndexError, TypeError):
        return Undefined(name)
