"""Updates of variables, put off while a program is traced.

A table with a few other rows is kept as the table and the rows until something reads it. What
nothing reads is made at the end of the program, when it is known whether the run fails: then the
rows are sent out of range instead of choosing between two tables, and XLA changes the variable's
own array. Updates of whole variables are made there in one branch, which a run that fails does not
take: to choose between the old and the new array, XLA would keep both.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.runtime.trace.checks import Check

Change = Callable[..., Sequence[Any]]
# An index, and the rows that were there.
OldRows = tuple[tuple[Any, ...], Any]
# Elements from which a branch costs less than a choice for each.
_LARGE = 1 << 16


class Guard:
    """Has variables keep the values that the program found where the run fails.

    Args:
      checks: the run's checks; more may come.
      old: the variables that are to be kept, and their values.
      noted: the variables whose rows are noted before they change.
      by_branch: whether XLA takes branches without waiting for what chooses them.
    """

    def __init__(
        self,
        checks: list[Check],
        old: dict[Any, Any],
        noted: Container[Any] = (),
        by_branch: bool = False,
    ):
        self.noted = noted
        self.by_branch = by_branch
        self._checks = checks
        self._old = old
        self._failed: Any = None
        self._ok: Any = None
        self._counted = 0

    @property
    def failed(self) -> Any:
        """Which of the checks so far failed: a vector of bools; None if there are none."""
        if len(self._checks) > self._counted:
            flags = [check.failed for check in self._checks]
            self._failed = jnp.stack([jnp.any(flag) if np.ndim(flag) else flag for flag in flags])
            self._ok = jnp.logical_not(jnp.any(self._failed))
            self._counted = len(flags)
        return self._failed

    @property
    def ok(self) -> Any:
        """Whether the checks so far hold: a scalar bool; None if there are none."""
        return None if self.failed is None else self._ok

    def kept(self, key: Any, new: Any) -> Any:
        """What becomes of a variable: `new` where the checks so far hold, else the old value (where
        there is one that it replaces)."""
        old, ok = self.replaced(key, new), self.ok
        return new if ok is None or old is None or old is new else jnp.where(ok, new, old)

    def replaced(self, key: Any, new: Any) -> Any:
        """The old value that `new` replaces; None if there is none of its shape and dtype."""
        old = self._old.get(key)
        if old is None or old.shape != new.shape or old.dtype != new.dtype:
            return None
        return old


class Result(NamedTuple):
    """What an update gives.

    Attributes:
      values: the new values of the variables.
      ok: the old values are kept where this is false, as far as the update and those before it go.
      noted: for each variable whose rows are noted, the index and the rows there before.
    """

    values: Sequence[Any]
    ok: Any
    noted: dict[int, OldRows]


class Update:
    """What a `Context.update` does.

    Args:
      keys: the variables.
      bases: their values before, arrays or `Updated`.
      where, change, operands: see `Context.update`.
    """

    __slots__ = ("_bases", "_change", "_keys", "_operands", "_where")

    def __init__(
        self,
        keys: Sequence[Any],
        bases: Sequence[Any],
        where: tuple[Any, ...],
        change: Change,
        operands: tuple[Any, ...],
    ):
        self._keys = keys
        self._bases = bases
        self._where = where
        self._change = change
        self._operands = operands

    def result(self, done: dict[Update, Result], guard: Guard | None) -> Result:
        """What it gives.

        Args:
          done: the updates that were worked out, and what they gave; this one is added.
          guard: where its checks fail, nothing changes.
        """
        found = done.get(self)
        if found is not None:
            return found
        ok = given = None if guard is None else guard.ok
        tables = []
        for key, base in zip(self._keys, self._bases, strict=True):
            if type(base) is Updated:
                before = base.update.result(done, guard)
                base = before.values[base.index]
                ok = ok if before.ok is given else None
            elif guard is not None:
                base = guard.kept(key, base)
            tables.append(jnp.asarray(base))
        where = self._where
        if self.whole:
            ok = None
        elif given is not None:
            first = jnp.asarray(where[0])
            # Out of range, and different from each other as those in range may be said to be.
            outside = tables[0].shape[0] + jnp.arange(first.size, dtype=first.dtype)
            where = (jnp.where(given, first, outside), *where[1:])
        noted: dict[int, OldRows] = {}
        for i, key in enumerate(self._keys):
            if guard is not None and key in guard.noted and not self.whole:
                noted[i] = where, tables[i].at[where].get(mode="clip")
        for _, rows in noted.values():
            where = (_once_read(where[0], rows), *where[1:])
        found = done[self] = Result(self._change(tables, where, *self._operands), ok, noted)
        return found

    @property
    def whole(self) -> bool:
        """Whether it changes all elements."""
        return not self._where

    def base(self, index: int) -> Any:
        """A variable's value before, an array or `Updated`."""
        return self._bases[index]


