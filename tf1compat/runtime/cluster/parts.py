"""The operations of a run, cut into parts that are each run by one task.

A part has all operations of a task that need equally many changes of the task before them: with
variables on a parameter server a step of training is three parts, which read, compute and update. A
loop, a conditional and what lives for one run are in one part.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.cluster.tasks import (
    COLLECTIVES,
    Places,
    collectives_of,
    takes_reference,
)
from tf1compat.runtime.plan import loops
from tf1compat.runtime.plan.prune import reached

# A run that goes from task to task more often than this waits for itself.
_MOST_LEVELS = 500


@dataclasses.dataclass(eq=False)
class Part:
    """What one task does at one time of a run.

    Attributes:
      task: that does it.
      level: how many changes of the task come before it.
      ops: the operations; variables, and constants, are in every part that needs them.
      given: the tensors whose values it is given.
      results: the tensors whose values it gives.
      after: the parts that come before.
    """

    task: str
    level: int
    ops: dict[Operation, None] = dataclasses.field(default_factory=dict)
    given: dict[Tensor, None] = dataclasses.field(default_factory=dict)
    results: dict[Tensor, None] = dataclasses.field(default_factory=dict)
    after: dict[Part, None] = dataclasses.field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do but to wait for others."""
        return not self.results and not any(
            op._outputs or op._is_stateful or op._spec.effect for op in self.ops
        )


def cut(
    fetches: Sequence[Tensor],
    targets: Sequence[Operation],
    feeds: Iterable[Tensor],
    places: Places,
    done: Collection[Operation] = (),
) -> list[Part]:
    """The parts of a run, in an order in which they can be run.

    Args:
      fetches, targets, feeds: of the run.
      places: which task runs what.
      done: operations that ran before and must not run again.

    Raises:
      NotImplementedError: what one task must run holds what lives in several, or parts would have
        to wait for each other, or hand on what is no array.
    """
    given = plan_lib.Feeds(feeds)
    sources = [tensor._op for tensor in fetches if tensor not in given]
    needed = reached([*sources, *targets], given, done)
    ops = sorted(needed, key=lambda op: op._id)
    return _Cut(ops, given, places).parts(fetches, targets)


