"""Where the members of collectives meet: what they bring is compared, and put together."""

from __future__ import annotations

import dataclasses
import functools
import re
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import errors, waiting
from tf1compat.core.collectives import ALIKE, BROADCAST, GATHER, REDUCE

# How long members may all wait, each for another collective, before that is said to be a mistake:
# a second thread of one of them may still come. In seconds.
_PATIENCE = 5.0


@dataclasses.dataclass(frozen=True)
class Offer:
    """What one member brings.

    Attributes:
      name: the collective.
      who: the member.
      what: the kind, and what else must be the same for all: texts and numbers.
      dtype, shape: of the value.
      value: an array; None of a member of a broadcast that only receives.
    """

    name: str
    who: str
    what: tuple[Any, ...]
    dtype: str
    shape: tuple[int, ...]
    value: np.ndarray | None

    @property
    def kind(self) -> str:
        """What kind of collective it is."""
        return self.what[0]

    @property
    def compared(self) -> tuple[Any, ...]:
        """What must be the same for all members."""
        shape = self.shape
        if self.kind == GATHER and self.what[1] != ALIKE:
            shape = (len(shape), *shape[1:])
        return self.what, self.dtype, shape

    def __str__(self) -> str:
        details = ", ".join(str(detail) for detail in self.what if detail not in (None, "", 1.0))
        shape = f"[{','.join(map(str, self.shape))}]"
        return f"{self.who}: {details} of {self.dtype} {shape}"


def _order(offer: Offer) -> list[Any]:
    """Sorts members by name, numbers in them by value."""
    parts = re.split(r"(\d+)", offer.who)
    return [int(part) if index % 2 else part for index, part in enumerate(parts)]


def put_together(offers: Sequence[Offer]) -> np.ndarray:
    """What all members of one collective get.

    Raises:
      FailedPreconditionError: they do not ask for the same.
    """
    first, *others = offers = sorted(offers, key=_order)
    for other in others:
        if other.compared != first.compared:
            raise errors.FailedPreconditionError(
                None, None, f"Mismatched collective '{first.name}': {first}; {other}"
            )
    values = [offer.value for offer in offers if offer.value is not None]
    if first.kind == BROADCAST:
        if len(values) != 1:
            raise errors.FailedPreconditionError(
                None, None, f"Broadcast '{first.name}': {len(values)} members give a value"
            )
        return values[0]
    if first.kind == GATHER:
        if not first.shape:
            raise errors.FailedPreconditionError(
                None, None, f"Collective '{first.name}' joins values of rank 0"
            )
        return np.concatenate(values)
    assert first.kind == REDUCE
    _, how, before, after, *_ = first.what
    scaled = [_scaled(value, before) for value in values]
    total = functools.reduce(_REDUCTIONS[how], scaled)
    if how == "mean":
        total = _divided(total, len(values))
    return np.asarray(_scaled(total, after), values[0].dtype)


_REDUCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "sum": np.add,
    "mean": np.add,
    "product": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
}


def _scaled(value: np.ndarray, factor: float) -> np.ndarray:
    if factor == 1.0:
        return value
    if np.issubdtype(value.dtype, np.integer):
        return (value * factor).astype(value.dtype)
    return value * np.asarray(factor, value.dtype)


