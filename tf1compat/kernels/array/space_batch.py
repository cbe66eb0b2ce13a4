"""Moving blocks of space into the batch and back: what dilated convolutions are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, jnp, lax
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError, UnknownShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


def _static(input: Any, count: int, blocks: Any, amounts: Any, into_batch: bool) -> Any:
    """The output's shape; the input's shape, the sizes of the `count` blocks and the amounts may be
    known or not."""
    if blocks is not None and (blocks < 1).any():
        raise ShapeError("block_shape must be positive")
    if amounts is not None and (amounts < 0).any():
        raise ShapeError(f"{'paddings' if into_batch else 'crops'} cannot be negative")
    if input is None:
        return None
    batch = input[0]
    space: list[int | None] = list(input[1 : count + 1])
    for i in range(count):
        block = None if blocks is None else int(blocks[i])
        extra = None if amounts is None else int(amounts[i].sum())
        if into_batch:
            batch = None if block is None else shapes.multiply_dims(batch, block)
            known = extra is not None and block is not None
            padded = shapes.add_dims(space[i], extra) if known else None
            space[i] = shapes.divide_dims(padded, block) if known else None
        else:
            batch = None if block is None else shapes.divide_dims(batch, block)
            grown = None if block is None else shapes.multiply_dims(space[i], block)
            space[i] = None if extra is None else shapes.subtract_dims(grown, extra)
    return (batch, *space, *input[count + 1 :])


def _static_nd(input: Any, block_shape: Any, pairs: Any, op: Any, into_batch: bool) -> Any:
    if block_shape is None:
        raise UnknownShapeError("block_shape must have rank 1.")
    if len(block_shape) != 1:
        raise ShapeError("block_shape must have rank 1.")
    (count,) = block_shape
    if count is None:
        raise UnknownShapeError("block_shape must have known size.")
    input = shapes.with_rank_at_least(input, count + 1)
    shapes.merge(pairs, (count, 2))
    return _static(input, count, op.const_input(1), op.const_input(2), into_batch)


def _static_square(input: Any, pairs: Any, op: Any, into_batch: bool) -> Any:
    input = shapes.with_rank(input, 4)
    shapes.merge(pairs, (2, 2))
    blocks = np.full(2, op._attrs["block_size"])
    return _static(input, 2, blocks, op.const_input(1), into_batch)


def _require(ctx: LoweringContext, holds: bool, text: str) -> None:
    if not holds:
        refuse(ctx, text)


def _check_nd(input: Any, block_shape: Any, pairs: Any, name: str, ctx: LoweringContext) -> None:
    rank = np.ndim(block_shape)
    _require(ctx, rank == 1, f"block_shape rank should be 1 instead of {rank}")
    count = len(block_shape)
    least = f"input rank should be >= {1 + count} instead of {np.ndim(input)}"
    _require(ctx, np.ndim(input) > count, least)
    _require(
        ctx,
        np.shape(pairs) == (count, 2),
        f"{name} should have shape [{count}, 2] instead of {text_of_shape(pairs)}",
    )
    product = math.prod(int(block) for block in block_shape)
    _require(ctx, product > 0, f"Product of block sizes must be positive, got {product}")
    _require(ctx, (pairs >= 0).all(), f"{name.capitalize()} must be non-negative")


def _check_square(input: Any, pairs: Any, name: str, ctx: LoweringContext) -> None:
    _require(ctx, np.ndim(input) == 4, f"Input rank should be: 4instead of: {np.ndim(input)}")
    text = f"{name} must be a 2 x 2 matrix: {text_of_shape(pairs)}"
    _require(ctx, np.shape(pairs) == (2, 2), text)
    _require(ctx, (pairs >= 0).all(), f"{name.capitalize()} must be non-negative")


def _into_batch(input: Any, blocks: list[int], paddings: Any, ctx: LoweringContext) -> Any:
    count = len(blocks)
    amounts = [(0, 0), *((int(a), int(b)) for a, b in paddings)]
    amounts += [(0, 0)] * (input.ndim - 1 - count)
    padded = jnp.pad(input, amounts)
    batch, *rest = padded.shape
    space, depth = rest[:count], rest[count:]
    for i, (size, block) in enumerate(zip(space, blocks, strict=True)):
        _require(
            ctx,
            size % block == 0,
            f"padded_shape[{i}]={size} is not divisible by block_shape[{i}]={block}",
        )
    small = [size // block for size, block in zip(space, blocks, strict=True)]
    split = [n for pair in zip(small, blocks, strict=True) for n in pair]
    values = padded.reshape(batch, *split, *depth)
    inner = [2 + 2 * i for i in range(count)]
    outer = [1 + 2 * i for i in range(count)]
    order = (*inner, 0, *outer, *range(1 + 2 * count, values.ndim))
    return jnp.transpose(values, order).reshape(batch * math.prod(blocks), *small, *depth)


def _out_of_batch(input: Any, blocks: list[int], crops: Any, ctx: LoweringContext) -> Any:
    count = len(blocks)
    product = math.prod(blocks)
    batch, *rest = input.shape
    _require(
        ctx,
        batch % product == 0,
        f"Input batch dimension ({batch}) is not divisible by product of block sizes ({product})",
    )
    space, depth = rest[:count], rest[count:]
    values = jnp.asarray(input).reshape(*blocks, batch // product, *space, *depth)
    order = [count]
    for i in range(count):
        order += [count + 1 + i, i]
    order += range(2 * count + 1, values.ndim)
    grown = [size * block for size, block in zip(space, blocks, strict=True)]
    for i, (size, pair) in enumerate(zip(grown, crops, strict=True)):
        left = size - int(pair.sum())
        _require(ctx, left >= 0, f"cropped_shape[{i}]={left} must be non-negative")
    whole = jnp.transpose(values, order).reshape(batch // product, *grown, *depth)
    start = [0, *(int(before) for before, _ in crops), *[0] * len(depth)]
    ends = [size - int(after) for size, (_, after) in zip(grown, crops, strict=True)]
    return lax.slice(whole, start, [whole.shape[0], *ends, *depth])


@op("SpaceToBatchND", const=(1, 2), autodiff=True)
class SpaceToBatchND:
    def shape(input: Any, block_shape: Shape, paddings: Shape, *, op: Operation) -> Shape:
        return _static_nd(input, block_shape, paddings, op, True)

    def lower(
        input: Any, block_shape: np.ndarray, paddings: np.ndarray, *, ctx: LoweringContext
    ) -> Array:
        _check_nd(input, block_shape, paddings, "paddings", ctx)
        return _into_batch(input, [int(b) for b in block_shape], paddings, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.BatchToSpaceND(grad, op.inputs[1], op.inputs[2]), None, None]


@op("BatchToSpaceND", const=(1, 2), autodiff=True)
class BatchToSpaceND:
    def shape(input: Any, block_shape: Shape, crops: Shape, *, op: Operation) -> Shape:
        return _static_nd(input, block_shape, crops, op, False)

    def lower(
        input: Any, block_shape: np.ndarray, crops: np.ndarray, *, ctx: LoweringContext
    ) -> Array:
        _check_nd(input, block_shape, crops, "crops", ctx)
        return _out_of_batch(input, [int(b) for b in block_shape], crops, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.SpaceToBatchND(grad, op.inputs[1], op.inputs[2]), None, None]


@op("SpaceToBatch", const=(1,), autodiff=True)
class SpaceToBatch:
    def shape(input: Any, paddings: Shape, *, op: Operation) -> Shape:
        return _static_square(input, paddings, op, True)

    def lower(input: Any, paddings: np.ndarray, *, block_size: int, ctx: LoweringContext) -> Array:
        _check_square(input, paddings, "paddings", ctx)
        return _into_batch(input, [block_size, block_size], paddings, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        size = op.get_attr("block_size")
        # TF 1.15 records the general op.
        return [array_ops.batch_to_space(grad, op.inputs[1], block_size=size), None]


@op("BatchToSpace", const=(1,), autodiff=True)
class BatchToSpace:
    def shape(input: Any, crops: Shape, *, op: Operation) -> Shape:
        return _static_square(input, crops, op, False)

    def lower(input: Any, crops: np.ndarray, *, block_size: int, ctx: LoweringContext) -> Array:
        _check_square(input, crops, "crops", ctx)
        return _out_of_batch(input, [block_size, block_size], crops, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        size = op.get_attr("block_size")
        return [array_ops.space_to_batch(grad, op.inputs[1], block_size=size), None]
