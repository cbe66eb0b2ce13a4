"""Fractional pooling (Graham, 2014): windows of random sizes, which cut images into tiles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.random import philox

# Where the windows begin, and where the last one ends.


def _pseudo_random_starts(key: Any, counter: Any, size: int, count: int) -> Any:
    """ceil(alpha * (i + u)) for one random u."""
    alpha, least = size / count, size // count
    highest = min((least + 2) / alpha - 1, (size + 1 - least) / alpha - (count - 1))
    first, second = philox.words(key, counter, 2)
    u = philox.unit_float64(first, second) * highest
    inner = jnp.ceil(alpha * (jnp.arange(1, count) + u)).astype(jnp.int64) - 1
    return jnp.concatenate([jnp.zeros(1, jnp.int64), inner, jnp.full(1, size, jnp.int64)])


def _random_starts(key: Any, counter: Any, size: int, count: int) -> Any:
    """The sums of window sizes in random order."""
    sizes = jnp.arange(count) < size % count
    widths = jnp.where(sizes, size // count + 1, size // count).astype(jnp.int64)
    words = philox.words(key, counter, count)

    def swap(i: Any, widths: Any) -> Any:
        other = i + (words[i] % (count - i).astype(np.uint32)).astype(jnp.int32)
        a, b = widths[i], widths[other]
        return at(at(widths)[i].set(b))[other].set(a)

    widths = lax.fori_loop(0, count - 1, swap, widths)
    return jnp.concatenate([jnp.zeros(1, jnp.int64), jnp.cumsum(widths)])


def _sequences(sizes: Any, counts: Any, attrs: Any, ctx: LoweringContext) -> list[Any]:
    """Where the windows begin, for rows and for columns."""
    pseudo = attrs["pseudo_random"]
    steps = [1 if pseudo else (count + 3) // 4 for count in counts]
    # A deterministic op has the same windows in each run.
    key, counter = ctx.rng(reserve_128=0 if attrs["deterministic"] else sum(steps))
    found, skipped = [], 0
    for size, count, step in zip(sizes, counts, steps):
        low = counter[0] + np.uint32(skipped)
        start = jnp.concatenate([low[None], counter[1:]])
        starts = _pseudo_random_starts if pseudo else _random_starts
        found.append(starts(key, start, size, count))
        skipped += step
    return found


# Windows.


def _windows(starts: Any, size: int, overlapping: bool) -> tuple[Any, Any]:
    """The places of the windows [window, place], and which of them count."""
    starts = jnp.asarray(starts)
    count = starts.shape[0] - 1
    # The sizes differ by one.
    longest = -(-size // count) + 1 + int(overlapping)
    places = starts[:-1, None] + jnp.arange(longest)
    ends = jnp.minimum(starts[1:, None] + int(overlapping), size)
    return jnp.clip(places, 0, size - 1), places < ends


def _gathered(x: Any, sequences: Any, overlapping: bool) -> tuple[Any, Any, Any, Any]:
    """What the windows hold [batch, row, column, channel, place], which of it counts [row, column,
    place], and the rows and columns of the places."""
    rows, in_rows = _windows(sequences[0], x.shape[1], overlapping)
    columns, in_columns = _windows(sequences[1], x.shape[2], overlapping)
    held = jnp.take(jnp.take(x, rows, axis=1), columns, axis=3)
    held = jnp.transpose(held, (0, 1, 3, 5, 2, 4))
    held = held.reshape(*held.shape[:4], math.prod(held.shape[4:]))
    counts = in_rows[:, None, :, None] & in_columns[None, :, None, :]
    shape = (rows.shape[0], columns.shape[0], -1)
    full = (rows.shape[0], columns.shape[0], rows.shape[1], columns.shape[1])
    row = jnp.broadcast_to(rows[:, None, :, None], full).reshape(shape)
    column = jnp.broadcast_to(columns[None, :, None, :], full).reshape(shape)
    return held, counts.reshape(shape), row, column


def _lowest(dtype: Any) -> Any:
    return -np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min


def _largest(held: Any, counts: Any) -> Any:
    counts = counts[None, :, :, None, :]
    return jnp.where(counts, held, jnp.asarray(_lowest(held.dtype), held.dtype))


def _pool_shape(value: Any, *, op: Any) -> Any:
    value = shapes.with_rank(value, 4)
    ratio = op._attrs["pooling_ratio"]
    if len(ratio) != 4:
        raise ShapeError("pooling_ratio field must specify 4 dimensions")
    out = tuple(
        None if size is None else math.floor(size / float(r)) for size, r in zip(value, ratio)
    )
    for size in out:
        if size is not None and size <= 0:
            raise ShapeError(f"Size computed for dim {out.index(size)} is negative: {size}")
    return [out, (out[1],), (out[2],)]


def _divided(x: Any, y: Any) -> Any:
    y = y.astype(x.dtype)
    return (
        x / y if jnp.issubdtype(x.dtype, jnp.floating) else lax.div(x, jnp.broadcast_to(y, x.shape))
    )


def _rules(name: str) -> None:
    """Registers FractionalMaxPool or FractionalAvgPool."""

    def lower(value: Any, *, op: Any, ctx: LoweringContext) -> Any:
        attrs = op._attrs
        if np.ndim(value) != 4:
            refuse(ctx, "tensor_in must be 4-dimensional")
        ratio = [float(r) for r in attrs["pooling_ratio"]]
        word = "max" if name == "FractionalMaxPool" else "average"
        text = f"Fractional {word} pooling is not yet supported on the batch nor channel dimension."
        ctx.check(ratio[0] == 1 or ratio[3] == 1, errors.UnimplementedError, text)
        if ratio[0] != 1 or ratio[3] != 1:
            # TF 1.15 lets it pass, and leaves batch or channels out.
            raise NotImplementedError(f"{text} (is not supported by tf1compat yet)")
        if not attrs["deterministic"] and (attrs["seed"] or attrs["seed2"]):
            refuse(ctx, "Both seed and seed2 should be 0 if deterministic is false.")
        x = jnp.asarray(value)
        sizes = x.shape[1:3]
        counts = [math.floor(size / r) for size, r in zip(sizes, ratio[1:3])]
        sequences = _sequences(sizes, counts, attrs, ctx)
        held, inside, _, _ = _gathered(x, sequences, attrs["overlapping"])
        if name == "FractionalMaxPool":
            result = _largest(held, inside).max(-1)
        else:
            total = jnp.where(inside[None, :, :, None, :], held, 0).sum(-1, dtype=x.dtype)
            result = _divided(total, inside.sum(-1)[None, :, :, None])
        return [result, *sequences]

    def differentiate(op: Operation, grad: Tensor, *_: Any) -> Any:
        x, (y, rows, columns) = op.inputs[0], op.outputs
        overlapping = op.get_attr("overlapping")
        if name == "FractionalMaxPool":
            return raw_ops.FractionalMaxPoolGrad(x, y, grad, rows, columns, overlapping)
        return raw_ops.FractionalAvgPoolGrad(x.get_shape(), grad, rows, columns, overlapping)

    register(name, shape=_pool_shape, lower=lower, gradient=differentiate, random=True)


_rules("FractionalMaxPool")
_rules("FractionalAvgPool")


def _added(shape: Any, row: Any, column: Any, parts: Any) -> Any:
    """Adds what [batch, row, column, channel, …] holds to the places that it came from."""
    batch = jnp.arange(shape[0]).reshape(-1, *[1] * (parts.ndim - 1))
    channel = jnp.arange(shape[3]).reshape(1, 1, 1, -1, *[1] * (parts.ndim - 4))
    return at(jnp.zeros(shape, parts.dtype))[batch, row, column, channel].add(parts)


@op("FractionalMaxPoolGrad")
class FractionalMaxPoolGrad:
    def shape(orig_input: Any, *_: Any) -> Shape:
        return shapes.with_rank(orig_input, 4)

    def lower(
        orig_input: Any,
        orig_output: Array,
        out_backprop: Array,
        row_pooling_sequence: Array,
        col_pooling_sequence: Array,
        *,
        overlapping: bool,
    ) -> Array:
        x = jnp.asarray(orig_input)
        sequences = row_pooling_sequence, col_pooling_sequence
        held, inside, row, column = _gathered(x, sequences, overlapping)
        # The first of equal ones, as TF has it.
        winner = jnp.argmax(_largest(held, inside), -1)
        row, column = (
            jnp.take_along_axis(place[None, :, :, None, :], winner[..., None], -1)[..., 0]
            for place in (row, column)
        )
        return _added(x.shape, row, column, jnp.asarray(out_backprop))


@op("FractionalAvgPoolGrad", const=(0,))
class FractionalAvgPoolGrad:
    def shape(orig_input_tensor_shape: Any, *_: Any, op: Operation) -> Shape:
        return shapes.with_rank(op.shape_input(0), 4)

    def lower(
        orig_input_tensor_shape: Any,
        out_backprop: Array,
        row_pooling_sequence: Array,
        col_pooling_sequence: Array,
        *,
        overlapping: bool,
    ) -> Array:
        shape = tuple(int(size) for size in orig_input_tensor_shape)
        grad = jnp.asarray(out_backprop)
        rows, in_rows = _windows(row_pooling_sequence, shape[1], overlapping)
        columns, in_columns = _windows(col_pooling_sequence, shape[2], overlapping)
        inside = in_rows[:, None, :, None] & in_columns[None, :, None, :]
        share = _divided(grad, inside.sum((2, 3))[None, :, :, None])
        parts = jnp.where(inside[None, :, :, None], share[..., None, None], 0)
        row = rows[None, :, None, None, :, None]
        return _added(shape, row, columns[None, None, :, None, None, :], parts.astype(grad.dtype))
