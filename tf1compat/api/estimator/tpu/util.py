"""`tensorflow_estimator.python.estimator.tpu.util`."""

from __future__ import annotations

import collections
import re
from typing import Any

IterationsPerLoopCounter = collections.namedtuple("IterationsPerLoopCounter", ["value", "unit"])

_SECONDS = {"s": 1, "m": 60, "h": 3600}


def check_positive_integer(value: Any, name: str) -> None:
    """Checks a number.

    Raises:
      TypeError: it is no int.
      ValueError: it is not positive.
    """
    if not isinstance(value, int):
        raise TypeError(f"{name} must be int, got {type(value)}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, got {value}")


def parse_iterations_per_loop(iterations_per_loop: Any) -> IterationsPerLoopCounter:
    """How many steps, or seconds ("60s", "5m", "1h"), a loop takes.

    Returns:
      (value, "count" or "seconds").

    Raises:
      ValueError: it is something else.
    """
    match = re.fullmatch(r"([1-9]\d*)([smh]?)", str(iterations_per_loop))
    if match is None:
        raise ValueError(
            "Invalid TPUConfig `iterations_per_loop` value. Value must be positive integer value "
            "or time-based value `<N><s|m|h>` where <N> is anypositive integer and `s`, `m`, `h` "
            "are unit of time in seconds, minutes, hours respectively. Examples of valid values: "
            "`3600s`, `60m`, `1h`."
        )
    value, suffix = int(match[1]), match[2]
    unit = "seconds" if suffix in ("s", "m", "h") else "count"
    return IterationsPerLoopCounter(value * _SECONDS.get(suffix, 1), unit)
