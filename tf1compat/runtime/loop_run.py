"""Running a loop: how often it turns, what it carries, and the `lax.while_loop` that it becomes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.extend
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import constants
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.interpret import (
    Check,
    Context,
    Interpreter,
    Ref,
    RoomCheck,
    Variables,
    random_key,
)
from tf1compat.runtime.loops import Loop

# A condition that is known is followed through this many turns in NumPy.
_TURNS = 2048
# Loop variables up to this size are followed.
_FOLLOWED_ELEMENTS = 16


def outputs(loop: Loop, values: Sequence[Any], ctx: Context) -> list[Any]:
    """The values of a loop's Exits, given those of its Enters."""
    run = _Run(loop, values, ctx._interpreter)
    turns = Turns(run, ctx._interpreter)
    if turns.exact and turns.most == 0:
        final = [run.start[t] for t in loop.initial]
    else:
        final = run.rolled(turns)
    return [final[loop.exited(op)] for op in loop.exits]


class Turns:
    """How often a loop runs.

    Attributes:
      most: how often at most; None if nobody knows before it runs.
      exact: whether it runs that often.
      final: loop variables by position, whose value after the last turn is known, and that value.
    """

    def __init__(self, run: _Run, interpreter: Interpreter):
        self._interpreter = interpreter
        self.most, self.exact, self.final = _Followed(run).turns()

    def room(self, owner: Any) -> int:
        """The room to make in a buffer that is filled while the loop runs, if `most` is None."""
        rooms = self._interpreter.rooms
        if rooms is None:
            raise NotImplementedError(
                "A loop that computes gradients and whose number of iterations is not known is not "
                "supported by tf1compat yet outside of Session.run"
            )
        return rooms.of(owner)

    def check_room(self, owner: Any, peak: Any, room: int) -> None:
        """Has the program compiled again if a buffer had not enough room."""
        self._interpreter.checks.append(RoomCheck(owner, peak > room, peak))


class _Followed:
    """The loop variables whose values are known in every turn, and the condition they decide."""

    def __init__(self, run: _Run):
        loop = run.loop
        self._loop = loop
        self._fixed = {t: v for t, v in run.start.items() if isinstance(v, np.ndarray)}
        start = [run.start[t] for t in loop.initial]
        decisive = loop.decisive
        self._start = {
            i: value
            for i, value in enumerate(start)
            if isinstance(value, np.ndarray)
            and value.size <= _FOLLOWED_ELEMENTS
            and (i in decisive or value.dtype.kind in "iub")
        }

    def turns(self) -> tuple[int | None, bool, dict[int, Any]]:
        """See `Turns`: most, exact, final."""
        loop = self._loop
        values = self._start
        while values:  # Those that do not stay known are dropped, and what depends on them.
            after = self._step(values, loop.body)
            if after.keys() == values.keys():
                break
            values = {i: values[i] for i in after}
        ops = loop.stepping(frozenset(values))
        bounded = any(op._spec.decided_by is not None for op in loop.test)
        exact = True
        for count in range(_TURNS):
            go = self._evaluated(values, loop.test).get(loop.condition)
            if go is None:
                exact = False
                if not bounded:
                    return None, False, {}
            elif not go:
                return count, exact, values if exact else {}
            values = self._step(values, ops)
        return None, False, {}

    def _step(self, values: dict[int, Any], ops: Sequence[Any]) -> dict[int, Any]:
        known = self._evaluated(values, ops)
        found = {}
        for i in values:
            value = known.get(self._loop.next[i])
            if value is not None and value.shape == values[i].shape:
                found[i] = value
        return found

    def _evaluated(self, values: dict[int, Any], ops: Sequence[Any]) -> dict[Tensor, Any]:
        """What is known in a turn that begins with these values of the variables."""
        loop = self._loop
        known = dict(self._fixed)
        for i, value in values.items():
            known[loop.merges[i]._outputs[0]] = value
        for op, i in zip(loop.switches, loop.switched, strict=True):
            if i in values:
                known[op._outputs[1]] = values[i]
        for op in ops:
            _evaluate(op, known)
        return known


