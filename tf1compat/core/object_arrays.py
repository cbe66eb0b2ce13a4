"""NumPy arrays whose elements are symbolic tensors, as NumPy made of lists of them up to 1.18."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.tensor import Tensor


class _Element:
    """A tensor that NumPy does not ask for an array."""

    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor):
        self.tensor = tensor


def object_array(values: Any) -> np.ndarray | None:
    """The array of a list or tuple with symbolic tensors in it, each of which is one element.

    NumPy asks each object in a list for its array, and since 1.19 lets the object's refusal
    through.

    Returns:
      The array; None if there is no symbolic tensor in `values`, or it is no list.
    """
    if not isinstance(values, (list, tuple)) or not _holds_tensors(values):
        return None
    hidden = _hidden(values)
    try:
        made = np.array(hidden)
    except ValueError:  # Of uneven lengths.
        made = np.array(hidden, dtype=object)
    for index in np.ndindex(made.shape):
        made[index] = _shown(made[index])
    return made


def _is_symbolic(value: Any) -> bool:
    return isinstance(value, Tensor) and type(value).__array__ is Tensor.__array__


def _holds_tensors(values: Any) -> bool:
    if isinstance(values, (list, tuple)):
        return any(map(_holds_tensors, values))
    return _is_symbolic(values)


def _hidden(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        items = [_hidden(item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    return _Element(value) if _is_symbolic(value) else value


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        items = [_shown(item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    return value.tensor if isinstance(value, _Element) else value
