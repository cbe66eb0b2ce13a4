"""The names of tasks, and which task runs an operation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.collectives import Member
from tf1compat.core.device import DeviceSpec
from tf1compat.core.op_dtypes import input_dtypes
from tf1compat.core.operation import Operation

_COLOCATED = b"loc:@"
# What does the collectives of a run, beside its tasks.
COLLECTIVES = "collectives"


def task_name(job: str, index: int) -> str:
    """What the names of a task's devices begin with."""
    return f"/job:{job}/replica:0/task:{index}"


def tasks_of(cluster: Any) -> dict[str, str]:
    """The tasks of a `ClusterDef`, by name: their addresses."""
    return {
        task_name(job.name, index): address
        for job in cluster.job
        for index, address in sorted(job.tasks.items())
    }


def matches(task: str, pattern: str) -> bool:
    """Whether a task has what a device's name asks for, as far as that is about tasks."""
    wanted, found = DeviceSpec.from_string(pattern), DeviceSpec.from_string(task)
    pairs = (
        (wanted.job, found.job),
        (wanted.replica, found.replica),
        (wanted.task, found.task),
    )
    return all(want is None or want == has for want, has in pairs)


def seen_through(filters: Sequence[str], tasks: Iterable[str], own: str) -> list[str]:
    """The tasks that device filters let a session see; its own always."""
    return [
        task
        for task in tasks
        if not filters or task == own or any(matches(task, each) for each in filters)
    ]


def member(op: Operation) -> Member | None:
    """What an operation asks of a collective; None if it is none, or one of itself."""
    found = getattr(op._spec, "collective", None)  # A loop's has no such fact.
    return None if found is None else found(op)


def collectives_of(ops: Iterable[Operation]) -> dict[tuple[Any, ...], list[Operation]]:
    """The collectives among some operations, by what their members have in common."""
    found: dict[tuple[Any, ...], list[Operation]] = {}
    for op in ops:
        each = member(op)
        if each is not None:
            found.setdefault((each.scope, each.group, each.name), []).append(op)
    return found


class Places:
    """The tasks of a session.

    Args:
      own: that of its target: what asks for no task is done there.
      tasks: all of them.

    What sessions share (variables, what has a `shared_name`) is where TF 1.15 puts it: of all tasks
    that its device may mean, in the one whose name is the first. So it is the same one for the
    sessions of all tasks.
    """

    def __init__(self, own: str, tasks: Iterable[str]):
        self._own = own
        others = [task for task in tasks if task != own]
        self._tasks = [own, *others]
        self._by_name = sorted(self._tasks)
        self._known: dict[tuple[str, bool], str] = {}

    def requested(self, op: Operation) -> str | None:
        """The task that an operation asks for, by its device or by those that it is beside."""
        shared = _is_shared(op)
        waiting, visited = [op], {op._name}
        while waiting:
            op = waiting.pop()
            found = self._of_device(op._device, shared)
            if found is not None:
                return found
            for group in op._attrs.get("_class", ()):
                name = group.removeprefix(_COLOCATED).decode()
                other = op._graph._nodes_by_name.get(name)
                if other is not None and name not in visited:
                    visited.add(name)
                    waiting.append(other)
        return self._by_name[0] if shared else None

    def _of_device(self, device: str, shared: bool) -> str | None:
        known = self._known.get((device, shared))
        if known is None:
            spec = DeviceSpec.from_string(device)
            known = ""
            if spec.job is not None or spec.task is not None:
                tasks = self._by_name if shared else self._tasks
                known = next((task for task in tasks if matches(task, device)), "")
            self._known[device, shared] = known
        return known or None

    def of_group(self, ops: Sequence[Operation]) -> str:
        """The task of operations that must be run by one.

        Raises:
          NotImplementedError: what they hold lives in several tasks.
        """
        if all(map(member, ops)):
            return COLLECTIVES
        lasting = [op for op in ops if op._spec.source and not op._spec.local]
        held = {self.requested(op) or self._own: op for op in lasting}
        if len(held) > 1:
            (first, a), (second, b) = list(held.items())[:2]
            raise NotImplementedError(
                f"Operations that must be run by one task hold '{a.name}' of {first} and "
                f"'{b.name}' of {second}: not supported by tf1compat. Read the values that a loop "
                "or conditional needs before it, or place its variables in one task"
            )
        if held:
            return next(iter(held))
        requests = [task for op in ops if (task := self.requested(op)) is not None]
        acting = [self.requested(op) for op in ops if op._is_stateful]
        for task in (*acting, *requests):
            if task is not None:
                return task
        return self._own


def _is_shared(op: Operation) -> bool:
    """Whether sessions share what an operation stands for."""
    if op._spec.source:
        return not op._spec.local
    return bool(op._attrs.get("shared_name") or op._attrs.get("use_node_name_sharing"))


def takes_reference(op: Operation, index: int) -> bool:
    """Whether an operation takes the variable or resource behind an input, and not its value."""
    tensor = op._inputs[index]
    if tensor._dtype is dtypes.resource:
        return True
    if not tensor._dtype._is_ref_dtype:
        return False
    if op._spec.op_def is None:
        return False
    return input_dtypes(op._spec, op._attrs)[index]._is_ref_dtype
