"""What `tf.gradients` does about control flow: zeros for branches not taken, and the state of while
loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from tf1compat.core import dtypes, ops, raw_ops


def is_switch(op: ops.Operation) -> bool:
    """Whether `op` is a Switch."""
    return op.type in ("Switch", "RefSwitch")


def is_loop_exit(op: ops.Operation) -> bool:
    """Whether `op` leaves a while loop."""
    return op.type in ("Exit", "RefExit")


def is_loop_switch(op: ops.Operation) -> bool:
    """Whether `op` is the Switch of a while loop."""
    inside = op._control_flow_context
    return is_switch(op) and inside is not None and inside.IsWhileContext()


class LoopState(Protocol):
    """The gradient loops that one call of `tf.gradients` builds, one for each while loop it
    meets.
    """

    def EnterGradWhileContext(self, op: Any, before: bool) -> None: ...  # noqa: N802
    def ExitGradWhileContext(self, op: Any, before: bool) -> None: ...  # noqa: N802
    def GetGradState(self, op: Any, before: bool) -> Any: ...  # noqa: N802
    def ProcessUnusedLoopExits(self, pending_count: Any, to_ops_set: Any) -> list[Any]: ...  # noqa: N802
    def ZerosLikeForExit(self, val: Any) -> Any: ...  # noqa: N802
    def ZerosLike(self, op: Any, index: int) -> Any: ...  # noqa: N802
    def PostProcessing(self) -> None: ...  # noqa: N802


def maybe_create_control_flow_state(
    between_op_list: Sequence[Any], between_ops: set[Any], colocate_gradients_with_ops: bool
) -> LoopState | None:
    """The state for the while loops among the ops to differentiate; None if there are no loops.

    Raises:
      NotImplementedError: there are.
    """
    for op in between_op_list:
        if is_loop_exit(op):
            raise NotImplementedError(
                "tf.gradients through tf.while_loop is not supported by tf1compat yet "
                f"(operation '{op.name}')"
            )
    return None


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
    from tf1compat.api import array_ops

    if tensor.dtype is not dtypes.resource:
        return array_ops.zeros_like(tensor)
    shape, dtype = shape_and_dtype(tensor)
    return array_ops.zeros(shape, dtype)


def zeros_like_outside_loop(op: ops.Operation, index: int) -> ops.Tensor:
    """Zeros for the gradient of an output of `op` that nothing depends on; for a Switch, made in
    the branch not taken.
    """
    from tf1compat.api import array_ops, control_flow_ops

    value = op.outputs[index]
    branch_context = op._control_flow_context if is_switch(op) else None
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
