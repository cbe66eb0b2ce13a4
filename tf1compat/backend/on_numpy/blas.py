"""Products of matrices by BLAS, on no more threads than pay.

OpenBLAS takes all cores from 2**18 multiplications on. What it then gains is less than what waiting
for a busy core costs it: on a loaded machine the products of small nets took ten times as long, and
those of large ones up to sixty times. So BLAS is given one core, and large products are cut.
"""

from __future__ import annotations

import ctypes
import itertools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

Array = Any

# Below, BLAS takes one thread by itself; from _LARGE multiplications on, all cores are worth it.
_SMALL, _LARGE = 1 << 18, 1 << 24


class _Threads:
    """While entered, by whatever thread, BLAS computes on one core."""

    def __init__(self) -> None:
        from numpy._core import _multiarray_umath as owner  # pyright: ignore

        self._lock = threading.Lock()
        self._entered = self._before = 0
        self._set = None
        library = ctypes.PyDLL(owner.__file__)
        for form in ("scipy_openblas_{}_num_threads64_", "openblas_{}_num_threads64_",
                     "scipy_openblas_{}_num_threads", "openblas_{}_num_threads"):  # fmt: skip
            if hasattr(library, form.format("set")):
                self._set = library[form.format("set")]
                self._get = library[form.format("get")]
                break

    def __enter__(self) -> None:
        if self._set is not None:
            with self._lock:
                if not self._entered:
                    self._before = self._get()
                    self._set(1)
                self._entered += 1

    def __exit__(self, *_: Any) -> None:
        if self._set is not None:
            with self._lock:
                self._entered -= 1
                if not self._entered:
                    self._set(self._before)


_one_thread = _Threads()


class _Helpers:
    """The threads that compute a part of a large product, one for every core but the caller's.

    OpenBLAS's own wait for each other without letting go of their cores.
    """

    def __init__(self) -> None:
        self._pool: ThreadPoolExecutor | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        """A forked process has no threads but one."""
        self._pool = None

    def submit(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Future[Any]:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(CORES, thread_name_prefix="tf1compat-blas")
        return self._pool.submit(function, *args, **kwargs)


CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
_helpers = _Helpers()


def matmul(x: Array, y: Array, out: Array | None = None) -> Array:
    """`np.matmul` of arrays of one dtype."""
    if x.ndim < 2 or y.ndim < 2:
        return np.matmul(x, y, out=out)
    size = x.shape[-2] * y.shape[-2] * y.shape[-1]
    if size <= _SMALL:
        return np.matmul(x, y, out=out)
    with _one_thread:
        if size < _LARGE or CORES == 1 or x.ndim > 2 or y.ndim > 2:
            return np.matmul(x, y, out=out)
        return _in_parts(x, y, out)


def _in_parts(x: Array, y: Array, out: Array | None) -> Array:
    """The product of two matrices, its longer side cut into a part for each core."""
    rows, columns = x.shape[0], y.shape[1]
    if out is None:
        out = np.empty((rows, columns), x.dtype)
    bounds = [max(rows, columns) * i // CORES for i in range(CORES + 1)]
    parts = [slice(*ends) for ends in itertools.pairwise(bounds)]
    if rows >= columns:
        works = [(x[part], y, out[part]) for part in parts]
    else:
        works = [(x, y[:, part], out[:, part]) for part in parts]
    helped = [_helpers.submit(np.matmul, a, b, out=c) for a, b, c in works[1:]]
    try:
        np.matmul(*works[0][:2], out=works[0][2])
    finally:
        for each in helped:
            each.result()
    return out
