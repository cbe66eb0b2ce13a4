"""When each operation of a host program ran: for runs whose trace is asked for."""

from __future__ import annotations

import sys
import time
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from tf1compat.runtime.host.source import Source


class Timing(NamedTuple):
    """An operation that ran once.

    Attributes:
      op: an Operation.
      start, end: seconds since the epoch.
      outputs: index -> an array that it gave.
    """

    op: Any
    start: float
    end: float
    outputs: dict[int, np.ndarray]


class Clock:
    """Notes the times by Python's tracing of the lines of a program.

    So a program that is not traced pays nothing for it, and one that is runs as it always does.

    Attributes:
      timings: what ran, in order.
      lines: the operations that have a line.
      start: when the program began.
    """

    def __init__(self) -> None:
        self.timings: list[Timing] = []
        self.lines: set[Any] = set()
        self.start = time.time()
        self._op: Any = None
        self._begun = 0.0
        self._line = 0

    def watch(self, source: Source, code: Any) -> None:
        """Says which program it is.

        Args:
          source: where operations stand.
          code: of its function.
        """
        self._source, self._code = source, code
        self.lines = set(source.ops_at.values())
        self._outer = sys.gettrace()
        sys.settrace(self._called)

    def stop(self) -> None:
        """Ends the tracing."""
        sys.settrace(self._outer)

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        return self._stepped if frame.f_code is self._code else None

    def _stepped(self, frame: FrameType, event: str, arg: Any) -> Any:
        now = time.time()
        line = frame.f_lineno
        op = self._source.ops_at.get(line) if event == "line" else None
        if op is not None and op is self._op and line > self._line:
            self._line = line  # What looks at its value.
            return self._stepped
        if self._op is not None:
            names, values, found = self._source.names, frame.f_locals, {}
            for i, output in enumerate(getattr(self._op, "_outputs", ())):
                value = values.get(names.get(output, ""))
                if isinstance(value, np.ndarray):
                    found[i] = value
            self.timings.append(Timing(self._op, self._begun, now, found))
        self._op, self._line = op, line
        self._begun = time.time()
        return self._stepped
