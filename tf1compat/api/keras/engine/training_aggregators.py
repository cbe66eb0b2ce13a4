"""What a training loop collects of its batches, and what it asks of datasets
(`tensorflow.python.keras.engine.training_utils`)."""

from __future__ import annotations

import abc
import atexit
import multiprocessing.pool
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.framework.composite_tensor_utils import (
    append_composite_tensor,
    is_composite_or_composite_value,
)
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.core import context, export, nest
from tf1compat.core.eager import EagerTensor


class Aggregator(abc.ABC):
    """Collects the results of batches.

    Args:
      use_steps: whether steps are counted, and not samples.
      num_samples, steps: how many there are.
      batch_size: how many samples a batch has.

    Attributes:
      results: what was collected, after `finalize`.
    """

    def __init__(
        self, use_steps: bool, num_samples: Any = None, steps: Any = None, batch_size: Any = None
    ):
        self.use_steps = use_steps
        self.num_samples = num_samples
        self.steps = steps
        self.batch_size = batch_size
        self.results: Any = []

    @abc.abstractmethod
    def create(self, batch_outs: Any) -> None:
        """Begins, with the results of the first batch."""

    @abc.abstractmethod
    def aggregate(self, batch_outs: Any, batch_start: Any = None, batch_end: Any = None) -> None:
        """Adds the results of a batch."""

    @abc.abstractmethod
    def finalize(self) -> None:
        """Ends."""


class ConcatAggregator(Aggregator):
    """Joins arrays of batches, however many there are."""

    def __init__(self, batch_size: Any):
        super().__init__(use_steps=True, num_samples=None, steps=None, batch_size=batch_size)

    def create(self, batch_element: Any) -> None:
        """Begins; nothing is taken yet."""

    def aggregate(self, batch_element: Any, batch_start: Any = None, batch_end: Any = None) -> None:
        """Adds the array of a batch, or its sparse or ragged tensor.

        Raises:
          ValueError: the array is larger than a batch.
        """
        if is_composite_or_composite_value(batch_element):
            if self.results:
                batch_element = append_composite_tensor(self.results.pop(), batch_element)
        elif self.batch_size and self.batch_size < batch_element.shape[0]:
            raise ValueError(
                "Mismatch between expected batch size and model output batch size. Output shape = "
                f"{batch_element.shape}, expected output shape = shape "
                f"{(self.batch_size, *batch_element.shape[1:])}"
            )
        self.results.append(batch_element)

    def finalize(self) -> None:
        """Joins them."""
        parts = self.results
        self.results = parts[0] if len(parts) == 1 else np.concatenate(parts, axis=0)


# The threads that copy large arrays; made when they are first asked for.
_COPY_THREADS = 4
_COPY_POOL: multiprocessing.pool.ThreadPool | None = None


def get_copy_pool() -> multiprocessing.pool.ThreadPool:
    """The threads that copy large arrays."""
    global _COPY_POOL
    if _COPY_POOL is None:
        _COPY_POOL = multiprocessing.pool.ThreadPool(_COPY_THREADS)
        atexit.register(_COPY_POOL.close)
    return _COPY_POOL


class SliceAggregator(Aggregator):
    """Puts arrays of batches into one array of known length, large ones on threads."""

    _BINARY_SIZE_THRESHOLD = 2**14  # Elements from which on a thread is worth its while.
    _MAX_COPY_SECONDS = 300

    def __init__(self, num_samples: int, batch_size: Any):
        super().__init__(False, num_samples, None, batch_size)
        self._copies: list[threading.Event] = []
        self._errors: list[Exception] = []

    def create(self, batch_element: Any) -> None:
        """Makes the array, for elements such as those of the first batch."""
        shape = (self.num_samples, *batch_element.shape[1:])
        self.results = np.empty(shape, dtype=batch_element.dtype)

    def aggregate(self, batch_element: Any, batch_start: Any, batch_end: Any) -> None:
        """Puts the array of a batch at its place.

        Raises:
          ValueError: it has not as many elements as the place.
        """
        self._raise_what_threads_met()
        if batch_end - batch_start == self.num_samples:
            if self.num_samples != batch_element.shape[0]:
                raise ValueError(
                    "Mismatch between expected batch size and model output batch size. Output "
                    f"shape = {batch_element.shape}, expected output shape = shape "
                    f"{self.results.shape}"
                )
            self.results = batch_element
        elif batch_element.size < self._BINARY_SIZE_THRESHOLD:
            self.results[batch_start:batch_end] = batch_element
        else:
            done = threading.Event()
            self._copies.append(done)
            args = (batch_element, batch_start, batch_end, done)
            get_copy_pool().apply_async(self._slice_assign, args=args)

    def _slice_assign(
        self, batch_element: Any, batch_start: Any, batch_end: Any, done: Any
    ) -> None:
        try:
            self.results[batch_start:batch_end] = batch_element
        except Exception as error:  # It is raised where the batch was given.
            self._errors.append(error)
        finally:
            done.set()

    def _raise_what_threads_met(self) -> None:
        if self._errors:
            raise self._errors[0]

    def finalize(self) -> None:
        """Waits for the threads.

        Raises:
          ValueError: they take too long; or an array did not fit its place.
        """
        until = time.monotonic() + self._MAX_COPY_SECONDS
        for done in self._copies:
            if not done.wait(max(0.0, until - time.monotonic())):
                raise ValueError("Timed out waiting for copy to complete.")
        self._raise_what_threads_met()


