"""Arrays, data frames and iterators as batches
(`tensorflow.contrib.learn.python.learn.learn_io.data_feeder`)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.learn.learn_io import pandas_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes

_transform_instead = deprecated(None, "Please use tensorflow/transform or tf.data.")


def _each(function: Callable[..., Any], data: Any, *others: Any) -> Any:
    """`function` of a value, or of each value of a dict; what `others` lack is None."""
    if not isinstance(data, dict):
        return function(data, *others)
    return {key: function(data[key], *((o or {}).get(key) for o in others)) for key in data}


def _first(data: Any) -> Any:
    return next(iter(data.values())) if isinstance(data, dict) else data


def _checked_dtype(dtype: Any) -> Any:
    if dtypes.as_dtype(dtype) == dtypes.float64:
        logging.warning("float64 is not supported by many models, consider casting to float32.")
    return dtype


def _check_batch_size(batch_size: int) -> None:
    if batch_size <= 0:
        raise ValueError(f"Invalid batch_size {batch_size}.")


def _batch_shapes(
    x_shape: Any, y_shape: Any, n_classes: Any, batch_size: int | None
) -> tuple[Any, Any, int]:
    """The shapes of a batch's inputs and outputs, and its size."""
    if isinstance(y_shape, dict) and n_classes is not None:
        assert isinstance(n_classes, dict)
    if batch_size is None:
        batch_size = int(_first(x_shape)[0])
    else:
        _check_batch_size(batch_size)

    def of_input(shape: Any) -> list[int]:
        return [batch_size, *(shape[1:] or [1])]

    def of_output(shape: Any, classes: Any) -> list[int]:
        rest = list(shape[1:])
        if rest[:1] == [1]:
            rest = rest[1:]
        return [batch_size, *rest, *([classes] if classes is not None and classes > 1 else [])]

    outputs = None if y_shape is None else _each(of_output, y_shape, n_classes)
    return _each(of_input, x_shape), outputs, batch_size


def _is_iterator(x: Any) -> bool:
    return hasattr(x, "next") or hasattr(x, "__next__")


@_transform_instead
def setup_train_data_feeder(
    x: Any, y: Any, n_classes: Any, batch_size: Any = None, shuffle: bool = True, epochs: Any = None
) -> DataFeeder:
    """A feeder for training; see `DataFeeder`.

    Raises:
      ValueError: one of `x` and `y` is an iterator, and the other isn't.
    """
    x = pandas_io.extract_pandas_data(x)
    if y is not None:
        y = pandas_io.extract_pandas_labels(y)
    if not _is_iterator(x):
        return DataFeeder(x, y, n_classes, batch_size, shuffle=shuffle, epochs=epochs)
    if y is not None and not _is_iterator(y):
        raise ValueError("Both x and y should be iterators for streaming learning to work.")
    return StreamingDataFeeder(x, y, n_classes, batch_size)


@_transform_instead
def setup_predict_data_feeder(x: Any, batch_size: int | None = None) -> Any:
    """Batches for prediction: a list, or an iterator if `x` is one.

    Args:
      x: [examples, …], or an iterator of examples.
      batch_size: all in one batch by default.

    Raises:
      ValueError: the size is not positive.
    """
    x = pandas_io.extract_pandas_data(x)
    if batch_size is not None:
        _check_batch_size(batch_size)
    if _is_iterator(x):
        return _batches(x, batch_size)
    x = x.reshape(-1, 1) if x.ndim == 1 else x
    size = batch_size or len(x)
    return [x[i * size : (i + 1) * size] for i in range(math.ceil(len(x) / size))]


def _batches(x: Iterator[Any], size: int | None) -> Iterator[Any]:
    while chunk := list(itertools.islice(x, size)):
        if isinstance(chunk[0], dict):
            yield {key: np.asmatrix([item[key] for item in chunk]) for key in chunk[0]}
        else:
            yield np.asmatrix(chunk)


@_transform_instead
def setup_processor_data_feeder(x: Any) -> Any:
    """A data frame as an array."""
    return pandas_io.extract_pandas_matrix(x)


@deprecated(None, "Please convert numpy dtypes explicitly.")
def check_array(array: Any, dtype: Any) -> Any:
    """An array or list as an array of a dtype."""
    return np.asarray(array, dtype) if isinstance(array, np.ndarray | list) else array


def _at(data: Any, places: Any) -> Any:
    return data.iloc[places] if hasattr(data, "iloc") else data[places]


