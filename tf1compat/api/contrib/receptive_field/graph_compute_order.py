"""How far from a graph's beginning its nodes are, and the size of the images there."""

from __future__ import annotations

import collections
import math
from typing import Any

from tf1compat.api.contrib.receptive_field import parse_layer_parameters
from tf1compat.core.export import tf_export

_node_info = collections.namedtuple("NodeInfo", ["order", "node", "input_size", "output_size"])


def parse_graph_nodes(graph_def: Any) -> dict[str, Any]:
    """The nodes of a GraphDef by name."""
    return {node.name: node for node in graph_def.node}


def _compute_output_resolution(size: Any, kernel: Any, stride: Any, padding: Any) -> Any:
    """The size of an image after a layer; None if something is unknown."""
    if None in (size, kernel, stride, padding):
        return None
    return math.ceil((size + padding - kernel + 1) / stride)


@tf_export("contrib.receptive_field.get_compute_order")
def get_compute_order(
    graph_def: Any, input_node_name: str = "", input_node_size: Any = None
) -> tuple[Any, dict[str, Any]]:
    """Orders the nodes of a graph.

    Args:
      graph_def: a GraphDef.
      input_node_name: the node with the images, where counting begins.
      input_node_size: their (height, width); or None.

    Returns:
      (name -> a tuple of `order`, the length of the longest way from a beginning, `node`,
      `input_size` and `output_size`; name -> NodeDef).
    """
    nodes = parse_graph_nodes(graph_def)
    make: Any = _node_info
    found: Any = collections.defaultdict(make)
    for node in graph_def.node:
        # Inputs first; a stack instead of recursion, as graphs are deep.
        waiting = [node.name]
        while waiting:
            name = waiting[-1]
            sources = [] if name == input_node_name else _sources(nodes[name])
            missing = [source for source in sources if source not in found]
            if name in found or not missing:
                waiting.pop()
            if name in found:
                continue
            if missing:
                waiting.extend(reversed(missing))
            elif name == input_node_name:
                found[name] = _node_info(0, nodes[name], None, input_node_size)
            else:
                found[name] = _after(nodes[name], [found[source] for source in sources], nodes)
    return found, nodes


def _sources(node: Any) -> list[str]:
    return [name.partition(":")[0] for name in node.input if not name.startswith("^")]


def _after(node: Any, sources: list[Any], nodes: dict[str, Any]) -> Any:
    """A node after others; its first input is the images."""
    order = max((source.order + 1 for source in sources), default=0)
    size = sources[0].output_size if sources else None
    after = None
    if size is not None:
        # Across and down.
        kernel_x, kernel_y, stride_x, stride_y, _, _, padding_x, padding_y = (
            parse_layer_parameters.get_layer_params(node, nodes, size, force=True)
        )
        # As TensorFlow pairs them: the height with what is across.
        after = [
            _compute_output_resolution(size[0], kernel_x, stride_x, padding_x),
            _compute_output_resolution(size[1], kernel_y, stride_y, padding_y),
        ]
    return _node_info(order, node, size, after)
