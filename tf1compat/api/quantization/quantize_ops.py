"""Quantizing (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "dequantize",
    "fake_quant_with_min_max_args",
    "fake_quant_with_min_max_args_gradient",
    "fake_quant_with_min_max_vars",
    "fake_quant_with_min_max_vars_gradient",
    "fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel_gradient",
    "quantize",
    "quantize_and_dequantize",
    "quantize_v2",
    "quantized_concat",
]


@tf_export("quantize_v2")
@deprecated(
    "2017-10-25",
    "`tf.quantize_v2` is deprecated, please use `tf.quantization.quantize` instead.",
    module="tensorflow.python.ops.array_ops",
)
def quantize_v2(
    input: TensorLike, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED",
    name: Name = None, round_mode: str = "HALF_AWAY_FROM_ZERO",
) -> Any:  # fmt: skip
    """As `quantize`.

    Args:
      input, min_range, max_range, T, mode, name, round_mode: as in `quantize`.

    Returns:
      As `quantize`.
    """
    return raw_ops.QuantizeV2(
        input, min_range, max_range, T=T, mode=mode, name=name, round_mode=round_mode
    )


@tf_export("quantization.quantize", "quantize")
def quantize(
    input: TensorLike, min_range: Any, max_range: Any, T: Any, mode: str = "MIN_COMBINED",
    round_mode: str = "HALF_AWAY_FROM_ZERO", name: Name = None,
) -> Any:  # fmt: skip
    """Floats as quantized numbers.

    Args:
      input: a float32 tensor.
      min_range, max_range: scalars: what the lowest and highest quantized number stand for.
      T: a quantized dtype.
      mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED".
      round_mode: "HALF_AWAY_FROM_ZERO" or, in mode "SCALED", "HALF_TO_EVEN".
      name: the operation's name.

    Returns:
      (a tensor of dtype `T`, the lowest and the highest number it can stand for).
    """
    return raw_ops.QuantizeV2(
        input, min_range, max_range, T, mode=mode, round_mode=round_mode, name=name
    )


@tf_export("quantization.dequantize", "dequantize")
def dequantize(
    input: TensorLike, min_range: Any, max_range: Any, mode: str = "MIN_COMBINED", name: Name = None
) -> Tensor:
    """Quantized numbers as floats.

    Args:
      input: a tensor of a quantized dtype.
      min_range, max_range: scalars: what the lowest and highest quantized number stand for.
      mode: "MIN_COMBINED", "MIN_FIRST" or "SCALED".
      name: the operation's name.

    Returns:
      A float32 tensor.
    """
    return raw_ops.Dequantize(input, min_range, max_range, mode, name=name)


@tf_export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(
    input: TensorLike, input_min: Any, input_max: Any, signed_input: bool = True, num_bits: int = 8,
    range_given: bool = False, round_mode: str = "HALF_TO_EVEN", name: Name = None,
    narrow_range: bool = False,
) -> Tensor:  # fmt: skip
    """What floats become when they are quantized and back.

    Args:
      input: a floating-point tensor.
      input_min, input_max: scalars: the range, if `range_given`; else the range is that of `input`.
      signed_input: quantize to signed numbers.
      num_bits: to how many bits.
      range_given: see `input_min`.
      round_mode: "HALF_TO_EVEN" or "HALF_UP".
      name: the operation's name.
      narrow_range: leave out the lowest signed number.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.QuantizeAndDequantizeV2(
        input,
        input_min=input_min,
        input_max=input_max,
        signed_input=signed_input,
        num_bits=num_bits,
        range_given=range_given,
        round_mode=round_mode,
        narrow_range=narrow_range,
        name=name,
    )


@tf_export("quantization.quantized_concat", "quantized_concat")
def quantized_concat(
    concat_dim: TensorLike, values: Any, input_mins: Any, input_maxes: Any, name: Name = None
) -> Any:
    """Quantized tensors one after another along a dimension.

    Args:
      concat_dim: a scalar int.
      values: a list of tensors of one quantized dtype.
      input_mins, input_maxes: a list of scalars each: the range of each tensor.
      name: the operation's name.

    Returns:
      (the tensor, the lowest and the highest number that it can stand for).
    """
    return raw_ops.QuantizedConcat(concat_dim, values, input_mins, input_maxes, name=name)


