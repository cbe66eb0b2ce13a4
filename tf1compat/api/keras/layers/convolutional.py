"""Convolution layers (`tensorflow.python.keras.layers.convolutional`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras import activations, backend, lookup
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.keras.utils import conv_utils
from tf1compat.api.keras.utils.generic_utils import settings
from tf1compat.api.nn import nn_conv3d, nn_convolution, nn_ops
from tf1compat.core import context
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name


class Conv(Layer):
    """activation(convolution(inputs, kernel) + bias) over `rank` spatial dimensions.

    Args:
      rank: how many spatial dimensions.
      filters: the number of output channels.
      kernel_size, strides, dilation_rate: one int, or one for each spatial dimension.
      padding: "valid" or "same"; in 1-D also "causal".
      data_format: "channels_last" or "channels_first".
      activation: a function, or its name.
      use_bias: whether there is a bias.
      kernel_initializer, bias_initializer: what fills the variables at first.
      kernel_regularizer, bias_regularizer: functions of the variables; their results join the
        losses.
      activity_regularizer: the same of the outputs.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      trainable, name, **kwargs: see `Layer`.
    """

    def __init__(
        self, rank: int, filters: int, kernel_size: Any, strides: Any = 1, padding: Any = "valid",
        data_format: Any = None, dilation_rate: Any = 1, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, trainable: bool = True,
        name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        found = {
            "activation": activations.get(activation),
            "kernel_initializer": lookup.initializer(kernel_initializer),
            "bias_initializer": lookup.initializer(bias_initializer),
            "kernel_regularizer": lookup.regularizer(kernel_regularizer),
            "bias_regularizer": lookup.regularizer(bias_regularizer),
        }
        activity_regularizer = lookup.regularizer(activity_regularizer)
        found["kernel_constraint"] = lookup.constraint(kernel_constraint)
        found["bias_constraint"] = lookup.constraint(bias_constraint)
        super().__init__(
            trainable=trainable, name=name, activity_regularizer=activity_regularizer, **kwargs
        )
        self.rank = rank
        self.filters = filters
        self.kernel_size = conv_utils.normalize_tuple(kernel_size, rank, "kernel_size")
        self.strides = conv_utils.normalize_tuple(strides, rank, "strides")
        self.padding = conv_utils.normalize_padding(padding)
        if self.padding == "causal" and not isinstance(self, Conv1D | SeparableConv1D):
            raise ValueError("Causal padding is only supported for `Conv1D`and ``SeparableConv1D`.")
        self.data_format = conv_utils.normalize_data_format(data_format)
        self.dilation_rate = conv_utils.normalize_tuple(dilation_rate, rank, "dilation_rate")
        self.use_bias = use_bias
        for key, value in found.items():
            setattr(self, key, value)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _channel_axis(self) -> int:
        return 1 if self.data_format == "channels_first" else -1

    def _input_channels(self, input_shape: TensorShape) -> int:
        channels = input_shape.as_list()[self._channel_axis]
        if channels is None:
            raise ValueError("The channel dimension of the inputs should be defined. Found `None`.")
        return int(channels)

    def _add_weight(self, name: str, shape: Any, what: str) -> Any:
        """A trainable variable with the settings called `<what>_initializer`, …"""
        return self.add_weight(
            name=name, shape=shape, initializer=getattr(self, f"{what}_initializer"),
            regularizer=getattr(self, f"{what}_regularizer"),
            constraint=getattr(self, f"{what}_constraint"), trainable=True, dtype=self.dtype,
        )  # fmt: skip

    def _add_bias(self) -> None:
        self.bias = self._add_weight("bias", (self.filters,), "bias") if self.use_bias else None

    def build(self, input_shape: Any) -> None:
        """Makes the kernel and the bias.

        Raises:
          ValueError: the number of channels is not known.
        """
        input_shape = TensorShape(input_shape)
        channels = self._input_channels(input_shape)
        self.kernel = self._add_weight(
            "kernel", (*self.kernel_size, channels, self.filters), "kernel"
        )
        self._add_bias()
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        padding = "valid" if self.padding == "causal" else self.padding
        self._convolution_op = nn_convolution.Convolution(
            input_shape, filter_shape=self.kernel.shape, dilation_rate=self.dilation_rate,
            strides=self.strides, padding=padding if isinstance(padding, list) else padding.upper(),
            data_format=conv_utils.convert_data_format(self.data_format, self.rank + 2),
        )  # fmt: skip
        self.built = True

    def call(self, inputs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Applies the layer to [batch, *space, channels], or [batch, channels, *space]."""
        outputs = self._convolution_op(inputs, self.kernel)
        if self.use_bias:
            if self.data_format == "channels_last":
                outputs = nn_ops.bias_add(outputs, self.bias, data_format="NHWC")
            elif self.rank == 1:
                outputs += array_ops.reshape(self.bias, (1, self.filters, 1))
            else:
                outputs = nn_ops.bias_add(outputs, self.bias, data_format="NCHW")
        return self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs."""
        shape = TensorShape(input_shape).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        for i in range(self.rank):
            shape[first + i] = conv_utils.conv_output_length(
                shape[first + i], self.kernel_size[i], padding=self.padding,
                stride=self.strides[i], dilation=self.dilation_rate[i],
            )  # fmt: skip
        shape[self._channel_axis] = self.filters
        return TensorShape(shape)

    get_config = settings(
        "filters", "kernel_size", "strides", "padding", "data_format", "dilation_rate",
        "activation", "use_bias", "kernel_initializer", "bias_initializer", "kernel_regularizer",
        "bias_regularizer", "activity_regularizer", "kernel_constraint", "bias_constraint",
    )  # fmt: skip

    def _compute_causal_padding(self) -> list[list[int]]:
        left = [self.dilation_rate[0] * (self.kernel_size[0] - 1), 0]
        last = self.data_format == "channels_last"
        return [[0, 0], left, [0, 0]] if last else [[0, 0], [0, 0], left]


@tf_export("keras.layers.Conv1D", "keras.layers.Convolution1D")
class Conv1D(Conv):
    """A 1-D convolution. Args: see `Conv`."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: Any = "channels_last", dilation_rate: Any = 1, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """Applies the layer to [batch, steps, channels]."""
        if self.padding == "causal":
            inputs = array_ops.pad(inputs, self._compute_causal_padding())
        return super().call(inputs)


@tf_export("keras.layers.Conv2D", "keras.layers.Convolution2D")
class Conv2D(Conv):
    """A 2-D convolution. Args: see `Conv`."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        data_format: Any = None, dilation_rate: Any = (1, 1), activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip


