"""Images sampled at points between their pixels (tf.contrib.resampler)."""

from __future__ import annotations

from typing import Any

from tf1compat.backend import Array, at, jnp
from tf1compat.core import errors, raw_ops
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape


class _Corners:
    """The four pixels around each point, and what share each has.

    Attributes:
      inside: [batch, points], whether a point is less than a pixel away from the image.
      places: for each corner its rows and columns, kept within the image, and whether it is there.
      right, down: how far a point is from the pixel before it.
    """

    def __init__(self, data: Any, warp: Any):
        _, height, width, _ = data.shape
        x, y = warp[..., 0], warp[..., 1]
        self.inside = (x > -1) & (y > -1) & (x < width) & (y < height)
        x, y = (jnp.where(self.inside, place, jnp.zeros((), warp.dtype)) for place in (x, y))
        left, top = jnp.floor(x), jnp.floor(y)
        self.right, self.down = x - left, y - top
        columns, rows = left.astype(jnp.int32), top.astype(jnp.int32)
        self.places = []
        for row, column in ((rows, columns), (rows, columns + 1)):
            self.places.append(self._place(row, column, height, width))
        for row, column in ((rows + 1, columns), (rows + 1, columns + 1)):
            self.places.append(self._place(row, column, height, width))

    def _place(self, rows: Any, columns: Any, height: int, width: int) -> tuple[Any, Any, Any]:
        there = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        zero = jnp.zeros((), jnp.int32)
        there = there & self.inside
        return jnp.where(there, rows, zero), jnp.where(there, columns, zero), there

    def shares(self) -> list[Any]:
        right, down = self.right, self.down
        return [(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down]

    def pixels(self, data: Any) -> list[Any]:
        """[batch, points, channels] for each corner; 0 beyond the image."""
        batch = jnp.arange(data.shape[0])[:, None]
        return [
            jnp.where(there[..., None], data[batch, rows, columns], jnp.zeros((), data.dtype))
            for rows, columns, there in self.places
        ]


def _flat(warp: Any) -> Any:
    return jnp.reshape(warp, (warp.shape[0], -1, 2))


_WANTED = "[batch_size, data_height, data_width, data_channels], but is: "


def _check(data: Any, warp: Any, ctx: LoweringContext, text: str) -> None:
    """Fails the run if shapes don't go together; `text` says what data's should be."""
    if data.ndim != 4:
        text = f"{text} {_WANTED}{text_of_shape(data)}"
        ctx.check(False, errors.UnimplementedError, lambda: text)
    if warp.ndim < 2:
        refuse(ctx, f"warp should be at least a matrix, got shape {text_of_shape(warp)}")
    if warp.shape[-1] != 2:
        text = (
            "Only bilinear interpolation is supported, warping coordinates must be 2D; warp shape "
            f"last entry should be 2, but shape vector is: {text_of_shape(warp)}"
        )
        ctx.check(False, errors.UnimplementedError, lambda: text)
    if data.shape[0] != warp.shape[0]:
        text = "Batch size of data and warp tensor must be the same, but input shapes are: "
        refuse(ctx, f"{text}{text_of_shape(data).strip()}, {text_of_shape(warp).strip()}")


@op("Resampler")
class Resampler:
    def shape(data: Any, warp: Shape) -> Shape:
        if warp is None:
            return None
        if data == ():
            raise ShapeError("Shape must be at least rank 1 but is rank 0")
        return (*warp[:-1], None if data is None else data[-1])

    def lower(data: Any, warp: Array, *, ctx: LoweringContext) -> Array:
        data, warp = jnp.asarray(data), jnp.asarray(warp)
        text = "Only bilinear interpolation is currently supported. The input data shape must be"
        _check(data, warp, ctx, text)
        corners = _Corners(data, _flat(warp))
        parts = zip(corners.shares(), corners.pixels(data), strict=True)
        total = sum(share[..., None] * pixel for share, pixel in parts)
        return jnp.reshape(total, (*warp.shape[:-1], data.shape[3]))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        data, warp = op.inputs
        return list(raw_ops.ResamplerGrad(data=data, warp=warp, grad_output=grad))


@op("ResamplerGrad")
class ResamplerGrad:
    def shape(data: Any, warp: Shape, grad_output: Shape) -> Any:
        return [data, warp]

    def lower(data: Any, warp: Array, grad_output: Array, *, ctx: LoweringContext) -> Any:
        data, warp, grad = jnp.asarray(data), jnp.asarray(warp), jnp.asarray(grad_output)
        text = (
            "Only bilinear interpolation is supported, the input data tensor must be a batch of 2d "
            "data; data shape should have 4 entries corresponding to"
        )
        _check(data, warp, ctx, text)
        points = _flat(warp)
        grad = jnp.reshape(grad, (*points.shape[:2], data.shape[3]))
        corners = _Corners(data, points)
        batch = jnp.arange(data.shape[0])[:, None]
        grad_data = jnp.zeros(data.shape, data.dtype)
        for share, (rows, columns, there) in zip(corners.shares(), corners.places, strict=True):
            share = jnp.where(there, share, jnp.zeros((), data.dtype))
            grad_data = at(grad_data)[batch, rows, columns].add(share[..., None] * grad)
        top_left, top_right, bottom_left, bottom_right = corners.pixels(data)
        right, down = corners.right[..., None], corners.down[..., None]
        along_x = (1 - down) * (top_right - top_left) + down * (bottom_right - bottom_left)
        along_y = (1 - right) * (bottom_left - top_left) + right * (bottom_right - top_right)
        slopes = jnp.stack([(grad * along_x).sum(-1), (grad * along_y).sum(-1)], axis=-1)
        slopes = jnp.where(corners.inside[..., None], slopes, jnp.zeros((), data.dtype))
        return [grad_data, jnp.reshape(slopes, warp.shape)]


not_differentiable("ResamplerGrad")
