"""`tensorflow.contrib.learn.python.learn.preprocessing.categorical`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.contrib.learn.preprocessing.categorical_vocabulary import CategoricalVocabulary
from tf1compat.api.estimator.inputs.queues.feeding_functions import is_data_frame
from tf1compat.api.util.deprecation import deprecated


class CategoricalProcessor:
    """Rows of categories as rows of numbers, a vocabulary for each column.

    Args:
      min_frequency: categories met no more often are unknown.
      share: whether all columns share a vocabulary.
      vocabularies: `CategoricalVocabulary`s.
    """

    @deprecated(None, "Please use tensorflow/transform or tf.data for sequence processing.")
    def __init__(self, min_frequency: int = 0, share: bool = False, vocabularies: Any = None):
        self.min_frequency = min_frequency
        self.share = share
        self.vocabularies_ = vocabularies

    def freeze(self, freeze: bool = True) -> None:
        """Says whether new categories are unknown from now on."""
        for vocabulary in self.vocabularies_:
            vocabulary.freeze(freeze)

    def fit(self, x: Any, unused_y: Any = None) -> CategoricalProcessor:
        """Learns the categories of rows; NaN is none."""
        for row in _rows(x):
            if self.vocabularies_ is None:
                count = 1 if self.share else len(row)
                made = [CategoricalVocabulary() for _ in range(count)]
                self.vocabularies_ = made * len(row) if self.share else made
            for vocabulary, value in zip(self.vocabularies_, row, strict=False):
                if not _is_nan(value):
                    vocabulary.add(value)
        if self.min_frequency > 0:
            for vocabulary in self.vocabularies_:
                vocabulary.trim(self.min_frequency)
        self.freeze()
        return self

    def fit_transform(self, x: Any, unused_y: Any = None) -> Iterator[np.ndarray]:
        """Learns the categories of rows, and turns these into numbers."""
        self.fit(x)
        return self.transform(x)

    def transform(self, x: Any) -> Iterator[np.ndarray]:
        """The numbers of rows: int64, 0 for NaN and what is unknown."""
        self.freeze()
        for row in _rows(x):
            numbers = [
                0 if _is_nan(value) else vocabulary.get(value)
                for vocabulary, value in zip(self.vocabularies_, row, strict=False)
            ]
            yield np.array(numbers, dtype=np.int64)


def _rows(x: Any) -> Any:
    return x.to_numpy() if is_data_frame(x) else x


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and value != value
