"""`Normalization` in TF 1's graphs
(`tensorflow.python.keras.layers.preprocessing.normalization_v1`)."""

from __future__ import annotations

from tf1compat.api.keras.engine import base_preprocessing_layer_v1
from tf1compat.api.keras.layers.preprocessing import normalization


class Normalization(
    normalization.Normalization, base_preprocessing_layer_v1.CombinerPreprocessingLayer
):
    """`Normalization` that is adapted in Keras's session."""
