"""Everything a `Session.run` does for one set of fetches and feeds: levels of regions and host
steps."""

from __future__ import annotations

import contextlib
import dataclasses
import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

import jax
import numpy as np

from tf1compat.core import constants, dtypes, errors, interrupts
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import devices, progress, tiers
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.compile.executable import Compiled
from tf1compat.runtime.compile.region import Region
from tf1compat.runtime.compile.state import State, Store, Versioned, nearest
from tf1compat.runtime.decisions import (
    NOTHING,
    Decisions,
    Replan,
)
from tf1compat.runtime.host.clock import Clock
from tf1compat.runtime.host.program import HostProgram, NotOnHost
from tf1compat.runtime.plan import branches, padding, towers
from tf1compat.runtime.repeat import Repeat, repeat_of
from tf1compat.runtime.resource_handles import fetched_handle
from tf1compat.runtime.trace import loop as loop_lib
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.updates import update_now
from tf1compat.runtime.trace.values import (
    Ref,
    Variables,
    fetched_uninitialized,
    random_key,
    random_state,
)

_logger = logging.getLogger("tf1compat")


@dataclasses.dataclass(frozen=True)
class _Plan:
    """How a program is run in levels.

    Attributes:
      decisions: what it is made by.
      levels: (region or None, host steps), each to be run after the one before.
    """

    decisions: Decisions
    levels: tuple[tuple[Region | None, list[Operation]], ...]

    @property
    def only(self) -> Region | None:
        """The region, where there is nothing else."""
        return self.levels[0][0] if len(self.levels) == 1 and not self.levels[0][1] else None

    @property
    def region(self) -> Region | None:
        """The only region, where there are but host steps before and after it."""
        *before, (region, _) = self.levels
        return region if len(before) < 2 and all(other is None for other, _ in before) else None

    @classmethod
    def of(cls, program: Program, steps: list[Any], decisions: Decisions) -> _Plan:
        """The plan of a program of these steps."""
        effects, feeds, title = program.effects, program.feed_set, program.title
        parts, padded = padding.split(steps, feeds, decisions, program.fetches)
        levels: list[tuple[Region | None, list[Operation]]] = []
        wanted = {
            tensor
            for tensor in program.fetches
            if not program.is_reference(tensor) and tensor not in feeds
        }
        later: set[Versioned] = set()
        # From the last level back, so that each region knows what is needed after it.
        for i, part in reversed(list(enumerate(parts))):
            for op in part.host:
                wanted.update(op._inputs)
                later.update(_looked_at(op, effects))
            region = None
            if part.device:
                # No failure of its own takes earlier updates back.
                last = i == len(parts) - 1 and not _writes(parts[:i], effects)
                donates = program.donate and last and not part.host
                restores = set[Any]()
                if program.donate and last and part.host:  # A failure there takes its updates back.
                    seen_before = {key for key, v in later if effects.lasting.get(key) != v}
                    restores = _rows_written(part.device, effects) - seen_before
                region = Region(
                    part.device, effects, feeds, set(wanted), set(later), donates, restores, title,
                    padded, None if padded else _towers(program, part.device, wanted),
                )  # fmt: skip
                wanted.update(region.inputs)
                later.update(region.needs)
            levels.append((region, part.host))
        return cls(decisions, tuple(reversed(levels)))


