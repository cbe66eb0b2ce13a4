"""Pooling layers (`tensorflow.python.keras.layers.pooling`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import array_ops, nn_ops, nn_pool
from tf1compat.api.keras import backend_config
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils import conv_utils
from tf1compat.core.tensor_shape import TensorShape


class _Pooling(Layer):
    """What pooling layers share.

    Args:
      pool_function: what pools.
      pool_size, strides: one int, or one for each spatial dimension; the strides are the sizes by
        default.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      name: the layer's name.
      **kwargs: see `Layer`.
    """

    rank = 2

    def __init__(
        self, pool_function: Callable[..., Any], pool_size: Any, strides: Any,
        padding: str = "valid", data_format: Any = None, name: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(name=name, **kwargs)
        if data_format is None:
            data_format = backend_config.image_data_format()
        if strides is None:
            strides = pool_size
        self.pool_function = pool_function
        self.pool_size = conv_utils.normalize_tuple(pool_size, self.rank, "pool_size")
        self.strides = conv_utils.normalize_tuple(strides, self.rank, "strides")
        self.padding = conv_utils.normalize_padding(padding)
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs."""
        shape = TensorShape(input_shape).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        for i in range(self.rank):
            shape[first + i] = conv_utils.conv_output_length(
                shape[first + i], self.pool_size[i], self.padding, self.strides[i]
            )
        return TensorShape(shape)


class Pooling1D(_Pooling):
    """Pooling over one dimension, as over images of width 1."""

    rank = 1

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [batch, steps, channels]."""
        axis = 2 if self.data_format == "channels_last" else 3
        inputs = array_ops.expand_dims(inputs, axis)
        outputs = self.pool_function(
            inputs, (*self.pool_size, 1), strides=(*self.strides, 1), padding=self.padding,
            data_format=self.data_format,
        )  # fmt: skip
        return array_ops.squeeze(outputs, axis)


class Pooling2D(_Pooling):
    """Pooling over images."""

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to images."""
        first = self.data_format == "channels_first"
        around: Any = ((1, 1), ()) if first else ((1,), (1,))
        return self.pool_function(
            inputs,
            ksize=around[0] + self.pool_size + around[1],
            strides=around[0] + self.strides + around[1],
            padding=self.padding.upper(),
            data_format=conv_utils.convert_data_format(self.data_format, 4),
        )


class Pooling3D(_Pooling):
    """Pooling over volumes; those with channels first change places, as on CPUs."""

    rank = 3

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to volumes."""
        first = self.data_format == "channels_first"
        if first:
            inputs = array_ops.transpose(inputs, (0, 2, 3, 4, 1))
        outputs = self.pool_function(
            inputs, ksize=(1, *self.pool_size, 1), strides=(1, *self.strides, 1),
            padding=self.padding.upper(),
        )  # fmt: skip
        return array_ops.transpose(outputs, (0, 4, 1, 2, 3)) if first else outputs


def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None,
    pool_mode: str = "max",
) -> Any:  # fmt: skip
    """Pools images; those with channels first change places with themselves, as on CPUs."""
    if data_format is None:
        data_format = backend_config.image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(f"Unknown data_format: {data_format}")
    for value, name in ((pool_size, "pool_size"), (strides, "strides")):
        if len(value) != 2:
            raise ValueError(f"`{name}` must be a tuple of 2 integers.")
    if pool_mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {pool_mode}")
    first = data_format == "channels_first"
    if first:
        x = array_ops.transpose(x, (0, 2, 3, 1))
    pool = nn_ops.max_pool if pool_mode == "max" else nn_ops.avg_pool
    x = pool(x, (1, *pool_size, 1), (1, *strides, 1), padding=padding.upper(), data_format="NHWC")
    return array_ops.transpose(x, (0, 3, 1, 2)) if first else x


def _mode(mode: str) -> Callable[..., Any]:
    def pool(x: Any, *args: Any, **kwargs: Any) -> Any:
        return pool2d(x, *args, pool_mode=mode, **kwargs)

    return pool


class MaxPooling1D(Pooling1D):
    """The maxima over windows of one dimension. Args: see `Pooling1D`."""

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid",
        data_format: Any = "channels_last", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_mode("max"), pool_size, strides, padding, data_format, **kwargs)


class AveragePooling1D(Pooling1D):
    """The means over windows of one dimension. Args: see `Pooling1D`."""

    def __init__(
        self, pool_size: Any = 2, strides: Any = None, padding: str = "valid",
        data_format: Any = "channels_last", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_mode("avg"), pool_size, strides, padding, data_format, **kwargs)


class MaxPooling2D(Pooling2D):
    """The maxima over windows of images. Args: see `Pooling2D`."""

    def __init__(
        self, pool_size: Any = (2, 2), strides: Any = None, padding: str = "valid",
        data_format: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_ops.max_pool, pool_size, strides, padding, data_format, **kwargs)


class AveragePooling2D(Pooling2D):
    """The means over windows of images. Args: see `Pooling2D`."""

    def __init__(
        self, pool_size: Any = (2, 2), strides: Any = None, padding: str = "valid",
        data_format: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_ops.avg_pool, pool_size, strides, padding, data_format, **kwargs)


class MaxPooling3D(Pooling3D):
    """The maxima over windows of volumes. Args: see `Pooling3D`."""

    def __init__(
        self, pool_size: Any = (2, 2, 2), strides: Any = None, padding: str = "valid",
        data_format: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_pool.max_pool3d, pool_size, strides, padding, data_format, **kwargs)


class AveragePooling3D(Pooling3D):
    """The means over windows of volumes. Args: see `Pooling3D`."""

    def __init__(
        self, pool_size: Any = (2, 2, 2), strides: Any = None, padding: str = "valid",
        data_format: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_pool.avg_pool3d, pool_size, strides, padding, data_format, **kwargs)
