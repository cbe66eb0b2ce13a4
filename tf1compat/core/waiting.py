"""Waiting in host steps, and how long a run may last (`RunOptions.timeout_in_ms`)."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.core import errors, interrupts

# How often those who wait look whether the session was closed, in seconds.
_PATIENCE = 0.05


class _Deadline(threading.local):
    """When the run of this thread has to be over."""

    at: float | None = None
    may_end_late: bool = False


class Cancellation:
    """Whether the calls that are made with it are to end."""

    started = False


class _Cancellation(threading.local):
    """What this thread's call may be ended by."""

    by: Cancellation | None = None


class _TimeIsUp(BaseException):
    """The deadline has passed. No Exception, as no operation is to blame for it."""


_deadline = _Deadline()
_cancellation = _Cancellation()


@contextlib.contextmanager
def at_most(milliseconds: int, text: str) -> Iterator[None]:
    """The body fails where it lasts longer; what it compiles does not count (`not_counting`).

    Args:
      milliseconds: how long it may last.
      text: the text of the error.

    Raises:
      DeadlineExceededError: it lasted longer.
    """
    before = _deadline.at, _deadline.may_end_late
    _deadline.at, _deadline.may_end_late = time.monotonic() + milliseconds / 1000, False
    try:
        yield
        if not _deadline.may_end_late:
            left()
    except _TimeIsUp:
        raise errors.DeadlineExceededError(None, None, text) from None
    finally:
        _deadline.at, _deadline.may_end_late = before


@contextlib.contextmanager
def cancelled_by(cancellation: Cancellation) -> Iterator[None]:
    """What waits within the body ends when `cancellation` has started."""
    before, _cancellation.by = _cancellation.by, cancellation
    try:
        yield
    finally:
        _cancellation.by = before


def _is_over(session: Any) -> bool:
    by = _cancellation.by
    return getattr(session, "_closed", False) or (by is not None and by.started)


def end_late() -> None:
    """Has this run fail only where it waits too long: it is the first of its program, and much of
    its time goes into what TF has ready."""
    _deadline.may_end_late = True


@contextlib.contextmanager
def not_counting() -> Iterator[None]:
    """What the body takes is added to the time that the run may last."""
    start = time.monotonic()
    try:
        yield
    finally:
        if _deadline.at is not None:
            _deadline.at += time.monotonic() - start


def left() -> float:
    """How many seconds are left of the run; ends it where there are none."""
    if _deadline.at is None:
        return float("inf")
    left = _deadline.at - time.monotonic()
    if left <= 0:
        raise _TimeIsUp
    return left


def wait(
    changed: threading.Condition, session: Any, until: Callable[[], bool], cancelled: str
) -> None:
    """Waits, without holding a lock, until a condition holds; who is told to end takes nothing.

    Args:
      changed: tells that something has changed; held by the caller.
      session: that runs.
      until: whether to go on.
      cancelled: the text of the error where the session is closed, or the call cancelled.

    Raises:
      CancelledError: the session is closed, or the call cancelled.
    """
    while True:
        if _is_over(session):
            raise errors.CancelledError(None, None, cancelled)
        if until():
            return
        if interrupts.came():
            changed.release()  # A handler may do anything.
            try:
                interrupts.let_come()
            finally:
                changed.acquire()
        changed.wait(min(_PATIENCE, left()))


@contextlib.contextmanager
def in_line(lock: Any, session: Any, cancelled: str) -> Iterator[None]:
    """Holds a lock that others may hold for long; see `wait`."""
    while not lock.acquire(timeout=min(_PATIENCE, left())):
        if _is_over(session):
            raise errors.CancelledError(None, None, cancelled)
        if interrupts.came():
            interrupts.let_come()
    try:
        yield
    finally:
        lock.release()
