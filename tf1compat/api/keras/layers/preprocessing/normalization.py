"""Inputs shifted and scaled by what the data are
(`tensorflow.python.keras.layers.preprocessing.normalization`)."""

from __future__ import annotations

import collections
import json
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_preprocessing_layer import (
    Combiner,
    CombinerPreprocessingLayer,
)
from tf1compat.api.random import init_ops
from tf1compat.api.util import compat
from tf1compat.core import dtypes

_COUNT_NAME = "count"
_MEAN_NAME = "mean"
_VARIANCE_NAME = "variance"
_NAMES = (_COUNT_NAME, _MEAN_NAME, _VARIANCE_NAME)

_Accumulator = collections.namedtuple("Accumulator", _NAMES)


class Normalization(CombinerPreprocessingLayer):
    """Subtracts the mean of the data and divides by their variance, as TF 1.15 does.

    Args:
      axis: the axis or axes along which elements have a mean of their own; not 0.
      dtype: the layer's dtype; None for Keras's.
      **kwargs: what `Layer` takes.

    Raises:
      ValueError: the axis is 0.
    """

    def __init__(self, axis: Any = -1, dtype: Any = None, **kwargs: Any):
        super().__init__(
            combiner=self._NormalizingCombiner(axis), dtype=dtype or backend.floatx(), **kwargs
        )
        if axis == 0:
            raise ValueError("The argument 'axis' may not be 0.")
        self.axis = axis

    def build(self, input_shape: Any) -> None:
        kept = self.axis if isinstance(self.axis, tuple | list) else [self.axis]
        sizes = [input_shape[axis] for axis in kept]
        self._broadcast_shape: Any = [1] * len(input_shape)
        for axis, size in zip(kept, sizes, strict=True):
            self._broadcast_shape[axis] = size
        shape = sizes if isinstance(self.axis, tuple | list) else sizes[0]
        self.mean, self.variance = (
            self._add_state_variable(
                name=name, shape=shape, dtype=backend.floatx(),
                initializer=init_ops.zeros_initializer,
            )
            for name in (_MEAN_NAME, _VARIANCE_NAME)
        )  # fmt: skip
        # Only for an `adapt` that goes on.
        self.count = self._add_state_variable(
            name=_COUNT_NAME, shape=(), dtype=dtypes.int32, initializer=init_ops.zeros_initializer
        )
        super().build(input_shape)

    def call(self, inputs: Any) -> Any:
        mean, variance = (
            array_ops.reshape(value, self._broadcast_shape) for value in (self.mean, self.variance)
        )
        return (inputs - mean) / variance

    def compute_output_shape(self, input_shape: Any) -> Any:
        return input_shape

    def compute_output_signature(self, input_spec: Any) -> Any:
        return input_spec

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), "axis": self.axis}

    def set_weights(self, weights: Any) -> None:
        """Sets mean and variance, and how many elements they are of if that is given."""
        if len(weights) == 2:
            weights.append(np.array(0))
        super().set_weights(weights)

    class _NormalizingCombiner(Combiner):
        """Mean and variance of all elements that are not along some axes.

        Args:
          axis: the axis or axes.
        """

        def __init__(self, axis: Any):
            self.axis = axis

        def compute(self, batch_values: Any, accumulator: Any = None) -> Any:
            values = batch_values
            reduced = tuple(np.delete(range(values.ndim), self.axis))
            count = np.prod([values.shape[axis] for axis in reduced], dtype=np.int32)
            own = self._create_accumulator(
                count, *(f(values, axis=reduced, dtype=np.float64) for f in (np.mean, np.var))
            )
            return own if accumulator is None else self.merge([accumulator, own])

        def merge(self, accumulators: Any) -> Any:
            total = np.sum([part.count for part in accumulators])
            mean = sum(part.mean * part.count for part in accumulators) / total
            # The mean square within the parts, and that between their means.
            squares = sum(
                part.count * (part.variance + np.square(part.mean - mean)) for part in accumulators
            )
            return self._create_accumulator(total, mean, squares / total)

        def extract(self, accumulator: Any) -> Any:
            return dict(zip(_NAMES, accumulator, strict=True))

        def restore(self, output: Any) -> Any:
            count, mean, variance = (output[name] for name in _NAMES)
            if count == 0 and ((mean != 0.0).any() or (variance != 0.0).any()):
                raise RuntimeError(
                    "The mean and/or variance of a Normalization preprocessing layer were set "
                    "without also setting 'count'. If 'count' is not also set, 'adapt' cannot be "
                    "called unless the 'reset_state' arg is True."
                )
            return self._create_accumulator(count, mean, variance)

        def serialize(self, accumulator: Any) -> bytes:
            lists = {name: value.tolist() for name, value in self.extract(accumulator).items()}
            return compat.as_bytes(json.dumps(lists))

        def deserialize(self, encoded_accumulator: Any) -> Any:
            lists = json.loads(compat.as_text(encoded_accumulator))
            return self._create_accumulator(*(np.array(lists[name]) for name in _NAMES))

        def _create_accumulator(self, count: Any, mean: Any, variance: Any) -> Any:
            """Without what is not a number, which an empty batch has."""
            return _Accumulator(np.array(count), np.nan_to_num(mean), np.nan_to_num(variance))
