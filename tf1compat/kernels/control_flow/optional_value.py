"""What an optional is while a program is traced: some values, or none."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend import jax, jnp
from tf1compat.core import dtypes, shapes
from tf1compat.kernels.control_flow.stack import _Known
from tf1compat.kernels.control_flow.tensor_list_value import _value, is_array, zeros_like
from tf1compat.kernels.framework.common import jnp_dtype


class Alternative(NamedTuple):
    """Values that an optional may have.

    Attributes:
      there: whether it has them; a bool, or computed.
      values: arrays, `_Known` values, lists or optionals.
      sides: the (predicate, side)s of the branches that made them.
    """

    there: Any
    values: tuple[Any, ...]
    sides: frozenset[Any] = frozenset()

    @property
    def key(self) -> Any:
        """What tells it from others: its origin, and the form of its values."""
        leaves, tree = jax.tree.flatten(self.values)
        forms = tuple((np.shape(leaf), np.dtype(leaf.dtype)) for leaf in leaves)
        return self.sides, tree, forms


@jax.tree_util.register_pytree_node_class
class OptionalValue:
    """Some values, or none.

    The branches of a conditional give values of different forms: then there is an alternative for
    each, of which at most one is there. Where the predicate is assumed, as in the branches of the
    gradient, one is left.

    Args:
      alternatives: the values that there may be.
    """

    __array_ufunc__ = None

    def __init__(self, alternatives: tuple[Alternative, ...]):
        self.alternatives = alternatives

    @classmethod
    def of(cls, values: Any) -> OptionalValue:
        """The optional that has `values`."""
        kept = tuple(_Known(v) if isinstance(v, np.ndarray | np.generic) else v for v in values)
        return cls((Alternative(True, kept),))

    def tree_flatten(self) -> tuple[tuple[Any, ...], Any]:
        """The parts that a program carries, and those that are part of its structure."""
        leaves, static = [], []
        for there, values, sides in self.alternatives:
            fixed = isinstance(there, bool)
            leaves.append((None if fixed else there, values))
            static.append((there if fixed else None, sides))
        return tuple(leaves), tuple(static)

    @classmethod
    def tree_unflatten(cls, static: Any, leaves: tuple[Any, ...]) -> OptionalValue:
        """See `tree_flatten`."""
        return cls(
            tuple(
                Alternative(there if fixed is None else fixed, values, sides)
                for (there, values), (fixed, sides) in zip(leaves, static, strict=True)
            )
        )

    def has_value(self) -> Any:
        """Whether there are values: known, or computed."""
        if any(each.there is True for each in self.alternatives):
            return np.array(True)
        found: Any = np.array(False)
        for there, _, _ in self.alternatives:
            if there is not False:
                found = jnp.logical_or(found, there)
        return found

    def values(self, wanted_dtypes: Any, wanted_shapes: Any) -> list[Any] | None:
        """The values, of these dtypes and partly known shapes; None if no alternative has such.

        Raises:
          NotImplementedError: there are several alternatives, of different shapes.
        """
        fitting = [
            each
            for each in self.alternatives
            if each.there is not False
            and len(each.values) == len(wanted_dtypes)
            and all(map(_fits, each.values, wanted_dtypes, wanted_shapes))
        ]
        if not fitting:
            return None
        first, *others = fitting
        found = [_value(value) for value in first.values]
        if all(each.values == first.values for each in others if _all_known(each.values)):
            others = [each for each in others if not _all_known(each.values)]
        for each in others:
            for i, value in enumerate(map(_value, each.values)):
                if not is_array(value) or np.shape(value) != np.shape(found[i]):
                    raise NotImplementedError(
                        "An optional that has values of different shapes in the branches of a "
                        "conditional in a loop is not supported by tf1compat yet"
                    )
                found[i] = jnp.where(each.there, value, found[i])
        return found

    def like_zeros(self) -> OptionalValue:
        """Zeros in place of the values."""
        return OptionalValue(
            tuple(
                each._replace(values=tuple(zeros_like(_value(value)) for value in each.values))
                for each in self.alternatives
            )
        )

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, OptionalValue):
            return self
        found = []
        for each in self.alternatives:
            more = [o for o in other.alternatives if o.sides == each.sides]
            values = each.values
            if more and len(more[0].values) == len(values):
                values = tuple(
                    _value(a) + _value(b) for a, b in zip(values, more[0].values, strict=True)
                )
            found.append(each._replace(values=values))
        return OptionalValue(tuple(found))

    __radd__ = __add__

    # What branches and loops ask.

    def made_in(self, pred: Any, side: int) -> OptionalValue:
        """This optional as the result of a branch."""
        return OptionalValue(
            tuple(each._replace(sides=each.sides | {(pred, side)}) for each in self.alternatives)
        )

    def seen_in(self, pred: Any, side: int) -> OptionalValue:
        """This optional where a predicate is assumed."""
        found = []
        for each in self.alternatives:
            if (pred, 1 - side) in each.sides:
                continue
            values = tuple(
                value.seen_in(pred, side) if hasattr(value, "seen_in") else value
                for value in each.values
            )
            sides = each.sides - {(pred, side)}
            decided = len(sides) < len(each.sides) and not sides
            found.append(Alternative(True if decided else each.there, values, sides))
        return OptionalValue(tuple(found))

    def alike(self, other: Any) -> OptionalValue:
        """This optional in the form that it has in common with `other`, of which the form is
        given."""
        if not isinstance(other, OptionalValue):
            return self
        own = {each.key: each for each in self.alternatives}
        every = {each.key: each for each in (*self.alternatives, *other.alternatives)}
        found = []
        for key in sorted(every, key=repr):
            each = own.get(key)
            if each is None:
                values = jax.tree.map(lambda x: jnp.zeros(x.shape, x.dtype), every[key].values)
                each = Alternative(jnp.asarray(False), values, every[key].sides)
            else:
                values = jax.tree.map(jnp.asarray, each.values)
                each = Alternative(jnp.asarray(each.there), values, each.sides)
            found.append(each)
        return OptionalValue(tuple(found))

    def in_loop(self, after: Any, iterations: Any) -> OptionalValue:
        """This optional in the form in which a loop carries it."""
        return self.alike(after)

    def blank(self) -> OptionalValue:
        """An optional without values."""
        return OptionalValue(())


def _all_known(values: tuple[Any, ...]) -> bool:
    return all(isinstance(value, _Known) for value in values)


def _fits(value: Any, dtype: Any, shape: Any) -> bool:
    value = _value(value)
    if dtype is dtypes.variant:
        return not is_array(value)
    if not is_array(value) or np.dtype(value.dtype) != np.dtype(jnp_dtype(dtype)):
        return False
    return shapes.compatible(np.shape(value), shape)
