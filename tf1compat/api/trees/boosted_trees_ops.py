"""Ensembles of trees and quantiles as resources that are saved
(`tensorflow.python.ops.boosted_trees_ops`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.training import saver
from tf1compat.api.training.tracking import tracking
from tf1compat.api.variables import resources
from tf1compat.core import ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

boosted_trees_aggregate_stats = raw_ops.BoostedTreesAggregateStats
boosted_trees_bucketize = raw_ops.BoostedTreesBucketize
boosted_trees_sparse_aggregate_stats = raw_ops.BoostedTreesSparseAggregateStats
calculate_best_feature_split = raw_ops.BoostedTreesCalculateBestFeatureSplit
calculate_best_gains_per_feature = raw_ops.BoostedTreesCalculateBestGainsPerFeature
center_bias = raw_ops.BoostedTreesCenterBias
create_quantile_stream_resource = raw_ops.BoostedTreesCreateQuantileStreamResource
example_debug_outputs = raw_ops.BoostedTreesExampleDebugOutputs
get_bucket_boundaries = raw_ops.BoostedTreesQuantileStreamResourceGetBucketBoundaries
is_quantile_resource_initialized = raw_ops.IsBoostedTreesQuantileStreamResourceInitialized
make_quantile_summaries = raw_ops.BoostedTreesMakeQuantileSummaries
make_stats_summary = raw_ops.BoostedTreesMakeStatsSummary
predict = raw_ops.BoostedTreesPredict
quantile_add_summaries = raw_ops.BoostedTreesQuantileStreamResourceAddSummaries
quantile_flush = raw_ops.BoostedTreesQuantileStreamResourceFlush
quantile_resource_deserialize = raw_ops.BoostedTreesQuantileStreamResourceDeserialize
quantile_resource_handle_op = raw_ops.BoostedTreesQuantileStreamResourceHandleOp
sparse_calculate_best_feature_split = raw_ops.BoostedTreesSparseCalculateBestFeatureSplit
training_predict = raw_ops.BoostedTreesTrainingPredict
update_ensemble = raw_ops.BoostedTreesUpdateEnsemble
update_ensemble_v2 = raw_ops.BoostedTreesUpdateEnsembleV2


class PruningMode:
    """How trees are pruned."""

    NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)

    _map = {"none": NO_PRUNING, "pre": PRE_PRUNING, "post": POST_PRUNING}

    @classmethod
    def from_str(cls, mode: str) -> int:
        """The mode of a name.

        Raises:
          ValueError: there is none.
        """
        if mode not in cls._map:
            raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(cls._map))}")
        return cls._map[mode]


class QuantileAccumulatorSaveable(saver.BaseSaverBuilder.SaveableObject):
    """Saves the boundaries of buckets.

    Args:
      resource_handle: the streams' handle.
      create_op: what makes them.
      num_streams: how many there are.
      name: before the names of what is saved.
    """

    def __init__(self, resource_handle: Any, create_op: Any, num_streams: int, name: str):
        self._resource_handle, self._create_op = resource_handle, create_op
        boundaries = get_bucket_boundaries(resource_handle, num_streams)
        specs = [
            saver.BaseSaverBuilder.SaveSpec(x, "", f"{name}_bucket_boundaries_{i}")
            for i, x in enumerate(boundaries)
        ]
        super().__init__(resource_handle, specs, name)

    def restore(self, restored_tensors: Sequence[Any], unused_tensor_shapes: Any) -> Any:
        """Records what sets the boundaries."""
        with ops.control_dependencies([self._create_op]):
            return quantile_resource_deserialize(
                self._resource_handle, bucket_boundaries=restored_tensors
            )


class QuantileAccumulator(tracking.TrackableResource):
    """Streams of numbers, of which quantiles are found.

    Args:
      epsilon: how far a quantile's rank may be from the right one.
      num_streams: how many streams.
      num_quantiles: into how many buckets numbers are put.
      name: the resource's name.
      max_elements: not used, as in TF.
    """

    def __init__(
        self,
        epsilon: float,
        num_streams: int,
        num_quantiles: int,
        name: Name = None,
        max_elements: Any = None,
    ):
        super().__init__()
        self._eps, self._num_streams, self._num_quantiles = epsilon, num_streams, num_quantiles
        with ops.name_scope(name, "QuantileAccumulator") as name:
            self._name = name
            handle = self.resource_handle
            self._init_op = self._initialize()
            is_initialized = self.is_initialized()
        resources.register_resource(handle, self._init_op, is_initialized)
        self._saveable = QuantileAccumulatorSaveable(
            handle, self._init_op, num_streams, handle.name
        )
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def _create_resource(self) -> Any:
        return quantile_resource_handle_op(container="", shared_name=self._name, name=self._name)

    def _initialize(self) -> Any:
        return create_quantile_stream_resource(self.resource_handle, self._eps, self._num_streams)

    initializer = attribute("_init_op", "What makes the streams.")
    saveable = attribute("_saveable", "What saves them.")

    def is_initialized(self) -> Tensor:
        """Whether they are made, a bool scalar."""
        return is_quantile_resource_initialized(self.resource_handle)

    def _gather_saveables_for_checkpoint(self) -> Any:
        return {"quantile_accumulator", self._saveable}

    def add_summaries(self, float_columns: Sequence[Any], example_weights: Any) -> Any:
        """Records what adds numbers.

        Args:
          float_columns: a float vector for each stream.
          example_weights: their weights, a float vector.
        """
        summaries = make_quantile_summaries(float_columns, example_weights, self._eps)
        return quantile_add_summaries(self.resource_handle, summaries)

    def flush(self) -> Any:
        """Records what finds the boundaries, and forgets the numbers."""
        return quantile_flush(self.resource_handle, self._num_quantiles)

    def get_bucket_boundaries(self) -> list[Tensor]:
        """The boundaries of each stream, float vectors."""
        return get_bucket_boundaries(self.resource_handle, self._num_streams)


class _TreeEnsembleSavable(saver.BaseSaverBuilder.SaveableObject):
    """Saves an ensemble.

    Args:
      resource_handle: its handle.
      create_op: what makes it.
      name: before the names of what is saved.
    """

    def __init__(self, resource_handle: Any, create_op: Any, name: str):
        self._resource_handle, self._create_op = resource_handle, create_op
        state = raw_ops.BoostedTreesSerializeEnsemble(resource_handle)
        specs = [
            saver.BaseSaverBuilder.SaveSpec(x, "", name + suffix)
            for x, suffix in zip(state, ("_stamp", "_serialized"), strict=True)
        ]
        super().__init__(resource_handle, specs, name)

    def restore(self, restored_tensors: Sequence[Any], unused_restored_shapes: Any) -> Any:
        """Records what replaces the ensemble."""
        with ops.control_dependencies([self._create_op]):
            return raw_ops.BoostedTreesDeserializeEnsemble(self._resource_handle, *restored_tensors)


class TreeEnsemble(tracking.TrackableResource):
    """Trees whose predictions are added.

    Args:
      name: the resource's name.
      stamp_token: the number of its first state.
      is_local: whether it is a worker's own, which is not saved.
      serialized_proto: trees that it begins with, a TreeEnsemble message.
    """

    def __init__(
        self, name: Name, stamp_token: int = 0, is_local: bool = False, serialized_proto: Any = ""
    ):
        super().__init__()
        self._stamp_token, self._serialized_proto = stamp_token, serialized_proto
        self._is_local = is_local
        with ops.name_scope(name, "TreeEnsemble") as name:
            self._name = name
            handle = self.resource_handle
            self._init_op = self._initialize()
            is_initialized = self.is_initialized()
            if not is_local:
                self._saveable = _TreeEnsembleSavable(handle, self._init_op, handle.name)
                ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)
            resources.register_resource(
                handle, self._init_op, is_initialized, is_shared=not is_local
            )

    def _create_resource(self) -> Any:
        return raw_ops.BoostedTreesEnsembleResourceHandleOp(
            container="", shared_name=self._name, name=self._name
        )

    def _initialize(self) -> Any:
        return raw_ops.BoostedTreesCreateEnsemble(
            self.resource_handle, self._stamp_token, tree_ensemble_serialized=self._serialized_proto
        )

    initializer = attribute("_init_op", "What makes the ensemble.")

    def is_initialized(self) -> Tensor:
        """Whether it is made, a bool scalar."""
        return raw_ops.IsBoostedTreesEnsembleInitialized(self.resource_handle)

    def _gather_saveables_for_checkpoint(self) -> Any:
        return None if self._is_local else {"tree_ensemble": self._saveable}

    def get_stamp_token(self) -> Tensor:
        """The number of its state, an int64 scalar."""
        return raw_ops.BoostedTreesGetEnsembleStates(self.resource_handle)[0]

    def get_states(self) -> tuple[Tensor, ...]:
        """(stamp_token, num_trees, num_finalized_trees, num_attempted_layers,
        last_layer_nodes_range): an int64 scalar, three of int32, and an int32 pair."""
        states = raw_ops.BoostedTreesGetEnsembleStates(self.resource_handle)
        names = (
            "stamp_token", "num_trees", "num_finalized_trees", "num_attempted_layers",
            "last_layer_nodes_range",
        )  # fmt: skip
        return tuple(array_ops.identity(x, name=n) for x, n in zip(states, names, strict=True))

    def serialize(self) -> Any:
        """(stamp_token, the ensemble as a TreeEnsemble message): int64 and string scalars."""
        return raw_ops.BoostedTreesSerializeEnsemble(self.resource_handle)

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Any:
        """Records what replaces the ensemble; see `serialize`."""
        return raw_ops.BoostedTreesDeserializeEnsemble(
            self.resource_handle, stamp_token, serialized_proto
        )
