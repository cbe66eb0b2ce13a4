"""Queues that are filled from arrays, tables and generators
(`tensorflow_estimator.python.estimator.inputs.queues.feeding_functions`)."""

from __future__ import annotations

import collections
import random
import types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.estimator.inputs.queues.feeding_queue_runner import _FeedingQueueRunner
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import queue_runner_impl
from tf1compat.core import dtypes, errors, ops
from tf1compat.core.typing import DTypeLike


def is_data_frame(data: Any) -> bool:
    """Whether something is a pandas.DataFrame; pandas itself is not imported for the question."""
    return any(
        cls.__name__ == "DataFrame" and cls.__module__.partition(".")[0] == "pandas"
        for cls in type(data).__mro__
    )


def _get_integer_indices_for_next_batch(
    batch_indices_start: int, batch_size: int, epoch_end: int, array_length: int,
    current_epoch: int, total_epochs: int | None,
) -> tuple[list[int], int]:  # fmt: skip
    """The rows of the next batch, shorter at the end of the last epoch.

    Args:
      batch_indices_start: the first row.
      batch_size: how many rows.
      epoch_end: the row at which epochs end.
      array_length: how many rows there are.
      current_epoch, total_epochs: how many epochs are over, and how many there will be.

    Returns:
      (rows, how many epochs are over then).

    Raises:
      OutOfRangeError: nothing is left.
    """
    if total_epochs is not None and current_epoch >= total_epochs:
        raise errors.OutOfRangeError(None, None, f"Already emitted {current_epoch} epochs.")
    rows = [(batch_indices_start + i) % array_length for i in range(batch_size)]
    ends = [i for i, row in enumerate(rows) if row == epoch_end]
    over = current_epoch + len(ends)
    if total_epochs is None or over < total_epochs:
        return rows, over
    last = ends[total_epochs - current_epoch - 1]
    return rows[: last + 1], total_epochs


class _RowFeed:
    """A function that gives feed dicts of consecutive rows.

    Args:
      placeholders: what is fed; the first gets the rows' names.
      data: the rows.
      batch_size: how many rows are fed.
      random_start: whether to start at a random row.
      seed: of Python's generator, for the start.
      num_epochs: when to end.
    """

    def __init__(
        self, placeholders: Sequence[Any], data: Any, batch_size: int, random_start: bool = False,
        seed: int | None = None, num_epochs: int | None = None,
    ):  # fmt: skip
        self._placeholders = placeholders
        self._data = data
        self._max = self._length()
        self._batch_size = batch_size
        self._num_epochs = num_epochs
        self._epoch = 0
        random.seed(seed)
        self._trav = random.randrange(self._max) if random_start else 0
        self._epoch_end = (self._trav - 1) % self._max

    def _length(self) -> int:
        return len(self._data)

    def _columns(self, rows: list[int]) -> Iterable[Any]:
        """What the placeholders get for these rows."""
        raise NotImplementedError

    def __call__(self) -> dict[Any, Any]:
        rows, self._epoch = _get_integer_indices_for_next_batch(
            self._trav, self._batch_size, self._epoch_end, self._max, self._epoch,
            self._num_epochs,
        )  # fmt: skip
        self._trav = (rows[-1] + 1) % self._max
        return dict(zip(self._placeholders, self._columns(rows), strict=True))


class _ArrayFeedFn(_RowFeed):
    """Feeds the rows of an array."""

    def _length(self) -> int:
        if len(self._placeholders) != 2:
            raise ValueError(
                f"_array_feed_fn expects 2 placeholders; got {len(self._placeholders)}."
            )
        return len(self._data)

    def _columns(self, rows: list[int]) -> Iterable[Any]:
        return rows, self._data[rows]


class _OrderedDictNumpyFeedFn(_RowFeed):
    """Feeds the rows of several arrays."""

    def _length(self) -> int:
        if len(self._placeholders) != len(self._data) + 1:
            raise ValueError(
                f"Expected {len(self._data)} placeholders; got {len(self._placeholders)}."
            )
        lengths = [len(column) for column in self._data.values()]
        if any(length != lengths[0] for length in lengths):
            raise ValueError("Array lengths must match.")
        return lengths[0]

    def _columns(self, rows: list[int]) -> Iterable[Any]:
        return rows, *(column[rows] for column in self._data.values())


