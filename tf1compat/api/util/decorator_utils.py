"""`tensorflow.python.util.decorator_utils`: what decorators of functions have in common."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def get_qualified_name(function: Any) -> str:
    """A function's or class's name, with that of the class that it is in."""
    return getattr(function, "__qualname__", function.__name__)


def method_of(owner: str) -> Callable[[F], F]:
    """Decorator: a method's qualified name has the class that TF has it in.

    Args:
      owner: the class's name.
    """

    def decorate(method: F) -> F:
        method.__qualname__ = f"{owner}.{method.__name__}"
        return method

    return decorate


def _normalize_docstring(docstring: str | None) -> str:
    """A docstring without the indentation that all its lines have, and without blank ends."""
    lines = inspect.cleandoc(docstring or "").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def add_notice_to_docstring(
    doc: str | None, instructions: str, no_doc_str: str, suffix_str: str, notice: Sequence[str]
) -> str:
    """A docstring with a notice after its first line.

    Args:
      doc: the docstring; None for none.
      instructions: what follows the notice.
      no_doc_str: the first line if there is no docstring.
      suffix_str: added to the first line.
      notice: the lines of the notice.

    Raises:
      ValueError: there are none.
    """
    if not notice:
        raise ValueError("The `notice` arg must not be empty.")
    lines = _normalize_docstring(doc).splitlines() if doc else [no_doc_str]
    if doc:
        lines[0] += f" {suffix_str}"
    inserted = ["", f"Warning: {notice[0]}", *notice[1:], instructions]
    if len(lines) > 1 and lines[1].strip():
        inserted.append("")
    return "\n".join([lines[0], *inserted, *lines[1:]]).rstrip()


def validate_callable(func: Any, decorator_name: str) -> None:
    """Refuses to decorate what is no function.

    Raises:
      ValueError: it isn't.
    """
    if not hasattr(func, "__call__"):  # noqa: B004
        raise ValueError(
            f"{func} is not a function. If this is a property, make sure @property appears before "
            f"@{decorator_name} in your source code:\n\n@property\n@{decorator_name}\n"
            "def method(...)"
        )


class classproperty:  # noqa: N801
    """A property of a class."""

    def __init__(self, func: Callable[[Any], Any]):
        self._func = func

    def __get__(self, owner_self: Any, owner_cls: Any) -> Any:
        return self._func(owner_cls)
