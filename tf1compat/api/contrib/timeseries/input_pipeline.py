"""Readers of time series, and windows of them
(`tensorflow.contrib.timeseries.python.timeseries.input_pipeline`).

A reader gives times, values and other features as tensors whose first dimension is time. An input
function cuts them into windows, [batch, window, …].
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.contrib.timeseries import model_utils
from tf1compat.api.contrib.timeseries.feature_keys import (
    FilteringResults,
    PredictionFeatures,
    TrainEvalFeatures,
)
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.control_flow.tensor_array_ops import TensorArray
from tf1compat.api.estimator.inputs import numpy_io
from tf1compat.api.io import io_ops, parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.api.training import input as input_lib
from tf1compat.api.training import input_producers
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape

_TIMES, _VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


@tf_export("contrib.timeseries.predict_continuation_input_fn")
def predict_continuation_input_fn(
    evaluation: dict[str, Any],
    steps: int | None = None,
    times: Any = None,
    exogenous_features: dict[str, Any] | None = None,
) -> Callable[[], Any]:
    """An input function of `predict` that goes on where an evaluation ended.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      evaluation: what `Estimator.evaluate` gave.
      steps: how many times to predict; or None, and
      times: [batch, window] or [window] ints after the evaluation's.
      exogenous_features: what the exogenous columns are of, [batch, window, …].

    Returns:
      A function without arguments that gives a pair: {feature: a tensor} and None for the targets.

    Raises:
      ValueError: both or none of `steps` and `times` are given, or the times do not fit.
    """
    predict_times = model_utils.canonicalize_times_or_steps_from_output(
        times=times, steps=steps, previous_model_output=evaluation
    )
    features = {
        PredictionFeatures.STATE_TUPLE: evaluation[FilteringResults.STATE_TUPLE],
        PredictionFeatures.TIMES: predict_times,
        **(exogenous_features or {}),
    }

    def once(value: Any) -> Any:
        return input_producers.limit_epochs(value, num_epochs=1)

    def predict_input_fn() -> Any:
        return {key: nest.map_structure(once, value) for key, value in features.items()}, None

    return predict_input_fn


def _local_count(name: str) -> Any:
    return variables.VariableV1(
        initial_value=constant_op.constant(0, dtype=dtypes.int64),
        name=name,
        trainable=False,
        collections=[ops.GraphKeys.LOCAL_VARIABLES],
    )


def _if_initialized(count: Any, then: Callable[[], Any]) -> Any:
    """What uses a count, which a queue's thread may meet before it is initialized."""
    return control_flow_ops.cond(
        state_ops.is_variable_initialized(count),
        then,
        lambda: constant_op.constant(0, dtype=dtypes.int64),
    )


class TimeSeriesReader:
    """What reads a series; as tf.contrib.timeseries' in TF 1.15."""

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Raises where the series is known to be shorter."""

    @abc.abstractmethod
    def read(self) -> dict[str, Any]:
        """Some of the series, over and over: features by name, [times, …]."""

    @abc.abstractmethod
    def read_full(self) -> dict[str, Any]:
        """All of the series: features by name, [times, …]."""


@tf_export("contrib.timeseries.NumpyReader")
class NumpyReader(TimeSeriesReader):
    """A series in arrays.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      data: times [length] and values [length] or [length, num_features], and other features, by
        name.
      read_num_records_hint: how many times are read at once.

    Raises:
      ValueError: an array does not fit the times, or times or values are missing.
    """

    def __init__(self, data: dict[str, Any], read_num_records_hint: int = 4096):
        self._features = _canonicalize_numpy_data(data, require_single_batch=True)
        self._read_num_records_hint = read_num_records_hint

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Raises ValueError where the series is shorter."""
        size = self._features[_TIMES].shape[1]
        if size < minimum_dataset_size:
            raise ValueError(
                "A TimeSeriesInputFn is configured to create windows of size "
                f"{minimum_dataset_size}, but only {size} records were available in the dataset. "
                "Either decrease the window size or provide more records."
            )

    def read(self) -> dict[str, Any]:
        """See `TimeSeriesReader.read`."""
        return numpy_io.numpy_input_fn(
            x={key: np.squeeze(value, axis=0) for key, value in self._features.items()},
            batch_size=self._read_num_records_hint,
            num_epochs=None,
            shuffle=False,
        )()

    def read_full(self) -> dict[str, Any]:
        """See `TimeSeriesReader.read_full`."""
        features = numpy_io.numpy_input_fn(
            x=self._features,
            batch_size=1,
            num_epochs=None,
            # Each element is the whole series.
            queue_capacity=2,
            shuffle=False,
        )()
        return {name: array_ops.squeeze(value, axis=0) for name, value in features.items()}


