"""Which version of which variable each operation sees."""

from __future__ import annotations

from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.references import (
    Local,
    input_group,
    variable_key,
)

Versions = dict[Any, int]


class Effects:
    """Which version of which variable each operation sees.

    Attributes:
      visible: op -> {variable: version} of the variables written before it; others are seen as the
        run found them.
      writes: op -> {variable: the version that the op makes}.
      written: variable -> its last version.
      local: the variables that begin with one of the operations.
      lasting: `written`, of the variables that outlive the operations.
    """

    def __init__(self) -> None:
        self.visible: dict[Operation, Versions] = {}
        self.writes: dict[Operation, Versions] = {}
        self.written: Versions = {}
        self.local: set[Local] = set()
        self.lasting: Versions = {}


_NOTHING: Versions = {}


def order_effects(ops: list[Operation], feeds: set[Tensor]) -> Effects:
    """Orders reads and writes of variables.

    An operation sees the writes that a path of data or control edges puts before it.  What nothing
    orders against a write sees the variable as the run found it.  Writes happen in creation order,
    each upon the one before.
    """
    effects = Effects()
    visible = effects.visible
    written = effects.written
    for op in ops:
        seen = _NOTHING
        for tensor in op._inputs:
            if tensor not in feeds:
                seen = _merge(seen, visible.get(tensor._op, _NOTHING))
        for control in op._control_inputs:
            seen = _merge(seen, visible.get(control, _NOTHING))
        spec = op._spec
        if spec.sees_all:
            seen = _merge(seen, dict(written))
        if spec.local:
            effects.local.add(Local(op))
        if spec.writes:
            made: Versions = {}
            for index in spec.writes:
                for tensor in input_group(op, index):
                    key = variable_key(tensor)
                    if key not in made:
                        made[key] = written[key] = written.get(key, 0) + 1
            effects.writes[op] = made
            seen = {**seen, **made}
        for member in step_lib.members(op):
            visible[member] = seen
        visible[op] = seen
    local = effects.local
    effects.lasting = {key: last for key, last in written.items() if key not in local}
    return effects


def reads_last(steps: list[Any], effects: Effects) -> list[Any]:
    """`steps` with those at the end that see a variable after some of its rows were updated.

    Until then such a variable need not be made, and what is made then need not be kept from the
    checks of operations that come later (`trace/updates.py`).
    """
    updated: Versions = {}
    for op in steps:
        if getattr(op._spec, "updates_rows", False):
            for key, version in effects.writes[op].items():
                updated[key] = min(version, updated.get(key, version))
    if not updated:
        return steps
    first: list[Any] = []
    last: list[Any] = []
    late: set[Any] = set()  # the operations in `last`, and the variables that they write
    for op in steps:
        writes = effects.writes.get(op, _NOTHING)
        before = (*(t._op for t in op._inputs), *op._control_inputs, *step_lib.gates(op), *writes)
        is_late = not late.isdisjoint(before)
        if not is_late and not getattr(op._spec, "updates_rows", False):
            seen = effects.visible.get(op, _NOTHING)
            is_late = any(seen.get(key, 0) >= version for key, version in updated.items())
        if is_late:
            late.update((op, *step_lib.members(op), *writes))
        (last if is_late else first).append(op)
    return [*first, *last]


def _merge(a: Versions, b: Versions) -> Versions:
    if not b or a is b:
        return a
    if not a:
        return b
    if all(a.get(key, 0) >= version for key, version in b.items()):
        return a
    merged = dict(a)
    for key, version in b.items():
        if version > merged.get(key, 0):
            merged[key] = version
    return merged
