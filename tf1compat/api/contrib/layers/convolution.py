"""Convolution layers of `tf.contrib.layers`.

Arguments that all take:
  inputs: images (or lines, volumes) and their channels, in the order that `data_format` says.
  num_outputs: the number of output channels.
  kernel_size, stride, rate: the kernel's size, the windows' distance and the distance of a window's
    elements: one int, or one for each spatial dimension.
  padding: "SAME" or "VALID".
  activation_fn: a function of the outputs; None for none.
  normalizer_fn, normalizer_params: a function in place of a bias, with keyword arguments.
  weights_initializer, weights_regularizer: see `tf.get_variable`.
  biases_initializer, biases_regularizer: the same for the bias; there is none without an
    initializer.
  reuse: whether to use the variables of a layer of that scope.
  variables_collections: collections that the variables join, or a dict of them with the keys
    "weights" and "biases".
  outputs_collections: collections that the outputs join.
  trainable: whether the variables join the trainable ones.
  scope: the variable scope.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework import variables
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.contrib.layers.initializers import xavier_initializer
from tf1compat.api.contrib.layers.layer_variables import (
    add_to_collections,
    bias_variable,
    build_variable_getter,
)
from tf1compat.api.layers import convolutional
from tf1compat.api.nn import nn_convolution, nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, Initializer, Regularizer, TensorLike

__all__ = [
    "conv1d",
    "conv2d",
    "conv2d_in_plane",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
    "convolution",
    "convolution1d",
    "convolution2d",
    "convolution2d_in_plane",
    "convolution2d_transpose",
    "convolution3d",
    "convolution3d_transpose",
    "separable_conv2d",
    "separable_convolution2d",
]

_XAVIER = xavier_initializer()
_ZEROS = init_ops.zeros_initializer()
_RENAME = {"bias": "biases", "kernel": "weights"}


def _normalized(
    outputs: Tensor, normalizer_fn: Callable[..., Any], normalizer_params: Any
) -> Tensor:
    return normalizer_fn(outputs, **(normalizer_params or {})) if normalizer_fn else outputs


def _finished(
    outputs: Tensor, activation_fn: Callable[..., Any] | None, collections: Any, alias: str
) -> Tensor:
    """The outputs of a layer after its activation, in their collections."""
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(collections, alias, outputs)


def _channels(data_format: str | None) -> str:
    return "channels_first" if data_format and data_format.startswith("NC") else "channels_last"


def _applied(
    layer_class: Any, sc: Any, inputs: Tensor, num_outputs: Any, normalizer_fn: Any,
    normalizer_params: Any, biases_initializer: Initializer, biases_regularizer: Any, reuse: Any,
    variables_collections: Any, trainable: bool, kernels: tuple[str, ...] = ("kernel",),
    **arguments: Any,
) -> Tensor:  # fmt: skip
    """Makes a layer of `tf.layers` in a variable scope, applies it and then the normalizer."""
    layer = layer_class(
        filters=num_outputs, activation=None, use_bias=not normalizer_fn and biases_initializer,
        bias_initializer=biases_initializer, bias_regularizer=biases_regularizer,
        activity_regularizer=None, trainable=trainable, name=sc.name,
        dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse, **arguments,
    )  # fmt: skip
    outputs = layer.apply(inputs)
    for kernel in kernels:
        add_to_collections(getattr(layer, kernel), variables_collections, "weights")
    if layer.bias is not None:
        add_to_collections(layer.bias, variables_collections, "biases")
    return _normalized(outputs, normalizer_fn, normalizer_params)


@tf_export("contrib.layers.convolution")
@add_arg_scope
def convolution(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None, rate: TensorLike = 1, activation_fn: Callable[...,
    Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
    conv_dims: int | None = None,
) -> Tensor:  # fmt: skip
    """A convolution over one, two or three spatial dimensions, as many as the inputs have.

    Args: see this module.
      data_format: "NWC", "NHWC", "NDHWC" (or None), or "NCW", "NCHW", "NCDHW".
      conv_dims: the number of spatial dimensions that the inputs must have.

    Returns:
      [batch, new spatial dimensions, num_outputs], or channels second for "NC…".

    Raises:
      ValueError: there is no such `data_format`, or the rank of the inputs is another.
    """
    if data_format not in [None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"]:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    with variable_scope.variable_scope(
        scope, "Conv", [inputs], reuse=reuse, custom_getter=build_variable_getter(_RENAME)
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if conv_dims is not None and conv_dims + 2 != rank:
            raise ValueError(f"Convolution expects input with rank {conv_dims + 2}, got {rank}")
        classes = {
            3: convolutional.Conv1D, 4: convolutional.Conv2D, 5: convolutional.Conv3D
        }  # fmt: skip
        if rank not in classes:
            raise ValueError("Convolution not supported for input with rank", rank)
        outputs = _applied(
            classes[rank], sc, inputs, num_outputs, normalizer_fn, normalizer_params,
            biases_initializer, biases_regularizer, reuse, variables_collections, trainable,
            kernel_size=kernel_size, strides=stride, padding=padding,
            data_format=_channels(data_format), dilation_rate=rate,
            kernel_initializer=weights_initializer, kernel_regularizer=weights_regularizer,
        )  # fmt: skip
        return _finished(outputs, activation_fn, outputs_collections, sc.name)


@tf_export("contrib.layers.convolution1d", "contrib.layers.conv1d")
@add_arg_scope
def convolution1d(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None, rate: TensorLike = 1, activation_fn: Callable[...,
    Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution over lines. Raises: see `convolution`.

    Args:
      inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope: as in `convolution`.

    Returns:
      [batch, width, num_outputs], or [batch, num_outputs, width] for "NCW".
    """
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope, conv_dims=1,
    )  # fmt: skip


