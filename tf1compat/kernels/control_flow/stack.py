"""Stacks: what a loop saves in each iteration for the loop that computes its gradient.

A stack is a variable that lives for one run: it begins empty, and pushing and popping write it.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from tf1compat.backend import jax, jnp, lax
from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayHandle


@jax.tree_util.register_pytree_node_class
class _Known:
    """A value that is known when the program is compiled: no part of it is computed.

    A gradient needs shapes: those that the forward loop knows stay known.
    """

    def __init__(self, value: Any):
        self.value = value

    def tree_flatten(self) -> tuple[tuple[()], Any]:
        """All of it is structure."""
        return (), self

    @classmethod
    def tree_unflatten(cls, static: Any, leaves: tuple[()]) -> _Known:
        """See `tree_flatten`."""
        return static

    @property
    def _identity(self) -> Any:
        value = self.value
        if isinstance(value, np.ndarray):
            return value.shape, value.dtype, value.tobytes()
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __repr__(self) -> str:
        return f"_Known({self.value!r})"


@jax.tree_util.register_pytree_node_class
class StackValue:
    """The values on a stack: one by one where it is known how many there are, else in a buffer.

    Args:
      owner: the name of the operation that made it.
      items: the values one by one; None where there is a buffer.
      room: how many values the buffer holds.
      buffer: the values, each with a new first dimension: a tree of arrays. Or one value that is
        known, if they are all the same.
      count: how many of the buffer's values there are.
      peak: how many there were at most, where that is to be checked after a loop; else None.
      most: how many values there can be at most; None in a loop, where the loop around saw to it
        that there is room.
      checked: whether `most` holds because the program checks it.
    """

    def __init__(
        self,
        owner: str,
        items: tuple[Any, ...] | None,
        room: int = 0,
        buffer: Any = None,
        count: Any = None,
        peak: Any = None,
        most: int | None = None,
        checked: bool = False,
    ):
        self.owner = owner
        self.items = items
        self.room = room
        self.buffer = buffer
        self.count = count
        self.peak = peak
        self.most = most
        self.checked = checked

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        leaves = (self.items, self.buffer, self.count, self.peak)
        return leaves, (self.owner, self.room, self.most, self.checked)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> StackValue:
        """See `tree_flatten`."""
        owner, room, most, checked = static
        items, *rest = leaves
        buffer, count, peak = rest
        return cls(owner, items, room, buffer, count, peak, most, checked)

    def pushed(self, value: Any) -> StackValue:
        """This stack with `value` on top."""
        if hasattr(value, "outline"):
            value = value.outline()
        elif isinstance(value, TensorArrayHandle | np.ndarray):
            value = _Known(value)
        if self.items is not None:
            return StackValue(self.owner, (*self.items, value))
        most, buffer, room = self.most, self.buffer, self.room
        if most is not None:
            most += 1
            room = max(room, most)
            buffer = _with_room(buffer, room)
        if not (isinstance(value, _Known) and value == buffer):
            buffer = jax.tree.map(
                lambda all, new: lax.dynamic_update_index_in_dim(all, new, self.count, 0),
                _computed(buffer, room),
                _computed(value),
            )
        count = self.count + 1
        peak = None if self.peak is None else jnp.maximum(self.peak, count)
        return StackValue(self.owner, None, room, buffer, count, peak, most, self.checked)

    def popped(self) -> tuple[Any, StackValue]:
        """The value on top, and this stack without it."""
        if self.items is not None:
            value, rest = self.items[-1], StackValue(self.owner, self.items[:-1])
        else:
            count = self.count - 1
            value = jax.tree.map(
                lambda all: lax.dynamic_index_in_dim(all, count, 0, keepdims=False), self.buffer
            )
            rest = copy.copy(self)
            rest.count = count
        return value.value if isinstance(value, _Known) else value, rest

    # What the host asks.

    @property
    def is_plain(self) -> bool:
        """Whether all values are arrays."""
        values = (self.buffer,) if self.items is None else self.items
        return all(
            isinstance(v.value, np.ndarray) if isinstance(v, _Known) else hasattr(v, "dtype")
            for v in values
        )

    def listed(self) -> list[np.ndarray]:
        """The values in NumPy, the last one on top; see `is_plain`."""
        if self.items is not None:
            return [v.value if isinstance(v, _Known) else np.asarray(v) for v in self.items]
        count = int(self.count)
        if isinstance(self.buffer, _Known):
            return [self.buffer.value] * count
        values = np.asarray(self.buffer)
        return [values[i, ...] for i in range(count)]

    # What loops and branches ask.

    def in_loop(self, after: StackValue, iterations: Any) -> StackValue | None:
        """This stack in the form in which a loop carries it: with room for what the loop pushes.

        Args:
          after: the stack after one iteration, with `jax.ShapeDtypeStruct`s for its parts.
          iterations: how often the loop runs at most (`iterations.most`, None if nobody knows), and
            `iterations.buffer_size(owner)`, the size to try where it is not known what is needed.

        Returns:
          It; None if its values differ in form.
        """
        before, length = self._upper, after._upper
        if before is None or length is None:  # The loop around made room.
            return self
        if self.items == after.items == ():  # Nothing is done with it.
            return self
        pushes = max(length - before, 0)
        guessed = pushes > 0 and (iterations.most is None or after.checked)
        room = (
            iterations.buffer_size(self.owner)
            if guessed
            else before + pushes * (iterations.most or 0)
        )
        stack = self._in_buffer(max(room, before), after)
        if stack is not None and guessed:
            stack.peak = stack.count
        return stack

    @property
    def _upper(self) -> int | None:
        return self.most if self.items is None else len(self.items)

    def alike(self, other: StackValue) -> StackValue:
        """This stack in the form that it has in common with `other`, of which the form is given."""
        if jax.tree.structure(self) == jax.tree.structure(other):
            return self
        if self._upper is None:
            return self
        room = max(len(s.items) if s.items is not None else s.room for s in (self, other))
        stack = self._in_buffer(room, other)
        if stack is None:
            raise NotImplementedError(
                f"A stack of values of different shapes ('{self.owner}') that a branch changes is "
                "not supported by tf1compat yet"
            )
        checked = self.checked or other.checked
        return StackValue(self.owner, None, room, stack.buffer, stack.count, None, room, checked)

    def _in_buffer(self, room: int, like: StackValue) -> StackValue | None:
        """This stack in a buffer for `room` values, of the form of those of `like`."""
        if self.items is None:
            room = max(room, self.room)
            return StackValue(self.owner, None, room, _with_room(self.buffer, room), self.count)
        count = jnp.asarray(len(self.items), jnp.int32)
        items = self.items or like.items
        if items is None:  # What there is to be is in a buffer.
            rows = jax.tree.map(lambda all: jnp.zeros((0, *all.shape[1:]), all.dtype), like.buffer)
        elif all(isinstance(item, _Known) and item == items[0] for item in items):
            rows = items[0]
        elif len({_form(item) for item in items}) > 1:
            return None
        elif self.items:
            computed = [_computed(item) for item in items]
            rows = jax.tree.map(lambda *values: jnp.stack(values), *computed)
        else:
            rows = jax.tree.map(lambda one: jnp.zeros((0, *one.shape), one.dtype), items[0])
        return StackValue(self.owner, None, room, _with_room(rows, room), count)

    def after_loop(self, before: StackValue, iterations: Any) -> StackValue:
        """This stack after the loop that `before` entered, checked for having had room."""
        if self.items is not None or before._upper is None:
            return self
        room = self.room
        if self.peak is not None:
            iterations.check_buffer_size(self.owner, self.peak, room)
        checked = self.peak is not None or before.checked
        return StackValue(self.owner, None, room, self.buffer, self.count, None, room, checked)


def _with_room(buffer: Any, room: int) -> Any:
    """A buffer with room for at least `room` values."""

    def enlarged(all: Any) -> Any:
        more = room - all.shape[0]
        if more <= 0:
            return all
        return jnp.concatenate([all, jnp.zeros((more, *all.shape[1:]), all.dtype)])

    return jax.tree.map(enlarged, buffer)


def _computed(value: Any, rows: int | None = None) -> Any:
    """A value as arrays; in so many rows if it is known and `rows` says so."""
    if isinstance(value, _Known):
        value = jnp.asarray(value.value)
        return value if rows is None else jnp.broadcast_to(value, (rows, *value.shape))
    return value


def _form(value: Any) -> Any:
    if isinstance(value, _Known) and isinstance(value.value, np.ndarray):
        value = value.value
    leaves, tree = jax.tree.flatten(value)
    return tree, tuple((np.shape(leaf), leaf.dtype) for leaf in leaves)


def _new(ctx: LoweringContext) -> StackValue:
    return StackValue(ctx.op.name, ())


def _push(handle: Any, elem: Any) -> Any:
    handle.assign(handle.read().pushed(elem))
    return elem


def _pop(handle: Any, ctx: LoweringContext) -> Any:
    stack = handle.read()
    if stack.items == ():
        text = f"Stack[{stack.owner}] is empty when calling Pop()."
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    value, rest = stack.popped()
    handle.assign(rest)
    return value


class HostStack:
    """A stack where all values are at hand, which its operations change in place.

    A loop that XLA ran leaves what it pushed in one buffer, for the loop that computes its
    gradient; it becomes values when the host asks for one.
    """

    __slots__ = ("_items", "_traced", "owner")

    def __init__(self, owner: str):
        self.owner = owner
        self._items: list[Any] = []
        self._traced: Any = None

    @property
    def items(self) -> list[Any]:
        """The values, the last one on top."""
        if self._traced is not None:
            self._items, self._traced = self._traced.listed(), None
        return self._items

    def traced(self) -> Any:
        """The stack as a program takes it: what one left; None if there is nothing like that."""
        return self._traced

    def untraced(self, value: Any) -> None:
        """Takes what a program left.

        Args:
          value: the stack at the end of the program.
        """
        self._items, self._traced = [], value


def _push_in_place(handle: Any, elem: Any) -> Any:
    handle.read().items.append(elem)
    return elem


def _pop_in_place(handle: Any, *, ctx: LoweringContext) -> Any:
    stack = handle.read()
    if not stack.items:
        text = f"Stack[{stack.owner}] is empty when calling Pop()."
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    return stack.items.pop()


@op("StackV2", source=True, local=True)
class StackV2:
    def shape(max_size: Any) -> Any:
        return (2,)

    def numpy(max_size: Any, *, ctx: LoweringContext) -> Any:
        return HostStack(ctx.op.name)

    def lower(max_size: Any, *, ctx: LoweringContext) -> Any:
        return _new(ctx)


@op("Stack", source=True, local=True)
class Stack:
    def shape() -> Any:
        return (2,)

    def numpy(*, ctx: LoweringContext) -> Any:
        return HostStack(ctx.op.name)

    def lower(*, ctx: LoweringContext) -> Any:
        return _new(ctx)


@op("StackPushV2", "StackPush", writes=(0,), autodiff=True)
class StackPushV2:
    numpy = _push_in_place

    def shape(handle: Any, elem: Shape) -> Shape:
        return elem

    def lower(handle: Any, elem: Any) -> Any:
        return _push(handle, elem)


@op("StackPopV2", "StackPop", writes=(0,), autodiff=True)
class StackPopV2:
    numpy = _pop_in_place

    def shape(handle: Any) -> Shape:
        return None

    def lower(handle: Any, *, ctx: LoweringContext) -> Any:
        return _pop(handle, ctx)


@op("StackCloseV2", "StackClose", reads=(0,))
class StackCloseV2:
    def shape(handle: Any) -> Any:
        shapes.with_rank(handle, 1)
        return []

    def lower(handle: Any) -> Any:
        return []


not_differentiable("Stack", "StackPush", "StackPop", "StackClose")
