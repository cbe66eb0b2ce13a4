"""What functions of `random` took, as they did up to Python 3.8 (see legacy_names.py).

Each takes today's function or method and returns one that takes the old arguments too.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable, Set
from typing import Any

Function = Callable[..., Any]
_SEEDS = (type(None), int, float, str, bytes, bytearray)


def _first(function: Function) -> int:
    """Where the arguments begin: a function of the module has its generator already."""
    return 0 if inspect.ismethod(function) else 1


def _with_first(function: Function, change: Callable[[Any], Any], name: str) -> Function:
    first = _first(function)

    @functools.wraps(function)
    def changed(*args: Any, **kwargs: Any) -> Any:
        if len(args) > first:
            args = (*args[:first], change(args[first]), *args[first + 1 :])
        elif name in kwargs:
            kwargs[name] = change(kwargs[name])
        return function(*args, **kwargs)

    return changed


def shuffle(function: Function) -> Function:
    """`shuffle(x, random)`, with a function that gives the random floats."""
    first = _first(function)

    @functools.wraps(function)
    def shuffled(*args: Any, random: Callable[[], float] | None = None, **kwargs: Any) -> None:
        if len(args) > first + 1:
            *args, random = args  # type: ignore[assignment]
        if random is None:
            return function(*args, **kwargs)
        x = kwargs["x"] if "x" in kwargs else args[first]
        for last in range(len(x) - 1, 0, -1):
            other = int(random() * (last + 1))
            x[last], x[other] = x[other], x[last]

    return shuffled


def sample(function: Function) -> Function:
    """`sample(population, k)` of sets, and of the keys of dicts."""

    def sequence(population: Any) -> Any:
        return tuple(population) if isinstance(population, Set) else population

    return _with_first(function, sequence, "population")


def seed(function: Function) -> Function:
    """`seed(a)` of anything that has a hash, as NumPy's integers have."""

    def seeding(a: Any) -> Any:
        return a if isinstance(a, _SEEDS) else hash(a) % 2**64

    return _with_first(function, seeding, "a")


def randrange(function: Function) -> Function:
    """`randrange(start, stop, step)` and `randint(a, b)` of floats without a fraction."""
    if sys.version_info < (3, 12):
        return function

    @functools.wraps(function)
    def whole(*args: Any, **kwargs: Any) -> Any:
        if any(isinstance(arg, float) for arg in args):
            args = tuple(
                int(arg) if isinstance(arg, float) and arg.is_integer() else arg for arg in args
            )
        return function(*args, **kwargs)

    return whole
