"""A function of the library as a graph of its own again, as TF 1.15 makes it of the `FunctionDef`.

The gradient of a functional conditional or loop is recorded from such copies of its functions: the
nodes have the names of the `FunctionDef`, inputs are placeholders named after the arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import protos
from tf1compat.core.func_graph import FuncGraph
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
    if input_shapes and len(input_shapes) != len(signature.input_arg):
        raise ValueError(
            "Length of input_shapes must match the number of input_args. len(input_shapes): "
            f"{len(input_shapes)} len(input_arg): {len(signature.input_arg)}"
        )
    outer = get_default_graph()
    graph = FuncGraph(signature.name)
    if copy_functions:
        graph._functions.update(outer._functions)
    for function in called:
        function.add_to_graph(graph)
    nodes = []
    for i, arg in enumerate(signature.input_arg):
        node = protos.NodeDef(name=arg.name, op="Placeholder")
        node.attr["dtype"].type = arg.type
        if input_shapes and input_shapes[i] is not None:
            node.attr["shape"].shape.CopyFrom(input_shapes[i].as_proto())
        for key, value in fdef.arg_attr[i].attr.items():
            if key.startswith("_"):
                node.attr[key].CopyFrom(value)
        nodes.append(node)
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
