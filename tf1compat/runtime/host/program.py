"""Running a program on the host: the function that `Source` writes, its variables and errors."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from tf1compat.core import errors, op_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import memory
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.allocator import keep_freed_memory
from tf1compat.runtime.decisions import NOTHING
from tf1compat.runtime.host.clock import Clock
from tf1compat.runtime.host.loops import LoopInXla
from tf1compat.runtime.host.source import Source
from tf1compat.runtime.host.statements import NotOnHost, Reference, Service, given_keywords
from tf1compat.runtime.host.variables import MISSING, HostRef, HostVariables
from tf1compat.runtime.trace.checks import op_error
from tf1compat.runtime.trace.context import Context
from tf1compat.runtime.trace.interpreter import Interpreter
from tf1compat.runtime.trace.values import fetched_uninitialized, lowering_error, random_key

__all__ = ["HostProgram", "NotOnHost"]

_FILE = "<tf1compat host program>"
# What `sys.getrefcount` says of a result that only the list of results holds.
_UNSHARED = 3


class HostProgram:
    """A program as a Python function of NumPy arrays.

    Args:
      ops, effects, feeds, given, fetches: see `Source`.
      functions: the functions that its operations call, made so far.
      watched: the tensors of whose values `run` tells.
      write: makes the `Source`.

    Raises:
      NotOnHost: the program cannot be run so.
    """

    def __init__(
        self,
        ops: Sequence[Any],
        effects: plan_lib.Effects,
        feeds: plan_lib.Feeds,
        given: Sequence[Tensor],
        fetches: Sequence[Tensor],
        functions: dict[Any, Any],
        watched: Collection[Tensor] = (),
        write: Callable[..., Source] = Source,
    ):
        keep_freed_memory()
        self.functions = functions
        self.source = source = write(ops, effects, feeds, given, fetches, watched)
        self._code = compile(source.text, _FILE, "exec")
        self.fetches = list(fetches)
        self._written = []
        for key, last in effects.lasting.items():
            slots = [source.slots.place(None, key, version) for version in range(last, 0, -1)]
            self._written.append(((key, 0), slots))
        self._loops = [x for x in source.globals.values() if type(x) is LoopInXla]
        self._lock = threading.Lock()
        self._free: list[_Frame] = []

    def run(
        self, base: Any, feeds: Sequence[Any], lock: Any, session: Any,
        seen: Callable[[Tensor, Any], None] | None = None, clock: Clock | None = None,
    ) -> list[Any]:  # fmt: skip
        """Runs the program.

        Args:
          base: the session's variables; updated when (and only when) the run succeeds.
          feeds: the values of the fed tensors.
          lock: guards `base`; free while an operation waits for something outside, or calls Python.
          session: given to the operations.
          seen: is told of each value of a watched tensor.
          clock: notes when operations run.

        Returns:
          The fetched values: NumPy arrays that nobody else holds; DEAD, or an object.
        """
        try:
            frame = self._free.pop()
        except IndexError:
            frame = _Frame(self)
        if seen is not None:
            frame.seen = seen
        frame.clock = clock
        try:
            return frame.run(base, feeds, lock, session)
        finally:
            self._free.append(frame)

    @property
    def turns(self) -> dict[Any, int]:
        """How many iterations its loops have taken at most."""
        return {loop: seen for loop, (seen,) in self.source.turns.items()}

    @property
    def loops_in_xla(self) -> frozenset[Any]:
        """The loops that XLA runs, or will run: if one, then those of its gradient too."""
        if not any(found.begun for found in self._loops):
            return frozenset()
        return frozenset([found.loop for found in self._loops if not found.never])

    @property
    def kinds(self) -> int:
        """How many shapes what comes from outside has had: XLA has a program for each."""
        return max(map(len, self.source.shapes.values()), default=1)


class _Frame:
    """One function of a program, and the variables that it works on: for one run at a time."""

    seen: Callable[[Tensor, Any], None]
    clock: Clock | None = None

    def __init__(self, program: HostProgram):
        self._program = program
        source = program.source
        self.variables = variables = HostVariables(source.slots)
        self._outer = _HostInterpreter(variables)
        self._inner = _HostInterpreter(variables)
        self._inner.notes = None
        self._outer.functions = self._inner.functions = program.functions
        scope: dict[str, Any] = {
            "V": variables,
            "ND": np.ndarray,
            "MISSING": MISSING,
            "one": one,
            "several": several,
            "truth": truth,
            "count": itertools.count,
            "open_state": self._open,
            "close_state": self._close,
            "seen": lambda tensor, value: self.seen(tensor, value),
        }
        for name, value in source.globals.items():
            if type(value) is Reference:
                value = HostRef(variables, *value.arguments)
            elif type(value) is Service:
                value = Context(self._outer if value.notes else self._inner, value.op)
            elif type(value) is LoopInXla:
                value = self._in_xla(value)
            scope[name] = value
        exec(program._code, scope)
        self._function = scope["run"]

    def _in_xla(self, loop: LoopInXla) -> Callable[[list[Any]], list[Any] | None]:
        """What runs a loop in XLA, given what enters it; gives None if the host is to run it."""
        refs = [r and HostRef(self.variables, *r.arguments) for r in loop.references]

        def call(values: list[Any]) -> list[Any] | None:
            if self.clock is not None:  # What is timed is timed operation by operation.
                return None
            return loop.run(values, refs, self.variables, self._outer.session)

        return call

    def run(self, base: Any, feeds: Sequence[Any], lock: Any, session: Any) -> list[Any]:
        """See `HostProgram.run`."""
        source, variables = self._program.source, self.variables
        variables.begin(base)
        self._published: list[tuple[Any, Any, Any]] = []
        self._newest: dict[Any, Any] = {}  # What was published last: others may have built upon it.
        self._lock: Any = lock if source.keeps_state and source.waits else None
        outer = self._outer
        outer.session = self._inner.session = session
        outer.kept = self._inner.kept = base.kept
        outer.notes = {}
        self._is_open = False
        try:
            if not source.keeps_state:
                return self._results(feeds)
            with lock:
                if base.journal:  # Of a run that was interrupted while it took that back.
                    base.roll_back()
                return self._results(feeds)
        finally:
            variables.begin(None)

    def _results(self, feeds: Sequence[Any]) -> list[Any]:
        """Runs the function, and commits what it wrote or takes it back."""
        keeps_state = self._program.source.keeps_state
        try:
            with np.errstate(all="ignore"):
                results = self._function(*feeds) if self.clock is None else self._clocked(feeds)
            if keeps_state:
                results = self._with_ends(results)
            self._give_out(results)
            if keeps_state:
                self._commit()
            return results
        except BaseException as error:
            self._close()
            self._undo()
            if isinstance(error, Exception):
                raise self._said(error) from (error.__cause__ or None)
            raise

    def _clocked(self, feeds: Sequence[Any]) -> list[Any]:
        assert self.clock is not None
        self.clock.watch(self._program.source, self._function.__code__)
        try:
            return self._function(*feeds)
        finally:
            self.clock.stop()

    def _give_out(self, results: list[Any]) -> None:
        """Has the caller own the results."""
        for index in range(len(results)):
            try:
                results[index] = _given_out(results, index)
            except MemoryError as error:
                raise memory.of_numpy(self._program.fetches[index]._op, error) from error

    # Who holds the session's lock. No signal comes in between where a program waits.

    def _open(self) -> None:
        """Lets others at the variables while an operation waits."""
        if self._lock is not None:
            self._publish()
            self.variables.look_up_with(self._lock)
            self._lock.release()
            self._is_open = True

    def _close(self) -> None:
        if self._is_open:
            self._lock.acquire()
            self._is_open = False
            self.variables.look_up_freely()
            if self.variables.base.journal:  # Of a run that was interrupted meanwhile.
                self.variables.base.roll_back()

    # What becomes of what was written.

    def _with_ends(self, results: list[Any]) -> list[Any]:
        """The fetched values, those of variables at the end of the run included."""
        ends = self._program.source.ends
        if not any(ends):
            return results
        computed = iter(results)
        found = []
        for index, slots in enumerate(ends):
            if slots is None:
                found.append(next(computed))
                continue
            value = self.variables.find(slots)
            if value is MISSING:
                raise fetched_uninitialized(self._program.fetches[index], index)
            found.append(np.array(value))
        return found

    def _commit(self) -> None:
        variables = self.variables
        values = variables.values
        newest = self._newest
        changes: dict[Any, Any] = {}
        for pair, slots in self._program._written:
            for slot in slots:
                value = values[slot]
                if value is not MISSING:
                    if not newest or newest.get(pair) is not value:
                        changes[pair] = value
                    break
        for op, state in variables.random.items():
            pair = random_key(op), 0
            if not newest or newest.get(pair) is not state:
                changes[pair] = state
        if changes:
            variables.base.commit(changes)

    def _publish(self) -> None:
        """Makes what was written so far the session's: others may build upon it."""
        variables = self.variables
        if variables.journal:
            self._publish_changed()
        base, values, newest = variables.base, variables.values, self._newest
        for pair, slots in self._program._written:
            for slot in slots:
                value = values[slot]
                if value is MISSING:
                    continue
                if base.get(pair) is not value and newest.get(pair) is not value:
                    self._published.append((pair, base.get(pair), value))
                    base[pair] = value
                    base.on_host.add(pair)
                newest[pair] = value
                break
        for op, state in variables.random.items():
            pair = random_key(op), 0
            if newest.get(pair) is not state:
                self._published.append((pair, base.get(pair), state))
                newest[pair] = base[pair] = state
                base.on_host.add(pair)

    def _publish_changed(self) -> None:
        """As `_publish`, of the session's arrays that were changed themselves: from now on they
        are given back as a whole."""
        variables = self.variables
        before: dict[int, np.ndarray] = {}
        for table, where, rows in reversed(variables.journal):
            before.setdefault(id(table), table.copy())[where] = rows
        for pair, _ in self._program._written:
            value = variables.base.get(pair)
            if id(value) in before:
                self._published.append((pair, before[id(value)], value))
        variables.journal.clear()

    def _undo(self) -> None:
        """Takes back what was written into the session's arrays, and what was published, where
        nobody has built upon it."""
        base = self.variables.base
        if self.variables.journal:
            base.roll_back()
        for pair, before, value in reversed(self._published):
            if base.get(pair) is value:
                if before is None:
                    del base[pair]
                else:
                    base[pair] = before

    # Errors.

    def _said(self, error: Exception) -> Exception:
        """An error as the operation says it that raised it."""
        op, scope = self._place_of(error)
        if op is not None and not isinstance(error, errors.OpError | MemoryError):
            error = self._worded(op, scope, error)
        if isinstance(error, errors.OpError):
            if error.op is not None or op is None:
                return error
            return op_error(type(error), op, error.message)
        if op is None or isinstance(error, NotImplementedError):
            return error
        if isinstance(error, MemoryError):
            return memory.of_numpy(op, error)
        names = self._program.source.names
        values = [scope.get(names[t]) for t in op._inputs if t in names]
        return lowering_error(op, [value for value in values if value is not None], error)

    def _worded(self, op: Any, scope: dict[str, Any], error: Exception) -> Exception:
        """What `lower` says to values with which an operation's short form failed."""
        rule = op._spec.lower_on_numpy
        names = self._program.source.inputs.get(op)
        if rule is None or rule is op._spec.on_numpy or names is None:
            return error
        keywords = given_keywords(rule, op)
        if "ctx" in rule.services:
            keywords["ctx"] = Context(self._inner, op)
        try:
            values = [eval(name, self._function.__globals__, scope) for name in names]
            with np.errstate(all="ignore"):
                rule.function(*op_registry.group_inputs(op, values), **keywords)
        except errors.OpError as found:
            return found
        except Exception:
            pass  # What the short form met is as good.
        return error

    def _place_of(self, error: Exception) -> tuple[Any, dict[str, Any]]:
        """The operation whose line raised an error, and the names there."""
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code is self._function.__code__:
                op = self._program.source.ops_at.get(trace.tb_lineno)
                return op, trace.tb_frame.f_locals
            trace = trace.tb_next
        return None, {}


