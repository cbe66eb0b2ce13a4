"""Op types that TF 1.15 doesn't record any more, and still runs in old GraphDefs."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp, lax
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array import array, diagonal
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.nn import conv
from tf1compat.kernels.quantization import quantize
from tf1compat.kernels.random import philox, random
from tf1compat.kernels.summary import summary

u32 = np.uint32


def _unknown(*_: Any) -> None:
    """TF knows nothing of their shapes."""


for _kind in ("BandPart", "Diag", "DiagPart", "SetDiag"):
    _new = getattr(diagonal, f"Matrix{_kind}")
    register(f"BatchMatrix{_kind}", shape=_unknown, lower=_new.lower)


@op("PlaceholderV2")
class PlaceholderV2:
    shape = array.Placeholder.shape
    lower = array.Placeholder.lower


@op("AdjustContrast")
class AdjustContrast:
    def shape(images: Any, contrast_factor: Shape, min_value: Shape, max_value: Shape) -> Shape:
        for scalar in (contrast_factor, min_value, max_value):
            shapes.with_rank(scalar, 0)
        return shapes.with_rank_at_least(images, 3)

    def lower(images: Any, contrast_factor: Array, min_value: Array, max_value: Array) -> Array:
        x = jnp.asarray(images).astype(jnp.float32)
        mean = x.mean((-3, -2), keepdims=True)
        return jnp.clip((x - mean) * contrast_factor + mean, min_value, max_value)


@op("BatchNormWithGlobalNormalization")
class BatchNormWithGlobalNormalization:
    def shape(t: Any, m: Shape, v: Shape, beta: Shape, gamma: Shape) -> Shape:
        t = shapes.with_rank(t, 4)
        depth = None if t is None else t[3]
        for vector in (m, v, beta, gamma):
            vector = shapes.with_rank(vector, 1)
            depth = depth if vector is None else shapes.merge_dim(depth, vector[0])
        return (*(t[:3] if t is not None else (None,) * 3), depth)

    def lower(
        t: Any, m: Array, v: Array, beta: Array, gamma: Array, *, variance_epsilon: float,
        scale_after_normalization: bool,
    ) -> Array:  # fmt: skip
        scale = 1 / jnp.sqrt(v + t.dtype.type(variance_epsilon))
        if scale_after_normalization:
            scale = scale * gamma
        return (t - m) * scale + beta

    def gradient(op: Any, grad: Tensor) -> Gradients:
        t, m, v, _, gamma = op.inputs
        return list(
            raw_ops.BatchNormWithGlobalNormalizationGrad(
                t, m, v, gamma, grad, op.get_attr("variance_epsilon"),
                op.get_attr("scale_after_normalization"),
            )
        )  # fmt: skip


@op("BatchNormWithGlobalNormalizationGrad")
class BatchNormWithGlobalNormalizationGrad:
    def shape(t: Any, m: Shape, v: Shape, gamma: Shape, backprop: Shape) -> Any:
        vector = shapes.merge(shapes.with_rank(m, 1), shapes.with_rank(v, 1))
        return [shapes.merge(shapes.with_rank(t, 4), backprop), *[vector] * 4]

    def lower(
        t: Any, m: Array, v: Array, gamma: Array, backprop: Array, *, variance_epsilon: float,
        scale_after_normalization: bool,
    ) -> Any:  # fmt: skip
        scale = 1 / jnp.sqrt(v + t.dtype.type(variance_epsilon))
        weight = gamma if scale_after_normalization else jnp.ones_like(gamma)
        rest = (0, 1, 2)
        total = jnp.sum(backprop, rest)
        weighted = jnp.sum(backprop * (t - m), rest)
        dg = weighted * scale if scale_after_normalization else jnp.zeros_like(gamma)
        return [
            backprop * (weight * scale),
            -total * weight * scale,
            weighted * weight * scale**3 * t.dtype.type(-0.5),
            total,
            dg,
        ]


@op("Conv3DBackpropInput")
class Conv3DBackpropInput:
    def shape(input: Any, filter: Shape, out_backprop: Shape) -> Shape:
        return shapes.with_rank(input, 5)

    def lower(
        input: Any, filter: Array, out_backprop: Array, *, op: Operation, ctx: LoweringContext
    ) -> Array:
        sizes = np.array(input.shape, np.int32)
        return conv.Conv3DBackpropInputV2.lower(sizes, filter, out_backprop, op=op, ctx=ctx)


@op("Conv3DBackpropFilter")
class Conv3DBackpropFilter:
    def shape(input: Any, filter: Shape, out_backprop: Shape) -> Shape:
        return shapes.with_rank(filter, 5)

    def lower(
        input: Any, filter: Array, out_backprop: Array, *, op: Operation, ctx: LoweringContext
    ) -> Array:
        sizes = np.array(filter.shape, np.int32)
        return conv.Conv3DBackpropFilterV2.lower(input, sizes, out_backprop, op=op, ctx=ctx)


@op("QuantizeAndDequantize")
class QuantizeAndDequantize:
    def shape(input: Any) -> Shape:
        return input

    def lower(
        input: Any, *, signed_input: bool, num_bits: int, range_given: bool, input_min: float,
        input_max: float, ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        if range_given and input_min > input_max:
            refuse(ctx, f"Invalid range: input_min {input_min:g} > input_max {input_max:g}")
        low, high = (jnp.asarray(value, input.dtype) for value in (input_min, input_max))
        return quantize.there_and_back(
            input, low, high, num_bits, signed_input=signed_input, range_given=range_given,
            narrow_range=False, round_mode="HALF_TO_EVEN", ctx=ctx,
        )  # fmt: skip

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return grad


@op("RandomPoisson", const=(0,), random=True)
class RandomPoisson:
    shape = random.RandomPoissonV2.shape
    lower = random.RandomPoissonV2.lower


@op("AudioSummary", host=True)
class AudioSummary:
    def shape(tag: Any, tensor: Shape) -> Shape:
        return ()

    def lower(
        tag: Any, tensor: np.ndarray, *, sample_rate: float, max_outputs: int, ctx: LoweringContext
    ) -> Any:
        rate = np.float32(sample_rate)
        return summary.AudioSummaryV2.lower(tag, tensor, rate, max_outputs=max_outputs, ctx=ctx)


not_differentiable("AudioSummary")


@op("TileGrad", const=(1,))
class TileGrad:
    shape = staticmethod(_unknown)

    def lower(input: Any, multiples: np.ndarray) -> Array:
        # A dimension for the copies before each one.
        sizes = [size // int(n) for size, n in zip(np.shape(input), multiples)]
        parts = [part for n, size in zip(multiples, sizes) for part in (int(n), size)]
        return jnp.reshape(input, parts).sum(tuple(range(0, len(parts), 2)))


@op("RandomCrop", random=True, const=(1,))
class RandomCrop:
    def shape(image: Any, size: Shape, *, op: Operation) -> Shape:
        image = shapes.with_rank(image, 3)
        wanted = op.const_input(1)
        rows, columns = (None, None) if wanted is None else (int(n) for n in wanted)
        return rows, columns, image[2]

    def lower(image: Any, size: np.ndarray, *, ctx: LoweringContext) -> Array:
        height, width = (int(n) for n in size)
        rows, columns = np.shape(image)[:2]
        if rows < height:
            refuse(ctx, f"The image must be at least as tall as the crop: {rows} vs {height}")
        if columns < width:
            refuse(ctx, f"The image must be at least as wide as the crop: {columns} vs {width}")
        key, counter = ctx.rng(reserve_128=2)
        words = philox.words(key, counter, 2)
        row = words[0] % u32(rows - height + 1)
        column = words[1] % u32(columns - width + 1)
        starts = (row.astype(jnp.int32), column.astype(jnp.int32), 0)
        return lax.dynamic_slice(image, starts, (height, width, np.shape(image)[2]))


not_differentiable("RandomCrop")