@tf_export("keras.layers.Conv3D", "keras.layers.Convolution3D")
class Conv3D(Conv):
    """A 3-D convolution. Args: see `Conv`."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1, 1), padding: str = "valid",
        data_format: Any = None, dilation_rate: Any = (1, 1, 1), activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            3, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip


class _Transposed(Conv):
    """What transposed convolutions share: their kernel, and the size of their outputs."""

    output_padding: Any

    def _set_output_padding(self, output_padding: Any) -> None:
        self.output_padding = output_padding
        if output_padding is None:
            return
        padding = conv_utils.normalize_tuple(output_padding, self.rank, "output_padding")
        self.output_padding = padding
        for stride, extra in zip(self.strides, padding, strict=True):
            if extra >= stride:
                raise ValueError(
                    f"Stride {self.strides} must be greater than output padding {padding}"
                )

    def _build(self, channels: int) -> None:
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.kernel = self._add_weight(
            "kernel", (*self.kernel_size, self.filters, channels), "kernel"
        )
        self._add_bias()
        self.built = True

    def _output_space(self, space: Any) -> list[Any]:
        extra = self.output_padding or (None,) * self.rank
        # Volumes have no dilation: TF takes the argument and forgets it.
        dilation = self.dilation_rate if self.rank == 2 else (1,) * self.rank
        return [
            conv_utils.deconv_output_length(
                space[i], self.kernel_size[i], padding=self.padding, output_padding=extra[i],
                stride=self.strides[i], dilation=dilation[i],
            )
            for i in range(self.rank)
        ]  # fmt: skip

    def _convolve(self, inputs: Any, output_shape: Any) -> Any:
        """The transposed convolution itself."""
        raise NotImplementedError

    def call(self, inputs: Any) -> Any:
        """Applies the layer to images or volumes."""
        shape = array_ops.shape(inputs)
        batch = shape[0]
        first = 2 if self.data_format == "channels_first" else 1
        space = self._output_space([shape[first + i] for i in range(self.rank)])
        if self.data_format == "channels_first":
            output_shape = (batch, self.filters, *space)
        else:
            output_shape = (batch, *space, self.filters)
        outputs = self._convolve(inputs, array_ops.stack(output_shape))
        if not context.executing_eagerly():
            outputs.set_shape(self.compute_output_shape(inputs.shape))
        if self.use_bias:
            data_format = conv_utils.convert_data_format(self.data_format, ndim=4)
            outputs = nn_ops.bias_add(outputs, self.bias, data_format=data_format)
        return self.activation(outputs)

    def compute_output_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of the outputs."""
        shape = TensorShape(input_shape).as_list()
        first = 2 if self.data_format == "channels_first" else 1
        space = slice(first, first + self.rank)
        shape[space] = self._output_space(shape[space])
        shape[self._channel_axis] = self.filters
        return TensorShape(shape)

    get_config = settings("output_padding")


