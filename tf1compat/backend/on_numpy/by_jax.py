"""Functions that NumPy lacks, and that programs seldom call: JAX's own, on the CPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

Array = Any


@functools.cache
def _cpu() -> Any:
    return jax.devices("cpu")[0]


def by_jax(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of NumPy arrays: called as it is, its results as NumPy arrays.

    Args:
      function: a function of JAX's.

    Returns:
      The same function; arrays in its results are NumPy arrays.
    """

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        with jax.enable_x64(True), jax.default_device(_cpu()):
            return jax.tree.map(np.asarray, function(*args, **keywords))

    return call


def elementwise_by_jax(function: Callable[..., Any]) -> Callable[..., Array]:
    """`by_jax` for a function of each element by itself: all sizes up to a power of two are one to
    XLA, which compiles for each size."""
    compiled = jax.jit(function)

    @functools.wraps(function)
    def call(*args: Any) -> Array:
        arrays = np.broadcast_arrays(*args)
        shape, size = arrays[0].shape, arrays[0].size
        room = 1 << (max(size, 8) - 1).bit_length()
        rows = []
        for array in arrays:
            row = np.ones(room, array.dtype)
            row[:size] = array.reshape(-1)
            rows.append(row)
        with jax.enable_x64(True), jax.default_device(_cpu()):
            return np.array(compiled(*rows))[:size].reshape(shape)

    return call
