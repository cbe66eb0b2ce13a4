"""Signals that wait until nothing is half done.

Python calls the handlers of signals between any two instructions of the main thread, and what they
raise (KeyboardInterrupt) may then come between a lock and the note that it is held, or end a
generator. `threading.Condition`, futures and the pipelines of datasets are full of such places. So
while a run has steps on the host, the handlers are replaced by one that takes a note; they are
called where the run waits or calls the script's own functions, and at its end.

`_thread.level` alone says whether a signal is noted or handed on. It is written by single
instructions, so whatever comes while the handlers are exchanged does no harm.
"""

from __future__ import annotations

import _signal  # pyright: ignore[reportMissingImports]
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any


class _Thread(threading.local):
    """How many runs that defer signals are inside each other; 0: signals come as ever."""

    level = 0


_thread = _Thread()
_SIGNALS = tuple(sorted(map(int, signal.valid_signals())))
# A signal that comes again after so many seconds waits no longer: a step may never end.
_PATIENCE = 3.0


class _Noting:
    """The handler of a signal meanwhile.

    Args:
      handler: the script's own.
    """

    def __init__(self, handler: Callable[..., Any]):
        self.handler = handler

    def __call__(self, number: int, frame: Any) -> None:
        if _thread.level:
            *_, since = _noted.setdefault(number, (self.handler, frame, time.monotonic()))
            if time.monotonic() - since < _PATIENCE:
                return
            del _noted[number]
        self.handler(number, frame)


# The handlers of all signals as they were found last, and what replaces the script's.
_found: tuple[list[Any], list[tuple[int, _Noting]]] = [], []
# The signals that wait: the script's handler, where it came, and when.
_noted: dict[int, tuple[Callable[..., Any], Any, float]] = {}


def _notings() -> list[tuple[int, _Noting]]:
    """What replaces the handlers of the script."""
    global _found
    handlers = list(map(_signal.getsignal, _SIGNALS))
    before, notings = _found
    if handlers != before:
        notings = [
            (number, _Noting(handler))
            for number, handler in zip(_SIGNALS, handlers)
            if callable(handler) and type(handler) is not _Noting
        ]
        _found = handlers, notings
    return notings


class deferred:
    """Context manager: signals wait while the body runs in the main thread, but see
    `interruptible`."""

    _replaced: Sequence[tuple[int, _Noting]] = ()
    _is_main = False

    def __enter__(self) -> None:
        level = _thread.level
        if not level:
            if threading.get_ident() != threading.main_thread().ident:
                return
            self._replaced = _notings()
            for number, noting in self._replaced:
                _signal.signal(number, noting)
        self._is_main = True
        _thread.level = level + 1

    def __exit__(self, *_: Any) -> None:
        if not self._is_main:
            return
        _thread.level -= 1
        if _thread.level:
            return
        try:
            for number, noting in self._replaced:
                if _signal.getsignal(number) is noting:  # The script has set no other.
                    _signal.signal(number, noting.handler)
        finally:
            _deliver()


def are_deferred() -> bool:
    """Whether no signal can interrupt this thread now."""
    return _thread.level > 0


def came() -> bool:
    """Whether a signal waits for this thread."""
    return bool(_noted) and _thread.level > 0


def interruptible(function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function that signals may interrupt, at a place where a run holds nothing; those that
    wait come first. Not in a run inside another one's step, which may be half done."""
    return _at_level_0(function, args) if _thread.level == 1 else function(*args)


def let_come() -> None:
    """Lets the signals come that wait, at a place where an error may be raised."""
    _at_level_0(_deliver, ())


def _at_level_0(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    level = _thread.level
    _thread.level = 0
    try:
        _deliver()
        return function(*args)
    finally:
        _thread.level = level


def _deliver() -> None:
    if _noted:
        number, (handler, frame, _) = _noted.popitem()
        try:
            handler(number, frame)
        finally:
            _deliver()
