"""A function of the library as a graph of its own again, as TF 1.15 makes it of the `FunctionDef`.

The gradient of a functional conditional or loop is recorded from such copies of its functions: the
nodes have the names of the `FunctionDef`, inputs are placeholders named after the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import protos
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.function_def import output_places
from tf1compat.core.graph_import import BodyImporter
from tf1compat.core.scopes import get_default_graph


def function_def_to_graph(
    fdef: Any,
    input_shapes: Sequence[Any] | None = None,
    copy_functions: bool = True,
    called: Sequence[Any] = (),
) -> FuncGraph:
    """The body of a function, as a new graph around which the default graph lies.

    Args:
      fdef: the `FunctionDef`; the functions that it calls are in the default graph.
      input_shapes: the `TensorShape`s of the inputs; None for those that are not known.
      copy_functions: whether the new graph has all functions of the default graph.
      called: concrete functions that it has besides.

    Raises:
      ValueError: there are not as many shapes as inputs.
    """
    signature = fdef.signature
    nodes = _placeholders(fdef, input_shapes)
    outer = get_default_graph()
    graph = FuncGraph(signature.name)
    if copy_functions:
        graph._functions.update(outer._functions)
    for function in called:
        function.add_to_graph(graph)
    importer = BodyImporter(graph, check_colocation=False)
    with graph.as_default():
        importer.add([*nodes, *fdef.node_def])
    graph.inputs = [importer.operations[arg.name]._outputs[0] for arg in signature.input_arg]
    for arg in signature.output_arg:
        tensor = importer.output(importer._parse(fdef.ret[arg.name]))
        assert tensor is not None
        graph.outputs.append(tensor)
    graph.control_outputs = [
        importer.operations[fdef.control_ret[name]] for name in signature.control_output
    ]
    return graph


def _placeholders(fdef: Any, input_shapes: Sequence[Any] | None) -> list[Any]:
    """The `NodeDef`s that stand for the inputs of a function."""
    arguments = fdef.signature.input_arg
    if input_shapes and len(input_shapes) != len(arguments):
        raise ValueError(
            "Length of input_shapes must match the number of input_args. len(input_shapes): "
            f"{len(input_shapes)} len(input_arg): {len(arguments)}"
        )
    nodes = []
    for i, arg in enumerate(arguments):
        node = protos.NodeDef(name=arg.name, op="Placeholder")
        node.attr["dtype"].type = arg.type
        shape = input_shapes[i] if input_shapes else None
        if shape is not None:
            is_proto = isinstance(shape, protos.TensorShapeProto)
            node.attr["shape"].shape.CopyFrom(shape if is_proto else shape.as_proto())
        for key, value in fdef.arg_attr[i].attr.items():
            if key.startswith("_"):
                node.attr[key].CopyFrom(value)
        nodes.append(node)
    return nodes


def function_def_to_graph_def(
    fdef: Any, input_shapes: Sequence[Any] | None = None, copy_functions: bool = True
) -> tuple[Any, dict[str, str]]:
    """The body of a function as a `GraphDef` (as in TF 1.15).

    Args:
      fdef: the `FunctionDef`; the functions that it calls are in the default graph.
      input_shapes: the `TensorShape`s of the inputs; None for those that are not known.
      copy_functions: whether the proto has all functions of the default graph.

    Returns:
      The `GraphDef`, and the names that tensors have in it by those that they have in `fdef`.

    Raises:
      ValueError: there are not as many shapes as inputs.
    """
    nodes = _placeholders(fdef, input_shapes)
    graph = function_def_to_graph(fdef, input_shapes, copy_functions)
    inputs = {node.name for node in nodes}
    names: dict[str, str] = {}
    for op in graph.get_operations():
        names[f"^{op.name}"] = f"^{op.name}"
        if op.name in inputs:
            names[op.name] = f"{op.name}:0"
            continue
        for i, (arg, index) in enumerate(output_places(op)):
            names[f"{op.name}:{arg}:{index}"] = f"{op.name}:{i}"
    graph_def = protos.GraphDef(versions=graph.graph_def_versions, node=[*nodes, *fdef.node_def])
    graph_def.library.CopyFrom(graph.as_graph_def().library)
    for node in graph_def.node:
        node.input[:] = [names[name] for name in node.input]
    return graph_def, names


def is_function(fname: str) -> bool:
    """Whether the default graph has a function.

    Args:
      fname: its name.
    """
    return get_default_graph()._is_function(fname)
