"""Sets in the last dimension of tensors, dense or sparse."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.sparse.sparse import check_order, check_parts, sparse_shapes

_OPERATIONS: dict[str, Callable[[set[Any], set[Any]], set[Any]]] = {
    "a-b": lambda a, b: a - b,
    "b-a": lambda a, b: b - a,
    "intersection": lambda a, b: a & b,
    "union": lambda a, b: a | b,
}


Groups = dict[tuple[int, ...], set[Any]]


def _operate(
    a: Groups, b: Groups, shape: tuple[int, ...], operation: str, dtype: Any
) -> list[np.ndarray]:
    """[indices, values, dense shape] of the sorted sets that an operation makes of groups."""
    combine = _OPERATIONS[operation]
    indices: list[tuple[int, ...]] = []
    values: list[Any] = []
    longest = 0
    nothing: set[Any] = set()
    for group in sorted(a.keys() | b.keys()):
        found = sorted(combine(a.get(group, nothing), b.get(group, nothing)))
        longest = max(longest, len(found))
        indices += [(*group, i) for i in range(len(found))]
        values += found
    return [
        np.array(indices, np.int64).reshape(len(indices), len(shape) + 1),
        np.array(values, dtype),
        np.array([*shape, longest], np.int64),
    ]


def _dense_groups(x: Any) -> Groups:
    return {group: set(x[group].tolist()) for group in np.ndindex(*x.shape[:-1])}


def _sparse_groups(indices: Any, values: Any) -> Groups:
    groups: Groups = {}
    for row, value in zip(np.asarray(indices).tolist(), values.tolist(), strict=True):
        groups.setdefault(tuple(row[:-1]), set()).add(value)
    return groups


def _check_sparse(
    indices: Any, values: Any, shape: Any, set_operation: str | None, ctx: LoweringContext
) -> None:
    if np.ndim(indices) == 2 and np.ndim(values) != 1:
        refuse(ctx, f"vals must be a vec, but got: {text_of_shape(values)}")
    # TF checks the order whatever `validate_indices` says.
    check_parts(indices, values, shape, ctx)
    if set_operation is not None:
        _check_operation(set_operation, ctx)
    check_order(indices, shape.tolist(), ctx)


def _same_rank(rank: int | None, first: int | None) -> int | None:
    """The rank of two sets; that of the first decides."""
    return rank if first is None else shapes.dim_with_value(rank, first)


def _check_rank(shape: Any, ctx: LoweringContext) -> None:
    if len(shape) < 2:
        refuse(ctx, f"Invalid rank {len(shape)}.")


def _check_operation(set_operation: str, ctx: LoweringContext) -> None:
    if set_operation not in _OPERATIONS:
        refuse(ctx, f"Invalid set_operation {set_operation}.")


def _check_groups(first: tuple[int, ...], second: tuple[int, ...], ctx: LoweringContext) -> None:
    """Refuses sets whose shapes differ in more than the last dimension."""
    for shape in (first, second):
        if len(shape) < 2:
            refuse(ctx, f"Shape {shapes.to_string(shape)} has rank {len(shape)} < 2")
    if first[:-1] != second[:-1]:
        groups = [shapes.to_string(shape[:-1]) for shape in (first, second)]
        refuse(ctx, f"Mismatched shapes {groups[0]} vs {groups[1]}")


@op("DenseToDenseSetOperation", host=True)
class DenseToDenseSetOperation:
    def shape(set1: Any, set2: Shape) -> Any:
        known = shapes.with_rank_at_least(set2 if set1 is None else set1, 2)
        rank = None if known is None else len(known)
        if set1 is not None and set2 is not None:
            shapes.merge(set1[:-1], shapes.with_rank(set2, len(set1))[:-1])
        return [(None, rank), (None,), (rank,)]

    def lower(set1: Any, set2: np.ndarray, *, set_operation: str, ctx: LoweringContext) -> Any:
        _check_operation(set_operation, ctx)
        set1, set2 = np.asarray(set1), np.asarray(set2)
        _check_groups(set1.shape, set2.shape, ctx)
        return _dense(set1, set2, set_operation)

    def fold(set1: Any, set2: np.ndarray, *, set_operation: str) -> Any:
        fits = set1.shape[:-1] == set2.shape[:-1] and set1.ndim > 1
        known = set_operation in _OPERATIONS
        return _dense(set1, set2, set_operation) if fits and known else None


def _dense(set1: Any, set2: Any, operation: str) -> list[np.ndarray]:
    groups = _dense_groups(set1), _dense_groups(set2)
    return _operate(*groups, set1.shape[:-1], operation, set1.dtype)


@op("DenseToSparseSetOperation", host=True)
class DenseToSparseSetOperation:
    def shape(set1: Any, set2_indices: Shape, set2_values: Shape, set2_shape: Shape) -> Any:
        rank = sparse_shapes(set2_indices, set2_values, set2_shape)[1]
        set1 = shapes.with_rank_at_least(set1, 2)
        rank = _same_rank(rank, None if set1 is None else len(set1))
        return [(None, rank), (None,), (rank,)]

    def lower(
        set1: Any, set2_indices: np.ndarray, set2_values: np.ndarray, set2_shape: np.ndarray,
        *, set_operation: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_sparse(set2_indices, set2_values, set2_shape, set_operation, ctx)
        set1 = np.asarray(set1)
        _check_rank(set2_shape, ctx)
        _check_groups(set1.shape, tuple(set2_shape.tolist()), ctx)
        groups = _dense_groups(set1), _sparse_groups(set2_indices, set2_values)
        return _operate(*groups, set1.shape[:-1], set_operation, set1.dtype)


@op("SparseToSparseSetOperation", host=True)
class SparseToSparseSetOperation:
    def shape(
        set1_indices: Any, set1_values: Shape, set1_shape: Shape, set2_indices: Shape,
        set2_values: Shape,
        set2_shape: Shape,
    ) -> Any:  # fmt: skip
        rank = sparse_shapes(set1_indices, set1_values, set1_shape)[1]
        if rank is not None and rank < 2:
            raise ShapeError(f"Input 0, expected rank >= 2, got {rank}.")
        rank = _same_rank(sparse_shapes(set2_indices, set2_values, set2_shape)[1], rank)
        return [(None, rank), (None,), (rank,)]

    def lower(
        set1_indices: Any, set1_values: np.ndarray, set1_shape: np.ndarray,
        set2_indices: np.ndarray, set2_values: np.ndarray,
        set2_shape: np.ndarray, *, set_operation: str, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_sparse(set1_indices, set1_values, set1_shape, set_operation, ctx)
        first, second = tuple(set1_shape.tolist()), tuple(set2_shape.tolist())
        _check_rank(first, ctx)
        _check_rank(second, ctx)
        _check_groups(first, second, ctx)
        _check_sparse(set2_indices, set2_values, set2_shape, set_operation, ctx)
        groups = (
            _sparse_groups(set1_indices, set1_values),
            _sparse_groups(set2_indices, set2_values),
        )
        return _operate(*groups, first[:-1], set_operation, set1_values.dtype)


@op("SetSize", host=True)
class SetSize:
    def shape(set_indices: Any, set_values: Shape, set_shape: Shape) -> Shape:
        return None

    def lower(
        set_indices: Any, set_values: np.ndarray, set_shape: np.ndarray, *, ctx: LoweringContext
    ) -> Any:
        _check_sparse(set_indices, set_values, set_shape, None, ctx)
        _check_rank(set_shape, ctx)
        sizes = np.zeros(set_shape[:-1], np.int32)
        for group, values in _sparse_groups(set_indices, set_values).items():
            sizes[group] = len(values)
        return sizes


not_differentiable(
    "DenseToDenseSetOperation", "DenseToSparseSetOperation", "SparseToSparseSetOperation", "SetSize"
)
