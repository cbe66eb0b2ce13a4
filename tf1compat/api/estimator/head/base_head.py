"""`tf.estimator.Head`, and what the heads of TF 2's generation have in common.

They measure with Keras's metrics, train with its optimizers, and tell predictions, loss and metrics
apart: each can be asked for by itself.
"""

from __future__ import annotations

import abc
import functools
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
from tf1compat.api.keras import metrics as keras_metrics
from tf1compat.api.keras import metrics_counts
from tf1compat.api.keras.optimizer_v2 import optimizer_v2
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.summary import summary
from tf1compat.core import context, dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

DEFAULT_SERVING_KEY = parts.DEFAULT_SERVING_KEY
CLASSIFY_SERVING_KEY = parts.CLASSIFY_SERVING_KEY
REGRESS_SERVING_KEY = parts.REGRESS_SERVING_KEY
PREDICT_SERVING_KEY = parts.PREDICT_SERVING_KEY

SUM_OVER_BATCH_SIZE = losses_utils.ReductionV2.SUM_OVER_BATCH_SIZE

_LABEL_NONE_ERR_MSG = (
    "You must provide a labels Tensor. Given: None. Suggested troubleshooting steps: Check that "
    "your data contains your label feature. Check that your input_fn properly parses and returns "
    "labels."
)

all_class_ids = parts.all_class_ids
all_classes = parts.all_classes
call_loss_fn = parts.call_loss_fn
classification_output = parts.classification_output
create_eval_metrics_tuple = parts.create_eval_metrics_tuple
get_weights_and_check_match_logits = functools.partial(
    parts.get_weights_and_check_match_logits, column_class="NumericColumn"
)
validate_n_classes = parts.validate_n_classes


