"""Reducing segments: runs of rows with the same segment id, sorted or not, gathered first or not.

Without a given number of segments the output's size is a value (the last id): such ops run on the
host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.backend import at, in_place, jnp, lax
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.op_registry import gradient, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array import padded_rows
from tf1compat.kernels.framework.common import in_range, known, refuse, scalar_dim, text_of_shape

Array = Any


def _refuse(ctx: LoweringContext, unless: Any, text: str) -> None:
    if not unless:
        refuse(ctx, text)


# Sorted segments.


def _sorted_shape(data: Shape, segment_ids: Shape) -> Shape:
    data = shapes.with_rank_at_least(data, 1)
    shapes.with_rank(segment_ids, 1)
    return None if data is None else (None, *data[1:])


_NUMPY = {
    "Sum": (np.add, 0),
    "Mean": (np.add, 0),
    "Prod": (np.multiply, 1),
    "Min": (np.minimum, 0),
    "Max": (np.maximum, 0),
}


def _reduce_sorted(data: np.ndarray, ids: np.ndarray, count: int, how: str) -> np.ndarray:
    """Reduces rows to `count` segments; segments without rows get the op's default."""
    combine, default = _NUMPY[how]
    output = np.full((count, *data.shape[1:]), default, data.dtype)
    if ids.size:
        starts = np.concatenate([[0], np.flatnonzero(ids[1:] != ids[:-1]) + 1])
        output[ids[starts]] = combine.reduceat(data, starts, axis=0, dtype=data.dtype)
        if how == "Mean":
            sizes = np.diff(starts, append=ids.size).astype(data.dtype)
            sizes = sizes.reshape((-1, *[1] * (data.ndim - 1)))
            sums = output[ids[starts]]
            if data.dtype.kind in "iu":  # C++'s division, towards 0
                means = sums // sizes
                means += (sums < 0) & (means * sizes != sums)
            else:
                means = sums / sizes
            output[ids[starts]] = means
    return output


def _check_order(ctx: LoweringContext, ids: np.ndarray, count: int) -> None:
    """Refuses what is wrong with the first segment with which something is, as TF does, which
    looks at the id that follows before it writes a segment."""
    if not ids.size:
        return
    ends = np.append(ids[1:] != ids[:-1], True)
    falls = np.append(ids[1:] < ids[:-1], False)
    outside = (ids < 0) | (ids >= count)
    for wrong in np.flatnonzero(ends & (falls | outside))[:1]:
        _refuse(ctx, not falls[wrong], "segment ids are not increasing")
        text = (
            f"Segment id {ids[wrong]} out of range [0, {count}), possibly because 'segment_ids' "
            "input is not sorted."
        )
        _refuse(ctx, False, text)


def _sorted_reduction(how: str) -> None:
    def lower(data: Any, segment_ids: Any, *, ctx: LoweringContext) -> Any:
        _refuse(ctx, segment_ids.ndim == 1, "segment_ids should be a vector.")
        _refuse(
            ctx,
            data.ndim >= 1 and data.shape[0] == segment_ids.size,
            "segment_ids should be the same size as dimension 0 of input.",
        )
        count = int(segment_ids[-1]) + 1 if segment_ids.size else 0
        _refuse(ctx, count > 0 or not segment_ids.size, "segment ids must be >= 0")
        _check_order(ctx, segment_ids, count)
        return _reduce_sorted(data, segment_ids, count, how)

    def traced(data: Any, segment_ids: Any, *, ctx: LoweringContext) -> Any:
        if known(data) and known(segment_ids):
            return lower(data, segment_ids, ctx=ctx)
        count = _how_many(segment_ids, ctx)
        data, ids = jnp.asarray(data), jnp.asarray(segment_ids)
        if ids.size:
            _check_sorted(ctx, ids, count)
        return _reduce_traced(data, ids, count, how)

    register(f"Segment{how}", shape=_sorted_shape, lower=lower, traced=traced, host=True)


# Unsorted segments.


def _unsorted_shape(data: Shape, segment_ids: Shape, num_segments: Shape, *, op: Any) -> Shape:
    shapes.with_rank(num_segments, 0)
    if segment_ids is None:
        return None
    data, _ = shapes.merge_prefix(data, segment_ids)
    count = scalar_dim(op, 2)
    return None if data is None else (count, *data[len(segment_ids) :])


def _lowest(dtype: Any) -> Any:
    return jnp.finfo(dtype).min if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return jnp.finfo(dtype).max if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).max


