"""Grey-scale dilation of images, and its gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.nn.windows import output_size, pads, run_size


def _check(input: Any, filter: Any, strides: Any, rates: Any, ctx: LoweringContext) -> None:
    if np.ndim(input) != 4:
        refuse(ctx, f"input must be 4-dimensional{text_of_shape(input)}")
    if np.ndim(filter) != 3:
        refuse(ctx, f"filter must be 3-dimensional: {text_of_shape(filter)}")
    for name, values in (("Stride", strides), ("Rate", rates)):
        if values[0] != 1 or values[3] != 1:
            text = f"{name} is only supported across spatial dimensions."
            ctx.check(False, errors.UnimplementedError, text)
    depth, other = np.shape(input)[3], np.shape(filter)[2]
    if depth != other:
        refuse(ctx, f"input and filter must have the same depth: {depth} vs {other}")


def _sums(
    input: Any, filter: Any, strides: Any, rates: Any, padding: str, ctx: LoweringContext
) -> tuple[list[Any], list[tuple[tuple[int, int], Any]]]:
    """What each place of the filter offers to all outputs.

    Returns:
      The sums of input and filter, one array of the output's shape for each place; and for each
      place, the place and the index of the padded input that it looks at.
    """
    _check(input, filter, strides, rates, ctx)
    space, window = np.shape(input)[1:3], np.shape(filter)[:2]
    steps, gaps = strides[1:3], rates[1:3]
    geometry = list(zip(space, window, steps, gaps))
    widths = [pads(size, w, s, padding, r) for size, w, s, r in geometry]
    out = [run_size(size, w, s, padding, r, (0, 0), ctx) for size, w, s, r in geometry]
    limits = jnp.finfo if jnp.issubdtype(input.dtype, jnp.floating) else jnp.iinfo
    lowest = np.asarray(limits(input.dtype).min, input.dtype)
    config = [(0, 0, 0), *((a, b, 0) for a, b in widths), (0, 0, 0)]
    padded = lax.pad(jnp.asarray(input), lowest, config)
    inside = np.pad(np.ones(space, bool), widths)
    sums, places = [], []
    for place in np.ndindex(*window):
        first = [p * r for p, r in zip(place, gaps)]
        along = tuple(slice(f, f + (n - 1) * s + 1, s) for f, n, s in zip(first, out, steps))
        index = (slice(None), *along, slice(None))
        known = jnp.asarray(inside[along])[None, :, :, None]
        sums.append(jnp.where(known, padded[index] + filter[place], lowest))
        places.append((place, index))
    return sums, places


def _winners(sums: list[Any]) -> Any:
    """The number of the first place that offers the most."""
    return jnp.argmax(jnp.stack(sums), 0)


@op("Dilation2D")
class Dilation2D:
    def shape(
        input: Any, filter: Shape, *, strides: Sequence[int], rates: Sequence[int], padding: str
    ) -> Shape:
        batch, rows, columns, depth = shapes.with_rank(input, 4)
        high, wide, other = shapes.with_rank(filter, 3)
        for name, values in (("stride", strides), ("rates", rates)):
            if len(values) != 4:
                raise ShapeError(
                    f"Dilation2D requires the {name} attribute to contain 4 values, but got: "
                    f"{len(values)}"
                )
        depth = shapes.merge_dim(depth, other)
        if None in (rows, columns, high, wide):
            return (batch, None, None, depth)
        sizes = [
            output_size(size, window, strides[i], padding, rates[i])
            for i, size, window in ((1, rows, high), (2, columns, wide))
        ]
        return (batch, *sizes, depth)

    def lower(
        input: Any,
        filter: Array,
        *,
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str,
        ctx: LoweringContext,
    ) -> Array:
        sums, _ = _sums(input, filter, strides, rates, padding, ctx)
        result = sums[0]
        for other in sums[1:]:
            result = jnp.maximum(result, other)
        return result

    def gradient(op: Any, grad: Tensor) -> Gradients:
        x, filter = op.inputs
        attrs = {name: op.get_attr(name) for name in ("strides", "rates", "padding")}
        dx = raw_ops.Dilation2DBackpropInput(x, filter, grad, **attrs)
        return [dx, raw_ops.Dilation2DBackpropFilter(x, filter, grad, **attrs)]


@op("Dilation2DBackpropInput")
class Dilation2DBackpropInput:
    def shape(input: Any, filter: Shape, out_backprop: Shape) -> Shape:
        return input

    def lower(
        input: Any, filter: Array, out_backprop: Array, *, strides: Sequence[int],
        rates: Sequence[int], padding: str,
        ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        sums, places = _sums(input, filter, strides, rates, padding, ctx)
        winner = _winners(sums)
        space, window = np.shape(input)[1:3], np.shape(filter)[:2]
        widths = [
            pads(size, w, s, padding, r)
            for size, w, s, r in zip(space, window, strides[1:3], rates[1:3])
        ]
        grown = [size + a + b for size, (a, b) in zip(space, widths)]
        total = jnp.zeros((input.shape[0], *grown, input.shape[3]), out_backprop.dtype)
        zero = jnp.zeros((), out_backprop.dtype)
        for i, (_, index) in enumerate(places):
            total = at(total)[index].add(jnp.where(winner == i, out_backprop, zero))
        (top, _), (left, _) = widths
        return total[:, top : top + space[0], left : left + space[1]]


@op("Dilation2DBackpropFilter")
class Dilation2DBackpropFilter:
    def shape(input: Any, filter: Shape, out_backprop: Shape) -> Shape:
        return filter

    def lower(
        input: Any, filter: Array, out_backprop: Array, *, strides: Sequence[int],
        rates: Sequence[int], padding: str,
        ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        sums, places = _sums(input, filter, strides, rates, padding, ctx)
        winner = _winners(sums)
        zero = jnp.zeros((), out_backprop.dtype)
        parts = [
            jnp.sum(jnp.where(winner == i, out_backprop, zero), (0, 1, 2))
            for i in range(len(places))
        ]
        return jnp.stack(parts).reshape(filter.shape)
