"""`tensorflow.python.saved_model.revived_types`: the types of objects that a SavedModel brings back
as what they were."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.core import protos


class VersionedTypeRegistration:
    """One version of a type.

    Args:
      object_factory: (`SavedUserObject` proto) -> a new object.
      version: the version that writes.
      min_producer_version: the first version whose protos it reads.
      min_consumer_version: the first version that reads its protos.
      bad_consumers: later versions that don't.
      setter: (object, name, value): gives a new object what it depends on.
    """

    def __init__(
        self,
        object_factory: Callable[[Any], Any],
        version: int,
        min_producer_version: int,
        min_consumer_version: int,
        bad_consumers: Sequence[int] | None = None,
        setter: Callable[[Any, str, Any], None] = setattr,
    ):
        self.setter = setter
        self.identifier: str | None = None
        self.version = version
        self._object_factory = object_factory
        self._min_producer_version = min_producer_version
        self._min_consumer_version = min_consumer_version
        self._bad_consumers = list(bad_consumers or ())

    def to_proto(self) -> Any:
        """What a SavedModel says of an object of this type."""
        made = protos.SavedUserObject(identifier=self.identifier)
        made.version.producer = self.version
        made.version.min_consumer = self._min_consumer_version
        made.version.bad_consumers.extend(self._bad_consumers)
        return made

    def from_proto(self, proto: Any) -> Any:
        """A new object."""
        return self._object_factory(proto)

    def should_load(self, proto: Any) -> bool:
        """Whether this version reads a proto."""
        version = proto.version
        return (
            proto.identifier == self.identifier
            and version.min_consumer <= self.version
            and version.producer >= self._min_producer_version
            and self.version not in version.bad_consumers
        )


# Identifier -> (whether an object is of the type, its versions, the latest first).
_registered: dict[str, tuple[Callable[[Any], bool], list[VersionedTypeRegistration]]] = {}


def register_revived_type(
    identifier: str, predicate: Callable[[Any], bool], versions: list[VersionedTypeRegistration]
) -> None:
    """Registers a type.

    Args:
      identifier: its name in files.
      predicate: whether an object is of this type.
      versions: its versions.

    Raises:
      AssertionError: there is no version, or two of a number, or the name is taken.
    """
    if not versions:
        raise AssertionError("Need at least one version of a registered type.")
    numbers: set[int] = set()
    for version in versions:
        if version.version in numbers:
            raise AssertionError(
                f"Got multiple registrations with version {version.version} for type {identifier}"
            )
        numbers.add(version.version)
        version.identifier = identifier
    if identifier in _registered:
        raise AssertionError(f"Duplicate registrations for type {identifier}")
    _registered[identifier] = predicate, sorted(versions, key=lambda v: v.version, reverse=True)


def serialize(obj: Any) -> Any:
    """The `SavedUserObject` proto of an object, None if it is of no registered type."""
    for predicate, versions in _registered.values():
        if predicate(obj):
            return versions[0].to_proto()
    return None


def deserialize(proto: Any) -> tuple[Any, Callable[[Any, str, Any], None]] | None:
    """A new object for a `SavedUserObject` proto, with its setter; None if no type reads it."""
    _, versions = _registered.get(proto.identifier, (None, []))
    for version in versions:
        if version.should_load(proto):
            return version.from_proto(proto), version.setter
    return None


def registered_identifiers() -> Iterable[str]:
    """The names of all types."""
    return _registered.keys()
