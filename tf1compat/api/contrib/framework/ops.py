"""The graph of given inputs, and the current name scope
(`tensorflow.contrib.framework.python.ops.ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph

__all__ = ["get_graph_from_inputs", "get_name_scope"]


@tf_export("contrib.framework.get_graph_from_inputs")
def get_graph_from_inputs(op_input_list: Any, graph: Graph | None = None) -> ops.Graph:
    """The graph that inputs are in; the default graph if none of them is in one.

    Args:
      op_input_list: tensors, operations and other values.
      graph: the graph that they must be in, if any.

    Returns:
      A `tf.Graph`.

    Raises:
      TypeError: `graph` is no graph.
      ValueError: the inputs are in different graphs, or not in `graph`.
    """
    return ops._get_graph_from_inputs(op_input_list, graph)


@tf_export("contrib.framework.get_name_scope")
def get_name_scope() -> str:
    """The current name scope of the default graph, without a slash at its end."""
    return ops.get_default_graph().get_name_scope()
