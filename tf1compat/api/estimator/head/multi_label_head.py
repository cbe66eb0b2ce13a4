"""`tf.estimator.MultiLabelHead`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name

_PREDICTIONS = [PredictionKeys.LOGITS, PredictionKeys.PROBABILITIES]


@tf_export("estimator.MultiLabelHead")
class MultiLabelHead(base_head.LogitsHead):
    """Any of several classes; the mean cross entropy of sigmoids.

    Args:
      n_classes: how many.
      weight_column: the feature that holds weights; None if all weigh the same.
      thresholds: numbers in (0, 1) at which accuracy, precision and recall are measured.
      label_vocabulary: the names of the classes.
      loss_reduction: "sum" or "sum_over_batch_size".
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      classes_for_class_based_metrics: numbers or names of classes that are measured by themselves.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, n_classes: int | None, weight_column: Any = None, thresholds: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: Any = base_head.SUM_OVER_BATCH_SIZE,
        loss_fn: Any = None, classes_for_class_based_metrics: Any = None, name: Name = None,
    ):  # fmt: skip
        if n_classes is None or n_classes < 2:
            raise ValueError(
                f"n_classes must be > 1 for multi-label classification. Given: {n_classes}"
            )
        self._thresholds = parts.check_thresholds(
            thresholds, lambda threshold: f"thresholds must be in (0, 1) range. Given: {threshold}"
        )
        parts.check_vocabulary(label_vocabulary, n_classes)
        base_head.validate_loss_fn_args(loss_fn)
        base_head.validate_loss_reduction(loss_reduction)
        self._classes_for_class_based_metrics = parts.class_ids_for_metrics(
            classes_for_class_based_metrics, n_classes, label_vocabulary
        )
        self._n_classes = n_classes
        self._label_vocabulary = label_vocabulary
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        return base_head.check_dense_labels_match_logits_and_reshape(
            self._indicators(labels), logits, self.logits_dimension
        )

    def _indicators(self, labels: Any) -> Any:
        """[D0, ..., DN, n_classes]: 1 for each class that an example has."""
        if labels is None:
            raise ValueError(base_head._LABEL_NONE_ERR_MSG)
        if not isinstance(labels, SparseTensor):
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            return base_head.check_label_range(labels, 2, message=message)
        if labels.dtype == dtypes.string:
            ids = parts.class_ids_of_names(labels.values, self._label_vocabulary)
            labels = SparseTensor(labels.indices, ids, labels.dense_shape)
            return math_ops.to_int64(sparse_ops.sparse_to_indicator(labels, self._n_classes))
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        message = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        checked = base_head.check_label_range(labels.values, self._n_classes, message=message)
        with ops.control_dependencies([checked]):
            indicators = sparse_ops.sparse_to_indicator(labels, self._n_classes)
        return math_ops.to_int64(indicators)

    def _losses(self, labels: Any, logits: Any) -> Any:
        unreduced = losses.sigmoid_cross_entropy(labels, logits, reduction=losses.Reduction.NONE)
        return math_ops.reduce_mean(unreduced, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """See `Head.predictions`."""
        base_head.check_prediction_keys(keys or (), _PREDICTIONS)
        keys = keys or _PREDICTIONS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            found = {PredictionKeys.LOGITS: logits} if PredictionKeys.LOGITS in keys else {}
            if PredictionKeys.PROBABILITIES in keys:
                found[PredictionKeys.PROBABILITIES] = math_ops.sigmoid(
                    logits, name=PredictionKeys.PROBABILITIES
                )
        return found

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = base_head.classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )
        return {base_head.DEFAULT_SERVING_KEY: output, base_head.CLASSIFY_SERVING_KEY: output}

    def _class_keys(self, class_id: int) -> list[str]:
        return [
            self._summary_key(key) for key in parts.class_keys(class_id, self._label_vocabulary)
        ]

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """See `Head.metrics`."""
        with ops.name_scope(None, "metrics", (regularization_losses,)):
            found: dict[str, Any] = {
                self._summary_key(MetricKeys.LOSS_MEAN): keras_metrics.Mean(
                    name=MetricKeys.LOSS_MEAN
                ),
                self._summary_key(MetricKeys.AUC): metrics_counts.AUC(name=MetricKeys.AUC),
                self._summary_key(MetricKeys.AUC_PR): metrics_counts.AUC(
                    curve="PR", name=MetricKeys.AUC_PR
                ),
            }
            if regularization_losses is not None:
                key = MetricKeys.LOSS_REGULARIZATION
                found[self._summary_key(key)] = keras_metrics.Mean(name=key)
            found.update(base_head.threshold_metrics(self._thresholds, self._summary_key))
            for class_id in self._classes_for_class_based_metrics:
                mean_key, auc_key, auc_pr_key = self._class_keys(class_id)
                found[mean_key] = keras_metrics.Mean(name=mean_key)
                found[auc_key] = metrics_counts.AUC(name=auc_key)
                found[auc_pr_key] = metrics_counts.AUC(curve="PR", name=auc_pr_key)
        return found

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        unreduced, weights = self._unweighted_loss_and_weights(logits, labels, features)
        key = PredictionKeys.PROBABILITIES
        probabilities = self.predictions(logits, [key])[key]
        eval_metrics[self._summary_key(MetricKeys.LOSS_MEAN)].update_state(
            values=unreduced, sample_weight=weights
        )

        def update(keys: list[str], labels: Any, probabilities: Any) -> None:
            for key in keys:
                eval_metrics[key].update_state(
                    y_true=labels, y_pred=probabilities, sample_weight=weights
                )

        areas = [self._summary_key(key) for key in (MetricKeys.AUC, MetricKeys.AUC_PR)]
        update(areas, labels, probabilities)
        self._update_regularization(eval_metrics, regularization_losses)
        thresholds = base_head.threshold_keys(self._thresholds, self._summary_key)
        update(thresholds, labels, probabilities)
        for class_id in self._classes_for_class_based_metrics:
            mean_key, *areas = self._class_keys(class_id)
            its_probabilities, its_labels = parts.of_class(class_id, probabilities, labels)
            base_head.update_metric_with_broadcast_weights(
                eval_metrics[mean_key], its_probabilities, weights
            )
            update(areas, its_labels, its_probabilities)
        return eval_metrics
