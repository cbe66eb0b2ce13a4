"""`tf.contrib.framework.deprecated` and the like: decorators for functions of one's own."""

from __future__ import annotations

import functools
import inspect
import re
import sys
from collections.abc import Callable
from typing import Any

from tf1compat.api import deprecation
from tf1compat.api.platform import tf_logging
from tf1compat.core.export import tf_export


def _check(date: Any, instructions: Any) -> None:
    if date is not None and not re.match(r"20\d\d-[01]\d-[0123]\d", date):
        raise ValueError("Date must be YYYY-MM-DD.")
    if not instructions:
        raise ValueError("Don't deprecate things without conversion instructions!")


def _warner(text: str, warn_once: bool) -> Callable[..., None]:
    """A function that logs where it is called from, two frames above, and the text."""
    warned: set[Any] = set()

    def warn(key: Any, *values: Any) -> None:
        if deprecation._PRINT_DEPRECATION_WARNINGS and key not in warned:
            if warn_once:
                warned.add(key)
            caller = sys._getframe(2)
            where = (caller.f_code.co_filename, caller.f_lineno)
            tf_logging.warning(f"From %s:%d: {text}", *where, *values)

    return warn


@tf_export("contrib.framework.deprecated")
def deprecated(date: Any, instructions: Any, warn_once: bool = True) -> Callable[..., Any]:
    """Decorator: a call of the function logs that it is deprecated.

    Args:
      date: when it will be removed (YYYY-MM-DD); None for "a future version".
      instructions: what to use instead.
      warn_once: whether only the first call logs.

    Raises:
      ValueError: the date is none, or there are no instructions.
    """
    _check(date, instructions)
    warn = _warner(
        "%s (from %s) is deprecated and will be removed %s.\nInstructions for updating:\n%s",
        warn_once,
    )

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            warn(
                None, function.__qualname__, function.__module__, deprecation._when(date),
                instructions,
            )  # fmt: skip
            return function(*args, **kwargs)

        return call

    return decorate


_ARGS = (
    "calling %s (from %s) with %s is deprecated and will be removed %s.\n"
    "Instructions for updating:\n%s"
)


def _of_arguments(
    date: Any, instructions: Any, warn_once: bool,
    found: Callable[[dict[str, Any], dict[str, Any]], list[tuple[str, str]]],
    check: Callable[[Any, Any], None] = lambda function, signature: None,
) -> Callable[..., Any]:  # fmt: skip
    """A decorator that warns of arguments.

    Args:
      found: a function of the arguments given and of all; gives (argument, how it is called).
      check: called with the function and its signature.
    """
    _check(date, instructions)
    warn = _warner(_ARGS, warn_once)

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        check(function, signature)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            given = signature.bind(*args, **kwargs)
            everything = signature.bind(*args, **kwargs)
            everything.apply_defaults()
            for argument, text in found(given.arguments, everything.arguments):
                warn(
                    argument, function.__qualname__, function.__module__, text,
                    deprecation._when(date), instructions,
                )  # fmt: skip
            return function(*args, **kwargs)

        return call

    return decorate


@tf_export("contrib.framework.deprecated_args")
def deprecated_args(
    date: Any, instructions: Any, *deprecated_arg_names_or_tuples: Any, **kwargs: Any
) -> Callable[..., Any]:
    """Decorator: a call that gives some arguments logs that they are deprecated.

    Args:
      date, instructions: as of `deprecated`.
      *deprecated_arg_names_or_tuples: their names; or (name, value): giving the value is allowed.
      **kwargs: `warn_once`.

    Raises:
      ValueError: as of `deprecated`, or the function has no such argument.
    """
    if not deprecated_arg_names_or_tuples:
        raise ValueError("Specify which argument is deprecated.")
    wanted: dict[str, tuple[Any, ...]] = {}
    for item in deprecated_arg_names_or_tuples:
        name, *ok = item if isinstance(item, tuple) else (item,)
        wanted[name] = tuple(ok)

    def check(function: Any, signature: Any) -> None:
        missing = [name for name in wanted if name not in signature.parameters]
        if missing:
            spec = inspect.getfullargspec(function)
            raise ValueError(
                "The following deprecated arguments are not present in the function signature: "
                f"{missing}. Found next arguments: {[*spec.args, spec.varargs, spec.varkw]}."
            )

    def found(given: dict[str, Any], everything: dict[str, Any]) -> list[tuple[str, str]]:
        return [
            (name, name)
            for name, ok in wanted.items()
            if name in given and not any(given[name] == value for value in ok)
        ]

    return _of_arguments(date, instructions, kwargs.get("warn_once", True), found, check)


@tf_export("contrib.framework.deprecated_arg_values")
def deprecated_arg_values(
    date: Any, instructions: Any, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[..., Any]:
    """Decorator: a call in which arguments have some values logs that these are deprecated.

    Args:
      date, instructions, warn_once: as of `deprecated`.
      **deprecated_kwargs: the values.

    Raises:
      ValueError: as of `deprecated`, or there are no values.
    """
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def found(given: dict[str, Any], everything: dict[str, Any]) -> list[tuple[str, str]]:
        return [
            (name, f"{name}={value}")
            for name, value in deprecated_kwargs.items()
            if name in everything and everything[name] == value
        ]

    return _of_arguments(date, instructions, warn_once, found)