class ReaderBaseTimeSeriesParser(TimeSeriesReader):
    """A series in files that a tf.ReaderBase reads.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      filenames: a string or strings.
      read_num_records_hint: how many records are read at once.
    """

    def __init__(self, filenames: Any, read_num_records_hint: int = 4096):
        self._filenames = filenames
        self._read_num_records_hint = read_num_records_hint

    @abc.abstractmethod
    def _get_reader(self) -> Any:
        """A tf.ReaderBase."""

    @abc.abstractmethod
    def _process_records(self, lines: Any) -> dict[str, Any]:
        """Features by name, [records, …], of records, a vector of strings."""

    def _filename_queue(self, epoch_limit: int) -> tuple[Any, Any]:
        """A queue of the files' names, which ends if nothing is read of them `epoch_limit` times.

        Returns:
          The queue, and the operation that says that something is to be read.
        """
        epochs = _local_count("epoch_limiter")
        names = array_ops.reshape(ops.convert_to_tensor(self._filenames), [-1])
        counted = _if_initialized(epochs, lambda: epochs.count_up_to(epoch_limit))
        with ops.control_dependencies([counted]):
            names = array_ops.identity(names)
        return input_producers.string_input_producer(names, shuffle=False, capacity=1), epochs

    def read(self) -> dict[str, Any]:
        """See `TimeSeriesReader.read`."""
        size = self._read_num_records_hint
        queue, epochs = self._filename_queue(epoch_limit=size)
        reader = self._get_reader()
        with ops.control_dependencies([state_ops.assign(epochs, 0)]):
            _, records = reader.read_up_to(queue, size)
        return self._process_records(records)

    def read_full(self) -> dict[str, Any]:
        """See `TimeSeriesReader.read_full`; reads until the first record comes again."""
        reader = self._get_reader()
        queue, epochs = self._filename_queue(epoch_limit=2)
        with ops.control_dependencies([state_ops.assign(epochs, 0)]):
            first_key, first = reader.read_up_to(queue, 1)

        def is_other(key: Any, *_: Any) -> Any:
            return math_ops.not_equal(
                array_ops.squeeze(key, axis=0), array_ops.squeeze(first_key, axis=0)
            )

        def read_one(_: Any, value: Any, number: Any, records: Any) -> Any:
            key, following = reader.read_up_to(queue, 1)
            key.set_shape([1])
            following.set_shape([1])
            return key, following, number + 1, records.write(number, value)

        # No record's key is "".
        no_key = constant_op.constant([""])
        records = TensorArray(dtype=dtypes.string, size=0, dynamic_size=True)
        *_, records = control_flow_ops.while_loop(is_other, read_one, [no_key, first, 0, records])
        records = records.concat()
        # The next run begins with the first record.
        with ops.control_dependencies([records]):
            reset = reader.reset()
        with ops.control_dependencies([reset]):
            records = array_ops.identity(records)
        return self._process_records(records)


@tf_export("contrib.timeseries.CSVReader")
class CSVReader(ReaderBaseTimeSeriesParser):
    """A series in files of lines of numbers.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      filenames: a string or strings.
      column_names: of the columns; values, and other features, may be several columns.
      column_dtypes: of the columns; by default int64 for times, float32 for the others.
      skip_header_lines: how many lines each file begins with that are skipped.
      read_num_records_hint: how many lines are read at once.

    Raises:
      ValueError: the names or dtypes are not those of a series.
    """

    def __init__(
        self,
        filenames: Any,
        column_names: Any = (_TIMES, _VALUES),
        column_dtypes: Any = None,
        skip_header_lines: int | None = None,
        read_num_records_hint: int = 4096,
    ):
        _check_required(column_names)
        if column_dtypes is not None and len(column_dtypes) != len(column_names):
            raise ValueError(
                "If specified, the length of column_dtypes must match the length of column_names "
                f"(got column_dtypes={column_dtypes} and column_names={column_names})."
            )
        if list(column_names).count(_TIMES) != 1:
            raise ValueError(
                f"Got more than one times column ('{_TIMES}'), but exactly one is required."
            )
        self._column_names = column_names
        self._column_dtypes = column_dtypes
        self._skip_header_lines = skip_header_lines
        super().__init__(filenames=filenames, read_num_records_hint=read_num_records_hint)

    def _get_reader(self) -> Any:
        return io_ops.TextLineReader(skip_header_lines=self._skip_header_lines)

    def _process_records(self, lines: Any) -> dict[str, Any]:
        if self._column_dtypes is None:
            # An empty default: such a column is a required float32.
            defaults = [
                (array_ops.zeros([], dtypes.int64),) if name == _TIMES else ()
                for name in self._column_names
            ]
        else:
            defaults = [(array_ops.zeros([], dtype),) for dtype in self._column_dtypes]
        columns: dict[str, list[Any]] = {}
        for name, column in zip(self._column_names, parsing_ops.decode_csv(lines, defaults)):
            columns.setdefault(name, []).append(column)
        return {
            name: found[0] if name == _TIMES else array_ops.stack(found, axis=1)
            for name, found in columns.items()
        }


