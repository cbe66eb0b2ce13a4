"""Smaller last batches made full, for devices that need one shape
(`tensorflow.python.keras.engine.partial_batch_padding_handler`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.core import nest, tensor_util


class PartialBatchPaddingHandler:
    """Pads batches, and takes out of predictions what belongs to the padding.

    Its `padded_batch_size` is set by who uses it.

    Args:
      output_shape: a sequence, as long as there are outputs.
    """

    def __init__(self, output_shape: Any):
        self.padded_batch_size: Any = 0
        self.padding_mask: Any = array_ops.zeros(0)
        self.output_shape = output_shape

    def get_real_batch_size(self, dataset_batch: Any) -> Any:
        """How many samples a batch has, an int64 tensor.

        Raises:
          ValueError: nothing in it is a tensor.
        """
        if isinstance(dataset_batch, tuple | list):
            dataset_batch = dataset_batch[0]
        parts = nest.flatten(dataset_batch)
        assert parts
        first = next(filter(tensor_util.is_tensor, parts), None)
        if first is None:
            raise ValueError("Cannot find any Tensor in features dict.")
        return backend.cast(backend.shape(first)[0], dtype="int64")

    def update_mask(self, padding_mask: Any, dataset_batch: Any) -> Any:
        """A mask of samples that are meant, with those of one more batch."""
        real = self.get_real_batch_size(dataset_batch)
        padding = self.padded_batch_size - real
        own = backend.concatenate([array_ops.ones(real), array_ops.zeros(padding)], axis=0)
        return backend.concatenate([padding_mask, own], axis=0)

    def pad_batch(self, *dataset_batch_elements: Any) -> Any:
        """A full batch: zeros follow what there is."""
        padded = tuple(map(self._padded, dataset_batch_elements))
        return padded[0] if len(padded) == 1 else padded

    def _padded(self, part: Any) -> Any:
        if isinstance(part, dict):
            return {name: self._padded(value) for name, value in part.items()}
        rank = len(part.shape)
        assert rank > 0
        missing = self.padded_batch_size - self.get_real_batch_size(part)
        rows = backend.stack([[0, missing], *[[0, 0]] * (rank - 1)])
        return array_ops.pad(part, rows, "constant")

    def apply_mask(self, prediction_result: Any) -> Any:
        """Predictions without those for the padding."""
        mask = backend.get_value(self.padding_mask)
        assert mask.ndim == 1

        def meant(prediction: Any) -> Any:
            return np.take(prediction, np.nonzero(mask[: len(prediction)]), axis=0)

        if len(self.output_shape) != 1:
            count = range(len(self.output_shape))
            return [np.squeeze(meant(prediction_result[i])) for i in count]
        found = meant(prediction_result)
        return found[0] if found.shape[0] == 1 else found
