"""`tensorflow.python.training.tracking.base`: objects that keep track of the objects and variables
they depend on, so that checkpoints can hold them by the way that leads to them."""

from __future__ import annotations

import collections
import contextlib
import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.saving import saveable_object
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.typing import DTypeLike

OBJECT_GRAPH_PROTO_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
VARIABLE_VALUE_KEY = "VARIABLE_VALUE"
OBJECT_CONFIG_JSON_KEY = "OBJECT_CONFIG_JSON"


class TrackableReference(NamedTuple):
    """An object that another one depends on, and its name there."""

    name: str
    ref: Any


class IdentityDict:
    """A dict whose keys are objects, whatever they say to `==`."""

    def __init__(self) -> None:
        self._items: dict[int, tuple[Any, Any]] = {}

    def __contains__(self, key: Any) -> bool:
        return id(key) in self._items

    def __getitem__(self, key: Any) -> Any:
        return self._items[id(key)][1]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._items[id(key)] = (key, value)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of an object."""
        return self._items.get(id(key), (key, default))[1]

    def setdefault(self, key: Any, default: Any) -> Any:
        """The value of an object, `default` if it has none."""
        return self._items.setdefault(id(key), (key, default))[1]

    def items(self) -> Iterator[tuple[Any, Any]]:
        """(object, value) pairs."""
        return iter(self._items.values())


class NoRestoreSaveable(saveable_object.SaveableObject):
    """What is saved and never restored.

    Args:
      tensor: the value, or a function that records it.
      name: its name in a checkpoint.
      dtype, device: those of the tensor; needed where `tensor` is a function.
    """

    def __init__(self, tensor: Any, name: str, dtype: DTypeLike | None = None, device: Any = None):
        spec = saveable_object.SaveSpec(tensor, "", name, dtype=dtype, device=device)
        super().__init__(tensor, [spec], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        return raw_ops.NoOp()


class PythonStateSaveable(saveable_object.SaveableObject):
    """State that lives in Python, not in a variable."""

    def feed_dict_additions(self) -> dict[Any, Any]:
        """What is fed when a checkpoint is saved."""
        raise NotImplementedError

    def freeze(self) -> Any:
        """The state of now, as something to be saved."""
        raise NotImplementedError

    def python_restore(self, restored_strings: Any) -> None:
        """Takes restored state."""
        raise NotImplementedError


class PythonStringStateSaveable(PythonStateSaveable):
    """Python state as a string.

    Args:
      name: its name in a checkpoint.
      state_callback: a function that gives it.
      restore_callback: a function that takes it; None if it is never restored.
    """

    def __init__(
        self,
        name: str,
        state_callback: Callable[[], Any],
        restore_callback: Callable[[Any], Any] | None = None,
    ):
        self._state_callback = state_callback
        self._restore_callback = restore_callback
        with ops.device("/cpu:0"):
            self._save_string = ops.convert_to_tensor("", dtype=dtypes.string, name="Const")
        spec = saveable_object.SaveSpec(self._save_string, "", name, dtype=dtypes.string)
        super().__init__(self._save_string, [spec], name)

    def _state(self) -> Any:
        with ops.init_scope():
            return self._state_callback()

    @property
    def optional_restore(self) -> bool:
        return self._restore_callback is None

    def feed_dict_additions(self) -> dict[Any, Any]:
        return {self._save_string: self._state()}

    def freeze(self) -> Any:
        return NoRestoreSaveable(
            lambda: ops.convert_to_tensor(self._state(), dtype=dtypes.string, name="Const"),
            self.name,
            dtype=dtypes.string,
            device="cpu:0",
        )

    def python_restore(self, restored_strings: Any) -> None:
        if self._restore_callback:
            (restored,) = restored_strings
            self._restore_callback(restored)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        return raw_ops.NoOp()


class SlotVariableRestoration(NamedTuple):
    """A slot of an optimizer that waits for the optimizer or for its variable."""

    optimizer_id: int
    slot_variable_id: int
    slot_name: str


class DeferredSlotVariableRestoration(NamedTuple):
    """A slot whose variable is there already."""

    original_variable: Any
    slot_variable_id: int
    slot_name: str


class CheckpointPosition:
    """An object of a checkpoint that is being restored.

    Args:
      checkpoint: the restoration.
      proto_id: the object's number.
    """

    def __init__(self, checkpoint: Any, proto_id: int):
        self._checkpoint = checkpoint
        self._proto_id = proto_id

    checkpoint = attribute("_checkpoint", "The restoration.")
    restore_uid: int = attribute(
        "_checkpoint.restore_uid", "The number of the restoration: later ones have greater numbers."
    )

    @property
    def trackable(self) -> Any:
        """The object that takes its values."""
        return self._checkpoint.object_by_proto_id[self._proto_id]

    @property
    def object_proto(self) -> Any:
        """What the checkpoint says of it."""
        return self._checkpoint.object_graph_proto.nodes[self._proto_id]

    def restore(self, trackable: Any) -> None:
        """Gives the values of this object, and of those it depends on, to one."""
        with ops.init_scope():
            if self.bind_object(trackable):
                restore_ops = trackable._restore_from_checkpoint_position(self)
                if restore_ops:
                    self._checkpoint.new_restore_ops(restore_ops)

    def bind_object(self, trackable: Any) -> bool:
        """Says which object takes the values; returns whether it is the first to."""
        checkpoint = self._checkpoint
        checkpoint.all_python_objects.setdefault(trackable, None)
        checkpoint.matched_proto_ids.add(self._proto_id)
        current = checkpoint.object_by_proto_id.get(self._proto_id)
        if current is not None:
            if current is not trackable:
                logging.warning(
                    "Inconsistent references when loading the checkpoint into this object graph. "
                    "Either the Trackable object references in the Python program have changed in "
                    "an incompatible way, or the checkpoint was generated in an incompatible "
                    "program.\n\nTwo checkpoint references resolved to different objects (%s and "
                    "%s).",
                    current,
                    trackable,
                )
            return False
        checkpoint.object_by_proto_id[self._proto_id] = trackable
        for waiting in checkpoint.deferred_slot_restorations.pop(self._proto_id, ()):
            trackable._create_or_restore_slot_variable(
                slot_variable_position=CheckpointPosition(checkpoint, waiting.slot_variable_id),
                variable=waiting.original_variable,
                slot_name=waiting.slot_name,
            )
        for slot in checkpoint.slot_restorations.pop(self._proto_id, ()):
            optimizer = checkpoint.object_by_proto_id.get(slot.optimizer_id)
            if optimizer is None:
                checkpoint.deferred_slot_restorations.setdefault(slot.optimizer_id, []).append(
                    DeferredSlotVariableRestoration(
                        trackable, slot.slot_variable_id, slot.slot_name
                    )
                )
            else:
                optimizer._create_or_restore_slot_variable(
                    slot_variable_position=CheckpointPosition(checkpoint, slot.slot_variable_id),
                    variable=trackable,
                    slot_name=slot.slot_name,
                )
        return True

    def is_simple_variable(self) -> bool:
        """Whether the object is a variable without dependencies."""
        attributes = self.object_proto.attributes
        is_variable = len(attributes) == 1 and attributes[0].name == VARIABLE_VALUE_KEY
        return is_variable and not self.object_proto.children

    def gather_ops_or_named_saveables(self) -> tuple[list[Any], dict[str, Any], list[Any]]:
        """How the object's values are restored.

        Returns:
          Operations that are recorded already, further `SaveableObject`s by name, and those whose
          state is in Python.
        """
        checkpoint = self._checkpoint
        factories = self.trackable._gather_saveables_for_checkpoint()
        cache = checkpoint.graph_view.saveables_cache
        existing: list[Any] = []
        named: dict[str, Any] = {}
        in_python: list[Any] = []
        for saved in self.object_proto.attributes:
            key = saved.checkpoint_key
            known = None if ops.executing_eagerly() else checkpoint.restore_ops_by_name.get(key)
            if known is not None:
                existing.append(known)
                continue
            saveable = None
            if cache is not None:
                cached = cache.get(self.trackable, {}).get(saved.name, (None,))
                saveable = cached[0] if len(cached) == 1 else None
                if saveable is not None and key not in saveable.name:
                    cache[self.trackable] = {}
                    break
            if saveable is None:
                factory = factories.get(saved.name)
                if factory is None:
                    if not is_optional(saved):
                        unused = checkpoint.unused_attributes.setdefault(self._proto_id, [])
                        unused.append(saved.name)
                    continue
                saveable = factory(name=key) if callable(factory) else factory
                if cache is not None:
                    cache.setdefault(self.trackable, {})[saved.name] = [saveable]
            if isinstance(saveable, PythonStateSaveable):
                in_python.append(saveable)
            else:
                named[key] = saveable
        return existing, named, in_python

    def restore_ops(self) -> list[Any]:
        """The operations that restore this object alone."""
        restore_ops, named, in_python = self.gather_ops_or_named_saveables()
        return restore_ops + self._checkpoint.restore_saveables(named, in_python)

    def __repr__(self) -> str:
        return repr(self.object_proto)


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: what a method makes attributes of its object is no dependency."""

    @functools.wraps(method)
    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        with no_automatic_dependency_tracking_scope(self):
            return method(self, *args, **kwargs)

    return call


