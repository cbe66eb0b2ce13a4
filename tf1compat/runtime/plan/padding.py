"""Operations whose outputs' sizes hang on values, and that may be a part of an XLA program: their
outputs are padded, as nothing but what can do with that sees them (`core/padding.py`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.core.operation import Operation
from tf1compat.core.padding import IDS, PLACES, REFUSED, ROWS
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.decisions import Decisions
from tf1compat.runtime.plan.partition import Level, partition


def split(
    steps: list[Any],
    feeds: set[Tensor],
    decided: Decisions,
    fetches: Iterable[Tensor],
) -> tuple[list[Level], dict[Tensor, Operation]]:
    """`partition`, with as many operations as possible padded.

    Args:
      fetches: the tensors whose values are wanted, as TF has them.

    Returns:
      (the levels; the tensors with rows that are not meant, and the operation that knows how many
      are).
    """
    found = _found([op for op in steps if op not in decided.on_host], steps, feeds, set(fetches))
    while True:
        levels = partition(steps, feeds, decided, found)
        # A program knows how many rows are meant, but not the next one.
        parts = [set(level.device) for level in levels] if found else []
        apart = [op for op, (users, _) in found.items() if not any(part >= users for part in parts)]
        if not apart:
            return levels, _rows(found)
        for op in apart:
            del found[op]


def in_one(
    steps: list[Any], feeds: set[Tensor], fetches: Iterable[Tensor]
) -> dict[Tensor, Operation]:
    """As `split`, where all operations are parts of one program: the tensors with rows that are not
    meant."""
    return _rows(_found(steps, steps, feeds, set(fetches)))


_Found = dict[Operation, tuple[set[Any], list[Tensor]]]


def _found(
    candidates: list[Any], steps: list[Any], feeds: set[Tensor], fetches: set[Tensor]
) -> _Found:
    """What there is (see `_followed`) of each operation that may be padded."""
    found: _Found = {}
    for op in candidates:
        if getattr(op._spec, "padded", None) is not None:
            followed = _followed(op, steps, feeds, fetches)
            if followed is not None:
                found[op] = followed
    return found


def _rows(found: _Found) -> dict[Tensor, Operation]:
    return {tensor: op for op, (_, rows) in found.items() for tensor in rows}


def _followed(
    source: Operation, steps: list[Any], feeds: set[Tensor], fetches: set[Tensor]
) -> tuple[set[Any], list[Tensor]] | None:
    """What there is if the outputs of `source` are padded: the operations that see something of
    it, itself included, and the tensors with rows that are not meant. None if an operation can't
    do with that."""
    kinds: dict[Tensor, str] = {}
    users: set[Any] = set()
    for op in steps:
        given = [None if tensor in feeds else kinds.get(tensor) for tensor in op._inputs]
        if op is not source and {None, PLACES}.issuperset(given):
            continue
        padding = getattr(op._spec, "padding", None)
        made = REFUSED if padding is None else padding(op, given)
        if made is REFUSED:
            return None
        users.add(op)
        for tensor, kind in zip(op._outputs, made if isinstance(made, tuple) else (made,)):
            if kind is not None and tensor not in feeds:
                if kind != PLACES and tensor in fetches:
                    return None
                kinds[tensor] = kind
    return users, [tensor for tensor, kind in kinds.items() if kind in (IDS, ROWS)]