class _PandasFeedFn(_RowFeed):
    """Feeds the rows of a table."""

    def _length(self) -> int:
        wanted = len(self._data.columns) + 1
        if len(self._placeholders) != wanted:
            raise ValueError(f"Expected {wanted} placeholders; got {len(self._placeholders)}.")
        return len(self._data)

    def _columns(self, rows: list[int]) -> Iterable[Any]:
        part = self._data.iloc[rows]
        return part.index.values, *(part[column].values for column in part.columns)


class _GeneratorFeedFn:
    """Feeds what a generator function yields, dicts of arrays.

    Args:
      placeholders: one for each key, in their order.
      generator: makes the iterator of an epoch.
      batch_size: how many arrays, of all keys together, are fed at least.
      random_start: ignored.
      seed: of Python's generator.
      num_epochs: when to end.
      pad_value: fills the last dimension of shorter arrays; None not to.
    """

    def __init__(
        self, placeholders: Sequence[Any], generator: Any, batch_size: int,
        random_start: bool = False, seed: int | None = None, num_epochs: int | None = None,
        pad_value: Any = None,
    ):  # fmt: skip
        first = next(generator())
        if len(placeholders) != len(first):
            raise ValueError(f"Expected {len(first)} placeholders; got {len(placeholders)}.")
        self._keys = sorted(first)
        self._col_placeholders = placeholders
        self._generator_function = generator
        self._iterator = generator()
        self._batch_size = batch_size
        self._num_epochs = num_epochs
        self._epoch = 0
        self._pad_value = pad_value
        random.seed(seed)

    def _next(self) -> dict[str, Any]:
        try:
            row = next(self._iterator)
        except StopIteration:
            self._epoch += 1
            self._iterator = self._generator_function()
            row = next(self._iterator)
        if not set(self._keys) <= set(row):
            raise KeyError(
                "key mismatch between dicts emitted by GenFun "
                f"Expected {self._keys} keys; got {row.keys()}"
            )
        return row

    def __call__(self) -> dict[Any, Any]:
        if self._num_epochs and self._epoch >= self._num_epochs:
            raise errors.OutOfRangeError(None, None, f"Already emitted {self._epoch} epochs.")
        rows: list[dict[str, Any]] = []
        while len(rows) * len(self._keys) < self._batch_size:
            rows.append(self._next())
        columns = [[row[key] for row in rows] for key in self._keys]
        if self._pad_value is not None:
            columns = [_pad_if_needed(column, self._pad_value) for column in columns]
        arrays = [np.asarray(column) for column in columns]
        return dict(zip(self._col_placeholders, arrays, strict=True))


def _pad_if_needed(batch_key_item: Sequence[Any], fillvalue: Any = 0) -> Any:
    """Arrays made of one length in their last dimension."""
    shapes = [array.shape[:-1] if array.ndim else -1 for array in batch_key_item]
    if any(shape != shapes[0] for shape in shapes):
        raise ValueError("Array shapes must match.")
    lengths = [array.shape[-1] if array.ndim else 0 for array in batch_key_item]
    if len(set(lengths)) == 1:
        return batch_key_item
    first = batch_key_item[0]
    padded = np.full((len(lengths), *first.shape[:-1], max(lengths)), fillvalue, first.dtype)
    for target, array, length in zip(padded, batch_key_item, lengths, strict=True):
        target[..., :length] = array
    return padded


def _described(data: Any) -> tuple[list[Any], list[Any], Any]:
    """(types, shapes, the class of feed functions) of the columns of some data."""
    if isinstance(data, np.ndarray):
        return [dtypes.int64, dtypes.as_dtype(data.dtype)], [(), data.shape[1:]], _ArrayFeedFn
    if isinstance(data, collections.OrderedDict):
        columns = list(data.values())
        types_ = [dtypes.int64, *(dtypes.as_dtype(column.dtype) for column in columns)]
        return types_, [(), *(column.shape[1:] for column in columns)], _OrderedDictNumpyFeedFn
    if isinstance(data, types.FunctionType):
        first = next(data())
        columns = [first[key] for key in sorted(first)]
        types_ = [dtypes.as_dtype(column.dtype) for column in columns]
        return types_, [column.shape for column in columns], _GeneratorFeedFn
    if is_data_frame(data):
        types_ = [_column_dtype(dtype) for dtype in [data.index.dtype, *data.dtypes]]
        return types_, [() for _ in types_], _PandasFeedFn
    raise TypeError(
        "data must be either a numpy array or pandas DataFrame if pandas is installed; got "
        f"{type(data).__name__}"
    )


