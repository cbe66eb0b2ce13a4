"""Arithmetic of old sources with the types that NumPy 1 gave, where NumPy 2 gives others.

Before NumPy 2 a Python number beside a NumPy scalar was an int64 or a float64, and its value, like
that of a NumPy scalar beside an array, decided what type came out: `np.float32(1) / 3` was a
float64, and `np.zeros(2, np.float32) * np.float64(2)` a float32.  Now both are the other way round,
so that sums of losses are rounded otherwise, and bytes overflow.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

# Whether NumPy is one that decides by types alone.
CHANGED = (np.float32(1) / 3).dtype == np.float32

# The scalars that a Python number turned into wider ones.
_NARROW = frozenset(
    (np.float16, np.float32, np.complex64, np.int8, np.int16, np.int32)
    + (np.uint8, np.uint16, np.uint32, np.uint64)
)
_CONCERNED = frozenset((*_NARROW, np.ndarray))
_WIDE: dict[type, type[np.generic]] = {
    int: np.int64,
    float: np.float64,
    complex: np.complex128,
}
# What `sum` refuses to begin with, and what it adds otherwise than one by one; since Python 3.12
# that is floats, too.
_TEXTS = (str, bytes, bytearray)
_APART = _NARROW | ({float, complex} if builtins.sum([1e16, 1.0, -1e16]) else frozenset())
_RANKS = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
_PYTHON_RANKS = {int: 1, float: 2, complex: 3}
Operation = Callable[[Any, Any], Any]


def _promoted(operation: Operation, a: Any, b: Any) -> Any:
    if a.__class__ is b.__class__ and (a.__class__ is not np.ndarray or (a.ndim and b.ndim)):
        return operation(a, b)
    a, b = _without_dimensions(a), _without_dimensions(b)
    if a.__class__ is np.ndarray:
        b = _beside_array(b, a)
    elif b.__class__ is np.ndarray:
        a = _beside_array(a, b)
    else:
        try:
            return operation(_widened(a), _widened(b))
        except OverflowError:
            # Beside an integer of more than 64 bits a scalar was a Python number.
            return operation(_plain(a), _plain(b))
    return operation(a, b)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _without_dimensions(value: Any) -> Any:
    """An array of no dimensions counted as a scalar."""
    return value[()] if value.__class__ is np.ndarray and not value.ndim else value


def _widened(value: Any) -> Any:
    """What a Python number was beside a scalar."""
    wide = _WIDE.get(value.__class__)
    return value if wide is None else wide(value)


def _beside_array(value: Any, array: np.ndarray) -> Any:
    """A scalar that has the array's type, if that is of its kind or a later one and holds it."""
    of_array = _RANKS.get(array.dtype.kind)
    if isinstance(value, np.generic):
        rank = _RANKS.get(value.dtype.kind)
    else:
        rank = _PYTHON_RANKS.get(value.__class__)
    if rank is None or of_array is None or rank > of_array:
        return value
    plain: Any = _plain(value)
    if of_array == 1 and rank == 1:
        bounds = np.iinfo(array.dtype)
        if not bounds.min <= plain <= bounds.max:
            dtype = np.min_scalar_type(plain)
            signed = np.dtype(f"i{dtype.itemsize}")
            if array.dtype.kind == "i" and plain <= np.iinfo(signed).max:
                dtype = signed
            return np.asarray(plain, dtype)
    elif of_array >= 2 and abs(plain) > float(np.finfo(array.dtype).max) and np.isfinite(plain):
        return np.complex128(plain) if rank == 3 else np.float64(plain)
    return plain


def _arithmetic(operation: Operation) -> Operation:
    def apply(a: Any, b: Any) -> Any:
        if a.__class__ in _CONCERNED or b.__class__ in _CONCERNED:
            return _promoted(operation, a, b)
        return operation(a, b)

    return apply


def _in_place(operation: Operation, plain: Operation) -> Operation:
    """`a += b` and the like; what changes in place, as arrays and lists, keeps its type."""

    def apply(a: Any, b: Any) -> Any:
        if a.__class__ in _NARROW or (b.__class__ in _NARROW and a.__class__ in _WIDE):
            return _promoted(plain, a, b)
        return operation(a, b)

    return apply


def add(a: Any, b: Any) -> Any:
    """`a + b`."""
    # The four that are frequent are written out: a call less.
    if a.__class__ in _CONCERNED or b.__class__ in _CONCERNED:
        return _promoted(operator.add, a, b)
    return a + b


def sub(a: Any, b: Any) -> Any:
    """`a - b`."""
    if a.__class__ in _CONCERNED or b.__class__ in _CONCERNED:
        return _promoted(operator.sub, a, b)
    return a - b


def mul(a: Any, b: Any) -> Any:
    """`a * b`."""
    if a.__class__ in _CONCERNED or b.__class__ in _CONCERNED:
        return _promoted(operator.mul, a, b)
    return a * b


def truediv(a: Any, b: Any) -> Any:
    """`a / b`."""
    if a.__class__ in _CONCERNED or b.__class__ in _CONCERNED:
        return _promoted(operator.truediv, a, b)
    return a / b


floordiv, mod, pow = map(_arithmetic, (operator.floordiv, operator.mod, operator.pow))
lshift, rshift = _arithmetic(operator.lshift), _arithmetic(operator.rshift)
and_, or_, xor = map(_arithmetic, (operator.and_, operator.or_, operator.xor))

iadd, isub = _in_place(operator.iadd, operator.add), _in_place(operator.isub, operator.sub)
imul = _in_place(operator.imul, operator.mul)
itruediv = _in_place(operator.itruediv, operator.truediv)
ifloordiv = _in_place(operator.ifloordiv, operator.floordiv)
imod, ipow = _in_place(operator.imod, operator.mod), _in_place(operator.ipow, operator.pow)
ilshift = _in_place(operator.ilshift, operator.lshift)
irshift = _in_place(operator.irshift, operator.rshift)
iand, ior = _in_place(operator.iand, operator.and_), _in_place(operator.ior, operator.or_)
ixor = _in_place(operator.ixor, operator.xor)


def member(target: Any, name: str) -> tuple[Any, str, Any]:
    """What `augment_member` changes: `target.name` before the other operand is evaluated."""
    return target, name, getattr(target, name)


def augment_member(operation: Operation, place: tuple[Any, str, Any], value: Any) -> None:
    """`target.name += value`, with `iadd` or the like."""
    target, name, old = place
    setattr(target, name, operation(old, value))


def total(function: Callable[..., Any], values: Iterable[Any], *start: Any) -> Any:
    """`sum(values)`, where `function` is what the source calls `sum`."""
    if function is not builtins.sum or (start and isinstance(start[0], _TEXTS)):
        return function(values, *start)
    # An iterator may record operations: each value is added before the next one is made.
    if not isinstance(values, Iterator):
        values = list(values)
        if not any(value.__class__ in _APART for value in values):
            return builtins.sum(values, *start)
    result = start[0] if start else 0
    for value in values:
        result = add(result, value)
    return result


# Functions that gave floats of integers, by how many bytes these have.
ROUNDINGS = frozenset(("ceil", "floor", "trunc"))
_FLOATS: dict[int, type[np.floating]] = {1: np.float16, 2: np.float32}


def rounded(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`np.floor(…)` or another of ROUNDINGS."""
    result = function(*args, **kwargs)
    if isinstance(function, np.ufunc) and len(args) == 1 and not kwargs:
        dtype = getattr(result, "dtype", None)
        if isinstance(dtype, np.dtype) and dtype.kind in "biu":
            return result.astype(_FLOATS.get(dtype.itemsize, np.float64))
    return result
