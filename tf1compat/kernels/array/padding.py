"""Padding by constants and by mirror images."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _padded_shape(input: Any, paddings: Any, op: Any) -> Any:
    rows, columns = shapes.with_rank(paddings, 2)
    shapes.dim_with_value(columns, 2)
    if rows is not None:
        input = shapes.with_rank(input, rows)
    elif input is not None:
        rows = len(input)
    value = op.const_input(1)
    if value is None:
        return None if rows is None else (None,) * rows
    input = shapes.with_rank(input, len(value))
    return tuple(shapes.add_dims(dim, size) for dim, size in zip(input, _sizes(value), strict=True))


def _sizes(paddings: Any) -> list[int]:
    """How much each dimension grows."""
    if (paddings < 0).any():
        raise ShapeError("Paddings must be non-negative")
    return paddings.sum(axis=1).tolist()


def _pad_gradient(op: Operation, grad: Tensor) -> Any:
    x, paddings = op.inputs[0], op.inputs[1]
    before = array_ops.slice(paddings, [0, 0], array_ops.stack([array_ops.rank(x), 1]))
    begin = array_ops.reshape(before, [-1])
    result = array_ops.slice(grad, begin, array_ops.shape(x))
    return [result] + [None] * (len(op.inputs) - 1)


def _widths(
    input: Any, paddings: Any, ctx: LoweringContext, between: str = " "
) -> list[tuple[int, int]]:
    """The padding before and after each dimension, or TF's error."""
    if np.ndim(paddings) != 2 or paddings.shape[1] != 2:
        refuse(ctx, f"paddings must be a matrix with 2 columns: {text_of_shape(paddings)}")
    if len(paddings) != np.ndim(input):
        refuse(
            ctx,
            "The first dimension of paddings must be the rank of inputs"
            f"{text_of_shape(paddings)}{between}{text_of_shape(input)}",
        )
    return [(int(a), int(b)) for a, b in paddings]


def _check_mirror(widths: Any, sizes: Any, mode: str, which: str, ctx: LoweringContext) -> None:
    """Refuses paddings that are larger than what they mirror."""
    reflect = mode == "REFLECT"
    for (a, b), size in zip(widths, sizes):
        if a < 0 or b < 0:
            refuse(ctx, f"paddings must be non-negative: {a} {b}")
        if max(a, b) > (size - 1 if reflect else size):
            refuse(
                ctx,
                f"paddings must be {'less than' if reflect else 'no greater than'} the {which} "
                f"size: {a}, {b} {'not less than' if reflect else 'greater than'} {size}",
            )


def _pad(input: Any, paddings: Any, value: Any, ctx: LoweringContext) -> Any:
    widths = _widths(input, paddings, ctx)
    for a, b in widths:
        if a < 0 or b < 0:
            refuse(ctx, f"Paddings must be non-negative: {a} {b}")
    return lax.pad(jnp.asarray(input), value, [(a, b, 0) for a, b in widths])


@op("Pad", const=(1,), autodiff=True)
class Pad:
    def shape(input: Any, paddings: Shape, *, op: Operation) -> Shape:
        return _padded_shape(input, paddings, op)

    def lower(input: Any, paddings: np.ndarray, *, ctx: LoweringContext) -> Array:
        return _pad(input, paddings, jnp.zeros((), input.dtype), ctx)

    def fold(input: Any, paddings: Any) -> Any:
        return np.pad(input, paddings) if input.dtype != object else None

    gradient = _pad_gradient


@op("PadV2", const=(1,))
class PadV2:
    def shape(input: Any, paddings: Shape, constant_values: Shape, *, op: Operation) -> Shape:
        return _padded_shape(input, paddings, op)

    def lower(
        input: Any, paddings: np.ndarray, constant_values: Array, *, ctx: LoweringContext
    ) -> Array:
        if np.ndim(constant_values):
            refuse(
                ctx, f"constant_values must be a scalar. Found: {text_of_shape(constant_values)}"
            )
        return _pad(input, paddings, constant_values, ctx)

    def fold(input: Any, paddings: np.ndarray, constant_values: np.ndarray) -> Any:
        if constant_values.ndim:
            return None
        return np.pad(input, paddings, constant_values=constant_values)

    gradient = _pad_gradient


@op("MirrorPad", const=(1,), autodiff=True)
class MirrorPad:
    def shape(input: Any, paddings: Shape, *, op: Operation) -> Shape:
        return _padded_shape(input, paddings, op)

    def lower(input: Any, paddings: np.ndarray, *, mode: str, ctx: LoweringContext) -> Array:
        widths = _widths(input, paddings, ctx, ", ")
        _check_mirror(widths, np.shape(input), mode, "dimension", ctx)
        form = "reflect" if mode == "REFLECT" else "symmetric"
        return jnp.pad(jnp.asarray(input), widths, mode=form)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.MirrorPadGrad(grad, op.inputs[1], mode=op.get_attr("mode")), None]


@op("MirrorPadGrad", const=(1,), autodiff=True)
class MirrorPadGrad:
    def shape(input: Any, paddings: Shape, *, op: Operation) -> Shape:
        paddings = shapes.with_rank(paddings, 2)
        rank = paddings[0]
        if rank is None:
            return None
        input = shapes.with_rank(input, rank)
        shapes.merge(paddings, (rank, 2))
        value = op.const_input(1)
        if value is None:
            return (None,) * rank
        return tuple(map(shapes.subtract_dims, input, _sizes(value)))

    def lower(input: Any, paddings: np.ndarray, *, mode: str, ctx: LoweringContext) -> Array:
        widths = _widths(input, paddings, ctx)
        sizes = [dim - a - b for dim, (a, b) in zip(np.shape(input), widths)]
        _check_mirror(widths, sizes, mode, "output dimension", ctx)
        # The padding is folded back onto what it mirrored, one dimension after the other.
        skip = 1 if mode == "REFLECT" else 0
        result = jnp.asarray(input)
        for axis, (a, b) in enumerate(widths):
            size = result.shape[axis] - a - b
            core = lax.slice_in_dim(result, a, a + size, axis=axis)
            if a:
                part = jnp.flip(lax.slice_in_dim(result, 0, a, axis=axis), axis)
                core = _add_at(core, part, skip, axis)
            if b:
                part = jnp.flip(lax.slice_in_dim(result, a + size, a + size + b, axis=axis), axis)
                core = _add_at(core, part, size - skip - b, axis)
            result = core
        return result

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.MirrorPad(grad, op.inputs[1], mode=op.get_attr("mode")), None]


def _add_at(core: Any, part: Any, start: int, axis: int) -> Any:
    index = [slice(None)] * core.ndim
    index[axis] = slice(start, start + part.shape[axis])
    return at(core)[tuple(index)].add(part)
