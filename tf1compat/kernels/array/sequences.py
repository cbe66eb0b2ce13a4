"""Sequences of numbers (Range, LinSpace), and counting (Bincount, HistogramFixedWidth)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.backend import at, jnp
from tf1compat.core import errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape

Array = Any


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    """How many numbers a range has.

    Raises:
      ShapeError: it would never end; TF's text.
    """
    if delta == 0:
        raise ShapeError("Requires delta != 0")
    # No comparison with a NaN holds, and a NaN is not greater than 0.
    if delta > 0 and not start <= limit:
        raise ShapeError(
            f"Requires start <= limit when delta > 0: {_number(start)}/{_number(limit)}"
        )
    if not delta > 0 and not start >= limit:
        raise ShapeError(
            f"Requires start >= limit when delta < 0: {_number(start)}/{_number(limit)}"
        )
    if start.dtype.kind == "i":
        start, limit, delta = int(start), int(limit), abs(int(delta))
        return (abs(limit - start) + delta - 1) // delta
    size = abs((limit - start) / delta)
    if not math.isfinite(size):
        raise ShapeError(f"Dimension {-(2**63)} must be >= 0")  # C++'s integer for these
    return math.ceil(size)


def _check_scalars(**inputs: Shape) -> None:
    for name, shape in inputs.items():
        try:
            shapes.with_rank(shape, 0)
        except ShapeError as error:
            raise ShapeError(f"{error}\n\t for '{name}'") from None


def _number(value: Any) -> str:
    """A number as C++ streams print it."""
    return f"{value:g}" if value.dtype.kind != "i" else str(value)


@op("Range", const=(0, 1, 2))
class Range:
    def shape(start: Any, limit: Shape, delta: Shape, *, op: Any) -> Shape:
        _check_scalars(start=start, limit=limit, delta=delta)
        values = [op.const_input(i) for i in range(3)]
        if any(value is None or not np.isfinite(value).all() for value in values):
            return (None,)
        return (_range_size(*(value[()] for value in values)),)

    def lower(start: Any, limit: np.ndarray, delta: np.ndarray, *, ctx: LoweringContext) -> Any:
        for name, value in (("start", start), ("limit", limit), ("delta", delta)):
            ctx.check(
                value.ndim == 0,
                errors.InvalidArgumentError,
                lambda name=name, value=value: (
                    f"{name} must be a scalar, not shape {shapes.to_string(value.shape)}"
                ),
            )
        try:
            return _range(start, limit, delta)
        except ShapeError as error:
            text = str(error) if delta else f"{error}: {_number(delta)}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)

    def fold(start: Any, limit: Any, delta: Any) -> Any:
        try:
            return _range(start, limit, delta)
        except (ShapeError, ValueError):
            return None


def _range(start: Any, limit: Any, delta: Any) -> np.ndarray:
    size = _range_size(start[()], limit[()], delta[()])
    if start.dtype.kind == "i":
        return start + delta * np.arange(size, dtype=start.dtype)
    # TF adds delta again and again: the rounding errors add up too.
    steps = np.full(size, delta, start.dtype)
    if size:
        steps[0] = start
    return np.add.accumulate(steps, dtype=start.dtype)


@op("LinSpace", const=(2,))
class LinSpace:
    def shape(start: Any, stop: Shape, num: Shape, *, op: Operation) -> Shape:
        _check_scalars(start=start, stop=stop, num=num)
        count = op.const_input(2)
        if count is None:
            return (None,)
        if count <= 0:
            raise ShapeError(f"Requires num > 0: {count}")
        return (int(count),)

    def lower(start: Any, stop: Array, num: np.ndarray, *, ctx: LoweringContext) -> Array:
        for name, value in (("start", start), ("stop", stop), ("num", num)):
            if np.ndim(value):
                refuse(ctx, f"{name} must be a scalar, not shape {text_of_shape(value)}")
        count = int(num)
        ctx.check(count > 0, errors.InvalidArgumentError, lambda: f"Requires num > 0: {count}")
        start, stop = jnp.asarray(start), jnp.asarray(stop)
        if count == 1:
            return start[None]
        step = (stop - start) / jnp.asarray(count - 1, start.dtype)
        inner = start + step * jnp.arange(1, count - 1).astype(start.dtype)
        return jnp.concatenate([start[None], inner, stop[None]])


@op("Bincount", const=(1,))
class Bincount:
    def shape(arr: Any, size: Shape, weights: Shape, *, op: Operation) -> Shape:
        shapes.with_rank(size, 0)
        value = op.const_input(1)
        if value is None:
            # TF reads the tensor's value as a dimension, and finds none.
            return (None,)
        if value < 0:
            raise ShapeError(f"size ({value}) must be non-negative")
        return (int(value),)

    def lower(arr: Any, size: np.ndarray, weights: Array, *, ctx: LoweringContext) -> Array:
        count = int(size)
        ctx.check(
            count >= 0, errors.InvalidArgumentError, lambda: f"size ({count}) must be non-negative"
        )
        arr, weights = jnp.ravel(arr), jnp.ravel(weights)
        ctx.check(jnp.all(arr >= 0), errors.InvalidArgumentError, "Input arr must be non-negative!")
        values = weights if weights.size else jnp.ones(arr.shape, weights.dtype)
        return at(jnp.zeros(count, weights.dtype))[arr].add(values, mode="drop")

    def fold(arr: Any, size: Any, weights: Any) -> Any:
        if (arr < 0).any():
            return None
        found = np.zeros(int(size), weights.dtype)
        inside = arr < size
        np.add.at(found, arr[inside], weights[inside] if weights.size else 1)
        return found


@op("HistogramFixedWidth", const=(2,))
class HistogramFixedWidth:
    def shape(values: Any, value_range: Shape, nbins: Shape, *, op: Operation) -> Shape:
        edges = shapes.with_rank(value_range, 1)
        shapes.dim_with_value(edges[0], 2)
        shapes.with_rank(nbins, 0)
        count = op.const_input(2)
        if count is None:
            return (None,)
        if count <= 0:
            raise ShapeError(f"Requires nbins > 0: {count}")
        return (int(count),)

    def lower(
        values: Any, value_range: Array, nbins: np.ndarray, *, dtype: DType, ctx: LoweringContext
    ) -> Array:
        if np.ndim(value_range) != 1:
            refuse(ctx, "value_range should be a vector.")
        if np.shape(value_range) != (2,):
            refuse(ctx, "value_range should be a vector of 2 elements.")
        if np.ndim(nbins):
            refuse(ctx, "nbins should be a scalar.")
        count = int(nbins)
        ctx.check(
            count > 0,
            errors.InvalidArgumentError,
            lambda: f"nbins should be a positive number, but got '{count}'",
        )
        low, high = value_range[0], value_range[1]
        ctx.check(
            low < high if not isinstance(low, np.generic) else bool(low < high),
            errors.InvalidArgumentError,
            "value_range should satisfy value_range[0] < value_range[1], but got "
            "'[{low:g}, {high:g}]'",
            low=low,
            high=high,
        )
        values = jnp.ravel(values)
        kind = values.dtype if jnp.issubdtype(values.dtype, jnp.floating) else jnp.float64
        step = (high - low).astype(kind) / jnp.asarray(count, kind)
        bins = jnp.floor((values - low).astype(kind) / step)
        bins = jnp.clip(bins, 0, count - 1).astype(jnp.int32)
        kind = dtype.as_numpy_dtype
        return at(jnp.zeros(count, kind))[bins].add(jnp.ones(bins.shape, kind))


not_differentiable("Range", "LinSpace")
