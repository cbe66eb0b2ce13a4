"""Which tier runs a program: the host, at once, or XLA, once compiling pays.

The choice hangs on counts and on costs estimated from shapes, never on a clock: a seeded program
repeats bit for bit. The first runs of a signature (the shapes of what is fed) are the host's. When
the signature has come back often enough for what XLA would save, one background thread compiles the
program; XLA takes over at a run number fixed then, whose run waits if the compiler is late.

What would take the host longer than compiling takes is compiled at once. What is not one XLA
program, but several with host steps between, stays with the host unless it is as heavy.
"""

from __future__ import annotations

import atexit
import concurrent.futures
import math
import os
import queue
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import jax

from tf1compat.core.tensor import Tensor
from tf1compat.runtime import progress

AUTO, HOST, XLA = "auto", "host", "xla"
_NAMES = (AUTO, HOST, XLA)

# Estimates, in microseconds, of one CPU core or two.
_HOST_OP, _HOST_ELEMENT, _HOST_MAC = 1.5, 0.0008, 1 / 20_000
# A random number, and how often a loop is taken to iterate.
_HOST_RANDOM, _XLA_RANDOM, _ITERATIONS = 0.03, 0.002, 16
_XLA_RUN, _XLA_OP, _XLA_ELEMENT, _XLA_MAC = 25.0, 0.15, 0.0003, 1 / 25_000
_COMPILE, _COMPILE_OP, _COMPILE_RANDOM = 150_000.0, 3_000.0, 200_000.0
# Compiling begins when XLA would have saved this part of what compiling costs: it is another core's
# work, and most signatures that have come back that often go on coming back.
_BEGIN = 0.02
# XLA takes over no later than so many runs after that.
_MOST_RUNS_AHEAD = 512
# So often what a dataset gives is to have come on average in each of its shapes.
_RUNS_OF_A_KIND = 4
# A program that meets so many signatures, most of them once, is slower to believe in one.
_MANY_SIGNATURES = 16
# The signatures of one program whose runs are counted.
_COUNTED = 4096

_NO_TURNS: Mapping[Any, int] = {}

_process_tier = os.environ.get("TF1COMPAT_TIER", AUTO)


def checked(tier: str) -> str:
    """`tier`, if it is one.

    Raises:
      ValueError: it is none.
    """
    if tier not in _NAMES:
        raise ValueError(f"A tier is one of {', '.join(map(repr, _NAMES))}, not {tier!r}")
    return tier


def process_tier() -> str:
    """The tier of sessions that have none of their own."""
    return checked(_process_tier)


def set_tier(tier: str, session: Any = None) -> None:
    """Fixes which tier runs programs.

    Args:
      tier: "host" (NumPy, nothing is compiled), "xla" (everything is compiled before it runs), or
        "auto": the host first, XLA for what repeats or weighs much. The environment variable
        `TF1COMPAT_TIER` says so from the start.
      session: the session that it is for; None for all that have no tier of their own.

    Raises:
      ValueError: there is no such tier.
    """
    global _process_tier
    if session is None:
        _process_tier = checked(tier)
    else:
        session._tier = checked(tier)


def of(session: Any) -> str:
    """The tier of a session (None: of what runs without one)."""
    own = getattr(session, "_tier", None)
    return process_tier() if own is None else own


@contextmanager
def tier(name: str) -> Iterator[None]:
    """A context in which sessions that have no tier of their own use `name`; see `set_tier`."""
    before = _process_tier
    set_tier(name)
    try:
        yield
    finally:
        set_tier(before)


class Costs:
    """What a run of a program costs, estimated in microseconds.

    Args:
      ops: its steps.
      unknown: the size that an unknown dimension is taken to have.
      turns: how many iterations loops take, as far as that has been seen.
      apart: the loops that XLA runs although the host runs the rest.
    """

    def __init__(
        self,
        ops: Sequence[Any],
        unknown: int,
        turns: Mapping[Any, int] = _NO_TURNS,
        apart: Collection[Any] = (),
    ):
        self.host = 0.0
        self.xla, self.compile = _XLA_RUN, _COMPILE
        for step in ops:
            host, xla, compiling = _work([step], unknown, turns)
            self.xla += xla
            self.host += _XLA_RUN + xla if step in apart else host
            self.compile += compiling

    @property
    def is_heavy(self) -> bool:
        """Whether the host would take longer than compiling takes."""
        return self.host > self.compile


