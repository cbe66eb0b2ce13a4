"""Resources and files that belong to Python objects."""

from __future__ import annotations

import contextlib
from typing import Any

from tf1compat.api.training.tracking import base, data_structures
from tf1compat.core import dtypes, ops
from tf1compat.core.typing import DTypeLike, Name


class NotTrackable:
    """Base of objects that checkpoints can't hold."""


class AutoTrackable(base.Trackable):
    """An object that depends on what is made an attribute of it."""

    def __setattr__(self, name: str, value: Any) -> None:
        if self._self_setattr_tracking:
            value = tracked_attribute(self, name, value)
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        delete_tracking(self, name)
        super().__delattr__(name)

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        from tf1compat.api.functions import function  # which needs this module

        found = {}
        for name in dir(self):
            # A property may raise anything.
            with contextlib.suppress(Exception):
                found[name] = getattr(self, name)
        return {name: value for name, value in found.items() if function.is_saved_function(value)}


def tracked_attribute(owner: Any, name: str, value: Any) -> Any:
    """Makes an attribute's new value a dependency of its object if it can be one; returns what
    becomes the attribute."""
    if isinstance(value, base.NoDependency):
        return value.value
    if type(value) in (list, dict):
        value = data_structures.wrap(value)
    if isinstance(value, base.Trackable):
        owner._track_trackable(value, name=name, overwrite=True)
    return value


def delete_tracking(obj: Any, name: str) -> None:
    """Forgets a dependency."""
    (obj._self_dependencies or {}).pop(name, None)


class CapturableResource(base.Trackable):
    """An object with a resource of the session, a table for example, which a handle leads to.

    Args:
      device: where the handle's operation is placed.
    """

    def __init__(self, device: str = ""):
        self._resource_handle: Any = None
        self._resource_device = device

    def _create_resource(self) -> Any:
        """Records the operation that makes the resource; returns its handle."""
        raise NotImplementedError("TrackableResource._create_resource not implemented.")

    def _initialize(self) -> Any:
        """Records the operation that fills the resource."""

    @property
    def resource_handle(self) -> Any:
        """The handle."""
        if self._resource_handle is None:
            with ops.device(self._resource_device):
                self._resource_handle = self._create_resource()
        return self._resource_handle

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        from tf1compat.api.functions import function  # which needs this module

        @function.function(input_signature=[], autograph=False)
        def _creator() -> Any:
            return self._create_resource()

        @function.function(input_signature=[], autograph=False)
        def _initializer() -> Any:
            self._initialize()
            return 1

        # A resource goes with its session here.
        @function.function(input_signature=[], autograph=False)
        def _destroyer() -> Any:
            return 1

        return {
            "_create_resource": _creator,
            "_initialize": _initializer,
            "_destroy_resource": _destroyer,
        }


class TrackableResource(CapturableResource):
    """A resource that is found by its object; TF also lists those made in a scope."""


class TrackableAsset(base.Trackable):
    """A file that a program needs.

    Args:
      path: a string or a scalar string tensor.
    """

    def __init__(self, path: Any):
        with ops.init_scope(), ops.device("CPU"):
            self._path = ops.convert_to_tensor(path, dtype=dtypes.string, name="asset_path")

    @property
    def asset_path(self) -> Any:
        """The path, a scalar string tensor."""
        return self._path


def _convert(
    asset: TrackableAsset, dtype: DTypeLike | None = None, name: Name = None, as_ref: bool = False
):
    return ops.convert_to_tensor(asset.asset_path, dtype, name)


ops.register_tensor_conversion_function(TrackableAsset, _convert)
