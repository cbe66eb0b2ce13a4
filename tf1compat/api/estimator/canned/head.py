"""The heads of canned estimators (`tensorflow_estimator.python.estimator.canned.head`).

A head says what logits mean: predictions, losses, metrics, what is exported, how they are trained.
`_Head` records what all have in common; a kind of head fills in the parts.
"""

from __future__ import annotations

import abc
import collections
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import parts
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import metrics_counts, metrics_impl, weights_broadcast_ops
from tf1compat.api.nn import nn_impl as nn
from tf1compat.api.nn import nn_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

_DEFAULT_SERVING_KEY = parts.DEFAULT_SERVING_KEY
_CLASSIFY_SERVING_KEY = parts.CLASSIFY_SERVING_KEY
_REGRESS_SERVING_KEY = parts.REGRESS_SERVING_KEY
_PREDICT_SERVING_KEY = parts.PREDICT_SERVING_KEY
_SUM = losses.Reduction.SUM

_create_eval_metrics_tuple = parts.create_eval_metrics_tuple
_get_weights_and_check_match_logits = parts.get_weights_and_check_match_logits
_call_loss_fn = parts.call_loss_fn
_classification_output = parts.classification_output
_summary_key = parts.summary_key

LossSpec = collections.namedtuple(
    "LossSpec", ["training_loss", "unreduced_loss", "weights", "processed_labels"]
)

_NO_LABELS = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that "
    "your data contain your label feature. Check that your input_fn properly parses and returns "
    "labels."
)


def _check_dense_labels_match_logits_and_reshape(
    labels: Any, logits: Any, expected_labels_dimension: int
) -> Tensor:
    """Labels [D0, ..., DN, dimension] whose shape is checked, now or in the graph."""
    if labels is None:
        raise ValueError(_NO_LABELS)
    width = expected_labels_dimension
    with ops.name_scope(None, "labels", (labels, logits)) as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. labels must be a Tensor of shape [D0, D1, "
                f"..., DN, {width}], e.g. [batch_size, {width}]. Suggested Fix (1): Check the "
                f"label feature in your data. Each example must contain {width} value(s). If not, "
                "your choice of label was probably incorrect. Suggested Fix (2): In your input_fn, "
                "use tf.sparse_tensor_to_dense() to turn labels into a Tensor."
            )
        if parts.is_last_dimension_missing(labels, logits):
            labels = array_ops.expand_dims(labels, -1)
        labels_shape = array_ops.shape(labels)
        logits_shape = array_ops.shape(logits)
        message = (
            f"labels shape must be [D0, D1, ... DN, {width}]. Suggested Fix: check your n_classes "
            "argument to the estimator and/or the shape of your label."
        )
        is_matrix = check_ops.assert_rank_at_least(labels, 2, message=message)
        with ops.control_dependencies([is_matrix]):
            last = labels.shape.as_list()[-1] if labels.shape.ndims is not None else None
            if last is not None and last != width:
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={width}.  Received {last}. "
                    "Suggested Fix:If your classifier expects one-hot encoding label,check your "
                    "n_classes argument to the estimator and/or the shape of your label. "
                    "Otherwise, check the shape of your label."
                )
            expected = array_ops.concat([logits_shape[:-1], [width]], axis=0)
            fits = check_ops.assert_equal(
                expected, labels_shape, message=message,
                data=["expected_labels_shape: ", expected, "labels_shape: ", labels_shape],
            )  # fmt: skip
            with ops.control_dependencies([fits]):
                return array_ops.identity(labels, name=scope)


def _check_logits_final_dim(logits: Any, expected_logits_dimension: Any) -> Tensor:
    return parts.checked_logits(logits, expected_logits_dimension, math_ops.to_float)


def _assert_range(labels: Any, n_classes: int, message: str | None = None) -> Tensor:
    return parts.range_checked(labels, n_classes, message, "assert_range")


def _validate_loss_fn_args(loss_fn: Any) -> None:
    parts.check_loss_fn(loss_fn, ("labels", "logits", "features"))


def _check_reduction(loss_reduction: Any) -> None:
    if loss_reduction not in losses.Reduction.all() or loss_reduction == losses.Reduction.NONE:
        raise ValueError(f"Invalid loss_reduction: {loss_reduction}")


def _append_update_ops(train_op: Any) -> Any:
    """What trains, and what else is to be updated."""
    update_ops = ops.get_collection(ops.GraphKeys.UPDATE_OPS)
    return control_flow_ops.group(train_op, *update_ops) if update_ops else train_op