def _towers(
    program: Program, steps: list[Any], wanted: Collection[Tensor]
) -> tuple[list[Any], list[Any]] | None:
    """The steps of a region with those of its towers as one, and the devices that run them; None if
    it is to run on one."""
    kind = devices.kind_of_several()
    if kind is None:
        return None

    def cost(ops: Sequence[Any], count: int) -> float:
        # What is fed in batches is split among the towers.
        return tiers.xla_work(ops, max(program.largest_unknown // count, 1))

    found = towers.group(
        steps, kind, program.feed_set, program.effects, wanted, cost, kind == "CPU"
    )
    several = None if found is None else devices.of_towers(found[1])
    return None if found is None or several is None else (found[0], several)


def _looked_at(op: Operation, effects: plan_lib.Effects) -> set[Versioned]:
    """The versions of variables that a host step may look at."""
    made = effects.writes.get(op, {})
    found = set(effects.visible[op].items())
    found |= {(key, version - 1) for key, version in made.items()}
    for tensor in op._inputs:
        if plan_lib.is_reference(tensor):
            key = plan_lib.variable_key(tensor)
            if isinstance(key, plan_lib.Local) and key not in effects.visible[op]:
                found.add((key, 0))
    return found


def _writes(levels: Iterable[plan_lib.Level], effects: plan_lib.Effects) -> bool:
    """Whether variables of the session are written in some levels."""
    ops = [op for level in levels for op in (*plan_lib.flat(level.device), *level.host)]
    return any(key in effects.lasting for op in ops for key in effects.writes.get(op, ()))


def _rows_written(steps: Iterable[Any], effects: plan_lib.Effects) -> set[Any]:
    """The variables that are only written by updates of some of their rows."""
    rows, others = set[Any](), set[Any]()
    for op in plan_lib.flat(list(steps)):
        by_rows = getattr(op._spec, "updates_rows", False)  # A loop's has no such fact.
        (rows if by_rows else others).update(effects.writes.get(op, ()))
    return rows - others


class Program:
    """The plan of a run.

    Args:
      fetches: tensors whose values are wanted.
      targets: operations that must run.
      feeds: tensors whose values are given.
      donate: whether variables may be updated in place: nothing else holds their arrays.
      done: operations that ran before and must not run again.
      ops: the operations in order, if somebody found them already.
      decisions: what was decided about them already.
      every: whether what nobody reads is computed, too.

    Attributes:
      decisions: all that was decided so far.
      largest_unknown: the largest size of a feed that its static shape leaves open, when the plan
        is made.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        feeds: Sequence[Tensor],
        donate: bool = True,
        done: Collection[Operation] = (),
        ops: list[Operation] | None = None,
        decisions: Decisions = NOTHING,
        every: bool = False,
    ):
        self.fetches = list(fetches)
        self.donate = donate
        self.feeds = list(feeds)
        self.feed_set = plan_lib.Feeds(feeds)
        names = [f"'{part.name}'" for part in (*targets, *fetches)]
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        self.title = f"the run of {', '.join(names[:2])}{more}"
        needed = [tensor._op for tensor in fetches if tensor not in self.feed_set]
        if ops is None:
            ops = plan_lib.prune([*needed, *targets], self.feed_set, done, every=every)
        plan_lib.refuse_references(plan_lib.flat(ops), self.feeds)
        self.ops = ops
        self.effects = plan_lib.order_effects(self.ops, self.feed_set)
        self._waits = any(plan_lib.may_wait(m) for op in self.ops for m in plan_lib.members(op))
        self._makes_variables = bool(self.effects.lasting) or any(
            op._spec.source and op._output_dtypes[0]._is_ref_dtype for op in self.ops
        )
        self.decisions = decisions
        self.functions: dict[Any, Any] = {}
        self._iterations: dict[Any, tuple[Program, Program]] = {}
        self._made_plan: _Plan | None = None
        self.largest_unknown = 1
        self._repeat: Repeat | None = None
        self._promotion = tiers.Promotion(self.ops, self.feeds)
        self._host: HostProgram | None = None
        self._needs_device = False
        # Other values than arrays are those of one tier: what is given them stays in it.
        objects = {t for t in self.feeds if t._dtype is dtypes.variant}
        if objects:  # Nothing takes what deletes an iterator.
            objects &= {t for op in plan_lib.flat(self.ops) for t in op._inputs} | {*self.fetches}
        self._takes_objects = bool(objects) or any(t._dtype is dtypes.variant for t in self.fetches)

    @property
    def _plan(self) -> _Plan:
        """How XLA runs the program; made when it is first asked for."""
        plan = self._made_plan
        if plan is None:
            plan = self._made_plan = self._planned(self.decisions)
        return plan

    def _planned(self, decisions: Decisions, done: Collection[Any] = ()) -> _Plan:
        """The plan of all operations but those `done`."""
        ops = [op for op in self.ops if op not in done] if done else self.ops
        steps = branches.group(ops, self.feed_set, self.effects, self.fetches, decisions)
        if steps is ops:
            deep = branches.too_deep(ops, self.feed_set, self.effects)
            decisions |= Decisions(on_host=deep)
        return _Plan.of(self, steps, decisions)

    def _replanned(self, plan: _Plan, found: Replan, done: Collection[Any] = ()) -> _Plan:
        """The plan to go on with where `plan` could not be kept to: what ran stays as it is, and
        does not run again.

        Raises:
          NotImplementedError: the plan was made by these decisions already.
        """
        decisions = found.added_to(plan.decisions)
        self.decisions |= decisions
        if decisions.levels == plan.decisions.levels:
            self._made_plan = dataclasses.replace(self._plan, decisions=self.decisions)
            return dataclasses.replace(plan, decisions=decisions)
        self._promotion.never = True  # It is not one XLA program: what is light stays on the host.
        self._made_plan = self._planned(self.decisions)
        return self._planned(self.decisions, done) if done else self._made_plan

    def release(self) -> None:
        """Frees what was compiled, without waiting for the garbage collector."""
        self._repeat = None
        if self._made_plan is not None:
            for region, _ in self._made_plan.levels:
                if region is not None:
                    region.release()

    def is_reference(self, tensor: Tensor) -> bool:
        """Whether `tensor` stands for a variable, and not for a value that was fed."""
        while plan_lib.is_view(tensor) and tensor not in self.feed_set:
            tensor = tensor._op._inputs[0]
        return plan_lib.is_reference(tensor) and tensor not in self.feed_set

    def run(
        self,
        base: State,
        feeds: Sequence[Any],
        lock: Any,
        session: Any = None,
        trace: Any = None,
    ) -> list[Any]:
        """Runs the program.

        Args:
          base: the session's variables; updated when (and only when) the run succeeds.
          feeds: the values of the fed tensors, as arrays of the right dtype.
          lock: guards `base` and what is compiled; free while host steps run, and while the device
            computes.
          session: given to host steps.
          trace: notes what runs when (a `metadata.Trace`), or None.

        Returns:
          The fetched values: arrays on the device, and NumPy arrays that nobody else holds.

        Raises:
          OpError: the run failed; the variables are as they were.
        """
        if not self._waits:
            return self._run_in_tier(base, feeds, lock, session, trace)
        with interrupts.deferred():
            return self._run_in_tier(base, feeds, lock, session, trace)

    def _run_in_tier(
        self, base: State, feeds: Sequence[Any], lock: Any, session: Any, trace: Any
    ) -> list[Any]:
        repeat, begun = self._repeat, None
        if repeat is not None and trace is None:
            results = repeat.run(base, feeds, lock, session)
            if type(results) is list:
                return results
            begun = results
        if begun is None and self._is_for_host(base, feeds, lock, session):
            clock = None if trace is None else Clock()
            found = self._run_whole_on_host(base, feeds, lock, session, clock)
            if found is not None:
                if clock is not None and trace is not None:
                    trace.add_host(self._computed(), clock)
                self._check_alive(found)
                return [self._checked(value, i) for i, value in enumerate(found)]
        tensors = dict(zip(self.feeds, feeds, strict=True))
        done: list[Operation] = []
        if begun is not None and repeat is not None:
            tensors |= begun
            done = repeat.first
        fetched, entry = self._run(base, tensors, lock, session, trace, self._fetched, done)
        if entry is not None and entry.may_repeat:
            self._repeat = repeat_of(self, entry, feeds)
            entry.may_repeat = self._repeat is not None
        return fetched

    def values(
        self, base: State, given: dict[Tensor, Any], lock: Any, session: Any = None
    ) -> list[Any]:
        """Runs the program as a part of another: values may be references, and more than arrays.

        Args:
          base, lock, session: as in `run`.
          given: the values of the fed tensors, and of the references that lead into the program.
        """
        with interrupts.deferred() if self._waits else contextlib.nullcontext():
            return self._values_in_tier(base, given, lock, session)

    def _values_in_tier(
        self, base: State, given: dict[Tensor, Any], lock: Any, session: Any
    ) -> list[Any]:
        feeds = [given.get(tensor) for tensor in self.feeds]
        if len(given) == len(feeds) and not any(f is None or type(f) is Ref for f in feeds):
            if not self._needs_device and tiers.of(session) != tiers.XLA:
                found = self._run_whole_on_host(base, feeds, lock, session)
                if found is not None:
                    return found
        return self._run(base, dict(given), lock, session, None, self._passed_on)[0]

    def _run_whole_on_host(
        self, base: State, feeds: Sequence[Any], lock: Any, session: Any,
        clock: Clock | None = None,
    ) -> list[Any] | None:  # fmt: skip
        """Runs the program in the host tier; None if it cannot be run there."""
        host = self._host
        if host is None:
            try:
                host = HostProgram(
                    self.ops,
                    self.effects,
                    self.feed_set,
                    self.feeds,
                    self.fetches,
                    self.functions,
                )
            except NotOnHost:
                self._needs_device = True
                return None
            self._host = host
        results = host.run(base, feeds, lock, session, clock=clock)
        base.container_exists |= self._makes_variables
        return results

    def _computed(self) -> list[Any]:
        """The operations that are not constants."""
        return [op for op in self.ops if not plan_lib.is_constant(op, self.feed_set)]

    def _is_for_host(self, base: State, feeds: Sequence[Any], lock: Any, session: Any) -> bool:
        """Whether the host tier runs the program now; begins compiling when that pays."""
        tier = tiers.of(session)
        if self._needs_device or tier == tiers.XLA:
            return False
        if tier == tiers.HOST:
            return True
        if self._takes_objects:
            return True
        promotion = self._promotion
        signature = promotion.signature(feeds)
        if self._host is not None:
            promotion.saw(self._host.turns, self._host.loops_in_xla, signature, feeds)
            promotion.kinds = self._host.kinds
        if signature.costs.is_heavy:
            return False
        if promotion.never:
            return True
        if promotion.begins(signature):
            with lock:
                state = State(base)
                state.container_exists = base.container_exists
            signature.task = tiers.in_background(self._prepare, state, list(feeds))
        if signature.switch is None or signature.runs < signature.switch:
            return True
        if signature.task is not None:
            task, signature.task = signature.task, None
            what = f"{self.title}: {len(self.ops)} operations"
            with progress.waiting("compiling", "compiled", what):
                promotion.never |= not task.result()
        return promotion.never

    def _prepare(self, state: State, feeds: list[Any]) -> bool:
        """Compiles the program for feeds like these; whether it is one XLA program."""
        self.largest_unknown = self._promotion.largest_unknown(feeds)
        plan = self._plan
        regions = [region for region, _ in plan.levels if region is not None]
        if len(regions) != 1:
            return False
        if plan.only is None:
            return True
        tensors = dict(zip(self.feeds, feeds, strict=True))
        try:
            while True:
                try:
                    regions[0].prepare(tensors, Store(state), plan.decisions)
                    break
                except Replan as found:
                    if found.decisions.levels != NOTHING.levels:
                        return False
                    plan = self._replanned(plan, found)
        except (NotImplementedError, errors.OpError):
            return False
        except Exception:  # The host goes on: what fails to compile is no failure of a run.
            _logger.debug("%s could not be compiled", self.title, exc_info=True)
            return False
        region = regions[0]
        if region.static:

            def decisive(feeds: Sequence[Any]) -> tuple[bytes, ...]:
                known = region.known(dict(zip(self.feeds, feeds, strict=True)))
                return tuple(value.tobytes() for value in known.values())

            self._promotion.decisive = decisive
        return True

    def _run(
        self,
        base: State,
        tensors: dict[Tensor, Any],
        lock: Any,
        session: Any,
        trace: Any,
        fetched: Callable[..., Any],
        done: Collection[Operation] = (),
    ) -> tuple[list[Any], Compiled | None]:
        store = Store(base)
        try:
            entry = self._run_levels(tensors, store, lock, session, trace, set(done))
            with lock:
                results = [fetched(t, i, tensors, store) for i, t in enumerate(self.fetches)]
                return results, entry
        except BaseException:
            try:
                with lock:
                    store.undo()
            except BaseException:  # A second signal: it goes on where it was.
                with lock:
                    store.undo()
                raise
            raise
        finally:
            with lock:
                store.release()
                base.container_exists |= self._makes_variables

    @property
    def host_steps(self) -> tuple[list[Operation], list[Operation]]:
        """The host steps before and after the only region."""
        *before, (_, last) = self._plan.levels
        return [op for _, ops in before for op in ops], last

    def _run_levels(
        self,
        tensors: dict[Tensor, Any],
        store: Store,
        lock: Any,
        session: Any,
        trace: Any,
        done: set[Operation],
    ) -> Compiled | None:
        """Runs the levels, but for the host steps that are `done`; returns the executable of the
        only region."""
        if self._made_plan is None:
            fed = [tensors.get(tensor) for tensor in self.feeds]
            self.largest_unknown = self._promotion.largest_unknown(fed)
        plan = self._plan
        index = 0
        if done:
            index = 1
            if plan.levels[0][0] is not None or not done.issuperset(plan.levels[0][1]):
                index, plan = 0, self._planned(self.decisions, done)
        dead: set[Operation] = set()
        entry = None
        while index < len(plan.levels):
            region, host = plan.levels[index]
            if region is not None:
                try:
                    with _timed(trace, region.ops, compiled=True), lock:
                        entry, verdict = region.run(tensors, store, dead, plan.decisions)
                        store.publish(self.effects.lasting)
                except Replan as found:
                    levels = plan.levels
                    plan = self._replanned(plan, found, done)
                    if plan.levels is not levels:
                        index = 0
                    continue
                if verdict is not None:
                    entry.check(verdict)
                done.update(region.ops)
            if host:
                with _timed(trace, host):
                    self._run_host(host, tensors, store, dead, lock, session, plan.decisions)
                done.update(host)
            index += 1
        return entry if plan.region is not None and plan.levels is self._plan.levels else None

    def _run_host(
        self,
        ops: list[Operation],
        tensors: dict[Tensor, Any],
        store: Store,
        dead: set[Operation],
        lock: Any,
        session: Any,
        decisions: Decisions,
    ) -> None:
        """Runs host steps on NumPy values."""
        variables = _HostVariables(store, lock)
        interpreter = Interpreter(variables, self.effects, session=session)
        interpreter.env = _HostEnvironment(tensors)
        interpreter.dead = dead
        interpreter.on_host = True
        interpreter.decisions, interpreter.kept = decisions, store.base.kept
        interpreter.functions = self.functions
        interpreter.step_through = self._step_through
        for op in ops:
            self._run_step(op, interpreter)
        tensors.update(interpreter.env)
        variables.keep_generators()
        with lock:
            store.publish(self.effects.lasting)

    def _run_step(self, op: Operation, interpreter: Interpreter) -> None:
        """Runs a host step, again where a loop of the device's kind had not enough room."""
        generators = dict(interpreter.variables.random)
        while True:
            interpreter.run([op])
            failed = [check for check in interpreter.checks if np.any(check.failed)]
            interpreter.checks = []
            if not failed:
                return
            error = failed[0].error({k: np.asarray(v) for k, v in failed[0].values.items()})
            if not isinstance(error, Replan):
                raise error
            interpreter.decisions = error.added_to(interpreter.decisions or NOTHING)
            interpreter.variables.random = dict(generators)
            for tensor in op._outputs:
                interpreter.env.pop(tensor, None)

    def _step_through(self, run: loop_lib.Run) -> list[Any]:
        """Runs the iterations of a loop one by one, each as programs of its own; returns the last
        values of the loop variables."""
        loop = run.loop
        programs = self._iterations.get(loop)
        if programs is None:
            given = [t for t in loop.given() if not plan_lib.is_reference(t)]
            wanted = [loop.condition, *loop.tested], [], given
            test = Program(*wanted, donate=False, ops=loop.test, decisions=self.decisions)
            wanted = loop.next, [], [*given, *loop.tested]
            body = Program(*wanted, donate=False, ops=loop.rest, decisions=self.decisions)
            programs = self._iterations[loop] = test, body
        test, body = programs
        variables: Any = run.outer.variables
        state = variables.state_for(run.refs, loop.random_ops)
        values = run.first()
        session = run.outer.session
        while True:
            given = run.given(values)
            for tensor, value in given.items():
                # The programs get the values of what has been read; only references are state.
                if isinstance(value, Ref) and not plan_lib.is_reference(tensor):
                    given[tensor] = value.read()
            go, *tested = test.values(state, given, variables.lock, session)
            if not np.asarray(go):
                break
            given.update(zip(loop.tested, tested, strict=True))
            values = body.values(state, given, variables.lock, session)
        for key in run.written:
            run.refs[key].assign(state[(key, 0)])
        for op in loop.random_ops:
            variables.random[op] = state[(random_key(op), 0)]
        return values

    def _check_alive(self, values: Sequence[Any], first: int = 0) -> None:
        """Refuses fetches of what an untaken branch did not compute; `first` is the place of the
        first value among them."""
        dead = [first + i for i, value in enumerate(values) if value is DEAD]
        if dead:
            # TF numbers what is fetched in the order of the names, and says the first.
            names = sorted({tensor.name for tensor in self.fetches})
            place = min(names.index(self.fetches[i].name) for i in dead)
            raise errors.InvalidArgumentError(None, None, f"Retval[{place}] does not have value")

    def _checked(self, value: Any, index: int) -> Any:
        """A fetched value, if the caller can be given it."""
        if value is DEAD:
            self._check_alive([value], index)
        tensor = self.fetches[index]
        if tensor._dtype is dtypes.resource:
            return fetched_handle(tensor)
        if not hasattr(value, "shape") and tensor._dtype is not dtypes.variant:
            if hasattr(value, "fetched"):
                return value.fetched
            raise NotImplementedError(
                f"Fetching '{tensor.name}' ({tensor._op.type}) is not supported by tf1compat yet"
            )
        return value

    def _fetched(self, tensor: Tensor, index: int, tensors: dict[Tensor, Any], store: Store) -> Any:
        if tensor._dtype is dtypes.resource and tensors.get(tensor) is not DEAD:
            return fetched_handle(tensor)
        if tensor in tensors:
            value = tensors[tensor]
        elif self.is_reference(tensor):
            return self._fetched_variable(tensor, index, store)
        else:
            value = constants.known_value(tensor)
        if type(value) is Ref:
            return self._fetched_variable(tensor, index, store)
        value = self._checked(value, index)
        # What is known at compile time, or came from Python, may be held elsewhere.
        return value.copy() if isinstance(value, np.ndarray) else value

    def _passed_on(
        self, tensor: Tensor, index: int, tensors: dict[Tensor, Any], store: Store
    ) -> Any:
        value = tensors.get(tensor)
        if value is None or isinstance(value, np.ndarray | Ref):
            return self._fetched(tensor, index, tensors, store)
        return value

    def _fetched_variable(self, tensor: Tensor, index: int, store: Store) -> Any:
        """A fetched variable gives its value at the end of the run."""
        key = plan_lib.variable_key(tensor)
        found = nearest(store, key, self.effects.written.get(key, 0))
        if found is None:
            raise fetched_uninitialized(tensor, index)
        return np.array(store[found])


def _timed(trace: Any, ops: Sequence[Operation], compiled: bool = False) -> Any:
    return contextlib.nullcontext() if trace is None else trace.timed(ops, compiled)


class _HostEnvironment(dict[Tensor, Any]):
    """Values for host steps: what the device computed is fetched on first use."""

    def __init__(self, tensors: dict[Tensor, Any]):
        super().__init__(tensors)

    def get(self, tensor: Tensor, default: Any = None) -> Any:
        value = super().get(tensor, default)
        if not isinstance(value, jax.Array | np.generic):
            return value
        value = self[tensor] = to_host(value, tensor._dtype)
        return value


class _HostVariables(Variables):
    """Variables for host steps."""

    def __init__(self, store: Store, lock: Any):
        super().__init__({})
        self._store = store
        self.lock = lock

    def read(self, key: Any, version: int) -> Any:
        with self.lock:
            found = nearest(self._store, key, version)
            if found is None:
                raise KeyError(key)
            value = self._store[found]
            return np.array(value) if hasattr(value, "shape") else value

    def shape(self, key: Any, version: int) -> tuple[int, ...]:
        return np.shape(self.read(key, version))

    def update(self, refs: Any, where: Any, change: Any, operands: Any) -> None:
        update_now(refs, where, change, operands)

    def initialized(self, key: Any, version: int) -> bool:
        return nearest(self._store, key, version) is not None

    def write(self, key: Any, version: int, value: Any) -> None:
        self._store[(key, version)] = np.array(value) if hasattr(value, "shape") else value

    def state_for(self, refs: dict[Any, Ref], random: Iterable[Operation]) -> State:
        """The variables behind `refs`, and the generators of operations, for a program within the
        program."""
        state = State({(key, 0): ref.read() for key, ref in refs.items() if ref.initialized})
        state.container_exists = self._store.base.container_exists
        state.kept = self._store.base.kept
        for op in random:
            state[(random_key(op), 0)] = self.current_generator(op)
        return state

    def generator(self, op: Operation) -> Any:
        with self.lock:
            found = self._store.base.get((random_key(op), 0))
        return random_state(op) if found is None else np.array(found)

    def keep_generators(self) -> None:
        """Writes where the generators of the random ops that ran stand now."""
        for op, state in self.random.items():
            self.write(random_key(op), 0, state)


def to_host(value: Any, dtype: dtypes.DType) -> Any:
    """A device value as a NumPy array, which Python code may write to."""
    return np.array(value)
