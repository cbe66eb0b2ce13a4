"""Objects as dict keys that are compared by `is`."""

from __future__ import annotations

from typing import Any


class _ObjectIdentityWrapper:
    """Equal to another one if both wrap the same object."""

    __slots__ = ("__weakref__", "_wrapped")

    def __init__(self, wrapped: Any):
        self._wrapped = wrapped

    @property
    def unwrapped(self) -> Any:
        """The object."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _ObjectIdentityWrapper):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self._wrapped!r}>"


class Reference(_ObjectIdentityWrapper):
    """A hashable reference to any object."""

    __slots__ = ()

    def deref(self) -> Any:
        """The object."""
        return self._wrapped
