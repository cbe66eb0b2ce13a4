"""`tf.layers.max_pooling2d` and its like (`tensorflow.python.layers.pooling`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.keras.layers import pooling as keras_pooling
from tf1compat.api.layers import base
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


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


def _function_of(layer: type[_Pooling], dimensions: str) -> Callable[..., Tensor]:
    """The function of `tf.layers` that makes a layer and applies it.

    Args:
      layer: the layer's class; the function is called as it is, in lower case.
      dimensions: the spatial dimensions of the inputs.

    Returns:
      The function, whose docstring begins as that of the class.
    """

    def pooled(
        inputs: TensorLike, pool_size: int | Sequence[int], strides: int | Sequence[int],
        padding: str = "valid", data_format: str = "channels_last", name: Name = None,
    ) -> Tensor:  # fmt: skip
        made: Any = layer(pool_size, strides, padding, data_format, name)
        return made.apply(inputs)

    function: Any = pooled
    public = function.__name__ = function.__qualname__ = raw_ops.snake_case(layer.__name__)
    what, _, _ = (layer.__doc__ or "").partition(" Args:")
    function.__doc__ = f"""{what}

    Args:
      inputs: [batch, {dimensions}, channels], or [batch, channels, {dimensions}].
      pool_size, strides: the windows' size and distance: an int, or one for each dimension.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.

    Returns:
      A tensor of the rank and dtype of `inputs`, with fewer of {dimensions}.
    """
    instead = f"Use keras.layers.{layer.__name__} instead."
    return tf_export(f"layers.{public}")(deprecated(None, instead)(function))


@tf_export("layers.AveragePooling1D")
class AveragePooling1D(_Pooling, keras_pooling.AveragePooling1D, base.Layer):
    """The means over windows of one dimension. Args: see `average_pooling1d`."""


average_pooling1d = _function_of(AveragePooling1D, "steps")


@tf_export("layers.MaxPooling1D")
class MaxPooling1D(_Pooling, keras_pooling.MaxPooling1D, base.Layer):
    """The maxima over windows of one dimension. Args: see `average_pooling1d`."""


max_pooling1d = _function_of(MaxPooling1D, "steps")


@tf_export("layers.AveragePooling2D")
class AveragePooling2D(_Pooling, keras_pooling.AveragePooling2D, base.Layer):
    """The means over windows of images. Args: see `average_pooling2d`."""


average_pooling2d = _function_of(AveragePooling2D, "height, width")


@tf_export("layers.MaxPooling2D")
class MaxPooling2D(_Pooling, keras_pooling.MaxPooling2D, base.Layer):
    """The maxima over windows of images. Args: see `average_pooling2d`."""


max_pooling2d = _function_of(MaxPooling2D, "height, width")


AvgPool2D = AveragePooling2D
MaxPool2D = MaxPooling2D
max_pool2d = max_pooling2d
avg_pool2d = average_pooling2d


@tf_export("layers.AveragePooling3D")
class AveragePooling3D(_Pooling, keras_pooling.AveragePooling3D, base.Layer):
    """The means over windows of volumes. Args: see `average_pooling3d`."""


average_pooling3d = _function_of(AveragePooling3D, "depth, height, width")


@tf_export("layers.MaxPooling3D")
class MaxPooling3D(_Pooling, keras_pooling.MaxPooling3D, base.Layer):
    """The maxima over windows of volumes. Args: see `max_pooling3d`."""


max_pooling3d = _function_of(MaxPooling3D, "depth, height, width")
