"""A region of operations as compiled XLA programs.

A region is compiled once per (shapes of its inputs, values of its static inputs, which variables
exist).
"""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime import progress
from tf1compat.runtime.compile.executable import Compiled, Respecialize, form_of
from tf1compat.runtime.compile.state import Store, Versioned, nearest
from tf1compat.runtime.trace import large_constants
from tf1compat.runtime.trace.checks import (
    NeedsValue,
    NeedsValues,
    Overflow,
    Rooms,
)
from tf1compat.runtime.trace.values import (
    Ref,
    is_object,
    is_text,
    random_key,
)

# Inputs up to this size may become part of the compilation key when shapes are computed from them.
_STATIC_ELEMENTS = 64

# Programs of one region that are kept, for different shapes; after how many the user is told.
_MOST_PROGRAMS = 128
# Of those, for variables of different shapes and the same inputs.
MOST_FORMS = 16
_HINT_PROGRAMS = 16


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


_NOTHING_PADDED: Mapping[Tensor, Operation] = {}


class Region:
    """The device operations of one level, with what goes in and out.

    Args:
      ops: the steps, in order.
      effects: the order of reads and writes.
      wanted: tensors that something outside the region needs.
      later: (variable, version)s that something after the region needs.
      donates: whether the region may overwrite in place the variables that it updates.
      title: the run that it is a part of, as users are told of it.
      padded: the tensors with rows that are not meant (see `plan.padding`).
    """

    def __init__(
        self,
        ops: list[Operation],
        effects: plan_lib.Effects,
        feeds: set[Tensor],
        wanted: set[Tensor],
        later: set[Versioned],
        donates: bool,
        title: str,
        padded: Mapping[Tensor, Operation] = _NOTHING_PADDED,
    ):
        self.steps = ops = plan_lib.reads_last(ops, effects)
        self.ops = ops = plan_lib.flat(ops)
        self._effects = effects
        self._feeds = feeds
        self.donates = donates
        self.title = title
        self.padded = padded
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
            raise Respecialize from None
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
                signature.append(form_of(value))
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
            if len(entries) == MOST_FORMS:
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
            raise Respecialize from None
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
        except Respecialize:
            continue


def prepare_region(region: Region, tensors: dict[Tensor, Any], store: Store) -> None:
    """`Region.prepare`, begun again when a static input is discovered."""
    while True:
        try:
            return region.prepare(tensors, store)
        except Respecialize:
            continue
