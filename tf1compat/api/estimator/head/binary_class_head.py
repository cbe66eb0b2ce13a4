"""`tf.estimator.BinaryClassHead`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_impl as nn
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_PREDICTIONS = [
    PredictionKeys.LOGITS,
    PredictionKeys.LOGISTIC,
    PredictionKeys.PROBABILITIES,
    PredictionKeys.CLASS_IDS,
    PredictionKeys.CLASSES,
    PredictionKeys.ALL_CLASS_IDS,
    PredictionKeys.ALL_CLASSES,
]


@tf_export("estimator.BinaryClassHead")
class BinaryClassHead(base_head.LogitsHead):
    """One of two classes; the cross entropy of a sigmoid.

    Args:
      weight_column: the feature that holds weights; None if all weigh the same.
      thresholds: numbers in (0, 1) at which accuracy, precision and recall are measured.
      label_vocabulary: the names of the classes; labels are 0 and 1 if there are none.
      loss_reduction: "sum" or "sum_over_batch_size".
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, weight_column: Any = None, thresholds: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: Any = base_head.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
        name: Name = None,
    ):  # fmt: skip
        base_head.check_vocabulary_is_list(label_vocabulary)
        thresholds = tuple(thresholds or ())
        parts.check_thresholds(thresholds, lambda _: f"thresholds not in (0, 1): {(thresholds,)}.")
        base_head.validate_loss_reduction(loss_reduction)
        base_head.validate_loss_fn_args(loss_fn)
        self._thresholds = thresholds
        self._label_vocabulary = label_vocabulary
        super().__init__(1, weight_column, loss_reduction, loss_fn, name)

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        labels = base_head.check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = parts.class_ids_of_names(labels, self._label_vocabulary)
        return base_head.check_label_range(math_ops.to_float(labels), 2)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """See `Head.predictions`."""
        base_head.check_prediction_keys(keys or (), _PREDICTIONS)
        keys = keys or _PREDICTIONS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        found = {}
        with ops.name_scope(None, "predictions", (logits,)):
            if PredictionKeys.LOGITS in keys:
                found[PredictionKeys.LOGITS] = logits
            if PredictionKeys.LOGISTIC in keys:
                found[PredictionKeys.LOGISTIC] = math_ops.sigmoid(
                    logits, name=PredictionKeys.LOGISTIC
                )
            of_both = (array_ops.zeros_like(logits), logits)
            of_both = array_ops.concat(of_both, axis=-1, name="two_class_logits")
            found.update(
                base_head.class_predictions(of_both, logits, 2, self._label_vocabulary, keys)
            )
        return found

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = base_head.classification_output(
            predictions[PredictionKeys.PROBABILITIES], 2, self._label_vocabulary
        )
        return {
            base_head.DEFAULT_SERVING_KEY: output,
            base_head.CLASSIFY_SERVING_KEY: output,
            base_head.REGRESS_SERVING_KEY: export_output.RegressionOutput(
                value=predictions[PredictionKeys.LOGISTIC]
            ),
        }

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """See `Head.metrics`."""
        made: list[tuple[str, Any]] = [
            (MetricKeys.LOSS_MEAN, keras_metrics.Mean),
            (MetricKeys.ACCURACY, keras_metrics.Accuracy),
            (MetricKeys.PRECISION, metrics_counts.Precision),
            (MetricKeys.RECALL, metrics_counts.Recall),
            (MetricKeys.PREDICTION_MEAN, keras_metrics.Mean),
            (MetricKeys.LABEL_MEAN, keras_metrics.Mean),
            (MetricKeys.ACCURACY_BASELINE, keras_metrics.Mean),
            (MetricKeys.AUC, metrics_counts.AUC),
            (MetricKeys.AUC_PR, lambda name: metrics_counts.AUC(curve="PR", name=name)),
        ]
        if regularization_losses is not None:
            made.append((MetricKeys.LOSS_REGULARIZATION, keras_metrics.Mean))
        with ops.name_scope(None, "metrics", (regularization_losses,)):
            found = {self._summary_key(key): metric(name=key) for key, metric in made}
            found.update(base_head.threshold_metrics(self._thresholds, self._summary_key))
        return found

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        unreduced, weights = self._unweighted_loss_and_weights(logits, labels, features)

        def metric(key: str) -> Any:
            return eval_metrics[self._summary_key(key)]

        metric(MetricKeys.LOSS_MEAN).update_state(values=unreduced, sample_weight=weights)
        for key in (MetricKeys.ACCURACY, MetricKeys.PRECISION, MetricKeys.RECALL):
            metric(key).update_state(y_true=labels, y_pred=ids, sample_weight=weights)
        logistic = self.predictions(logits, [PredictionKeys.LOGISTIC])[PredictionKeys.LOGISTIC]
        for key, values in (
            (MetricKeys.PREDICTION_MEAN, logistic),
            (MetricKeys.LABEL_MEAN, labels),
        ):
            base_head.update_metric_with_broadcast_weights(metric(key), values, weights)
        _count_more_frequent(metric(MetricKeys.LABEL_MEAN), metric(MetricKeys.ACCURACY_BASELINE))
        for key in (MetricKeys.AUC, MetricKeys.AUC_PR):
            predicted = math_ops.to_float(logistic)
            of_each = weights
            if weights is not None:
                of_each = weights_broadcast_ops.broadcast_weights(weights, predicted)
            metric(key).update_state(y_true=labels, y_pred=predicted, sample_weight=of_each)
        self._update_regularization(eval_metrics, regularization_losses)
        for key in base_head.threshold_keys(self._thresholds, self._summary_key):
            eval_metrics[key].update_state(y_true=labels, y_pred=logistic, sample_weight=weights)
        return eval_metrics


def _count_more_frequent(label_mean: Any, baseline: Any) -> None:
    """Makes a mean the share of the more frequent class, which another one counts."""
    baseline._updates = [control_flow_ops.no_op()]
    baseline.total = math_ops.maximum(label_mean.total, label_mean.count - label_mean.total)
    baseline.count = label_mean.count
