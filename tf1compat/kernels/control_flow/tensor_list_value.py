"""What a list of tensors is while a program is traced: a value made of arrays.

A list of which elements are set is an array of them, one that is pushed to is a stack: so a loop
carries it in a buffer.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from tf1compat.backend import jax, jnp, lax
from tf1compat.core import dtypes, errors, shapes
from tf1compat.kernels.control_flow.stack import StackValue, _computed, _Known
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.framework.common import jnp_dtype, known

Array = Any


def _sum(x: Array, y: Array) -> Array:
    """The sum of two elements.

    Raises:
      InvalidArgumentError: their shapes differ.
    """
    if is_array(x) and np.shape(x) != np.shape(y):
        raise errors.InvalidArgumentError(
            None,
            None,
            "Trying to add two tensors with incompatible element shapes. One is "
            f"{shapes.to_string(np.shape(x))} and the other is {shapes.to_string(np.shape(y))}",
        )
    return x + y


def _check_summands(a: TensorListValue, b: TensorListValue) -> None:
    """Raises InvalidArgumentError if two lists can't be added."""
    if a.element_dtype is not b.element_dtype:
        names = [dtypes.cpp_name(list_.element_dtype) for list_ in (a, b)]
        what = "lists of tensors of different dtypes"
    elif not shapes.compatible(a.element_shape, b.element_shape):
        names = [shapes.to_string(list_.element_shape) for list_ in (a, b)]
        what = "lists of tensors with incompatible element shapes"
    elif a.length != b.length and None not in (a.length, b.length):
        names = [str(list_.length) for list_ in (a, b)]
        what = "lists of tensors with different lengths"
    else:
        return
    text = f"Trying to add two {what}. One is {names[0]} and the other is {names[1]}"
    raise errors.InvalidArgumentError(None, None, text)


