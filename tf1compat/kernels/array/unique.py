"""Ops whose output's size depends on values: coordinates of true elements, distinct elements, set
difference.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import at, jnp, lax
from tf1compat.core import shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.array.padded_rows import of_unique
from tf1compat.kernels.framework.common import refuse


@op("Where", host=True)
class Where:
    def shape(input: Any) -> Shape:
        return (None, None if input is None else len(input))

    def lower(input: Any, *, ctx: LoweringContext) -> Any:
        rank = np.ndim(input)
        if not 1 <= rank <= 8:
            refuse(ctx, f"WhereOp : Unhandled input dimensions: {rank}")
        return np.argwhere(np.asarray(input)).astype(np.int64)

    def fold(input: Any) -> np.ndarray | None:
        return np.argwhere(input).astype(np.int64) if 1 <= np.ndim(input) <= 8 else None


def _unique(x: Any, out_idx: Any) -> tuple[Any, Any, Any]:
    """(distinct values in order of appearance, which one each element is, how often each
    occurs).
    """
    values, first, inverse, counts = np.unique(
        np.asarray(x), return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    index = out_idx.as_numpy_dtype
    return values[order], rank[inverse.reshape(-1)].astype(index), counts[order].astype(index)


def _check_vector(x: Any, ctx: LoweringContext) -> None:
    if np.ndim(x) != 1:
        refuse(ctx, "unique expects a 1D vector.")


def _numbered(x: Any) -> tuple[Any, Any, Any]:
    """Of each element of a vector: whether it is the first of its kind, and the number of its kind
    in order of appearance; and how many kinds there are."""
    order = jnp.argsort(x, stable=True)
    ordered = x[order]
    turn = jnp.arange(x.size, dtype=order.dtype)
    is_new = at(jnp.ones(x.size, bool))[1:].set(ordered[1:] != ordered[:-1])
    first = order[lax.cummax(jnp.where(is_new, turn, 0))]  # The sort keeps equal ones in order.
    is_first = at(jnp.zeros(x.size, bool))[order].set(is_new)
    number = jnp.cumsum(is_first, dtype=order.dtype) - 1
    return is_first, at(number)[order].set(number[first]), jnp.sum(is_first)


@op("Unique", host=True, padding=of_unique)
class Unique:
    def shape(x: Any) -> Any:
        shapes.with_rank(x, 1)
        return [(None,), x]

    def lower(x: Any, *, out_idx: DType, ctx: LoweringContext) -> Any:
        _check_vector(x, ctx)
        return list(_unique(x, out_idx)[:2])

    def padded(x: Any, *, out_idx: DType, ctx: LoweringContext) -> Any:
        _check_vector(x, ctx)
        index = out_idx.as_numpy_dtype
        is_first, number, count = _numbered(x)
        meant = ctx.meant(0)
        if meant is not None:
            count = jnp.sum(is_first & (jnp.arange(x.size) < meant))
        ctx.pad(count)
        # What is in no table: from the largest number of a row that there can be downwards.
        none = (np.iinfo(np.int32).max - np.arange(x.size)).astype(x.dtype)
        place = jnp.where(is_first, number, x.size)
        return [at(jnp.asarray(none))[place].set(x, mode="drop"), number.astype(index)]

    def fold(x: Any, *, out_idx: DType) -> Any:
        return list(_unique(x, out_idx)[:2]) if x.ndim == 1 else None


@op("UniqueWithCounts", host=True)
class UniqueWithCounts:
    def shape(x: Any) -> Any:
        return [(None,), x, (None,)]

    def lower(x: Any, *, out_idx: DType, ctx: LoweringContext) -> Any:
        _check_vector(x, ctx)
        return list(_unique(x, out_idx))

    def fold(x: Any, *, out_idx: DType) -> Any:
        return list(_unique(x, out_idx)) if x.ndim == 1 else None


def _difference(x: np.ndarray, y: Any, out_idx: Any) -> list[np.ndarray]:
    """The elements of `x` that are not in `y`, and where they are."""
    kept = np.flatnonzero(~np.isin(x, y))
    return [x[kept], kept.astype(out_idx.as_numpy_dtype)]


def _unique_slices(x: Any, axis: Any, out_idx: Any, ctx: LoweringContext) -> tuple[Any, Any, Any]:
    """As `_unique`, of the slices of `x` along `axis` (a vector of no or one element)."""
    if np.ndim(axis) != 1:
        refuse(ctx, "axis expects a 1D vector.")
    if len(axis) > 1:
        refuse(ctx, "axis does not support input tensors larger than 1 elements")
    if not len(axis):
        if np.ndim(x) != 1:
            refuse(ctx, "unique expects a 1D vector.")
        return _unique(x, out_idx)
    at, rank = int(axis[0]), np.ndim(x)
    at += rank if at < 0 else 0
    if not 0 <= at < rank:
        refuse(ctx, f"axis has to be between [0, {rank})")
    rows: dict[Any, int] = {}
    moved = np.moveaxis(np.asarray(x), at, 0)
    which = [rows.setdefault(tuple(row.ravel().tolist()), len(rows)) for row in moved]
    index = np.array(which, out_idx.as_numpy_dtype)
    first = [which.index(i) for i in range(len(rows))]
    counts = np.bincount(index, minlength=len(rows)).astype(index.dtype)
    return np.moveaxis(moved[first], 0, at), index, counts


@op("UniqueV2", host=True)
class UniqueV2:
    def shape(x: Any, axis: Shape) -> Any:
        return [(None,), x]

    def lower(x: Any, axis: np.ndarray, *, out_idx: DType, ctx: LoweringContext) -> Any:
        return list(_unique_slices(x, axis, out_idx, ctx)[:2])


@op("UniqueWithCountsV2", host=True)
class UniqueWithCountsV2:
    def shape(x: Any, axis: Shape) -> Any:
        return [(None,), x, (None,)]

    def lower(x: Any, axis: np.ndarray, *, out_idx: DType, ctx: LoweringContext) -> Any:
        return list(_unique_slices(x, axis, out_idx, ctx))


@op("ListDiff", host=True)
class ListDiff:
    def shape(x: Any, y: Shape) -> Any:
        shapes.with_rank(x, 1)
        shapes.with_rank(y, 1)
        return [(None,), (None,)]

    def lower(x: Any, y: np.ndarray, *, out_idx: DType, ctx: LoweringContext) -> Any:
        for name, value in (("x", x), ("y", y)):
            if np.ndim(value) != 1:
                refuse(ctx, f"{name} should be a 1D vector.")
        return _difference(np.asarray(x), y, out_idx)

    def fold(x: Any, y: np.ndarray, *, out_idx: DType) -> Any:
        return _difference(x, y, out_idx) if x.ndim == y.ndim == 1 else None
