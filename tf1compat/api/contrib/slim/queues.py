"""`tf.contrib.slim.queues` (`tensorflow.contrib.slim.python.slim.queues`)."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

from tf1compat.api.training import coordinator
from tf1compat.core import ops

__all__ = ["NestedQueueRunnerError", "QueueRunners"]

_lock = threading.Lock()


class NestedQueueRunnerError(Exception):
    """`QueueRunners` within `QueueRunners`."""


@contextlib.contextmanager
def QueueRunners(session: Any) -> Iterator[None]:  # noqa: N802
    """Runs the queue runners of the default graph in a `with` statement.

    Args:
      session: the session to run them in; closed if they don't stop in time.

    Raises:
      NestedQueueRunnerError: another `with` statement does.
    """
    if not _lock.acquire(False):
        raise NestedQueueRunnerError("QueueRunners cannot be nested")
    coord = coordinator.Coordinator()
    threads = []
    for runner in ops.get_collection(ops.GraphKeys.QUEUE_RUNNERS):
        threads += runner.create_threads(session, coord=coord, daemon=True, start=True)
    try:
        yield
    finally:
        coord.request_stop()
        try:
            coord.join(threads, stop_grace_period_secs=120)
        except RuntimeError:
            session.close()
        _lock.release()