@jax.tree_util.register_pytree_node_class
class TensorListValue:
    """A list of tensors.

    Args:
      owner: the name of the operation that made it.
      element_dtype: the dtype of the elements.
      element_shape: what is declared of their shape.
      limit: how many there can be at most; -1 for any number.
      body: the elements: a `TensorArrayValue` or a `StackValue`.
      length: how many there are; None where only the run knows.
      grows: by how many an iteration of the loop that carries it makes it longer, if that is known.
      fresh: whether it was empty when the loop that carries it began.
    """

    __array_ufunc__ = None

    def __init__(
        self,
        owner: str,
        element_dtype: Any,
        element_shape: Any,
        limit: int,
        body: Any,
        length: int | None,
        grows: int | None = None,
        fresh: bool = False,
    ):
        self.owner = owner
        self.element_dtype = element_dtype
        self.element_shape = element_shape
        self.limit = limit
        self.body = body
        self.length = length
        self.grows = grows
        self.fresh = fresh

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        static = (self.owner, self.element_dtype, self.element_shape, self.limit)
        return (self.body,), (*static, self.length, self.grows, self.fresh)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> TensorListValue:
        """See `tree_flatten`."""
        owner, element_dtype, element_shape, limit, length, grows, fresh = static
        return cls(owner, element_dtype, element_shape, limit, leaves[0], length, grows, fresh)

    def _with(self, body: Any, length: int | None) -> TensorListValue:
        changed = copy.copy(self)
        changed.body, changed.length = body, length
        return changed

    # What there is.

    @property
    def is_array(self) -> bool:
        """Whether the elements are in one array of which each has its place."""
        return isinstance(self.body, TensorArrayValue)

    @property
    def count(self) -> Any:
        """How many elements there are: an int, or computed."""
        if self.length is not None:
            return self.length
        return self.body.count

    @property
    def known_shape(self) -> Any:
        """The shape of the elements, as far as the list tells; None if nothing is known."""
        found = self.element_shape
        if self.is_array:
            own = self.body.element_shape
            return own if own is not None else found
        if self.body.items is not None:
            set_items = [item for item in self.body.items if item is not None and is_array(item)]
            own_shapes = {np.shape(_value(item)) for item in set_items}
            return own_shapes.pop() if len(own_shapes) == 1 else found
        buffer = self.body.buffer
        if isinstance(buffer, _Known):
            return np.shape(buffer.value) if is_array(buffer) else found
        return np.shape(buffer)[1:] if is_array(buffer) else found

    def is_set(self, index: Any) -> bool:
        """Whether the element at `index` is known to be set."""
        if self.is_array:
            return False
        items = self.body.items
        if items is not None and known(index) and 0 <= index < len(items):
            return items[int(index)] is not None
        return items is None or None not in items

    def zeros(self, shape: Any) -> Any:
        """An element that was never set."""
        return jnp.zeros(shape, jnp_dtype(self.element_dtype))

    # Forms.

    def stacked(self) -> StackValue:
        """The elements as a stack."""
        body: Any = self.body
        if not self.is_array:
            if body.items is None and self.length is not None:
                body = copy.copy(body)
                body.count = np.array(self.length, np.int32)
            return body
        size = body.size
        if not size:
            return StackValue(self.owner, ())
        if body.elements is None:
            return StackValue(self.owner, (None,) * size)
        count = np.array(size, np.int32) if body.length is None else body.length
        return StackValue(self.owner, None, size, body.buffer, count, None, size)

    def arrayed(self, shape: Any = None) -> TensorArrayValue | None:
        """The elements as an array, if they have one shape.

        Args:
          shape: that of elements that were never set.
        """
        body: Any = self.body
        if self.is_array:
            return body
        if self.element_dtype is dtypes.variant:
            return None
        dtype = jnp_dtype(self.element_dtype)
        if body.items is None:
            if isinstance(body.buffer, _Known):
                buffer: Any = _computed(body.buffer, body.room)
            elif is_array(body.buffer):
                buffer = body.buffer
            else:
                return None
            length = self.length
            if length is not None:
                room = buffer[:length]
                return TensorArrayValue(
                    self.owner, length, (room.shape[1:], dtype), room, np.ones(length, np.bool_)
                )
            size = buffer.shape[0]
            marks = np.ones(size, np.bool_)
            elements = (buffer.shape[1:], dtype)
            return TensorArrayValue(self.owner, size, elements, buffer, marks, body.count)
        items = body.items
        set_items = [item for item in items if item is not None]
        found = {np.shape(_value(item)) for item in set_items if is_array(item)}
        if len(found) > 1 or any(not is_array(item) for item in set_items):
            return None
        shape = found.pop() if found else shape
        marks = np.array([item is not None for item in items], np.bool_)
        array = TensorArrayValue(self.owner, len(items), None, None, marks)
        if shape is None or not shapes.is_fully_known(shape):
            return array
        array = array.allocated(shape, jnp_dtype(self.element_dtype))
        if set_items:
            zero = self.zeros(shape)
            rows = [zero if item is None else jnp.asarray(_value(item)) for item in items]
            array = array._with(jnp.stack(rows), marks)
        return array

    # Changes.

    def pushed(self, value: Any) -> TensorListValue:
        """This list with `value` behind the last element."""
        if value is None:
            raise TypeError("an element is missing")
        length = None if self.length is None else self.length + 1
        stack = self.stacked()
        if stack.items is None and not is_array(value) and not _same_kind(stack.buffer, value):
            if self.fresh:
                # The loop is traced anew, with a buffer for such elements.
                return self.blank().pushed(value)
            form = _element_form(stack.buffer)
            stack, value = _with_elements_like(stack, value), value.alike(form)
        return self._with(stack.pushed(value), length)

    def popped(self, shape: Any) -> tuple[Any, TensorListValue]:
        """The last element, and this list without it."""
        value, rest = self.stacked().popped()
        if value is None:
            value = self.zeros(shape)
        length = None if self.length is None else max(self.length - 1, 0)
        return value, self._with(rest, length)

    def item(self, index: Any, shape: Any) -> Any:
        """The element at `index`."""
        body: Any = self.body
        if not self.is_array and body.items is not None and known(index):
            value = body.items[int(index)]
            return self.zeros(shape) if value is None else _value(value)
        if not self.is_array and body.items is None:
            if isinstance(body.buffer, _Known):
                return body.buffer.value
            return jax.tree.map(
                lambda all: lax.dynamic_index_in_dim(all, index, 0, keepdims=False), body.buffer
            )
        array = self.arrayed(shape)
        if array is None:
            raise NotImplementedError(
                f"The list '{self.owner}' has elements of different shapes, and is used with an "
                "index that only the run knows: not supported by tf1compat yet"
            )
        return array.allocated(shape, jnp_dtype(self.element_dtype)).element(index)

    def with_item(self, index: Any, value: Any) -> TensorListValue:
        """This list with `value` at `index`."""
        body: Any = self.body
        if is_array(value):
            array = self.arrayed(np.shape(value))
            if array is not None and array.element_shape in (None, np.shape(value)):
                array = array.allocated(np.shape(value), jnp_dtype(self.element_dtype))
                return self._with(array.with_element(index, value), self.length)
        if not self.is_array and body.items is None:
            if isinstance(body.buffer, _Known):
                body.buffer = _computed(body.buffer, body.room)
            buffer = jax.tree.map(
                lambda all, new: lax.dynamic_update_index_in_dim(all, new, index, 0),
                body.buffer,
                value,
            )
            changed = copy.copy(body)
            changed.buffer = buffer
            return self._with(changed, self.length)
        if not known(index):
            raise NotImplementedError(
                f"The list '{self.owner}' gets an element of another shape at an index that only "
                "the run knows: not supported by tf1compat yet"
            )
        items = list(self.items())
        items[int(index)] = value
        return self._with(StackValue(self.owner, tuple(items)), self.length)

    def items(self) -> tuple[Any, ...]:
        """The elements one by one; None for those that were never set. Their number is known."""
        body: Any = self.body
        if not self.is_array:
            if body.items is not None:
                return tuple(None if item is None else _value(item) for item in body.items)
            return tuple(self.item(i, None) for i in range(self.length or 0))
        if body.elements is None:
            return (None,) * body.size
        marks = body.written if known(body.written) else np.ones(body.size, np.bool_)
        return tuple(body.buffer[i] if marks[i] else None for i in range(body.size))

    def resized(self, size: int) -> TensorListValue:
        """This list with its first `size` elements, and elements that are not set behind them."""
        if self.is_array and self.length is not None:
            body: Any = self.body.grown(size)
            if size < body.size:
                buffer = None if body._buffer is None else body._buffer[:size]
                body = TensorArrayValue(
                    self.owner, size, body.elements, buffer, body.written[:size]
                )
            return self._with(body, size)
        items = self.items()[:size]
        items += (None,) * (size - len(items))
        return self._with(StackValue(self.owner, items), size)

    def reaching(self, last: Any, room: int) -> TensorListValue:
        """This list with an element at `last`, which only the run knows, and room for `room`."""
        array = self.arrayed(self.known_shape)
        if array is None:
            raise NotImplementedError(
                f"The list '{self.owner}' of elements of different shapes grows: not supported by "
                "tf1compat yet"
            )
        return self._with(array.reaching(room, last), None)

    def like_zeros(self) -> TensorListValue:
        """A list of zeros as many and as large."""
        body: Any = self.body
        if self.is_array:
            return self._with(body._with(None, body.written), self.length)
        if body.items is not None:
            items = tuple(None if item is None else zeros_like(_value(item)) for item in body.items)
            return self._with(StackValue(self.owner, items), self.length)
        changed = copy.copy(body)
        changed.buffer = _zero_rows(body.buffer, body.room)
        return self._with(changed, self.length)

    def __add__(self, other: Any) -> Any:
        """The list of the sums of elements."""
        if not isinstance(other, TensorListValue):
            return self
        _check_summands(self, other)
        a: Any = self.body
        b: Any = other.body
        # What was never set counts as zeros.
        for one, two in ((self, other), (other, self)):
            if one.is_array and one.body.elements is None:
                return two
        if not self.is_array and not other.is_array and a.items is None and b.items is None:
            if jax.tree.structure(a.buffer) == jax.tree.structure(b.buffer):
                room = max(a.room, b.room)
                changed = copy.copy(a if a.room >= b.room else b)
                changed.buffer = jax.tree.map(
                    lambda x, y: _rows(x, room) + _rows(y, room),
                    _computed(a.buffer, a.room),
                    _computed(b.buffer, b.room),
                )
                return self._with(changed, self.length)
        shape = self.known_shape or other.known_shape
        x, y = self.arrayed(shape), other.arrayed(shape)
        same = x is not None and y is not None and x.element_shape == y.element_shape
        if x is not None and y is not None and (same or not x.elements or not y.elements):
            elements: Any = x.elements or y.elements
            x, y = (array.allocated(*elements) for array in (x, y))
            size = max(x.size, y.size)
            total = x.grown(size).buffer + y.grown(size).buffer
            written = x.grown(size).written | y.grown(size).written
            return self._with(x.grown(size)._with(total, written), self.length)
        pairs = zip(self.items(), other.items(), strict=True)
        items = tuple(q if p is None else p if q is None else _sum(p, q) for p, q in pairs)
        return self._with(StackValue(self.owner, items), self.length)

    __radd__ = __add__

    # What loops, branches and regions ask.

    def in_loop(self, after: Any, iterations: Any) -> Any:
        """This list in the form in which a loop carries it (see `StackValue.in_loop`)."""
        if not isinstance(after, TensorListValue):
            return self
        if self.fresh and not self.is_array and not after.is_array:
            if self.body.items is None and after.body.items is not None:
                return self.blank().in_loop(after, iterations)
        grows, fresh = self.grows, self.fresh or self.length == 0
        if self.length is not None and after.length is not None:
            grows = after.length - self.length
        if self.is_array and after.is_array:
            body = self.body.in_loop(after.body, iterations)
            length = self.length if after.length == self.length else None
        elif after.is_array:
            array = self.arrayed(after.body.element_shape)
            if array is None:
                return None
            body = array.in_loop(after.body, iterations)
            length = self.length if after.length == self.length else None
        else:
            first, then = self.stacked(), after.stacked()
            if then.items is None and not is_array(then.buffer):
                first = _with_elements_like(first, _element_form(then.buffer))
            same = grows == 0 and first.items is not None
            if same and jax.tree.structure(first) == jax.tree.structure(after.body):
                return self
            body = first.in_loop(then, iterations)
            length = None
        if body is None:
            return None
        found = self._with(body, length)
        found.grows, found.fresh = grows, fresh
        return found

    def after_loop(self, before: Any, iterations: Any) -> Any:
        """This list after the loop that `before` entered."""
        if self.is_array or not isinstance(before, TensorListValue):
            return self
        body = self.body
        length = self.length
        if body.items is None and length is None:
            body = body.after_loop(before.stacked(), iterations)
            if iterations.exact and self.grows is not None and before.length is not None:
                length = before.length + self.grows * iterations.most
        found = self._with(body, length)
        found.grows, found.fresh = before.grows, before.fresh
        return found

    def alike(self, other: Any) -> Any:
        """This list in the form that it has in common with `other`, of which the form is given."""
        if not isinstance(other, TensorListValue):
            return self
        if jax.tree.structure(self) == jax.tree.structure(other) and _forms(self) == _forms(other):
            return self
        length = self.length if self.length == other.length else None
        body: Any
        if self.is_array and other.is_array:
            body = _arrays_alike(self.body, other.body)
        else:
            body = self.stacked().alike(other.stacked())
        found = self._with(body, length)
        found.owner = min(self.owner, other.owner)
        if body.owner != found.owner:
            found.body = copy.copy(body)
            found.body.owner = found.owner
        for name, default in (("element_shape", None), ("limit", -1), ("grows", None)):
            if getattr(self, name) != getattr(other, name):
                setattr(found, name, default)
        found.fresh = self.fresh and other.fresh
        return found

    def blank(self) -> TensorListValue:
        """An empty list like this one."""
        return self._with(StackValue(self.owner, ()), 0)

    def settled(self) -> TensorListValue:
        """This list after the program that computed it: how many elements it has is known."""
        body: Any = self.body
        if self.length is not None:
            return self
        if self.is_array:
            if body.length is None:
                return self._with(body, body.size)
            length = int(body.length)
            body = TensorArrayValue(
                self.owner,
                length,
                body.elements,
                None if body._buffer is None else body._buffer[:length],
                np.asarray(body.written)[:length],
            )
            return self._with(body, length)
        return self._with(body, int(body.count))


