"""Heads of TF 2's generation, which keep their metrics in objects
(`tensorflow_estimator.python.estimator.head.base_head`).

`Head` is what all heads can do, `SingleHead` what those of one kind of logits have in common; a
kind of head fills in the parts.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn
from tf1compat.api.estimator.canned.metric_keys import MetricKeys
from tf1compat.api.estimator.canned.prediction_keys import PredictionKeys
from tf1compat.api.estimator.export import export_output
from tf1compat.api.estimator.head import parts
from tf1compat.api.estimator.head.parts import (
    CLASSIFY_SERVING_KEY,
    DEFAULT_SERVING_KEY,
    PREDICT_SERVING_KEY,
    REGRESS_SERVING_KEY,
    all_class_ids,
    all_classes,
    call_loss_fn,
    classification_output,
    create_eval_metrics_tuple,
    get_weights_and_check_match_logits,
    validate_n_classes,
)
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.summary import summary
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor

__all__ = [
    "CLASSIFY_SERVING_KEY", "DEFAULT_SERVING_KEY", "PREDICT_SERVING_KEY", "REGRESS_SERVING_KEY",
    "all_class_ids", "all_classes", "call_loss_fn", "classification_output",
    "create_eval_metrics_tuple", "get_weights_and_check_match_logits", "validate_n_classes",
]  # fmt: skip

_LABEL_NONE_ERR_MSG = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that "
    "your data contains your label feature. Check that your input_fn properly parses and returns "
    "labels."
)


@tf_export("estimator.Head")
class Head(metaclass=abc.ABCMeta):
    """What logits mean: predictions, losses, metrics, what is exported, how they are trained."""

    @property
    @abc.abstractmethod
    def name(self) -> Any:
        """The name, or None."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> Any:
        """How many logits an example has."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> Any:
        """How the losses of examples become one; see `tf.keras.losses.Reduction`."""

    @abc.abstractmethod
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The loss.

        Args:
          labels: as the kind of head wants them.
          logits: [D0, ..., DN, logits_dimension].
          features: {name: a tensor}.
          mode: one of `ModeKeys`.
          regularization_losses: scalars, which are added.

        Returns:
          A scalar.
        """

    @abc.abstractmethod
    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        """{key: a prediction}.

        Args:
          logits: [D0, ..., DN, logits_dimension].
          keys: which; all by default.
        """

    @abc.abstractmethod
    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """{name: a Keras metric}; one of `regularization_losses` too if there are some."""

    @abc.abstractmethod
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, mode: Any = None,
        regularization_losses: Any = None,
    ) -> dict[str, Any]:  # fmt: skip
        """Has metrics take a batch into account.

        Args:
          eval_metrics: what `metrics` gave.
          The others: see `loss`.

        Returns:
          `eval_metrics`.
        """

    def _summary_key(self, key: str) -> str:
        return parts.summary_key(self.name, key)

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """What a model function returns.

        Args:
          features: {name: a tensor}.
          mode: one of `ModeKeys`.
          logits: [D0, ..., DN, logits_dimension].
          labels: as the kind of head wants them; needed but for prediction.
          optimizer: a Keras optimizer that minimizes the loss in training, or
          train_op_fn: a function of the loss that gives what trains.
          trainable_variables: what the optimizer changes; a list or tuple.
          update_ops: what else is run in training; a list or tuple.
          regularization_losses: scalars, added to the loss.

        Returns:
          An `EstimatorSpec`.

        Raises:
          ValueError: an argument is wrong.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features, mode, logits, labels, optimizer, trainable_variables, train_op_fn,
                update_ops, regularization_losses,
            )  # fmt: skip
            return spec.as_estimator_spec()
        except NotImplementedError:
            raise NotImplementedError(
                "Subclasses of Head must implement `create_estimator_spec()` or "
                "_create_tpu_estimator_spec()."
            ) from None

    def _create_tpu_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")


class SingleHead(Head):
    """A head of one kind of logits.

    Args:
      logits_dimension: how many logits an example has.
      weight_column: the feature that holds weights; None if all weigh the same.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      name: goes into the names of operations, metrics and summaries.

    Raises:
      ValueError: an argument is wrong.
    """

    _per_logit_weights = False

    def __init__(
        self, logits_dimension: Any, weight_column: Any, loss_reduction: Any, loss_fn: Any,
        name: Any,
    ):  # fmt: skip
        validate_loss_reduction(loss_reduction)
        validate_loss_fn_args(loss_fn)
        self._logits_dimension = logits_dimension
        self._weight_column = weight_column
        self._loss_reduction = loss_reduction
        self._loss_fn = loss_fn
        self._name = name

    @property
    def name(self) -> Any:
        """The name, or None."""
        return self._name

    @property
    def logits_dimension(self) -> Any:
        """How many logits an example has."""
        return self._logits_dimension

    @property
    def loss_reduction(self) -> Any:
        """How the losses of examples become one."""
        return self._loss_reduction

    # What a kind of head says.

    @abc.abstractmethod
    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        """Labels as the loss takes them."""

    @abc.abstractmethod
    def _losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example, [D0, ..., DN, x]."""

    @abc.abstractmethod
    def _metrics(self, regularized: bool) -> dict[str, Any]:
        """{key: a new metric}, in order."""

    @abc.abstractmethod
    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        """What is exported besides all predictions; by key."""

    def _loss_width(self) -> int:
        """The last dimension of the losses of a user's function."""
        return 1

    # What follows from it.

    def _unweighted_loss_and_weights(
        self, logits: Any, labels: Any, features: Any
    ) -> tuple[Any, Any]:
        if self._loss_fn:
            unweighted = call_loss_fn(self._loss_fn, labels, logits, features, self._loss_width())
        else:
            unweighted = self._losses(labels, logits)
        weights = get_weights_and_check_match_logits(
            features, self._weight_column, logits, self._per_logit_weights
        )
        return unweighted, weights

    def _checked(
        self, logits: Any, labels: Any, features: Any
    ) -> tuple[Tensor, Tensor, Tensor, Any]:
        """(logits, labels as the loss takes them, the examples' losses, their weights)."""
        logits = check_logits_final_dim(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        return logits, labels, *self._unweighted_loss_and_weights(logits, labels, features)

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The loss; see `Head.loss`. The mode makes no difference."""
        with ops.name_scope("losses"):
            _, _, unweighted, weights = self._checked(logits, labels, features)
            loss = losses_utils.compute_weighted_loss(
                unweighted, sample_weight=weights, reduction=self._loss_reduction
            )
            if regularization_losses is None:
                return loss
            return loss + math_ops.add_n(regularization_losses)

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        """The metrics; see `Head.metrics`."""
        with ops.name_scope("metrics"):
            made = self._metrics(regularization_losses is not None)
        return {self._summary_key(key): metric for key, metric in made.items()}

    def _of_regularization(self, regularized: bool) -> dict[str, Any]:
        key = MetricKeys.LOSS_REGULARIZATION
        return {key: keras_metrics.Mean(name=key)} if regularized else {}

    def _note_regularization(self, eval_metrics: dict[str, Any], losses: Any) -> None:
        if losses is not None:
            key = self._summary_key(MetricKeys.LOSS_REGULARIZATION)
            eval_metrics[key].update_state(values=math_ops.add_n(losses))

    def _create_tpu_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Any = None, update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        with ops.name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                exports = self._exports(predictions)
                exports[PREDICT_SERVING_KEY] = export_output.PredictOutput(predictions)
                return model_fn._TPUEstimatorSpec(mode, predictions, export_outputs=exports)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                measured = {
                    "eval_metrics": self.metrics(regularization_losses), "features": features,
                    "logits": logits, "labels": labels,
                    "regularization_losses": regularization_losses,
                }  # fmt: skip
                metrics = create_eval_metrics_tuple(self.update_metrics, measured)
                return model_fn._TPUEstimatorSpec(mode, predictions, loss, eval_metrics=metrics)
            train_op = create_estimator_spec_train_op(
                self._name, optimizer, trainable_variables, train_op_fn, update_ops, loss,
                self._loss_reduction,
            )  # fmt: skip
        create_estimator_spec_summary(loss, regularization_losses, self._summary_key)
        return model_fn._TPUEstimatorSpec(ModeKeys.TRAIN, predictions, loss, train_op)


class ClassHead(SingleHead):
    """A head of classes, one of which an example has."""

    _label_vocabulary: Any

    def _own_predictions(self, logits: Any) -> dict[str, Callable[[], Any]]:
        """{key: records a prediction that only this kind has}."""
        return {}

    @abc.abstractmethod
    def _n(self) -> Any:
        """How many classes."""

    def _class_logits(self, logits: Any) -> Any:
        """A logit of each class."""
        return logits

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        """The predictions; see `Head.predictions`.

        Raises:
          ValueError: there is no such key.
        """
        k = PredictionKeys
        logits = check_logits_final_dim(logits, self.logits_dimension)
        own = self._own_predictions(logits)
        valid = [
            k.LOGITS, *own, k.PROBABILITIES, k.CLASS_IDS, k.CLASSES, k.ALL_CLASS_IDS, k.ALL_CLASSES,
        ]  # fmt: skip
        check_prediction_keys(keys or (), valid)
        keys = keys or valid
        found = {}
        with ops.name_scope("predictions"):
            if k.LOGITS in keys:
                found[k.LOGITS] = logits
            found.update((key, record()) for key, record in own.items() if key in keys)
            by_class = self._class_logits(logits)
            if k.PROBABILITIES in keys:
                found[k.PROBABILITIES] = nn_ops.softmax(by_class, name=k.PROBABILITIES)
            if k.CLASS_IDS in keys or k.CLASSES in keys:
                ids = math_ops.argmax(by_class, axis=-1, name=k.CLASS_IDS)
                ids = array_ops.expand_dims(ids, axis=-1)
                if k.CLASS_IDS in keys:
                    found[k.CLASS_IDS] = ids
                if k.CLASSES in keys:
                    found[k.CLASSES] = parts.names_of_class_ids(ids, self._label_vocabulary)
            if k.ALL_CLASS_IDS in keys:
                found[k.ALL_CLASS_IDS] = all_class_ids(logits, self._n())
            if k.ALL_CLASSES in keys:
                found[k.ALL_CLASSES] = all_classes(logits, self._n(), self._label_vocabulary)
        return found

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        scores = predictions[PredictionKeys.PROBABILITIES]
        output = classification_output(scores, self._n(), self._label_vocabulary)
        return {DEFAULT_SERVING_KEY: output, CLASSIFY_SERVING_KEY: output}


# Checks.


def check_dense_labels_match_logits_and_reshape(
    labels: Any, logits: Any, expected_labels_dimension: int
) -> Tensor:
    """Labels [D0, ..., DN, dimension] whose shape is checked, now or in the graph.

    Raises:
      ValueError: there are none, they are sparse, or the last dimension is known and another one.
    """
    if labels is None:
        raise ValueError(_LABEL_NONE_ERR_MSG)
    width = expected_labels_dimension
    with ops.name_scope("labels") as scope:
        labels = convert_to_tensor_or_sparse_tensor(labels)
        if isinstance(labels, SparseTensor):
            raise ValueError(
                "SparseTensor labels are not supported. Labels must be a Tensor of shape [D0, D1, "
                f"..., DN, {width}], e.g. [batch_size, {width}].Suggested Fix (1): Check the label "
                f"feature in your data. Each example must contain {width} value(s). If not, your "
                "choice of label was probably incorrect. Suggested Fix (2): In your input_fn, use "
                "tf.sparse_tensor_to_dense() to turn labels into a Tensor."
            )
        if parts.is_last_dimension_missing(labels, logits):
            labels = array_ops.expand_dims(labels, -1)
        message = (
            f"labels shape must be [D0, D1, ... DN, {width}]. Suggested Fix: check your n_classes "
            "argument to the head and/or the shape of your label."
        )
        is_matrix = check_ops.assert_rank_at_least(labels, 2, message=message)
        with ops.control_dependencies([is_matrix]):
            last = labels.shape.as_list()[-1] if labels.shape.ndims is not None else None
            if last is not None and last != width:
                raise ValueError(
                    f"Mismatched label shape. Expected labels dimension={width}.  Received {last}. "
                    "Suggested Fix: If your classifier expects one-hot encoding label, check your "
                    "n_classes argument to the estimator and/or the shape of your label. "
                    "Otherwise, check the shape of your label."
                )
            expected = array_ops.concat([array_ops.shape(logits)[:-1], [width]], axis=0)
            found = array_ops.shape(labels)
            fits = check_ops.assert_equal(
                expected, found, message=message,
                data=["expected_labels_shape: ", expected, "labels_shape: ", found],
            )  # fmt: skip
            with ops.control_dependencies([fits]):
                return array_ops.identity(labels, name=scope)


def check_logits_final_dim(logits: Any, expected_logits_dimension: Any) -> Tensor:
    """Float logits whose last dimension is checked, now or in the graph.

    Raises:
      ValueError: it is known and another one.
    """
    return parts.checked_logits(
        logits, expected_logits_dimension, lambda x: math_ops.cast(x, dtypes.float32)
    )


def check_label_range(labels: Any, n_classes: Any, message: str | None = None) -> Tensor:
    """Labels that are checked to be in [0, n_classes).

    Raises:
      ValueError: they aren't, in eager execution.
    """
    if not context.executing_eagerly():
        return parts.range_checked(labels, n_classes, message, "check_label_range", "must be")
    if not math_ops.reduce_all(math_ops.less_equal(labels, n_classes - 1)):
        raise ValueError(message or f"Labels must be <= {n_classes} - 1")
    if not math_ops.reduce_all(math_ops.greater_equal(labels, 0)):
        raise ValueError(message or "Labels must be >= 0")
    return labels


def check_prediction_keys(pred_keys: Any, valid_keys: Any) -> None:
    """Raises ValueError if one of some keys is not valid."""
    for key in pred_keys:
        if key not in valid_keys:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {key}.Valid prediction keys "
                f"include {valid_keys}."
            )


def validate_loss_fn_args(loss_fn: Any) -> None:
    """Raises ValueError if a loss function has other arguments than it may have."""
    parts.check_loss_fn(loss_fn, ("labels", "logits", "features", "loss_reduction"))


def validate_loss_reduction(loss_reduction: Any) -> None:
    """Raises ValueError for what doesn't make a scalar of losses."""
    if loss_reduction not in ReductionV2.all() or loss_reduction == ReductionV2.NONE:
        raise ValueError(
            f"Invalid loss_reduction: {loss_reduction}. See `tf.losses.Reduction` for valid "
            "options."
        )


def _validate_list(name: str, value: Any) -> None:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} should be a list or a tuple. Given type: {type(value)}.")


