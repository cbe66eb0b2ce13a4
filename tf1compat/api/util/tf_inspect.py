"""`tensorflow.python.util.tf_inspect`: the standard `inspect`, which looks through decorators, with
what Python removed from it."""

from __future__ import annotations

import collections
import contextlib
import functools
import inspect
import itertools
from collections.abc import Callable
from inspect import *  # noqa: F403  # pyright: ignore
from typing import Any

from tf1compat.core import function_utils, tf_decorator

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
    return function_utils.argspec(obj)


def getargspec(obj: Any) -> ArgSpec:
    """The parameters of a function as (args, varargs, keywords, defaults).

    Args:
      obj: a function, a partial one, a class, or any other object: that of calls of it.

    Raises:
      ValueError: a partial function's parameters can't be said in this way.
    """
    if isinstance(obj, functools.partial):
        return _argspec_of_partial(obj)
    for way in (lambda: obj, lambda: obj.__init__, lambda: obj.__new__):
        with contextlib.suppress(TypeError, AttributeError):
            return ArgSpec(*function_utils.argspec(way())[:4])
    return ArgSpec(*function_utils.argspec(type(obj).__call__)[:4])


def _argspec_of_partial(partial: functools.partial[Any]) -> ArgSpec:
    """What is left of a function's parameters: those given by name have other defaults."""
    names, varargs, keywords, defaults = getargspec(partial.func)
    known = dict(zip(reversed(names), reversed(defaults or ()), strict=False))
    names = names[len(partial.args) :]
    if not keywords and not partial.keywords.keys() <= set(names):
        raise ValueError(
            "Function does not have **kwargs parameter, but contains an unknown partial keyword."
        )
    known.update(partial.keywords)
    with_default = list(itertools.dropwhile(lambda name: name not in known, names))
    lacking = [name for name in with_default if name not in known]
    if lacking:
        raise ValueError(
            f"Some arguments {lacking} do not have default value, but they are positioned after "
            "those with default values. This can not be expressed with ArgSpec."
        )
    return ArgSpec(names, varargs, keywords, tuple(known[name] for name in with_default) or None)


def getcallargs(*func_and_positional: Any, **named: Any) -> dict[str, Any]:
    """The value of each parameter in a call of the first argument with the others, as far as it is
    known: calls that a function does not take are not refused."""
    function, *positional = func_and_positional
    spec = getfullargspec(function)
    if ismethod(function) and function.__self__:
        positional.insert(0, function.__self__)
    found = dict(named)
    found.update(zip((name for name in spec.args if name not in named), positional, strict=False))
    defaults = spec.defaults or ()
    for name, value in zip(spec.args[len(spec.args) - len(defaults) :], defaults, strict=True):
        found.setdefault(name, value)
    for name, value in (spec.kwonlydefaults or {}).items():
        found.setdefault(name, value)
    return found


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
