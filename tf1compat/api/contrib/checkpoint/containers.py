"""`tf.contrib.checkpoint.List`, `Mapping` and `UniqueNameTracker`."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from tf1compat.api.training.tracking import base, data_structures
from tf1compat.core.export import tf_export


def _refused(self: Any) -> Any:
    raise AttributeError("'List' object is append-only")


_ABSENT: Any = property(_refused)


@tf_export("contrib.checkpoint.List")
class List(data_structures.ListWrapper):
    """A list of objects that checkpoints can hold.

    Args:
      *args, **kwargs: as of a list.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(list(*args, **kwargs))

    def _wrapped(self, value: Any) -> Any:
        return data_structures.wrap_trackable(value)

    def __add__(self, other: Any) -> List:
        return List([*self, *other])

    def __radd__(self, other: Any) -> List:
        return List([*other, *self])

    def __mul__(self, n: Any) -> List:
        return List(list(self) * n)

    __rmul__ = __mul__

    def copy(self) -> List:
        """A list of the same objects."""
        return List(self)

    __copy__ = copy

    def __deepcopy__(self, memo: Any) -> List:
        return List(copy.deepcopy(list(self), memo))

    # It only grows.
    clear = insert = pop = remove = reverse = sort = _ABSENT

    __hash__ = object.__hash__  # by what it is, as what only grows may be a key

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("'List' object does not support item assignment")

    def __delitem__(self, key: Any) -> None:
        raise TypeError("'List' object doesn't support item deletion")

    def __repr__(self) -> str:
        return f"List({list(self)!r})"

    __str__ = __repr__


@tf_export("contrib.checkpoint.Mapping")
class Mapping(data_structures._DictWrapper):
    """A dict, by strings, of objects that checkpoints can hold; a key keeps its object.

    Args:
      *args, **kwargs: as of a dict.
    """

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(dict(*args, **kwargs))

    def _wrapped(self, value: Any) -> Any:
        return data_structures.wrap_trackable(value)

    def __repr__(self) -> str:
        return f"Mapping({dict(self)!r})"

    __str__ = __repr__

    def __setitem__(self, key: Any, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        if key in self and self[key] is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' "
                f"with value {value}, but it already contains {self[key]}"
            )
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        raise AttributeError("__delitem__")


@tf_export("contrib.checkpoint.UniqueNameTracker")
class UniqueNameTracker(base.Trackable):
    """Objects with names that are made unique by a number."""

    def __init__(self) -> None:
        self._maybe_initialize_trackable()
        self._name_counts: dict[str, int] = {}

    @property
    def _values(self) -> list[Any]:
        return [ref for _, ref in self._checkpoint_dependencies]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def track(self, trackable: Any, base_name: str) -> Any:
        """Adds an object under `base_name`, with a number where that is taken.

        Returns:
          The object.

        Raises:
          ValueError: checkpoints can't hold it.
        """
        if not isinstance(trackable, base.Trackable):
            raise ValueError(
                f"Expected a trackable value, got {trackable} which does not inherit from "
                "tf.track.Trackable."
            )
        count = self._name_counts.get(base_name, 0)
        name = base_name if count == 0 else f"{base_name}_{count}"
        while self._lookup_dependency(name) is not None:
            count += 1
            name = f"{base_name}_{count}"
        self._name_counts[base_name] = count + 1
        return self._track_trackable(trackable, name=name)