@contextlib.contextmanager
def no_automatic_dependency_tracking_scope(obj: Any) -> Iterator[None]:
    """While a `with` block runs, attributes of an object are no dependencies."""
    previous = getattr(obj, "_self_setattr_tracking", True)
    object.__setattr__(obj, "_self_setattr_tracking", False)
    try:
        yield
    finally:
        object.__setattr__(obj, "_self_setattr_tracking", previous)


class NoDependency:
    """Wraps what is to be an attribute and no dependency."""

    def __init__(self, value: Any):
        self.value = value


def is_optional(attribute: Any) -> bool:
    """Whether an attribute of an object in a checkpoint needn't be restored."""
    from google.protobuf.unknown_fields import UnknownFieldSet

    return any(field.field_number == 4 and field.data for field in UnknownFieldSet(attribute))


class Trackable:
    """Base of objects that checkpoints can hold: it knows the objects it depends on by name."""

    _self_setattr_tracking = True
    # The tables are made at the first use: most objects never need them.
    _self_dependencies: dict[str, Any] | None = None
    _self_deferred: dict[str, list[CheckpointPosition]] | None = None
    _self_name_based_restores: Any = ()
    _self_update_uid = -1

    @property
    def _setattr_tracking(self) -> bool:
        """Whether what is set as an attribute becomes a dependency."""
        return self._self_setattr_tracking

    @_setattr_tracking.setter
    def _setattr_tracking(self, value: bool) -> None:
        object.__setattr__(self, "_self_setattr_tracking", value)

    @property
    def _update_uid(self) -> int:
        """The number of the last restoration that gave the object values."""
        return self._self_update_uid

    @_update_uid.setter
    def _update_uid(self, value: int) -> None:
        object.__setattr__(self, "_self_update_uid", value)

    def _maybe_initialize_trackable(self) -> None:
        if self._self_dependencies is None:
            object.__setattr__(self, "_self_dependencies", {})
            object.__setattr__(self, "_self_deferred", {})
            object.__setattr__(self, "_self_name_based_restores", IdentityDict())

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        """The objects this one depends on."""
        return [TrackableReference(*item) for item in (self._self_dependencies or {}).items()]

    @property
    def _deferred_dependencies(self) -> dict[str, list[CheckpointPosition]]:
        """What waits for objects that aren't there yet, by name."""
        self._maybe_initialize_trackable()
        return self._self_deferred  # pyright: ignore[reportReturnType]

    def _lookup_dependency(self, name: str) -> Any:
        return (self._self_dependencies or {}).get(name)

    @property
    def _object_identifier(self) -> str:
        """What a SavedModel calls objects of this class."""
        return "_generic_user_object"

    @property
    def _tracking_metadata(self) -> str:
        """What a SavedModel keeps of this object besides."""
        return ""

    def _no_dependency(self, value: Any) -> Any:
        return value

    def _track_trackable(self, trackable: Any, name: str, overwrite: bool = False) -> Any:
        """Notes that this object depends on another one.

        Args:
          trackable: the other.
          name: its name here.
          overwrite: whether it may take the place of one of that name.

        Returns:
          `trackable`.

        Raises:
          TypeError: it is no `Trackable`.
          ValueError: the name is taken.
        """
        self._maybe_initialize_trackable()
        if not isinstance(trackable, Trackable):
            raise TypeError(
                f"Trackable._track_trackable() passed type {type(trackable)}, not a Trackable."
            )
        current = self._lookup_dependency(name)
        if current is not None and current is not trackable and not overwrite:
            raise ValueError(
                f"Called Trackable._track_trackable() with name='{name}', but a Trackable with "
                "this name is already declared as a dependency. Names must be unique (or "
                "overwrite=True)."
            )
        own: Any = self._self_dependencies
        own[name] = trackable
        if current is None:
            self._handle_deferred_dependencies(name=name, trackable=trackable)
        return trackable

    def _handle_deferred_dependencies(self, name: str, trackable: Any) -> None:
        """Restores an object that a checkpoint has waited for."""
        if self._self_deferred:
            waiting = self._self_deferred.pop(name, [])
            for position in sorted(waiting, key=lambda p: p.restore_uid, reverse=True):
                position.restore(trackable)
        if self._self_name_based_restores:
            restores = [restore for restore, _ in self._self_name_based_restores.items()]
            for restore in sorted(restores, key=lambda r: r.restore_uid, reverse=True):
                trackable._name_based_attribute_restore(restore)

    def _name_based_attribute_restore(self, checkpoint: Any) -> None:
        """Restores the object from a checkpoint of names, now or when its parts are there."""
        self._maybe_initialize_trackable()
        self._self_name_based_restores[checkpoint] = None
        if self._self_update_uid < checkpoint.restore_uid:
            checkpoint.eager_restore(self)
            self._update_uid = checkpoint.restore_uid

    def _add_variable_with_custom_getter(
        self, name: str, shape: Any = None, dtype: Any = dtypes.float32, initializer: Any = None,
        getter: Any = None, overwrite: bool = False, **kwargs_for_getter: Any,
    ) -> Any:  # fmt: skip
        """Makes a variable that the object depends on."""
        made = getter(
            name=name, shape=shape, dtype=dtype, initializer=initializer, **kwargs_for_getter
        )
        if overwrite and not isinstance(made, Trackable):
            return made
        return self._track_trackable(made, name=name, overwrite=overwrite)

    def _restore_from_checkpoint_position(self, checkpoint_position: Any) -> list[Any]:
        """Restores the object and those it depends on; returns the operations that do."""
        queue = collections.deque([checkpoint_position])
        restore_ops: list[Any] = []
        named: dict[str, Any] = {}
        in_python: list[Any] = []
        while queue:
            position = queue.popleft()
            found = position.trackable._single_restoration_from_checkpoint_position(
                checkpoint_position=position, visit_queue=queue
            )
            restore_ops.extend(found[0])
            named.update(found[1])
            in_python.extend(found[2])
        restore = checkpoint_position.checkpoint.restore_saveables
        return restore_ops + restore(named, in_python)

    def _single_restoration_from_checkpoint_position(
        self, checkpoint_position: Any, visit_queue: Any
    ) -> tuple[Any, dict[str, Any], Any]:
        self._maybe_initialize_trackable()
        checkpoint = checkpoint_position.checkpoint
        found: tuple[Any, dict[str, Any], Any] = ((), {}, ())
        if checkpoint.restore_uid > self._self_update_uid:
            found = checkpoint_position.gather_ops_or_named_saveables()
            self._update_uid = checkpoint.restore_uid
        for child in checkpoint_position.object_proto.children:
            position = CheckpointPosition(checkpoint, child.node_id)
            local = self._lookup_dependency(child.local_name)
            if local is None:
                self._deferred_dependencies.setdefault(child.local_name, []).append(position)
            elif position.bind_object(trackable=local):
                visit_queue.append(position)
        return found

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        """What a checkpoint holds of the object itself: name -> a `SaveableObject`, a variable or
        a function of a name that makes one."""
        return {}

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        """The `tf.function`s that a SavedModel holds, by name."""
        return {}

    def _list_extra_dependencies_for_serialization(self, serialization_cache: Any) -> Any:
        """What the object depends on in a SavedModel besides, by name."""
        return {}
