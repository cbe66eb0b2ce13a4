"""Questions about control-flow contexts (`tensorflow.python.ops.control_flow_util`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tf1compat.core import nest
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.graph import Graph

_VARIABLES = (
    "TF_ENABLE_CONTROL_FLOW_V2",
    "TF_ENABLE_COND_V2",
    "TF_ENABLE_WHILE_V2",
    "TF_ENABLE_TENSOR_ARRAY_V2",
)
# Whether functional control flow (If, While) is recorded in plain graphs, too.
ENABLE_CONTROL_FLOW_V2 = any(os.environ.get(name, "0") != "0" for name in _VARIABLES)

# Operations through which a loop invariant is still one.
_PASSES_ON = frozenset(("Switch", "RefSwitch", "Identity", "RefIdentity"))


def EnableControlFlowV2(graph: Graph) -> bool:  # noqa: N802
    """Whether functional control flow (If, While) is recorded in `graph`: in tf.functions, and
    everywhere once it is enabled."""
    if getattr(graph, "records_v1", False):
        return False
    return ENABLE_CONTROL_FLOW_V2 or isinstance(graph, FuncGraph)


def enable_control_flow_v2() -> None:
    """As `tf.enable_control_flow_v2`."""
    global ENABLE_CONTROL_FLOW_V2
    ENABLE_CONTROL_FLOW_V2 = True


def InXlaContext(graph: Graph) -> bool:  # noqa: N802
    """Whether what is recorded in `graph` now is marked for XLA."""
    return GetContainingXLAContext(graph._get_control_flow_context()) is not None


def GraphOrParentsInXlaContext(graph: Graph) -> bool:  # noqa: N802
    """Whether what is recorded in `graph` now, or in a graph around it, is marked for XLA."""
    while True:
        if InXlaContext(graph):
            return True
        if not isinstance(graph, FuncGraph):
            return False
        graph = graph.outer_graph


def IsSwitch(op: Any) -> bool:  # noqa: N802
    """Whether `op` is a Switch."""
    return op.type in ("Switch", "RefSwitch")


def IsMerge(op: Any) -> bool:  # noqa: N802
    """Whether `op` is a Merge."""
    return op.type in ("Merge", "RefMerge")


def IsLoopEnter(op: Any) -> bool:  # noqa: N802
    """Whether `op` enters a while loop."""
    return op.type in ("Enter", "RefEnter")


def IsLoopExit(op: Any) -> bool:  # noqa: N802
    """Whether `op` leaves a while loop."""
    return op.type in ("Exit", "RefExit")


def IsCondSwitch(op: Any) -> bool:  # noqa: N802
    """Whether `op` is the Switch of a cond: all that uses it is in a branch."""
    return IsSwitch(op) and all(
        context is not None and context.IsCondContext()
        for output in op.outputs
        for context in map(_context_around_use, output.consumers())
    )


def _context_around_use(consumer: Any) -> Any:
    context = consumer._get_control_flow_context()
    return context.outer_context if IsLoopEnter(consumer) else context


def IsCondMerge(op: Any) -> bool:  # noqa: N802
    """Whether `op` is the Merge of a cond: all its inputs are in a branch."""
    if not IsMerge(op) or not op.inputs:
        return False
    contexts = [GetOutputContext(tensor.op) for tensor in op.inputs]
    return all(context is not None and context.IsCondContext() for context in contexts)


def IsLoopSwitch(op: Any) -> bool:  # noqa: N802
    """Whether `op` is the Switch of a while loop."""
    return IsSwitch(op) and _is_in_loop(op) and not IsCondSwitch(op)


def IsLoopMerge(op: Any) -> bool:  # noqa: N802
    """Whether `op` is the Merge of a while loop."""
    return IsMerge(op) and _is_in_loop(op) and not IsCondMerge(op)


def _is_in_loop(op: Any) -> bool:
    context = op._control_flow_context
    return context is not None and context.IsWhileContext()


def IsLoopConstantEnter(op: Any) -> bool:  # noqa: N802
    """Whether `op` brings a loop invariant into a loop."""
    return IsLoopEnter(op) and op.get_attr("is_constant")


def GetLoopConstantEnter(value: Any) -> Any:  # noqa: N802
    """The Enter through which `value` came as a loop invariant; None if it is seen to be none."""
    op = value.op
    while op.type in _PASSES_ON:
        op = op.inputs[0].op
    return op if IsLoopConstantEnter(op) else None


def GetOutputContext(op: Any) -> Any:  # noqa: N802
    """The context of the outputs of `op`: for a loop's Exit, the one around the loop."""
    inside = op._get_control_flow_context()
    if inside is not None and IsLoopExit(op):
        inside = inside.outer_context
    return inside


def GetWhileContext(op: Any) -> Any:  # noqa: N802
    """The innermost while context that `op` is in, or None."""
    inside = op._get_control_flow_context()
    return inside.GetWhileContext() if inside is not None else None


def OpInContext(op: Any, ctxt: Any) -> bool:  # noqa: N802
    """Whether `op` is in context `ctxt` or one nested in it."""
    return IsContainingContext(op._get_control_flow_context(), ctxt)


