"""Quantiles of features as resources
(`tensorflow.contrib.boosted_trees.python.ops.quantile_ops`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tf1compat.api.contrib.boosted_trees import batch_ops_utils
from tf1compat.api.training import saver
from tf1compat.api.training.tracking import tracking
from tf1compat.api.variables import resources
from tf1compat.core import ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor


class QuantileAccumulatorSaveable(saver.BaseSaverBuilder.SaveableObject):
    """Saves a stream and the boundaries of buckets.

    Args:
      resource_handle: of the stream.
      create_op: what makes it.
      name: before the names of what is saved.
    """

    def __init__(self, resource_handle: Any, create_op: Any, name: str):
        self._resource_handle, self._create_op = resource_handle, create_op
        serialized = raw_ops.QuantileAccumulatorSerialize(resource_handle)
        suffixes = ("_stamp", "_state", "_are_buckets_ready", "buckets")
        specs = [
            saver.BaseSaverBuilder.SaveSpec(tensor, "", name + suffix)
            for tensor, suffix in zip(serialized, suffixes)
        ]
        super().__init__(resource_handle, specs, name)

    def restore(self, restored_tensors: Sequence[Any], unused_restored_shapes: Any) -> Any:
        """Records what sets the stream and the boundaries from the tensors that were saved."""
        stamp, state, ready, buckets = restored_tensors
        with ops.control_dependencies([self._create_op]):
            return raw_ops.QuantileAccumulatorDeserialize(
                self._resource_handle, [stamp], [state], [ready], buckets
            )


class QuantileAccumulator(tracking.TrackableResource):
    """A stream of numbers, of which quantiles are found at the end of each round.

    Args:
      init_stamp_token: the first round's stamp.
      epsilon: how far a quantile's rank may be from the right one.
      num_quantiles: into how many buckets numbers are put.
      max_elements: how many numbers may come.
      name: the resource's name; what is no letter or number is left out.
      container: where it is kept.
      generate_quantiles: make just as many quantiles, in place of about so many boundaries.
    """

    initializer: Any = attribute("_init_op", "What makes the resource.")

    def __init__(
        self,
        init_stamp_token: Any,
        epsilon: float,
        num_quantiles: int,
        max_elements: int | None = None,
        name: str | None = None,
        container: str | None = None,
        generate_quantiles: bool = False,
    ):
        self._init_stamp_token, self._epsilon = init_stamp_token, epsilon
        self._num_quantiles, self._max_elements = num_quantiles, max_elements
        self._container, self._generate_quantiles = container, generate_quantiles
        super().__init__()
        name = re.sub(r"[\W_]+", "", name)  # type: ignore[arg-type]  # No name is TF's TypeError.
        with ops.name_scope(name, "QuantileAccumulator") as name:
            self._name = name
            self._resource_handle = self._create_resource()
            self._init_op = self._initialize()
            is_initialized = self.is_initialized()
        handle = self.resource_handle
        resources.register_resource(handle, self._init_op, is_initialized)
        self._saveable = QuantileAccumulatorSaveable(handle, self._init_op, name)
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def _create_resource(self) -> Any:
        return raw_ops.QuantileStreamResourceHandleOp(
            container=self._container, shared_name=self._name, name=self._name
        )

    def _initialize(self) -> Any:
        return raw_ops.CreateQuantileAccumulator(
            self.resource_handle, self._init_stamp_token, epsilon=self._epsilon,
            max_elements=self._max_elements, num_quantiles=self._num_quantiles,
            generate_quantiles=self._generate_quantiles,
        )  # fmt: skip

    def is_initialized(self) -> Any:
        """Whether it is made, a bool scalar."""
        return raw_ops.QuantileAccumulatorIsInitialized(self.resource_handle)

    def _gather_saveables_for_checkpoint(self) -> Any:
        return {"quantile_accumulator", self.saveable}  # type: ignore  # TF has no `saveable` either.

    def get_buckets(self, stamp_token: Any) -> tuple[Any, Any]:
        """The boundaries that the last flush made.

        Args:
          stamp_token: the round.

        Returns:
          (whether there are any for this round, a bool; a float32 vector).
        """
        ready, buckets = raw_ops.QuantileAccumulatorGetBuckets(
            quantile_accumulator_handles=[self.resource_handle], stamp_token=stamp_token
        )
        return ready[0], buckets[0]

    def schedule_get_buckets(self) -> batch_ops_utils.ScheduledStampedResourceOp:
        """`get_buckets`, to be recorded with others (`run_handler_scheduled_ops`)."""
        return batch_ops_utils.ScheduledStampedResourceOp(
            self.resource_handle, raw_ops.QuantileAccumulatorGetBuckets
        )

    def _make_summary(self, column: Any, example_weights: Any) -> Any:
        is_sparse = isinstance(column, SparseTensor)
        dense, sparse = raw_ops.MakeQuantileSummaries(
            dense_float_features=[] if is_sparse else [column],
            sparse_float_feature_indices=[column.indices] if is_sparse else [],
            sparse_float_feature_values=[column.values] if is_sparse else [],
            sparse_float_feature_shapes=[column.dense_shape] if is_sparse else [],
            example_weights=example_weights,
            epsilon=self._epsilon / 2,
        )
        return (sparse if is_sparse else dense)[0]

    def add_summary(self, stamp_token: Any, column: Any, example_weights: Any) -> Any:
        """Records what adds the numbers of a batch.

        Args:
          stamp_token: the round.
          column: [batch, 1] float32, or a SparseTensor of that shape.
          example_weights: [batch, 1] float32.

        Returns:
          The operation.
        """
        return self.add_prebuilt_summary(stamp_token, self._make_summary(column, example_weights))

    def add_prebuilt_summary(self, stamp_token: Any, summary: Any) -> Any:
        """Records what adds a summary.

        Args:
          stamp_token: the round.
          summary: a serialized QuantileSummaryState.

        Returns:
          The operation.
        """
        return raw_ops.QuantileAccumulatorAddSummaries(
            quantile_accumulator_handles=[self.resource_handle],
            stamp_token=stamp_token,
            summaries=[summary],
        )

    def schedule_add_summary(
        self, stamp_token: Any, column: Any, example_weights: Any
    ) -> batch_ops_utils.ScheduledStampedResourceOp:
        """`add_summary`, to be recorded with others; the stamp is given there."""
        return batch_ops_utils.ScheduledStampedResourceOp(
            self.resource_handle,
            raw_ops.QuantileAccumulatorAddSummaries,
            summaries=self._make_summary(column, example_weights),
        )

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """Records what makes the boundaries of a round and begins the next.

        Returns:
          The operation.
        """
        return raw_ops.QuantileAccumulatorFlush(
            quantile_accumulator_handle=self.resource_handle,
            stamp_token=stamp_token,
            next_stamp_token=next_stamp_token,
        )

    def flush_summary(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """Records what ends a round and begins the next; boundaries stay what they are.

        Returns:
          The round's summary, a serialized QuantileSummaryState.
        """
        return raw_ops.QuantileAccumulatorFlushSummary(
            quantile_accumulator_handle=self.resource_handle,
            stamp_token=stamp_token,
            next_stamp_token=next_stamp_token,
        )
