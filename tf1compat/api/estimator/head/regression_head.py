"""`tf.estimator.RegressionHead`, and its kinds."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import base_head
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl as nn
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_MEAN = base_head.SUM_OVER_BATCH_SIZE


@tf_export("estimator.RegressionHead")
class RegressionHead(base_head.LogitsHead):
    """One or more numbers; the squared error.

    Args:
      label_dimension: how many numbers.
      weight_column: the feature that holds weights; None if all weigh the same.
      loss_reduction: "sum" or "sum_over_batch_size".
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      inverse_link_fn: makes predictions of logits, which they are by default.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    _per_logit_weights = True

    def __init__(
        self, label_dimension: int = 1, weight_column: Any = None, loss_reduction: Any = _MEAN,
        loss_fn: Any = None, inverse_link_fn: Any = None, name: Name = None,
    ):  # fmt: skip
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        base_head.validate_loss_reduction(loss_reduction)
        base_head.validate_loss_fn_args(loss_fn)
        self._inverse_link_fn = inverse_link_fn
        super().__init__(label_dimension, weight_column, loss_reduction, loss_fn, name)

    def _loss_width(self) -> int:
        return self._logits_dimension

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        labels = base_head.check_dense_labels_match_logits_and_reshape(
            labels, logits, self._logits_dimension
        )
        return math_ops.to_float(labels)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return losses.mean_squared_error(labels, logits, reduction=losses.Reduction.NONE)

    def predictions(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, logits: Any
    ) -> dict[str, Any]:
        """See `Head.predictions`."""
        logits = base_head.check_logits_final_dim(logits, self._logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            if not self._inverse_link_fn:
                return {PredictionKeys.PREDICTIONS: logits}
            return {
                PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits),
                PredictionKeys.LOGITS: logits,
            }

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = export_output.RegressionOutput(value=predictions[PredictionKeys.PREDICTIONS])
        return {base_head.DEFAULT_SERVING_KEY: output, base_head.REGRESS_SERVING_KEY: output}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """See `Head.metrics`."""
        keys = [MetricKeys.LOSS_MEAN, MetricKeys.PREDICTION_MEAN, MetricKeys.LABEL_MEAN]
        if regularization_losses is not None:
            keys.append(MetricKeys.LOSS_REGULARIZATION)
        with ops.name_scope(None, "metrics", (regularization_losses,)):
            return {self._summary_key(key): keras_metrics.Mean(name=key) for key in keys}

    def update_metrics(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head.update_metrics`."""
        predicted = self.predictions(logits)[PredictionKeys.PREDICTIONS]
        logits = base_head.check_logits_final_dim(logits, self.logits_dimension)
        processed = self._processed_labels(logits, labels)
        unreduced, weights = self._unweighted_loss_and_weights(logits, processed, features)
        # The labels as they were given, as in TF.
        for key, values in ((MetricKeys.LOSS_MEAN, unreduced), (MetricKeys.LABEL_MEAN, labels)):
            eval_metrics[self._summary_key(key)].update_state(values=values, sample_weight=weights)
        base_head.update_metric_with_broadcast_weights(
            eval_metrics[self._summary_key(MetricKeys.PREDICTION_MEAN)], predicted, weights
        )
        self._update_regularization(eval_metrics, regularization_losses)
        return eval_metrics


@tf_export("estimator.PoissonRegressionHead")
class PoissonRegressionHead(RegressionHead):
    """Counts, whose logarithms are the logits.

    Args:
      compute_full_loss: whether the term that no logit changes is in the loss.
      For the others see `RegressionHead`.
    """

    def __init__(
        self, label_dimension: int = 1, weight_column: Any = None, loss_reduction: Any = _MEAN,
        compute_full_loss: bool = True, name: Name = None,
    ):  # fmt: skip
        self._compute_full_loss = compute_full_loss
        super().__init__(
            label_dimension, weight_column, loss_reduction, self._poisson_loss, math_ops.exp, name
        )

    def _poisson_loss(self, labels: Any, logits: Any) -> Any:
        return nn.log_poisson_loss(labels, logits, compute_full_loss=self._compute_full_loss)


@tf_export("estimator.LogisticRegressionHead")
class LogisticRegressionHead(RegressionHead):
    """A number in [0, 1], whose log-odds are the logits. Args: see `RegressionHead`."""

    def __init__(
        self, weight_column: Any = None, loss_reduction: Any = _MEAN, name: Name = None
    ):  # fmt: skip
        super().__init__(
            1, weight_column, loss_reduction, self._logistic_loss, math_ops.sigmoid, name
        )

    def _logistic_loss(self, labels: Any, logits: Any) -> Any:
        labels = base_head.check_label_range(labels, 2, "Labels must be in range [0, 1]")
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
