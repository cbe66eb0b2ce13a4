"""Batch normalization as in TF 2 (`tensorflow.python.keras.layers.normalization_v2`): a layer that
is not trainable normalises by the moving averages."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras.layers import normalization
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export


@tf_export("compat.v2.keras.layers.BatchNormalization")
class BatchNormalization(normalization.BatchNormalization):
    """As `tf.keras.layers.BatchNormalization`; what can't be fused is refused if it is asked for.

    Raises:
      ValueError: `fused=True` doesn't go with another argument, or with the inputs.
    """

    _USE_V2_BEHAVIOR = True

    def _first_fused(self, fused: bool | None) -> bool | None:
        if fused:
            self._raise_if_fused_cannot_be_used()
        return False if fused is None and not self._fused_can_be_used() else fused

    def _settled_fused(self, rank: int) -> bool:
        if self.fused and rank != 4:
            raise ValueError(
                "Batch normalization layers with fused=True only support 4D input tensors."
            )
        return rank == 4

    def _get_training_value(self, training: Any = None) -> Any:
        training = super()._get_training_value(training)
        training = bool(training) if isinstance(training, int) else training
        return math_ops.logical_and(training, self.trainable)
