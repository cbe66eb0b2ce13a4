"""Says what a user waits for: compiling (the first time, the device is started, too).

On a terminal a line comes on stderr while it lasts, if it lasts long, and is replaced by the time
that it took. Everywhere else (pipes, notebooks) there is only the logger `tf1compat`, at the level
INFO. The environment variable TF1COMPAT_LOG chooses: `quiet` (nothing, no hints either), `info`
(the default) or `debug` (every compilation, and what else the logger gets, on stderr).
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from tf1compat.core.waiting import not_counting

VARIABLE = "TF1COMPAT_LOG"
# After so many seconds it is said what is waited for.
PATIENCE = 3.0

_logger = logging.getLogger("tf1compat")
_lock = threading.Lock()
_hinted = False
_muted = threading.local()


def mute() -> None:
    """Has nothing of this thread said on terminals: nobody waits for it."""
    _muted.here = True


def level() -> str:
    """`quiet`, `info` or `debug`."""
    chosen = os.environ.get(VARIABLE, "").lower()
    return chosen if chosen in ("quiet", "debug") else "info"


if level() == "debug":
    _logger.setLevel(logging.DEBUG)
    if not _logger.handlers:
        _logger.addHandler(logging.StreamHandler())


@contextlib.contextmanager
def waiting(doing: str, done: str, what: str) -> Iterator[None]:
    """Says what is waited for while the body runs, if that takes long.

    Args:
      doing: a verb: "compiling".
      done: the same of what is over: "compiled".
      what: its object.
    """
    stream = sys.stderr
    line = None
    if level() != "quiet" and not hasattr(_muted, "here") and _is_terminal(stream):
        line = _Line(stream, f"tf1compat: {doing} {what} ...")
    start = time.monotonic()
    try:
        with not_counting():
            yield
    except BaseException:
        if line is not None:
            line.finish("")
        raise
    took = time.monotonic() - start
    if line is not None:
        line.finish(f"tf1compat: {done} {what} in {took:.1f} s\n")
    if level() != "quiet":
        _logger.log(
            logging.INFO if took > PATIENCE else logging.DEBUG, "%s %s in %.1f s", done, what, took
        )


class _Line:
    """A line on a terminal that comes after a while.

    Args:
      stream: the terminal.
      text: the line.
    """

    def __init__(self, stream: Any, text: str):
        self._stream = stream
        self._text = text
        self._shown = False
        self._over = False
        self._timer = threading.Timer(PATIENCE, self._show)
        self._timer.daemon = True
        self._timer.start()

    def _show(self) -> None:
        with _lock:
            if not self._over:
                self._shown = _write(self._stream, self._text)

    def finish(self, text: str) -> None:
        """Replaces the line, if it is there; there will be none from now on."""
        self._timer.cancel()
        with _lock:
            self._over = True
            if self._shown:
                rest = " " * max(len(self._text) - len(text.rstrip("\n")), 0)
                _write(self._stream, "\r" + text.rstrip("\n") + rest + (text[-1:] or "\r"))


def _write(stream: Any, text: str) -> bool:
    try:
        stream.write(text)
        stream.flush()
    except (OSError, ValueError):  # It may be closed, or lack a character.
        return False
    return True


def _is_terminal(stream: Any) -> bool:
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):
        return False


def many_shapes(title: str, count: int, varying: Sequence[tuple[str, str, bool]]) -> None:
    """Says, once in a process, that programs are compiled for ever new shapes, and of what.

    Args:
      title: what is compiled.
      count: for how many shapes it was.
      varying: (name, its last shape, whether it is fed) of what differed.
    """
    global _hinted
    if _hinted or not varying or level() == "quiet":
        return
    _hinted = True
    named = [each for each in varying if each[2]] or list(varying)
    shown = ", ".join(f"'{name}' (last {form})" for name, form, _ in named[:3])
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    logging.getLogger("tensorflow").warning(
        "%s was compiled %d times, as %s%s came in so many shapes (or values that decide shapes): "
        "pad batches to a few sizes, or sort them into buckets, to save the waiting.",
        title[:1].upper() + title[1:], count, shown, more,
    )  # fmt: skip
