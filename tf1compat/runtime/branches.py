"""TF's v1 conditionals (Switch, Merge) as one `lax.cond` each.

`group` finds out which operations run only if a predicate is true (or false) and replaces those of
one predicate, with the Switches before and the Merges after them, by a `Branches`, which the plan
treats like an operation. Where the predicate is known when the program is compiled, its operations
are interpreted as they are, and those of the other branch are dead. Where it is not, they are
interpreted twice, with the predicate assumed false and assumed true, and `lax.cond` picks.

Predicates that only bools from outside decide (`is_training`) are left alone: the program
specialises on them. So are those of branches with host steps, or with results of different shapes:
their program is cut in two.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import dtypes, errors, op_registry
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.interpret import (
    Half,
    Inseparable,
    Interpreter,
    Ref,
    Side,
    Variables,
    arrays,
    is_object,
    is_text,
    traced_once,
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


def group(
    ops: list[Any],
    feeds: set[Tensor],
    effects: plan_lib.Effects,
    wanted: Iterable[Tensor],
    left: Iterable[Pred] = (),
    specialize: bool = True,
) -> list[Any]:
    """Replaces operations that run under predicates by `Branches`.

    Args:
      ops: the operations, in order.
      feeds: tensors whose values are given.
      effects: the order of reads and writes.
      wanted: tensors that are needed outside of `ops`.
      left: predicates to leave alone.
      specialize: whether a program may be made for each value of the bools that are fed.
    """
    if not any(op._spec.is_switch for op in ops):
        return ops
    guards = _Guards(ops, feeds, effects)
    blocked = {*left, *guards.unresolved}
    for tensor in wanted:
        blocked |= {pred for pred, _ in guards.of.get(tensor, _ALWAYS)}
    for op in ops:
        preds = guards.preds[op]
        if preds and not preds <= blocked and plan_lib.runs_on_host(op, feeds):
            blocked |= preds
    if specialize:
        others = guards.all_preds() - blocked
        blocked |= {pred for pred in others if _decided_outside(pred, feeds)}
    return _grouped(ops, guards, effects, set(wanted), frozenset(blocked))


def canonical(switch: Any, feeds: set[Tensor], effects: plan_lib.Effects) -> Pred:
    """What the predicate of a Switch is a copy of."""
    pred = switch._inputs[1]
    while pred not in feeds and pred._op._spec.views and not pred._op._spec.is_switch:
        pred = pred._op._inputs[0]
    if pred in feeds or not plan_lib.is_reference(pred):
        return pred
    return Seen(pred, effects.visible[switch].get(plan_lib.variable_key(pred), 0))


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
        if plan_lib.is_constant(op, feeds):
            continue
        if op._spec.fold is None or not op._inputs:
            return False
        stack.extend(op._inputs)
    return True


def _place(pred: Pred) -> tuple[Any, int, int]:
    if isinstance(pred, Seen):
        return pred._op._id, pred.tensor._value_index, pred.version
    return pred._op._id, pred._value_index, 0


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

    def __init__(self, ops: Sequence[Any], feeds: set[Tensor], effects: plan_lib.Effects):
        self.of: dict[Any, Guard] = {}
        self.preds: dict[Any, frozenset[Pred]] = {}
        self.stages: dict[Any, dict[Pred, int]] = {}
        self.unresolved: set[Pred] = set()
        self.switched_by: dict[Any, Pred] = {}
        same: dict[Pred, Pred] = {}
        owner = {member: op for op in ops for member in plan_lib.members(op)}
        of = self.of
        touched: frozenset[Pred]
        for op in ops:
            inputs = [of.get(t, _ALWAYS) for t in op._inputs if t not in feeds]
            controls = [of.get(owner.get(c), _ALWAYS) for c in plan_lib.gates(op)]
            controls += [of.get(t, _ALWAYS) for t in plan_lib.gate_tensors(op) if t not in feeds]
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
    effects: plan_lib.Effects,
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
            return plan_lib.topological([*kept, *made], set(), _chains(ops, effects))
        except plan_lib.Cycle as cycle:
            stuck = {op.pred for op in cycle.ops if isinstance(op, Branches)}
            if not stuck:
                raise
            without |= stuck


def _chains(ops: Sequence[Any], effects: plan_lib.Effects) -> dict[Any, list[Any]]:
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
        self.members = tuple(member for op in ops for member in (op, *plan_lib.members(op)))
        self.results = results
        made = {tensor for op in ops for tensor in op._outputs}
        inside = set(self.members)
        self._inputs = list(dict.fromkeys(t for op in ops for t in op._inputs if t not in made))
        self._control_inputs = list(
            dict.fromkeys(c for op in ops for c in op._control_inputs if c not in inside)
        )
        self._switches = [op for op in ops if switched_by.get(op) is pred]
        self._outputs = [tensor for op in ops for tensor in op._outputs]
        self._id = min(op._id for op in ops)
        self._spec = _SPEC
        self.name = f"{pred._op._name}/branches"
        self.type = "cond"
        self.random_ops = [r for op in ops for r in plan_lib.random_ops(op)]

    def interpret(self, outer: Interpreter) -> None:
        """Runs the branch that is taken, in the interpreter's environment."""
        pred = outer.input(self._switches[0], 1) if self._switches else DEAD
        if isinstance(pred, np.ndarray) or pred is DEAD:
            outer.run(self.steps)
            return
        if np.ndim(pred):
            raise Inseparable((self.pred,))
        _Choice(self, outer, pred).run()

    def fork(self, outer: Interpreter, side: int) -> Interpreter:
        """An interpreter that runs the operations with the predicate assumed false or true."""
        variables = Variables(outer.variables.values)
        variables.container_exists = outer.variables.container_exists
        variables.random.update(outer.variables.random)
        inner = outer.inner(variables, outer.effects)
        before = outer.sides.get((self.pred, side), Side())
        inner.dead = outer.dead | before.dead
        inner.sides = dict(before.sides)
        env = outer.env
        for tensor in self._inputs:
            if tensor in env:
                value: Any = env[tensor]
                if type(value) is Half and value.pred is self.pred:
                    value = value.value if value.side == side else DEAD
                elif hasattr(value, "seen_in"):
                    value = value.seen_in(self.pred, side)  # pyright: ignore
                inner.env[tensor] = value
        assumed = np.array(bool(side))
        if isinstance(self.pred, Seen):
            key = plan_lib.variable_key(self.pred.tensor)
            found = variables.latest(key, self.pred.version)
            variables.values[(key, found)] = assumed  # pyright: ignore[reportArgumentType]
        else:
            inner.env.update((op._inputs[1], assumed) for op in self._switches)
        return inner