@tf_export("keras.layers.Conv2DTranspose", "keras.layers.Convolution2DTranspose")
class Conv2DTranspose(_Transposed, Conv2D):
    """The transpose of a 2-D convolution. Args: see `Conv`.

    Args:
      output_padding: what to add to the sizes of the outputs; less than the strides.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        output_padding: Any = None,
        data_format: Any = None, dilation_rate: Any = (1, 1), activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        Conv2D.__init__(
            self, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self._set_output_padding(output_padding)

    def build(self, input_shape: Any) -> None:
        """Makes the kernel and the bias."""
        input_shape = TensorShape(input_shape)
        if len(input_shape) != 4:
            raise ValueError(f"Inputs should have rank 4. Received input shape: {input_shape}")
        self._build(self._input_channels(input_shape))

    def _convolve(self, inputs: Any, output_shape: Any) -> Any:
        return backend.conv2d_transpose(
            inputs, self.kernel, output_shape, strides=self.strides, padding=self.padding,
            data_format=self.data_format, dilation_rate=self.dilation_rate,
        )  # fmt: skip


@tf_export("keras.layers.Conv3DTranspose", "keras.layers.Convolution3DTranspose")
class Conv3DTranspose(_Transposed, Conv3D):
    """The transpose of a 3-D convolution. Args: see `Conv`.

    Args:
      output_padding: what to add to the sizes of the outputs; less than the strides.
    """

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1, 1), padding: str = "valid",
        output_padding: Any = None,
        data_format: Any = None, activation: Any = None,
        use_bias: bool = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        kernel_constraint: Any = None, bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        Conv3D.__init__(
            self, filters, kernel_size, strides, padding, data_format,
            activation=activation, use_bias=use_bias, kernel_initializer=kernel_initializer,
            bias_initializer=bias_initializer, kernel_regularizer=kernel_regularizer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            kernel_constraint=kernel_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self._set_output_padding(output_padding)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an equal layer."""
        config = super().get_config()
        del config["dilation_rate"]
        return config

    def build(self, input_shape: Any) -> None:
        """Makes the kernel and the bias."""
        input_shape = TensorShape(input_shape)
        if len(input_shape) != 5:
            raise ValueError("Inputs should have rank 5, received input shape:", str(input_shape))
        channels = input_shape.as_list()[self._channel_axis]
        if channels is None:
            raise ValueError(
                f"The channel dimension of the inputs should be defined, found None: {input_shape}"
            )
        self._build(int(channels))

    def _convolve(self, inputs: Any, output_shape: Any) -> Any:
        first = self.data_format == "channels_first"
        strides = (1, 1, *self.strides) if first else (1, *self.strides, 1)
        return nn_conv3d.conv3d_transpose(
            inputs, self.kernel, output_shape, strides, padding=self.padding.upper(),
            data_format=conv_utils.convert_data_format(self.data_format, ndim=5),
        )  # fmt: skip


class SeparableConv(Conv):
    """A convolution of each channel by its own filters, then one with 1x1 filters. Args: see
    `Conv`.

    Args:
      depth_multiplier: how many filters each channel has.
      depthwise_initializer, …: settings of the filters of channels.
      pointwise_initializer, …: settings of the 1x1 filters.
    """

    def __init__(
        self, rank: int, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: Any = None, dilation_rate: Any = 1, depth_multiplier: int = 1,
        activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        found = {
            "depthwise_initializer": lookup.initializer(depthwise_initializer),
            "pointwise_initializer": lookup.initializer(pointwise_initializer),
            "depthwise_regularizer": lookup.regularizer(depthwise_regularizer),
            "pointwise_regularizer": lookup.regularizer(pointwise_regularizer),
            "depthwise_constraint": lookup.constraint(depthwise_constraint),
            "pointwise_constraint": lookup.constraint(pointwise_constraint),
        }
        super().__init__(
            rank, filters, kernel_size, strides, padding, data_format, dilation_rate,
            activation=activation, use_bias=use_bias, bias_initializer=bias_initializer,
            bias_regularizer=bias_regularizer, activity_regularizer=activity_regularizer,
            bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip
        self.depth_multiplier = depth_multiplier
        for key, value in found.items():
            setattr(self, key, value)

    def build(self, input_shape: Any) -> None:
        """Makes the kernels and the bias."""
        channels = self._input_channels(TensorShape(input_shape))
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._channel_axis: channels})
        self.depthwise_kernel = self._add_weight(
            "depthwise_kernel", (*self.kernel_size, channels, self.depth_multiplier), "depthwise"
        )
        self.pointwise_kernel = self._add_weight(
            "pointwise_kernel",
            (*[1] * self.rank, self.depth_multiplier * channels, self.filters),
            "pointwise",
        )
        self._add_bias()
        self.built = True

    def call(self, inputs: Any) -> Any:
        """What subclasses define."""
        raise NotImplementedError

    get_config = settings(
        "depth_multiplier", "depthwise_initializer", "pointwise_initializer",
        "depthwise_regularizer", "pointwise_regularizer", "depthwise_constraint",
        "pointwise_constraint",
    )  # fmt: skip

    def _separable(
        self, inputs: Any, depthwise: Any, pointwise: Any, strides: Any, rate: Any
    ) -> Any:
        padding = "valid" if self.padding == "causal" else self.padding
        data_format = conv_utils.convert_data_format(self.data_format, ndim=4)
        outputs = nn_convolution.separable_conv2d(
            inputs, depthwise, pointwise, strides=strides, padding=padding.upper(), rate=rate,
            data_format=data_format,
        )  # fmt: skip
        if self.use_bias:
            outputs = nn_ops.bias_add(outputs, self.bias, data_format=data_format)
        return outputs


