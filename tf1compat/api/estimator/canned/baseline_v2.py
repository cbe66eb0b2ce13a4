"""Part of `tensorflow_estimator.python.estimator.canned.baseline`: TF 2's, of Keras heads and
optimizers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import baseline, composition, optimizers
from tf1compat.api.estimator.head import head_utils, regression_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.math import math_ops
from tf1compat.api.training import training_util
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_MEAN = ReductionV2.SUM_OVER_BATCH_SIZE


def _get_weight_column_key_v2(weight_column: Any) -> Any:
    if weight_column is None or isinstance(weight_column, str):
        return weight_column
    if not isinstance(weight_column, fc.NumericColumn):
        raise TypeError(
            "Weight column must be either a string or NumericColumn. "
            f"Given type: {type(weight_column)}."
        )
    # TF calls the column's key, and so fails for every NumericColumn; a text is what it means.
    return weight_column.key()


def _baseline_model_fn_builder_v2(
    features: Any, num_outputs: int, weight_column: Any = None
) -> tuple[list[Any], Any]:
    """(the variables, the same logits for all examples)."""
    key = _get_weight_column_key_v2(weight_column)
    checks, batch_size = baseline._get_batch_size_and_size_checks(features, key)
    with ops.control_dependencies(checks), ops.name_scope("baseline"):
        bias = variables.Variable(initial_value=array_ops.zeros([num_outputs]), name="bias")
        logits = math_ops.multiply(bias, array_ops.ones([batch_size, num_outputs]))
    return [bias], logits


def _baseline_model_fn_v2(
    features: Any, labels: Any, mode: Any, head: Any, optimizer: Any, weight_column: Any = None,
    config: Any = None, loss_reduction: Any = _MEAN,
) -> Any:  # fmt: skip
    trained, logits = _baseline_model_fn_builder_v2(features, head.logits_dimension, weight_column)
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.get_optimizer_instance_v2(optimizer, baseline._LEARNING_RATE)
        optimizer.iterations = training_util.get_or_create_global_step()

    def train_op_fn(loss: Any) -> Any:
        if loss_reduction == _MEAN:
            loss = losses_utils.scale_loss_for_distribution(loss)
        return optimizer.get_updates(loss, trained)[0]

    return head.create_estimator_spec(
        features=features, mode=mode, logits=logits, labels=labels, train_op_fn=train_op_fn
    )


class _BaselineV2(estimator.EstimatorV2):
    """What the three have in common."""

    def _start(self, model_dir: Any, config: Any, **settings: Any) -> None:
        model_fn = composition.model_fn_of(_baseline_model_fn_v2, **settings)
        estimator.EstimatorV2.__init__(self, model_fn, model_dir, config)


@tf_export("compat.v2.estimator.BaselineEstimator")
class BaselineEstimatorV2(_BaselineV2):
    """One vector of logits for all examples, under any head.

    Args:
      head: what the logits mean; a `tf.estimator.Head`.
      model_dir, config: see `Estimator`.
      optimizer: a Keras optimizer, its name, or a function that makes one.
    """

    def __init__(
        self, head: Any, model_dir: str | None = None, optimizer: Any = "Ftrl", config: Any = None
    ):
        self._start(model_dir, config, head=head, optimizer=optimizer)


@tf_export("compat.v2.estimator.BaselineClassifier")
class BaselineClassifierV2(_BaselineV2):
    """Learns how frequent each class is.

    Args:
      model_dir, config: see `Estimator`.
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      optimizer: a Keras optimizer, its name, or a function that makes one.
      loss_reduction: one of `tf.keras.losses.Reduction`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Sequence[str] | None = None, optimizer: Any = "Ftrl", config: Any = None,
        loss_reduction: Any = _MEAN,
    ):  # fmt: skip
        head = head_utils.binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        self._start(
            model_dir, config, head=head, optimizer=optimizer, weight_column=weight_column,
            loss_reduction=loss_reduction,
        )  # fmt: skip


@tf_export("compat.v2.estimator.BaselineRegressor")
class BaselineRegressorV2(_BaselineV2):
    """Learns the mean of the labels.

    Args:
      model_dir, config: see `Estimator`.
      label_dimension: how many numbers a label has.
      weight_column: the feature that holds the examples' weights.
      optimizer: a Keras optimizer, its name, or a function that makes one.
      loss_reduction: one of `tf.keras.losses.Reduction`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, model_dir: str | None = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, loss_reduction: Any = _MEAN,
    ):  # fmt: skip
        head = regression_head.RegressionHead(
            label_dimension=label_dimension, weight_column=weight_column,
            loss_reduction=loss_reduction,
        )  # fmt: skip
        # As in TF, the weights count as features here, and the loss is scaled in any case.
        self._start(model_dir, config, head=head, optimizer=optimizer)
