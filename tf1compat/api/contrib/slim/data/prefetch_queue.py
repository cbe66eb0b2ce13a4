"""`tensorflow.contrib.slim.python.slim.data.prefetch_queue`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.slim.data.parallel_reader import summarize_fullness
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.training import queue_runner_impl
from tf1compat.core import ops
from tf1compat.core.typing import Name


def prefetch_queue(
    tensors: Any, capacity: Any = 8, num_threads: int = 1, dynamic_pad: Any = False,
    shared_name: str | None = None, name: Name = None,
) -> Any:  # fmt: skip
    """A queue that threads fill with batches.

    Args:
      tensors: a list or a dict of tensors.
      capacity: how many batches may wait.
      num_threads: how many threads fill it.
      dynamic_pad: whether dimensions may differ from batch to batch.
      shared_name: the name under which sessions share it.
      name: a name scope.

    Returns:
      The queue.
    """
    names = sorted(tensors.keys()) if isinstance(tensors, dict) else None
    in_order = tensors if names is None else [tensors[key] for key in names]
    kind = data_flow_ops.PaddingFIFOQueue if dynamic_pad else data_flow_ops.FIFOQueue
    with ops.name_scope(name, "prefetch_queue", in_order):
        queue = kind(
            capacity=capacity,
            dtypes=[t.dtype for t in in_order],
            shapes=[t.get_shape() for t in in_order],
            names=names,
            shared_name=shared_name,
        )
        enqueue_op = queue.enqueue(tensors)
        runner = queue_runner_impl.QueueRunner(queue, [enqueue_op] * num_threads)
        queue_runner_impl.add_queue_runner(runner)
        summarize_fullness(queue, capacity)
        return queue
