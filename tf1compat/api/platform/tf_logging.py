"""`tf.logging`: the logger "tensorflow", in TF 1.15's format (`INFO:tensorflow:text`)."""

from __future__ import annotations

import collections
import logging
import os
import sys
import threading
import time
from logging import DEBUG, ERROR, FATAL, INFO, WARN
from typing import Any

from tf1compat.core.export import export_constant, tf_export

_logger: logging.Logger | None = None
_lock = threading.Lock()
_calls: collections.Counter[tuple[str, int]] = collections.Counter()

for _name in ("DEBUG", "ERROR", "FATAL", "INFO", "WARN"):
    export_constant(f"logging.{_name}", globals()[_name])


@tf_export("get_logger")
def get_logger() -> logging.Logger:
    """The logger "tensorflow".

    It gets a handler of its own, to stderr (in an interactive session to stdout and at level INFO),
    unless the program has configured the root logger already.
    """
    global _logger
    with _lock:
        if _logger is None:
            logger = logging.getLogger("tensorflow")
            if not logging.getLogger().handlers:
                interactive = hasattr(sys, "ps1") or bool(sys.flags.interactive)
                if interactive:
                    logger.setLevel(INFO)
                handler = logging.StreamHandler(sys.stdout if interactive else sys.stderr)
                handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
                logger.addHandler(handler)
            _logger = logger
        return _logger


def _log(level: int, msg: str, args: tuple[Any, ...], kwargs: dict[str, Any], depth: int) -> None:
    """Logs as the code `depth` frames above the caller of this function."""
    get_logger().log(level, msg, *args, **{"stacklevel": depth + 2, **kwargs})


@tf_export("logging.log")
def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level.

    Args:
      level: the level, as DEBUG … FATAL.
      msg: the text, with fields as of `%`.
      *args: what fills the fields.
      **kwargs: arguments of `logging.Logger.log`.
    """
    _log(level, msg, args, kwargs, 1)


@tf_export("logging.debug")
def debug(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level DEBUG.

    Args:
      msg: the text, with fields as of `%`.
      *args: what fills the fields.
      **kwargs: arguments of `logging.Logger.log`.
    """
    _log(DEBUG, msg, args, kwargs, 1)


@tf_export("logging.error")
def error(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level ERROR.

    Args:
      msg, *args, **kwargs: as in `debug`.
    """
    _log(ERROR, msg, args, kwargs, 1)


@tf_export("logging.fatal")
def fatal(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level FATAL; the program goes on.

    Args:
      msg, *args, **kwargs: as in `debug`.
    """
    _log(FATAL, msg, args, kwargs, 1)


@tf_export("logging.info")
def info(msg: Any, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level INFO.

    Args:
      msg, *args, **kwargs: as in `debug`.
    """
    _log(INFO, msg, args, kwargs, 1)


@tf_export("logging.warn")
def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN.

    Args:
      msg, *args, **kwargs: as in `debug`.
    """
    _log(WARN, msg, args, kwargs, 1)


@tf_export("logging.warning")
def warning(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at level WARN.

    Args:
      msg, *args, **kwargs: as in `debug`.
    """
    _log(WARN, msg, args, kwargs, 1)


@tf_export("logging.TaskLevelStatusMessage")
def TaskLevelStatusMessage(msg: str) -> None:
    """Logs a message at level ERROR.

    Args:
      msg: the text.
    """
    _log(ERROR, msg, (), {}, 1)


@tf_export("logging.flush")
def flush() -> None:
    """Not implemented, in TF 1.15 neither.

    Raises:
      NotImplementedError: always.
    """
    raise NotImplementedError()


@tf_export("logging.vlog")
def vlog(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs `msg % args` at a level.

    Args:
      level, msg, *args, **kwargs: as in `log`.
    """
    _log(level, msg, args, kwargs, 1)


@tf_export("logging.log_every_n")
def log_every_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Logs `msg % args` at the first call from a place, then at every `n`th.

    Args:
      level, msg, *args: as in `log`.
      n: the distance.
    """
    if _count_of_caller() % n == 0:
        _log(level, msg, args, {}, 1)


@tf_export("logging.log_first_n")
def log_first_n(level: int, msg: str, n: int, *args: Any) -> None:
    """Logs `msg % args` at the first `n` calls from a place.

    Args:
      level, msg, *args: as in `log`.
      n: how often.
    """
    if _count_of_caller() < n:
        _log(level, msg, args, {}, 1)


@tf_export("logging.log_if")
def log_if(level: int, msg: str, condition: Any, *args: Any) -> None:
    """Logs `msg % args` if the condition holds.

    Args:
      level, msg, *args: as in `log`.
      condition: whether to log.
    """
    if condition:
        _log(level, msg, args, {}, 1)


@tf_export("logging.get_verbosity")
def get_verbosity() -> int:
    """The level from which on messages are logged."""
    return get_logger().getEffectiveLevel()


@tf_export("logging.set_verbosity")
def set_verbosity(v: int | str) -> None:
    """Sets the level from which on messages are logged.

    Args:
      v: a level, as DEBUG … FATAL.
    """
    get_logger().setLevel(v)


def _count_of_caller() -> int:
    """How often this was called before from the same place.

    TF's notion of a place is the line that called into the file which logs: all messages of a
    program that is one file share a count.
    """
    place = _place_of_caller(2)
    _calls[place] += 1
    return _calls[place] - 1


def _place_of_caller(depth: int) -> tuple[str, int]:
    """The line that called into the file of the code `depth` calls above the caller of this."""
    frame = sys._getframe(depth + 1)
    file = frame.f_code.co_filename
    while frame is not None and frame.f_code.co_filename == file:
        frame = frame.f_back
    return ("<unknown>", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)


# As in TF, with the import: a program that configures logging later gets both handlers' lines, one
# that calls tf.app.run absl's line beside TF's.
get_logger()


def google2_log_prefix(
    level: int, timestamp: float | None = None, file_and_line: tuple[str, int] | None = None
) -> str:
    """How a line of Google's logs begins: "I0102 03:04:05.000006     7 a.py:8] ".

    Args:
      level: the level, as DEBUG … FATAL; the first letter of its name comes first.
      timestamp: the time in seconds; now by default.
      file_and_line: a file and a line; by default those that a program's log calls are counted by.
    """
    now = timestamp or time.time()
    file, line = file_and_line or _place_of_caller(1)
    names = {FATAL: "F", ERROR: "E", WARN: "W", DEBUG: "D"}
    when = time.localtime(now)
    thread = threading.get_ident() & 0xFFFF_FFFF_FFFF_FFFF
    return (
        f"{names.get(level, 'I')}{when.tm_mon:02d}{when.tm_mday:02d} {when.tm_hour:02d}:"
        f"{when.tm_min:02d}:{when.tm_sec:02d}.{int(1e6 * (now % 1.0)):06d} {thread:5d} "
        f"{os.path.basename(file)}:{line}] "
    )
