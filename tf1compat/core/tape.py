"""Who is to know which variables are read, and which operations are recorded or run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.core import context, dtypes

_DIFFERENTIABLE = frozenset(
    [
        dtypes.float16,
        dtypes.float32,
        dtypes.float64,
        dtypes.bfloat16,
        dtypes.complex64,
        dtypes.complex128,
        dtypes.resource,
        dtypes.variant,
    ]
)


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.stack: list[VariableWatcher] = []


class _Tapes(threading.local):
    def __init__(self) -> None:
        self.stack: list[Tape] = []


_watchers = _Watchers()
_tapes = _Tapes()


class VariableWatcher:
    """Context manager that notes the trainable variables read inside the `with` block.

    Attributes:
      variables: them, in the order of their first use.
    """

    def __init__(self) -> None:
        self._seen: dict[int, Any] = {}

    @property
    def variables(self) -> list[Any]:
        return list(self._seen.values())

    def __enter__(self) -> VariableWatcher:
        _watchers.stack.append(self)
        return self

    def __exit__(self, *exc_info: Any) -> None:
        _watchers.stack.remove(self)

    def note(self, variable: Any) -> None:
        """Notes a variable."""
        self._seen.setdefault(id(variable), variable)


def variable_accessed(variable: Any) -> None:
    """Tells the function being built, and watchers and tapes if it is trainable, of a use of
    `variable`."""
    watch = getattr(context.default_graph(), "watch_variable", None)
    if watch is not None:
        watch(variable)
    watchers, tapes = _watchers.stack, _tapes.stack
    if (watchers or tapes) and variable.trainable:
        for watcher in watchers:
            watcher.note(variable)
        for tape in tapes:
            if tape.watches_variables:
                tape.watch_variable(variable)


class Entry:
    """One differentiable step on a tape.

    Attributes:
      inputs, outputs: its tensors.
      backward: (one gradient for each output) -> one gradient for each input; None among them
        where there is none.
      may_skip: whether `backward` also takes `skipped`, the indices of the inputs whose gradients
        nobody asks for.
    """

    __slots__ = ("backward", "inputs", "may_skip", "outputs")

    def __init__(
        self,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        backward: Callable[..., Sequence[Any]],
        may_skip: bool = False,
    ):
        self.inputs = inputs
        self.outputs = outputs
        self.backward = backward
        self.may_skip = may_skip


class Tape:
    """What happened to the tensors that are watched.

    Attributes:
      entries: the steps, in order.
      watches_variables: whether trainable variables are watched as soon as they are read.
      persistent: whether it may be walked more than once.
      variables: the variables watched, in the order of their first use.
    """

    # Whether derivatives are carried forward, so that each step matters and not only its gradient.
    carries_forward = False

    def __init__(self, watches_variables: bool, persistent: bool = False):
        self.entries: list[Entry] = []
        self.watches_variables = watches_variables
        self.persistent = persistent
        self.variables: dict[int, Any] = {}
        self._tensors: dict[int, Any] = {}  # by their ids; kept alive, for ids are of live objects

    def watch(self, tensor: Any) -> None:
        """Follows what is computed from `tensor`."""
        self._tensors[id(tensor)] = tensor

    def watch_variable(self, variable: Any) -> None:
        """Follows what is computed from `variable`."""
        self.variables.setdefault(id(variable), variable)
        self.watch(variable.handle)

    def watched_variables(self) -> tuple[Any, ...]:
        """The variables watched, in the order of their first use."""
        return tuple(self.variables.values())

    def follows(self, tensor: Any) -> bool:
        """Whether `tensor` is watched, or computed from what is."""
        return id(tensor) in self._tensors

    def record(self, entry: Entry) -> None:
        """Notes a step, some of whose inputs it follows."""
        self.entries.append(entry)
        for tensor in entry.outputs:
            self._tensors[id(tensor)] = tensor


def push(tape: Tape) -> None:
    """Makes `tape` record in this thread."""
    _tapes.stack.append(tape)


def pop(tape: Tape) -> None:
    """Makes `tape` record no more."""
    _tapes.stack.remove(tape)


def active() -> bool:
    """Whether a tape records in this thread."""
    return bool(_tapes.stack)


def carrying_forward() -> bool:
    """Whether derivatives are carried forward in this thread."""
    return any(tape.carries_forward for tape in _tapes.stack)


def record_alias(tensor: Any, alias: Any) -> None:
    """Notes that `alias` stands for `tensor` in another graph."""
    for tape in recording([tensor]):
        if not tape.follows(alias):
            tape.record(Entry([tensor], [alias], lambda grad: [grad]))


def recording(inputs: Sequence[Any]) -> list[Tape]:
    """The tapes that follow one of `inputs` and record now."""
    found = []
    for tape in _tapes.stack:
        for tensor in inputs:
            if id(tensor) in tape._tensors and tensor._dtype.base_dtype in _DIFFERENTIABLE:
                found.append(tape)
                break
    return found


def may_be_nested(inputs: Sequence[Any]) -> bool:
    """Whether gradients of gradients with respect to `inputs` may be asked for."""
    tapes = recording(inputs)
    return len(tapes) > 1 or any(tape.persistent for tape in tapes)


def record(
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    backward: Callable[..., Sequence[Any]],
    may_skip: bool = False,
) -> None:
    """Notes a step (see `Entry`) on the tapes that it concerns."""
    for tape in recording(inputs):
        tape.record(Entry(inputs, outputs, backward, may_skip))


class stop_recording:
    """Context manager inside which no tape of this thread records."""

    def __enter__(self) -> None:
        self._stack, _tapes.stack = _tapes.stack, []

    def __exit__(self, *exc_info: Any) -> None:
        _tapes.stack = self._stack


class only_before:
    """Context manager inside which neither `tape` nor others pushed after it that carry derivatives
    forward record; those of gradients do."""

    def __init__(self, tape: Tape):
        self._tape = tape

    def __enter__(self) -> None:
        self._stack = stack = _tapes.stack
        place = stack.index(self._tape)
        later = [tape for tape in stack[place:] if not tape.carries_forward]
        _tapes.stack = stack[:place] + later

    def __exit__(self, *exc_info: Any) -> None:
        _tapes.stack = self._stack
