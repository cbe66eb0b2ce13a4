"""Normalisation as single ops: local response normalisation and fused batch normalisation."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.eager import backprop
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, jnp, lax
from tf1compat.core import dtypes, op_registry, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape

# Local response normalisation.


def _windows(values: Any, radius: int) -> Any:
    """The sum over the channels at most `radius` away."""
    width = (1, 1, 1, 2 * radius + 1)
    pads = [(0, 0)] * 3 + [(radius, radius)]
    zero = np.zeros((), values.dtype)[()]
    return lax.reduce_window(values, zero, lax.add, width, (1, 1, 1, 1), pads)


@op("LRN", autodiff=True)
class LRN:
    def shape(input: Any) -> Shape:
        return shapes.with_rank(input, 4)

    def lower(
        input: Any,
        *,
        depth_radius: int,
        bias: float,
        alpha: float,
        beta: float,
        ctx: LoweringContext,
    ) -> Array:
        if np.ndim(input) != 4:
            refuse(ctx, "in must be 4-dimensional")
        norm = _norm(input, depth_radius, bias, alpha)
        return input * norm ** _number(-beta, input)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = {key: op.get_attr(key) for key in ("depth_radius", "bias", "alpha", "beta")}
        return raw_ops.LRNGrad(grad, op.inputs[0], op.outputs[0], **attrs)


def _number(value: float, like: Any) -> Any:
    return jnp.asarray(value, like.dtype)


def _norm(x: Any, radius: int, bias: float, alpha: float) -> Any:
    return _number(bias, x) + _number(alpha, x) * _windows(x * x, radius)


@op("LRNGrad", autodiff=True)
class LRNGrad:
    def shape(input_grads: Any, input_image: Shape, output_image: Shape) -> Shape:
        result = shapes.with_rank(input_grads, 4)
        for other in (input_image, output_image):
            result = shapes.merge(result, shapes.with_rank(other, 4))
        return result

    def lower(
        input_grads: Any,
        input_image: Array,
        output_image: Array,
        *,
        depth_radius: int,
        bias: float,
        alpha: float,
        beta: float,
    ) -> Array:
        norm = _norm(input_image, depth_radius, bias, alpha)
        # Each input is in the windows of the outputs at most `depth_radius` away.
        shared = _windows(input_grads * output_image / norm, depth_radius)
        own = input_grads * norm ** _number(-beta, norm)
        return own - _number(2 * alpha * beta, norm) * input_image * shared


# Fused batch normalisation.


def _fused_shape(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    *,
    data_format: str,
    is_training: bool,
) -> Any:
    x = shapes.with_rank(x, 4)
    axis = data_format.index("C")
    channels = x[axis]
    for vector in (scale, offset) if is_training else (scale, offset, mean, variance):
        channels = shapes.merge_dim(channels, shapes.with_rank(vector, 1)[0])
    return [shapes.replace_dim(x, axis, channels)] + [(channels,)] * 4


def _fused_shape_v3(x: Any, scale: Any, offset: Any, mean: Any, variance: Any, *, op: Any) -> Any:
    attrs = op._attrs
    outputs = _fused_shape(
        x, scale, offset, mean, variance,
        data_format=attrs["data_format"].decode(), is_training=attrs["is_training"],
    )  # fmt: skip
    return [*outputs, None]


def _layout(data_format: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """(the axes that are reduced, the shape that broadcasts a vector of channels)."""
    axis = data_format.index("C")
    return tuple(i for i in range(4) if i != axis), tuple(-1 if i == axis else 1 for i in range(4))


def _fused(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    *,
    epsilon: float,
    data_format: str,
    is_training: bool,
    ctx: LoweringContext,
) -> Any:
    vectors = ("scale", scale), ("offset", offset)
    estimated = ("estimated_mean", mean), ("estimated_variance", variance)
    for name, value in (("input", x), *vectors, *estimated):
        rank = 4 if value is x else 1
        if np.ndim(value) != rank:
            refuse(ctx, f"{name} must be {rank}-dimensional{text_of_shape(value)}")
    axes, column = _layout(data_format)
    channels = np.shape(x)[data_format.index("C")]
    for name, value in vectors if is_training else vectors + estimated:
        # TF reads on beyond the end of a short one.
        if np.size(value) != channels:
            refuse(
                ctx,
                f"{name} must have the same number of elements as the channels of x, got "
                f"{np.size(value)} and {channels}",
            )
    narrow = x.dtype
    x, scale, offset = jnp.asarray(x, scale.dtype), jnp.asarray(scale), jnp.asarray(offset)
    if not is_training:
        found, spread = jnp.asarray(mean), jnp.asarray(variance)
        centred = x - found.reshape(column)
        outputs = (found, spread, found, spread)
    else:
        count = x.size // max(scale.size, 1)
        size = _number(max(count, 1), x)
        found = jnp.sum(x, axes) / size
        centred = x - found.reshape(column)
        spread = jnp.sum(centred * centred, axes) / size
        # What moving averages take is the unbiased estimate.
        unbiased = spread * _number(count / max(count - 1, 1), x)
        outputs = (found, unbiased, found, spread)
        if not count:  # Nothing has no mean.
            outputs = (jnp.full_like(found, jnp.nan),) * 4
    factor = scale * lax.rsqrt(spread + _number(epsilon, spread))
    y = centred
    y *= factor.reshape(column)  # In NumPy's own memory, as below.
    y += offset.reshape(column)
    return (jnp.asarray(y, narrow), *outputs)


def _fused_v3(
    x: Any,
    scale: Any,
    offset: Any,
    mean: Any,
    variance: Any,
    *,
    epsilon: float,
    data_format: str,
    is_training: bool,
    ctx: LoweringContext,
) -> Any:
    outputs = _fused(
        x, scale, offset, mean, variance,
        epsilon=epsilon, data_format=data_format, is_training=is_training, ctx=ctx,
    )  # fmt: skip
    return (*outputs, jnp.zeros((), outputs[1].dtype))


def _fused_grad_shape(
    y_backprop: Any,
    x: Any,
    scale: Any,
    reserve_space_1: Any,
    reserve_space_2: Any,
    *rest: Any,
    data_format: str,
    is_training: bool,
) -> Any:
    y_backprop, x = shapes.with_rank(y_backprop, 4), shapes.with_rank(x, 4)
    axis = data_format.index("C")
    channels = shapes.merge_dim(y_backprop[axis], x[axis])
    for vector in (scale, reserve_space_1, reserve_space_2):
        channels = shapes.merge_dim(channels, shapes.with_rank(vector, 1)[0])
    x = shapes.replace_dim(y_backprop, axis, channels)
    last = (0,) if is_training else (channels,)
    return [x, (channels,), (channels,), last, last]


def _fused_grad(
    y_backprop: Any,
    x: Any,
    scale: Any,
    reserve_space_1: Any,
    reserve_space_2: Any,
    *rest: Any,
    epsilon: float,
    data_format: str,
    is_training: bool,
) -> Any:
    axes, column = _layout(data_format)
    narrow = x.dtype
    x, grad = jnp.asarray(x, scale.dtype), jnp.asarray(y_backprop, scale.dtype)
    scale, mean = jnp.asarray(scale), jnp.asarray(reserve_space_1)
    inverse = lax.rsqrt(jnp.asarray(reserve_space_2) + _number(epsilon, x))
    centred = x - mean.reshape(column)
    grad_offset = jnp.sum(grad, axes)
    dot = jnp.sum(grad * centred, axes)
    # An empty batch has no variance, and no gradient either.
    grad_scale = dot * inverse if x.size else dot
    factor = (scale * inverse).reshape(column)
    if is_training:
        size = _number(max(x.size // max(scale.size, 1), 1), x)
        slope = dot * inverse * inverse / size
        grad_x = grad - (grad_offset / size).reshape(column)
        centred *= slope.reshape(column)
        grad_x -= centred
        grad_x *= factor
    else:
        grad_x = grad * factor
    # TF's kernel gives scalars here, against its own shape function.
    nothing = jnp.zeros(0 if is_training else scale.shape, scale.dtype)
    return jnp.asarray(grad_x, narrow), grad_scale, grad_offset, nothing, nothing


def _fused_gradient(grad_type: str, reserves: int) -> Any:
    """The gradient of a version of FusedBatchNorm whose outputs end with `reserves` reserve
    spaces."""

    def gradient(op: Operation, *grads: Any) -> Any:
        record = getattr(raw_ops, grad_type)
        x, scale, _, mean, variance = op.inputs
        epsilon, data_format = op.get_attr("epsilon"), op.get_attr("data_format")
        extra = [op.outputs[5]] if reserves == 3 else []
        if op.get_attr("is_training"):
            return list(
                record(
                    grads[0], x, scale, op.outputs[3], op.outputs[4], *extra,
                    epsilon=epsilon, data_format=data_format, is_training=True,
                )
            )  # fmt: skip
        grad_y = grads[0]
        nchw = data_format == b"NCHW"
        if nchw:
            x = array_ops.transpose(x, [0, 2, 3, 1])
            grad_y = array_ops.transpose(grad_y, [0, 2, 3, 1])
        dx, dscale, doffset, _, _ = record(
            grad_y, x, scale, mean, variance, *extra,
            epsilon=epsilon, data_format="NHWC", is_training=False,
        )  # fmt: skip
        if nchw:
            dx = array_ops.transpose(dx, [0, 3, 1, 2])
        return [dx, dscale, doffset, None, None]

    return gradient


def recorded_grad(
    grad_y: Any,
    x: Any,
    scale: Any,
    mean: Any,
    variance: Any,
    epsilon: float,
    data_format: bytes,
    is_training: bool = True,
) -> tuple[Any, Any, Any]:
    """Records what a FusedBatchNormGrad op computes by ops that can be differentiated.

    Args:
      grad_y: the gradient of the output, in the shape of `x`.
      x: [batch, height, width, channels], or as `data_format` says.
      scale: [channels].
      mean, variance: [channels], those of the population; read if not `is_training`.
      epsilon: added to the variance.
      data_format: b"NHWC" or b"NCHW".
      is_training: whether the batch's own mean and variance were used.

    Returns:
      The gradients of `x`, the scale and the offset.
    """
    nhwc = data_format == b"NHWC"
    dtype = x.dtype.base_dtype
    if dtype is dtypes.float16:
        x = math_ops.cast(x, dtypes.float32)
        grad_y = math_ops.cast(grad_y, dtypes.float32)
    axes = [0, 1, 2] if nhwc else [0, 2, 3]
    if is_training:
        if not nhwc:
            scale = array_ops.reshape(scale, [1, array_ops.size(scale), 1, 1])
        keep = not nhwc
        mean_grad = math_ops.reduce_mean(grad_y, axes, keepdims=keep)
        mean = math_ops.reduce_mean(x, axes, keepdims=keep)
        squares = math_ops.squared_difference(x, array_ops.stop_gradient(mean))
        variance = math_ops.reduce_mean(squares, axes, keepdims=keep)
        grad_away = grad_y - mean_grad
        away = x - mean
        slope = math_ops.reduce_mean(grad_y * away, axis=axes, keepdims=keep)
        grad_x = (
            scale
            * math_ops.rsqrt(variance + epsilon)
            * (grad_away - math_ops.reciprocal(variance + epsilon) * slope * away)
        )
        grad_scale = math_ops.rsqrt(variance + epsilon) * math_ops.reduce_sum(
            grad_y * away, axis=axes, keepdims=keep
        )
        if not nhwc:
            grad_scale = array_ops.squeeze(grad_scale)
        grad_offset = math_ops.reduce_sum(grad_y, axis=axes)
        return math_ops.cast(grad_x, dtype), grad_scale, grad_offset
    if not nhwc:
        shape = [1, array_ops.size(mean), 1, 1]
        mean, variance, scale = (array_ops.reshape(v, shape) for v in (mean, variance, scale))
    grad_offset = math_ops.reduce_sum(grad_y, axis=axes)
    inverse = math_ops.rsqrt(variance + epsilon)
    grad_scale = math_ops.reduce_sum(grad_y * (x - mean) * inverse, axis=axes)
    return math_ops.cast(grad_y * scale * inverse, dtype), grad_scale, grad_offset


def _fused_grad_gradient(op: Operation, *grads: Any) -> list[Any]:
    """The gradient of FusedBatchNormGrad: that of what `recorded_grad` records."""
    grad_y, x, scale, mean, variance = op.inputs[:5]
    with backprop.GradientTape() as tape:
        for tensor in (grad_y, x, scale):
            tape.watch(tensor)
        attrs = (op.get_attr(name) for name in ("epsilon", "data_format", "is_training"))
        found = recorded_grad(grad_y, x, scale, mean, variance, *attrs)
    result = tape.gradient(list(found), [grad_y, x, scale], list(grads[:3]))
    return [*result, *[None] * (len(op.inputs) - 3)]


for _suffix in ("", "V2", "V3"):
    _third = _suffix == "V3"
    op_registry.register(
        f"FusedBatchNorm{_suffix}",
        shape=_fused_shape_v3 if _third else _fused_shape,
        lower=_fused_v3 if _third else _fused,
        gradient=_fused_gradient(f"FusedBatchNormGrad{_suffix}", 3 if _third else 2),
    )
    op_registry.register(
        f"FusedBatchNormGrad{_suffix}",
        shape=_fused_grad_shape,
        lower=_fused_grad,
        gradient=_fused_grad_gradient,
    )
