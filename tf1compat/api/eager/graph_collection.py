"""The graphs of functions that run eagerly, for TensorBoard (`RunMetadata.function_graphs`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import eager, ops, protos, scopes

_CALLS = ("PartitionedCall", "StatefulPartitionedCall")


class GraphCollection:
    """Notes, while it is on, which functions run."""

    def __init__(self) -> None:
        self._functions: dict[str, Any] = {}

    def start(self) -> None:
        """Begins to collect."""
        if self._note not in eager.callbacks:
            eager.callbacks.append(self._note)

    def stop(self) -> None:
        """Ends it; what was collected is dropped."""
        if self._note in eager.callbacks:
            eager.callbacks.remove(self._note)
        self._functions.clear()

    def export(self) -> Any:
        """A `RunMetadata` with the graphs of the functions that ran since the last one, each once.

        No function is optimized or cut up node by node here: so the graphs before and after are
        the same, and the one partition as well.
        """
        found = protos.load("config_pb2", "RunMetadata")()
        functions, self._functions = self._functions, {}
        for function in functions.values():
            graph_def = _body(function)
            graphs = found.function_graphs.add(
                pre_optimization_graph=graph_def, post_optimization_graph=graph_def
            )
            graphs.partition_graphs.add().CopyFrom(graph_def)
            found.partition_graphs.add().CopyFrom(graph_def)
        return found

    def _note(self, op_type: str, inputs: Any, attrs: Any, outputs: Any, name: Any) -> None:
        if op_type in _CALLS:
            called = attrs[attrs.index("f") + 1]
            if called not in self._functions:
                self._functions[called] = scopes.get_default_graph()._get_function(called)


def _body(function: Any) -> Any:
    """A function's body as TF instantiates it: with a node for each argument and result."""
    graph_def = function.graph.as_graph_def()
    arguments = {tensor.op.name: i for i, tensor in enumerate(function.inputs)}
    for node in graph_def.node:
        if node.name in arguments:
            dtype = node.attr["dtype"].type
            node.op = "_Arg"
            node.attr.clear()
            node.attr["T"].type = dtype
            node.attr["index"].i = arguments[node.name]
    for i, tensor in enumerate(function.outputs):
        node = graph_def.node.add(
            name=f"{tensor.op.name.lower()}_RetVal", op="_Retval", input=[_input_name(tensor)]
        )
        node.attr["T"].type = tensor.dtype.as_datatype_enum
        node.attr["index"].i = i
    return graph_def


def _input_name(tensor: ops.Tensor) -> str:
    return tensor.op.name if tensor.value_index == 0 else tensor.name
