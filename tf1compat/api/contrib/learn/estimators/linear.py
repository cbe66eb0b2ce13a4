"""Linear models over feature columns
(`tensorflow.contrib.learn.python.learn.estimators.linear`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers import feature_column, feature_column_ops, optimizers
from tf1compat.api.contrib.learn.estimators import canned, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import clip_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import ftrl, session_run_hook, training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor

_LEARNING_RATE = 0.2


def _default_optimizer(feature_columns: Any) -> Any:
    rate = min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
    return ftrl.FtrlOptimizer(learning_rate=rate)


def _optimizer(given: Any) -> Any:
    if isinstance(given, str):
        return optimizers.OPTIMIZER_CLS_NAMES[given](learning_rate=_LEARNING_RATE)
    return given() if callable(given) else given


def _linear_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    head, columns = params["head"], params["feature_columns"]
    optimizer = params.get("optimizer") or _default_optimizer(columns)
    clip_norm = params.get("gradient_clip_norm")
    features = canned.feature_dict(features)
    cut = canned.partitioner(config, canned.LARGE_SLICE)
    with variable_scope.variable_scope(
        "linear", values=tuple(features.values()), partitioner=cut
    ) as scope:
        joint = params.get("joint_weights", False)
        logits = canned.linear_logits(features, columns, scope, "linear", head, joint)

        def train_op_fn(loss: Any) -> Any:
            step = training_util.get_global_step()
            variables = ops.get_collection("linear")
            grads: Any = gradients_impl.gradients(loss, variables)
            if clip_norm:
                grads, _ = clip_ops.clip_by_global_norm(grads, clip_norm)
            pairs = zip(grads, variables)
            return _optimizer(optimizer).apply_gradients(pairs, global_step=step)

        return head.create_model_fn_ops(
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def _add_bias_column(
    feature_columns: Any, columns_to_tensors: Any, bias_variable: Any, columns_to_variables: Any
) -> None:
    """Makes a column of ones, whose weight is the bias."""
    name = "tf_virtual_bias_column"
    if any(column.name == name for column in feature_columns):
        raise ValueError(f"{name} is a reserved column name.")
    if not feature_columns:
        raise ValueError("feature_columns can't be empty.")
    count = None
    for tensor in columns_to_tensors.values():
        if isinstance(tensor, tuple):
            tensor = tensor[0]
        if not isinstance(tensor, SparseTensor):
            count = array_ops.shape(tensor)[0]
            break
        shape = tensor_util.constant_value(tensor.dense_shape)
        if shape is not None:
            count = shape[0]
            break
    if count is None:
        raise ValueError("Could not infer batch size from input features.")
    column = feature_column.real_valued_column(name)
    columns_to_tensors[column] = array_ops.ones([count, 1], dtype=dtypes.float32)
    columns_to_variables[column] = [bias_variable]


def sdca_model_fn(features: Any, labels: Any, mode: Any, params: dict[str, Any]) -> Any:
    """A linear model trained by stochastic dual coordinate ascent.

    Args:
      features: {name: a tensor or SparseTensor}.
      labels: the labels.
      mode: one of `ModeKeys`.
      params: a dict of "head", "feature_columns", "optimizer" (an `SDCAOptimizer`),
        "weight_column_name" and, if wanted, "update_weights_hook".

    Returns:
      `ModelFnOps`.

    Raises:
      ValueError: the optimizer or the head is another.
    """
    head, columns, optimizer = (params[k] for k in ("head", "feature_columns", "optimizer"))
    weight_column_name, hook = params["weight_column_name"], params.get("update_weights_hook")
    if not isinstance(optimizer, SDCAOptimizer):
        raise ValueError("Optimizer must be of type SDCAOptimizer")
    if isinstance(head, head_lib._BinarySvmHead):
        loss_type = "hinge_loss"
    elif isinstance(head, head_lib._BinaryLogisticHead):
        loss_type = "logistic_loss"
    elif isinstance(head, head_lib._RegressionHead):
        assert head.logits_dimension == 1, "SDCA only applies for logits_dimension=1."
        loss_type = "squared_loss"
    else:
        raise ValueError(f"Unsupported head type: {head}")
    with variable_scope.variable_scope(
        "linear", values=features.values(), partitioner=optimizer.partitioner
    ) as scope:
        features = features.copy()
        features.update(feature_column_ops.transform_features(features, columns))
        logits, weights, bias = feature_column_ops.weighted_sum_from_feature_columns(
            columns_to_tensors=features, feature_columns=columns, num_outputs=1, scope=scope
        )
        _add_bias_column(columns, features, bias, weights)

    def train_op_fn(loss: Any) -> Any:
        model, train_op = optimizer.get_train_step(
            weights, weight_column_name, loss_type, features, labels,
            training_util.get_global_step(),
        )  # fmt: skip
        if hook is not None:
            hook.set_parameters(model, train_op)
        return train_op

    found = head.create_model_fn_ops(
        features=features, labels=labels, mode=mode, train_op_fn=train_op_fn, logits=logits
    )
    if hook is None:
        return found
    return found._replace(training_chief_hooks=[*found.training_chief_hooks, hook])


class _SdcaUpdateWeightsHook(session_run_hook.SessionRunHook):
    """After each step, sets the weights to what it found."""

    def set_parameters(self, sdca_model: Any, train_op: Any) -> None:
        """Says what the model is, and what a step.

        Args:
          sdca_model: an `SdcaModel`.
          train_op: a step of it.
        """
        self._sdca_model = sdca_model
        self._train_op = train_op

    def begin(self) -> None:
        self._update_op = self._sdca_model.update_weights(self._train_op)

    def before_run(self, run_context: Any) -> Any:
        return session_run_hook.SessionRunArgs(self._update_op)


def _init(
    self: Any, head: Any, feature_columns: Any, optimizer: Any, clip_norm: Any, joint: Any,
    weight_column_name: Any = None, **kwargs: Any,
) -> None:  # fmt: skip
    params = {"head": head, "feature_columns": feature_columns, "optimizer": optimizer}
    if isinstance(optimizer, SDCAOptimizer):
        model_fn = sdca_model_fn
        params["weight_column_name"] = weight_column_name
        params["update_weights_hook"] = _SdcaUpdateWeightsHook()
    else:
        model_fn = _linear_model_fn
        params.update(gradient_clip_norm=clip_norm, joint_weights=joint)
    estimator.Estimator.__init__(self, model_fn=model_fn, params=params, **kwargs)


@tf_export("contrib.learn.LinearClassifier")
class LinearClassifier(canned.Classifier):
    """A linear classifier.

    Args:
      feature_columns: what it reads.
      model_dir: the folder of checkpoints and summaries.
      n_classes: how many classes there are.
      weight_column_name: the feature that has the weights of examples.
      optimizer: an optimizer, a function that makes one, or a name; Ftrl by default.
      gradient_clip_norm: the global norm to which gradients are clipped.
      enable_centered_bias: whether a bias of its own is learned.
      _joint_weight: whether the weights of all columns are one variable.
      config: a `RunConfig`.
      feature_engineering_fn: a function of features and labels that gives others.
      label_keys: the classes as strings, if labels are such.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, _joint_weight: bool = False, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None, label_keys: Any = None,
    ):  # fmt: skip
        is_sdca = isinstance(optimizer, SDCAOptimizer)
        if is_sdca and enable_centered_bias:
            raise ValueError("enable_centered_bias is not supported with SDCA")
        self._feature_columns = tuple(feature_columns or [])
        assert self._feature_columns
        if is_sdca:
            assert not _joint_weight, "_joint_weight is incompatible with the SDCAOptimizer"
            assert n_classes == 2, "SDCA only applies to binary classification."
        head = head_lib.multi_class_head(
            n_classes, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias, label_keys=label_keys,
        )  # fmt: skip
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weight,
            weight_column_name=weight_column_name, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.LinearRegressor")
