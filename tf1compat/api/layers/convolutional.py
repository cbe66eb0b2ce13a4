"""`tf.layers.conv2d` and its like (`tensorflow.python.layers.convolutional`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.keras.layers import convolutional as keras_convolutional
from tf1compat.api.layers import base
from tf1compat.api.random import init_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer, Name, Regularizer

_ZEROS = init_ops.Zeros()


@tf_export("layers.Conv1D")
class Conv1D(keras_convolutional.Conv1D, base.Layer):
    """A 1-D convolution. Args: see `conv1d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = 1,
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Any = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.conv1d")
@deprecated(None, "Use `tf.keras.layers.Conv1D` instead.")
def conv1d(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
    padding: str = "valid",
    data_format: str = "channels_last", dilation_rate: int | Sequence[int] = 1,
    activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True, kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
    activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
    trainable: bool = True,
    name: Name = None, reuse: Any = None,
) -> Tensor:  # fmt: skip
    """A 1-D convolution with a bias and an activation.

    Args:
      inputs: [batch, steps, channels], or [batch, channels, steps].
      padding: "valid", "same" or "causal".
      filters, kernel_size, …: see `conv2d`.
      name: the operation's name.

    Returns:
      [batch, new width, filters], or channels second for "channels_first".
    """
    return base.applied(Conv1D, **locals())


@tf_export("layers.Conv2D")
class Conv2D(keras_convolutional.Conv2D, base.Layer):
    """A 2-D convolution. Args: see `conv2d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Any = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.conv2d")
@deprecated(None, "Use `tf.keras.layers.Conv2D` instead.")
def conv2d(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
    1), padding: str = "valid",
    data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
    activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True, kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
    activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
    trainable: bool = True,
    name: Name = None, reuse: Any = None,
) -> Tensor:  # fmt: skip
    """A 2-D convolution with a bias and an activation.

    Args:
      inputs: [batch, height, width, channels], or [batch, channels, height, width].
      filters: the number of output channels.
      kernel_size, strides, dilation_rate: one or two ints; strides and dilation not both above 1.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      activation: a function of a tensor.
      use_bias: whether there is a bias.
      kernel_initializer: by default that of the variable scope, else Glorot uniform.
      bias_initializer: zeros by default.
      kernel_regularizer, bias_regularizer, activity_regularizer: functions of the kernel, the bias
        and the output; their results join `GraphKeys.REGULARIZATION_LOSSES`.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      trainable: whether the variables join the trainable ones.
      name: the name of the layer and its variable scope; "conv2d" with a number by default.
      reuse: whether to use the variables of a layer of that name.

    Returns:
      [batch, new height, new width, filters], or channels second for "channels_first".
    """
    return base.applied(Conv2D, **locals())


@tf_export("layers.Conv3D")
class Conv3D(keras_convolutional.Conv3D, base.Layer):
    """A 3-D convolution. Args: see `conv3d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1, 1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1, 1),
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Any = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.conv3d")
@deprecated(None, "Use `tf.keras.layers.Conv3D` instead.")
def conv3d(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
    1, 1), padding: str = "valid",
    data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1, 1),
    activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True, kernel_initializer: Initializer | None = None,
    bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
    activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
    trainable: bool = True,
    name: Name = None, reuse: Any = None,
) -> Tensor:  # fmt: skip
    """A 3-D convolution with a bias and an activation.

    Args:
      inputs: [batch, depth, height, width, channels], or [batch, channels, depth, height, width].
      filters: the number of output channels.
      kernel_size, strides, dilation_rate: one or three ints; strides and dilation not both above 1.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first".
      activation: a function of a tensor.
      use_bias: whether there is a bias.
      kernel_initializer: by default that of the variable scope, else Glorot uniform.
      bias_initializer: zeros by default.
      kernel_regularizer, bias_regularizer, activity_regularizer: functions of the kernel, the bias
        and the output; their results join `GraphKeys.REGULARIZATION_LOSSES`.
      kernel_constraint, bias_constraint: functions that project the variables after an update.
      trainable: whether the variables join the trainable ones.
      name: the name of the layer and its variable scope; "conv3d" with a number by default.
      reuse: whether to use the variables of a layer of that name.

    Returns:
      [batch, new depth, new height, new width, filters], or channels second.
    """
    return base.applied(Conv3D, **locals())


@tf_export("layers.SeparableConv1D")
class SeparableConv1D(keras_convolutional.SeparableConv1D, base.Layer):
    """A separable 1-D convolution.

    Args: see `separable_conv2d`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = 1,
        depth_multiplier: int = 1,
        activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None, bias_initializer: Initializer = _ZEROS,
        depthwise_regularizer: Regularizer | None = None,
        pointwise_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        depthwise_constraint: Regularizer | None = None,
        pointwise_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.SeparableConv2D")
