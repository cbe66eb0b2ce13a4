"""`tensorflow.python.util.dispatch`: functions that other kinds of values can join.

A function is tried as it is; if it refuses its arguments, those that were registered for it by
`dispatch_for_types` are asked.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

DISPATCH_ATTR = "_tf_dispatchers"


class OpDispatcher:
    """What a function does with arguments that it can't take itself."""

    NOT_SUPPORTED = object()

    def handle(self, args: Any, kwargs: Any) -> Any:
        """The result, or `NOT_SUPPORTED`."""
        return self.NOT_SUPPORTED

    def register(self, op: Any) -> None:
        """Adds the dispatcher to a function with dispatch support.

        Raises:
          AssertionError: the function has none.
        """
        if not hasattr(op, DISPATCH_ATTR):
            raise AssertionError(f"Dispatching not enabled for {op}")
        getattr(op, DISPATCH_ATTR).append(self)


class _TypeBasedDispatcher(OpDispatcher):
    def __init__(self, override: Callable[..., Any], types: Any):
        self._override, self._types = override, types

    def handle(self, args: Any, kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            found = value if isinstance(value, list | tuple) else (value,)
            if any(isinstance(x, self._types) for x in found):
                return self._override(*args, **kwargs)
        return self.NOT_SUPPORTED


def dispatch(op: Any, *args: Any, **kwargs: Any) -> Any:
    """The result of the first dispatcher of `op` that takes the arguments, or `NOT_SUPPORTED`."""
    for dispatcher in getattr(op, DISPATCH_ATTR):
        result = dispatcher.handle(args, kwargs)
        if result is not OpDispatcher.NOT_SUPPORTED:
            return result
    return OpDispatcher.NOT_SUPPORTED


def dispatch_for_types(op: Any, *types: type) -> Callable[[Any], Any]:
    """Decorates what takes the place of `op` where an argument is of these types.

    Raises:
      AssertionError: its parameters are not those of `op`.
    """

    def decorate(function: Any) -> Any:
        expected, found = inspect.signature(op), inspect.signature(function)
        names = [[(p.name, p.kind, p.default) for p in s.parameters.values()]
                 for s in (expected, found)]  # fmt: skip
        if names[0] != names[1]:
            raise AssertionError(
                f"The decorated function's signature must exactly match the signature of the "
                f"overridden op. {expected} {found}"
            )
        _TypeBasedDispatcher(function, types).register(op)
        return function

    return decorate


def add_dispatch_list(target: Any) -> Any:
    """Lets dispatchers be registered for a function, which asks them itself.

    Raises:
      AssertionError: it has such a list.
    """
    if hasattr(target, DISPATCH_ATTR):
        raise AssertionError(f"{target} already has a dispatch list")
    setattr(target, DISPATCH_ATTR, [])
    return target


def add_dispatch_support(target: Any) -> Any:
    """Makes a function one that dispatchers can be registered for."""

    @functools.wraps(target)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return target(*args, **kwargs)
        except (TypeError, ValueError):
            result = dispatch(wrapper, *args, **kwargs)
            if result is OpDispatcher.NOT_SUPPORTED:
                raise
            return result

    setattr(wrapper, DISPATCH_ATTR, [])
    return wrapper
