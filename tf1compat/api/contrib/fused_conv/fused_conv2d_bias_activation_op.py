"""`tensorflow.contrib.fused_conv.python.ops.fused_conv2d_bias_activation_op`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.typing import TensorLike


def fused_conv2d_bias_activation(
    conv_input: TensorLike,
    filter: TensorLike,
    bias: TensorLike,
    strides: Sequence[int] | None = None,
    padding: str | None = None,
    conv_input_scale: TensorLike = 1.0,
    side_input_scale: TensorLike = 0.0,
    side_input: TensorLike | None = None,
    activation_mode: str = "Relu",
    data_format: str | None = None,
    filter_format: str | None = None,
    name: str | None = None,
) -> Any:
    """`activation(conv_input_scale * conv(conv_input) + side_input_scale * side_input + bias)`.

    As tf.contrib.fused_conv's in TF 1.15: only its GPU build has a kernel, so that the operation is
    recorded, and refused when it is to run.

    Args:
      conv_input: float16, float32 or qint8 images in `data_format`.
      filter: the filter in `filter_format`, of the same type.
      bias: [output channels], float16 or float32.
      strides: four ints, in the order of `data_format`; ones by default.
      padding: "SAME" or "VALID".
      conv_input_scale: float32 scalar.
      side_input_scale: float32 scalar.
      side_input: what is added, like the result; nothing by default.
      activation_mode: "Relu" or "None".
      data_format: "NHWC", the default, "NCHW" or "NCHW_VECT_C" [batch, channels / 4, height, width,
        4].
      filter_format: "HWIO", the default, "OIHW" or "OIHW_VECT_I" [output channels, input channels /
        4, height, width, 4].
      name: name for the operation.

    Returns:
      A tensor of the type of `conv_input`, in `data_format`.

    Raises:
      ValueError, TypeError: for arguments that don't fit.
      InvalidArgumentError: when it runs.
    """
    return raw_ops.FusedConv2DBiasActivation(
        conv_input,
        filter,
        bias,
        [] if side_input is None else side_input,
        conv_input_scale,
        side_input_scale,
        strides=[1, 1, 1, 1] if strides is None else strides,
        padding=padding,
        activation_mode=activation_mode,
        data_format=data_format,
        filter_format=filter_format,
        name=name,
    )
