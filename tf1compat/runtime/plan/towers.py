"""Operations that match across devices as one step, which every device runs on its own values.

TF1 programs train on several devices by towers: the same operations are recorded once for each
device (`with tf.device("/gpu:%d" % i)`, or a strategy), and what the towers give is averaged.
`group` finds the operations that match and puts a `Towers` in their place. A device then runs the
operations of one tower alone, and what is added up or averaged over all towers becomes a sum over
the devices (`trace/towers.py`); all the rest is computed by each device for itself.

    label   the tower of an operation: by its device; what has none of its own belongs where its
            inputs come from
    align   the towers' operations, in the order of creation, by type, attributes and static shapes
    check   a row (one operation of each tower) stays if its inputs are rows, constants of one
            value, or come from outside; else its operations run as before
    level   the rows that can run together: between two levels, something outside of the towers is
            in the way
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import constants, dtypes, op_registry
from tf1compat.core.device import DeviceSpec
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.effects import Effects
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.idle import Idle
from tf1compat.runtime.plan.order import Cycle, topological
from tf1compat.runtime.plan.placement import stays_on_host
from tf1compat.runtime.plan.references import is_reference, variable_key

# One operation of each tower, or one tensor.
Row = tuple[Operation, ...]
Siblings = tuple[Tensor, ...]

# A level of less work, in microseconds, is not worth that the devices wait for each other; less so
# where all that is done for several devices takes the time of the same cores.
LEAST_WORK = 100.0
LEAST_WORK_ON_SHARED_CORES = 5000.0
# There, what is not in the towers, and is done by all devices, may be so much of what is.
MOST_REPEATED = 0.2


class Given(NamedTuple):
    """What the towers are given from outside: `tensors`, as inputs number `index` of `row`."""

    tensors: Siblings
    row: Row
    index: int


class Total(NamedTuple):
    """A sum or mean over all towers.

    Attributes:
      result: what is computed.
      of: the first tower's part.
      how: "sum" or "mean".
      through: what is done to each part first, where that is more than nothing: the operation that
        reduces the towers' values joined together.
    """

    result: Tensor
    of: Tensor
    how: str
    through: Operation | None


class Towers:
    """Rows of operations as one step of the plan, which has the attributes of an `Operation` that
    the plan and the interpreter look at.

    Attributes:
      rows: the operations, in order.
      given: what comes from outside.
      totals: the sums and means over all towers.
      results: the outputs, as rows, of which something outside needs the value of each tower.
    """

    def __init__(self, rows: list[Row], given: list[Given], absorbed: list[Operation]):
        self.rows = rows
        self.given = given
        self.totals: list[Total] = []
        self.results: list[Siblings] = []
        ops = [op for row in rows for op in row]
        own = (*ops, *absorbed)
        self.members = tuple(dict.fromkeys(m for op in own for m in (op, *step_lib.members(op))))
        self._outputs = [tensor for op in own for tensor in op._outputs]
        made, inside = set(self._outputs), set(self.members)
        self._inputs = list(dict.fromkeys(t for op in own for t in op._inputs if t not in made))
        self._control_inputs = list(
            dict.fromkeys(c for op in own for c in op._control_inputs if c not in inside)
        )
        self._id = min(op._id for op in ops)
        self._spec = _SPEC
        self.name = f"{rows[0][0]._name}/towers"
        self.type = "towers"
        self.random_ops = [r for op in ops for r in step_lib.random_ops(op)]


_SPEC = op_registry.OpSpec("towers")
_SPEC.where = __file__


def group(
    steps: list[Any],
    kind: str,
    feeds: set[Tensor],
    effects: Effects,
    wanted: Iterable[Tensor],
    cost: Callable[[Sequence[Any], int], float],
    shares_cores: bool,
) -> tuple[list[Any], tuple[int, ...]] | None:
    """Replaces operations that match across devices by `Towers`.

    Args:
      steps: a region's, in order.
      kind: the type of the devices: "GPU", "CPU".
      feeds: tensors whose values are given.
      effects: the order of reads and writes.
      wanted: tensors that are needed outside of the region.
      cost: estimates the time of some steps in a program of so many towers, in microseconds.
      shares_cores: whether the devices take the time of the same processors.

    Returns:
      (The steps, the numbers of the devices); None if nothing matches that would be worth it.
    """
    labels, towers = _labels(steps, kind, feeds)
    if len(towers) < 2 or any(step._spec.sees_all for step in steps):
        return None
    rows = _Checked(_aligned(steps, labels, towers), steps, feeds, effects).rows
    found = _leveled(steps, rows, feeds, effects)
    least = LEAST_WORK_ON_SHARED_CORES if shares_cores else LEAST_WORK
    levels = [level for level in found if cost([row[0] for row in level], len(towers)) >= least]
    if not levels:
        return None
    inside = {op for level in levels for row in level for op in row}
    count = len(towers)
    repeated = cost([step for step in steps if step not in inside], count)
    work = cost([row[0] for level in levels for row in level], count)
    if shares_cores and repeated > MOST_REPEATED * work:
        return None
    made = _Making(steps, levels, feeds, set(wanted)).made()
    members = {member for towers_ in made for member in towers_.members}
    rest = [step for step in steps if step not in members]
    try:
        return topological([*rest, *made], feeds, _write_order(rest, effects)), towers
    except Cycle:
        return None


# Which tower an operation belongs to.


def _labels(
    steps: Sequence[Any], kind: str, feeds: set[Tensor]
) -> tuple[dict[Operation, int], tuple[int, ...]]:
    """Which tower each operation belongs to that can be in one.

    Returns:
      (The number of its device, the numbers of all towers' devices).
    """
    numbers: dict[str, int | None] = {}
    located: dict[Operation, int | None] = {}
    for op in steps:
        if _may_be_in_a_row(op, feeds):
            if op._device not in numbers:
                spec = DeviceSpec.from_string(op._device)
                numbers[op._device] = spec.device_index if spec.device_type == kind else None
            replica = getattr(op, "replica", None)
            located[op] = numbers[op._device] if replica is None else replica
    towers = _towers(located.values())
    # What is shared by all may stand on the first device, too, and what only one tower needs may
    # stand anywhere: that belongs where its inputs come from, else where it goes.
    home = towers[0] if towers else None
    labels: dict[Operation, int] = {}
    users: dict[Operation, list[Operation]] = {}
    step_of = {m: step for step in steps for m in step_lib.members(step)}
    for op, number in located.items():
        sources = [step_of.get(t._op) for t in op._inputs if t not in feeds]
        waits = [step_of.get(control) for control in op._control_inputs]
        if number in (None, home) and getattr(op, "replica", None) is None:
            given_by = [*sources, *waits] if isinstance(op, Idle) else sources
            found = {labels[source] for source in given_by if source in labels}
            if found != {home}:
                found.discard(home)
            if len(found) > 1:
                continue
            number = found.pop() if found else number
        if number is not None:
            labels[op] = number
        for source in filter(None, (*sources, *waits)):
            users.setdefault(source, []).append(op)
    for op in reversed(list(located)):
        if op not in labels or (not op._inputs and located[op] == home):
            found = {labels[user] for user in users.get(op, ()) if user in labels}
            if len(found) == 1:
                labels[op] = found.pop()
    return labels, towers


def _may_be_in_a_row(op: Any, feeds: set[Tensor]) -> bool:
    """Whether an operation computes nothing but its outputs, of its inputs' values."""
    if not isinstance(op, Operation) or tuple(step_lib.gate_tensors(op)):
        return False
    spec = op._spec
    if (
        not (spec.lower or spec.fold)
        or spec.writes
        or spec.reads
        or spec.source
        or spec.effect
        or spec.flows
    ):
        return False
    if spec.passes_refs or spec.loop or spec.runs_on_host(op):
        return False
    if spec.calls is not None or any(tensor in feeds for tensor in op._outputs):
        return False
    for tensor in (*op._inputs, *op._outputs):
        if tensor._dtype in (dtypes.resource, dtypes.variant) or stays_on_host(tensor, feeds):
            return False
    return not (spec.views and any(is_reference(t) and t not in feeds for t in op._inputs))


def _towers(located: Iterable[int | None]) -> tuple[int, ...]:
    """The devices on which there are towers: no device that has far fewer operations than others
    is one of them. The first may have much more."""
    counts: dict[int, int] = {}
    for number in located:
        if number is not None:
            counts[number] = counts.get(number, 0) + 1
    if len(counts) < 2:
        return ()
    most = max(count for number, count in counts.items() if number != min(counts))
    return tuple(sorted(number for number, count in counts.items() if 2 * count >= most))


# Which operations are a row.


def _signature(op: Operation) -> tuple[Any, ...]:
    """What operations of a row have in common."""
    op_def = op._spec.op_def
    names = [] if op_def is None else op_def.attrs
    seeds = ("seed", "seed2") if op._spec.random else ()
    attrs = tuple((name, _frozen(op._attrs.get(name))) for name in names if name not in seeds)
    shapes = tuple(tensor._shape for tensor in (*op._inputs, *op._outputs))
    return op.type, attrs, tuple(t._dtype for t in op._inputs), shapes


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value


def _aligned(
    steps: Iterable[Any], labels: Mapping[Operation, int], towers: Sequence[int]
) -> list[Row]:
    """Operations of the towers that correspond in the order of creation."""
    codes: dict[Any, int] = {}
    lists: dict[int, list[tuple[int, Operation]]] = {number: [] for number in towers}
    for op in steps:
        if labels.get(op) in lists:
            code = codes.setdefault(_signature(op), len(codes))
            lists[labels[op]].append((code, op))
    common = set.intersection(*({code for code, _ in found} for found in lists.values()))
    first, *others = ([pair for pair in lists[n] if pair[0] in common] for n in towers)
    places: list[dict[int, Operation]] = []
    mine = [code for code, _ in first]
    for other in others:
        theirs = [code for code, _ in other]
        if mine == theirs:
            places.append({i: op for i, (_, op) in enumerate(other)})
            continue
        blocks = difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_matching_blocks()
        places.append({b.a + i: other[b.b + i][1] for b in blocks for i in range(b.size)})
    return [
        (op, *(place[i] for place in places))
        for i, (_, op) in enumerate(first)
        if all(i in place for place in places)
    ]


class _Checked:
    """The rows whose inputs correspond.

    Attributes:
      rows: them.
      row_of: an operation of one of them -> the row.
    """

    def __init__(
        self, rows: Iterable[Row], steps: Sequence[Any], feeds: set[Tensor], effects: Effects
    ):
        self._feeds = feeds
        self._effects = effects
        self.row_of: dict[Operation, Row] = {}
        self._given: dict[Tensor, Siblings] = {}
        self._taken: set[Operation] = set()  # what gives rows something from outside
        # A row comes when its last operation does: then all rows that it takes from are known.
        places = {step: i for i, step in enumerate(steps)}
        for row in sorted(rows, key=lambda row: max(places[op] for op in row)):
            if not self._taken.isdisjoint(row) or not self._waits_alike(row):
                continue
            if all(self._agree(row, siblings) for siblings in _inputs(row)):
                self.row_of.update((m, row) for op in row for m in (op, *step_lib.members(op)))
                for siblings in _inputs(row):
                    if not self._is_inside(siblings):
                        self._given[siblings[0]] = siblings
                        self._taken.update(tensor._op for tensor in siblings)
        self.rows = list(dict.fromkeys(self.row_of.values()))

    def _is_inside(self, siblings: Siblings) -> bool:
        return siblings[0] not in self._feeds and siblings[0]._op in self.row_of

    def _waits_alike(self, row: Row) -> bool:
        """Whether operations that only make others wait do so for the same rows."""
        if row[0]._outputs:
            return True
        first, *others = ({self.row_of.get(c) for c in op._control_inputs} for op in row)
        return all(other == first for other in others)

    def _agree(self, row: Row, siblings: Siblings) -> bool:
        """Whether some inputs of the operations of a row correspond."""
        known = [t not in self._feeds and is_constant(t._op, self._feeds) for t in siblings]
        if any(known):
            return all(known) and _have_one_value(siblings)
        # A tensor stands for its siblings wherever it is.
        if self._given.get(siblings[0], siblings) != siblings:
            return False
        for op, tensor in zip(row, siblings, strict=True):
            if is_reference(tensor) and tensor not in self._feeds:
                # Of what is written before, the version is looked up by operation.
                if self._effects.visible[op].get(variable_key(tensor), 0):
                    return False
        made_by = [tensor._op for tensor in siblings if tensor not in self._feeds]
        if not set(row).isdisjoint(made_by):
            return False
        sources = {self.row_of.get(op) for op in made_by}
        if sources <= {None}:
            return True
        source, *more = sources
        return (
            not more
            and source == tuple(t._op for t in siblings)
            and len({t._value_index for t in siblings}) == 1
        )


def _inputs(row: Row) -> list[Siblings]:
    return list(zip(*(op._inputs for op in row), strict=True))


def _have_one_value(siblings: Siblings) -> bool:
    first, *others = (constants.known_value(tensor) for tensor in siblings)
    return first is not None and all(
        other is first
        or other is not None
        and (other.dtype, other.shape) == (first.dtype, first.shape)
        and other.tobytes() == first.tobytes()
        for other in others
    )


# Which rows can run together.


def _write_order(steps: Sequence[Any], effects: Effects) -> dict[Any, list[Any]]:
    """For each operation that writes a variable, the one that wrote it before."""
    last: dict[Any, Any] = {}
    found: dict[Any, list[Any]] = {}
    for op in steps:
        for member in dict.fromkeys((op, *step_lib.members(op))):
            for key in effects.writes.get(member, ()):
                if last.get(key, op) is not op:
                    found.setdefault(op, []).append(last[key])
                last[key] = op
    return found


def _leveled(
    steps: Sequence[Any], rows: Sequence[Row], feeds: set[Tensor], effects: Effects
) -> list[list[Row]]:
    """The rows by level, in order. A row that waits for itself through another tower is none."""
    before = _write_order(steps, effects)
    while True:
        row_of: dict[Any, Row] = {op: row for row in rows for op in row}
        owner: dict[Any, Any] = {
            m: row_of.get(step, step) for step in steps for m in (*step_lib.members(step), step)
        }
        sources: dict[Any, dict[Any, None]] = {}
        for step in steps:
            found = sources.setdefault(owner[step], {})
            for source in (
                *(tensor._op for tensor in step._inputs if tensor not in feeds),
                *step._control_inputs,
                *before.get(step, ()),
            ):
                if source in owner and owner[source] is not owner[step]:
                    found[owner[source]] = None
        levels: dict[Any, int] = {}
        waiting = list(sources)
        while waiting:
            left = []
            for node in waiting:
                if all(source in levels for source in sources[node]):
                    is_row = type(node) is tuple
                    levels[node] = max(
                        (levels[s] + (type(s) is tuple and not is_row) for s in sources[node]),
                        default=0,
                    )
                else:
                    left.append(node)
            if len(left) == len(waiting):
                break
            waiting = left
        if not waiting:
            break
        stuck = set(waiting)
        rows = [row for row in rows if row not in stuck]
    found_rows: dict[int, list[Row]] = {}
    places = {step: i for i, step in enumerate(steps)}
    for row in sorted(rows, key=lambda row: places[row[0]]):
        found_rows.setdefault(levels[row], []).append(row)
    return [found_rows[level] for level in sorted(found_rows)]


# The steps.


class _Making:
    """Makes a `Towers` of each level."""

    def __init__(
        self,
        steps: Sequence[Any],
        levels: Sequence[list[Row]],
        feeds: set[Tensor],
        wanted: set[Tensor],
    ):
        self._levels = levels
        self._feeds = feeds
        self._wanted = wanted
        self._level_of = {op: i for i, level in enumerate(levels) for row in level for op in row}
        self._row_of = {op: row for level in levels for row in level for op in row}
        self._users: dict[Tensor, list[Any]] = {}
        for step in steps:
            for tensor in dict.fromkeys(step._inputs):
                if tensor not in feeds:
                    self._users.setdefault(tensor, []).append(step)
        self._totals: dict[int, list[Total]] = {}
        self._absorbed: dict[int, list[Operation]] = {}
        for step in steps:
            self._look_for_total(step)

    def made(self) -> list[Towers]:
        """The steps."""
        absorbed = {op for ops in self._absorbed.values() for op in ops}
        found = []
        for number, rows in enumerate(self._levels):
            towers = Towers(rows, self._given(number, rows), self._absorbed.get(number, []))
            towers.totals = self._totals.get(number, [])
            for row in rows:
                for siblings in zip(*(op._outputs for op in row), strict=True):
                    users = {user for t in siblings for user in self._users.get(t, ())} - absorbed
                    outside = any(user not in self._level_of for user in users)
                    if outside or not self._wanted.isdisjoint(siblings):
                        towers.results.append(siblings)
            found.append(towers)
        return found

    def _given(self, number: int, rows: Sequence[Row]) -> list[Given]:
        found: dict[Tensor, Given] = {}
        for row in rows:
            for index, siblings in enumerate(_inputs(row)):
                first = siblings[0]
                if first not in self._feeds:
                    if self._level_of.get(first._op) == number:
                        continue
                    if is_constant(first._op, self._feeds):
                        continue
                found.setdefault(first, Given(siblings, row, index))
        return list(found.values())

    def _siblings(self, tensors: Sequence[Tensor]) -> Siblings | None:
        """The outputs of a row that `tensors` are, in any order; None if they are none."""
        row = self._row_of.get(tensors[0]._op) if tensors else None
        if row is None or len(row) != len(tensors) or not self._feeds.isdisjoint(tensors):
            return None
        siblings = tuple(op._outputs[tensors[0]._value_index] for op in row)
        return siblings if set(siblings) == set(tensors) else None

    def _look_for_total(self, op: Any) -> None:
        if not isinstance(op, Operation) or op in self._level_of or op._control_inputs:
            return
        if op._spec.adds:
            siblings = self._siblings(op._inputs)
            if siblings is not None:
                self._take(siblings, Total(op._outputs[0], siblings[0], "sum", None), op)
        elif op._spec.joins:
            *parts, axis = op._inputs
            siblings = self._siblings(parts)
            users = self._users.get(op._outputs[0], [])
            if siblings is None or op._outputs[0] in self._wanted or not users:
                return
            if all(self._reduces(user, axis) for user in users):
                for user in users:
                    total = Total(user._outputs[0], siblings[0], user._spec.reduces, user)
                    self._take(siblings, total, user)
                self._take(siblings, None, op)

    def _take(self, siblings: Siblings, total: Total | None, op: Operation) -> None:
        number = self._level_of[siblings[0]._op]
        if total is not None:
            self._totals.setdefault(number, []).append(total)
        self._absorbed.setdefault(number, []).append(op)

    def _reduces(self, op: Any, axis: Tensor) -> bool:
        """Whether an operation adds up or averages, along `axis` among others, what is joined
        along it."""
        if not isinstance(op, Operation) or not op._spec.reduces or op._control_inputs:
            return False
        joined, axes = op._inputs
        if not (is_constant(axis._op, self._feeds) and is_constant(axes._op, self._feeds)):
            return False
        if axis in self._feeds or axes in self._feeds or joined._shape is None:
            return False
        if op._spec.reduces == "mean" and not joined._dtype.is_floating:
            return False
        rank = len(joined._shape)
        along, every = (
            {int(i) % rank for i in np.ravel(np.asarray(constants.known_value(tensor)))}
            for tensor in (axis, axes)
        )
        return along <= every