class LinearRegressor(canned.Regressor):
    """A linear regressor; see `LinearClassifier`.

    Args:
      label_dimension: how many numbers a label has.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        assert self._feature_columns
        if isinstance(optimizer, SDCAOptimizer):
            if enable_centered_bias:
                enable_centered_bias = False
                logging.warning(
                    "centered_bias is not supported with SDCA, please disable it explicitly."
                )
            assert label_dimension == 1, "SDCA only applies for label_dimension=1."
            assert not _joint_weights, "_joint_weights is incompatible with SDCAOptimizer."
        head = head_lib.regression_head(
            label_dimension=label_dimension, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
        )  # fmt: skip
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weights,
            weight_column_name=weight_column_name, model_dir=model_dir, config=config,
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.LinearEstimator")
class LinearEstimator(estimator.Estimator):
    """A linear model with a head; see `LinearClassifier`.

    Args:
      feature_columns, model_dir, weight_column_name, optimizer, gradient_clip_norm, _joint_weights,
        config, feature_engineering_fn: as in `LinearClassifier`.
      head: the `Head`, which has the loss, metrics and predictions.
    """

    def __init__(
        self, feature_columns: Any, head: Any, model_dir: str | None = None,
        weight_column_name: Any = None, optimizer: Any = None, gradient_clip_norm: Any = None,
        _joint_weights: bool = False, config: Any = None, feature_engineering_fn: Callable[...,
        Any] | None = None,
    ):  # fmt: skip
        del weight_column_name  # The head has it.
        assert feature_columns
        if isinstance(optimizer, SDCAOptimizer):
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weights,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
