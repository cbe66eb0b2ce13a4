"""The tensor that initialises a variable: where it may come from, and how it is kept from reading
unset variables.
"""

from __future__ import annotations

import contextlib
import itertools
from typing import Any

from tf1compat.core import ops, protos

# They look at a variable without needing its value, or read it by themselves.
_SAFE_OPS = ("IsVariableInitialized", "VarIsInitializedOp", "ReadVariableOp", "If")
_VARIABLE_OPS = ("Variable", "VariableV2", "VarHandleOp")


def colocated_with(name: str) -> contextlib.AbstractContextManager[None]:
    """Puts new operations where operation `name` is, which need not exist yet."""
    groups = protos.AttrValue.ListValue(s=[f"loc:@{name}".encode()])
    return ops.get_default_graph()._attr_scope({"_class": protos.AttrValue(list=groups)})


def check_not_in_control_flow(name: str, initial_value: Any) -> None:
    """Refuses an initial value that only exists inside a loop or a branch.

    Args:
      name: the variable's scope, for the error text.
      initial_value: the tensor.

    Raises:
      ValueError: it was recorded in a `tf.cond` or `tf.while_loop`.
    """
    if initial_value.op._get_control_flow_context() is not None:
        raise ValueError(
            f"Initializer for variable {name} is from inside a control-flow construct, such as a "
            "loop or conditional. When creating a variable inside a loop or conditional, use a "
            "lambda as the initializer."
        )


def guard_against_uninitialized_dependencies(name: str, initial_value: Any) -> ops.Tensor:
    """Makes an initial value that is computed from other variables fit to run before they are
    initialised.

    Every variable that it reads is replaced by that variable's `initialized_value()`, and the
    operations in between are recorded again, named `<operation>_<name>`, as in TF 1.15.

    Args:
      name: the scope of the variable to be initialised, e.g. "w/".
      initial_value: a tensor.

    Returns:
      The tensor to initialise with: the same one where it depends on no variable.

    Raises:
      TypeError: `initial_value` is no tensor.
    """
    if not isinstance(initial_value, ops.Tensor):
        raise TypeError(f"initial_value needs to be a Tensor: {initial_value}")
    # A loop in the graph can't be copied operation by operation.
    if _has_cycle(initial_value.op, {}):
        return initial_value
    return _safe_tensor(name, initial_value, {})


def _has_cycle(op: ops.Operation, finished: dict[str, bool]) -> bool:
    """Whether `op` can be reached from itself; `finished` holds False for the operations on the
    path, True for others.
    """
    state = finished.get(op.name)
    if state is not None:
        return not state
    finished[op.name] = False
    sources = (tensor.op for tensor in op.inputs)
    if any(_has_cycle(source, finished) for source in itertools.chain(sources, op.control_inputs)):
        return True
    finished[op.name] = True
    return False


def _safe_tensor(name: str, tensor: ops.Tensor, done: dict[str, ops.Operation]) -> ops.Tensor:
    op = tensor.op
    if op.name not in done:
        done[op.name] = _safe_operation(name, op, done)
    return done[op.name].outputs[tensor.value_index]


def _safe_operation(name: str, op: ops.Operation, done: dict[str, ops.Operation]) -> ops.Operation:
    if op.type in _SAFE_OPS:
        return op
    if op.type in _VARIABLE_OPS:
        initialized_value = _initialized_value(op)
        return op if initialized_value is None else initialized_value.op
    inputs = [_safe_tensor(name, tensor, done) for tensor in op.inputs]
    if all(new is old for new, old in zip(inputs, op.inputs)):
        return op
    return op.graph.create_op(
        # What was a reference to a variable is a value now.
        "Switch" if op.type == "RefSwitch" else op.type,
        inputs,
        op._output_types,
        name=f"{op.name}_{name}".replace(":", "_"),
        attrs=op.node_def.attr,
    )


def _initialized_value(variable_op: ops.Operation) -> ops.Tensor | None:
    """`initialized_value()` of the variable made by `variable_op`, if a collection holds that
    variable.
    """
    names = (variable_op.name, f"{variable_op.name}:0")
    for key in (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.LOCAL_VARIABLES):
        for variable in variable_op.graph.get_collection(key):
            # Collections may hold anything; what is no variable can't help here.
            if getattr(variable, "name", None) in names and hasattr(variable, "initialized_value"):
                return variable.initialized_value()
    return None
