"""Trees' statistics as resources (`tensorflow.contrib.tensor_forest.python.ops.stats_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.tensor_forest import forest_resources
from tf1compat.core import ops, raw_ops

finalize_tree = raw_ops.FinalizeTree
grow_tree_v4 = raw_ops.GrowTreeV4
process_input_v4 = raw_ops.ProcessInputV4


class FertileStatsVariableSavable(forest_resources.SerializedSaveable):
    """Saves statistics.

    Args:
      params: a `ForestHParams`.
      stats_handle: of the statistics.
      create_op: what makes them.
      name: the name in the checkpoint.
    """

    def __init__(self, params: Any, stats_handle: Any, create_op: Any, name: str):
        serialized = raw_ops.FertileStatsSerialize(
            stats_handle, params=params.serialized_params_proto
        )
        super().__init__(params, stats_handle, serialized, create_op, name)

    def _deserialize(self, serialized: Any) -> Any:
        params = self.params.serialized_params_proto
        return raw_ops.FertileStatsDeserialize(self._handle, serialized, params=params)


class FertileStatsVariable(forest_resources.ForestResource):
    """The statistics of a tree's leaves.

    Args: see `fertile_stats_variable`.
    """

    _kind = "fertile_stats_variable"

    def __init__(self, params: Any, stats_config: Any, name: str, container: str | None = None):
        super().__init__(params, stats_config, name, container)

    def _create_resource(self) -> Any:
        return raw_ops.FertileStatsResourceHandleOp(
            self._container, shared_name=self._shared_name(), name=self._name
        )

    def _initialize(self) -> Any:
        params = self._params.serialized_params_proto
        return raw_ops.CreateFertileStatsVariable(self.resource_handle, self._config, params=params)

    def is_initialized(self) -> Any:
        """Whether they are made, a bool scalar."""
        return raw_ops.FertileStatsIsInitializedOp(self.resource_handle)

    def _saveable(self, name: str) -> Any:
        return FertileStatsVariableSavable(
            self._params, self.resource_handle, self.initializer, name
        )


def fertile_stats_variable(
    params: Any, stats_config: Any, name: str, container: str | None = None
) -> Any:
    """Makes statistics that are initialized and saved with the other resources.

    Args:
      params: a `ForestHParams` whose `serialized_params_proto` is set.
      stats_config: serialized ones to begin with, a string scalar; "" for none.
      name: their name.
      container: where they are kept.

    Returns:
      Their handle.
    """
    with ops.name_scope(name, "FertileStatsVariable") as name:
        stats = FertileStatsVariable(params, stats_config, name, container)
        return forest_resources.registered(stats)
