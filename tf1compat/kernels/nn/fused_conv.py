"""Convolutions with what comes before them: padding, and resizing."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import Array
from tf1compat.core.op_registry import op, spec
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array import padding  # noqa: F401
from tf1compat.kernels.image import image_resize  # noqa: F401
from tf1compat.kernels.nn import conv

_pad: Any = spec("MirrorPad")
_resize: Any = spec("ResizeBilinear")


def _padded(shape: Shape, index: int, op: Any) -> Shape:
    value = op.const_input(index)
    if shape is None or value is None:
        return None if shape is None else (None,) * len(shape)
    return tuple(
        None if size is None else size + int(a) + int(b) for size, (a, b) in zip(shape, value)
    )


@op("FusedPadConv2D", const=(1,))
class FusedPadConv2D:
    def shape(input: Any, paddings: Shape, filter: Shape, *, op: Operation) -> Shape:
        return conv.conv_shape(_padded(input, 1, op), filter, op)

    def lower(
        input: Any,
        paddings: np.ndarray,
        filter: Array,
        *,
        mode: str,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        padded = _pad.lower.function(input, paddings, mode=mode, ctx=ctx)
        return conv.Conv2D.lower(padded, filter, op=op, ctx=ctx)


@op("FusedResizeAndPadConv2D", const=(1, 2))
class FusedResizeAndPadConv2D:
    def shape(input: Any, size: Shape, paddings: Shape, filter: Shape, *, op: Operation) -> Shape:
        resized = _resize.shape.function(input, size, op=op)
        return conv.conv_shape(_padded(resized, 2, op), filter, op)

    def lower(
        input: Any, size: np.ndarray, paddings: np.ndarray, filter: Array, *, mode: str,
        resize_align_corners: bool, op: Operation, ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        resized = _resize.lower.function(
            input, size, align_corners=resize_align_corners, half_pixel_centers=False, ctx=ctx
        )
        padded = _pad.lower.function(resized.astype(input.dtype), paddings, mode=mode, ctx=ctx)
        return conv.Conv2D.lower(padded, filter, op=op, ctx=ctx)