def _column_dtype(dtype: DTypeLike) -> Any:
    # pandas 3 has a type of its own for what were objects.
    return dtypes.string if str(dtype) in ("str", "string") else dtypes.as_dtype(dtype)


def _warn_of_threads(num_threads: int, num_epochs: int | None, shuffle: bool) -> None:
    if num_threads <= 1:
        return
    if num_epochs is not None:
        logging.warning(
            "enqueue_data was called with num_epochs and num_threads > 1. num_epochs is applied "
            "per thread, so this will produce more epochs than you probably intend. If you want to "
            "limit epochs, use one thread."
        )
    if shuffle and num_epochs is not None:
        logging.warning(
            "enqueue_data was called with shuffle=True, num_threads > 1, and num_epochs. This will "
            "create multiple threads, all reading the array/dataframe in order adding to the same "
            "shuffling queue; the results will likely not be sufficiently shuffled."
        )
    if not shuffle:
        logging.warning(
            "enqueue_data was called with shuffle=False and num_threads > 1. This will create "
            "multiple threads, all reading the array/dataframe in order. If you want examples read "
            "in order, use one thread; if you want multiple threads, enable shuffling."
        )


def _enqueue_data(
    data: Any, capacity: int, shuffle: bool = False, min_after_dequeue: Any = None,
    num_threads: int = 1, seed: int | None = None, name: str = "enqueue_input",
    enqueue_size: int = 1,
    num_epochs: int | None = None, pad_value: Any = None,
) -> Any:  # fmt: skip
    """Makes a queue that threads fill with rows.

    Args:
      data: an array, an OrderedDict of arrays, a pandas.DataFrame, or a function that makes an
        iterator of dicts of arrays.
      capacity: of the queue.
      shuffle: whether the queue is one that shuffles.
      min_after_dequeue: how many rows stay in it then; a quarter by default.
      num_threads: how many threads fill it.
      seed: of the shuffling.
      name: the scope.
      enqueue_size: how many rows are enqueued at a time.
      num_epochs: after how many epochs each thread ends.
      pad_value: what pads the last dimension; of generators alone.

    Returns:
      The queue; the first component is the row's number or name, except of generators.

    Raises:
      TypeError: the data are something else.
      NotImplementedError: they can't be padded, or not shuffled then.
    """
    with ops.name_scope(name):
        types_, shapes, feed_class = _described(data)
        padded = pad_value is not None
        if padded and feed_class is not _GeneratorFeedFn:
            raise NotImplementedError("padding is only available with generator usage")
        if shuffle and padded:
            raise NotImplementedError(
                "padding and shuffling data at the same time is not implemented"
            )
        _warn_of_threads(num_threads, num_epochs, shuffle)
        kept = 0
        if shuffle:
            kept = int(capacity / 4 if min_after_dequeue is None else min_after_dequeue)
            queue = data_flow_ops.RandomShuffleQueue(
                capacity, kept, dtypes=types_, shapes=shapes, seed=seed
            )
        elif padded:
            shapes = [(*shape[:-1], None) if len(shape) else shape for shape in shapes]
            queue = data_flow_ops.PaddingFIFOQueue(capacity, dtypes=types_, shapes=shapes)
        else:
            queue = data_flow_ops.FIFOQueue(capacity, dtypes=types_, shapes=shapes)
        enqueue_ops, feed_fns = [], []
        more = {"pad_value": pad_value} if padded else {}
        for i in range(num_threads):
            placeholders = [array_ops.placeholder(dtype) for dtype in types_]
            enqueue_ops.append(queue.enqueue_many(placeholders))
            feed_fns.append(
                feed_class(
                    placeholders, data, enqueue_size, random_start=shuffle,
                    seed=None if seed is None else (i + 1) * seed, num_epochs=num_epochs, **more,
                )
            )  # fmt: skip
        queue_runner_impl.add_queue_runner(
            _FeedingQueueRunner(queue=queue, enqueue_ops=enqueue_ops, feed_fns=feed_fns)
        )
        room = capacity - kept
        full = math_ops.cast(math_ops.maximum(0, queue.size() - kept), dtypes.float32)
        summary.scalar(
            f"queue/{queue.name}fraction_over_{kept}_of_{room}_full", full * (1.0 / room)
        )
        return queue
