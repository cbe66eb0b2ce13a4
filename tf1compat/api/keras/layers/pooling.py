"""Pooling layers (`tensorflow.python.keras.layers.pooling`)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import backend, backend_config, backend_nn
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils import conv_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops, nn_pool
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike


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
        self, pool_function: Callable[..., Any], pool_size: int | Sequence[int],
        strides: int | Sequence[int] | None,
        padding: str = "valid", data_format: str | None = None, name: Name = None, **kwargs: Any,
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

    get_config = settings("pool_size", "padding", "strides", "data_format")


class Pooling1D(_Pooling):
    """Pooling over one dimension, as over images of width 1."""

    rank = 1

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs; dimensions after the third are dropped."""
        return super().compute_output_shape(TensorShape(input_shape)[:3])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [batch, steps, channels]."""
        axis = 2 if self.data_format == "channels_last" else 3
        inputs = array_ops.expand_dims(inputs, axis)
        outputs = self.pool_function(
            inputs, (*self.pool_size, 1), strides=(*self.strides, 1), padding=self.padding,
            data_format=self.data_format,
        )  # fmt: skip
        return array_ops.squeeze(outputs, axis)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        names = ("strides", "pool_size", "padding", "data_format")
        return {**Layer.get_config(self), **{name: getattr(self, name) for name in names}}


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


def _mode(mode: str) -> Callable[..., Any]:
    return functools.partial(backend_nn.pool2d, pool_mode=mode)


@tf_export("keras.layers.MaxPooling1D", "keras.layers.MaxPool1D")
class MaxPooling1D(Pooling1D):
    """The maxima over windows of one dimension. Args: see `Pooling1D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = 2, strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str = "channels_last", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_mode("max"), pool_size, strides, padding, data_format, **kwargs)


@tf_export("keras.layers.AveragePooling1D", "keras.layers.AvgPool1D")
class AveragePooling1D(Pooling1D):
    """The means over windows of one dimension. Args: see `Pooling1D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = 2, strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str = "channels_last", **kwargs: Any,
    ):  # fmt: skip
        super().__init__(_mode("avg"), pool_size, strides, padding, data_format, **kwargs)


@tf_export("keras.layers.MaxPooling2D", "keras.layers.MaxPool2D")
class MaxPooling2D(Pooling2D):
    """The maxima over windows of images. Args: see `Pooling2D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = (2, 2), strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_ops.max_pool, pool_size, strides, padding, data_format, **kwargs)


@tf_export("keras.layers.AveragePooling2D", "keras.layers.AvgPool2D")
class AveragePooling2D(Pooling2D):
    """The means over windows of images. Args: see `Pooling2D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = (2, 2), strides: int | Sequence[int] | None = None,
        padding: str = "valid",
        data_format: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_ops.avg_pool, pool_size, strides, padding, data_format, **kwargs)


@tf_export("keras.layers.MaxPooling3D", "keras.layers.MaxPool3D")
class MaxPooling3D(Pooling3D):
    """The maxima over windows of volumes. Args: see `Pooling3D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = (2, 2, 2),
        strides: int | Sequence[int] | None = None, padding: str = "valid",
        data_format: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_pool.max_pool3d, pool_size, strides, padding, data_format, **kwargs)


