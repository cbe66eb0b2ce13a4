"""The flags of a program's source: which say under what branches its lines run."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable
from typing import Any


class Flags:
    """Flags, and what follows from what.

    Args:
      new: gives a new name that begins with a letter.
      write: writes a line that runs wherever the current loop does: its text, the operation that
        it belongs to (or None), and the names of the values that it uses.

    Attributes:
      names: what is said -> the name of what says it. Those of an iteration are its own: who
        writes a loop changes it for that time.
    """

    def __init__(self, new: Callable[[str], str], write: Callable[[str, Any, Iterable[str]], None]):
        self.names: dict[Any, str] = {}
        self._new = new
        self._write = write
        self._sides: dict[str, tuple[str | None, str, int]] = {}
        self._alike: dict[tuple[str, int], list[str]] = {}  # of one predicate and side
        # Which flags are set if a flag is: sums of bits, as there may be thousands inside another.
        self._implied: dict[str, int] = {}
        self._bits: dict[str, int] = {}

    def _new_flag(self, key: Any, implied: int) -> str:
        """A new flag.

        Args:
          key: of what it says.
          implied: the flags that are set if it is, as a sum of their bits.
        """
        flag = self.names[key] = self._new("g")
        self._implied[flag] = implied
        self._bits[flag] = 1 << len(self._bits)
        return flag

    def with_implied(self, flag: str) -> int:
        """The flags that are set if this one is, itself among them, as a sum of their bits."""
        return self._implied[flag] | self._bits[flag]

    def is_among(self, flag: str, implied: int) -> bool:
        """Whether a flag is one of those in a sum of bits."""
        return bool(implied & self._bits[flag])

    def all(self, guards: Iterable[str | None]) -> str | None:
        """The flag that is set if all of `guards` are."""
        found = {guard for guard in guards if guard is not None}
        for guard in list(found):
            bit = self._bits[guard]
            if any(self._implied[other] & bit for other in found if other != guard):
                found.discard(guard)
        if len(found) < 2:
            return next(iter(found), None)
        ordered = sorted(found)
        key = ("all", *ordered)
        flag = self.names.get(key)
        if flag is None:
            above = functools.reduce(operator.or_, map(self.with_implied, found))
            flag = self._new_flag(key, above)
            self._write(f"{flag} = {' and '.join(ordered)}", None, ())
        return flag

    def any(self, guards: list[str | None]) -> str | None:
        """The flag that is set if one of `guards` is."""
        found = list(dict.fromkeys(guards))
        if None in found:
            return None
        flags: list[str] = found  # pyright: ignore[reportAssignmentType]
        while len(flags) > 1:
            pair = self._complements(flags)
            if pair is None:
                break
            outer = self._sides[pair[0]][0]
            if outer is None:
                return None
            flags = [outer, *(flag for flag in flags if flag not in pair)]
        if len(flags) == 1:
            return flags[0]
        key = ("any", *sorted(flags))
        flag = self.names.get(key)
        if flag is None:
            common = functools.reduce(operator.and_, map(self.with_implied, flags))
            flag = self._new_flag(key, common)
            self._write(f"{flag} = {' or '.join(flags)}", None, ())
        return flag

    def _complements(self, flags: list[str]) -> tuple[str, str] | None:
        """Two flags of which exactly one is set, if what is around them runs."""
        for one in flags:
            side = self._sides.get(one)
            for other in flags if side else ():
                if self._sides.get(other) == (side[0], side[1], 1 - side[2]):  # pyright: ignore
                    return one, other
        return None

    def side(self, op: Any, pred: str, outer: str | None, side: int) -> str:
        """The flag of one side of a Switch.

        Args:
          op: the Switch.
          pred: the name of its predicate.
          outer: the flag under which it runs.
          side: 1 where the predicate is true, else 0.
        """
        key = (outer, pred, side)
        flag = self.names.get(key)
        if flag is None:
            above = 0 if outer is None else self.with_implied(outer)
            alike = self._alike.setdefault((pred, side), [])
            if outer is not None and any(self.is_among(other, above) for other in alike):
                return outer  # On this side of the same predicate already.
            flag = self._new_flag(key, above)
            alike.append(flag)
            self._sides[flag] = key
            other = self.names.get((outer, pred, 1 - side))
            test = f"truth({pred})" if side else f"not truth({pred})"
            if other is not None:
                test = f"not {other}"
            within = "" if outer is None else f"{outer} and "
            self._write(f"{flag} = {within}{test}", op, (pred,))
        return flag
