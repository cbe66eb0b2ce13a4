"""`tf.ragged.RaggedTensorValue`: the value of a ragged tensor, in NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("ragged.RaggedTensorValue")
class RaggedTensorValue:
    """What `Session.run` gives for a ragged tensor (as in TF 1.15).

    Args:
      values: a NumPy array or a RaggedTensorValue: the rows, one after another.
      row_splits: int32 or int64, shape [rows + 1]: row `i` is `values[row_splits[i] :
        row_splits[i + 1]]`.

    Raises:
      TypeError, ValueError: they are no such arrays.
    """

    def __init__(self, values: Any, row_splits: TensorLike):
        if not (
            isinstance(row_splits, np.ndarray | np.generic)
            and row_splits.dtype in (np.int64, np.int32)
            and row_splits.ndim == 1
        ):
            raise TypeError("row_splits must be a 1D int32 or int64 numpy array")
        if not isinstance(values, np.ndarray | np.generic | RaggedTensorValue):
            raise TypeError("values must be a numpy array or a RaggedTensorValue")
        if isinstance(values, RaggedTensorValue) and row_splits.dtype != values.row_splits.dtype:
            raise ValueError("row_splits and values.row_splits must have the same dtype")
        self._values: Any = values
        self._row_splits: Any = row_splits

    values = attribute("_values", "The rows, one after another: an array or a RaggedTensorValue.")
    row_splits = attribute("_row_splits", "Where the rows start and end.")
    dtype = attribute("_values.dtype", "The NumPy dtype of the values.")

    @property
    def flat_values(self) -> Any:
        """The array of all values."""
        values = self._values
        return values.flat_values if isinstance(values, RaggedTensorValue) else values

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The row splits of each ragged dimension, the outermost first."""
        values = self._values
        inner = values.nested_row_splits if isinstance(values, RaggedTensorValue) else ()
        return (self._row_splits, *inner)

    @property
    def ragged_rank(self) -> int:
        """How many dimensions are ragged."""
        return len(self.nested_row_splits)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The shape; None for what differs from row to row."""
        return (self._row_splits.shape[0] - 1, None, *self._values.shape[1:])

    def __str__(self) -> str:
        return f"<tf.RaggedTensorValue {self.to_list()}>"

    def __repr__(self) -> str:
        return f"tf.RaggedTensorValue(values={self._values!r}, row_splits={self._row_splits!r})"

    def to_list(self) -> list[Any]:
        """The values as nested lists."""
        values = self._values
        rows = values.to_list() if isinstance(values, RaggedTensorValue) else values.tolist()
        limits = self._row_splits.tolist()
        return [rows[start:limit] for start, limit in zip(limits, limits[1:])]