def _work(ops: Sequence[Any], unknown: int, turns: Mapping[Any, int]) -> tuple[float, float, float]:
    """How long operations take on the host, how long in XLA, and how long to compile."""
    runs = 0
    elements = macs = numbers = compiling = 0.0
    for op, times in _each(ops, turns):
        compiling += _COMPILE_RANDOM if op._spec.random else _COMPILE_OP
        runs += times
        size = times * sum(_size(tensor, unknown) for tensor in _computed(op))
        work = op._spec.work
        if op._spec.random:
            numbers += size
        elif work is None:
            elements += size
        else:
            macs += times * work(op, lambda tensor: _dims(tensor, unknown))
    host = runs * _HOST_OP + elements * _HOST_ELEMENT + numbers * _HOST_RANDOM + macs * _HOST_MAC
    xla = runs * _XLA_OP + elements * _XLA_ELEMENT + numbers * _XLA_RANDOM + macs * _XLA_MAC
    return host, xla, compiling


def xla_work(ops: Sequence[Any], unknown: int) -> float:
    """How long XLA computes in a run of some steps, estimated in microseconds.

    Args:
      ops, unknown: see `Costs`.
    """
    return Costs(ops, unknown).xla - _XLA_RUN


def _each(
    ops: Sequence[Any], turns: Mapping[Any, int], times: int = 1, guess: int = _ITERATIONS
) -> Iterator[tuple[Any, int]]:
    """The operations, those of loops included, and how often each is taken to run.

    Loops that have not been seen are guessed to take `guess` turns, but not those inside of them as
    well: guesses that multiply would make every short program of nested loops a heavy one.
    """
    for op in ops:
        if not hasattr(op, "body"):
            yield op, times
        elif op in turns:
            yield from _each(op.body, turns, times * turns[op], guess)
        else:
            yield from _each(op.body, turns, times * guess, 1)


def _computed(op: Any) -> Sequence[Tensor]:
    """Tensors as large as what an operation goes through.

    It is nothing where a variable is handed on. What an update writes is as large as what it is
    given: of a table of which it changes rows, that is these rows.
    """
    spec = op._spec
    if spec.source or spec.views:
        return ()
    if spec.writes:
        given = [tensor for i, tensor in enumerate(op._inputs) if i not in spec.writes]
        return given + [tensor for tensor in op._outputs if not tensor._dtype._is_ref_dtype]
    return op._outputs


def _dims(tensor: Tensor, unknown: int) -> tuple[int, ...]:
    shape = tensor._shape
    return () if shape is None else tuple(unknown if dim is None else dim for dim in shape)


def _size(tensor: Tensor, unknown: int) -> int:
    return math.prod(_dims(tensor, unknown))


class Signature:
    """The runs of a program with feeds of certain shapes.

    Attributes:
      costs: of one of them, and `revision`, which one that estimate is.
      runs: how many there were.
      switch: the run number from which XLA runs it; None while that is not settled.
    """

    __slots__ = ("costs", "revision", "runs", "switch", "task")

    def __init__(self, costs: Costs, revision: int):
        self.costs = costs
        self.revision = revision
        self.runs = 0
        self.switch: int | None = None
        self.task: Any = None