def _make_spec() -> op_registry.OpSpec:
    spec = op_registry.OpSpec("cond")
    spec.where = __file__
    return spec


_SPEC = _make_spec()


class _Fork:
    """One branch: what it computes, traced.

    Attributes:
      interpreter: what interpreted it; its computed values are of use only while tracing.
      forms: the forms of what `call` returns: {"results": by number, "made": by (variable,
        version), "random": by operation, "checks": flags and quoted values}.
      call: computes them.
    """

    def __init__(self, step: Branches, outer: Interpreter, side: int):
        self._step = step
        self._outer = outer
        self._side = side
        self.interpreter = step.fork(outer, side)
        self.made: list[tuple[Any, int]] = []
        self.drawn: list[Operation] = []
        try:
            self.call, self.forms = traced_once(self._run)
        except (errors.OpError, NotImplementedError):
            # Nothing fails in a branch that is not taken.
            raise Inseparable((step.pred,)) from None

    def _run(self) -> dict[str, Any]:
        inner, before = self.interpreter, self._outer.variables
        inner.run(self._step.steps)
        values = inner.variables
        results = [_unwrapped(inner.env.get(t, DEAD))[0] for t in self._step.results]
        for i, value in enumerate(results):
            if hasattr(value, "made_in"):
                results[i] = value.made_in(self._step.pred, self._side)
        self.made = [pair for pair in values.values if pair not in before.values]
        self.drawn = [op for op, now in values.random.items() if now is not before.random.get(op)]
        return {
            "results": {i: v for i, v in enumerate(results) if not _is_static(v)},
            "made": [_array(values.values[pair]) for pair in self.made],
            "random": [values.random[op] for op in self.drawn],
            "checks": [(_array(c.failed), arrays(c.values)) for c in inner.checks],
        }

    def result(self, number: int, tensor: Tensor) -> tuple[Any, Any]:
        """A result: (what it is, the branches that it is a part of). What is computed is a
        `_Computed`."""
        value, layers = _unwrapped(self.interpreter.env.get(tensor, DEAD))
        if number in self.forms["results"]:
            return _Computed("results", number, self.forms["results"][number]), layers
        return value, layers

    def version(self, pair: tuple[Any, int]) -> Any:
        """A variable at a version, or at the one before if the branch does not make it.

        Raises:
          KeyError: it has none.
        """
        key, version = pair
        for candidate in range(version, -1, -1):
            if (key, candidate) in self.made:
                i = self.made.index((key, candidate))
                return _Computed("made", i, self.forms["made"][i])
            if (key, candidate) in self._outer.variables.values:
                return _array(self._outer.variables.values[(key, candidate)])
        raise KeyError(pair)

    def generator(self, op: Operation) -> Any:
        """The state of a random operation's generator."""
        if op in self.drawn:
            i = self.drawn.index(op)
            return _Computed("random", i, self.forms["random"][i])
        return self._outer.variables.current_generator(op)


