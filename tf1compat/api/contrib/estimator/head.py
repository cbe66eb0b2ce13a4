"""`tf.contrib.estimator`: heads for model functions and for canned estimators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.checks import check_ops
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.head import parts
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_counts, metrics_impl
from tf1compat.api.nn import nn_impl as nn
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name

_MEAN = losses.Reduction.SUM_OVER_BATCH_SIZE


@tf_export("contrib.estimator.multi_class_head")
def multi_class_head(
    n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
    loss_reduction: Any = _MEAN, loss_fn: Callable[..., Any] | None = None, name: Name = None,
) -> Any:  # fmt: skip
    """A head for one of more than two classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features, instead of cross entropy.
      name: goes into the names of operations, metrics and summaries.

    Returns:
      A head for estimators; its logits are [batch, ..., n_classes].

    Raises:
      ValueError: an argument is wrong.
    """
    return head_lib._multi_class_head_with_softmax_cross_entropy_loss(
        n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name
    )


@tf_export("contrib.estimator.binary_classification_head")
def binary_classification_head(
    weight_column: Any = None, thresholds: Any = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: Any = _MEAN, loss_fn: Callable[..., Any] | None = None, name: Name = None,
) -> Any:  # fmt: skip
    """A head for one of two classes.

    Args:
      thresholds: probabilities at which accuracy, precision and recall are measured too.
      The others: see `multi_class_head`.

    Returns:
      A head for estimators; its logits are [batch, ..., 1].

    Raises:
      ValueError: an argument is wrong.
    """
    return head_lib._binary_logistic_head_with_sigmoid_cross_entropy_loss(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


@tf_export("contrib.estimator.regression_head")
def regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: Any = _MEAN,
    loss_fn: Callable[..., Any] | None = None, inverse_link_fn: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """A head for numbers.

    Args:
      label_dimension: how many.
      inverse_link_fn: makes predictions of logits.
      The others: see `multi_class_head`.

    Returns:
      A head for estimators; its logits are [batch, ..., label_dimension].

    Raises:
      ValueError: an argument is wrong.
    """
    return head_lib._regression_head(
        weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name
    )


@tf_export("contrib.estimator.poisson_regression_head")
def poisson_regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: Any = _MEAN,
    compute_full_loss: bool = True, name: Name = None,
) -> Any:  # fmt: skip
    """A head for counts.

    Args:
      compute_full_loss: whether the loss has the term that does not depend on the model.
      The others: see `regression_head`.

    Returns:
      A head for estimators; its logits, [batch, ..., label_dimension], are logarithms of counts.

    Raises:
      ValueError: an argument is wrong.
    """

    def poisson_loss(labels: Any, logits: Any) -> Any:
        return nn.log_poisson_loss(labels, logits, compute_full_loss=compute_full_loss)

    return head_lib._regression_head(
        weight_column, label_dimension, loss_reduction, poisson_loss, math_ops.exp, name
    )


@tf_export("contrib.estimator.logistic_regression_head")
def logistic_regression_head(
    weight_column: Any = None, loss_reduction: Any = _MEAN, name: Name = None
) -> Any:
    """A head for probabilities.

    Args:
      weight_column, loss_reduction, name: see `multi_class_head`.

    Returns:
      A head for estimators; its logits are [batch, ..., 1].

    Raises:
      ValueError: an argument is wrong.
    """

    def logistic_loss(labels: Any, logits: Any) -> Any:
        labels = head_lib._assert_range(labels, 2, message="Labels must be in range [0, 1]")
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return head_lib._regression_head(
        weight_column, 1, loss_reduction, logistic_loss, math_ops.sigmoid, name
    )


@tf_export("contrib.estimator.multi_label_head")
def multi_label_head(
    n_classes: int | None, weight_column: Any = None, thresholds: Any = None,
    label_vocabulary: Sequence[str] | None = None, loss_reduction: Any = _MEAN,
    loss_fn: Callable[..., Any] | None = None,
    classes_for_class_based_metrics: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """A head for any of several classes.

    Args:
      thresholds: probabilities at which accuracy, precision and recall are measured too.
      classes_for_class_based_metrics: numbers or names of classes with metrics of their own.
      The others: see `multi_class_head`.

    Returns:
      A head for estimators; its logits are [batch, ..., n_classes].

    Raises:
      ValueError: an argument is wrong.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(
            f"n_classes must be > 1 for multi-class classification. Given: {n_classes}"
        )
    thresholds = parts.check_thresholds(
        thresholds, lambda x: f"thresholds must be in (0, 1) range. Given: {x}"
    )
    parts.check_vocabulary(label_vocabulary, n_classes)
    head_lib._validate_loss_fn_args(loss_fn)
    head_lib._check_reduction(loss_reduction)
    classes = parts.class_ids_for_metrics(
        classes_for_class_based_metrics, n_classes, label_vocabulary
    )
    return _MultiLabelHead(
        n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, classes,
        name,
    )  # fmt: skip


