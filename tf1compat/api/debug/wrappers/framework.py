"""What a debugging session is told (`tensorflow.python.debug.wrappers.framework`)."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(eq=False)
class WatchOptions:
    """Which tensors to watch, and how: what a `watch_fn` returns.

    Args:
      debug_ops: the type or types of debug ops; "DebugIdentity" by default.
      node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist: only
        tensors that match all of these.
      tolerate_debug_op_creation_failures: whether debug ops that don't fit are left out.
    """

    debug_ops: Any = None
    node_name_regex_whitelist: str | None = None
    op_type_regex_whitelist: str | None = None
    tensor_dtype_regex_whitelist: str | None = None
    tolerate_debug_op_creation_failures: bool = False

    def __post_init__(self) -> None:
        self.debug_ops = self.debug_ops or ["DebugIdentity"]
