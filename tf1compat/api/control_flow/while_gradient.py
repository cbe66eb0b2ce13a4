"""What the gradient of a while loop adds to loops: counters of iterations, and accumulators of the
gradients of loop invariants.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import loop_nodes
from tf1compat.api.control_flow.control_flow_ops import merge, switch
from tf1compat.api.control_flow.while_context import WhileContext
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_shape import TensorShape


@contextlib.contextmanager
def within(context: Any) -> Iterator[None]:
    """Makes a control-flow context current inside the `with` block; None changes nothing."""
    if context is None:
        yield
        return
    context.Enter()
    try:
        yield
    finally:
        context.Exit()


@contextlib.contextmanager
def outside(context: Any) -> Iterator[None]:
    """Leaves the current context for the one before it inside the `with` block."""
    context.Exit()
    try:
        yield
    finally:
        context.Enter()


def _merged(entered: ops.Tensor, name: str | None = None) -> ops.Tensor:
    """The Merge of a loop variable; its second input is set when the next value is known."""
    return merge([entered, entered], name=name)[0]


def _switched(variable: ops.Tensor, loop: WhileContext) -> tuple[ops.Tensor, ops.Tensor]:
    return switch(variable, loop.pivot)


def _close(merged: ops.Tensor, value: ops.Tensor) -> ops.Tensor:
    """Makes `value` the next value of a loop variable; returns its NextIteration."""
    following = loop_nodes.next_iteration(value)
    merged.op._update_input(1, following)
    return following


def add_forward_counter(loop: WhileContext, outer_grad_state: Any) -> tuple[ops.Tensor, ops.Tensor]:
    """Adds a variable to a loop that counts its iterations.

    Args:
      loop: the forward loop; the context around it is current.
      outer_grad_state: the `GradLoopState` of the loop around, or None.

    Returns:
      (the number of iterations, the number of the next iteration inside the loop).
    """
    zero = constant_op.constant_v1(0, name="f_count")
    if outer_grad_state is not None:
        # What an inner loop pushes, it pushes after what it pushed when it ran before.
        zero.op._add_control_input(outer_grad_state.forward_index.op.inputs[0].op)
    with within(loop):
        loop.AddName(zero.name)
        entered = loop.enter(zero, name="f_count")
        loop.loop_enters.append(entered)
        merged = _merged(entered)
        at_end, in_body = _switched(merged, loop)
        index = _close(merged, math_ops.add(in_body, 1))
        total = loop_nodes.exit(at_end, name="f_count")
        loop.loop_exits.append(total)
        loop.ExitResult([total])
    return total, index


def add_backprop_counter(
    loop: WhileContext, count: ops.Tensor, outer_grad_state: Any
) -> ops.Tensor:
    """Makes a gradient loop run `count` times, by a variable that counts down to 0.

    Args:
      loop: the gradient loop; the context around it is current.
      count: how often the forward loop ran.
      outer_grad_state: the `GradLoopState` of the loop around, or None.

    Returns:
      The variable's value in the next iteration.
    """
    in_another_graph = count.graph is not ops.get_default_graph()
    one: Any = None
    if in_another_graph:
        count = array_ops.identity(count)
    else:
        one = constant_op.constant_v1(1, name="b_count")
    with within(loop):
        loop.AddName(count.name)
        entered = loop.enter(count, name="b_count")
        loop.loop_enters.append(entered)
        merged = _merged(entered)
        loop._pivot_for_pred = merged
        if in_another_graph:
            one = constant_op.constant_v1(1, name="b_count")
        loop._pivot = raw_ops.LoopCond(math_ops.greater_equal(merged, one), name="b_count")
        at_end, in_body = _switched(merged, loop)
        index = math_ops.subtract(in_body, one)
        loop._pivot_for_body = index
        following = _close(merged, index)
        zero = loop_nodes.exit(at_end, name="b_count")
        loop.loop_exits.append(zero)
        if outer_grad_state is not None:
            # What an inner loop pops, it pops before what it pops when it runs again.
            outer_grad_state.grad_sync._add_control_input(zero.op)
        loop.ExitResult([zero])
    return following


def accumulate(loop: WhileContext, op: Any, grad: ops.Tensor) -> ops.Tensor:
    """Adds up the gradients of a loop invariant over the iterations.

    Args:
      loop: the gradient loop, which is current.
      op: the Enter of the invariant into the forward loop.
      grad: the gradient of one iteration.

    Returns:
      Their sum, outside the loop.
    """
    with outside(loop):
        start = _zeros_for(loop, op, grad)
    loop.AddName(start.name)
    entered = loop.enter(start, name="b_acc")
    loop.loop_enters.append(entered)
    merged = _merged(entered, name="b_acc")
    at_end, in_body = _switched(merged, loop)
    _close(merged, math_ops.add(in_body, grad))
    result = loop_nodes.exit(at_end, name="b_acc")
    loop.loop_exits.append(result)
    loop.ExitResult([result])
    return result


def _zeros_for(loop: WhileContext, op: Any, grad: ops.Tensor) -> ops.Tensor:
    """Zeros of the shape of `grad`: what is left if there is no iteration."""
    outer = loop.outer_context
    shape = grad.get_shape()
    if shape.is_fully_defined():
        with within(outer):
            return constant_op.constant_v1(0, grad.dtype, shape=shape, name="b_acc")
    value = op.inputs[0]
    if isinstance(outer, WhileContext) and outer.grad_state is not None:
        with within(loop.grad_state.forward_context.outer_context):
            forward_shape = array_ops.shape_internal(value, optimize=False)
        outer_state = loop.grad_state.outer_grad_state
        history = outer_state.save(forward_shape)
        with within(outer):
            real_shape = outer_state.restored(history, forward_shape)
            return array_ops.zeros(real_shape, grad.dtype)
    with within(outer):
        return array_ops.zeros(array_ops.shape_internal(value, optimize=False), grad.dtype)


def accumulate_slices(loop: WhileContext, op: Any, grad: ops.IndexedSlices) -> ops.IndexedSlices:
    """As `accumulate`, for a gradient of some rows: the rows of all iterations one after
    another."""
    with outside(loop), within(loop.outer_context):
        starts = _first_slices(loop, op, grad)
    for start in starts:
        loop.AddName(start.name)
    # The number of rows grows.
    entered = [loop.enter(start, use_input_shape=False, name="b_acc") for start in starts]
    entered[0].set_shape([None])
    if starts[1].shape.dims is not None:
        entered[1].set_shape([None, *starts[1].shape.as_list()[1:]])
    loop.loop_enters.extend(entered)
    merged = [_merged(x, name="b_acc") for x in entered]
    switched = [_switched(x, loop) for x in merged]
    rows = zip(switched, (grad.indices, grad.values), strict=False)
    following = [array_ops.concat([x[1], new], 0) for x, new in rows]
    if grad.dense_shape is not None:
        following.append(math_ops.maximum(grad.dense_shape, switched[2][1]))
    following = [loop_nodes.next_iteration(x) for x in following]
    for variable, value in zip(merged, following):
        variable.op._update_input(1, value)
    exits = [loop_nodes.exit(x[0], name="b_acc") for x in switched]
    loop.loop_exits.extend(exits)
    loop.ExitResult(exits)
    dense_shape = None if grad.dense_shape is None else exits[2]
    return ops.IndexedSlices(exits[1], exits[0], dense_shape)


def _first_slices(loop: WhileContext, op: Any, grad: ops.IndexedSlices) -> list[ops.Tensor]:
    """One row of zeros at index 0: indices, values and, if `grad` has it, dense shape."""
    outer = loop.outer_context
    values = grad.values
    shape = values.get_shape()
    if shape.is_fully_defined():
        one_row = TensorShape([1, *shape.as_list()[1:]])
        with within(outer):
            start = constant_op.constant_v1(0, values.dtype, shape=one_row, name="b_acc")
    else:
        row = _shape_of(op.inputs[0])[1:]
        start = array_ops.zeros(array_ops.concat([[1], row], 0), dtype=values.dtype)
    found = [constant_op.constant_v1([0], grad.indices.dtype), start]
    dense_shape = grad.dense_shape
    if dense_shape is None:
        return found
    if dense_shape.get_shape().is_fully_defined():
        with within(outer):
            size = dense_shape.get_shape()
            return [*found, constant_op.constant_v1(0, dense_shape.dtype, shape=size)]
    forward_shape = array_ops.shape_internal(
        op.inputs[0], optimize=False, out_type=dense_shape.dtype
    )
    return [*found, array_ops.zeros_like(forward_shape, optimize=False)]


def _shape_of(tensor: ops.Tensor) -> Any:
    """The shape of a tensor, or of the variable whose handle it is."""
    if tensor.dtype is not dtypes.resource:
        return array_ops.shape_internal(tensor, optimize=False)
    while tensor.op.inputs:
        tensor = tensor.op.inputs[0]
    return TensorShape(tensor.op.get_attr("shape"))
