"""The gradient loop of one while loop, and what the forward loop saves for it."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_util as util
from tf1compat.api.control_flow.control_flow_context import CondContext
from tf1compat.api.control_flow.control_flow_ops import _SwitchRefOrTensor
from tf1compat.api.control_flow.while_context import WhileContext
from tf1compat.api.control_flow.while_gradient import (
    add_backprop_counter,
    add_forward_counter,
    outside,
    within,
)
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.operation import Operation


class GradLoopState:
    """A forward loop, the loop that computes its gradient, and the values they share.

    Making one records both loops' counters. It is made, and its methods are called, in the
    context that `tf.gradients` was called in, unless they say otherwise.

    Args:
      forward_context: the forward loop.
      outer_grad_state: the state of the loop around it, or None.

    Attributes:
      forward_context, grad_context: the two loops.
      forward_index, grad_index: their counters' values in the next iteration.
      outer_grad_state: as given.
      history_map: name of a forward tensor -> what stands for it in the gradient loop.
      switch_map: Switch of a forward loop variable -> the Merge of its gradient.
      deferred_exits, unused_exits: forward Exits that are still to be differentiated.
      forward_loop_exits: all Exits of the forward loop.
      pending_exits_count: how many of them `tf.gradients` has not met yet.
    """

    def __init__(self, forward_context: WhileContext, outer_grad_state: GradLoopState | None):
        self.forward_context = forward_context
        self.outer_grad_state = outer_grad_state
        self.history_map: dict[str, Any] = {}
        self.switch_map: dict[Any, Any] = {}
        self.unused_exits: list[Any] = []
        self.deferred_exits: list[Any] = []
        self.forward_loop_exits = list(forward_context.loop_exits)
        self.pending_exits_count = len(self.forward_loop_exits)
        self._forward_sync: Any = None
        self._grad_sync: Any = None
        around = forward_context.outer_context
        if outer_grad_state is not None:
            around = outer_grad_state.forward_context
        with forward_context._graph.as_default(), within(around):
            count, self.forward_index = add_forward_counter(forward_context, outer_grad_state)
        if outer_grad_state is None:
            with within(around):
                self.grad_context = self._gradient_loop()
                self.grad_index = add_backprop_counter(self.grad_context, count, None)
            return
        # The inner loop may run another number of times in each iteration of the outer one.
        around.AddName(count.name)
        history = outer_grad_state.save(count)
        with within(outer_grad_state.grad_context):
            self.grad_context = self._gradient_loop()
            count = outer_grad_state.restored(history, count)
            self.grad_index = add_backprop_counter(self.grad_context, count, outer_grad_state)

    def _gradient_loop(self) -> WhileContext:
        forward = self.forward_context
        return WhileContext(
            maximum_iterations=forward.maximum_iterations,
            parallel_iterations=forward.parallel_iterations,
            back_prop=forward.back_prop,
            swap_memory=forward.swap_memory,
            name=forward.name,
            grad_state=self,
        )

    # What keeps pushes and pops of one iteration before those of the next.

    @property
    def forward_sync(self) -> Any:
        """A trigger in the forward loop that the next iteration waits for."""
        if self._forward_sync is None:
            with ops.control_dependencies(None):
                self._forward_sync = raw_ops.ControlTrigger(name="f_sync")
            self._forward_sync._set_control_flow_context(self.forward_context)
            self.forward_index.op._add_control_input(self._forward_sync)
        return self._forward_sync

    @property
    def grad_sync(self) -> Any:
        """A trigger in the gradient loop that the next iteration waits for."""
        if self._grad_sync is None:
            with ops.control_dependencies(None):
                self._grad_sync = raw_ops.ControlTrigger(name="b_sync")
            self._grad_sync._set_control_flow_context(self.grad_context)
            self.grad_index.op._add_control_input(self._grad_sync)
            if self.grad_context.outer_context:
                self.grad_context.outer_context.AddInnerOp(self._grad_sync)
        return self._grad_sync

    # Saving values of the forward loop.

    def save(self, value: ops.Tensor, dead_branch: bool = False) -> ops.Tensor:
        """Makes the forward loop push `value` on a stack in each iteration.

        Args:
          value: a tensor of the forward loop, perhaps in a branch.
          dead_branch: it is alive when its branch is not taken.

        Returns:
          The stack's handle.

        Raises:
          TypeError: `value` is in another loop.
          ValueError: its loop is to be compiled by XLA and the size of the stack is not known.
        """
        with self.forward_index.graph.as_default():
            called_in = ops.get_default_graph()._get_control_flow_context()
            with ops.control_dependencies(None):
                with within(called_in), ops.colocate_with(value):
                    stack = raw_ops.StackV2(
                        max_size=self._stack_size(value),
                        elem_type=value.dtype.base_dtype,
                        name="f_acc",
                    )
                entered = self.forward_context.AddValue(stack)
                push = self._push(entered, value, dead_branch)
                # Pushed after the counter's step, so in the order of the iterations.
                push.op._add_control_input(self.forward_index.op.inputs[0].op)
                return stack

    def _stack_size(self, value: ops.Tensor) -> Any:
        if util.IsInXLAContext(value.op):
            return largest_stack(value, self.forward_context)
        return constant_op.constant_v1(-1, dtypes.int32)

    def _push(self, stack: ops.Tensor, value: ops.Tensor, dead_branch: bool) -> ops.Tensor:
        forward = self.forward_context

        def push() -> ops.Tensor:
            return raw_ops.StackPushV2(stack, value, swap_memory=forward.swap_memory)

        inside = util.GetOutputContext(value.op)
        if inside is forward:
            with within(forward):
                pushed = push()
            self.forward_index.op._add_control_input(pushed.op)
            return pushed
        if not isinstance(inside, CondContext):
            raise TypeError(f"value_ctxt is not a CondContext: {inside}")
        if dead_branch:
            with within(inside.outer_context):
                pushed = push()
            pushed.op._set_control_flow_context(inside)
        else:
            with within(inside):
                pushed = push()
        self.forward_sync._add_control_input(pushed.op)
        return pushed

    def restored(
        self, stack: ops.Tensor, value: ops.Tensor, dead_branch: bool = False
    ) -> ops.Tensor:
        """What stands for a saved tensor in the gradient loop: the popped value.

        Args:
          stack: what `save` returned.
          value, dead_branch: as given to `save`.
        """
        branch = _branch_around(value.op, stack.op._get_control_flow_context())
        with ops.control_dependencies(None), within(self.grad_context):
            if branch is not None:
                # Popped only if it was pushed.
                taken = 1 - branch.branch if dead_branch else branch.branch
                stack = _SwitchRefOrTensor(stack, self._saved_predicate(branch))[taken]
            popped = raw_ops.StackPopV2(stack, value.dtype.base_dtype)
            popped.set_shape(value.get_shape())
        if self.grad_context.parallel_iterations > 1:
            self.grad_sync._add_control_input(popped.op)
        return popped

    def _saved_predicate(self, branch: CondContext) -> ops.Tensor:
        state: GradLoopState | None = self
        while state is not None:
            found = state.history_map.get(branch.pred.name)
            if found is not None:
                return found
            state = state.outer_grad_state
        return branch.pred

    def real_value(self, value: ops.Tensor) -> ops.Tensor:
        """What stands for the forward tensor `value` in the gradient loop, which is current."""
        assert value.op.type not in ("Variable", "VariableV2")
        found = self.history_map.get(value.name)
        if found is None:
            found = self.history_map[value.name] = self._make_real_value(value)
        return found

    def _make_real_value(self, value: ops.Tensor) -> ops.Tensor:
        state: GradLoopState = self
        while True:
            entered = util.GetLoopConstantEnter(value)
            if entered is None:
                break
            # A loop invariant is the same tensor outside the loop.
            value = entered.inputs[0]
            if state.outer_grad_state is None:
                return self.grad_context.AddValue(value)
            state = state.outer_grad_state
        if constant_op.is_constant(value):
            return constant_op.constant_v1(tensor_util.constant_value(value), dtype=value.dtype)
        with outside(self.grad_context):
            stack = state.save(value)
        popped = state.restored(stack, value)
        return popped if state is self else self.grad_context.AddValue(popped)


def _branch_around(op: Operation, limit: Any) -> CondContext | None:
    """The innermost branch that `op` is in, below the context `limit`."""
    inside = op._get_control_flow_context()
    while inside is not None and inside is not limit:
        if isinstance(inside, CondContext):
            return inside
        inside = inside.outer_context
    return None


def largest_stack(value: ops.Tensor, loop: WhileContext) -> Any:
    """How large the stack for `value` can become: XLA must know that before.

    Args:
      value: the tensor to save, for messages.
      loop: the loop that it is in.

    Returns:
      A scalar tensor: the product of the numbers of iterations of the loops around.

    Raises:
      ValueError: a loop has no `maximum_iterations`, or it is not known here.
    """
    current = ops.get_default_graph()._get_control_flow_context()
    size: Any = constant_op.constant_v1(1)
    while loop is not None and loop is not current:
        limit = loop.maximum_iterations
        if limit is None:
            raise ValueError(
                f"Cannot create a gradient accumulator for tensor '{value.name}' inside XLA "
                "while_loop because maximum_iterations was not passed to the tf.while_loop call "
                f"('{loop.name}')."
            )
        made_in = limit.op._get_control_flow_context()
        if util.IsContainingContext(current, made_in):
            size *= limit
        else:
            known = tensor_util.constant_value(limit)
            if known is None:
                raise ValueError(
                    f"Cannot create a gradient accumulator for tensor '{value.name}' inside XLA "
                    f"while_loop. maximum_iterations tensor '{limit.name}' for while_loop context "
                    f"'{loop.name}' must be statically known (e.g. a constant value or known shape "
                    "dimension), or be defined at or outside the while loop context "
                    f"'{'' if current is None else current.name}' (currently defined in "
                    f"'{made_in.name}')."
                )
            size *= known
        loop = util.GetContainingWhileContext(loop.outer_context, stop_ctxt=current)
    return size
