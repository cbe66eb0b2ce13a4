"""The names in debugged graphs (`tensorflow.python.debug.lib.debug_graphs`)."""

from __future__ import annotations

_COPY, _DEBUG = "__copy_", "__dbg_"


def parse_node_or_tensor_name(name: str) -> tuple[str, int | None]:
    """The node and the output's number in "node" (then None) or "node:1"."""
    node, colon, slot = name.rpartition(":")
    return (node, int(slot)) if colon and slot else (name, None)


def get_node_name(element_name: str) -> str:
    """The node of a node's or tensor's name."""
    return parse_node_or_tensor_name(element_name)[0]


def get_output_slot(element_name: str) -> int:
    """The output's number in a tensor's name; 0 in a node's."""
    return parse_node_or_tensor_name(element_name)[1] or 0


def is_copy_node(node_name: str) -> bool:
    """Whether a node is one that the debugger put in to copy a tensor."""
    return node_name.startswith(_COPY)


def is_debug_node(node_name: str) -> bool:
    """Whether a node is one that the debugger put in to watch a tensor."""
    return node_name.startswith(_DEBUG)


def parse_debug_node_name(node_name: str) -> tuple[str, int, int, str]:
    """What is in the name of a debug node, e.g. "__dbg_ns/a:1_0_DebugIdentity".

    Returns:
      The watched node, the number of its output, that of the debug op, and the debug op's type.

    Raises:
      ValueError: it is not such a name.
    """
    if not is_debug_node(node_name):
        raise ValueError(f"Invalid prefix in debug node name: '{node_name}'")
    parts = node_name.removeprefix(_DEBUG).rsplit("_", 2)
    if len(parts) < 3:
        raise ValueError(f"Invalid debug node name: '{node_name}'")
    tensor, index, debug_op = parts
    number = int(index)
    node, slot = parse_node_or_tensor_name(tensor)
    if slot is None:
        raise ValueError(f"Invalid tensor name in debug node name: '{node_name}'")
    return node, slot, number, debug_op
