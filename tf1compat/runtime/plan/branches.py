"""TF's v1 conditionals (Switch, Merge) as one step each.

`group` finds out which operations run only if a predicate is true (or false) and replaces those of
one predicate, with the Switches before and the Merges after them, by a `Branches`, which the plan
treats like an operation. Where the predicate is known when the program is compiled, its operations
are interpreted as they are, and those of the other branch are dead. Where it is not, they are
interpreted twice, with the predicate assumed false and assumed true, and `lax.cond` picks
(`trace/cond.py`).

Predicates that only bools from outside decide (`is_training`) are left alone: the program
specialises on them. So are those of branches with host steps, or with results of different shapes,
and all of them where too many are inside each other: their program is cut in two, or, if they
are too many for that, runs them on the host (`too_deep`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from tf1compat.core import dtypes, op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    NOTHING,
    Decisions,
)
from tf1compat.runtime.plan import placement
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.effects import Effects
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.order import Cycle, topological
from tf1compat.runtime.plan.references import (
    is_reference,
    variable_key,
)


class Seen(NamedTuple):
    """A predicate that is a variable, as it is at a version."""

    tensor: Tensor
    version: int

    @property
    def _op(self) -> Operation:
        return self.tensor._op

    @property
    def name(self) -> str:
        """The variable's."""
        return self.tensor.name


Pred = Tensor | Seen
# Under what an operation runs: predicates, and whether each has to be true (1) or false (0).
Guard = frozenset[tuple[Pred, int]]

_ALWAYS: Guard = frozenset()

# As many conditionals inside each other are one program: 20 take 1 s to compile, 40 take 3, and 60
# more than Python's stack has.
_DEEPEST = 40
# The program is cut for so many predicates, each of which is known only after the one before.
_MOST_CUTS = 8


def group(
    ops: list[Any],
    feeds: set[Tensor],
    effects: Effects,
    wanted: Iterable[Tensor],
    decided: Decisions = NOTHING,
    specialize: bool = True,
) -> list[Any]:
    """Replaces operations that run under predicates by `Branches`.

    Args:
      ops: the operations, in order.
      feeds: tensors whose values are given.
      effects: the order of reads and writes.
      wanted: tensors that are needed outside of `ops`.
      decided: which predicates are left alone, for example.
      specialize: whether a program may be made for each value of the bools that are fed.
    """
    if not any(op._spec.is_switch for op in ops):
        return ops
    try:
        guards = _Guards(ops, feeds, effects)
    except _TooDeep:
        return ops
    blocked = {*decided.apart, *guards.unresolved}
    for tensor in wanted:
        blocked |= {pred for pred, _ in guards.of.get(tensor, _ALWAYS)}
    for op in ops:
        preds = guards.preds[op]
        if preds and not preds <= blocked and placement.runs_on_host(op, feeds, decided):
            blocked |= preds
    if specialize:
        others = guards.all_preds() - blocked
        blocked |= {pred for pred in others if _decided_outside(pred, feeds)}
    return _grouped(ops, guards, effects, set(wanted), frozenset(blocked))


def too_deep(ops: list[Any], feeds: set[Tensor], effects: Effects) -> frozenset[Any]:
    """The operations under conditionals of which too many are inside each other: those of a program
    that `group` left as it was.

    Conditionals that depend on one predicate, handed on from one to the next, are known all at
    once. The others are not, and a program would have to be cut for each: these are the host's.
    """
    depth: dict[Any, int] = {}
    copied: dict[Tensor, Tensor] = {}
    preds: set[Tensor] = set()
    for op in ops:
        depths = [depth.get(t, 0) for t in op._inputs if t not in feeds]
        depths += [depth.get(gate, 0) for gate in (*step_lib.gates(op), *step_lib.gate_tensors(op))]
        inside = max(depths, default=0)
        if op._spec.merges:
            inside = max(min(depths, default=0) - 1, 0)
        if op._spec.is_switch:
            pred: Tensor = op._inputs[1]
            preds.add(copied.get(pred, pred))
            inside += 1
        if op._spec.is_switch or op._spec.views:
            source = copied.get(op._inputs[0], op._inputs[0])
            copied.update(dict.fromkeys(op._outputs, source))
        if inside:
            depth[op] = inside
            depth.update(dict.fromkeys(op._outputs, inside))
    unknown = [pred for pred in preds if not _decided_outside(pred, feeds)]
    if max(depth.values(), default=0) <= _DEEPEST or len(unknown) <= _MOST_CUTS:
        return frozenset()
    return frozenset(op for op in ops if op in depth or op._spec.merges)


