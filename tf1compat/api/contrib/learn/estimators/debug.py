"""Estimators whose only variable is a bias, to check input pipelines with
(`tensorflow.contrib.learn.python.learn.estimators.debug`)."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.layers import optimizers
from tf1compat.api.contrib.learn.estimators import canned, estimator
from tf1compat.api.contrib.learn.estimators import head as head_lib
from tf1compat.api.contrib.learn.estimators.prediction_key import PredictionKey
from tf1compat.core import ops

_get_feature_dict = canned.feature_dict


def debug_model_fn(
    features: Any, labels: Any, mode: Any, params: dict[str, Any], config: Any = None
) -> Any:
    """A model whose logits are the head's centered bias.

    Args:
      features: a tensor, or {name: a tensor}; all have one batch size.
      labels: the labels.
      mode: one of `ModeKeys`.
      params: a dict of "head".
      config: unused.

    Returns:
      `ModelFnOps`.

    Raises:
      ValueError: there are no features.
    """
    del config
    features = _get_feature_dict(features)
    if not features:
        raise ValueError("Features cannot be empty.")
    head = params["head"]
    count, checks = None, []
    for feature in features.values():
        size = array_ops.shape(feature)[0]
        if count is None:
            count = size
        else:
            checks.append(check_ops.assert_equal(count, size))
    with ops.control_dependencies(checks):
        logits = array_ops.zeros([count, head.logits_dimension])

    train = functools.partial(
        optimizers.optimize_loss, global_step=None, learning_rate=0.3, optimizer="Adagrad"
    )
    return head.create_model_fn_ops(features, mode, labels, train_op_fn=train, logits=logits)


class _Debug(estimator.Estimator):
    def __init__(self, head: Any, model_dir: Any, config: Any, feature_engineering_fn: Any):
        super().__init__(
            model_fn=debug_model_fn, model_dir=model_dir, config=config, params={"head": head},
            feature_engineering_fn=feature_engineering_fn,
        )  # fmt: skip

    def _each(self, input_fn: Any, batch_size: Any, key: str) -> Any:
        found = self.predict(input_fn=input_fn, batch_size=batch_size, outputs=[key])
        return (prediction[key] for prediction in found)


class DebugClassifier(_Debug):
    """A classifier that learns how often each class is.

    Args:
      model_dir, config, feature_engineering_fn: see `Estimator`.
      n_classes: how many classes there are.
      weight_column_name: the feature that has the weights of examples.
      label_keys: the classes as strings, if labels are such.

    Raises:
      ValueError: there are fewer than two classes.
    """

    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column_name: Any = None,
        config: Any = None, feature_engineering_fn: Callable[..., Any] | None = None,
        label_keys: Any = None,
    ):  # fmt: skip
        head = head_lib.multi_class_head(
            n_classes=n_classes, weight_column_name=weight_column_name,
            enable_centered_bias=True, label_keys=label_keys,
        )  # fmt: skip
        super().__init__(head, model_dir, config, feature_engineering_fn)

    def predict_classes(self, input_fn: Any = None, batch_size: Any = None) -> Any:
        """An iterator of the classes; see `Estimator.predict`."""
        return self._each(input_fn, batch_size, PredictionKey.CLASSES)

    def predict_proba(self, input_fn: Any = None, batch_size: Any = None) -> Any:
        """An iterator of the classes' probabilities; see `Estimator.predict`."""
        return self._each(input_fn, batch_size, PredictionKey.PROBABILITIES)


class DebugRegressor(_Debug):
    """A regression that learns the labels' mean.

    Args:
      model_dir, config, feature_engineering_fn: see `Estimator`.
      label_dimension: how many numbers a label has.
      weight_column_name: the feature that has the weights of examples.
    """

    def __init__(
        self, model_dir: str | None = None, label_dimension: int = 1,
        weight_column_name: Any = None, config: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ):  # fmt: skip
        head = head_lib.regression_head(
            weight_column_name=weight_column_name, label_dimension=label_dimension,
            enable_centered_bias=True,
        )  # fmt: skip
        super().__init__(head, model_dir, config, feature_engineering_fn)

    def predict_scores(self, input_fn: Any = None, batch_size: Any = None) -> Any:
        """An iterator of the numbers; see `Estimator.predict`."""
        return self._each(input_fn, batch_size, PredictionKey.SCORES)
