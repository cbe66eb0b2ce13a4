"""Linear models (`tensorflow_estimator.python.estimator.canned.linear`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op  # fmt: skip
from tf1compat.api.control_flow import control_flow_ops  # fmt: skip
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.feature_column import feature_layers
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops  # fmt: skip
from tf1compat.api.nn import nn_impl  # fmt: skip
from tf1compat.api.summary import summary
from tf1compat.api.training import ftrl
from tf1compat.api.variables import variable_scope, variables  # fmt: skip
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

_LEARNING_RATE = 0.2


def _get_default_optimizer(feature_columns: Any) -> Any:
    rate = min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
    return ftrl.FtrlOptimizer(learning_rate=rate)


def _get_expanded_variable_list(var_list: Any) -> list[Any]:
    """Variables, those in parts as their parts."""
    expanded: list[Any] = []
    for variable in var_list:
        is_one = isinstance(variable, variables.Variable | Tensor)
        expanded.extend([variable] if is_one else variable)
    return expanded


def _compute_fraction_of_zero(variables: Any) -> Any:
    """The fraction of zeros in all variables together."""
    with ops.name_scope("zero_fraction"):
        variables = nest.flatten(variables)
        with ops.name_scope("total_size"):
            sizes = [array_ops.size(x, out_type=dtypes.int64) for x in variables]
            total = math_ops.add_n(sizes)
        with ops.name_scope("total_zero"):
            zeros = math_ops.add_n([_zeros(x, n) for x, n in zip(variables, sizes, strict=True)])
        with ops.name_scope("compute"):
            fraction = zeros / math_ops.cast(total, dtype=dtypes.float32, name="float32_size")
        return array_ops.identity(fraction, name="zero_fraction_or_nan")


def _zeros(variable: Any, size: Any) -> Any:
    """How many zeros a variable of that size has."""
    return control_flow_ops.cond(
        math_ops.equal(size, constant_op.constant(0, dtype=dtypes.int64)),
        true_fn=lambda: constant_op.constant(0, dtype=dtypes.float32),
        false_fn=lambda: nn_impl.zero_fraction(variable) * math_ops.to_float(size),
        name="zero_count",
    )


@tf_export("estimator.experimental.linear_logit_fn_builder")
def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = "sum"
) -> Callable[..., Any]:
    """A function of features that gives the logits of a linear model.

    Args:
      units: how many logits.
      feature_columns: the columns.
      sparse_combiner: how several values of a categorical column are joined: "sum", "mean" or
        "sqrtn".
    """

    def linear_logit_fn(features: Any) -> Any:
        settings = {
            "feature_columns": feature_columns, "units": units, "sparse_combiner": sparse_combiner,
            "name": "linear_model",
        }  # fmt: skip
        if fc.is_feature_column_v2(feature_columns):
            model = feature_layers.LinearModel(**settings)
            logits = model(features)
            bias, weights = model.bias, model.variables
            weights.remove(bias)
            bias = _get_expanded_variable_list([bias])
        else:
            model = feature_layers._LinearModel(**settings)
            logits = model(features)
            of_columns = model.cols_to_vars()
            bias = of_columns.pop("bias")
            weights = of_columns.values()
        weights = _get_expanded_variable_list(weights)
        if units == 1:
            summary.scalar("bias", bias[0][0])
        else:
            summary.histogram("bias", bias)
        summary.scalar("fraction_of_zero_weights", _compute_fraction_of_zero(weights))
        return logits

    return linear_logit_fn


def _linear_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: Any,
    partitioner: Any, config: Any, sparse_combiner: str = "sum",
) -> Any:  # fmt: skip
    composition.check_features(features)
    partitioner = partitioner or composition.partitioner(config, of_input=True)
    with variable_scope.variable_scope(
        "linear", values=tuple(features.values()), partitioner=partitioner
    ):
        logit_fn = linear_logit_fn_builder(
            units=head.logits_dimension, feature_columns=feature_columns,
            sparse_combiner=sparse_combiner,
        )  # fmt: skip
        logits = logit_fn(features=features)
        optimizer = optimizers.get_optimizer_instance(
            optimizer or _get_default_optimizer(feature_columns), learning_rate=_LEARNING_RATE
        )
        return head.create_estimator_spec(
            features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits
        )


@tf_export("estimator.LinearEstimator")
class LinearEstimator(estimator.Estimator):
    """A linear model under any head.

    Args:
      head: what the logits mean.
      feature_columns: the columns.
      model_dir, config: see `Estimator`.
      optimizer: an optimizer, its name, or a function that makes one; None for Ftrl with a rate
        that falls with the number of columns.
      partitioner: splits the variables.
      sparse_combiner: how several values of a categorical column are joined: "sum", "mean" or
        "sqrtn".
    """

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = "Ftrl",
        config: Any = None, partitioner: Any = None, sparse_combiner: str = "sum",
    ):  # fmt: skip
        self._start(
            head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner
        )

    def _start(
        self, head: Any, feature_columns: Any, model_dir: Any, optimizer: Any, config: Any,
        partitioner: Any, sparse_combiner: str, warm_start_from: Any = None,
    ) -> None:  # fmt: skip
        model_fn = composition.model_fn_of(
            _linear_model_fn, head=head, feature_columns=tuple(feature_columns or []),
            optimizer=optimizer, partitioner=partitioner, sparse_combiner=sparse_combiner,
        )  # fmt: skip
        estimator.Estimator.__init__(
            self, model_fn, model_dir, config, warm_start_from=warm_start_from
        )


@tf_export("estimator.LinearClassifier")
class LinearClassifier(LinearEstimator):
    """A linear model that tells classes.

    Args:
      n_classes: how many classes.
      weight_column: the feature that holds the examples' weights.
      label_vocabulary: the labels' names; without it they are numbers.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.losses.Reduction`.
      The others: see `LinearEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: Any = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Ftrl",
        config: Any = None, partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, sparse_combiner: str = "sum",
    ):  # fmt: skip
        head = head_lib._binary_logistic_or_multi_class_head(
            n_classes, weight_column, label_vocabulary, loss_reduction
        )
        self._start(
            head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
            warm_start_from,
        )  # fmt: skip


@tf_export("estimator.LinearRegressor")
class LinearRegressor(LinearEstimator):
    """A linear model that gives numbers.

    Args:
      label_dimension: how many.
      weight_column: the feature that holds the examples' weights.
      warm_start_from: see `Estimator`.
      loss_reduction: one of `tf.losses.Reduction`.
      The others: see `LinearEstimator`.

    Raises:
      ValueError: an argument is wrong.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, sparse_combiner: str = "sum",
    ):  # fmt: skip
        head = head_lib._regression_head(
            weight_column, label_dimension, loss_reduction=loss_reduction
        )
        self._start(
            head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
            warm_start_from,
        )  # fmt: skip
