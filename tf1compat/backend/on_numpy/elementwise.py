"""Functions of each element by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.promotion import (
    bfloat16,
    converted,
    inexact,
    promoted,
    result_type,
    wide,
)

Array = Any


def _of_reals(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function of real or complex numbers: integers are converted first."""

    def call(x: Any) -> Any:
        if type(x) is not np.ndarray:
            x = np.asarray(x)
        dtype = x.dtype
        if dtype.kind in "fc":
            return function(x)
        dtype = inexact(dtype)
        return function(x.astype(wide(dtype), copy=False)).astype(dtype, copy=False)

    call.__name__ = function.__name__
    return call


exp = _of_reals(np.exp)
exp2 = _of_reals(np.exp2)
expm1 = _of_reals(np.expm1)
log = _of_reals(np.log)
log1p = _of_reals(np.log1p)
sqrt = _of_reals(np.sqrt)
sin = _of_reals(np.sin)
cos = _of_reals(np.cos)
tan = _of_reals(np.tan)
arcsin = _of_reals(np.arcsin)
arccos = _of_reals(np.arccos)
arctan = _of_reals(np.arctan)
sinh = _of_reals(np.sinh)
cosh = _of_reals(np.cosh)
tanh = _of_reals(np.tanh)
arcsinh = _of_reals(np.arcsinh)
arccosh = _of_reals(np.arccosh)
arctanh = _of_reals(np.arctanh)


def _reciprocal(x: Array) -> Array:
    return x.dtype.type(1) / x


def _rsqrt(x: Array) -> Array:
    return x.dtype.type(1) / np.sqrt(x)


def _logistic(x: Array) -> Array:
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))


reciprocal = _of_reals(_reciprocal)
rsqrt = _of_reals(_rsqrt)
logistic = _of_reals(_logistic)


def rint(x: Any) -> Array:
    x = np.asarray(x)
    return np.rint(x.astype(np.float64) if x.dtype.kind in "iub" else x)


def _of_any(function: Callable[..., Any]) -> Callable[[Any], Any]:
    """A function whose result has its argument's dtype, or is a bool."""

    def call(x: Any) -> Any:
        return function(x if type(x) is np.ndarray else np.asarray(x))

    call.__name__ = function.__name__
    return call


absolute = _of_any(np.absolute)
negative = _of_any(np.negative)
sign = _of_any(np.sign)
floor = _of_any(np.floor)
ceil = _of_any(np.ceil)
trunc = _of_any(np.trunc)
conj = _of_any(np.conjugate)
isnan = _of_any(np.isnan)
isinf = _of_any(np.isinf)
isfinite = _of_any(np.isfinite)
logical_not = _of_any(np.logical_not)
bitwise_not = _of_any(np.invert)
real = _of_any(np.real)
imag = _of_any(np.imag)


def square(x: Any) -> Array:
    x = np.asarray(x)
    return np.square(x.astype(np.int32) if x.dtype == bool else x)


def round_(x: Any, decimals: int = 0) -> Array:
    """To the nearest, halves to the even one."""
    x = np.asarray(x)
    return np.rint(x) if decimals == 0 and x.dtype.kind not in "iu" else np.round(x, decimals)


def angle(x: Any) -> Array:
    x = np.asarray(x)
    return arctan2(x.imag, x.real)


