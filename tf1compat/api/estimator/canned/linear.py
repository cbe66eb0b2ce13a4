"""Linear models (`tensorflow_estimator.python.estimator.canned.linear`)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import estimator
from tf1compat.api.estimator.canned import composition, optimizers
from tf1compat.api.estimator.canned import head as head_lib
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.feature_column import feature_layers
from tf1compat.api.learning import sdca_model
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl
from tf1compat.api.summary import summary
from tf1compat.api.training import ftrl, session_run_hook, training_util
from tf1compat.api.variables import variable_scope, variables
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_LEARNING_RATE = 0.2


def _get_default_optimizer(feature_columns: Any) -> Any:
    rate = min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns)))
    return ftrl.FtrlOptimizer(learning_rate=rate)


def _get_expanded_variable_list(var_list: Any) -> list[Any]:
    """Variables, those in parts as their parts."""
    whole = variables.Variable | Tensor
    return [part for v in var_list for part in ([v] if isinstance(v, whole) else v)]


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


def _summarize(bias: Any, weights: Any, units: int) -> None:
    weights = _get_expanded_variable_list(weights)
    if units == 1:
        summary.scalar("bias", bias[0][0])
    else:
        summary.histogram("bias", bias)
    summary.scalar("fraction_of_zero_weights", _compute_fraction_of_zero(weights))


def _summarize_v2(model: Any, units: int) -> None:
    weights = model.variables
    weights.remove(model.bias)
    _summarize(_get_expanded_variable_list([model.bias]), weights, units)


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

    Returns:
      The function; its logits are float32 [batch, units].
    """

    def linear_logit_fn(features: Any) -> Any:
        settings = {
            "feature_columns": feature_columns, "units": units, "sparse_combiner": sparse_combiner,
            "name": "linear_model",
        }  # fmt: skip
        if fc.is_feature_column_v2(feature_columns):
            model = feature_layers.LinearModel(**settings)
            logits = model(features)
            _summarize_v2(model, units)
        else:
            model = feature_layers._LinearModel(**settings)
            logits = model(features)
            of_columns = model.cols_to_vars()
            bias = of_columns.pop("bias")
            _summarize(bias, of_columns.values(), units)
        return logits

    return linear_logit_fn


@tf_export("estimator.experimental.LinearSDCA")
class LinearSDCA:
    """Trains `LinearClassifier` of two classes and `LinearRegressor` of one number by stochastic
    dual coordinate ascent (Shalev-Shwartz and Zhang, 2013). Their columns are of the newer kind.

    Args:
      example_id_column: the feature that names examples, string [batch].
      num_loss_partitions: how many steps are run at once.
      num_table_shards: how many tables hold what is known of examples.
      symmetric_l1_regularization: at least 0.
      symmetric_l2_regularization: more than 0; typically more than 1.
      adaptive: whether examples that change more come more often.
    """

    def __init__(
        self, example_id_column: Any, num_loss_partitions: int = 1, num_table_shards: Any = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0,
        adaptive: bool = False,
    ):  # fmt: skip
        self._example_id_column = example_id_column
        self._options = {
            "symmetric_l1_regularization": symmetric_l1_regularization,
            "symmetric_l2_regularization": symmetric_l2_regularization,
            "adaptive": adaptive, "num_loss_partitions": num_loss_partitions,
            "num_table_shards": num_table_shards,
        }  # fmt: skip

    def _prune_and_unique_sparse_ids(self, id_weight_pair: Any) -> Any:
        ids, weights = id_weight_pair.id_tensor, id_weight_pair.weight_tensor
        if weights is None:
            weights = array_ops.ones([array_ops.shape(ids.indices)[0]], dtypes.float32)
        else:
            weights = weights.values
        examples = array_ops.reshape(ids.indices[:, 0], [-1])
        flat = math_ops.to_int64(array_ops.reshape(ids.values, [-1]))
        return sdca_model._SparseFeatureColumn(*unique_features(examples, flat, weights))

    def get_train_step(
        self, state_manager: Any, weight_column_name: Any, loss_type: str, feature_columns: Any,
        features: Any, targets: Any, bias_var: Any, global_step: TensorLike,
    ) -> tuple[Any, Any]:  # fmt: skip
        """Records a step.

        Args:
          state_manager: has the columns' weights.
          weight_column_name: the feature that holds the examples' weights, or None.
          loss_type: "logistic_loss" or "squared_loss".
          feature_columns, features, targets: as the estimator has them.
          bias_var: the bias.
          global_step: counts the steps.

        Returns:
          The model, and the operation.

        Raises:
          ValueError: a column is of no kind that is supported.
        """
        count = array_ops.shape(targets)[0]
        cache = fc.FeatureTransformationCache(features)
        dense, sparse = ([], []), ([], [])
        for column in sorted(feature_columns, key=lambda x: x.name):
            kind = type(column).__name__
            if isinstance(column, fc.CategoricalColumn):
                pair = column.get_sparse_tensors(cache, state_manager)
                group, values = sparse, self._prune_and_unique_sparse_ids(pair)
            elif isinstance(column, fc.DenseColumn):
                rank = column.variable_shape.ndims
                if rank != 1:
                    raise ValueError(f"Column {kind} has rank {rank}, larger than 1.")
                group, values = dense, column.get_dense_tensor(cache, state_manager)
            else:
                raise ValueError(f"LinearSDCA does not support column type {kind}.")
            group[0].append(values)
            group[1].append(state_manager.get_variable(column, "weights"))
        dense[0].append(array_ops.ones([count, 1]))
        dense[1].append(bias_var)
        if weight_column_name:
            weights = array_ops.reshape(features[weight_column_name], shape=[-1])
        else:
            weights = array_ops.ones([count])
        examples = {
            "sparse_features": sparse[0], "dense_features": dense[0],
            "example_labels": math_ops.to_float(array_ops.reshape(targets, shape=[-1])),
            "example_weights": weights, "example_ids": features[self._example_id_column],
        }  # fmt: skip
        variables = {"sparse_features_weights": sparse[1], "dense_features_weights": dense[1]}
        options = dict(self._options, loss_type=loss_type)
        model = sdca_model._SDCAModel(examples=examples, variables=variables, options=options)
        return model, model.minimize(global_step=global_step)


