"""How the tests are dealt out to several processes (`pytest -n`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdist.scheduler import LoadGroupScheduling


class _Places(list[str]):
    """The names of the tests in their order, of which each is found at once."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)
        self._places = {name: place for place, name in enumerate(names)}

    def index(self, name: str, *args: Any) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Where a test is."""
        return self._places[name]


class Scheduling(LoadGroupScheduling):
    """xdist's `loadgroup` for many tests. That looks through all tests to find the place of one,
    and through all that a worker has done to see what it has yet to do: 98 seconds for 52,000
    tests, here one.
    """

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """See `LoadScopeScheduling.add_node_collection`."""
        super().add_node_collection(node, collection)
        if node in self.registered_collections:
            self.registered_collections[node] = _Places(collection)

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:
        """See `LoadScopeScheduling.mark_test_complete`; what a worker has done it forgets."""
        name = self.registered_collections[node][item_index]
        group = self._split_scope(name)
        unit = self.assigned_work[node][group]
        unit[name] = True
        if all(unit.values()):
            del self.assigned_work[node][group]
        self._reschedule(node)
