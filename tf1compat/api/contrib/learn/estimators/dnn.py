"""Deep neural nets over feature columns
(`tensorflow.contrib.learn.python.learn.estimators.dnn`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.layers import optimizers
from tf1compat.api.contrib.learn.estimators import canned, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.nn import nn_ops
from tf1compat.api.training import training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core.export import find, tf_export

_LEARNING_RATE = 0.05
_ACTIVATIONS = ("relu", "tanh", "sigmoid")


def _activation(activation_fn: Any) -> Any:
    if not isinstance(activation_fn, str):
        return activation_fn
    if activation_fn not in _ACTIVATIONS:
        names = ", ".join(_ACTIVATIONS)
        raise ValueError(
            f"Activation name should be one of [{names}], you provided {activation_fn}."
        )
    return find(f"nn.{activation_fn}")


def _dnn_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    head = params["head"]
    optimizer = params.get("optimizer") or "Adagrad"
    activation_fn = _activation(params.get("activation_fn"))
    features = canned.feature_dict(features)
    with variable_scope.variable_scope(
        "dnn", values=tuple(features.values()), partitioner=canned.partitioner(config)
    ):
        min_slice_size = params.get("input_layer_min_slice_size") or canned.LARGE_SLICE
        logits, input_scope = canned.hidden_layers(
            features, params["feature_columns"], "dnn", params["hidden_units"], head, mode,
            activation_fn, params.get("dropout"), canned.partitioner(config, min_slice_size),
            canned.layer_summary("_"),
        )  # fmt: skip

        def train_op_fn(loss: Any) -> Any:
            step = training_util.get_global_step()
            made = optimizer() if callable(optimizer) else optimizer
            multipliers = canned.embedding_multipliers(
                params.get("embedding_lr_multipliers"), "dnn", input_scope
            )
            return optimizers.optimize_loss(
                loss=loss, global_step=step, learning_rate=_LEARNING_RATE, optimizer=made,
                gradient_multipliers=multipliers, clip_gradients=params.get("gradient_clip_norm"),
                name="dnn", summaries=[],
            )  # fmt: skip

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def _init(
    self: Any, head: Any, hidden_units: Any, feature_columns: Any, optimizer: Any,
    activation_fn: Callable[..., Any], dropout: Any, gradient_clip_norm: Any,
    embedding_lr_multipliers: Any,
    input_layer_min_slice_size: Any, **kwargs: Any,
) -> None:  # fmt: skip
    params = {
        "head": head,
        "hidden_units": hidden_units,
        "feature_columns": feature_columns,
        "optimizer": optimizer,
        "activation_fn": activation_fn,
        "dropout": dropout,
        "gradient_clip_norm": gradient_clip_norm,
        "embedding_lr_multipliers": embedding_lr_multipliers,
        "input_layer_min_slice_size": input_layer_min_slice_size,
    }
    estimator.Estimator.__init__(self, model_fn=_dnn_model_fn, params=params, **kwargs)


@tf_export("contrib.learn.DNNClassifier")
class DNNClassifier(canned.Classifier):
    """A classifier: a deep neural net.

    Args:
      hidden_units: the sizes of the hidden layers.
      feature_columns: what the net reads.
      model_dir: the folder of checkpoints and summaries.
      n_classes: how many classes there are.
      weight_column_name: the feature that has the weights of examples.
      optimizer: an optimizer, a function that makes one, or a name; Adagrad by default.
      activation_fn: of the hidden layers.
      dropout: the share of values that are dropped in training.
      gradient_clip_norm: the global norm to which gradients are clipped.
      enable_centered_bias: whether a bias of its own is learned.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that gives others.
      embedding_lr_multipliers: {embedding column: what its learning rate is multiplied by}.
      input_layer_min_slice_size: the least size of a part of a variable of the columns.
      label_keys: the classes as strings, if labels are such.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, activation_fn: Callable[...,
        Any] = nn_ops.relu,
        dropout: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        label_keys: Any = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        head = head_lib.multi_class_head(
            n_classes, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias, label_keys=label_keys,
        )  # fmt: skip
        _init(
            self, head, hidden_units, self._feature_columns, optimizer, activation_fn, dropout,
            gradient_clip_norm, embedding_lr_multipliers, input_layer_min_slice_size,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.DNNRegressor")
class DNNRegressor(canned.Regressor):
    """A regressor: a deep neural net; see `DNNClassifier`.

    Args:
      label_dimension: how many numbers a label has.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        weight_column_name: Any = None, optimizer: Any = None, activation_fn: Callable[...,
        Any] = nn_ops.relu,
        dropout: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
        label_dimension: int = 1,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        head = head_lib.regression_head(
            label_dimension=label_dimension, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
        )  # fmt: skip
        _init(
            self, head, hidden_units, self._feature_columns, optimizer, activation_fn, dropout,
            gradient_clip_norm, embedding_lr_multipliers, input_layer_min_slice_size,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.DNNEstimator")
class DNNEstimator(estimator.Estimator):
    """A deep neural net with a head; see `DNNClassifier`.

    Args:
      head: the `Head`, which has the loss, metrics and predictions.
      hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
        gradient_clip_norm, config, feature_engineering_fn, embedding_lr_multipliers,
        input_layer_min_slice_size: as in `DNNClassifier`.
    """

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = None, activation_fn: Callable[..., Any] = nn_ops.relu, dropout: Any = None,
        gradient_clip_norm: Any = None, config: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
    ):  # fmt: skip
        _init(
            self, head, hidden_units, feature_columns, optimizer, activation_fn, dropout,
            gradient_clip_norm, embedding_lr_multipliers, input_layer_min_slice_size,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