class _MultiLabelHead(head_lib._Head):
    """See `multi_label_head`."""

    def __init__(
        self, n_classes: int, weight_column: Any = None, thresholds: tuple[float, ...] = (),
        label_vocabulary: Sequence[str] | None = None, loss_reduction: Any = _MEAN,
        loss_fn: Any = None, classes_for_class_based_metrics: tuple[int, ...] = (),
        name: Name = None,
    ):  # fmt: skip
        self._n_classes = n_classes
        self._thresholds = thresholds
        self._label_vocabulary = label_vocabulary
        self._classes_for_class_based_metrics = classes_for_class_based_metrics
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)

    def _predict(self, logits: Any) -> tuple[Any, dict[str, Any]]:
        logits = head_lib._check_logits_final_dim(logits, self.logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            probabilities = math_ops.sigmoid(logits, name=PredictionKeys.PROBABILITIES)
        return logits, {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.PROBABILITIES: probabilities,
        }

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        scores = predictions[PredictionKeys.PROBABILITIES]
        output = head_lib._classification_output(scores, self._n_classes, self._label_vocabulary)
        return {head_lib._DEFAULT_SERVING_KEY: output, head_lib._CLASSIFY_SERVING_KEY: output}

    def _process_labels(self, labels: Any, logits: Any) -> Any:
        return head_lib._check_dense_labels_match_logits_and_reshape(
            self._indicators(labels), logits, self.logits_dimension
        )

    def _indicators(self, labels: Any) -> Any:
        """int64 [D0, ..., DN, n_classes]: 1 for each class that an example has."""
        if labels is None:
            raise ValueError(head_lib._NO_LABELS)
        if not isinstance(labels, SparseTensor):
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            return head_lib._assert_range(labels, 2, message=message)
        if labels.dtype == dtypes.string:
            ids = parts.class_ids_of_names(labels.values, self._label_vocabulary)
            labels = SparseTensor(labels.indices, ids, labels.dense_shape)
            return math_ops.to_int64(sparse_ops.sparse_to_indicator(labels, self._n_classes))
        message = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        checks = [check_ops.assert_integer(labels.values, message=message)]
        most = ops.convert_to_tensor(self._n_classes, dtype=labels.dtype)
        checks.append(check_ops.assert_less(labels.values, most, message=message))
        checks.append(check_ops.assert_non_negative(labels.values, message=message))
        with ops.control_dependencies(checks):
            return math_ops.to_int64(sparse_ops.sparse_to_indicator(labels, self._n_classes))

    def _losses(self, labels: Any, logits: Any) -> Any:
        unreduced = losses.sigmoid_cross_entropy(labels, logits, reduction=losses.Reduction.NONE)
        return math_ops.reduce_mean(unreduced, axis=-1, keepdims=True)

    def _measured(
        self, logits: Any, predictions: dict[str, Any], labels: Any, spec: head_lib.LossSpec
    ) -> dict[str, Any]:
        return {
            "labels": spec.processed_labels,
            "probabilities": predictions[PredictionKeys.PROBABILITIES],
        }

    def _eval_metric_ops(
        self, labels: Any, probabilities: Any, weights: Any, unreduced_loss: Any,
        regularization_loss: Any,
    ) -> dict[str, Any]:  # fmt: skip
        given = [labels, probabilities, weights, unreduced_loss, regularization_loss]
        keys = MetricKeys
        with ops.name_scope(None, "metrics", given):
            metrics = {
                keys.LOSS_MEAN: metrics_impl.mean(
                    unreduced_loss, weights=weights, name=keys.LOSS_MEAN
                ),
                keys.AUC: metrics_counts.auc(labels, probabilities, weights=weights, name=keys.AUC),
                keys.AUC_PR: metrics_counts.auc(
                    labels, probabilities, weights=weights, curve="PR", name=keys.AUC_PR
                ),
            }
            if regularization_loss is not None:
                metrics[keys.LOSS_REGULARIZATION] = metrics_impl.mean(
                    regularization_loss, name=keys.LOSS_REGULARIZATION
                )
            metrics.update(
                head_lib._at_thresholds(labels, probabilities, weights, self._thresholds)
            )
            for class_id in self._classes_for_class_based_metrics:
                mean_key, auc_key, auc_pr_key = parts.class_keys(class_id, self._label_vocabulary)
                its_probabilities, its_labels = parts.of_class(class_id, probabilities, labels)
                metrics[mean_key] = head_lib._predictions_mean(its_probabilities, weights, mean_key)
                metrics[auc_key] = head_lib._auc(
                    its_labels, its_probabilities, weights, name=auc_key
                )
                metrics[auc_pr_key] = head_lib._auc(
                    its_labels, its_probabilities, weights, "PR", auc_pr_key
                )
        return self._named(metrics)