def _divided(total: np.ndarray, count: int) -> np.ndarray:
    if np.issubdtype(total.dtype, np.integer):  # Towards 0, as in C++.
        return np.sign(total) * (np.abs(total) // count)
    return total / np.asarray(count, total.dtype)


class _Meeting:
    """A collective whose members come one by one.

    Attributes:
      name: of the collective.
      offers: what they brought, by the process that they are of.
      result: once all are there.
      error: why there will be none.
    """

    def __init__(self, name: str):
        self.name = name
        self.offers: dict[str, list[Offer]] = {}
        self.result: np.ndarray | None = None
        self.error: errors.OpError | None = None

    @property
    def is_over(self) -> bool:
        """Whether nobody waits any more."""
        return self.result is not None or self.error is not None

    @property
    def size(self) -> int:
        """How many have come."""
        return sum(map(len, self.offers.values()))

    def fail(self, error: errors.OpError) -> None:
        """Ends it, unless it is over."""
        if not self.is_over:
            self.error = error

    def finish(self) -> None:
        """Puts together what all brought."""
        try:
            self.result = put_together([offer for each in self.offers.values() for offer in each])
        except errors.OpError as error:
            self.error = error
        except Exception as error:
            text = f"Collective '{self.name}': {type(error).__name__}: {error}"
            self.error = errors.InternalError(None, None, text)


class Hub:
    """A place where members of groups meet, whoever comes first.

    A process that goes away is told to those who wait for it, now or later, until it comes back.

    Args:
      patience: see `_PATIENCE`.
    """

    def __init__(self, patience: float = _PATIENCE):
        self._patience = patience
        self._changed = threading.Condition()
        self._meetings: dict[tuple[str, str], _Meeting] = {}
        self._latest: dict[str, float] = {}
        self._groups: dict[str, set[str]] = {}
        self._present: dict[str, str] = {}
        self._gone: set[str] = set()
        self._on_close: dict[str, Callable[[], Any]] = {}

    def come(
        self, caller: str, incarnation: str, groups: Sequence[str], on_close: Callable[[], Any]
    ) -> None:
        """Notes that a process is there.

        Args:
          caller: the process.
          incarnation: tells it from one of that name before.
          groups: those that it belongs to, whether or not it has taken part in anything.
          on_close: is called when the hub is closed.
        """
        with self._changed:
            self._gone.discard(caller)
            self._present[caller] = incarnation
            self._on_close[incarnation] = on_close
            for group in groups:
                self._groups.setdefault(group, set()).add(caller)

    def go(self, caller: str, incarnation: str) -> None:
        """Notes that a process has gone away: who waits for it, fails."""
        with self._changed:
            self._on_close.pop(incarnation, None)
            if self._present.get(caller) != incarnation:
                return  # There is another one by now.
            self._gone.add(caller)
            for (group, _), meeting in self._meetings.items():
                if caller in self._groups.get(group, ()):
                    meeting.fail(self._unavailable(caller, meeting))
            self._changed.notify_all()

    def close(self) -> None:
        """Tells all who are there that nobody will meet here any more."""
        for tell in list(self._on_close.values()):
            tell()

    @staticmethod
    def _unavailable(caller: str, meeting: _Meeting) -> errors.OpError:
        text = f"{caller} has gone away, and takes no part in collective '{meeting.name}'"
        return errors.UnavailableError(None, None, text)

    def meet(
        self, caller: str, group: str, size: int, offers: Sequence[Offer], session: Any
    ) -> dict[str, np.ndarray]:
        """Takes part in collectives, and waits for all others.

        Args:
          caller: the process.
          group: who takes part.
          size: how many members that are.
          offers: of the members that this process has.
          session: what may be closed meanwhile; see `waiting.wait`.

        Returns:
          What each collective gives, by name.

        Raises:
          FailedPreconditionError: others ask for something else.
          UnavailableError: one of them has gone away.
          CancelledError: the session was closed.
        """
        with self._changed:
            meetings = self._entered(caller, group, offers)
            full = [meeting for meeting in meetings if meeting.size >= size]
            for meeting in full:
                del self._meetings[group, meeting.name]
        for meeting in full:  # Others wait for these, whatever this one waits for.
            meeting.finish()
        with self._changed:
            self._changed.notify_all()
            try:
                self._wait(meetings, group, size, session)
            finally:
                self._leave(caller, group, meetings)
        for meeting in meetings:
            error = meeting.error
            if error is not None:
                code = error.error_code or errors.UNKNOWN
                raise errors.make_exception(None, None, error.message, code)
        return {m.name: m.result for m in meetings if m.result is not None}

    def _entered(self, caller: str, group: str, offers: Sequence[Offer]) -> list[_Meeting]:
        """The meetings of some offers, with the offers in them."""
        by_name: dict[str, list[Offer]] = {}
        for offer in offers:
            by_name.setdefault(offer.name, []).append(offer)
        for name in by_name:
            meeting = self._meetings.get((group, name))
            if meeting is not None and caller in meeting.offers:
                raise errors.FailedPreconditionError(
                    None, None, f"{caller} takes part twice in collective '{name}'"
                )
        known = self._groups.setdefault(group, set())
        known.add(caller)
        self._latest[group] = time.monotonic()
        found = []
        for name, its in by_name.items():
            meeting = self._meetings.setdefault((group, name), _Meeting(name))
            meeting.offers[caller] = its
            for other in (known & self._gone) - {caller}:
                meeting.fail(self._unavailable(other, meeting))
            found.append(meeting)
        return found

    def _wait(self, meetings: list[_Meeting], group: str, size: int, session: Any) -> None:
        """Waits until all of some meetings are over, or one has failed."""

        def is_over() -> bool:
            self._compare(group, size)
            return any(m.error is not None for m in meetings) or all(m.is_over for m in meetings)

        names = ", ".join(f"'{meeting.name}'" for meeting in meetings)
        waiting.wait(self._changed, session, is_over, f"Collective {names} was cancelled")

    def _leave(self, caller: str, group: str, meetings: list[_Meeting]) -> None:
        """Takes back what was brought where that came to nothing."""
        for meeting in meetings:
            if meeting.result is None:
                meeting.offers.pop(caller, None)
                is_there = self._meetings.get((group, meeting.name)) is meeting
                if is_there and (meeting.error is not None or not meeting.offers):
                    del self._meetings[group, meeting.name]

    def _compare(self, group: str, size: int) -> None:
        """Ends the meetings of a group if all its members wait in different ones."""
        if time.monotonic() - self._latest[group] < self._patience:
            return
        found = [
            meeting
            for (other, _), meeting in self._meetings.items()
            if other == group and not meeting.is_over
        ]
        waiters: dict[str, str] = {}
        for meeting in found:
            for each in meeting.offers.values():
                waiters.update({offer.who: meeting.name for offer in each})
        if len(found) < 2 or len(waiters) < size:
            return
        shown = "; ".join(f"{who} waits in '{name}'" for who, name in sorted(waiters.items()))
        error = errors.FailedPreconditionError(None, None, f"Mismatched collectives: {shown}")
        for meeting in found:
            meeting.fail(error)
        self._changed.notify_all()