@tf_export("keras.layers.AveragePooling3D", "keras.layers.AvgPool3D")
class AveragePooling3D(Pooling3D):
    """The means over windows of volumes. Args: see `Pooling3D`."""

    def __init__(
        self, pool_size: int | Sequence[int] = (2, 2, 2),
        strides: int | Sequence[int] | None = None, padding: str = "valid",
        data_format: str | None = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(nn_pool.avg_pool3d, pool_size, strides, padding, data_format, **kwargs)


class _GlobalPooling(Layer):
    """One number for each channel.

    Args:
      data_format: "channels_last" or "channels_first".
      **kwargs: see `Layer`.
    """

    rank = 2

    def __init__(self, data_format: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """[batch, channels]."""
        shape = TensorShape(input_shape).as_list()
        return TensorShape([shape[0], shape[-1 if self.data_format == "channels_last" else 1]])

    @property
    def _axes(self) -> Any:
        first = 1 if self.data_format == "channels_last" else 2
        return first if self.rank == 1 else list(range(first, first + self.rank))

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Not there: a subclass has it."""
        raise NotImplementedError

    get_config = settings("data_format")


class GlobalPooling1D(_GlobalPooling):
    """The base of layers that reduce over steps. Args: see `GlobalMaxPooling1D`."""

    rank = 1

    def __init__(self, data_format: str = "channels_last", **kwargs: Any):
        super().__init__(data_format, **kwargs)


class GlobalPooling2D(_GlobalPooling):
    """The base of layers that reduce over images. Args: see `GlobalMaxPooling1D`."""


class GlobalPooling3D(_GlobalPooling):
    """The base of layers that reduce over volumes. Args: see `GlobalMaxPooling1D`."""

    rank = 3


class _GlobalMax(_GlobalPooling):
    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The maxima."""
        return backend.max(inputs, axis=self._axes)


class _GlobalAverage(_GlobalPooling):
    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The means."""
        return backend.mean(inputs, axis=self._axes)


@tf_export("keras.layers.GlobalAveragePooling1D", "keras.layers.GlobalAvgPool1D")
class GlobalAveragePooling1D(GlobalPooling1D):
    """The means over the steps that are not masked. Args: see `GlobalMaxPooling1D`."""

    def __init__(self, data_format: str = "channels_last", **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.supports_masking = True

    def call(self, inputs: Any, mask: TensorLike | None = None) -> Any:  # pyright: ignore
        """The means."""
        axis = self._axes
        if mask is None:
            return backend.mean(inputs, axis=axis)
        mask = math_ops.cast(mask, backend.floatx())
        mask = array_ops.reshape(mask, [-1, inputs.shape.as_list()[axis], 1])
        inputs *= mask
        return backend.sum(inputs, axis=axis) / math_ops.reduce_sum(mask, axis=axis)

    def compute_mask(self, inputs: Any, mask: TensorLike | None = None) -> Any:
        """None: there are no steps any more."""
        return None


@tf_export("keras.layers.GlobalMaxPooling1D", "keras.layers.GlobalMaxPool1D")
class GlobalMaxPooling1D(_GlobalMax, GlobalPooling1D):
    """The maxima over all steps.

    Args:
      data_format: "channels_last" or "channels_first".
      **kwargs: see `Layer`.
    """


@tf_export("keras.layers.GlobalAveragePooling2D", "keras.layers.GlobalAvgPool2D")
class GlobalAveragePooling2D(_GlobalAverage, GlobalPooling2D):
    """The means over images. Args: see `GlobalMaxPooling1D`."""


@tf_export("keras.layers.GlobalMaxPooling2D", "keras.layers.GlobalMaxPool2D")
class GlobalMaxPooling2D(_GlobalMax, GlobalPooling2D):
    """The maxima over images. Args: see `GlobalMaxPooling1D`."""


@tf_export("keras.layers.GlobalAveragePooling3D", "keras.layers.GlobalAvgPool3D")
class GlobalAveragePooling3D(_GlobalAverage, GlobalPooling3D):
    """The means over volumes. Args: see `GlobalMaxPooling1D`."""


@tf_export("keras.layers.GlobalMaxPooling3D", "keras.layers.GlobalMaxPool3D")
class GlobalMaxPooling3D(_GlobalMax, GlobalPooling3D):
    """The maxima over volumes. Args: see `GlobalMaxPooling1D`."""


AvgPool1D, MaxPool1D = AveragePooling1D, MaxPooling1D
AvgPool2D, MaxPool2D = AveragePooling2D, MaxPooling2D
AvgPool3D, MaxPool3D = AveragePooling3D, MaxPooling3D
GlobalAvgPool1D, GlobalMaxPool1D = GlobalAveragePooling1D, GlobalMaxPooling1D
GlobalAvgPool2D, GlobalMaxPool2D = GlobalAveragePooling2D, GlobalMaxPooling2D
GlobalAvgPool3D, GlobalMaxPool3D = GlobalAveragePooling3D, GlobalMaxPooling3D