def _put(out: np.ndarray, i: int, value: Any, n_classes: Any) -> None:
    """Writes example i of a batch: a value, or 1 at its class."""
    if n_classes is None or n_classes <= 1:
        out[i] = value
    elif out.ndim == 2:
        out[i, int(value)] = 1.0
    else:
        for j, each in enumerate(value):
            out[i, j, each] = 1.0


class DataFeeder:
    """Feeds batches of arrays.

    Args:
      x: inputs [examples, …], or a dict of such.
      y: labels [examples, …], a dict of such, or None.
      n_classes: how many classes labels are of, which are fed as one-hot vectors (a dict for a
        dict); None if they are no classes.
      batch_size: all examples by default.
      shuffle: whether examples come in another order in each epoch.
      random_state: a `RandomState`; that of 42 by default.
      epochs: how often all examples are fed; for ever by default.

    Raises:
      ValueError: the size is not positive.
    """

    _input_placeholder: Any
    _output_placeholder: Any

    @_transform_instead
    def __init__(
        self, x: Any, y: Any, n_classes: Any, batch_size: Any = None, shuffle: bool = True,
        random_state: Any = None, epochs: Any = None,
    ):  # fmt: skip
        self._x = _each(lambda a: check_array(a, a.dtype), x)
        self._y = None
        if y is not None:
            y = np.array(y) if isinstance(y, list) else y
            self._y = _each(lambda a: check_array(a, a.dtype), y)
            if n_classes is not None and not isinstance(y, dict):
                self._y = check_array(y, np.int64 if n_classes > 1 else np.float32)
        self.n_classes = n_classes
        self.max_epochs = epochs
        y_shape = None if self._y is None else _each(lambda a: a.shape, self._y)
        self.input_shape, self.output_shape, self._batch_size = _batch_shapes(
            _each(lambda a: a.shape, self._x), y_shape, n_classes, batch_size
        )
        self._input_dtype = _each(lambda a: _checked_dtype(a.dtype), self._x)
        self._output_dtype: Any = np.float32
        if self._y is not None:
            self._output_dtype = _each(lambda a: _checked_dtype(a.dtype), self._y)
        if n_classes is not None and isinstance(self._y, dict):
            given = dict.fromkeys(n_classes.keys() & self._y.keys(), np.float32)
            self._output_dtype.update(given)
        self._shuffle = shuffle
        self.random_state = np.random.RandomState(42) if random_state is None else random_state
        self._count = _first(self._x).shape[0]
        self.indices = self._order()
        self.offset = 0
        self.epoch = 0
        self._epoch_placeholder: Any = None

    def _order(self) -> np.ndarray:
        return (
            self.random_state.permutation(self._count) if self._shuffle else np.arange(self._count)
        )

    x = property(lambda self: self._x, doc="The inputs.")
    y = property(lambda self: self._y, doc="The labels.")
    shuffle = property(lambda self: self._shuffle, doc="Whether examples are shuffled.")
    input_dtype = property(lambda self: self._input_dtype, doc="The dtype of inputs.")
    output_dtype = property(lambda self: self._output_dtype, doc="The dtype of labels.")
    batch_size = property(lambda self: self._batch_size, doc="How many examples a batch has.")

    def make_epoch_variable(self) -> Any:
        """A placeholder that is fed the epoch."""
        self._epoch_placeholder = array_ops.placeholder(dtypes.int32, [1], name="epoch")
        return self._epoch_placeholder

    def input_builder(self) -> tuple[Any, Any]:
        """Placeholders for inputs and labels; None if there are no labels."""

        def made(shape: Any, dtype: Any, name: str) -> Any:
            if shape is None:
                return None
            if isinstance(shape, dict):
                return {key: made(shape[key], dtype[key], f"{name}_{key}") for key in shape}
            return array_ops.placeholder(dtypes.as_dtype(dtype), [None, *shape[1:]], name=name)

        self._input_placeholder = made(self.input_shape, self._input_dtype, "input")
        self._output_placeholder = made(self.output_shape, self._output_dtype, "output")
        return self._input_placeholder, self._output_placeholder

    def set_placeholders(self, input_placeholder: Any, output_placeholder: Any) -> None:
        """Sets what is fed."""
        self._input_placeholder = input_placeholder
        self._output_placeholder = output_placeholder

    def get_feed_params(self) -> dict[str, Any]:
        """Where feeding stands."""
        return {"epoch": self.epoch, "offset": self.offset, "batch_size": self._batch_size}

    def get_feed_dict_fn(self) -> Callable[[], dict[Any, Any]]:
        """A function that gives the next batch's feed dict; it raises StopIteration at the end."""
        return self._next_feeds

    def _next_feeds(self) -> dict[Any, Any]:
        if self.max_epochs is not None and self.epoch + 1 > self.max_epochs:
            raise StopIteration
        assert self._input_placeholder is not None
        feeds = {}
        if self._epoch_placeholder is not None:
            feeds[self._epoch_placeholder.name] = [self.epoch]
        places = self.indices[self.offset : self.offset + self._batch_size]
        self.offset += self._batch_size
        if self.offset >= self._count:
            self.indices = self._order()
            self.offset = 0
            self.epoch += 1

        def examples(data: Any) -> Any:
            found = _at(data, places)
            return np.array(found).reshape(len(places), 1) if data.ndim == 1 else found

        def labels(data: Any, shape: Any, dtype: Any, classes: Any) -> np.ndarray:
            out = np.zeros([len(places), *shape[1:]], dtype)
            for i, place in enumerate(places):
                _put(out, i, _at(data, place), classes)
            return out

        feeds |= _by_name(self._input_placeholder, _each(examples, self._x))
        if self._output_placeholder is not None:
            about = self.output_shape, self._output_dtype, self.n_classes
            feeds |= _by_name(self._output_placeholder, _each(labels, self._y, *about))
        return feeds


