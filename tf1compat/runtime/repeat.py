"""The fast path of a repeated run: one executable, and what the host does before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.compile.executable import Compiled
from tf1compat.runtime.compile.state import Change, State
from tf1compat.runtime.host.program import HostProgram, NotOnHost

if TYPE_CHECKING:
    from tf1compat.runtime.program import Program

# Where a value is found: a kind (one of these), and its place, or the variable.
_Place = tuple[str, Any]
_FED, _BEFORE, _OUTPUT, _AFTER, _VARIABLE = "fed", "before", "output", "after", "variable"


class Repeat:
    """What a run does that is like the one before: no look at the graph.

    Args:
      entry: the compiled region.
      feeds: feeds of the shapes that it is for.
      first: the host steps before the region.
      before, after: the host steps before and after the region, as programs; None where there are
        none.
      inputs: where each input of the region is found.
      given: where each value is found that the steps after the region are given.
      fetched: where each fetched value is found.
    """

    def __init__(
        self,
        entry: Compiled,
        feeds: Sequence[Any],
        first: list[Operation],
        before: HostProgram | None,
        after: HostProgram | None,
        inputs: list[_Place],
        given: list[_Place],
        fetched: list[_Place],
    ):
        self.first = first
        self._entry = entry
        self._shapes = [feed.shape for feed in feeds]
        self._before = before
        self._after = after
        self._inputs = inputs
        self._given = given
        self._fetched = fetched
        self._fed = [at for _, at in inputs]
        self._only_outputs = [at for _, at in fetched]
        self._simple = all(kind == _OUTPUT for kind, _ in fetched)
        self._by_itself = before is None and after is None and entry.commits

    def run(
        self, base: State, feeds: Sequence[Any], lock: Any, session: Any
    ) -> list[Any] | dict[Tensor, Any] | None:
        """Runs the program, if it can be run so.

        Returns:
          The fetched values. None where this run needs the long way; if the steps before the region
          have run already, what they gave.

        Raises:
          OpError: the run failed; the variables are as they were.
        """
        if [feed.shape for feed in feeds] != self._shapes:
            return None
        if not self._by_itself:
            return self._run_with_host(base, feeds, lock, session)
        inputs = [feeds[i] for i in self._fed]
        with lock:
            called = self._entry.call_again(base, inputs)
            if called is None:
                return None
            outputs, _, verdict = called
            if self._simple:
                results = [outputs[at] for at in self._only_outputs]
            else:
                # A variable's array may be given away as soon as the lock is free.
                results = [
                    outputs[at] if kind == _OUTPUT else np.array(base[at])
                    for kind, at in self._fetched
                ]
        if verdict is not None:
            self._entry.check(verdict)
        return results

    def _run_with_host(
        self, base: State, feeds: Sequence[Any], lock: Any, session: Any
    ) -> list[Any] | dict[Tensor, Any] | None:
        values: dict[str, Any] = {_FED: feeds}
        begun = None
        if self._before is not None:
            values[_BEFORE] = made = self._before.run(base, feeds, lock, session)
            begun = dict(zip(self._before.fetches, made, strict=True))
        inputs = [values[kind][at] for kind, at in self._inputs]
        entry = self._entry
        changes: list[Change] = []
        try:
            with lock:
                called = entry.call_again(base, inputs)
                if called is None:
                    return begun
                values[_OUTPUT], changes, verdict = called
                values[_VARIABLE] = {
                    at: np.array(base[at]) for kind, at in self._fetched if kind == _VARIABLE
                }
            if verdict is not None:
                entry.check(verdict)
            if self._after is not None:
                given = [_on_host(values[kind][at]) for kind, at in self._given]
                values[_AFTER] = self._after.run(base, given, lock, session)
        except BaseException:
            try:
                with lock:
                    base.take_back(changes)
            except BaseException:  # A second signal: it goes on where it was.
                with lock:
                    base.take_back(changes)
                raise
            raise
        return [values[kind][at] for kind, at in self._fetched]


def repeat_of(program: Program, entry: Compiled, feeds: Sequence[Any]) -> Repeat | None:
    """What the next run with feeds of the same shapes can do without looking at the graph again;
    None if it can't.

    Args:
      program: a program with one region, which has run.
      entry: what ran.
      feeds: what was fed.
    """
    region, (first, last) = entry.region, program.host_steps
    writes = entry.writes
    if entry.is_special or writes is None:
        return None
    if (first or last) and (entry.dead or _mind_state(program, first, last, writes)):
        return None
    places: dict[Tensor, _Place] = {t: (_FED, i) for i, t in enumerate(program.feeds)}
    computed = entry.computed
    fetched = [t for t in program.fetches if not program.is_reference(t)]
    before = after = None
    given: list[Tensor] = []
    try:
        if first:
            wanted = [*region.inputs, *fetched, *(t for op in last for t in op._inputs)]
            before = _host_program(program, first, program.feeds, wanted)
            places.update((t, (_BEFORE, i)) for i, t in enumerate(before.fetches))
        places.update((t, (_OUTPUT, i)) for t, i in computed.items())
        if last:
            given = list(dict.fromkeys(t for op in last for t in op._inputs if t in places))
            after = _host_program(program, last, given, fetched)
            places.update((t, (_AFTER, i)) for i, t in enumerate(after.fetches))
    except NotOnHost:
        return None
    found: list[_Place] = []
    for tensor in program.fetches:
        if program.is_reference(tensor):
            key = plan_lib.variable_key(tensor)
            if (key, 0) not in writes:
                return None
            found.append((_VARIABLE, (key, 0)))
        elif tensor in places and places[tensor][0] != _FED:
            found.append(places[tensor])
        else:
            return None
    if any(tensor not in places for tensor in region.inputs):
        return None
    inputs = [places[tensor] for tensor in region.inputs]
    places_given = [places[tensor] for tensor in given]
    return Repeat(entry, feeds, first, before, after, inputs, places_given, found)


def _mind_state(
    program: Program, first: Sequence[Any], last: Sequence[Any], writes: Sequence[Any]
) -> bool:
    """Whether host steps change variables, draw random numbers, or may look at what the region
    writes."""
    effects = program.effects
    if any(effects.writes.get(op) or op._spec.random for op in (*first, *last)):
        return True
    written = {key for key, _ in writes}
    return any(key in written for op in last for key in effects.visible.get(op, ()))


def _host_program(
    program: Program, ops: Sequence[Any], given: Sequence[Tensor], wanted: Sequence[Tensor]
) -> HostProgram:
    """Some host steps as a program of their own, which gives what is wanted of their outputs.

    Raises:
      NotOnHost: they are more than operations on values.
    """
    if any(hasattr(op, "interpret") or op in program.decisions.on_host for op in ops):
        raise NotOnHost("steps of the device's kind")
    made = {tensor for op in ops for tensor in op._outputs}
    fetches = list(dict.fromkeys(t for t in wanted if t in made and t not in given))
    return HostProgram(ops, program.effects, program.feed_set, given, fetches, program.functions)


def _on_host(value: Any) -> Any:
    """A value as a NumPy array, which Python code may write to."""
    return value if type(value) is np.ndarray or not hasattr(value, "dtype") else np.array(value)
