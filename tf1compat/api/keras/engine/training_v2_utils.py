"""Single batches in eager execution (`tensorflow.python.keras.engine.training_v2_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import training_eager, training_utils
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, nest


def _on_batch(run: Any, model: Any, data: tuple[Any, Any, Any], reset_metrics: bool) -> Any:
    x, y, weights = data
    size = array_ops.shape(nest.flatten(x, expand_composites=True)[0])[0]
    outputs = run(model, x, y, weights)
    if reset_metrics:
        model.reset_metrics()
    return {**outputs, "batch_size": math_ops.cast(size, dtypes.int64)}


def train_on_batch(
    model: Any,
    x: Any,
    y: Any = None,
    sample_weight: Any = None,
    class_weight: Any = None,
    reset_metrics: bool = True,
) -> dict[str, Any]:
    """Trains a model with a batch.

    Args:
      model: a compiled model.
      x, y, sample_weight, class_weight: as in `Model.train_on_batch`.
      reset_metrics: whether the metrics begin anew afterwards.

    Returns:
      What `training_eager.train_on_batch` does, and the "batch_size".
    """
    data = model._standardize_user_data(
        x, y, sample_weight=sample_weight, class_weight=class_weight
    )
    return _on_batch(training_eager.train_on_batch, model, data, reset_metrics)


def test_on_batch(
    model: Any, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True
) -> dict[str, Any]:
    """Tests a model with a batch.

    Args:
      model, x, y, sample_weight, reset_metrics: see `train_on_batch`.

    Returns:
      As `train_on_batch`.
    """
    data = model._standardize_user_data(x, y, sample_weight=sample_weight)
    return _on_batch(training_eager.test_on_batch, model, data, reset_metrics)


def predict_on_batch(model: Any, x: Any) -> Any:
    """What a model gives for a batch.

    Args:
      model: the model.
      x: as in `Model.predict_on_batch`.

    Returns:
      Its outputs, as tensors.
    """
    inputs, _, _ = model._standardize_user_data(x)
    inputs = training_utils.cast_if_floating_dtype(inputs)
    if isinstance(inputs, list | tuple) and len(inputs) == 1:
        inputs = inputs[0]
    with backend.eager_learning_phase_scope(0):
        return model(inputs)
