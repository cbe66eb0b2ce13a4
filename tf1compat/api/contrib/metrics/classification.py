"""`tf.contrib.metrics.accuracy` of one batch, and the F1 score."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics.metrics_counts import _confusion_matrix_at_thresholds, _even_thresholds
from tf1compat.api.metrics.metrics_impl import _remove_squeezable_dimensions, collected
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike

_EPSILON = 1e-7


@tf_export("contrib.metrics.accuracy")
def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Tensor:
    """How many predictions of a batch are the labels.

    Args:
      predictions, labels: tensors of one shape, integers, booleans or strings.
      weights: a float tensor that broadcasts to them, or None for 1.
      name: the name scope.

    Returns:
      A float32 scalar.

    Raises:
      ValueError: types don't go together.
    """
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            "Dtypes of predictions and labels should match. Given: predictions "
            f"({predictions.dtype!r}) and labels ({labels.dtype!r})"
        )
    with ops.name_scope(name, "accuracy", values=[predictions, labels]):
        is_correct = math_ops.cast(math_ops.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return math_ops.reduce_mean(is_correct)
        is_correct = math_ops.multiply(is_correct, weights)
        number = math_ops.multiply(weights, array_ops.ones_like(is_correct))
        return math_ops.div(math_ops.reduce_sum(is_correct), math_ops.reduce_sum(number))


@tf_export("contrib.metrics.f1_score")
def f1_score(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike | None = None,
    num_thresholds: int = 200,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The best harmonic mean of precision and recall over many thresholds.

    Args:
      labels: a tensor, cast to bool.
      predictions: a float tensor of its shape, in [0, 1].
      weights: a tensor that broadcasts to `predictions`, or None for 1.
      num_thresholds: how many thresholds are tried.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.
    """
    with variable_scope.variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = _remove_squeezable_dimensions(
            predictions=predictions, labels=labels, weights=weights
        )
        values, updates = _confusion_matrix_at_thresholds(
            labels,
            predictions,
            _even_thresholds(num_thresholds),
            weights,
            includes=("tp", "fp", "fn"),
        )

        def best(counts: dict[str, Any], name: str) -> Tensor:
            tp, fp, fn = (counts[key] for key in ("tp", "fp", "fn"))
            precision = math_ops.div(tp, _EPSILON + tp + fp, name=f"precision_{name}")
            recall = math_ops.div(tp, _EPSILON + tp + fn, name=f"recall_{name}")
            return math_ops.reduce_max(2.0 * precision * recall / (precision + recall + _EPSILON))

        value, update_op = best(values, "value"), best(updates, "update")
        return collected(value, update_op, metrics_collections, updates_collections)
