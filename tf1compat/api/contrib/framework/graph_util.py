"""Looking into a graph (`tensorflow.contrib.framework.python.framework.graph_util`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops
from tf1compat.core.export import tf_export

__all__ = ["get_placeholders"]


@tf_export("contrib.framework.get_placeholders")
def get_placeholders(graph: Any) -> list[Any]:
    """The placeholders of a graph, in the order of their creation.

    Raises:
      TypeError: `graph` is no graph.
    """
    if not isinstance(graph, ops.Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]
