"""`tensorflow.python.training.tensorboard_logging`: messages that TensorBoard's files keep, too."""

from __future__ import annotations

import functools
import time
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core import protos

DEBUG, INFO, WARN, ERROR, FATAL = "DEBUG", "INFO", "WARN", "ERROR", "FATAL"
_LEVELS = {
    DEBUG: ("DEBUGGING", tf_logging.DEBUG),
    INFO: ("INFO", tf_logging.INFO),
    WARN: ("WARN", tf_logging.WARN),
    ERROR: ("ERROR", tf_logging.ERROR),
    FATAL: ("FATAL", tf_logging.FATAL),
}
_UNSET = object()

_verbosity = WARN
_summary_writer: Any = _UNSET


def get_verbosity() -> str:
    """The lowest level that is written to summaries."""
    return _verbosity


def set_verbosity(verbosity: str) -> None:
    """Sets the lowest level that is written to summaries.

    Raises:
      ValueError: there is no such level.
    """
    _check(verbosity)
    global _verbosity
    _verbosity = verbosity


def _check(level: str) -> None:
    if level not in _LEVELS:
        raise ValueError(f"Level {level} is not a valid tensorboard_logging level")


def set_summary_writer(summary_writer: Any) -> None:
    """Sets what messages are written to: a `tf.summary.FileWriter`; nothing if None."""
    global _summary_writer
    _summary_writer = summary_writer


def _clear_summary_writer() -> None:
    set_summary_writer(_UNSET)


def log(level: str, message: str, *args: Any) -> None:
    """Logs a message, and writes it to the summaries if its level is high enough.

    Args:
      level: one of DEBUG, INFO, WARN, ERROR, FATAL of this module.
      message: the text.
      *args: what `%` puts into it.

    Raises:
      RuntimeError: `set_summary_writer` was never called.
      ValueError: there is no such level.
    """
    if _summary_writer is _UNSET:
        raise RuntimeError(
            "Must call set_summary_writer before doing any logging from tensorboard_logging"
        )
    _check(level)
    messages = protos.load("event_pb2", "LogMessage")
    name, logged = _LEVELS[level]
    number = messages.Level.Value(name)
    if number >= messages.Level.Value(_LEVELS[_verbosity][0]) and _summary_writer:
        event = protos.load("event_pb2", "Event")(
            wall_time=time.time(),
            log_message=messages(level=number, message=message % args),
        )
        _summary_writer.add_event(event)
    tf_logging.log(logged, message, *args)


debug = functools.partial(log, DEBUG)
info = functools.partial(log, INFO)
warn = functools.partial(log, WARN)
error = functools.partial(log, ERROR)
fatal = functools.partial(log, FATAL)
