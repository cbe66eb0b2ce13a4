"""Linear models over feature columns
(`tensorflow.contrib.learn.python.learn.estimators.linear`)."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.contrib.layers import optimizers
from tf1compat.api.contrib.learn.estimators import canned, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import clip_ops
from tf1compat.api.training import ftrl, training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export

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


def _init(
    self: Any, head: Any, feature_columns: Any, optimizer: Any, clip_norm: Any, joint: Any,
    **kwargs: Any,
) -> None:  # fmt: skip
    if type(optimizer).__name__ == "SDCAOptimizer":
        raise NotImplementedError(
            "tf.contrib.learn: linear models with the SDCAOptimizer are not supported by tf1compat"
        )
    params = {
        "head": head,
        "feature_columns": feature_columns,
        "optimizer": optimizer,
        "gradient_clip_norm": clip_norm,
        "joint_weights": joint,
    }
    estimator.Estimator.__init__(self, model_fn=_linear_model_fn, params=params, **kwargs)


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
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, _joint_weight: bool = False, config: Any = None,
        feature_engineering_fn: Any = None, label_keys: Any = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        assert self._feature_columns
        head = head_lib.multi_class_head(
            n_classes, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias, label_keys=label_keys,
        )  # fmt: skip
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weight,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.LinearRegressor")
class LinearRegressor(canned.Regressor):
    """A linear regressor; see `LinearClassifier`.

    Args:
      label_dimension: how many numbers a label has.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Any = None,
    ):  # fmt: skip
        self._feature_columns = tuple(feature_columns or [])
        assert self._feature_columns
        head = head_lib.regression_head(
            label_dimension=label_dimension, weight_column_name=weight_column_name,
            enable_centered_bias=enable_centered_bias,
        )  # fmt: skip
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weights,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip


@tf_export("contrib.learn.LinearEstimator")
class LinearEstimator(estimator.Estimator):
    """A linear model with a head; see `LinearClassifier`."""

    def __init__(
        self, feature_columns: Any, head: Any, model_dir: Any = None,
        weight_column_name: Any = None, optimizer: Any = None, gradient_clip_norm: Any = None,
        _joint_weights: bool = False, config: Any = None, feature_engineering_fn: Any = None,
    ):  # fmt: skip
        del weight_column_name  # The head has it.
        assert feature_columns
        if type(optimizer).__name__ == "SDCAOptimizer":
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        _init(
            self, head, feature_columns, optimizer, gradient_clip_norm, _joint_weights,
            model_dir=model_dir, config=config, feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip
