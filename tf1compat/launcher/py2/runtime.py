"""Python 2's builtins and operators, for sources that are translated from it (see rewrite.py).

Behaviour as Python 2.7 documents it.  Text is Python 3's `str` throughout.
"""

from __future__ import annotations

import builtins
import codecs
import collections
import decimal
import functools
import importlib
import io
import itertools
import operator
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.launcher import old_numpy, old_promotion

_INTEGERS = (int, np.integer)
_NUMBERS = (int, float, complex, np.number)
_UTF8: dict[str, str] = {"encoding": "utf-8", "errors": "surrogateescape"}


# Division.


def divide(a: Any, b: Any) -> Any:
    """`a / b` without `from __future__ import division`: integers are rounded down."""
    if not _are(_INTEGERS, a, b):
        if not _are(_NUMBERS, a, b):
            for value, name, other in ((a, "__div__", b), (b, "__rdiv__", a)):
                result = _by_method(value, name, other)
                if result is not NotImplemented:
                    return result
        if not _are_integer_arrays(a, b):
            return old_promotion.truediv(a, b)
    return old_promotion.floordiv(a, b)


def idivide(a: Any, b: Any) -> Any:
    """What `a /= b` makes of `a`."""
    result = _by_method(a, "__idiv__", b)
    if result is not NotImplemented:
        return result
    if isinstance(a, np.ndarray) and not hasattr(type(b), "__rdiv__"):
        if _are_integer_arrays(a, b):
            a //= b
        else:
            a /= b
        return a
    return divide(a, b)


def _are(types: tuple[type, ...], *values: Any) -> bool:
    return all(isinstance(value, types) for value in values)


def _by_method(value: Any, name: str, other: Any) -> Any:
    method = getattr(type(value), name, None)
    return NotImplemented if method is None else method(value, other)


def _are_integer_arrays(a: Any, b: Any) -> bool:
    """Whether it is a division of arrays of integers."""
    if not isinstance(a, (np.ndarray, np.generic)) and not isinstance(b, (np.ndarray, np.generic)):
        return False
    return all(
        isinstance(value, (np.ndarray, np.generic, int, list, tuple))
        and np.asarray(value).dtype.kind in "biu"
        for value in (a, b)
    )


def member(target: Any, name: str) -> tuple[Any, str, Any]:
    """What `augment_member` changes: `target.name` before the other operand is evaluated."""
    return target, name, getattr(target, name)


def augment_member(place: tuple[Any, str, Any], value: Any) -> None:
    """`target.name /= value`."""
    target, name, old = place
    setattr(target, name, idivide(old, value))


# Methods.


def _sort(self: list[Any], cmp: Any = None, key: Any = None, reverse: bool = False) -> None:
    self.sort(key=_sort_key(cmp, key), reverse=bool(reverse))


def _decode(self: Any, encoding: str = "ascii", errors: str = "strict") -> Any:
    if _is_binary(encoding):
        data: Any = codecs.decode(self.encode("latin-1"), encoding)
        return data.decode("latin-1")
    return self


def _encode(self: Any, encoding: str = "ascii", errors: str = "strict") -> Any:
    if _is_binary(encoding):
        data: Any = codecs.encode(self.encode("utf-8"), encoding)
        return data.decode("latin-1")
    return self.encode(encoding, errors)


def _translate(self: str, table: Any, deletechars: str = "") -> str:
    kept = "".join(c for c in self if c not in deletechars)
    return kept if table is None else kept.translate(table)


def _is_binary(encoding: str) -> bool:
    """Whether a codec is from bytes to bytes, as "hex"."""
    try:
        return not codecs.lookup(encoding)._is_text_encoding  # type: ignore[attr-defined]
    except LookupError:
        return False


def _format(self: str, *args: Any, **kwargs: Any) -> str:
    shown = {name: _shown(value) for name, value in kwargs.items()}
    return self.format(*builtins.map(_shown, args), **shown)


