"""Large constants are handed to programs as arguments instead of being compiled into them."""

from __future__ import annotations

import math
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import constants
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.trace.values import takes_known

# Smaller ones are compiled into the program.
_ELEMENTS = 1 << 14

Constants = dict[Tensor, np.ndarray]


def find(ops: Iterable[Any], feeds: set[Tensor]) -> Constants:
    """The large constants that steps of a program use, except those that must be known when it is
    compiled.

    Args:
      ops: the steps.
      feeds: tensors whose values are given.
    """
    found: Constants = {}
    fixed: set[Tensor] = set()
    for op in ops:
        for member in plan_lib.members(op):
            # A constant that waits for something, as in a loop or a branch, is a step itself.
            own = () if member._inputs else member._outputs
            for tensor in (*member._inputs, *own):
                if tensor not in found and tensor not in feeds and _is_large(tensor, feeds):
                    value = constants.known_value(tensor)
                    if value is not None and value.dtype != object:
                        found[tensor] = value
            if member._spec.const:
                fixed.update(t for i, t in enumerate(member._inputs) if takes_known(member, i))
    return {tensor: value for tensor, value in found.items() if tensor not in fixed}


def _is_large(tensor: Tensor, feeds: set[Tensor]) -> bool:
    shape = tensor._shape
    if shape is None or None in shape or math.prod(shape) <= _ELEMENTS:  # pyright: ignore
        return False
    return not tensor._op._inputs or plan_lib.is_constant(tensor._op, feeds)


# By (id of the array, device): one copy for all programs, as long as one of them uses it.
_copies: weakref.WeakValueDictionary[tuple[int, Any], Any] = weakref.WeakValueDictionary()


def on_device(found: Constants) -> list[Any]:
    """What to hand to a program: arrays on the default device. One value all over is a scalar."""
    return [_copy(value) for value in found.values()]


def _copy(value: np.ndarray) -> Any:
    config: Any = jax.config
    key = id(value), config.jax_default_device
    copy = _copies.get(key)
    if copy is None:
        with jax.enable_x64(True):
            copy = jnp.asarray(value if any(value.strides) else value.flat[0])
        _copies[key] = copy
    return copy


def unpacked(found: Constants, handed: Sequence[Any]) -> dict[Tensor, Any]:
    """The constants inside of the program that was handed what `on_device` gave."""
    return {
        tensor: jnp.broadcast_to(array, value.shape)
        for (tensor, value), array in zip(found.items(), handed, strict=True)
    }
