"""Parts of a graph copied into another one
(`tensorflow.contrib.copy_graph.python.util.copy_elements`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.variables.variables import VariableV1
from tf1compat.core import export, ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph

__all__ = ["copy_op_to_graph", "copy_variable_to_graph", "get_copied_op"]


def _scoped(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def _collections(instance: Any, scope: str, kept: tuple[str, ...] = ()) -> list[str]:
    """The collections that something is in, as those of its copy are called."""
    return [
        name if name in kept else _scoped(scope, name)
        for name, collection in instance.graph._collections.items()
        if any(member is instance for member in collection)
    ]


@tf_export("contrib.copy_graph.copy_variable_to_graph")
def copy_variable_to_graph(org_instance: Any, to_graph: Any, scope: str = "") -> Any:
    """Copies a variable; the copy begins with what the original begins with.

    Args:
      org_instance: the variable.
      to_graph: where the copy is made.
      scope: goes before its name, and before those of its collections.

    Returns:
      The copy.

    Raises:
      TypeError: `org_instance` is no variable.
    """
    if not isinstance(org_instance, VariableV1):
        raise TypeError(f"{org_instance} is not a Variable")
    keys = ops.GraphKeys
    kept = (keys.GLOBAL_VARIABLES, keys.TRAINABLE_VARIABLES)
    collections = _collections(org_instance, scope, kept)
    trainable = keys.TRAINABLE_VARIABLES in collections
    with org_instance.graph.as_default():
        session = export.find("Session")()
        init_value = session.run(org_instance.initialized_value())
    with to_graph.as_default():
        return VariableV1(
            init_value, trainable, name=_scoped(scope, org_instance.name.split(":")[0]),
            collections=collections, validate_shape=False,
        )  # fmt: skip


@tf_export("contrib.copy_graph.copy_op_to_graph")
def copy_op_to_graph(org_instance: Any, to_graph: Any, variables: Any, scope: str = "") -> Any:
    """Copies an operation or tensor, and all that it is computed from.

    Args:
      org_instance: the operation or tensor.
      to_graph: where the copies are made.
      variables: the variables of `to_graph` that were copied before.
      scope: goes before the names.

    Returns:
      The copy, or what has its name already.

    Raises:
      TypeError: `org_instance` is neither.
    """
    new_name = _scoped(scope, org_instance.name)
    if any(variable.name == new_name for variable in variables):
        return to_graph.get_tensor_by_name(new_name)
    try:
        return to_graph.as_graph_element(new_name, allow_tensor=True, allow_operation=True)
    except (KeyError, ValueError):
        pass
    collections = _collections(org_instance, scope)
    if isinstance(org_instance, ops.Tensor):
        new_op = copy_op_to_graph(org_instance.op, to_graph, variables, scope)
        new_tensor = new_op.outputs[org_instance.value_index]
        for collection in collections:
            to_graph.add_to_collection(collection, new_tensor)
        return new_tensor
    if not isinstance(org_instance, ops.Operation):
        raise TypeError(f"Could not copy instance: {org_instance}")

    def copied(elements: Any) -> list[Any]:
        return [copy_op_to_graph(element, to_graph, variables, scope) for element in elements]

    op = org_instance
    original = None if op._original_op is None else copied([op._original_op])[0]
    control_inputs, inputs = copied(op.control_inputs), copied(op.inputs)
    new_op = to_graph._add(
        op._spec, new_name, inputs, dict(op._attrs), list(op._output_dtypes), compute_device=False
    )
    new_op._device = op._device
    new_op._original_op = original
    new_op._add_control_inputs(control_inputs)
    to_graph._apply_device_functions(new_op)
    return new_op


@tf_export("contrib.copy_graph.get_copied_op")
def get_copied_op(org_instance: Any, graph: Graph, scope: str = "") -> Any:
    """The copy of an operation or tensor that `copy_op_to_graph` made.

    Args:
      org_instance: the original.
      graph: where the copy is.
      scope: what was put before the name.

    Returns:
      The operation or tensor.
    """
    name = _scoped(scope, org_instance.name)
    return graph.as_graph_element(name, allow_tensor=True, allow_operation=True)
