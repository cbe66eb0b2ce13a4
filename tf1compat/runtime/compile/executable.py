"""A region specialised on the forms of what it is given: one compiled XLA program.

Variables that it updates are donated; run-time checks come out as flags, and a run whose flag is
set leaves every variable as it was. Between the moment that arrays are given away and the moment
that all new values are the session's nothing can come: both are one call of a C function, which no
signal interrupts.
"""

from __future__ import annotations

import contextlib
import functools
import operator
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import jax
import numpy as np

from tf1compat.core import errors
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import memory
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.allocator import Settling
from tf1compat.runtime.compile import cache, upkeep
from tf1compat.runtime.compile.shield import shielded, without_python
from tf1compat.runtime.compile.state import (
    Change,
    OldRows,
    State,
    Store,
    Versioned,
    get_x64,
    nearest,
    set_x64,
    x64,
)
from tf1compat.runtime.decisions import (
    Decisions,
    Replan,
    inseparable,
)
from tf1compat.runtime.plan.shares import fitting
from tf1compat.runtime.trace import large_constants, towers
from tf1compat.runtime.trace.checks import Foreseen, SizeCheck
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.updates import Guard, last_values, rows_before
from tf1compat.runtime.trace.values import (
    BranchValue,
    Ref,
    Variables,
    is_object,
    random_key,
    random_state,
)

if TYPE_CHECKING:
    from tf1compat.runtime.compile.region import Region


# Variables of so many bytes and more are worth noting their old rows for.
_LARGE = 1 << 20


# XLA's devices on the CPU wait for each other in one pool of threads: two programs at once could
# leave each other none.
_one_at_a_time = threading.Lock()


class Released(Exception):
    """Another thread released the executable just now: it is to be looked up again."""