_MODE: dict[str, Any] = {"mode": "drop", "wrap_negative_indices": False}
# What empty segments hold, and how values are combined.
_SCATTER: dict[str, tuple[Any, Any]] = {
    "Sum": (lambda dtype: 0, lambda place, values: place.add(values, **_MODE)),
    "Prod": (lambda dtype: 1, lambda place, values: place.multiply(values, **_MODE)),
    "Min": (_highest, lambda place, values: place.min(values, **_MODE)),
    "Max": (_lowest, lambda place, values: place.max(values, **_MODE)),
}


def _check_ids(ctx: LoweringContext, ids: Array, count: int, shape: tuple[int, ...]) -> None:
    if not ids.size or (known(ids) and in_range(ids, count)):
        return
    bad = ids >= count
    first = jnp.argmax(bad)

    def text(at: Any, value: Any) -> str:
        index = np.unravel_index(int(at), shape) if shape else ()
        place = "[" + ",".join(str(i) for i in index) + "]" if shape else ""
        return f"segment_ids{place} = {int(value)} is out of range [0, {count})"

    ctx.check(~jnp.any(bad), errors.InvalidArgumentError, text, at=first, value=ids[first])


def _unsorted_reduction(how: str) -> None:
    initial, scatter = _SCATTER[how]

    def lower(data: Array, segment_ids: Array, num_segments: Any, *, ctx: LoweringContext) -> Array:
        _refuse(
            ctx,
            num_segments.ndim == 0,
            f"num_segments should be a scalar, not shape {text_of_shape(num_segments)}",
        )
        shape, ids_shape = np.shape(data), np.shape(segment_ids)
        _refuse(
            ctx,
            shape[: len(ids_shape)] == ids_shape,
            f"data.shape = {text_of_shape(data)} does not start with segment_ids.shape = "
            f"{text_of_shape(segment_ids)}",
        )
        count = int(num_segments)
        _refuse(ctx, count >= 0, f"Input num_segments == {count} must not be negative.")
        data, ids = jnp.asarray(data), jnp.ravel(segment_ids)
        rest = shape[len(ids_shape) :]
        _check_ids(ctx, ids, count, ids_shape)
        empty = jnp.full((count, *rest), initial(data.dtype), data.dtype)
        return scatter(in_place(empty)[ids], data.reshape((ids.size, *rest)))

    def on_numpy(data: Any, segment_ids: Any, num_segments: Any, *, ctx: LoweringContext) -> Any:
        depth = segment_ids.ndim
        fits = not num_segments.ndim and data.shape[:depth] == segment_ids.shape
        if not fits or not in_range(segment_ids, count := num_segments.item()):
            return lower(data, segment_ids, num_segments, ctx=ctx)  # Refused, or rows are dropped.
        rest = data.shape[depth:]
        found = np.zeros((count, *rest), data.dtype)
        return in_place(found)[segment_ids.reshape(-1)].add(data.reshape((-1, *rest)))

    def fold(data: Any, segment_ids: Any, num_segments: Any) -> Any:
        combine = {"Sum": np.add, "Prod": np.multiply, "Min": np.minimum, "Max": np.maximum}[how]
        rest = data.shape[segment_ids.ndim :]
        found = np.full((int(num_segments), *rest), np.asarray(initial(data.dtype)), data.dtype)
        kept = segment_ids >= 0
        combine.at(found, segment_ids[kept], data[kept])
        return found

    register(
        f"UnsortedSegment{how}",
        shape=_unsorted_shape,
        lower=lower,
        numpy=on_numpy if how == "Sum" else None,
        fold=fold,
        const=(2,),
        autodiff=how == "Sum",
        padding=padded_rows.of_segments,
    )


for _how in _SCATTER:
    _unsorted_reduction(_how)


# Segments of traced values.


def _how_many(segment_ids: Any, ctx: LoweringContext) -> int:
    """How many segments sorted ids make: what the last of them says, if it is known."""
    if not known(segment_ids):
        return ctx.most_segments()
    return int(segment_ids[-1]) + 1 if segment_ids.size else 0


def _check_sorted(ctx: LoweringContext, ids: Array, count: int) -> None:
    """Fails the run with TF's texts unless ids are sorted and in range."""
    error = errors.InvalidArgumentError
    ctx.check(ids[-1] < count, error, "segment ids must be < num_segments")
    ctx.check(jnp.all(ids[1:] >= ids[:-1]), error, "segment ids are not increasing")
    ctx.check(
        ids[0] >= 0,
        error,
        f"Segment id {{first}} out of range [0, {count}), possibly because 'segment_ids' input is "
        "not sorted.",
        first=ids[0],
    )


