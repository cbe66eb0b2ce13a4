"""`tensorflow.python.util.tf_decorator`: decorators that can be undone and looked through."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any


class TFDecorator:
    """What `make_decorator` notes on a wrapper as `_tf_decorator`.

    Classes of decorators derive from it, too: an instance is called as its target is, and is a
    method where that would be one.

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
        for name in ("__name__", "__qualname__"):
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self.decorated_target.__get__(instance, owner)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.decorated_target(*args, **kwargs)


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
    note = TFDecorator(name, target, decorator_doc, decorator_argspec)
    decorator_func._tf_decorator = note
    if hasattr(target, "__doc__"):
        decorator_func.__doc__ = note.__doc__
    return decorator_func


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """The `TFDecorator`s around a function, the outermost first, and the function within."""
    decorators = []
    while True:
        if isinstance(maybe_tf_decorator, TFDecorator):
            decorators.append(maybe_tf_decorator)
        elif _has_tf_decorator_attr(maybe_tf_decorator):
            decorators.append(maybe_tf_decorator._tf_decorator)
        else:
            return decorators, maybe_tf_decorator
        maybe_tf_decorator = decorators[-1].decorated_target


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> Any:
    """Puts another function in the place of one that `unwrap` finds within a decorated one.

    As in TF, the decorators go on calling what they were given.

    Args:
      decorator_func: the decorated function, which is changed.
      previous_target: the function within it whose place it is.
      new_target: the function that comes there.

    Returns:
      `decorator_func`; `new_target` where that is all.
    """
    if decorator_func is previous_target:
        return new_target
    for around in _wrappers(decorator_func):
        if around._tf_decorator.decorated_target is previous_target:
            around._tf_decorator.decorated_target = new_target
            around.__wrapped__ = new_target
            break
    return decorator_func


def _has_tf_decorator_attr(obj: Any) -> bool:
    return isinstance(getattr(obj, "_tf_decorator", None), TFDecorator)


def _wrappers(function: Any) -> Iterator[Any]:
    """The functions around one, from the outermost."""
    while _has_tf_decorator_attr(function):
        yield function
        function = function._tf_decorator.decorated_target
