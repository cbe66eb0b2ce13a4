"""`tensorflow.python.util.function_utils`: what a function takes and what it is called."""

from __future__ import annotations

import functools
import inspect
from types import CodeType
from typing import Any

from tf1compat.core import protos, tf_decorator


def argspec(function: Any) -> inspect.FullArgSpec:
    """The parameters of a function, a method, a class's constructor or a callable object, or those
    that a decorator tells."""
    decorators, within = tf_decorator.unwrap(function)
    for decorator in decorators:
        told = decorator.decorator_argspec
        if told is not None:
            rest = ([], None, {})  # What an `ArgSpec` does not say.
            return inspect.FullArgSpec(*told, *rest[len(told) - 4 :])
    if not isinstance(within, type):
        # TensorFlow sees what `functools.wraps` made; of wrappers of ours it has the function.
        within = inspect.unwrap(within, stop=lambda wrapper: not _is_ours(wrapper))
    return inspect.getfullargspec(within)


def _is_ours(function: Any) -> bool:
    name = getattr(function, "__globals__", {}).get("__name__", "")
    return name.partition(".")[0] == __name__.partition(".")[0]


def fn_args(fn: Any) -> tuple[str, ...]:
    """The names of a function's arguments, without `self` and what a partial gave."""
    if isinstance(fn, functools.partial):
        given = set(fn.keywords)
        return tuple(name for name in fn_args(fn.func)[len(fn.args) :] if name not in given)
    if _is_callable_object(fn):
        fn = fn.__call__
    names = argspec(fn).args
    return tuple(names[1:] if _is_bound_method(fn) else names)


def has_kwargs(fn: Any) -> bool:
    """Whether a function takes any keyword argument.

    Raises:
      TypeError: it is no function, nor like one.
    """
    if isinstance(fn, functools.partial):
        fn = fn.func
    elif _is_callable_object(fn):
        fn = fn.__call__
    elif not callable(fn):
        raise TypeError(f"fn should be a function-like object, but is of type {type(fn)}.")
    return argspec(fn).varkw is not None


def get_func_name(func: Any) -> str:
    """The name of a function, "Class.method" for a bound method; of another callable, its class.

    Raises:
      ValueError: it can't be called.
    """
    _, func = tf_decorator.unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__name__}"
    return str(type(func))


def get_func_code(func: Any) -> CodeType | None:
    """The code of a function, or of the `__call__` of an object; None if there is none.

    Raises:
      ValueError: it can't be called.
    """
    _, func = tf_decorator.unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if not inspect.isroutine(func):
        func = func.__call__
    return getattr(func, "__code__", None)


def get_disabled_rewriter_config() -> bytes:
    """A ConfigProto, as bytes, with which no optimizer rewrites a function's graph."""
    config = protos.load("config_pb2", "ConfigProto")()
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return config.SerializeToString()


def _is_bound_method(fn: Any) -> bool:
    return inspect.ismethod(tf_decorator.unwrap(fn)[1])


def _is_callable_object(obj: Any) -> bool:
    return hasattr(obj, "__call__") and inspect.ismethod(obj.__call__)  # noqa: B004
