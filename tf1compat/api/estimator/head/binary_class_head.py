"""The head of two classes (`tensorflow_estimator.python.estimator.head.binary_class_head`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_impl as nn
from tf1compat.core.export import tf_export


@tf_export("estimator.BinaryClassHead")
class BinaryClassHead(base_head.ClassHead):
    """One of two classes.

    Args:
      weight_column: the feature that holds the examples' weights.
      thresholds: probabilities at which accuracy, precision and recall are measured too.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features, instead of cross entropy.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
        loss_reduction: Any = ReductionV2.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
        name: Any = None,
    ):  # fmt: skip
        base_head.validate_vocabulary_type(label_vocabulary)
        thresholds = tuple(thresholds or ())
        self._thresholds = parts.check_thresholds(
            thresholds, lambda _: f"thresholds not in (0, 1): {(thresholds,)}."
        )
        self._label_vocabulary = label_vocabulary
        super().__init__(1, weight_column, loss_reduction, loss_fn, name)

    def _n(self) -> int:
        return 2

    def _own_predictions(self, logits: Any) -> dict[str, Callable[[], Any]]:
        key = PredictionKeys.LOGISTIC
        return {key: lambda: math_ops.sigmoid(logits, name=key)}

    def _class_logits(self, logits: Any) -> Any:
        zeros = array_ops.zeros_like(logits)
        return array_ops.concat((zeros, logits), axis=-1, name="two_class_logits")

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        value = predictions[PredictionKeys.LOGISTIC]
        output = export_output.RegressionOutput(value=value)
        return {**super()._exports(predictions), base_head.REGRESS_SERVING_KEY: output}

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        labels = base_head.check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = parts.class_ids_of_names(labels, self._label_vocabulary)
        return base_head.check_label_range(math_ops.to_float(labels), n_classes=2)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _metrics(self, regularized: bool) -> dict[str, Any]:
        keys, mean = MetricKeys, keras_metrics.Mean
        kinds = (
            (keys.LOSS_MEAN, mean), (keys.ACCURACY, keras_metrics.Accuracy),
            (keys.PRECISION, metrics_counts.Precision), (keys.RECALL, metrics_counts.Recall),
            (keys.PREDICTION_MEAN, mean), (keys.LABEL_MEAN, mean), (keys.ACCURACY_BASELINE, mean),
            (keys.AUC, metrics_counts.AUC),
        )  # fmt: skip
        made = {key: kind(name=key) for key, kind in kinds}
        made[keys.AUC_PR] = metrics_counts.AUC(curve="PR", name=keys.AUC_PR)
        made.update(self._of_regularization(regularized))
        made.update(base_head.threshold_metrics(self._thresholds, self._summary_key))
        return made

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account; see `Head.update_metrics`."""
        keys = MetricKeys
        ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        logits, labels, losses, weights = self._checked(logits, labels, features)

        def metric(key: str) -> Any:
            return eval_metrics[self._summary_key(key)]

        metric(keys.LOSS_MEAN).update_state(values=losses, sample_weight=weights)
        for key in (keys.ACCURACY, keys.PRECISION, keys.RECALL):
            metric(key).update_state(y_true=labels, y_pred=ids, sample_weight=weights)
        logistic = self.predictions(logits, [PredictionKeys.LOGISTIC])[PredictionKeys.LOGISTIC]
        for key, values in ((keys.PREDICTION_MEAN, logistic), (keys.LABEL_MEAN, labels)):
            base_head.update_metric_with_broadcast_weights(metric(key), values, weights)
        _follow(metric(keys.ACCURACY_BASELINE), metric(keys.LABEL_MEAN))
        for key in (keys.AUC, keys.AUC_PR):
            said = math_ops.to_float(logistic)
            each = weights
            if weights is not None:
                each = weights_broadcast_ops.broadcast_weights(weights, said)
            metric(key).update_state(y_true=labels, y_pred=said, sample_weight=each)
        self._note_regularization(eval_metrics, regularization_losses)
        for threshold in self._thresholds:
            for key in (
                keys.ACCURACY_AT_THRESHOLD, keys.PRECISION_AT_THRESHOLD, keys.RECALL_AT_THRESHOLD,
            ):  # fmt: skip
                metric(key % threshold).update_state(
                    y_true=labels, y_pred=logistic, sample_weight=weights
                )
        return eval_metrics


def _follow(baseline: Any, label_mean: Any) -> None:
    """Has the accuracy of who always says the more frequent class follow from the labels' mean."""
    baseline._updates = [control_flow_ops.no_op()]
    baseline.total = math_ops.maximum(label_mean.total, label_mean.count - label_mean.total)
    baseline.count = label_mean.count