def _once_read(index: Any, rows: Any) -> Any:
    """`index`, which is known once `rows` are: XLA would read them from a copy of the table if it
    could not see that they are read before others are written."""
    if np.issubdtype(rows.dtype, np.complexfloating):
        rows = rows.real
    if rows.size == 0:
        return index
    return jnp.where(jnp.min(rows) > jnp.max(rows), -1, index)  # It never is.


class Updated:
    """A variable's value: that of the variable number `index` of an update."""

    __slots__ = ("dtype", "index", "shape", "update")

    def __init__(self, update: Update, index: int):
        form = update.base(index)
        self.update = update
        self.index = index
        self.shape, self.dtype = np.shape(form), form.dtype


def last_values(made: dict[Any, Any], done: dict[Update, Result], guard: Guard) -> dict[Any, Any]:
    """What a program makes of variables, once all of its checks are known.

    Args:
      made: (variable, version) -> its value, which may be `Updated`.
      done: see `Update.result`.
      guard: keeps the old values where the run fails.
    """

    chosen = _by_branch(made, done, guard)

    def last(pair: Any, value: Any) -> Any:
        if pair in chosen:
            return chosen[pair]
        key = pair[0]
        if type(value) is not Updated:
            return guard.kept(key, value)
        result = value.update.result(done, guard)
        new = result.values[value.index]
        return new if result.ok is guard.ok else guard.kept(key, new)

    return {pair: last(pair, value) for pair, value in made.items()}


def _by_branch(made: dict[Any, Any], done: dict[Update, Result], guard: Guard) -> dict[Any, Any]:
    """(variable, version) -> its value, for those that a branch makes: see `last_values`."""
    if not guard.by_branch or guard.ok is None:
        return {}
    late, old = {}, {}
    for pair, value in made.items():
        if type(value) is Updated and value.update.whole and value.update not in done:
            found = guard.replaced(pair[0], value)
            if found is not None:
                late[pair], old[pair] = value, found
    if sum(value.size for value in old.values()) < _LARGE:
        return {}

    def change() -> list[Any]:
        within = dict(done)
        return [value.update.result(within, None).values[value.index] for value in late.values()]

    values = lax.cond(guard.ok, change, lambda: list(old.values()))
    return dict(zip(late, values, strict=True))


def rows_before(value: Any, found: Any, done: dict[Update, Result]) -> list[OldRows] | None:
    """What updates of rows, first to last, have replaced to make `value` of `found`; None if it is
    made in another way.

    Args:
      done: see `Update.result`; the last values are worked out.
    """
    rows = []
    while type(value) is Updated and not value.update.whole:
        rows.append(done[value.update].noted[value.index])
        value = value.update.base(value.index)
    return rows[::-1] if value is found else None


def update_now(refs: Sequence[Any], where: tuple[Any, ...], change: Change, operands: Any) -> None:
    """Does it at once, on the variables behind `refs`."""
    made = change([jnp.asarray(ref.read()) for ref in refs], where, *operands)
    for ref, value in zip(refs, made, strict=True):
        ref.assign(value)
