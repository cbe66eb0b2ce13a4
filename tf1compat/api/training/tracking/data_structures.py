"""Lists and dicts that are attributes of layers: the layers in them belong to the layer
(`tensorflow.python.training.tracking.data_structures`)."""

from __future__ import annotations

import copy
import operator
from collections.abc import Iterable
from typing import Any

from tf1compat.api.saved_model import revived_types
from tf1compat.api.training.tracking import base, layer_utils
from tf1compat.api.training.tracking.base import NoDependency
from tf1compat.api.variables import variables as variables_lib


class _UntrackableError(ValueError):
    """A container of what checkpoints hold is given something else."""

    def __init__(self, value: Any):
        super().__init__(value)
        self._value = value

    def __str__(self) -> str:
        return (
            "Only trackable objects (such as Layers or Optimizers) may be stored in a List object. "
            f"Got {self._value}, which does not inherit from Trackable."
        )


class TrackableDataStructure(base.Trackable):
    """What is in the container, as attributes that layers have; checkpoints hold it by position or
    key."""

    _trainable = True

    def _values(self) -> Iterable[Any]:
        raise NotImplementedError

    def _wrapped(self, value: Any) -> Any:
        """What is put into the container for a value."""
        return wrap(value)

    def _names(self) -> Iterable[Any]:
        """The names of the values in a checkpoint."""
        return map(str, range(len(list(self._values()))))

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        return [
            base.TrackableReference(name, value)
            for name, value in zip(self._names(), self._values())
            if isinstance(name, str) and isinstance(value, base.Trackable)
        ]

    def _lookup_dependency(self, name: str) -> Any:
        return next((ref for key, ref in self._checkpoint_dependencies if key == name), None)

    def _restore_waiting(self) -> None:
        """Restores what has been added since a checkpoint was restored."""
        if self._self_deferred:
            for name, value in self._checkpoint_dependencies:
                self._handle_deferred_dependencies(name=name, trackable=value)

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        from tf1compat.api.functions import function  # which needs this module

        named = zip(self._names(), self._values())
        return {name: value for name, value in named if function.is_saved_function(value)}

    @property
    def trainable(self) -> bool:
        """Whether the layers are; setting it sets it for each."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = value
        for layer in self.layers:
            layer.trainable = value

    @property
    def _layers(self) -> list[Any]:
        return [
            value
            for value in self._values()
            if isinstance(value, TrackableDataStructure)
            or layer_utils.is_layer(value)
            or layer_utils.has_weights(value)
        ]

    @property
    def _extra_variables(self) -> list[Any]:
        return [value for value in self._values() if isinstance(value, variables_lib.Variable)]

    @property
    def layers(self) -> list[Any]:
        """The layers in it, at any depth."""
        return layer_utils.filter_empty_layer_containers(self._layers)

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable weights of layers and variables in it."""
        return layer_utils.gather_trainable_weights(
            self.trainable, self._layers, self._extra_variables
        )

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other weights."""
        return layer_utils.gather_non_trainable_weights(
            self.trainable, self._layers, self._extra_variables
        )

    @property
    def weights(self) -> list[Any]:
        """All weights."""
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables = property(lambda self: self.trainable_weights)
    non_trainable_variables = property(lambda self: self.non_trainable_weights)
    variables = property(lambda self: self.weights)

    @property
    def updates(self) -> list[Any]:
        """The updates of the layers."""
        return [update for layer in self.layers for update in layer.updates]

    @property
    def losses(self) -> list[Any]:
        """The losses of the layers."""
        return [loss for layer in self.layers for loss in layer.losses]


class ListWrapper(TrackableDataStructure, list):
    """A list."""

    def __init__(self, wrapped_list: Any = ()):
        super().__init__(self._wrapped(value) for value in wrapped_list)

    def _values(self) -> Iterable[Any]:
        return iter(self)

    def append(self, value: Any) -> None:
        """Adds a value at the end."""
        super().append(self._wrapped(value))
        self._restore_waiting()

    def extend(self, values: Any) -> None:
        """Adds values at the end."""
        super().extend(self._wrapped(value) for value in values)
        self._restore_waiting()

    def insert(self, index: Any, obj: Any) -> None:
        """Adds a value somewhere."""
        super().insert(index, self._wrapped(obj))

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        wrapped = (
            [self._wrapped(v) for v in value] if isinstance(key, slice) else self._wrapped(value)
        )
        super().__setitem__(key, wrapped)

    def __copy__(self) -> ListWrapper:
        return ListWrapper(self)

    def __deepcopy__(self, memo: Any) -> ListWrapper:
        return ListWrapper([copy.deepcopy(value, memo) for value in self])

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)

    # Lists of layers are hashed by what they are, not by what is in them, as in TF.
    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise TypeError("unhashable type: 'ListWrapper'")

    def __repr__(self) -> str:
        return f"ListWrapper({list(self)!r})"

    __str__ = __repr__


class _DictWrapper(TrackableDataStructure, dict):
    """A dict."""

    def __init__(self, wrapped_dict: Any = (), **kwargs: Any):
        super().__init__()
        self.update(wrapped_dict, **kwargs)

    def _values(self) -> Iterable[Any]:
        return iter(super().values())

    def _names(self) -> Iterable[Any]:
        return iter(self)

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, self._wrapped(value))
        self._restore_waiting()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Sets several values."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key; the default, which it gets, if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def __copy__(self) -> _DictWrapper:
        return _DictWrapper(self)

    def __deepcopy__(self, memo: Any) -> _DictWrapper:
        return _DictWrapper({key: copy.deepcopy(value, memo) for key, value in self.items()})

    def __reduce_ex__(self, protocol: Any) -> Any:
        return dict, (dict(self),)

    def __repr__(self) -> str:
        return f"DictWrapper({dict(self)!r})"


def wrap(value: Any) -> Any:
    """Plain lists and dicts as containers; anything else as it is."""
    if type(value) is list:
        return ListWrapper(value)
    if type(value) is dict:
        return _DictWrapper(value)
    return value.value if isinstance(value, NoDependency) else value


def wrap_trackable(value: Any) -> Any:
    """As `wrap`, of what checkpoints hold.

    Raises:
      ValueError: of anything else.
    """
    wrapped = wrap(value)
    if not isinstance(wrapped, base.Trackable):
        raise _UntrackableError(value)
    return wrapped


def _set_item(items: ListWrapper, name: str, value: Any) -> None:
    items.extend([None] * (int(name) + 1 - len(items)))
    items[int(name)] = value


def _register(identifier: str, kind: type, setter: Any) -> None:
    version = revived_types.VersionedTypeRegistration(
        object_factory=lambda proto: kind(),
        version=1,
        min_producer_version=1,
        min_consumer_version=1,
        setter=setter,
    )
    revived_types.register_revived_type(
        identifier, lambda obj: isinstance(obj, kind), versions=[version]
    )


_register("trackable_dict_wrapper", _DictWrapper, operator.setitem)
_register("trackable_list_wrapper", ListWrapper, _set_item)
