"""What a TensorArray is while a program is traced: a handle that says what it is, and flows that
carry its elements.

TF's flow is a dummy that only orders what is done with a mutable array.  Here the array is the
flow's value: every change makes a new one, as JAX's arrays can't be changed.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import shapes
from tf1compat.kernels.common import jnp_dtype, known

Array = Any


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
      accumulates: whether writes are added up, as in an array of gradients.
    """

    name: str
    dtype: Any
    size: int
    element_shape: Any
    identical: bool
    dynamic: bool
    accumulates: bool = False

    def empty(self) -> TensorArrayValue:
        """The array before anything is written: zeros, if the shape of the elements is known."""
        value = TensorArrayValue(
            self.name, self.size, None, None if self.accumulates else np.zeros(self.size, np.bool_)
        )
        if shapes.is_fully_known(self.element_shape):
            return value.allocated(self.element_shape, self.dtype)
        return value

    def gradient(self, source: str, flow: Any) -> TensorArrayHandle:
        """The handle of the array of gradients, at the time of `flow`."""
        of_elements, size = self.element_shape, self.size
        if isinstance(flow, TensorArrayValue):
            size = flow.size
            if flow.buffer is not None:
                of_elements = flow.element_shape
        return dataclasses.replace(
            self,
            name=f"{self.name}@{source}",
            size=size,
            element_shape=of_elements,
            dynamic=False,
            accumulates=True,
        )


@jax.tree_util.register_pytree_node_class
class TensorArrayValue:
    """The value of a flow tensor: the elements of the array.

    Args:
      owner: the name of the handle that it belongs to.
      size: the number of elements.
      buffer: the elements, [size, *element shape]; None while that shape isn't known.
      written: which of them were written, bool [size]; None in an array of gradients.
    """

    # What TF says of the flow itself.
    dtype = np.dtype(np.float32)
    # NumPy leaves an addition to `__radd__`.
    __array_ufunc__ = None

    def __init__(self, owner: str, size: int, buffer: Any, written: Any):
        self.owner = owner
        self.size = size
        self.buffer = buffer
        self.written = written

    def tree_flatten(self) -> tuple[tuple[Any, Any], tuple[str, int]]:
        """The parts that a program carries, and those that are part of its structure."""
        return (self.buffer, self.written), (self.owner, self.size)

    @classmethod
    def tree_unflatten(cls, static: tuple[str, int], leaves: tuple[Any, Any]) -> TensorArrayValue:
        """See `tree_flatten`."""
        return cls(*static, *leaves)

    @property
    def element_shape(self) -> Any:
        """The shape of the elements; None where it isn't known."""
        return None if self.buffer is None else np.shape(self.buffer)[1:]

    def allocated(self, element_shape: Any, dtype: Any) -> TensorArrayValue:
        """This array, with zeros for elements if it has none yet."""
        if self.buffer is not None:
            return self
        zeros = jnp.zeros((self.size, *element_shape), jnp_dtype(dtype))
        return TensorArrayValue(self.owner, self.size, zeros, self.written)

    def promoted(self, wanted: Any) -> Any:
        """This array in the form that the body of a loop gives it: with a buffer.

        Args:
          wanted: the array after one iteration, with `jax.ShapeDtypeStruct`s for its parts.
        """
        if not isinstance(wanted, TensorArrayValue) or self.buffer is not None:
            return self
        if wanted.buffer is None:
            return self
        zeros = jnp.zeros((self.size, *wanted.buffer.shape[1:]), wanted.buffer.dtype)
        return TensorArrayValue(self.owner, self.size, zeros, self.written)

    def grown(self, size: int) -> TensorArrayValue:
        """This array with room for at least `size` elements."""
        more = size - self.size
        if more <= 0:
            return self
        buffer, written = self.buffer, self.written
        if buffer is not None:
            zeros = jnp.zeros((more, *np.shape(buffer)[1:]), buffer.dtype)
            buffer = jnp.concatenate([buffer, zeros])
        if written is not None:
            join = np.concatenate if known(written) else jnp.concatenate
            written = join([written, np.zeros(more, np.bool_)])
        return TensorArrayValue(self.owner, size, buffer, written)

    def with_element(self, index: Array, value: Array) -> TensorArrayValue:
        """This array with `value` at `index`; in an array of gradients, added to what is there."""
        buffer = self.buffer
        if not self.size:  # The index is refused.
            return self
        if self.written is None:
            value = self.element(index) + value
        buffer = lax.dynamic_update_index_in_dim(buffer, jnp.asarray(value), index, 0)
        return TensorArrayValue(self.owner, self.size, buffer, self._marked(index))

    def with_elements(self, indices: Array, values: Array) -> TensorArrayValue:
        """As `with_element`, for the parts of `values` along its first dimension."""
        if self._all(indices):
            buffer = jnp.asarray(values) if self.written is not None else self.buffer + values
        elif self.written is None:
            buffer = jnp.asarray(self.buffer).at[indices].add(values)
        else:
            buffer = jnp.asarray(self.buffer).at[indices].set(values)
        return TensorArrayValue(self.owner, self.size, buffer, self._marked(indices))

    def element(self, index: Array) -> Array:
        """The element at `index`."""
        if not self.size:  # The index is refused.
            return jnp.zeros(self.element_shape, self.buffer.dtype)
        return lax.dynamic_index_in_dim(jnp.asarray(self.buffer), index, 0, keepdims=False)

    def elements(self, indices: Array) -> Array:
        """The elements at `indices`, stacked."""
        if self._all(indices):
            return self.buffer
        if not self.size:
            shape = (*np.shape(indices), *np.shape(self.buffer)[1:])
            return jnp.zeros(shape, self.buffer.dtype)
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
        return jnp.asarray(written).at[indices].set(True)

    def __add__(self, other: Any) -> Any:
        """The sum of two flows, as gradients are summed; what is no array counts as zeros."""
        if not isinstance(other, TensorArrayValue):
            return self
        if self.owner != other.owner or self.written is not None:
            raise NotImplementedError(
                f"The sum of the flows of TensorArrays '{self.owner}' and '{other.owner}' is not "
                "supported by tf1compat yet"
            )
        if self.buffer is None or other.buffer is None:
            return other if self.buffer is None else self
        return TensorArrayValue(self.owner, self.size, self.buffer + other.buffer, None)

    __radd__ = __add__
