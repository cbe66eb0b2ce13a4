"""A part of a run as a message, and as a graph again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import protos
from tf1compat.core.graph import Graph
from tf1compat.core.graph_def import fill_node_def, fill_placeholder, versions
from tf1compat.core.graph_import import Importer, import_functions, parse_tensor_name
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.tasks import takes_reference

_GIVEN = "given_to_this_part"


def graph_def(part: Part) -> Any:
    """The operations of a part as a GraphDef, with placeholders for what it is given.

    Where another part wrote to a variable, this one refers to the variable itself.
    """
    ops = sorted(part.ops, key=lambda op: op._id)
    graph = ops[0]._graph
    names = dict(zip(part.given, given_names(part), strict=True))
    result = protos.GraphDef()
    result.versions.CopyFrom(versions(graph))
    for tensor, name in names.items():
        fill_placeholder(result.node.add(), name, tensor)
    for op in ops:
        node = result.node.add()
        fill_node_def(node, op, sort_control_inputs=True)
        node.device = ""
        node.attr.pop("_class", None)
        del node.input[:]
        for index, tensor in enumerate(op._inputs):
            if tensor not in names and tensor._op not in part.ops and takes_reference(op, index):
                tensor = plan_lib.source_of(tensor)
            node.input.append(names.get(tensor) or tensor._as_node_def_input())
        node.input.extend(f"^{c._name}" for c in op._control_inputs if c in part.ops)
    for function in graph._functions.values():
        result.library.function.add().CopyFrom(function.definition)
        gradient = getattr(function, "grad_func_name", None)
        if gradient:
            result.library.gradient.add(function_name=function.name, gradient_func=gradient)
    return result


def given_names(part: Part) -> list[str]:
    """The names of the placeholders for what a part is given."""
    taken = {op._name for op in part.ops}
    prefix = _GIVEN
    while any(name.startswith(prefix) for name in taken):
        prefix += "_"
    return [f"{prefix}/{number}" for number in range(len(part.given))]


class PartGraph(Graph):
    """The graph of a part that came as a message: its errors name the node, and the session that
    sent it knows the line."""

    def error_text(self, op: Any, text: str) -> str:
        return f"{text}\n\t {placed(op.name)}"


def placed(name: str) -> str:
    """What stands for a node, and the line that made it, in the text of an error."""
    return f"[[{{{{node {name}}}}}]]"


def graph_of(definition: Any) -> PartGraph:
    """The graph of a GraphDef.

    Raises:
      ValueError, OpError: the GraphDef is not well-formed.
    """
    graph = PartGraph()
    import_functions(graph, definition.library)
    importer = Importer(graph, check_colocation=False, producer=definition.versions.producer)
    with graph.as_default():
        importer.add(definition.node)
    return graph


def tensors_of(graph: Graph, names: Sequence[str]) -> list[Tensor]:
    """The tensors of these names.

    Raises:
      ValueError, KeyError, IndexError: there is none.
    """
    found = []
    for name in names:
        node, index = parse_tensor_name(name)
        found.append(graph._nodes_by_name[node]._outputs[index])
    return found
