"""The progress bar."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import numpy as np

from tf1compat.core.export import tf_export


@tf_export("keras.utils.Progbar")
class Progbar:
    """Prints how far something is.

    Args:
      target: the number of steps; None if that is not known.
      width: of the bar.
      verbose: 0 for nothing, 1 for a bar, 2 for one line at the end.
      interval: the least time between two displays, in seconds.
      stateful_metrics: names of values that are displayed as they are, not averaged.
      unit_name: what a step is called.
    """

    def __init__(
        self, target: Any, width: int = 30, verbose: int = 1, interval: float = 0.05,
        stateful_metrics: Any = None, unit_name: str = "step",
    ):  # fmt: skip
        self.target = target
        self.width = width
        self.verbose = verbose
        self.interval = interval
        self.unit_name = unit_name
        self.stateful_metrics = set(stateful_metrics or ())
        self._dynamic_display = (
            (hasattr(sys.stdout, "isatty") and sys.stdout.isatty())
            or "ipykernel" in sys.modules
            or "posix" in sys.modules
            or "PYCHARM_HOSTED" in os.environ
        )
        self._total_width = 0
        self._seen_so_far = 0
        # name -> [sum, how many]
        self._values: dict[str, list[Any]] = {}
        self._start = time.time()
        self._last_update = 0.0

    def update(self, current: Any, values: Any = None) -> None:
        """Displays step `current`.

        Args:
          current: how many steps are done.
          values: pairs of a name and a value.
        """
        steps = current - self._seen_so_far
        for name, value in values or ():
            if name in self.stateful_metrics:
                self._values[name] = [value, 1]
            elif name in self._values:
                self._values[name][0] += np.float64(value) * steps
                self._values[name][1] += steps
            else:
                self._values[name] = [np.float64(value) * steps, steps]
        self._seen_so_far = current
        now = time.time()
        done = self.target is not None and current >= self.target
        if self.verbose == 1:
            if now - self._last_update < self.interval and self.target is not None and not done:
                return
            self._show(current, now, done)
        elif self.verbose == 2 and done:
            text = (
                f"{self._counted(current)} - {now - self._start:.0f}s{self._averages(signed=True)}"
            )
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        self._last_update = now

    def add(self, n: Any, values: Any = None) -> None:
        """Displays `n` steps more."""
        self.update(self._seen_so_far + n, values)

    def _counted(self, current: Any) -> str:
        digits = int(np.log10(self.target)) + 1
        return f"%{digits}d/%d" % (current, self.target)

    def _averages(self, signed: bool = False) -> str:
        text = ""
        for name, (total, count) in self._values.items():
            average = np.mean(total / max(1, count))
            large = (average if signed else abs(average)) > 1e-3
            text += f" - {name}: {average:.4f}" if large else f" - {name}: {average:.4e}"
        return text

    def _show(self, current: Any, now: float, done: bool) -> None:
        before = self._total_width
        sys.stdout.write("\b" * before + "\r" if self._dynamic_display else "\n")
        if self.target is not None:
            filled = int(self.width * (float(current) / self.target))
            head = "=" * (filled - 1) + ("=" if done else ">") if filled > 0 else ""
            bar = f"{self._counted(current)} [{head}{'.' * (self.width - filled)}]"
        else:
            bar = f"{current:7d}/Unknown"
        sys.stdout.write(bar)
        spent = now - self._start
        each = spent / current if current else 0
        if self.target is not None and not done:
            info = f" - ETA: {_remaining(each * (self.target - current))}"
        else:
            info = f" - {spent:.0f}s"
            if each >= 1 or each == 0:
                info += f" {each:.0f}s/{self.unit_name}"
            elif each >= 1e-3:
                info += f" {each * 1e3:.0f}ms/{self.unit_name}"
            else:
                info += f" {each * 1e6:.0f}us/{self.unit_name}"
        info += self._averages()
        self._total_width = len(bar) + len(info)
        info += " " * max(0, before - self._total_width)
        sys.stdout.write(info + ("\n" if done else ""))
        sys.stdout.flush()


def _remaining(seconds: float) -> str:
    if seconds > 3600:
        return f"{int(seconds // 3600)}:{int(seconds % 3600 // 60):02d}:{int(seconds % 60):02d}"
    if seconds > 60:
        return f"{int(seconds // 60)}:{int(seconds % 60):02d}"
    return f"{int(seconds)}s"
