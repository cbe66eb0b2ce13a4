"""The functions of `tf.contrib.metrics` that became functions of `tf.metrics`, and those that only
pass on what they are given.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import sets_impl
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, metrics_at_k, metrics_counts, metrics_impl
from tf1compat.api.metrics.metrics_at_k import _at_k_name
from tf1compat.api.nn import nn_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import Collections, DTypeLike, Name, TensorLike

_MODULE = "tensorflow.contrib.metrics.python.ops.metric_ops"
_SWITCHED = " Note that the order of the labels and predictions arguments has been switched."

# Name -> the function of `tf.metrics`, and what TF 1.15 says instead of it, if it is deprecated.
_RENAMED: dict[str, tuple[Callable[..., Any], str | None]] = {
    "streaming_accuracy": (metrics_impl.accuracy, "accuracy." + _SWITCHED),
    "streaming_auc": (metrics_counts.auc, "auc." + _SWITCHED),
    "streaming_false_negatives": (
        metrics_counts.false_negatives,
        "false_negatives." + _SWITCHED,
    ),
    "streaming_false_positives": (
        metrics_counts.false_positives,
        "false_positives." + _SWITCHED,
    ),
    "streaming_mean": (metrics_impl.mean, "mean"),
    "streaming_mean_absolute_error": (
        metrics_impl.mean_absolute_error,
        "mean_absolute_error." + _SWITCHED,
    ),
    "streaming_mean_iou": (metrics_impl.mean_iou, None),
    "streaming_mean_relative_error": (metrics_impl.mean_relative_error, None),
    "streaming_mean_squared_error": (
        metrics_impl.mean_squared_error,
        "mean_squared_error." + _SWITCHED,
    ),
    "streaming_mean_tensor": (metrics_impl.mean_tensor, "mean_tensor"),
    "streaming_percentage_less": (metrics_impl.percentage_below, None),
    "streaming_precision": (metrics_counts.precision, "precision." + _SWITCHED),
    "streaming_precision_at_thresholds": (
        metrics_counts.precision_at_thresholds,
        "precision_at_thresholds." + _SWITCHED.replace("has been", "are"),
    ),
    "streaming_recall": (metrics_counts.recall, "recall." + _SWITCHED),
    "streaming_recall_at_thresholds": (
        metrics_counts.recall_at_thresholds,
        "recall_at_thresholds." + _SWITCHED,
    ),
    "streaming_root_mean_squared_error": (
        metrics_impl.root_mean_squared_error,
        "root_mean_squared_error." + _SWITCHED,
    ),
    "streaming_sensitivity_at_specificity": (metrics_counts.sensitivity_at_specificity, None),
    "streaming_sparse_average_precision_at_k": (metrics_at_k.average_precision_at_k, None),
    "streaming_sparse_precision_at_k": (metrics_at_k.precision_at_k, None),
    "streaming_sparse_recall_at_k": (metrics_at_k.recall_at_k, None),
    "streaming_specificity_at_sensitivity": (metrics_counts.specificity_at_sensitivity, None),
    "streaming_true_negatives": (metrics_counts.true_negatives, "true_negatives." + _SWITCHED),
    "streaming_true_positives": (metrics_counts.true_positives, "true_positives." + _SWITCHED),
}
# Arguments that came later.
_NEWER = ("summation_method", "thresholds")


def _renamed(name: str, metric: Callable[..., Any], instead: str | None) -> Callable[..., Any]:
    """A metric with the predictions before the labels."""
    parameters = list(inspect.signature(metric).parameters.values())
    if parameters[0].name == "labels":
        parameters[:2] = parameters[1::-1]
    optional = [p for p in parameters if p.default is p.empty or p.name not in _NEWER]
    signature = inspect.Signature(optional)

    def call(*args: Any, **kwargs: Any) -> Any:
        return metric(**signature.bind(*args, **kwargs).arguments)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Old name of `tf.metrics.{metric.__name__}`: predictions before labels."
    call.__signature__ = signature  # type: ignore[attr-defined]
    if instead is not None:
        call = deprecated(None, f"Please switch to tf.metrics.{instead}", module=_MODULE)(call)
    return tf_export(f"contrib.metrics.{name}")(call)


globals().update({name: _renamed(name, *row) for name, row in _RENAMED.items()})

for _name in ("set_difference", "set_intersection", "set_size", "set_union"):
    export_constant(f"contrib.metrics.{_name}", getattr(sets_impl, _name))


@tf_export("contrib.metrics.confusion_matrix")
def _confusion_matrix(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
    weights: TensorLike | None = None,
) -> Any:
    """As `tf.confusion_matrix`.

    Args:
      labels, predictions, num_classes, dtype, name, weights: as in `tf.confusion_matrix`.

    Returns:
      As `tf.confusion_matrix`.
    """
    return confusion_matrix.confusion_matrix(labels, predictions, num_classes, weights, dtype, name)


@tf_export("contrib.metrics.streaming_recall_at_k")
@deprecated(
    "2016-11-08",
    "Please use `streaming_sparse_recall_at_k`, and reshape labels from [batch_size] to "
    "[batch_size, 1].",
    module=_MODULE,
)
def streaming_recall_at_k(
    predictions: TensorLike,
    labels: TensorLike,
    k: int,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Any:
    """How often the label is in the k best predictions.

    Args:
      predictions: float scores [batch, classes].
      labels: class numbers [batch].
      k: how many of the best are looked at.
      weights: a tensor that broadcasts to `labels`, or None for 1.
      metrics_collections, updates_collections: collections to add the value and the update to.
      name: the variable scope.

    Returns:
      (value, update_op), float32 scalars.
    """
    found = math_ops.cast(nn_ops.in_top_k(predictions, labels, k), dtypes.float32)
    name = name or _at_k_name("recall", k)
    return metrics_impl.mean(found, weights, metrics_collections, updates_collections, name)


@tf_export("contrib.metrics.streaming_sparse_precision_at_top_k")
def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any,
    labels: TensorLike,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Any:
    """As `tf.metrics.precision_at_top_k`.

    Args:
      top_k_predictions: int64 [..., k], the best classes.
      labels, class_id, weights, metrics_collections, updates_collections, name: as in
        `tf.metrics.precision_at_top_k`.

    Returns:
      As `tf.metrics.precision_at_top_k`.
    """
    default_name = _at_k_name("precision", class_id=class_id)
    with ops.name_scope(name, default_name, (top_k_predictions, labels, weights)) as scope:
        return metrics_at_k.precision_at_top_k(
            labels=labels,
            predictions_idx=top_k_predictions,
            class_id=class_id,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=scope,
        )


@tf_export("contrib.metrics.sparse_recall_at_top_k")
def sparse_recall_at_top_k(
    labels: TensorLike,
    top_k_predictions: Any,
    class_id: Any = None,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Any:
    """As `tf.metrics.recall_at_top_k`.

    Args:
      labels, class_id, weights, metrics_collections, updates_collections, name: as in
        `tf.metrics.recall_at_top_k`.
      top_k_predictions: int64 [..., k], the best classes.

    Returns:
      As `tf.metrics.recall_at_top_k`.
    """
    default_name = _at_k_name("recall", class_id=class_id)
    with ops.name_scope(name, default_name, (top_k_predictions, labels, weights)) as scope:
        return metrics_at_k.recall_at_top_k(
            labels=labels,
            predictions_idx=top_k_predictions,
            class_id=class_id,
            weights=weights,
            metrics_collections=metrics_collections,
            updates_collections=updates_collections,
            name=scope,
        )


@tf_export("contrib.metrics.streaming_sparse_average_precision_at_top_k")
def streaming_sparse_average_precision_at_top_k(
    top_k_predictions: Any,
    labels: TensorLike,
    weights: TensorLike | None = None,
    metrics_collections: Collections | None = None,
    updates_collections: Collections | None = None,
    name: str | None = None,
) -> Any:
    """As `tf.metrics.average_precision_at_k`, of the best predictions themselves.

    Args:
      top_k_predictions: int64 [..., k], the best classes.
      labels, weights, metrics_collections, updates_collections, name: as in
        `tf.metrics.average_precision_at_k`.

    Returns:
      As `tf.metrics.average_precision_at_k`.
    """
    return metrics_at_k._streaming_sparse_average_precision_at_top_k(
        predictions_idx=top_k_predictions,
        labels=labels,
        weights=weights,
        metrics_collections=metrics_collections,
        updates_collections=updates_collections,
        name=name,
    )
