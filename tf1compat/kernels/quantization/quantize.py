"""Quantizing.  A value of a quantized dtype is an array of the integers that it is made of."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import gradient, op
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import check_same_shape, jnp_dtype, known, refuse, same
from tf1compat.kernels.math import rounding

_F32_MAX = np.finfo(np.float32).max


def limits(dtype: Any) -> tuple[int, int]:
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def integers(value: Any) -> Any:
    """The integers of a quantized value, which in a constant are NumPy records."""
    if known(value) and value.dtype.fields is not None:
        value = value[value.dtype.names[0]]
    return jnp.asarray(value)


def round_away(x: Any) -> Any:
    """Rounded to the nearest integer, halves away from 0."""
    whole = jnp.trunc(x)
    return jnp.where(jnp.abs(x - whole) >= 0.5, whole + jnp.sign(x), whole)


def to_integers(x: Any, dtype: Any) -> Any:
    """Floats cast as the CPU does: what an int32 can't hold becomes the lowest."""
    if dtype != np.int32:
        return x.astype(jnp.int32).astype(dtype)
    return jnp.where(jnp.abs(x) >= 2.0**31, np.int32(-(2**31)), x.astype(jnp.int32))


# To quantized numbers and back.


def _quantize_scales(low: Any, high: Any, dtype: Any) -> Any:
    """How many steps a unit is in mode SCALED."""
    lowest, highest = (np.float32(limit) for limit in limits(dtype))
    from_low = jnp.where(lowest * low > 0, lowest / jnp.where(low == 0, 1, low), _F32_MAX)
    from_high = jnp.where(highest * high > 0, highest / jnp.where(high == 0, 1, high), _F32_MAX)
    return jnp.minimum(from_low, from_high)


def first_quantized(x: Any, low: Any, high: Any, dtype: Any) -> Any:
    """Quantized in mode MIN_FIRST."""
    lowest, highest = limits(dtype)
    steps = np.float32(highest - lowest)
    scale = jnp.where(high == low, 0, steps / jnp.where(high == low, 1, high - low))
    offset = round_away(low * scale) - np.float32(lowest)
    # The largest float that an int32 can hold.
    top = np.float32(2147483520 if dtype == np.int32 else highest)
    return jnp.clip(round_away(rounding.product(x, scale)) - offset, np.float32(lowest), top)


def first_dequantized(x: Any, low: Any, high: Any, dtype: Any) -> Any:
    """Dequantized in mode MIN_FIRST."""
    lowest, highest = limits(dtype)
    scale = (high - low) / np.float32(highest - lowest)
    rounded = jnp.where(high == low, low, round_away(low / jnp.where(scale == 0, 1, scale)) * scale)
    return (rounded - np.float32(lowest) * scale) + x.astype(jnp.float32) * scale


@op("QuantizeV2")
class QuantizeV2:
    def shape(input: Any, min_range: Shape, max_range: Shape) -> Any:
        shapes.with_rank(min_range, 0)
        shapes.with_rank(max_range, 0)
        return [input, (), ()]

    def lower(
        input: Any,
        min_range: Array,
        max_range: Array,
        *,
        T: DType,
        mode: str,
        round_mode: str,
        ctx: LoweringContext,
    ) -> Any:
        if round_mode == "HALF_TO_EVEN" and mode != "SCALED":
            refuse(
                ctx,
                "Round mode 'HALF_TO_EVEN' only supported for mode 'SCALED', but mode is "
                f"'{mode}'.",
            )
        low, high = (jnp.ravel(value)[0] for value in (min_range, max_range))
        ctx.check(
            ~(low > high),
            errors.InvalidArgumentError,
            "input_max_range must be larger than input_min_range.",
        )
        x, dtype = jnp.asarray(input), jnp_dtype(T).type
        epsilon = jnp.maximum(1, jnp.maximum(jnp.abs(low), jnp.abs(high))) * np.float32(0.01)
        low = jnp.minimum(np.float32(0), low)
        high = jnp.maximum(np.float32(0), jnp.maximum(high, low + epsilon))
        lowest, highest = limits(dtype)
        if mode == "MIN_COMBINED":
            scale = np.float32(highest - lowest) / (high - low)
            steps = rounding.product(jnp.clip(x, low, high) - low, scale)
            if lowest:
                result = round_away(steps - np.float32((highest - lowest + 1) / 2))
            else:
                result = jnp.floor(steps + np.float32(0.5))
        elif mode == "MIN_FIRST":
            result = first_quantized(x, low, high, dtype)
        else:
            scale = _quantize_scales(low, high, dtype)
            low, high = np.float32(lowest) / scale, np.float32(highest) / scale
            steps = jnp.clip(x, low, high) * scale
            result = jnp.round(steps) if round_mode == "HALF_TO_EVEN" else round_away(steps)
        return [to_integers(result, dtype), low, high]


