"""The head of more classes (`tensorflow_estimator.python.estimator.head.multi_class_head`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.losses import losses_impl
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export


@tf_export("estimator.MultiClassHead")
class MultiClassHead(base_head.ClassHead):
    """One of more than two classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features, instead of cross entropy.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, n_classes: Any, weight_column: Any = None, label_vocabulary: Any = None,
        loss_reduction: Any = ReductionV2.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
        name: Any = None,
    ):  # fmt: skip
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        base_head.validate_vocabulary_type(label_vocabulary)
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError(
                '"label_vocabulary" does not have "n_classes" items. len(label_vocabulary)='
                f"{len(label_vocabulary)}, n_classes={n_classes}, "
                f"label_vocabulary={label_vocabulary}"
            )
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)
        self._n_classes = base_head.validate_n_classes(n_classes)
        self._label_vocabulary = label_vocabulary

    def _n(self) -> Any:
        return self._n_classes

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        labels = base_head.check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        else:
            if labels.dtype != dtypes.string:
                raise ValueError(
                    "Labels dtype should be string if there is a vocabulary. Instead got "
                    f"{labels.dtype}"
                )
            labels = parts.class_ids_of_names(labels, self._label_vocabulary)
        return base_head.check_label_range(labels, self._n_classes)

    def _losses(self, labels: Any, logits: Any) -> Any:
        unreduced = losses_impl.sparse_softmax_cross_entropy(
            labels=labels, logits=logits, reduction=losses_impl.Reduction.NONE
        )
        return array_ops.expand_dims(unreduced, axis=-1)

    def _metrics(self, regularized: bool) -> dict[str, Any]:
        keys = MetricKeys
        return {
            keys.LOSS_MEAN: keras_metrics.Mean(name=keys.LOSS_MEAN),
            **self._of_regularization(regularized),
            keys.ACCURACY: keras_metrics.Accuracy(name=keys.ACCURACY),
        }

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account; see `Head.update_metrics`."""
        ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        _, labels, losses, weights = self._checked(logits, labels, features)
        mean = eval_metrics[self._summary_key(MetricKeys.LOSS_MEAN)]
        mean.update_state(values=losses, sample_weight=weights)
        accuracy = eval_metrics[self._summary_key(MetricKeys.ACCURACY)]
        accuracy.update_state(y_true=labels, y_pred=ids, sample_weight=weights)
        self._note_regularization(eval_metrics, regularization_losses)
        return eval_metrics
