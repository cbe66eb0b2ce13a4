"""A region of operations as one compiled XLA program.

A region is compiled once per (shapes of its inputs, values of its static inputs, which variables
exist).  Variables that
it updates are donated; run-time checks come out as flags, and a run whose flag is set leaves every
variable as it was.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import operator
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import cache, large_constants, memory, progress, upkeep
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.interpret import (
    Foreseen,
    Half,
    Inseparable,
    Interpreter,
    NeedsValue,
    NeedsValues,
    Overflow,
    Ref,
    RoomCheck,
    Rooms,
    Variables,
    is_object,
    is_text,
    random_key,
    random_state,
)

# Inputs up to this size may become part of the compilation key when shapes are computed from them.
_STATIC_ELEMENTS = 64

# Programs of one region that are kept, for different shapes; after how many the user is told.
_MOST_PROGRAMS = 128
# Of those, for variables of different shapes and the same inputs.
_MOST_FORMS = 16
_HINT_PROGRAMS = 16

Versioned = tuple[Any, int]

x64 = jax.enable_x64


class State(dict[Versioned, Any]):
    """The variables of a session, by (variable, 0): what threads share, under the session's lock.

    Attributes:
      container_exists: whether a variable was made or given a value: TF's errors tell.
      kept: what operations keep from run to run besides: how often they printed.
      pins: how many runs still need an array (by id) that they published here.
      on_host: the variables whose values the host tier wrote, as NumPy arrays.
      journal: what a run on the host changed in these arrays themselves and has not committed:
        (array, index, what was there), in order.
    """

    def __init__(self, values: dict[Versioned, Any] | None = None):
        super().__init__(values or {})
        self.container_exists = False
        self.kept: dict[Any, Any] = {}
        self.pins: collections.Counter[int] = collections.Counter()
        self.on_host: set[Versioned] = set()
        self.journal: list[tuple[np.ndarray, Any, np.ndarray]] = []

    def commit(self, changes: dict[Versioned, Any]) -> None:
        """Takes over what a run on the host wrote: all of it or, if a signal comes, nothing."""
        self.on_host.update(changes)
        if not self.journal:
            dict.update(self, changes)
            return
        # Both of them in one call, which Python does not interrupt.
        steps = (functools.partial(dict.update, self, changes), self.journal.clear)
        any(map(operator.call, steps))

    def roll_back(self) -> None:
        """Takes back what a run on the host changed in arrays themselves. It can be repeated."""
        for table, where, rows in reversed(self.journal):
            table[where] = rows
        self.journal.clear()

    def to_device(self) -> None:
        """Moves what the host tier wrote to the device."""
        if self.journal:  # Of a run that was interrupted while it took that back.
            self.roll_back()
        with x64(True):
            for pair in self.on_host:
                value = self.get(pair)
                if type(value) is np.ndarray and not value.dtype.hasobject:
                    self[pair] = jnp.array(value)
        self.on_host.clear()

    def to_donate(self, values: list[Any]) -> list[Any]:
        """Arrays that a program may overwrite: copies of those that a run still needs."""
        if not self.pins:
            return values
        return [jnp.copy(value) if id(value) in self.pins else value for value in values]


class Store(dict[Versioned, Any]):
    """The variables during one run: what the run wrote, upon what it found.

    Args:
      base: the session's own variables. What is written is published there at once, so that another
        thread's update builds upon it; the run itself goes on seeing what it found. Whoever calls
        `publish`, `undo` or `release` holds the session's lock.
    """

    def __init__(self, base: State):
        super().__init__()
        self.base = base
        self._found: dict[Versioned, Any] = {}  # what was replaced; None where there was nothing
        self._published: dict[Versioned, Any] = {}
        self._overwritten: set[Versioned] = set()
        self._pinned: list[Any] = []

    def __missing__(self, pair: Versioned) -> Any:
        if pair in self._found:
            found = self._found[pair]
            if found is None:
                raise KeyError(pair)
            return found
        return self.base[pair]

    def __contains__(self, pair: object) -> bool:
        if dict.__contains__(self, pair):
            return True
        if pair in self._found:
            return self._found[pair] is not None  # pyright: ignore[reportArgumentType]
        return pair in self.base

    def overwrite(self, pairs: Sequence[Versioned]) -> None:
        """Notes that the arrays of these variables, as the run found them, were given away."""
        self._overwritten.update(pairs)

    def publish(self, written: dict[Any, int]) -> None:
        """Makes the last version so far of each variable the session's."""
        for key, version in written.items():
            found = nearest(self, key, version)
            if found is not None and found[1] > 0:
                self._replace((key, 0), self[found])
        first = [p for p in self if p[1] == 0 and not isinstance(p[0], plan_lib.Local)]
        for pair in first:
            value = dict.pop(self, pair)
            self._replace(pair, value)
            if pair in self._overwritten:  # What the run found is gone, and here once more.
                self._found[pair] = value

    def _replace(self, pair: Versioned, value: Any) -> None:
        before = self.base.get(pair)
        # Published once: what another thread has made of it since is not to be lost.
        if before is not value and self._published.get(pair) is not value:
            self._found.setdefault(pair, before)
            self.base[pair] = self._published[pair] = value
            # Until `release` no other thread's program may overwrite it.
            self.base.pins[id(value)] += 1
            self._pinned.append(value)

    def release(self) -> None:
        """The run is over: it needs nothing any more of what it published."""
        pins = self.base.pins
        for value in self._pinned:
            pins[id(value)] -= 1
            if not pins[id(value)]:
                del pins[id(value)]
        self._pinned = []

    def undo(self) -> None:
        """Takes back what was published, where nobody has built upon it.

        What was overwritten needs it not: a program whose checks fail gives the old values back.
        """
        for pair, value in self._published.items():
            if pair in self._overwritten or self.base.get(pair) is not value:
                continue
            before = self._found[pair]
            if before is None:
                del self.base[pair]
            else:
                self.base[pair] = before


