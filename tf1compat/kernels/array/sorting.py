"""The largest elements, the n-th smallest, and places in sorted rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jax, jnp, lax
from tf1compat.core import dtypes, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, scalar_dim


def _top_k_shape(input: Any, size: int | None) -> Any:
    shapes.with_rank_at_least(input, 1)
    if input is None:
        return [None, None]
    last = input[-1]
    if size is not None and last is not None and last < size:
        raise ShapeError(f"input must have last dimension >= k = {size} but is {last}")
    return [(*input[:-1], size)] * 2


def _check_top_k(input: Any, size: int, ctx: LoweringContext) -> None:
    if size < 0:
        refuse(ctx, f"Need k >= 0, got {size}")
    if not np.ndim(input):
        refuse(ctx, f"input must be >= 1-D, got shape {shapes.to_string(np.shape(input))}")
    if np.shape(input)[-1] < size:
        refuse(ctx, f"input must have at least k columns. Had {np.shape(input)[-1]}, needed {size}")


def _top_k(input: Any, size: int, ctx: LoweringContext) -> Any:
    _check_top_k(input, size, ctx)
    if jnp.issubdtype(input.dtype, jnp.floating):
        input = jnp.where(input == 0, jnp.zeros_like(input), input)  # XLA orders -0.0 and 0.0
    values, indices = lax.top_k(input, size)
    return [values, indices.astype(jnp.int32)]


def _last_size(shape: Any) -> Any:
    """The last size of a shape, as int64."""
    return array_ops.gather(math_ops.cast(shape, dtypes.int64), array_ops.size(shape) - 1)


def _top_k_gradient(op: Operation, grad: Tensor, _: Any) -> Any:
    in_shape = array_ops.shape(op.inputs[0])
    rows = array_ops.reshape(
        op.outputs[1], array_ops.stack([-1, _last_size(array_ops.shape(op.outputs[1]))])
    )
    in_last = _last_size(in_shape)
    outer = array_ops.shape(rows)[0]
    starts = math_ops.range(0, math_ops.cast(outer, dtypes.int64) * in_last, in_last)
    offsets = math_ops.cast(array_ops.expand_dims(starts, -1), dtypes.int32)
    flat = array_ops.reshape(rows + offsets, [-1])
    scattered = array_ops.scatter_nd(
        array_ops.expand_dims(flat, -1),
        array_ops.reshape(grad, [-1]),
        [math_ops.reduce_prod(in_shape)],
    )
    return [array_ops.reshape(scattered, in_shape), array_ops.zeros([], dtype=dtypes.int32)]


@op("TopKV2", const=(1,))
class TopKV2:
    def shape(input: Any, k: Shape, *, op: Operation) -> Any:
        shapes.with_rank_at_least(input, 1)
        return _top_k_shape(input, scalar_dim(op, 1))

    def lower(input: Any, k: np.ndarray, *, ctx: LoweringContext) -> Any:
        if np.ndim(k):
            refuse(ctx, f"k must be scalar, got shape {shapes.to_string(np.shape(k))}")
        return _top_k(input, int(k), ctx)

    def numpy(input: Any, k: np.ndarray, *, ctx: LoweringContext) -> Any:
        if k.ndim:
            raise ValueError("k is no scalar")
        size = int(k)
        _check_top_k(input, size, ctx)
        return lax.top_k(input, size)  # NumPy takes -0.0 and 0.0 for equal

    def fold(input: Any, k: np.ndarray) -> Any:
        # Of equal numbers the first comes first.
        backwards = np.argsort(input[..., ::-1], axis=-1, kind="stable")[..., ::-1]
        places = input.shape[-1] - 1 - backwards[..., : int(k)]
        return [np.take_along_axis(input, places, -1), places]

    gradient = _top_k_gradient


@op("TopK")
class TopK:
    def shape(input: Any, *, k: int) -> Any:
        return _top_k_shape(input, k)

    def lower(input: Any, *, k: int, ctx: LoweringContext) -> Any:
        return _top_k(input, k, ctx)

    gradient = _top_k_gradient


@op("NthElement", const=(1,))
class NthElement:
    def shape(input: Any, n: Shape, *, op: Operation) -> Shape:
        shapes.with_rank_at_least(input, 1)
        place = scalar_dim(op, 1)
        last = None if input is None else input[-1]
        if place is not None and last is not None and last <= place:
            raise ShapeError(f"Input must have last dimension > n = {place} but is {last}")
        return shapes.subshape(input, 0, -1)

    def lower(input: Any, n: np.ndarray, *, reverse: bool, ctx: LoweringContext) -> Array:
        if np.ndim(n):
            refuse(ctx, f"N must be scalar, got shape {shapes.to_string(np.shape(n))}")
        place = int(n)
        if place < 0:
            refuse(ctx, f"n must be non-negative, got {place}")
        if not np.ndim(input):
            refuse(ctx, f"Input must be >= 1-D, got shape {shapes.to_string(np.shape(input))}")
        last = np.shape(input)[-1]
        if last <= place:
            refuse(ctx, "Input must have at least n+1 columns")
        return jnp.sort(input, axis=-1)[..., last - 1 - place if reverse else place]

    def gradient(op: Any, grad: Tensor) -> Gradients:
        equal = math_ops.equal(array_ops.expand_dims(op.outputs[0], -1), op.inputs[0])
        indicators = math_ops.cast(equal, grad.dtype)
        grad = array_ops.expand_dims(grad, -1)
        selected = array_ops.expand_dims(math_ops.reduce_sum(indicators, -1), -1)
        return [math_ops.div(indicators, selected) * grad, None]


def _bound_shape(sorted_inputs: Any, values: Any) -> Any:
    shapes.with_rank(sorted_inputs, 2)
    shapes.with_rank(values, 2)
    return values


def _bounds(rows: Any, values: Any, side: str, out_type: Any, ctx: LoweringContext) -> Any:
    if np.shape(rows)[0] != np.shape(values)[0]:
        refuse(ctx, "Leading dim_size of both tensors must match.")

    def one(row: Any, wanted: Any) -> Any:
        return jnp.searchsorted(row, wanted, side=side)

    found = jax.vmap(one)(jnp.asarray(rows), jnp.asarray(values))
    return found.astype(out_type.as_numpy_dtype)


@op("LowerBound")
class LowerBound:
    shape = staticmethod(_bound_shape)

    def lower(sorted_inputs: Any, values: Array, *, out_type: DType, ctx: LoweringContext) -> Array:
        return _bounds(sorted_inputs, values, "left", out_type, ctx)


@op("UpperBound")
class UpperBound:
    shape = staticmethod(_bound_shape)

    def lower(sorted_inputs: Any, values: Array, *, out_type: DType, ctx: LoweringContext) -> Array:
        return _bounds(sorted_inputs, values, "right", out_type, ctx)