@tf_export("contrib.layers.convolution2d", "contrib.layers.conv2d")
@add_arg_scope
def convolution2d(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None, rate: TensorLike = 1, activation_fn: Any = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution over images. Raises: see `convolution`.

    Args:
      inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope: as in `convolution`.

    Returns:
      [batch, height, width, num_outputs], or channels second for "NCHW".
    """
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope, conv_dims=2,
    )  # fmt: skip


@tf_export("contrib.layers.convolution3d", "contrib.layers.conv3d")
@add_arg_scope
def convolution3d(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None, rate: TensorLike = 1, activation_fn: Callable[...,
    Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution over volumes. Raises: see `convolution`.

    Args:
      inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope: as in `convolution`.

    Returns:
      [batch, depth, height, width, num_outputs], or channels second for "NCDHW".
    """
    return convolution(
        inputs, num_outputs, kernel_size, stride, padding, data_format, rate, activation_fn,
        normalizer_fn, normalizer_params, weights_initializer, weights_regularizer,
        biases_initializer, biases_regularizer, reuse, variables_collections, outputs_collections,
        trainable, scope, conv_dims=3,
    )  # fmt: skip


@tf_export("contrib.layers.convolution2d_in_plane", "contrib.layers.conv2d_in_plane")
@add_arg_scope
def convolution2d_in_plane(
    inputs: Any, kernel_size: int | Sequence[int], stride: Any = 1, padding: str = "SAME",
    activation_fn: Callable[..., Any] = nn_ops.relu, normalizer_fn: Callable[...,
    Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER, weights_regularizer: Regularizer | None = None,
    biases_initializer: Initializer | None = _ZEROS, biases_regularizer: Regularizer | None = None,
    reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of every channel with the same kernel.

    Args: see this module.
      inputs: [batch, height, width, channels].

    Returns:
      As many channels as the inputs have.

    Raises:
      ValueError: the number of channels is unknown.
    """
    with variable_scope.variable_scope(scope, "ConvInPlane", [inputs], reuse=reuse) as sc:
        dtype = inputs.dtype.base_dtype
        stride_h, stride_w = utils.two_element_tuple(stride)
        size = utils.two_element_tuple(kernel_size)
        channels = utils.last_dimension(inputs.get_shape(), min_rank=4)
        weights = variables.model_variable(
            "weights", shape=[*size, 1, 1], dtype=dtype, initializer=weights_initializer,
            regularizer=weights_regularizer, trainable=trainable,
            collections=utils.get_variable_collections(variables_collections, "weights"),
        )  # fmt: skip
        kernels = array_ops.tile(weights, [1, 1, channels, 1])
        outputs = nn_convolution.depthwise_conv2d(
            inputs, kernels, [1, stride_h, stride_w, 1], padding
        )
        if normalizer_fn is not None:
            outputs = _normalized(outputs, normalizer_fn, normalizer_params)
        elif biases_initializer is not None:
            biases = bias_variable(
                channels, dtype, biases_initializer, biases_regularizer, variables_collections,
                trainable,
            )  # fmt: skip
            outputs = nn_ops.bias_add(outputs, biases)
        return _finished(outputs, activation_fn, outputs_collections, sc.name)


@tf_export("contrib.layers.convolution2d_transpose", "contrib.layers.conv2d_transpose")
@add_arg_scope
def convolution2d_transpose(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NHWC", activation_fn: Callable[..., Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None, weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of a convolution over images: every input spreads out over a window.

    Args: see this module.
      data_format: "NHWC" or "NCHW".

    Returns:
      [batch, new height, new width, num_outputs], or channels second for "NCHW".

    Raises:
      ValueError: there is no such `data_format`.
    """
    with variable_scope.variable_scope(
        scope, "Conv2d_transpose", [inputs], reuse=reuse,
        custom_getter=build_variable_getter(_RENAME),
    ) as sc:  # fmt: skip
        if data_format not in ("NCHW", "NHWC"):
            raise ValueError("data_format has to be either NCHW or NHWC.")
        inputs = ops.convert_to_tensor(inputs)
        outputs = _applied(
            convolutional.Conv2DTranspose, sc, inputs, num_outputs, normalizer_fn,
            normalizer_params, biases_initializer, biases_regularizer, reuse,
            variables_collections, trainable, kernel_size=kernel_size, strides=stride,
            padding=padding, data_format=_channels(data_format),
            kernel_initializer=weights_initializer, kernel_regularizer=weights_regularizer,
        )  # fmt: skip
        return _finished(outputs, activation_fn, outputs_collections, sc.name)


@tf_export("contrib.layers.convolution3d_transpose", "contrib.layers.conv3d_transpose")
@add_arg_scope
def convolution3d_transpose(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str = "NDHWC", activation_fn: Callable[..., Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None, weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of a convolution over volumes: every input spreads out over a window.

    Args: see this module.
      data_format: "NDHWC" or "NCDHW".

    Returns:
      [batch, new depth, new height, new width, num_outputs], or channels second.

    Raises:
      ValueError: there is no such `data_format`.
    """
    with variable_scope.variable_scope(
        scope, "Conv3d_transpose", [inputs], reuse=reuse,
        custom_getter=build_variable_getter(_RENAME),
    ) as sc:  # fmt: skip
        if data_format not in ("NCDHW", "NDHWC"):
            raise ValueError("data_format has to be either NCDHW or NDHWC.")
        inputs = ops.convert_to_tensor(inputs)
        outputs = _applied(
            convolutional.Conv3DTranspose, sc, inputs, num_outputs, normalizer_fn,
            normalizer_params, biases_initializer, biases_regularizer, reuse,
            variables_collections, trainable, kernel_size=kernel_size, strides=stride,
            padding=padding, data_format=_channels(data_format),
            kernel_initializer=weights_initializer, kernel_regularizer=weights_regularizer,
        )  # fmt: skip
        return _finished(outputs, activation_fn, outputs_collections, sc.name)


@tf_export("contrib.layers.separable_convolution2d", "contrib.layers.separable_conv2d")
@add_arg_scope
def separable_convolution2d(
    inputs: Any, num_outputs: int | None, kernel_size: int | Sequence[int],
    depth_multiplier: int = 1,
    stride: Any = 1, padding: str = "SAME", data_format: str = "NHWC", rate: TensorLike = 1,
    activation_fn: Callable[..., Any] = nn_ops.relu, normalizer_fn: Callable[...,
    Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER, pointwise_initializer: Initializer | None = None,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of every channel with kernels of its own, then a mix of the channels.

    Args: see this module.
      num_outputs: the number of output channels; None to leave out the mixing.
      depth_multiplier: how many kernels every channel has.
      data_format: "NHWC" or "NCHW".
      pointwise_initializer: for the weights that mix; by default as `weights_initializer`.

    Returns:
      [batch, new height, new width, channels], or channels second for "NCHW".

    Raises:
      ValueError: there is no such `data_format`, or the number of channels is unknown.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")
    rename = {
        "bias": "biases",
        "depthwise_kernel": "depthwise_weights",
        "pointwise_kernel": "pointwise_weights",
    }
    with variable_scope.variable_scope(
        scope, "SeparableConv2d", [inputs], reuse=reuse, custom_getter=build_variable_getter(rename)
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        if pointwise_initializer is None:
            pointwise_initializer = weights_initializer
        if num_outputs is None:
            outputs = _depthwise(
                inputs, utils.two_element_tuple(kernel_size), depth_multiplier,
                utils.two_element_tuple(stride), padding, data_format, rate, normalizer_fn,
                normalizer_params, weights_initializer, weights_regularizer, biases_initializer,
                biases_regularizer, variables_collections, trainable,
            )  # fmt: skip
        else:
            outputs = _applied(
                convolutional.SeparableConv2D, sc, inputs, num_outputs, normalizer_fn,
                normalizer_params, biases_initializer, biases_regularizer, reuse,
                variables_collections, trainable, ("depthwise_kernel", "pointwise_kernel"),
                kernel_size=kernel_size, strides=stride, padding=padding,
                data_format=_channels(data_format), dilation_rate=utils.two_element_tuple(rate),
                depth_multiplier=depth_multiplier, depthwise_initializer=weights_initializer,
                pointwise_initializer=pointwise_initializer,
                depthwise_regularizer=weights_regularizer,
                pointwise_regularizer=weights_regularizer,
            )  # fmt: skip
        return _finished(outputs, activation_fn, outputs_collections, sc.name)


def _depthwise(
    inputs: Tensor, kernel_size: tuple[int, int], depth_multiplier: int, stride: tuple[int, int],
    padding: str, data_format: str, rate: TensorLike, normalizer_fn: Callable[..., Any] | None,
    normalizer_params: Mapping[str, Any] | None, weights_initializer: Initializer,
    weights_regularizer: Any, biases_initializer: Initializer | None, biases_regularizer: Any,
    variables_collections: Any, trainable: bool,
) -> Tensor:  # fmt: skip
    """`separable_convolution2d` without the mixing."""
    dtype = inputs.dtype.base_dtype
    channels = utils.channel_dimension(inputs.get_shape(), _channels(data_format), min_rank=4)
    kernels = variables.model_variable(
        "depthwise_weights", shape=[*kernel_size, channels, depth_multiplier], dtype=dtype,
        initializer=weights_initializer, regularizer=weights_regularizer, trainable=trainable,
        collections=utils.get_variable_collections(variables_collections, "weights"),
    )  # fmt: skip
    outputs = nn_convolution.depthwise_conv2d(
        inputs,
        kernels,
        [1, 1, *stride] if data_format.startswith("NC") else [1, *stride, 1],
        padding,
        rate=utils.two_element_tuple(rate),
        data_format=data_format,
    )
    if normalizer_fn is not None:
        return _normalized(outputs, normalizer_fn, normalizer_params)
    if biases_initializer is None:
        return outputs
    biases = bias_variable(
        depth_multiplier * channels, dtype, biases_initializer, biases_regularizer,
        variables_collections, trainable,
    )  # fmt: skip
    return nn_ops.bias_add(outputs, biases, data_format=data_format)


conv1d = convolution1d
conv2d = convolution2d
conv3d = convolution3d
conv2d_in_plane = convolution2d_in_plane
conv2d_transpose = convolution2d_transpose
conv3d_transpose = convolution3d_transpose
separable_conv2d = separable_convolution2d
