"""TensorArrays with every element as a value of its own: where elements differ in shape, and on the
host.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import jax, jnp
from tf1compat.kernels.framework.common import known

Array = Any


@jax.tree_util.register_pytree_node_class
class TensorArrayPieces:
    """The value of a flow tensor, element by element. Indices have to be known.

    Args:
      owner: the name of the handle that it belongs to.
      pieces: the elements; None for those that were not written.
      accumulates: whether writes are added up.
      marks: which of them were written.
      elements: (shape, dtype) of all elements, where they are known to be alike.
    """

    dtype = np.dtype(np.float32)
    __array_ufunc__ = None
    length = None

    def __init__(
        self,
        owner: str,
        pieces: tuple[Any, ...],
        accumulates: bool,
        marks: Any,
        elements: Any = None,
    ):
        self.owner = owner
        self.pieces = pieces
        self.accumulates = accumulates
        self.elements = elements
        self._marks = tuple(bool(mark) for mark in marks)

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        return (self.pieces,), (self.owner, self.accumulates, self._marks, self.elements)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> TensorArrayPieces:
        """See `tree_flatten`."""
        owner, accumulates, marks, elements = static
        return cls(owner, leaves[0], accumulates, marks, elements)

    def _with(self, pieces: Any, marks: Any = None) -> TensorArrayPieces:
        marks = self._marks if marks is None else marks
        return TensorArrayPieces(self.owner, tuple(pieces), self.accumulates, marks, self.elements)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.pieces)

    count = size

    @property
    def element_shape(self) -> Any:
        """The shape of the elements, where they are known to be alike."""
        return None if self.elements is None else self.elements[0]

    @property
    def written(self) -> Any:
        """Which elements were written; None in an array of gradients."""
        return None if self.accumulates else np.array(self._marks, np.bool_)

    def shapes(self) -> tuple[Any, ...]:
        """The shapes of the elements."""
        return tuple(self.shape_of(i) for i in range(self.size))

    def shape_of(self, index: int) -> Any:
        """The shape of an element; None where it isn't known."""
        piece = self.pieces[index]
        return self.element_shape if piece is None else np.shape(piece)

    def outline(self) -> TensorArrayPieces:
        """What a gradient asks of this array: the shapes of its elements."""
        return self

    def allocated(self, element_shape: Any, dtype: Any) -> TensorArrayPieces:
        """This array, with elements of this shape if none is known yet."""
        if self.elements is not None:
            return self
        elements = (tuple(element_shape), dtype)
        return TensorArrayPieces(self.owner, self.pieces, self.accumulates, self._marks, elements)

    def listed(self) -> TensorArrayPieces:
        """This array."""
        return self

    def grown(self, size: int) -> TensorArrayPieces:
        """This array with room for at least `size` elements."""
        more = max(size - self.size, 0)
        return self._with((*self.pieces, *[None] * more), (*self._marks, *[False] * more))

    def in_loop(self, after: Any, iterations: Any) -> None:
        """No loop can carry it."""
        return None

    def with_pieces(self, indices: Sequence[int], values: Sequence[Any]) -> TensorArrayPieces:
        """This array with values at indices; in an array of gradients, added to what is there."""
        pieces, marks = list(self.pieces), list(self._marks)
        for i, value in zip(indices, values, strict=True):
            before = pieces[i]
            added = self.accumulates and before is not None
            pieces[i] = before + value if added else value
            marks[i] = True
        return self._with(pieces, marks)

    def element(self, index: int) -> Array:
        """The element at `index`, whose shape is known."""
        piece = self.pieces[index]
        return np.zeros(*self.elements) if piece is None else piece

    def stacked(self, indices: Sequence[int]) -> Array:
        """The elements at `indices`, which are alike, stacked."""
        return joined([self.element(int(i)) for i in indices], np.stack, jnp.stack)

    def __add__(self, other: Any) -> Any:
        """The sum of two flows, as gradients are summed; what is no array counts as zeros."""
        if not hasattr(other, "listed"):
            return self
        pieces = list(self.pieces)
        for i, more in enumerate(other.listed().pieces):
            before = pieces[i]
            pieces[i] = more if before is None else before if more is None else before + more
        return self._with(pieces)

    __radd__ = __add__


def joined(parts: Sequence[Array], in_numpy: Any, in_jax: Any) -> Array:
    """`parts` put together, in NumPy where all of them are at hand."""
    if all(known(part) for part in parts):
        return in_numpy(parts)
    return in_jax([jnp.asarray(part) for part in parts])


def parts_of(value: Array) -> list[Array]:
    """The parts of `value` along its first dimension, each an array."""
    if known(value):
        return [value[i : i + 1].reshape(value.shape[1:]) for i in range(len(value))]
    return list(value)
