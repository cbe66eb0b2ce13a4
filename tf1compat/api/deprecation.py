"""Functions and arguments that TF 1.15 calls deprecated: they say so, once each, in TF's words."""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tf1compat.api.platform import tf_logging

F = TypeVar("F", bound=Callable[..., Any])

# Scripts set `tensorflow.python.util.deprecation._PRINT_DEPRECATION_WARNINGS` to False.
_PRINT_DEPRECATION_WARNINGS = True


def renamed(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that may be given under its old name.

    Raises:
      ValueError: it is given under both.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


deprecated_argument_lookup = renamed


def deprecated(
    date: str | None, instructions: str, warn_once: bool = True, *, module: str | None = None
) -> Callable[[F], F]:
    """Decorator: the first call of the function logs that it is deprecated.

    Args:
      date: when TF meant to remove it (YYYY-MM-DD); None for "a future version".
      instructions: what to use instead.
      warn_once: False to log each call.
      module: TF's module that defines the function, where it is not named as ours is.

    Returns:
      The decorator.
    """

    def decorate(function: F) -> F:
        origin = module or _tf_module(function.__module__)
        warned = False

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            nonlocal warned
            if not warned and _PRINT_DEPRECATION_WARNINGS:
                warned = warn_once
                caller = sys._getframe(1)
                tf_logging.warning(
                    "From %s:%d: %s (from %s) is deprecated and will be removed %s.\n"
                    "Instructions for updating:\n%s",
                    caller.f_code.co_filename,
                    caller.f_lineno,
                    function.__qualname__,
                    origin,
                    _when(date),
                    instructions,
                )
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


def deprecated_args(
    date: str | None,
    instructions: str,
    *names: str | tuple[str, Any],
    warn_once: bool = True,
    module: str | None = None,
) -> Callable[[F], F]:
    """Decorator: the first call that passes one of the arguments `names` logs that it is
    deprecated.

    Args:
      date, instructions, warn_once, module: as in `deprecated`.
      *names: the arguments; (name, value) for one that may have that value.

    Returns:
      The decorator.
    """

    def decorate(function: F) -> F:
        origin = module or _tf_module(function.__module__)
        parameters = list(inspect.signature(function).parameters)
        allowed = dict(name for name in names if isinstance(name, tuple))
        listed = [name[0] if isinstance(name, tuple) else name for name in names]
        positions = {name: parameters.index(name) for name in listed}
        first = min(positions.values())
        pending = set(listed)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if (_PRINT_DEPRECATION_WARNINGS and pending) and (
                len(args) > first or not pending.isdisjoint(kwargs)
            ):
                caller = sys._getframe(1)
                for name in listed:
                    if name in pending and (len(args) > positions[name] or name in kwargs):
                        value = args[positions[name]] if name not in kwargs else kwargs[name]
                        if name in allowed and value is allowed[name]:
                            continue
                        if warn_once:
                            pending.remove(name)
                        tf_logging.warning(
                            "From %s:%d: calling %s (from %s) with %s is deprecated "
                            "and will be removed %s.\n"
                            "Instructions for updating:\n%s",
                            caller.f_code.co_filename,
                            caller.f_lineno,
                            function.__qualname__,
                            origin,
                            name,
                            _when(date),
                            instructions,
                        )
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """No function says that it is deprecated in the `with` block."""
    global _PRINT_DEPRECATION_WARNINGS
    before, _PRINT_DEPRECATION_WARNINGS = _PRINT_DEPRECATION_WARNINGS, False
    try:
        yield
    finally:
        _PRINT_DEPRECATION_WARNINGS = before


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **values: Any
) -> Callable[[F], F]:
    """Decorator: the first call that passes, or leaves, one of the arguments at a deprecated value
    logs that.

    Args:
      date, instructions: as in `deprecated`.
      warn_once: False to log each such call.
      **values: the deprecated value of each argument.

    Returns:
      The decorator.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        pending = set(values)

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            if _PRINT_DEPRECATION_WARNINGS and pending:
                given = signature.bind(*args, **kwargs)
                given.apply_defaults()
                for name in [name for name in values if name in pending]:
                    if given.arguments.get(name, function) == values[name]:
                        if warn_once:
                            pending.remove(name)
                        caller = sys._getframe(1)
                        tf_logging.warning(
                            "From %s:%d: calling %s (from %s) with %s=%s is deprecated and will be "
                            "removed %s.\nInstructions for updating:\n%s",
                            caller.f_code.co_filename,
                            caller.f_lineno,
                            function.__qualname__,
                            _tf_module(function.__module__),
                            name,
                            values[name],
                            _when(date),
                            instructions,
                        )
            return function(*args, **kwargs)

        return call  # type: ignore[return-value]

    return decorate


def _when(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def _tf_module(ours: str) -> str:
    """TF's name of a module of the api stage, e.g. `tensorflow.python.ops.state_ops`."""
    if not ours.startswith("tf1compat.api."):
        return ours
    path = ours.removeprefix("tf1compat.api.")
    return f"tensorflow.python.{path}" if "." in path else f"tensorflow.python.ops.{path}"
