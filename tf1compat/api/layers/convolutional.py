"""`tf.layers.conv2d` and its like (`tensorflow.python.layers.convolutional`)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.keras.layers import convolutional as keras_convolutional
from tf1compat.api.layers import base
from tf1compat.api.random import init_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer, Name, Regularizer

_ZEROS = init_ops.Zeros()


def _function_of(layer: type[base.Layer], doc: str) -> Callable[..., Tensor]:
    """The function of `tf.layers` that makes a layer and applies it.

    Args:
      layer: the layer's class; the function is called as it is, in lower case.
      doc: the function's docstring.

    Returns:
      A function of `inputs`, what the layer takes (but `**kwargs`), and `reuse`.
    """
    *taken, _ = list(inspect.signature(layer.__init__).parameters.values())[1:]
    scope: dict[str, Any] = {"_applied": base.applied, "_layer": layer}
    scope |= {f"_{p.name}": p.default for p in taken}
    parameters = [p.name if p.default is p.empty else f"{p.name}=_{p.name}" for p in taken]
    name = raw_ops.snake_case(layer.__name__)
    # A real `def`, with Python's own errors for wrong arguments, and a line of this file.
    code = f"def {name}(inputs, {', '.join(parameters)}, reuse=None): "
    exec(compile(code + "return _applied(_layer, **locals())", __file__, "exec"), scope)
    function = scope[name]
    function.__module__, function.__doc__ = __name__, doc
    instead = f"Use `tf.keras.layers.{layer.__name__}` instead."
    return tf_export(f"layers.{name}")(deprecated(None, instead)(function))


@tf_export("layers.Conv1D")
class Conv1D(keras_convolutional.Conv1D, base.Layer):
    """A 1-D convolution. Args: see `conv1d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = 1,
        padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = 1,
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Initializer | None = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


conv1d = _function_of(
    Conv1D,
    """A 1-D convolution with a bias and an activation.

    Args:
      inputs: [batch, steps, channels], or [batch, channels, steps].
      padding: "valid", "same" or "causal".
      filters, kernel_size, …: see `conv2d`.
      name: the operation's name.

    Returns:
      [batch, new width, filters], or channels second for "channels_first".
    """,
)


@tf_export("layers.Conv2D")
class Conv2D(keras_convolutional.Conv2D, base.Layer):
    """A 2-D convolution. Args: see `conv2d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1),
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Initializer | None = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


conv2d = _function_of(
    Conv2D,
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
    """,
)


@tf_export("layers.Conv3D")
class Conv3D(keras_convolutional.Conv3D, base.Layer):
    """A 3-D convolution. Args: see `conv3d`; `**kwargs` as in `tf.layers.Layer`."""

    def __init__(
        self, filters: int, kernel_size: int | Sequence[int], strides: int | Sequence[int] = (1, 1,
        1), padding: str = "valid",
        data_format: str = "channels_last", dilation_rate: int | Sequence[int] = (1, 1, 1),
        activation: Callable[..., Any] | str | None = None,
        use_bias: bool = True, kernel_initializer: Initializer | None = None,
        bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


conv3d = _function_of(
    Conv3D,
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
    """,
)


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
        depthwise_initializer: Initializer | None = None,
        pointwise_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
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
        depthwise_initializer: Initializer | None = None,
        pointwise_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
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


separable_conv1d = _function_of(
    SeparableConv1D,
    """A separable 1-D convolution with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, dilation_rate, depth_multiplier,
        activation, use_bias, depthwise_initializer, pointwise_initializer, bias_initializer,
        depthwise_regularizer, pointwise_regularizer, bias_regularizer, activity_regularizer,
        depthwise_constraint, pointwise_constraint, bias_constraint, trainable, name, reuse: as in
        `separable_conv2d`.

    Returns:
      [batch, new width, filters], or channels second for "channels_first".
    """,
)


separable_conv2d = _function_of(
    SeparableConv2D,
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
    """,
)


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
        kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


conv2d_transpose = _function_of(
    Conv2DTranspose,
    """The transpose of a 2-D convolution, with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as in
        `conv2d`.

    Returns:
      [batch, new height, new width, filters], or channels second for "channels_first".
    """,
)


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
        kernel_initializer: Initializer | None = None, bias_initializer: Initializer = _ZEROS,
        kernel_regularizer: Regularizer | None = None, bias_regularizer: Regularizer | None = None,
        activity_regularizer: Regularizer | None = None,
        kernel_constraint: Regularizer | None = None,
        bias_constraint: Regularizer | None = None, trainable: bool = True, name: Name = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__(**base.own(locals()))


conv3d_transpose = _function_of(
    Conv3DTranspose,
    """The transpose of a 3-D convolution, with a bias and an activation.

    Args:
      inputs, filters, kernel_size, strides, padding, data_format, activation, use_bias,
        kernel_initializer, bias_initializer, kernel_regularizer, bias_regularizer,
        activity_regularizer, kernel_constraint, bias_constraint, trainable, name, reuse: as in
        `conv3d`.

    Returns:
      [batch, new depth, new height, new width, filters], or channels second.
    """,
)


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
