"""The variables of a session, and what one run makes of them."""

from __future__ import annotations

import collections
import functools
import operator
from collections.abc import Iterable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.compile.shield import shielded

Versioned = tuple[Any, int]

x64 = jax.enable_x64
# Whether JAX computes with 64 bits in this thread, read and set by C functions: a signal may come
# while a `with x64(True)` ends, which then has not ended.
get_x64, set_x64 = jax.enable_x64.get_local, jax.enable_x64.set_local


class OldRows:
    """What stood in some rows of a variable whose array was given away.

    Args:
      rows: (index, the rows there) of each update, in order.
    """

    def __init__(self, rows: list[tuple[tuple[Any, ...], Any]]):
        self._rows = rows

    def put_back(self, table: Any) -> Any:
        """The variable as it was before the updates that made `table` of it."""
        for where, rows in reversed(self._rows):
            table = table.at[where].set(rows, mode="drop")
        return table


# A variable, its value (or its changed rows) before, and its value after; None: there was none.
Change = tuple[Versioned, Any, Any]


class State(dict[Versioned, Any]):
    """The variables of a session, by (variable, 0): what threads share, under the session's lock.

    Attributes:
      container_exists: whether a variable was made or given a value: TF's errors tell.
      kept: what operations keep from run to run besides: how often they printed.
      pins: how many runs still need an array (by id) that they published here.
      on_host: the variables whose values the host tier wrote, as NumPy arrays.
      spread: the variables of which each of several devices has a copy.
      journal: what a run on the host changed in these arrays themselves and has not committed:
        (array, index, what was there), in order.
    """

    def __init__(self, values: dict[Versioned, Any] | None = None):
        super().__init__(values or {})
        self.container_exists = False
        self.kept: dict[Any, Any] = {}
        self.pins: collections.Counter[int] = collections.Counter()
        self.on_host: set[Versioned] = set()
        self.spread: set[Versioned] = set()
        self.journal: list[tuple[np.ndarray, Any, np.ndarray]] = []

    def commit(self, changes: dict[Versioned, Any]) -> None:
        """Takes over what a run on the host wrote: all of it or, if a signal comes, nothing."""
        self.on_host.update(changes)
        if not self.journal:
            dict.update(self, changes)
            return
        # Both of them in one call, which Python does not interrupt.
        steps = (functools.partial(dict.update, self, changes), self.journal.clear)
        any(map(operator.call, steps))

    def roll_back(self) -> None:
        """Takes back what a run on the host changed in arrays themselves. It can be repeated."""
        for table, where, rows in reversed(self.journal):
            table[where] = rows
        self.journal.clear()

    def take_back(self, changes: Iterable[Change]) -> None:
        """Undoes what a run has published, where nobody has built upon it. It can be repeated."""
        mine = [(pair, old, new) for pair, old, new in changes if self.get(pair) is new]

        def restore() -> None:
            with x64(True):
                values = [o.put_back(new) if type(o) is OldRows else o for _, o, new in mine]
            restored = {pair: value for (pair, _, _), value in zip(mine, values)}
            self.update((pair, value) for pair, value in restored.items() if value is not None)
            for pair, value in restored.items():
                if value is None:
                    del self[pair]

        if mine:
            shielded(restore)

    def to_device(self) -> None:
        """Moves what the host tier wrote to the device."""
        if self.journal:  # Of a run that was interrupted while it took that back.
            self.roll_back()

        def move() -> None:
            with x64(True):
                for pair in self.on_host:
                    value = self.get(pair)
                    if type(value) is np.ndarray and not value.dtype.hasobject:
                        self[pair] = jnp.array(value)
            self.on_host.clear()

        shielded(move)

    def spread_over(self, devices: Any, pairs: Sequence[Versioned], values: list[Any]) -> list[Any]:
        """Variables as arrays of which each of several devices has a copy.

        Args:
          devices: their sharding.
          pairs, values: the variables and their arrays, which are not to be given away.
        """
        if all(getattr(value, "sharding", None) == devices for value in values):
            return values

        def copies() -> list[Any]:
            with x64(True):
                found = [jax.device_put(value, devices, may_alias=False) for value in values]
            for pair, value, copy in zip(pairs, values, found, strict=True):
                if self.get(pair) is value:
                    self[pair] = copy
                    self.spread.add(pair)
            return found

        return shielded(copies)

    def to_one_device(self, pairs: Sequence[Versioned], values: list[Any]) -> list[Any]:
        """Variables as arrays of the first of the devices that have copies of them.

        Args:
          pairs, values: the variables and their arrays.
        """
        if not any(map(_is_spread, values)):
            return values

        def firsts() -> list[Any]:
            found = []
            for pair, value in zip(pairs, values, strict=True):
                first = value
                if _is_spread(value):
                    first = value.addressable_data(0)
                    with x64(True):
                        first = jnp.copy(first) if id(value) in self.pins else first
                    if self.get(pair) is value:
                        self[pair] = first
                        self.spread.discard(pair)
                found.append(first)
            return found

        return shielded(firsts)

    def to_donate(self, values: list[Any]) -> list[Any]:
        """Arrays that a program may overwrite: copies of those that a run still needs."""
        if not any(id(value) in self.pins for value in values):
            return values

        def copies() -> list[Any]:
            with x64(True):
                return [jnp.copy(v) if id(v) in self.pins else v for v in values]

        return shielded(copies)


