"""Sums of gradients and hessians as resources
(`tensorflow.contrib.boosted_trees.python.ops.stats_accumulator_ops`)."""

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
from tf1compat.core.typing import Name


class StatsAccumulatorSaveable(saver.BaseSaverBuilder.SaveableObject):
    """Saves sums.

    Args:
      resource_handle: of the sums.
      create_op: what makes them.
      is_scalar: whether a gradient and a hessian are scalars.
      name: the name of the saveable.
    """

    def __init__(self, resource_handle: Any, create_op: Any, is_scalar: bool, name: str):
        self._create_op, self._resource_handle = create_op, resource_handle
        self._is_scalar = is_scalar
        suffixes = "_stamp _num_updates _partition_ids _feature_ids _gradients hessians".split()
        specs = [
            saver.BaseSaverBuilder.SaveSpec(tensor, "", resource_handle.name + suffix)
            for tensor, suffix in zip(self.serialize(), suffixes)
        ]
        super().__init__(resource_handle, specs, name)

    def serialize(self) -> Any:
        """(stamp, number of updates, partition ids, feature ids, gradients, hessians)."""
        kind = "Scalar" if self._is_scalar else "Tensor"
        return getattr(raw_ops, f"StatsAccumulator{kind}Serialize")(self._resource_handle)

    def deserialize(
        self,
        stamp_token: Any,
        num_updates: Any,
        partition_ids: Any,
        feature_ids: Any,
        gradients: Any,
        hessians: Any,
    ) -> Any:
        """Records what sets the sums.

        Args: as `serialize` gives them.
        """
        kind = "Scalar" if self._is_scalar else "Tensor"
        return getattr(raw_ops, f"StatsAccumulator{kind}Deserialize")(
            self._resource_handle, stamp_token, num_updates, partition_ids, feature_ids,
            gradients, hessians,
        )  # fmt: skip

    def restore(self, restored_tensors: Sequence[Any], unused_restored_shapes: Any) -> Any:
        """Records what sets the sums from the tensors that were saved."""
        with ops.control_dependencies([self._create_op]):
            return self.deserialize(*restored_tensors[:6])


class StatsAccumulator(tracking.TrackableResource):
    """Sums of gradients and hessians, by the part of a tree and the feature they belong to.

    They belong to a round: what is added with the stamp of another one is dropped.

    Args:
      stamp_token: int64, the first round's stamp.
      gradient_shape: the TensorShape of a gradient.
      hessian_shape: the TensorShape of a hessian.
      name: the resource's name; what is no letter or number is left out.
      container: where it is kept.
    """

    initializer: Any = attribute("_init_op", "What makes the resource.")
    saveable: StatsAccumulatorSaveable = attribute("_saveable", "What saves the sums.")

    def __init__(
        self,
        stamp_token: Any,
        gradient_shape: Any,
        hessian_shape: Any,
        name: Name = None,
        container: str | None = None,
    ):
        self._stamp_token, self._container = stamp_token, container
        self._gradient_shape, self._hessian_shape = gradient_shape, hessian_shape
        self._is_scalar = gradient_shape.rank == 0 and hessian_shape.rank == 0
        if name is not None:
            name = re.sub(r"[\W_]+", "", name)
        with ops.name_scope(name, "StatsAccumulator") as name:
            self._name = name
            self._resource_handle = self._create_resource()
            self._init_op = self._initialize()
            is_initialized = self.is_initialized()
        handle = self.resource_handle
        resources.register_resource(handle, self._init_op, is_initialized)
        self._saveable = StatsAccumulatorSaveable(handle, self._init_op, self._is_scalar, name)
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def _op(self, name: str) -> Any:
        """The function that records an op type of this kind."""
        return getattr(raw_ops, name.format("Scalar" if self._is_scalar else "Tensor"))

    def _create_resource(self) -> Any:
        make = self._op("StatsAccumulator{}ResourceHandleOp")
        return make(self._container, self._name, name=self._name)

    def _initialize(self) -> Any:
        shapes = [self._gradient_shape.as_list(), self._hessian_shape.as_list()]
        return self._op("CreateStatsAccumulator{}")(
            self.resource_handle, self._stamp_token, *([] if self._is_scalar else shapes)
        )

    def is_initialized(self) -> Any:
        """Whether it is made, a bool scalar."""
        return self._op("StatsAccumulator{}IsInitialized")(self.resource_handle)

    def _gather_saveables_for_checkpoint(self) -> Any:
        return {"stats_accumulator", self.saveable}  # TF's too is a set: it cannot be saved so.

    def _make_summary(
        self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> Any:
        return self._op("StatsAccumulator{}MakeSummary")(
            partition_ids, feature_ids, gradients, hessians
        )

    def add(
        self,
        stamp_token: Any,
        partition_ids: Any,
        feature_ids: Any,
        gradients: Any,
        hessians: Any,
    ) -> Any:
        """Records what adds to the sums.

        Args:
          stamp_token: the round.
          partition_ids: [n] int32, parts of a tree.
          feature_ids: [n, 2] int64, a feature and its dimension.
          gradients: [n, …] float32.
          hessians: [n, …] float32.

        Returns:
          The operation.
        """
        summary = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        return self._op("StatsAccumulator{}Add")(
            [self.resource_handle], stamp_token, *([part] for part in summary)
        )

    def schedule_add(
        self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> batch_ops_utils.ScheduledStampedResourceOp:
        """What adds to the sums, to be recorded with others (`run_handler_scheduled_ops`).

        Args: as `add` takes them.
        """
        summary = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        names = ("partition_ids", "feature_ids", "gradients", "hessians")
        return batch_ops_utils.ScheduledStampedResourceOp(
            self.resource_handle, self._op("StatsAccumulator{}Add"), **dict(zip(names, summary))
        )

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """Records what ends a round and begins the next.

        Returns:
          (number of updates, partition ids, feature ids, gradients, hessians).
        """
        return self._op("StatsAccumulator{}Flush")(
            self.resource_handle, stamp_token, next_stamp_token
        )