def _arrays_alike(array: TensorArrayValue, other: TensorArrayValue) -> TensorArrayValue:
    """An array in the form that it has in common with another, of which the form is given."""
    size = max(array.size, other.size)
    length = None
    if array.size != other.size or array.length is not None or other.length is not None:
        length = jnp.asarray(array.count, jnp.int32)
    found = array.grown(size)
    elements: Any = array.elements or other.elements
    buffer = None
    if elements is not None:
        buffer = jnp.asarray(found.allocated(*elements).buffer)
    written = jnp.asarray(found.written)
    return TensorArrayValue(array.owner, size, elements, buffer, written, length)


def _element_form(buffer: Any) -> Any:
    """The form of the elements of a buffer that are no arrays."""
    return jax.tree.map(lambda all: jax.ShapeDtypeStruct(all.shape[1:], all.dtype), buffer)


def _with_elements_like(stack: StackValue, form: Any) -> StackValue:
    """A stack of lists or optionals in the form that they have in common with a given one."""
    changed = copy.copy(stack)
    if stack.items is not None:
        changed.items = tuple(
            item.alike(form) if hasattr(item, "alike") else item for item in stack.items
        )
    elif hasattr(stack.buffer, "alike"):
        changed.buffer = jax.vmap(lambda element: element.alike(form))(stack.buffer)
    return changed


