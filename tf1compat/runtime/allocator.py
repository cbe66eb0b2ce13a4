"""The memory of temporaries is kept from run to run.

XLA takes the temporaries of a CPU program anew for each run, and NumPy those of each operation.
glibc gives large blocks back to the system at once, which then maps and clears them page by page
for the next run: a step of a ResNet spends a quarter of its time there, a product of two large
matrices half.
"""

from __future__ import annotations

import ctypes
import functools
import math
import os
import threading
import time
from collections.abc import Callable

# As `malloc.h` numbers them.
_TRIM_THRESHOLD, _MMAP_MAX, _ARENA_MAX = -1, -4, -8
_LONGEST_PAUSE = 64.0
# From this size on the temporaries of a program are worth a look at where they lie.
_LARGE = 1 << 25

# `malloc_trim`, where freed memory is kept.
_trim: Callable[[int], int] | None = None


@functools.cache
def keep_freed_memory() -> None:
    """Has the C library keep freed memory for what comes next, where it is glibc and the user has
    not settled that (by a variable `MALLOC_…`).

    To be called before JAX starts its threads: the arenas of threads hold blocks of 64 MB at most,
    so all threads take theirs from one.
    """
    if any(name.startswith("MALLOC_") for name in os.environ):
        return
    libc = ctypes.CDLL(None) if os.name == "posix" else None
    if libc is None or not (hasattr(libc, "mallopt") and hasattr(libc, "malloc_trim")):
        return
    libc.mallopt(_ARENA_MAX, 1)
    libc.mallopt(_MMAP_MAX, 0)
    libc.mallopt(_TRIM_THRESHOLD, 1 << 30)
    global _trim
    _trim = libc.malloc_trim
    threading.Thread(target=_give_back, args=(libc.malloc_trim,), daemon=True).start()


class Settling:
    """Gives the pages of free blocks back before the runs of a program with large temporaries:
    before each of the first, and then ever more rarely.

    Where a small array has taken a part of the block that they had, they lie elsewhere from then
    on. That is so in the first runs above all, and each such move would double what they take.

    Args:
      temporaries: how many bytes they are.
    """

    def __init__(self, temporaries: int):
        self._runs, self._next = 0, 1 if temporaries >= _LARGE and _trim is not None else math.inf

    def before_run(self) -> None:
        """To be called before each run."""
        self._runs += 1
        if self._runs >= self._next and _trim is not None:
            self._next = self._runs + max(self._runs // 4, 1)
            _trim(0)


def _give_back(trim: Callable[[int], int]) -> None:
    """Returns the pages of free blocks to the system now and then.

    A small array may take a part of the block that a large one has left, which then no longer
    fits. Without this, a process would hold twice what its temporaries take.
    """
    pause = 1.0
    while True:
        time.sleep(pause)
        trim(0)
        pause = min(2 * pause, _LONGEST_PAUSE)