def _of_two(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """A function of two numbers, which are promoted to one dtype."""

    def call(x: Any, y: Any) -> Any:
        if type(x) is not np.ndarray or type(y) is not np.ndarray or x.dtype is not y.dtype:
            x, y = promoted(x, y)
        return function(x, y)

    call.__name__ = function.__name__
    return call


add = _of_two(np.add)
subtract = _of_two(np.subtract)
multiply = _of_two(np.multiply)
maximum = _of_two(np.maximum)
minimum = _of_two(np.minimum)
equal = _of_two(np.equal)
not_equal = _of_two(np.not_equal)
less = _of_two(np.less)
less_equal = _of_two(np.less_equal)
greater = _of_two(np.greater)
greater_equal = _of_two(np.greater_equal)
logical_and = _of_two(np.logical_and)
logical_or = _of_two(np.logical_or)
bitwise_and = _of_two(np.bitwise_and)
bitwise_or = _of_two(np.bitwise_or)
bitwise_xor = _of_two(np.bitwise_xor)


def _of_two_reals(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def call(x: Any, y: Any) -> Any:
        if type(x) is np.ndarray and type(y) is np.ndarray and x.dtype is y.dtype:
            if x.dtype.kind in "fc":
                return function(x, y)
        x, y = promoted(x, y)
        dtype = inexact(x.dtype)
        narrow = x.astype(wide(dtype), copy=False), y.astype(wide(dtype), copy=False)
        return function(*narrow).astype(dtype, copy=False)

    call.__name__ = function.__name__
    return call


arctan2 = _of_two_reals(np.arctan2)


def true_divide(x: Any, y: Any) -> Array:
    if type(x) is np.ndarray and type(y) is np.ndarray and x.dtype is y.dtype:
        if x.dtype.kind in "fc":
            return np.true_divide(x, y)
    x, y = promoted(x, y)
    return np.true_divide(x, y, dtype=None if x.dtype == bfloat16 else _quotient(x, y))


def _quotient(x: Array, y: Array) -> np.dtype:
    return result_type(x, y) if x.dtype.kind in "fc" else inexact(x.dtype)


@_of_two
def nextafter(x: Array, y: Array) -> Array:
    return np.nextafter(x, y)


@_of_two
def div(x: Array, y: Array) -> Array:
    """The quotient, of integers towards zero; by zero it is -1 (all bits set)."""
    if x.dtype.kind not in "iu":
        return np.true_divide(x, y)
    quotient = np.floor_divide(x, y)
    if x.dtype.kind == "i":
        quotient = quotient + ((quotient < 0) & (quotient * y != x)).astype(x.dtype)
    return quotient if np.all(y) else np.where(y == 0, np.asarray(-1).astype(x.dtype), quotient)


@_of_two
def rem(x: Array, y: Array) -> Array:
    """The remainder, of the sign of `x`; by zero it is an integer `x` itself."""
    found = np.fmod(x, y)
    return found if x.dtype.kind not in "iu" or np.all(y) else np.where(y == 0, x, found)


@_of_two
def floor_divide(x: Array, y: Array) -> Array:
    if x.dtype.kind in "iu" and not np.all(y):
        # As XLA's division rounded down: -1, or -2 where the signs differ.
        quotient = div(x, y)
        differ = (np.sign(x) != np.sign(y)) & (rem(x, y) != 0)
        return np.where(y == 0, quotient - differ.astype(x.dtype), np.floor_divide(x, y))
    if x.dtype.kind in "iu":
        return np.floor_divide(x, y)
    # Of the exact remainder, as in Python: the quotient's own rounding may lie.
    return np.floor_divide(x, y)


@_of_two
def mod(x: Array, y: Array) -> Array:
    """The remainder, of the sign of `y`."""
    return np.remainder(x, y)


@_of_two
def power(x: Array, y: Array) -> Array:
    if x.dtype.kind == "i" and np.any(y < 0):
        # There is no such integer. What XLA's repeated squaring makes of the last six bits:
        y = np.where(y < 0, y & 63, y)
    return np.power(x, y)


def clip(x: Any, min: Any = None, max: Any = None) -> Array:
    """At least `min`, then at most `max`."""
    x = np.asarray(x)
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


def where(condition: Any, x: Any, y: Any) -> Array:
    kind = getattr(x, "dtype", None)
    if kind is None or kind is not getattr(y, "dtype", None):
        x, y = promoted(x, y)
    return np.where(condition, x, y)


def complex_(real: Any, imag: Any) -> Array:
    """The complex numbers of these parts."""
    real, imag = np.broadcast_arrays(*promoted(real, imag))
    made = np.empty(real.shape, np.result_type(real.dtype, np.complex64))
    made.real, made.imag = real, imag
    return made


def asarray(x: Any, dtype: Any = None) -> Array:
    if dtype is None:
        return x if type(x) is np.ndarray else np.asarray(x)
    return converted(x, dtype)
