"""Gradients of the v1 control-flow nodes: a Switch of a Merge, a Merge of a Switch, and those of
loops.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops, loop_nodes, while_gradient
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import TensorBase


def _current() -> Any:
    return ops.get_default_graph()._get_control_flow_context()


# Branches, and what loops share with them.


def switch_gradient(op: ops.Operation, *grads: Any) -> tuple[Any, None]:
    """The gradient of a Switch: of both branches' gradients, the one that the taken branch made.

    For the Switch of a loop variable, see `_loop_switch_gradient`.
    """
    inside = op._control_flow_context
    if inside is None:
        false_grad = control_flow_ops.switch(grads[0], op.inputs[1])[0]
        true_grad = control_flow_ops.switch(grads[1], op.inputs[1])[1]
        return control_flow_ops.merge([false_grad, true_grad])[0], None
    if inside.IsWhileContext():
        return _loop_switch_gradient(op, *grads), None
    if grads[1 - inside.branch] is not None:
        return control_flow_ops.merge(grads, name="cond_grad")[0], None
    # No zeros can be made for the other branch where the dtype has no gradient.
    if op.inputs[0].dtype is not dtypes.resource:
        return None, None
    both = [grads[inside.branch]] * 2
    return control_flow_ops.merge(both, name="cond_resource_grad")[0], None


def _loop_switch_gradient(op: ops.Operation, at_end: Any, in_body: Any) -> Any:
    """The gradient of a loop variable's Switch, which `tf.gradients` meets twice.

    First from the Exit: that starts a variable of the gradient loop, here returned. Then from the
    body: that is the variable's next value.
    """
    variables = _current().grad_state.switch_map
    merged = variables.get(op)
    if merged is not None:
        if in_body is not None:
            loop_nodes.add_back_edge(merged, in_body, enforce_shape_invariant=False)
        return None
    if at_end is None:
        return None
    merged = control_flow_ops.merge([at_end, at_end], name="b_switch")[0]
    variables[op] = merged
    return merged


def merge_gradient(op: ops.Operation, grad: Any, _: Any) -> Any:
    """The gradient of a Merge: the gradient, sent into the branch that was taken; for a loop
    variable, out of the gradient loop after its last iteration.
    """
    inside = util.GetOutputContext(op.inputs[0].op)
    current = _current()
    if inside is None:
        count = len(op.inputs)
        taken = [math_ops.equal(op.outputs[1], i) for i in range(count)]
        return [_switch(grad, taken[i])[1] for i in range(count)]
    if inside.IsWhileContext():
        return _switch(grad, current.pivot)
    pred = inside.pred
    if current is not None and current.grad_state:
        pred = _saved_predicate(current.grad_state, pred)
    return _switch(grad, pred, name="cond_grad")


def _saved_predicate(state: Any, pred: ops.Tensor) -> ops.Tensor:
    """What stands for a cond's predicate in the gradient loop."""
    saved = state.history_map.get(pred.name)
    if saved is None:
        with while_gradient.outside(state.grad_context):
            stack = state.save(pred)
        saved = state.history_map[pred.name] = state.restored(stack, pred)
    return saved


def _switch(data: Any, pred: ops.Tensor, name: str = "Switch") -> Any:
    return control_flow_ops._SwitchRefOrTensor(data, pred, name=name)


# Loops.


def exit_gradient(op: ops.Operation, grad: Any) -> Any:
    """The gradient of an Exit: an Enter into the gradient loop."""
    loop = _current()
    if not loop.back_prop:
        return None
    if op._control_flow_context.grad_state:
        raise TypeError("Second-order gradient for while loops not supported.")
    if isinstance(grad, ops.Tensor):
        loop.AddName(grad.name)
    elif isinstance(grad, TensorBase):
        parts = (grad.values, grad.indices, grad.dense_shape)  # pyright: ignore
        for part in parts:
            if part is not None:
                loop.AddName(part.name)
    else:
        raise TypeError(f"Type {type(grad)} not supported")
    with while_gradient.within(loop):
        result = loop.enter(grad, name="b_exit")
        loop.loop_enters.append(result)
    return result


def next_iteration_gradient(op: ops.Operation, grad: Any) -> Any:
    """The gradient of a NextIteration: that of the Switch makes the step."""
    return grad


def enter_gradient(op: ops.Operation, grad: Any) -> Any:
    """The gradient of an Enter: an Exit from the gradient loop; for a loop invariant, the sum over
    the iterations.
    """
    loop = _current()
    if not loop.back_prop or loop.grad_state is None:
        return grad
    if not op._attrs["is_constant"]:
        result = loop_nodes.exit(grad)
        loop.loop_exits.append(result)
        loop.ExitResult([result])
        return result
    if isinstance(grad, ops.Tensor):
        return while_gradient.accumulate(loop, op, grad)
    if isinstance(grad, ops.IndexedSlices):
        return while_gradient.accumulate_slices(loop, op, grad)
    raise TypeError(f"Type {type(grad)} not supported")


def loop_cond_gradient(op: ops.Operation, grad: Any = None) -> None:
    """The predicate of a loop has no gradient."""
    return None
