"""The names in debugged graphs (`tensorflow.python.debug.lib.debug_graphs`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import op_defs, protos
from tf1compat.core.attribute import attribute

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


class GraphTracingReachedDestination(Exception):
    """A tracer has come to the node that it looked for."""


class DFSGraphTracer:
    """Goes from a node to all that it depends on, depth first.

    Args:
      input_lists: maps of node names to the names of what is their input.
      skip_node_names: the nodes beyond which it does not look.
      destination_node_name: the node whose finding is an error.
    """

    def __init__(
        self,
        input_lists: Iterable[Mapping[str, list[str]]],
        skip_node_names: Collection[str] | None = None,
        destination_node_name: str | None = None,
    ):
        self._input_lists = list(input_lists)
        self._skipped = set(skip_node_names or ())
        self._visited: set[str] = set()
        self._destination = destination_node_name
        self._found: list[tuple[str, int]] = []

    def trace(self, graph_element_name: str) -> None:
        """Traces what a node, or the node of a tensor, depends on.

        Raises:
          GraphTracingReachedDestination: it depends on the node that is looked for.
        """
        # A stack of its own, as graphs are deeper than Python's.
        stack = [iter(self._enter(graph_element_name))]
        while stack:
            element = next(stack[-1], None)
            if element is None:
                stack.pop()
            elif get_node_name(element) not in self._visited:
                self._found.append((element, len(stack)))
                stack.append(iter(self._enter(element)))

    def _enter(self, element: str) -> list[str]:
        """The inputs of a node that is seen for the first time."""
        node = get_node_name(element)
        if node == self._destination:
            raise GraphTracingReachedDestination
        if node in self._skipped:
            return []
        self._visited.add(node)
        return [name for inputs in self._input_lists for name in inputs.get(node, ())]

    def inputs(self) -> list[str]:
        """The names of what was found, in order."""
        return [name for name, _ in self._found]

    def depth_list(self) -> list[int]:
        """How far from the beginning each was found."""
        return [depth for _, depth in self._found]


class DebugGraph:
    """A graph that the debugger has put nodes into, as it was before.

    Args:
      debug_graph_def: the GraphDef.
      device_name: its device; that of its first node with one if None.

    Raises:
      ValueError: two nodes of one name.
    """

    def __init__(self, debug_graph_def: Any, device_name: str | None = None):
        self._debug_graph_def = debug_graph_def
        self._non_debug_graph_def: Any = None
        self._device_name = device_name or _device_of(debug_graph_def)
        self._nodes: dict[str, Any] = {}
        copied: dict[str, Any] = {}
        for node in debug_graph_def.node:
            if is_copy_node(node.name):
                copied[node.name] = node.input[0]
            elif not is_debug_node(node.name):
                if node.name in self._nodes:
                    raise ValueError(
                        f"Duplicate node name on device {self._device_name}: '{node.name}'"
                    )
                self._nodes[node.name] = node
        self._inputs: dict[str, list[str]] = {}
        self._ctrl_inputs: dict[str, list[str]] = {}
        for name, node in self._nodes.items():
            data = [i for i in node.input if not i.startswith("^")]
            self._inputs[name] = [copied.get(i, i) for i in data]
            controls = [i[1:] for i in node.input if i.startswith("^")]
            self._ctrl_inputs[name] = [i for i in controls if not is_debug_node(i)]
        self._recipients = self._turned_round(self._inputs)
        self._ctrl_recipients = self._turned_round(self._ctrl_inputs)
        self._ref_inputs = {
            name: recipients
            for name, recipients in self._recipients.items()
            if recipients and name in self._nodes and _gives_ref(self._nodes[name].op)
        }

    def _turned_round(self, inputs: dict[str, list[str]]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {name: [] for name in self._nodes}
        for name, elements in inputs.items():
            for element in elements:
                found.setdefault(get_node_name(element), []).append(name)
        return found

    device_name: str | None = attribute("_device_name", "The device.")
    debug_graph_def = attribute("_debug_graph_def", "The GraphDef with the debugger's nodes.")

    @property
    def non_debug_graph_def(self) -> Any:
        """The GraphDef without the debugger's nodes."""
        if self._non_debug_graph_def is None:
            graph = self._non_debug_graph_def = protos.GraphDef()
            for name, node in self._nodes.items():
                added = graph.node.add()
                added.CopyFrom(node)
                del added.input[:]
                added.input.extend(self._inputs[name])
                added.input.extend(f"^{control}" for control in self._ctrl_inputs[name])
        return self._non_debug_graph_def

    @property
    def node_devices(self) -> dict[str, set[str | None]]:
        """Node name -> its devices."""
        return {name: {node.device or self._device_name} for name, node in self._nodes.items()}

    @property
    def node_op_types(self) -> dict[str, str]:
        """Node name -> op type."""
        return {name: node.op for name, node in self._nodes.items()}

    @property
    def node_attributes(self) -> dict[str, Any]:
        """Node name -> its attrs."""
        return {name: node.attr for name, node in self._nodes.items()}

    node_inputs: dict[str, list[str]] = attribute("_inputs", "Node name -> its inputs.")
    node_ctrl_inputs: dict[str, list[str]] = attribute(
        "_ctrl_inputs", "Node name -> its control inputs."
    )

    @property
    def node_reversed_ref_inputs(self) -> dict[str, list[str]]:
        """The name of a node that gives references -> the nodes that may change what they lead
        to."""
        return self._ref_inputs

    node_recipients: dict[str, list[str]] = attribute(
        "_recipients", "Node name -> the nodes that take what it gives."
    )
    node_ctrl_recipients: dict[str, list[str]] = attribute(
        "_ctrl_recipients", "Node name -> the nodes that wait for it."
    )


def _gives_ref(op_type: str) -> bool:
    found = op_defs.get(op_type)
    return found is not None and any(arg.is_ref for arg in found.output_arg)


def _device_of(graph_def: Any) -> str | None:
    found = next((node.device for node in graph_def.node if node.device), None)
    if found is None:
        logging.warn(
            "Failed to infer device name from partition GraphDef: none of the nodes of the "
            "GraphDef has a non-empty device name."
        )
    return found


def reconstruct_non_debug_graph_def(debug_graph_def: Any) -> Any:
    """A GraphDef without the nodes that the debugger put into it.

    Args:
      debug_graph_def: a GraphDef, as in `RunMetadata.partition_graphs`.
    """
    return DebugGraph(debug_graph_def).non_debug_graph_def
