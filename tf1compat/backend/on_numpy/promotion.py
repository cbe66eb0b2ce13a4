"""Which dtype a result has: JAX's rules with 64-bit types enabled, Python's scalars weak."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy
import ml_dtypes
import numpy as np

bfloat16 = np.dtype(ml_dtypes.bfloat16)
_HALVES = (np.dtype(np.float16), bfloat16)


def kind(x: Any) -> Any:
    """What decides about `x` in a promotion: its dtype, or the Python type of a scalar."""
    dtype = getattr(x, "dtype", None)
    if dtype is not None:
        return dtype
    return type(x) if isinstance(x, bool | int | float | complex) else np.asarray(x).dtype


@functools.cache
def _result_type(kinds: tuple[Any, ...]) -> np.dtype:
    with jax.enable_x64(True):
        return jax.numpy.result_type(*[k if isinstance(k, np.dtype) else k(0) for k in kinds])


def result_type(*values: Any) -> np.dtype:
    """The dtype of what is computed from `values`."""
    return _result_type(tuple([kind(value) for value in values]))


def promoted(*values: Any) -> list[np.ndarray]:
    """The values as arrays of one dtype."""
    first = getattr(values[0], "dtype", None) if values else None
    for value in values:
        if value.__class__ is not np.ndarray or value.dtype is not first:
            break
    else:
        return [*values]
    dtype = result_type(*values)
    return [np.asarray(value).astype(dtype, copy=False) for value in values]


@functools.cache
def inexact(dtype: np.dtype) -> np.dtype:
    """The dtype of a function of real numbers, for an argument of `dtype`."""
    with jax.enable_x64(True):
        return jax.eval_shape(jax.numpy.exp, jax.ShapeDtypeStruct((), dtype)).dtype


def wide(dtype: np.dtype) -> np.dtype:
    """The dtype to compute in, where that of the result is too narrow to sum or multiply in."""
    return np.dtype(np.float32) if dtype in _HALVES else dtype


def converted(x: Any, dtype: Any) -> np.ndarray:
    """`x` as an array of `dtype`. A number too large for an integer dtype becomes its largest, NaN
    becomes 0."""
    x, dtype = np.asarray(x), np.dtype(dtype)
    if x.dtype == dtype:
        return x
    if dtype.kind not in "iu" or x.dtype.kind in "iub":
        return x.astype(dtype)
    if x.dtype.kind == "c":
        x = x.real
    if x.dtype in _HALVES:
        x = x.astype(np.float32)
    info = np.iinfo(dtype)
    # As floats the ends may be rounded outwards: then what equals them is out of range too.
    below, above = x <= float(info.min), x >= float(info.max)
    inside = np.where(below | above | np.isnan(x), 0, x).astype(dtype)
    return np.where(below, dtype.type(info.min), np.where(above, dtype.type(info.max), inside))
