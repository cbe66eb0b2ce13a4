"""Fully connected nets (`tensorflow_estimator.python.estimator.canned.dnn`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.feature_column import feature_layers
from tf1compat.api.keras.engine import training
from tf1compat.api.layers import core, normalization
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_LEARNING_RATE = 0.05


@tf_export("estimator.experimental.dnn_logit_fn_builder")
def dnn_logit_fn_builder(
    units: Any, hidden_units: Any, feature_columns: Any, activation_fn: Callable[..., Any],
    dropout: Any,
    input_layer_partitioner: Any, batch_norm: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A function of features and mode that gives the logits of a net.

    Args:
      units: how many logits.
      hidden_units: how many units each hidden layer has.
      feature_columns: the columns of the input layer.
      activation_fn: of the hidden layers.
      dropout: the fraction of hidden units that are dropped in training, or None.
      input_layer_partitioner: splits the variables of the input layer.
      batch_norm: whether hidden layers are normalized.

    Returns:
      The function; its logits are float32 [batch, units].

    Raises:
      ValueError: `units` is no int.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features: Any, mode: Any) -> Any:
        model = _DNNModel(
            units, hidden_units, feature_columns, activation_fn, dropout,
            input_layer_partitioner, batch_norm, name="dnn",
        )  # fmt: skip
        return model(features, mode)

    return dnn_logit_fn


def _dense(units: int, activation: Any, scope: Any) -> Any:
    return core.Dense(
        units=units, activation=activation,
        kernel_initializer=init_ops.glorot_uniform_initializer(), name=scope, _scope=scope,
    )  # fmt: skip


class _DNNModel(training.Model):
    """The layers of a net; see `dnn_logit_fn_builder`."""

    def __init__(
        self, units: int, hidden_units: Any, feature_columns: Any, activation_fn: Callable[...,
        Any],
        dropout: Any, input_layer_partitioner: Any, batch_norm: Any, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        if fc.is_feature_column_v2(feature_columns):
            self._input_layer = feature_layers.DenseFeatures(
                feature_columns=feature_columns, name="input_layer"
            )
        else:
            self._input_layer = fc_old.InputLayer(
                feature_columns=feature_columns, name="input_layer", create_scope_now=False
            )
        self._add_layer(self._input_layer, "input_layer")
        self._input_layer_partitioner = input_layer_partitioner
        self._dropout, self._batch_norm = dropout, batch_norm
        self._hidden_layers, self._hidden_layer_scope_names = [], []
        self._dropout_layers, self._batch_norm_layers = [], []
        for i, width in enumerate(hidden_units):
            with variable_scope.variable_scope(f"hiddenlayer_{i}") as scope:
                hidden = _dense(width, activation_fn, scope)
                self._add_layer(hidden, scope.name)
                self._hidden_layers.append(hidden)
                self._hidden_layer_scope_names.append(scope.name)
                if dropout is not None:
                    layer = core.Dropout(rate=dropout)
                    self._add_layer(layer, layer.name)
                    self._dropout_layers.append(layer)
                if batch_norm:
                    name = f"batchnorm_{i}"
                    layer = normalization.BatchNormalization(
                        momentum=0.999, trainable=True, name=name, _scope=name
                    )
                    self._add_layer(layer, layer.name)
                    self._batch_norm_layers.append(layer)
        with variable_scope.variable_scope("logits") as scope:
            self._logits_layer = _dense(units, None, scope)
            self._add_layer(self._logits_layer, scope.name)
            self._logits_scope_name = scope.name

    def call(self, features: Any, mode: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The logits."""
        is_training = mode == ModeKeys.TRAIN
        # The layers are named beside the model's own scope, not in it.
        with ops.name_scope(name=ops.get_name_scope().rpartition("/")[0] + "/"):
            with variable_scope.variable_scope(
                "input_from_feature_columns", partitioner=self._input_layer_partitioner
            ):
                net = self._input_layer(features)
            for i, hidden in enumerate(self._hidden_layers):
                net = hidden(net)
                if self._dropout is not None and is_training:
                    net = self._dropout_layers[i](net, training=True)
                if self._batch_norm:
                    net = self._batch_norm_layers[i](net, training=is_training)
                composition.summarize_layer(net, self._hidden_layer_scope_names[i])
            logits = self._logits_layer(net)
            composition.summarize_layer(logits, self._logits_scope_name)
            return logits

    def _add_layer(self, layer: Any, layer_name: str) -> None:
        setattr(self, layer_name, layer)


def _dnn_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, hidden_units: Any, feature_columns: Any,
    optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = nn_ops.relu,
    dropout: Any = None,
    input_layer_partitioner: Any = None, config: Any = None, batch_norm: bool = False,
) -> Any:  # fmt: skip
    optimizer = optimizers.get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
    composition.check_features(features)
    with variable_scope.variable_scope(
        "dnn", values=tuple(features.values()), partitioner=composition.partitioner(config)
    ):
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout,
            input_layer_partitioner or composition.partitioner(config, of_input=True),
            batch_norm,
        )  # fmt: skip
        logits = logit_fn(features=features, mode=mode)
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits
        )


@tf_export("estimator.DNNEstimator")
class DNNEstimator(estimator.Estimator):
    """A net under any head.

    Args:
      head: what the logits mean.
      hidden_units: how many units each hidden layer has.
      feature_columns: the columns of the input layer.
      model_dir, config, warm_start_from: see `Estimator`.
      optimizer: an optimizer, its name, or a function that makes one.
      activation_fn: of the hidden layers.
      dropout: the fraction of hidden units that are dropped in training.
      input_layer_partitioner: splits the variables of the input layer.
      batch_norm: whether hidden layers are normalized.
    """

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = nn_ops.relu,
        dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        batch_norm: bool = False,
    ):  # fmt: skip
        model_fn = composition.model_fn_of(
            _dnn_model_fn, head=head, hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or []), optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout,
            input_layer_partitioner=input_layer_partitioner, batch_norm=batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@tf_export("estimator.DNNClassifier")
class DNNClassifier(DNNEstimator):
    """A net that tells classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.losses.Reduction`.
      The others: see `DNNEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad",
        activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, batch_norm: bool = False,
    ):  # fmt: skip
        head = head_lib._binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn,
            dropout, input_layer_partitioner, config, warm_start_from, batch_norm,
        )  # fmt: skip


@tf_export("estimator.DNNRegressor")
class DNNRegressor(DNNEstimator):
    """A net that gives numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      loss_reduction: one of `tf.losses.Reduction`.
      The others: see `DNNEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Adagrad",
        activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, batch_norm: bool = False,
    ):  # fmt: skip
        head = head_lib._regression_head(
            weight_column, label_dimension, loss_reduction=loss_reduction
        )
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn,
            dropout, input_layer_partitioner, config, warm_start_from, batch_norm,
        )  # fmt: skip
