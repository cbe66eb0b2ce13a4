"""XLA's reductions by functions of two scalars."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp, lax
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext

Pair = Callable[[Any, Any], Any]


def _ints(values: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in np.ravel(values))


def _pairs(values: Any) -> list[tuple[int, int]]:
    return [(int(low), int(high)) for low, high in np.reshape(values, (-1, 2))]


def _call(ctx: LoweringContext, function: Any) -> Pair:
    return lambda a, b: ctx.call_function(function, [a, b])[0]


def _folded(values: Iterator[np.ndarray], start: Any, call: Pair) -> np.ndarray:
    """What a function makes of arrays, element by element, one after the other."""
    found = None
    for value in values:
        if found is None:
            found = np.full(value.shape, start, value.dtype)
        for place in np.ndindex(value.shape):
            found[place] = call(found[place][...], value[place][...])
    assert found is not None
    return found


@op("XlaReduce")
class XlaReduce:
    def shape(input: Any, init_value: Shape, *, dimensions_to_reduce: Sequence[int]) -> Shape:
        if input is None:
            return None
        return tuple(size for i, size in enumerate(input) if i not in dimensions_to_reduce)

    def lower(
        input: Any,
        init_value: Array,
        *,
        dimensions_to_reduce: Sequence[int],
        reducer: Any,
        ctx: LoweringContext,
    ) -> Array:
        return lax.reduce(
            jnp.asarray(input),
            jnp.asarray(init_value),
            _call(ctx, reducer),
            _ints(dimensions_to_reduce),
        )

    def numpy(
        input: Any,
        init_value: np.ndarray,
        *,
        dimensions_to_reduce: Sequence[int],
        reducer: Any,
        ctx: LoweringContext,
    ) -> np.ndarray:
        axes = _ints(dimensions_to_reduce)
        rows = np.moveaxis(input, axes, range(len(axes)))
        kept = rows.shape[len(axes) :]
        rows = rows.reshape((-1, *kept))
        if not len(rows):
            return np.full(kept, init_value)
        return _folded(iter(rows), init_value, _call(ctx, reducer))


def _window_values(
    values: np.ndarray, sizes: tuple[int, ...], strides: tuple[int, ...], apart: tuple[int, ...]
) -> Iterator[np.ndarray]:
    """For each place in a window: the elements that all windows have there."""
    counts = [
        max(0, (size - (window - 1) * gap - 1) // stride + 1)
        for size, window, stride, gap in zip(values.shape, sizes, strides, apart)
    ]
    for place in itertools.product(*map(range, sizes)):
        yield values[
            tuple(
                slice(at * gap, at * gap + count * stride, stride)
                for at, gap, count, stride in zip(place, apart, counts, strides)
            )
        ]


def _spread(
    values: np.ndarray, fill: Any, gaps: tuple[int, ...], padding: list[tuple[int, int]]
) -> np.ndarray:
    """Values with `gaps` - 1 others between them, and `padding` others around."""
    sizes = [max(0, (size - 1) * gap + 1) for size, gap in zip(values.shape, gaps)]
    found = np.full(sizes, fill, values.dtype)
    found[tuple(slice(None, None, gap) for gap in gaps)] = values
    return np.pad(found, padding, constant_values=fill)


@op("XlaReduceWindow", const=(2, 3, 4, 5, 6))
class XlaReduceWindow:
    def shape(
        input: Any, init_value: Shape, window_dimensions: Shape, window_strides: Shape,
        base_dilations: Shape, window_dilations: Shape, padding: Shape,
    ) -> Shape:  # fmt: skip
        return None

    def lower(
        input: Any, init_value: Array, window_dimensions: np.ndarray, window_strides: np.ndarray,
        base_dilations: np.ndarray, window_dilations: np.ndarray, padding: np.ndarray, *,
        computation: Any,
        ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        return lax.reduce_window(
            jnp.asarray(input),
            jnp.asarray(init_value),
            _call(ctx, computation),
            _ints(window_dimensions),
            _ints(window_strides),
            _pairs(padding),
            base_dilation=_ints(base_dilations),
            window_dilation=_ints(window_dilations),
        )

    def numpy(
        input: Any, init_value: np.ndarray, window_dimensions: np.ndarray,
        window_strides: np.ndarray,
        base_dilations: np.ndarray, window_dilations: np.ndarray, padding: np.ndarray, *,
        computation: Any,
        ctx: LoweringContext,
    ) -> np.ndarray:  # fmt: skip
        values = _spread(input, init_value, _ints(base_dilations), _pairs(padding))
        places = _window_values(
            values, _ints(window_dimensions), _ints(window_strides), _ints(window_dilations)
        )
        return _folded(places, init_value, _call(ctx, computation))


@op("XlaSelectAndScatter", host=True)
class XlaSelectAndScatter:
    def shape(
        operand: Any, window_dimensions: Shape, window_strides: Shape, padding: Shape,
        source: Shape,
        init_value: Shape,
    ) -> Shape:  # fmt: skip
        return operand

    def lower(
        operand: Any, window_dimensions: np.ndarray, window_strides: np.ndarray,
        padding: np.ndarray, source: np.ndarray,
        init_value: np.ndarray, *, select: Any, scatter: Any, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        chooses, adds = _call(ctx, select), _call(ctx, scatter)
        ones = (1,) * operand.ndim
        # Where each element of a window comes from; -1 is around the operand.
        sources = np.arange(operand.size).reshape(operand.shape)
        sources = _spread(sources, -1, ones, _pairs(padding))
        sizes, strides = _ints(window_dimensions), _ints(window_strides)
        places = np.stack(list(_window_values(sources, sizes, strides, ones)), -1)
        values = operand.ravel()
        found = np.full(operand.size, init_value, operand.dtype)
        for window, value in zip(places.reshape(source.size, -1), source.ravel()):
            chosen = -1
            for place in window[window >= 0]:
                if chosen < 0 or not chooses(values[chosen][...], values[place][...]):
                    chosen = place
            if chosen >= 0:
                found[chosen] = adds(np.asarray(value), found[chosen][...])
        return found.reshape(operand.shape)