@op("Dequantize")
class Dequantize:
    def shape(input: Any, min_range: Shape, max_range: Shape) -> Shape:
        shapes.with_rank(min_range, 0)
        shapes.with_rank(max_range, 0)
        return input

    def lower(input: Any, min_range: Array, max_range: Array, *, T: DType, mode: str) -> Array:
        x, dtype = integers(input), jnp_dtype(T).type
        low, high = (jnp.ravel(value)[0] for value in (min_range, max_range))
        lowest, highest = limits(dtype)
        if mode == "MIN_FIRST":
            return first_dequantized(x, low, high, dtype)
        floats = x.astype(jnp.float32)
        if mode == "MIN_COMBINED":
            half = np.float32((highest - lowest + 1) / 2 if lowest else 0)
            return (floats + half) * ((high - low) / np.float32(highest - lowest)) + low
        scale = high / np.float32(highest)
        if lowest:
            scale = jnp.maximum(low / np.float32(lowest), scale)
        return floats * scale


@op("QuantizedConcat", const=(0,))
class QuantizedConcat:
    def shape(concat_dim: Any, values: Any, input_mins: Any, input_maxes: Any, *, op: Any) -> Any:
        axis = op.const_input(0)
        shapes.with_rank(concat_dim, 0)
        for scalar in (*input_mins, *input_maxes):
            shapes.with_rank(scalar, 0)
        if axis is None:
            ranks = {len(value) for value in values if value is not None}
            rank = ranks.pop() if len(ranks) == 1 else None
            return [None if rank is None else (None,) * rank, (), ()]
        if any(value is None for value in values):
            return [None, (), ()]
        at = int(axis) % len(values[0])
        total = functools.reduce(shapes.add_dims, [value[at] for value in values])
        merged = shapes.merge_all(shapes.replace_dim(value, at, None) for value in values)
        return [shapes.replace_dim(merged, at, total), (), ()]

    def lower(
        concat_dim: Any,
        values: Sequence[Array],
        input_mins: Sequence[Array],
        input_maxes: Sequence[Array],
        *,
        T: DType,
    ) -> Any:
        dtype = jnp_dtype(T).type
        lows = [jnp.ravel(value)[0] for value in input_mins]
        highs = [jnp.ravel(value)[0] for value in input_maxes]
        low = jnp.minimum(np.float32(0), functools.reduce(jnp.minimum, lows))
        high = functools.reduce(jnp.maximum, highs)
        if limits(dtype)[0]:
            high = jnp.maximum(jnp.abs(low), jnp.abs(high))
            low = -high
        parts = []
        for value, own_low, own_high in zip(values, lows, highs, strict=True):
            whole = integers(value)
            floats = first_dequantized(whole, own_low, own_high, dtype)
            moved = to_integers(first_quantized(floats, low, high, dtype), dtype)
            parts.append(jnp.where((own_low == low) & (own_high == high), whole, moved))
        return [jnp.concatenate(parts, axis=int(concat_dim)), low, high]