class _Cut:
    """The work of `cut`."""

    def __init__(self, ops: list[Operation], feeds: plan_lib.Feeds, places: Places):
        self._feeds = feeds
        self._everywhere = {op for op in ops if self._is_everywhere(op)}
        self._ops = [op for op in ops if op not in self._everywhere]
        self._units = _Unions(self._ops)
        self._join()
        sizes = self._units.sizes()
        # What only makes others wait is in every part that waits for it, and in none by itself.
        self._waits = {op for op in self._ops if _only_waits(op) and sizes[self._units.of(op)] == 1}
        self._ops = [op for op in self._ops if op not in self._waits]
        self._tasks = self._placed(places)
        self._levels = self._levelled()
        self._parts: dict[tuple[str, int], Part] = {}

    def _is_everywhere(self, op: Operation) -> bool:
        """Whether any part may have the operation: it names a variable, or is a constant."""
        if op._inputs or op._control_inputs:
            return False
        return (op._spec.source and not op._spec.local) or plan_lib.is_constant(op, self._feeds)

    def _join(self) -> None:
        """Joins what must be run together: loops, conditionals, and what lives for one run."""
        join = self._units.join
        maybe_dead: set[Operation] = set()
        steps = loops.collapse(self._ops, self._feeds)
        for step in plan_lib.topological(steps, self._feeds):
            first, *others = members = plan_lib.members(step)
            for other in others:
                join(first, other)
            taken = [t for t in step._inputs if t not in self._feeds]
            before = [*(t._op for t in taken), *step._control_inputs]
            gates = [b for b in before if b in maybe_dead or b._spec.is_switch]
            for gate in gates:
                join(gate, first)
            if gates and not step._spec.merges:
                maybe_dead.update(members)
            for tensor in taken:
                if tensor._op not in self._everywhere and self._is_bound(tensor):
                    join(tensor._op, first)
        for members in collectives_of(self._ops).values():
            for other in members[1:]:
                join(members[0], other)

    def _is_bound(self, tensor: Tensor) -> bool:
        """Whether a tensor is neither an array nor leads to what lives on in a task."""
        if tensor._dtype is dtypes.variant:
            return True
        if not plan_lib.is_reference(tensor):
            return False
        return plan_lib.source_of(tensor)._op not in self._everywhere and (
            tensor._dtype is dtypes.resource or tensor._dtype._is_ref_dtype
        )

    def _placed(self, places: Places) -> dict[Operation, str]:
        """The task of each operation."""
        groups = self._units.copy()
        anchors: dict[Operation, list[Operation]] = {}
        for op in self._ops:
            for index, tensor in enumerate(op._inputs):
                if tensor not in self._feeds and takes_reference(op, index):
                    source = plan_lib.source_of(tensor)._op
                    if source in self._everywhere:
                        anchors.setdefault(source, []).append(op)
        for users in anchors.values():
            for user in users[1:]:
                groups.join(users[0], user)
        members: dict[Operation, list[Operation]] = {}
        for op in self._ops:
            members.setdefault(groups.of(op), []).append(op)
        for source, users in anchors.items():
            members[groups.of(users[0])].append(source)
        tasks: dict[Operation, str] = {}
        for group in members.values():
            tasks.update(dict.fromkeys(group, places.of_group(group)))
        for op in self._everywhere:
            tasks.setdefault(op, places.of_group([op]))
        return tasks

    def _levelled(self) -> dict[Operation, int]:
        """The level of each operation; of those that are joined it is the same.

        Raises:
          NotImplementedError: joined operations wait for each other through another task.
        """
        steps = []
        for op in self._ops:
            task, unit = self._tasks[op], self._units.of(op)
            before = {(self._unit(b), self._tasks[b] != task) for b in self._before(op)}
            before.discard((unit, False))
            steps.append((op, unit, before))
        levels = dict.fromkeys([*self._everywhere, *(unit for _, unit, _ in steps)], 0)
        is_settled = False
        while not is_settled:
            is_settled = True
            for op, unit, before in steps:
                level = max((levels[b] + changes for b, changes in before), default=0)
                if level > levels[unit]:
                    if level > _MOST_LEVELS:
                        raise NotImplementedError(
                            f"Operation '{op.name}' has to be run by {self._tasks[op]} together "
                            "with others between which another task comes: not supported by "
                            "tf1compat yet"
                        )
                    levels[unit], is_settled = level, False
        return self._delayed({op: levels[self._unit(op)] for op in self._tasks})

    def _delayed(self, levels: dict[Operation, int]) -> dict[Operation, int]:
        """The levels, with that of a pure computation just before it is needed: so a task computes
        at once what it could in several parts. Likewise a task writes as late as it needs to: what
        waits for a write keeps to it, and what does not sees the variable as it was."""
        users: dict[Operation, list[Operation]] = {}
        for op in self._ops:
            for before in self._before(op):
                users.setdefault(before, []).append(op)
        sizes = self._units.sizes()
        alone = [op for op in reversed(self._ops) if sizes[self._units.of(op)] == 1 and op in users]
        pure = {op for op in alone if self._is_pure(op)}

        def last(op: Operation) -> int:
            task = self._tasks[op]
            return min(levels[user] - (self._tasks[user] != task) for user in users[op])

        for op in alone:
            if op in pure:
                levels[op] = max(levels[op], last(op))
        for op in alone:
            is_write = op._spec.writes and levels[op] and not op._spec.runs_on_host(op)
            if op in pure or (is_write and not op._spec.random):
                own = {levels[user] for user in users[op] if self._tasks[user] == self._tasks[op]}
                if last(op) in own:  # There it does not make one more part.
                    levels[op] = max(levels[op], last(op))
        return levels

    def _is_pure(self, op: Operation) -> bool:
        return not (
            op._is_stateful
            or self._tasks[op] == COLLECTIVES
            or any(map(plan_lib.is_reference, op._inputs))
        )

    def _unit(self, op: Operation) -> Operation:
        return op if op in self._everywhere else self._units.of(op)

    def _before(self, op: Operation) -> list[Operation]:
        taken = [
            tensor._op
            for index, tensor in enumerate(op._inputs)
            if tensor not in self._feeds
            and (tensor._op not in self._everywhere or self._is_sent(op, index))
        ]
        return [*taken, *self._controls(op)]

    def _controls(self, op: Operation) -> list[Operation]:
        """What an operation waits for, also behind those that only make it wait."""
        found: dict[Operation, None] = {}
        stack, seen = list(op._control_inputs), set[Operation]()
        while stack:
            control = stack.pop()
            if control in self._waits:
                if control not in seen:
                    seen.add(control)
                    stack.extend(control._control_inputs)
            elif control not in self._everywhere:
                found[control] = None
        return list(found)

    def _is_sent(self, op: Operation, index: int) -> bool:
        """Whether an operation takes the value of a variable of another task."""
        tensor = op._inputs[index]
        return (
            tensor._op in self._everywhere
            and plan_lib.is_reference(tensor)
            and not takes_reference(op, index)
            and self._tasks[tensor._op] != self._tasks[op]
        )

    def parts(self, fetches: Sequence[Tensor], targets: Sequence[Operation]) -> list[Part]:
        """See `cut`."""
        for op in self._ops:
            self._part(self._tasks[op], self._levels[op]).ops[op] = None
        for op in self._ops:
            self._supply(self._part_of(op), op)
        for op in targets:
            if op in self._everywhere:
                self._part_of(op).ops[op] = None
        for tensor in fetches:
            if tensor not in self._feeds:
                self._fetch(tensor)
        return sorted(self._parts.values(), key=lambda part: (part.level, part.task))

    def _part(self, task: str, level: int) -> Part:
        return self._parts.setdefault((task, level), Part(task, level))

    def _part_of(self, op: Operation) -> Part:
        """The part that runs an operation; of one that is everywhere, the first of its task."""
        return self._part(self._tasks[op], self._levels[op])

    def _supply(self, part: Part, op: Operation) -> None:
        """Gives an operation of a part what it takes from elsewhere."""
        for index, tensor in enumerate(op._inputs):
            source = tensor._op
            if tensor in self._feeds:
                part.given[tensor] = None
            elif takes_reference(op, index):
                if source not in part.ops:  # It goes by the variable's name.
                    part.ops[plan_lib.source_of(tensor)._op] = None
                    self._follow(part, source)
            elif part.task == COLLECTIVES:
                self._hand_on(tensor, part)
            elif source not in self._everywhere or self._is_sent(op, index):
                if source in part.ops:
                    continue
                if self._is_read_again(tensor, part):
                    part.ops[source] = None
                    self._supply(part, source)
                else:
                    self._hand_on(tensor, part)
            else:
                part.ops[source] = None
        for control in self._controls(op):
            self._follow(part, control)
        waits = [c for c in op._control_inputs if c in self._waits]
        while waits:
            control = waits.pop()
            if control not in part.ops:
                part.ops[control] = None
                waits.extend(c for c in control._control_inputs if c in self._waits)

    def _is_read_again(self, tensor: Tensor, part: Part) -> bool:
        """Whether a part looks at a variable itself, as its view shows it as it is then."""
        op = tensor._op
        is_free = plan_lib.is_view(tensor) and not op._control_inputs
        return is_free and self._tasks[op] == part.task and not self._is_bound(tensor)

    def _hand_on(self, tensor: Tensor, part: Part) -> None:
        giver = self._part_of(tensor._op)
        if self._is_bound(tensor):
            raise NotImplementedError(
                f"'{tensor.name}' of {giver.task} is no array, and needed by {part.task}: not "
                "supported by tf1compat yet"
            )
        giver.ops[tensor._op] = None
        part.given[tensor] = giver.results[tensor] = None
        part.after[giver] = None

    def _follow(self, part: Part, op: Operation) -> None:
        if op not in self._everywhere and op not in part.ops:
            part.after[self._part_of(op)] = None

    def _fetch(self, tensor: Tensor) -> None:
        """A fetched variable gives its value at the end of the part that it is in, of all parts of
        its task the first, as TF sends it off at once."""
        part = self._part_of(tensor._op)
        part.ops[tensor._op] = None
        part.results[tensor] = None


def _only_waits(op: Operation) -> bool:
    spec = op._spec
    return not (op._inputs or op._outputs or op._is_stateful or spec.effect or spec.writes)


class _Unions:
    """Disjoint sets of operations."""

    def __init__(self, ops: Iterable[Operation]):
        self._above = {op: op for op in ops}

    def copy(self) -> _Unions:
        found = _Unions(())
        found._above = dict(self._above)
        return found

    def sizes(self) -> Counter[Operation]:
        """How many there are in each set, by the operation that stands for it."""
        return Counter(map(self.of, self._above))

    def of(self, op: Operation) -> Operation:
        """The operation that stands for a set."""
        above = self._above
        while above[op] is not op:
            above[op] = above[above[op]]
            op = above[op]
        return op

    def join(self, a: Operation, b: Operation) -> None:
        """Makes one set of two."""
        self._above[self.of(a)] = self.of(b)
