"""`tensorflow.python.autograph.utils.misc`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops, raw_ops


def alias_tensors(*args: Any) -> Any:
    """Identities of the arguments that are tensors, and the others as they are.

    Args:
      *args: the arguments.

    Returns:
      An iterator; of a single argument, what becomes of it.

    Raises:
      ValueError: there are none.
    """
    if not args:
        raise ValueError("at least one argument required")
    aliased: Iterator[Any] = (
        array_ops.identity(arg) if isinstance(arg, ops.Tensor) else arg for arg in args
    )
    return aliased if len(args) > 1 else next(aliased)


def capitalize_initial(s: str) -> str:
    """A text with its first letter as a capital.

    Args:
      s: the text, which may be empty.
    """
    return s[:1].upper() + s[1:]


def get_range_len(start: Any, limit: Any, delta: Any) -> ops.Tensor:
    """How many numbers `tf.range` of the same arguments has.

    Args:
      start, limit, delta: scalars, of which `limit - start` is a tensor or becomes one.
    """
    distance = ops.convert_to_tensor(limit - start)
    whole = distance // delta
    rest = raw_ops.NotEqual(distance % delta, array_ops.zeros_like(whole))
    length = whole + math_ops.cast(rest, distance.dtype)
    return raw_ops.Maximum(length, array_ops.zeros_like(length))