class OutputsAggregator(Aggregator):
    """The outputs of batches, one after the other."""

    _structure: Any = None

    def create(self, batch_outs: Any) -> None:
        """Begins, with the outputs of the first batch.

        Raises:
          RuntimeError: an output is a number alone.
        """
        self._structure = nest.get_traverse_shallow_structure(
            lambda x: not is_composite_or_composite_value(x), batch_outs
        )
        for x in map(_array, self._flat(batch_outs)):
            composite = is_composite_or_composite_value(x)
            if not composite and not isinstance(x, np.ndarray):
                raise RuntimeError(f"Attempted to aggregate unsupported object {x}.")
            one = (
                ConcatAggregator(self.batch_size)
                if composite or self.use_steps
                else SliceAggregator(self.num_samples, self.batch_size)
            )
            one.create(x)
            self.results.append(one)

    def aggregate(self, batch_outs: Any, batch_start: Any = None, batch_end: Any = None) -> None:
        """Adds the outputs of a batch."""
        for one, x in zip(self.results, self._flat(batch_outs), strict=True):
            one.aggregate(_array(x), batch_start, batch_end)

    def finalize(self) -> None:
        """Joins the outputs, in the structure of the first batch's."""
        for one in self.results:
            one.finalize()
        joined = [one.results for one in self.results]
        self.results = nest.pack_sequence_as(self._structure, joined)

    def _flat(self, batch_outs: Any) -> list[Any]:
        return nest.flatten_up_to(self._structure, batch_outs)


def _array(x: Any) -> Any:
    return x.numpy() if isinstance(x, EagerTensor) else x


class TrainingLoop:
    """How a model is fitted, evaluated and asked for predictions; the methods are subclasses'."""

    def fit(self, model: Any, **kwargs: Any) -> Any:
        """As `Model.fit`."""
        raise NotImplementedError

    def evaluate(self, model: Any, **kwargs: Any) -> Any:
        """As `Model.evaluate`."""
        raise NotImplementedError

    def predict(self, model: Any, **kwargs: Any) -> Any:
        """As `Model.predict`."""
        raise NotImplementedError


def list_to_tuple(maybe_list: Any) -> Any:
    """A tuple of what a list has; anything else as it is."""
    return tuple(maybe_list) if isinstance(maybe_list, list) else maybe_list


def is_eager_dataset_or_iterator(data: Any) -> bool:
    """Whether something is a dataset or its iterator, in eager execution."""
    kinds = (dataset_ops.DatasetV2, export.find("data.Iterator"))
    is_either = isinstance(data, kinds) or type(data).__name__ == "IteratorV2"
    return context.executing_eagerly() and is_either


def is_feature_layer(layer: Any) -> bool:
    """Whether a layer takes features by name."""
    return bool(getattr(layer, "_is_feature_layer", False))


def verify_dataset_shuffled(x: Any) -> None:
    """Warns of a dataset that is not shuffled."""
    if not any(isinstance(one, dataset_types.ShuffleDataset) for one in _with_inputs(x)):
        tf_logging.warning(
            "Expected a shuffled dataset but input dataset `x` is not shuffled. Please invoke "
            "`shuffle()` on input dataset."
        )


def assert_not_batched(dataset: Any) -> None:
    """Refuses a dataset that is batched.

    Raises:
      ValueError: it is, or is none.
    """
    _assert_none(dataset, ("Batch", "PaddedBatch", "MapAndBatch"), "batched")


def assert_not_shuffled(dataset: Any) -> None:
    """Refuses a dataset that is shuffled.

    Raises:
      ValueError: it is, or is none.
    """
    _assert_none(dataset, ("Shuffle",), "shuffled")


def _assert_none(dataset: Any, kinds: tuple[str, ...], what: str) -> None:
    found = list(_with_inputs(dataset)) if isinstance(dataset, dataset_ops.DatasetV2) else []
    named = tuple(type(one).__name__.strip("_").removesuffix("Dataset") for one in found)
    if not found or any(name in kinds for name in named):
        raise ValueError(f"Could not assert that dataset is not {what}.")


def _with_inputs(dataset: Any) -> Iterator[Any]:
    """A dataset and all that it is made of."""
    yield getattr(dataset, "_dataset", dataset)  # TF 1's datasets are adapters of TF 2's.
    for one in dataset._inputs():
        yield from _with_inputs(one)


def cast_to_model_input_dtypes(x: Any, model: Any) -> Any:
    """Inputs as tensors of the dtypes of a model's inputs.

    Args:
      x: the inputs, in the structure of `model.inputs`.
      model: the model.
    """
    kinds = nest.map_structure(lambda tensor: tensor.dtype, model.inputs)
    return nest.map_structure(math_ops.cast, x, kinds)


def convert_eager_tensors_to_numpy(structure: Any) -> Any:
    """A structure with the values of its tensors of eager execution in their places.

    Args:
      structure: the structure.
    """
    return nest.map_structure(lambda x: x.numpy() if isinstance(x, EagerTensor) else x, structure)
