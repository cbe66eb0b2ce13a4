"""Functions that NumPy and SciPy removed, as they were (see legacy.py)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

negative_infinity = -np.inf
negative_zero = -0.0
positive_zero = 0.0
sctypes = {
    "int": [np.int8, np.int16, np.int32, np.int64],
    "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
    "float": [np.float16, np.float32, np.float64, np.longdouble],
    "complex": [np.complex64, np.complex128, np.clongdouble],
    "others": [bool, object, bytes, str, np.void],
}


def alen(a: Any) -> int:
    """`np.alen`: the length of the first dimension, 1 for a scalar."""
    return len(np.atleast_1d(a))


def asfarray(a: Any, dtype: Any = np.float64) -> np.ndarray:
    """`np.asfarray`: an array of a floating dtype."""
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


def asscalar(a: Any) -> Any:
    """`np.asscalar`: the one element of an array as a Python scalar."""
    return a.item()


def copy_and_transpose(a: Any) -> np.ndarray:
    """`np.fastCopyAndTranspose`."""
    return np.asarray(a).T.copy()


def find_common_type(array_types: Sequence[Any], scalar_types: Sequence[Any]) -> Any:
    """`np.find_common_type`: arrays decide, unless a scalar is of a higher kind."""
    arrays = np.result_type(*array_types) if array_types else None
    scalars = np.result_type(*scalar_types) if scalar_types else None
    if arrays is None or scalars is None:
        return arrays if scalars is None else scalars
    kinds = "buifc"
    return scalars if kinds.find(scalars.kind) > kinds.find(arrays.kind) else arrays


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> np.ndarray:
    """`np.in1d`: for each element of the flattened `ar1`, whether `ar2` has it."""
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert)


def msort(a: Any) -> np.ndarray:
    """`np.msort`: sorted along the first axis."""
    return np.sort(a, axis=0)


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """`np.obj2sctype`: the scalar type of an object."""
    try:
        return np.dtype(rep).type
    except TypeError:
        return np.asarray(rep).dtype.type if hasattr(rep, "dtype") else default


def random_integers(low: int, high: int | None = None, size: Any = None) -> Any:
    """`np.random.random_integers`: as `randint`, both ends included."""
    low, high = (1, low) if high is None else (low, high)
    return np.random.randint(low, int(high) + 1, size)


def derivative(
    func: Callable[..., Any],
    x0: float,
    dx: float = 1.0,
    n: int = 1,
    args: tuple[Any, ...] = (),
    order: int = 3,
) -> Any:
    """`scipy.misc.derivative`: the n-th derivative by central differences over `order` points."""
    if order < n + 1 or order % 2 == 0:
        raise ValueError("'order' (the number of points used) must be odd and at least n + 1.")
    offsets = np.arange(order) - order // 2
    # Weights that are exact for polynomials up to the number of points.
    powers = np.vander(offsets.astype(float), increasing=True).T
    target = np.zeros(order)
    target[n] = float(np.prod(np.arange(1, n + 1)))
    weights = np.linalg.solve(powers, target)
    values = [weight * func(x0 + k * dx, *args) for weight, k in zip(weights, offsets)]
    return sum(values) / dx**n


class _ByType(dict[Any, Any]):
    """NumPy 1's tables of types: `np.cast["float32"]`, whatever stands for the type."""

    def __missing__(self, key: Any) -> Any:
        found = obj2sctype(key)
        if found not in self:
            raise KeyError(found)
        return self[found]


cast, nbytes = _ByType(), _ByType()
for _dtype in map(np.dtype, np.typecodes["All"]):
    cast[_dtype.type] = functools.partial(np.array, dtype=_dtype)
    nbytes[_dtype.type] = _dtype.itemsize


def deprecate(*args: Any, **kwargs: Any) -> Any:
    """`np.deprecate`: a decorator, with or without arguments; it changes nothing."""
    return args[0] if args and callable(args[0]) else lambda function: function


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """`np.disp`."""
    print(mesg, end="\n" if linefeed else "", file=device)


def inner1d(a: Any, b: Any) -> Any:
    """`numpy.core.umath_tests.inner1d`: products summed over the last axis."""
    return np.einsum("...i,...i->...", a, b)


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """`np.issubclass_`: False where `issubclass` raises."""
    return isinstance(arg1, type) and issubclass(arg1, arg2)


def issctype(rep: Any) -> bool:
    """`np.issctype`: whether it stands for a scalar type."""
    return isinstance(rep, (type, np.dtype)) and obj2sctype(rep) not in (None, np.object_)


def MachAr(*args: Any, **kwargs: Any) -> Any:  # noqa: N802 - NumPy's name
    """`np.MachAr`: what is known of Python's floats (`eps`, `tiny`, …)."""
    return np.finfo(float)


def maximum_sctype(t: Any) -> Any:
    """`np.maximum_sctype`: the widest type of its kind."""
    kinds = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
    kind = kinds.get(np.dtype(t).kind)
    return sctypes[kind][-1] if kind else np.dtype(t).type


def recfromtxt(fname: Any, **kwargs: Any) -> Any:
    """`np.recfromtxt`."""
    kwargs.setdefault("dtype", None)
    return np.genfromtxt(fname, **kwargs).view(np.recarray)


def recfromcsv(fname: Any, **kwargs: Any) -> Any:
    """`np.recfromcsv`."""
    defaults = {"case_sensitive": "lower", "names": True, "delimiter": ",", "dtype": None}
    return np.genfromtxt(fname, **{**defaults, **kwargs}).view(np.recarray)


def sctype2char(sctype: Any) -> str:
    """`np.sctype2char`."""
    return np.dtype(sctype).char


def set_string_function(f: Any, repr: bool = True) -> None:
    """`np.set_string_function`."""
    np.set_printoptions(override_repr=f if repr else None)


def source(object: Any, output: Any = None) -> None:
    """`np.source`: prints an object's source code."""
    print(inspect.getsource(object), file=output)


def trapz(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Any:
    """`np.trapz`."""
    return np.trapezoid(y, x, dx, axis)