class Promotion:
    """The signatures of a program, and which of them XLA runs.

    Attributes:
      never: whether XLA turned out not to pay for this program.
      kinds: how many programs of XLA's a signature needs: more than one where elements of datasets
        differ in shape.
      decisive: feeds -> the values, besides their shapes, that XLA's programs are made for; None
        where there are none.
    """

    def __init__(self, ops: Sequence[Any], feeds: Sequence[Tensor]):
        self._ops = ops
        self._unknown = [
            tuple(i for i, dim in enumerate(t._shape) if dim is None)
            if t._shape is not None
            else None
            for t in feeds
        ]
        self._signatures: dict[Any, Signature] = {}
        self._costs: dict[int, Costs] = {}
        self._turns: dict[Any, int] = {}
        self._apart: frozenset[Any] = frozenset()
        self._revision = 0
        self.never = False
        self.kinds = 1
        self.decisive: Callable[[Sequence[Any]], tuple[bytes, ...]] | None = None

    def signature(self, feeds: Sequence[Any]) -> Signature:
        """The signature of these feeds, one run more."""
        key: Any = tuple([feed.shape for feed in feeds])
        if self.decisive is not None:
            key = (key, self.decisive(feeds))
        found = self._signatures.get(key)
        if found is None:
            if len(self._signatures) >= _COUNTED:
                self._forget()
            found = self._signatures[key] = Signature(self._costs_for(feeds), self._revision)
        elif found.revision != self._revision and found.switch is None:
            found.costs, found.revision = self._costs_for(feeds), self._revision
        found.runs += 1
        return found

    def _forget(self) -> None:
        """Drops the signatures that came once."""
        kept = {key: s for key, s in self._signatures.items() if s.runs > 1 or s.switch}
        self._signatures = kept if len(kept) < _COUNTED else {}

    def largest_unknown(self, feeds: Sequence[Any]) -> int:
        """The largest size among those that the static shapes of what is fed leave open."""
        largest = 1
        for feed, unknown in zip(feeds, self._unknown, strict=True):
            shape = getattr(feed, "shape", ())
            # A function may be fed fewer dimensions than its placeholder has.
            dims = shape if unknown is None else [shape[i] for i in unknown if i < len(shape)]
            for dim in dims:
                largest = max(largest, dim)
        return largest

    def _costs_for(self, feeds: Sequence[Any]) -> Costs:
        rounded = 1 << (self.largest_unknown(feeds) - 1).bit_length()
        costs = self._costs.get(rounded)
        if costs is None:
            costs = self._costs[rounded] = Costs(self._ops, rounded, self._turns, self._apart)
        return costs

    def saw(
        self,
        turns: Mapping[Any, int],
        apart: frozenset[Any],
        signature: Signature,
        feeds: Sequence[Any],
    ) -> None:
        """Takes note of how many iterations loops took, where they took far more than assumed, and
        of what XLA has come to run by itself.

        Args:
          turns: the most of each loop.
          apart: the loops that XLA runs.
          signature, feeds: of the run in which they took so many.
        """
        if apart != self._apart:
            self._apart = apart
            self._revision += 1
            self._costs.clear()
            if signature.switch is None:
                signature.costs = self._costs_for(feeds)
        longer = {
            loop: count
            for loop, count in turns.items()
            if count > 2 * self._turns.get(loop, _ITERATIONS)
        }
        if longer and signature.switch is None:
            self._turns.update(longer)
            self._costs.clear()
            signature.costs = self._costs_for(feeds)

    def begins(self, signature: Signature) -> bool:
        """Whether compiling begins now; `signature.switch` is then settled."""
        # What ran once (initial values) may never do so again.
        if self.never or signature.switch is not None or signature.runs < 2:
            return False
        costs = signature.costs
        saved = signature.runs * (costs.host - costs.xla)
        # Where there are several programs, none but one is made in the background.
        wanted = min(_BEGIN * self.kinds**2, 1.0) * costs.compile * self.kinds
        count = len(self._signatures)
        if self.kinds > 1 and signature.runs < _RUNS_OF_A_KIND * self.kinds:
            return False
        if count > _MANY_SIGNATURES:
            once = sum(1 for s in self._signatures.values() if s.runs == 1)
            if 2 * once > count:
                wanted *= 8
        if saved < wanted:
            return False
        signature.switch = signature.runs + _runs_ahead(costs)
        return True


def switch_of(runs: int, costs: Costs, others: int) -> int | None:
    """The run from which XLA is to run a part of a program that is compiled for itself.

    Args:
      runs: how often it ran, in one form.
      costs: of a run.
      others: for how many forms it is compiled already. Each of them doubles what the next has to
        save, as there may be no end of them.

    Returns:
      The run; None if it is too early to say.
    """
    if runs < 2 or runs * (costs.host - costs.xla) < _BEGIN * 2**others * costs.compile:
        return None
    return runs + _runs_ahead(costs)


def _runs_ahead(costs: Costs) -> int:
    """For how many runs the compiler may be at work."""
    return min(math.ceil(costs.compile / max(costs.host, 1.0)), _MOST_RUNS_AHEAD)


class Task:
    """A call in the thread that compiles.

    Args:
      function, args: what to call.
    """

    def __init__(self, function: Callable[..., bool], args: tuple[Any, ...]):
        self._call = function, args
        self._process = os.getpid()
        self._future: concurrent.futures.Future[bool] = concurrent.futures.Future()

    def run(self) -> None:
        """Does it."""
        function, args = self._call
        del self._call
        try:
            self._future.set_result(function(*args))
        except BaseException as error:
            self._future.set_exception(error)

    def result(self) -> bool:
        """What the function gave, waited for; False in a process that was forked off since."""
        return os.getpid() == self._process and self._future.result()


_tasks: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
_compiler: threading.Thread | None = None


def in_background(function: Callable[..., bool], *args: Any) -> Task:
    """Calls a function in the thread that compiles."""
    global _compiler
    if _compiler is None or not _compiler.is_alive():
        _compiler = threading.Thread(target=_compile, name="tf1compat compiler", daemon=True)
        _compiler.start()
    task = Task(function, args)
    _tasks.put(task)
    return task


def _compile() -> None:
    """Nobody waits for this thread: it says nothing, and the program's own threads go first, where
    the system has priorities of threads."""
    progress.mute()
    # XLA starts the threads that run its programs: they have the priority of who has it do so.
    jax.local_devices()
    if hasattr(os, "setpriority"):
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)
    while (task := _tasks.get()) is not None:
        task.run()


@atexit.register
def _stop() -> None:
    """Lets the compiler end what it has begun, and no more: XLA cannot be interrupted."""
    if _compiler is not None and _compiler.is_alive():
        with suppress(queue.Empty):
            while True:
                _tasks.get_nowait()
        _tasks.put(None)
        _compiler.join()
