"""Tables, queues and readers: what lives in a session behind a handle, besides variables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()


def find(ctx: Any, handle: Any, make: Callable[[Any], T]) -> T:
    """The object behind a handle.

    Args:
      ctx: of the lowering.
      handle: the `Ref` that the operation got.
      make: makes the object for the operation that owns the handle, when it is first asked for.
    """
    resources = ctx.session.resources
    with _lock:
        if handle.key not in resources:
            resources[handle.key] = make(handle.source)
        return resources[handle.key]
