"""`tensorflow.python.util.tf_contextlib`: context managers whose generator can be looked up."""

from __future__ import annotations

import contextlib as _contextlib
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

from tf1compat.core import tf_decorator

__all__ = ["contextmanager"]

P = ParamSpec("P")
T = TypeVar("T")


def contextmanager(
    target: Callable[P, Iterator[T]],
) -> Callable[P, _contextlib.AbstractContextManager[T]]:
    """Makes a context manager of a generator, as `contextlib` does, with a note of what it is made
    of.

    Args:
      target: the generator function.

    Returns:
      The function that makes context managers.
    """
    manager = _contextlib.contextmanager(target)
    return tf_decorator.make_decorator(target, manager, "contextmanager")