def validate_update_ops(update_ops: Any = None) -> None:
    """Raises ValueError if there are operations, but no list or tuple of them."""
    if update_ops is not None:
        _validate_list("update_ops", update_ops)


def validate_v2_optimizer(optimzier: Any) -> None:
    """Raises ValueError for what is no Keras optimizer."""
    if not isinstance(optimzier, optimizer_v2.OptimizerV2):
        raise ValueError(
            "The given optimizer is not a tf.keras.optimizers.Optimizer instance. Given: "
            f"{optimzier}"
        )


def validate_trainable_variables(trainable_variables: Any = None) -> None:
    """Raises ValueError for what is no list or tuple."""
    if trainable_variables is None:
        raise ValueError(f"trainable_variables cannot be None. Given {trainable_variables}")
    _validate_list("trainable_variables", trainable_variables)


def validate_vocabulary_type(label_vocabulary: Any) -> None:
    """Raises ValueError for a vocabulary that is no list or tuple."""
    if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}"
        )


# Metrics.


def update_metric_with_broadcast_weights(eval_metric: Any, values: Any, weights: Any) -> None:
    """Has a mean take values into account, each with its weight."""
    values = math_ops.to_float(values)
    if weights is not None:
        weights = weights_broadcast_ops.broadcast_weights(weights, values)
    eval_metric.update_state(values=values, sample_weight=weights)


