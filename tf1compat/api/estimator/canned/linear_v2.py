"""Part of `tensorflow_estimator.python.estimator.canned.linear`: TF 2's, with Keras heads and
optimizers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, linear, optimizers
from tf1compat.api.estimator.head import head_utils, regression_head
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_layers
from tf1compat.api.keras.optimizer_v2 import ftrl
from tf1compat.api.keras.utils.losses_utils import ReductionV2
from tf1compat.api.summary import summary
from tf1compat.api.training import training_util
from tf1compat.core.export import tf_export

_MEAN = ReductionV2.SUM_OVER_BATCH_SIZE


def _get_default_optimizer_v2(feature_columns: Any) -> Any:
    rate = min(linear._LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
    return ftrl.Ftrl(learning_rate=rate)


def _linear_model_fn_builder_v2(
    units: int, feature_columns: Any, sparse_combiner: str = "sum", features: Any = None
) -> tuple[Any, list[Any]]:
    """(the logits of a linear model, its variables)."""
    composition.check_new_columns(feature_columns)
    model = feature_layers.LinearModel(
        feature_columns=feature_columns, units=units, sparse_combiner=sparse_combiner,
        name="linear/linear_model",
    )  # fmt: skip
    logits = model(features)
    weights = [variable for variable in model.variables if variable is not model.bias]
    if units > 1:
        summary.histogram("bias", model.bias)
    else:
        summary.scalar("bias", model.bias[0])
    summary.scalar("fraction_of_zero_weights", linear._compute_fraction_of_zero(weights))
    return logits, model.variables


def _linear_model_fn_v2(
    features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: Any,
    config: Any, sparse_combiner: str = "sum",
) -> Any:  # fmt: skip
    composition.check_features(features)
    logits, variables = _linear_model_fn_builder_v2(
        head.logits_dimension, feature_columns, sparse_combiner, features
    )
    if mode == ModeKeys.TRAIN:
        optimizer = optimizers.get_optimizer_instance_v2(
            optimizer or _get_default_optimizer_v2(feature_columns), linear._LEARNING_RATE
        )
        optimizer.iterations = training_util.get_or_create_global_step()
    return head.create_estimator_spec(
        features=features, mode=mode, labels=labels, optimizer=optimizer,
        trainable_variables=variables, logits=logits,
    )  # fmt: skip


class _LinearV2(estimator.EstimatorV2):
    """A linear model under any head, perhaps with a warm start.

    Args:
      head: what the logits mean; a `tf.estimator.Head`.
      feature_columns: the columns.
      model_dir, config, warm_start_from: see `Estimator`.
      optimizer: a Keras optimizer, its name, or a function that makes one.
      sparse_combiner: how several values of a categorical column are joined.
    """

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Ftrl",
        config: Any = None, sparse_combiner: str = "sum", warm_start_from: Any = None,
    ):  # fmt: skip
        model_fn = composition.model_fn_of(
            _linear_model_fn_v2, head=head, feature_columns=tuple(feature_columns or []),
            optimizer=optimizer, sparse_combiner=sparse_combiner,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, warm_start_from=warm_start_from)


@tf_export("compat.v2.estimator.LinearEstimator")
class LinearEstimatorV2(_LinearV2):
    """A linear model under any head. Args: see `_LinearV2`."""

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Ftrl",
        config: Any = None, sparse_combiner: str = "sum",
    ):  # fmt: skip
        super().__init__(head, feature_columns, model_dir, optimizer, config, sparse_combiner)


@tf_export("compat.v2.estimator.LinearClassifier")
class LinearClassifierV2(_LinearV2):
    """A linear model that tells classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      The others: see `_LinearV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: Any = None, warm_start_from: Any = None, loss_reduction: Any = _MEAN,
        sparse_combiner: str = "sum",
    ):  # fmt: skip
        head = head_utils.binary_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        super().__init__(
            head, feature_columns, model_dir, optimizer, config, sparse_combiner, warm_start_from
        )


@tf_export("compat.v2.estimator.LinearRegressor")
class LinearRegressorV2(_LinearV2):
    """A linear model that gives numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      loss_reduction: one of `tf.keras.losses.Reduction`.
      The others: see `_LinearV2`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, model_dir: str | None = None, label_dimension: Any = 1,
        weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        warm_start_from: Any = None, loss_reduction: Any = _MEAN, sparse_combiner: str = "sum",
    ):  # fmt: skip
        head = regression_head.RegressionHead(
            label_dimension=label_dimension, weight_column=weight_column,
            loss_reduction=loss_reduction,
        )  # fmt: skip
        super().__init__(
            head, feature_columns, model_dir, optimizer, config, sparse_combiner, warm_start_from
        )