class Cut(Exception):
    """Inputs must be known before their region is compiled, and only running an earlier region
    tells them.
    """

    def __init__(self, needs: list[NeedsValue]):
        super().__init__(*needs)
        self.needs = needs

    @property
    def edges(self) -> set[tuple[Operation, int]]:
        """The inputs: operations, and which input of each."""
        return {(need.op, need.index) for need in self.needs}

    def refuse_again(self, cuts: Iterable[tuple[Operation, int]]) -> None:
        """Raises the error if all of them were cut already, to no avail."""
        if self.edges.issubset(cuts):
            raise _unknown(self.needs[0]) from None


class Region:
    """The device operations of one level, with what goes in and out.

    Args:
      ops: the steps, in order.
      effects: the order of reads and writes.
      wanted: tensors that something outside the region needs.
      later: (variable, version)s that something after the region needs.
      donate: the variables that the region may overwrite in place, if it updates them.
      title: the run that it is a part of, as users are told of it.
    """

    def __init__(
        self,
        ops: list[Operation],
        effects: plan_lib.Effects,
        feeds: set[Tensor],
        wanted: set[Tensor],
        later: set[Versioned],
        donate: Callable[[Any], bool],
        title: str,
    ):
        self.steps = ops
        self.ops = ops = plan_lib.flat(ops)
        self._effects = effects
        self._feeds = feeds
        self._donate = donate
        self.title = title
        made = {tensor for op in ops for tensor in op._outputs} - feeds
        inputs: dict[Tensor, None] = {}
        self.needs: dict[Versioned, None] = {}
        self.random: list[Operation] = []
        inside = {member for op in ops for member in plan_lib.members(op)}
        for op in ops:
            for tensor in op._inputs:
                if tensor in made:
                    pass
                elif tensor in feeds or not plan_lib.is_constant(tensor._op, feeds):
                    inputs[tensor] = None
                if plan_lib.is_reference(tensor) and tensor not in feeds:
                    self._need(op, tensor, inside)
            for drawn in plan_lib.random_ops(op):
                self.random.append(drawn)
                self.needs[(random_key(drawn), 0)] = None
        self.inputs = list(inputs)
        self._controls = list(
            dict.fromkeys(c for op in ops for c in op._control_inputs if c not in inside)
        )
        # What the program is specialised on: inputs, and variables that it only begins with.
        self.static: set[Tensor] = set()
        self.static_state: dict[Versioned, None] = {}
        self.rooms = Rooms()
        self.outputs = [tensor for tensor in made if tensor in wanted]
        self.outputs.sort(key=lambda tensor: (tensor._op._id, tensor._value_index))
        self._writes: dict[Versioned, None] = {}
        for op in ops:
            self._writes.update(dict.fromkeys(effects.writes.get(op, {}).items()))
            if op._spec.local:
                self._writes[(plan_lib.Local(op), 0)] = None
        self._kept_versions = [
            pair
            for pair in self._writes
            if pair in later or effects.lasting.get(pair[0]) == pair[1]
        ]
        self.large = large_constants.find(self.ops, feeds)
        self._entries: collections.OrderedDict[Any, list[Compiled]] = collections.OrderedDict()

    def _need(self, op: Operation, tensor: Tensor, inside: set[Operation]) -> None:
        source = plan_lib.source_of(tensor)._op
        if not source._spec.source:
            return
        key = plan_lib.variable_key(tensor)
        made = self._effects.writes.get(op, {}).get(key)
        version = self._effects.visible[op].get(key, 0) if made is None else made - 1
        if not (source._spec.local and source in inside):
            self.needs[(key, version)] = None
        for view in plan_lib.views_on_the_way(tensor):
            if view in self._effects.visible:
                self.needs[(key, self._effects.visible[view].get(key, 0))] = None

    def run(
        self, tensors: dict[Tensor, Any], store: Store, dead: set[Operation]
    ) -> tuple[Compiled, Any]:
        """Runs the region.

        Args:
          tensors: values of what was fed or computed before; the region's outputs are added.
          store: the variables by version; what the region writes is added.
          dead: operations of untaken branches, so far; those of the region are added.

        Returns:
          The executable that ran, and what its `check` is to be called with.

        Raises:
          Cut: the region must be split first.
          OpError: it fails whatever the values are.
        """
        entry, state, values = self._entry(tensors, store, dead)
        try:
            results, verdict = entry.call(state, values, store)
        except Overflow as overflow:
            self.rooms.enlarge(overflow)
            for entries in self._entries.values():
                if entry in entries:
                    _discard(entries, entry)
            raise _Respecialize from None
        for tensor, value in zip(self.outputs, results, strict=True):
            # How long a list is, is known now.
            tensors[tensor] = value.settled() if hasattr(value, "settled") else value
        if entry.dead:
            dead |= entry.dead
        return entry, verdict

    def _entry(
        self, tensors: dict[Tensor, Any], store: Store, dead: set[Operation]
    ) -> tuple[Compiled, Any, list[Any]]:
        """The executable for these values, the variables and the inputs to call it with."""
        inputs = self.inputs
        static = self.static
        values = []
        signature: list[Any] = []
        for tensor in inputs:
            value = tensors[tensor]
            if value is DEAD or type(value) is Ref:
                signature.append(None)
            elif is_object(value):
                signature.append(value)
            elif tensor in static or is_text(value):
                value = np.asarray(value)
                content = tuple(value.flat) if is_text(value) else value.tobytes()
                signature.append((value.shape, content))
            else:
                signature.append(_form(value))
                values.append(value)
        for key, version in self.static_state:
            value = _found_value(store, key, version)
            signature.append(None if value is None else (np.shape(value), value.tobytes()))
        if dead and self._controls:
            signature.append(tuple(control in dead for control in self._controls))
        entries = self._entries_for(tuple(signature))
        for entry in reversed(entries):
            state = entry.state(store)
            if state is not None:
                if entry is not entries[-1]:
                    _discard(entries, entry)
                    entries.append(entry)
                break
        else:
            entry = self._compile(tensors, store, dead)
            if len(entries) == _MOST_FORMS:
                del entries[0]
            entries.append(entry)
            state = entry.state(store)
            assert state is not None
        return entry, state, values

    def prepare(self, tensors: dict[Tensor, Any], store: Store) -> None:
        """Compiles the region for values like these."""
        self._entry(tensors, store, set())[0].compile()

    def _entries_for(self, signature: tuple[Any, ...]) -> list[Compiled]:
        """The executables for inputs of these forms; those used last are kept."""
        entries = self._entries.get(signature)
        if entries is not None:
            self._entries.move_to_end(signature)
            return entries
        if len(self._entries) == _HINT_PROGRAMS:
            self._hint(list(self._entries))
        if len(self._entries) == _MOST_PROGRAMS:
            self._entries.popitem(last=False)
        entries = self._entries[signature] = []
        return entries

    def release(self) -> None:
        """Frees all executables."""
        self._entries.clear()

    def forget(self, entry: Compiled) -> None:
        """Compiles an executable anew when it is needed again."""
        for entries in list(self._entries.values()):
            _discard(entries, entry)

    def _compile(self, tensors: dict[Tensor, Any], store: Store, dead: set[Operation]) -> Compiled:
        """Traces the region; inputs that turn out to have to be known become static.

        Raises:
          Cut: see `run`.
        """
        entry = Compiled(self, tensors, store, dead)
        what = f"{self.title}: {len(self.ops)} operations"
        try:
            with progress.waiting("compiling", "compiled", what):
                entry.trace(tensors, store)
                entry.compile()
        except NeedsValues as found:
            known: set[Tensor] = set()
            state: dict[Versioned, None] = {}
            unknown = []
            for needed in found.needs:
                if needed.op not in self._effects.visible:
                    raise _unknown(needed) from None
                sources = self._known_from(needed, tensors, store)
                if sources is None or (
                    sources[0] <= self.static and sources[1].keys() <= self.static_state.keys()
                ):
                    unknown.append(needed)
                else:
                    known |= sources[0]
                    state |= sources[1]
            self.static |= known
            self.static_state |= state
            if unknown:
                raise Cut(unknown) from None
            raise _Respecialize from None
        return entry

    def _hint(self, signatures: Sequence[tuple[Any, ...]]) -> None:
        varying = []
        for i, tensor in enumerate(self.inputs):
            forms = {signature[i] for signature in signatures if isinstance(signature[i], tuple)}
            last = signatures[-1][i]
            if len(forms) > 1 and isinstance(last, tuple) and isinstance(last[0], tuple):
                shown = shapes.to_string(last[0])
                varying.append((tensor.name, shown, tensor in self._feeds))
        progress.many_shapes(self.title, len(signatures), varying)

    def _known_from(
        self, needed: NeedsValue, tensors: dict[Tensor, Any], store: Store
    ) -> tuple[set[Tensor], dict[Versioned, None]] | None:
        """The region inputs from which NumPy alone can compute what is needed, or the variable that
        it is; None if it can't, or they are large.
        """
        tensor = needed.op._inputs[needed.index]
        if plan_lib.is_reference(tensor) and type(tensors.get(tensor, Ref)) is Ref:
            # What is computed from a variable is cut off instead: it may take fewer values.
            pair = self._begins_with(needed.op, tensor)
            if pair is None or _found_value(store, *pair) is None:
                return None
            return set(), {pair: None}
        found: set[Tensor] = set()
        stack = [tensor]
        inputs = set(self.inputs)
        while stack:
            current = stack.pop()
            if current in inputs:
                if not hasattr(tensors[current], "dtype"):
                    return None
                if current is not tensor and np.size(tensors[current]) > _STATIC_ELEMENTS:
                    return None
                found.add(current)
                continue
            op = current._op
            # A shape is known when the program is made, whatever the value.
            if plan_lib.is_constant(op, self._feeds) or op._spec.static is not None:
                continue
            if op._spec.fold is None or op._control_inputs:
                return None
            stack.extend(op._inputs)
        return found, {}

    def _begins_with(self, user: Any, tensor: Tensor) -> Versioned | None:
        """The variable behind a reference as its user sees it, if the region only begins with it:
        nothing inside writes it before."""
        key = plan_lib.variable_key(tensor)
        version = self._effects.visible[user].get(key, 0)
        if any(writer == key and made <= version for writer, made in self._writes):
            return None
        return (key, version) if (key, version) in self.needs else None