def _evaluate(op: Operation, known: dict[Tensor, Any]) -> None:
    """Adds the outputs of `op` to what is known, if they follow from it."""
    spec = op._spec
    if spec.fold is None:
        return
    inputs = []
    for tensor in op._inputs:
        value = known.get(tensor)
        if value is None:
            value = constants.known_value(tensor)
        inputs.append(value)
    if spec.decided_by is not None:
        for value in inputs:
            if value is not None and value.ndim == 0 and bool(value) is spec.decided_by:
                known[op._outputs[0]] = value
                return
    if any(value is None or value.size > _FOLLOWED_ELEMENTS for value in inputs):
        return
    folded = constants.fold(op, inputs)
    if folded is not None:
        known.update(zip(op._outputs, folded, strict=True))


class _Run:
    """One run of a loop.

    Its state while it turns is {"vars": the loop variables, "written": the variables that the body
    writes, "random": the generators of its random operations}.
    """

    def __init__(self, loop: Loop, values: Sequence[Any], outer: Interpreter):
        self.loop = loop
        self._outer = outer
        self.start = dict(zip([op._outputs[0] for op in loop.enters], values, strict=True))
        carried = set(loop.initial)
        self._fixed = {t: v for t, v in self.start.items() if t not in carried}
        self._refs = {v.key: v for v in values if isinstance(v, Ref)}
        self._written = [key for key in loop.effects.written if key in self._refs]
        self._found = {(key, 0): ref.read() for key, ref in self._refs.items() if ref.initialized}
        self._checks: list[Check] = []

    def _first_state(self) -> dict[str, Any]:
        loop, outer = self.loop, self._outer
        values = [self.start[t] for t in loop.initial]
        random = [outer.variables.random.get(op) for op in loop.random_ops]
        return {
            "vars": [_array(v.read() if isinstance(v, Ref) else v) for v in values],
            "written": [self._refs[key].read() for key in self._written],
            "random": [
                outer.variables.values[(random_key(op), 0)] if value is None else value
                for op, value in zip(loop.random_ops, random, strict=True)
            ],
        }

    def _interpreter(self, state: dict[str, Any]) -> Interpreter:
        loop = self.loop
        found = dict(self._found)
        for key, value in zip(self._written, state["written"], strict=True):
            found[(key, 0)] = value
        for op, value in zip(loop.random_ops, state["random"], strict=True):
            found[(random_key(op), 0)] = value
        interpreter = self._outer.inner(Variables(found), loop.effects)
        interpreter.env.update(self._fixed)
        for op, value in zip(loop.merges, state["vars"], strict=True):
            interpreter.env[op._outputs[0]] = value
            interpreter.env[op._outputs[1]] = np.array(0, np.int32)
        for op, position in zip(loop.switches, loop.switched, strict=True):
            interpreter.env[op._outputs[1]] = state["vars"][position]
        return interpreter

    def _holds(self, state: dict[str, Any]) -> Any:
        """Whether the loop goes on."""
        interpreter = self._interpreter(state)
        interpreter.run(self.loop.test)
        return jnp.asarray(interpreter.value(self.loop.condition)).reshape(())

    def _turn(self, state: dict[str, Any]) -> Any:
        """The state after one more turn; flags and quoted values of the body's checks."""
        loop = self.loop
        interpreter = self._interpreter(state)
        interpreter.run(loop.body)
        variables = interpreter.variables
        self._checks = interpreter.checks
        after = {
            "vars": [_array(interpreter.value(tensor)) for tensor in loop.next],
            "written": [variables.read(key, loop.effects.written[key]) for key in self._written],
            "random": [
                variables.random.get(op, value)
                for op, value in zip(loop.random_ops, state["random"], strict=True)
            ],
        }
        return after, [(check.failed, _arrays(check.values)) for check in interpreter.checks]

    def rolled(self, turns: Turns) -> list[Any]:
        """Runs the loop as one XLA loop; returns the last values of the loop variables."""
        loop, outer = self.loop, self._outer
        state, turn, checks = self._settled(turns)
        flags = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), checks)

        def step(carry: Any) -> Any:
            state, kept = carry
            after, found = turn(state)
            return after, _first_failures(kept, found)

        carry = (state, flags)
        if turns.exact:
            final, kept = lax.fori_loop(0, turns.most, lambda _, carry: step(carry), carry)
        else:
            holds = _traced_once(self._holds, state)[0]
            final, kept = lax.while_loop(lambda carry: holds(carry[0]), step, carry)
        for op, value in zip(loop.random_ops, final["random"], strict=True):
            outer.variables.random[op] = value
        for check, (failed, values) in zip(self._checks, kept, strict=True):
            outer.checks.append(check.with_flag(failed, values))
        start = self._first_state()
        last, written = (
            [_after_loop(v, b, turns) for v, b in zip(final[part], start[part], strict=True)]
            for part in ("vars", "written")
        )
        for key, value in zip(self._written, written, strict=True):
            self._refs[key].assign(value)
        for i, value in turns.final.items():
            last[i] = value
        return last

    def _settled(self, turns: Turns) -> tuple[Any, Callable[..., Any], Any]:
        """The first state, in the form that every turn gives it, and a turn.

        Raises:
          NotImplementedError: a loop variable changes its shape from turn to turn.
        """
        state = self._first_state()
        for _ in range(3):
            turn, (after, checks) = _traced_once(self._turn, state)
            if _forms(after) == _forms(state):
                return state, turn, checks
            state = {
                part: [_in_loop(v, a, turns) for v, a in zip(state[part], after[part], strict=True)]
                for part in state
            }
        for value, wanted, op in zip(state["vars"], after["vars"], self.loop.merges, strict=True):
            if _forms(value) != _forms(wanted):
                raise NotImplementedError(
                    f"Loop variable '{op.name}' changes its shape from {_forms(value)[1]} to "
                    f"{_forms(wanted)[1]} in one iteration: not supported by tf1compat yet"
                )
        raise NotImplementedError(
            f"A variable that loop '{self.loop.name}' updates changes its shape: not supported by "
            "tf1compat yet"
        )


