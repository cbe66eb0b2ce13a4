"""`tensorflow.contrib.learn.python.learn.estimators.logistic_regressor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.learn.estimators import estimator
from tf1compat.api.contrib.learn.estimators import model_fn as model_fn_lib
from tf1compat.api.contrib.learn.estimators.constants import ProblemType
from tf1compat.api.contrib.learn.estimators.metric_key import MetricKey
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.export import find, tf_export


@tf_export("contrib.learn.LogisticRegressor")
def LogisticRegressor(
    model_fn: Callable[..., Any], thresholds: Any = None, model_dir: str | None = None,
    config: Any = None,
    feature_engineering_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """An estimator of probabilities, with their metrics.

    Args:
      model_fn: a function of features, labels and mode that gives predictions, loss and train_op.
      thresholds: the probabilities from which on a prediction counts as 1; 0.5 by default.
      model_dir, config, feature_engineering_fn: see `Estimator`.

    Returns:
      A `tf.contrib.learn.Estimator`.
    """

    def with_metrics(features: Any, labels: Any, mode: Any, params: Any) -> Any:
        levels = params.get("thresholds") or [0.5]
        predictions, loss, train_op = model_fn(features, labels, mode)
        metrics = None
        if mode == model_fn_lib.ModeKeys.EVAL:
            metrics = _make_logistic_eval_metric_ops(labels, predictions, levels)
        output = (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})
        return model_fn_lib.ModelFnOps(
            mode=mode, predictions=predictions, loss=loss, train_op=train_op,
            eval_metric_ops=metrics, output_alternatives={"head": output},
        )  # fmt: skip

    return estimator.Estimator(
        model_fn=with_metrics, model_dir=model_dir, config=config,
        params={"thresholds": thresholds}, feature_engineering_fn=feature_engineering_fn,
    )  # fmt: skip


def _make_logistic_eval_metric_ops(
    labels: Any, predictions: Any, thresholds: Any
) -> dict[str, Any]:
    if isinstance(labels, dict) and len(labels) == 1:
        labels = next(iter(labels.values()))
    streaming = {
        name: find(f"contrib.metrics.streaming_{name}")
        for name in ("mean", "auc", "accuracy", "precision", "recall")
    }
    metrics = {
        MetricKey.PREDICTION_MEAN: streaming["mean"](predictions),
        MetricKey.LABEL_MEAN: streaming["mean"](labels),
        MetricKey.ACCURACY_BASELINE: streaming["mean"](labels),
        MetricKey.AUC: streaming["auc"](labels=labels, predictions=predictions),
    }
    for level in thresholds:
        chosen = math_ops.cast(
            math_ops.greater_equal(predictions, level), dtypes.float32,
            name=f"predictions_at_threshold_{level:f}",
        )  # fmt: skip
        for key, name in (
            (MetricKey.ACCURACY_MEAN, "accuracy"),
            (MetricKey.PRECISION_MEAN, "precision"),
            (MetricKey.RECALL_MEAN, "recall"),
        ):
            metrics[key % level] = streaming[name](labels=labels, predictions=chosen)
    return metrics
