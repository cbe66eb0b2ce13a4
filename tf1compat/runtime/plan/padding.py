"""Operations whose outputs' sizes hang on values, and that may be a part of an XLA program: their
outputs are padded, as nothing but what can do with that sees them (`core/padding.py`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.padding import PLACES, REFUSED
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan.partition import Level, partition


def split(
    steps: list[Any],
    feeds: set[Tensor],
    cuts: set[tuple[Operation, int]],
    fetches: Iterable[Tensor],
) -> tuple[list[Level], set[Operation]]:
    """`partition`, with as many operations as possible padded.

    Args:
      fetches: the tensors whose values are wanted, as TF has them.

    Returns:
      (the levels; the operations whose outputs are padded).
    """
    users: dict[Operation, Collection[Any]] = {}
    for op in steps:
        if _may_be_padded(op):
            found = _users(op, steps, feeds, set(fetches))
            if found is not None:
                users[op] = found
    while True:
        levels = partition(steps, feeds, cuts, users)
        # A program knows how many rows are meant, but not the next one.
        parts = [set(level.device) for level in levels] if users else []
        apart = [
            op for op, found in users.items() if not any(part.issuperset(found) for part in parts)
        ]
        if not apart:
            return levels, set(users)
        for op in apart:
            del users[op]


def _may_be_padded(op: Any) -> bool:
    return getattr(op._spec, "padded", None) is not None


def _users(
    source: Operation, steps: list[Any], feeds: set[Tensor], fetches: set[Tensor]
) -> Collection[Any] | None:
    """The operations that see something padded if the outputs of `source` are, itself included;
    None if one of them can't do with that."""
    kinds: dict[Tensor, str] = {}
    found: dict[Any, None] = {}
    for op in steps:
        given = [None if tensor in feeds else kinds.get(tensor) for tensor in op._inputs]
        if op is not source and {None, PLACES}.issuperset(given):
            continue
        padding = getattr(op._spec, "padding", None)
        made = REFUSED if padding is None else padding(op, given)
        if made is REFUSED:
            return None
        found[op] = None
        for tensor, kind in zip(op._outputs, made if isinstance(made, tuple) else (made,)):
            if kind is not None and tensor not in feeds:
                if kind != PLACES and tensor in fetches:
                    return None
                kinds[tensor] = kind
    return found
