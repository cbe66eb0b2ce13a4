"""`tensorflow.contrib.training.python.training.feeding_queue_runner`."""

from __future__ import annotations

from tf1compat.api.estimator.inputs.queues.feeding_queue_runner import _FeedingQueueRunner
from tf1compat.core.export import tf_export

__all__ = ["FeedingQueueRunner"]

FeedingQueueRunner = tf_export("contrib.training.FeedingQueueRunner")(_FeedingQueueRunner)
