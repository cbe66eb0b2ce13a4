"""`tensorflow.contrib.slim.python.slim.data.parallel_reader`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.io import io_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import gfile
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import input as tf_input
from tf1compat.api.training import queue_runner_impl
from tf1compat.core import dtypes as tf_dtypes
from tf1compat.core import ops
from tf1compat.core.typing import Name


class ParallelReader(io_ops.ReaderBase):
    """Several readers whose records meet in a queue.

    Args:
      reader_class: their class.
      common_queue: the queue, of (key, value) strings.
      num_readers: how many.
      reader_kwargs: their arguments.

    Raises:
      TypeError: the queue isn't one of two strings.
    """

    def __init__(
        self, reader_class: Any, common_queue: Any, num_readers: Any = 4, reader_kwargs: Any = None
    ):
        of_strings = [t.is_compatible_with(tf_dtypes.string) for t in common_queue.dtypes]
        if of_strings != [True, True]:
            raise TypeError("common_queue.dtypes must be [tf.string, tf.string]")
        self._readers = [reader_class(**(reader_kwargs or {})) for _ in range(num_readers)]
        self._common_queue = common_queue

    @property
    def num_readers(self) -> int:
        """How many readers there are."""
        return len(self._readers)

    @property
    def common_queue(self) -> Any:
        """The queue of records."""
        return self._common_queue

    def read(self, queue: Any, name: Name = None) -> Any:
        """The next record of whichever reader.

        Args:
          queue: the queue of file names.
          name: the operation's name.

        Returns:
          (key, value), string scalars.
        """
        self._configure_readers_by(queue)
        return self._common_queue.dequeue(name=name)

    def read_up_to(self, queue: Any, num_records: Any, name: Name = None) -> Any:
        """The next records, at most so many: (keys, values)."""
        self._configure_readers_by(queue)
        return self._common_queue.dequeue_up_to(num_records, name)

    def _configure_readers_by(self, queue: Any) -> None:
        enqueue_ops = [self._common_queue.enqueue(reader.read(queue)) for reader in self._readers]
        queue_runner_impl.add_queue_runner(
            queue_runner_impl.QueueRunner(self._common_queue, enqueue_ops)
        )

    def num_records_produced(self, name: Name = None) -> Any:
        """How many records the readers have read, an int64 scalar."""
        return math_ops.add_n([r.num_records_produced() for r in self._readers], name=name)

    def num_work_units_completed(self, name: Name = None) -> Any:
        """How many files the readers have finished, an int64 scalar."""
        return math_ops.add_n([r.num_work_units_completed() for r in self._readers], name=name)


def parallel_read(
    data_sources: Any, reader_class: Any, num_epochs: int | None = None, num_readers: Any = 4,
    reader_kwargs: Any = None, shuffle: Any = True, dtypes: Any = None, capacity: Any = 256,
    min_after_dequeue: Any = 128, seed: Any = None, scope: Any = None,
) -> Any:  # fmt: skip
    """Reads records of files by several readers at once.

    Args:
      data_sources: file names, or patterns of them.
      reader_class: the class of a reader.
      num_epochs: how often all is read; None for ever.
      num_readers: how many readers.
      reader_kwargs: their arguments.
      shuffle: whether files and records are shuffled.
      dtypes: those of key and value; strings by default.
      capacity: how many records may wait.
      min_after_dequeue: how many stay behind, to be shuffled with others.
      seed: a seed.
      scope: a name scope.

    Returns:
      (key, value) of a record.
    """
    data_files = get_data_files(data_sources)
    with ops.name_scope(scope, "parallel_read"):
        filename_queue = tf_input.string_input_producer(
            data_files, num_epochs=num_epochs, shuffle=shuffle, seed=seed, name="filenames"
        )
        dtypes = dtypes or [tf_dtypes.string, tf_dtypes.string]
        if shuffle:
            common_queue: Any = data_flow_ops.RandomShuffleQueue(
                capacity=capacity,
                min_after_dequeue=min_after_dequeue,
                dtypes=dtypes,
                seed=seed,
                name="common_queue",
            )
        else:
            common_queue = data_flow_ops.FIFOQueue(
                capacity=capacity, dtypes=dtypes, name="common_queue"
            )
        summarize_fullness(common_queue, capacity)
        reader = ParallelReader(
            reader_class, common_queue, num_readers=num_readers, reader_kwargs=reader_kwargs
        )
        return reader.read(filename_queue)


def summarize_fullness(queue: Any, capacity: int) -> None:
    """A summary of the share of a queue that is in use."""
    fraction = math_ops.cast(queue.size(), tf_dtypes.float32) * (1.0 / capacity)
    summary.scalar(f"fraction_of_{capacity}_full", fraction)


def single_pass_read(
    data_sources: Any, reader_class: Any, reader_kwargs: Any = None, scope: Any = None
) -> Any:
    """Reads records of files once, in order.

    Args: see `parallel_read`.

    Returns:
      (key, value) of a record.
    """
    data_files = get_data_files(data_sources)
    with ops.name_scope(scope, "single_pass_read"):
        filename_queue = tf_input.string_input_producer(
            data_files, num_epochs=1, shuffle=False, capacity=1, name="filenames"
        )
        return reader_class(**(reader_kwargs or {})).read(filename_queue)


def get_data_files(data_sources: Any) -> list[Any]:
    """The files of names and patterns.

    Raises:
      ValueError: there are none.
    """
    if isinstance(data_sources, (list, tuple)):
        data_files = [file for source in data_sources for file in get_data_files(source)]
    elif any(character in data_sources for character in "*?["):
        data_files = gfile.Glob(data_sources)
    else:
        data_files = [data_sources]
    if not data_files:
        raise ValueError(f"No data files found in {data_sources}")
    return data_files
