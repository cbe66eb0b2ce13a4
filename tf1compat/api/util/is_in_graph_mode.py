"""`tensorflow.python.util.is_in_graph_mode`."""

from __future__ import annotations

from tf1compat.core import context


def IS_IN_GRAPH_MODE() -> bool:  # noqa: N802
    """Whether operations are recorded, and not run at once."""
    return not context.executing_eagerly()
