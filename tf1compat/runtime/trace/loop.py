"""Running a loop: its iterations, what it carries, and the `lax.while_loop` that it becomes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import constants, errors, op_registry, shapes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    Replan,
    inseparable,
    needs_value,
    not_rolled,
)
from tf1compat.runtime.plan.loops import Loop
from tf1compat.runtime.trace.checks import Check, Foreseen, SizeCheck, op_error
from tf1compat.runtime.trace.values import (
    BranchValue,
    Ref,
    Variables,
    arrays,
    random_key,
    traced_once,
)

if TYPE_CHECKING:
    from tf1compat.runtime.trace.context import Context
    from tf1compat.runtime.trace.interpreter import Interpreter

# A condition that is known is followed through this many iterations in NumPy.
_FOLLOWED_ITERATIONS = 2048
# Loop variables up to this size are followed.
_FOLLOWED_ELEMENTS = 256
# A loop that can't be one XLA loop is unrolled to up to this many operations.
_UNROLLED_OPS = 2000


def _outputs(*values: Any, op: Loop, ctx: Context) -> list[Any]:
    """The values of a loop's Exits, given those of its Enters.

    Raises:
      Replan: one of them must be known when the program is compiled, or the loop has to run
        iteration by iteration.
    """
    loop = op
    run = Run(loop, values, ctx._interpreter)
    step_through = ctx._interpreter.step_through
    if step_through is not None:
        final = step_through(run)
    else:
        iterations = Iterations(run, ctx)
        if iterations.exact and iterations.most == 0:
            final = run.not_once()
        else:
            final = run.compiled(iterations)
    env = {op._outputs[0]: final[i] for op, i in zip(loop.switches, loop.switched, strict=True)}
    if loop.ending:
        interpreter = ctx._interpreter.inner(Variables({}), None)
        interpreter.env.update(run.fixed)
        interpreter.env.update(env)
        interpreter.run(loop.ending)
        env = interpreter.env
    return [env[op._inputs[0]] for op in loop.exits]


# What a loop does, as an operation's `lower`.
RULE = op_registry.Rule(_outputs, None, ("op", "ctx"))


class Iterations:
    """How often a loop runs.

    Attributes:
      most: how often at most; None if nobody knows before it runs.
      exact: whether it runs that often.
      final: loop variables by position, whose value after the last iteration is known, and that
        value.
    """

    def __init__(self, run: Run, ctx: Context):
        self._ctx = ctx
        self.most, self.exact, self.final = _Followed(run).iterations()

    def buffer_size(self, owner: Any) -> int:
        """The size to try for a buffer that is filled while the loop runs, if `most` is None."""
        return self._ctx.buffer_size(owner)

    def check_buffer_size(self, owner: Any, peak: Any, size: int) -> None:
        """Has the program compiled again if a buffer was too small."""
        self._ctx.check_buffer_size(owner, peak, size)


class _Followed:
    """The loop variables that are known in every iteration, and the condition they decide."""

    def __init__(self, run: Run):
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
        for op in loop.body:  # What is the same in every iteration.
            _evaluate(op, self._fixed)

    def iterations(self) -> tuple[int | None, bool, dict[int, Any]]:
        """See `Iterations`: most, exact, final."""
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
        for count in range(_FOLLOWED_ITERATIONS):
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
        """What is known in an iteration that begins with these values of the variables."""
        loop = self._loop
        known = dict(self._fixed)
        for i, value in values.items():
            known[loop.merges[i]._outputs[0]] = value
        for op, i in zip(loop.switches, loop.switched, strict=True):
            if i in values:
                known[op._outputs[1]] = values[i]
        for op in ops:
            if not op._outputs or op._outputs[0] not in known:
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


class Run:
    """One run of a loop.

    Its state between its iterations is {"vars": the loop variables, "written": the variables that
    the body writes, "random": the generators of its random operations, "tested": the condition and
    what the rest of an iteration takes from it, if that matters (`Loop.test_acts`)}. An iteration
    then begins after its condition, and ends with that of the next.
    """

    def __init__(self, loop: Loop, values: Sequence[Any], outer: Interpreter):
        self.loop = loop
        self.outer = outer
        self.start = dict(zip([op._outputs[0] for op in loop.enters], values, strict=True))
        carried = set(loop.initial)
        self.fixed = {t: v for t, v in self.start.items() if t not in carried}
        self.refs = {v.key: v for v in values if isinstance(v, Ref)}
        self.written = [key for key in loop.effects.written if key in self.refs]
        self._found = {(key, 0): ref.read() for key, ref in self.refs.items() if ref.initialized}
        self._checks: list[Check] = []
        self._joined: dict[int, Tensor] = {}  # as `Loop.joined`, where the shapes differ
        self._repeats = False  # whether it surely has more than one iteration

    def given(self, values: list[Any]) -> dict[Tensor, Any]:
        """What the operations of an iteration are given, with these values of the loop
        variables."""
        loop = self.loop
        given = dict(self.fixed)
        for op, value in zip(loop.merges, values, strict=True):
            given[op._outputs[0]] = value
            given[op._outputs[1]] = np.array(0, np.int32)
        for op, position in zip(loop.switches, loop.switched, strict=True):
            given[op._outputs[1]] = values[position]
        return given

    def first(self) -> list[Any]:
        """The first values of the loop variables."""
        values = [self.start[t] for t in self.loop.initial]
        return [value.read() if isinstance(value, Ref) else value for value in values]

    def not_once(self, else_fail: errors.OpError | None = None) -> list[Any]:
        """The values of the loop variables, if the loop has no iteration.

        Args:
          else_fail: what the run fails with if it does; None if it is known that it does not.
        """
        state = self._entered()
        if else_fail is not None:
            self.outer.checks.append(Foreseen(else_fail, jnp.any(self._holds(state))))
        if self.loop.test_acts:
            self._finish(state)
        return state["vars"]

    def _first_state(self) -> dict[str, Any]:
        loop, outer = self.loop, self.outer
        return {
            "vars": self.first(),
            "written": [self.refs[key].read() for key in self.written],
            "random": [outer.variables.current_generator(op) for op in loop.random_ops],
            "tested": [],
        }

    def _entered(self) -> dict[str, Any]:
        """The state in which the first iteration, or the test of the condition, finds the loop."""
        state = self._first_state()
        if self.loop.test_acts:
            self.outer.checks += self._test(state)
        return state

    def _interpreter(self, state: dict[str, Any]) -> Interpreter:
        loop = self.loop
        found = dict(self._found)
        for key, value in zip(self.written, state["written"], strict=True):
            found[(key, 0)] = value
        for op, value in zip(loop.random_ops, state["random"], strict=True):
            found[(random_key(op), 0)] = value
        interpreter = self.outer.inner(Variables(found), loop.effects)
        interpreter.notes, interpreter.repeats = {}, self._repeats
        interpreter.env.update(self.given(state["vars"]))
        interpreter.env.update(zip(loop.tested, state["tested"][1:]))
        return interpreter

    def _holds(self, state: dict[str, Any]) -> Any:
        """Whether the loop goes on."""
        if self.loop.test_acts:
            return state["tested"][0]
        interpreter = self._interpreter(state)
        interpreter.run(self.loop.test_steps)
        go = _whole(interpreter.input(*self.loop.decider))
        if np.ndim(go):
            shape = shapes.to_string(np.shape(go))
            text = f"The second input must be a scalar, but it has shape {shape}"
            raise op_error(errors.InvalidArgumentError, self.loop.switches[0], text)
        return go

    def _iterate(self, state: dict[str, Any]) -> tuple[dict[str, Any], list[Check], list[Any]]:
        """The state after an iteration, the body's checks, and what is joined to `_joined`."""
        loop = self.loop
        interpreter = self._interpreter(state)
        joined = {loop.next[i]._op for i in self._joined}
        interpreter.run([op for op in loop.steps if op not in joined] if joined else loop.steps)
        variables = interpreter.variables
        after = {
            "vars": [
                None if i in self._joined else _whole(interpreter.input(op, 0))
                for i, op in enumerate(loop.nexts)
            ],
            "written": [variables.read(key, loop.effects.written[key]) for key in self.written],
            "random": [
                variables.random.get(op, value)
                for op, value in zip(loop.random_ops, state["random"], strict=True)
            ],
        }
        after["tested"] = []
        more = [_whole(interpreter.value(tensor)) for tensor in self._joined.values()]
        checks = interpreter.checks
        if loop.test_acts:
            checks = checks + self._test(after)
        return after, checks, more

    def _test(self, state: dict[str, Any]) -> list[Check]:
        """Evaluates the condition, where that acts: updates the state; returns its checks."""
        loop = self.loop
        state["tested"] = []
        interpreter = self._interpreter(state)
        interpreter.run(loop.test_steps)
        variables = interpreter.variables
        state["random"] = [variables.current_generator(op) for op in loop.random_ops]
        for i, key in enumerate(self.written):
            last = max((loop.effects.writes.get(op, {}).get(key, 0) for op in loop.test), default=0)
            state["written"][i] = variables.read(key, last)
        tested = [interpreter.value(tensor) for tensor in loop.tested]
        state["tested"] = [_whole(v) for v in (interpreter.input(*loop.decider), *tested)]
        if any(type(value) is Ref for value in state["tested"]):
            raise not_rolled(loop)
        return interpreter.checks

    def _finish(self, state: dict[str, Any]) -> None:
        """Hands on what the loop wrote."""
        for op, value in zip(self.loop.random_ops, state["random"], strict=True):
            self.outer.variables.random[op] = value
        for key, value in zip(self.written, state["written"], strict=True):
            self.refs[key].assign(value)

    def compiled(self, iterations: Iterations) -> list[Any]:
        """Runs the loop as a part of the program; returns the last values of the loop variables.

        Raises:
          Replan: see `_outputs`.
        """
        loop, checks = self.loop, self.outer.checks
        self._repeats = iterations.exact and (iterations.most or 0) > 1
        before = len(checks)
        try:
            try:
                return self._rolled(iterations)
            except _ChangesShape:
                if not loop.joined:
                    raise
            del checks[before:]
            self._joined = loop.joined
            if not iterations.exact:
                self._require(loop.control_inputs())
            return self._rolled(iterations)
        except _ChangesShape:
            found = None
        except Replan as replan:
            found = replan
            for op, index in found.decisions.cuts:
                if op is loop:
                    raise
                sources = loop.sources(op._inputs[index])
                self._require(t for t in sources or () if t not in loop.initial)
        except errors.OpError as error:
            if iterations.exact:
                raise
            # Whatever the values are, an iteration fails: unless there is none.
            del checks[before:]
            self._joined = {}
            return self.not_once(error)
        self._joined = {}
        del checks[before:]
        if iterations.exact and (iterations.most or 0) * len(loop.body) <= _UNROLLED_OPS:
            return self._unrolled()
        if found is not None and found.decisions.sizes:
            raise found
        raise not_rolled(loop, found) from None

    def _require(self, tensors: Iterable[Tensor]) -> None:
        """Has the values of Enters known when the program is compiled."""
        enters = [op._outputs[0] for op in self.loop.enters]
        for tensor in tensors:
            if tensor in enters and not _is_known(self.start[tensor]):
                raise needs_value(cast(Any, self.loop), enters.index(tensor)) from None

    def _unrolled(self) -> list[Any]:
        """Runs the loop as that many copies of its body."""
        self._repeats = False  # each copy has its own known values
        checks: list[Check] = []
        try:
            state = self._entered()
            while True:
                go = self._holds(state)
                if not isinstance(go, np.ndarray):
                    raise not_rolled(self.loop)
                if not go:
                    break
                state, found, _ = self._iterate(state)
                checks += found
        except Replan as found:
            raise not_rolled(self.loop, found) from None
        self.outer.checks += checks
        self._finish(state)
        return state["vars"]

    def _rolled(self, iterations: Iterations) -> list[Any]:
        """Runs the loop as one XLA loop."""
        if self._joined and not iterations.exact:
            raise _ChangesShape
        state, iteration, flags = self._settled(iterations)
        no_failure = jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), flags)

        def step(carry: Any, _: Any = None) -> Any:
            state, kept = carry
            after, found, more = iteration(state)
            return (after, _first_failures(kept, found)), more

        carry, more = (state, no_failure), []
        if iterations.exact:
            (final, kept), more = lax.scan(step, carry, None, length=iterations.most)
        else:
            holds = traced_once(lambda state: jnp.asarray(self._holds(state)), state)[0]

            def goes_on(carry: Any) -> Any:
                # What has failed may never come to the end.
                state, kept = carry
                failed = [
                    flag
                    for check, (flag, _) in zip(self._checks, kept, strict=True)
                    if not isinstance(check, SizeCheck)
                ]
                return functools.reduce(lambda go, flag: go & ~jnp.any(flag), failed, holds(state))

            final, kept = lax.while_loop(goes_on, lambda carry: step(carry)[0], carry)
        for check, (failed, values) in zip(self._checks, kept, strict=True):
            self.outer.checks.append(check.with_flag(failed, values))
        before = self._first_state()
        for part in ("vars", "written"):
            pairs = zip(final[part], before[part], strict=True)
            final[part] = [_after_loop(value, first, iterations) for value, first in pairs]
        self._finish(final)
        for i, rows in zip(self._joined, more, strict=True):
            rows = rows.reshape((-1, *rows.shape[2:]))
            final["vars"][i] = jnp.concatenate([before["vars"][i], rows])
        for i, value in iterations.final.items():
            final["vars"][i] = value
        return final["vars"]

    def _traced_iteration(self, state: dict[str, Any]) -> Any:
        after, checks, more = self._iterate(state)
        self._checks = checks
        flags = [(_array(check.failed), arrays(check.values)) for check in checks]
        return _as_arrays(after), flags, [_array(value) for value in more]

    def _settled(self, iterations: Iterations) -> tuple[Any, Callable[..., Any], Any]:
        """The first state, in the form that every iteration gives it; an iteration; the form of its
        flags.

        Raises:
          _ChangesShape: a loop variable changes its shape from iteration to iteration.
        """
        state = _as_arrays(self._entered())
        for i in self._joined:
            state["vars"][i] = None
        for _ in range(4):
            iteration, (after, flags, _more) = traced_once(self._traced_iteration, state)
            if _forms(after) == _forms(state):
                return state, iteration, flags
            state = {
                part: [
                    _in_loop(v, a, iterations)
                    for v, a in zip(state[part], after[part], strict=True)
                ]
                for part in state
            }
        raise _ChangesShape