def canonical(switch: Any, feeds: set[Tensor], effects: Effects) -> Pred:
    """What the predicate of a Switch is a copy of."""
    pred = switch._inputs[1]
    while pred not in feeds and pred._op._spec.views and not pred._op._spec.is_switch:
        pred = pred._op._inputs[0]
    if pred in feeds or not is_reference(pred):
        return pred
    return Seen(pred, effects.visible[switch].get(variable_key(pred), 0))


def _decided_outside(pred: Pred, feeds: set[Tensor]) -> bool:
    """Whether constants and fed bools decide a predicate."""
    if isinstance(pred, Seen):
        return False
    stack = [pred]
    while stack:
        tensor = stack.pop()
        if tensor in feeds:
            if tensor._dtype is not dtypes.bool:
                return False
            continue
        op = tensor._op
        if is_constant(op, feeds):
            continue
        if op._spec.fold is None or not op._inputs:
            return False
        stack.extend(op._inputs)
    return True


def _place(pred: Pred) -> tuple[Any, int, int]:
    if isinstance(pred, Seen):
        return pred._op._id, pred.tensor._value_index, pred.version
    return pred._op._id, pred._value_index, 0


class _TooDeep(Exception):
    """More conditionals are inside each other than XLA's programs can have."""


class _Guards:
    """Under which predicates operations run.

    Attributes:
      of: operation or tensor -> its guard.
      preds: operation -> the predicates of whose branches it is a part, Switches and Merges
        included.
      stages: operation -> {predicate: how often a path to it left the predicate's branches}. What
        is at one stage can run together.
      switched_by: Switch -> its predicate.
      unresolved: predicates of Merges that do not merge the two branches of one.
    """

    def __init__(self, ops: Sequence[Any], feeds: set[Tensor], effects: Effects):
        self.of: dict[Any, Guard] = {}
        self.preds: dict[Any, frozenset[Pred]] = {}
        self.stages: dict[Any, dict[Pred, int]] = {}
        self.unresolved: set[Pred] = set()
        self.switched_by: dict[Any, Pred] = {}
        same: dict[Pred, Pred] = {}
        owner = {member: op for op in ops for member in step_lib.members(op)}
        of = self.of
        touched: frozenset[Pred]
        for op in ops:
            inputs = [of.get(t, _ALWAYS) for t in op._inputs if t not in feeds]
            controls = [of.get(owner.get(c), _ALWAYS) for c in step_lib.gates(op)]
            controls += [of.get(t, _ALWAYS) for t in step_lib.gate_tensors(op) if t not in feeds]
            guard = _ALWAYS.union(*controls) if controls else _ALWAYS
            if op._spec.merges and inputs:
                touched = frozenset(pred for part in inputs for pred, _ in part)
                guard |= self._merged(inputs)
            else:
                touched = frozenset()
                guard = guard.union(*inputs) if inputs else guard
            of[op] = guard
            if op._spec.is_switch:
                pred = canonical(op, feeds, effects)
                pred = self.switched_by[op] = same.setdefault(pred, pred)
                if isinstance(pred, Seen):
                    of[pred] = of.get(pred.tensor, _ALWAYS)
                of[op._outputs[0]] = guard | {(pred, 0)}
                of[op._outputs[1]] = guard | {(pred, 1)}
                touched = frozenset((pred,))
            elif guard:
                of.update(dict.fromkeys(op._outputs, guard))
            preds = touched | {pred for pred, _ in guard}
            if len(preds) > _DEEPEST:
                raise _TooDeep
            self.preds[op] = preds
            sources = [t._op for t in op._inputs if t not in feeds]
            self.stages[op] = self._stage(
                preds, {owner.get(s) for s in (*sources, *op._control_inputs)}
            )

    def _merged(self, inputs: list[Guard]) -> Guard:
        """The guard of a Merge: one of its inputs is alive."""
        result = inputs[0]
        for guard in inputs[1:]:
            if guard <= result:
                result = guard
            elif not result <= guard:
                mine, other = result - guard, guard - result
                opposite = {(pred, 1 - side) for pred, side in other}
                if len(mine) == 1 and mine == opposite:
                    result &= guard
                else:
                    self.unresolved |= {pred for pred, _ in mine | other}
                    result &= guard
        return result

    def _stage(self, preds: frozenset[Pred], sources: Iterable[Any]) -> dict[Pred, int]:
        stage: dict[Pred, int] = {}
        for source in sources:
            inside = self.preds.get(source, ())
            for pred, before in self.stages.get(source, {}).items():
                left = pred in inside and pred not in preds
                stage[pred] = max(stage.get(pred, 0), before + left)
        for pred in preds:
            stage.setdefault(pred, 0)
        return stage

    def all_preds(self) -> set[Pred]:
        """All predicates."""
        return {pred for preds in self.preds.values() for pred in preds}

    def outermost(self, preds: Iterable[Pred]) -> Pred:
        """The predicate that is computed outside of the branches of the others."""
        preds = sorted(preds, key=_place)
        inside = set(preds)
        for pred in preds:
            if not any(other in inside for other, _ in self.of.get(pred, _ALWAYS)):
                return pred
        return preds[0]


