"""Leaving out what nobody reads.

Gradients by inputs, for which those by variables wait, are computed for nobody. TF 1.15 makes NoOps
of such operations, in graphs, loops and functions, and says nothing of what is wrong in them. What
waits for them still waits for what they waited for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any

from tf1compat.core import op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


def leave_out(ops: list[Any], targets: Collection[Any], feeds: set[Tensor]) -> list[Any]:
    """`ops` with an `Idle` in place of each whose outputs nobody reads, and which keeps no state.

    Args:
      ops: steps of a plan, in any order.
      targets: the operations that are asked for.
      feeds: tensors whose values are given.
    """
    readers = Counter(tensor for op in ops for tensor in op._inputs)
    asked = set(targets)
    waiting = [op for op in ops if op not in asked and _may_be_idle(op)]
    by_output = {tensor: op for op in waiting for tensor in op._outputs}
    idle: set[Any] = set()
    while waiting:
        op = waiting.pop()
        if op in idle or any(readers[tensor] for tensor in op._outputs):
            continue
        idle.add(op)
        for tensor in op._inputs:
            readers[tensor] -= 1
            if not readers[tensor] and tensor in by_output:
                waiting.append(by_output[tensor])
    return [Idle(op, feeds) if op in idle else op for op in ops] if idle else ops


def _may_be_idle(op: Any) -> bool:
    spec = op._spec
    if not isinstance(op, Operation) or spec.op_def is None or spec.op_def.is_stateful:
        return False
    if not op._inputs or not op._outputs:
        return False
    if spec.is_switch or spec.merges or spec.loop or spec.calls or spec.replicas:
        return False
    if spec.given or spec.writes:  # A placeholder with a default is one to TF, too.
        return False
    # What reads a variable says that it has no value.
    return not any(tensor._dtype._is_ref_dtype for tensor in op._inputs)


class Idle(Operation):
    """Waits for what an operation would have waited for, and computes nothing; no graph lists it.

    Args:
      op: the operation.
      feeds: tensors whose values are given.
    """

    def __init__(self, op: Operation, feeds: set[Tensor]):
        self.__dict__.update(op.__dict__)
        given = [tensor for tensor in op._inputs if tensor not in feeds]
        self.members = (op,)
        # A Switch is never dead, but what it hands on may be.
        self._inputs = [tensor for tensor in given if tensor._op._spec.is_switch]
        self._control_inputs = list(
            dict.fromkeys([*(tensor._op for tensor in given), *op._control_inputs])
        )
        self._outputs = []
        self._spec = _IDLE


def _nothing(*switched: Any) -> list[Any]:
    return []


_IDLE = op_registry.OpSpec("Idle")
_IDLE.where = __file__
_IDLE.lower = op_registry.Rule(_nothing, None, ())
