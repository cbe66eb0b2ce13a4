"""Stacks: what a loop saves in each iteration for the loop that computes its gradient.

A stack is a variable that lives for one run: it begins empty, and pushing and popping write it.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op


@jax.tree_util.register_pytree_node_class
class StackValue:
    """The values on a stack, in a buffer.

    Args:
      owner: the name of the operation that made it.
      most: how many values there can be at most; None in a loop, where the loop around saw to it
        that there is room.
      buffer: the values, each with a new first dimension: a tree of arrays. None before the first.
      count: how many values there are.
      peak: how many there were at most, where that is to be checked after the loop; else None.
    """

    def __init__(self, owner: str, most: int | None, buffer: Any, count: Any, peak: Any = None):
        self.owner = owner
        self.most = most
        self.buffer = buffer
        self.count = count
        self.peak = peak

    def tree_flatten(self) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """The parts that a program carries, and those that are part of its structure."""
        return (self.buffer, self.count, self.peak), (self.owner, self.most)

    @classmethod
    def tree_unflatten(cls, static: tuple[Any, ...], leaves: tuple[Any, ...]) -> StackValue:
        """See `tree_flatten`."""
        return cls(*static, *leaves)

    @property
    def _room(self) -> int:
        leaves = jax.tree.leaves(self.buffer)
        return np.shape(leaves[0])[0] if leaves else 1 << 30

    def _with_room(self, size: int, like: Any = None) -> Any:
        """The buffer with room for `size` values such as those of the buffer `like`."""
        if self.buffer is None:
            return jax.tree.map(lambda x: jnp.zeros((size, *np.shape(x)[1:]), x.dtype), like)
        more = size - self._room
        if more <= 0:
            return self.buffer
        return jax.tree.map(
            lambda x: jnp.concatenate([x, jnp.zeros((more, *np.shape(x)[1:]), x.dtype)]),
            self.buffer,
        )

    def pushed(self, value: Any) -> StackValue:
        """This stack with `value` on top."""
        if hasattr(value, "outline"):
            value = value.outline()
        value = jax.tree.map(jnp.asarray, value)
        most, buffer = self.most, self.buffer
        if most is not None:
            most += 1
            # Twice as much as is needed: on the host, one push follows the other.
            size = most if self.buffer is None or most > self._room else self._room
            buffer = self._with_room(size, jax.tree.map(lambda x: x[None], value))
        buffer = jax.tree.map(
            lambda x, new: lax.dynamic_update_index_in_dim(x, new, self.count, 0), buffer, value
        )
        count = self.count + 1
        peak = None if self.peak is None else jnp.maximum(self.peak, count)
        return StackValue(self.owner, most, buffer, count, peak)

    def popped(self) -> tuple[Any, StackValue]:
        """The value on top, and this stack without it."""
        count = self.count - 1
        value = jax.tree.map(
            lambda x: lax.dynamic_index_in_dim(jnp.asarray(x), count, 0, keepdims=False),
            self.buffer,
        )
        return value, StackValue(self.owner, self.most, self.buffer, count, self.peak)

    def in_loop(self, after: Any, turns: Any) -> StackValue:
        """This stack in the form in which a loop carries it: with room for what the loop pushes.

        Args:
          after: the stack after one iteration, with `jax.ShapeDtypeStruct`s for its parts.
          turns: how often the loop runs at most (`turns.most`, None if nobody knows), and
            `turns.room(owner)`, the room to try where it is not known what is needed.
        """
        count = jnp.asarray(self.count, jnp.int32)
        if self.most is None:
            return StackValue(self.owner, None, self.buffer, count, self.peak)
        if after.buffer is None or after.most == self.most:
            return StackValue(self.owner, self.most, self.buffer, count, self.peak)
        if after.most is None or turns.most is None:
            buffer = self._with_room(turns.room(self.owner), after.buffer)
            return StackValue(self.owner, None, buffer, count, count)
        most = self.most + turns.most * (after.most - self.most)
        return StackValue(self.owner, None, self._with_room(most, after.buffer), count, None)

    def after_loop(self, before: StackValue, turns: Any) -> StackValue:
        """This stack after the loop that `before` entered, checked for having had room."""
        if before.most is None:
            return self
        if self.peak is not None:
            turns.check_room(self.owner, self.peak, self._room)
        most = self._room if self.most is None else self.most
        return StackValue(self.owner, most, self.buffer, self.count)


def _new(ctx: Any) -> StackValue:
    return StackValue(ctx.op.name, 0, None, np.array(0, np.int32))


def _push(handle: Any, elem: Any) -> Any:
    handle.assign(handle.read().pushed(elem))
    return elem


def _pop(handle: Any, ctx: Any) -> Any:
    stack = handle.read()
    if stack.buffer is None or stack.most == 0:
        text = f"Stack[{stack.owner}] is empty when calling Pop()."
        ctx.check(False, errors.InvalidArgumentError, lambda: text)
    value, rest = stack.popped()
    handle.assign(rest)
    return value


@op("StackV2", source=True, local=True)
class StackV2:
    def shape(max_size: Any) -> Any:
        return (2,)

    def lower(max_size: Any, *, ctx: Any) -> Any:
        return _new(ctx)


@op("Stack", source=True, local=True)
class Stack:
    def shape() -> Any:
        return (2,)

    def lower(*, ctx: Any) -> Any:
        return _new(ctx)


@op("StackPushV2", "StackPush", writes=(0,), autodiff=True)
class StackPushV2:
    def shape(handle: Any, elem: Any) -> Any:
        return elem

    def lower(handle: Any, elem: Any) -> Any:
        return _push(handle, elem)


@op("StackPopV2", "StackPop", writes=(0,), autodiff=True)
class StackPopV2:
    def shape(handle: Any) -> Any:
        return None

    def lower(handle: Any, *, ctx: Any) -> Any:
        return _pop(handle, ctx)


@op("StackCloseV2", "StackClose", reads=(0,))
class StackCloseV2:
    def shape(handle: Any) -> Any:
        shapes.with_rank(handle, 1)
        return []

    def lower(handle: Any) -> Any:
        return []


not_differentiable("Stack", "StackPush", "StackPop", "StackClose")