def _traced_once(function: Callable[..., Any], *args: Any) -> tuple[Callable[..., Any], Any]:
    """`function` for arguments of these forms, traced once however often it is called; and the
    form of what it returns."""
    closed, shapes = jax.make_jaxpr(function, return_shape=True)(*args)
    flat = jax.extend.core.jaxpr_as_fun(closed)
    tree = jax.tree.structure(shapes)

    def call(*args: Any) -> Any:
        return jax.tree.unflatten(tree, flat(*jax.tree.leaves(args)))

    return call, shapes


def _forms(value: Any) -> Any:
    leaves, tree = jax.tree.flatten(value)
    return tree, [(np.shape(leaf), np.dtype(leaf.dtype)) for leaf in leaves]


def _in_loop(value: Any, after: Any, turns: Turns) -> Any:
    """A value in the form in which a loop carries it."""
    if hasattr(value, "in_loop"):
        return value.in_loop(after, turns)
    if hasattr(after, "in_loop"):
        # A sum that begins with a plain zero.
        return after.blank().in_loop(after, turns)
    return value


def _after_loop(value: Any, before: Any, turns: Turns) -> Any:
    return value.after_loop(before, turns) if hasattr(value, "after_loop") else value


def _first_failures(kept: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """Flags and quoted values of the body's checks, kept from the first turn that failed."""
    return [
        (
            jnp.logical_or(failed, now),
            {name: jnp.where(failed, before[name], value) for name, value in values.items()},
        )
        for (failed, before), (now, values) in zip(kept, found, strict=True)
    ]


def _array(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray | np.generic) else value


def _arrays(values: dict[str, Any]) -> dict[str, Any]:
    return {name: jnp.asarray(value) for name, value in values.items()}