@tf_export("estimator.Head")
class Head(abc.ABC):
    """What logits mean: predictions, a loss, metrics, what is exported.

    Subclasses define the abstract members, and `create_estimator_spec` or
    `_create_tpu_estimator_spec`.
    """

    @property
    @abc.abstractmethod
    def name(self) -> Any:
        """The head's name, or None."""

    @property
    @abc.abstractmethod
    def logits_dimension(self) -> Any:
        """How many logits an example has."""

    @property
    @abc.abstractmethod
    def loss_reduction(self) -> Any:
        """One of `tf.losses.Reduction` (TF 2's): how the examples' losses become one."""

    @abc.abstractmethod
    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The loss, a scalar.

        Args:
          labels: as the kind of head wants them.
          logits: [D0, ..., DN, logits_dimension].
          features: {name: a tensor}; what weights and a user's loss are taken from.
          mode: one of `ModeKeys`.
          regularization_losses: scalars, added to it.
        """

    @abc.abstractmethod
    def predictions(self, logits: Any, keys: Any = None) -> Any:
        """{name: tensor}: what logits say.

        Args:
          logits: [D0, ..., DN, logits_dimension].
          keys: which predictions are wanted; all by default.
        """

    @abc.abstractmethod
    def metrics(self, regularization_losses: Any = None) -> Any:
        """{name: a Keras metric}, not updated yet."""

    @abc.abstractmethod
    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """Updates what `metrics` gave, and gives it back."""

    def _summary_key(self, key: str) -> str:
        return parts.summary_key(self.name, key)

    def create_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Callable[..., Any] | None = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """What a model function returns.

        Args:
          features: {name: a tensor}.
          mode: one of `ModeKeys`.
          logits: [D0, ..., DN, logits_dimension].
          labels: as the kind of head wants them; needed but for prediction.
          optimizer: one of Keras's, which minimizes the loss in training by changing
          trainable_variables: a list of variables; or
          train_op_fn: a function of the loss that gives what trains.
          update_ops: a list of what else runs in training.
          regularization_losses: scalars, added to the loss.

        Returns:
          An `EstimatorSpec`.

        Raises:
          ValueError: an argument is wrong, or what training needs is missing.
        """
        try:
            spec = self._create_tpu_estimator_spec(
                features=features, mode=mode, logits=logits, labels=labels, optimizer=optimizer,
                trainable_variables=trainable_variables, train_op_fn=train_op_fn,
                update_ops=update_ops, regularization_losses=regularization_losses,
            )  # fmt: skip
            return spec.as_estimator_spec()
        except NotImplementedError:
            raise NotImplementedError(
                "Subclasses of Head must implement `create_estimator_spec()` or "
                "_create_tpu_estimator_spec()."
            ) from None

    def _create_tpu_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Callable[..., Any] | None = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        raise NotImplementedError("TPUEstimatorSpec not available for this model head.")


class LogitsHead(Head):
    """A head that has one loss for each example; its subclasses say which.

    Args:
      logits_dimension: how many logits an example has.
      weight_column: the feature that holds weights; None if all weigh the same.
      loss_reduction: "sum" or "sum_over_batch_size".
      loss_fn: a function of labels, logits and perhaps features that takes the loss's place.
      name: goes into the names of operations, metrics and summaries.
    """

    _per_logit_weights = False

    def __init__(
        self, logits_dimension: Any, weight_column: Any, loss_reduction: Any,
        loss_fn: Callable[..., Any],
        name: Name,
    ):  # fmt: skip
        self._logits_dimension = logits_dimension
        self._weight_column = weight_column
        self._loss_reduction = loss_reduction
        self._loss_fn = loss_fn
        self._name = name

    name = attribute("_name", "See `Head`.")
    logits_dimension = attribute("_logits_dimension", "See `Head`.")
    loss_reduction = attribute("_loss_reduction", "See `Head`.")

    # What a kind of head says.

    def _processed_labels(self, logits: Any, labels: Any) -> Any:
        """Labels as the loss takes them."""
        raise NotImplementedError

    def _losses(self, labels: Any, logits: Any) -> Any:
        """The loss of each example, [D0, ..., DN, x]."""
        raise NotImplementedError

    def _loss_width(self) -> int:
        """The last dimension of the losses of a user's function."""
        return 1

    def _exports(self, predictions: dict[str, Any]) -> dict[str, Any]:
        """What is exported besides all predictions; by key."""
        raise NotImplementedError

    # What follows from it.

    def _unweighted_loss_and_weights(self, logits: Any, labels: Any, features: Any) -> Any:
        if self._loss_fn:
            losses = call_loss_fn(self._loss_fn, labels, logits, features, self._loss_width())
        else:
            losses = self._losses(labels, logits)
        return losses, get_weights_and_check_match_logits(
            features, self._weight_column, logits, self._per_logit_weights
        )

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """See `Head`."""
        given = (logits, labels, regularization_losses, features)
        with ops.name_scope(None, "losses", given):
            logits = check_logits_final_dim(logits, self.logits_dimension)
            labels = self._processed_labels(logits, labels)
            losses, weights = self._unweighted_loss_and_weights(logits, labels, features)
            loss = losses_utils.compute_weighted_loss(losses, weights, self._loss_reduction)
            return _regularized(loss, regularization_losses)

    def _update_regularization(self, metrics: dict[str, Any], losses: Any) -> None:
        if losses is not None:
            key = self._summary_key(MetricKeys.LOSS_REGULARIZATION)
            metrics[key].update_state(values=math_ops.add_n(losses))

    def _create_tpu_estimator_spec(
        self, features: Any, mode: Any, logits: Any, labels: Any = None, optimizer: Any = None,
        trainable_variables: Any = None, train_op_fn: Callable[..., Any] | None = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        with ops.name_scope(self._name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                exports = self._exports(predictions)
                exports[PREDICT_SERVING_KEY] = export_output.PredictOutput(predictions)
                return model_fn._TPUEstimatorSpec(mode, predictions, export_outputs=exports)
            loss = self.loss(
                logits=logits, labels=labels, features=features, mode=mode,
                regularization_losses=regularization_losses,
            )  # fmt: skip
            if mode == ModeKeys.EVAL:
                given = {
                    "eval_metrics": self.metrics(regularization_losses=regularization_losses),
                    "features": features, "logits": logits, "labels": labels,
                    "regularization_losses": regularization_losses,
                }  # fmt: skip
                metrics = create_eval_metrics_tuple(self.update_metrics, given)
                return model_fn._TPUEstimatorSpec(mode, predictions, loss, eval_metrics=metrics)
            train_op = create_estimator_spec_train_op(
                self._name, optimizer, trainable_variables, train_op_fn, update_ops, loss,
                self._loss_reduction,
            )  # fmt: skip
        create_estimator_spec_summary(loss, regularization_losses, self._summary_key)
        return model_fn._TPUEstimatorSpec(ModeKeys.TRAIN, predictions, loss, train_op)


def _regularized(loss: Any, regularization_losses: Any) -> Any:
    if regularization_losses is None:
        return loss
    return loss + math_ops.add_n(regularization_losses)


# What is checked.


def validate_loss_fn_args(loss_fn: Any) -> None:
    """Raises ValueError if a loss function lacks an argument, or has others than allowed."""
    parts.check_loss_fn(loss_fn, ("labels", "logits", "features", "loss_reduction"))


def validate_loss_reduction(loss_reduction: Any) -> None:
    """Raises ValueError if a reduction is unknown, or leaves the losses as they are."""
    reductions = losses_utils.ReductionV2
    if loss_reduction not in reductions.all() or loss_reduction == reductions.NONE:
        raise ValueError(
            f"Invalid loss_reduction: {loss_reduction}. See `tf.losses.Reduction` for valid "
            "options."
        )


def _check_is_list(value: Any, name: str) -> None:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} should be a list or a tuple. Given type: {type(value)}.")


def validate_update_ops(update_ops: Any = None) -> None:
    """Raises ValueError if something else than a list is given."""
    if update_ops is not None:
        _check_is_list(update_ops, "update_ops")


def validate_trainable_variables(trainable_variables: Any = None) -> None:
    """Raises ValueError if no list is given."""
    if trainable_variables is None:
        raise ValueError(f"trainable_variables cannot be None. Given {trainable_variables}")
    _check_is_list(trainable_variables, "trainable_variables")


def validate_v2_optimizer(optimizer: Any) -> None:
    """Raises ValueError if an optimizer is none of Keras's."""
    if not isinstance(optimizer, optimizer_v2.OptimizerV2):
        raise ValueError(
            "The given optimizer is not a tf.keras.optimizers.Optimizer instance. "
            f"Given: {optimizer}"
        )


def check_vocabulary_is_list(label_vocabulary: Sequence[str] | None) -> None:
    """Raises ValueError if a vocabulary is neither None nor a list."""
    if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
        raise ValueError(
            f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}"
        )