def _found_value(store: Store, key: Any, version: int) -> np.ndarray | None:
    """The value of a variable, if it is an array."""
    found = nearest(store, key, version)
    value = None if found is None else store[found]
    return np.asarray(value) if hasattr(value, "dtype") else None


def _discard(entries: list[Any], entry: Any) -> None:
    """Removes an entry that another thread may have removed."""
    with contextlib.suppress(ValueError):
        entries.remove(entry)


class _Respecialize(Exception):
    """More inputs have become static, or a buffer larger: look the executable up again."""


def _unknown(needed: NeedsValue) -> Exception:
    op = needed.op
    return NotImplementedError(
        f"Input {needed.index} of operation '{op.name}' ({op.type}) must be known when the "
        f"program is compiled, "
        "and depends on values that are only known when it runs: not supported by tf1compat yet"
    )


def run_region(
    region: Region, tensors: dict[Tensor, Any], store: Store, dead: set[Operation]
) -> tuple[Compiled, Any]:
    """`Region.run`, looked up again when a static input is discovered."""
    while True:
        try:
            return region.run(tensors, store, dead)
        except _Respecialize:
            continue


def prepare_region(region: Region, tensors: dict[Tensor, Any], store: Store) -> None:
    """`Region.prepare`, begun again when a static input is discovered."""
    while True:
        try:
            return region.prepare(tensors, store)
        except _Respecialize:
            continue


