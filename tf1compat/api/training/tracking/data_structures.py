"""Lists and dicts that are attributes of layers: the layers in them belong to the layer
(`tensorflow.python.training.tracking.data_structures`)."""

from __future__ import annotations

import collections
import copy
import operator
from collections.abc import Iterable
from typing import Any

from tf1compat.api.saved_model import revived_types
from tf1compat.api.training.tracking import base, layer_utils
from tf1compat.api.training.tracking.base import NoDependency
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import export


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


_IGNORE = (
    "\n\nIf you don't need this {} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency "
    "object; it will be automatically un-wrapped and subsequently ignored."
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

    def _named(self) -> Iterable[tuple[Any, Any]]:
        """The values with their names in a checkpoint."""
        return ((str(i), value) for i, value in enumerate(self._values()))

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        return self._references()

    def _references(self) -> list[base.TrackableReference]:
        return [
            base.TrackableReference(name, value)
            for name, value in self._named()
            if isinstance(name, str) and isinstance(value, base.Trackable)
        ]

    def _lookup_dependency(self, name: str) -> Any:
        return next((ref for key, ref in self._references() if key == name), None)

    def _restore_waiting(self) -> None:
        """Restores what has been added since a checkpoint was restored."""
        if self._self_deferred:
            for name, value in self._references():
                self._handle_deferred_dependencies(name=name, trackable=value)

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        from tf1compat.api.functions import function  # which needs this module

        named = self._named()
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


@export.internal_class("tensorflow.python.training.tracking.data_structures")
class ListWrapper(TrackableDataStructure, list):
    """A list. A checkpoint holds it if it was only appended to, and only here.

    Args:
      wrapped_list: the values; a list is changed with the wrapper.
    """

    def __init__(self, wrapped_list: Any = ()):
        self._plain = wrapped_list if type(wrapped_list) is list else list(wrapped_list)
        self._snapshot = list(self._plain)
        self._has_moved = self._changed_outside = False
        super().__init__(self._wrapped(value) for value in self._plain)

    def _values(self) -> Iterable[Any]:
        return iter(self)

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        self._look_outside()
        subject = (
            f"Unable to save the object ListWrapper({self._plain}) (a list wrapper constructed to "
            "track trackable TensorFlow objects). "
        )
        if self._has_moved:
            raise ValueError(
                subject + "A list element was replaced (__setitem__, __setslice__), deleted "
                "(__delitem__, __delslice__), or moved (sort). In order to support restoration on "
                "object creation, tracking is exclusively for append-only data structures."
                + _IGNORE.format("list")
            )
        if self._changed_outside:
            # TF's snapshot is gone by then.
            raise ValueError(
                subject + "The wrapped list was modified outside the wrapper (its final value was "
                f"{self._plain}, its value when a checkpoint dependency was added was None), "
                "which breaks restoration on object creation." + _IGNORE.format("list")
            )
        return self._references()

    def _look_outside(self) -> None:
        """Notes a change of the plain list that was not made here."""
        if not self._has_moved and not self._changed_outside:
            plain, known = self._plain, self._snapshot
            self._changed_outside = len(plain) != len(known) or any(
                map(operator.is_not, plain, known)
            )

    def _change(self, method: str, *args: Any, moves: bool = True, **kwargs: Any) -> Any:
        """Calls a method of this list and of the plain one."""
        self._look_outside()
        self._has_moved |= moves
        result = getattr(super(), method)(*args, **kwargs)
        self._plain[:] = self
        if not self._changed_outside:
            self._snapshot = list(self._plain)
        return result

    def append(self, value: Any) -> None:
        """Adds a value at the end."""
        self._change("append", self._wrapped(value), moves=False)
        self._restore_waiting()

    def extend(self, values: Any) -> None:
        """Adds values at the end."""
        self._change("extend", [self._wrapped(value) for value in values], moves=False)
        self._restore_waiting()

    def insert(self, index: Any, obj: Any) -> None:
        """Adds a value somewhere."""
        self._change("insert", index, self._wrapped(obj))

    def pop(self, index: Any = -1) -> Any:
        """Takes a value out."""
        return self._change("pop", index)

    def remove(self, value: Any) -> None:
        """Takes the first such value out."""
        self._change("remove", value)

    def clear(self) -> None:
        """Takes all values out."""
        self._change("clear", moves=bool(self))

    def reverse(self) -> None:
        """Turns the list around."""
        moves = len(self) > 1 and any(isinstance(v, base.Trackable) for v in self)
        self._change("reverse", moves=moves)

    def sort(self, **kwargs: Any) -> None:
        """Sorts the list."""
        self._change("sort", **kwargs)

    def __delitem__(self, key: Any) -> None:
        self._change("__delitem__", key)

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        sliced = isinstance(key, slice)
        wrapped = [self._wrapped(v) for v in value] if sliced else self._wrapped(value)
        replaced = self if sliced else [self[key]]
        moves = any(isinstance(old, base.Trackable) for old in replaced)
        self._change("__setitem__", key, wrapped, moves=moves)

    def _like(self, values: Iterable[Any]) -> ListWrapper:
        """A copy, which a checkpoint holds if it holds this."""
        self._look_outside()
        copied = ListWrapper(values)
        copied._has_moved, copied._changed_outside = self._has_moved, self._changed_outside
        return copied

    def __copy__(self) -> ListWrapper:
        return self._like(self)

    def __deepcopy__(self, memo: Any) -> ListWrapper:
        return self._like([copy.deepcopy(value, memo) for value in self])

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)

    # Lists of layers are hashed by what they are, not by what is in them, as in TF.
    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise TypeError("unhashable type: 'ListWrapper'")

    def __repr__(self) -> str:
        return f"ListWrapper({list(self)!r})"

    __str__ = __repr__


