"""`tf.nn.quantized_…`: functions of quantized tensors and their ranges (a part of TF's nn_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("nn.quantized_conv2d")
def quantized_conv2d(
    input: TensorLike,
    filter: TensorLike,
    min_input: Any,
    max_input: Any,
    min_filter: Any,
    max_filter: Any,
    strides: Any,
    padding: str,
    out_type: DTypeLike = dtypes.qint32,
    dilations: Any = [1, 1, 1, 1],  # noqa: B006
    name: Name = None,
) -> Any:
    """The convolution of quantized images with a quantized filter (as in TF 1.15).

    Args:
      input: [batch, height, width, channels], quantized.
      filter: [height, width, channels, out channels], quantized.
      min_input, max_input, min_filter, max_filter: float32 scalars: what the lowest and the highest
        integers stand for.
      strides: four ints.
      padding: "SAME" or "VALID".
      out_type: the dtype of the result.
      dilations: four ints.
      name: the operation's name.

    Returns:
      (output, min_output, max_output).
    """
    return raw_ops.QuantizedConv2D(
        input, filter, min_input, max_input, min_filter, max_filter, strides=strides,
        padding=padding, out_type=out_type, dilations=dilations, name=name,
    )  # fmt: skip


@tf_export("nn.quantized_relu_x")
def quantized_relu_x(
    features: TensorLike,
    max_value: TensorLike,
    min_features: Any,
    max_features: Any,
    out_type: DTypeLike = dtypes.quint8,
    name: Name = None,
) -> Any:
    """`min(max(features, 0), max_value)` of a quantized tensor (as in TF 1.15).

    Args:
      features: quantized.
      max_value: a float32 scalar.
      min_features, max_features: float32 scalars: what the lowest and the highest integers stand
        for.
      out_type: the dtype of the result.
      name: the operation's name.

    Returns:
      (activations, min_activations, max_activations).
    """
    return raw_ops.QuantizedReluX(
        features, max_value, min_features, max_features, out_type=out_type, name=name
    )


@tf_export("nn.quantized_max_pool")
def quantized_max_pool(
    input: TensorLike,
    min_input: Any,
    max_input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    name: Name = None,
) -> Any:
    """The largest number in each window of quantized images (as in TF 1.15).

    Args:
      input: [batch, height, width, channels], quantized.
      min_input, max_input: float32 scalars: what the lowest and the highest integers stand for.
      ksize, strides: four ints each.
      padding: "SAME" or "VALID".
      name: the operation's name.

    Returns:
      (output, min_output, max_output).
    """
    return raw_ops.QuantizedMaxPool(
        input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )


@tf_export("nn.quantized_avg_pool")
def quantized_avg_pool(
    input: TensorLike,
    min_input: Any,
    max_input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    name: Name = None,
) -> Any:
    """The mean of each window of quantized images (as in TF 1.15).

    Args:
      input, min_input, max_input, ksize, strides, padding, name: as in `quantized_max_pool`.

    Returns:
      (output, min_output, max_output).
    """
    return raw_ops.QuantizedAvgPool(
        input, min_input, max_input, ksize=ksize, strides=strides, padding=padding, name=name
    )
