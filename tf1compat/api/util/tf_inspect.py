"""`tensorflow.python.util.tf_inspect`: the standard `inspect`, which looks through decorators, with
what Python removed from it."""

from __future__ import annotations

import collections
import functools
import inspect
from collections.abc import Callable
from inspect import *  # noqa: F403  # pyright: ignore
from typing import Any

from tf1compat.api.util import tf_decorator

_inspect = inspect  # TensorFlow's name for the standard module, which TFP uses.

ArgSpec = collections.namedtuple(  # noqa: PYI024
    "ArgSpec", ["args", "varargs", "keywords", "defaults"]
)


def _target(obj: Any) -> Any:
    """What is within the decorators."""
    _, found = tf_decorator.unwrap(obj)
    return found if isinstance(found, type) else inspect.unwrap(found)


def getfullargspec(obj: Callable[..., Any]) -> Any:
    """The parameters of a function, a method, a class's constructor or a callable object, or those
    that a decorator tells."""
    for decorator in tf_decorator.unwrap(obj)[0]:
        if decorator.decorator_argspec is not None:
            return decorator.decorator_argspec
    return inspect.getfullargspec(_target(obj))


def getargspec(obj: Callable[..., Any]) -> ArgSpec:
    """The parameters of a function as (args, varargs, keywords, defaults)."""
    full = getfullargspec(obj)
    return ArgSpec(*full[:4])


def getcallargs(*func_and_positional: Any, **named: Any) -> dict[str, Any]:
    """The value of each parameter in a call of the first argument with the others."""
    function, *positional = func_and_positional
    return inspect.getcallargs(_target(function), *positional, **named)


def _looking_through(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(object: Any) -> Any:
        return function(_target(object))

    return call


isbuiltin = _looking_through(inspect.isbuiltin)
isframe = _looking_through(inspect.isframe)
getfile = _looking_through(inspect.getfile)
getmodule = _looking_through(inspect.getmodule)
getsource = _looking_through(inspect.getsource)
getsourcefile = _looking_through(inspect.getsourcefile)
getsourcelines = _looking_through(inspect.getsourcelines)
isfunction = _looking_through(inspect.isfunction)
isgeneratorfunction = _looking_through(inspect.isgeneratorfunction)
ismethod = _looking_through(inspect.ismethod)
isroutine = _looking_through(inspect.isroutine)