def check_prediction_keys(pred_keys: Any, valid_keys: Any) -> None:
    """Raises ValueError if there is no prediction of such a name."""
    for key in pred_keys:
        if key not in valid_keys:
            raise ValueError(
                f"Prediction key must be in PredictionKeys, given: {key}.Valid prediction keys "
                f"include {valid_keys}."
            )


def check_logits_final_dim(logits: Any, expected_logits_dimension: Any) -> Tensor:
    """Float logits whose last dimension is checked. Raises ValueError if it is known and wrong."""
    return parts.checked_logits(
        logits, expected_logits_dimension, lambda x: math_ops.cast(x, dtypes.float32)
    )


def check_label_range(labels: Any, n_classes: int, message: str | None = None) -> Tensor:
    """Labels that are checked to be in [0, n_classes). Raises ValueError in eager execution."""
    return parts.range_checked(labels, n_classes, message, "check_label_range", "must be")


def check_dense_labels_match_logits_and_reshape(
    labels: Any, logits: Any, expected_labels_dimension: int
) -> Tensor:
    """Labels [D0, ..., DN, dimension] whose shape is checked, now or in the graph.

    Args:
      labels: [D0, ..., DN], if there is one label, or [D0, ..., DN, dimension].
      logits: [D0, ..., DN, logits_dimension].
      expected_labels_dimension: the dimension.

    Raises:
      ValueError: there are none, they are sparse, or known to be of another shape.
    """
    if labels is None:
        raise ValueError(_LABEL_NONE_ERR_MSG)
    width = expected_labels_dimension
    message = (
        f"labels shape must be [D0, D1, ... DN, {width}]. Suggested Fix: check your n_classes "
        "argument to the head and/or the shape of your label."
    )
    with ops.name_scope(None, "labels", (labels, logits)) as scope:
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
        if context.executing_eagerly():
            _check_label_shape(labels, logits, width, message)
            return labels
        is_matrix = check_ops.assert_rank_at_least(labels, 2, message=message)
        with ops.control_dependencies([is_matrix]):
            if labels.shape.ndims is not None:
                _check_label_width(labels.shape.as_list()[-1], width)
            expected = array_ops.concat([array_ops.shape(logits)[:-1], [width]], axis=0)
            labels_shape = array_ops.shape(labels)
            fits = check_ops.assert_equal(
                expected, labels_shape, message=message,
                data=["expected_labels_shape: ", expected, "labels_shape: ", labels_shape],
            )  # fmt: skip
            with ops.control_dependencies([fits]):
                return array_ops.identity(labels, name=scope)


def _check_label_width(found: int | None, width: int) -> None:
    if found is not None and found != width:
        raise ValueError(
            f"Mismatched label shape. Expected labels dimension={width}.  Received {found}. "
            "Suggested Fix: If your classifier expects one-hot encoding label, check your "
            "n_classes argument to the estimator and/or the shape of your label. Otherwise, check "
            "the shape of your label."
        )


def _check_label_shape(labels: Any, logits: Any, width: int, message: str) -> None:
    shape = tuple(labels.shape.as_list())
    parts.check_rank(shape, "labels")
    _check_label_width(shape[-1], width)
    expected = (*logits.shape.as_list()[:-1], width)
    if expected != shape:
        raise ValueError(f"{message}, expected_labels_shape: {expected}. labels_shape: {shape}.")


