"""Questions about control-flow contexts (`tensorflow.python.ops.control_flow_util`)."""

from __future__ import annotations

from typing import Any


def IsSwitch(op: Any) -> bool:  # noqa: N802
    """Whether `op` is a Switch."""
    return op.type in ("Switch", "RefSwitch")


def IsMerge(op: Any) -> bool:  # noqa: N802
    """Whether `op` is a Merge."""
    return op.type in ("Merge", "RefMerge")


def IsLoopEnter(op: Any) -> bool:  # noqa: N802
    """Whether `op` enters a while loop."""
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op: Any) -> bool:  # noqa: N802
    """Whether `op` leaves a while loop."""
    return op.type in ("Exit", "RefExit")


def GetOutputContext(op: Any) -> Any:  # noqa: N802
    """The context of the outputs of `op`: for a loop's Exit, the one around the loop."""
    inside = op._get_control_flow_context()
    if inside is not None and IsLoopExit(op):
        inside = inside.outer_context
    return inside


def OpInContext(op: Any, ctxt: Any) -> bool:  # noqa: N802
    """Whether `op` is in context `ctxt` or one nested in it."""
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:  # noqa: N802
    """Whether `maybe_containing_ctxt` is `ctxt` or around it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:  # noqa: N802
    """The innermost while context around `ctxt` (or itself)."""
    while ctxt is not None:
        if ctxt.IsWhileContext() or ctxt is stop_ctxt:
            return ctxt
        ctxt = ctxt.outer_context
    return None


def GetContainingCondContext(ctxt: Any) -> Any:  # noqa: N802
    """The innermost cond context around `ctxt` (or itself)."""
    while ctxt is not None:
        if ctxt.IsCondContext():
            return ctxt
        ctxt = ctxt.outer_context
    return None


def IsInWhileContext(op: Any) -> bool:  # noqa: N802
    """Whether `op` is inside a while loop."""
    return GetContainingWhileContext(GetOutputContext(op)) is not None


def IsInCondContext(op: Any) -> bool:  # noqa: N802
    """Whether `op` is inside a cond."""
    return GetContainingCondContext(GetOutputContext(op)) is not None
