"""What tracing and running a program find out that changes how it is planned or compiled."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

# The size to try first for a buffer of which only the run tells how much it has to hold.
_FIRST_SIZE = 64


@dataclasses.dataclass(frozen=True)
class Decisions:
    """All that was decided about a program so far: it only grows.

    Attributes:
      cuts: (op, input index)s where the value must be known before the op's region is compiled, so
        that an earlier region computes it.
      on_host: operations that work on the values at hand; a loop then runs iteration by iteration.
      apart: predicates whose conditionals are no `lax.cond`: their programs are cut in two.
      known: (op, input of its region)s: the region is specialised on the input's values.
      known_state: (op, version of a variable)s: the same for variables that regions begin with.
      sizes: owner -> the size of its buffer.
      counts_room: whether an array in such a buffer is as long as that, whatever a run writes.
      segments: how many segments there are, where only the run tells; None if nobody says.
    """

    cuts: frozenset[tuple[Any, int]] = frozenset()
    on_host: frozenset[Any] = frozenset()
    apart: frozenset[Any] = frozenset()
    known: frozenset[tuple[Any, Tensor]] = frozenset()
    known_state: frozenset[tuple[Any, Any]] = frozenset()
    sizes: Mapping[Any, int] = dataclasses.field(default_factory=dict)
    counts_room: bool = False
    segments: int | None = None

    def __or__(self, other: Decisions) -> Decisions:
        sizes = dict(self.sizes)
        for owner, size in other.sizes.items():
            sizes[owner] = max(size, self.size(owner) or 0)
        return Decisions(
            self.cuts | other.cuts,
            self.on_host | other.on_host,
            self.apart | other.apart,
            self.known | other.known,
            self.known_state | other.known_state,
            sizes,
            self.counts_room or other.counts_room,
            other.segments if self.segments is None else self.segments,
        )

    @property
    def levels(self) -> tuple[Any, ...]:
        """The part on which it depends what the levels of a program are."""
        return self.cuts, self.on_host, self.apart

    def size(self, owner: Any) -> int | None:
        """The size of a buffer; None if nobody can say."""
        return self.sizes.get(owner, _FIRST_SIZE)


NOTHING = Decisions()


class Replan(Exception):
    """A program can't be made, or run, as it is planned.

    Args:
      decisions: what is to be added to the program's.
      in_vain: says what it means if all of that was decided already, or nobody can decide.
      about: the operation, the loop or the predicate that it speaks of; None for a buffer.
    """

    def __init__(self, decisions: Decisions, in_vain: str, about: Any = None):
        super().__init__(in_vain)
        self.decisions = decisions
        self.in_vain = in_vain
        self.about = about

    def __or__(self, other: Replan) -> Replan:
        return Replan(self.decisions | other.decisions, self.in_vain, self.about)

    def added_to(self, decided: Decisions) -> Decisions:
        """The decisions with which to try again.

        Raises:
          NotImplementedError: they are the same.
        """
        more = decided | self.decisions
        if more == decided:
            raise self.refusal() from None
        return more

    def refusal(self) -> NotImplementedError:
        """The error where nothing can be decided."""
        return NotImplementedError(f"{self.in_vain}: not supported by tf1compat yet")


def needs_value(op: Operation, index: int) -> Replan:
    """An input must be known when the program is compiled, and is not."""
    return Replan(
        Decisions(cuts=frozenset({(op, index)})),
        f"Input {index} of operation '{op.name}' ({op.type}) must be known when the program is "
        "compiled, and depends on values that are only known when it runs",
        op,
    )


def needs_host(op: Operation) -> Replan:
    """An operation turns out to have to run on the host."""
    return Replan(
        Decisions(on_host=frozenset({op})),
        f"Operation '{op.name}' ({op.type}) has to run on the host, for values of shapes that only "
        "the run tells",
        op,
    )


def needs_room(op: Operation, owner: Any) -> Replan:
    """Nobody says how large a buffer is to be."""
    return Replan(
        Decisions(sizes={owner: _FIRST_SIZE}),
        f"'{owner}' has to hold as much as only the run tells",
        op,
    )


def needs_segments(op: Operation) -> Replan:
    """Nobody says how many segments there are at most."""
    return Replan(
        Decisions(segments=0),
        f"Operation '{op.name}' ({op.type}) gives as many rows as its last segment id says, which "
        "only the run tells",
        op,
    )


def inseparable(preds: Iterable[Any]) -> Replan:
    """What the branches of some predicates yield can't be the result of a `lax.cond`."""
    preds = frozenset(preds)
    names = ", ".join(pred.name for pred in preds)
    return Replan(
        Decisions(apart=preds),
        f"The control flow of '{names}' yields other shapes from case to case",
        next(iter(preds), None),
    )


def not_rolled(loop: Any, found: Replan | None = None) -> Replan:
    """The iterations of a loop differ in form.

    Args:
      found: what was found out about one of them.
    """
    on_host = frozenset({loop}) | (found.decisions.on_host if found else frozenset())
    return Replan(
        Decisions(on_host=on_host),
        f"The control flow of '{loop.name}' yields other shapes from case to case",
        loop,
    )


def too_small(owner: Any, size: int, needed: int) -> Replan:
    """A buffer was too small: it is to be a power of two that suffices."""
    wanted = max(needed, size + 1)
    return Replan(
        Decisions(sizes={owner: 1 << (wanted - 1).bit_length()}),
        f"'{owner}' has to hold as much as only the run tells",
    )
