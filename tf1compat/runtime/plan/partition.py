"""Splitting a program into levels: a device region, then host steps, and so on."""

from __future__ import annotations

from collections.abc import Collection

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    NOTHING,
    Decisions,
)
from tf1compat.runtime.plan import placement
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.calls import Return
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.references import (
    input_group,
    source_of,
)


class Level:
    """One device region and the host steps after it."""

    def __init__(self) -> None:
        self.device: list[Operation] = []
        self.host: list[Operation] = []


def _changes_outside(op: Operation, inside: set[Operation]) -> bool:
    """Whether the op changes a variable of this run that began outside of the program: the host
    runs the program several times, and keeps it."""
    return bool(op._spec.writes) and any(
        (source := source_of(tensor)._op)._spec.local and source not in inside
        for index in op._spec.writes
        for tensor in input_group(op, index)
    )


def partition(
    ops: list[Operation],
    feeds: set[Tensor],
    decided: Decisions = NOTHING,
    padded: Collection[Operation] = (),
) -> list[Level]:
    """Splits `ops` into levels.

    Args:
      padded: operations of the host that are a part of programs all the same (see `padding`).

    Returns:
      Levels, each to be run after the one before: first its region, then its host steps.
    """
    inside = {member for op in ops for member in (op, *step_lib.members(op))}
    level_of: dict[Operation, int] = {}
    on_host: dict[Operation, bool] = {}
    steps = [op for op in ops if not is_constant(op, feeds)]
    for op in steps:
        host = placement.runs_on_host(op, feeds, decided) and op not in padded
        host = on_host[op] = host or _changes_outside(op, inside)
        level = 0
        for index, tensor in enumerate(op._inputs):
            if tensor in feeds:
                continue
            source = tensor._op
            if source in level_of:
                after = (not host and on_host[source]) or (op, index) in decided.cuts
                level = max(level, level_of[source] + after)
        for control in op._control_inputs:
            if control in level_of:
                level = max(level, level_of[control] + (not host and on_host[control]))
        for member in step_lib.members(op):
            level_of[member], on_host[member] = level, host
        level_of[op] = level
    _sink(steps, level_of, on_host, decided)
    levels = [Level() for _ in range(max((level_of[op] for op in steps), default=0) + 1)]
    for op in steps:
        level = levels[level_of[op]]
        (level.host if on_host[op] else level.device).append(op)
    return levels


def _sink(
    steps: list[Operation],
    level_of: dict[Operation, int],
    on_host: dict[Operation, bool],
    decided: Decisions,
) -> None:
    """Moves operations of the device that change nothing to the level that needs them first: what
    comes before the host steps on which the rest waits needs no program of its own."""
    last = max((level_of[op] for op in steps if not on_host[op]), default=0)
    limits: dict[Operation, int] = {}
    for op in reversed(steps):
        spec = op._spec
        stays = on_host[op] or spec.writes or spec.effect or spec.local
        if not stays and isinstance(op, Operation | Return):
            level_of[op] = min(limits.get(part, last) for part in (op, *step_lib.members(op)))
        level = level_of[op]
        for index, tensor in enumerate(op._inputs):
            most = level - ((op, index) in decided.cuts)
            limits[tensor._op] = min(limits.get(tensor._op, last), most)
        for control in op._control_inputs:
            # What an act of a function waits for are all arguments: of a variable there is nothing
            # to be waited for.
            if not control._spec.source:
                limits[control] = min(limits.get(control, last), level)
