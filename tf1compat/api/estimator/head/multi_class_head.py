"""`tf.estimator.MultiClassHead`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.head import base_head, parts
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.losses import losses_impl as losses
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_PREDICTIONS = [
    PredictionKeys.LOGITS,
    PredictionKeys.PROBABILITIES,
    PredictionKeys.CLASS_IDS,
    PredictionKeys.CLASSES,
    PredictionKeys.ALL_CLASS_IDS,
    PredictionKeys.ALL_CLASSES,
]


@tf_export("estimator.MultiClassHead")
class MultiClassHead(base_head.LogitsHead):
    """One of more than two classes; the cross entropy of a softmax.

    Args:
      n_classes: how many.
      weight_column: the feature that holds weights; None if all weigh the same.
      label_vocabulary: the names of the classes; labels are their numbers if there are none.
      loss_reduction: "sum" or "sum_over_batch_size".
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, n_classes: int | None, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: Any = base_head.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
        name: Name = None,
    ):  # fmt: skip
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        base_head.check_vocabulary_is_list(label_vocabulary)
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError(
                '"label_vocabulary" does not have "n_classes" items. '
                f"len(label_vocabulary)={len(label_vocabulary)}, n_classes={n_classes}, "
                f"label_vocabulary={label_vocabulary}"
            )
        base_head.validate_loss_reduction(loss_reduction)
        base_head.validate_loss_fn_args(loss_fn)
        self._n_classes = parts.validate_n_classes(n_classes)
        self._label_vocabulary = label_vocabulary
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)

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
        unreduced = losses.sparse_softmax_cross_entropy(
            labels, logits, reduction=losses.Reduction.NONE
        )
        return array_ops.expand_dims(unreduced, axis=-1)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """See `Head.predictions`."""
        base_head.check_prediction_keys(keys or (), _PREDICTIONS)
        keys = keys or _PREDICTIONS
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            found = {PredictionKeys.LOGITS: logits} if PredictionKeys.LOGITS in keys else {}
            found.update(
                base_head.class_predictions(
                    logits, logits, self._n_classes, self._label_vocabulary, keys
                )
            )
        return found

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = base_head.classification_output(
            predictions[PredictionKeys.PROBABILITIES], self._n_classes, self._label_vocabulary
        )
        return {base_head.DEFAULT_SERVING_KEY: output, base_head.CLASSIFY_SERVING_KEY: output}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """See `Head.metrics`."""
        made: list[tuple[str, Any]] = [(MetricKeys.LOSS_MEAN, keras_metrics.Mean)]
        if regularization_losses is not None:
            made.append((MetricKeys.LOSS_REGULARIZATION, keras_metrics.Mean))
        made.append((MetricKeys.ACCURACY, keras_metrics.Accuracy))
        with ops.name_scope(None, "metrics", (regularization_losses,)):
            return {self._summary_key(key): metric(name=key) for key, metric in made}

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        unreduced, weights = self._unweighted_loss_and_weights(logits, labels, features)
        eval_metrics[self._summary_key(MetricKeys.LOSS_MEAN)].update_state(
            values=unreduced, sample_weight=weights
        )
        eval_metrics[self._summary_key(MetricKeys.ACCURACY)].update_state(
            y_true=labels, y_pred=ids, sample_weight=weights
        )
        self._update_regularization(eval_metrics, regularization_losses)
        return eval_metrics