class _Computed:
    """What a fork computes: which of its values it is, and its form."""

    __slots__ = ("form", "index", "part")

    def __init__(self, part: str, index: Any, form: Any):
        self.part = part
        self.index = index
        self.form = form


class _Choice:
    """A `lax.cond` between what the two forks of an interpreter compute."""

    def __init__(self, step: Branches, outer: Interpreter, pred: Any):
        self._step = step
        self._outer = outer
        self._pred = pred
        self._forks = [_Fork(step, outer, side) for side in (0, 1)]
        # What is to be chosen from: the two values of each.
        self._pairs: list[tuple[Any, Any]] = []

    def run(self) -> None:
        """Computes the results, and what was written, into the outer interpreter."""
        step, outer, forks = self._step, self._outer, self._forks
        results = [self._result(i, tensor) for i, tensor in enumerate(step.results)]
        made = dict.fromkeys(pair for fork in forks for pair in fork.made)
        made = sorted(made, key=lambda pair: pair[1])
        drawn = list(dict.fromkeys(op for fork in forks for op in fork.drawn))
        try:
            written = [self._chosen(*(fork.version(pair) for fork in forks)) for pair in made]
        except KeyError:  # Only one branch gives it its first value.
            raise Inseparable((step.pred,)) from None
        generators = [self._chosen(*(fork.generator(op) for fork in forks)) for op in drawn]
        values, flags = self._cond()
        for tensor, finish in zip(step.results, results, strict=True):
            outer.env.setdefault(tensor, finish(values))
        for (key, version), finish in zip(made, written, strict=True):
            outer.variables.write(key, version, finish(values))
        for op, finish in zip(drawn, generators, strict=True):
            outer.variables.random[op] = finish(values)
        checks = [check for fork in forks for check in fork.interpreter.checks]
        for check, (failed, quoted) in zip(checks, [*flags[0], *flags[1]], strict=True):
            outer.checks.append(check.with_flag(failed, quoted))
        false, true = (fork.interpreter for fork in forks)
        outer.dead |= false.dead & true.dead
        for side, inner in enumerate((false, true)):
            outer.sides[(step.pred, side)] = Side(inner.dead, inner.sides)

    def _result(self, number: int, tensor: Tensor) -> Any:
        """How to find a result among the chosen values."""
        (false, outside_false), (true, outside_true) = (
            fork.result(number, tensor) for fork in self._forks
        )
        if false is DEAD and true is DEAD:
            return lambda values: DEAD
        pred = self._step.pred
        if false is DEAD or true is DEAD:
            side = int(false is DEAD)
            alive, layers = ((false, outside_false), (true, outside_true))[side]
            finish = self._chosen(alive, alive) if _is_computed(alive) else lambda values: alive
            return lambda values: Half(_wrapped(finish(values), layers), pred, side)
        if outside_false != outside_true:
            raise Inseparable((pred,))
        finish = self._chosen(false, true)
        return lambda values: _wrapped(finish(values), outside_true)

    def _chosen(self, false: Any, true: Any) -> Any:
        """How to find the choice between two values among those that are chosen."""
        if not _is_computed(false) and not _is_computed(true) and _same(false, true):
            return lambda values: true
        for value in (false, true):
            if not _is_computed(value) and (_is_object(value) or is_text(value)):
                raise Inseparable((self._step.pred,))
        i = len(self._pairs)
        self._pairs.append((false, true))
        return lambda values: values[i]

    def _cond(self) -> tuple[list[Any], Any]:
        forms = [
            [value.form if _is_computed(value) else _form(value) for value in pair]
            for pair in self._pairs
        ]
        for false, true in forms:
            if not hasattr(false, "alike") and not hasattr(true, "alike"):
                if (false.shape, false.dtype) != (true.shape, true.dtype):
                    raise Inseparable((self._step.pred,))

        def branch(side: int) -> Any:
            def run() -> Any:
                computed = self._forks[side].call()
                values = []
                for pair, form in zip(self._pairs, forms, strict=True):
                    value = pair[side]
                    if _is_computed(value):
                        # What only the other branch computes is never looked at in this one.
                        own = value is pair[1 - side] and value.part == "results"
                        value = (
                            jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), form[side])
                            if own and not self._computes(side, value)
                            else computed[value.part][value.index]
                        )
                    values.append(_alike(value, form[1 - side]))
                flags = [_none(fork.forms["checks"]) for fork in self._forks]
                flags[side] = computed["checks"]
                return values, flags

            return run

        return lax.cond(self._pred, branch(1), branch(0))

    def _computes(self, side: int, value: _Computed) -> bool:
        return value.index in self._forks[side].forms["results"]