class Compiled:
    """A region specialised on input shapes, static values and which variables exist."""

    def __init__(
        self, region: Region, tensors: dict[Tensor, Any], store: Store, dead: set[Operation]
    ):
        self.region = region
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
        self._give_away(
            used,
            {
                pair
                for pair in used
                if pair[0] in written
                and pair[1] == 0
                and not isinstance(pair[0], plan_lib.Local)
                and region._donate(pair[0])
            },
        )
        self._hoisted = large_constants.on_device(region.large)
        self._state_form: list[Any] = []
        self._made: list[Versioned] = []
        self._outputs: list[Any] = []
        self._checks: list[Any] = []
        self._may_overflow = False
        self._traced: Any = None
        self._function: Callable[..., Any] | None = None
        self._largest = memory.Largest()
        self.used = upkeep.turn()
        self._known: dict[Tensor, Any] = {}
        for tensor in region.inputs:
            value = tensors[tensor]
            if value is DEAD or type(value) is Ref or is_object(value):
                self._known[tensor] = value
            elif tensor in region.static or is_text(value):
                self._known[tensor] = np.asarray(value)
        self._dynamic = [tensor for tensor in region.inputs if tensor not in self._known]

    def _give_away(self, used: Iterable[Versioned], donated: set[Versioned]) -> None:
        """Settles which variables the program may overwrite."""
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
        if [_form(value) for part in state for value in part] != self._state_form:
            return None
        return state

    def _variables(self, store: Store) -> tuple[list[Any], list[Any]]:
        if store.base.on_host:
            store.base.to_device()
        donated = store.base.to_donate([store[pair] for pair in self._donated])
        return donated, [store[pair] for pair in self._kept]

    def trace(self, tensors: dict[Tensor, Any], store: Store) -> None:
        """Makes the program (raises what tracing raises)."""
        self._trace(tensors, store)
        if not self._checks:
            return
        # A variable whose new value has another shape can't be given back by a run that fails.
        forms = dict(zip(self._names, self._state_form, strict=True))
        reshaped = {
            (key, 0)
            for (key, _), value in zip(self._made, self._traced.out_info[1], strict=True)
            if forms.get((key, 0), _form(value)) != _form(value)
        }
        if reshaped.intersection(self._donated):
            self._give_away(self._names, set(self._donated) - reshaped)
            self._trace(tensors, store)

    def _trace(self, tensors: dict[Tensor, Any], store: Store) -> None:
        function = jax.jit(self._program, donate_argnums=(0,), keep_unused=True)
        state = self._variables(store)
        self._container_exists = store.base.container_exists
        self._kept_values = store.base.kept
        inputs = [tensors[tensor] for tensor in self._dynamic]
        self._state_form = [_form(value) for part in state for value in part]
        with x64(True):
            abstract = jax.tree.map(_abstract, (*state, inputs, self._hoisted))
            self._traced = function.trace(*abstract)

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
        interpreter.rooms, interpreter.kept = region.rooms, self._kept_values
        interpreter.env.update(self._known)
        interpreter.env.update(zip(self._dynamic, inputs, strict=True))
        interpreter.large = large_constants.unpacked(region.large, hoisted)
        interpreter.dead = set(self._dead_before)
        interpreter.largest = self._largest
        kept_versions = region._kept_versions
        try:
            interpreter.run_or_survey(region.steps)
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
            if type(value) is Half:
                raise Inseparable({value.pred})
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
        self._may_overflow = any(isinstance(check, RoomCheck) for check in self._checks)
        failed = None
        if self._checks:
            flags = [check.failed for check in self._checks]
            failed = jnp.stack([jnp.any(flag) if np.ndim(flag) else flag for flag in flags])
            ok = jnp.logical_not(jnp.any(failed))
            old = dict(zip(self._donated, donated, strict=True))
            made = {
                pair: _keep_if(ok, value, old.get((pair[0], 0))) for pair, value in made.items()
            }
        if len({key for key, _ in made}) == len(made):
            # In the order of the donated variables, so that JAX pairs each with its own new value.
            last = {key: (key, version) for key, version in made}
            first = [last[key] for key, _ in self._donated if key in last]
            made = {**{pair: made[pair] for pair in first}, **made}
        self._made = list(made)
        diagnostics = [check.values for check in self._checks]
        return outputs, list(made.values()), failed, diagnostics

    def compile(self) -> Callable[..., Any]:
        """The traced program as an executable."""
        function = self._function
        if function is None:
            if self._traced is None:  # Another thread released it just now.
                raise _Respecialize
            with x64(True), warnings.catch_warnings():
                # A variable whose new value has another shape can't be updated in place: fine.
                warnings.filterwarnings("ignore", "Some donated buffers were not usable")
                compile_it = functools.partial(cache.compiled, self._traced)
                function = self._function = memory.compiled(compile_it, self._largest)
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
        with x64(True):
            function = self.compile()
            try:
                outputs, made, failed, diagnostics = function(*state, inputs, self._hoisted)
            except jax.errors.JaxRuntimeError as error:
                memory.explain(error, self._largest)
        if self._may_overflow:
            self._check_room(failed, diagnostics, made, store.base)
        store.overwrite(self._donated)
        store.update(zip(self._made, made, strict=True))
        if len(outputs) < len(self._outputs):
            computed = iter(outputs)
            outputs = [next(computed) if value is _COMPUTED else value for value in self._outputs]
        return outputs, None if failed is None else (failed, diagnostics)

    def call_again(self, base: State, inputs: list[Any]) -> tuple[Any, Any, Any] | None:
        """Runs the program once more, straight on the session's variables.

        Returns:
          (the computed outputs, what was written, what `check` is to be called with); None if other
          variables exist now, or have other shapes.
        """
        function = self._function
        if self._absent or function is None:
            return None
        self.used = upkeep.turn()
        if base.on_host:
            base.to_device()
        try:
            donated = [base[pair] for pair in self._donated]
            kept = [base[pair] for pair in self._kept]
            with x64(True):
                if base.pins:
                    donated = base.to_donate(donated)
                outputs, made, failed, diagnostics = function(donated, kept, inputs, self._hoisted)
            if self._may_overflow:
                self._check_room(failed, diagnostics, made, base)
        except Overflow:
            return None
        except jax.errors.JaxRuntimeError as error:
            memory.explain(error, self._largest)
        except (KeyError, TypeError):
            return None
        return outputs, made, None if failed is None else (failed, diagnostics)

    def release(self) -> None:
        """Frees the executable; the region makes it again when it needs it."""
        self._function = None
        self.region.forget(self)

    def _check_room(self, failed: Any, diagnostics: Any, made: Any, base: State) -> None:
        """Raises `Overflow` if a buffer was too small; the variables are then as they were."""
        flags = np.asarray(failed)
        overflows = [
            check.error({k: np.asarray(v) for k, v in diagnostics[i].items()})
            for i, check in enumerate(self._checks)
            if flags[i] and isinstance(check, RoomCheck)
        ]
        if not overflows:
            return
        donated = set(self._donated)
        for (key, _), value in zip(self._made, made, strict=True):
            if (key, 0) in donated:  # Its array is gone: this is a copy.
                base[(key, 0)] = value
        for overflow in overflows[1:]:
            self.region.rooms.enlarge(overflow)
        raise overflows[0]

    @property
    def is_special(self) -> bool:
        """Whether the program is for certain values of its inputs, or of variables."""
        return len(self._dynamic) < len(self.region.inputs) or bool(self.region.static_state)

    @property
    def computed(self) -> dict[Tensor, int]:
        """The region's outputs that the program computes, and their places among its results."""
        tensors = [
            tensor
            for tensor, value in zip(self.region.outputs, self._outputs, strict=True)
            if value is _COMPUTED
        ]
        return {tensor: i for i, tensor in enumerate(tensors)}

    def written_last(self, versions: dict[Any, int]) -> dict[Any, int]:
        """The variables (and random generators) that the program writes, and the place of their
        last version.
        """
        last: dict[Any, int] = {}
        for position, (key, version) in enumerate(self._made):
            if key not in versions or version <= versions[key]:
                last[key] = position
        return last

    @property
    def survivors(self) -> list[Versioned]:
        """The variables that the program replaces without overwriting them."""
        return [pair for pair in self._kept if any(made[0] == pair[0] for made in self._made)]

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


def nearest(store: Store, key: Any, version: int) -> Versioned | None:
    """The latest version up to `version` that exists."""
    for candidate in range(version, -1, -1):
        if (key, candidate) in store:
            return (key, candidate)
    return None


def _keep_if(ok: Any, new: Any, old: Any) -> Any:
    """`new` where the run's checks hold, else `old` (where there is one that it replaces)."""
    if old is None or old.shape != new.shape or old.dtype != new.dtype:
        return new
    return jnp.where(ok, new, old)


def _form(value: Any) -> Any:
    if hasattr(value, "shape"):
        return value.shape, value.dtype
    leaves, tree = jax.tree.flatten(value)
    return tree, *((np.shape(leaf), leaf.dtype) for leaf in leaves)


def _abstract(value: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(np.shape(value), value.dtype)
