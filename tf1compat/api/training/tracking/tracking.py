"""Resources and files that belong to Python objects."""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from tf1compat.api.training.tracking import base, data_structures
from tf1compat.core import context, dtypes, ops
from tf1compat.core.typing import DTypeLike, Name

T = TypeVar("T")


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


def tracked_attribute(trackable: Any, name: str, value: Any) -> Any:
    """Makes an attribute's new value a dependency of its object if it can be one; returns what
    becomes the attribute."""
    if isinstance(value, base.NoDependency):
        return value.value
    if type(value) in data_structures.WRAPPED:
        value = data_structures.wrap(value)
    if isinstance(value, base.Trackable):
        trackable._track_trackable(value, name=name, overwrite=True)
    return value


def delete_tracking(obj: Any, name: str) -> None:
    """Forgets a dependency."""
    (obj._self_dependencies or {}).pop(name, None)


class ResourceTracker:
    """Collects the resources that are made in blocks of `resource_tracker_scope`."""

    def __init__(self) -> None:
        self._resources: list[TrackableResource] = []

    @property
    def resources(self) -> list[TrackableResource]:
        """The resources, in the order they were made."""
        return self._resources

    def add_resource(self, resource: TrackableResource) -> None:
        """Adds one."""
        self._resources.append(resource)


# Those whose blocks are open, the outermost first.
_trackers: list[ResourceTracker] = []


@contextlib.contextmanager
def resource_tracker_scope(resource_tracker: ResourceTracker) -> Iterator[None]:
    """Adds each `TrackableResource` that is made in a block to a tracker.

    Args:
      resource_tracker: the tracker.

    Yields:
      Nothing, once, for the block.
    """
    global _trackers
    before = _trackers
    _trackers = [*before, resource_tracker]
    try:
        yield
    finally:
        _trackers = before


class CapturableResourceDeleter:
    """Destroys a resource when it is dropped itself, in the graph (or eagerly) as it was made.

    Args:
      destroy_resource_fn: destroys it; None if it is not to be destroyed.
    """

    def __init__(self, destroy_resource_fn: Callable[[], Any] | None = None):
        self._destroy_resource = destroy_resource_fn
        if destroy_resource_fn is not None:
            self._where: Callable[[], Any] = ops.get_default_graph().as_default
            if context.executing_eagerly():
                self._where = functools.partial(context.mode, True)

    def destroy_resource(self) -> Any:
        """Destroys it now."""
        return self._destroy_resource() if self._destroy_resource is not None else None

    def __del__(self) -> None:
        if self._destroy_resource is not None:
            with self._where():
                self._destroy_resource()


def cached_per_instance(f: Callable[[Any], T]) -> Callable[[Any], T]:
    """A function of an object whose result is kept for as long as there is the object.

    Args:
      f: the function.

    Returns:
      A function with the results as its attribute `cache`.
    """
    cache: weakref.WeakKeyDictionary[Any, T] = weakref.WeakKeyDictionary()

    @functools.wraps(f)
    def cached(item: Any) -> T:
        result = cache.get(item)
        if result is None:
            result = cache[item] = f(item)
        return result

    cached.cache = cache  # pyright: ignore[reportAttributeAccessIssue]
    return cached


class CapturableResource(base.Trackable):
    """An object with a resource of the session, a table for example, which a handle leads to.

    Args:
      device: where the handle's operation is placed.
      deleter: destroys it once the object is gone; by default it goes with its session.
    """

    def __init__(self, device: str = "", deleter: CapturableResourceDeleter | None = None):
        self._resource_handle: Any = None
        self._resource_device = device
        self._resource_deleter = deleter or CapturableResourceDeleter()

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

        @function.function(input_signature=[], autograph=False)
        def _destroyer() -> Any:
            self._resource_deleter.destroy_resource()
            return 1

        return {
            "_create_resource": _creator,
            "_initialize": _initializer,
            "_destroy_resource": _destroyer,
        }


class TrackableResource(CapturableResource):
    """A resource that is found by its object, and by the trackers in whose blocks it is made.

    Args:
      device, deleter: as of a `CapturableResource`.
    """

    def __init__(self, device: str = "", deleter: CapturableResourceDeleter | None = None):
        for tracker in _trackers:
            tracker.add_resource(self)
        super().__init__(device, deleter)


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