METHODS: dict[str, tuple[type, Callable[..., Any]]] = {
    "format": (str, _format),
    "sort": (list, _sort),
    "decode": (str, _decode),
    "encode": (str, _encode),
    "translate": (str, _translate),
}


def method(value: Any, name: str) -> Any:
    """`value.name`, called with arguments, where `name` is one of METHODS."""
    owner, function = METHODS[name]
    if isinstance(value, owner):
        return functools.partial(function, value)
    return getattr(value, name)


def decoded(value: Any, *args: Any, **kwargs: Any) -> str:
    """`unicode(value, encoding)`."""
    return value if isinstance(value, str) else str(value, *args, **kwargs)


def _sort_key(cmp: Any, key: Any) -> Any:
    if cmp is None:
        return key
    wrap = functools.cmp_to_key(cmp)
    return wrap if key is None else lambda value: wrap(key(value))


def message(value: Any) -> Any:
    """`value.message`: of an exception without an attribute of this name its only argument."""
    try:
        return value.message
    except AttributeError:
        if not isinstance(value, BaseException):
            raise
        return value.args[0] if len(value.args) == 1 else ""


# Text of floats, with twelve digits.

_DIGITS = 12


class _Float(float):
    """A float that is shown as Python 2 showed them."""

    def __str__(self) -> str:
        return _text_of_float(self)


