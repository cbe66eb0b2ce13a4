"""What the trees of a forest and their statistics have in common: resources that are saved."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tf1compat.api.training import saver
from tf1compat.api.training.tracking import tracking
from tf1compat.api.variables import resources
from tf1compat.core import context, ops


class SerializedSaveable(saver.BaseSaverBuilder.SaveableObject):
    """Saves a resource as one string.

    Args:
      params: a `ForestHParams`.
      handle: of the resource.
      serialized: the string.
      create_op: what makes the resource.
      name: the name in the checkpoint.
    """

    def __init__(self, params: Any, handle: Any, serialized: Any, create_op: Any, name: str):
        self.params = params
        spec = saver.BaseSaverBuilder.SaveSpec(serialized, "", name)
        super().__init__(handle, [spec], name)
        self._handle, self._create_op = handle, create_op

    def _deserialize(self, serialized: Any) -> Any:
        """Records what reads the resource from a string."""
        raise NotImplementedError

    def restore(self, restored_tensors: Sequence[Any], unused_restored_shapes: Any) -> Any:
        """Records what reads the resource from the tensor that was saved."""
        with ops.control_dependencies([self._create_op]):
            return self._deserialize(restored_tensors[0])


class ForestResource(tracking.TrackableResource):
    """A tree, or its statistics.

    Args:
      params: a `ForestHParams`.
      config: a serialized message to begin with, or "".
      name: the resource's name.
      container: where it is kept.
    """

    _kind: str  # The name in object-based checkpoints.

    def __init__(self, params: Any, config: Any, name: str, container: str | None = None):
        self._params, self._config = params, config
        self._name, self._container = name, container
        self._init_op: Any = None
        super().__init__()
        self._resource_handle = self._create_resource()

    def _shared_name(self) -> str:
        if context.executing_eagerly():
            return f"{self._kind}_{ops.uid()}"
        return self._name

    def _initialize(self) -> Any:
        """Records what makes the resource."""
        raise NotImplementedError

    @property
    def initializer(self) -> Any:
        """What makes the resource; recorded once."""
        if self._init_op is None:
            self._init_op = self._initialize()
        return self._init_op

    def is_initialized(self) -> Any:
        """Whether it is made, a bool scalar."""
        raise NotImplementedError

    def _saveable(self, name: str) -> Any:
        """What saves the resource."""
        raise NotImplementedError

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return {self._kind: functools.partial(self._saveable)}


def registered(resource: ForestResource) -> Any:
    """The handle of a resource, which is initialized with the others, and saved."""
    handle = resource.resource_handle
    create_op = resource.initializer
    is_initialized = resource.is_initialized()
    (saveable,) = resource._gather_saveables_for_checkpoint().values()
    ops.add_to_collection(ops.GraphKeys.SAVEABLE_OBJECTS, saveable(name=handle.name))
    resources.register_resource(handle, create_op, is_initialized)
    return handle
