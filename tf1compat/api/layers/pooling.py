"""`tf.layers.max_pooling2d` and its like (`tensorflow.python.layers.pooling`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.keras.layers import pooling as keras_pooling
from tf1compat.api.layers import base
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


class _Pooling:
    """The constructor that the pooling layers share.

    Args:
      pool_size, strides: one int, or one for each spatial dimension.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name, **kwargs: see `tf.layers.Layer`.

    Raises:
      ValueError: `strides` is None.
    """

    def __init__(
        self, pool_size: int | Sequence[int], strides: int | Sequence[int] | None,
        padding: str = "valid",
        data_format: str = "channels_last", name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        if strides is None:
            raise ValueError("Argument `strides` must not be None.")
        parent: Any = super()
        parent.__init__(
            pool_size=pool_size, strides=strides, padding=padding, data_format=data_format,
            name=name, **kwargs,
        )  # fmt: skip


@tf_export("layers.AveragePooling1D")
class AveragePooling1D(_Pooling, keras_pooling.AveragePooling1D, base.Layer):
    """The means over windows of one dimension. Args: see `average_pooling1d`."""


@tf_export("layers.average_pooling1d")
@deprecated(None, "Use keras.layers.AveragePooling1D instead.")
def average_pooling1d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The means over windows of one dimension.

    Args:
      inputs: [batch, steps, channels], or [batch, channels, steps].
      pool_size, strides: the windows' size and distance.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Returns:
      [batch, new width, channels], or channels second for "channels_first".
    """
    return AveragePooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@tf_export("layers.MaxPooling1D")
class MaxPooling1D(_Pooling, keras_pooling.MaxPooling1D, base.Layer):
    """The maxima over windows of one dimension. Args: see `average_pooling1d`."""


@tf_export("layers.max_pooling1d")
@deprecated(None, "Use keras.layers.MaxPooling1D instead.")
def max_pooling1d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of one dimension.

    Args:
      inputs, pool_size, strides, padding, data_format, name: as in `average_pooling1d`.

    Returns:
      As `average_pooling1d`.
    """
    return MaxPooling1D(pool_size, strides, padding, data_format, name).apply(inputs)


@tf_export("layers.AveragePooling2D")
class AveragePooling2D(_Pooling, keras_pooling.AveragePooling2D, base.Layer):
    """The means over windows of images. Args: see `average_pooling2d`."""


@tf_export("layers.average_pooling2d")
@deprecated(None, "Use keras.layers.AveragePooling2D instead.")
def average_pooling2d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The means over windows of images.

    Args:
      inputs: [batch, height, width, channels], or [batch, channels, height, width].
      pool_size, strides: the windows' size and distance, one or two ints.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Returns:
      [batch, new height, new width, channels], or channels second for "channels_first".
    """
    return AveragePooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


@tf_export("layers.MaxPooling2D")
class MaxPooling2D(_Pooling, keras_pooling.MaxPooling2D, base.Layer):
    """The maxima over windows of images. Args: see `average_pooling2d`."""


@tf_export("layers.max_pooling2d")
@deprecated(None, "Use keras.layers.MaxPooling2D instead.")
def max_pooling2d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of images.

    Args:
      inputs, pool_size, strides, padding, data_format, name: as in `average_pooling2d`.

    Returns:
      As `average_pooling2d`.
    """
    return MaxPooling2D(pool_size, strides, padding, data_format, name).apply(inputs)


AvgPool2D = AveragePooling2D
MaxPool2D = MaxPooling2D
max_pool2d = max_pooling2d
avg_pool2d = average_pooling2d


@tf_export("layers.AveragePooling3D")
class AveragePooling3D(_Pooling, keras_pooling.AveragePooling3D, base.Layer):
    """The means over windows of volumes. Args: see `average_pooling3d`."""


@tf_export("layers.average_pooling3d")
@deprecated(None, "Use keras.layers.AveragePooling3D instead.")
def average_pooling3d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The means over windows of volumes.

    Args:
      inputs: [batch, depth, height, width, channels], or [batch, channels, depth, height, width].
      pool_size, strides: the windows' size and distance.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Returns:
      [batch, new depth, new height, new width, channels], or channels second.
    """
    return AveragePooling3D(pool_size, strides, padding, data_format, name).apply(inputs)


@tf_export("layers.MaxPooling3D")
class MaxPooling3D(_Pooling, keras_pooling.MaxPooling3D, base.Layer):
    """The maxima over windows of volumes. Args: see `max_pooling3d`."""


@tf_export("layers.max_pooling3d")
@deprecated(None, "Use keras.layers.MaxPooling3D instead.")
def max_pooling3d(
    inputs: Any, pool_size: int | Sequence[int], strides: int | Sequence[int],
    padding: str = "valid",
    data_format: str = "channels_last", name: Name = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of volumes.

    Args:
      inputs: [batch, depth, height, width, channels], or [batch, channels, depth, height, width].
      pool_size, strides: the windows' size and distance.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Returns:
      [batch, new depth, new height, new width, channels], or channels second.
    """
    return MaxPooling3D(pool_size, strides, padding, data_format, name).apply(inputs)
