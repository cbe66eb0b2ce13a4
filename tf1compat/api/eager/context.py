"""`tensorflow.python.eager.context`: switching between graphs and eager execution."""

from __future__ import annotations

from tf1compat.core.context import executing_eagerly, mode

in_eager_mode = executing_eagerly


def eager_mode() -> mode:
    """Context manager: ops run at once."""
    return mode(True)


def graph_mode() -> mode:
    """Context manager: ops are recorded."""
    return mode(False)
