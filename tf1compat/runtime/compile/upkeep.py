"""How many compiled programs a process may hold: those used longest ago go first.

Each has 10 to 120 memory mappings of its own on a CPU, and a process that passes the system's limit
on these (65,530 on most) is aborted. One run keeps few programs (`executable.Region`), but there
may be many runs, graphs and sessions.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from pathlib import Path
from typing import Any

# After how many compilations the mappings are counted: 20 ms at 30,000 of them.
_EVERY = 32

# The turn of a use, for `Compiled.used`. No clock: what is dropped is the same in every process.
turn = itertools.count().__next__

_programs: weakref.WeakSet[Any] = weakref.WeakSet()
_compilations = itertools.count(1)
_lock = threading.Lock()


def keep(program: Any) -> None:
    """Notes a program that was just compiled, and has others released if there are too many.

    Args:
      program: has `used`, the turn when it last ran, and `release()`, which frees what was compiled
        until it is needed again.
    """
    with _lock:
        _programs.add(program)
        if next(_compilations) % _EVERY:
            return
        limit = _most_mappings()
        if limit is None or _mappings() <= limit // 2:
            return
        found = sorted((p for p in _programs if p is not program), key=lambda p: p.used)
        released = found[: (len(found) + 1) // 2]
        _programs.difference_update(released)
    for other in released:
        other.release()


def _most_mappings() -> int | None:
    """The system's limit; None where it has none."""
    try:
        return int(Path("/proc/sys/vm/max_map_count").read_text())
    except (OSError, ValueError):
        return None


def _mappings() -> int:
    """How many memory mappings this process has."""
    with open("/proc/self/maps", "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 16), b""))