# What is recorded.


def class_predictions(
    class_logits: Any, logits: Any, n_classes: int, label_vocabulary: Any, keys: Sequence[str]
) -> dict[str, Tensor]:
    """What a classifier predicts.

    Args:
      class_logits: [D0, ..., DN, n_classes].
      logits: [D0, ..., DN, x]: the head's.
      n_classes: how many classes there are.
      label_vocabulary: their names, if they have any.
      keys: which predictions are wanted.
    """
    found = {}
    if PredictionKeys.PROBABILITIES in keys:
        found[PredictionKeys.PROBABILITIES] = nn_ops.softmax(
            class_logits, name=PredictionKeys.PROBABILITIES
        )
    if PredictionKeys.CLASS_IDS in keys or PredictionKeys.CLASSES in keys:
        ids = math_ops.argmax(class_logits, axis=-1, name=PredictionKeys.CLASS_IDS)
        ids = array_ops.expand_dims(ids, axis=-1)
        if PredictionKeys.CLASS_IDS in keys:
            found[PredictionKeys.CLASS_IDS] = ids
        if PredictionKeys.CLASSES in keys:
            found[PredictionKeys.CLASSES] = parts.names_of_class_ids(ids, label_vocabulary)
    if PredictionKeys.ALL_CLASS_IDS in keys:
        found[PredictionKeys.ALL_CLASS_IDS] = all_class_ids(logits, n_classes)
    if PredictionKeys.ALL_CLASSES in keys:
        found[PredictionKeys.ALL_CLASSES] = all_classes(logits, n_classes, label_vocabulary)
    return found


def threshold_metrics(
    thresholds: tuple[float, ...], summary_key: Callable[[str], str]
) -> dict[str, Any]:
    """{name: a metric} for accuracy, precision and recall at each threshold."""
    found = {}
    for threshold in thresholds:
        key = summary_key(MetricKeys.ACCURACY_AT_THRESHOLD % threshold)
        found[key] = keras_metrics.BinaryAccuracy(name=key, threshold=threshold)
        for key, metric in (
            (MetricKeys.PRECISION_AT_THRESHOLD, metrics_counts.Precision),
            (MetricKeys.RECALL_AT_THRESHOLD, metrics_counts.Recall),
        ):
            key = summary_key(key % threshold)
            found[key] = metric(name=key, thresholds=threshold)
    return found


def threshold_keys(thresholds: tuple[float, ...], summary_key: Callable[[str], str]) -> list[str]:
    """The names of `threshold_metrics`."""
    return [
        summary_key(key % threshold)
        for threshold in thresholds
        for key in (
            MetricKeys.ACCURACY_AT_THRESHOLD,
            MetricKeys.PRECISION_AT_THRESHOLD,
            MetricKeys.RECALL_AT_THRESHOLD,
        )
    ]


def update_metric_with_broadcast_weights(eval_metric: Any, values: Any, weights: Any) -> None:
    """Updates a mean of values, whose weights may have fewer columns."""
    values = math_ops.to_float(values)
    if weights is not None:
        weights = weights_broadcast_ops.broadcast_weights(weights, values)
    eval_metric.update_state(values=values, sample_weight=weights)


def create_estimator_spec_train_op(
    head_name: Any, optimizer: Any = None, trainable_variables: Any = None,
    train_op_fn: Callable[..., Any] | None = None, update_ops: Any = None,
    regularized_training_loss: Any = None,
    loss_reduction: Any = SUM_OVER_BATCH_SIZE,
) -> Any:  # fmt: skip
    """What trains. Args: see `Head.create_estimator_spec`; `head_name` is ignored.

    Raises:
      ValueError: an argument is wrong, or both or none of `optimizer` and `train_op_fn` are given.
    """
    del head_name
    loss = regularized_training_loss
    validate_update_ops(update_ops)
    with ops.name_scope(""), ops.name_scope("training"):
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            validate_v2_optimizer(optimizer)
            validate_trainable_variables(trainable_variables)
            if loss_reduction == SUM_OVER_BATCH_SIZE:
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
    regularized_training_loss: Any, regularization_losses: Any = None,
    summary_key_fn: Callable[[str], str] | None = None,
) -> None:  # fmt: skip
    """Summaries of the loss, and of what regularizes it."""
    key_of = summary_key_fn or (lambda key: key)
    with ops.name_scope(""):
        summary.scalar(key_of(MetricKeys.LOSS), regularized_training_loss)
        if regularization_losses is not None:
            summary.scalar(
                key_of(MetricKeys.LOSS_REGULARIZATION), math_ops.add_n(regularization_losses)
            )