class SeparableConv2D(keras_convolutional.SeparableConv2D, base.Layer):
    """A separable 2-D convolution.

    Args: see `separable_conv2d`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
        depth_multiplier: int = 1,
        activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
        depthwise_initializer: Any = None,
        pointwise_initializer: Any = None, bias_initializer: Initializer = _ZEROS,
        depthwise_regularizer: Regularizer | None = None,
        pointwise_regularizer: Regularizer | None = None,
        bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        depthwise_constraint: Regularizer | None = None,
        pointwise_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.separable_conv1d")
@deprecated(None, "Use `tf.keras.layers.SeparableConv1D` instead.")
def separable_conv1d(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
    padding: str = "valid",
    data_format: str = "channels_last", dilation_rate: int | Sequence[int] = 1,
    depth_multiplier: int = 1,
    activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
    depthwise_initializer: Initializer | None = None,
    pointwise_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
    depthwise_regularizer: Regularizer | None = None,
    pointwise_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None, activity_regularizer: Regularizer | None = None,
    depthwise_constraint: Regularizer | None = None,
    pointwise_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
    trainable: bool = True, name: Name = None, reuse: Any = None,
) -> Tensor:  # fmt: skip
    """A separable 1-D convolution with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier,
        activation, use_bias, depthwise_initializer, pointwise_initializer, bias_initializer,
        depthwise_regularizer, pointwise_regularizer, bias_regularizer, activity_regularizer,
        depthwise_constraint, pointwise_constraint, bias_constraint, trainable, name, reuse: as in
        `separable_conv2d`.

    Returns:
      [batch, new width, filters], or channels second for "channels_first".
    """
    return base.applied(SeparableConv1D, **locals())


@tf_export("layers.separable_conv2d")
@deprecated(None, "Use `tf.keras.layers.SeparableConv2D` instead.")
def separable_conv2d(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
    1), padding: str = "valid",
    data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
    depth_multiplier: int = 1,
    activation: Callable[..., Any] | str | None = None, use_bias: bool = True,
    depthwise_initializer: Initializer | None = None,
    pointwise_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
    depthwise_regularizer: Regularizer | None = None,
    pointwise_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None, activity_regularizer: Regularizer | None = None,
    depthwise_constraint: Regularizer | None = None,
    pointwise_constraint: Regularizer | None = None, bias_constraint: Regularizer | None = None,
    trainable: bool = True, name: Name = None, reuse: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of each channel by its own filters, then one with 1x1 filters, and a bias.

    Args:
      inputs: [batch, height, width, channels], or [batch, channels, height, width].
      depth_multiplier: how many filters each channel has.
      depthwise_initializer, depthwise_regularizer, depthwise_constraint: settings of these.
      pointwise_initializer, pointwise_regularizer, pointwise_constraint: the same of the 1x1 ones.
      filters, kernel_size, …: see `conv2d`.
      name: the operation's name.

    Returns:
      [batch, new height, new width, filters], or channels second for "channels_first".
    """
    return base.applied(SeparableConv2D, **locals())


@tf_export("layers.Conv2DTranspose")
class Conv2DTranspose(keras_convolutional.Conv2DTranspose, base.Layer):
    """The transpose of a 2-D convolution.

    Args: see `conv2d_transpose`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str = "channels_last", activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True,
        kernel_initializer: Any = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.conv2d_transpose")
@deprecated(None, "Use `tf.keras.layers.Conv2DTranspose` instead.")
def conv2d_transpose(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
    1), padding: str = "valid",
    data_format: str = "channels_last", activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None, activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None,
    bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of a 2-D convolution, with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as in
        `conv2d`.

    Returns:
      [batch, new height, new width, filters], or channels second for "channels_first".
    """
    return base.applied(Conv2DTranspose, **locals())


@tf_export("layers.Conv3DTranspose")
class Conv3DTranspose(keras_convolutional.Conv3DTranspose, base.Layer):
    """The transpose of a 3-D convolution.

    Args: see `conv3d_transpose`; `**kwargs` as in `tf.layers.Layer`.
    """

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1, 1,
        1), padding: str = "valid",
        data_format: str = "channels_last", activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True,
        kernel_initializer: Any = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


@tf_export("layers.conv3d_transpose")
@deprecated(None, "Use `tf.keras.layers.Conv3DTranspose` instead.")
def conv3d_transpose(
    inputs: Any, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
    1, 1), padding: str = "valid",
    data_format: str = "channels_last", activation: Callable[..., Any] | str | None = None,
    use_bias: bool = True,
    kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
    kernel_regularizer: Regularizer | None = None,
    bias_regularizer: Regularizer | None = None, activity_regularizer: Regularizer | None = None,
    kernel_constraint: Regularizer | None = None,
    bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
    reuse: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of a 3-D convolution, with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as in
        `conv3d`.

    Returns:
      [batch, new depth, new height, new width, filters], or channels second.
    """
    return base.applied(Conv3DTranspose, **locals())


Convolution1D = Conv1D
Convolution2D = Conv2D
Convolution3D = Conv3D
SeparableConvolution2D = SeparableConv2D
Convolution2DTranspose = Deconvolution2D = Deconv2D = Conv2DTranspose
Convolution3DTranspose = Deconvolution3D = Deconv3D = Conv3DTranspose
convolution1d = conv1d
convolution2d = conv2d
convolution3d = conv3d
separable_convolution2d = separable_conv2d
convolution2d_transpose = deconvolution2d = deconv2d = conv2d_transpose
convolution3d_transpose = deconvolution3d = deconv3d = conv3d_transpose
