"""Layers that look at all data before a model is trained
(`tensorflow.python.keras.engine.base_preprocessing_layer`)."""

from __future__ import annotations

import abc
import collections
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.data.experimental.ops import transformations
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.keras.engine import training_generator
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.core import errors, ops


class PreprocessingLayer(Layer):
    """A layer with a state that `adapt` makes of data."""

    def adapt(self, data: Any, reset_state: bool = True) -> None:
        """Makes the layer's state of data.

        Args:
          data: a dataset, or a NumPy array.
          reset_state: whether it begins anew.
        """


class CombinerPreprocessingLayer(PreprocessingLayer):
    """One whose state a `Combiner` computes, batch by batch.

    Args:
      combiner: the `Combiner`.
      **kwargs: what `Layer` takes.
    """

    def __init__(self, combiner: Any, **kwargs: Any):
        super().__init__(**kwargs)
        self._combiner = combiner
        self._previously_updated = False
        self.state_variables: Any = collections.OrderedDict()

    def _add_state_variable(
        self, name: str, shape: Any, dtype: Any, initializer: Any = None, partitioner: Any = None,
        use_resource: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """A variable that is part of the state."""
        self.state_variables[name] = made = self.add_weight(
            name=name, shape=shape, dtype=dtype, initializer=initializer, regularizer=None,
            trainable=False, constraint=None, partitioner=partitioner, use_resource=use_resource,
            **kwargs,
        )  # fmt: skip
        return made

    def _restore_updates(self) -> dict[str, Any]:
        """The state as it is."""
        return {name: variable.numpy() for name, variable in self.state_variables.items()}

    def _dataset_is_infinite(self, dataset: Any) -> Any:
        return transformations.cardinality(dataset) == transformations.INFINITE

    def _get_dataset_iterator(self, dataset: Any) -> Callable[[], Any]:
        return dataset_ops.make_one_shot_iterator(dataset).get_next

    def _batches_of(self, data: Any) -> Callable[[], Any]:
        """What gives the next batch when called, until it raises."""
        if isinstance(data, dataset_ops.DatasetV2):
            if self._dataset_is_infinite(data):
                raise ValueError(
                    'The dataset passed to "adapt()" has an infinite number of elements. Please '
                    "use dataset.take(...) to make the number of elements finite."
                )
            return self._get_dataset_iterator(data)
        if isinstance(data, np.ndarray):
            batches, _ = training_generator.convert_to_generator_like(data, batch_size=len(data))
            return lambda: next(batches)
        raise ValueError(f"adapt() requires a Dataset or a Numpy array as input, got {type(data)}")

    def adapt(self, data: Any, reset_state: bool = True) -> None:
        """Makes the layer's state of data; builds the layer if that has not been done.

        Args:
          data: a dataset, or a NumPy array.
          reset_state: whether it begins anew, or goes on from the state that there is.

        Raises:
          ValueError: the data are something else, or have no end.
        """
        accumulator = None
        if not reset_state:
            accumulator = self._combiner.restore(self._restore_updates())
        following = self._batches_of(data)
        while True:
            try:
                batch = following()
            except (StopIteration, errors.OutOfRangeError):
                break
            if not self.built:
                self.build(getattr(batch, "shape", None))
            accumulator = self._combiner.compute(batch, accumulator)
        self._set_state_variables(self._combiner.extract(accumulator))

    def _check_built(self) -> None:
        if not self.built:
            raise RuntimeError("_set_state_variables() must be called after build().")

    def _set_state_variables(self, updates: dict[str, Any]) -> None:
        """Sets the state, by the names of its variables."""
        self._check_built()
        with ops.init_scope():
            for name, value in updates.items():
                self.state_variables[name].assign(value)


class Combiner:
    """A computation over batches, by accumulators that can be merged in any order.

    It keeps nothing itself. Subclasses define all methods.
    """

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}>"

    @abc.abstractmethod
    def compute(self, batch_values: Any, accumulator: Any = None) -> Any:
        """The accumulator of a batch, merged with another if there is one.

        Args:
          batch_values: NumPy arrays.
          accumulator: what is known so far, or None.
        """

    @abc.abstractmethod
    def merge(self, accumulators: Any) -> Any:
        """The accumulator of all that several have seen.

        Args:
          accumulators: a list of them.
        """

    @abc.abstractmethod
    def extract(self, accumulator: Any) -> Any:
        """What is computed, a dict of NumPy arrays.

        Args:
          accumulator: the accumulator.
        """

    @abc.abstractmethod
    def restore(self, output: Any) -> Any:
        """The accumulator that something was extracted from.

        Args:
          output: what `extract` gave.
        """

    @abc.abstractmethod
    def serialize(self, accumulator: Any) -> bytes:
        """An accumulator as bytes.

        Args:
          accumulator: the accumulator.
        """

    @abc.abstractmethod
    def deserialize(self, encoded_accumulator: Any) -> Any:
        """An accumulator from bytes.

        Args:
          encoded_accumulator: what `serialize` gave.
        """
