"""Small NumPy values that many operations share."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


def shared(value: np.ndarray) -> np.ndarray:
    """`value`, which nobody changes from now on."""
    value.flags.writeable = False
    return value


@functools.lru_cache(4096)
def vector(elements: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A vector of integers: one array for all who ask for it."""
    return shared(np.array(elements, dtype))
