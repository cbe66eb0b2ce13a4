"""A conditional as one `lax.cond`: both branches are interpreted, the predicate assumed false and
true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import errors
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.decisions import (
    inseparable,
)
from tf1compat.runtime.plan.branches import Branches, Seen
from tf1compat.runtime.trace.values import (
    BranchValue,
    Ref,
    Side,
    Variables,
    arrays,
    is_object,
    is_text,
    traced_once,
)

if TYPE_CHECKING:
    from tf1compat.runtime.trace.interpreter import Interpreter


def run(step: Branches, outer: Interpreter) -> None:
    """Runs the branch that is taken, in the interpreter's environment."""
    pred = _predicate(step, outer)
    if isinstance(pred, np.ndarray) or pred is DEAD:
        outer.run(step.steps)
        return
    if np.ndim(pred):
        raise inseparable((step.pred,))
    _Choice(step, outer, pred).run()


def _predicate(step: Branches, outer: Interpreter) -> Any:
    if step.switches:
        return outer.input(step.switches[0], 1)
    if isinstance(step.pred, Seen):
        return outer.variables.read(plan_lib.variable_key(step.pred.tensor), step.pred.version)
    return outer.value(step.pred)


def _forked(step: Branches, outer: Interpreter, side: int) -> Interpreter:
    """An interpreter that runs the operations with the predicate assumed false or true."""
    variables = Variables(outer.variables.values)
    variables.container_exists = outer.variables.container_exists
    variables.random.update(outer.variables.random)
    inner = outer.inner(variables, outer.effects)
    before = outer.sides.get((step.pred, side), Side())
    inner.dead = outer.dead | before.dead
    inner.sides = dict(before.sides)
    env = outer.env
    for tensor in step._inputs:
        if tensor in env:
            value: Any = env[tensor]
            if type(value) is BranchValue and value.pred is step.pred:
                value = value.value if value.side == side else DEAD
            elif hasattr(value, "seen_in"):
                value = value.seen_in(step.pred, side)  # pyright: ignore
            inner.env[tensor] = value
    assumed = np.array(bool(side))
    if isinstance(step.pred, Seen):
        key = plan_lib.variable_key(step.pred.tensor)
        found = variables.latest(key, step.pred.version)
        variables.values[(key, found)] = assumed  # pyright: ignore[reportArgumentType]
    else:
        inner.env.update((op._inputs[1], assumed) for op in step.switches)
    return inner


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
        self.interpreter = _forked(step, outer, side)
        self.made: list[tuple[Any, int]] = []
        self.drawn: list[Operation] = []
        try:
            self.call, self.forms = traced_once(self._run)
        except (errors.OpError, NotImplementedError):
            # Nothing fails in a branch that is not taken.
            raise inseparable((step.pred,)) from None

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
            "made": [_array(values.at(pair)) for pair in self.made],
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
                return _array(self._outer.variables.at((key, candidate)))
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
            raise inseparable((step.pred,)) from None
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
            return lambda values: BranchValue(_wrapped(finish(values), layers), pred, side)
        if outside_false != outside_true:
            raise inseparable((pred,))
        finish = self._chosen(false, true)
        return lambda values: _wrapped(finish(values), outside_true)

    def _chosen(self, false: Any, true: Any) -> Any:
        """How to find the choice between two values among those that are chosen."""
        if not _is_computed(false) and not _is_computed(true) and _same(false, true):
            return lambda values: true
        for value in (false, true):
            if not _is_computed(value) and (_is_object(value) or is_text(value)):
                raise inseparable((self._step.pred,))
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
                    raise inseparable((self._step.pred,))

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
    while type(value) is BranchValue:
        layers.append((value.pred, value.side))
        value = value.value
    return value, tuple(layers)


def _wrapped(value: Any, layers: tuple[Any, ...]) -> Any:
    for pred, side in reversed(layers):
        value = BranchValue(value, pred, side)
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
