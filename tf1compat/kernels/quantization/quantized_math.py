"""Arithmetic on quantized numbers: each tensor comes with the floats that its lowest and its
highest integer stand for.

A sum or product is of 32 bits, and so is its range; `Requantize` makes 8 bits of them again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op, register, spec
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.array import array
from tf1compat.kernels.framework.common import (
    broadcast,
    check_broadcast,
    jnp_dtype,
    refuse,
    text_of_shape,
)
from tf1compat.kernels.image import image_resize  # noqa: F401
from tf1compat.kernels.math import matmul
from tf1compat.kernels.nn import conv, pool
from tf1compat.kernels.quantization.quantize import (
    first_dequantized,
    first_quantized,
    integers,
    limits,
    round_away,
    to_integers,
)

_resize: Any = spec("ResizeBilinear")
_f32, _f64 = jnp.float32, jnp.float64


class _Range(NamedTuple):
    """What the integers of `dtype` stand for."""

    low: Any
    high: Any
    dtype: Any


def _range(low: Any, high: Any, dtype: Any) -> _Range:
    return _Range(jnp.ravel(low)[0], jnp.ravel(high)[0], jnp_dtype(dtype).type)


def _scale(given: _Range) -> Any:
    """Integers per unit, in float64."""
    steps = 1 << (8 * np.dtype(given.dtype).itemsize)
    width = (given.high - given.low).astype(_f64) * (steps / (steps - 1.0))
    return steps / jnp.where(width == 0, 1, width)


def _quantized(x: Any, given: _Range) -> Any:
    """Floats as integers (int64) of a range."""
    lowest, highest = limits(given.dtype)
    scale = _scale(given)
    found = round_away(jnp.asarray(x, _f64) * scale) - round_away(given.low.astype(_f64) * scale)
    found = jnp.clip(found + lowest, lowest, highest)
    return jnp.where(given.low == given.high, 0, found).astype(jnp.int64)


def _floats(x: Any, given: _Range) -> Any:
    """Integers of a range as floats."""
    lowest, _ = limits(given.dtype)
    step = 1 / _scale(given)
    rounded = step.astype(_f32)
    low = round_away(given.low / rounded) * rounded
    found = low.astype(_f64) + (x.astype(_f64) - lowest) * step
    return jnp.where(given.low == given.high, given.low, found.astype(_f32))


def _zero(given: _Range) -> Any:
    """The integer that stands for 0."""
    return _quantized(0.0, given)


def _scalars(*given: Any) -> None:
    for shape in given:
        shapes.with_rank(shape, 0)


def _product_range(a: _Range, b: _Range, dtype: Any) -> tuple[Any, Any]:
    """What 32-bit products stand for."""

    def unit(given: _Range) -> Any:
        lowest, highest = limits(given.dtype)
        return ((given.high - given.low) / np.float32(highest - lowest)).astype(_f32)

    lowest, highest = limits(jnp_dtype(dtype).type)
    one = unit(a) * unit(b)
    return one * np.float32(lowest), one * np.float32(highest)


def _sum_range(a: _Range, b: _Range, factor: int) -> tuple[Any, Any]:
    bounds = [jnp.abs(bound) for bound in (a.low, a.high, b.low, b.high)]
    high = jnp.maximum(jnp.maximum(bounds[0], bounds[1]), jnp.maximum(bounds[2], bounds[3]))
    return -high * factor, high * factor


# Sums and products.


@op("QuantizedAdd")
class QuantizedAdd:
    def shape(x: Any, y: Shape, min_x: Shape, max_x: Shape, min_y: Shape, max_y: Shape) -> Any:
        _scalars(min_x, max_x, min_y, max_y)
        return [broadcast(x, y), (), ()]

    def lower(
        x: Any, y: Array, min_x: Array, max_x: Array, min_y: Array, max_y: Array, *, T1: DType,
        T2: DType,
        Toutput: DType, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        check_broadcast(ctx, x, y)
        a, b = _range(min_x, max_x, T1), _range(min_y, max_y, T2)
        low, high = _sum_range(a, b, 1 << 14)
        result = _range(low, high, Toutput)
        total = _zero(result)
        for value, given in ((x, a), (y, b)):
            # A whole number for each step, as TF adds.
            first, second = (
                _quantized(_floats(jnp.asarray(i, given.dtype), given), result) for i in (0, 1)
            )
            total = total + first + integers(value).astype(jnp.int64) * (second - first)
        return [total.astype(result.dtype), low, high]


@op("QuantizedMul")
class QuantizedMul:
    shape = QuantizedAdd.shape

    def lower(
        x: Any, y: Array, min_x: Array, max_x: Array, min_y: Array, max_y: Array, *, T1: DType,
        T2: DType,
        Toutput: DType,
    ) -> Any:  # fmt: skip
        a, b = _range(min_x, max_x, T1), _range(min_y, max_y, T2)
        found = (integers(x).astype(jnp.int64) - _zero(a)) * (integers(y) - _zero(b))
        return [found.astype(jnp_dtype(Toutput)), *_product_range(a, b, Toutput)]


@op("QuantizedBiasAdd")
class QuantizedBiasAdd:
    def shape(
        input: Any,
        bias: Shape,
        min_input: Shape,
        max_input: Shape,
        min_bias: Shape,
        max_bias: Shape,
    ) -> Any:
        _scalars(min_input, max_input, min_bias, max_bias)
        shapes.with_rank(bias, 1)
        return [input, (), ()]

    def lower(
        input: Any, bias: Array, min_input: Array, max_input: Array, min_bias: Array,
        max_bias: Array, *,
        T1: DType, T2: DType, out_type: DType, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        if not np.ndim(input):
            refuse(ctx, "Input tensor must be at least 2D: []")
        if np.ndim(bias) != 1:
            refuse(ctx, f"Biases must be 1D: {shapes.to_string(np.shape(bias))}")
        if np.shape(bias)[-1] != np.shape(input)[-1]:
            refuse(
                ctx,
                "Must provide as many biases as the last dimension of the input tensor: "
                f"{shapes.to_string(np.shape(bias))} vs. {shapes.to_string(np.shape(input))}",
            )
        a, b = _range(min_input, max_input, T1), _range(min_bias, max_bias, T2)
        low, high = _sum_range(a, b, 1 << 17)
        result = _range(low, high, out_type)
        total = _zero(result)
        for value, given in ((input, a), (bias, b)):
            floats = first_dequantized(integers(value), given.low, given.high, given.dtype)
            whole = first_quantized(floats, low, high, result.dtype)
            total = total + to_integers(whole, result.dtype).astype(jnp.int64)
        return [total.astype(result.dtype), low, high]


@op("QuantizedMatMul")
class QuantizedMatMul:
    def shape(
        a: Any, b: Shape, min_a: Shape, max_a: Shape, min_b: Shape, max_b: Shape, *,
        transpose_a: bool,
        transpose_b: bool,
    ) -> Any:  # fmt: skip
        _scalars(min_a, max_a, min_b, max_b)
        found = matmul.MatMul.shape(a, b, transpose_a=transpose_a, transpose_b=transpose_b)
        return [found, (), ()]

    def lower(
        a: Any, b: Array, min_a: Array, max_a: Array, min_b: Array, max_b: Array, *, T1: DType,
        T2: DType,
        Toutput: DType, transpose_a: bool, transpose_b: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        for i, value in enumerate((a, b)):
            if np.ndim(value) != 2:
                refuse(ctx, f"In[{i}] is not a matrix")
        if np.shape(a)[0 if transpose_a else 1] != np.shape(b)[1 if transpose_b else 0]:
            sizes = f"In[0]: {text_of_shape(a)}, In[1]: {text_of_shape(b)}"
            refuse(ctx, f"Matrix size-incompatible: {sizes}")
        left, right = _range(min_a, max_a, T1), _range(min_b, max_b, T2)
        x = (integers(a).astype(jnp.int64) - _zero(left)).astype(_f64)
        y = (integers(b).astype(jnp.int64) - _zero(right)).astype(_f64)
        found = jnp.matmul(x.T if transpose_a else x, y.T if transpose_b else y)
        found = found.astype(jnp.int64).astype(jnp_dtype(Toutput))
        return [found, *_product_range(left, right, Toutput)]


@op("QuantizedConv2D")
class QuantizedConv2D:
    def shape(
        input: Any, filter: Shape, min_input: Shape, max_input: Shape, min_filter: Shape,
        max_filter: Shape, *, op: Operation,
    ) -> Any:  # fmt: skip
        _scalars(min_input, max_input, min_filter, max_filter)
        return [conv.conv_shape(input, filter, op), (), ()]

    def lower(
        input: Any, filter: Array, min_input: Array, max_input: Array, min_filter: Array,
        max_filter: Array, *, Tinput: DType, Tfilter: DType, out_type: DType, op: Operation,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        a, b = _range(min_input, max_input, Tinput), _range(min_filter, max_filter, Tfilter)
        strides = op._attrs["strides"]
        if strides[1] != strides[2]:
            refuse(
                ctx,
                "Current implementation only supports equal length strides in the row and column "
                "dimensions.",
            )
        depth, other = np.shape(input)[-1], np.shape(filter)[-2]
        if depth != other:
            refuse(ctx, f"input and filter must have the same depth: {depth} vs {other}")
        # What is padded stands for 0; sums of products are exact in float64.
        x = (integers(input).astype(jnp.int64) - _zero(a)).astype(_f64)
        w = (integers(filter).astype(jnp.int64) - _zero(b)).astype(_f64)
        found = conv.Conv2D.lower(x, w, op=op, ctx=ctx)
        found = jnp.round(found).astype(jnp.int64).astype(jnp_dtype(out_type))
        return [found, *_product_range(a, b, out_type)]


# Ranges.


def _actual_range(input: Any, given: _Range) -> tuple[Any, Any]:
    """The range of the numbers that there are, and 0."""
    low, high = (_floats(bound, given) for bound in (jnp.min(input), jnp.max(input)))
    return jnp.minimum(low, np.float32(0)), high


def _requantized(x: Any, given: _Range, wanted: _Range) -> Any:
    """32-bit integers in another range, in fixed point as TF computes them for 8 bits."""
    if np.dtype(wanted.dtype) != np.uint8 or np.dtype(given.dtype) != np.int32:
        floats = first_dequantized(x, given.low, given.high, given.dtype)
        whole = first_quantized(floats, wanted.low, wanted.high, wanted.dtype)
        return to_integers(whole, wanted.dtype)
    width, out_width = given.high - given.low, wanted.high - wanted.low
    some = out_width != 0
    divisor = jnp.where(some, out_width, 1)
    scale = jnp.where(some, 255.0 * 65536 * width.astype(_f64) / divisor, 0).astype(jnp.int64)
    per_unit = jnp.where(some, (255.0 / divisor.astype(_f64)).astype(_f32), 0)
    middle = ((given.low + given.high) / 2).astype(_f32)
    in_offset = (middle * per_unit * np.float32(65536)).astype(jnp.int64)
    out_offset = round_away(65536 * (wanted.low.astype(_f64) * 255.0) / divisor).astype(jnp.int64)
    out_offset = jnp.where(some, out_offset, 0)
    fixed = ((x.astype(jnp.int64) * scale) >> 32) + in_offset - out_offset + (1 << 15)
    return jnp.clip(fixed >> 16, 0, 255).astype(jnp.uint8)


@op("RequantizationRange")
class RequantizationRange:
    def shape(input: Any, input_min: Shape, input_max: Shape) -> Any:
        _scalars(input_min, input_max)
        return [(), ()]

    def lower(input: Any, input_min: Array, input_max: Array, *, Tinput: DType) -> Any:
        return list(_actual_range(integers(input), _range(input_min, input_max, Tinput)))


@op("QuantizeDownAndShrinkRange")
class QuantizeDownAndShrinkRange:
    def shape(input: Any, input_min: Shape, input_max: Shape) -> Any:
        _scalars(input_min, input_max)
        return [input, (), ()]

    def lower(
        input: Any, input_min: Array, input_max: Array, *, Tinput: DType, out_type: DType
    ) -> Any:
        x, given = integers(input), _range(input_min, input_max, Tinput)
        low, high = _actual_range(x, given)
        return [_requantized(x, given, _range(low, high, out_type)), low, high]


@op("Requantize")
class Requantize:
    def shape(
        input: Any, input_min: Shape, input_max: Shape, requested_output_min: Shape,
        requested_output_max: Shape,
    ) -> Any:  # fmt: skip
        _scalars(input_min, input_max, requested_output_min, requested_output_max)
        return [input, (), ()]

    def lower(
        input: Any, input_min: Array, input_max: Array, requested_output_min: Array,
        requested_output_max: Array, *, Tinput: DType, out_type: DType, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        given = _range(input_min, input_max, Tinput)
        wanted = _range(requested_output_min, requested_output_max, out_type)
        low, high = wanted.low, wanted.high
        ctx.check(
            low <= 0,
            errors.InvalidArgumentError,
            lambda low: f"requested_output_min must be <= 0, but got {low:g}",
            low=low,
        )
        ctx.check(
            high >= low,
            errors.InvalidArgumentError,
            lambda low, high: (
                "requested_output_max must be >= requested_output_min, but got "
                f"{high:g} and {low:g}"
            ),
            low=low,
            high=high,
        )
        return [_requantized(integers(input), given, wanted), low, high]


# What keeps the range.


def _kept_shape(shape: Callable[..., Any]) -> Callable[..., Any]:
    """The static shape of a function of the integers; the two bounds are scalars."""

    def with_range(x: Any, low: Any, high: Any, *, op: Any) -> Any:
        _scalars(low, high)
        return [shape(x, op=op), (), ()]

    return with_range


def _keep(name: str, shape: Callable[..., Any], function: Callable[..., Any]) -> None:
    def lower(x: Any, low: Any, high: Any, *, op: Any, ctx: LoweringContext) -> Any:
        found = function(integers(x), low, high, op=op, ctx=ctx)
        return [found, jnp.ravel(low)[0], jnp.ravel(high)[0]]

    register(name, shape=_kept_shape(shape), lower=lower)


def _relu(top: float | None) -> Callable[..., Any]:
    def relu(x: Any, low: Any, high: Any, *, op: Any, ctx: LoweringContext) -> Any:
        given = _range(low, high, op._attrs["Tinput"])
        found = jnp.maximum(x, _zero(given))
        if top is not None:
            found = jnp.minimum(found, _quantized(top, given))
        return found.astype(jnp_dtype(op._attrs["out_type"]))

    return relu


_keep("QuantizedRelu", lambda x, op: x, _relu(None))
_keep("QuantizedRelu6", lambda x, op: x, _relu(6.0))


@op("QuantizedReluX")
class QuantizedReluX:
    def shape(features: Any, max_value: Shape, min_features: Shape, max_features: Shape) -> Any:
        _scalars(max_value, min_features, max_features)
        return [features, (), ()]

    def lower(
        features: Any, max_value: Array, min_features: Array, max_features: Array, *, Tinput: DType,
        out_type: DType,
    ) -> Any:  # fmt: skip
        given = _range(min_features, max_features, Tinput)
        found = jnp.maximum(integers(features), _zero(given))
        found = jnp.minimum(found, _quantized(jnp.ravel(max_value)[0], given))
        return [found.astype(jnp_dtype(out_type)), given.low, given.high]


def _max_pool(x: Any, low: Any, high: Any, *, op: Any, ctx: LoweringContext) -> Any:
    return pool.max_pool(x.astype(jnp.int32), pool.Window(op), ctx).astype(x.dtype)


def _avg_pool(x: Any, low: Any, high: Any, *, op: Any, ctx: LoweringContext) -> Any:
    means = pool.average(x.astype(_f64), pool.Window(op), ctx)
    return jnp.trunc(means).astype(x.dtype)


_keep("QuantizedMaxPool", lambda x, op: pool.Window(op).output_shape(x, "MaxPool"), _max_pool)
_keep("QuantizedAvgPool", lambda x, op: pool.Window(op).output_shape(x, "AvgPool"), _avg_pool)


@op("QuantizedReshape", const=(1,))
class QuantizedReshape:
    def shape(
        tensor: Any, shape: Shape, input_min: Shape, input_max: Shape, *, op: Operation
    ) -> Any:
        found = array.Reshape.shape(tensor, shape, op=op)
        _scalars(input_min, input_max)
        return [found, (), ()]

    def lower(
        tensor: Any, shape: np.ndarray, input_min: Array, input_max: Array, *, ctx: LoweringContext
    ) -> Any:
        return [array.Reshape.lower(integers(tensor), shape, ctx=ctx), input_min, input_max]


@op("QuantizedResizeBilinear", const=(1,))
class QuantizedResizeBilinear:
    def shape(images: Any, size: Shape, min: Shape, max: Shape, *, op: Operation) -> Any:
        _scalars(min, max)
        return [_resize.shape.function(images, size, op=op), (), ()]

    def lower(
        images: Any, size: np.ndarray, min: Array, max: Array, *, T: DType, align_corners: bool,
        half_pixel_centers: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        given = _range(min, max, T)
        x = integers(images)
        floats = _floats(x, given) if x.dtype == np.int32 else x.astype(_f32)
        found = _resize.lower.function(
            floats, size, align_corners=align_corners, half_pixel_centers=half_pixel_centers,
            ctx=ctx,
        )  # fmt: skip
        if x.dtype == np.int32:
            whole = _quantized(found, given)
        else:
            whole = round_away(found)
        return [whole.astype(x.dtype), given.low, given.high]


# Normalization.


@op("QuantizedBatchNormWithGlobalNormalization")
class QuantizedBatchNormWithGlobalNormalization:
    def shape(
        t: Any, t_min: Shape, t_max: Shape, m: Shape, m_min: Shape, m_max: Shape, v: Shape,
        v_min: Shape,
        v_max: Shape, beta: Shape, beta_min: Shape, beta_max: Shape, gamma: Shape, gamma_min: Shape,
        gamma_max: Shape,
    ) -> Any:  # fmt: skip
        t = shapes.with_rank(t, 4)
        depth = None if t is None else t[3]
        for vector in (m, v, beta, gamma):
            vector = shapes.with_rank(vector, 1)
            depth = depth if vector is None else shapes.merge_dim(depth, vector[0])
        return [(*(t[:3] if t is not None else (None,) * 3), depth), (), ()]

    def lower(
        t: Any, t_min: Array, t_max: Array, m: Array, m_min: Array, m_max: Array, v: Array,
        v_min: Array,
        v_max: Array, beta: Array, beta_min: Array, beta_max: Array, gamma: Array, gamma_min: Array,
        gamma_max: Array, *, Tinput: DType, out_type: DType, variance_epsilon: float,
        scale_after_normalization: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        if np.ndim(t) != 4:
            refuse(ctx, f"input must be 4-dimensional{shapes.to_string(np.shape(t))}")
        for name, value in (("mean", m), ("var", v), ("beta", beta), ("gamma", gamma)):
            if np.ndim(value) != 1:
                refuse(ctx, f"{name} must be 1-dimensional{shapes.to_string(np.shape(value))}")

        def floats(value: Any, low: Any, high: Any) -> Any:
            return _floats(integers(value), _range(low, high, Tinput))

        bound = jnp.asarray(1 << 20, _f32)
        result = _range(-bound, bound, out_type)
        weight = 1 / jnp.sqrt(floats(v, v_min, v_max) + np.float32(variance_epsilon))
        if scale_after_normalization:
            weight = floats(gamma, gamma_min, gamma_max) * weight
        shift = floats(beta, beta_min, beta_max) - floats(m, m_min, m_max) * weight
        x = _quantized(floats(t, t_min, t_max), result)
        product = x * _quantized(weight, result)
        one = _quantized(np.float32(1), result)
        # Integers are divided towards 0.
        quotient = jnp.sign(product) * (jnp.abs(product) // one)
        found = quotient + _quantized(shift, result)
        return [found.astype(result.dtype), -bound, bound]


@op("QuantizedInstanceNorm")
class QuantizedInstanceNorm:
    def shape(x: Any, x_min: Shape, x_max: Shape) -> Any:
        _scalars(x_min, x_max)
        shapes.with_rank(x, 4)
        return [x, (), ()]

    def lower(
        x: Any, x_min: Array, x_max: Array, *, T: DType, output_range_given: bool,
        given_y_min: float,
        given_y_max: float, variance_epsilon: float, min_separation: float,
    ) -> Any:  # fmt: skip
        given = _range(x_min, x_max, T)
        floats = first_dequantized(integers(x), given.low, given.high, given.dtype)
        mean = jnp.mean(floats, (1, 2), keepdims=True)
        variance = jnp.mean(jnp.square(floats - mean), (1, 2), keepdims=True)
        found = (floats - mean) / jnp.sqrt(variance + np.float32(variance_epsilon))
        if output_range_given:
            low, high = (jnp.asarray(y, _f32) for y in (given_y_min, given_y_max))
        else:
            low = jnp.minimum(jnp.min(found), np.float32(0))
            high = jnp.maximum(jnp.max(found), low + np.float32(min_separation))
        whole = first_quantized(found, low, high, given.dtype)
        return [to_integers(whole, given.dtype), low, high]
