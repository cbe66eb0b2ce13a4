"""Functions that Python, NumPy and SciPy removed, as they were (see legacy.py)."""

from __future__ import annotations

import collections
import html
import importlib.util
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

ArgSpec = collections.namedtuple("ArgSpec", ["args", "varargs", "keywords", "defaults"])  # noqa: PYI024

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


def getargspec(func: Callable[..., Any]) -> ArgSpec:
    """`inspect.getargspec`.

    Raises:
      ValueError: the function has keyword-only parameters or annotations.
    """
    full = inspect.getfullargspec(func)
    if full.kwonlyargs or full.annotations:
        raise ValueError(
            "Function has keyword-only parameters or annotations"
            ", use inspect.signature() API which can support them"
        )
    return ArgSpec(full.args, full.varargs, full.varkw, full.defaults)


def unescape(self: Any, s: str) -> str:
    """`HTMLParser.unescape`."""
    return html.unescape(s)


def linux_distribution(*args: Any, **kwargs: Any) -> tuple[str, str, str]:
    """`platform.linux_distribution`, where it knew nothing."""
    return "", "", ""


def join(words: Iterable[str], sep: str = " ") -> str:
    """Python 2's `string.join`."""
    return sep.join(words)


def load_source(name: str, pathname: str, file: Any = None) -> types.ModuleType:
    """`imp.load_source`: imports a source file under a name."""
    spec = importlib.util.spec_from_file_location(name, pathname)
    if spec is None or spec.loader is None:
        raise ImportError(f"{pathname} is not a Python source file", name=name, path=pathname)
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def find_common_type(array_types: Sequence[Any], scalar_types: Sequence[Any]) -> np.dtype:
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
