"""`tensorflow.python.tpu.tpu_function`: over how many TPU cores what is recorded is sharded."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any


class TpuContext(threading.local):
    """What a thread records: the number of shards, or None outside of `tpu_shard_context`."""

    def __init__(self) -> None:
        self._number_of_shards: Any = None

    @property
    def number_of_shards(self) -> Any:
        """How many shards there are, or None."""
        return self._number_of_shards

    def set_number_of_shards(self, number_of_shards: Any) -> None:
        """Sets how many shards there are."""
        self._number_of_shards = number_of_shards


_context = TpuContext()


@contextlib.contextmanager
def tpu_shard_context(number_of_shards: int) -> Iterator[None]:
    """What is recorded in the context is for that many shards.

    Raises:
      NotImplementedError: there is such a context already.
    """
    if _context.number_of_shards is not None:
        raise NotImplementedError("tpu_shard_context cannot be nested.")
    _context.set_number_of_shards(number_of_shards)
    try:
        yield
    finally:
        _context.set_number_of_shards(None)


def get_tpu_context() -> TpuContext:
    """The context of the thread."""
    return _context


def on_device_training_loop(func: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a function as a loop of training steps, for TPU's tracing tools; nobody asks here."""
    func.step_marker_location = "STEP_MARK_AT_TOP_LEVEL_WHILE_LOOP"  # type: ignore[attr-defined]
    return func