@tf_export("quantization.fake_quant_with_min_max_args", "fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs: TensorLike, min: float = -6, max: float = 6, num_bits: int = 8,
    narrow_range: bool = False,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """What floats become when they are quantized to a fixed range and back.

    Args:
      inputs: a float32 tensor.
      min, max: Python floats: the range, which is moved so that 0 is exact.
      num_bits: to how many bits.
      narrow_range: leave out the lowest number.
      name: the operation's name.

    Returns:
      A tensor like `inputs`.
    """
    return raw_ops.FakeQuantWithMinMaxArgs(inputs, min, max, num_bits, narrow_range, name=name)


@tf_export(
    "quantization.fake_quant_with_min_max_args_gradient", "fake_quant_with_min_max_args_gradient"
)
def fake_quant_with_min_max_args_gradient(
    gradients: Any, inputs: TensorLike, min: float = -6, max: float = 6, num_bits: int = 8,
    narrow_range: bool = False, name: Name = None,
) -> Tensor:  # fmt: skip
    """The gradient of `fake_quant_with_min_max_args`: 0 outside the range.

    Args:
      gradients: the gradient of the outputs.
      inputs, min, max, num_bits, narrow_range: as there.
      name: the operation's name.

    Returns:
      A float32 tensor of the inputs' shape.
    """
    return raw_ops.FakeQuantWithMinMaxArgsGradient(
        gradients, inputs, min, max, num_bits, narrow_range, name=name
    )


@tf_export("quantization.fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8,
    narrow_range: bool = False,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `fake_quant_with_min_max_args`, to a range that can be learned.

    Args:
      inputs: a float32 tensor.
      min, max: float32 scalars.
      num_bits, narrow_range, name: as there.

    Returns:
      A float32 tensor of the inputs' shape.
    """
    return raw_ops.FakeQuantWithMinMaxVars(inputs, min, max, num_bits, narrow_range, name=name)


@tf_export(
    "quantization.fake_quant_with_min_max_vars_gradient", "fake_quant_with_min_max_vars_gradient"
)
def fake_quant_with_min_max_vars_gradient(
    gradients: Any, inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8,
    narrow_range: bool = False, name: Name = None,
) -> Any:  # fmt: skip
    """The gradients of `fake_quant_with_min_max_vars` with respect to inputs, min and max.

    Args:
      gradients: the gradient of the outputs.
      inputs, min, max, num_bits, narrow_range: as there.
      name: the operation's name.

    Returns:
      Float32 tensors: one of the inputs' shape, and two scalars.
    """
    return raw_ops.FakeQuantWithMinMaxVarsGradient(
        gradients, inputs, min, max, num_bits, narrow_range, name=name
    )


@tf_export(
    "quantization.fake_quant_with_min_max_vars_per_channel",
    "fake_quant_with_min_max_vars_per_channel",
)
def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8,
    narrow_range: bool = False,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `fake_quant_with_min_max_vars`, with a range for each index of the last dimension.

    Args:
      inputs: a float32 tensor of rank 1, 2 or 4.
      min, max: float32 vectors.
      num_bits, narrow_range, name: as there.

    Returns:
      A float32 tensor of the inputs' shape.
    """
    return raw_ops.FakeQuantWithMinMaxVarsPerChannel(
        inputs, min, max, num_bits, narrow_range, name=name
    )


@tf_export(
    "quantization.fake_quant_with_min_max_vars_per_channel_gradient",
    "fake_quant_with_min_max_vars_per_channel_gradient",
)
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: Any, inputs: TensorLike, min: TensorLike, max: TensorLike, num_bits: int = 8,
    narrow_range: bool = False, name: Name = None,
) -> Any:  # fmt: skip
    """As `fake_quant_with_min_max_vars_gradient`, with a range for each index of the last
    dimension.

    Args:
      gradients: the gradient of the outputs.
      inputs, min, max, num_bits, narrow_range: as there.
      name: the operation's name.

    Returns:
      Float32 tensors: one of the inputs' shape, and two vectors [channels].
    """
    return raw_ops.FakeQuantWithMinMaxVarsPerChannelGradient(
        gradients, inputs, min, max, num_bits, narrow_range, name=name
    )