@tf_export("keras.layers.SeparableConv1D", "keras.layers.SeparableConvolution1D")
class SeparableConv1D(SeparableConv):
    """A separable 1-D convolution. Args: see `SeparableConv`."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = 1, padding: str = "valid",
        data_format: Any = None, dilation_rate: Any = 1, depth_multiplier: int = 1,
        activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            1, filters, kernel_size, strides, padding, data_format, dilation_rate,
            depth_multiplier,
            activation=activation, use_bias=use_bias,
            depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer,
            pointwise_regularizer=pointwise_regularizer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, depthwise_constraint=depthwise_constraint,
            pointwise_constraint=pointwise_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """Applies the layer to [batch, steps, channels]."""
        if self.padding == "causal":
            inputs = array_ops.pad(inputs, self._compute_causal_padding())
        if self.data_format == "channels_last":
            strides, axis = (1, *self.strides * 2, 1), 1
        else:
            strides, axis = (1, 1, *self.strides * 2), 2
        inputs = array_ops.expand_dims(inputs, axis)
        depthwise = array_ops.expand_dims(self.depthwise_kernel, 0)
        pointwise = array_ops.expand_dims(self.pointwise_kernel, 0)
        rate = (1, *self.dilation_rate)
        outputs = self._separable(inputs, depthwise, pointwise, strides, rate)
        return self.activation(array_ops.squeeze(outputs, [axis]))


@tf_export("keras.layers.SeparableConv2D", "keras.layers.SeparableConvolution2D")
class SeparableConv2D(SeparableConv):
    """A separable 2-D convolution. Args: see `SeparableConv`."""

    def __init__(
        self, filters: int, kernel_size: Any, strides: Any = (1, 1), padding: str = "valid",
        data_format: Any = None, dilation_rate: Any = (1, 1), depth_multiplier: int = 1,
        activation: Any = None, use_bias: bool = True,
        depthwise_initializer: Any = "glorot_uniform",
        pointwise_initializer: Any = "glorot_uniform", bias_initializer: Any = "zeros",
        depthwise_regularizer: Any = None, pointwise_regularizer: Any = None,
        bias_regularizer: Any = None, activity_regularizer: Any = None,
        depthwise_constraint: Any = None, pointwise_constraint: Any = None,
        bias_constraint: Any = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(
            2, filters, kernel_size, strides, padding, data_format, dilation_rate,
            depth_multiplier,
            activation=activation, use_bias=use_bias,
            depthwise_initializer=depthwise_initializer,
            pointwise_initializer=pointwise_initializer, bias_initializer=bias_initializer,
            depthwise_regularizer=depthwise_regularizer,
            pointwise_regularizer=pointwise_regularizer, bias_regularizer=bias_regularizer,
            activity_regularizer=activity_regularizer, depthwise_constraint=depthwise_constraint,
            pointwise_constraint=pointwise_constraint, bias_constraint=bias_constraint, **kwargs,
        )  # fmt: skip

    def call(self, inputs: Any) -> Any:
        """Applies the layer to images."""
        last = self.data_format == "channels_last"
        strides = (1, *self.strides, 1) if last else (1, 1, *self.strides)
        return self.activation(
            self._separable(
                inputs, self.depthwise_kernel, self.pointwise_kernel, strides, self.dilation_rate
            )
        )


Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution3D = Conv3D
SeparableConvolution1D = SeparableConv1D
SeparableConvolution2D = SeparableConv2D
Convolution2DTranspose = Deconvolution2D = Deconv2D = Conv2DTranspose
Convolution3DTranspose = Deconvolution3D = Deconv3D = Conv3DTranspose