def _by_name(placeholders: Any, values: Any) -> dict[Any, Any]:
    if isinstance(placeholders, dict):
        return {placeholder.name: values[key] for key, placeholder in placeholders.items()}
    return {placeholders.name: values}


class StreamingDataFeeder(DataFeeder):
    """Feeds batches of what iterators give.

    Args:
      x: an iterator of inputs, arrays or dicts of arrays.
      y: an iterator of labels, or None.
      n_classes, batch_size: see `DataFeeder`.
    """

    def __init__(self, x: Any, y: Any, n_classes: Any, batch_size: Any):
        first = next(x)
        self._x = itertools.chain([first], x)
        self._y, first_label = None, None
        if y is not None:
            first_label = next(y)
            self._y = itertools.chain([first_label], y)
        self.n_classes = n_classes
        x_shape = _each(lambda a: [1, *a.shape], first)
        y_shape = None
        if y is not None:
            y_shape = _each(lambda a: [1, *np.asarray(a).shape], first_label)
            if isinstance(first_label, list):
                y_shape = [1, *first_label[0].shape]
        self.input_shape, self.output_shape, self._batch_size = _batch_shapes(
            x_shape, y_shape, n_classes, batch_size
        )
        self._input_dtype = _each(lambda a: _checked_dtype(a.dtype), first)
        self._output_dtype = None if y is None else _each(_dtype_of, first_label)
        if n_classes is not None and not isinstance(first_label, dict) and n_classes > 0:
            self._output_dtype = np.float32
        self.stopped = False

    def get_feed_params(self) -> dict[str, Any]:
        return {"batch_size": self._batch_size}

    def _next_feeds(self) -> dict[Any, Any]:
        if self.stopped:
            raise StopIteration
        inputs = list(itertools.islice(self._x, self._batch_size))
        self.stopped = len(inputs) < self._batch_size
        if not inputs:
            raise StopIteration
        feeds = _by_name(
            self._input_placeholder, self._filled(inputs, self.input_shape, self._input_dtype)
        )
        if self._y is not None:
            labels = [next(self._y) for _ in inputs]
            shape, dtype = self.output_shape, self._output_dtype
            found = self._filled(labels, shape, dtype, self.n_classes)
            feeds |= _by_name(self._output_placeholder, found)
        return feeds

    def _filled(self, items: list[Any], shape: Any, dtype: Any, n_classes: Any = None) -> Any:
        if isinstance(shape, dict):
            classes = n_classes or {}
            return {
                key: self._filled([item[key] for item in items], shape[key], dtype[key],
                                  classes.get(key))
                for key in shape
            }  # fmt: skip
        out = np.zeros([len(items), *shape[1:]], dtype)
        for i, item in enumerate(items):
            is_list = isinstance(item, list) and out.ndim == 1
            _put(out, i, item[0] if is_list else item, n_classes)
        return out


def _dtype_of(value: Any) -> Any:
    while isinstance(value, list):
        value = value[0]
    return value.dtype if isinstance(value, np.ndarray) else _checked_dtype(np.dtype(type(value)))