class TFExampleReader(ReaderBaseTimeSeriesParser):
    """A series in files of tf.Examples, one for each time.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      filenames: a string or strings.
      features: as `tf.parse_example` takes them.

    Raises:
      ValueError: times or values are missing.
    """

    def __init__(self, filenames: Any, features: dict[str, Any]):
        _check_required(features)
        self._features = features
        super().__init__(filenames=filenames)

    def _get_reader(self) -> Any:
        return io_ops.TFRecordReader()

    def _process_records(self, lines: Any) -> dict[str, Any]:
        return parsing_ops.parse_example(serialized=lines, features=self._features)


def _check_required(names: Any) -> None:
    for name in (_TIMES, _VALUES):
        if name not in names:
            raise ValueError(f"'{name}' is a required column.")


class TimeSeriesInputFn:
    """An input function of windows; as tf.contrib.timeseries' in TF 1.15."""

    @abc.abstractmethod
    def create_batch(self) -> Any:
        """Features by name, [batch, window, …], and None for the labels."""

    def __call__(self) -> Any:
        return self.create_batch()


@tf_export("contrib.timeseries.WholeDatasetInputFn")
class WholeDatasetInputFn(TimeSeriesInputFn):
    """A whole series as one window.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      time_series_reader: a TimeSeriesReader.
    """

    def __init__(self, time_series_reader: TimeSeriesReader):
        self._reader = time_series_reader
        super().__init__()

    def create_batch(self) -> Any:
        """See `TimeSeriesInputFn.create_batch`."""
        features = self._reader.read_full()
        return {name: value[None, ...] for name, value in features.items()}, None


@tf_export("contrib.timeseries.RandomWindowInputFn")
class RandomWindowInputFn(TimeSeriesInputFn):
    """Windows of a series in random order.

    As tf.contrib.timeseries' in TF 1.15.

    Args:
      time_series_reader: a TimeSeriesReader.
      window_size: how many times a window has.
      batch_size: how many windows a batch has.
      queue_capacity_multiplier: how many batches fit into a queue.
      shuffle_min_after_dequeue_multiplier: how many batches stay in the queue that shuffles.
      discard_out_of_order: whether windows over the end of the files are left out, rather than
        sorted by their times.
      discard_consecutive_batches_limit: after how many batches of such windows alone it ends.
      jitter: whether windows begin anywhere, rather than at multiples of their size.
      num_threads: how many threads fill the queues; None for as many as a batch has windows.
      shuffle_seed: see `tf.set_random_seed`.

    Raises:
      ValueError: the series is shorter than a window.
    """

    def __init__(
        self,
        time_series_reader: TimeSeriesReader,
        window_size: int,
        batch_size: int,
        queue_capacity_multiplier: int = 1000,
        shuffle_min_after_dequeue_multiplier: int = 2,
        discard_out_of_order: bool = True,
        discard_consecutive_batches_limit: int = 1000,
        jitter: bool = True,
        num_threads: int | None = 2,
        shuffle_seed: int | None = None,
    ):
        self._reader = time_series_reader
        self._window_size = window_size
        self._reader.check_dataset_size(minimum_dataset_size=window_size)
        self._batch_size = batch_size
        self._queue_capacity_multiplier = queue_capacity_multiplier
        self._shuffle_min_after_dequeue_multiplier = shuffle_min_after_dequeue_multiplier
        self._discard_out_of_order = discard_out_of_order
        self._discard_limit = discard_consecutive_batches_limit
        self._jitter = jitter
        self._num_threads = batch_size if num_threads is None else num_threads
        self._shuffle_seed = shuffle_seed
        super().__init__()

    def create_batch(self) -> Any:
        """See `TimeSeriesInputFn.create_batch`."""
        features = self._windows(self._reader.read())
        kept: Any = True
        if self._discard_out_of_order:
            kept = self._in_order(features[_TIMES])
        else:
            features = _sorted_by_time(features)
        batch = input_lib.maybe_shuffle_batch(
            features,
            num_threads=self._num_threads,
            seed=self._shuffle_seed,
            batch_size=self._batch_size,
            capacity=self._queue_capacity_multiplier * self._batch_size,
            min_after_dequeue=self._shuffle_min_after_dequeue_multiplier * self._batch_size,
            keep_input=kept,
            enqueue_many=True,
        )
        return batch, None

    def _windows(self, features: dict[str, Any]) -> dict[str, Any]:
        """A batch of windows, one after the other."""
        count, size = self._batch_size, self._window_size
        jitter: Any = 0
        if self._jitter:
            # One record more or less, so that later windows begin elsewhere.
            jitter = random_ops.random_uniform(shape=[], maxval=2, dtype=dtypes.int32)
        raw = input_lib.batch(
            features,
            batch_size=size * count + jitter,
            enqueue_many=True,
            capacity=self._queue_capacity_multiplier * count * size,
            num_threads=self._num_threads,
        )
        rows = {key: value[jitter:] if self._jitter else value for key, value in raw.items()}

        def cut(value: Any) -> Any:
            shape = [[count, size], array_ops.shape(value)[1:]]
            return array_ops.reshape(value, array_ops.concat(shape, axis=0))

        windows = {key: cut(value) for key, value in rows.items()}
        for key, value in windows.items():
            value.set_shape(TensorShape([count, size]).concatenate(raw[key].get_shape()[1:]))
        return windows

    def _in_order(self, times: Any) -> Any:
        """Which windows have times that never go back; an error where none had for long."""
        kept = math_ops.reduce_all(times[:, 1:] >= times[:, :-1], axis=1)
        discarded = _local_count("discarded_windows_limiter")

        def count() -> Any:
            return control_flow_ops.cond(
                math_ops.reduce_any(kept),
                lambda: state_ops.assign(discarded, 0),
                lambda: discarded.count_up_to(self._discard_limit),
            )

        with ops.control_dependencies([_if_initialized(discarded, count)]):
            return array_ops.identity(kept)


