"""TensorArrays whose elements have different shapes: each element is a value of its own."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.kernels.common import known

Array = Any


@jax.tree_util.register_pytree_node_class
class TensorArrayPieces:
    """The value of a flow tensor, where the elements differ in shape. Indices have to be known.

    Args:
      owner: the name of the handle that it belongs to.
      pieces: the elements; None for those that are neither written nor known to be zeros.
      accumulates: whether writes are added up.
      marks: which of them were written.
    """

    dtype = np.dtype(np.float32)
    __array_ufunc__ = None
    # What is common to all elements.
    elements = None
    element_shape = None
    length = None

    def __init__(self, owner: str, pieces: tuple[Any, ...], accumulates: bool, marks: Any):
        self.owner = owner
        self.pieces = pieces
        self.accumulates = accumulates
        self._marks = tuple(bool(mark) for mark in marks)

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        return (self.pieces,), (self.owner, self.accumulates, self._marks)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> TensorArrayPieces:
        """See `tree_flatten`."""
        owner, accumulates, marks = static
        return cls(owner, leaves[0], accumulates, marks)

    def _with(self, pieces: Any, marks: Any = None) -> TensorArrayPieces:
        marks = self._marks if marks is None else marks
        return TensorArrayPieces(self.owner, tuple(pieces), self.accumulates, marks)

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.pieces)

    @property
    def written(self) -> Any:
        """Which elements were written; None in an array of gradients."""
        return None if self.accumulates else np.array(self._marks, np.bool_)

    def shapes(self) -> tuple[Any, ...]:
        """The shapes of the elements."""
        return tuple(None if piece is None else np.shape(piece) for piece in self.pieces)

    def outline(self) -> TensorArrayPieces:
        """What a gradient asks of this array: the shapes of its elements."""
        return self

    def allocated(self, element_shape: Any, dtype: Any) -> TensorArrayPieces:
        """This array: nothing is common to its elements."""
        return self

    def listed(self) -> TensorArrayPieces:
        """This array."""
        return self

    def grown(self, size: int) -> TensorArrayPieces:
        """This array with room for at least `size` elements."""
        more = max(size - self.size, 0)
        return self._with((*self.pieces, *[None] * more), (*self._marks, *[False] * more))

    def in_loop(self, after: Any, turns: Any) -> None:
        """No loop can carry it."""
        return None

    def with_element(self, index: Array, value: Array) -> TensorArrayPieces:
        """This array with `value` at `index`; in an array of gradients, added to what is there."""
        return self.with_pieces(int(self._known(index)), [value])

    def with_elements(self, indices: Array, values: Array) -> TensorArrayPieces:
        """As `with_element`, for the parts of `values` along its first dimension."""
        found = self
        for index, value in zip(self._known(indices), values, strict=True):
            found = found.with_pieces(int(index), [value])
        return found

    def with_pieces(self, first: int, values: list[Any]) -> TensorArrayPieces:
        """As `with_element`, for values at consecutive indices."""
        pieces, marks = list(self.pieces), list(self._marks)
        for i, value in enumerate(values, first):
            before = pieces[i]
            added = self.accumulates and before is not None
            pieces[i] = before + value if added else value
            marks[i] = True
        return self._with(pieces, marks)

    def element(self, index: Array) -> Array:
        """The element at `index`, which is there."""
        return self.pieces[int(self._known(index))]

    def elements_at(self, indices: Array) -> Array:
        """The elements at `indices`, stacked."""
        return jnp.stack([jnp.asarray(self.pieces[int(i)]) for i in self._known(indices)])

    def _known(self, indices: Array) -> Any:
        if not known(indices):
            raise NotImplementedError(
                f"TensorArray '{self.owner}' has elements of different shapes, and is used with an "
                "index that only the run knows: not supported by tf1compat yet"
            )
        return indices

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
