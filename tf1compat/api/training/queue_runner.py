"""`tensorflow.python.training.queue_runner`: threads that fill queues."""

from tf1compat.api.training.queue_runner_impl import (
    QueueRunner,
    add_queue_runner,
    start_queue_runners,
)

__all__ = ["QueueRunner", "add_queue_runner", "start_queue_runners"]