# Metrics.


def _broadcast(weights: Any, values: Any) -> Any:
    return None if weights is None else weights_broadcast_ops.broadcast_weights(weights, values)


def _mean_of(values: Any, weights: Any, scope: str, within: str, name: Name) -> Any:
    with ops.name_scope(name, scope, (values, weights)) as scope_name:
        values = math_ops.to_float(values, name=within)
        return metrics_impl.mean(values, weights=_broadcast(weights, values), name=scope_name)


def _indicator_labels_mean(labels: Any, weights: Any = None, name: Name = None) -> Any:
    return _mean_of(labels, weights, "labels_mean", "labels", name)


def _predictions_mean(predictions: Any, weights: Any = None, name: Name = None) -> Any:
    return _mean_of(predictions, weights, "predictions_mean", "predictions", name)


def _accuracy_baseline(labels_mean: Any) -> Any:
    with ops.name_scope(None, "accuracy_baseline", labels_mean):
        value, update_op = labels_mean
        return (
            math_ops.maximum(value, 1.0 - value, name="value"),
            math_ops.maximum(update_op, 1 - update_op, name="update_op"),
        )


def _auc(
    labels: Any, predictions: Any, weights: Any = None, curve: str = "ROC", name: Name = None
) -> Any:
    with ops.name_scope(name, "auc", (predictions, labels, weights)) as scope:
        predictions = math_ops.to_float(predictions, name="predictions")
        weights = _broadcast(weights, predictions)
        return metrics_counts.auc(labels, predictions, weights=weights, curve=curve, name=scope)


def _accuracy_at_threshold(
    labels: Any, predictions: Any, weights: Any, threshold: Any, name: Name = None
) -> Any:
    given = (predictions, labels, weights, threshold)
    with ops.name_scope(name, f"accuracy_at_{threshold}", given) as scope:
        said = math_ops.to_float(math_ops.greater_equal(predictions, threshold))
        return metrics_impl.accuracy(labels, said, weights=weights, name=scope)


def _at_threshold(metric: str) -> Callable[..., Any]:
    def at_threshold(
        labels: Any, predictions: Any, weights: Any, threshold: Any, name: Name = None
    ) -> Any:
        given = (predictions, labels, weights, threshold)
        with ops.name_scope(name, f"{metric}_at_{threshold}", given) as scope:
            value, update_op = getattr(metrics_counts, f"{metric}_at_thresholds")(
                labels, predictions, thresholds=(threshold,), weights=weights, name=scope
            )
            return array_ops.squeeze(value), array_ops.squeeze(update_op)

    return at_threshold


_precision_at_threshold = _at_threshold("precision")
_recall_at_threshold = _at_threshold("recall")


# Heads.