def _reduce_traced(data: Array, ids: Array, count: int, how: str) -> Array:
    """`_reduce_sorted` of JAX's arrays."""
    initial, scatter = _SCATTER["Sum" if how == "Mean" else how]
    start = jnp.full((count, *data.shape[1:]), initial(data.dtype), data.dtype)
    found = scatter(at(start)[ids], data)
    if how == "Mean":  # Of integers it is C++'s division, towards 0, too.
        return lax.div(found, jnp.broadcast_to(_segment_sizes(ids, count, found, how), found.shape))
    if how in ("Min", "Max"):
        is_empty = at(jnp.ones(count, bool))[ids].set(False, **_MODE)
        is_empty = is_empty.reshape((-1, *[1] * (data.ndim - 1)))
        return jnp.where(is_empty, jnp.zeros_like(found), found)
    return found


for _how in _NUMPY:
    _sorted_reduction(_how)


# Rows that indices name.


def _sparse_shape(data: Shape, indices: Shape, segment_ids: Shape) -> Shape:
    data = shapes.with_rank_at_least(data, 1)
    indices = shapes.with_rank(indices, 1)
    shapes.merge(indices, shapes.with_rank(segment_ids, 1))
    return None if data is None else (None, *data[1:])


def _sparse_counted_shape(
    data: Shape, indices: Shape, segment_ids: Shape, num_segments: Shape, *, op: Any
) -> Shape:
    found = _sparse_shape(data, indices, segment_ids)
    shapes.with_rank(num_segments, 0)
    count = op.const_input(3)
    if count is not None and count < 0:
        raise ShapeError("Cannot specify a negative value for num_segments")
    return None if found is None else (None if count is None else int(count), *found[1:])


def _check_sparse(ctx: LoweringContext, data: Any, indices: Any, segment_ids: Any) -> None:
    _refuse(ctx, indices.ndim == 1, "indices should be a vector.")
    _refuse(ctx, segment_ids.ndim == 1, "segment_ids should be a vector.")
    _refuse(ctx, indices.size == segment_ids.size, "segment_ids and indices should have same size.")


def _check_counted(ctx: LoweringContext, ids: Array, indices: Array, count: int, rows: int) -> None:
    """Fails the run with TF's texts unless sorted ids and indices are in range."""
    _check_sorted(ctx, ids, count)
    bad = (indices < 0) | (indices >= rows)
    at = jnp.argmax(bad)
    text = f"Bad: indices[{{at}}] == {{index}} out of range [0, {rows})"
    ctx.check(~jnp.any(bad), errors.InvalidArgumentError, text, at=at, index=indices[at])


def _segment_sizes(ids: Array, count: int, like: Array, how: str) -> Array:
    """How many rows each segment has (for SqrtN its root), at least 1, shaped to divide `like`."""
    ones = jnp.ones(ids.shape, like.dtype)
    sizes = at(jnp.zeros(count, like.dtype))[ids].add(ones, **_MODE)
    sizes = jnp.maximum(sizes, jnp.ones_like(sizes))
    sizes = sizes if how == "Mean" else jnp.sqrt(sizes)
    return sizes.reshape((-1, *[1] * (like.ndim - 1)))


