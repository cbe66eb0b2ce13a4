"""Runs in several steps: `Session.partial_run`.

Each step runs every operation that the feeds so far suffice for, and keeps what later operations
need of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import fetches as fetch_lib
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.plan.steps import members

_numbers = itertools.count()
_NO_SETUP = "Must run 'setup' before performing partial runs!"
_NO_SETUP_OF_CLUSTER = "Must run PartialRunSetup before performing partial runs"


class _PartialRun:
    """The state of one run in several steps.

    Args:
      fetch: what the run gives.
      feeds: what it is given.
      programs: those of steps of other runs, by what they do.
      make: makes a program of what a step fetches, what else it runs, what it is given, and what
        ran before.

    Attributes:
      fetches: the tensors that steps may fetch, and whether they did.
      feeds: the tensors that steps may feed, and whether they did.
    """

    def __init__(
        self,
        fetch: fetch_lib.Fetch,
        feeds: list[Tensor],
        programs: dict[Any, Any],
        make: Callable[..., Any],
    ):
        self._make = make
        tensors = [e for e in fetch.elements if isinstance(e, Tensor)]
        self.targets = [e for e in fetch.elements if isinstance(e, Operation)]
        self.fetches = dict.fromkeys(tensors, False)
        self.feeds = dict.fromkeys(feeds, False)
        self._programs = programs
        self._key: tuple[Any, ...] = (tuple(tensors), tuple(self.targets), tuple(feeds))
        self._values: dict[Tensor, Any] = {}
        self._done: set[Operation] = set()
        given = set(feeds)
        sources = [tensor._op for tensor in tensors if tensor not in given]
        # Loops are steps that run as a whole.
        self._steps = plan_lib.prune([*sources, *self.targets], given, expand=False)
        self._ops = [op for step in self._steps for op in members(step)]

    def check(self, fetches: list[Tensor], fed: dict[Tensor, Any]) -> None:
        """Refuses feeds and fetches that this step can't have.

        Raises:
          InvalidArgumentError: TF's text.
        """
        kinds: Any = ((fed, self.feeds, "feed", "fed"), (fetches, self.fetches, "fetch", "fetched"))
        for tensors, known, kind, used in kinds:
            for tensor in tensors:
                if tensor not in known:
                    raise _invalid(
                        f"The {kind} {tensor.name} was not specified in partial_run_setup."
                    )
                if known[tensor]:
                    raise _invalid(f"The {kind} {tensor.name} has already been {used}.")
        missing = {t for t, done in self.feeds.items() if not done and t not in fed}
        for tensor in self._behind(fetches):
            if tensor in missing:
                raise _invalid(
                    f"Fetch {tensor.name} can't be computed from the feeds that have been fed so "
                    f"far."
                )

    def _behind(self, tensors: list[Tensor]) -> set[Tensor]:
        """The tensors that `tensors` still depend on, themselves included."""
        found: set[Tensor] = set()
        visited: set[Operation] = set(self._done)
        stack = list(tensors)
        while stack:
            tensor = stack.pop()
            if tensor in found or tensor in self._values:
                continue
            found.add(tensor)
            op = tensor._op
            if tensor in self.feeds or op in visited:
                continue
            visited.add(op)
            stack.extend(op._inputs)
            for control in op._control_inputs:
                if control not in visited:
                    visited.add(control)
                    stack.extend(control._inputs)
                    stack.extend(t for c in control._control_inputs for t in c._outputs)
        return found

    def run(self, session: Any, fetches: list[Tensor], fed: dict[Tensor, Any]) -> list[Any]:
        """Runs a step: the values of `fetches`."""
        self._key += (tuple(fed),)
        for tensor, value in fed.items():
            self.feeds[tensor] = True
            self._values[tensor] = value
        step = self._programs.get(self._key)
        if step is None:
            step = self._programs[self._key] = self._step()
        program, given, kept, ready = step
        values = program.run(
            session._variables, [self._values[t] for t in given], session._lock, session
        )
        self._done |= ready
        for tensor, value in zip(kept, values, strict=True):
            self._values[tensor] = value
        for tensor in fetches:
            self.fetches[tensor] = True
        return [np.array(self._values[tensor]) for tensor in fetches]

    def _step(self) -> tuple[Any, list[Tensor], list[Tensor], set[Operation]]:
        """The program of a step.

        Returns:
          It, the tensors that it is given and that it gives, and the operations that it runs.
        """
        ready = self._ready()
        saved = _saved_in(self._done)
        for op in ready:
            for source in _saved_in([op]) & saved:
                raise NotImplementedError(
                    f"Session.partial_run: operation '{op.name}' needs what an earlier step saved "
                    f"in '{source.name}' for the gradient of a loop: not supported by tf1compat yet"
                )
        # A variable has no value of its own: it is read again where it is needed.
        stateless = {op for op in ready if not any(map(plan_lib.is_reference, op._outputs))}
        inputs = {tensor for op in self._ops if op not in ready for tensor in op._inputs}
        wanted = [*self.fetches, *inputs]
        kept = [
            t
            for t in dict.fromkeys(wanted)
            if t not in self._values
            and (t._op in stateless or (t in self.fetches and t._op in ready))
        ]
        given = list(self._values)
        program = self._make(kept, list(ready), given, done=set(self._done))
        effective = {op for op in ready if op in stateless or op._spec.writes}
        return program, given, kept, effective

    def _ready(self) -> set[Operation]:
        """The operations that have all they need and did not run yet."""
        unavailable = {tensor for tensor, fed in self.feeds.items() if not fed}
        ready: set[Operation] = set()
        for step in self._steps:
            if not self._done.isdisjoint(members(step)):
                continue
            sources = [t._op for t in step._inputs if t not in self._values]
            if any(t in unavailable for t in step._inputs):
                continue
            if all(s in ready or s in self._done for s in (*sources, *step._control_inputs)):
                ready.update(members(step))
        return ready

    @property
    def finished(self) -> bool:
        """Whether everything was fed and fetched."""
        return all(self.fetches.values()) and all(self.feeds.values())


def _saved_in(ops: Iterable[Operation]) -> set[Operation]:
    """What lives for one run (stacks) and is written or read by `ops`."""
    sources = (plan_lib.source_of(tensor)._op for op in ops for tensor in op._inputs)
    return {source for source in sources if source._spec.local}


def setup(session: Any, fetches: Any, feeds: Any, make: Callable[..., Any]) -> str:
    """See `Session.partial_run_setup`; `make` makes the programs of steps, as `Program` does."""
    graph = session.graph
    tensors: list[Tensor] = []
    for feed in feeds if isinstance(feeds, list | tuple) else [] if feeds is None else [feeds]:
        for part in fetch_lib.feed_parts(feed):
            try:
                element = graph.as_graph_element(part, allow_tensor=True, allow_operation=False)
            except Exception as error:
                raise type(error)(
                    f"Cannot interpret feed_list key as Tensor: {error.args[0]}"
                ) from None
            tensors.append(element)
    fetch = session._fetch_of(fetches)
    if not fetch.elements:
        raise _invalid("Must specify at least one target to fetch or execute.")
    programs = session.__dict__.setdefault("_partial_programs", {})
    run = _PartialRun(fetch, tensors, programs, make)
    names = [
        ",".join(sorted(item.name for item in items))
        for items in (run.feeds, run.fetches, run.targets)
    ]
    handle = f"{names[0]}->{names[1]}/{names[2]}/1/;{next(_numbers)}"
    session._partial_runs[handle] = run
    return handle


def step(session: Any, handle: Any, fetches: Any, feeds: dict[Tensor, Any]) -> Any:
    """See `Session.partial_run`."""
    if not isinstance(handle, str):
        raise TypeError("in method 'TF_SessionPRun_wrapper', argument 2 of type 'char const *'")
    fetch = session._fetch_of(fetches)
    if any(isinstance(element, Operation) for element in fetch.elements):
        raise RuntimeError("partial_run() requires empty target_list.")
    run = session._partial_runs.get(handle)
    if run is None:
        alone = session._master is None
        raise _invalid(_NO_SETUP if alone else _NO_SETUP_OF_CLUSTER)
    run.check(fetch.elements, feeds)
    try:
        values = run.run(session, fetch.elements, feeds)
    except BaseException:
        session._partial_runs.pop(handle, None)
        raise
    if run.finished:
        session._partial_runs.pop(handle, None)
    return fetch.build([fetch_lib.result(value) for value in values])


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)