def TensorInContext(tensor: Any, ctxt: Any) -> bool:  # noqa: N802
    """Whether `tensor` is made in context `ctxt` or one nested in it."""
    return OpInContext(tensor.op, ctxt)


def IsContainingContext(ctxt: Any, maybe_containing_ctxt: Any) -> bool:  # noqa: N802
    """Whether `maybe_containing_ctxt` is `ctxt` or around it."""
    while ctxt is not maybe_containing_ctxt:
        if ctxt is None:
            return False
        ctxt = ctxt.outer_context
    return True


def GetContainingWhileContext(ctxt: Any, stop_ctxt: Any = None) -> Any:  # noqa: N802
    """The innermost while context around `ctxt` (or itself); `stop_ctxt` if that comes first."""
    while ctxt is not None:
        if ctxt.IsWhileContext() or ctxt is stop_ctxt:
            return ctxt
        ctxt = ctxt.outer_context
    return None


def GetContainingCondContext(ctxt: Any) -> Any:  # noqa: N802
    """The innermost cond context around `ctxt` (or itself)."""
    while ctxt is not None:
        if ctxt.IsCondContext():
            return ctxt
        ctxt = ctxt.outer_context
    return None


def GetContainingXLAContext(ctxt: Any) -> Any:  # noqa: N802
    """The innermost XLA context around `ctxt` (or itself)."""
    while ctxt is not None:
        if ctxt.IsXLAContext():
            return ctxt
        ctxt = ctxt.outer_context
    return None


def IsInXLAContext(op: Any) -> bool:  # noqa: N802
    """Whether `op` is marked for XLA or in an XLA context."""
    if op._attrs.get("_XlaCompile"):
        return True
    return GetContainingXLAContext(op._get_control_flow_context()) is not None


def IsInWhileLoop(op: Any) -> bool:  # noqa: N802
    """Whether `op` is inside a while loop."""
    return GetContainingWhileContext(op._get_control_flow_context()) is not None


def IsInCond(op: Any) -> bool:  # noqa: N802
    """Whether `op` is inside a cond."""
    return GetContainingCondContext(op._get_control_flow_context()) is not None


def IsInWhileContext(op: Any) -> bool:  # noqa: N802
    """Whether the outputs of `op` are inside a while loop."""
    return GetContainingWhileContext(GetOutputContext(op)) is not None


def IsInCondContext(op: Any) -> bool:  # noqa: N802
    """Whether the outputs of `op` are inside a cond."""
    return GetContainingCondContext(GetOutputContext(op)) is not None


def CheckInputFromValidContext(op: Any, input_op: Any) -> None:  # noqa: N802
    """Refuses an input from a while loop that `op` can't look into.

    Raises:
      ValueError: `input_op` is in a loop that `op` is neither in nor the gradient of.
    """
    inside = op._get_control_flow_context()
    source = GetOutputContext(input_op)
    if source is None or source is inside:
        return
    loop = GetContainingWhileContext(inside)
    source_loop = GetContainingWhileContext(source)
    if loop is None:
        # Enter and Switch get their context only after they are made.
        if source_loop is None or IsLoopEnter(op) or IsSwitch(op):
            return
        problem = (
            f"Cannot use '{input_op.name}' as input to '{op.name}' because '{input_op.name}' is in "
            "a while loop."
        )
    else:
        if _reaches(loop, source_loop):
            return
        problem = (
            f"Cannot use '{input_op.name}' as input to '{op.name}' because they are in different "
            "while loops."
        )
    raise ValueError(problem + " See info log for more details.")


def _reaches(loop: Any, source: Any) -> bool:
    """Whether operations in `loop` may use what is made in the loop `source` (None: in no loop)."""
    if IsContainingContext(loop, source):
        return True
    if loop.grad_state:
        # The loop computes gradients: it uses its forward loop, those around, and one within.
        forward = loop.grad_state.forward_context
        if IsContainingContext(forward, source) or forward is source.outer_context:
            return True
    # The source computes gradients of this loop, or gradients of gradients of it.
    for _ in range(2):
        if not source.grad_state:
            return False
        source = source.grad_state.forward_context
        if source is loop:
            return True
    return False


def flow_of(value: Any) -> Any:
    """The tensor that loops and branches hand on for a TensorArray; anything else as it is."""
    from tf1compat.api.control_flow import tensor_array_ops

    return value.flow if isinstance(value, tensor_array_ops.TensorArray) else value


def packed(structure: Any, tensors: Sequence[Any]) -> Any:
    """`tensors` in the given structure, those that are flows of its TensorArrays as TensorArrays.

    Raises:
      ValueError: there are not as many as the structure needs.
    """
    from tf1compat.api.control_flow import tensor_array_ops as arrays

    originals = nest.flatten(structure, expand_composites=True)
    if len(originals) != len(tensors):
        raise ValueError(
            "Lengths of original Tensor list and new list do not match: "
            f"{len(originals)} vs. {len(tensors)}"
        )
    values = [
        arrays.build_ta_with_new_flow(original, tensor)
        if isinstance(original, arrays.TensorArray)
        else tensor
        for original, tensor in zip(originals, tensors)
    ]
    return nest.pack_sequence_as(structure, values, expand_composites=True)
