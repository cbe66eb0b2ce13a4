"""The model functions of boosted trees."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator.canned import boosted_trees_columns as columns
from tf1compat.api.estimator.canned import boosted_trees_growers as growers
from tf1compat.api.estimator.canned.boosted_trees_growers import _cond, _variable
from tf1compat.api.estimator.canned.boosted_trees_utils import _DEBUG_PROTO_KEY
from tf1compat.api.estimator.mode_keys import ModeKeys
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.summary import summary
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.trees import boosted_trees_ops
from tf1compat.api.variables import state_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor import Tensor

_QUANTILE_ACCUMULATOR_RESOURCE_NAME = "QuantileAccumulator"


class _StopAtAttemptsHook(session_run_hook.SessionRunHook):
    """Ends training when all trees are grown, or when layers were attempted too often.

    Args:
      num_finalized_trees_tensor, num_attempted_layers_tensor: int32 scalars.
      max_trees: how many trees.
      max_depth: how many layers each.
    """

    def __init__(
        self, num_finalized_trees_tensor: Any, num_attempted_layers_tensor: Any, max_trees: int,
        max_depth: int,
    ):  # fmt: skip
        self._tensors = [num_finalized_trees_tensor, num_attempted_layers_tensor]
        self._max_trees, self._max_layers = max_trees, 2 * max_trees * max_depth

    def before_run(self, run_context: session_run_hook.SessionRunContext) -> Any:
        return session_run_hook.SessionRunArgs(self._tensors)

    def after_run(
        self,
        run_context: session_run_hook.SessionRunContext,
        run_values: session_run_hook.SessionRunValues,
    ) -> None:
        # What a step reads is from before it: near the end it is read once more.
        trees, layers = run_values.results
        if trees >= self._max_trees - 1 or layers > self._max_layers - 1:
            trees, layers = run_context.session.run(self._tensors)
        if trees >= self._max_trees or layers > self._max_layers:
            run_context.request_stop()


class GrowerInitializationHook(session_run_hook.SessionRunHook):
    """Runs a grower's first operation in each new session.

    Args:
      init_op: that operation.
    """

    def __init__(self, init_op: Any):
        self._init_op = init_op

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        session.run(self._init_op)


def _cache_transformed_features(
    features: Any, feature_columns: Sequence[Any], batch_size: Any,
    boundaries: dict[str, Any], are_boundaries_ready: Any,
) -> tuple[list[Tensor], Any]:  # fmt: skip
    """(features, the operation that says they are kept): computed once, kept in variables."""
    cached = [
        _variable(array_ops.zeros([batch_size], dtype=dtypes.int32), name=f"cached_feature_{i}")
        for i in range(columns._calculate_num_features(feature_columns))
    ]
    are_cached = _variable(False, name="are_features_cached")
    # Not in a branch: it may use tables, which have to be initialized.
    categories = columns._apply_feature_transformations(
        features, [column for column in feature_columns if columns.is_indicator(column)]
    )

    def transformed() -> list[Tensor]:
        return columns._get_transformed_features(features, feature_columns, boundaries, categories)

    def without_cache() -> Any:
        return transformed(), control_flow_ops.no_op()

    def fill_cache() -> Any:
        kept = [
            state_ops.assign(variable, value)
            for variable, value in zip(cached, transformed(), strict=True)
        ]
        with ops.control_dependencies(kept):
            return kept, are_cached.assign(True)

    def with_cache() -> Any:
        return _cond(are_cached, lambda: (cached, control_flow_ops.no_op()), fill_cache)

    return _cond(are_boundaries_ready, without_cache, with_cache)


class _Inputs:
    """What trees split, and the quantiles that say where.

    Args:
      feature_columns: columns, by their names.
      epsilon: see `QuantileAccumulator`.
    """

    def __init__(self, feature_columns: Sequence[Any], epsilon: float):
        self.columns = feature_columns
        self.float_columns = columns._get_float_feature_columns(feature_columns)
        self.num_quantiles = int(1.0 / epsilon)
        self.accumulator: Any = None
        self.boundaries: dict[str, Any] = {}
        if self.float_columns:
            self.accumulator = boosted_trees_ops.QuantileAccumulator(
                epsilon=epsilon,
                num_streams=columns._calculate_num_features(self.float_columns),
                num_quantiles=self.num_quantiles,
                name=_QUANTILE_ACCUMULATOR_RESOURCE_NAME,
            )
            self.boundaries = columns._get_float_boundaries_dict(
                self.float_columns, self.accumulator.get_bucket_boundaries()
            )

    def buckets(self, features: Any) -> list[Tensor]:
        """The bucket of each feature, int32 vectors."""
        return columns._get_transformed_features(features, self.columns, self.boundaries)


def _weights(features: Any, weight_column: Any) -> Tensor:
    if weight_column is None:
        return constant_op.constant(1.0, shape=[1])
    if isinstance(weight_column, str):
        weight_column = fc.numeric_column(key=weight_column, shape=(1,))
    return columns._get_transformed_features(features, [weight_column])[0]


def _bt_model_fn(
    features: Any,
    labels: Any,
    mode: Any,
    head: Any,
    feature_columns: Any,
    tree_hparams: Any,
    n_batches_per_layer: Any,
    config: Any,
    closed_form_grad_and_hess_fn: Callable[..., Any] | None = None,
    example_id_column_name: str | None = None,
    weight_column: Any = None,
    train_in_memory: bool = False,
    name: str = "boosted_trees",
) -> Any:
    """The model function of boosted trees.

    Args:
      features: {key: tensor}.
      labels: [batch] or [batch, 1].
      mode: a mode of `ModeKeys`.
      head: what the logits mean.
      feature_columns: the columns.
      tree_hparams: the settings of trees.
      n_batches_per_layer: how many batches make a layer.
      config: a `RunConfig`.
      closed_form_grad_and_hess_fn: a function of logits and labels that gives the gradients and
        hessians; those of the head's loss by default.
      example_id_column_name: the feature that tells examples apart, int64 or string.
      weight_column: the feature that holds the examples' weights.
      train_in_memory: whether each batch is all examples.
      name: of the ensemble.

    Returns:
      An `EstimatorSpec`.

    Raises:
      ValueError: the columns, the settings or the cluster do not allow it.
    """
    feature_columns = columns.sorted_columns(feature_columns)
    columns._get_float_feature_columns(feature_columns)  # Refuses what is no column.
    with ops.name_scope(name) as name:
        global_step = training_util.get_or_create_global_step()
        tree_ensemble = boosted_trees_ops.TreeEnsemble(name=name)
        inputs = _Inputs(feature_columns, tree_hparams.quantile_sketch_epsilon)
        bucket_sizes, groups = columns._group_features_by_num_buckets(
            feature_columns, inputs.num_quantiles
        )
        if mode != ModeKeys.TRAIN:
            logits = boosted_trees_ops.predict(
                tree_ensemble.resource_handle, bucketized_features=inputs.buckets(features),
                logits_dimension=head.logits_dimension,
            )  # fmt: skip
            return head.create_estimator_spec(
                features=features, mode=mode, labels=labels, train_op_fn=control_flow_ops.no_op,
                logits=logits,
            )  # fmt: skip

        if train_in_memory:
            _check_in_memory(n_batches_per_layer, config)
        worker_device = control_flow_ops.no_op().device
        are_boundaries_ready = _variable(not inputs.float_columns, name="are_boundaries_ready")
        input_features, input_cached, cache, states = _examples(
            features, labels, inputs, are_boundaries_ready, head.logits_dimension,
            example_id_column_name, train_in_memory,
        )  # fmt: skip
        trees, nodes, known_logits = states

        if config.num_worker_replicas <= 1:
            own_ensemble = tree_ensemble
            reloaded = control_flow_ops.no_op()
        else:
            with ops.device(worker_device):
                own_ensemble = boosted_trees_ops.TreeEnsemble(name=f"{name}_local", is_local=True)
            reloaded = own_ensemble.deserialize(*tree_ensemble.serialize())
        with ops.control_dependencies([reloaded]):
            stamp_token, num_trees, num_finalized, num_attempted, last_nodes = (
                own_ensemble.get_states()
            )
            new_logits, tree_ids, node_ids = boosted_trees_ops.training_predict(
                own_ensemble.resource_handle, cached_tree_ids=trees, cached_node_ids=nodes,
                bucketized_features=input_features, logits_dimension=head.logits_dimension,
            )  # fmt: skip
        logits = known_logits + new_logits

        if train_in_memory:
            grower = growers._InMemoryEnsembleGrower(
                tree_ensemble, inputs.accumulator, tree_hparams, groups
            )
        else:
            grower = growers._AccumulatorEnsembleGrower(
                tree_ensemble, inputs.accumulator, tree_hparams, stamp_token, n_batches_per_layer,
                bucket_sizes, config.is_chief, tree_hparams.center_bias, groups,
            )  # fmt: skip
        summary.scalar("ensemble/num_trees", num_trees)
        summary.scalar("ensemble/num_finalized_trees", num_finalized)
        summary.scalar("ensemble/num_attempted_layers", num_attempted)
        center_bias_needed = _variable(tree_hparams.center_bias, name="center_bias_needed")
        weights = _weights(features, weight_column)

        def update_quantiles() -> Any:
            with ops.name_scope("UpdateQuantile"):
                numbers = columns._get_transformed_features(features, inputs.float_columns)
                return grower.accumulate_quantiles(numbers, weights, are_boundaries_ready)

        def grow(loss: Any) -> Any:
            done = [input_cached] if train_in_memory else []
            if cache is not None:
                # While the bias moves, logits do not stay what they are.
                done.append(
                    _cond(
                        center_bias_needed,
                        control_flow_ops.no_op,
                        lambda: cache.insert(tree_ids, node_ids, logits),
                    )
                )
            if closed_form_grad_and_hess_fn:
                gradients, hessians = closed_form_grad_and_hess_fn(logits, labels)
            else:
                gradients = gradients_impl.gradients(loss, logits, name="Gradients")[0]
                hessians = gradients_impl.gradients(gradients, logits, name="Hessians")[0]
            summaries = [
                [
                    array_ops.squeeze(
                        boosted_trees_ops.make_stats_summary(
                            node_ids=node_ids, gradients=gradients, hessians=hessians,
                            bucketized_features_list=[input_features[feature]],
                            max_splits=growers._get_max_splits(tree_hparams), num_buckets=buckets,
                        ),
                        axis=0,
                    )
                    for feature in group
                ]
                for group, buckets in zip(groups, bucket_sizes, strict=True)
            ]  # fmt: skip
            grow_tree = functools.partial(grower.grow_tree, summaries, last_nodes)
            if tree_hparams.center_bias:
                center = functools.partial(
                    grower.center_bias, center_bias_needed, gradients, hessians
                )
                update = _cond(center_bias_needed, center, grow_tree)
            else:
                update = grow_tree()
            done.append(update)
            with ops.control_dependencies([update]):
                done.append(state_ops.assign_add(global_step, 1).op)
            return control_flow_ops.group(done, name="grow_op")

        def train_op_fn(loss: Any) -> Any:
            if not inputs.float_columns:
                return grow(loss)
            return _cond(are_boundaries_ready, functools.partial(grow, loss), update_quantiles)

    spec = head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
    )
    stop = _StopAtAttemptsHook(
        num_finalized, num_attempted, tree_hparams.n_trees, tree_hparams.max_depth
    )
    begin = GrowerInitializationHook(grower.chief_init_op())
    return spec._replace(
        training_hooks=(*spec.training_hooks, stop),
        training_chief_hooks=[begin, *spec.training_chief_hooks],
    )


def _check_in_memory(n_batches_per_layer: Any, config: Any) -> None:
    assert n_batches_per_layer == 1, (
        "When train_in_memory is enabled, input_fn should return the entire dataset as a single "
        "batch, and n_batches_per_layer should be set as 1."
    )
    alone = config.is_chief and config.num_worker_replicas <= 1 and config.num_ps_replicas <= 0
    if not alone:
        raise ValueError("train_in_memory is supported only for non-distributed training.")


def _examples(
    features: Any, labels: Any, inputs: _Inputs, are_boundaries_ready: Any, logits_dimension: int,
    example_id_column_name: str | None, train_in_memory: bool,
) -> tuple[list[Tensor], Any, Any, Any]:  # fmt: skip
    """(features in buckets, what keeps them, what keeps where examples are, where they are)."""
    if train_in_memory:
        batch_size = array_ops.shape(labels)[0]
        buckets, kept = _cache_transformed_features(
            features, inputs.columns, batch_size, inputs.boundaries, are_boundaries_ready
        )
        cache: Any = growers._CacheTrainingStatesUsingVariables(batch_size, logits_dimension)
        return buckets, kept, cache, cache.lookup()
    buckets = inputs.buckets(features)
    if example_id_column_name:
        cache = growers._CacheTrainingStatesUsingHashTable(
            features[example_id_column_name], logits_dimension
        )
        return buckets, None, cache, cache.lookup()
    batch_size = array_ops.shape(labels)[0]
    return buckets, None, None, growers.unseen(batch_size, logits_dimension)


def _bt_explanations_fn(
    features: Any, head: Any, sorted_feature_columns: Sequence[Any],
    quantile_sketch_epsilon: float, name: str = "boosted_trees",
) -> Any:  # fmt: skip
    """A model function for predictions with what explains them; see `_bt_model_fn`."""
    with ops.name_scope(name) as name:
        tree_ensemble = boosted_trees_ops.TreeEnsemble(name=name)
        buckets = _Inputs(sorted_feature_columns, quantile_sketch_epsilon).buckets(features)
        given = {"bucketized_features": buckets, "logits_dimension": head.logits_dimension}
        logits = boosted_trees_ops.predict(tree_ensemble.resource_handle, **given)
        spec = head.create_estimator_spec(
            features=features, mode=ModeKeys.PREDICT, labels=None,
            train_op_fn=control_flow_ops.no_op, logits=logits,
        )  # fmt: skip
        spec.predictions[_DEBUG_PROTO_KEY] = boosted_trees_ops.example_debug_outputs(
            tree_ensemble.resource_handle, **given
        )
        return spec
