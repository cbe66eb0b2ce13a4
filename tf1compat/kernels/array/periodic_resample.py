"""tf.contrib.periodic_resample: elements of one dimension are dealt out to the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.backend import Array, at, jnp
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse


def _sizes(own: Any, wanted: Any, ctx: LoweringContext) -> tuple[list[int], int]:
    """The output's sizes, and the dimension that gives way."""
    if len(own) != len(wanted):
        refuse(
            ctx,
            f"periodic_resample expects the rank of the input tensor, {len(own)}, to be the same "
            f"as the length of the desired shape, {len(wanted)}.",
        )
    free = [i for i, size in enumerate(wanted) if size is None]
    if not free:
        refuse(ctx, "periodic_resample expects at least one index to be marked as adjustable.")
    if len(free) > 1:
        refuse(ctx, "periodic_resample expects only one index to be marked as adjustable.")
    for i, (size, new) in enumerate(zip(own, wanted)):
        if new is not None and new < size:
            refuse(
                ctx,
                "periodic_resample expects the size of non-adjustable dimensions be at least as "
                f"large as size of input tensor. Dimension {i} input tensor has size {size}, "
                f"desired shape has size {new}.",
            )
    (axis,) = free
    rest = math.prod(size for size in wanted if size is not None)
    found = [math.prod(own) // rest if size is None else size for size in wanted]
    if found[axis] < 1:
        refuse(
            ctx,
            f"periodic_resample found that the adjustable dimension, {axis}, isn't greater than "
            f"zero, {found[axis]}.",
        )
    return found, axis


def _places(own: Any, new: list[int], axis: int) -> np.ndarray:
    """Where in the flat input each element of the output comes from; behind its end, where there
    is none."""
    where: list[Any] = []
    grid = np.indices(new)
    turns, stride = np.zeros(new, np.int64), 1
    for i, (size, wanted) in enumerate(zip(own, new)):
        if i == axis:
            where.append(None)
            continue
        factor = -(-wanted // size)
        where.append(grid[i] // factor)
        turns += stride * (grid[i] % factor)
        stride *= factor
    where[axis] = new[axis] * turns + grid[axis]
    inside = where[axis] < own[axis]
    where[axis] = np.minimum(where[axis], own[axis] - 1)
    return np.where(inside, np.ravel_multi_index(where, own), math.prod(own))


@op("PeriodicResample")
class PeriodicResample:
    def shape(values: Any, *, shape: Any) -> Shape:
        if values is None or not shapes.is_fully_known(values) or len(values) != len(shape):
            return shape
        rest = math.prod(size for size in shape if size is not None)
        return tuple(
            (math.prod(values) // rest if rest else None) if size is None else size
            for size in shape
        )

    def lower(values: Any, *, shape: Shape, ctx: LoweringContext) -> Array:
        new, axis = _sizes(np.shape(values), shape, ctx)
        places = _places(np.shape(values), new, axis)
        # TF leaves elements that come from nowhere as they are in memory; here they are 0.
        return jnp.concatenate([jnp.ravel(values), jnp.zeros(1, values.dtype)])[places]

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return raw_ops.PeriodicResampleOpGrad(grad, op.inputs[0].shape, op.get_attr("shape"))


@op("PeriodicResampleOpGrad")
class PeriodicResampleOpGrad:
    def shape(grad: Any, *, original_shape: Shape) -> Shape:
        return original_shape

    def lower(grad: Any, *, original_shape: Any, desired_shape: Any, ctx: LoweringContext) -> Array:
        new, axis = _sizes(original_shape, desired_shape, ctx)
        places = _places(original_shape, new, axis).ravel()
        flat = jnp.zeros(math.prod(original_shape) + 1, grad.dtype)
        return at(flat)[places].add(jnp.ravel(grad))[:-1].reshape(original_shape)
