"""Sets in the last dimension of dense tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import ShapeError

_OPERATIONS: dict[str, Callable[[set[Any], set[Any]], set[Any]]] = {
    "a-b": lambda a, b: a - b,
    "b-a": lambda a, b: b - a,
    "intersection": lambda a, b: a & b,
    "union": lambda a, b: a | b,
}


def _operate(a: Any, b: Any, operation: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(indices, values, dense shape) of the sorted sets that an operation makes of rows."""
    combine = _OPERATIONS[operation]
    groups = a.shape[:-1]
    indices: list[tuple[int, ...]] = []
    values: list[Any] = []
    longest = 0
    for group in np.ndindex(*groups):
        found = sorted(combine(set(a[group].tolist()), set(b[group].tolist())))
        longest = max(longest, len(found))
        indices += [(*group, i) for i in range(len(found))]
        values += found
    return (
        np.array(indices, np.int64).reshape(len(indices), a.ndim),
        np.array(values, a.dtype),
        np.array([*groups, longest], np.int64),
    )


@op("DenseToDenseSetOperation", host=True)
class DenseToDenseSetOperation:
    def shape(set1: Any, set2: Any, *, set_operation: str) -> Any:
        rank = None
        if set1 is not None and set2 is not None:
            rank = len(set1)
            if rank < 2:
                raise ShapeError(f"Input 0, expected rank >= 2, got {rank}.")
            if len(set2) != rank:
                raise ShapeError(
                    f"Ranks do not match: input 0 has rank {rank}, input 1 has rank {len(set2)}"
                )
            shapes.merge(set1[:-1], set2[:-1])
        elif (known := set2 if set1 is None else set1) is not None:
            rank = len(known)
            if rank < 2:
                raise ShapeError(
                    f"Input {0 if set1 is not None else 1}, expected rank >= 2, got {rank}."
                )
        return [(None, rank), (None,), (rank,)]

    def lower(set1: Any, set2: Any, *, set_operation: str, ctx: Any) -> Any:
        set1, set2 = np.asarray(set1), np.asarray(set2)
        if set1.shape[:-1] != set2.shape[:-1]:
            groups = [shapes.to_string(value.shape[:-1]) for value in (set1, set2)]
            text = f"Mismatched shapes {groups[0]} vs {groups[1]}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return _operate(set1, set2, set_operation)

    def fold(set1: Any, set2: Any, *, set_operation: str) -> Any:
        return _operate(set1, set2, set_operation) if set1.shape[:-1] == set2.shape[:-1] else None


not_differentiable("DenseToDenseSetOperation")
