"""Operations that have to be on one device, as TF's placer puts them together.

An operation with the attr `_class` is in the groups "loc:@…" that it names; one without, in that of
its own name. What the members of a group ask for is merged, part by part.
"""

from __future__ import annotations

from collections.abc import Iterable

from tf1compat.core import dtypes, errors
from tf1compat.core.device import DeviceSpec
from tf1compat.core.operation import Operation

_LOCATION = b"loc:@"
_FIELDS = (("job", "jobs"), ("replica", "replicas"), ("task", "tasks"), ("device_type", "types"))
_FIELDS += (("device_index", "ids"),)


class Colocation:
    """The groups of a graph's operations.

    Args:
      is_soft: whether what cannot be merged is left apart.
    """

    def __init__(self, is_soft: bool):
        self._is_soft = is_soft
        self._first: dict[str, Operation] = {}  # of a group: the operation that named it first
        self._parents: dict[Operation, Operation] = {}
        self._ranks: dict[Operation, int] = {}
        self._devices: dict[Operation, str] = {}  # of the roots

    def device(self, op: Operation) -> str:
        """What the group of an operation asks for."""
        root = self._root(op)
        return self._devices.get(root, root._device)

    def add(self, ops: Iterable[Operation]) -> None:
        """Puts operations into their groups.

        Raises:
          InvalidArgumentError: two members ask for different devices.
        """
        for op in ops:
            named = op._attrs.get("_class")
            groups = [g for g in named if g.startswith(_LOCATION)] if named else ()
            for group in groups:
                self._join(op, group[len(_LOCATION) :].decode())
            if not groups and op._name in self._first:
                self._join(op, op._name)
            if op._device:
                source = resource_of(op)
                if source is not None and not source._device:  # else that is where it goes
                    self._unite(op, source)

    def _join(self, op: Operation, group: str) -> None:
        first = self._first.get(group)
        if first is None:
            first = op._graph._nodes_by_name.get(group)
            alone = first is not None and not first._attrs.get("_class") and first._id < op._id
            self._first[group] = first = first if first is not None and alone else op
        self._unite(op, first)

    def _unite(self, op: Operation, first: Operation) -> None:
        mine, other = self._root(op), self._root(first)
        if mine is other:
            return
        mine_is_lower = self._ranks.get(mine, 0) < self._ranks.get(other, 0)
        root, child = (other, mine) if mine_is_lower else (mine, other)
        requested = [self._devices.get(part, part._device) for part in (root, child)]
        clash = _clash(*requested)
        if clash is None:
            self._parents[child] = root
            self._devices[root] = _merged(*requested)
            if self._ranks.get(mine, 0) == self._ranks.get(other, 0):
                self._ranks[root] = self._ranks.get(root, 0) + 1
        elif not self._is_soft:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Cannot colocate nodes {described(op)} and {described(first)}: Cannot merge "
                f"devices with incompatible {clash}: '{requested[0]}' and '{requested[1]}'\n\t "
                f"[[{described(op)}]]",
            )

    def _root(self, op: Operation) -> Operation:
        while op in self._parents:
            op = self._parents[op]
        return op


def described(op: Operation) -> str:
    """An operation of the graph, with where it is made."""
    file, line = op.definition
    return f"node {op.name} (defined at {file}:{line}) "


def resource_of(op: Operation) -> Operation | None:
    """What makes the first resource that an operation takes."""
    for tensor in op._inputs:
        if tensor._dtype is dtypes.resource:
            source = tensor._op
            while source._inputs and (source._spec.views or source._spec.is_switch):
                source = source._inputs[0]._op
            return source
    return None


def _merged(device: str, other: str) -> str:
    if not device or not other:
        return device or other
    return (
        DeviceSpec.from_string(device).make_merged_spec(DeviceSpec.from_string(other)).to_string()
    )


def _clash(device: str, other: str) -> str | None:
    """The parts in which two devices differ; None if one device may be both."""
    if device == other or not device or not other:
        return None
    specs = DeviceSpec.from_string(device), DeviceSpec.from_string(other)
    for field, parts in _FIELDS:
        mine, theirs = (getattr(spec, field) for spec in specs)
        if mine is not None and theirs is not None and mine != theirs:
            return parts
    return None
