"""What the graph transforms share: what one is told, and how it takes graphs apart."""

from __future__ import annotations

import collections
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes, errors, op_defs, protos, tensor_proto


class Context(NamedTuple):
    """What a transform is told besides the graph; inputs and outputs are nodes or tensors."""

    inputs: Sequence[str]
    outputs: Sequence[str]
    params: Mapping[str, Sequence[str]]

    @property
    def input_nodes(self) -> list[str]:
        """The names of the nodes of the inputs."""
        return [node_of(name) for name in self.inputs]

    @property
    def output_nodes(self) -> list[str]:
        """The names of the nodes of the outputs."""
        return [node_of(name) for name in self.outputs]

    def only(self, name: str, default: str) -> str:
        """The value of a parameter that may be given once.

        Raises:
          InvalidArgumentError: it is given several times.
        """
        values = self.params.get(name, [default])
        if len(values) != 1:
            raise invalid(f"Expected a single '{name}' argument, but found {len(values)} instead")
        return values[0]

    def flag(self, name: str, default: bool = False) -> bool:
        """A parameter that is "true" or "false"."""
        return self.only(name, str(default)).lower() in ("true", "1", "t", "y", "yes")


def invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)


def node_of(name: str) -> str:
    """The node of an input such as "^name" or "name:1"."""
    return re.sub(r":\d+$", "", name.removeprefix("^"))


def graph_of(nodes: Iterable[Any], library: Any) -> Any:
    result = protos.GraphDef()
    result.node.extend(nodes)
    result.library.CopyFrom(library)
    return result


def by_name(graph_def: Any) -> dict[str, Any]:
    return {node.name: node for node in graph_def.node}


def renamed(node: Any, names: Mapping[str, str]) -> Any:
    """A copy of a node whose inputs have other names."""
    copy = protos.NodeDef()
    copy.CopyFrom(node)
    for i, name in enumerate(node.input):
        source = node_of(name)
        if source in names:
            is_control = name.startswith("^")
            copy.input[i] = f"^{node_of(names[source])}" if is_control else names[source]
    return copy


def needed_nodes(graph_def: Any, context: Context) -> list[Any]:
    """The inputs, and the nodes that the outputs need, without what is before the inputs.

    Raises:
      InvalidArgumentError: an output is not there.
    """
    nodes = by_name(graph_def)
    needed: set[str] = set()
    waiting = context.output_nodes
    for name in waiting:
        if name not in needed:
            if name not in nodes:
                raise invalid(f"Input node {name} not found in graph")
            needed.add(name)
            if name not in context.input_nodes:
                waiting.extend(node_of(source) for source in nodes[name].input)
    return [node for node in graph_def.node if node.name in needed.union(context.input_nodes)]


def sorted_nodes(graph_def: Any, newest_first: bool = True) -> list[Any]:
    """The nodes, each after its inputs.

    Args:
      graph_def: a `GraphDef`.
      newest_first: whether what has become ready last comes first, or the other way round.
    """
    users: dict[str, list[Any]] = collections.defaultdict(list)
    pending = {}
    for node in graph_def.node:
        for name in node.input:
            users[node_of(name)].append(node)
        # One of a loop's two inputs comes from its end.
        controls = sum(name.startswith("^") for name in node.input)
        pending[node.name] = controls + 1 if node.op == "Merge" else len(node.input)
    ready = collections.deque(node for node in graph_def.node if not node.input)
    order = []
    while ready:
        node = ready.pop() if newest_first else ready.popleft()
        order.append(node)
        for user in users[node.name]:
            pending[user.name] -= 1
            if not pending[user.name]:
                ready.append(user)
    return order


def replaced(
    graph_def: Any,
    match: Callable[[Any, Mapping[str, Any]], Sequence[Any] | None],
    replacement: Callable[..., Sequence[Any]],
    may_lose: bool = False,
) -> Any:
    """A graph with something else in the place of the heads of what matches.

    Args:
      graph_def: a `GraphDef`.
      match: gives, for a node and all nodes by name, the nodes of a match with it at the head.
      replacement: makes nodes of a match.
      may_lose: whether what other nodes need may be gone then; if not, such a match stays.
    """
    nodes = by_name(graph_def)
    taken: set[str] = set()
    heads = {}
    for node in sorted_nodes(graph_def):
        found = match(node, nodes)
        if found is not None and not taken & {part.name for part in found}:
            heads[node.name] = found
            taken |= {part.name for part in found}
    users = collections.defaultdict(set)
    for node in graph_def.node:
        for name in node.input:
            users[node_of(name)].add(node.name)
    result = []
    for node in graph_def.node:
        if node.name in heads:
            parts = heads[node.name]
            made = replacement(*parts)
            names = {part.name for part in parts}
            lost = names - {part.name for part in made}
            is_needed = not may_lose and any(users[name] - names for name in lost)
            result.extend(parts if is_needed else made)
        elif node.name not in taken:
            result.append(node)
    return graph_of(result, graph_def.library)


def is_stateful(node: Any) -> bool:
    definition = op_defs.get(node.op)
    return definition is None or definition.is_stateful


def const_node(name: str, value: np.ndarray, dtype: dtypes.DType) -> Any:
    node = protos.NodeDef(op="Const", name=name)
    proto = tensor_proto.make_tensor_proto(value, dtype=dtype, shape=value.shape)
    node.attr["dtype"].type = dtype.as_datatype_enum
    node.attr["value"].tensor.CopyFrom(proto)
    return node


def value_of(const: Any) -> np.ndarray:
    return tensor_proto.make_ndarray(const.attr["value"].tensor)


def data_inputs(node: Any) -> list[str]:
    return [name for name in node.input if not name.startswith("^")]
