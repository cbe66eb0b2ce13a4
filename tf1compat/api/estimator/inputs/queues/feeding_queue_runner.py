"""Queue runners that feed what they enqueue
(`tensorflow_estimator.python.estimator.inputs.queues.feeding_queue_runner`)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from tf1compat.api.training import queue_runner_impl
from tf1compat.core import errors
from tf1compat.core.session_interface import SessionInterface


class _FeedingQueueRunner(queue_runner_impl.QueueRunner):
    """A `QueueRunner` each of whose threads gets from a function what it feeds.

    Args:
      queue, enqueue_ops, close_op, cancel_op: as for `QueueRunner`.
      feed_fns: for each operation a function that gives a feed dict, or None.
      queue_closed_exception_types: what means that there is nothing left; out of range or cancelled
        by default.

    Raises:
      ValueError: there are more or fewer functions than operations.
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None,
        cancel_op: Any = None, feed_fns: Any = None, queue_closed_exception_types: Any = None,
    ):  # fmt: skip
        if queue_closed_exception_types is None:
            queue_closed_exception_types = (errors.OutOfRangeError, errors.CancelledError)
        super().__init__(
            queue, enqueue_ops, close_op, cancel_op,
            queue_closed_exception_types=queue_closed_exception_types,
        )  # fmt: skip
        if feed_fns is None:
            feed_fns = [None for _ in enqueue_ops]
        elif len(feed_fns) != len(enqueue_ops):
            raise ValueError(
                "If feed_fns is not None, it must have the same length as enqueue_ops."
            )
        self._feed_fns = feed_fns

    def _run(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        sess: SessionInterface,
        enqueue_op: Any,
        feed_fn: Callable[..., Any] | None,
        coord: Any = None,
    ) -> None:
        """What a thread does."""
        if coord:
            coord.register_thread(threading.current_thread())

        def enqueue() -> None:
            sess.run(enqueue_op, feed_dict=None if feed_fn is None else feed_fn())

        self._fill(sess, coord, lambda: enqueue, (errors.OutOfRangeError, errors.CancelledError))

    def create_threads(
        self, sess: SessionInterface, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """The threads that fill the queue: see `QueueRunner.create_threads`."""
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(target=self._run, args=(sess, op, feed_fn, coord))
            for op, feed_fn in zip(self._enqueue_ops, self._feed_fns, strict=True)
        ]
        if coord:
            cancel = (sess, self._cancel_op, coord)
            threads.append(threading.Thread(target=self._close_on_stop, args=cancel))
        for thread in threads:
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return threads

    def _take_proto(self, definition: Any, import_scope: str | None) -> None:
        raise NotImplementedError(
            f"{type(self).__name__} does not support initialization from proto."
        )

    def to_proto(self, export_scope: str | None = None) -> Any:
        """Refuses.

        Raises:
          NotImplementedError: always; functions have no proto.
        """
        raise NotImplementedError(f"{type(self).__name__} does not support serialization to proto.")