def threshold_metrics(thresholds: Any, summary_key: Callable[[str], str]) -> dict[str, Any]:
    """Accuracy, precision and recall at each threshold; their names are as in summaries."""
    made = {}
    for threshold in thresholds:
        key = MetricKeys.ACCURACY_AT_THRESHOLD % threshold
        made[key] = keras_metrics.BinaryAccuracy(name=summary_key(key), threshold=threshold)
        for key, metric in (
            (MetricKeys.PRECISION_AT_THRESHOLD, metrics_counts.Precision),
            (MetricKeys.RECALL_AT_THRESHOLD, metrics_counts.Recall),
        ):
            key = key % threshold
            made[key] = metric(name=summary_key(key), thresholds=threshold)
    return made


# What is recorded for training.


def create_estimator_spec_train_op(
    head_name: Any, optimizer: Any = None, trainable_variables: Any = None,
    train_op_fn: Any = None, update_ops: Any = None, regularized_training_loss: Any = None,
    loss_reduction: Any = ReductionV2.SUM_OVER_BATCH_SIZE,
) -> Any:  # fmt: skip
    """What trains.

    Args:
      head_name: ignored, as in TF.
      regularized_training_loss: the loss.
      loss_reduction: how it came of the examples' losses.
      The others: see `Head.create_estimator_spec`.

    Raises:
      ValueError: both or none of `optimizer` and `train_op_fn` are given, or an argument is wrong.
    """
    validate_update_ops(update_ops)
    with ops.name_scope(""), ops.name_scope("training"):
        loss = regularized_training_loss
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            validate_v2_optimizer(optimizer)
            validate_trainable_variables(trainable_variables)
            if loss_reduction == ReductionV2.SUM_OVER_BATCH_SIZE:
                loss = losses_utils.scale_loss_for_distribution(loss)
            train_op = optimizer.get_updates(loss, trainable_variables)[0]
        elif train_op_fn is not None:
            train_op = train_op_fn(loss)
        else:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        if update_ops is not None:
            train_op = control_flow_ops.group(train_op, *update_ops)
        return train_op


def create_estimator_spec_summary(
    regularized_training_loss: Any, regularization_losses: Any = None, summary_key_fn: Any = None
) -> None:
    """Records summaries of the loss, and of its regularization if there is some."""
    key_of = summary_key_fn or (lambda key: key)
    with ops.name_scope(""):
        summary.scalar(key_of(MetricKeys.LOSS), regularized_training_loss)
        if regularization_losses is not None:
            total = math_ops.add_n(regularization_losses)
            summary.scalar(key_of(MetricKeys.LOSS_REGULARIZATION), total)
