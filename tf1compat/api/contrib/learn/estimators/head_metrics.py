"""The metrics of `head`: each gives (its value, its update)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_counts, metrics_impl, weights_broadcast_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import dtypes, ops


def _float_or_none(weights: Any) -> Any:
    if weights is None:
        return None
    with ops.name_scope(None, "float_weights", (weights,)) as name:
        return math_ops.cast(weights, dtypes.float32, name=name)


def _of_class(values: Any, weights: Any, class_id: int | None) -> tuple[Any, Any]:
    """Weights of the values' shape; those of one class, if one is meant."""
    weights = _float_or_none(weights)
    if weights is not None:
        weights = weights_broadcast_ops.broadcast_weights(weights, values)
        if class_id is not None:
            weights = weights[:, class_id]
    return (values if class_id is None else values[:, class_id]), weights


def mean(values: Any, weights: Any = None, class_id: int | None = None) -> Any:
    """The mean of predictions or labels."""
    values = math_ops.cast(values, dtypes.float32)
    return metrics_impl.mean(*_of_class(values, weights, class_id))


def share(classes: Any, weights: Any, class_id: int) -> Any:
    """How many of some class ids are `class_id`."""
    wanted = math_ops.cast(class_id, dtypes.int32)
    same = math_ops.equal(wanted, math_ops.cast(classes, dtypes.int32))
    hits = array_ops.where(same, array_ops.ones_like(classes), array_ops.zeros_like(classes))
    return metrics_impl.mean(hits, weights=weights)


def auc(
    predictions: Any, labels: Any, weights: Any, class_id: int | None = None, curve: str = "ROC"
) -> Any:
    """The area under a curve."""
    predictions = math_ops.cast(predictions, dtypes.float32)
    if labels.dtype.base_dtype != dtypes.bool:
        logging.warning("Casting %s labels to bool.", labels.dtype)
        labels = math_ops.cast(labels, dtypes.bool)
    predictions, weights = _of_class(predictions, weights, class_id)
    if class_id is not None:
        labels = labels[:, class_id]
    return metrics_counts.auc(labels, predictions, weights, curve=curve)


def accuracy_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    """The accuracy of what is above a threshold."""
    above = math_ops.cast(math_ops.greater_equal(predictions, threshold), dtypes.float32)
    return metrics_impl.accuracy(labels, above, weights)


def _at(metric: Any, predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    value, update = metric(labels, predictions, (threshold,), _float_or_none(weights))
    return array_ops.squeeze(value), array_ops.squeeze(update)


def precision_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    """The precision of what is above a threshold."""
    metric = metrics_counts.precision_at_thresholds
    return _at(metric, predictions, labels, weights, threshold)


def recall_at(predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    """The recall of what is above a threshold."""
    return _at(metrics_counts.recall_at_thresholds, predictions, labels, weights, threshold)
