"""A region of operations as compiled XLA programs.

A region is compiled once per (shapes of its inputs, values of its static inputs, which variables
exist).
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core import constants, shapes
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime import progress
from tf1compat.runtime.compile.executable import Compiled, Released, form_of
from tf1compat.runtime.compile.state import Store, Versioned, nearest
from tf1compat.runtime.decisions import (
    NOTHING,
    Decisions,
    Replan,
    needs_value,
)
from tf1compat.runtime.plan import shares as shares_lib
from tf1compat.runtime.plan.branches import Branches
from tf1compat.runtime.trace import large_constants
from tf1compat.runtime.trace.towers import mesh_of
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


_NOTHING_PADDED: Mapping[Tensor, Operation] = {}


class Region:
    """The device operations of one level, with what goes in and out.

    Args:
      ops: the steps, in order.
      effects: the order of reads and writes.
      wanted: tensors that something outside the region needs.
      later: (variable, version)s that something after the region needs.
      donates: whether the region may overwrite in place the variables that it updates.
      restores: the variables that it may overwrite if it says what rows were there, as something
        after it may fail; where `donates` is false.
      title: the run that it is a part of, as users are told of it.
      padded: the tensors with rows that are not meant (see `plan.padding`).
      towers: (the steps with those of towers as one, the devices that run them), if there are any.
    """

    def __init__(
        self,
        ops: list[Operation],
        effects: plan_lib.Effects,
        feeds: set[Tensor],
        wanted: set[Tensor],
        later: set[Versioned],
        donates: bool,
        restores: set[Any],
        title: str,
        padded: Mapping[Tensor, Operation] = _NOTHING_PADDED,
        towers: tuple[list[Any], list[Any]] | None = None,
    ):
        self.steps = ops = plan_lib.reads_last(ops, effects)
        self.towers = None
        if towers is not None:
            self.towers = plan_lib.reads_last(towers[0], effects), mesh_of(towers[1])
        self.ops = ops = plan_lib.flat(ops)
        self._effects = effects
        self._feeds = feeds
        self.donates = donates
        self.restores = restores
        self.title = title
        self.padded = padded
        made = {tensor for op in ops for tensor in op._outputs} - feeds
        inputs: dict[Tensor, None] = {}
        self.needs: dict[Versioned, None] = {}
        self.random: list[Operation] = []
        inside = {member for op in ops for member in (op, *plan_lib.members(op))}
        self._members = inside
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
        # What the program is specialised on: inputs, what NumPy makes of inputs alone (by these
        # operations), and variables that it only begins with.
        self.static: set[Tensor] = set()
        self._folds: dict[Tensor, tuple[list[Operation], list[Tensor]]] = {}
        self.static_state: dict[Versioned, None] = {}
        self._decisions = NOTHING
        self.outputs = [tensor for tensor in made if tensor in wanted]
        self.outputs.sort(key=lambda tensor: (tensor._op._id, tensor._value_index))
        # What each of the towers' devices needs a part of.
        self.shares: list[shares_lib.Share] = []
        if self.towers is not None:
            self.shares = shares_lib.shares(self.towers[0], inputs, self.outputs, feeds)
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
        self,
        tensors: dict[Tensor, Any],
        store: Store,
        dead: set[Operation],
        decisions: Decisions,
    ) -> tuple[Compiled, Any]:
        """Runs the region.

        Args:
          tensors: values of what was fed or computed before; the region's outputs are added.
          store: the variables by version; what the region writes is added.
          dead: operations of untaken branches, so far; those of the region are added.
          decisions: what the program's plan is made by.

        Returns:
          The executable that ran, and what its `check` is to be called with.

        Raises:
          Replan: it can't be run by these decisions.
          OpError: it fails whatever the values are.
        """
        while True:
            entry, state, values = self._entry(tensors, store, dead, decisions)
            try:
                results, verdict = entry.call(state, values, store)
                break
            except Released:
                continue
            except Replan:
                self.forget(entry)
                raise
        for tensor, value in zip(self.outputs, results, strict=True):
            # How long a list is, is known now.
            tensors[tensor] = value.settled() if hasattr(value, "settled") else value
        if entry.dead:
            dead |= entry.dead
        return entry, verdict

    def _entry(
        self,
        tensors: dict[Tensor, Any],
        store: Store,
        dead: set[Operation],
        decisions: Decisions,
    ) -> tuple[Compiled, Any, list[Any]]:
        """The executable for these values, the variables and the inputs to call it with."""
        if decisions is not self._decisions:
            self._specialize(decisions)
        inputs = self.inputs
        known = self.known(tensors) if self.static else {}
        values = []
        signature: list[Any] = []
        for tensor in inputs:
            value = tensors[tensor]
            if value is DEAD or type(value) is Ref:
                signature.append(None)
            elif is_object(value):
                signature.append(value)
            elif is_text(value):
                known[tensor] = value = np.asarray(value)
                signature.append((value.shape, tuple(value.flat)))
            elif tensor in known:
                signature.append((known[tensor].shape, known[tensor].tobytes()))
            else:
                signature.append(form_of(value))
                values.append(value)
        for tensor in self._folds:
            value = known.get(tensor)
            signature.append(None if value is None else (value.shape, value.tobytes()))
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
            entry = self._compile(tensors, known, store, dead, decisions)
            if len(entries) == MOST_FORMS:
                del entries[0]
            entries.append(entry)
            state = entry.state(store)
            assert state is not None
        return entry, state, values

    def _specialize(self, decisions: Decisions) -> None:
        """Takes over which values the region is specialised on."""
        inside = self._members
        self.static = {tensor for op, tensor in decisions.known if op in inside}
        given = set(self.inputs)
        self._folds = {t: self._folding(t) or ([], []) for t in self.static if t not in given}
        known = {pair for op, pair in decisions.known_state if op in inside}
        self.static_state = {pair: None for pair in self.needs if pair in known}
        self._decisions = decisions

    def known(self, tensors: Mapping[Tensor, Any]) -> dict[Tensor, np.ndarray]:
        """The values that the program for these inputs is specialised on, text left out."""
        wanted = [tensor for tensor in self.static if tensor not in self._folds]
        found: dict[Tensor, np.ndarray] = {}
        for tensor, (steps, sources) in self._folds.items():
            value = _folded(tensor, steps, sources, tensors)
            if value is None:  # What the operations say to these values, tracing tells.
                wanted += sources
            else:
                found[tensor] = value
        for tensor in wanted:
            if _is_array(tensors[tensor]):
                found[tensor] = np.asarray(tensors[tensor])
        return found

    def _folding(self, tensor: Tensor) -> tuple[list[Operation], list[Tensor]] | None:
        """The operations by which NumPy makes a tensor of the region's inputs, in order, and these
        inputs; None if it takes more than that."""
        given = set(self.inputs)
        steps: dict[Operation, None] = {}
        sources: dict[Tensor, None] = {}

        def visit(current: Tensor) -> bool:
            if current in given:
                sources[current] = None
                return True
            op = current._op
            if plan_lib.is_constant(op, self._feeds) or op in steps:
                return True
            if op._spec.fold is None or op._spec.static is not None or op._control_inputs:
                return False
            if not all(map(visit, op._inputs)):
                return False
            steps[op] = None
            return True

        return (list(steps), list(sources)) if visit(tensor) else None

    def prepare(self, tensors: dict[Tensor, Any], store: Store, decisions: Decisions) -> None:
        """Compiles the region for values like these.

        Raises:
          Replan: see `run`.
        """
        with contextlib.suppress(Released):
            self._entry(tensors, store, set(), decisions)[0].compile()

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

    def _compile(
        self,
        tensors: dict[Tensor, Any],
        known: dict[Tensor, np.ndarray],
        store: Store,
        dead: set[Operation],
        decisions: Decisions,
    ) -> Compiled:
        """Traces the region, and compiles it.

        Raises:
          Replan: see `run`.
        """
        entry = Compiled(self, tensors, known, store, dead, decisions)
        what = f"{self.title}: {len(self.ops)} operations"
        try:
            with progress.waiting("compiling", "compiled", what):
                entry.trace(tensors, store)
                entry.compile()
        except Replan as found:
            raise self._specialized(found, tensors, store) from None
        return entry

    def _specialized(self, found: Replan, tensors: dict[Tensor, Any], store: Store) -> Replan:
        """Specialises on what can be known that way, instead of cutting the region there."""
        cuts: set[tuple[Any, int]] = set()
        known: set[tuple[Any, Tensor]] = set()
        known_state: set[tuple[Any, Versioned]] = set()
        for op, index in found.decisions.cuts:
            if op not in self._effects.visible:
                raise needs_value(op, index).refusal() from None
            inputs, state = self._known_from(op, index, tensors, store) or ((), ())
            if self.static.issuperset(inputs) and self.static_state.keys() >= set(state):
                cuts.add((op, index))
            known |= {(op, tensor) for tensor in inputs}
            known_state |= {(op, pair) for pair in state}
        cut = {op for op, _ in cuts}
        choices = [step for step in self.steps if isinstance(step, Branches)]
        apart = {step.pred for step in choices if cut.intersection(step.members)}
        decisions = dataclasses.replace(
            found.decisions,
            cuts=frozenset(cuts),
            apart=found.decisions.apart | apart,
            known=frozenset(known),
            known_state=frozenset(known_state),
        )
        return Replan(decisions, found.in_vain, found.about)

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
        self, user: Any, index: int, tensors: dict[Tensor, Any], store: Store
    ) -> tuple[set[Tensor], set[Versioned]] | None:
        """What is needed, if NumPy alone can compute it from region inputs and it is small, or the
        inputs from which it can with the shapes of others, or the variable that it is; None if it
        can't, or they are large.
        """
        tensor = user._inputs[index]
        if plan_lib.is_reference(tensor) and type(tensors.get(tensor, Ref)) is Ref:
            # What is computed from a variable is cut off instead: it may take fewer values.
            pair = self._begins_with(user, tensor)
            if pair is None or _found_value(store, *pair) is None:
                return None
            return set(), {pair}
        inputs = set(self.inputs)
        folding = None if tensor in inputs else self._folding(tensor)
        if folding is not None:
            value = _folded(tensor, *folding, tensors)
            if value is not None and value.size <= _STATIC_ELEMENTS:
                return {tensor}, set()
        found: set[Tensor] = set()
        stack = [tensor]
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
        return found, set()

    def _begins_with(self, user: Any, tensor: Tensor) -> Versioned | None:
        """The variable behind a reference as its user sees it, if the region only begins with it:
        nothing inside writes it before."""
        key = plan_lib.variable_key(tensor)
        version = self._effects.visible[user].get(key, 0)
        if any(writer == key and made <= version for writer, made in self._writes):
            return None
        return (key, version) if (key, version) in self.needs else None


def _is_array(value: Any) -> bool:
    return not (value is DEAD or type(value) is Ref or is_object(value) or is_text(value))


def _folded(
    tensor: Tensor,
    steps: Sequence[Operation],
    sources: Sequence[Tensor],
    tensors: Mapping[Tensor, Any],
) -> np.ndarray | None:
    """What NumPy makes of some arrays by the `fold` rules of operations; None where they decline,
    or the arrays are large."""
    values: dict[Tensor, Any] = {}
    for source in sources:
        value = tensors[source]
        if not _is_array(value) or np.size(value) > plan_lib.FOLD_ELEMENTS:
            return None
        values[source] = np.asarray(value)
    for op in steps:
        given = [values[t] if t in values else constants.known_value(t) for t in op._inputs]
        found = None if any(v is None for v in given) else constants.fold(op, given)
        if found is None:
            return None
        values.update(zip(op._outputs, found, strict=True))
    return values[tensor]


def _found_value(store: Store, key: Any, version: int) -> np.ndarray | None:
    """The value of a variable, if it is an array."""
    found = nearest(store, key, version)
    value = None if found is None else store[found]
    return np.asarray(value) if hasattr(value, "dtype") else None


def _discard(entries: list[Any], entry: Any) -> None:
    """Removes an entry that another thread may have removed."""
    with contextlib.suppress(ValueError):
        entries.remove(entry)
