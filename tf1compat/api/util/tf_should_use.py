"""`tensorflow.python.util.tf_should_use`: results that must not be dropped say so if they are."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core import context
from tf1compat.core.tf_decorator import make_decorator

_wrappers: dict[type, type] = {}


class _Watch:
    """Says, when it goes, that a value was never used."""

    def __init__(self, value: Any, is_fatal: bool):
        self.is_used = False
        self._log_name = "fatal" if is_fatal else "error"
        # The frames of this module come last.
        stack = "".join(line.rstrip() for line in traceback.format_stack()[:-3])
        self._text = (
            f"Object was never used (type {type(value)}):\n{value!r}\n"
            'If you want to mark it as used call its "mark_used()" method.\n'
            f"It was originally created here:\n{stack}"
        )

    def __del__(self) -> None:
        if not self.is_used:
            line = "=" * 34
            getattr(tf_logging, self._log_name)(f"{line}\n{self._text}\n{line}")


def should_use_result(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: a result of which nothing is asked before it goes is logged as an error."""
    return _decorated(fn, "should_use_result", is_fatal=False)


def must_use_result_or_fatal(fn: Callable[..., Any]) -> Callable[..., Any]:
    """As `should_use_result`, at level FATAL."""
    return _decorated(fn, "must_use_result_or_fatal", is_fatal=True)


def _decorated(fn: Callable[..., Any], name: str, is_fatal: bool) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return _add_should_use_warning(fn(*args, **kwargs), fatal_error=is_fatal)

    return make_decorator(fn, call, name)


def _add_should_use_warning(x: Any, fatal_error: bool = False) -> Any:
    """A value that notes whether something is asked of it; as it is in eager execution."""
    if x is None or context.executing_eagerly() or getattr(x, "_tf_should_use", None) is not None:
        return x
    wrapper = _get_wrapper(type(x))
    watched = object.__new__(wrapper)
    object.__setattr__(watched, "_tf_value", x)
    object.__setattr__(watched, "_tf_should_use", _Watch(x, fatal_error))
    return watched


def _get_wrapper(cls: type) -> type:
    """The class of the watched values of a class, which passes everything on to them."""
    if cls not in _wrappers:

        def get(self: Any, name: str) -> Any:
            watch = object.__getattribute__(self, "_tf_should_use")
            if name == "_tf_should_use":
                return watch
            watch.is_used = True
            if name == "mark_used":
                return lambda: None
            return getattr(object.__getattribute__(self, "_tf_value"), name)

        def put(self: Any, name: str, value: Any) -> None:
            object.__getattribute__(self, "_tf_should_use").is_used = True
            setattr(object.__getattribute__(self, "_tf_value"), name, value)

        members = {"__getattribute__": get, "__setattr__": put}
        _wrappers[cls] = type(cls.__name__, (cls,), members)
    return _wrappers[cls]
