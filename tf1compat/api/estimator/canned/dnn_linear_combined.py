"""A net and a linear model together
(`tensorflow_estimator.python.estimator.canned.dnn_linear_combined`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, dnn, linear, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.nn import nn_ops
from tf1compat.api.training import sync_replicas_optimizer, training_util
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005

_NO_COLUMNS = "Either linear_feature_columns or dnn_feature_columns must be defined."


def _linear_learning_rate(num_linear_feature_columns: int) -> float:
    return min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(num_linear_feature_columns))


def _check_no_sync_replicas_optimizer(optimizer: Any) -> None:
    if isinstance(optimizer, sync_replicas_optimizer.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer does not support multi optimizers case. Therefore, it is not "
            "supported in DNNLinearCombined model. If you want to use this optimizer, please use "
            "either DNN or Linear model."
        )


def _optimizer(optimizer: Any, learning_rate: float) -> Any:
    optimizer = optimizers.get_optimizer_instance(optimizer, learning_rate=learning_rate)
    _check_no_sync_replicas_optimizer(optimizer)
    return optimizer


def _validate_feature_columns(linear_feature_columns: Any, dnn_feature_columns: Any) -> list[Any]:
    columns = [*(linear_feature_columns or []), *(dnn_feature_columns or [])]
    if not columns:
        raise ValueError(_NO_COLUMNS)
    return columns


def _dnn_linear_combined_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, linear_feature_columns: Any = None,
    linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
    dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
    dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
    input_layer_partitioner: Any = None, config: Any = None, batch_norm: bool = False,
    linear_sparse_combiner: str = "sum",
) -> Any:  # fmt: skip
    composition.check_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError(_NO_COLUMNS)
    values = tuple(features.values())
    of_input = input_layer_partitioner or composition.partitioner(config, of_input=True)
    all_logits, trained = [], []  # Logits, and (optimizer, scope), of each part.
    if dnn_feature_columns:
        dnn_optimizer = _optimizer(dnn_optimizer, _DNN_LEARNING_RATE)
        if not dnn_hidden_units:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        with variable_scope.variable_scope(
            "dnn", values=values, partitioner=composition.partitioner(config)
        ) as scope:
            logit_fn = dnn.dnn_logit_fn_builder(
                head.logits_dimension, dnn_hidden_units, dnn_feature_columns, dnn_activation_fn,
                dnn_dropout, of_input, batch_norm,
            )  # fmt: skip
            all_logits.append(logit_fn(features=features, mode=mode))
            trained.append((dnn_optimizer, scope.name))
    if linear_feature_columns:
        linear_optimizer = _optimizer(
            linear_optimizer, _linear_learning_rate(len(linear_feature_columns))
        )
        with variable_scope.variable_scope("linear", values=values, partitioner=of_input) as scope:
            logit_fn = linear.linear_logit_fn_builder(
                head.logits_dimension, linear_feature_columns, linear_sparse_combiner
            )
            all_logits.append(logit_fn(features=features))
            composition.summarize_layer(all_logits[-1], scope.name)
            trained.append((linear_optimizer, scope.name))
    logits = all_logits[0] + all_logits[1] if len(all_logits) == 2 else all_logits[0]

    def train_op_fn(loss: Any) -> Any:
        global_step = training_util.get_global_step()
        steps = [
            optimizer.minimize(
                loss, var_list=ops.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES, scope=scope)
            )
            for optimizer, scope in trained
        ]
        with ops.control_dependencies([control_flow_ops.group(*steps)]):
            return state_ops.assign_add(global_step, 1).op

    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
    )


class _Combined(estimator.Estimator):
    """What the three have in common."""

    def _start(
        self, head: Any, model_dir: Any, config: Any, warm_start_from: Any = None, **settings: Any
    ) -> None:
        self._feature_columns = _validate_feature_columns(
            settings["linear_feature_columns"], settings["dnn_feature_columns"]
        )
        model_fn = composition.model_fn_of(_dnn_linear_combined_model_fn, head=head(), **settings)
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@tf_export("estimator.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimator(_Combined):
    """A net and a linear model, whose logits are added, under any head ("wide and deep").

    Args:
      head: what the logits mean.
      model_dir, config: see `Estimator`.
      linear_feature_columns: the columns of the linear model.
      linear_optimizer: an optimizer, its name, or a function that makes one.
      dnn_feature_columns: the columns of the net.
      dnn_optimizer: as `linear_optimizer`.
      dnn_hidden_units: how many units each hidden layer has.
      dnn_activation_fn: of the hidden layers.
      dnn_dropout: the fraction of hidden units that are dropped in training.
      input_layer_partitioner: splits the variables of the inputs.
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
        input_layer_partitioner: Any = None, config: Any = None,
        linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        self._start(
            lambda: head, model_dir, config, linear_feature_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns,
            dnn_optimizer=dnn_optimizer, dnn_hidden_units=dnn_hidden_units,
            dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            input_layer_partitioner=input_layer_partitioner,
            linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


@tf_export("estimator.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifier(_Combined):
    """A net and a linear model, whose logits are added, that tell classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.losses.Reduction`.
      batch_norm: whether hidden layers are normalized.
      The others: see `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        def head() -> Any:
            return head_lib._binary_logistic_or_multi_class_head(
                n_classes, weight_column, label_vocabulary, loss_reduction
            )

        self._start(
            head, model_dir, config, warm_start_from,
            linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm, linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


@tf_export("estimator.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressor(_Combined):
    """A net and a linear model, whose logits are added, that give numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.losses.Reduction`.
      batch_norm: whether hidden layers are normalized.
      The others: see `DNNLinearCombinedEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = "Ftrl", dnn_feature_columns: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        label_dimension: int = 1,
        weight_column: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = losses.Reduction.SUM,
        batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ):  # fmt: skip
        def head() -> Any:
            return head_lib._regression_head(
                weight_column, label_dimension, loss_reduction=loss_reduction
            )

        self._start(
            head, model_dir, config, warm_start_from,
            linear_feature_columns=linear_feature_columns, linear_optimizer=linear_optimizer,
            dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, input_layer_partitioner=input_layer_partitioner,
            batch_norm=batch_norm, linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip
