"""Functions that NumPy and SciPy removed, as they were (see legacy.py)."""

from __future__ import annotations

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
