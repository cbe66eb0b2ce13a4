"""AutoGraph's messages."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core.export import tf_export

VERBOSITY_VAR_NAME = "AUTOGRAPH_VERBOSITY"
DEFAULT_VERBOSITY = 0

verbosity_level: int | None = None
echo_log_to_stdout = False


@tf_export("autograph.set_verbosity")
def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """How much AutoGraph logs.

    Args:
      level: 0 for warnings alone; 10 for everything. The environment variable
        `AUTOGRAPH_VERBOSITY` says so where this is not called.
      alsologtostdout: whether to print it too.
    """
    global verbosity_level, echo_log_to_stdout
    verbosity_level, echo_log_to_stdout = level, alsologtostdout


@tf_export("autograph.trace")
def trace(*args: Any) -> None:
    """Prints its arguments, while the graph is recorded.

    Args:
      *args: what is printed, tensors by their names and shapes.
    """
    print(*args)


def get_verbosity() -> int:
    """How much is logged."""
    if verbosity_level is not None:
        return verbosity_level
    return int(os.getenv(VERBOSITY_VAR_NAME, DEFAULT_VERBOSITY))


def has_verbosity(level: int) -> bool:
    """Whether messages of a level are logged."""
    return get_verbosity() >= level


def log(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a message of a level."""
    if has_verbosity(level):
        tf_logging.info(msg, *args, **kwargs)
        if echo_log_to_stdout:
            print("INFO: " + msg % args)


def warn(msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs a warning."""
    tf_logging.warn(msg, *args, **kwargs)
    if echo_log_to_stdout:
        print("WARNING: " + msg % args)


warning = warn


def error(level: int, msg: str, *args: Any, **kwargs: Any) -> None:
    """Logs an error of a level."""
    if has_verbosity(level):
        tf_logging.error(msg, *args, **kwargs)
