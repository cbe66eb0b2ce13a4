"""What a model is to predict (`tensorflow.contrib.layers.python.layers.target_column`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.losses import loss_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_softmax
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

# What slim has.
__all__ = [
    "ProblemType",
    "binary_svm_target",
    "get_default_binary_metrics_for_eval",
    "multi_class_target",
    "regression_target",
]

_deprecated = deprecated(
    "2016-11-12",
    "This file will be removed after the deprecation date."
    "Please switch to "
    "third_party/tensorflow/contrib/learn/python/learn/estimators/head.py",
    module="tensorflow.contrib.layers.python.layers.target_column",
)


def _metric(name: str) -> Any:
    return find(f"contrib.metrics.streaming_{name}")


@tf_export("contrib.layers.regression_target")
@_deprecated
def regression_target(
    label_name: str | None = None, weight_column_name: Any = None, label_dimension: int = 1
) -> _TargetColumn:
    """Numbers, with the squared error as loss.

    Args:
      label_name: the key of labels given in a dict.
      weight_column_name: the feature that weights examples, or None.
      label_dimension: how many numbers an example has.

    Returns:
      A target column; its logits are [batch, label_dimension].
    """
    return _RegressionTargetColumn(
        loss_fn=_mean_squared_loss, label_name=label_name, weight_column_name=weight_column_name,
        label_dimension=label_dimension,
    )  # fmt: skip


@tf_export("contrib.layers.multi_class_target")
@_deprecated
def multi_class_target(
    n_classes: int, label_name: str | None = None, weight_column_name: Any = None
) -> _TargetColumn:
    """Classes, with the cross entropy as loss.

    Args:
      n_classes: how many; of two classes the logits are one number.
      label_name: the key of labels given in a dict.
      weight_column_name: the feature that weights examples, or None.

    Returns:
      A target column; its logits are [batch, n_classes], of two classes [batch, 1].

    Raises:
      ValueError: fewer than two classes.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    loss_fn = _log_loss_with_two_classes if n_classes == 2 else _softmax_cross_entropy_loss
    return _MultiClassTargetColumn(
        loss_fn=loss_fn, n_classes=n_classes, label_name=label_name,
        weight_column_name=weight_column_name,
    )  # fmt: skip


@_deprecated
def binary_svm_target(
    label_name: str | None = None, weight_column_name: Any = None
) -> _TargetColumn:
    """Two classes, with the hinge loss.

    Args:
      label_name: the key of labels given in a dict.
      weight_column_name: the feature that weights examples, or None.
    """
    return _BinarySvmTargetColumn(label_name=label_name, weight_column_name=weight_column_name)


