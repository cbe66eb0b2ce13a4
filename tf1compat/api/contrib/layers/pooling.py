"""Pooling layers of `tf.contrib.layers`.

Arguments that all take:
  inputs: images (or volumes) and their channels, in the order that `data_format` says.
  kernel_size, stride: the windows' size and distance: one int, or one for each spatial dimension.
  padding: "VALID" or "SAME".
  outputs_collections: collections that the outputs join.
  scope: the name scope.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.layers import pooling
from tf1compat.api.nn import nn_convolution
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections

__all__ = ["avg_pool2d", "avg_pool3d", "max_pool2d", "max_pool3d", "pool"]


def _pooled(
    layer_class: Any, name: str, inputs: Any, kernel_size: int | Sequence[int], stride: Any,
    padding: str,
    data_format: str, data_formats: tuple[str, str], outputs_collections: Any, scope: Any,
) -> Tensor:  # fmt: skip
    if data_format not in data_formats:
        raise ValueError("data_format has to be either {} or {}.".format(*data_formats))
    with ops.name_scope(scope, name, [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        channels = "channels_first" if data_format.startswith("NC") else "channels_last"
        layer = layer_class(
            pool_size=kernel_size, strides=stride, padding=padding, data_format=channels, _scope=sc
        )
        return utils.collect_named_outputs(outputs_collections, sc, layer.apply(inputs))


@tf_export("contrib.layers.avg_pool2d")
@add_arg_scope
def avg_pool2d(
    inputs: Any, kernel_size: int | Sequence[int], stride: Any = 2, padding: str = "VALID",
    data_format: str = "NHWC", outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The means over windows of images.

    Args:
      inputs, kernel_size, stride, padding, outputs_collections, scope: see this module.
      data_format: "NHWC" or "NCHW".

    Returns:
      [batch, height, width, channels] of fewer rows and columns, or [batch, channels, height,
      width]; of the inputs' dtype.

    Raises:
      ValueError: there is no such `data_format`.
    """
    return _pooled(
        pooling.AveragePooling2D, "AvgPool2D", inputs, kernel_size, stride, padding, data_format,
        ("NCHW", "NHWC"), outputs_collections, scope,
    )  # fmt: skip


@tf_export("contrib.layers.avg_pool3d")
@add_arg_scope
def avg_pool3d(
    inputs: Any, kernel_size: int | Sequence[int], stride: Any = 2, padding: str = "VALID",
    data_format: str = "NDHWC", outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The means over windows of volumes.

    Args:
      inputs, kernel_size, stride, padding, outputs_collections, scope: see this module.
      data_format: "NDHWC" or "NCDHW".

    Returns:
      [batch, depth, height, width, channels] of fewer places, or [batch, channels, depth, height,
      width]; of the inputs' dtype.

    Raises:
      ValueError: there is no such `data_format`.
    """
    return _pooled(
        pooling.AveragePooling3D, "AvgPool3D", inputs, kernel_size, stride, padding, data_format,
        ("NCDHW", "NDHWC"), outputs_collections, scope,
    )  # fmt: skip


@tf_export("contrib.layers.max_pool2d")
@add_arg_scope
def max_pool2d(
    inputs: Any, kernel_size: int | Sequence[int], stride: Any = 2, padding: str = "VALID",
    data_format: str = "NHWC", outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of images.

    Args:
      inputs, kernel_size, stride, padding, outputs_collections, scope: see this module.
      data_format: "NHWC" or "NCHW".

    Returns:
      As `avg_pool2d`.

    Raises:
      ValueError: there is no such `data_format`.
    """
    return _pooled(
        pooling.MaxPooling2D, "MaxPool2D", inputs, kernel_size, stride, padding, data_format,
        ("NCHW", "NHWC"), outputs_collections, scope,
    )  # fmt: skip


@tf_export("contrib.layers.max_pool3d")
@add_arg_scope
def max_pool3d(
    inputs: Any, kernel_size: int | Sequence[int], stride: Any = 2, padding: str = "VALID",
    data_format: str = "NDHWC", outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of volumes.

    Args:
      inputs, kernel_size, stride, padding, outputs_collections, scope: see this module.
      data_format: "NDHWC" or "NCDHW".

    Returns:
      As `avg_pool3d`.

    Raises:
      ValueError: there is no such `data_format`.
    """
    return _pooled(
        pooling.MaxPooling3D, "MaxPool3D", inputs, kernel_size, stride, padding, data_format,
        ("NCDHW", "NDHWC"), outputs_collections, scope,
    )  # fmt: skip


@add_arg_scope
def pool(
    inputs: Any, kernel_size: int | Sequence[int], pooling_type: str, padding: str = "VALID",
    data_format: str | None = None, dilation_rate: int | Sequence[int] = 1, stride: Any = 1,
    outputs_collections: Collections | None = None, scope: Any = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.pool` with one int for all spatial dimensions.

    Args:
      inputs, kernel_size, stride, padding, outputs_collections, scope: see this module.
      pooling_type: "AVG" or "MAX".
      data_format: as for `tf.nn.pool`.
      dilation_rate: the distance of a window's elements.

    Raises:
      ValueError: the rank of the inputs is unknown or less than 3.
    """
    with ops.name_scope(scope, f"{pooling_type.lower()}_pool", [inputs]) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank is None:
            raise ValueError("Rank of inputs must be known")
        if rank < 3:
            raise ValueError("Rank of inputs must be >= 3")
        output = nn_convolution.pool(
            input=inputs,
            window_shape=utils.n_positive_integers(rank - 2, kernel_size),
            pooling_type=pooling_type,
            padding=padding,
            data_format=data_format,
            dilation_rate=utils.n_positive_integers(rank - 2, dilation_rate),
            strides=utils.n_positive_integers(rank - 2, stride),
            name=sc,
        )
        return utils.collect_named_outputs(outputs_collections, sc, output)