class _Head:
    """What all heads have in common.

    Args:
      logits_dimension: how many logits an example has.
      weight_column: the feature that holds weights; None if all weigh the same.
      loss_reduction: one of `tf.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      name: goes into the names of operations, metrics and summaries.
    """

    __metaclass__ = abc.ABCMeta  # TF's; of no effect in Python 3.
    _per_logit_weights = False

    def __init__(
        self, logits_dimension: Any, weight_column: Any, loss_reduction: Any, loss_fn: Any,
        name: Name,
    ):  # fmt: skip
        self._logits_dimension = logits_dimension
        self._weight_column = weight_column
        self._loss_reduction = loss_reduction
        self._loss_fn = loss_fn
        self._name = name

    name = attribute("_name", "The name, or None.")
    logits_dimension = attribute("_logits_dimension", "How many logits an example has.")

    # What a kind of head says.

    def _predict(self, logits: Any) -> tuple[Any, dict[str, Any]]:
        """(checked logits, the predictions)."""
        raise NotImplementedError

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        """What is exported besides all predictions; by key."""
        raise NotImplementedError

    def _process_labels(self, labels: Any, logits: Any) -> Any:
        """Labels as the loss takes them."""
        raise NotImplementedError

    def _losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example, [D0, ..., DN, x]."""
        raise NotImplementedError

    def _loss_width(self) -> int:
        """The last dimension of the losses of a user's function."""
        return 1

    def _measured(
        self, logits: Any, predictions: dict[str, Any], labels: Any, spec: LossSpec
    ) -> dict[str, Any]:
        """The arguments of `_eval_metric_ops`, but for the losses and weights."""
        raise NotImplementedError

    def _eval_metric_ops(self, **measured: Any) -> dict[str, Any]:
        """The metrics, in a graph or on the host of a TPU."""
        raise NotImplementedError

    # What follows from it.

    def create_loss(self, features: Any, mode: Any, logits: Any, labels: Any) -> LossSpec:
        """The loss.

        Args:
          features: {name: a tensor}.
          mode: ignored.
          logits: [D0, ..., DN, logits_dimension].
          labels: as the kind of head wants them.

        Returns:
          A `LossSpec`.

        Raises:
          ValueError: the labels have another shape or type.
        """
        logits = ops.convert_to_tensor(logits)
        labels = self._process_labels(labels, logits)
        if self._loss_fn:
            unreduced = parts.call_loss_fn(
                self._loss_fn, labels, logits, features, self._loss_width()
            )
        else:
            unreduced = self._losses(labels, logits)
        weights = parts.get_weights_and_check_match_logits(
            features, self._weight_column, logits, self._per_logit_weights
        )
        loss = losses.compute_weighted_loss(
            unreduced, weights=weights, reduction=self._loss_reduction
        )
        return LossSpec(loss, unreduced, weights, labels)

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[..., Any] | None = None, regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """What a model function returns.

        Args:
          features: {name: a tensor}.
          mode: one of `ModeKeys`.
          logits: [D0, ..., DN, logits_dimension].
          labels: as the kind of head wants them; needed but for prediction.
          optimizer: minimizes the loss in training, or
          train_op_fn: a function of the loss that gives what trains.
          regularization_losses: scalars, added to the loss.

        Returns:
          An `EstimatorSpec`.

        Raises:
          ValueError: both or none of `optimizer` and `train_op_fn` are given for training.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features, mode, logits, labels, optimizer, train_op_fn, regularization_losses
            )
            return spec.as_estimator_spec()
        except NotImplementedError:
            raise NotImplementedError(
                "Subclasses of _Head must implement `create_estimator_spec()` or "
                "_create_tpu_estimator_spec()."
            ) from None

    def _create_tpu_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[..., Any] | None = None, regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        with ops.name_scope(self._name, "head"):
            logits, predictions = self._predict(logits)
            if mode == ModeKeys.PREDICT:
                exports = self._exports(predictions)
                exports[_PREDICT_SERVING_KEY] = export_output.PredictOutput(predictions)
                return model_fn._TPUEstimatorSpec(mode, predictions, export_outputs=exports)
            spec = self.create_loss(features=features, mode=mode, logits=logits, labels=labels)
            loss, regularization = spec.training_loss, None
            if regularization_losses:
                regularization = math_ops.add_n(regularization_losses)
                loss = math_ops.add_n([loss, regularization])
            if mode == ModeKeys.EVAL:
                measured = self._measured(logits, predictions, labels, spec)
                measured.update(
                    weights=spec.weights, unreduced_loss=spec.unreduced_loss,
                    regularization_loss=regularization,
                )  # fmt: skip
                metrics = _create_eval_metrics_tuple(self._eval_metric_ops, measured)
                return model_fn._TPUEstimatorSpec(mode, predictions, loss, eval_metrics=metrics)
            train_op = _append_update_ops(_train_op(loss, optimizer, train_op_fn))
            mean = None
            if self._loss_reduction == _SUM:
                weight = math_ops.reduce_sum(
                    spec.weights * array_ops.ones_like(spec.unreduced_loss)
                )
                mean = spec.training_loss / weight
        with ops.name_scope(""):
            for key, value in (
                (MetricKeys.LOSS, loss),
                (MetricKeys.LOSS_MEAN, mean),
                (MetricKeys.LOSS_REGULARIZATION, regularization),
            ):
                if value is not None:
                    summary.scalar(_summary_key(self._name, key), value)
        return model_fn._TPUEstimatorSpec(ModeKeys.TRAIN, predictions, loss, train_op)

    def _named(self, metrics: dict[str, Any]) -> dict[str, Any]:
        return {_summary_key(self._name, key): value for key, value in metrics.items()}


def _train_op(loss: Any, optimizer: Any, train_op_fn: Callable[..., Any] | None) -> Any:
    if optimizer is not None:
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        return optimizer.minimize(loss, global_step=training_util.get_global_step())
    if train_op_fn is None:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    return train_op_fn(loss)


def _multi_class_head_with_softmax_cross_entropy_loss(
    n_classes: int, weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
    loss_reduction: Any = _SUM, loss_fn: Callable[..., Any] | None = None, name: Name = None,
) -> _Head:  # fmt: skip
    if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}"
        )
    _check_reduction(loss_reduction)
    _validate_loss_fn_args(loss_fn)
    return _MultiClassHeadWithSoftmaxCrossEntropyLoss(
        n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name
    )


class _MultiClassHeadWithSoftmaxCrossEntropyLoss(_Head):
    """One of more than two classes."""

    def __init__(
        self, n_classes: int | None, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: Any = _SUM, loss_fn: Any = None, name: Name = None,
    ):  # fmt: skip
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        self._n_classes = parts.validate_n_classes(n_classes)
        self._label_vocabulary = label_vocabulary
        super().__init__(n_classes, weight_column, loss_reduction, loss_fn, name)

    def _predict(self, logits: Any) -> tuple[Any, dict[str, Any]]:
        logits = _check_logits_final_dim(logits, self.logits_dimension)
        with ops.name_scope(None, "predictions", (logits,)):
            all_ids = parts.all_class_ids(logits, self._n_classes)
            all_names = parts.all_classes(logits, self._n_classes, self._label_vocabulary)
            ids = math_ops.argmax(logits, axis=-1, name=PredictionKeys.CLASS_IDS)
            ids = array_ops.expand_dims(ids, axis=-1)
            names = parts.names_of_class_ids(ids, self._label_vocabulary)
            probabilities = nn_ops.softmax(logits, name=PredictionKeys.PROBABILITIES)
        return logits, {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.PROBABILITIES: probabilities,
            PredictionKeys.CLASS_IDS: ids,
            PredictionKeys.CLASSES: names,
            PredictionKeys.ALL_CLASS_IDS: all_ids,
            PredictionKeys.ALL_CLASSES: all_names,
        }

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        scores = predictions[PredictionKeys.PROBABILITIES]
        output = _classification_output(scores, self._n_classes, self._label_vocabulary)
        return {_DEFAULT_SERVING_KEY: output, _CLASSIFY_SERVING_KEY: output}

    def _process_labels(self, labels: Any, logits: Any) -> Any:
        labels = _check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        return self._label_ids(labels)

    def _label_ids(self, labels: Any) -> Any:
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
        return _assert_range(labels, self._n_classes)

    def _losses(self, labels: Any, logits: Any) -> Any:
        unreduced = losses.sparse_softmax_cross_entropy(
            labels, logits, reduction=losses.Reduction.NONE
        )
        return array_ops.expand_dims(unreduced, axis=-1)

    def _measured(
        self, logits: Any, predictions: dict[str, Any], labels: Any, spec: LossSpec
    ) -> dict[str, Any]:
        return {
            "labels": spec.processed_labels,
            "class_ids": predictions[PredictionKeys.CLASS_IDS],
        }

    def _eval_metric_ops(
        self, labels: Any, class_ids: Any, weights: Any, unreduced_loss: Any,
        regularization_loss: Any,
    ) -> dict[str, Any]:  # fmt: skip
        given = (labels, class_ids, weights, unreduced_loss, regularization_loss)
        keys = MetricKeys
        with ops.name_scope(None, "metrics", given):
            metrics = {
                keys.LOSS_MEAN: metrics_impl.mean(
                    unreduced_loss, weights=weights, name=keys.LOSS_MEAN
                ),
                keys.ACCURACY: metrics_impl.accuracy(
                    labels, class_ids, weights=weights, name=keys.ACCURACY
                ),
            }
            if regularization_loss is not None:
                metrics[keys.LOSS_REGULARIZATION] = metrics_impl.mean(
                    regularization_loss, name=keys.LOSS_REGULARIZATION
                )
        return self._named(metrics)


def _binary_logistic_head_with_sigmoid_cross_entropy_loss(
    weight_column: Any = None, thresholds: Any = None,
    label_vocabulary: Sequence[str] | None = None,
    loss_reduction: Any = _SUM, loss_fn: Callable[..., Any] | None = None, name: Name = None,
) -> _Head:  # fmt: skip
    if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
        raise TypeError(
            f"label_vocabulary should be a list or tuple. Given type: {type(label_vocabulary)}"
        )
    thresholds = tuple(thresholds or ())
    parts.check_thresholds(thresholds, lambda _: f"thresholds not in (0, 1): {(thresholds,)}.")
    _check_reduction(loss_reduction)
    _validate_loss_fn_args(loss_fn)
    return _BinaryLogisticHeadWithSigmoidCrossEntropyLoss(
        weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name
    )


class _BinaryLogisticHeadWithSigmoidCrossEntropyLoss(_Head):
    """One of two classes."""

    def __init__(
        self, weight_column: Any = None, thresholds: Any = None,
        label_vocabulary: Sequence[str] | None = None,
        loss_reduction: Any = _SUM, loss_fn: Any = None, name: Name = None,
    ):  # fmt: skip
        self._thresholds = tuple(thresholds or ())
        self._label_vocabulary = label_vocabulary
        super().__init__(1, weight_column, loss_reduction, loss_fn, name)

    def _predict(self, logits: Any) -> tuple[Any, dict[str, Any]]:
        with ops.name_scope(None, "predictions", (logits,)):
            logits = _check_logits_final_dim(logits, self.logits_dimension)
            logistic = math_ops.sigmoid(logits, name=PredictionKeys.LOGISTIC)
            two = array_ops.concat(
                (array_ops.zeros_like(logits), logits), axis=-1, name="two_class_logits"
            )
            probabilities = nn_ops.softmax(two, name=PredictionKeys.PROBABILITIES)
            ids = math_ops.argmax(two, axis=-1, name=PredictionKeys.CLASS_IDS)
            ids = array_ops.expand_dims(ids, axis=-1)
            all_ids = parts.all_class_ids(logits, 2)
            all_names = parts.all_classes(logits, 2, self._label_vocabulary)
            names = parts.names_of_class_ids(ids, self._label_vocabulary)
        return logits, {
            PredictionKeys.LOGITS: logits,
            PredictionKeys.LOGISTIC: logistic,
            PredictionKeys.PROBABILITIES: probabilities,
            PredictionKeys.CLASS_IDS: ids,
            PredictionKeys.CLASSES: names,
            PredictionKeys.ALL_CLASS_IDS: all_ids,
            PredictionKeys.ALL_CLASSES: all_names,
        }

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        scores = predictions[PredictionKeys.PROBABILITIES]
        output = _classification_output(scores, 2, self._label_vocabulary)
        return {
            _DEFAULT_SERVING_KEY: output,
            _CLASSIFY_SERVING_KEY: output,
            _REGRESS_SERVING_KEY: export_output.RegressionOutput(
                value=predictions[PredictionKeys.LOGISTIC]
            ),
        }

    def _process_labels(self, labels: Any, logits: Any) -> Any:
        labels = _check_dense_labels_match_logits_and_reshape(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = parts.class_ids_of_names(labels, self._label_vocabulary)
        return _assert_range(math_ops.to_float(labels), n_classes=2)

    def _losses(self, labels: Any, logits: Any) -> Any:
        return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def _measured(
        self, logits: Any, predictions: dict[str, Any], labels: Any, spec: LossSpec
    ) -> dict[str, Any]:
        return {
            "labels": spec.processed_labels,
            "logits": logits,
            "logistic": predictions[PredictionKeys.LOGISTIC],
            "class_ids": predictions[PredictionKeys.CLASS_IDS],
        }

    def _eval_metric_ops(
        self, labels: Any, logits: Any, logistic: Any, class_ids: Any, weights: Any,
        unreduced_loss: Any, regularization_loss: Any,
    ) -> dict[str, Any]:  # fmt: skip
        given = (labels, logits, logistic, class_ids, weights, unreduced_loss, regularization_loss)
        keys = MetricKeys
        with ops.name_scope(None, "metrics", given):
            label_mean = _indicator_labels_mean(labels, weights, keys.LABEL_MEAN)
            metrics = {
                keys.LOSS_MEAN: metrics_impl.mean(
                    unreduced_loss, weights=weights, name=keys.LOSS_MEAN
                )
            }
            for key, metric in (
                (keys.ACCURACY, metrics_impl.accuracy),
                (keys.PRECISION, metrics_counts.precision),
                (keys.RECALL, metrics_counts.recall),
            ):
                metrics[key] = metric(labels, class_ids, weights=weights, name=key)
            metrics[keys.PREDICTION_MEAN] = _predictions_mean(
                logistic, weights, keys.PREDICTION_MEAN
            )
            metrics[keys.LABEL_MEAN] = label_mean
            metrics[keys.ACCURACY_BASELINE] = _accuracy_baseline(label_mean)
            metrics[keys.AUC] = _auc(labels, logistic, weights, name=keys.AUC)
            metrics[keys.AUC_PR] = _auc(labels, logistic, weights, "PR", keys.AUC_PR)
            if regularization_loss is not None:
                metrics[keys.LOSS_REGULARIZATION] = metrics_impl.mean(
                    regularization_loss, name=keys.LOSS_REGULARIZATION
                )
            metrics.update(_at_thresholds(labels, logistic, weights, self._thresholds))
        return self._named(metrics)


def _at_thresholds(
    labels: Any, predictions: Any, weights: Any, thresholds: tuple[float, ...]
) -> dict[str, Any]:
    """Accuracy, precision and recall at each threshold."""
    metrics = {}
    for threshold in thresholds:
        for key, metric in (
            (MetricKeys.ACCURACY_AT_THRESHOLD, _accuracy_at_threshold),
            (MetricKeys.PRECISION_AT_THRESHOLD, _precision_at_threshold),
            (MetricKeys.RECALL_AT_THRESHOLD, _recall_at_threshold),
        ):
            key = key % threshold
            metrics[key] = metric(labels, predictions, weights, threshold, name=key)
    return metrics


def _regression_head(
    weight_column: Any = None, label_dimension: int = 1, loss_reduction: Any = _SUM,
    loss_fn: Callable[..., Any] | None = None, inverse_link_fn: Any = None, name: Name = None,
) -> _Head:  # fmt: skip
    _check_reduction(loss_reduction)
    _validate_loss_fn_args(loss_fn)
    return _RegressionHeadWithMeanSquaredErrorLoss(
        label_dimension, weight_column, loss_reduction, loss_fn, inverse_link_fn, name
    )


class _RegressionHeadWithMeanSquaredErrorLoss(_Head):
    """One or more numbers."""

    _per_logit_weights = True

    def __init__(
        self, label_dimension: int, weight_column: Any = None, loss_reduction: Any = _SUM,
        loss_fn: Any = None, inverse_link_fn: Any = None, name: Name = None,
    ):  # fmt: skip
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self._inverse_link_fn = inverse_link_fn
        super().__init__(label_dimension, weight_column, loss_reduction, loss_fn, name)

    def _loss_width(self) -> int:
        return self._logits_dimension

    def _predict(self, logits: Any) -> tuple[Any, dict[str, Any]]:
        logits = _check_logits_final_dim(logits, self._logits_dimension)
        if not self._inverse_link_fn:
            return logits, {PredictionKeys.PREDICTIONS: logits}
        return logits, {
            PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits),
            PredictionKeys.LOGITS: logits,
        }

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = export_output.RegressionOutput(value=predictions[PredictionKeys.PREDICTIONS])
        return {_DEFAULT_SERVING_KEY: output, _REGRESS_SERVING_KEY: output}

    def _process_labels(self, labels: Any, logits: Any) -> Any:
        return math_ops.to_float(
            _check_dense_labels_match_logits_and_reshape(labels, logits, self._logits_dimension)
        )

    def _losses(self, labels: Any, logits: Any) -> Any:
        return losses.mean_squared_error(labels, logits, reduction=losses.Reduction.NONE)

    def _measured(
        self, logits: Any, predictions: dict[str, Any], labels: Any, spec: LossSpec
    ) -> dict[str, Any]:
        # The labels as they were given, as in TF.
        return {"predicted_value": predictions[PredictionKeys.PREDICTIONS], "labels": labels}

    def _eval_metric_ops(
        self, predicted_value: Any, labels: Any, weights: Any, unreduced_loss: Any,
        regularization_loss: Any,
    ) -> dict[str, Any]:  # fmt: skip
        keys = MetricKeys
        metrics = {
            keys.LOSS_MEAN: metrics_impl.mean(unreduced_loss, weights=weights),
            keys.PREDICTION_MEAN: _predictions_mean(predicted_value, weights, keys.PREDICTION_MEAN),
            keys.LABEL_MEAN: metrics_impl.mean(labels, weights=weights),
        }
        if regularization_loss is not None:
            metrics[keys.LOSS_REGULARIZATION] = metrics_impl.mean(
                regularization_loss, name=keys.LOSS_REGULARIZATION
            )
        return self._named(metrics)


def _binary_logistic_or_multi_class_head(
    n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: Any
) -> _Head:
    """The head of a classifier with that many classes."""
    settings = {
        "weight_column": weight_column, "label_vocabulary": label_vocabulary,
        "loss_reduction": loss_reduction,
    }  # fmt: skip
    if n_classes == 2:
        return _binary_logistic_head_with_sigmoid_cross_entropy_loss(**settings)
    return _multi_class_head_with_softmax_cross_entropy_loss(n_classes, **settings)
