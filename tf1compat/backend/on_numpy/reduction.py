"""Reductions, running reductions, sorting and searching."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.promotion import converted, inexact, promoted, wide

Array = Any


def _axes(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list | range) else axis


def _accumulating(ufunc: np.ufunc) -> Callable[..., Any]:
    """A reduction that adds or multiplies: small integers become 64 bits wide, half floats are
    summed as float32."""

    def call(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
        x = np.asarray(x)
        if dtype is None:
            dtype = x.dtype
            if dtype.kind in "biu":
                dtype = np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
        else:
            dtype = np.dtype(dtype)
        if x.dtype.kind == "f" and dtype.kind in "iu":
            x = converted(x, dtype)
        terms = x.astype(wide(x.dtype), copy=False)
        found = ufunc.reduce(terms, _axes(axis), wide(dtype), keepdims=keepdims)
        return found.astype(dtype, copy=False)

    call.__name__ = ufunc.__name__
    return call


sum_ = _accumulating(np.add)
prod = _accumulating(np.multiply)


def mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    x = np.asarray(x)
    dtype = inexact(x.dtype) if dtype is None else np.dtype(dtype)
    total = np.add.reduce(x.astype(wide(dtype), copy=False), _axes(axis), keepdims=keepdims)
    count = x.size // total.size if total.size else np.prod(np.shape(x), dtype=int)
    return (total / np.asarray(count, wide(dtype))).astype(dtype, copy=False)


def _extreme(ufunc: np.ufunc) -> Callable[..., Any]:
    def call(x: Any, axis: Any = None, keepdims: bool = False, initial: Any = None) -> Any:
        x = np.asarray(x)
        if initial is None:
            return ufunc.reduce(x, _axes(axis), keepdims=keepdims)
        initial = np.asarray(initial).astype(x.dtype)
        return ufunc.reduce(x, _axes(axis), keepdims=keepdims, initial=initial)

    call.__name__ = ufunc.__name__
    return call


max_ = _extreme(np.maximum)
min_ = _extreme(np.minimum)


def all_(x: Any, axis: Any = None, keepdims: bool = False) -> Array:
    return np.logical_and.reduce(np.asarray(x), _axes(axis), keepdims=keepdims)


def any_(x: Any, axis: Any = None, keepdims: bool = False) -> Array:
    return np.logical_or.reduce(np.asarray(x), _axes(axis), keepdims=keepdims)


def argmax(x: Any, axis: Any = None, keepdims: bool = False) -> Array:
    """The first of the largest; a NaN is larger than all."""
    return np.asarray(np.argmax(np.asarray(x), axis, keepdims=keepdims))


def argmin(x: Any, axis: Any = None, keepdims: bool = False) -> Array:
    """The first of the smallest; a NaN is smaller than all."""
    return np.asarray(np.argmin(np.asarray(x), axis, keepdims=keepdims))


def argmax_of_dtype(x: Any, axis: int, index_dtype: Any) -> Array:
    return np.asarray(np.argmax(x, axis)).astype(index_dtype)


def _running(ufunc: np.ufunc) -> Callable[..., Any]:
    def call(x: Any, axis: Any = None, dtype: Any = None) -> Any:
        x = np.asarray(x)
        if dtype is None:
            dtype = np.dtype(np.int64) if x.dtype == bool else x.dtype
        if axis is None:
            x, axis = x.reshape(-1), 0
        dtype = np.dtype(dtype)
        found = ufunc.accumulate(x.astype(wide(x.dtype), copy=False), axis, wide(dtype))
        return found.astype(dtype, copy=False)

    call.__name__ = ufunc.__name__
    return call


cumsum = _running(np.add)
cumprod = _running(np.multiply)


def _running_extreme(ufunc: np.ufunc) -> Callable[..., Any]:
    def call(x: Any, axis: int = 0, reverse: bool = False) -> Any:
        if reverse:
            return np.flip(ufunc.accumulate(np.flip(x, axis), axis), axis)
        return ufunc.accumulate(x, axis)

    call.__name__ = ufunc.__name__
    return call


cummax = _running_extreme(np.maximum)
cummin = _running_extreme(np.minimum)
_log_add_up = _running_extreme(np.logaddexp)


def cumlogsumexp(x: Any, axis: int = 0, reverse: bool = False) -> Array:
    return _log_add_up(x.astype(wide(x.dtype), copy=False), axis, reverse).astype(x.dtype)


# Order. Every sort is stable; NaNs are largest.


def sort(x: Any, axis: int = -1) -> Array:
    return np.sort(np.asarray(x), axis, kind="stable")


def argsort(x: Any, axis: int = -1, stable: bool = True) -> Array:
    return np.argsort(np.asarray(x), axis, kind="stable")


def lexsort(keys: Any, axis: int = -1) -> Array:
    return np.lexsort(keys, axis)


# Where the rows begin is kept for arrays of fewer elements.
_SMALL = 4096
# Of rows longer than this, those elements alone are sorted that may be among the largest.
_LONG_ROW = 256


def top_k(x: Any, k: int) -> list[Array]:
    """The `k` largest of each row, the first of equal ones first; and where they were."""
    x = np.asarray(x)
    if k == 1 and x.size:
        index = np.argmax(x, -1, keepdims=True)
    elif x.shape[-1] > _LONG_ROW and 0 < k < x.shape[-1] // 4:
        index = np.empty((*x.shape[:-1], k), np.intp)
        least = np.partition(x, -k, -1)[..., -k]
        for row in np.ndindex(*x.shape[:-1]):
            chosen = np.flatnonzero(~(x[row] < least[row]))
            index[row] = chosen[_descending(x[row][chosen], k)]
    else:
        index = _descending(x, k)
    return [_along_rows(x, index), index.astype(np.int32)]


def _along_rows(x: Array, index: Array) -> Array:
    """`np.take_along_axis(x, index, -1)`, in fewer calls."""
    if x.ndim == 1:
        return x.take(index)
    starts = _starts(x.shape) if x.size < _SMALL else _starts.__wrapped__(x.shape)
    return x.reshape(-1).take(index + starts)


@functools.lru_cache(64)
def _starts(shape: tuple[int, ...]) -> Array:
    """Where the rows of an array begin: [*rows, 1]."""
    return (np.arange(math.prod(shape[:-1])) * shape[-1]).reshape(*shape[:-1], 1)


def _descending(x: Array, k: int) -> Array:
    """The first `k` of the order of each row from its largest on, of equal ones the first first."""
    backwards = x[..., ::-1].argsort(-1, kind="stable")[..., ::-1]
    return x.shape[-1] - 1 - backwards[..., :k]


def searchsorted(a: Any, v: Any, side: Any = "left", method: str = "scan") -> Array:
    """`method` says how XLA is to search."""
    a, v = promoted(a, v)
    return np.asarray(np.searchsorted(a, v, side)).astype(np.int32)


def unravel_index(indices: Any, shape: Sequence[int]) -> tuple[Array, ...]:
    dtype = np.asarray(indices).dtype
    return tuple([part.astype(dtype) for part in np.unravel_index(indices, shape)])
