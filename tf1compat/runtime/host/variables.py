"""The variables of a session during one run of a host program.

Every version of a variable that the program makes or sees is a slot of a list. What the run writes
stays there until it is committed, so a run that fails changes nothing.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.runtime.trace.values import Ref, random_key, random_state, uninitialized

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "<missing>"})()

# What `sys.getrefcount` says in `HostRef.assign` of a value that nobody else holds: the kernel's
# argument, our parameter and the count's own.
_UNSHARED = sys.getrefcount(np.zeros(())) + 2

# Tables up to this size are as soon copied as looked at.
_SMALL = 1 << 14


def _count_of_local() -> int:
    """What `sys.getrefcount` says of what only a local variable holds."""
    table = np.zeros(())
    return sys.getrefcount(table)


_LOCAL = _count_of_local()


class Slots:
    """The places of a program's variables, by scope (None, or a loop), variable and version.

    Attributes:
      pairs: slot -> the variable of the session whose value as the run found it belongs there.
    """

    def __init__(self) -> None:
        self._places: dict[tuple[Any, Any, int], int] = {}
        self.pairs: dict[int, tuple[Any, int]] = {}

    def place(self, scope: Any, key: Any, version: int) -> int:
        """The slot of a version; `scope` is a loop that writes the variable, or None."""
        return self._places.setdefault((scope, key, version), len(self._places))

    def of_session(self, key: Any) -> int:
        """The slot of a variable's value as the run finds it."""
        slot = self.place(None, key, 0)
        self.pairs[slot] = (key, 0)
        return slot

    def __len__(self) -> int:
        return len(self._places)


class HostVariables:
    """What a run sees of the variables, and what it wrote.

    Attributes:
      values: the variables' values by slot; MISSING where there is none (yet).
      random: random operation -> its generator's state, if this run has moved it on.
      journal: what this run changed in the session's arrays themselves (see `State.journal`).
      look_up: gives a variable of the session.
    """

    def __init__(self, slots: Slots):
        self._slots = slots
        self._blank = [MISSING] * len(slots)
        self.journal: list[Any] = []
        self.begin(None)

    def begin(self, base: Any) -> None:
        """Prepares a run on the session's variables `base`."""
        self.base = base
        self.look_up: Any = None if base is None else base.get
        self.values = self._blank.copy()
        self.random: dict[Operation, Any] = {}
        if self.journal:  # Of a run that was interrupted while it took that back.
            self.journal = []

    @property
    def container_exists(self) -> bool:
        """See `State.container_exists`."""
        return self.base.container_exists

    def find(self, slots: tuple[int, ...]) -> Any:
        """The value in the first slot that has one; MISSING if the variable has none."""
        values = self.values
        for slot in slots:
            value = values[slot]
            if value is not MISSING:
                return value
        return self._found(slots[-1])

    def _found(self, slot: int) -> Any:
        """The value of a variable as the run found it."""
        pair = self._slots.pairs.get(slot)
        value = None if pair is None else self.look_up(pair)
        if value is None:
            return MISSING
        if type(value) is not np.ndarray and hasattr(value, "dtype"):
            value = np.asarray(value)
        self.values[slot] = value
        return value

    def update(
        self,
        refs: Sequence[Any],
        where: tuple[Any, ...],
        change: Callable[..., Sequence[Any]],
        operands: tuple[Any, ...],
    ) -> None:
        """See `Context.update`."""
        made = change([ref.to_change(where) for ref in refs], where, *operands)
        for ref, value in zip(refs, made, strict=True):
            ref.keep(value)

    def look_up_with(self, lock: Any) -> None:
        """The session's lock is free: looks variables up only while holding it, as another run may
        be changing an array, and will not change one that this run has found."""
        base = self.base

        def look_up(pair: Any) -> Any:
            with lock:
                return base.get(pair)

        self.look_up = look_up

    def look_up_freely(self) -> None:
        """The session's lock is held."""
        self.look_up = self.base.get

    def note(self, table: np.ndarray, where: tuple[Any, ...]) -> None:
        """Notes what is at `where` in an array of the session's before it is changed."""
        self.base.journal = self.journal
        self.journal.append((table, where, table[where]))

    def current_generator(self, op: Operation) -> Any:
        """The state of a random operation's generator, as the run has moved it on."""
        state = self.random.get(op)
        if state is None:
            state = self.base.get((random_key(op), 0))
            state = random_state(op) if state is None else np.asarray(state)
        return state


class HostRef(Ref):
    """A variable as an operation's input.

    Args:
      slots: where its value is, as the operation sees it: the newest version first.
      target: the slot that `assign` fills, or None.
      is_last: whether nothing that comes later sees what the operation changes as it was before.
    """

    __slots__ = ("_is_last", "_places", "_target")

    def __init__(
        self,
        variables: Any,
        key: Any,
        tensor: Any,
        slots: tuple[int, ...],
        target: int | None,
        op: Any,
        is_last: bool,
    ):
        super().__init__(variables, key, tensor, 0, target, op)
        self._target = target
        self._is_last = is_last
        self._places = slots if target is None else (target, *slots)

    @property
    def initialized(self) -> bool:
        """Whether the variable has a value."""
        variables: Any = self._variables
        return variables.find(self._places) is not MISSING

    def read(self) -> Any:
        """See `Ref.read`."""
        variables: Any = self._variables
        value = variables.values[self._places[0]]
        if value is MISSING:
            value = variables.find(self._places)
            if value is MISSING:
                raise uninitialized(
                    self.key, self.is_resource, self._op, variables.container_exists
                )
        return value

    @property
    def value_shape(self) -> tuple[int, ...]:
        """See `Ref.value_shape`."""
        return np.shape(self.read())

    def to_change(self, where: tuple[Any, ...]) -> Any:
        """The variable's value, as an array that may be changed at `where`: a copy, unless nobody
        else holds it. What is the session's can be given back (`HostVariables.note`)."""
        table = self.read()
        if not self._is_last or not table.flags.writeable or table.base is not None:
            return table.copy()
        touched = where[0].size * math.prod(table.shape[len(where) :]) * table.itemsize
        if table.nbytes < _SMALL + 2 * touched:
            return table.copy()
        variables: Any = self._variables
        values = variables.values
        holders = sum(values[place] is table for place in self._places)
        found = variables.base.get((self.key, 0)) is table
        if sys.getrefcount(table) > _LOCAL + holders + found:
            return table.copy()
        if found:
            variables.note(table, where)
        return table

    def destroy(self) -> bool:
        """See `Ref.destroy`."""
        variables: Any = self._variables
        if len(self._places) != 1:
            return super().destroy()
        variables.values[self._places[0]] = MISSING
        return variables.base.pop((self.key, 0), None) is not None

    def keep(self, value: Any) -> None:
        """As `assign`, of an array that nobody else holds."""
        assert self._target is not None, f"{self._op.type} declares no write"
        variables: Any = self._variables
        variables.values[self._target] = value

    def assign(self, value: Any) -> Ref:
        """See `Ref.assign`. The value is copied if anybody else holds it."""
        assert self._target is not None, f"{self._op.type} declares no write"
        if type(value) is np.ndarray:
            if value.base is not None or sys.getrefcount(value) > _UNSHARED:
                value = value.copy()
        elif hasattr(value, "dtype") and hasattr(value, "__array__"):
            value = np.array(value)
        variables: Any = self._variables
        variables.values[self._target] = value
        return self
