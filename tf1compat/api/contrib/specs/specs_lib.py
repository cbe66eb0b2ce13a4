"""Functions that expressions put together (`tensorflow.contrib.specs.python.specs_lib`)."""

from __future__ import annotations

import importlib
import operator
import re
from collections.abc import Callable as AnyCallable
from typing import Any

# What is in quotes may have any words.
QUOTED = re.compile(
    r"""
"([^"\\]|\\.)*" |
'([^'\\]|\\.)*'
""",
    re.VERBOSE,
)
KEYWORDS = re.compile(r"\b(import|while|def|exec)\b")

debug_ = False


def check_keywords(spec: str) -> None:
    """Refuses a spec with statements in it.

    Raises:
      ValueError: it has one of the words of `KEYWORDS` outside of quotes.
    """
    found = KEYWORDS.search(QUOTED.sub("", spec))
    if found is not None:
        raise ValueError(f"keyword '{found.group(1)}' found in spec")


def get_positional(
    args: Any, kw: dict[str, Any], kw_overrides: bool = False
) -> tuple[Any, dict[str, Any]]:
    """Puts the keyword arguments `_0`, `_1`, … where they belong among the positional ones.

    Args:
      args: positional arguments.
      kw: keyword arguments.
      kw_overrides: whether they replace positional ones that are not None.

    Returns:
      The positional arguments, and the other keyword arguments.
    """
    placed = {key: value for key, value in kw.items() if key.startswith("_")}
    if not placed:
        return args, kw
    found = list(args)
    for key, value in placed.items():
        index = int(key[1:])
        found.extend([None] * (index + 1 - len(found)))
        if kw_overrides or found[index] is None:
            found[index] = value
    return found, {key: value for key, value in kw.items() if key not in placed}


class Composable:
    """A function of a tensor: `f | g` is g after f, `f ** n` n times f, `f + g` and `f * g` are
    those of the results.

    What derives from it has `funcall(x)`.
    """

    funcall: AnyCallable[[Any], Any]

    def __or__(self, f: Any) -> Composition:
        return Composition(self, f)

    def __add__(self, g: Any) -> Operator:
        return Operator(operator.add, self, g)

    def __mul__(self, g: Any) -> Operator:
        return Operator(operator.mul, self, g)

    def __pow__(self, n: int) -> Composable:
        assert n >= 0
        if n == 0:
            return Function(lambda x, *args, **kw: x)
        result: Composable = self
        for _ in range(1, n):
            result = result | self
        return result


class Callable(Composable):
    """A Python function of a tensor."""

    def __init__(self, f: Any):
        self.f = f

    def funcall(self, x: Any) -> Any:
        """The function's value."""
        return self.f(x)


class Operator(Composable):
    """A function of what several functions give for the same tensor."""

    def __init__(self, op: Any, *args: Any):
        self.op = op
        self.funs = args

    def funcall(self, x: Any) -> Any:
        """The value for all of theirs."""
        return self.op(*[f.funcall(x) for f in self.funs])


class Composition(Composable):
    """One function after another."""

    def __init__(self, f: Any, g: Any):
        self.f = f
        self.g = g

    def funcall(self, x: Any) -> Any:
        """g(f(x))."""
        return self.g.funcall(self.f.funcall(x))


class Function(Composable):
    """A Python function of a tensor and other arguments, which calls add.

    Args:
      f: the function.
      *args: the arguments after the first, if no call gives more in front of them.
      **kw: keyword arguments; `_2` is the third of the positional ones if it has no value.

    Raises:
      ValueError: it can't be called.
    """

    def __init__(self, f: Any, *args: Any, **kw: Any):
        if not callable(f):
            raise ValueError(f"{f}: is not callable")
        self.f = f
        self.args = list(args)
        self.kw = kw

    def __call__(self, *args: Any, **kw: Any) -> Function:
        return Function(self.f, *args, *self.args, **{**self.kw, **kw})

    def funcall(self, x: Any) -> Any:
        """The function's value for a tensor and the arguments given so far."""
        args, kw = get_positional(self.args, self.kw)
        if debug_:
            print("DEBUG:", self.f, x, args, kw)
        return self.f(x, *args, **kw)


def External(module_name: str, function_name: str) -> Function:
    """A function of a module, which is imported by its full name."""
    return Function(vars(importlib.import_module(module_name))[function_name])


def Import(statements: str) -> Function:
    """The function `f` that Python statements define.

    Raises:
      ValueError: they define none.
    """
    environment: dict[str, Any] = {}
    exec(statements, environment)
    if "f" not in environment:
        raise ValueError('failed to define "f": %s', statements)
    return Function(environment["f"])


def debug(mode: bool = True) -> None:
    """Whether each call of a `Function` is printed."""
    global debug_
    debug_ = mode
