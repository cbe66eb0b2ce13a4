"""What tracing finds out that keeps a program from being made as it is planned, and what a program
finds violated at run time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import errors
from tf1compat.core.operation import Operation


def op_error(error_class: type, op: Any, text: str) -> errors.OpError:
    """A run-time error as TF words it: the text, then the node and the user's line that made it."""
    if op is None:
        return error_class(None, None, text)
    return error_class(op.node_def, op, op._graph.error_text(op, text))


class Check:
    """A condition that the program found violated, or not, at run time."""

    __slots__ = ("error_class", "failed", "op", "template", "values")

    def __init__(
        self, op: Any, failed: Any, error_class: type, template: Any, values: dict[str, Any]
    ):
        self.op = op
        self.failed = failed
        self.error_class = error_class
        self.template = template
        self.values = values

    def error(self, values: dict[str, Any]) -> Any:
        """What to raise, given the quoted values."""
        template = self.template
        text = template.format(**values) if isinstance(template, str) else template(**values)
        return op_error(self.error_class, self.op, text)

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Check:
        """This check as a loop or a branch found it."""
        return Check(self.op, failed, self.error_class, self.template, values)


class Foreseen(Check):
    """What the run fails with, as tracing found, unless a check before it fails too.

    Args:
      error: the error.
      failed: whether the run comes to it.
    """

    __slots__ = ("_error",)

    def __init__(self, error: errors.OpError, failed: Any = True):
        super().__init__(error.op, jnp.asarray(failed), type(error), None, {})
        self._error = error

    def error(self, values: dict[str, Any]) -> Any:
        return self._error

    def with_flag(self, failed: Any, values: dict[str, Any]) -> Foreseen:
        return Foreseen(self._error, failed)


class Overflow(Exception):
    """A buffer of the program was too small: it is to be compiled again with more room.

    Args:
      owner: whose buffer.
      needed: how much room was asked for.
    """

    def __init__(self, owner: Any, needed: int):
        super().__init__(owner, needed)
        self.owner = owner
        self.needed = needed


class RoomCheck(Check):
    """Whether a buffer had room, where only the run tells how much is needed."""

    __slots__ = ("owner",)

    def __init__(self, owner: Any, failed: Any, peak: Any):
        super().__init__(None, failed, Overflow, None, {"peak": peak})
        self.owner = owner

    def error(self, values: dict[str, Any]) -> Any:
        return Overflow(self.owner, int(np.max(values["peak"])))

    def with_flag(self, failed: Any, values: dict[str, Any]) -> RoomCheck:
        return RoomCheck(self.owner, failed, values["peak"])


class Rooms(dict[Any, int]):
    """How large to make the buffers of which only the run tells how much they have to hold."""

    def of(self, owner: Any) -> int:
        """The room to make for `owner`: a power of two, larger after each `enlarge`."""
        return self.setdefault(owner, _FIRST_ROOM)

    def enlarge(self, overflow: Overflow) -> None:
        """Makes the next room suffice for what an overflow asked for."""
        wanted = max(overflow.needed, self.of(overflow.owner) + 1)
        self[overflow.owner] = 1 << (wanted - 1).bit_length()


_FIRST_ROOM = 64


class NeedsValue(Exception):
    """An input must be known at compile time and is not."""

    def __init__(self, op: Operation, index: int):
        super().__init__(op.name, index)
        self.op = op
        self.index = index


class NeedsValues(Exception):
    """All inputs that one interpretation found to have to be known at compile time."""

    def __init__(self, needs: list[NeedsValue]):
        super().__init__(*needs)
        self.needs = needs


class HostNeeded(NotImplementedError):
    """An operation turns out to have to run on the host."""

    def __init__(self, op: Operation):
        super().__init__(
            f"Operation '{op.name}' ({op.type}) has to run on the host, for values of shapes that "
            "only the run tells: not supported by tf1compat yet outside of Session.run"
        )
        self.op = op

    def mark(self) -> None:
        """Has the operation run on the host from now on."""
        if self.op.__dict__.get("_needs_host"):
            raise self
        self.op._needs_host = True  # pyright: ignore[reportAttributeAccessIssue]


class Inseparable(Exception):
    """What the branches of some predicates yield can't be the result of a `lax.cond`."""

    def __init__(self, preds: Iterable[Any]):
        super().__init__(", ".join(pred.name for pred in preds))
        self.preds = set(preds)


class Unrollable(Exception):
    """A loop can't be a part of a compiled program: its iterations differ in form."""

    def __init__(self, loop: Any):
        super().__init__(loop.name)
        self.loop = loop
