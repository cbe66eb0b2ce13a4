"""A recorded graph as TF's protos: NodeDef, GraphDef, FunctionDef."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, protos
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.tensor_shape import TensorShape

# Of graphs with functions.
_MIN_CONSUMER = 12


def versions(graph: Any) -> Any:
    """The `VersionDef` of a graph: TF 1.15's, or that of the oldest GraphDef imported into it."""
    min_consumer = _MIN_CONSUMER if graph._functions else 0
    return protos.VersionDef(producer=graph._producer, min_consumer=min_consumer)


def fill_node_def(node: Any, op: Any, sort_control_inputs: bool) -> None:
    """Writes operation `op` into the NodeDef `node`."""
    node.name = op._name
    node.op = op._spec.name
    node.input.extend(tensor._as_node_def_input() for tensor in op._inputs)
    controls = [f"^{control._name}" for control in op._control_inputs]
    # A whole GraphDef lists them by name; a single NodeDef as they were given.
    node.input.extend(sorted(controls) if sort_control_inputs else controls)
    if op._device:
        node.device = op._device
    for key, value in op._attrs.items():
        node.attr[key].CopyFrom(to_attr_value(value, op._attr_kind(key)))


def fill_placeholder(node: Any, name: str, tensor: Any) -> None:
    """Makes the NodeDef `node` a placeholder for the value of `tensor`."""
    node.name, node.op = name, "Placeholder"
    node.attr["dtype"].CopyFrom(to_attr_value(tensor._dtype.base_dtype, "type"))
    shape = TensorShape.from_tuple(tensor._shape)
    node.attr["shape"].CopyFrom(to_attr_value(shape, "shape"))


def node_def(op: Any) -> Any:
    """The NodeDef of one operation."""
    node = protos.NodeDef()
    fill_node_def(node, op, sort_control_inputs=False)
    moved = op._graph._moved_edges
    if moved:
        for index, tensor in enumerate(op._inputs):
            # TF writes the number of the output there, 0 too; a whole GraphDef has none.
            if tensor._value_index == 0 and (op, index) in moved:
                node.input[index] = f"{tensor._op._name}:0"
    return node


def graph_def(graph: Any, from_version: int | None = None, add_shapes: bool = False) -> Any:
    """The GraphDef of `graph`, library functions included."""
    from tf1compat.core.func_graph import FuncGraph

    result = protos.GraphDef()
    result.versions.CopyFrom(versions(graph))
    for op in graph._operations:
        if from_version is not None and op._id <= from_version:
            continue
        node = result.node.add()
        fill_node_def(node, op, sort_control_inputs=True)
        if add_shapes and op._outputs:
            node.attr["_output_shapes"].list.shape.extend(
                TensorShape.from_tuple(tensor._shape).as_proto() for tensor in op._outputs
            )
    for function in graph._functions.values():
        definition = result.library.function.add()
        definition.CopyFrom(function.definition)
        is_read = getattr(function, "is_read", True)
        if add_shapes and is_read and isinstance(function.graph, FuncGraph):
            _add_function_shapes(definition, function.graph)
        gradient = getattr(function, "grad_func_name", None)
        if gradient:
            result.library.gradient.add(function_name=function.name, gradient_func=gradient)
    return result


def _add_function_shapes(definition: Any, body: Any) -> None:
    """Adds `_input_shapes`, and `_output_shapes` of the nodes, to a `tf.function`'s FunctionDef."""
    shapes = definition.attr["_input_shapes"].list
    for tensor in body.inputs:
        # TF leaves out the scalar shape of a handle, whose shape functions get confused by it.
        shape = None if tensor._dtype is dtypes.resource else tensor._shape
        shapes.shape.append(TensorShape.from_tuple(shape).as_proto())
    for node in definition.node_def:
        op = body._nodes_by_name.get(node.name)
        if op is not None:
            node.attr["_output_shapes"].list.shape.extend(
                TensorShape.from_tuple(tensor._shape).as_proto() for tensor in op._outputs
            )
