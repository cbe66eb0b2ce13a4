"""Reductions of windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.array import pad

Array = Any


def reduce(
    x: Any, init_value: Any, computation: Callable[[Any, Any], Any], dimensions: Sequence[int]
) -> Array:
    """What `computation` makes of `init_value` and the elements along some dimensions."""
    rows = np.moveaxis(x, dimensions, range(len(dimensions)))
    kept = rows.shape[len(dimensions) :]
    found = np.full(kept, init_value, x.dtype)
    for row in rows.reshape((-1, *kept)):
        found = computation(found, row)
    return np.asarray(found)


def reduce_window(
    x: Any,
    init_value: Any,
    computation: Callable[[Any, Any], Any],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
) -> Array:
    """What `computation` makes of each window's elements, of `init_value` where it has none.

    One dimension after the other, as every computation that kernels take is associative.
    """
    x = pad(x, init_value, [(low, high, 0) for low, high in padding])
    for axis, (window, stride) in enumerate(zip(window_dimensions, window_strides)):
        if window == 1 and stride == 1:
            continue
        count = max((x.shape[axis] - window) // stride + 1, 0)
        place: list[Any] = [slice(None)] * x.ndim
        found = None
        for k in range(window):
            place[axis] = slice(k, k + (count - 1) * stride + 1 if count else k, stride)
            part = x[tuple(place)]
            found = part if found is None else computation(found, part)
        x = found
    return np.asarray(x)