@export.internal_class("tensorflow.python.training.tracking.data_structures")
class _DictWrapper(TrackableDataStructure, dict):
    """A dict. A checkpoint holds it if it was changed only here, and has strings for keys.

    Args:
      wrapped_dict: the values; a dict is changed with the wrapper.
    """

    _kind: type[dict[Any, Any]] = dict

    def __init__(self, wrapped_dict: Any = (), **kwargs: Any):
        super().__init__()
        is_plain = type(wrapped_dict) is self._kind
        self._plain = wrapped_dict if is_plain else self._kind(wrapped_dict)
        self._plain.update(kwargs)
        self._has_other_keys = self._changed_outside = False
        self._snapshot: dict[Any, Any] = dict(self._plain)
        for key, value in self._snapshot.items():
            self._put(key, value)

    def _values(self) -> Iterable[Any]:
        return [self[key] for key in sorted(self)]

    def _named(self) -> Iterable[tuple[Any, Any]]:
        return self.items()

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        self._look_outside()
        subject = (
            f"Unable to save the object {self._plain} (a dictionary wrapper constructed "
            "automatically on attribute assignment). "
        )
        if self._has_other_keys:
            raise ValueError(
                subject + "The wrapped dictionary contains a non-string key which maps to a "
                "trackable object or mutable data structure." + _IGNORE.format("dictionary")
            )
        if self._changed_outside:
            # TF's snapshot is gone by then.
            raise ValueError(
                subject
                + "The wrapped dictionary was modified outside the wrapper (its final value was "
                f"{self._plain}, its value when a checkpoint dependency was added was None), which "
                "breaks restoration on object creation." + _IGNORE.format("dictionary")
            )
        return self._references()

    def _look_outside(self) -> None:
        """Notes a change of the plain dict that was not made here."""
        if not self._has_other_keys and not self._changed_outside:
            plain, known = self._plain, self._snapshot
            self._changed_outside = plain.keys() != known.keys() or any(
                value is not known[key] for key, value in plain.items()
            )

    def _put(self, key: Any, value: Any) -> None:
        wrapped = self._wrapped(value)
        if isinstance(wrapped, base.Trackable) and not isinstance(value, NoDependency):
            self._has_other_keys |= not isinstance(key, str)
        super().__setitem__(key, wrapped)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._look_outside()
        self._put(key, value)
        self._plain[key] = self._snapshot[key] = self[key]
        self._restore_waiting()

    def __delitem__(self, key: Any) -> None:
        self._look_outside()
        super().__delitem__(key)
        self._plain.pop(key, None)
        self._snapshot.pop(key, None)

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes the value of a key out; the default if there is none."""
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[Any, Any]:
        """Takes the last key and its value out."""
        if not self:
            raise KeyError("popitem(): dictionary is empty")
        key = next(reversed(self))
        return key, self.pop(key)

    def clear(self) -> None:
        """Takes all out."""
        for key in list(self):
            del self[key]

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
        return type(self)(self)

    def __deepcopy__(self, memo: Any) -> _DictWrapper:
        items = ((key, copy.deepcopy(value, memo)) for key, value in self.items())
        return type(self)(self._kind(items))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._kind, (self._kind(self),)

    def __str__(self) -> str:
        return str(self._kind(self))

    def __repr__(self) -> str:
        return f"DictWrapper({self._kind(self)!r})"


class _OrderedDictWrapper(_DictWrapper, collections.OrderedDict):
    """An `OrderedDict`, as a `_DictWrapper`."""

    _kind = collections.OrderedDict


# To TF they are one class.
_OrderedDictWrapper.__name__ = _DictWrapper.__name__


# What becomes a container as soon as it is an attribute, and which.
WRAPPED: dict[type, Any] = {
    list: ListWrapper,
    dict: _DictWrapper,
    collections.OrderedDict: _OrderedDictWrapper,
}


def wrap(value: Any) -> Any:
    """Plain lists and dicts as containers; anything else as it is."""
    if type(value) in WRAPPED:
        return WRAPPED[type(value)](value)
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
