"""`tensorflow.python.tpu.tpu_function`: of how many shards the computation is that is recorded."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class TpuContext(threading.local):
    """Of how many shards the computation is that a thread records; None outside any."""

    number_of_shards: int | None = None

    def set_number_of_shards(self, number_of_shards: int | None) -> None:
        """Sets it."""
        self.number_of_shards = number_of_shards


_context = TpuContext()


@contextlib.contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """A block in which a computation of so many shards is recorded.

    Raises:
      NotImplementedError: it is in such a block.
    """
    if _context.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    _context.number_of_shards = number_of_shards
    try:
        yield
    finally:
        _context.number_of_shards = None


def get_tpu_context() -> TpuContext:
    """The thread's context."""
    return _context


def on_device_training_loop(func: Any) -> Any:
    """Marks a computation whose steps are the turns of a loop in it."""
    func.step_marker_location = "STEP_MARK_AT_TOP_LEVEL_WHILE_LOOP"
    return func
