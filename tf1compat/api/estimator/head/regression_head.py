"""Heads of numbers (`tensorflow_estimator.python.estimator.head.regression_head`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import base_head
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.losses import losses_impl
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl as nn
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_MEAN = ReductionV2.SUM_OVER_BATCH_SIZE


@tf_export("estimator.RegressionHead")
class RegressionHead(base_head.SingleHead):
    """One or more numbers, by their squared errors.

    Args:
      label_dimension: how many numbers.
      weight_column: the feature that holds weights, of examples or of each number.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features, instead of the squared error.
      inverse_link_fn: makes predictions of logits; they are the predictions by default.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    _per_logit_weights = True

    def __init__(
        self, label_dimension: Any = 1, weight_column: Any = None, loss_reduction: Any = _MEAN,
        loss_fn: Any = None, inverse_link_fn: Any = None, name: Any = None,
    ):  # fmt: skip
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self._inverse_link_fn = inverse_link_fn
        super().__init__(label_dimension, weight_column, loss_reduction, loss_fn, name)

    def _loss_width(self) -> int:
        return self._logits_dimension

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        return math_ops.to_float(
            base_head.check_dense_labels_match_logits_and_reshape(
                labels, logits, self._logits_dimension
            )
        )

    def _losses(self, labels: Any, logits: Any) -> Any:
        return losses_impl.mean_squared_error(
            labels=labels, predictions=logits, reduction=losses_impl.Reduction.NONE
        )

    def predictions(self, logits: Any) -> dict[str, Any]:  # pyright: ignore
        """The predictions, and the logits if these are others."""
        logits = base_head.check_logits_final_dim(logits, self._logits_dimension)
        with ops.name_scope("predictions"):
            if not self._inverse_link_fn:
                return {PredictionKeys.PREDICTIONS: logits}
            predicted = self._inverse_link_fn(logits)
        return {PredictionKeys.PREDICTIONS: predicted, PredictionKeys.LOGITS: logits}

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = export_output.RegressionOutput(value=predictions[PredictionKeys.PREDICTIONS])
        return {base_head.DEFAULT_SERVING_KEY: output, base_head.REGRESS_SERVING_KEY: output}

    def _metrics(self, regularized: bool) -> dict[str, Any]:
        names = (MetricKeys.LOSS_MEAN, MetricKeys.PREDICTION_MEAN, MetricKeys.LABEL_MEAN)
        made = {name: keras_metrics.Mean(name=name) for name in names}
        return {**made, **self._of_regularization(regularized)}

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account; see `Head.update_metrics`."""
        predicted = self.predictions(logits)[PredictionKeys.PREDICTIONS]
        _, _, losses, weights = self._checked(logits, labels, features)
        # The labels as they were given, as in TF.
        for key, values in ((MetricKeys.LOSS_MEAN, losses), (MetricKeys.LABEL_MEAN, labels)):
            metric = eval_metrics[self._summary_key(key)]
            metric.update_state(values=values, sample_weight=weights)
        base_head.update_metric_with_broadcast_weights(
            eval_metrics[self._summary_key(MetricKeys.PREDICTION_MEAN)], predicted, weights
        )
        self._note_regularization(eval_metrics, regularization_losses)
        return eval_metrics


@tf_export("estimator.PoissonRegressionHead")
class PoissonRegressionHead(RegressionHead):
    """Counts, by the logarithms of their expected values.

    Args:
      compute_full_loss: whether to approximate the factorial's logarithm too.
      The others: see `RegressionHead`.
    """

    def __init__(
        self, label_dimension: Any = 1, weight_column: Any = None, loss_reduction: Any = _MEAN,
        compute_full_loss: Any = True, name: Any = None,
    ):  # fmt: skip
        def poisson(labels: Any, logits: Any) -> Any:
            return nn.log_poisson_loss(labels, logits, compute_full_loss=compute_full_loss)

        super().__init__(
            label_dimension, weight_column, loss_reduction, poisson, math_ops.exp, name
        )


@tf_export("estimator.LogisticRegressionHead")
class LogisticRegressionHead(RegressionHead):
    """A probability, by its log odds. Args: see `RegressionHead`."""

    def __init__(self, weight_column: Any = None, loss_reduction: Any = _MEAN, name: Any = None):
        super().__init__(1, weight_column, loss_reduction, _logistic, math_ops.sigmoid, name)


def _logistic(labels: Any, logits: Any) -> Any:
    labels = base_head.check_label_range(labels, 2, "Labels must be in range [0, 1]")
    return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