@_deprecated
class ProblemType:
    """Kinds of problems."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3


class _TargetColumn:
    """What is predicted, with its loss and metrics.

    Args:
      loss_fn: (logits, target) -> the loss of each example.
      num_label_columns: the logits' size.
      label_name: the key of labels given in a dict.
      weight_column_name: the feature that weights examples, or None.
      problem_type: one of `ProblemType`.
    """

    def __init__(
        self, loss_fn: Callable[..., Any], num_label_columns: Any, label_name: Any,
        weight_column_name: Any,
        problem_type: int,
    ):  # fmt: skip
        if not loss_fn:
            raise ValueError("loss_fn must be provided")
        if num_label_columns is None:
            raise ValueError("num_label_columns must be provided")
        self._loss_fn = loss_fn
        self._num_label_columns = num_label_columns
        self._label_name = label_name
        self._weight_column_name = weight_column_name
        self._problem_type = problem_type

    def logits_to_predictions(self, logits: TensorLike, proba: bool = False) -> Tensor:
        """What logits predict; with `proba` how likely each class is."""
        raise NotImplementedError

    def get_eval_ops(
        self, features: Any, logits: TensorLike, labels: TensorLike, metrics: Any = None
    ) -> Any:
        """{name: a metric and its update}, of the loss and of `metrics`."""
        raise NotImplementedError

    label_name = attribute("_label_name", "The key of labels given in a dict.")
    weight_column_name = attribute(
        "_weight_column_name", "The feature that weights examples, or None."
    )
    num_label_columns: int = attribute("_num_label_columns", "The logits' size.")
    problem_type: int = attribute("_problem_type", "One of `ProblemType`.")

    def get_weight_tensor(self, features: Any) -> Tensor | None:
        """The weights of examples, or None."""
        if not self._weight_column_name:
            return None
        weights = math_ops.cast(features[self._weight_column_name], dtypes.float32)
        return array_ops.reshape(weights, shape=(-1,))

    def _weighted_loss(self, loss: Tensor, weight_tensor: Tensor) -> Tensor:
        loss = array_ops.reshape(loss, shape=(-1,))
        return math_ops.multiply(loss, array_ops.reshape(weight_tensor, shape=(-1,)))

    def _losses(self: Any, logits: TensorLike, target: Any, features: Any) -> tuple[Tensor, Any]:
        """(the loss of each example, weighted if they have weights, the weights)."""
        target = target[self.name] if isinstance(target, dict) else target
        loss = self._loss_fn(logits, target)
        weights = self.get_weight_tensor(features)
        return (loss if weights is None else self._weighted_loss(loss, weights)), weights

    def training_loss(
        self, logits: TensorLike, target: Any, features: Any, name: str = "training_loss"
    ) -> Tensor:
        """The mean of the (weighted) losses."""
        return math_ops.reduce_mean(self._losses(logits, target, features)[0], name=name)

    def loss(self, logits: TensorLike, target: Any, features: Any) -> Tensor:
        """The weighted mean of the losses."""
        losses, weights = self._losses(logits, target, features)
        if weights is None:
            return math_ops.reduce_mean(losses, name="loss")
        return math_ops.div(
            math_ops.reduce_sum(losses),
            math_ops.cast(math_ops.reduce_sum(weights), dtypes.float32),
            name="loss",
        )


class _RegressionTargetColumn(_TargetColumn):
    """See `regression_target`."""

    def __init__(
        self,
        loss_fn: Callable[..., Any],
        label_name: Any,
        weight_column_name: Any,
        label_dimension: int,
    ):
        super().__init__(
            loss_fn, label_dimension, label_name, weight_column_name,
            ProblemType.LINEAR_REGRESSION,
        )  # fmt: skip

    def logits_to_predictions(self, logits: Any, proba: bool = False) -> Tensor:
        """The logits, without a last dimension of 1."""
        return array_ops.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(
        self, features: Any, logits: TensorLike, labels: TensorLike, metrics: Any = None
    ) -> Any:
        """{name: a metric and its update}, of the loss and of `metrics`."""
        result = {"loss": _metric("mean")(self.loss(logits, labels, features))}
        if metrics:
            predictions = self.logits_to_predictions(logits, proba=False)
            weights = self.get_weight_tensor(features)
            result.update(_run_metrics(predictions, labels, metrics, weights))
        return result


class _MultiClassTargetColumn(_TargetColumn):
    """See `multi_class_target`."""

    def __init__(
        self, loss_fn: Callable[..., Any], n_classes: int, label_name: Any, weight_column_name: Any
    ):
        if n_classes < 2:
            raise ValueError("n_classes must be >= 2")
        super().__init__(
            loss_fn, 1 if n_classes == 2 else n_classes, label_name, weight_column_name,
            ProblemType.CLASSIFICATION,
        )  # fmt: skip

    def logits_to_predictions(self, logits: TensorLike, proba: bool = False) -> Tensor:
        """The most likely class; with `proba` how likely each is."""
        if self.num_label_columns == 1:
            logits = array_ops.concat([array_ops.zeros_like(logits), logits], 1)
        return nn_softmax.softmax(logits) if proba else math_ops.argmax(logits, 1)

    def _default_eval_metrics(self) -> dict[str, Any]:
        if self._num_label_columns == 1:
            return get_default_binary_metrics_for_eval(thresholds=[0.5])
        return {}

    def get_eval_ops(
        self, features: Any, logits: TensorLike, labels: TensorLike, metrics: Any = None
    ) -> Any:
        """{name: a metric and its update}, of the loss and of `metrics`.

        Args:
          features, logits, labels: tensors; features in a dict.
          metrics: {name: a metric} of predicted classes, or {(name, "classes" or
            "probabilities"): a metric}; the accuracy by default.

        Raises:
          ValueError: a name has another form.
        """
        result = {"loss": _metric("mean")(self.loss(logits, labels, features))}
        if metrics is None:
            metrics = {("accuracy", "classes"): _metric("accuracy")}
        probabilities = math_ops.sigmoid(logits)
        labels_float = math_ops.cast(labels, dtypes.float32)
        for name, metric in self._default_eval_metrics().items():
            result[name] = metric(probabilities, labels_float)
        of: dict[str, dict[str, Any]] = {"classes": {}, "probabilities": {}}
        for name, metric in metrics.items():
            if isinstance(name, tuple):
                if len(name) != 2:
                    raise ValueError(
                        f"Ignoring metric {name}. It returned a tuple with len {len(name)}, "
                        "expected 2."
                    )
                if name[1] not in of:
                    raise ValueError(
                        f"Ignoring metric {name}. The 2nd element of its name should be either "
                        "'classes' or 'probabilities'."
                    )
                of[name[1]][name[0]] = metric
            elif isinstance(name, str):
                of["classes"][name] = metric
            else:
                raise ValueError(f"Ignoring metric {name}. Its name is not in the correct form.")
        for what, found in of.items():
            if found:
                predictions = self.logits_to_predictions(logits, proba=what == "probabilities")
                weights = self.get_weight_tensor(features)
                result.update(_run_metrics(predictions, labels, found, weights))
        return result


class _BinarySvmTargetColumn(_MultiClassTargetColumn):
    """See `binary_svm_target`."""

    def __init__(self, label_name: Any, weight_column_name: Any):
        def loss_fn(logits: TensorLike, target: Any) -> Tensor:
            check = control_flow_ops.Assert(
                math_ops.less_equal(array_ops.rank(target), 2),
                ["target's shape should be either [batch_size, 1] or [batch_size]"],
            )
            with ops.control_dependencies([check]):
                target = array_ops.reshape(target, shape=[array_ops.shape(target)[0], 1])
            return loss_ops.hinge_loss(logits, target)

        super().__init__(loss_fn, 2, label_name, weight_column_name)

    def logits_to_predictions(self, logits: TensorLike, proba: bool = False) -> Tensor:
        """The predicted class."""
        if proba:
            raise ValueError("logits to probabilities is not supported for _BinarySvmTargetColumn")
        logits = array_ops.concat([array_ops.zeros_like(logits), logits], 1)
        return math_ops.argmax(logits, 1)


def _column(target: Tensor) -> Tensor:
    is_vector = len(target.get_shape()) == 1
    return array_ops.expand_dims(target, axis=1) if is_vector else target


def _mean_squared_loss(logits: Tensor, target: Tensor) -> Tensor:
    target = _column(target)
    logits.get_shape().assert_is_compatible_with(target.get_shape())
    return math_ops.squared_difference(logits, math_ops.cast(target, dtypes.float32))


def _log_loss_with_two_classes(logits: Tensor, target: Tensor) -> Tensor:
    labels = math_ops.cast(_column(target), dtypes.float32)
    return nn_impl.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def _softmax_cross_entropy_loss(logits: Tensor, target: Tensor) -> Tensor:
    if not target.dtype.is_integer:
        raise ValueError(f"Target's dtype should be integer Instead got {target.dtype}.")
    if len(target.get_shape()) == 2:
        target = array_ops.squeeze(target, axis=[1])
    return nn_softmax.sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)


def _run_metrics(
    predictions: Tensor, labels: TensorLike, metrics: dict[str, Any], weights: Any
) -> dict[str, Any]:
    labels = math_ops.cast(labels, predictions.dtype)
    weighted = {} if weights is None else {"weights": weights}
    return {
        name: metric(predictions, labels, **weighted) for name, metric in (metrics or {}).items()
    }


@_deprecated
def get_default_binary_metrics_for_eval(thresholds: list[float]) -> dict[str, Any]:
    """{name: (predictions, labels, weights) -> a metric and its update} for two classes.

    Args:
      thresholds: from which probability on an example counts as positive.
    """
    found: dict[str, Any] = {
        _MetricKeys.PREDICTION_MEAN: _predictions_streaming_mean,
        _MetricKeys.TARGET_MEAN: _labels_streaming_mean,
        # The accuracy of always predicting the mean.
        _MetricKeys.ACCURACY_BASELINE: _labels_streaming_mean,
        _MetricKeys.AUC: _streaming_auc,
    }
    for threshold in thresholds:
        precision, recall = _metric("precision_at_thresholds"), _metric("recall_at_thresholds")
        found[_MetricKeys.ACCURACY_MEAN % threshold] = _accuracy_at_threshold(threshold)
        key = _MetricKeys.PRECISION_MEAN % threshold
        found[key] = _streaming_at_threshold(precision, threshold)
        found[_MetricKeys.RECALL_MEAN % threshold] = _streaming_at_threshold(recall, threshold)
    return found


def _float_weights_or_none(weights: Any) -> Any:
    return None if weights is None else math_ops.cast(weights, dtypes.float32)


def _labels_streaming_mean(
    unused_predictions: Any, labels: TensorLike, weights: TensorLike | None = None
) -> Any:
    return _metric("mean")(labels, weights=weights)


def _predictions_streaming_mean(
    predictions: TensorLike, unused_labels: Any, weights: TensorLike | None = None
) -> Any:
    return _metric("mean")(predictions, weights=weights)


def _streaming_auc(
    predictions: TensorLike, labels: TensorLike, weights: TensorLike | None = None
) -> Any:
    return _metric("auc")(predictions, labels, weights=_float_weights_or_none(weights))


def _accuracy_at_threshold(threshold: float) -> Callable[..., Any]:
    def accuracy(
        predictions: TensorLike, labels: TensorLike, weights: TensorLike | None = None
    ) -> Any:
        positive = math_ops.cast(math_ops.greater_equal(predictions, threshold), dtypes.float32)
        return _metric("accuracy")(predictions=positive, labels=labels, weights=weights)

    return accuracy


def _streaming_at_threshold(metric: Callable[..., Any], threshold: float) -> Callable[..., Any]:
    def at_threshold(
        predictions: TensorLike, labels: TensorLike, weights: TensorLike | None = None
    ) -> Any:
        values, update_op = metric(
            predictions, labels=labels, thresholds=[threshold],
            weights=_float_weights_or_none(weights),
        )  # fmt: skip
        return array_ops.squeeze(values), update_op

    return at_threshold


class _MetricKeys:
    AUC = "auc"
    PREDICTION_MEAN = "labels/prediction_mean"
    TARGET_MEAN = "labels/actual_target_mean"
    ACCURACY_BASELINE = "accuracy/baseline_target_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"
