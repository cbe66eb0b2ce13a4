"""The head of sets of classes (`tensorflow_estimator.python.estimator.head.multi_label_head`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.losses import losses_impl
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor


@tf_export("estimator.MultiLabelHead")
class MultiLabelHead(base_head.SingleHead):
    """Any number of classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      thresholds: probabilities at which accuracy, precision and recall are measured too.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features, instead of cross entropy.
      classes_for_class_based_metrics: classes, by number or name, that are also measured alone.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, n_classes: Any, weight_column: Any = None, thresholds: Any = None,
        label_vocabulary: Any = None, loss_reduction: Any = ReductionV2.SUM_OVER_BATCH_SIZE,
        loss_fn: Any = None, classes_for_class_based_metrics: Any = None, name: Any = None,
    ):  # fmt: skip
        if n_classes is None or n_classes < 2:
            raise ValueError(
                f"n_classes must be > 1 for multi-label classification. Given: {n_classes}"
            )
        self._thresholds = parts.check_thresholds(
            thresholds, lambda threshold: f"thresholds must be in (0, 1) range. Given: {threshold}"
        )
        parts.check_vocabulary(label_vocabulary, n_classes)
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)
        self._n_classes = n_classes
        self._label_vocabulary = label_vocabulary
        self._classes_for_class_based_metrics = parts.class_ids_for_metrics(
            classes_for_class_based_metrics, n_classes, label_vocabulary
        )

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        if labels is None:
            raise ValueError(base_head._LABEL_NONE_ERR_MSG)
        if isinstance(labels, SparseTensor):
            labels = math_ops.to_int64(self._indicators(labels))
        else:
            labels = base_head.check_label_range(
                labels, 2, "labels must be an integer indicator Tensor with values in [0, 1]"
            )
        return base_head.check_dense_labels_match_logits_and_reshape(
            labels, logits, self.logits_dimension
        )

    def _indicators(self, labels: Any) -> Any:
        """bool [D0, ..., DN, n_classes]: whether each class is in the list of an example."""
        values = labels.values
        if labels.dtype == dtypes.string:
            ids = parts.class_ids_of_names(values, self._label_vocabulary)
            labels = SparseTensor(
                indices=labels.indices, values=ids, dense_shape=labels.dense_shape
            )
            return sparse_ops.sparse_to_indicator(labels, self._n_classes)
        if not values.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {values.dtype}.")
        checked = base_head.check_label_range(
            values, self._n_classes,
            f"labels must be an integer SparseTensor with values in [0, {self._n_classes})",
        )  # fmt: skip
        with ops.control_dependencies([checked]):
            return sparse_ops.sparse_to_indicator(labels, self._n_classes)

    def _losses(self, labels: Any, logits: Any) -> Any:
        unreduced = losses_impl.sigmoid_cross_entropy(
            multi_class_labels=labels, logits=logits, reduction=losses_impl.Reduction.NONE
        )
        return math_ops.reduce_mean(unreduced, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """The predictions; see `Head.predictions`.

        Raises:
          ValueError: there is no such key.
        """
        valid = [PredictionKeys.LOGITS, PredictionKeys.PROBABILITIES]
        base_head.check_prediction_keys(keys or (), valid)
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        found = {PredictionKeys.LOGITS: logits}
        key = PredictionKeys.PROBABILITIES
        with ops.name_scope("predictions"):
            if key in (keys or valid):
                found[key] = math_ops.sigmoid(logits, name=key)
        return {name: found[name] for name in valid if name in (keys or valid)}

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = base_head.classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )
        return {base_head.DEFAULT_SERVING_KEY: output, base_head.CLASSIFY_SERVING_KEY: output}

    def _metrics(self, regularized: bool) -> dict[str, Any]:
        keys, auc = MetricKeys, metrics_counts.AUC
        made: dict[str, Any] = {
            keys.LOSS_MEAN: keras_metrics.Mean(name=keys.LOSS_MEAN),
            keys.AUC: auc(name=keys.AUC),
            keys.AUC_PR: auc(curve="PR", name=keys.AUC_PR),
            **self._of_regularization(regularized),
            **base_head.threshold_metrics(self._thresholds, self._summary_key),
        }
        for class_id in self._classes_for_class_based_metrics:
            mean, area, area_pr = parts.class_keys(class_id, self._label_vocabulary)
            made[mean] = keras_metrics.Mean(name=self._summary_key(mean))
            made[area] = auc(name=self._summary_key(area))
            made[area_pr] = auc(curve="PR", name=self._summary_key(area_pr))
        return made

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account; see `Head.update_metrics`."""
        keys = MetricKeys
        logits, labels, losses, weights = self._checked(logits, labels, features)
        key = PredictionKeys.PROBABILITIES
        probabilities = self.predictions(logits, [key])[key]

        def metric(key: str) -> Any:
            return eval_metrics[self._summary_key(key)]

        def compare(keys: Any, labels: Any, probabilities: Any) -> None:
            for key in keys:
                metric(key).update_state(y_true=labels, y_pred=probabilities, sample_weight=weights)

        metric(keys.LOSS_MEAN).update_state(values=losses, sample_weight=weights)
        compare((keys.AUC, keys.AUC_PR), labels, probabilities)
        self._note_regularization(eval_metrics, regularization_losses)
        at = (keys.ACCURACY_AT_THRESHOLD, keys.PRECISION_AT_THRESHOLD, keys.RECALL_AT_THRESHOLD)
        for threshold in self._thresholds:
            compare([key % threshold for key in at], labels, probabilities)
        for class_id in self._classes_for_class_based_metrics:
            mean, *areas = parts.class_keys(class_id, self._label_vocabulary)
            of_class, labels_of_class = parts.of_class(class_id, probabilities, labels)
            base_head.update_metric_with_broadcast_weights(metric(mean), of_class, weights)
            compare(areas, labels_of_class, of_class)
        return eval_metrics
