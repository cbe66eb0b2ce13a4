"""How boosted trees grow: from all examples at once, or from what batches add up to; and what is
kept of examples from step to step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import cond_v2, control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.queues import conditional_accumulators
from tf1compat.api.trees import boosted_trees_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

_SUMMARIES = "numeric_stats_summary_accumulator"
_DUMMY_NODE_ID = -1  # Of examples that no tree has seen.


def _variable(initial_value: Any, trainable: bool = False, name: Name = None) -> Any:
    return variable_scope.variable(
        initial_value=initial_value, trainable=trainable, validate_shape=False, name=name,
        use_resource=True,
    )  # fmt: skip


def _cond(pred: Any, true_fn: Any, false_fn: Any, name: Name = None) -> Any:
    return cond_v2.cond_v2(pred, true_fn, false_fn, name=name)


def _accumulator(shape: Any, shared_name: str) -> Any:
    return conditional_accumulators.ConditionalAccumulator(
        dtype=dtypes.float32, shape=shape, shared_name=shared_name
    )


def _get_max_splits(tree_hparams: Any) -> int:
    """How many nodes of a tree can be split."""
    return (1 << tree_hparams.max_depth) - 1


def unseen(batch_size: Any, logits_dimension: int, keep: Any = lambda value, name: value) -> Any:
    """(trees, nodes, logits) of examples that no tree has seen.

    Args:
      batch_size: how many examples, an int32 scalar.
      logits_dimension: the width of logits.
      keep: what becomes of each, a function of it and of a name.
    """
    trees = keep(array_ops.zeros([batch_size], dtype=dtypes.int32), "tree_ids_cache")
    nodes = _DUMMY_NODE_ID * array_ops.ones([batch_size], dtype=dtypes.int32)
    nodes = keep(nodes, "node_ids_cache")
    logits = array_ops.zeros([batch_size, logits_dimension], dtype=dtypes.float32)
    return trees, nodes, keep(logits, "logits_cache")


class _CacheTrainingStatesUsingHashTable:
    """Where examples are in the trees, by their ids.

    A row of the table is the bits of the tree's and of the node's number, and the logit.

    Args:
      example_ids: an int64 or string vector.
      logits_dimension: the width of logits.

    Raises:
      ValueError: the ids are of another dtype or rank.
    """

    def __init__(self, example_ids: Any, logits_dimension: int):
        keys: tuple[Any, Any]
        if dtypes.int64.is_compatible_with(example_ids.dtype):
            keys = -1 << 62, -1 << 61
        elif dtypes.string.is_compatible_with(example_ids.dtype):
            keys = "", "NEVER_USED_DELETED_KEY"
        else:
            raise ValueError(f"Unsupported example_id_feature dtype {example_ids.dtype}.")
        self._table_ref = raw_ops.MutableDenseHashTableV2(
            empty_key=keys[0], deleted_key=keys[1], value_dtype=dtypes.float32, value_shape=[3]
        )
        self._example_ids = ops.convert_to_tensor(example_ids)
        if self._example_ids.shape.ndims not in (None, 1):
            raise ValueError(f"example_id should have rank 1, but got {self._example_ids}")
        self._logits_dimension = logits_dimension

    def lookup(self) -> tuple[Tensor, Tensor, Tensor]:
        """(trees, nodes, logits) of the examples."""
        rows = raw_ops.LookupTableFindV2(
            self._table_ref, self._example_ids, default_value=[0.0, _DUMMY_NODE_ID, 0.0]
        )
        trees, nodes, logits = array_ops.split(rows, [1, 1, self._logits_dimension], axis=1)
        trees, nodes = (
            array_ops.squeeze(array_ops.bitcast(column, dtypes.int32)) for column in (trees, nodes)
        )
        if self._example_ids.shape.ndims is not None:
            logits.set_shape([self._example_ids.shape[0], self._logits_dimension])
        return trees, nodes, logits

    def insert(self, tree_ids: Any, node_ids: Any, logits: Any) -> Any:
        """Records what keeps where the examples are."""
        bits = [
            array_ops.expand_dims(array_ops.bitcast(ids, dtypes.float32), 1)
            for ids in (tree_ids, node_ids)
        ]
        rows = array_ops.concat([*bits, logits], axis=1, name="value_concat_for_cache_insert")
        return raw_ops.LookupTableInsertV2(self._table_ref, self._example_ids, rows)


class _CacheTrainingStatesUsingVariables:
    """Where examples are in the trees, if each step has all of them in one order.

    Args:
      batch_size: how many examples.
      logits_dimension: the width of logits.
    """

    def __init__(self, batch_size: Any, logits_dimension: int):
        self._states = unseen(
            batch_size, logits_dimension, lambda value, name: _variable(value, name=name)
        )

    def lookup(self) -> Any:
        """(trees, nodes, logits) of the examples, variables."""
        return self._states

    def insert(self, tree_ids: Any, node_ids: Any, logits: Any) -> Any:
        """Records what keeps where the examples are."""
        new = (tree_ids, node_ids, logits)
        return control_flow_ops.group(
            [kept.assign(value) for kept, value in zip(self._states, new, strict=True)],
            name="cache_insert",
        )


class _EnsembleGrower:
    """Records what makes trees grow.

    Args:
      tree_ensemble: a `TreeEnsemble`.
      quantile_accumulator: a `QuantileAccumulator`; None if all features come in buckets.
      tree_hparams: the settings of trees.
      feature_ids_list: the features, grouped by their numbers of buckets.

    Raises:
      ValueError: pruning and `tree_complexity` do not go together.
    """

    def __init__(
        self, tree_ensemble: Any, quantile_accumulator: Any, tree_hparams: Any,
        feature_ids_list: Sequence[list[int]],
    ):  # fmt: skip
        self._tree_ensemble = tree_ensemble
        self._quantile_accumulator = quantile_accumulator
        self._tree_hparams = tree_hparams
        self._feature_ids_list = feature_ids_list
        modes = boosted_trees_ops.PruningMode
        self._pruning_mode_parsed = modes.from_str(tree_hparams.pruning_mode)
        prunes = self._pruning_mode_parsed != modes.NO_PRUNING
        if tree_hparams.tree_complexity > 0 and not prunes:
            raise ValueError("Tree complexity have no effect unless pruning mode is chosen.")
        if tree_hparams.tree_complexity <= 0 and prunes:
            raise ValueError("For pruning, tree_complexity must be positive.")

    def accumulate_quantiles(
        self, float_features: Sequence[Any], weights: Any, are_boundaries_ready: Any
    ) -> Any:
        """Records what adds numbers to the quantiles' streams.

        Args:
          float_features: float vectors.
          weights: the examples' weights.
          are_boundaries_ready: a bool variable, set when there are enough.
        """
        raise NotImplementedError

    def center_bias(self, center_bias_var: Any, gradients: Any, hessians: Any) -> Any:
        """Records what moves the prediction without any tree to the labels' mean.

        Args:
          center_bias_var: a bool variable, whether that has to go on.
          gradients, hessians: [batch, dimension].
        """
        raise NotImplementedError

    def grow_tree(self, stats_summaries_list: Any, last_layer_nodes_range: Any) -> Any:
        """Records what adds a layer.

        Args:
          stats_summaries_list: for each group of features the sums of gradients and hessians
            [nodes, buckets, 2] of each.
          last_layer_nodes_range: the nodes [from, to) that are split.
        """
        raise NotImplementedError

    def chief_init_op(self) -> Any:
        """What the chief runs at the beginning."""
        return control_flow_ops.no_op()

    def _center_bias_fn(self, center_bias_var: Any, gradients: Any, hessians: Any) -> Any:
        goes_on = boosted_trees_ops.center_bias(
            self._tree_ensemble.resource_handle, mean_gradients=gradients, mean_hessians=hessians,
            l1=self._tree_hparams.l1, l2=self._tree_hparams.l2,
        )  # fmt: skip
        return center_bias_var.assign(goes_on)

    def _grow_tree_from_stats_summaries(self, summaries: Any, nodes: Any) -> Any:
        settings = self._tree_hparams
        best: tuple[list[Any], ...] = ([], [], [], [], [])
        for of_group in summaries:
            found = boosted_trees_ops.calculate_best_gains_per_feature(
                node_id_range=nodes, stats_summary_list=of_group, l1=settings.l1, l2=settings.l2,
                tree_complexity=settings.tree_complexity,
                min_node_weight=settings.min_node_weight, max_splits=_get_max_splits(settings),
            )  # fmt: skip
            for all_groups, one in zip(best, found, strict=True):
                all_groups.extend(one)
        nodes, gains, thresholds, left, right = best
        return boosted_trees_ops.update_ensemble(
            self._tree_ensemble.resource_handle,
            feature_ids=[feature for group in self._feature_ids_list for feature in group],
            node_ids=nodes, gains=gains, thresholds=thresholds, left_node_contribs=left,
            right_node_contribs=right, learning_rate=settings.learning_rate,
            max_depth=settings.max_depth, pruning_mode=self._pruning_mode_parsed,
        )  # fmt: skip


class _InMemoryEnsembleGrower(_EnsembleGrower):
    """Each step has all examples, and adds a layer."""

    def accumulate_quantiles(self, float_features: Any, weights: Any, are_boundaries_ready: Any):
        added = self._quantile_accumulator.add_summaries(float_features, weights)
        with ops.control_dependencies([added]):
            flushed = self._quantile_accumulator.flush()
            with ops.control_dependencies([flushed]):
                return are_boundaries_ready.assign(True).op

    def center_bias(self, center_bias_var: Any, gradients: Any, hessians: Any) -> Any:
        means = [
            array_ops.expand_dims(math_ops.reduce_mean(x, 0), 0) for x in (gradients, hessians)
        ]
        return self._center_bias_fn(center_bias_var, *means)

    def grow_tree(self, stats_summaries_list: Any, last_layer_nodes_range: Any) -> Any:
        return self._grow_tree_from_stats_summaries(stats_summaries_list, last_layer_nodes_range)


class _AccumulatorEnsembleGrower(_EnsembleGrower):
    """Batches are added up, by all workers; when there are enough, the chief adds a layer.

    Args:
      tree_ensemble, quantile_accumulator, tree_hparams, feature_ids_list: see `_EnsembleGrower`.
      stamp_token: the number of the ensemble's state: batches that saw an older one do not count.
      n_batches_per_layer: how many batches are enough.
      bucket_size_list: how many buckets the features of each group have.
      is_chief: whether this worker is the chief.
      center_bias: whether the bias is centered at first.
    """

    def __init__(
        self, tree_ensemble: Any, quantile_accumulator: Any, tree_hparams: Any, stamp_token: Any,
        n_batches_per_layer: Any, bucket_size_list: Sequence[int], is_chief: bool,
        center_bias: bool, feature_ids_list: Sequence[list[int]],
    ):  # fmt: skip
        super().__init__(tree_ensemble, quantile_accumulator, tree_hparams, feature_ids_list)
        self._stamp_token = stamp_token
        self._n_batches_per_layer = n_batches_per_layer
        self._is_chief = is_chief
        self._chief_init_ops: list[Any] = []
        nodes = _get_max_splits(tree_hparams)
        self._growing_accumulators = [
            self._begun(
                [len(features), nodes, buckets, 2], f"numeric_stats_summary_accumulator_{i}"
            )
            for i, (features, buckets) in enumerate(
                zip(feature_ids_list, bucket_size_list, strict=True)
            )
        ]
        self._bias_accumulator = self._begun([2, 1], "bias_accumulator") if center_bias else None

    def _begun(self, shape: list[int], shared_name: str) -> Any:
        """An accumulator that the chief sets to the ensemble's state."""
        accumulator = _accumulator(shape, shared_name)
        self._chief_init_ops.append(accumulator.set_global_step(self._stamp_token))
        return accumulator

    def chief_init_op(self) -> Any:
        return control_flow_ops.group(self._chief_init_ops)

    def _when_enough(self, count: Any, then: Callable[[], Any], name: str) -> Any:
        enough = math_ops.greater_equal(count, self._n_batches_per_layer)
        return _cond(enough, then, control_flow_ops.no_op, name=name)

    def accumulate_quantiles(self, float_features: Any, weights: Any, are_boundaries_ready: Any):
        quantiles = self._quantile_accumulator
        added = quantiles.add_summaries(float_features, weights)
        # It only counts the batches.
        counter = _accumulator({}, "quantile_summary_accum")
        started = counter.set_global_step(self._stamp_token)
        counted = counter.apply_grad(constant_op.constant(0.0), self._stamp_token)
        update = control_flow_ops.group(added, started, counted)
        if not self._is_chief:
            return update

        def flush() -> Any:
            taken = counter.take_grad(1)
            flushed = quantiles.flush()
            return control_flow_ops.group(flushed, taken, are_boundaries_ready.assign(True).op)

        with ops.control_dependencies([update]):
            # The name is TF's, letter for letter.
            return self._when_enough(
                counter.num_accumulated(), flush, "wait_until_quaniles_accumulated"
            )

    def center_bias(self, center_bias_var: Any, gradients: Any, hessians: Any) -> Any:
        bias = self._bias_accumulator
        if bias is None:
            raise RuntimeError("center_bias called but bias centering is disabled.")
        means = math_ops.reduce_mean(array_ops.stack([gradients, hessians], axis=0), axis=1)
        applied = bias.apply_grad(means, self._stamp_token)

        def set_stamps() -> Any:
            return control_flow_ops.group(
                [x.set_global_step(self._stamp_token + 1) for x in self._growing_accumulators]
            )

        def center() -> Any:
            means = array_ops.unstack(bias.take_grad(1), axis=0)
            centered = self._center_bias_fn(
                center_bias_var, *(array_ops.expand_dims(mean, 0) for mean in means)
            )
            with ops.control_dependencies([centered]):
                return _cond(center_bias_var, control_flow_ops.no_op, set_stamps)

        with ops.control_dependencies([applied]):
            if not self._is_chief:
                return control_flow_ops.no_op()
            return self._when_enough(
                bias.num_accumulated(), center, "wait_until_n_batches_for_bias_accumulated"
            )

    def grow_tree(self, stats_summaries_list: Any, last_layer_nodes_range: Any) -> Any:
        applied = [
            accumulator.apply_grad(array_ops.stack(summaries, axis=0), self._stamp_token)
            for accumulator, summaries in zip(
                self._growing_accumulators, stats_summaries_list, strict=True
            )
        ]

        def grow() -> Any:
            means = [array_ops.unstack(x.take_grad(1), axis=0) for x in self._growing_accumulators]
            return self._grow_tree_from_stats_summaries(means, last_layer_nodes_range)

        with ops.control_dependencies(applied):
            if not self._is_chief:
                return control_flow_ops.no_op()
            counts = [x.num_accumulated() for x in self._growing_accumulators]
            least = math_ops.reduce_min(array_ops.stack(counts))
            return self._when_enough(least, grow, "wait_until_n_batches_accumulated")