def _grouped(
    ops: list[Any],
    guards: _Guards,
    effects: Effects,
    wanted: set[Tensor],
    without: frozenset[Pred],
) -> list[Any]:
    """`ops` with the branches of all predicates but those `without` replaced."""
    while True:
        groups: dict[Any, list[Any]] = {}
        kept: list[Any] = []
        for op in ops:
            preds = guards.preds[op] - without
            if preds:
                pred = guards.outermost(preds)
                groups.setdefault((pred, guards.stages[op][pred]), []).append(op)
            else:
                kept.append(op)
        if not groups:
            return ops
        used: dict[Tensor, set[Any]] = {}
        for key, inside in (*groups.items(), *((None, [op]) for op in kept)):
            for op in inside:
                for tensor in op._inputs:
                    used.setdefault(tensor, set()).add(key)
        # Not every branch, nor every one inside of it, has a Switch that takes the predicate.
        for key, inside in groups.items():
            for op in inside:
                for pred in guards.preds[op] - without:
                    if isinstance(pred, Tensor):
                        used.setdefault(pred, set()).add(key)
        made = []
        for key, inside in groups.items():
            results = [
                tensor
                for op in inside
                for tensor in op._outputs
                if tensor in wanted or used.get(tensor, set()) - {key}
            ]
            nested = _grouped(inside, guards, effects, {*wanted, *results}, without | {key[0]})
            made.append(Branches(key[0], inside, nested, results, guards.switched_by))
        try:
            return topological([*kept, *made], set(), _chains(ops, effects))
        except Cycle as cycle:
            stuck = {op.pred for op in cycle.ops if isinstance(op, Branches)}
            if not stuck:
                raise
            without |= stuck


def _chains(ops: Sequence[Any], effects: Effects) -> dict[Any, list[Any]]:
    """For each operation that writes a variable, the one that wrote it before."""
    last: dict[Any, Any] = {}
    found: dict[Any, list[Any]] = {}
    for op in ops:
        for key in effects.writes.get(op, ()):
            if key in last:
                found.setdefault(op, []).append(last[key])
            last[key] = op
    return found


class Branches:
    """The operations of both branches of a predicate, as one step of the plan.

    It has the attributes of an `Operation` that the plan and the interpreter look at.

    Attributes:
      pred: the predicate.
      branches: the operations, Switches and Merges included; those of nested branches, too.
      steps: the same with nested branches replaced.
      switches: the Switches of the predicate. There are none in what goes on in the branches after
        something that waits for a Switch and is in neither of them.
      results: what they compute that is needed elsewhere.
    """

    def __init__(
        self,
        pred: Pred,
        ops: list[Any],
        steps: list[Any],
        results: list[Tensor],
        switched_by: dict[Any, Pred],
    ):
        self.pred = pred
        self.branches = ops
        self.steps = steps
        self.members = tuple(member for op in ops for member in (op, *step_lib.members(op)))
        self.results = results
        made = {tensor for op in ops for tensor in op._outputs}
        inside = set(self.members)
        self._inputs = list(
            dict.fromkeys(t for op in (*ops, *steps) for t in op._inputs if t not in made)
        )
        self._control_inputs = list(
            dict.fromkeys(c for op in ops for c in op._control_inputs if c not in inside)
        )
        self.switches = _switches(ops, pred, switched_by)
        if isinstance(pred, Tensor) and not self.switches:
            self._inputs.append(pred)
        self._outputs = [tensor for op in ops for tensor in op._outputs]
        self._id = min(op._id for op in ops)
        self._spec = _SPEC
        self.name = f"{pred._op._name}/branches"
        self.type = "cond"
        self.random_ops = [r for op in ops for r in step_lib.random_ops(op)]


def _switches(ops: Iterable[Any], pred: Pred, switched_by: dict[Any, Pred]) -> list[Any]:
    return [op for op in ops if switched_by.get(op) is pred]


def _make_spec() -> op_registry.OpSpec:
    spec = op_registry.OpSpec("cond")
    spec.where = __file__
    return spec


_SPEC = _make_spec()
