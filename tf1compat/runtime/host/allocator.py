"""The memory of the host tier's temporaries."""

from __future__ import annotations

import ctypes
import functools
import os

# As `malloc.h` numbers them.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3


@functools.cache
def keep_freed_memory() -> None:
    """Has the C library keep some memory for what comes next, where it is glibc and the user has
    not settled that: a temporary of a few megabytes takes longer to map anew than to fill."""
    if any(name.startswith("MALLOC_") for name in os.environ):
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None) if os.name == "posix" else None
    if tune is not None:
        tune(_MMAP_THRESHOLD, 16 << 20)
        tune(_TRIM_THRESHOLD, 128 << 20)
