"""Tables, queues and readers: what lives in a session behind a handle, besides variables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from tf1compat.core.typing import LoweringContext

T = TypeVar("T")

_lock = threading.Lock()


def find(ctx: LoweringContext, handle: Any, make: Callable[[Any], T]) -> T:
    """The object behind a handle.

    Args:
      ctx: of the lowering.
      handle: the `Ref` that the operation got.
      make: makes the object for the operation that owns the handle, when it is first asked for.
    """
    resources = _place(ctx, handle)
    with _lock:
        if handle.key not in resources:
            resources[handle.key] = make(handle.source)
        return resources[handle.key]


def exists(ctx: LoweringContext, handle: Any) -> bool:
    """Whether there is an object behind a handle yet."""
    return handle.key in _place(ctx, handle)


def _place(ctx: LoweringContext, handle: Any) -> dict[Any, Any]:
    return shared(ctx.session) if _is_shared(handle.source) else ctx.session.resources


def shared(session: Any) -> dict[Any, Any]:
    """The resources that a session shares with others on its server; its own if it is on none."""
    return getattr(session, "shared_resources", session.resources)


def _is_shared(source: Any) -> bool:
    """Whether the resource that an operation owns goes by a name, and not by the operation."""
    attrs = source._attrs
    return bool(attrs.get("shared_name") or attrs.get("use_node_name_sharing"))
