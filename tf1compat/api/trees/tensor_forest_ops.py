"""Trees of a forest as resources (`tensorflow.python.ops.tensor_forest_ops`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.training import saver
from tf1compat.api.variables import resources
from tf1compat.core import ops, raw_ops
from tf1compat.core.typing import TensorLike


class TreeVariableSaveable(saver.BaseSaverBuilder.SaveableObject):
    """A tree that is initialized with other resources, and saved.

    Args:
      type_name: the name of the scope if `name` is None.
      name: of the tree, and in checkpoints.
      container: where it is kept.
      config: a serialized Tree, or "".
      resource_handle_func, create_op_func, is_initialized_op_func, serialize_op_func,
        deserialize_op_func: record its operations.
    """

    def __init__(
        self, type_name: str, name: str | None, container: str | None, config: TensorLike,
        resource_handle_func: Callable[..., Any], create_op_func: Callable[..., Any],
        is_initialized_op_func: Callable[..., Any], serialize_op_func: Callable[..., Any],
        deserialize_op_func: Callable[..., Any],
    ):  # fmt: skip
        with ops.name_scope(name, type_name) as scope:
            self._resource_handle = resource_handle_func(container, shared_name=scope, name=scope)
        handle = self._resource_handle
        self._is_initialized_op = is_initialized_op_func(handle)
        spec = saver.BaseSaverBuilder.SaveSpec(serialize_op_func(handle), "", scope)
        self._create_op = create_op_func(handle, config)
        self._deserialize_op_func = deserialize_op_func
        super().__init__(handle, [spec], scope)
        ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, self)
        resources.register_resource(handle, self._create_op, self._is_initialized_op)

    def restore(self, restored_tensors: Sequence[Any], unused_restored_shapes: Any) -> Any:
        """Records what reads the tree from the tensor that was saved."""
        with ops.control_dependencies([self._create_op]):
            return self._deserialize_op_func(self._resource_handle, restored_tensors[0])

    @property
    def resource(self) -> Any:
        """The handle."""
        return self._resource_handle


def tree_variable(tree_config: TensorLike, name: str, container: str | None = None) -> Any:
    """A tree.

    Args:
      tree_config: a serialized Tree of boosted_trees.proto, or "".
      name: of the tree.
      container: where it is kept.

    Returns:
      Its handle.
    """
    return TreeVariableSaveable(
        "TreeVariable", name, container, tree_config, raw_ops.TensorForestTreeResourceHandleOp,
        raw_ops.TensorForestCreateTreeVariable, raw_ops.TensorForestTreeIsInitializedOp,
        raw_ops.TensorForestTreeSerialize, raw_ops.TensorForestTreeDeserialize,
    ).resource  # fmt: skip


class ForestVariables:
    """All trees of a forest.

    Args:
      params: has `n_trees`.
      tree_configs: what each begins with; nothing by default.
    """

    def __init__(self, params: Any, tree_configs: Sequence[TensorLike] | None = None):
        self._variables = [
            tree_variable("" if tree_configs is None else tree_configs[i], f"tree-{i}")
            for i in range(params.n_trees)
        ]

    def __getitem__(self, t: int) -> Any:
        """The handle of a tree."""
        return self._variables[t]
