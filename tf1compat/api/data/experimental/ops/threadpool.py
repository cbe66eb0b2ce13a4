"""`tensorflow.python.data.experimental.ops.threadpool`: datasets with threads of their own."""

from __future__ import annotations

import itertools
from typing import Any

from tf1compat.api.data.ops.dataset_types import UnaryUnchangedStructureDataset
from tf1compat.core import ops, raw_ops

_numbers = itertools.count()


class PrivateThreadPool:
    """Threads (as in TF 1.15).

    Args:
      num_threads: how many.
      display_name: what they are called.
      max_intra_op_parallelism: how many of them one operation may use.
    """

    def __init__(
        self, num_threads: int, display_name: str | None = None, max_intra_op_parallelism: int = 1
    ):
        names = {}
        if ops.executing_eagerly():
            names = {"shared_name": f"privatethreadpool{next(_numbers)}"}
        self._resource = raw_ops.ThreadPoolHandle(
            num_threads=num_threads,
            max_intra_op_parallelism=max_intra_op_parallelism,
            display_name=display_name,
            **names,
        )


class _ThreadPoolDataset(UnaryUnchangedStructureDataset):
    """The elements of a dataset, computed by a thread pool."""

    def __init__(self, input_dataset: Any, thread_pool: PrivateThreadPool):
        self._input_dataset = input_dataset
        self._thread_pool = thread_pool
        variant = raw_ops.ThreadPoolDataset(
            input_dataset._variant_tensor, thread_pool._resource, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


def override_threadpool(dataset: Any, thread_pool: PrivateThreadPool) -> Any:
    """The dataset, whose parallel operations are computed by a thread pool (as in TF 1.15).

    Args:
      dataset: a `tf.data.Dataset`.
      thread_pool: the threads.
    """
    return _ThreadPoolDataset(dataset, thread_pool)
