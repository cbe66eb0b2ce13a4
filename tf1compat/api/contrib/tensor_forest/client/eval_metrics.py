"""Metrics of random forests, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.array_ops import one_hot
from tf1compat.api.array.shape_ops import squeeze
from tf1compat.api.array.slicing import slice as slice_op
from tf1compat.api.contrib.learn.estimators import prediction_key
from tf1compat.api.contrib.losses import loss_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_counts, metrics_impl
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export

INFERENCE_PROB_NAME = prediction_key.PredictionKey.PROBABILITIES
INFERENCE_PRED_NAME = prediction_key.PredictionKey.CLASSES
FEATURE_IMPORTANCE_NAME = "global_feature_importance"


def _top_k_generator(k: int) -> Callable[..., Any]:
    def _top_k(probabilities: Any, targets: Any) -> Any:
        targets = math_ops.cast(targets, dtypes.int32)
        if targets.get_shape().ndims > 1:
            targets = squeeze(targets, axis=[1])
        return metrics_impl.mean(nn_ops.in_top_k(probabilities, targets, k))

    return _top_k


def _of_labels(metric: Callable[..., Any]) -> Callable[..., Any]:
    """A metric of `tf.metrics` that takes predictions first."""

    def found(predictions: Any, targets: Any, weights: Any = None) -> Any:
        return metric(labels=targets, predictions=predictions, weights=weights)

    return found


def _of_second_class(metric: Callable[..., Any], **kwargs: Any) -> Callable[..., Any]:
    """A metric of `tf.metrics` of the second class's probability."""

    def found(predictions: Any, targets: Any, weights: Any = None) -> Any:
        second = slice_op(predictions, [0, 1], [-1, 1])
        return metric(labels=targets, predictions=second, weights=weights, **kwargs)

    return found


def _r2(probabilities: Any, targets: Any, weights: Any = None) -> Any:
    """The share of the targets' variance that predictions explain."""
    targets = math_ops.cast(targets, dtypes.float32)
    mean = math_ops.reduce_mean(targets, 0)
    total = math_ops.reduce_sum(math_ops.squared_difference(targets, mean), 0)
    left = math_ops.reduce_sum(math_ops.squared_difference(targets, probabilities), 0)
    score = 1 - math_ops.reduce_sum(left / total)
    return metrics_impl.mean(score, weights=weights)


def _squeeze_and_onehot(targets: Any, depth: Any) -> Any:
    targets = squeeze(targets, axis=[1])
    return one_hot(math_ops.cast(targets, dtypes.int32), depth)


def _of_classes(loss: Callable[..., Any]) -> Callable[..., Any]:
    """The mean of a loss of probabilities and one-hot targets."""

    def found(probabilities: Any, targets: Any, weights: Any = None) -> Any:
        classes = _squeeze_and_onehot(targets, array_ops.shape(probabilities)[1])
        return metrics_impl.mean(loss(probabilities, classes), weights=weights)

    return found


def _softmax_entropy(probabilities: Any, targets: Any, weights: Any = None) -> Any:
    targets = math_ops.cast(targets, dtypes.int32)
    loss = loss_ops.sparse_softmax_cross_entropy(probabilities, targets)
    return metrics_impl.mean(loss, weights=weights)


def _predictions(predictions: Any, unused_targets: Any, **unused_kwargs: Any) -> Any:
    return predictions


_THRESHOLDS = {"thresholds": np.arange(0, 1, 0.01, dtype=np.float32)}
_EVAL_METRICS: dict[str, Callable[..., Any]] = {
    "auc": _of_second_class(metrics_counts.auc),
    "sigmoid_entropy": _of_classes(loss_ops.sigmoid_cross_entropy),
    "softmax_entropy": _softmax_entropy,
    "accuracy": _of_labels(metrics_impl.accuracy),
    "r2": _r2,
    "predictions": _predictions,
    "classification_log_loss": _of_classes(loss_ops.log_loss),
    "precision": _of_labels(metrics_counts.precision),
    "precision_at_thresholds": _of_second_class(
        metrics_counts.precision_at_thresholds, **_THRESHOLDS
    ),
    "recall": _of_labels(metrics_counts.recall),
    "recall_at_thresholds": _of_second_class(metrics_counts.recall_at_thresholds, **_THRESHOLDS),
    "top_5": _top_k_generator(5),
}
_OF_CLASSES = ("accuracy", "predictions", "precision", "recall")
_PREDICTION_KEYS = {
    name: INFERENCE_PRED_NAME if name in _OF_CLASSES else INFERENCE_PROB_NAME
    for name in _EVAL_METRICS
} | {"r2": prediction_key.PredictionKey.SCORES}


@tf_export("contrib.tensor_forest.client.eval_metrics.get_metric")
def get_metric(metric_name: str) -> Callable[..., Any]:
    """The metric of a name, a function of predictions and targets.

    Args:
      metric_name: one of the names of this module's table.

    Returns:
      A function.

    Raises:
      KeyError: there is none.
    """
    return _EVAL_METRICS[metric_name]


@tf_export("contrib.tensor_forest.client.eval_metrics.get_prediction_key")
def get_prediction_key(metric_name: str) -> str:
    """The key of the predictions that a metric takes.

    Args:
      metric_name: one of the names of this module's table.

    Returns:
      A string.

    Raises:
      KeyError: there is no such metric.
    """
    return _PREDICTION_KEYS[metric_name]
