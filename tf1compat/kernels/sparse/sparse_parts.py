"""Sparse tensors on the host: what has as many elements as values say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import gradient, not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.sparse.sparse import (
    check_lengths,
    check_parts,
    check_values,
    reduced_dimensions,
)

Rows = list[tuple[int, ...]]


def _rows(indices: Any) -> Rows:
    return [tuple(row) for row in np.asarray(indices).tolist()]


def _as_indices(rows: Rows, rank: int) -> np.ndarray:
    return np.array(rows, np.int64).reshape(len(rows), rank)


# Sums and the like of two sparse tensors.


def _check_pair(a: Any, b: Any, ctx: LoweringContext, texts: tuple[str, str]) -> None:
    """Refuses two sparse tensors that do not fit each other."""
    (a_indices, a_values, a_shape), (b_indices, b_values, b_shape) = a, b
    if np.ndim(a_indices) != 2 or np.ndim(b_indices) != 2:
        refuse(ctx, texts[0].format(text_of_shape(a_indices), text_of_shape(b_indices)))
    if np.ndim(a_values) != 1 or np.ndim(b_values) != 1:
        refuse(ctx, texts[1].format(text_of_shape(a_values), text_of_shape(b_values)))
    counts = len(a_indices), len(b_indices)
    if counts != (len(a_values), len(b_values)):
        refuse(
            ctx,
            f"Expected {counts[0]} and {counts[1]} non-empty input values, got {len(a_values)} "
            f"and {len(b_values)}",
        )
    if np.ndim(a_shape) != 1 or np.ndim(b_shape) != 1:
        refuse(
            ctx,
            "Input shapes should be a vector but received shapes "
            f"{text_of_shape(a_shape)} and {text_of_shape(b_shape)}",
        )
    if len(a_shape) != len(b_shape):
        said = [" ".join(str(size) for size in shape) for shape in (a_shape, b_shape)]
        refuse(ctx, f"Operands do not have the same ranks; got shapes: {said[0]} and {said[1]}")
    for i, (x, y) in enumerate(zip(a_shape, b_shape, strict=True)):
        if x != y:
            refuse(ctx, f"Operands' shapes do not match: got {x} and {y} for dimension {i}")


def _union(a_indices: Any, b_indices: Any) -> list[tuple[tuple[int, ...], int | None, int | None]]:
    """The rows of two lists merged as if both were sorted: (row, its place in each)."""
    a, b = _rows(a_indices), _rows(b_indices)
    merged: list[tuple[tuple[int, ...], int | None, int | None]] = []
    i = j = 0
    while i < len(a) or j < len(b):
        if j == len(b) or (i < len(a) and a[i] < b[j]):
            merged.append((a[i], i, None))
            i += 1
        elif i == len(a) or b[j] < a[i]:
            merged.append((b[j], None, j))
            j += 1
        else:
            merged.append((a[i], i, j))
            i, j = i + 1, j + 1
    return merged


@op("SparseAdd", host=True)
class SparseAdd:
    def shape(
        a_indices: Any, a_values: Shape, a_shape: Shape, b_indices: Shape, b_values: Shape,
        b_shape: Shape,
        thresh: Shape,
    ) -> Any:  # fmt: skip
        a_shape = shapes.with_rank(a_shape, 1)
        return [(None, a_shape[0]), (None,), a_shape]

    def lower(
        a_indices: Any, a_values: np.ndarray, a_shape: np.ndarray, b_indices: np.ndarray,
        b_values: np.ndarray, b_shape: np.ndarray,
        thresh: np.ndarray, *, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_pair(
            (a_indices, a_values, a_shape),
            (b_indices, b_values, b_shape),
            ctx,
            (
                "Input indices should be matrices but received shapes: {} and {}",
                "Input values should be vectors but received shapes: {} and {}",
            ),
        )
        if np.ndim(thresh):
            shape = text_of_shape(thresh)
            refuse(ctx, f"The magnitude threshold must be a scalar: got shape {shape}")
        rows: Rows = []
        values = []
        for row, i, j in _union(a_indices, b_indices):
            if i is not None and j is not None:
                value = a_values[i] + b_values[j]
                if abs(value) < thresh:
                    continue
            else:
                value = a_values[i] if i is not None else b_values[j]
            rows.append(row)
            values.append(value)
        found = np.array(values, a_values.dtype)
        return [_as_indices(rows, len(a_shape)), found, np.asarray(a_shape)]

    def gradient(op: Any, *grads: Any) -> Gradients:
        a_grad, b_grad = raw_ops.SparseAddGrad(grads[1], op.inputs[0], op.inputs[3], op.outputs[0])
        a_grad.set_shape(op.inputs[1].get_shape())
        b_grad.set_shape(op.inputs[4].get_shape())
        return [None, a_grad, None, None, b_grad, None, None]


def _places(wanted: Any, given: Any) -> np.ndarray:
    """Where each row of `wanted` is among those of `given`; -1 where it is not."""
    found = {row: i for i, row in enumerate(_rows(given))}
    return np.array([found.get(row, -1) for row in _rows(wanted)], np.int64)


def _taken(values: np.ndarray, places: np.ndarray) -> np.ndarray:
    if not values.size:
        return np.zeros(places.shape, values.dtype)
    return np.where(places >= 0, values[places], 0).astype(values.dtype)


@op("SparseAddGrad", host=True)
class SparseAddGrad:
    def shape(
        backprop_val_grad: Any, a_indices: Shape, b_indices: Shape, sum_indices: Shape
    ) -> Any:
        a, b = shapes.with_rank(a_indices, 2), shapes.with_rank(b_indices, 2)
        return [(a[0],), (b[0],)]

    def lower(
        backprop_val_grad: Any,
        a_indices: np.ndarray,
        b_indices: np.ndarray,
        sum_indices: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        indices = (a_indices, b_indices, sum_indices)
        if any(np.ndim(value) != 2 for value in indices):
            said = " and ".join(text_of_shape(value) for value in indices)
            refuse(ctx, f"Input indices should be matrices but received shapes: {said}")
        if np.ndim(backprop_val_grad) != 1:
            shape = text_of_shape(backprop_val_grad)
            refuse(ctx, f"Input backprop_val_grad should be a vector but received shape: {shape}")
        ranks = [np.shape(value)[1] for value in indices]
        if len(set(ranks)) > 1:
            refuse(
                ctx,
                "The densified operands should have the same ndims; for A, B, sum got: "
                f"{''.join(str(rank) for rank in ranks)}",
            )
        if len(backprop_val_grad) != len(sum_indices):
            refuse(
                ctx,
                "# elements of backprop_val_grad and # rows of sum_indices should match (#nnz of "
                f"sum): got {len(backprop_val_grad)} and {len(sum_indices)}",
            )
        grads = np.asarray(backprop_val_grad)
        return [_taken(grads, _places(index, sum_indices)) for index in (a_indices, b_indices)]


not_differentiable("SparseAddGrad")


def _larger_or_smaller(name: str, combine: Callable[..., Any]) -> None:
    def shape(
        a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any
    ) -> Any:
        for indices, values, dense_shape in (
            (a_indices, a_values, a_shape),
            (b_indices, b_values, b_shape),
        ):
            shapes.with_rank(indices, 2)
            shapes.with_rank(values, 1)
            shapes.with_rank(dense_shape, 1)
        return [(None, None), (None,)]

    def lower(
        a_indices: Any, a_values: Any, a_shape: Any, b_indices: Any, b_values: Any, b_shape: Any,
        *, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_pair(
            (a_indices, a_values, a_shape),
            (b_indices, b_values, b_shape),
            ctx,
            (
                "Inputs a_indices and b_indices should be matrices but received shapes: {}, {}",
                "Inputs a_values and b_values should be vectors but received shapes: {} and {}",
            ),
        )
        zero = np.zeros((), a_values.dtype)[()]
        merged = _union(a_indices, b_indices)
        values = [
            combine(zero if i is None else a_values[i], zero if j is None else b_values[j])
            for _, i, j in merged
        ]
        rows = _as_indices([row for row, _, _ in merged], len(a_shape))
        return [rows, np.array(values, a_values.dtype)]

    register(name, shape=shape, lower=lower, host=True)

    @gradient(name)
    def _gradient(op: Operation, *grads: Any) -> Any:
        # What TF means to say, that it is not implemented, it does not come to.
        raise TypeError(f"_{name}Grad() takes 2 positional arguments but 3 were given")


_larger_or_smaller("SparseSparseMaximum", np.maximum)
_larger_or_smaller("SparseSparseMinimum", np.minimum)


# Parts.


@op("SparseSlice", host=True)
class SparseSlice:
    def shape(indices: Any, values: Shape, shape: Shape, start: Shape, size: Shape) -> Any:
        rank = None if shape is None else shapes.num_elements(shape)
        return [(None, rank), (None,), shape]

    def lower(
        indices: Any,
        values: np.ndarray,
        shape: np.ndarray,
        start: np.ndarray,
        size: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        _check_slice(indices, values, shape, start, size, ctx)
        return _slice(indices, values, shape, start, size)

    def fold(
        indices: Any, values: np.ndarray, shape: np.ndarray, start: np.ndarray, size: np.ndarray
    ) -> Any:
        if len(indices) != len(values) or not len(shape) == len(start) == len(size):
            return None
        return _slice(indices, values, shape, start, size)

    def gradient(op: Any, *grads: Any) -> Gradients:
        values_grad = raw_ops.SparseSliceGrad(grads[1], op.inputs[0], op.inputs[3], op.outputs[0])
        values_grad.set_shape(op.inputs[1].get_shape())
        return [None, values_grad, None, None, None]


def _check_slice(
    indices: Any, values: Any, shape: Any, start: Any, size: Any, ctx: LoweringContext
) -> None:
    for what, value, rank in (
        ("indices should be a matrix", indices, 2),
        ("values should be a vector", values, 1),
        ("shape should be a vector", shape, 1),
        ("start should be a vector", start, 1),
        ("size should be a vector", size, 1),
    ):
        if np.ndim(value) != rank:
            refuse(ctx, f"Input {what} but received shape {text_of_shape(value)}")
    rank = len(shape)
    for name, value in (("start", start), ("size", size)):
        if len(value) != rank:
            text = f"Expected {name} to be a vector of length {rank} but got length {len(value)}"
            refuse(ctx, text)
    check_lengths(indices, values, ctx)


def _slice(indices: Any, values: Any, shape: Any, start: Any, size: Any) -> list[np.ndarray]:
    inside = ((indices >= start) & (indices < start + size)).all(axis=1)
    new_shape = np.maximum(np.minimum(size, shape - start), 0)
    return [indices[inside] - start, values[inside], new_shape.astype(np.int64)]


@op("SparseSliceGrad", host=True)
class SparseSliceGrad:
    def shape(
        backprop_val_grad: Any, input_indices: Shape, input_start: Shape, output_indices: Shape
    ) -> Shape:
        return (shapes.with_rank(input_indices, 2)[0],)

    def lower(
        backprop_val_grad: Any, input_indices: np.ndarray, input_start: np.ndarray,
        output_indices: np.ndarray,
        *, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        if np.ndim(backprop_val_grad) != 1:
            shape = text_of_shape(backprop_val_grad)
            refuse(ctx, f"Input backprop_val_grad should be a vector but received shape: {shape}")
        if np.ndim(input_indices) != 2 or np.ndim(output_indices) != 2:
            refuse(
                ctx,
                "Input and output indices should be matrices but received shapes: "
                f"{text_of_shape(input_indices)} and {text_of_shape(output_indices)}",
            )
        if np.ndim(input_start) != 1:
            shape = text_of_shape(input_start)
            refuse(ctx, f"The input_start should be a vector but received shape {shape}")
        ranks = np.shape(input_indices)[1], np.shape(output_indices)[1]
        if ranks[0] != ranks[1]:
            text = (
                f"The input and output should have the same ndims: got: {ranks[0]} and {ranks[1]}"
            )
            refuse(ctx, text)
        count = len(backprop_val_grad)
        if count != len(output_indices):
            refuse(
                ctx,
                "# elements of backprop_val_grad and # rows of output_indices should match (#nnz "
                f"of sum): got {count} and {len(output_indices)}",
            )
        places = _places(input_indices - input_start, output_indices)
        used = int((places >= 0).sum())
        if used != count:
            text = (
                "Elements of backprop_val_grad aren't all propagated. Num elements:"
                f"{count}, used: {used}"
            )
            ctx.check(False, errors.InternalError, lambda: text)
        return _taken(np.asarray(backprop_val_grad), places)


@op("SparseSplit", host=True)
class SparseSplit:
    def shape(
        split_dim: Any, indices: Shape, values: Shape, shape: Shape, *, num_split: int
    ) -> Any:
        rank = None if shape is None else shapes.num_elements(shape)
        return [(None, rank)] * num_split + [(None,)] * num_split + [shape] * num_split

    def lower(
        split_dim: Any,
        indices: np.ndarray,
        values: np.ndarray,
        shape: np.ndarray,
        *,
        num_split: int,
        ctx: LoweringContext,
    ) -> Any:
        if np.size(split_dim) != 1:
            refuse(
                ctx,
                f"Input split_dim should be a scalar but received shape {text_of_shape(split_dim)}",
            )
        check_parts(indices, values, shape, ctx)
        axis, rank = int(np.ravel(split_dim)[0]), len(shape)
        if axis >= rank:
            text = f"Input split_dim should be between 0 and rank ({rank}), got {axis}"
            refuse(ctx, text)
        if axis < 0:
            refuse(ctx, f"num_dim must be in the interval [0, {rank})")
        if not 1 <= num_split <= shape[axis]:
            refuse(
                ctx,
                "Input num_split should be between 1 and the splitting dimension size "
                f"({shape[axis]}), got {num_split}",
            )
        each, longer = divmod(int(shape[axis]), num_split)
        ends = np.cumsum([each + (i < longer) for i in range(num_split)])
        parts: list[list[np.ndarray]] = [[], [], []]
        begin = 0
        for end in ends:
            inside = (indices[:, axis] >= begin) & (indices[:, axis] < end)
            moved, size = indices[inside].copy(), np.array(shape, np.int64)
            moved[:, axis] -= begin
            size[axis] = end - begin
            for found, part in zip(parts, (moved, values[inside], size), strict=True):
                found.append(part)
            begin = end
        return [part for found in parts for part in found]


@op("SparseFillEmptyRows", host=True)
class SparseFillEmptyRows:
    def shape(
        indices: Any, values: Shape, dense_shape: Shape, default_value: Shape, *, op: Operation
    ) -> Any:
        indices = shapes.with_rank(indices, 2)
        values = shapes.with_rank(values, 1)
        (rank,) = shapes.with_rank(dense_shape, 1)
        shapes.with_rank(default_value, 0)
        count = shapes.merge_dim(indices[0], values[0])
        shapes.merge_dim(indices[1], rank)
        sizes = op.shape_input(2)
        rows = None if not sizes else sizes[0]
        return [(None, rank), (None,), (rows,), (count,)]

    def lower(
        indices: Any,
        values: np.ndarray,
        dense_shape: np.ndarray,
        default_value: np.ndarray,
        *,
        ctx: LoweringContext,
    ) -> Any:
        for name, value, rank, kind in (
            ("dense_shape", dense_shape, 1, "vector"),
            ("indices", indices, 2, "matrix"),
            ("values", values, 1, "vector"),
            ("default_value", default_value, 0, "scalar"),
        ):
            if np.ndim(value) != rank:
                refuse(ctx, f"{name} must be a {kind}, saw: {text_of_shape(value)}")
        count, rank = np.shape(indices)
        rows = int(dense_shape[0])
        if not rows and count:
            refuse(
                ctx,
                f"Received SparseTensor with dense_shape[0] = 0 but indices.shape[0] = {count}",
            )
        bad = np.flatnonzero((indices[:, 0] < 0) | (indices[:, 0] >= rows))
        if bad.size:
            at = bad[0]
            refuse(ctx, f"indices({at}, 0) is invalid: {indices[at, 0]} >= {rows}")
        is_empty = np.bincount(indices[:, 0], minlength=rows)[:rows] == 0
        filled = np.zeros((int(is_empty.sum()), rank), np.int64)
        filled[:, 0] = np.flatnonzero(is_empty)
        joined = np.concatenate([np.asarray(indices), filled])
        defaults = np.full(len(filled), default_value[()], values.dtype)
        order = np.argsort(joined[:, 0], kind="stable")
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        all_values = np.concatenate([np.asarray(values), defaults])
        return [joined[order], all_values[order], is_empty, places[:count]]

    def gradient(
        op: Any, _indices: Any, grad: Tensor, _is_empty: Any, _reverse_index_map: Any
    ) -> Gradients:
        values_grad, default_grad = raw_ops.SparseFillEmptyRowsGrad(
            reverse_index_map=op.outputs[3], grad_values=grad
        )
        return [None, values_grad, None, default_grad]


# Reductions to sparse tensors.


def _sparse_reduction(name: str, combine: np.ufunc) -> None:
    def lower(
        input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any,
        *, keep_dims: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        rank = len(input_shape)
        reduced = reduced_dimensions(reduction_axes, rank, ctx)
        check_values(input_indices, input_values, ctx)
        kept = [i for i in range(rank) if i not in reduced]
        shape = [int(input_shape[i]) for i in kept]
        places = input_indices[:, kept]
        groups, which = np.unique(places, axis=0, return_inverse=True)
        which = which.reshape(-1)
        order = np.argsort(which, kind="stable")
        starts = np.searchsorted(which[order], np.arange(len(groups)))
        values = np.asarray(input_values)[order]
        if len(groups):
            values = combine.reduceat(values, starts, dtype=values.dtype)
        if keep_dims:
            full = np.zeros((len(groups), rank), np.int64)
            full[:, kept] = groups
            groups, shape = full, [1 if i in reduced else int(input_shape[i]) for i in range(rank)]
        return [groups.astype(np.int64), values, np.array(shape, np.int64)]

    def unknown(
        input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any
    ) -> Any:
        return [None, None, None]

    register(f"SparseReduce{name}Sparse", shape=unknown, lower=lower, host=True)


_sparse_reduction("Sum", np.add)
_sparse_reduction("Max", np.maximum)