class _ChangesShape(Exception):
    """The state of a loop has not the same form in every iteration."""


def _is_known(value: Any) -> bool:
    """Whether a value that enters a loop is known when the program is compiled."""
    if type(value) is Ref and value.initialized:
        value = value.read()
    return isinstance(value, np.ndarray)


def _forms(value: Any) -> Any:
    leaves, tree = jax.tree.flatten(value)
    return tree, [(np.shape(leaf), np.dtype(leaf.dtype)) for leaf in leaves]


def _in_loop(value: Any, after: Any, iterations: Iterations) -> Any:
    """A value in the form in which a loop carries it."""
    if hasattr(value, "in_loop"):
        found = value.in_loop(after, iterations)
        if found is None:
            raise _ChangesShape
        return found
    if hasattr(after, "in_loop"):
        # A sum that begins with a plain zero.
        return after.blank().in_loop(after, iterations)
    return value


def _after_loop(value: Any, before: Any, iterations: Iterations) -> Any:
    return value.after_loop(before, iterations) if hasattr(value, "after_loop") else value


def _first_failures(kept: Sequence[Any], found: Sequence[Any]) -> list[Any]:
    """Flags and quoted values of the body's checks, kept from the first iteration that failed."""
    return [
        (
            jnp.logical_or(failed, now),
            {name: jnp.where(failed, before[name], value) for name, value in values.items()},
        )
        for (failed, before), (now, values) in zip(kept, found, strict=True)
    ]


def _whole(value: Any) -> Any:
    """A value, if it is not one of a branch that may not be taken."""
    if type(value) is BranchValue:
        raise inseparable({value.pred})
    return value


def _as_arrays(state: dict[str, Any]) -> dict[str, Any]:
    return {part: [_array(value) for value in values] for part, values in state.items()}


def _array(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray | np.generic) else value