class Store(dict[Versioned, Any]):
    """The variables during one run: what the run wrote, upon what it found.

    Args:
      base: the session's own variables. What is written is published there at once, so that another
        thread's update builds upon it; the run itself goes on seeing what it found. Whoever calls
        `publish`, `undo` or `release` holds the session's lock.
    """

    def __init__(self, base: State):
        super().__init__()
        self.base = base
        self._found: dict[Versioned, Any] = {}  # what was replaced; None where there was nothing
        self._published: dict[Versioned, Any] = {}
        self._pinned: list[Any] = []

    def __missing__(self, pair: Versioned) -> Any:
        if pair in self._found:
            found = self._found[pair]
            if found is None:
                raise KeyError(pair)
            return found
        return self.base[pair]

    def __contains__(self, pair: object) -> bool:
        if dict.__contains__(self, pair):
            return True
        if pair in self._found:
            return self._found[pair] is not None  # pyright: ignore[reportArgumentType]
        return pair in self.base

    def publish(self, written: dict[Any, int]) -> None:
        """Makes the last version so far of each variable the session's: of all or, if a signal
        comes, of none."""
        last = {}
        for key, version in written.items():
            found = nearest(self, key, version)
            if found is not None and found[1] > 0:
                last[(key, 0)] = self[found]
        first = [p for p in self if p[1] == 0 and not isinstance(p[0], plan_lib.Local)]
        for pair in first:
            last[pair] = self[pair]
        changes = {}
        for pair, value in last.items():
            before = self.base.get(pair)
            # Published once: what another thread has made of it since is not to be lost.
            if before is not value and self._published.get(pair) is not value:
                self._found.setdefault(pair, before)
                self._published[pair] = changes[pair] = value
        self.hold(changes.values())
        self.base.update(changes)
        for pair in first:
            dict.pop(self, pair)

    def note(self, changes: Iterable[Change]) -> None:
        """Takes note of what was published in another way."""
        for pair, old, new in changes:
            self._found.setdefault(pair, old)
            self._published[pair] = new

    def hold(self, values: Iterable[Any]) -> None:
        """Until `release` no other thread's program may overwrite these arrays."""
        for value in values:
            self._pinned.append(value)
            self.base.pins[id(value)] += 1

    def release(self) -> None:
        """The run is over: it needs nothing any more of what it published."""
        pins = self.base.pins
        for value in self._pinned:
            pins[id(value)] -= 1
            if pins[id(value)] <= 0:
                del pins[id(value)]
        self._pinned = []

    def undo(self) -> None:
        """Takes back what was published, where nobody has built upon it.

        What was given away needs it not: a program whose checks fail gives the old values back.
        """
        found = self._found
        self.base.take_back((pair, found[pair], new) for pair, new in self._published.items())


def _is_spread(value: Any) -> bool:
    """Whether each of several devices has a copy of an array."""
    return isinstance(value, jax.Array) and len(value.sharding.device_set) > 1


def nearest(store: Store, key: Any, version: int) -> Versioned | None:
    """The latest version up to `version` that exists."""
    for candidate in range(version, -1, -1):
        if (key, candidate) in store:
            return (key, candidate)
    return None
