"""Inputs of TF 2's `Model.fit` as datasets (`tensorflow.python.keras.engine.data_adapter`)."""

from __future__ import annotations

import abc
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.data.ops.dataset_options import Options
from tf1compat.api.keras.engine import training_aggregators
from tf1compat.api.keras.utils import data_utils
from tf1compat.api.platform import tf_logging
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.core import nest, ops
from tf1compat.core.composite_tensor import CompositeTensor


class DataAdapter(abc.ABC):
    """Makes a dataset of one kind of input.

    Args:
      x: the inputs; `can_handle` has said that they are of the kind.
      y: the targets, or None.
      **kwargs: what only some kinds know.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        """Whether inputs and targets are of the kind."""
        raise NotImplementedError

    @abc.abstractmethod
    def __init__(self, x: Any, y: Any = None, **kwargs: Any):
        if not self.can_handle(x, y):
            raise ValueError(f"{self.__class__} Cannot handle input {x}")

    @abc.abstractmethod
    def get_dataset(self) -> Any:
        """The dataset, of one epoch."""

    @abc.abstractmethod
    def get_size(self) -> int | None:
        """How many batches it has, if that is known."""

    @abc.abstractmethod
    def batch_size(self) -> int | None:
        """How many samples a batch has, if that is known."""

    @abc.abstractmethod
    def has_partial_batch(self) -> bool:
        """Whether its last batch is known to be smaller."""

    @abc.abstractmethod
    def partial_batch_size(self) -> int | None:
        """How many samples that one has; None if it is not smaller, or not known."""

    def should_recreate_iterator(self, steps_per_epoch: Any) -> bool:
        """Whether each epoch needs an iterator of its own."""
        return steps_per_epoch is None or self.get_size() is not None


class _Made(DataAdapter):
    """One whose constructor has made the dataset and noted what is known of it."""

    _dataset: Any = None
    _size: int | None = None
    _batch_size: int | None = None
    _partial_batch_size: int | None = None

    def get_dataset(self) -> Any:
        return self._dataset

    def get_size(self) -> int | None:
        return self._size

    def batch_size(self) -> int | None:
        return self._batch_size

    def has_partial_batch(self) -> bool:
        return self._partial_batch_size is not None

    def partial_batch_size(self) -> int | None:
        return self._partial_batch_size

    def _count(self, samples: int, batch_size: int | None, steps: int | None) -> int:
        """Notes how samples make batches; returns how many make one."""
        if steps and not batch_size:
            batch_size = -(-samples // steps)
        if not batch_size:
            raise ValueError(
                "`batch_size` or `steps` is required for `Tensor` or `NumPy` input data."
            )
        self._size = -(-samples // batch_size)
        self._batch_size = batch_size
        self._partial_batch_size = samples % batch_size or None
        return batch_size

    def _refuse(self, y: Any, sample_weights: Any, kind: str) -> None:
        for name, value in (("y", y), ("sample_weight", sample_weights)):
            if not is_none_or_empty(value):
                raise ValueError(f"`{name}` argument is not supported when using {kind} as input.")


def _flat(x: Any, y: Any) -> list[Any]:
    return nest.flatten(x) + ([] if y is None else nest.flatten(y))


def _is_array(value: Any) -> bool:
    return isinstance(value, ops.Tensor | np.ndarray)


def _is_composite(value: Any) -> bool:
    kinds = CompositeTensor | RaggedTensor
    return isinstance(value, kinds) and not isinstance(value, dataset_ops.DatasetV2)


def _joined(x: Any, y: Any, sample_weights: Any) -> tuple[Any, ...]:
    """What a dataset is made of: with targets only if there are any, with weights only then."""
    x, y, weights = map(_process_numpy_inputs, (x, y, sample_weights))
    if weights is not None and any(w is None for w in weights):
        count = next(w.shape[0] for w in weights if w is not None)
        weights = tuple(array_ops.ones((count,)) if w is None else w for w in weights)
    if y is None:
        return (x,)
    return (x, y) if weights is None else (x, y, weights)


def _samples(x: Any) -> int:
    return int(nest.flatten(x)[0].shape[0])


class TensorLikeDataAdapter(_Made):
    """Of tensors and NumPy arrays.

    Args:
      x: inputs, a structure of arrays.
      y: targets, or None.
      sample_weights: weights of samples, or None.
      batch_size: how many samples make a batch.
      epochs: how many epochs the dataset has.
      steps: how many batches an epoch has, if `batch_size` is None.
      shuffle: whether each epoch has an order of its own, which NumPy's generator draws.
      **kwargs: not looked at.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        return all(map(_is_array, _flat(x, y)))

    def __init__(
        self, x: Any, y: Any = None, sample_weights: Any = None, batch_size: int | None = None,
        epochs: int = 1, steps: int | None = None, shuffle: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(x, y, **kwargs)
        arrays = _joined(x, y, sample_weights)
        samples = _samples(arrays[0])
        size = self._count(samples, batch_size, steps)
        whole = samples // size * size
        # All batches have one shape if all are full, or if there is only a smaller one.
        fixed = size if whole == samples else None if whole else samples

        orders = np.tile(np.arange(samples), (epochs, 1))
        if shuffle:
            for order in orders:
                np.random.shuffle(order)
        full = orders[:, :whole].reshape(epochs, -1, size)
        rest = orders[:, whole:]

        def of_epoch(full: Any, rest: Any = None) -> Any:
            made = dataset_ops.DatasetV2.from_tensor_slices(full)
            if rest is None:
                return made
            return made.concatenate(dataset_ops.DatasetV2.from_tensors(rest))

        def batch(data: Any, rows: Any) -> Any:
            def taken(array: Any) -> Any:
                found = array_ops.gather(array, rows)
                if fixed is not None:
                    found.set_shape([fixed, *array.shape.as_list()[1:]])
                return found

            return nest.map_structure(taken, data)

        parts = (full,) if whole == samples else (full, rest)
        places = dataset_ops.DatasetV2.from_tensor_slices(parts).flat_map(of_epoch)
        data = dataset_ops.DatasetV2.from_tensors(arrays).repeat()
        batches = dataset_ops.DatasetV2.zip((data, places)).map(
            batch, num_parallel_calls=dataset_ops.AUTOTUNE
        )
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        self._dataset = batches.with_options(options)

    def should_recreate_iterator(self, _: Any) -> bool:
        return False  # It has all epochs.


class CompositeTensorDataAdapter(_Made):
    """Of sparse or ragged tensors, maybe beside dense ones.

    Args:
      x: inputs, a structure of tensors.
      y: targets, or None.
      sample_weights: weights of samples, or None.
      batch_size: how many samples make a batch.
      steps: how many batches there are, if `batch_size` is None.
      shuffle: whether samples are shuffled.
      **kwargs: not looked at.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        flat = _flat(x, y)
        composite = [value for value in flat if _is_composite(value)]
        return bool(composite) and all(_is_array(v) or _is_composite(v) for v in flat)

    def __init__(
        self, x: Any, y: Any = None, sample_weights: Any = None, batch_size: int | None = None,
        steps: int | None = None, shuffle: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(x, y, **kwargs)
        arrays = _joined(x, y, sample_weights)
        samples = _samples(arrays[0])
        rows = dataset_ops.DatasetV2.from_tensor_slices(arrays)
        if shuffle:
            rows = rows.shuffle(samples)
        self._dataset = rows.batch(self._count(samples, batch_size, steps))


class ListsOfScalarsDataAdapter(DataAdapter):
    """Of numbers and strings in lists, which become NumPy arrays.

    Args:
      x: inputs.
      y: targets, or None.
      sample_weights: weights of samples, or None.
      batch_size: how many samples make a batch.
      shuffle: whether samples are shuffled.
      **kwargs: what `TensorLikeDataAdapter` knows besides.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        is_list = ListsOfScalarsDataAdapter._is_list_of_scalars
        return is_list(x) and (y is None or is_list(y))

    @staticmethod
    def _is_list_of_scalars(inp: Any) -> bool:
        while isinstance(inp, list | tuple):
            inp = inp[0]
        return isinstance(inp, float | int | str)

    def __init__(
        self, x: Any, y: Any = None, sample_weights: Any = None, batch_size: int | None = None,
        shuffle: bool = False, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(x, y, **kwargs)
        arrays = [None if v is None else np.asarray(v) for v in (x, y, sample_weights)]
        self._internal_adapter = TensorLikeDataAdapter(
            *arrays, batch_size=batch_size, shuffle=shuffle, **kwargs
        )

    def get_dataset(self) -> Any:
        return self._internal_adapter.get_dataset()

    def get_size(self) -> int | None:
        return self._internal_adapter.get_size()

    def batch_size(self) -> int | None:
        return self._internal_adapter.batch_size()

    def has_partial_batch(self) -> bool:
        return self._internal_adapter.has_partial_batch()

    def partial_batch_size(self) -> int | None:
        return self._internal_adapter.partial_batch_size()


class DatasetAdapter(_Made):
    """Of a dataset.

    Args:
      x: the dataset.
      y: None; targets are in the dataset.
      sample_weights: None.
      **kwargs: not looked at.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        return isinstance(x, dataset_ops.DatasetV2)

    def __init__(self, x: Any, y: Any = None, sample_weights: Any = None, **kwargs: Any):
        super().__init__(x, y, **kwargs)
        self._refuse(y, sample_weights, "dataset")
        self._dataset = x


def _of_batches(batches: Callable[[], Any], first: Any) -> Any:
    """A dataset of what a function's iterator gives, which is as the first batch is."""
    types, shapes = (
        nest.map_structure(lambda array, name=name: getattr(array, name), first)
        for name in ("dtype", "shape")
    )
    return dataset_ops.DatasetV2.from_generator(batches, types, output_shapes=shapes)


class GeneratorDataAdapter(_Made):
    """Of a generator of batches, all of one shape.

    Args:
      x: the generator.
      y: None; targets are in the batches.
      sample_weights: None.
      workers: how many threads or processes call it; 0 for none but the caller's.
      use_multiprocessing: whether they are processes.
      max_queue_size: how many batches may wait.
      **kwargs: not looked at.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        return inspect.isgenerator(x)

    def __init__(
        self, x: Any, y: Any = None, sample_weights: Any = None, workers: int = 1,
        use_multiprocessing: bool = False, max_queue_size: int = 10, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(x, y, **kwargs)
        self._refuse(y, sample_weights, "python generator")
        first = next(x)
        if workers > 0 and use_multiprocessing:
            tf_logging.warning(
                UserWarning(  # pyright: ignore[reportArgumentType]  # printed as TF prints it
                    "Using a generator with `use_multiprocessing=True` and multiple workers may "
                    "duplicate your data. Please consider using the `tf.data.Dataset`."
                )
            )

        def batches() -> Any:
            every = itertools.chain([first], x)
            if workers <= 0:
                return every
            queue = data_utils.GeneratorEnqueuer(every, use_multiprocessing=use_multiprocessing)
            queue.start(workers=workers, max_queue_size=max_queue_size)
            return queue.get()

        self._batch_size = _samples(first)
        self._dataset = _of_batches(batches, first)


class KerasSequenceAdapter(_Made):
    """Of a `keras.utils.Sequence`.

    Args:
      x: the sequence.
      y: None; targets are in the batches.
      sample_weights: None.
      shuffle: whether batches are shuffled.
      workers: how many threads or processes call it; 0 for none but the caller's.
      use_multiprocessing: whether they are processes.
      max_queue_size: how many batches may wait.
      **kwargs: not looked at.
    """

    @staticmethod
    def can_handle(x: Any, y: Any = None) -> bool:
        return isinstance(x, data_utils.Sequence)

    def __init__(
        self, x: Any, y: Any = None, sample_weights: Any = None, shuffle: bool = False,
        workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(x, y, **kwargs)
        self._refuse(y, sample_weights, "`keras.utils.Sequence`")
        first = x[0]

        def batches() -> Any:
            if workers <= 0:
                return (x[i] for i in range(len(x)))
            queue = data_utils.OrderedEnqueuer(x, use_multiprocessing=use_multiprocessing)
            queue.start(workers=workers, max_queue_size=max_queue_size)
            return queue.get()

        made = _of_batches(batches, first)
        self._size, self._batch_size = len(x), _samples(first)
        self._dataset = made.shuffle(len(x)) if shuffle else made


ALL_ADAPTER_CLS = [
    ListsOfScalarsDataAdapter,
    TensorLikeDataAdapter,
    DatasetAdapter,
    GeneratorDataAdapter,
    KerasSequenceAdapter,
    CompositeTensorDataAdapter,
]


def select_data_adapter(x: Any, y: Any) -> type[DataAdapter]:
    """The class that makes a dataset of some input.

    Args:
      x: the inputs.
      y: the targets, or None.

    Raises:
      ValueError: no class does.
      RuntimeError: several do.
    """
    found = [cls for cls in ALL_ADAPTER_CLS if cls.can_handle(x, y)]
    if len(found) == 1:
        return found[0]
    kinds = f"input: {_type_name(x)}, {_type_name(y)}"
    if not found:
        raise ValueError(f"Failed to find data adapter that can handle {kinds}")
    raise RuntimeError(
        "Data adapters should be mutually exclusive for handling inputs. "
        f"Found multiple adapters {found} to handle {kinds}"
    )


def _type_name(x: Any) -> str:
    if isinstance(x, dict):
        keys, values = ({_type_name(v) for v in part} for part in (x.keys(), x.values()))
        return f"({type(x)} containing {keys} keys and {values} values)"
    if isinstance(x, list | tuple):
        return f"({type(x)} containing values of types { {_type_name(v) for v in x} })"
    return str(type(x))


def _process_numpy_inputs(inputs: Any) -> Any:
    """Arrays as a dataset takes them: one alone, else tensors in tuples."""
    if is_none_or_empty(inputs):
        return None
    flat = nest.flatten(inputs)
    if len(flat) == 1:
        return flat[0]
    tensors = [ops.convert_to_tensor(x) if isinstance(x, np.ndarray) else x for x in flat]
    return training_aggregators.list_to_tuple(nest.pack_sequence_as(inputs, tensors))


def is_none_or_empty(inputs: Any) -> bool:
    """Whether there is nothing in a structure."""
    return inputs is None or not nest.flatten(inputs)
