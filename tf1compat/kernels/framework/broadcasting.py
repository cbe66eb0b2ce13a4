"""Shape arithmetic of broadcasting: which dimensions a gradient is summed over."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.framework.values import shared


def gradient_axes(x: Any, y: Any) -> tuple[list[int], list[int]] | None:
    """The dimensions, of the broadcast of shapes `x` and `y`, that each gradient is summed over.

    A dimension that is 1 in both is summed over for both, unless the shapes are equal (TF's BCast).

    Returns:
      The two lists, or None if the shapes don't broadcast.
    """
    return _gradient_axes(tuple([int(d) for d in x]), tuple([int(d) for d in y]))


@functools.lru_cache(4096)
def _gradient_axes(x: tuple[int, ...], y: tuple[int, ...]) -> tuple[list[int], list[int]] | None:
    if x == y:
        return [], []
    a, b = list(x), list(y)
    rank = max(len(a), len(b))
    a = [1] * (rank - len(a)) + a
    b = [1] * (rank - len(b)) + b
    if any(m != n and m != 1 and n != 1 for m, n in zip(a, b, strict=True)):
        return None
    return [i for i in range(rank) if a[i] == 1], [i for i in range(rank) if b[i] == 1]


@functools.lru_cache(4096)
def _axes_of_bytes(x: bytes, y: bytes, dtype: np.dtype) -> list[np.ndarray]:
    """`gradient_axes` of shapes as the bytes of vectors of `dtype`, to be shared."""
    found = gradient_axes(np.frombuffer(x, dtype), np.frombuffer(y, dtype))
    if found is None:
        raise ValueError("The shapes don't broadcast")
    return [shared(np.array(axes, dtype)) for axes in found]


@op("BroadcastGradientArgs", const=(0, 1))
class BroadcastGradientArgs:
    def shape(s0: Any, s1: Shape) -> Any:
        shapes.with_rank(s0, 1)
        shapes.with_rank(s1, 1)
        return [(None,), (None,)]

    def lower(s0: Any, s1: np.ndarray, *, ctx: LoweringContext) -> Any:
        for i, s in enumerate((s0, s1)):
            if np.ndim(s) != 1:
                refuse(ctx, f"In[{i}] must be a vector.{text_of_shape(s)}")
        axes = gradient_axes(s0, s1)
        if axes is None:
            texts = [shapes.to_string(tuple(int(d) for d in s)) for s in (s0, s1)]
            text = f"Incompatible shapes: {texts[0]} vs. {texts[1]}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return [np.array(found, s0.dtype) for found in axes or ()]

    def numpy(s0: Any, s1: np.ndarray, *, ctx: LoweringContext) -> Any:
        if s0.ndim != 1 or s1.ndim != 1:
            return BroadcastGradientArgs.lower(s0, s1, ctx=ctx)
        return _axes_of_bytes(s0.tobytes(), s1.tobytes(), s0.dtype)

    def fold(s0: Any, s1: np.ndarray) -> Any:
        return gradient_axes(s0, s1)


not_differentiable("BroadcastGradientArgs")
