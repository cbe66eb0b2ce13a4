"""Gradients of the v1 control-flow nodes: a Switch of a Merge, a Merge of a Switch."""

from __future__ import annotations

from typing import Any

from tf1compat.api import control_flow_state
from tf1compat.core import dtypes, ops


def _not_yet(op: ops.Operation) -> NotImplementedError:
    return NotImplementedError(
        "tf.gradients through tf.while_loop is not supported by tf1compat yet "
        f"(operation '{op.name}')"
    )


def switch_gradient(op: ops.Operation, *grads: Any) -> tuple[Any, None]:
    """The gradient of a Switch: of both branches' gradients, the one that the taken branch made."""
    from tf1compat.api import control_flow_ops

    inside = op._control_flow_context
    if inside is None:
        false_grad = control_flow_ops.switch(grads[0], op.inputs[1])[0]
        true_grad = control_flow_ops.switch(grads[1], op.inputs[1])[1]
        return control_flow_ops.merge([false_grad, true_grad])[0], None
    if inside.IsWhileContext():
        raise _not_yet(op)
    if grads[1 - inside.branch] is not None:
        return control_flow_ops.merge(grads, name="cond_grad")[0], None
    # No zeros can be made for the other branch where the dtype has no gradient.
    if op.inputs[0].dtype is not dtypes.resource:
        return None, None
    both = [grads[inside.branch]] * 2
    return control_flow_ops.merge(both, name="cond_resource_grad")[0], None


def merge_gradient(op: ops.Operation, grad: Any, _: Any) -> Any:
    """The gradient of a Merge: the gradient, sent into the branch that was taken."""
    from tf1compat.api import math_ops

    source = op.inputs[0].op
    inside = source._control_flow_context
    if inside is not None and control_flow_state.is_loop_exit(source):
        inside = inside.outer_context
    if inside is None:
        count = len(op.inputs)
        taken = [math_ops.equal(op.outputs[1], i) for i in range(count)]
        return [_switch(grad, taken[i])[1] for i in range(count)]
    around = ops.get_default_graph()._get_control_flow_context()
    if inside.IsWhileContext() or (around is not None and around.grad_state):
        raise _not_yet(op)
    return _switch(grad, inside.pred, name="cond_grad")


def _switch(data: Any, pred: ops.Tensor, name: str = "Switch") -> Any:
    """A Switch colocated with `data` alone."""
    from tf1compat.api import control_flow_ops

    with ops.colocate_with(data, ignore_existing=True):
        return control_flow_ops.switch(data, pred, name=name)