def _text_of_float(value: float) -> str:
    text = format(float(value), f".{_DIGITS}g")
    if not text.removeprefix("-").isdigit():
        return text
    if len(text.removeprefix("-")) < _DIGITS:
        return f"{text}.0"
    mantissa, exponent = f"{float(value):.{_DIGITS - 1}e}".split("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{exponent}"


def _shown(value: Any) -> Any:
    """What is formatted in the place of a value; NumPy's floats show themselves."""
    return _Float(value) if value.__class__ is float else value


def text(function: Any, value: Any) -> Any:
    """`str(value)`, where `function` is what the source calls `str`."""
    if function is str and value.__class__ is float:
        return _text_of_float(value)
    return function(value)


def modulo(a: Any, b: Any) -> Any:
    """`a % b`."""
    if a.__class__ is str:
        if b.__class__ is tuple:
            b = tuple(builtins.map(_shown, b))
        elif b.__class__ is dict:
            b = {key: _shown(value) for key, value in b.items()}
        else:
            b = _shown(b)
        if old_numpy.REFUSES_SCALARS:
            return old_numpy.percent(a, b)
        return a % b
    return old_promotion.mod(a, b)


# Classes.

# Methods by which Python 2 compared and sliced, and Python 3 no longer does.
PROTOCOLS = frozenset(("__cmp__", "__getslice__", "__setslice__", "__delslice__"))
_COMPARISONS = {
    "__lt__": operator.lt,
    "__le__": operator.le,
    "__eq__": operator.eq,
    "__ne__": operator.ne,
    "__gt__": operator.gt,
    "__ge__": operator.ge,
}


def with_protocols(cls: Any) -> Any:
    """A class that has some of PROTOCOLS, with the methods of Python 3 that call them."""
    own = vars(cls)
    if "__cmp__" in own:
        for name, comparison in _COMPARISONS.items():
            if name not in own:
                setattr(cls, name, _by_cmp(comparison))
    for kind in ("get", "set", "del"):
        if f"__{kind}slice__" in own:
            item = f"__{kind}item__"
            setattr(cls, item, _by_slice(own[f"__{kind}slice__"], getattr(cls, item, None)))
    return cls


def _by_cmp(comparison: Callable[[Any, Any], bool]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        order = self.__cmp__(other)
        return order if order is NotImplemented else comparison(order, 0)

    return method


def _by_slice(sliced: Any, item: Any) -> Callable[..., Any]:
    """An item's method that gives plain slices to the slices' one; ends count from the front."""

    def method(self: Any, key: Any, *value: Any) -> Any:
        if not isinstance(key, slice) or key.step is not None:
            if item is None:
                raise TypeError(f"'{type(self).__name__}' object is unsubscriptable")
            return item(self, key, *value)
        ends = (
            0 if key.start is None else key.start,
            sys.maxsize if key.stop is None else key.stop,
        )
        ends = tuple(end + len(self) if end < 0 else end for end in ends)
        return sliced(self, *ends, *value)

    return method


# Builtins.


def range(*args: Any) -> list[int]:
    """A list."""
    return list(builtins.range(*args))


def map(function: Any, *sequences: Iterable[Any]) -> list[Any]:
    """A list; shorter sequences are filled with None, and without a function come tuples."""
    if len(sequences) == 1:
        if function is str:
            return [text(str, value) for value in sequences[0]]
        return list(sequences[0] if function is None else builtins.map(function, sequences[0]))
    longest = itertools.zip_longest(*sequences)
    return list(longest if function is None else (function(*values) for values in longest))


def filter(function: Any, sequence: Iterable[Any]) -> Any:
    """A list; of a string a string, of a tuple a tuple."""
    kept = builtins.filter(function, sequence)
    if isinstance(sequence, str):
        return "".join(kept)
    return tuple(kept) if isinstance(sequence, tuple) else list(kept)


def zip(*sequences: Iterable[Any]) -> list[tuple[Any, ...]]:
    """A list."""
    return list(builtins.zip(*sequences))


def sorted(iterable: Iterable[Any], cmp: Any = None, key: Any = None, reverse: Any = False) -> Any:
    """With the comparison function that Python 3 left out."""
    return builtins.sorted(iterable, key=_sort_key(cmp, key), reverse=bool(reverse))


def cmp(a: Any, b: Any) -> int:
    """-1, 0 or 1."""
    return int(a > b) - int(a < b)


def round(number: Any, ndigits: Any = 0) -> Any:
    """A float; halves away from zero."""
    value: Any = number
    if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
        return builtins.round(number, ndigits) if ndigits else builtins.round(number)
    place = decimal.Decimal(1).scaleb(-ndigits)
    exact = decimal.Decimal(float(value))
    with decimal.localcontext() as context:
        context.prec = 400
        return float(exact.quantize(place, rounding=decimal.ROUND_HALF_UP))


def print_(*values: Any, **kwargs: Any) -> None:
    """`print`, as a statement or a function."""
    builtins.print(*builtins.map(_shown, values), **kwargs)


def oct_(number: Any) -> str:
    """An octal number, with a 0 before it."""
    return builtins.oct(number).replace("0o", "0").replace("00", "0")


def buffer(object: Any, offset: int = 0, size: int = -1) -> Any:
    """A part of some memory; of text the text."""
    memory = object if isinstance(object, str) else memoryview(object)
    return memory[offset:] if size < 0 else memory[offset : offset + size]


def execfile(filename: str, globals: Any = None, locals: Any = None) -> None:
    """Runs a file in a namespace, by default the caller's."""
    with builtins.open(filename, "rb") as source:
        data = source.read()
    globals, locals = _namespaces(globals, locals)
    builtins.exec(_compiled(data, filename), globals, locals)


def exec_(source: Any, globals: Any = None, locals: Any = None) -> None:
    """Runs statements of Python 2 in a namespace, by default the caller's."""
    globals, locals = _namespaces(globals, locals)
    if isinstance(source, str):
        source = _compiled(source.encode(), "<string>")
    builtins.exec(source, globals, locals)


def eval(source: Any, globals: Any = None, locals: Any = None) -> Any:
    """The value of an expression of Python 2 in a namespace, by default the caller's."""
    globals, locals = _namespaces(globals, locals)
    if not isinstance(source, str):
        return builtins.eval(source, globals, locals)
    names = collections.ChainMap({}, locals)
    statement = f"_value_ = ({source.strip()})\n"
    builtins.exec(_compiled(statement.encode(), "<string>"), globals, names)
    return names["_value_"]


def _namespaces(globals: Any, locals: Any) -> tuple[Any, Any]:
    if globals is None:
        frame = sys._getframe(2)
        return frame.f_globals, frame.f_locals
    globals.setdefault("__builtins__", BUILTINS)
    return globals, globals if locals is None else locals


def _compiled(source: bytes, path: str) -> types.CodeType:
    from tf1compat.launcher import sources

    return sources.compile_source(source, path, assume_python2=True, announce=False).code


def raw_input(prompt: str = "") -> str:
    """A line from the standard input."""
    return builtins.input(prompt)


def input(prompt: str = "") -> Any:
    """The value of an expression from the standard input."""
    frame = sys._getframe(1)
    return eval(builtins.input(prompt), frame.f_globals, frame.f_locals)


def reload(module: types.ModuleType) -> types.ModuleType:
    """Loads a module again; `sys`, reloaded for `sys.setdefaultencoding`, stays as it is."""
    return module if module is sys else importlib.reload(module)


def apply(function: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
    """`function(*args, **kwargs)`."""
    return function(*args, **(kwargs or {}))


def coerce(a: Any, b: Any) -> tuple[Any, Any]:
    """Both numbers as one type."""
    common = type(a + b)
    return common(a), common(b)


class _BinaryWrites:
    """Text that is written to a binary file is encoded: Python 2's strings are bytes."""

    def write(self, data: Any) -> int:
        return super().write(data.encode(**_UTF8) if isinstance(data, str) else data)  # type: ignore[misc]

    def writelines(self, lines: Iterable[Any]) -> None:
        for line in lines:
            self.write(line)


class _BinaryWriter(_BinaryWrites, io.BufferedWriter):
    pass


class _BinaryFile(_BinaryWrites, io.BufferedRandom):
    pass


class _TextFile(io.TextIOWrapper):
    """Bytes that are written to a text file go there as they are."""

    def write(self, data: Any) -> int:
        if isinstance(data, str):
            return super().write(data)
        self.flush()
        binary: Any = self.buffer
        return binary.write(data)


def open(name: Any, mode: str = "r", buffering: int = -1, *args: Any, **kwargs: Any) -> Any:
    """A file; text is UTF-8, other bytes are kept, and so are the ends of lines."""
    if args or kwargs:
        return builtins.open(name, mode, buffering, *args, **kwargs)
    universal = "U" in mode
    mode = mode.replace("U", "").replace("t", "") or "r"
    mode = mode if mode[0] in "rwa" else "r" + mode
    raw = io.FileIO(name, mode.replace("b", ""))
    if "+" in mode:
        file: Any = _BinaryFile(raw)
    else:
        file = io.BufferedReader(raw) if mode[0] == "r" else _BinaryWriter(raw)
    if "b" in mode:
        return file
    return _TextFile(file, newline=None if universal else "\n", **_UTF8)  # type: ignore[arg-type]


class _AnyOf(type):
    """A class of which instances of other classes are instances."""

    others: tuple[type, ...] = ()

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.others)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, cls.others)


class basestring(metaclass=_AnyOf):
    """What both kinds of strings are instances of."""

    others = (str, bytes)


class file(metaclass=_AnyOf):
    """`file(name, mode)` opens one."""

    others = (io.IOBase,)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return open(*args, **kwargs)


BUILTINS: dict[str, Any] = {
    **vars(builtins),
    "StandardError": Exception,
    "apply": apply,
    "basestring": basestring,
    "buffer": buffer,
    "cmp": cmp,
    "coerce": coerce,
    "eval": eval,
    "exec": exec_,
    "execfile": execfile,
    "file": file,
    "filter": filter,
    "input": input,
    "intern": sys.intern,
    "long": int,
    "map": map,
    "oct": oct_,
    "open": open,
    "print": print_,
    "range": range,
    "raw_input": raw_input,
    "reduce": functools.reduce,
    "reload": reload,
    "round": round,
    "sorted": sorted,
    "unichr": chr,
    "unicode": str,
    "xrange": builtins.range,
    "zip": zip,
}
