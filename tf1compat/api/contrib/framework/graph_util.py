"""Looking into a graph (`tensorflow.contrib.framework.python.framework.graph_util`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.framework import graph_util_impl
from tf1compat.core import ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph

__all__ = ["fuse_op", "get_placeholders"]


@tf_export("contrib.framework.fuse_op")
def fuse_op(
    graph_def: Any,
    input_nodes: Sequence[str],
    output_nodes: Sequence[str],
    output_dtypes: Sequence[int],
    output_quantized: bool,
    op_name: str,
    op_type: str,
) -> Any:
    """Puts one node in the place of those between some nodes and others.

    Args:
      graph_def: a `GraphDef`.
      input_nodes: the names of the nodes that it reads.
      output_nodes: the names of the nodes, each of one input, that read its outputs afterwards.
      output_dtypes: the types of its outputs, as numbers of `DataType`.
      output_quantized: whether these are quantized.
      op_name: its name.
      op_type: its op type.

    Returns:
      A `GraphDef`: what `input_nodes` need and they themselves, the new node, `output_nodes`, and
      what neither of them needs.

    Raises:
      TypeError: `graph_def` is no `GraphDef`, names are no list, or a node between reads another
        one that `input_nodes` need.
      AssertionError: a node is not in the graph.
    """
    if not isinstance(graph_def, protos.GraphDef):
        raise TypeError("graph_def must be a graph_pb2.GraphDef proto.")
    for argument, names in (("input_nodes", input_nodes), ("output_nodes", output_nodes)):
        if isinstance(names, str):
            raise TypeError(f"{argument} must be a list.")
    nodes = {graph_util_impl._node_name(node.name): node for node in graph_def.node}
    for name in [*input_nodes, *output_nodes]:
        assert name in nodes, f"{name} is not in graph"
    before = _needed(nodes, input_nodes)
    needed = _needed(nodes, output_nodes)
    for name in nodes:
        if name in needed.keys() - before.keys() - set(output_nodes):
            read = _needed(nodes, [name], up_to=set(input_nodes))
            others = [other for other in read if other in before and other not in input_nodes]
            if others:
                raise TypeError(f"Node {name} uses input {others[0]} not in input_nodes.")
    fused = protos.NodeDef(name=op_name, op=op_type, input=input_nodes)
    fused.attr["_output_types"].list.type.extend(output_dtypes)
    fused.attr["_output_quantized"].b = output_quantized
    made = protos.GraphDef(library=graph_def.library, versions=graph_def.versions)
    made.node.extend(node for name, node in nodes.items() if name in before)
    made.node.append(fused)
    for i, name in enumerate(output_nodes):
        assert len(nodes[name].input) == 1
        made.node.append(nodes[name])
        made.node[-1].input[:] = [f"{op_name}:{i}" if i else op_name]
    made.node.extend(node for name, node in nodes.items() if name not in {**before, **needed})
    return made


def _needed(
    nodes: dict[str, Any], names: Sequence[str], up_to: set[str] | None = None
) -> dict[str, None]:
    """The names of nodes and of all that they need, the nearest first; not what `up_to` needs."""
    found: dict[str, None] = {}
    waiting = list(names)
    for name in waiting:
        if name not in found:
            found[name] = None
            if name not in (up_to or ()):
                waiting.extend(graph_util_impl._node_name(x) for x in nodes[name].input)
    return found


@tf_export("contrib.framework.get_placeholders")
def get_placeholders(graph: Graph) -> list[Any]:
    """The placeholders of a graph, in the order of their creation.

    Args:
      graph: a `tf.Graph`.

    Returns:
      The outputs of its operations of type Placeholder.

    Raises:
      TypeError: `graph` is no graph.
    """
    if not isinstance(graph, ops.Graph):
        raise TypeError(f"Input graph needs to be a Graph: {graph}")
    return [op.outputs[0] for op in graph.get_operations() if op.type == "Placeholder"]
