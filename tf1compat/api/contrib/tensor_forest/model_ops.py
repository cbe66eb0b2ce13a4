"""The trees of a forest as resources (`tensorflow.contrib.tensor_forest.python.ops.model_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.tensor_forest import forest_resources
from tf1compat.core import ops, raw_ops

feature_usage_counts = raw_ops.FeatureUsageCounts
traverse_tree_v4 = raw_ops.TraverseTreeV4
tree_predictions_v4 = raw_ops.TreePredictionsV4
tree_size = raw_ops.TreeSize
update_model_v4 = raw_ops.UpdateModelV4


class TreeVariableSavable(forest_resources.SerializedSaveable):
    """Saves a tree.

    Args:
      params: a `ForestHParams`.
      tree_handle, stats_handle: of the tree and its statistics.
      create_op: what makes the tree.
      name: the name in the checkpoint.
    """

    def __init__(self, params: Any, tree_handle: Any, stats_handle: Any, create_op: Any, name: str):
        self._stats_handle = stats_handle
        super().__init__(params, tree_handle, raw_ops.TreeSerialize(tree_handle), create_op, name)

    def _deserialize(self, serialized: Any) -> Any:
        params = self.params.serialized_params_proto
        return raw_ops.TreeDeserialize(self._handle, serialized, params=params)


class TreeVariable(forest_resources.ForestResource):
    """A tree.

    Args: see `tree_variable`.
    """

    _kind = "tree_variable"

    def __init__(
        self,
        params: Any,
        tree_config: Any,
        stats_handle: Any,
        name: str,
        container: str | None = None,
    ):
        self._stats_handle = stats_handle
        super().__init__(params, tree_config, name, container)

    def _create_resource(self) -> Any:
        return raw_ops.DecisionTreeResourceHandleOp(
            self._container, shared_name=self._shared_name(), name=self._name
        )

    def _initialize(self) -> Any:
        params = self._params.serialized_params_proto
        return raw_ops.CreateTreeVariable(self.resource_handle, self._config, params=params)

    def is_initialized(self) -> Any:
        """Whether the tree is made, a bool scalar."""
        return raw_ops.TreeIsInitializedOp(self.resource_handle)

    def _saveable(self, name: str) -> Any:
        return TreeVariableSavable(
            self._params, self.resource_handle, self._stats_handle, self._init_op, name
        )


def tree_variable(
    params: Any, tree_config: Any, stats_handle: Any, name: str, container: str | None = None
) -> Any:
    """Makes a tree that is initialized and saved with the other resources.

    Args:
      params: a `ForestHParams` whose `serialized_params_proto` is set.
      tree_config: a serialized tree to begin with, a string scalar; "" for a leaf.
      stats_handle: the handle of its statistics, or None.
      name: its name.
      container: where it is kept.

    Returns:
      Its handle.
    """
    with ops.name_scope(name, "TreeVariable") as name:
        tree = TreeVariable(params, tree_config, stats_handle, name, container)
        return forest_resources.registered(tree)
