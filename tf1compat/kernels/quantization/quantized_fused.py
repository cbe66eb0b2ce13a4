"""Quantized convolutions and products in one with what follows them, as Intel's tools write them.

TensorFlow's own package has no kernels for them; these follow those of Intel's build of 1.15. There
the integers of an input stand for numbers from 0 on and those of a filter for numbers around 0, so
the integers are multiplied as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend import Array, jnp
from tf1compat.core import op_defs, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.framework.common import jnp_dtype
from tf1compat.kernels.math import matmul
from tf1compat.kernels.nn import conv
from tf1compat.kernels.quantization.quantize import integers, limits

_f32, _f64 = jnp.float32, jnp.float64
# What the highest integers of an input and of a filter are.
_INPUT_TOP, _FILTER_TOP = 255.0, 127.0
_CHANNELS = ("min_filter", "max_filter")
_FREEZED = ("min_freezed_output", "max_freezed_output")


def _reach(low: Any, high: Any) -> Any:
    """The largest magnitude of a range, or of the range of each channel."""
    return jnp.maximum(jnp.abs(jnp.asarray(low)), jnp.abs(jnp.asarray(high))).astype(_f64)


def _step(low: Any, high: Any, dtype: Any) -> Any:
    """What one integer of a range stands for; signed ones go from -127 to 127."""
    lowest, highest = limits(jnp_dtype(dtype).type)
    return (jnp.asarray(high) - low) / np.float32(highest - max(lowest, -highest))


def _whole(x: Any, dtype: Any) -> Any:
    """Rounded, halves to even, to what integers of the dtype there are."""
    kind = jnp_dtype(dtype).type
    return jnp.clip(jnp.round(x), *(float(limit) for limit in limits(kind))).astype(kind)


class _Fused:
    """The rules of one op type, whose name says what follows the product: `WithBias`, `Sum`,
    `Relu`, `Requantize`.

    Args:
      name: the op type.
      product: its `shape(x, w, op=op)` and `lower(x, w, op=op, ctx=ctx)`.
    """

    def __init__(self, name: str, product: Any):
        self.product = product
        definition = op_defs.get(name)
        assert definition is not None
        self.names = [arg.name for arg in definition.input_args]
        self.is_matmul, self.depthwise = "MatMul" in name, "Depthwise" in name
        self.relu, self.requantized = "Relu" in name, "Requantize" in name
        self.signed_sum = "SignedSum" in name
        # What Intel's shape functions take: not each has ranges for every channel.
        self.one_range = self.is_matmul or name == "QuantizedConv2DAndRequantize"

    def shape(self, *inputs: Any, op: Any) -> Any:
        given = self._by_name(inputs)
        found = self.product.shape(given["input"], given["filter"], op=op)
        if self.depthwise:
            return [found, None, None]
        scalars = ["min_input", "max_input"]
        if self.requantized:
            scalars += _FREEZED
        if self.one_range:
            scalars += _CHANNELS
        for name in scalars:
            shapes.with_rank(given[name], 0)
        if self.one_range or self.requantized:
            return [found, (), ()]
        return [found, *(shapes.with_rank_at_most(given[name], 1) for name in _CHANNELS)]

    def lower(self, *inputs: Any, op: Any, ctx: LoweringContext) -> Any:
        given, attrs = self._by_name(inputs), op._attrs
        x, w = (integers(given[name]).astype(_f64) for name in ("input", "filter"))
        if pads := attrs.get("padding_list"):
            x = jnp.pad(x, [(pads[i], pads[i + 1]) for i in range(0, len(pads), 2)])
        in_range = given["min_input"], given["max_input"]
        channels = given["min_filter"], given["max_filter"]
        # What 1 stands for, as Intel's kernels say it of their results, and as they compute.
        kinds = ("T1", "T2") if self.is_matmul else ("Tinput", "Tfilter")
        step = _step(*in_range, attrs[kinds[0]]) * _step(*channels, attrs[kinds[1]])
        reach = in_range[1] - in_range[0] if self.is_matmul else _reach(*in_range)
        unit = reach * _reach(*channels) / (_INPUT_TOP * _FILTER_TOP)

        total = jnp.round(self.product.lower(x, w, op=op, ctx=ctx))
        if "bias" in given:
            total = total + self._bias(given, w, in_range, unit)
        out_type = attrs["Toutput" if self.is_matmul else "out_type"]
        bounds = limits(jnp_dtype(out_type).type)
        if not self.requantized:
            if "summand" in given:
                total = total + given["summand"] / unit
            if self.relu:
                total = jnp.maximum(total, 0)
            return [_whole(total, out_type), *(step * np.float32(bound) for bound in bounds)]

        freezed = [given[name] for name in _FREEZED]
        scale = bounds[1] / _reach(*freezed)
        total = total * (step.astype(_f64) if self.is_matmul else unit) * scale
        if "summand" in given:
            total = total + self._summand(given) * scale
        if self.relu:
            total = jnp.maximum(total, 0)
        if self.signed_sum:  # it is written over the summand, as signed numbers
            total = jnp.minimum(total, _FILTER_TOP)
        return [_whole(total, out_type), *freezed]

    def _by_name(self, inputs: Any) -> dict[str, Any]:
        """The inputs by the names that convolutions have for them."""
        renamed = {"a": "input", "b": "filter"} if self.is_matmul else {}
        return {
            "_".join(renamed.get(part, part) for part in name.split("_")): value
            for name, value in zip(self.names, inputs)
        }

    def _bias(self, given: Any, w: Any, in_range: Any, unit: Any) -> Any:
        """The bias in units of the product: rounded with the sum only."""
        bias = integers(given["bias"])
        if bias.dtype != np.float32:
            return bias.astype(_f64)
        found = bias / unit
        if self.is_matmul:  # the lowest number of the input does not stand for 0
            low, high = (jnp.asarray(bound).astype(_f64) for bound in in_range)
            found = found + jnp.sum(w, 0) * (_INPUT_TOP * low / (high - low))
        return found

    def _summand(self, given: Any) -> Any:
        """What is added, as floats."""
        summand, top = integers(given["summand"]), _INPUT_TOP
        if summand.dtype == np.int8:
            top = _FILTER_TOP
            if not self.signed_sum:  # Intel's kernel reads the bytes as unsigned ones
                summand = summand.astype(jnp.uint8)
        return summand.astype(_f64) * (_reach(given["min_summand"], given["max_summand"]) / top)


class _Conv(NamedTuple):
    lower: Callable[..., Any]
    depthwise: bool = False

    def shape(self, x: Any, w: Any, *, op: Any) -> Any:
        return conv.conv_shape(x, w, op, self.depthwise)


class _MatMul:
    @staticmethod
    def _settings(op: Operation) -> dict[str, bool]:
        return {name: op._attrs[name] for name in ("transpose_a", "transpose_b")}

    def shape(self, a: Any, b: Any, *, op: Any) -> Any:
        return matmul.MatMul.shape(a, b, **self._settings(op))

    def lower(self, a: Any, b: Any, *, op: Any, ctx: LoweringContext) -> Any:
        transposed = self._settings(op)
        return jnp.matmul(
            a.T if transposed["transpose_a"] else a, b.T if transposed["transpose_b"] else b
        )


def _register(name: str, product: Any) -> None:
    rules = _Fused(name, product)
    register(name, shape=rules.shape, lower=rules.lower)


_BIAS_AND = ("WithBias", "WithBiasAndRelu", "WithBiasAndReluAndRequantize")
for _after in (
    *_BIAS_AND,
    "AndRelu",
    "AndReluAndRequantize",
    "AndRequantize",
    "PerChannel",
    "WithBiasAndRequantize",
    "WithBiasSignedSumAndReluAndRequantize",
    "WithBiasSumAndRelu",
    "WithBiasSumAndReluAndRequantize",
):
    _register(f"QuantizedConv2D{_after}", _Conv(conv.Conv2D.lower))
for _after in ("", *_BIAS_AND):
    _register(
        f"QuantizedDepthwiseConv2D{_after}", _Conv(conv.DepthwiseConv2dNative.lower, depthwise=True)
    )
for _after in _BIAS_AND:
    _register(f"QuantizedMatMul{_after}", _MatMul())


# Ranges of channels.


@op("RequantizationRangePerChannel")
class RequantizationRangePerChannel:
    def shape(input: Any, input_min: Shape, input_max: Shape) -> Any:
        return [(), ()]

    def lower(input: Any, input_min: Array, input_max: Array, *, clip_value_max: float) -> Any:
        x = integers(input)
        reached = jnp.max(jnp.abs(x.astype(_f64)), tuple(range(x.ndim - 1)))
        floats = jnp.max(reached * (_reach(input_min, input_max) / 2.0**31)).astype(_f32)
        high = jnp.minimum(floats, np.float32(clip_value_max))
        return [jnp.where(jnp.min(x) < 0, -high, 0).astype(_f32), high]


@op("RequantizePerChannel")
class RequantizePerChannel:
    def shape(
        input: Any, input_min: Shape, input_max: Shape, requested_output_min: Shape,
        requested_output_max: Shape,
    ) -> Any:  # fmt: skip
        return [input, (), ()]

    def lower(
        input: Any, input_min: Array, input_max: Array, requested_output_min: Array,
        requested_output_max: Array, *, out_type: DType,
    ) -> Any:  # fmt: skip
        top = limits(jnp_dtype(out_type).type)[1]
        scale = top / _reach(requested_output_min, requested_output_max)
        found = integers(input).astype(_f64) * (_reach(input_min, input_max) / 2.0**31 * scale)
        bounds = (jnp.ravel(bound)[0] for bound in (requested_output_min, requested_output_max))
        return [_whole(found, out_type), *bounds]