def _zero_rows(buffer: Any, room: int) -> Any:
    """Zeros for each of the `room` elements of a buffer."""
    if isinstance(buffer, _Known) or is_array(buffer):
        return zeros_like(_computed(buffer, room))
    # What is known of all elements has no rows of its own; its zeros are computed, and need some.
    return jax.vmap(lambda element, _: zeros_like(element))(buffer, jnp.arange(room))


def _same_kind(buffer: Any, value: Any) -> bool:
    """Whether a value that is no array is of the form of a buffer's elements."""
    if isinstance(buffer, _Known) or is_array(buffer):
        return False
    return jax.tree.structure(buffer) == jax.tree.structure(value)


def is_array(value: Any) -> bool:
    """Whether an element is a plain array (or the form of one)."""
    if isinstance(value, _Known):
        value = value.value
    return isinstance(value, jax.Array | np.ndarray | np.generic | jax.ShapeDtypeStruct)


def _value(item: Any) -> Any:
    return item.value if isinstance(item, _Known) else item


def _rows(value: Any, room: int) -> Any:
    more = room - value.shape[0]
    if not more:
        return value
    return jnp.concatenate([value, jnp.zeros((more, *value.shape[1:]), value.dtype)])


def _forms(value: Any) -> Any:
    return [(np.shape(leaf), np.dtype(leaf.dtype)) for leaf in jax.tree.leaves(value)]


def zeros_like(value: Any) -> Any:
    """Zeros in the form of a value: of an array, a list or an optional."""
    if hasattr(value, "like_zeros"):
        return value.like_zeros()
    if is_array(value):
        return jnp.zeros(np.shape(value), value.dtype)
    return jax.tree.map(zeros_like, value, is_leaf=lambda x: hasattr(x, "like_zeros"))