def unique_features(examples: Any, ids: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Leaves out negative features, and adds up those that an example has twice.

    Args:
      examples: int64 [entries].
      ids: the features, int64 [entries].
      weights: float32 [entries].

    Returns:
      As the arguments.
    """
    valid = math_ops.greater_equal(ids, 0)
    ids = array_ops.boolean_mask(ids, valid)
    examples = array_ops.boolean_mask(examples, valid)
    weights = array_ops.boolean_mask(weights, valid)
    width = math_ops.reduce_max(ids) + 1
    pairs, places = array_ops.unique(width * examples + ids)
    examples = math_ops.unsorted_segment_min(examples, places, array_ops.shape(pairs)[0])
    ids = pairs - width * examples
    total = math_ops.unsorted_segment_sum(weights, places, array_ops.shape(pairs)[0])
    return examples, ids, array_ops.reshape(total, [-1])


class _SDCAUpdateWeightsHook(session_run_hook.SessionRunHook):
    """After each step, sets the weights to what it found."""

    def __init__(self, sdca_model: Any, train_op: Any):
        self._sdca_model = sdca_model
        self._train_op = train_op

    def begin(self) -> None:
        self._update_op = self._sdca_model.update_weights(self._train_op)

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return session_run_hook.SessionRunArgs(self._update_op)


def _sdca_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: LinearSDCA
) -> Any:
    if isinstance(head, head_lib._BinaryLogisticHeadWithSigmoidCrossEntropyLoss):
        loss_type = "logistic_loss"
    elif isinstance(head, head_lib._RegressionHeadWithMeanSquaredErrorLoss):
        assert head.logits_dimension == 1
        loss_type = "squared_loss"
    else:
        raise ValueError(f"Unsupported head type: {head}")
    model: Any = feature_layers.LinearModel(
        feature_columns=feature_columns, units=1, sparse_combiner="sum", name="linear_model"
    )
    logits = model(features)
    _summarize_v2(model, 1)
    common = {"features": features, "mode": mode, "labels": labels, "logits": logits}
    if mode != ModeKeys.TRAIN:
        return head.create_estimator_spec(**common)
    steps, train_op = optimizer.get_train_step(
        model.layer._state_manager, head._weight_column, loss_type, feature_columns, features,
        labels, model.bias, training_util.get_global_step(),
    )  # fmt: skip
    hook = _SDCAUpdateWeightsHook(steps, train_op)
    spec = head.create_estimator_spec(train_op_fn=lambda loss: train_op, **common)
    return spec._replace(training_chief_hooks=(*spec.training_chief_hooks, hook))


def _check_sdca(optimizer: Any, feature_columns: Any, sparse_combiner: str) -> bool:
    """Whether it is a `LinearSDCA`, which these columns go with.

    Raises:
      ValueError: it is, and they do not.
    """
    if not isinstance(optimizer, LinearSDCA):
        return False
    if sparse_combiner != "sum":
        raise ValueError('sparse_combiner must be "sum" when optimizer is a LinearSDCA object.')
    if not fc.is_feature_column_v2(feature_columns):
        raise ValueError("V2 feature columns required when optimizer is a LinearSDCA object.")
    return True


def _linear_model_fn(
    features: Any, labels: Any, mode: Any, head: Any, feature_columns: Any, optimizer: Any,
    partitioner: Any, config: Any, sparse_combiner: str = "sum",
) -> Any:  # fmt: skip
    composition.check_features(features)
    partitioner = partitioner or composition.partitioner(config, of_input=True)
    with variable_scope.variable_scope(
        "linear", values=tuple(features.values()), partitioner=partitioner
    ):
        if isinstance(optimizer, LinearSDCA):
            return _sdca_model_fn(features, labels, mode, head, feature_columns, optimizer)
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
        self, head: Any, feature_columns: Any, model_dir: str | None = None,
        optimizer: Any = "Ftrl",
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
        self, feature_columns: Any, model_dir: str | None = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Sequence[str] | None = None,
        optimizer: Any = "Ftrl",
        config: Any = None, partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, sparse_combiner: str = "sum",
    ):  # fmt: skip
        if _check_sdca(optimizer, feature_columns, sparse_combiner) and n_classes > 2:
            raise ValueError("LinearSDCA cannot be used in a multi-class setting.")
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
        self, feature_columns: Any, model_dir: str | None = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: Any = losses.Reduction.SUM, sparse_combiner: str = "sum",
    ):  # fmt: skip
        if _check_sdca(optimizer, feature_columns, sparse_combiner) and label_dimension > 1:
            raise ValueError("LinearSDCA can only be used with one-dimensional label.")
        head = head_lib._regression_head(
            weight_column, label_dimension, loss_reduction=loss_reduction
        )
        self._start(
            head, feature_columns, model_dir, optimizer, config, partitioner, sparse_combiner,
            warm_start_from,
        )  # fmt: skip
