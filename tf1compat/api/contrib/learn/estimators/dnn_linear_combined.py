"""Linear models and deep neural nets together
(`tensorflow.contrib.learn.python.learn.estimators.dnn_linear_combined`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.layers import optimizers
from tf1compat.api.contrib.learn.estimators import canned, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.training import sync_replicas_optimizer, training_util
from tf1compat.api.util.deprecation import deprecated_arg_values
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_DNN_LEARNING_RATE = 0.05
_LINEAR_LEARNING_RATE = 0.2
_UNDEFINED = "Either linear_feature_columns or dnn_feature_columns must be defined."
_counts_twice = deprecated_arg_values(
    "2017-04-15",
    "Please set fix_global_step_increment_bug=True and update training steps in your pipeline. See "
    "pydoc for details.",
    fix_global_step_increment_bug=False,
)


def _optimizer(given: Any, by_default: str) -> Any:
    made = given() if callable(given) else given or by_default
    if isinstance(made, sync_replicas_optimizer.SyncReplicasOptimizer):
        raise ValueError(
            "SyncReplicasOptimizer is not supported in DNNLinearCombined model. If you want to use "
            "this optimizer, please use either DNN or Linear model."
        )
    return made


def _dnn_linear_combined_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    head = params["head"]
    linear_columns, dnn_columns = params["linear_feature_columns"], params["dnn_feature_columns"]
    if not linear_columns and not dnn_columns:
        raise ValueError(_UNDEFINED)
    features = canned.feature_dict(features)
    values = tuple(features.values())
    linear_optimizer = _optimizer(params.get("linear_optimizer"), "Ftrl")
    dnn_optimizer = _optimizer(params.get("dnn_optimizer"), "Adagrad")
    clip_norm = params.get("gradient_clip_norm")
    # What trains each part: (its scope, its learning rate, its optimizer, multipliers).
    parts: list[tuple[str, float, Any, Any]] = []
    summarize = canned.layer_summary("/")
    sums = []
    if dnn_columns:
        if not params["dnn_hidden_units"]:
            raise ValueError(
                "dnn_hidden_units must be defined when dnn_feature_columns is specified."
            )
        cut = params.get("input_layer_partitioner")
        cut = cut or canned.partitioner(config, canned.LARGE_SLICE)
        with variable_scope.variable_scope(
            "dnn", values=values, partitioner=canned.partitioner(config)
        ):
            logits, input_scope = canned.hidden_layers(
                features, dnn_columns, "dnn", params["dnn_hidden_units"], head, mode,
                params.get("dnn_activation_fn") or nn_ops.relu, params.get("dnn_dropout"), cut,
                summarize,
            )  # fmt: skip
        sums.append(logits)

        def multipliers() -> Any:
            return canned.embedding_multipliers(
                params.get("embedding_lr_multipliers"), "dnn", input_scope
            )

        parts.append(("dnn", _DNN_LEARNING_RATE, dnn_optimizer, multipliers))
    if linear_columns:
        cut = canned.partitioner(config, canned.LARGE_SLICE)
        with variable_scope.variable_scope("linear", values=values, partitioner=cut) as scope:
            joint = params.get("joint_linear_weights")
            logits = canned.linear_logits(features, linear_columns, scope, "linear", head, joint)
            summarize(logits, scope.name)
        sums.append(logits)
        rate = min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(linear_columns)))
        parts.append(("linear", rate, linear_optimizer, lambda: None))
    counts_once = params.get("fix_global_step_increment_bug", True)

    def train_op_fn(loss: Any) -> Any:
        step = training_util.get_global_step()
        made = [
            optimizers.optimize_loss(
                loss=loss, global_step=step, learning_rate=rate, optimizer=optimizer,
                gradient_multipliers=multipliers(), clip_gradients=clip_norm,
                variables=ops.get_collection(name), name=name, summaries=[],
                increment_global_step=not counts_once,
            )
            for name, rate, optimizer, multipliers in parts
        ]  # fmt: skip
        train_op = control_flow_ops.group(*made)
        if not counts_once:
            return train_op
        with ops.control_dependencies([train_op]), ops.colocate_with(step):
            return state_ops.assign_add(step, 1).op

    return head.create_model_fn_ops(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn,
        logits=sums[0] if len(sums) == 1 else sums[0] + sums[1],
    )  # fmt: skip


def _input_partitioner(config: Any, min_slice_size: Any) -> Any:
    return None if min_slice_size is None else canned.partitioner(config, min_slice_size)


def _init(self: Any, params: dict[str, Any], **kwargs: Any) -> None:
    if not (params["linear_feature_columns"] or params["dnn_feature_columns"]):
        raise ValueError(_UNDEFINED)
    self._feature_columns = params["linear_feature_columns"] + params["dnn_feature_columns"]
    model_fn = _dnn_linear_combined_model_fn
    estimator.Estimator.__init__(self, model_fn=model_fn, params=params, **kwargs)


@tf_export("contrib.learn.DNNLinearCombinedEstimator")
class DNNLinearCombinedEstimator(estimator.Estimator):
    """A linear model and a deep neural net with a head; see `DNNLinearCombinedClassifier`.

    Args:
      head: the `Head`, which has the loss, metrics and predictions.
      model_dir, linear_feature_columns, linear_optimizer, _joint_linear_weights,
        dnn_feature_columns, dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout,
        gradient_clip_norm, config, feature_engineering_fn, embedding_lr_multipliers,
        fix_global_step_increment_bug, input_layer_partitioner: as in `DNNLinearCombinedClassifier`.
    """

    @_counts_twice
    def __init__(
        self, head: Any, model_dir: str | None = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None, dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] | None = None, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None,
        config: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Any = None, fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ):  # fmt: skip
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or []),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or []),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
            "input_layer_partitioner": input_layer_partitioner,
        }
        _init(
            self, params, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.DNNLinearCombinedClassifier")
class DNNLinearCombinedClassifier(canned.Classifier):
    """A classifier: a linear model and a deep neural net, trained together.

    Args:
      model_dir: the folder of checkpoints and summaries.
      n_classes: how many classes there are.
      weight_column_name: the feature that has the weights of examples.
      linear_feature_columns, linear_optimizer: of the linear part; Ftrl by default.
      _joint_linear_weights: whether the weights of its columns are one variable.
      dnn_feature_columns, dnn_optimizer: of the net; Adagrad by default.
      dnn_hidden_units, dnn_activation_fn, dnn_dropout: of its hidden layers.
      gradient_clip_norm: the global norm to which gradients are clipped.
      enable_centered_bias: whether a bias of its own is learned.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that gives others.
      embedding_lr_multipliers: {embedding column: what its learning rate is multiplied by}.
      input_layer_min_slice_size: the least size of a part of a variable of the columns.
      label_keys: the classes as strings, if labels are such.
      fix_global_step_increment_bug: whether a step is counted once, and not for each part.

    Raises:
      ValueError: an argument is wrong.
    """

    @_counts_twice
    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
        embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None, label_keys: Any = None,
        fix_global_step_increment_bug: bool = False,
    ):  # fmt: skip
        head = head_lib.multi_class_head(
            n_classes=n_classes, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias, label_keys=label_keys,
        )  # fmt: skip
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or []),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or []),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_partitioner": _input_partitioner(config, input_layer_min_slice_size),
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
        }
        _init(
            self, params, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.DNNLinearCombinedRegressor")
class DNNLinearCombinedRegressor(canned.Regressor):
    """A regressor: a linear model and a deep neural net; see `DNNLinearCombinedClassifier`.

    Args:
      label_dimension: how many numbers a label has.
    """

    @_counts_twice
    def __init__(
        self, model_dir: str | None = None, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Callable[..., Any] = nn_ops.relu, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, config: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        fix_global_step_increment_bug: bool = False,
    ):  # fmt: skip
        head = head_lib.regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension,
            enable_centered_bias=enable_centered_bias,
        )  # fmt: skip
        params = {
            "head": head,
            "linear_feature_columns": tuple(linear_feature_columns or []),
            "linear_optimizer": linear_optimizer,
            "joint_linear_weights": _joint_linear_weights,
            "dnn_feature_columns": tuple(dnn_feature_columns or []),
            "dnn_optimizer": dnn_optimizer,
            "dnn_hidden_units": dnn_hidden_units,
            "dnn_activation_fn": dnn_activation_fn,
            "dnn_dropout": dnn_dropout,
            "gradient_clip_norm": gradient_clip_norm,
            "embedding_lr_multipliers": embedding_lr_multipliers,
            "input_layer_partitioner": _input_partitioner(config, input_layer_min_slice_size),
            "fix_global_step_increment_bug": fix_global_step_increment_bug,
        }
        _init(
            self, params, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