def _sorted_by_time(features: dict[str, Any]) -> dict[str, Any]:
    times = features[_TIMES]
    _, descending = nn_ops.top_k(times, k=array_ops.shape(times)[-1], sorted=True)
    indices = array_ops.reverse(descending, axis=[0])
    return {key: array_ops.gather(params=value, indices=indices) for key, value in features.items()}


def _canonicalize_numpy_data(
    data: dict[str, Any], require_single_batch: bool
) -> dict[str, np.ndarray]:
    """Arrays of a series, or of a batch of series, with a batch's dimension.

    Args:
      data: times [], [length] or [batch, length]; values and other features, which have the shape
        of the times first.
      require_single_batch: whether there may be one series only.

    Returns:
      Times [batch, length], values [batch, length, num_features], and the others.

    Raises:
      ValueError: an array does not fit the times, or times or values are missing.
    """
    features = {key: np.array(value) for key, value in data.items()}
    if _TIMES not in features or _VALUES not in features:
        raise ValueError(f"{_TIMES} and {_VALUES} are required features.")
    shape = features[_TIMES].shape
    for key, value in features.items():
        if value.shape[: len(shape)] != shape:
            raise ValueError(
                "All features must have their shapes prefixed by the shape of the times feature. "
                f"Got shape {value.shape} for feature '{key}', but shape {shape} for '{_TIMES}'"
            )
    if len(shape) > 2:
        raise ValueError(
            "Got an unexpected number of dimensions for times. Was expecting at most two ([batch "
            f"size, series length]), but got shape {shape}."
        )
    values = features[_VALUES]
    if len(shape) < 2:
        if values.ndim > len(shape) + 1:
            most, lacks = (
                ("2 dimensions ([series length, number of features])", "a batch")
                if shape
                else ("1 dimension ([number of features])", "a batch or time")
            )
            raise ValueError(
                f"Got an unexpected number of dimensions for the '{_VALUES}' feature. Was "
                f"expecting at most {most} since '{_TIMES}' does not have {lacks} dimension, but "
                f"got shape {values.shape}"
            )
        if values.ndim == len(shape):
            features[_VALUES] = values[..., None]
        ahead = (None,) * (2 - len(shape))
        features = {key: value[(*ahead, ...)] for key, value in features.items()}
    if require_single_batch and features[_TIMES].shape[0] != 1:
        raise ValueError("Got batch input, was expecting unbatched input.")
    return features
