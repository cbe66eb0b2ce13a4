"""Sorting the steps of a plan."""

from __future__ import annotations

import heapq
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import steps as step_lib


class Cycle(NotImplementedError):
    """Operations that wait for each other."""

    def __init__(self, ops: list[Any]):
        super().__init__(
            f"The graph has a loop through operation '{ops[0].name}': not supported by tf1compat "
            "yet"
        )
        self.ops = ops


def topological(
    ops: list[Any], feeds: set[Tensor], after: dict[Any, list[Any]] | None = None
) -> list[Any]:
    """Sorts by creation order, except where an edge added later says otherwise.

    Args:
      ops: operations or what stands for several of them.
      feeds: tensors whose values are given.
      after: for some of the operations, others that are to come before.

    Raises:
      Cycle: there is no such order.
    """
    ops = sorted(ops, key=lambda op: op._id)
    position = {op: i for i, op in enumerate(ops)}
    owner = {member: op for op in ops for member in (op, *step_lib.members(op))}

    def sources(op: Any) -> list[Any]:
        found = [tensor._op for tensor in op._inputs if tensor not in feeds]
        found = [owner[source] for source in (*found, *op._control_inputs) if source in owner]
        if after is not None:
            before = (b for member in (op, *step_lib.members(op)) for b in after.get(member, ()))
            found.extend(owner[b] for b in before if owner[b] is not op)
        return found

    if all(position[source] < i for i, op in enumerate(ops) for source in sources(op)):
        return ops
    waiting = {op: len(set(sources(op))) for op in ops}
    users: dict[Operation, list[Operation]] = {op: [] for op in ops}
    for op in ops:
        for source in set(sources(op)):
            users[source].append(op)
    ready = [position[op] for op in ops if not waiting[op]]
    heapq.heapify(ready)
    order: list[Operation] = []
    while ready:
        op = ops[heapq.heappop(ready)]
        order.append(op)
        for user in users[op]:
            waiting[user] -= 1
            if not waiting[user]:
                heapq.heappush(ready, position[user])
    if len(order) < len(ops):
        raise Cycle([op for op in ops if waiting[op]])
    return order
