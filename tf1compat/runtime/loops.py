"""TF's v1 loops (Enter, Merge, Switch, NextIteration, Exit) as one XLA loop each.

`collapse` replaces the operations of every outermost frame by one `Loop`, which the plan treats
  like an operation: its
inputs are what enters the frame, its outputs what leaves it.  Its lowering is a `lax.while_loop`
whose carry holds the loop variables, the variables that the body writes, the generators of its
random ops and the run-time checks of the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.interpret import Check, Context, Interpreter, Ref, Variables, random_key

Frame = tuple[bytes, ...]


def collapse(ops: Iterable[Operation], feeds: set[Tensor], within: Frame = ()) -> list[Any]:
    """Replaces the operations of each frame directly inside `within` by a `Loop`."""
    ops = list(ops)
    if not any(op._spec.loop == "enter" for op in ops):
        return ops
    frames = _frames(ops, feeds, within)
    depth = len(within)
    kept: list[Any] = []
    members: dict[Frame, list[Operation]] = {}
    for op in ops:
        frame = frames[op]
        if len(frame) > depth:
            members.setdefault(frame[: depth + 1], []).append(op)
        else:
            kept.append(op)
    for frame, inside in members.items():
        kept.append(Loop(frame, sorted(inside, key=lambda op: op._id), frames))
    return kept


def _frames(ops: list[Operation], feeds: set[Tensor], within: Frame) -> dict[Operation, Frame]:
    """The frame that each operation belongs to; an Enter and an Exit belong to the inner one."""
    inside = set(ops)
    frames: dict[Operation, Frame] = {}

    def leaves(op: Operation) -> Frame:
        return frames[op][:-1] if op._spec.loop == "exit" else frames[op]

    waiting = sorted(ops, key=lambda op: op._id)
    while waiting:
        left = []
        for op in waiting:
            sources = [t._op for t in op._inputs if t not in feeds] + op._control_inputs
            known = [leaves(s) for s in sources if s in frames]
            resolved = all(s in frames or s not in inside for s in sources)
            if op._spec.merges and known:
                resolved = True  # The other input comes from the next iteration.
            if not resolved:
                left.append(op)
                continue
            frame = max(known, key=len, default=within)
            if op._spec.loop == "enter":
                frame = (*frame, op._attrs["frame_name"])
            frames[op] = frame
        if len(left) == len(waiting):
            raise NotImplementedError(
                f"The graph has a loop without frames through operation '{left[0].name}': "
                "not supported by tf1compat yet"
            )
        waiting = left
    return frames


class Loop:
    """All operations of one frame, as one step of the plan.

    It has the attributes of an `Operation` that the plan and the interpreter look at.
    """

    def __init__(self, frame: Frame, members: list[Operation], frames: dict[Operation, Frame]):
        own = [op for op in members if frames[op] == frame]
        inner = [op for op in members if frames[op] != frame]
        self.members = members
        self._name = frame[-1].decode()
        self.name = self._name
        self.type = "while_loop"
        self._id = min(op._id for op in members)
        self._graph = members[0]._graph
        self.definition = members[0].definition
        self.node_def = members[0].node_def
        self._enters = [op for op in own if op._spec.loop == "enter"]
        self._exits = [op for op in own if op._spec.loop == "exit"]
        conditions = [op for op in own if op._spec.loop == "cond"]
        if len(conditions) != 1:
            raise NotImplementedError(
                f"Loop '{self.name}' has {len(conditions)} conditions: not supported by tf1compat "
                "yet"
            )
        self._condition = conditions[0]._inputs[0]
        # Merges of an Enter with a NextIteration hold the loop variables.
        self._merges = [
            op
            for op in own
            if op._spec.merges and any(t._op._spec.loop == "next" for t in op._inputs)
        ]
        self._initial = [
            next(t for t in op._inputs if t._op._spec.loop != "next") for op in self._merges
        ]
        self._next = [
            next(t for t in op._inputs if t._op._spec.loop == "next")._op._inputs[0]
            for op in self._merges
        ]
        pivot = conditions[0]._outputs[0]
        self._switches = [op for op in own if op._spec.is_switch and op._inputs[1] is pivot]
        variables = {op._outputs[0]: i for i, op in enumerate(self._merges)}
        self._switched = [variables[op._inputs[0]] for op in self._switches]
        special = {*self._enters, *self._exits, *conditions, *self._merges, *self._switches}
        special |= {op for op in own if op._spec.loop == "next"}
        plain = [op for op in members if op not in special and (op in inner or frames[op] == frame)]
        feeds = self._given()
        body = collapse(plain, feeds, frame)
        self._body = plan_lib._topological(body, feeds)
        needed = _needed(self._body, [self._condition._op], feeds)
        self._test = [op for op in self._body if op in needed]
        self._effects = plan_lib.order_effects(self._body, feeds)
        self.random_ops = [r for op in self._body for r in plan_lib.random_ops(op)]
        self._inputs = [op._inputs[0] for op in self._enters]
        inside = set(members)
        self._control_inputs = list(
            dict.fromkeys(c for op in members for c in op._control_inputs if c not in inside)
        )
        self._outputs = [op._outputs[0] for op in self._exits]
        self._output_dtypes = [tensor._dtype for tensor in self._outputs]
        self._attrs: dict[str, Any] = {}
        self._spec = self._make_spec()

    def _given(self) -> set[Tensor]:
        """The tensors inside that the lowering provides."""
        given = {tensor for op in self._merges for tensor in op._outputs}
        given |= {tensor for op in self._switches for tensor in op._outputs}
        return given | {op._outputs[0] for op in self._enters}

    def _make_spec(self) -> op_registry.OpSpec:
        spec = op_registry.OpSpec("while_loop")
        spec.where = __file__
        spec.lower = op_registry.Rule(self._lower, None, ("ctx",))
        references = [i for i, t in enumerate(self._inputs) if plan_lib.is_reference(t)]
        written = {
            i for i in references if plan_lib.variable_key(self._inputs[i]) in self._effects.written
        }
        spec.writes = tuple(sorted(written))
        spec.reads = tuple(i for i in references if i not in written)
        return spec

    # Lowering.

    def _lower(self, *values: Any, ctx: Context) -> list[Any]:
        outer = ctx._interpreter
        entered = dict(zip([op._outputs[0] for op in self._enters], values, strict=True))
        carried_by = set(self._initial)
        fixed = {t: v for t, v in entered.items() if t not in carried_by or isinstance(v, Ref)}
        refs = {v.key: v for v in values if isinstance(v, Ref)}
        state = {
            "vars": [_array(entered[t]) for t in self._initial],
            "written": {str(i): refs[key].read() for i, key in enumerate(self._written_keys(refs))},
            "random": [outer.variables.random.get(op, None) for op in self.random_ops],
            "checks": [],
        }
        state["random"] = [
            outer.variables.values[(random_key(op), 0)] if value is None else value
            for op, value in zip(self.random_ops, state["random"], strict=True)
        ]
        found = {(key, 0): ref.read() for key, ref in refs.items() if ref.initialized}
        run = _Iteration(self, outer, fixed, found, self._written_keys(refs))
        state = run.settle(state)
        final = lax.while_loop(run.holds, run.step, state)
        for op, value in zip(self.random_ops, final["random"], strict=True):
            outer.variables.random[op] = value
        for i, key in enumerate(self._written_keys(refs)):
            refs[key].assign(final["written"][str(i)])
        for check, (failed, kept) in zip(run.checks, final["checks"], strict=True):
            outer.checks.append(Check(check.op, failed, check.error_class, check.template, kept))
        return [final["vars"][self._exited(op)] for op in self._exits]

    def _exited(self, op: Operation) -> int:
        return self._switched[self._switches.index(op._inputs[0]._op)]

    def _written_keys(self, refs: dict[Any, Ref]) -> list[Any]:
        return [key for key in self._effects.written if key in refs]


class _Iteration:
    """One turn of a loop on a state: {"vars", "written", "random", "checks"}."""

    def __init__(
        self,
        loop: Loop,
        outer: Interpreter,
        fixed: dict[Tensor, Any],
        found: dict[Any, Any],
        written: list[Any],
    ):
        self._loop = loop
        self._outer = outer
        self._fixed = fixed
        self._found = found
        self._written = written
        self.checks: list[Check] = []

    def _interpreter(self, state: dict[str, Any]) -> Interpreter:
        loop = self._loop
        found = dict(self._found)
        for i, key in enumerate(self._written):
            found[(key, 0)] = state["written"][str(i)]
        for op, value in zip(loop.random_ops, state["random"], strict=True):
            found[(random_key(op), 0)] = value
        interpreter = Interpreter(
            Variables(found), loop._effects, self._outer.apply, self._outer.session
        )
        interpreter.env.update(self._fixed)
        for op, value in zip(loop._merges, state["vars"], strict=True):
            interpreter.env[op._outputs[0]] = value
            interpreter.env[op._outputs[1]] = np.array(0, np.int32)
        for op, position in zip(loop._switches, loop._switched, strict=True):
            interpreter.env[op._outputs[1]] = state["vars"][position]
        return interpreter

    def holds(self, state: dict[str, Any]) -> Any:
        """Whether the loop goes on."""
        interpreter = self._interpreter(state)
        interpreter.run(self._loop._test)
        return jnp.asarray(interpreter.value(self._loop._condition)).reshape(())

    def step(self, state: dict[str, Any]) -> dict[str, Any]:
        """The state after one more turn."""
        loop = self._loop
        interpreter = self._interpreter(state)
        interpreter.run(loop._body)
        variables = interpreter.variables
        self.checks = interpreter.checks
        return {
            "vars": [_array(interpreter.value(tensor)) for tensor in loop._next],
            "written": {
                str(i): variables.read(key, loop._effects.written[key])
                for i, key in enumerate(self._written)
            },
            "random": [
                variables.random.get(op, value)
                for op, value in zip(loop.random_ops, state["random"], strict=True)
            ],
            "checks": self._first_failures(interpreter.checks, state["checks"]),
        }

    def _first_failures(self, checks: Sequence[Check], before: Sequence[Any]) -> list[Any]:
        """Flags and quoted values of the body's checks, kept from the first turn that failed."""
        if not before:
            return [(check.failed, _arrays(check.values)) for check in checks]
        return [
            (
                failed | check.failed,
                {
                    name: jnp.where(failed, kept[name], value)
                    for name, value in _arrays(check.values).items()
                },
            )
            for check, (failed, kept) in zip(checks, before, strict=True)
        ]

    def settle(self, state: dict[str, Any]) -> dict[str, Any]:
        """Gives the state the structure that a turn gives it.

        Raises:
          NotImplementedError: a loop variable changes its shape from turn to turn.
        """
        for _ in range(2):
            after = jax.eval_shape(self.step, state)
            state = {
                **state,
                "vars": [
                    value.promoted(wanted) if hasattr(value, "promoted") else value
                    for value, wanted in zip(state["vars"], after["vars"], strict=True)
                ],
                "checks": jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), after["checks"]),
            }
        for value, wanted, op in zip(state["vars"], after["vars"], self._loop._merges, strict=True):
            before, now = jax.tree.leaves(value), jax.tree.leaves(wanted)
            if [np.shape(v) for v in before] != [v.shape for v in now]:
                raise NotImplementedError(
                    f"Loop variable '{op.name}' changes its shape from "
                    f"{[np.shape(v) for v in before]} to {[v.shape for v in now]} in one "
                    "iteration: not supported by tf1compat yet"
                )
        return state


def _needed(ops: Sequence[Any], targets: Sequence[Any], feeds: set[Tensor]) -> set[Any]:
    """Those of `ops` that `targets` depend on."""
    owner = {member: op for op in ops for member in getattr(op, "members", (op,))}
    needed: set[Any] = set()
    stack = [owner[op] for op in targets if op in owner]
    while stack:
        op = stack.pop()
        if op in needed:
            continue
        needed.add(op)
        sources = [t._op for t in op._inputs if t not in feeds] + list(op._control_inputs)
        stack.extend(owner[source] for source in sources if source in owner)
    return needed


def _array(value: Any) -> Any:
    return jnp.asarray(value) if isinstance(value, np.ndarray | np.generic) else value


def _arrays(values: dict[str, Any]) -> dict[str, Any]:
    return {name: jnp.asarray(value) for name, value in values.items()}
