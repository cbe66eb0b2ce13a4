"""Part of `tensorflow_estimator.python.estimator.canned.dnn`: TF 2's, of Keras layers, heads and
optimizers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.head import head_utils, regression_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import dense_features_v2
from tf1compat.api.keras.engine import training
from tf1compat.api.keras.layers import core, normalization_v2
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training import training_util
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_MEAN = ReductionV2.SUM_OVER_BATCH_SIZE


def dnn_logit_fn_builder_v2(
    units: Any, hidden_units: Any, feature_columns: Any, activation_fn: Callable[..., Any],
    dropout: Any,
    batch_norm: Any,
) -> Callable[..., Any]:  # fmt: skip
    """A function of features and mode that gives the logits of a net.

    Args:
      units: how many logits.
      The others: see `DNNEstimatorV2`.

    Raises:
      ValueError: `units` is no int.
    """
    _check_units(units)

    def dnn_logit_fn(features: Any, mode: Any) -> Any:
        model = _DNNModelV2(
            units, hidden_units, feature_columns, activation_fn, dropout, batch_norm, name="dnn"
        )
        return model(features, mode)

    return dnn_logit_fn


def _check_units(units: Any) -> None:
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")


def _dense(units: Any, activation: Any, name: str) -> Any:
    initializer = init_ops.glorot_uniform_initializer()
    return core.Dense(units=units, activation=activation, kernel_initializer=initializer, name=name)


class _DNNModelV2(training.Model):
    """The layers of a net, named by the scopes of where it is made."""

    def __init__(
        self, units: Any, hidden_units: Any, feature_columns: Any, activation_fn: Callable[...,
        Any],
        dropout: Any, batch_norm: Any, name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        with ops.name_scope("input_from_feature_columns") as scope:
            composition.check_new_columns(feature_columns)
            self._input_layer = dense_features_v2.DenseFeatures(
                feature_columns=feature_columns, name=scope + "input_layer"
            )
        self._dropout, self._batch_norm = dropout, batch_norm
        self._hidden_layers, self._hidden_layer_scope_names = [], []
        self._dropout_layers, self._batch_norm_layers = [], []
        for i, width in enumerate(hidden_units):
            with ops.name_scope(f"hiddenlayer_{i}") as scope:
                name = scope.rstrip("/")
                self._hidden_layers.append(_dense(width, activation_fn, name))
                self._hidden_layer_scope_names.append(name)
                if dropout is not None:
                    self._dropout_layers.append(core.Dropout(rate=dropout))
                if batch_norm:
                    self._batch_norm_layers.append(
                        normalization_v2.BatchNormalization(
                            momentum=0.999, trainable=True, name=f"{name}/batchnorm_{i}"
                        )
                    )
        with ops.name_scope("logits") as scope:
            self._logits_scope_name = scope.rstrip("/")
            self._logits_layer = _dense(units, None, self._logits_scope_name)

    def call(self, features: Any, mode: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The logits."""
        is_training = mode == ModeKeys.TRAIN
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


def _dnn_model_fn_builder_v2(
    units: int, hidden_units: Any, feature_columns: Any, activation_fn: Callable[..., Any],
    dropout: Any, batch_norm: Any, features: Any, mode: Any,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """(logits, the net's variables, what else runs in training)."""
    _check_units(units)
    model = _DNNModelV2(
        units, hidden_units, feature_columns, activation_fn, dropout, batch_norm, name="dnn"
    )
    logits = model(features, mode)
    return logits, model.trainable_variables, model.updates


def dnn_model_fn_v2(
    features: Any, labels: Any, mode: Any, head: Any, hidden_units: Any, feature_columns: Any,
    optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = nn_ops.relu,
    dropout: Any = None,
    config: Any = None, use_tpu: bool = False, batch_norm: bool = False,
) -> Any:  # fmt: skip
    """The model function of `DNNEstimatorV2`.

    Args:
      config: ignored, as in TF.
      use_tpu: whether to give a `TPUEstimatorSpec`.
    """
    composition.check_features(features)
    logits, variables, updates = _dnn_model_fn_builder_v2(
        head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, batch_norm,
        features, mode,
    )  # fmt: skip
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.get_optimizer_instance_v2(optimizer)
        optimizer.iterations = training_util.get_or_create_global_step()
    spec = head._create_tpu_estimator_spec if use_tpu else head.create_estimator_spec
    return spec(
        features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits,
        trainable_variables=variables, update_ops=updates,
    )  # fmt: skip


@tf_export("compat.v2.estimator.DNNEstimator")
class DNNEstimatorV2(estimator.EstimatorV2):
    """A net under any head.

    Args:
      head: what the logits mean; a `tf.estimator.Head`.
      hidden_units: how many units each hidden layer has.
      feature_columns: the columns of the input layer.
      model_dir, config, warm_start_from: see `Estimator`.
      optimizer: a Keras optimizer, its name, or a function that makes one.
      activation_fn: of the hidden layers.
      dropout: the fraction of hidden units that are dropped in training.
      batch_norm: whether hidden layers are normalized.
    """

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Adagrad", activation_fn: Callable[..., Any] = nn_ops.relu,
        dropout: Any = None,
        config: Any = None, warm_start_from: Any = None, batch_norm: bool = False,
    ):  # fmt: skip
        model_fn = composition.model_fn_of(
            dnn_model_fn_v2, head=head, hidden_units=hidden_units,
            feature_columns=tuple(feature_columns or []), optimizer=optimizer,
            activation_fn=activation_fn, dropout=dropout, batch_norm=batch_norm,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@tf_export("compat.v2.estimator.DNNClassifier")
class DNNClassifierV2(DNNEstimatorV2):
    """A net that tells classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      The others: see `DNNEstimatorV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Adagrad",
        activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = _MEAN, batch_norm: bool = False,
    ):  # fmt: skip
        head = head_utils.binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
            config, warm_start_from, batch_norm,
        )  # fmt: skip


@tf_export("compat.v2.estimator.DNNRegressor")
class DNNRegressorV2(DNNEstimatorV2):
    """A net that gives numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      The others: see `DNNEstimatorV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        label_dimension: Any = 1, weight_column: Any = None, optimizer: Any = "Adagrad",
        activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = _MEAN, batch_norm: bool = False,
    ):  # fmt: skip
        head = regression_head.RegressionHead(
            label_dimension=label_dimension, weight_column=weight_column,
            loss_reduction=loss_reduction,
        )  # fmt: skip
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
            config, warm_start_from, batch_norm,
        )  # fmt: skip
