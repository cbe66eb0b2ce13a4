"""Ragged tensors: ranges, gathered rows, and other forms.

How many values there are follows from the row splits, so everything here works on the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.ragged import ragged_math_ops
from tf1compat.core import errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import BareShapeError, Shape, ShapeError
from tf1compat.core.typing import Gradients
from tf1compat.kernels.text.string import invalid


@op("RaggedRange", host=True)
class RaggedRange:
    def shape(starts: Any, limits: Shape, deltas: Shape) -> Any:
        rows: Shape = ()
        for given in (starts, limits, deltas):
            shapes.with_rank_at_most(given, 1)
            if given is None:
                rows = None if rows == () else rows
            elif given:
                if rows and not shapes.compatible(rows, given):
                    raise ShapeError(f"Dimensions must be equal, but are {given[0]} and {rows[0]}")
                rows = given if not rows or rows == (None,) else rows
        if rows is None:
            return [(None,), (None,)]
        size = rows[0] if rows else 1
        return [(None if size is None else size + 1,), (None,)]

    def lower(starts: Any, limits: np.ndarray, deltas: np.ndarray, *, Tsplits: DType) -> Any:
        given = {"starts": starts, "limits": limits, "deltas": deltas}
        for name, value in given.items():
            if np.ndim(value) > 1:
                raise invalid(f"{name} must be a scalar or vector")
        if len({np.size(value) for value in given.values() if np.ndim(value)}) > 1:
            raise invalid("starts, limits, and deltas must have the same shape")
        if np.any(np.equal(deltas, 0)):
            raise invalid("Requires delta != 0")
        rows = [_range(*row) for row in np.broadcast(*map(np.atleast_1d, given.values()))]
        splits = np.cumsum([0, *map(len, rows)])
        values = np.concatenate([np.zeros(0, starts.dtype), *rows])
        return [splits.astype(Tsplits.as_numpy_dtype), values]

    fold = lower


not_differentiable("RaggedRange")


def _range(start: Any, limit: Any, delta: Any) -> np.ndarray:
    """The numbers from `start` on, each the sum of the last one and `delta`."""
    if (delta > 0 and limit < start) or (delta < 0 and limit > start):
        return np.zeros(0, start.dtype)
    if start.dtype.kind == "f":
        size = int(np.ceil(np.abs((limit - start) / delta)))
    else:
        size = -(-abs(int(limit) - int(start)) // abs(int(delta)))
    steps = np.full(size, delta)
    steps[:1] = start
    return np.cumsum(steps, dtype=start.dtype)


@op("RaggedGather", host=True)
class RaggedGather:
    def shape(
        params_nested_splits: Any, params_dense_values: Shape, indices: Shape, *, op: Operation
    ) -> Any:
        rank, in_rank = op.get_attr("OUTPUT_RAGGED_RANK"), len(params_nested_splits)
        for splits in params_nested_splits:
            shapes.with_rank(splits, 1)
        values = shapes.with_rank_at_least(params_dense_values, 1)
        if indices is not None and len(indices) + in_rank - 1 != rank:
            raise ShapeError(
                f"OUTPUT_RAGGED_RANK must be {len(indices) + in_rank - 1}, but is {rank}"
            )
        outer = [(None,)] * rank
        return [*outer, None if values is None else (None, *values[1:])]

    def lower(
        params_nested_splits: Any,
        params_dense_values: np.ndarray,
        indices: np.ndarray,
        *,
        Tsplits: DType,
    ) -> Any:
        if not np.ndim(params_dense_values):
            raise invalid("params.rank must be nonzero")
        count = len(params_nested_splits[0]) - 1
        for at in np.argwhere((indices < 0) | (indices >= count)).tolist():
            where = f"[{','.join(map(str, at))}]" if at else ""
            raise invalid(f"indices{where} = {indices[tuple(at)]} is not in [0, {count})")
        below = [len(splits) for splits in params_nested_splits[1:]]
        for splits, size in zip(params_nested_splits, [*below, len(params_dense_values)]):
            if np.any(np.diff(splits) < 0):
                raise invalid("Ragged splits must be sorted")
            if np.any(splits < 0):
                raise invalid("Ragged splits must be non-negative")
            limit = size if splits is params_nested_splits[-1] else size - 1
            if len(splits) and splits[-1] > limit:
                raise invalid("Ragged splits must not point past values")
        found = []
        for dim, size in enumerate(indices.shape[1:]):
            rows = int(np.prod(indices.shape[: dim + 1]))
            found.append(np.arange(rows + 1) * size)
        ranges = [(int(i), int(i) + 1) for i in indices.ravel()]
        for splits in params_nested_splits:
            places = [at for start, limit in ranges for at in range(start, limit)]
            ranges = [(int(splits[at]), int(splits[at + 1])) for at in places]
            if indices.ndim or splits is not params_nested_splits[0]:
                found.append(np.cumsum([0, *(limit - start for start, limit in ranges)]))
        rows = [params_dense_values[start:limit] for start, limit in ranges]
        values = np.concatenate([params_dense_values[:0], *rows])
        return [*(splits.astype(Tsplits.as_numpy_dtype) for splits in found), values]

    fold = lower

    def gradient(op: Any, *grads: Any) -> Gradients:
        *nested_splits, values, indices = op.inputs
        splits = nested_splits[0]
        for inner in nested_splits[1:]:
            splits = array_ops.gather(inner, splits)
        rows = array_ops.reshape(indices, [-1])
        starts = array_ops.gather(splits, rows)
        limits = array_ops.gather(splits[1:], rows)
        places = ragged_math_ops.range(starts, limits).values
        gradient = IndexedSlices(
            values=grads[-1], indices=places, dense_shape=array_ops.shape(values)
        )
        return [*[None] * len(nested_splits), gradient, None]


@op("RaggedTensorToSparse", host=True)
class RaggedTensorToSparse:
    def shape(rt_nested_splits: Any, rt_dense_values: Shape) -> Any:
        for splits in rt_nested_splits:
            shapes.with_rank(splits, 1)
        values = shapes.with_rank_at_least(rt_dense_values, 1)
        rank = None if values is None else len(rt_nested_splits) + len(values)
        count = shapes.num_elements(values)
        return [(count, rank), (count,), (rank,)]

    def lower(rt_nested_splits: Any, rt_dense_values: np.ndarray) -> Any:
        sizes = [len(splits) - 1 for splits in rt_nested_splits[1:]]
        sizes.append(rt_dense_values.shape[0] if np.ndim(rt_dense_values) else -1)
        for splits, size in zip(rt_nested_splits, sizes):
            if not np.size(splits):
                raise invalid("ragged splits may not be empty.")
            if splits.ravel()[0] != 0:
                raise invalid("First value of ragged splits must be 0.")
            if splits.ravel()[-1] != size:
                raise invalid(
                    "Final value of ragged splits must match the length the corresponding ragged "
                    "values.",
                )
        places = np.arange(len(rt_nested_splits[0]) - 1)[:, None]
        shape = [len(places)]
        for splits in rt_nested_splits:
            lengths = np.diff(splits)
            columns = np.arange(int(splits[-1])) - np.repeat(splits[:-1], lengths)
            places = np.concatenate([np.repeat(places, lengths, axis=0), columns[:, None]], axis=1)
            shape.append(int(max(lengths, default=0)))
        inner = rt_dense_values.shape[1:]
        cells = np.argwhere(np.ones(inner, bool)) if inner else np.zeros((1, 0), int)
        indices = np.concatenate(
            [np.repeat(places, len(cells), axis=0), np.tile(cells, (len(places), 1))], axis=1
        )
        return [
            indices.astype(np.int64),
            rt_dense_values.reshape(-1),
            np.array([*shape, *inner], np.int64),
        ]

    fold = lower

    def gradient(op: Any, indices_grad: Any, values_grad: Any, shape_grad: Any) -> Gradients:
        *nested_splits, values = op.inputs
        gradient = array_ops.reshape(values_grad, array_ops.shape(values))
        return [*[None] * len(nested_splits), gradient]


_PARTITIONS = ("FIRST_DIM_SIZE", "VALUE_ROWIDS", "ROW_SPLITS")
_OTHER_PARTITIONS = ("ROW_LENGTHS", "ROW_LIMITS", "ROW_STARTS")


@op("RaggedTensorToTensor", host=True)
class RaggedTensorToTensor:
    def shape(
        shape: Any,
        values: Shape,
        default_value: Shape,
        row_partition_tensors: Sequence[Shape],
        *,
        row_partition_types: Sequence[str],
        op: Operation,
    ) -> Shape:
        for kind in row_partition_types:
            if kind in _OTHER_PARTITIONS:
                raise ShapeError(f"Unsupported partition type: {kind}")
            if kind not in _PARTITIONS:
                raise ShapeError(f"Unknown string for partition info type: {kind}")
        ragged_rank = len(row_partition_types) - (row_partition_types[0] == "FIRST_DIM_SIZE")
        if shape == () and op.const_input(0) is None:
            raise BareShapeError(
                "Received a shape scalar with unknown static value.  A static value of '-1' is "
                "required to represent an unknown shape."
            )
        asked = op.shape_input(0) if shape else None
        if values is None:
            return asked
        rank = ragged_rank + len(values)
        found = (None,) * (ragged_rank + 1) + values[1:]
        if asked is None:
            return found
        if len(asked) != rank:
            raise ShapeError(f"rank mismatch: {shapes.to_string(asked)} and {rank}")
        return tuple(a if a is not None else b for a, b in zip(asked, found))

    def lower(
        shape: Any,
        values: np.ndarray,
        default_value: np.ndarray,
        row_partition_tensors: Sequence[np.ndarray],
        *,
        row_partition_types: Sequence[str],
    ) -> Any:
        partitions = list(zip(row_partition_types, row_partition_tensors))
        if partitions[0][0] == "FIRST_DIM_SIZE":
            first = int(partitions.pop(0)[1])
        else:
            first = np.size(partitions[0][1]) - 1
            if first < 0:
                raise invalid(f"Dimension {first} must be >= 0")
        lists = _row_lists(partitions, first, len(values))
        sizes = [first, *(max((len(row) for row in rows), default=0) for rows in lists)]
        sizes += values.shape[1:]
        asked = [-1] * len(sizes) if not np.ndim(shape) else shape.tolist()
        _check_shape(asked, values, len(lists))
        out_shape = [size if want < 0 else want for want, size in zip(asked, sizes)]
        result = np.empty(out_shape, values.dtype)
        result[...] = default_value
        _fill(result, lists, range(first), values)
        return result

    fold = lower


def _unequal() -> errors.InternalError:
    return errors.InternalError(None, None, "Values and indices must be equal")


def _row_lists(partitions: Any, first: int, count: int) -> list[list[list[int]]]:
    """For each ragged dimension and each of its rows, which slices below it has."""
    found, nrows = [], first
    for i, (kind, tensor) in enumerate(partitions):
        if kind == "ROW_SPLITS":
            limits = tensor.tolist()
            below = count
            if i + 1 < len(partitions) and partitions[i + 1][0] == "ROW_SPLITS":
                below = np.size(partitions[i + 1][1]) - 1
            # Before lists are made that are as long as the numbers are large.
            if not 0 == limits[0] <= limits[-1] <= below or limits != sorted(limits):
                raise _unequal()
            rows = [list(range(a, b)) for a, b in zip(limits, limits[1:])]
            nrows = limits[-1]
        else:
            rows = [[] for _ in range(nrows)]
            for at, row in enumerate(tensor.tolist()):
                if row < nrows:
                    rows[row].append(at)
            nrows = len(tensor)
        found.append(rows)
    if nrows != count:
        raise _unequal()
    return found


def _check_shape(asked: list[int], values: Any, ragged_rank: int) -> None:
    inner = asked[ragged_rank + 1 :]
    if any(0 <= want != size for want, size in zip(inner, values.shape[1:])):
        raise invalid("Value and shape dimension are inconsistent.")


def _fill(result: Any, lists: Any, slices: Any, values: Any) -> None:
    """Puts the given slices where they belong; what does not fit is left out."""
    for at, piece in zip(range(len(result)), slices):
        if lists:
            _fill(result[at], lists[1:], lists[0][piece], values)
        else:
            result[at] = values[piece]


class _RaggedVariant:
    """A ragged tensor as an element of a variant tensor: its row splits and its values."""

    __slots__ = ("nested_splits", "values")

    def __init__(self, nested_splits: list[np.ndarray], values: np.ndarray):
        self.nested_splits, self.values = nested_splits, values


@op("RaggedTensorToVariant", host=True)
class RaggedTensorToVariant:
    def shape(rt_nested_splits: Any, rt_dense_values: Shape, *, batched_input: bool) -> Any:
        shapes.with_rank_at_least(rt_dense_values, len(rt_nested_splits) and 1)
        for splits in rt_nested_splits:
            shapes.with_rank(splits, 1)
        if not batched_input:
            return ()
        rows = rt_nested_splits[0] if rt_nested_splits else None
        return (None if rows is None or rows[0] is None else rows[0] - 1,)

    def lower(rt_nested_splits: Any, rt_dense_values: np.ndarray, *, batched_input: bool) -> Any:
        if not batched_input:
            found = np.empty((), object)
            found[()] = _RaggedVariant(list(rt_nested_splits), rt_dense_values)
            return found
        if not rt_nested_splits:
            raise invalid("ragged_rank must be > 0 for batched input")
        splits, *inner = rt_nested_splits
        rows = np.empty(len(splits) - 1, object)
        for row, (start, limit) in enumerate(zip(splits.tolist(), splits[1:].tolist())):
            parts = []
            for below in inner:
                own = below[start : limit + 1]
                parts.append(own - own[:1])
                start, limit = int(below[start]), int(below[limit])
            rows[row] = _RaggedVariant(parts, rt_dense_values[start:limit])
        return rows


not_differentiable("RaggedTensorToVariant")


@op("RaggedTensorFromVariant", host=True)
class RaggedTensorFromVariant:
    def shape(encoded_ragged: Any, *, input_ragged_rank: int, output_ragged_rank: int) -> Any:
        if encoded_ragged is not None and input_ragged_rank >= 0:
            if len(encoded_ragged) + input_ragged_rank != output_ragged_rank:
                shapes.with_rank(encoded_ragged, output_ragged_rank - input_ragged_rank)
        return [*[(None,)] * output_ragged_rank, None]

    def lower(
        encoded_ragged: Any,
        *,
        input_ragged_rank: int,
        output_ragged_rank: int,
        Tvalues: DType,
        Tsplits: DType,
    ) -> Any:
        rank = output_ragged_rank - np.ndim(encoded_ragged)
        if input_ragged_rank < 0 and rank < 0:
            raise invalid(
                "Inferred input_ragged_rank (output_ragged_rank - encoded_variant.dims()) must be "
                f">= 0, found output_ragged_rank: {output_ragged_rank}, encoded_variant.dims(): "
                f"{np.ndim(encoded_ragged)}, inferred input_ragged_rank: {rank}",
            )
        parts = list(encoded_ragged.ravel())
        for part in parts:
            if len(part.nested_splits) != rank:
                raise invalid(
                    f"Encoded input RaggedTensorVariant has ragged_rank="
                    f"{len(part.nested_splits)}.  Expected ragged_rank={rank}.",
                )
        outer = [
            np.arange(int(np.prod(encoded_ragged.shape[: dim + 1])) + 1) * size
            for dim, size in enumerate(encoded_ragged.shape[1:])
        ]
        if np.ndim(encoded_ragged):
            counts = [_length(part) for part in parts]
            outer.append(np.cumsum([0, *counts]))
        inner = []
        for dim in range(rank):
            pieces, offset = [np.zeros(1, np.int64)], 0
            for part in parts:
                splits = part.nested_splits[dim]
                pieces.append(splits[1:] + offset)
                offset += int(splits[-1])
            inner.append(np.concatenate(pieces))
        kind = Tvalues.as_numpy_dtype
        given = [part.values for part in parts] or [np.zeros(0, kind)]
        nested = [splits.astype(Tsplits.as_numpy_dtype) for splits in [*outer, *inner]]
        return [*nested, np.concatenate(given) if np.ndim(encoded_ragged) else given[0]]


def _length(part: _RaggedVariant) -> int:
    return len(part.nested_splits[0]) - 1 if part.nested_splits else len(part.values)
