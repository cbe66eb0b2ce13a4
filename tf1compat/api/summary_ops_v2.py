"""Summaries that an operation writes (`tensorflow.python.ops.summary_ops_v2`): their writers are
not supported yet, so that there is never one to use."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("summary.all_v2_summary_ops")
def all_v2_summary_ops() -> list[Any] | None:
    """The operations of the default graph that write summaries; None when executing eagerly."""
    if ops.executing_eagerly():
        return None
    return ops.get_collection(ops.GraphKeys._SUMMARY_COLLECTION)


@tf_export("summary.initialize")
def initialize(graph: Any = None, session: Any = None) -> None:
    """Initialises the default writer.

    Args:
      graph: a `Graph` or `GraphDef` to write.
      session: the default session by default.

    Raises:
      RuntimeError: there is no default writer.
    """
    if ops.executing_eagerly():
        return
    raise RuntimeError("No default tf.contrib.summary.SummaryWriter found")
