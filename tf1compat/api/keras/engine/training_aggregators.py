"""What a training loop collects of its batches, and what it asks of datasets
(`tensorflow.python.keras.engine.training_utils`)."""

from __future__ import annotations

import abc
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.data.ops import dataset_ops, dataset_types
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
        """Adds the array of a batch, which is larger than no other.

        Raises:
          ValueError: it is.
        """
        if self.batch_size and self.batch_size < batch_element.shape[0]:
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


class SliceAggregator(Aggregator):
    """Puts arrays of batches into one array of known length."""

    def __init__(self, num_samples: int, batch_size: Any):
        super().__init__(False, num_samples, None, batch_size)

    def create(self, batch_element: Any) -> None:
        """Makes the array, for elements such as those of the first batch."""
        shape = (self.num_samples, *batch_element.shape[1:])
        self.results = np.empty(shape, dtype=batch_element.dtype)

    def aggregate(self, batch_element: Any, batch_start: Any, batch_end: Any) -> None:
        """Puts the array of a batch at its place.

        Raises:
          ValueError: it has not as many elements as the place.
        """
        if batch_end - batch_start == self.num_samples:
            if self.num_samples != batch_element.shape[0]:
                raise ValueError(
                    "Mismatch between expected batch size and model output batch size. Output "
                    f"shape = {batch_element.shape}, expected output shape = shape "
                    f"{self.results.shape}"
                )
            self.results = batch_element
        else:
            self.results[batch_start:batch_end] = batch_element

    def finalize(self) -> None:
        """Ends."""


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
