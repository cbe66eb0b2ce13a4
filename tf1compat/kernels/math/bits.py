"""Bits of comparisons, eight to a byte."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import shapes
from tf1compat.core.op_registry import op, register
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, same


@op("CompareAndBitpack")
class CompareAndBitpack:
    def shape(input: Any, threshold: Shape) -> Shape:
        input = shapes.with_rank_at_least(input, 1)
        shapes.with_rank(threshold, 0)
        if input is None:
            return None
        if input[-1] is not None and input[-1] % 8:
            raise ShapeError(f"Dimension size must be evenly divisible by 8 but is {input[-1]}")
        return (*input[:-1], None if input[-1] is None else input[-1] // 8)

    def lower(input: Any, threshold: Array, *, ctx: LoweringContext) -> Array:
        if not np.ndim(input):
            refuse(ctx, "Input should be at least a vector, but saw a scalar.")
        if np.ndim(threshold):
            shape = shapes.to_string(np.shape(threshold))
            refuse(ctx, f"Compare must be a scalar, but saw shape: {shape}")
        if input.shape[-1] % 8:
            shape = shapes.to_string(input.shape)
            refuse(
                ctx, f"Inner dimension of input should be divisible by 8, but saw shape: {shape}"
            )
        x = jnp.asarray(input)
        bits = x if x.dtype == bool else x > threshold
        bits = bits.reshape(*x.shape[:-1], x.shape[-1] // 8, 8)
        return jnp.sum(bits * np.array([128, 64, 32, 16, 8, 4, 2, 1], np.uint8), -1, np.uint8)


def _identity(input: Any) -> Any:
    return input


register("DebugGradientIdentity", shape=same, lower=_identity)
register("DebugGradientRefIdentity", shape=same, lower=_identity, passes_refs=True)