class Compiled:
    """A region specialised on input shapes, static values and which variables exist."""

    def __init__(
        self,
        region: Region,
        tensors: dict[Tensor, Any],
        known: dict[Tensor, np.ndarray],
        store: Store,
        dead: set[Operation],
        decisions: Decisions,
    ):
        self.region = region
        self._decisions = decisions
        self._dead_before = {control for control in region._controls if control in dead}
        self.dead: set[Operation] = set()
        for op in region.random:
            if (random_key(op), 0) not in store:
                store.base[(random_key(op), 0)] = random_state(op)
        # Which version stands for each needed one: a writer that was not taken made none.
        present: dict[Versioned, Versioned] = {}
        self._absent: list[Any] = []
        for key, version in region.needs:
            found = nearest(store, key, version)
            if found is None:
                self._absent.append((key, version))
            else:
                present[(key, version)] = found
        self._known_state: dict[Versioned, Any] = {}
        for pair in region.static_state:
            if pair in present:
                self._known_state[present[pair]] = np.asarray(store[present[pair]])
        used = dict.fromkeys(present.values())
        written = {key for key, _ in region._writes} | {random_key(op) for op in region.random}
        given = {
            pair
            for pair in used
            if pair[0] in written
            and pair[1] == 0
            and not isinstance(pair[0], plan_lib.Local)
            and hasattr(store[pair], "dtype")
        }
        self._written_before = {pair[0]: pair for pair in given}
        self._give_away(used, {p for p in given if region.donates or self._is_restored(p, store)})
        self._hoisted = large_constants.on_device(region.large)
        self._last_argument = (self._hoisted,)
        self._state_form: list[Any] = []
        self._made: list[Versioned] = []
        self._pairs: list[Versioned] = []  # those of the session that the call itself replaces
        self._outputs: list[Any] = []
        self._checks: list[Any] = []
        self._may_overflow = False
        self._traced: Any = None
        self._function: Callable[..., Any] | None = None
        self._atomic: Callable[..., Any] | None = None
        self._settling = Settling(0)
        self._largest = memory.Largest()
        self.used = upkeep.turn()
        self.may_repeat = True  # as far as is known: see `runtime/repeat.py`
        self._steps, self._mesh = region.towers or (region.steps, None)
        self._inputs: towers.Inputs | None = None
        self._known: dict[Tensor, Any] = dict(known)
        for tensor in region.inputs:
            value = tensors[tensor]
            if value is DEAD or type(value) is Ref or is_object(value):
                self._known[tensor] = value
        self._dynamic = [tensor for tensor in region.inputs if tensor not in self._known]
        if self._mesh is not None:
            found = fitting(region.shares, tensors, self._dynamic)
            needless = {share.split for share in found}
            self._steps = [step for step in self._steps if step not in needless]
            self._inputs = towers.Inputs(self._mesh, found, self._dynamic)

    def _is_restored(self, pair: Versioned, store: Store) -> bool:
        """Whether a variable is large enough for its rows to be noted rather than it be copied."""
        return pair[0] in self.region.restores and store[pair].nbytes >= _LARGE

    def _give_away(self, used: Iterable[Versioned], donated: set[Versioned]) -> None:
        """Settles which variables the program may overwrite: if any, it writes no more than what
        the session keeps."""
        self._donated = [pair for pair in used if pair in donated]
        self._kept = [pair for pair in used if pair not in donated]
        self._names = [*self._donated, *self._kept]

    def state(self, store: Store) -> tuple[list[Any], list[Any]] | None:
        """The variables to pass; None if others exist now, or have other shapes, than this is
        for.
        """
        try:
            state = self._variables(store)
        except KeyError:
            return None
        for key, version in self._absent:
            if nearest(store, key, version) is not None:
                return None
        if [form_of(value) for part in state for value in part] != self._state_form:
            return None
        return state

    def _variables(self, store: Store) -> tuple[list[Any], list[Any]]:
        base = store.base
        if base.on_host:
            base.to_device()
        donated, kept = self._looked_up(store)
        if self._mesh is not None:
            devices = towers.on_all(self._mesh)
            donated = base.spread_over(devices, self._donated, donated)
            kept = base.spread_over(devices, self._kept, kept)
        elif base.spread:
            donated = base.to_one_device(self._donated, donated)
            kept = base.to_one_device(self._kept, kept)
        return base.to_donate(donated), kept

    def _looked_up(self, store: Store) -> tuple[list[Any], list[Any]]:
        return [store[pair] for pair in self._donated], [store[pair] for pair in self._kept]

    def trace(self, tensors: dict[Tensor, Any], store: Store) -> None:
        """Makes the program (raises what tracing raises)."""
        if self._mesh is not None:
            try:
                self._trace_once(tensors, store)
                self.may_repeat = False
                return
            except (towers.NotAlike, Replan):
                self._steps, self._mesh, self._inputs = self.region.steps, None, None
        self._trace_once(tensors, store)

    def _trace_once(self, tensors: dict[Tensor, Any], store: Store) -> None:
        self._trace(tensors, store)
        if self._donated and not self._may_give_away():
            self._give_away(self._names, set())
            self._trace(tensors, store)

    def _may_give_away(self) -> bool:
        """Whether a run can give arrays away: JAX makes its results without calling Python, and a
        run that fails gives all of the variables back."""
        *made, (outputs, rows, _, diagnostics) = self._traced.out_info
        values = [*made, *outputs, *(value for quoted in diagnostics for value in quoted.values())]
        if not all(hasattr(value, "dtype") for value in values):
            return False
        if None in rows or len(set(self._pairs)) < len(self._pairs):
            return False
        # Neither a first value nor one of another shape can be given back.
        kept = set(self._written_before.values())
        forms = {p: form for p, form in zip(self._names, self._state_form) if p in kept}
        pairs = zip(self._made, made, strict=True)
        return not self._checks or all(forms.get((k, 0)) == form_of(new) for (k, _), new in pairs)

    def _trace(self, tensors: dict[Tensor, Any], store: Store) -> None:
        program: Callable[..., Any] = self._program
        where: dict[str, Any] = {}
        if self._inputs is not None:
            program, where = self._inputs.over(program)
        function = jax.jit(program, donate_argnums=(0,), keep_unused=True, **where)
        state = self._looked_up(store)
        self._container_exists = store.base.container_exists
        self._kept_values = store.base.kept
        inputs = [tensors[tensor] for tensor in self._dynamic]
        if self._inputs is not None:
            inputs = self._inputs.forms(inputs)
        self._state_form = [form_of(value) for part in state for value in part]

        def traced() -> Any:
            with x64(True):
                try:
                    return function.trace(*jax.tree.map(_abstract, (*state, inputs, self._hoisted)))
                except errors.OpError as error:
                    vars(error).pop("__notes__", None)  # JAX's, about frames of its own
                    raise

        # An exception that comes in the midst of it leaves JAX's own state in this thread broken.
        self._traced = shielded(traced)

    def _program(
        self,
        donated: Sequence[Any],
        kept: Sequence[Any],
        inputs: Sequence[Any],
        hoisted: Sequence[Any],
    ) -> Any:
        region = self.region
        found = dict(zip(self._names, [*donated, *kept], strict=True))
        variables = Variables(found | self._known_state)
        variables.container_exists = self._container_exists
        interpreter = Interpreter(variables, region._effects)
        replaced = self._written_before if self._donated else {}
        noted = set() if region.donates else {key for key, _ in self._donated}
        guard = variables.guard = Guard(
            interpreter.checks,
            {key: found[pair] for key, pair in replaced.items()},
            noted,
            by_branch=self._mesh is None and jax.default_backend() == "cpu",
        )
        interpreter.decisions, interpreter.kept = self._decisions, self._kept_values
        interpreter.env.update(self._known)
        if self._inputs is None:
            interpreter.env.update(zip(self._dynamic, inputs, strict=True))
        else:
            self._inputs.enter(interpreter, inputs)
        interpreter.large = large_constants.unpacked(region.large, hoisted)
        interpreter.dead = set(self._dead_before)
        interpreter.largest = self._largest
        interpreter.padded = region.padded
        kept_versions = region._kept_versions
        try:
            interpreter.run_or_survey(self._steps)
        except errors.OpError as error:
            if not interpreter.checks:
                raise
            # One of them may fail first; what was donated has to be given back in any case.
            interpreter.checks.append(Foreseen(error))
            variables.values = dict(zip(self._donated, donated, strict=True))
            kept_versions = self._donated
        self.dead = interpreter.dead
        self._outputs = []
        outputs = []
        for tensor in region.outputs:
            value = interpreter.env.get(tensor, DEAD)
            if type(value) is BranchValue:
                raise inseparable({value.pred})
            if isinstance(value, Ref | np.ndarray) or value is DEAD or is_object(value):
                self._outputs.append(value)
            else:
                self._outputs.append(_COMPUTED)
                outputs.append(value)
        made: dict[Versioned, Any] = {}
        for key, version in kept_versions:
            # A writer that was not taken made none: the one before is the last.
            last = variables.latest(key, version)
            if last is not None and (last == version or (key, last) in region._writes):
                made[(key, last)] = variables.values[(key, last)]
        for op, state in variables.random.items():
            made[(random_key(op), 0)] = state
        # What no branch that is taken writes stays as it is; its array was given away.
        written = {key for key, _ in made}
        pairs = zip(self._donated, donated, strict=True)
        made |= {pair: value for pair, value in pairs if pair[0] not in written}
        self._checks = interpreter.checks
        self._may_overflow = any(isinstance(check, SizeCheck) for check in self._checks)
        updated, made = made, last_values(made, variables.updates, guard)
        # In the order of the donated variables, so that JAX pairs each with its own new value.
        place = {key: i for i, (key, _) in enumerate(self._donated)}
        made = dict(sorted(made.items(), key=lambda item: place.get(item[0][0], len(place))))
        self._made = list(made)
        self._pairs = [(key, 0) for key, _ in made] if self._donated else []
        diagnostics = [check.values for check in self._checks]
        if self._donated:  # The new values first: see `_run`.
            rows = []
            if not region.donates:
                last = {key: value for (key, _), value in updated.items()}
                rows = [rows_before(last[p[0]], found[p], variables.updates) for p in self._donated]
            return [*made.values(), (outputs, rows, guard.failed, diagnostics)]
        return [(outputs, list(made.values()), guard.failed, diagnostics)]

    def compile(self) -> Callable[..., Any]:
        """The traced program as an executable."""
        function = self._function
        if function is None:
            if self._traced is None:  # Another thread released it just now.
                raise Released
            # A variable whose new value has another shape can't be updated in place: fine. The
            # filter stays: to put back what was there would undo what other threads set meanwhile.
            warnings.filterwarnings("ignore", "Some donated buffers were not usable")
            with x64(True):
                compile_it = functools.partial(cache.compiled, self._traced)
                if self._mesh is not None:
                    compile_it = functools.partial(compile_it, list(self._mesh.devices.flat))
                function = self._function = memory.compiled(compile_it, self._largest)
            self._settling = Settling(memory.temporaries(function))
            self._traced = None
            upkeep.keep(self)
        return function

    def call(
        self, state: tuple[list[Any], list[Any]], inputs: list[Any], store: Store
    ) -> tuple[list[Any], Any]:
        """Runs the program; what it writes goes into `store`.

        Returns:
          The values of the region's outputs, and what `check` is to be called with.
        """
        self.used = upkeep.turn()
        before = self._before(store.base)
        with x64(True):
            self.compile()
            self._settling.before_run()
            run = self._run if self._mesh is None else self._run_on_all
            outputs, made, failed, diagnostics = run(*state, inputs, store.base)
        if self._may_overflow:
            self._check_sizes(failed, diagnostics)
        if self._donated:
            store.note(self._changes(before, made, store.base))
            made = [store.base[(key, 0)] for key, _ in self._made]
            store.hold(made)
        store.update(zip(self._made, made, strict=True))
        if len(outputs) < len(self._outputs):
            computed = iter(outputs)
            outputs = [next(computed) if value is _COMPUTED else value for value in self._outputs]
        return outputs, None if failed is None else (failed, diagnostics)

    def _before(self, base: State) -> list[Any]:
        """What `_changes` needs to know before a run."""
        return [] if self.region.donates else list(map(base.get, self._pairs))

    def _changes(self, before: list[Any], rows: list[Any], base: State) -> list[Change]:
        """What a run that gave arrays away has changed, if it may have to be taken back.

        Args:
          before: the variables before.
          rows: what it made of rows of those that it gave away.
        """
        noted = dict(zip(self._donated, rows))
        return [
            (pair, OldRows(noted[pair]) if pair in noted else old, base[pair])
            for pair, old in zip(self._pairs, before)
        ]

    def call_again(self, base: State, inputs: list[Any]) -> tuple[Any, list[Change], Any] | None:
        """Runs the program once more, straight on the session's variables, which get their new
        values.

        Returns:
          (the computed outputs, what may have to be taken back, what `check` is to be called with);
          None if other variables exist now, or have other shapes.
        """
        function = self._atomic
        if function is None:
            return None
        self.used = upkeep.turn()
        self._settling.before_run()
        if base.on_host:
            base.to_device()
        if base.spread:
            return None
        try:
            donated = list(map(base.__getitem__, self._donated))
            kept = list(map(base.__getitem__, self._kept))
            bits = get_x64()
            try:
                set_x64(True)
                if base.pins:
                    donated = base.to_donate(donated)
                before = None if self.region.donates else self._before(base)
                # `update` draws the new values, and has the executable called for the first.
                results = chain.from_iterable(
                    map(function, (donated,), (kept,), (inputs,), self._last_argument)
                )
                base.update(zip(self._pairs, results))
                outputs, made, failed, diagnostics = next(results)
            finally:
                set_x64(bits)
            if self._may_overflow:
                self._check_sizes(failed, diagnostics)
        except jax.errors.JaxRuntimeError as error:
            memory.explain(error, self._largest)
        except (KeyError, TypeError, Replan):
            return None
        changes: list[Change] = []
        if before:
            changes = self._changes(before, made, base)
        elif made:
            pairs = [(key, 0) for key, _ in self._made]
            changes = [(pair, base.get(pair), new) for pair, new in zip(pairs, made, strict=True)]
            base.update(zip(pairs, made))
        return outputs, changes, None if failed is None else (failed, diagnostics)

    def _run(self, donated: list[Any], kept: list[Any], inputs: list[Any], base: State) -> Any:
        """Runs the executable; what it makes of donated variables is in `base` when it has run.

        Returns:
          Outputs, what was written (empty if that is in `base`), flags, and what they quote.
        """
        function = self._atomic
        if function is None:
            return self._run_first(donated, kept, inputs, base)
        results = chain.from_iterable(
            map(function, (donated,), (kept,), (inputs,), self._last_argument)
        )
        try:
            base.update(zip(self._pairs, results))
            return next(results)
        except jax.errors.JaxRuntimeError as error:
            memory.explain(error, self._largest)

    def _run_on_all(
        self, donated: list[Any], kept: list[Any], inputs: list[Any], base: State
    ) -> Any:
        """`_run` by several devices; outputs are on the first."""
        assert self._mesh is not None and self._inputs is not None
        inputs = self._inputs.arguments(inputs)
        on_cpu = self._mesh.devices.flat[0].platform == "cpu"
        with _one_at_a_time if on_cpu else contextlib.nullcontext():
            outputs, made, failed, diagnostics = self._run(donated, kept, inputs, base)
            base.spread.update((key, 0) for key, _ in self._made)
            if on_cpu:
                # All that an execution makes is ready at once.
                one = jax.tree.leaves((outputs, made, failed))[:1]
                jax.block_until_ready(one or [base[pair] for pair in self._pairs[:1]])
        outputs = jax.tree.map(lambda value: value.addressable_data(0), outputs)
        return outputs, made, failed, diagnostics

    def _run_first(self, *args: Any) -> Any:
        """`_run`, where JAX's own Python code is a part of the call: it is when an executable runs
        for the first time."""
        *arrays, base = args
        function = self._function
        if function is None:  # Another thread released it just now.
            raise Released

        def run() -> Any:
            with x64(True):
                *made, rest = function(*arrays, self._hoisted)
            base.update(zip(self._pairs, made, strict=True))
            return rest

        try:
            found = shielded(run) if self._donated else run()
        except jax.errors.JaxRuntimeError as error:
            memory.explain(error, self._largest)
        self._atomic = without_python(function)
        return found

    def release(self) -> None:
        """Frees the executable; the region makes it again when it needs it."""
        self._function = self._atomic = None
        self.region.forget(self)

    def _check_sizes(self, failed: Any, diagnostics: Any) -> None:
        """Raises `Replan` if a buffer was too small; the variables are then as they were."""
        flags = np.asarray(failed)
        overflows = [
            check.error({k: np.asarray(v) for k, v in diagnostics[i].items()})
            for i, check in enumerate(self._checks)
            if flags[i] and isinstance(check, SizeCheck)
        ]
        if overflows:
            raise functools.reduce(operator.or_, overflows)

    @property
    def is_special(self) -> bool:
        """Whether the program is for certain values of its inputs, of variables, or branches."""
        return bool(self._known or self.region.static_state or self._dead_before)

    @property
    def computed(self) -> dict[Tensor, int]:
        """The region's outputs that the program computes, and their places among its results."""
        tensors = [
            tensor
            for tensor, value in zip(self.region.outputs, self._outputs, strict=True)
            if value is _COMPUTED
        ]
        return {tensor: i for i, tensor in enumerate(tensors)}

    @property
    def writes(self) -> list[Versioned] | None:
        """The variables of the session (and random generators) that a run of the program gives new
        values; None if it is for a first run only, or they are not all the session's."""
        if self._absent or any(isinstance(key, plan_lib.Local) for key, _ in self._made):
            return None
        return [(key, 0) for key, _ in self._made]

    @property
    def commits(self) -> bool:
        """Whether what it writes is the session's when a run of the program returns; else its
        caller sees to that."""
        return bool(self._donated) or not self._made

    def check(self, verdict: Any) -> None:
        """Waits for the program if it has run-time checks.

        Raises:
          OpError: the first check that failed.
        """
        flags, diagnostics = verdict
        failed = np.asarray(flags)
        if not failed.any():
            return
        first = int(np.argmax(failed))
        values = {name: np.asarray(value) for name, value in diagnostics[first].items()}
        raise self._checks[first].error(values)


class _Computed:
    pass


_COMPUTED = _Computed()


def form_of(value: Any) -> Any:
    if hasattr(value, "shape"):
        return value.shape, value.dtype
    leaves, tree = jax.tree.flatten(value)
    return tree, *((np.shape(leaf), leaf.dtype) for leaf in leaves)


def _abstract(value: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(np.shape(value), value.dtype)
