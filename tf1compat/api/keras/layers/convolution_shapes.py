"""Depthwise convolution, upsampling, padding and cropping (of
`tensorflow.python.keras.layers.convolutional`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend, backend_nn, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.layers.convolutional import Conv2D
from tf1compat.api.keras.utils import conv_utils, tf_utils
from tf1compat.api.keras.utils.generic_utils import serialize_keras_object, settings
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value


def _exported(cls: Any) -> Any:
    return tf_export(f"keras.layers.{cls.__name__}")(cls)


@_exported
class DepthwiseConv2D(Conv2D):
    """A convolution of each channel by its own filters. Args: see `Conv2D`.

    Args:
      depth_multiplier: how many filters each channel has.
      depthwise_initializer, depthwise_regularizer, depthwise_constraint: settings of the filters.
    """

    def __init__(
        self, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        depth_multiplier: int = 1, data_format: Any = None, activation: Any = None,
        use_bias: bool = True, depthwise_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", depthwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        filters: Any = None
        super().__init__(
            filters, kernel_size, strides=strides, padding=padding, data_format=data_format,
            activation=activation, use_bias=use_bias, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        self.depthwise_initializer = lookup.initializer(depthwise_initializer)
        self.depthwise_regularizer = lookup.regularizer(depthwise_regularizer)
        self.depthwise_constraint = lookup.constraint(depthwise_constraint)
        self.bias_initializer = lookup.initializer(bias_initializer)

    def build(self, input_shape: Any) -> None:
        """Makes the filters and the bias.

        Raises:
          ValueError: the inputs are no images, or their channels are not known.
        """
        if len(input_shape) < 4:
            raise ValueError(
                "Inputs to `DepthwiseConv2D` should have rank 4. Received input shape:",
                str(input_shape),
            )
        axis = 1 if self.data_format == "channels_first" else 3
        channels = dimension_value(TensorShape(input_shape)[axis])
        if channels is None:
            raise ValueError(
                "The channel dimension of the inputs to `DepthwiseConv2D` should be defined. Found "
                "`None`."
            )
        self.depthwise_kernel = self.add_weight(
            shape=(*self.kernel_size[:2], channels, self.depth_multiplier),
            initializer=self.depthwise_initializer, name="depthwise_kernel",
            regularizer=self.depthwise_regularizer, constraint=self.depthwise_constraint,
        )  # fmt: skip
        self.bias = None
        if self.use_bias:
            self.bias = self.add_weight(
                shape=(channels * self.depth_multiplier,), initializer=self.bias_initializer,
                name="bias", regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip
        self.input_spec = InputSpec(ndim=4, axes={axis: channels})
        self.built = True

    def call(self, inputs: Any) -> Any:
        """Applies the layer to images."""
        outputs = backend_nn.depthwise_conv2d(
            inputs, self.depthwise_kernel, strides=self.strides, padding=self.padding,
            dilation_rate=self.dilation_rate, data_format=self.data_format,
        )  # fmt: skip
        if self.use_bias:
            outputs = backend_nn.bias_add(outputs, self.bias, data_format=self.data_format)
        return self.activation(outputs)

    @tf_utils.shape_type_conversion
    def compute_output_shape(self, input_shape: Any) -> Any:
        """The static shape of the outputs."""
        sizes = list(input_shape)
        first = self.data_format == "channels_first"
        for i in range(2):
            place = (2 if first else 1) + i
            sizes[place] = conv_utils.conv_output_length(
                sizes[place], self.kernel_size[i], self.padding, self.strides[i]
            )
        sizes[1 if first else 3] *= self.depth_multiplier
        return tuple(sizes)

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal layer."""
        config = super().get_config()
        for name in ("filters", "kernel_initializer", "kernel_regularizer", "kernel_constraint"):
            config.pop(name)
        config["depth_multiplier"] = self.depth_multiplier
        for name in ("initializer", "regularizer", "constraint"):
            value = getattr(self, f"depthwise_{name}")
            config[f"depthwise_{name}"] = serialize_keras_object(value)
        return config


