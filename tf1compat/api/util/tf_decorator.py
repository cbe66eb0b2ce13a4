"""`tensorflow.python.util.tf_decorator`: decorators that can be undone and looked through."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any


class TFDecorator:
    """What `make_decorator` notes on a wrapper as `_tf_decorator`.

    Attributes:
      decorator_name, decorator_doc, decorator_argspec: what it was told.
      decorated_target: the function that is wrapped.
    """

    def __init__(
        self,
        decorator_name: str | None,
        target: Any,
        decorator_doc: str = "",
        decorator_argspec: Any = None,
    ):
        self.decorator_name = decorator_name
        self.decorated_target = target
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec


def make_decorator(
    target: Any,
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """Makes `decorator_func` a wrapper with the name, docstring and attributes of `target`."""
    # By default the decorator is what calls this.
    name = decorator_name or sys._getframe(1).f_code.co_name
    functools.update_wrapper(decorator_func, target)
    decorator_func._tf_decorator = TFDecorator(name, target, decorator_doc, decorator_argspec)
    return decorator_func


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """The `TFDecorator`s around a function, the outermost first, and the function within."""
    decorators = []
    current = maybe_tf_decorator
    while isinstance(getattr(current, "_tf_decorator", None), TFDecorator):
        decorators.append(current._tf_decorator)
        current = current._tf_decorator.decorated_target
    return decorators, current
