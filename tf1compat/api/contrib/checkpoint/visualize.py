"""`tf.contrib.checkpoint.dot_graph_from_checkpoint`."""

from __future__ import annotations

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.training.tracking import base, util
from tf1compat.core.export import tf_export


def _escape(name: str) -> str:
    return name.replace('"', '\\"')


@tf_export("contrib.checkpoint.dot_graph_from_checkpoint")
def dot_graph_from_checkpoint(save_path: str) -> str:
    """The objects of a checkpoint as a graph in the language of Graphviz.

    Args:
      save_path: the checkpoint.

    Returns:
      The text of a `digraph`: a node for each object and its values, an edge for each attribute.
    """
    reader = pywrap_tensorflow.NewCheckpointReader(save_path)
    graph = util.object_metadata(save_path)
    shapes = reader.get_variable_to_shape_map()
    dtypes = reader.get_variable_to_dtype_map()
    slots = {slot.slot_variable_node_id for node in graph.nodes for slot in node.slot_variables}
    lines = ["digraph {"]
    for i, node in enumerate(graph.nodes):
        point = f'N_{i} [shape=point label=""'
        attributes = node.attributes
        if len(attributes) == 1 and attributes[0].name == base.VARIABLE_VALUE_KEY:
            color, kind = ("orange", "Slot variable") if i in slots else ("blue", "Variable")
            key = attributes[0].checkpoint_key
            lines.append(
                f'{point} color={color} width=.25 tooltip="{kind} '
                f'{_escape(attributes[0].full_name)} shape={shapes[key]} {dtypes[key].name}"]'
            )
        elif node.slot_variables:
            lines.append(f'{point} width=.25 color=red,tooltip="Optimizer"]')
        else:
            lines.append(f"{point} width=.25]")
        lines += [
            f'N_{i} -> N_{child.node_id} [label="{_escape(child.local_name)}"]'
            for child in node.children
        ]
        for slot in node.slot_variables:
            to = f"N_{slot.slot_variable_node_id}"
            lines.append(f'N_{i} -> {to} [label="{_escape(slot.slot_name)}" style=dotted]')
            lines.append(f"N_{slot.original_variable_node_id} -> {to} [style=dotted]")
    return "\n".join([*lines, "}"]) + "\n"
