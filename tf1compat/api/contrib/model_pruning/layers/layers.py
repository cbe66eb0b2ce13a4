"""Layers of `tf.contrib.layers` whose weights are masked; arguments as of the layers there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.contrib.layers.initializers import xavier_initializer
from tf1compat.api.contrib.layers.layer_variables import (
    add_to_collections,
    build_variable_getter,
)
from tf1compat.api.contrib.model_pruning.layers import core_layers
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, Initializer, Regularizer

_XAVIER = xavier_initializer()
_ZEROS = init_ops.zeros_initializer()
_getter = build_variable_getter({"bias": "biases", "kernel": "weights"})


def _applied(
    layer_class: Any, sc: Any, inputs: Tensor, normalizer_fn: Any, normalizer_params: Any,
    activation_fn: Callable[..., Any] | None, biases_initializer: Initializer, reuse: Any,
    variables_collections: Any,
    outputs_collections: Any, **arguments: Any,
) -> Tensor:  # fmt: skip
    """Makes a masked layer in a variable scope, applies it, the normalizer and the activation."""
    layer = layer_class(
        activation=None, use_bias=not normalizer_fn and biases_initializer,
        bias_initializer=biases_initializer, activity_regularizer=None, name=sc.name,
        dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse, **arguments,
    )  # fmt: skip
    outputs = layer.apply(inputs)
    add_to_collections(layer.kernel, variables_collections, "weights")
    if layer.bias is not None:
        add_to_collections(layer.bias, variables_collections, "biases")
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return utils.collect_named_outputs(outputs_collections, sc.original_name_scope, outputs)


@tf_export("contrib.model_pruning.masked_convolution", "contrib.model_pruning.masked_conv2d")
@add_arg_scope
def masked_convolution(
    inputs: Any, num_outputs: int, kernel_size: int | Sequence[int], stride: Any = 1,
    padding: str = "SAME",
    data_format: str | None = None, rate: Any = 1, activation_fn: Callable[..., Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None, normalizer_params: Any = None,
    weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of images whose kernel is multiplied by a mask.

    Args: see `tf.contrib.layers.conv2d`.

    Returns:
      Images of `num_outputs` channels, of the inputs' dtype.

    Raises:
      ValueError: the inputs are no images, or there is no such `data_format`.
    """
    if data_format not in [None, "NWC", "NCW", "NHWC", "NCHW", "NDHWC", "NCDHW"]:
        raise ValueError(f"Invalid data_format: {data_format!r}")
    with variable_scope.variable_scope(
        scope, "Conv", [inputs], reuse=reuse, custom_getter=_getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        rank = inputs.get_shape().ndims
        if rank != 4:
            raise ValueError("Sparse Convolution not supported for input with rank", rank)
        if data_format not in (None, "NHWC", "NCHW"):
            raise ValueError("Unsupported data format", data_format)
        return _applied(
            core_layers.MaskedConv2D, sc, inputs, normalizer_fn, normalizer_params, activation_fn,
            biases_initializer, reuse, variables_collections, outputs_collections,
            filters=num_outputs, kernel_size=kernel_size, strides=stride, padding=padding,
            data_format="channels_first" if data_format == "NCHW" else "channels_last",
            dilation_rate=rate, kernel_initializer=weights_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable,
        )  # fmt: skip


masked_conv2d = masked_convolution


@tf_export("contrib.model_pruning.masked_fully_connected")
@add_arg_scope
def masked_fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Callable[..., Any] = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None, weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Initializer = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """activation_fn(inputs @ (mask * weights) + biases).

    Args: see `tf.contrib.layers.fully_connected`.

    Returns:
      [..., num_outputs], of the inputs' dtype.

    Raises:
      ValueError: `num_outputs` is no int, or the inputs' size is unknown.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(f"num_outputs should be int or long, got {num_outputs}.")
    with variable_scope.variable_scope(
        scope, "fully_connected", [inputs], reuse=reuse, custom_getter=_getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        return _applied(
            core_layers.MaskedFullyConnected, sc, inputs, normalizer_fn, normalizer_params,
            activation_fn, biases_initializer, reuse, variables_collections, outputs_collections,
            units=num_outputs, kernel_initializer=weights_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            trainable=trainable,
        )  # fmt: skip
