"""What `tf.gradients` does about control flow: zeros for branches not taken, and the state of while
loops.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops, loop_nodes
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.control_flow.grad_loop_state import GradLoopState
from tf1compat.api.control_flow.while_gradient import outside, within
from tf1compat.core import dtypes, ops, raw_ops


class ControlFlowState:
    """The gradient loops that one call of `tf.gradients` builds, one for each while loop it
    meets.
    """

    def __init__(self) -> None:
        self._states: dict[Any, GradLoopState] = {}

    def add_loop(self, exit_op: Any, between_op_list: list[Any], between_ops: set[Any]) -> None:
        """Records the gradient loop of the loop that `exit_op` leaves, if it is a new one.

        Args:
          exit_op: an Exit; `tf.gradients` was called in the current context.
          between_op_list, between_ops: the operations to differentiate; all Exits of the loop
            join them.
        """
        forward = util.GetWhileContext(exit_op)
        if forward in self._states:
            return
        state = GradLoopState(forward, self._outer_state(forward))
        self._states[forward] = state
        for loop_exit in state.forward_loop_exits:
            if loop_exit.op not in between_ops:
                between_ops.add(loop_exit.op)
                between_op_list.append(loop_exit.op)

    def _outer_state(self, forward: Any) -> GradLoopState | None:
        """The state of the loop around a forward loop."""
        outer = forward.outer_context
        return self._states.get(outer.GetWhileContext()) if outer is not None else None

    def GetGradState(self, op: Any, before: bool) -> GradLoopState | None:  # noqa: N802
        """The state of the loop that `op` is in, or None.

        Args:
          op: an operation.
          before: for an Exit, the loop outside, where the gradient that it is given was made.
        """
        loop = util.GetWhileContext(op)
        if loop is not None and before and util.IsLoopExit(op):
            outer = loop.outer_context
            loop = outer.GetWhileContext() if outer is not None else None
        return None if loop is None else self._states.get(loop)

    def EnterGradWhileContext(self, op: Any, before: bool) -> None:  # noqa: N802
        """Makes the gradient loop for `op` current, if there is one."""
        state = self.GetGradState(op, before)
        if state is not None:
            state.grad_context.Enter()

    def ExitGradWhileContext(self, op: Any, before: bool) -> None:  # noqa: N802
        """Undoes `EnterGradWhileContext`."""
        state = self.GetGradState(op, before)
        if state is not None:
            state.grad_context.Exit()

    def ProcessUnusedLoopExits(self, pending_count: Any, to_ops_set: Any) -> list[Any]:  # noqa: N802
        """Finds the Exits that no y depends on.

        They enter the gradient loop too: with zeros if another Exit has a gradient.

        Args:
          pending_count: for each operation, the uses whose gradients it waits for.
          to_ops_set: the operations of the ys.

        Returns:
          The Exits of loops all of whose Exits are known by now.
        """
        found = []
        for state in self._states.values():
            for y in state.forward_loop_exits:
                if pending_count[y.op] == 0:
                    state.pending_exits_count -= 1
                    if y.op not in to_ops_set:
                        state.unused_exits.append(y)
                    if state.pending_exits_count == 0:
                        found.extend(state.unused_exits)
            # Second derivatives go through the Enters.
            for y in state.forward_context.loop_enters:
                if pending_count[y.op] == 0:
                    pending_count[y.op] = 1
        return found

    def ZerosLikeForExit(self, val: ops.Tensor) -> ops.Tensor:  # noqa: N802
        """The gradient of an Exit that no y depends on."""
        shape = val.get_shape()
        forward = val.op._get_control_flow_context()
        outer_state = self._outer_state(forward)
        if outer_state is None:
            if shape.is_fully_defined():
                return array_ops.zeros(shape.dims, val.dtype)
            return array_ops.zeros_like(val, optimize=False)
        if shape.is_fully_defined():
            with within(outer_state.grad_context):
                return array_ops.zeros(shape.dims, val.dtype)
        with within(forward.outer_context):
            forward_shape = array_ops.shape_internal(val, optimize=False)
        stack = outer_state.save(forward_shape)
        with within(outer_state.grad_context):
            real_shape = outer_state.restored(stack, forward_shape)
            return array_ops.zeros(real_shape, val.dtype)

    def ZerosLike(self, op: Any, index: int) -> ops.Tensor | None:  # noqa: N802
        """Zeros for the gradient of an output of `op` that no y depends on, recorded in the
        gradient loop if it is in a loop.
        """
        if util.IsLoopSwitch(op):
            return None
        if op._graph.building_function:
            return array_ops.zeros_like(op.outputs[index])
        state = self._states.get(util.GetWhileContext(op))
        if state is None:
            return zeros_like_outside_loop(op, index)
        value = ops.convert_to_tensor(op.outputs[index], name="tensor")
        if value.get_shape().is_fully_defined():
            return _known_zeros(state, op, value)
        return _zeros_of_saved_shape(state, op, value)

    def PostProcessing(self) -> None:  # noqa: N802
        """Completes loop variables whose next value does not depend on the one before: from the
        second iteration on, their gradient is zero.
        """
        for state in self._states.values():
            for merged in state.switch_map.values():
                if merged.op.inputs[0] is merged.op.inputs[1]:
                    merged.op._update_input(1, _next_zeros(state.grad_context, merged.op.inputs[0]))


def _known_zeros(state: GradLoopState, op: Any, value: ops.Tensor) -> ops.Tensor:
    """Zeros of a known shape; for a Switch, in the branch not taken."""
    shape = value.get_shape()
    zeros = constant_op.constant_v1(0, shape=shape.dims, dtype=value.dtype)
    if not util.IsSwitch(op):
        return zeros
    inside = op._get_control_flow_context()
    pred = state.history_map.get(inside.pred.name)
    return control_flow_ops._SwitchRefOrTensor(zeros, pred)[1 - inside.branch]


def _zeros_of_saved_shape(state: GradLoopState, op: Any, value: ops.Tensor) -> ops.Tensor:
    """Zeros of the shape that `value` had in the forward loop."""
    inside = op._get_control_flow_context()
    dead_branch = util.IsSwitch(op)
    if dead_branch:
        with within(inside.outer_context):
            both = control_flow_ops._SwitchRefOrTensor(op.inputs[0], inside.pred)
            value = both[1 - inside.branch]
            shape = array_ops.shape_internal(value, optimize=False)
        value.op._set_control_flow_context(inside)
        shape.op._set_control_flow_context(inside)
    else:
        with within(inside):
            shape = array_ops.shape_internal(value, optimize=False)
    with outside(state.grad_context):
        stack = state.save(shape, dead_branch=dead_branch)
    return array_ops.zeros(state.restored(stack, shape, dead_branch), value.dtype)


def _next_zeros(loop: Any, entered: ops.Tensor) -> Any:
    """Zeros like what entered a gradient loop, as the next value of its variable."""
    shape = entered.get_shape()
    if shape.is_fully_defined():
        with within(loop):
            zeros = constant_op.constant_v1(0, dtype=entered.dtype, shape=shape)
            return loop_nodes.next_iteration(zeros)
    with within(loop.outer_context):
        zeros = array_ops.zeros(array_ops.shape_internal(entered.op.inputs[0], optimize=False))
    with within(loop):
        return loop_nodes.next_iteration(zeros)


def maybe_create_control_flow_state(
    between_op_list: list[Any], between_ops: set[Any], colocate_gradients_with_ops: bool
) -> ControlFlowState | None:
    """Records the gradient loops of all while loops among the operations to differentiate.

    Args:
      between_op_list, between_ops: the operations; Exits of these loops join them.
      colocate_gradients_with_ops: as in `tf.gradients`.

    Returns:
      Their state; None if there are no loops.
    """
    state = None
    # Exits that join are looked at too.
    for op in between_op_list:
        if not util.IsLoopExit(op):
            continue
        if state is None:
            state = ControlFlowState()
        if colocate_gradients_with_ops:
            with ops.colocate_with(op):
                state.add_loop(op, between_op_list, between_ops)
        else:
            state.add_loop(op, between_op_list, between_ops)
    return state


def zeros_dtype(tensor: ops.Tensor) -> dtypes.DType:
    """The dtype of the gradient of `tensor`: its own, or that of the variable whose handle it
    is.
    """
    return shape_and_dtype(tensor)[1]


def shape_and_dtype(tensor: ops.Tensor) -> tuple[Any, dtypes.DType]:
    """The static shape (tuple or None) and dtype of the gradient of `tensor`.

    Those of the variable if it is a resource handle: float32 of unknown shape where nothing is
    known, as in TF 1.15.
    """
    if tensor.dtype is not dtypes.resource:
        return tensor._shape, tensor.dtype
    data = tensor._handle_data
    return (None, dtypes.float32) if data is None else (data[1], data[0])


def zeros_like(tensor: ops.Tensor) -> ops.Tensor:
    """Zeros for the gradient of `tensor`, which may be a resource handle."""
    if tensor.dtype is not dtypes.resource:
        return array_ops.zeros_like(tensor)
    shape, dtype = shape_and_dtype(tensor)
    return array_ops.zeros(shape, dtype)


def zeros_like_outside_loop(op: ops.Operation, index: int) -> ops.Tensor:
    """Zeros for the gradient of an output of `op` that nothing depends on; for a Switch, made in
    the branch not taken.
    """
    value = op.outputs[index]
    branch_context = op._control_flow_context if util.IsSwitch(op) else None
    if branch_context is None:
        if value.dtype is dtypes.resource:
            return array_ops.zeros(raw_ops.VariableShape(value), dtype=zeros_dtype(value))
        return array_ops.zeros_like(value, optimize=False)
    pred, branch = branch_context.pred, branch_context.branch
    other_branch = control_flow_ops.switch(op.inputs[0], pred)[1 - branch]
    # Control edges are on whole operations: the zeros wait for an identity of the one output that
    # is alive.
    pivot = array_ops.identity(other_branch)
    if value.dtype is dtypes.resource:
        with ops.control_dependencies([pivot]):
            return array_ops.zeros(raw_ops.VariableShape(other_branch), dtype=zeros_dtype(value))
    shape = array_ops.shape_internal(other_branch, optimize=False)
    with ops.control_dependencies([pivot]):
        return array_ops.zeros(shape, dtype=value.dtype)
