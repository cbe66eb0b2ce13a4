"""What a TensorArray is while a program is traced: a handle that says what it is, and flows that
carry its elements.

TF's flow is a dummy that only orders what is done with a mutable array.  Here the array is the
flow's value: every change makes a new one, as JAX's arrays can't be changed.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from tf1compat.backend import Tracer, at, jax, jnp, lax
from tf1compat.core import dtypes, shapes
from tf1compat.kernels.control_flow.tensor_array_pieces import TensorArrayPieces, parts_of
from tf1compat.kernels.framework.common import jnp_dtype, known

Array = Any

# Elements of these dtypes never leave the host.
HOST_DTYPES = (dtypes.string, dtypes.variant)


@dataclasses.dataclass(frozen=True)
class TensorArrayHandle:
    """The value of a handle tensor: what is known of an array before anything is written.

    Attributes:
      name: the array's own name, as errors quote it; a gradient array's ends in "@" and its source.
      dtype: the dtype of the elements.
      size: the number of elements to begin with.
      element_shape: what is known of their shape.
      identical: whether all elements have one shape.
      dynamic: whether writing beyond the end makes the array larger.
      clears: whether an element can be read only once.
      accumulates: whether writes are added up, as in an array of gradients.
      bound: whether `size` is only the most that there can be, in an array of gradients.
      shapes: the shapes of the elements of an array of gradients, where they differ.
    """

    name: str
    dtype: Any
    size: int
    element_shape: Any
    identical: bool
    dynamic: bool
    clears: bool = False
    accumulates: bool = False
    bound: bool = False
    shapes: tuple[Any, ...] | None = None

    def empty(self) -> TensorArrayValue | TensorArrayPieces:
        """The array before anything is written; its elements are zeros."""
        if self.shapes is not None:
            zeros = [None if s is None else np.zeros(s, jnp_dtype(self.dtype)) for s in self.shapes]
            return TensorArrayPieces(self.name, tuple(zeros), True, [False] * len(zeros))
        elements = None
        if shapes.is_fully_known(self.element_shape):
            elements = (self.element_shape, self.numpy_dtype)
        if self.on_host:
            none = (None,) * self.size
            return TensorArrayPieces(self.name, none, False, [False] * self.size, elements)
        written = None if self.accumulates else np.zeros(self.size, np.bool_)
        return TensorArrayValue(self.name, self.size, elements, None, written)

    @property
    def on_host(self) -> bool:
        """Whether the elements never leave the host."""
        return self.dtype in HOST_DTYPES

    @property
    def numpy_dtype(self) -> Any:
        """The dtype of the elements in NumPy."""
        return np.dtype(object) if self.on_host else jnp_dtype(self.dtype)

    def gradient(self, source: str, flow: Any) -> TensorArrayHandle:
        """The handle of the array of gradients, at the time of `flow`."""
        of_elements, size, differing = self.element_shape, self.size, None
        if isinstance(flow, TensorArrayPieces):
            size, differing = flow.size, flow.shapes()
        elif isinstance(flow, TensorArrayValue):
            size = flow.size
            if flow.elements is not None:
                of_elements = flow.element_shape
        return dataclasses.replace(
            self,
            name=f"{self.name}@{source}",
            size=size,
            element_shape=of_elements,
            dynamic=False,
            clears=False,
            accumulates=True,
            bound=isinstance(flow, TensorArrayValue) and flow.length is not None,
            shapes=differing,
        )


@jax.tree_util.register_pytree_node_class
class TensorArrayValue:
    """The value of a flow tensor: the elements of the array.

    Args:
      owner: the name of the handle that it belongs to.
      size: the number of elements.
      elements: (shape, dtype) of the elements; None while they are not known.
      buffer: the elements, [size, *element shape]; None while all are zeros.
      written: which of them were written, bool [size]; None in an array of gradients.
      length: how many elements there are, where only the run knows; there are at most `size`.
      pending: (indices, values)s to be added to the elements, in an array of gradients without a
        buffer. A loop that adds up what its iterations add to such an array then touches only that.
    """

    # What TF says of the flow itself, and gives for it.
    dtype = np.dtype(np.float32)
    fetched = np.float32(0.0)
    # NumPy leaves an addition to `__radd__`.
    __array_ufunc__ = None

    def __init__(
        self,
        owner: str,
        size: int,
        elements: Any,
        buffer: Any,
        written: Any,
        length: Any = None,
        pending: tuple[Any, ...] = (),
    ):
        self.owner = owner
        self.size = size
        self.elements = elements
        self._buffer = buffer
        self.written = written
        self.length = length
        self._pending = pending

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        leaves = (self._buffer, self.written, self.length, self._pending)
        return leaves, (self.owner, self.size, self.elements)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> TensorArrayValue:
        """See `tree_flatten`."""
        return cls(*static, *leaves)

    def _with(self, buffer: Any, written: Any, pending: tuple[Any, ...] = ()) -> TensorArrayValue:
        return TensorArrayValue(
            self.owner, self.size, self.elements, buffer, written, self.length, pending
        )

    @property
    def parts(self) -> tuple[Any, Any, Any]:
        """What a program leaves of this array: its elements, None if nothing was done with them;
        which were written, and how many there are, None where that is all."""
        touched = self._buffer is not None or bool(self._pending)
        return (self.buffer if touched else None), self.written, self.length

    @property
    def element_shape(self) -> Any:
        """The shape of the elements; None where it isn't known."""
        return None if self.elements is None else self.elements[0]

    @property
    def buffer(self) -> Any:
        """All elements, stacked: [size, *element shape]. Their shape is known."""
        if self._buffer is None:
            shape, dtype = self.elements
            buffer = jnp.zeros((self.size, *shape), dtype)
            for indices, values in self._pending:
                buffer = _plus_at(buffer, indices, values)
            return buffer
        return self._buffer

    def allocated(self, element_shape: Any, dtype: Any) -> TensorArrayValue:
        """This array, with elements of this shape if none is known yet."""
        if self.elements is not None:
            return self
        elements = (tuple(element_shape), dtype)
        return TensorArrayValue(self.owner, self.size, elements, None, self.written, self.length)

    def outline(self) -> TensorArrayValue:
        """What a gradient asks of this array: its size, and the shape of its elements."""
        return self._with(None, None)

    def in_loop(self, after: Any, iterations: Any) -> Any:
        """This array in the form in which a loop carries it.

        Args:
          after: the array after one iteration, with `jax.ShapeDtypeStruct`s for its parts.
          iterations: not used.
        """
        if not isinstance(after, TensorArrayValue):
            return self
        if after.length is not None:
            return self._reaching(after.size, after.elements)
        full = self if self.elements is not None else after._with(None, self.written)
        if after._buffer is None and self._buffer is None and not (after._pending or self._pending):
            return full
        written = full.written if full.written is None else jnp.asarray(full.written)
        return full._with(jnp.asarray(full.buffer), written)

    def _reaching(self, size: int, elements: Any) -> TensorArrayValue:
        """This array with room for `size` elements, and a length that only the run knows."""
        array = self.grown(size)
        array = array if elements is None else array.allocated(*elements)
        buffer = None if array.elements is None else jnp.asarray(array.buffer)
        length = jnp.asarray(self.count, jnp.int32)
        written = jnp.asarray(array.written)
        return TensorArrayValue(self.owner, array.size, array.elements, buffer, written, length)

    @property
    def count(self) -> Any:
        """The number of elements."""
        return self.size if self.length is None else self.length

    def reaching(self, room: int, last: Any) -> TensorArrayValue:
        """This array with an element at `last`, which only the run knows, and room for `room`."""
        array = self.grown(room)
        length = jnp.maximum(jnp.asarray(self.count, jnp.int32), jnp.asarray(last, jnp.int32) + 1)
        return TensorArrayValue(
            self.owner, array.size, array.elements, array._buffer, array.written, length
        )

    @property
    def can_be_listed(self) -> bool:
        """Whether it is known which elements were written."""
        return not isinstance(self.written, Tracer)

    def listed(self) -> TensorArrayPieces:
        """This array with every element as a value of its own; see `can_be_listed`."""
        accumulates = self.written is None
        count = int(self.count)
        marks = np.ones(count, np.bool_) if accumulates else np.asarray(self.written)[:count]
        if self.elements is None:
            pieces = [None] * count
        else:
            buffer = self._at_hand()
            parts = parts_of(buffer[:count])
            pieces = [part if mark else None for part, mark in zip(parts, marks, strict=True)]
        return TensorArrayPieces(self.owner, tuple(pieces), accumulates, marks)

    def _at_hand(self) -> Any:
        """The buffer, in NumPy where the values are at hand."""
        leaves = jax.tree.leaves(self)
        if any(isinstance(leaf, Tracer) for leaf in leaves):
            return self.buffer
        if self._buffer is not None:
            return np.asarray(self._buffer)
        shape, dtype = self.elements
        buffer = np.zeros((self.size, *shape), dtype)
        for indices, values in self._pending:
            np.add.at(buffer, indices, np.asarray(values))
        return buffer

    def alike(self, other: Any) -> Any:
        """This array in the form that it has in common with `other`, of which the form is given."""
        if isinstance(other, TensorArrayValue) and (
            self.size != other.size or self.length is not None or other.length is not None
        ):
            size = max(self.size, other.size)
            elements = other.elements if self.elements is None else self.elements
            return self._reaching(size, elements)
        return self.in_loop(other, None)

    def blank(self) -> TensorArrayValue:
        """This array before anything is written."""
        return self._with(None, None if self.written is None else np.zeros(self.size, np.bool_))

    def grown(self, size: int) -> TensorArrayValue:
        """This array with room for at least `size` elements, if it has not got that."""
        more = size - self.size
        if more <= 0:
            return self
        buffer, written = self._buffer, self.written
        if buffer is not None:
            zeros = jnp.zeros((more, *np.shape(buffer)[1:]), buffer.dtype)
            buffer = jnp.concatenate([buffer, zeros])
        if written is not None:
            join = np.concatenate if known(written) else jnp.concatenate
            written = join([written, np.zeros(more, np.bool_)])
        return TensorArrayValue(
            self.owner, size, self.elements, buffer, written, self.length, self._pending
        )

    def with_element(self, index: Array, value: Array) -> TensorArrayValue:
        """This array with `value` at `index`; in an array of gradients, added to what is there."""
        if not self.size:  # The index is refused.
            return self
        if self.written is None:
            return self._plus(index, value)
        buffer = lax.dynamic_update_index_in_dim(self.buffer, jnp.asarray(value), index, 0)
        return self._with(buffer, self._marked(index))

    def with_elements(self, indices: Array, values: Array) -> TensorArrayValue:
        """As `with_element`, for the parts of `values` along its first dimension."""
        if self.written is None:
            return self._plus(indices, values)
        if self._all(indices):
            buffer = jnp.asarray(values)
        else:
            buffer = at(jnp.asarray(self.buffer))[indices].set(values)
        return self._with(buffer, self._marked(indices))

    def _plus(self, indices: Array, values: Array) -> TensorArrayValue:
        if self._all(indices):
            values = jnp.asarray(values)
            blank = self._buffer is None and not self._pending
            return self._with(values if blank else self.buffer + values, None)
        if self._buffer is None:
            return self._with(None, None, (*self._pending, (indices, values)))
        return self._with(_plus_at(self._buffer, indices, values), None)

    def element(self, index: Array) -> Array:
        """The element at `index`."""
        if not self.size:  # The index is refused.
            return jnp.zeros(*self.elements)
        return lax.dynamic_index_in_dim(jnp.asarray(self.buffer), index, 0, keepdims=False)

    def elements_at(self, indices: Array) -> Array:
        """The elements at `indices`, stacked."""
        if self._all(indices):
            return self.buffer
        if known(indices) and np.array_equal(indices, np.arange(len(indices))):
            return self.buffer[: len(indices)]
        if not self.size:
            shape, dtype = self.elements
            return jnp.zeros((*np.shape(indices), *shape), dtype)
        return jnp.take(self.buffer, indices, axis=0, mode="clip")

    def _all(self, indices: Array) -> bool:
        """Whether `indices` are known to be those of all elements in order."""
        return known(indices) and np.array_equal(indices, np.arange(self.size))

    def _marked(self, indices: Array) -> Array | None:
        written = self.written
        if written is None:
            return None
        if known(written) and known(indices):
            written = written.copy()
            written[indices] = True
            return written
        written = jnp.asarray(written)
        if np.ndim(indices):
            return at(written)[indices].set(True)
        return lax.dynamic_update_index_in_dim(written, True, indices, 0)

    def __add__(self, other: Any) -> Any:
        """The sum of two flows, as gradients are summed; what is no array counts as zeros."""
        if isinstance(other, TensorArrayPieces):
            return other + self
        if not isinstance(other, TensorArrayValue):
            return self
        if self.owner != other.owner or self.written is not None:
            raise NotImplementedError(
                f"The sum of the flows of TensorArrays '{self.owner}' and '{other.owner}' is not "
                "supported by tf1compat yet"
            )
        if self.elements is None or other.elements is None:
            return other if self.elements is None else self
        if self._buffer is not None and other._buffer is not None:
            return self._with(self._buffer + other._buffer, None)
        full, more = (self, other) if other._buffer is None else (other, self)
        for indices, values in more._pending:
            full = full._plus(indices, values)
        return full

    __radd__ = __add__


def _plus_at(buffer: Array, indices: Array, values: Array) -> Array:
    """`buffer` with `values` added at `indices`; an index that is outside is refused elsewhere."""
    if np.ndim(indices) or not len(buffer):
        return at(buffer)[indices].add(values)
    # Unlike a scatter, XLA does this in place, and without a loop.
    before = lax.dynamic_index_in_dim(buffer, indices, 0, keepdims=False)
    return lax.dynamic_update_index_in_dim(buffer, before + values, indices, 0)