class _Resized(Layer):
    """A layer that changes the sizes of `rank` spatial dimensions."""

    rank = 1
    data_format = "channels_last"

    def __init__(self, data_format: Any = None, **kwargs: Any):
        super().__init__(**kwargs)
        if self.rank > 1:
            self.data_format = conv_utils.normalize_data_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _first(self) -> int:
        return 2 if self.data_format == "channels_first" else 1

    def _resized(self, size: int, i: int) -> int:
        """The new size of spatial dimension `i`."""
        raise NotImplementedError

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs."""
        sizes: list[Any] = TensorShape(input_shape).as_list()
        for i in range(self.rank):
            place = self._first + i
            if sizes[place] is not None:
                sizes[place] = self._resized(sizes[place], i)
        return TensorShape(sizes)


class _UpSampling(_Resized):
    size: Any

    def _resized(self, size: int, i: int) -> int:
        return size * (self.size if self.rank == 1 else self.size[i])


@_exported
class UpSampling1D(_UpSampling):
    """Repeats each step `size` times."""

    def __init__(self, size: Any = 2, **kwargs: Any):
        super().__init__(**kwargs)
        self.size = int(size)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The longer sequences."""
        return backend.repeat_elements(inputs, self.size, axis=1)

    get_config = settings("size")


@_exported
class UpSampling2D(_UpSampling):
    """Enlarges images.

    Args:
      size: the factors, one or two ints.
      data_format: "channels_last" or "channels_first".
      interpolation: "nearest" or "bilinear".
      **kwargs: see `Layer`.
    """

    rank = 2

    def __init__(
        self, size: Any = (2, 2), data_format: Any = None, interpolation: str = "nearest",
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(data_format, **kwargs)
        self.size = conv_utils.normalize_tuple(size, 2, "size")
        if interpolation not in {"nearest", "bilinear"}:
            raise ValueError(
                '`interpolation` argument should be one of `"nearest"` or `"bilinear"`.'
            )
        self.interpolation = interpolation

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The larger images."""
        return backend.resize_images(
            inputs, self.size[0], self.size[1], self.data_format, interpolation=self.interpolation
        )

    get_config = settings("size", "data_format", "interpolation")


@_exported
class UpSampling3D(_UpSampling):
    """Enlarges volumes. Args: see `UpSampling2D`."""

    rank = 3

    def __init__(self, size: Any = (2, 2, 2), data_format: Any = None, **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.input_spec = None  # TF's constructor loses it.
        self.size = conv_utils.normalize_tuple(size, 3, "size")

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The larger volumes."""
        return backend.resize_volumes(
            inputs,
            *self.size,
            self.data_format,  # pyright: ignore[reportCallIssue]
        )

    get_config = settings("size", "data_format")


_PADDING = {
    2: (
        "(symmetric_height_{0}, symmetric_width_{0}), or a tuple of 2 tuples of 2 ints "
        "((top_{0}, bottom_{0}), (left_{0}, right_{0}))"
    ),
    3: (
        "(symmetric_dim1_{0}, symmetric_dim2_{0}, symmetric_dim3_{0}), or a tuple of 3 tuples of 2 "
        "ints ((left_dim1_{0}, right_dim1_{0}), (left_dim2_{0}, right_dim2_{0}), (left_dim3_{0}, "
        "right_dim2_{0}))"
    ),
}


def _pairs(value: Any, rank: int, what: str) -> tuple[Any, ...]:
    """(before, after) for each dimension."""
    if isinstance(value, int):
        return ((value, value),) * rank
    if not hasattr(value, "__len__"):
        short = {"padding": "pad", "cropping": "crop"}[what]
        raise ValueError(
            f"`{what}` should be either an int, a tuple of {rank} ints "
            f"{_PADDING[rank].format(short)}. Found: {value}"
        )
    if len(value) != rank:
        number = "two" if rank == 2 else "3"
        raise ValueError(f"`{what}` should have {number} elements. Found: {value}")
    ordinals = ("1st", "2nd", "3rd")
    return tuple(
        conv_utils.normalize_tuple(pair, 2, f"{ordinal} entry of {what}")
        for pair, ordinal in zip(value, ordinals, strict=False)
    )


@_exported
class ZeroPadding1D(_Resized):
    """Adds zeros before and after the steps; `padding` is one or two ints."""

    def __init__(self, padding: Any = 1, **kwargs: Any):
        super().__init__(**kwargs)
        self.padding = conv_utils.normalize_tuple(padding, 2, "padding")

    def _resized(self, size: int, i: int) -> int:
        return size + sum(self.padding)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The longer sequences."""
        return backend.temporal_padding(inputs, padding=self.padding)

    get_config = settings("padding")


@_exported
class ZeroPadding2D(_Resized):
    """Adds zeros around images.

    Args:
      padding: one int, two, or two pairs.
      data_format: "channels_last" or "channels_first".
      **kwargs: see `Layer`.
    """

    rank = 2

    def __init__(self, padding: Any = (1, 1), data_format: Any = None, **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.padding = _pairs(padding, 2, "padding")

    def _resized(self, size: int, i: int) -> int:
        return size + sum(self.padding[i])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The larger images."""
        return backend.spatial_2d_padding(
            inputs, padding=self.padding, data_format=self.data_format
        )

    get_config = settings("padding", "data_format")


@_exported
class ZeroPadding3D(_Resized):
    """Adds zeros around volumes. Args: see `ZeroPadding2D`."""

    rank = 3

    def __init__(self, padding: Any = (1, 1, 1), data_format: Any = None, **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.padding = _pairs(padding, 3, "padding")

    def _resized(self, size: int, i: int) -> int:
        # Twice one side, as TF does.
        return size + 2 * self.padding[i][0 if self.data_format == "channels_first" else 1]

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The larger volumes."""
        return backend.spatial_3d_padding(
            inputs, padding=self.padding, data_format=self.data_format
        )

    get_config = settings("padding", "data_format")


class _Cropping(_Resized):
    cropping: Any

    def _resized(self, size: int, i: int) -> int:
        return size - sum(self.cropping[i])

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The inner part."""
        everything = slice(None)
        inner = [slice(start, -end if end else None) for start, end in self.cropping]
        if self.data_format == "channels_first":
            return inputs[(everything, everything, *inner)]
        return inputs[(everything, *inner, everything)]


@_exported
class Cropping1D(_Resized):
    """Removes the first and the last steps; `cropping` is one or two ints."""

    def __init__(self, cropping: Any = (1, 1), **kwargs: Any):
        super().__init__(**kwargs)
        self.cropping = conv_utils.normalize_tuple(cropping, 2, "cropping")

    def _resized(self, size: int, i: int) -> int:
        return size - sum(self.cropping)

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The shorter sequences."""
        start, end = self.cropping
        return inputs[:, start : -end if end else None, :]

    get_config = settings("cropping")


@_exported
class Cropping2D(_Cropping):
    """Removes the borders of images.

    Args:
      cropping: one int, two, or two pairs.
      data_format: "channels_last" or "channels_first".
      **kwargs: see `Layer`.
    """

    rank = 2

    def __init__(self, cropping: Any = ((0, 0), (0, 0)), data_format: Any = None, **kwargs: Any):
        super().__init__(data_format, **kwargs)
        self.cropping = _pairs(cropping, 2, "cropping")

    get_config = settings("cropping", "data_format")


@_exported
class Cropping3D(_Cropping):
    """Removes the borders of volumes. Args: see `Cropping2D`."""

    rank = 3

    def __init__(
        self, cropping: Any = ((1, 1), (1, 1), (1, 1)), data_format: Any = None, **kwargs: Any
    ):
        super().__init__(data_format, **kwargs)
        self.cropping = _pairs(cropping, 3, "cropping")

    get_config = settings("cropping", "data_format")