def _is_computed(value: Any) -> bool:
    return type(value) is _Computed


def _is_static(value: Any) -> bool:
    return value is DEAD or isinstance(value, np.ndarray | Ref) or _is_object(value)


def _is_object(value: Any) -> bool:
    return isinstance(value, Ref) or is_object(value)


def _same(a: Any, b: Any) -> bool:
    """Whether two values that no branch computes are one."""
    if isinstance(a, Ref) and isinstance(b, Ref):
        return a.key == b.key
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and bool(np.array_equal(a, b))
    return a is b or (_is_object(a) and a == b)


def _unwrapped(value: Any) -> tuple[Any, tuple[Any, ...]]:
    """A value, and the branches of nested predicates that it is a part of."""
    layers = []
    while type(value) is Half:
        layers.append((value.pred, value.side))
        value = value.value
    return value, tuple(layers)


def _wrapped(value: Any, layers: tuple[Any, ...]) -> Any:
    for pred, side in reversed(layers):
        value = Half(value, pred, side)
    return value


def _form(value: Any) -> Any:
    return jax.tree.map(lambda x: jax.ShapeDtypeStruct(np.shape(x), x.dtype), value)


def _alike(value: Any, other: Any) -> Any:
    """A value in the form that it has in common with the other branch's."""
    if hasattr(value, "alike"):
        # What is no such value counts as a blank one: see below.
        return value.alike(other if hasattr(other, "alike") else value)
    if hasattr(other, "alike"):
        return other.blank().alike(other)
    return jnp.asarray(value)


def _none(forms: Any) -> Any:
    """Checks that nothing failed."""
    return jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), forms)


def _array(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray | np.generic | bool) else value
