"""The variables of a session during one run of a host program.

Every version of a variable that the program makes or sees is a slot of a list. What the run writes
stays there until it is committed, so a run that fails changes nothing.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from tf1compat.core.operation import Operation
from tf1compat.runtime.trace.values import Ref, random_key, random_state, uninitialized

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "<missing>"})()

# What `sys.getrefcount` says in `HostRef.assign` of a value that nobody else holds: the kernel's
# argument, our parameter and the count's own.
_UNSHARED = sys.getrefcount(np.zeros(())) + 2


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
    """

    def __init__(self, slots: Slots):
        self._slots = slots
        self._blank = [MISSING] * len(slots)
        self.begin(None)

    def begin(self, base: Any) -> None:
        """Prepares a run on the session's variables `base`."""
        self.base = base
        self.values = self._blank.copy()
        self.random: dict[Operation, Any] = {}

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
        value = None if pair is None else self.base.get(pair)
        if value is None:
            return MISSING
        if type(value) is not np.ndarray and hasattr(value, "dtype"):
            value = np.asarray(value)
        self.values[slot] = value
        return value

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
    """

    __slots__ = ("_places", "_target")

    def __init__(
        self,
        variables: Any,
        key: Any,
        tensor: Any,
        slots: tuple[int, ...],
        target: int | None,
        op: Any,
    ):
        super().__init__(variables, key, tensor, 0, target, op)
        self._target = target
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