# Quantized and back at once.


def there_and_back(
    x: Any, low: Any, high: Any, num_bits: int, *, signed_input: bool, range_given: bool,
    narrow_range: bool, round_mode: str, ctx: LoweringContext,
) -> Any:  # fmt: skip
    if not 0 < num_bits < (62 if signed_input else 63):
        refuse(ctx, f"num_bits is out of range: {num_bits} with signed_input_ {int(signed_input)}")
    x = jnp.asarray(x)
    number = x.dtype.type
    if range_given:
        low, high = (jnp.ravel(value)[0] for value in (low, high))
        ctx.check(
            ~(low > high),
            errors.InvalidArgumentError,
            lambda low, high: f"Invalid range: input_min {low:g} > input_max {high:g}",
            low=low,
            high=high,
        )
    elif x.size:
        low, high = jnp.min(x), jnp.max(x)
    else:
        return x
    half = 1 << (num_bits - 1)
    lowest = number(-half + narrow_range if signed_input else 0)
    highest = number(half - 1 if signed_input else 2 * half - 1)
    largest = jnp.finfo(x.dtype).max
    from_low = jnp.where(lowest * low > 0, lowest / jnp.where(low == 0, 1, low), largest)
    from_high = jnp.where(highest * high > 0, highest / jnp.where(high == 0, 1, high), largest)
    low_decides = from_low < from_high
    scale = jnp.where(low_decides, from_low, from_high)
    step = jnp.where(low_decides, low / (lowest or number(1)), high / highest)
    if range_given:
        low = jnp.where(low_decides, low, lowest * step)
        high = jnp.where(low_decides, highest * step, high)
        x = jnp.maximum(jnp.minimum(x, high), low)
    steps = x * scale
    steps = jnp.floor(steps + number(0.5)) if round_mode == "HALF_UP" else jnp.round(steps)
    return steps * step


def _range_shape(input: Any, input_min: Any, input_max: Any) -> Any:
    shapes.with_rank(input_min, 0)
    shapes.with_rank(input_max, 0)
    return input


