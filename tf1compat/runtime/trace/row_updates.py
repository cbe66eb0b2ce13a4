"""Updates of some elements of variables, put off while a program is traced.

A table with a few other rows is kept as the table and the rows until something reads it. What
nothing reads is made at the end of the program, when it is known whether the run fails: then the
rows are sent out of range instead of choosing between two tables, so XLA changes the variable's own
array.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

Change = Callable[..., Sequence[Any]]


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

    def results(
        self,
        done: dict[Update, Sequence[Any]],
        ok: Any = None,
        keep: Callable[[Any, Any], Any] | None = None,
    ) -> Sequence[Any]:
        """The new values of the variables.

        Args:
          done: the updates that were worked out so, and what they gave; this one is added.
          ok: a scalar bool; where it is false nothing changes. None: true.
          keep: with `ok`, gives what a value of a variable becomes, which is no `Updated`.
        """
        found = done.get(self)
        if found is not None:
            return found
        tables = []
        for key, base in zip(self._keys, self._bases, strict=True):
            if type(base) is Updated:
                base = base.update.results(done, ok, keep)[base.index]
            elif keep is not None:
                base = keep(key, base)
            tables.append(jnp.asarray(base))
        where = self._where
        if ok is not None:
            first = jnp.asarray(where[0])
            # Out of range, and different from each other as those in range may be said to be.
            outside = tables[0].shape[0] + jnp.arange(first.size, dtype=first.dtype)
            where = (jnp.where(ok, first, outside), *where[1:])
        found = done[self] = self._change(tables, where, *self._operands)
        return found

    def form(self, index: int) -> Any:
        """What has the shape and the dtype of a new value."""
        return self._bases[index]


class Updated:
    """A variable's value: that of the variable number `index` of an update."""

    __slots__ = ("dtype", "index", "shape", "update")

    def __init__(self, update: Update, index: int):
        form = update.form(index)
        self.update = update
        self.index = index
        self.shape, self.dtype = np.shape(form), form.dtype


def update_now(refs: Sequence[Any], where: tuple[Any, ...], change: Change, operands: Any) -> None:
    """Does it at once, on the variables behind `refs`."""
    made = change([jnp.asarray(ref.read()) for ref in refs], where, *operands)
    for ref, value in zip(refs, made, strict=True):
        ref.assign(value)
