"""Projective transformations of images (tf.contrib.image)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.contrib.image import image_ops
from tf1compat.backend import Array, jnp
from tf1compat.core import shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse


def _read(x: Any, rows: Any, columns: Any) -> Any:
    """The pixels at places [batch, row, column]; 0 outside."""
    inside = (rows >= 0) & (rows < x.shape[1]) & (columns >= 0) & (columns < x.shape[2])
    batch = jnp.arange(x.shape[0])[:, None, None]
    rows, columns = (jnp.where(inside, place, 0).astype(jnp.int32) for place in (rows, columns))
    return jnp.where(inside[..., None], x[batch, rows, columns], jnp.zeros((), x.dtype))


def _rounded(x: Any) -> Any:
    """To the nearest integer, halves away from 0, as C rounds."""
    size = jnp.abs(x)
    whole = jnp.floor(size)
    return jnp.sign(x) * jnp.where(size - whole >= 0.5, whole + 1, whole)


def _projected(
    images: Any, transforms: Any, size: Any, interpolation: str, ctx: LoweringContext
) -> Any:
    x, t = jnp.asarray(images), jnp.asarray(transforms)
    if x.ndim != 4:
        refuse(ctx, "Input images must have rank 4")
    if t.ndim != 2 or t.shape[0] not in (1, x.shape[0]) or t.shape[1] != 8:
        refuse(ctx, "Input transform should be num_images x 8 or 1 x 8")
    if interpolation not in ("NEAREST", "BILINEAR"):
        refuse(
            ctx,
            f"Invalid interpolation {interpolation}. Supported types: NEAREST, BILINEAR",
        )
    t = t[:, :, None, None]
    row = jnp.arange(size[0], dtype=jnp.float32)[:, None]
    column = jnp.arange(size[1], dtype=jnp.float32)[None, :]
    depth = t[:, 6] * column + t[:, 7] * row + 1
    safe = jnp.where(depth == 0, 1, depth)
    shape = (x.shape[0], *size)
    columns = jnp.broadcast_to((t[:, 0] * column + t[:, 1] * row + t[:, 2]) / safe, shape)
    rows = jnp.broadcast_to((t[:, 3] * column + t[:, 4] * row + t[:, 5]) / safe, shape)
    if interpolation == "NEAREST":
        found = _read(x, _rounded(rows), _rounded(columns))
    else:
        top, left = jnp.floor(rows), jnp.floor(columns)
        bottom, right = top + 1, left + 1
        parts = []
        for line in (top, bottom):
            before = _read(x, line, left).astype(jnp.float32)
            after = _read(x, line, right).astype(jnp.float32)
            share = (columns - left)[..., None]
            parts.append((right - columns)[..., None] * before + share * after)
        found = (bottom - rows)[..., None] * parts[0] + (rows - top)[..., None] * parts[1]
        found = found.astype(x.dtype)
    return jnp.where((depth == 0)[..., None], jnp.zeros((), x.dtype), found)


@op("ImageProjectiveTransformV2", const=(2,))
class ImageProjectiveTransformV2:
    def shape(images: Any, transforms: Shape, output_shape: Shape, *, op: Operation) -> Shape:
        images = shapes.with_rank(images, 4)
        shapes.dim_with_value(shapes.with_rank(output_shape, 1)[0], 2)
        value = op.const_input(2)
        rows, columns = (None, None) if value is None else shapes.from_sizes(value)
        return images[0], rows, columns, images[3]

    def lower(
        images: Any,
        transforms: Array,
        output_shape: np.ndarray,
        *,
        interpolation: str,
        ctx: LoweringContext,
    ) -> Array:
        size = tuple(int(n) for n in output_shape)
        return _projected(images, transforms, size, interpolation, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return image_ops.projective_gradient(op, grad)


@op("ImageProjectiveTransform")
class ImageProjectiveTransform:
    def shape(images: Any, transforms: Shape) -> Shape:
        return images

    def lower(images: Any, transforms: Array, *, interpolation: str, ctx: LoweringContext) -> Array:
        return _projected(images, transforms, np.shape(images)[1:3], interpolation, ctx)
