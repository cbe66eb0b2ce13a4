"""Products of matrices by BLAS, on no more threads than pay.

OpenBLAS takes all cores from 2**18 multiplications on. What it then gains is less than what waiting
for a busy core costs it: on a loaded machine the products of small nets took ten times as long.
"""

from __future__ import annotations

import ctypes
import threading
from typing import Any

import numpy as np

Array = Any

# Below, BLAS takes one thread by itself; from _LARGE multiplications on, all cores are worth it.
_SMALL, _LARGE = 1 << 18, 1 << 25


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


def matmul(x: Array, y: Array, out: Array | None = None) -> Array:
    """`np.matmul` of arrays of one dtype."""
    if x.ndim > 1 and y.ndim > 1:
        if _SMALL < x.shape[-2] * y.shape[-2] * y.shape[-1] < _LARGE:
            with _one_thread:
                return np.matmul(x, y, out=out)
    return np.matmul(x, y, out=out)