def _sparse_reduction(how: str) -> None:
    def reduce(data: Any, indices: Any, segment_ids: Any, count: int, ctx: LoweringContext) -> Any:
        _check_order(ctx, segment_ids, count)
        bad = np.flatnonzero((indices < 0) | (indices >= data.shape[0]))
        if bad.size:
            at = int(bad[0])
            text = f"Bad: indices[{at}] == {indices[at]} out of range [0, {data.shape[0]})"
            _refuse(ctx, False, text)
        rows = data[indices]
        if how != "SqrtN":
            return _reduce_sorted(rows, segment_ids, count, how)
        sizes = np.bincount(segment_ids, minlength=count).astype(data.dtype)
        root = np.sqrt(np.maximum(sizes, 1)).reshape((-1, *[1] * (data.ndim - 1)))
        return _reduce_sorted(rows, segment_ids, count, "Sum") / root

    def lower(data: Any, indices: Any, segment_ids: Any, *, ctx: LoweringContext) -> Any:
        _check_sparse(ctx, data, indices, segment_ids)
        count = int(segment_ids[-1]) + 1 if segment_ids.size else 0
        _refuse(ctx, count > 0 or not segment_ids.size, "segment ids must be >= 0")
        return reduce(data, indices, segment_ids, count, ctx)

    def lower_counted(
        data: Array, indices: Array, segment_ids: Array, num_segments: Any, *, ctx: LoweringContext
    ) -> Array:
        count = int(num_segments)
        _refuse(ctx, count >= 0, "segment ids must be >= 0")
        _check_sparse(ctx, data, indices, segment_ids)
        data, indices, ids = jnp.asarray(data), jnp.asarray(indices), jnp.asarray(segment_ids)
        empty = jnp.zeros((count, *data.shape[1:]), data.dtype)
        if not ids.size:
            return empty
        _check_counted(ctx, ids, indices, count, data.shape[0])
        total = at(empty)[ids].add(at(data)[indices].get(mode="clip"), **_MODE)
        return total if how == "Sum" else total / _segment_sizes(ids, count, total, how)

    def traced(data: Any, indices: Any, segment_ids: Any, *, ctx: LoweringContext) -> Any:
        if known(data) and known(indices) and known(segment_ids):
            return lower(data, indices, segment_ids, ctx=ctx)
        return lower_counted(data, indices, segment_ids, _how_many(segment_ids, ctx), ctx=ctx)

    name = f"SparseSegment{how}"
    register(
        name,
        shape=_sparse_shape,
        lower=lower,
        traced=traced,
        host=True,
        padding=padded_rows.of_rows_in_segments,
    )
    register(f"{name}WithNumSegments", shape=_sparse_counted_shape, lower=lower_counted, const=(3,))


for _how in ("Sum", "Mean", "SqrtN"):
    _sparse_reduction(_how)


def _sparse_gradient_op(how: str) -> None:
    def lower(
        grad: Array, indices: Array, segment_ids: Array, output_dim0: Any, *, ctx: LoweringContext
    ) -> Array:
        grad, rows, count = jnp.asarray(grad), int(output_dim0), np.shape(grad)[0]
        ids, indices = jnp.asarray(segment_ids), jnp.asarray(indices)
        if ids.size:
            valid = ids[-1] + 1 <= count
            ctx.check(valid, errors.InvalidArgumentError, "Invalid number of segments")
            bad = (indices < 0) | (indices >= rows)
            ctx.check(
                ~jnp.any(bad),
                errors.InvalidArgumentError,
                f"Index {{index}} out of range [0, {rows}).",
                index=indices[jnp.argmax(bad)],
            )
        scaled = grad * (1 / _segment_sizes(ids, count, grad, how))
        values = at(scaled)[ids].get(mode="clip")
        return at(jnp.zeros((rows, *grad.shape[1:]), grad.dtype))[indices].add(values, **_MODE)

    def shape(
        grad: Shape, indices: Shape, segment_ids: Shape, output_dim0: Shape, *, op: Any
    ) -> Shape:
        return _sparse_counted_shape(grad, indices, segment_ids, output_dim0, op=op)

    register(
        f"SparseSegment{how}Grad",
        shape=shape,
        lower=lower,
        const=(3,),
        padding=padded_rows.of_their_gradient,
    )


_sparse_gradient_op("Mean")
_sparse_gradient_op("SqrtN")


# Gradients.


@gradient("SegmentSum")
def _segment_sum_gradient(op: Operation, grad: Tensor) -> Any:
    return array_ops.gather(grad, op.inputs[1]), None


@gradient("SegmentMean")
def _segment_mean_gradient(op: Operation, grad: Tensor) -> Any:
    rank = array_ops.rank(op.inputs[0])
    ids_shape = array_ops.shape(op.inputs[1])
    ones_shape = array_ops.concat(
        [ids_shape, array_ops.fill(array_ops.expand_dims(rank - 1, 0), 1)], 0
    )
    ones = array_ops.fill(ones_shape, constant(1, dtype=grad.dtype))
    scaled = math_ops.divide(grad, math_ops.segment_sum(ones, op.inputs[1]))
    return array_ops.gather(scaled, op.inputs[1]), None


