"""Tensors of several variants (lists, optionals): on the host, NumPy arrays of objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core import dtypes


def is_variant(op: Any) -> bool:
    """Whether an operation's T is variant."""
    return op._attrs["T"] is dtypes.variant


def has_variant_elements(op: Any) -> bool:
    """Whether an operation is one on lists of variants."""
    return op._attrs["element_dtype"] is dtypes.variant


def boxed(value: Any) -> np.ndarray:
    """A variant as an array: one that is no array yet as one without dimensions."""
    if isinstance(value, np.ndarray):
        return value
    box = np.empty((), object)
    box[()] = value
    return box


def vector(values: Any) -> np.ndarray:
    """Variants side by side."""
    made = np.empty(len(values), object)
    for i, value in enumerate(values):
        made[i] = value
    return made


def unboxed(value: np.ndarray) -> Any:
    """The list or optional itself, if that is all that there is in an array."""
    if value.ndim or value.dtype != object:
        return value
    item = value[()]
    return item if hasattr(item, "like_zeros") else value
