"""`tf.contrib.copy_graph`: operations and variables in another graph
(`tensorflow.contrib.copy_graph.python.util.copy_elements`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api import variables
from tf1compat.core import export, graph_import, ops
from tf1compat.core.export import tf_export
from tf1compat.core.operation import Operation

__all__ = ["copy_op_to_graph", "copy_variable_to_graph", "get_copied_op"]


def _scoped(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope != "" else name


@tf_export("contrib.copy_graph.copy_variable_to_graph")
def copy_variable_to_graph(org_instance: Any, to_graph: Any, scope: str = "") -> Any:
    """Makes a variable in a graph that begins with the initial value of another one.

    Args:
      org_instance: the other.
      to_graph: the graph.
      scope: the name scope of the new one.

    Raises:
      TypeError: `org_instance` is no variable.
    """
    if not isinstance(org_instance, variables.VariableV1):
        raise TypeError(f"{org_instance} is not a Variable")
    keys = ops.GraphKeys
    collections = [
        name
        if scope == "" or name in (keys.GLOBAL_VARIABLES, keys.TRAINABLE_VARIABLES)
        else f"{scope}/{name}"
        for name, collection in org_instance.graph._collections.items()
        if any(item is org_instance for item in collection)
    ]
    trainable = org_instance.graph.get_collection(keys.TRAINABLE_VARIABLES)
    with org_instance.graph.as_default():
        session = export.required("Session")()
        value = session.run(org_instance.initialized_value())
    with to_graph.as_default():
        return variables.VariableV1(
            value,
            any(v is org_instance for v in trainable),
            name=_scoped(scope, org_instance.name.partition(":")[0]),
            collections=collections,
            validate_shape=False,
        )


@tf_export("contrib.copy_graph.copy_op_to_graph")
def copy_op_to_graph(org_instance: Any, to_graph: Any, variables: Any, scope: str = "") -> Any:
    """Copies an operation or tensor, and what it depends on, into a graph.

    Args:
      org_instance: the operation or tensor.
      to_graph: the graph.
      variables: the variables that are copied already.
      scope: the name scope of the copies.

    Returns:
      The copy; what has its name already, if anything has.

    Raises:
      TypeError: `org_instance` is neither.
    """
    name = _scoped(scope, org_instance.name)
    for v in variables:
        if v.name == name:
            return to_graph.get_tensor_by_name(name)
    try:
        return to_graph.as_graph_element(name, allow_tensor=True, allow_operation=True)
    except Exception:
        pass  # Not there yet.
    collections = [
        _scoped(scope, key)
        for key, collection in org_instance.graph._collections.items()
        if any(item is org_instance for item in collection)
    ]
    if isinstance(org_instance, ops.Tensor):
        op = copy_op_to_graph(org_instance.op, to_graph, variables, scope)
        copied = op.outputs[org_instance.value_index]
        for collection in collections:
            to_graph.add_to_collection(collection, copied)
        return copied
    if not isinstance(org_instance, Operation):
        raise TypeError(f"Could not copy instance: {org_instance}")
    op = org_instance
    original = op._original_op
    if original is not None:
        original = copy_op_to_graph(original, to_graph, variables, scope)
    controls = [copy_op_to_graph(c, to_graph, variables, scope) for c in op.control_inputs]
    inputs = [copy_op_to_graph(t, to_graph, variables, scope) for t in op.inputs]
    definition = op.node_def
    definition.name = name
    copied = graph_import.record_node(to_graph, definition, inputs, op._output_dtypes)
    copied._add_control_inputs(controls)
    copied._original_op = original
    to_graph._apply_device_functions(copied)
    return copied


@tf_export("contrib.copy_graph.get_copied_op")
def get_copied_op(org_instance: Any, graph: Any, scope: str = "") -> Any:
    """The copy of an operation or tensor.

    Args:
      org_instance: the operation or tensor.
      graph: the graph that the copy is in.
      scope: its name scope.
    """
    return graph.as_graph_element(
        _scoped(scope, org_instance.name), allow_tensor=True, allow_operation=True
    )