@op("QuantizeAndDequantizeV2")
class QuantizeAndDequantizeV2:
    shape = _range_shape

    def lower(
        input: Any, input_min: Array, input_max: Array, *, num_bits: int, signed_input: bool,
        range_given: bool, narrow_range: bool, round_mode: str, ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        return there_and_back(
            input,
            input_min,
            input_max,
            num_bits,
            signed_input=signed_input,
            range_given=range_given,
            narrow_range=narrow_range,
            round_mode=round_mode,
            ctx=ctx,
        )

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [grad, None, None]


@op("QuantizeAndDequantizeV3", const=(3,))
class QuantizeAndDequantizeV3:
    def shape(input: Any, input_min: Shape, input_max: Shape, num_bits: Shape) -> Shape:
        shapes.with_rank(num_bits, 0)
        return _range_shape(input, input_min, input_max)

    def lower(
        input: Any, input_min: Array, input_max: Array, num_bits: np.ndarray, *, signed_input: bool,
        range_given: bool, narrow_range: bool, ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        return there_and_back(
            input,
            input_min,
            input_max,
            int(np.ravel(num_bits)[0]),
            signed_input=signed_input,
            range_given=range_given,
            narrow_range=narrow_range,
            round_mode="HALF_TO_EVEN",
            ctx=ctx,
        )

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [grad, None, None, None]


# Fake quantization.


def _check_bits(num_bits: int, ctx: LoweringContext) -> None:
    if not 2 <= num_bits <= 16:
        refuse(ctx, "num_bits must be between 2 and 16, inclusive")


def _check_args(low: float, high: float, num_bits: int, ctx: LoweringContext) -> None:
    if low >= high:
        refuse(ctx, f"min has to be smaller than max, was: {low:g} >= {high:g}")
    _check_bits(num_bits, ctx)


def _nudged(low: Any, high: Any, num_bits: int, narrow_range: bool) -> tuple[Any, Any, Any]:
    """The range moved so that 0 is exact, and the size of a step: (low, high, step)."""
    lowest, highest = np.float32(narrow_range), np.float32((1 << num_bits) - 1)
    step = rounding.quotient(high - low, highest - lowest)
    zero = lowest - rounding.quotient(low, step)
    zero = jnp.where(zero < lowest, lowest, jnp.where(zero > highest, highest, round_away(zero)))
    return rounding.product(lowest - zero, step), rounding.product(highest - zero, step), step


def _faked(
    x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool, *, divides: bool = True
) -> Any:
    """`divides` by the size of a step, or multiplies by its inverse: half a step falls to the one
    side or the other."""
    low, high, step = _nudged(low, high, num_bits, narrow_range)
    shifted = jnp.maximum(jnp.minimum(x, high), low) - low
    if divides:
        steps = rounding.quotient(shifted, step)
    else:
        steps = rounding.product(shifted, rounding.quotient(1, step))
    return jnp.floor(steps + np.float32(0.5)) * step + low


def _fake_vars(x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool) -> Any:
    is_zero = (low == 0) & (high == 0)
    faked = _faked(x, low, jnp.where(is_zero, 1, high), num_bits, narrow_range)
    return jnp.where(is_zero, 0, faked)


def _fake_vars_gradient(
    grad: Any, x: Any, low: Any, high: Any, num_bits: int, narrow_range: bool, axes: Any
) -> list[Any]:
    is_zero = (low == 0) & (high == 0)
    nudged = _nudged(low, jnp.where(is_zero, 1, high), num_bits, narrow_range)
    below, above = x < nudged[0], x > nudged[1]
    inside = (x >= nudged[0]) & (x <= nudged[1])

    def part(where: Any) -> Any:
        return jnp.where(is_zero, 0, jnp.sum(jnp.where(where, grad, 0), axis=axes))

    return [jnp.where(is_zero, grad, grad * inside), part(below), part(above)]


@op("FakeQuantWithMinMaxArgs")
class FakeQuantWithMinMaxArgs:
    shape = same

    def lower(
        inputs: Any,
        *,
        min: float,
        max: float,
        num_bits: int,
        narrow_range: bool,
        ctx: LoweringContext,
    ) -> Array:
        _check_args(min, max, num_bits, ctx)
        low, high = np.float32(min), np.float32(max)
        return _faked(jnp.asarray(inputs), low, high, num_bits, narrow_range, divides=False)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return raw_ops.FakeQuantWithMinMaxArgsGradient(
            grad, op.inputs[0], **_settings(op, "min", "max")
        )


def _settings(op: Operation, *names: str) -> dict[str, Any]:
    return {name: op.get_attr(name) for name in (*names, "num_bits", "narrow_range")}


@op("FakeQuantWithMinMaxArgsGradient")
class FakeQuantWithMinMaxArgsGradient:
    shape = same

    def lower(
        gradients: Any, inputs: Array, *, min: float, max: float, num_bits: int, narrow_range: bool,
        ctx: LoweringContext,
    ) -> Array:  # fmt: skip
        _check_args(min, max, num_bits, ctx)
        check_same_shape(ctx, gradients, inputs)
        x = jnp.asarray(inputs)
        low, high, _ = _nudged(np.float32(min), np.float32(max), num_bits, narrow_range)
        return gradients * ((x >= low) & (x <= high))


def _vars_shape(inputs: Any, min: Any, max: Any) -> Any:
    shapes.with_rank(min, 0)
    shapes.with_rank(max, 0)
    return inputs


@op("FakeQuantWithMinMaxVars")
class FakeQuantWithMinMaxVars:
    shape = _vars_shape

    def lower(
        inputs: Any,
        min: Array,
        max: Array,
        *,
        num_bits: int,
        narrow_range: bool,
        ctx: LoweringContext,
    ) -> Array:
        _check_bits(num_bits, ctx)
        low, high = (jnp.ravel(value)[0] for value in (min, max))
        return _fake_vars(jnp.asarray(inputs), low, high, num_bits, narrow_range)


@op("FakeQuantWithMinMaxVarsGradient")
class FakeQuantWithMinMaxVarsGradient:
    def shape(gradients: Any, inputs: Shape, min: Shape, max: Shape) -> Any:
        merged = shapes.merge(gradients, inputs)
        return [merged, shapes.with_rank(min, 0), shapes.with_rank(max, 0)]

    def lower(
        gradients: Any, inputs: Array, min: Array, max: Array, *, num_bits: int, narrow_range: bool,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        _check_bits(num_bits, ctx)
        check_same_shape(ctx, gradients, inputs)
        low, high = (jnp.ravel(value)[0] for value in (min, max))
        args = (jnp.asarray(gradients), jnp.asarray(inputs), low, high)
        return _fake_vars_gradient(*args, num_bits, narrow_range, None)


def _check_channels(inputs: Any, min: Any, max: Any, num_bits: int, ctx: LoweringContext) -> None:
    _check_bits(num_bits, ctx)
    depth = (np.shape(inputs) or (0,))[-1]
    for name, value in (("min", min), ("max", max)):
        size = (np.shape(value) or (0,))[0]
        if np.ndim(value) != 1 or size != depth:
            refuse(ctx, f"{name} has incorrect size, expected {depth} was {size}")


@op("FakeQuantWithMinMaxVarsPerChannel")
class FakeQuantWithMinMaxVarsPerChannel:
    def shape(inputs: Any, min: Shape, max: Shape) -> Shape:
        inputs = shapes.with_rank_at_least(inputs, 1)
        last = None if inputs is None else inputs[-1]
        last = shapes.merge_dim(last, shapes.with_rank(min, 1)[0])
        last = shapes.merge_dim(last, shapes.with_rank(max, 1)[0])
        return inputs

    def lower(
        inputs: Any,
        min: Array,
        max: Array,
        *,
        num_bits: int,
        narrow_range: bool,
        ctx: LoweringContext,
    ) -> Array:
        _check_channels(inputs, min, max, num_bits, ctx)
        return _fake_vars(
            jnp.asarray(inputs), jnp.asarray(min), jnp.asarray(max), num_bits, narrow_range
        )


@op("FakeQuantWithMinMaxVarsPerChannelGradient")
class FakeQuantWithMinMaxVarsPerChannelGradient:
    def shape(gradients: Any, inputs: Shape, min: Shape, max: Shape) -> Any:
        gradients = shapes.with_rank_at_least(gradients, 1)
        shapes.with_rank_at_most(gradients, 4)
        inputs = shapes.merge(gradients, inputs)
        last = None if inputs is None else inputs[-1]
        last = shapes.merge_dim(last, shapes.with_rank(min, 1)[0])
        last = shapes.merge_dim(last, shapes.with_rank(max, 1)[0])
        return [inputs, (last,), (last,)]

    def lower(
        gradients: Any, inputs: Array, min: Array, max: Array, *, num_bits: int, narrow_range: bool,
        ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        check_same_shape(ctx, gradients, inputs)
        _check_channels(inputs, min, max, num_bits, ctx)
        grad, x, low, high = (jnp.asarray(value) for value in (gradients, inputs, min, max))
        axes = tuple(range(x.ndim - 1))
        return _fake_vars_gradient(grad, x, low, high, num_bits, narrow_range, axes)


def _vars_gradient(op_type: str) -> None:
    @gradient(op_type)
    def _gradient(op: Operation, grad: Tensor) -> Any:
        record = raw_ops.function(f"{op_type}Gradient")
        return record(grad, *op.inputs, **_settings(op))


_vars_gradient("FakeQuantWithMinMaxVars")
_vars_gradient("FakeQuantWithMinMaxVarsPerChannel")
