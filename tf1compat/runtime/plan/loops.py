"""TF's v1 loops (Enter, Merge, Switch, NextIteration, Exit) as one XLA loop each.

`collapse` replaces the operations of every outermost frame by one `Loop`, which the plan treats
like an operation: its inputs are what enters the frame, its outputs what leaves it. Its lowering
(`trace/loop.py`) is a `lax.while_loop` whose carry holds the loop variables, the variables that the
body writes, the generators of its random ops and the run-time checks of the body.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tf1compat.core import constants, errors, op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import (
    NOTHING,
)
from tf1compat.runtime.plan import branches, placement
from tf1compat.runtime.plan import steps as step_lib
from tf1compat.runtime.plan.effects import order_effects
from tf1compat.runtime.plan.feeds import is_constant
from tf1compat.runtime.plan.order import topological
from tf1compat.runtime.plan.references import (
    is_reference,
    variable_key,
)

if TYPE_CHECKING:
    pass


Frame = tuple[tuple[Any, bytes], ...]


def collapse(ops: Iterable[Operation], feeds: set[Tensor], within: Frame = ()) -> list[Any]:
    """Replaces the operations of each frame directly inside `within` by a `Loop`."""
    ops = list(ops)
    if not any(op._spec.loop == "enter" for op in ops):
        return ops
    frames = frames_of(ops, feeds, within)
    passages = _leave_passages(frames, within)
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
        kept.append(Loop(frame, sorted(inside, key=lambda op: op._id), frames, passages))
    return kept


def frames_of(
    ops: list[Operation], feeds: set[Tensor], within: Frame = ()
) -> dict[Operation, Frame]:
    """The frame that each operation belongs to; an Enter and an Exit belong to the inner one."""
    owner = {member: op for op in ops for member in (op, *step_lib.members(op))}
    frames: dict[Operation, Frame] = {}

    def leaves(op: Operation) -> Frame:
        return frames[op][:-1] if op._spec.loop == "exit" else frames[op]

    waiting = sorted(ops, key=lambda op: op._id)
    while waiting:
        left = []
        for op in waiting:
            sources = [t._op for t in op._inputs if t not in feeds] + step_lib.gates(op)
            sources = [owner[s] for s in sources if s in owner]
            known = [leaves(s) for s in sources if s in frames]
            resolved = all(s in frames for s in sources)
            if op._spec.merges and known:
                resolved = True  # The other input comes from the next iteration.
            if not resolved:
                left.append(op)
                continue
            frame = max(known, key=len, default=within)
            if any(frame[: len(other)] != other for other in known):
                raise _different_frames(op, sources, leaves)
            if op._spec.loop == "enter":
                # Two calls of a function are two loops.
                frame = (*frame, (op._graph, op._attrs["frame_name"]))
            frames[op] = frame
        if len(left) == len(waiting):
            raise NotImplementedError(
                f"The graph has a loop without frames through operation '{left[0].name}': "
                "not supported by tf1compat yet"
            )
        waiting = left
    return frames


def _different_frames(
    op: Any, sources: list[Operation], leaves: Callable[[Any], Frame]
) -> errors.InvalidArgumentError:
    first, other = sources[0], next(s for s in sources if leaves(s) != leaves(sources[0]))
    names = ["/".join(part[1].decode() for part in leaves(s)) for s in (other, first)]
    return errors.InvalidArgumentError(
        op.node_def,
        op,
        f"{_node(op)} has inputs from different frames. The {_node(other, 'input ')} is in frame "
        f"'{names[0]}'. The {_node(first, 'input ')} is in frame '{names[1]}'.",
    )


def _node(op: Any, what: str = "") -> str:
    return f"{what}node {_quoted(op)}"


def _leave_passages(frames: dict[Operation, Frame], within: Frame) -> set[Operation]:
    """Takes the frames without a next iteration out of `frames`: what is in them is computed once,
    so that it may as well stand around them.

    Returns:
      Their Enters and Exits, which hand on what they are given.
    """
    loops = {frame for op, frame in frames.items() if op._spec.loop in ("cond", "next")}
    passages = set()
    for op, frame in frames.items():
        depths = range(len(within), len(frame))
        if any(frame[: i + 1] not in loops for i in depths):
            frames[op] = within + tuple(frame[i] for i in depths if frame[: i + 1] in loops)
            if op._spec.loop in ("enter", "exit") and frame not in loops:
                passages.add(op)
    return passages


class Loop:
    """All operations of one frame, as one step of the plan.

    It has the attributes of an `Operation` that the plan and the interpreter look at.

    Attributes:
      enters, exits, merges, switches: the operations of the frame; a Merge for each loop variable.
      initial, next: the first values of the loop variables, and those of the next iteration;
        `nexts` are the operations that take these.
      switched: the loop variable of each Switch.
      condition: whether the loop goes on; `decider` says of which operation it is which input,
        `pivot` is what the Switches ask.
      body, test: the operations of an iteration, and those that the condition needs.
      test_acts: whether it matters how often the condition is evaluated.
      tested: what the rest of an iteration takes from the condition, if `test_acts`.
      rest: the operations of an iteration after the condition; all of them unless `test_acts`.
      ending: the operations between the last values of the loop variables and the Exits.
      steps, test_steps: `rest` and `test` with branches replaced.
      effects: the order of reads and writes in the body.
      decisive: the loop variables that the condition depends on.
      joined: the loop variables that only grow by rows, and the rows of one iteration.
      acts: whether running the loop does more than computing values.
      has_host_steps: whether the host has to run one iteration after the other.
    """

    def __init__(
        self,
        frame: Frame,
        members: list[Operation],
        frames: dict[Operation, Frame],
        passages: Collection[Operation] = (),
    ):
        own = [op for op in members if frames[op] == frame]
        inner = [op for op in members if frames[op] != frame]
        self.members = members
        self._name = frame[-1][1].decode()
        self.name = self._name
        self.type = "while_loop"
        self._id = min(op._id for op in members)
        self._graph = members[0]._graph
        self.definition = members[0].definition
        self.node_def = members[0].node_def
        self.traceback = members[0].traceback
        self.enters = [op for op in own if op._spec.loop == "enter" and op not in passages]
        self.exits = [op for op in own if op._spec.loop == "exit" and op not in passages]
        conditions = [op for op in own if op._spec.loop == "cond"]
        if len(conditions) > 1:  # A graph that was imported twice, for example.
            nodes = [_quoted(op) for op in reversed(conditions)]
            raise errors.InvalidArgumentError(
                None,
                None,
                f'Invalid loop structure: Loop "{self.name}" has more than one LoopCond node: '
                f"node {nodes[0]} and node {nodes[1]}. This is an internal bug, please file a bug "
                "report with instructions on how to reproduce the error.",
            )
        # Merges of an Enter with a NextIteration hold the loop variables.
        self.merges = [
            op
            for op in own
            if op._spec.merges and any(t._op._spec.loop == "next" for t in op._inputs)
        ]
        self.initial = [
            next(t for t in op._inputs if t._op._spec.loop != "next") for op in self.merges
        ]
        self.nexts = [
            next(t for t in op._inputs if t._op._spec.loop == "next")._op for op in self.merges
        ]
        self.next = [op._inputs[0] for op in self.nexts]
        self.pivot = self._pivot(conditions, own)
        self.switches = [op for op in own if op._spec.is_switch and op._inputs[1] is self.pivot]
        self.decider = (conditions[0], 0) if conditions else (self.switches[0], 1)
        self.condition = self.decider[0]._inputs[self.decider[1]]
        variables = {op._outputs[0]: i for i, op in enumerate(self.merges)}
        self.switched = [variables[op._inputs[0]] for op in self.switches]
        special = {*self.enters, *self.exits, *conditions, *self.merges, *self.switches}
        special |= {op for op in own if op._spec.loop == "next"}
        plain = [op for op in members if op not in special and (op in inner or frames[op] == frame)]
        feeds = self.given()
        body = collapse(plain, feeds, frame)
        ordered = topological(body, feeds)
        self.ending = _following(ordered, {op._outputs[0] for op in self.switches})
        self.body = [op for op in ordered if op not in self.ending]
        needed = _needed(self.body, [self.condition._op], feeds)
        self.test = [op for op in self.body if op in needed]
        self.effects = order_effects(self.body, feeds)
        self.acts = any(_acts(op, feeds) for op in self.body)
        self.test_acts = any(_acts(op, feeds) for op in self.test)
        self.rest, self.tested = self._after_test(needed) if self.test_acts else (self.body, [])
        known = {*feeds, *self.tested}
        self.steps = branches.group(self.rest, known, self.effects, [*self.next, self.condition])
        wanted = [self.condition, *self.tested]
        self.test_steps = branches.group(self.test, feeds, self.effects, wanted)
        self.has_host_steps = any(placement.runs_on_host(op, feeds, NOTHING) for op in self.body)
        self.joined = self._rows_joined()
        self.decisive = self._decisive()
        self._stepping: dict[frozenset[int], list[Any]] = {}
        self.random_ops = [r for op in self.body for r in step_lib.random_ops(op)]
        self._inputs = [op._inputs[0] for op in self.enters]
        inside = {member for op in members for member in (op, *step_lib.members(op))}
        self._control_inputs = list(
            dict.fromkeys(c for op in members for c in op._control_inputs if c not in inside)
        )
        self._outputs = [op._outputs[0] for op in self.exits]
        self._output_dtypes = [tensor._dtype for tensor in self._outputs]
        self._attrs: dict[str, Any] = {}
        self._spec = self._make_spec()

    def _pivot(self, conditions: list[Operation], own: list[Operation]) -> Tensor:
        """What the loop's Switches ask: the LoopCond, or the condition itself where there is none,
        which nothing that executes a graph needs."""
        if conditions:
            return conditions[0]._outputs[0]
        asked = {
            op._inputs[1] for op in own if op._spec.is_switch and op._inputs[0]._op in self.merges
        }
        if len(asked) != 1:
            raise NotImplementedError(
                f"Loop '{self.name}' has {len(asked) or 'no'} condition{'s' * (len(asked) > 1)}: "
                "not supported by tf1compat yet"
            )
        return asked.pop()

    def given(self) -> set[Tensor]:
        """The tensors inside that the lowering provides."""
        given = {tensor for op in self.merges for tensor in op._outputs}
        given |= {tensor for op in self.switches for tensor in op._outputs}
        return given | {op._outputs[0] for op in self.enters}

    def _after_test(self, test: set[Any]) -> tuple[list[Any], list[Tensor]]:
        """The operations of an iteration after those of its condition, and what they take from
        them. References and constants are made anew."""
        rest = [op for op in self.body if op not in test or _is_made_anew(op)]
        kept = set(rest)
        used = dict.fromkeys([*(t for op in rest for t in op._inputs), *self.next])
        made = {t for op in self.body if op not in kept for t in op._outputs}
        return rest, [tensor for tensor in used if tensor in made]

    def _decisive(self) -> set[int]:
        """The loop variables that the condition depends on."""
        places = {output: i for i, op in enumerate(self.merges) for output in op._outputs}
        for op, i in zip(self.switches, self.switched, strict=True):
            places.update(dict.fromkeys(op._outputs, i))
        found: set[int] = set()
        targets = [self.condition]
        while True:
            ops = _needed(self.body, [t._op for t in targets], set(places))
            looked_at = {*targets, *(t for op in ops for t in op._inputs)}
            more = {places[t] for t in looked_at if t in places} - found
            if not more:
                return found
            found |= more
            targets = [self.next[i] for i in found]

    def sources(self, tensor: Tensor) -> Collection[Tensor] | None:
        """The given tensors from which NumPy alone computes a tensor of the body; None if it
        can't."""
        given = self.given()
        found: dict[Tensor, None] = {}
        stack = [tensor]
        while stack:
            tensor = stack.pop()
            op = tensor._op
            if tensor in given:
                found[tensor] = None
            elif not is_constant(op):
                if op._spec.fold is None:
                    return None
                stack.extend(op._inputs)
        return found

    def control_inputs(self) -> list[Tensor]:
        """The Enters on which it depends how many iterations the loop has."""
        ops = {*self.test, *self.stepping(frozenset(self.decisive))}
        used = {self.condition, *(tensor for op in ops for tensor in op._inputs)}
        used |= {self.initial[i] for i in self.decisive}
        return [op._outputs[0] for op in self.enters if op._outputs[0] in used]

    def _rows_joined(self) -> dict[int, Tensor]:
        """The loop variables that only grow by rows: what each iteration joins to them."""
        found: dict[int, Tensor] = {}
        users: dict[Tensor, int] = {}
        for op in self.body:
            for tensor in op._inputs:
                users[tensor] = users.get(tensor, 0) + 1
        variables = {op._outputs[1]: i for op, i in zip(self.switches, self.switched, strict=True)}
        for i, tensor in enumerate(self.next):
            op = tensor._op
            if not op._spec.joins or op not in self.steps or len(op._inputs) != 3:
                continue
            variable, rows, axis = op._inputs
            known = constants.known_value(axis)
            alone = users.get(variable) == 1 and not users.get(self.merges[i]._outputs[0])
            if variables.get(variable) == i and known is not None and not known and alone:
                if not users.get(tensor) and self.next.count(tensor) == 1:
                    found[i] = rows
        return found

    def stepping(self, positions: frozenset[int]) -> list[Any]:
        """The operations that compute the next values of some loop variables."""
        found = self._stepping.get(positions)
        if found is None:
            targets = [self.next[i]._op for i in positions]
            needed = _needed(self.body, targets, self.given())
            found = self._stepping[positions] = [op for op in self.body if op in needed]
        return found

    def _make_spec(self) -> op_registry.OpSpec:
        spec = op_registry.OpSpec("while_loop")
        spec.where = __file__
        spec.host = lambda op: op.has_host_steps
        spec.autodiff = True
        references = [i for i, t in enumerate(self._inputs) if is_reference(t)]
        written = {i for i in references if variable_key(self._inputs[i]) in self.effects.written}
        spec.writes = tuple(sorted(written))
        spec.reads = tuple(i for i in references if i not in written)
        return spec


def _acts(op: Any, feeds: set[Tensor]) -> bool:
    """Whether an operation or an inner loop does more than computing values, or costs much."""
    spec = op._spec
    return bool(
        spec.effect
        or spec.writes
        or step_lib.random_ops(op)
        or placement.runs_on_host(op, feeds, NOTHING)
        or (isinstance(op, Loop) and op.acts)
    )


def _is_made_anew(op: Any) -> bool:
    if op._spec.writes:
        return False
    if not op._inputs:
        return op._spec.fold is not None
    return bool(op._outputs) and all(is_reference(tensor) for tensor in op._outputs)


def _quoted(op: Operation) -> str:
    file, line = op.definition
    return f"{op.name} (defined at {file}:{line}) "


def _following(ops: Sequence[Any], tensors: set[Tensor]) -> list[Any]:
    """Those of `ops`, which are in order, that are computed from `tensors`."""
    found = []
    reached = set(tensors)
    for op in ops:
        if not reached.isdisjoint(op._inputs):
            found.append(op)
            reached.update(op._outputs)
    return found


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