class _HostInterpreter(Interpreter):
    """What the `ctx` of an operation speaks to."""

    def __init__(self, variables: Any):
        super().__init__(variables)
        self.on_host = True
        self.decisions = NOTHING

    def next_random(self, op: Operation, reserve_128: int) -> tuple[Any, Any]:
        """See `Context.rng`."""
        state = self.variables.current_generator(op)
        self.variables.random[op] = advanced(state, reserve_128)
        return state[:2], state[2:]


def advanced(state: np.ndarray, steps: int) -> np.ndarray:
    """A generator's state (key and counter, uint32 [6]) with its 128-bit counter moved forward."""
    made = state.tobytes()
    counter = int.from_bytes(made[8:], "little") + steps & (1 << 128) - 1
    return np.frombuffer(made[:8] + counter.to_bytes(16, "little"), np.uint32)


def one(value: Any) -> Any:
    """The only output of a rule, as a NumPy array if it is an array at all."""
    if isinstance(value, list | tuple):
        (value,) = value
    if isinstance(value, np.generic) or type(value) in (bool, int, float):
        return np.asarray(value)
    if type(value) is bytes:  # NumPy's sum of two scalars that are objects
        return np.array(value, object)
    if hasattr(value, "__jax_array__") or type(value).__module__.startswith("jaxlib"):
        return np.asarray(value)
    return value


def several(values: Any) -> Any:
    """The outputs of a rule, each as `one` gives it."""
    return [value if value.__class__ is np.ndarray else one(value) for value in values]


def truth(value: Any) -> bool:
    """What a predicate says."""
    if value.ndim:
        shape = ",".join(map(str, value.shape))
        raise errors.InvalidArgumentError(
            None, None, f"The second input must be a scalar, but it has shape [{shape}]"
        )
    return bool(value)


def _given_out(values: list[Any], index: int) -> Any:
    """A result as the caller may keep it."""
    value = values[index]
    if type(value) is np.ndarray:
        shared = value.base is not None or not value.flags.writeable
        if shared or sys.getrefcount(value) > _UNSHARED:
            return value.copy()
    return value