@gradient("SegmentMin", "SegmentMax")
def _segment_extremum_gradient(op: Operation, grad: Tensor) -> Any:
    data, ids = op.inputs
    zeros = array_ops.zeros_like(data, dtype=data.dtype)
    gathered = array_ops.gather(op.outputs[0], ids)
    is_selected = math_ops.equal(data, gathered)
    # Equal extrema share the gradient.
    selected = math_ops.segment_sum(math_ops.cast(is_selected, grad.dtype), ids)
    weighted = array_ops.gather(math_ops.divide(grad, selected), ids)
    return array_ops.where(is_selected, weighted, zeros), None


@gradient("SparseSegmentSum", "SparseSegmentSumWithNumSegments")
def _sparse_segment_sum_gradient(op: Operation, grad: Tensor) -> Any:
    data, indices, ids = op.inputs[:3]
    rows = array_ops.shape(data)[0]
    result = math_ops.unsorted_segment_sum(array_ops.gather(grad, ids), indices, rows)
    return [result, *[None] * (len(op.inputs) - 1)]


def _sparse_mean_gradient(how: str) -> Any:
    record = raw_ops.function(f"SparseSegment{how}Grad")

    def function(op: Operation, grad: Tensor) -> Any:
        data, indices, ids = op.inputs[:3]
        rows = array_ops.shape(data)[0]
        return [record(grad, indices, ids, rows), *[None] * (len(op.inputs) - 1)]

    return function


for _how in ("Mean", "SqrtN"):
    gradient(f"SparseSegment{_how}", f"SparseSegment{_how}WithNumSegments")(
        _sparse_mean_gradient(_how)
    )


# Elements with negative ids are in no segment: their gradients are zeros.


def _clipped(ids: Any) -> Any:
    return math_ops.maximum(ids, array_ops.zeros_like(ids))


def _in_segments(ids: Any, rows: Any) -> Any:
    """Whether the id of a row is not negative, for each element of the rows."""
    found = math_ops.greater_equal(ids, 0)
    for _ in range(rows.shape.ndims - found.shape.ndims):
        found = array_ops.expand_dims(found, -1)
    return found & array_ops.ones_like(rows, dtype=dtypes.bool)


def _or_zeros(condition: Any, values: Any) -> Any:
    return array_ops.where(condition, values, array_ops.zeros_like(values))


@gradient("UnsortedSegmentSum")
def _unsorted_segment_sum_gradient(op: Operation, grad: Tensor) -> Any:
    ids = op.inputs[1]
    rows = array_ops.gather(grad, _clipped(ids))
    return _or_zeros(_in_segments(ids, rows), rows), None, None


@gradient("UnsortedSegmentMin", "UnsortedSegmentMax")
def _unsorted_segment_extremum_gradient(op: Operation, grad: Tensor) -> Any:
    data, ids, count = op.inputs
    clipped = _clipped(ids)
    extrema = array_ops.gather(op.outputs[0], clipped)
    in_segments = _in_segments(ids, extrema)
    extrema = _or_zeros(in_segments, extrema)
    is_selected = math_ops.logical_and(math_ops.equal(data, extrema), in_segments)
    selected = math_ops.unsorted_segment_sum(math_ops.cast(is_selected, grad.dtype), ids, count)
    shares = array_ops.gather(math_ops.divide(grad, selected), clipped)
    return _or_zeros(is_selected, _or_zeros(in_segments, shares)), None, None


@gradient("UnsortedSegmentProd")
def _unsorted_segment_prod_gradient(op: Operation, grad: Tensor) -> Any:
    # Without zeros in a segment: its product divided by the element; with one: the product of the
    # others, for it alone; with more: zero.
    data, ids, count = op.inputs
    is_zero = math_ops.equal(data, 0)
    zeros_in = raw_ops.UnsortedSegmentSum(math_ops.cast(is_zero, dtype=dtypes.int32), ids, count)
    many = math_ops.greater(zeros_in, 1)
    grad = array_ops.where(many, array_ops.zeros_like(grad), grad)
    nonzero = array_ops.where(is_zero, array_ops.ones_like(data), data)
    nonzero_product = raw_ops.UnsortedSegmentProd(nonzero, ids, count)
    clipped = _clipped(ids)
    product = array_ops.gather(op.outputs[0], clipped)
    nonzero_product = array_ops.gather(nonzero_product, clipped)
    divided = product / data
    partial = array_ops.where(is_zero, nonzero_product, divided)
    rows = array_ops.gather(grad, clipped)
    return _or_zeros(_in_segments(ids, rows), rows) * partial, None, None
