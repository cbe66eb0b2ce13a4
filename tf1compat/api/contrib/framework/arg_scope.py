"""Scopes of default arguments (`tensorflow.contrib.framework.python.ops.arg_scope`).

    with arg_scope([layers.conv2d, layers.fully_connected], activation_fn=tf.nn.elu) as scope:
        y = layers.conv2d(x, 8, 3)

A scope is a dict: key of a function -> its default arguments; `arg_scope(scope)` opens it again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tf1compat.core import tf_decorator
from tf1compat.core.export import tf_export

F = TypeVar("F", bound=Callable[..., Any])
Scope = dict[str, dict[str, Any]]

__all__ = [
    "add_arg_scope",
    "arg_scope",
    "arg_scope_func_key",
    "arg_scoped_arguments",
    "current_arg_scope",
    "has_arg_scope",
]

_stack: list[Scope] = [{}]
# Key of a decorated function -> the arguments that a scope may set.
_decorated: dict[str, tuple[str, ...]] = {}


@tf_export("contrib.framework.current_arg_scope")
def current_arg_scope() -> Scope:
    """The innermost scope, with what it has from the outer ones."""
    return _stack[-1]


def arg_scope_func_key(op: Any) -> str:
    """What a function is called in scopes."""
    return getattr(op, "_key_op", str(op))


@tf_export("contrib.framework.arg_scope")
@contextlib.contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[Scope]:
    """Context manager: functions have other default arguments.

    Args:
      list_ops_or_scope: a list of functions decorated with `add_arg_scope`; or a scope, to be
        opened in place of the current one.
      **kwargs: the arguments; none with a scope.

    Yields:
      The scope.

    Raises:
      TypeError: `list_ops_or_scope` is neither a list, a tuple nor a dict.
      ValueError: a function is not decorated, or a scope is given with arguments.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError(
                "When attempting to re-use a scope by suppling a" + "dictionary, kwargs must be "
                "empty."
            )
        scope = list_ops_or_scope.copy()
    else:
        if not isinstance(list_ops_or_scope, list | tuple):
            raise TypeError(
                "list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)"
            )
        scope = current_arg_scope().copy()
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                name = (op.__module__, op.__name__)
                raise ValueError("%s is not decorated with @add_arg_scope", name)
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    _stack.append(scope)
    try:
        yield scope
    finally:
        _stack.pop()


@tf_export("contrib.framework.add_arg_scope")
def add_arg_scope(func: F) -> F:
    """Decorator: the function takes default arguments from `arg_scope`.

    Args:
      func: a function whose keyword arguments scopes may set.

    Returns:
      The decorated function.
    """
    key = arg_scope_func_key(func)

    def func_with_args(*args: Any, **kwargs: Any) -> Any:
        defaults = _stack[-1].get(key)
        if defaults:
            kwargs = {**defaults, **kwargs}
        return func(*args, **kwargs)

    _decorated[key] = _keyword_names(func)
    func_with_args._key_op = key  # type: ignore[attr-defined]
    return tf_decorator.make_decorator(func, func_with_args)  # type: ignore[return-value]


def _keyword_names(func: Any) -> tuple[str, ...]:
    count = len(func.__defaults__ or ())
    return func.__code__.co_varnames[-count : func.__code__.co_argcount]


@tf_export("contrib.framework.has_arg_scope")
def has_arg_scope(func: Any) -> bool:
    """Whether a function is decorated with `add_arg_scope`.

    Args:
      func: a function.

    Returns:
      A bool.
    """
    return arg_scope_func_key(func) in _decorated


@tf_export("contrib.framework.arg_scoped_arguments")
def arg_scoped_arguments(func: Any) -> tuple[str, ...]:
    """The arguments of a decorated function that a scope may set.

    Args:
      func: a function decorated with `add_arg_scope`.

    Returns:
      The arguments' names.
    """
    assert has_arg_scope(func)
    return _decorated[arg_scope_func_key(func)]
