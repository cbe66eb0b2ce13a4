"""Models that ignore their features (`tensorflow_estimator.python.estimator.canned.baseline`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training import training_util
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_LEARNING_RATE = 0.3


def _get_weight_column_key(weight_column: Any) -> Any:
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    if not isinstance(weight_column, fc_old._NumericColumn):
        raise TypeError(
            "Weight column must be either a string or _NumericColumn. Given type: "
            f"{type(weight_column)}."
        )
    return weight_column.key


def _get_batch_size_and_size_checks(features: Any, weight_column_key: Any) -> tuple[Any, Any]:
    """(what checks that all features have as many examples, how many)."""
    checks, batch_size = [], None
    for key, feature in features.items():
        if key == weight_column_key:
            continue
        size = array_ops.shape(feature)[0]
        if batch_size is None:
            batch_size = size
        else:
            checks.append(check_ops.assert_equal(batch_size, size))
    return checks, batch_size


def _baseline_logit_fn_builder(num_outputs: int, weight_column: Any = None) -> Callable[..., Any]:
    """A function of features that gives the same logits for all examples."""

    def baseline_logit_fn(features: Any) -> Any:
        key = _get_weight_column_key(weight_column)
        checks, batch_size = _get_batch_size_and_size_checks(features, key)
        with ops.control_dependencies(checks), variable_scope.variable_scope("baseline"):
            bias = variable_scope.get_variable(
                "bias", shape=[num_outputs], initializer=init_ops.Zeros
            )
            return math_ops.multiply(bias, array_ops.ones([batch_size, num_outputs]))

    return baseline_logit_fn


def _baseline_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, optimizer: Any, weight_column: Any = None,
    config: Any = None,
) -> Any:  # fmt: skip
    logits = _baseline_logit_fn_builder(head.logits_dimension, weight_column)(features)

    def train_op_fn(loss: Any) -> Any:
        opt = optimizers.get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
        return opt.minimize(loss, global_step=training_util.get_global_step())

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
    )


@tf_export("estimator.BaselineEstimator")
class BaselineEstimator(estimator.Estimator):
    """One vector of logits for all examples, under any head.

    Args:
      head: what the logits mean.
      model_dir, config: see `Estimator`.
      optimizer: an optimizer, its name, or a function that makes one.
    """

    def __init__(
        self, head: Any, model_dir: str | None = None, optimizer: Any = "Ftrl", config: Any = None
    ):
        self._start(head, model_dir, optimizer, config)

    def _start(
        self, head: Any, model_dir: Any, optimizer: Any, config: Any, weight_column: Any = None
    ) -> None:
        model_fn = composition.model_fn_of(
            _baseline_model_fn, head=head, optimizer=optimizer, weight_column=weight_column
        )
        estimator.Estimator.__init__(self, model_fn, model_dir, config)


@tf_export("estimator.BaselineClassifier")
class BaselineClassifier(BaselineEstimator):
    """Learns how frequent each class is.

    Args:
      model_dir, config: see `Estimator`.
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      optimizer: an optimizer, its name, or a function that makes one.
      loss_reduction: one of `tf.losses.Reduction`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: Any = losses.Reduction.SUM,
    ):  # fmt: skip
        head = head_lib._binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        self._start(head, model_dir, optimizer, config, weight_column)


@tf_export("estimator.BaselineRegressor")
class BaselineRegressor(BaselineEstimator):
    """Learns the mean of the labels.

    Args:
      model_dir, config: see `Estimator`.
      label_dimension: how many numbers a label has.
      weight_column: the feature that holds the examples' weights.
      optimizer: an optimizer, its name, or a function that makes one.
      loss_reduction: one of `tf.losses.Reduction`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: Any = losses.Reduction.SUM,
    ):  # fmt: skip
        head = head_lib._regression_head(
            weight_column, label_dimension, loss_reduction=loss_reduction
        )
        # The weights count as features here, as in TF.
        self._start(head, model_dir, optimizer, config)
