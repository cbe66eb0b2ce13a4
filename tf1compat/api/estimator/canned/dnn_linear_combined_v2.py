"""Part of `tensorflow_estimator.python.estimator.canned.dnn_linear_combined`: TF 2's, of Keras
layers, heads and optimizers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import (
    composition,
    dnn_linear_combined,
    dnn_v2,
    linear_v2,
    optimizers,
)
from tf1compat.api.estimator.head import head_utils, regression_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.nn import nn_ops
from tf1compat.api.training import training_util
from tf1compat.core.export import tf_export

_MEAN = ReductionV2.SUM_OVER_BATCH_SIZE


def _optimizer(optimizer: Any, learning_rate: float) -> Any:
    optimizer = optimizers.get_optimizer_instance_v2(optimizer, learning_rate=learning_rate)
    dnn_linear_combined._check_no_sync_replicas_optimizer(optimizer)
    return optimizer


def _dnn_linear_combined_model_fn_v2(
    features: Any, labels: Any, mode: Any, head: Any, linear_feature_columns: Any = None,
    linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
    dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
    dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
    config: Any = None, batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    loss_reduction: Any = _MEAN,
) -> Any:  # fmt: skip
    composition.check_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError(dnn_linear_combined._NO_COLUMNS)
    is_training = mode == ModeKeys.TRAIN
    all_logits, trained = [], []  # Logits, and (optimizer, variables, updates), of each part.
    if dnn_feature_columns:
        if is_training:
            dnn_optimizer = _optimizer(dnn_optimizer, dnn_linear_combined._DNN_LEARNING_RATE)
        if not dnn_hidden_units:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        logits, variables, updates = dnn_v2._dnn_model_fn_builder_v2(
            head.logits_dimension, dnn_hidden_units, dnn_feature_columns, dnn_activation_fn,
            dnn_dropout, batch_norm, features, mode,
        )  # fmt: skip
        all_logits.append(logits)
        trained.append((dnn_optimizer, variables, updates or []))
    if linear_feature_columns:
        if is_training:
            rate = dnn_linear_combined._linear_learning_rate(len(linear_feature_columns))
            linear_optimizer = _optimizer(linear_optimizer, rate)
        logits, variables = linear_v2._linear_model_fn_builder_v2(
            head.logits_dimension, linear_feature_columns, linear_sparse_combiner, features
        )
        composition.summarize_layer(logits, "linear")
        all_logits.append(logits)
        trained.append((linear_optimizer, variables, []))
    if is_training:  # One of the optimizers counts the steps.
        trained[0][0].iterations = training_util.get_or_create_global_step()

    def train_op_fn(loss: Any) -> Any:
        if loss_reduction == _MEAN:
            loss = losses_utils.scale_loss_for_distribution(loss)
        steps = []
        for optimizer, variables, updates in trained:
            steps += optimizer.get_updates(loss, variables)
            steps += updates
        return control_flow_ops.group(*steps)

    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=all_logits[0] + all_logits[1] if len(all_logits) == 2 else all_logits[0],
    )  # fmt: skip


class _CombinedV2(estimator.EstimatorV2):
    """What the three have in common."""

    def _start(
        self, head: Callable[[], Any], model_dir: Any, config: Any, warm_start_from: Any = None,
        **settings: Any,
    ) -> None:  # fmt: skip
        self._feature_columns = dnn_linear_combined._validate_feature_columns(
            settings["linear_feature_columns"], settings["dnn_feature_columns"]
        )
        model_fn = composition.model_fn_of(
            _dnn_linear_combined_model_fn_v2, head=head(), **settings
        )
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@tf_export("compat.v2.estimator.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimatorV2(_CombinedV2):
    """A net and a linear model, whose logits are added, under any head ("wide and deep").

    Args:
      head: what the logits mean; a `tf.estimator.Head`.
      model_dir, config: see `Estimator`.
      linear_feature_columns: the columns of the linear model.
      linear_optimizer: a Keras optimizer, its name, or a function that makes one.
      dnn_feature_columns: the columns of the net.
      dnn_optimizer: as `linear_optimizer`.
      dnn_hidden_units: how many units each hidden layer has.
      dnn_activation_fn: of the hidden layers.
      dnn_dropout: the fraction of hidden units that are dropped in training.
      linear_sparse_combiner: how several values of a categorical column are joined: "sum",
        "mean" or "sqrtn".

    Raises:
      ValueError: there are no columns.
    """

    def __init__(
        self, head: Any, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        config: Any = None, linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        self._start(
            lambda: head, model_dir, config, linear_feature_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


@tf_export("compat.v2.estimator.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifierV2(_CombinedV2):
    """A net and a linear model, whose logits are added, that tell classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      batch_norm: whether hidden layers are normalized.
      The others: see `DNNLinearCombinedEstimatorV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = _MEAN, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        def head() -> Any:
            return head_utils.binary_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            )

        self._start(
            head, model_dir, config, warm_start_from,
            linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner, loss_reduction=loss_reduction,
        )  # fmt: skip


@tf_export("compat.v2.estimator.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressorV2(_CombinedV2):
    """A net and a linear model, whose logits are added, that give numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      batch_norm: whether hidden layers are normalized.
      The others: see `DNNLinearCombinedEstimatorV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        label_dimension: int = 1, weight_column: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = _MEAN, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        def head() -> Any:
            return regression_head.RegressionHead(
                label_dimension=label_dimension, weight_column=weight_column,
                loss_reduction=loss_reduction,
            )  # fmt: skip

        # The loss is scaled however it is reduced, as in TF.
        self._start(
            head, model_dir, config, warm_start_from,
            linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, batch_norm=batch_norm,
            linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip
