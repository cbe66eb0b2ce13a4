"""Lists and dicts that checkpoints can hold: what is in them are their dependencies, by position or
key."""

from __future__ import annotations

from typing import Any

from tf1compat.api.training.tracking import base


class _Container(base.Trackable):
    """A list or dict; what it holds is looked at when it is saved or restored."""

    def _named(self) -> list[tuple[str, Any]]:
        raise NotImplementedError

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        return [
            base.TrackableReference(name, value)
            for name, value in self._named()
            if isinstance(value, base.Trackable)
        ]

    def _lookup_dependency(self, name: str) -> Any:
        return next((ref for key, ref in self._checkpoint_dependencies if key == name), None)

    def _restore_waiting(self) -> None:
        """Restores what has been added since a checkpoint was restored."""
        if self._self_deferred:
            for name, value in self._checkpoint_dependencies:
                self._handle_deferred_dependencies(name=name, trackable=value)


class ListWrapper(_Container, list):
    """A list that is an attribute of an object.

    Args:
      wrapped_list: the list.
    """

    def __init__(self, wrapped_list: Any = ()):
        super().__init__()
        self.extend(wrapped_list)

    def _named(self) -> list[tuple[str, Any]]:
        return [(str(i), value) for i, value in enumerate(self)]

    def append(self, value: Any) -> None:
        """Adds a value at the end."""
        super().append(wrap(value))
        self._restore_waiting()

    def extend(self, values: Any) -> None:
        """Adds values at the end."""
        super().extend(wrap(value) for value in values)
        self._restore_waiting()

    def __iadd__(self, values: Any) -> Any:
        self.extend(values)
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(
            key, [wrap(v) for v in value] if isinstance(key, slice) else wrap(value)
        )
        self._restore_waiting()


class DictWrapper(_Container, dict):
    """A dict that is an attribute of an object.

    Args:
      wrapped_dict: the dict.
    """

    def __init__(self, wrapped_dict: Any = None):
        super().__init__()
        self.update(wrapped_dict or {})

    def _named(self) -> list[tuple[str, Any]]:
        return [(key, value) for key, value in self.items() if isinstance(key, str)]

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key, wrap(value))
        self._restore_waiting()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Adds values."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value


def wrap(value: Any) -> Any:
    """A list or dict as one that checkpoints can hold; anything else as it is."""
    if type(value) is list:
        return ListWrapper(value)
    return DictWrapper(value) if type(value) is dict else value
