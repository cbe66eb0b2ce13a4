"""What eager training takes for its data: tensors, lists of numbers, datasets and generators."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.keras.engine import data_adapter
from tf1compat.core import context


def is_in_use(model: Any) -> bool:
    """Whether a model runs in the loop for eager execution."""
    return context.executing_eagerly() and model._experimental_run_tf_function


def _kind(x: Any) -> type[data_adapter.DataAdapter] | None:
    """What TF 1.15 has for such inputs, whatever their targets."""
    if x is None:
        return None
    return next((cls for cls in data_adapter.ALL_ADAPTER_CLS if cls.can_handle(x)), None)


def adapted(
    model: Any, x: Any, y: Any = None, sample_weight: Any = None, validation_split: Any = None
) -> tuple[Any, Any, Any]:
    """Data as arrays where they are lists of numbers.

    Nothing changes in graphs, nor for what the loop for eager execution does not handle.

    Args:
      model: the model.
      x, y, sample_weight: inputs, targets and weights of samples.
      validation_split: what part of the samples is for validation.

    Returns:
      The inputs, targets and weights.

    Raises:
      ValueError: there is no way to handle such inputs and targets together, they have their
        targets and weights themselves, or they cannot be split.
    """
    kind = _kind(x) if is_in_use(model) else None
    if kind is None:
        return x, y, sample_weight
    data_adapter.select_data_adapter(x, y)
    if kind in (data_adapter.TensorLikeDataAdapter, data_adapter.CompositeTensorDataAdapter):
        return x, y, sample_weight
    if validation_split and 0.0 < validation_split < 1.0:
        raise ValueError(
            "`validation_split` argument is not supported when data adapter is "
            f"<class 'tensorflow.python.keras.engine.data_adapter.{kind.__name__}'>. Received: "
            f"x={x}, validation_split={validation_split}"
        )
    if kind is data_adapter.ListsOfScalarsDataAdapter:
        given = (None if part is None else np.array(part) for part in (x, y, sample_weight))
        x, y, sample_weight = given
        x.shape[0]  # of a number alone an IndexError
    elif kind is not data_adapter.DatasetAdapter:
        is_sequence = kind is data_adapter.KerasSequenceAdapter
        source = "`keras.utils.Sequence`" if is_sequence else "python generator"
        for name, value in (("y", y), ("sample_weight", sample_weight)):
            if value is not None:
                raise ValueError(
                    f"`{name}` argument is not supported when using {source} as input."
                )
    return x, y, sample_weight
