"""`tensorflow.python.util.object_identity`: dicts and sets whose keys are compared by `is`."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from tf1compat.core.identity import Reference as Reference
from tf1compat.core.identity import _ObjectIdentityWrapper


class _WeakObjectIdentityWrapper(_ObjectIdentityWrapper):
    """The same, without keeping the object alive: an object has one plain weak reference, which is
    compared, so that an entry can be found when its object is gone."""

    __slots__ = ()

    def __init__(self, wrapped: Any):
        super().__init__(weakref.ref(wrapped))

    @property
    def unwrapped(self) -> Any:
        return self._wrapped()


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dict whose keys may be unhashable: they are compared by identity."""

    def __init__(self) -> None:
        self._storage: dict[_ObjectIdentityWrapper, Any] = {}

    def _wrap_key(self, key: Any) -> _ObjectIdentityWrapper:
        return _ObjectIdentityWrapper(key)

    def __getitem__(self, key: Any) -> Any:
        return self._storage[self._wrap_key(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[self._wrap_key(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[self._wrap_key(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.unwrapped for key in self._storage)

    def __repr__(self) -> str:
        return f"ObjectIdentityDictionary({self._storage!r})"


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """The same; an entry goes when its key does."""

    def _wrap_key(self, key: Any) -> _ObjectIdentityWrapper:
        return _WeakObjectIdentityWrapper(key)

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._storage):
            unwrapped = key.unwrapped
            if unwrapped is None:
                del self._storage[key]
            else:
                yield unwrapped


class ObjectIdentitySet(MutableSet[Any]):
    """A set of objects that may be unhashable: they are compared by identity.

    Args:
      *args: the members; or one iterable of them.
    """

    def __init__(self, *args: Any):
        self._storage = {self._wrap_key(member) for member in list(*args)}

    def _wrap_key(self, key: Any) -> _ObjectIdentityWrapper:
        return _ObjectIdentityWrapper(key)

    def __contains__(self, key: Any) -> bool:
        return self._wrap_key(key) in self._storage

    def discard(self, key: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Takes a member out, if it is one."""
        self._storage.discard(self._wrap_key(key))

    def add(self, key: Any) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Adds a member."""
        self._storage.add(self._wrap_key(key))

    def update(self, items: Iterable[Any]) -> None:
        """Adds all of `items`."""
        self._storage.update(self._wrap_key(item) for item in items)

    def intersection(self, items: Iterable[Any]) -> Any:
        """Those that are in `items` too."""
        wanted = {self._wrap_key(item) for item in items}
        return type(self)([key.unwrapped for key in self._storage if key in wanted])

    def difference(self, items: Iterable[Any]) -> Any:
        """Those that are not in `items`."""
        unwanted = {self._wrap_key(item) for item in items}
        return type(self)([key.unwrapped for key in self._storage if key not in unwanted])

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._storage):
            yield key.unwrapped


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """The same, without keeping its members alive."""

    def _wrap_key(self, key: Any) -> _ObjectIdentityWrapper:
        return _WeakObjectIdentityWrapper(key)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __iter__(self) -> Iterator[Any]:
        for key in list(self._storage):
            unwrapped = key.unwrapped
            if unwrapped is None:
                self._storage.discard(key)
            else:
                yield unwrapped
