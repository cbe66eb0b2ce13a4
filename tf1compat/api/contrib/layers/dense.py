"""Dense layers of `tf.contrib.layers`, and what else acts on one tensor without a window.

Arguments that many take:
  reuse: whether to use the variables of a layer of that scope.
  variables_collections: collections that the variables join, or a dict of them by variable name.
  outputs_collections: collections that the outputs join.
  trainable: whether the variables join the trainable ones.
  scope: the variable or name scope.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.contrib.layers import utils
from tf1compat.api.contrib.layers.initializers import xavier_initializer
from tf1compat.api.contrib.layers.layer_variables import (
    add_to_collections,
    bias_variable,
    build_variable_getter,
    model_variable_getter,
)
from tf1compat.api.layers import core
from tf1compat.api.math import math_matmul
from tf1compat.api.nn import nn_ops, nn_softmax
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, Initializer, Name, Regularizer, TensorLike

__all__ = [
    "bias_add",
    "dropout",
    "elu",
    "flatten",
    "fully_connected",
    "legacy_fully_connected",
    "legacy_linear",
    "legacy_relu",
    "linear",
    "relu",
    "relu6",
    "repeat",
    "softmax",
    "stack",
]

_XAVIER = xavier_initializer()
_ZEROS = init_ops.zeros_initializer()
_Keys = ops.GraphKeys


@tf_export("contrib.layers.fully_connected")
@add_arg_scope
def fully_connected(
    inputs: Any, num_outputs: int, activation_fn: Callable[..., Any] | None = nn_ops.relu,
    normalizer_fn: Callable[..., Any] | None = None,
    normalizer_params: Any = None, weights_initializer: Initializer = _XAVIER,
    weights_regularizer: Regularizer | None = None, biases_initializer: Any = _ZEROS,
    biases_regularizer: Regularizer | None = None, reuse: Any = None,
    variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """activation_fn(inputs @ weights + biases).

    Args:
      inputs: a tensor [..., size].
      num_outputs: the size of the output.
      activation_fn: a function of the outputs; None for none.
      normalizer_fn, normalizer_params: a function in place of a bias, with keyword arguments.
      weights_initializer, weights_regularizer: see `tf.get_variable`.
      biases_initializer, biases_regularizer: the same for the bias; there is none without an
        initializer.
      reuse, variables_collections, outputs_collections, trainable, scope: see this module.

    Returns:
      A tensor [..., num_outputs].

    Raises:
      ValueError: `num_outputs` is no int, or the inputs' size is unknown.
    """
    if not isinstance(num_outputs, int):
        raise ValueError(
            f"num_outputs type should be one of {[int]}, got {type(num_outputs)}."
        )  # fmt: skip
    getter = build_variable_getter({"bias": "biases", "kernel": "weights"})
    with variable_scope.variable_scope(
        scope, "fully_connected", [inputs], reuse=reuse, custom_getter=getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = core.Dense(
            units=num_outputs, activation=None, use_bias=not normalizer_fn and biases_initializer,
            kernel_initializer=weights_initializer, bias_initializer=biases_initializer,
            kernel_regularizer=weights_regularizer, bias_regularizer=biases_regularizer,
            activity_regularizer=None, trainable=trainable, name=sc.name,
            dtype=inputs.dtype.base_dtype, _scope=sc, _reuse=reuse,
        )  # fmt: skip
        outputs = layer.apply(inputs)
        add_to_collections(layer.kernel, variables_collections, "weights")
        if layer.bias is not None:
            add_to_collections(layer.bias, variables_collections, "biases")
        if normalizer_fn is not None:
            outputs = normalizer_fn(outputs, **(normalizer_params or {}))
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


@tf_export("contrib.layers.legacy_fully_connected")
def legacy_fully_connected(
    x: TensorLike, num_output_units: int, activation_fn: Callable[..., Any] | None = None,
    weight_init: Any = _XAVIER,
    bias_init: Any = _ZEROS, name: Name = None, weight_collections: Collections = (_Keys.WEIGHTS,),
    bias_collections: Any = (_Keys.BIASES,), output_collections: Any = (_Keys.ACTIVATIONS,),
    trainable: bool = True, weight_regularizer: Any = None,
    bias_regularizer: Regularizer | None = None,
) -> Tensor:  # fmt: skip
    """activation_fn(x @ weights + bias), with collections for all of these.

    Args:
      x: a tensor [..., size].
      num_output_units: the size of the output.
      activation_fn: a function of the outputs; None for none.
      weight_init, bias_init: initializers; there is no bias without one.
      name: the variable scope.
      weight_collections, bias_collections, output_collections: the collections.
      trainable: whether the variables join the trainable ones.
      weight_regularizer, bias_regularizer: see `tf.get_variable`.

    Returns:
      A tensor [..., num_output_units].

    Raises:
      ValueError: x has no known size, or less than two dimensions.
    """
    with variable_scope.variable_scope(name, "fully_connected", [x]):
        x = ops.convert_to_tensor(x)
        dims = x.get_shape().dims
        if dims is None:
            raise ValueError("dims of x must be known but is None")
        if len(dims) < 2:
            raise ValueError(f"rank of x must be at least 2 not: {len(dims)}")
        size = dims[-1].value
        if size is None:
            raise ValueError("last dimension of x must be known but is None")
        dtype = x.dtype.base_dtype
        weights = variable_scope.get_variable(
            "weights", shape=[size, num_output_units], dtype=dtype, initializer=weight_init,
            collections={*(weight_collections or []), _Keys.GLOBAL_VARIABLES},
            regularizer=weight_regularizer, trainable=trainable,
        )  # fmt: skip
        y = math_matmul.matmul(x if len(dims) <= 2 else array_ops.reshape(x, [-1, size]), weights)
        if bias_init is not None:
            bias = variable_scope.get_variable(
                "bias", shape=[num_output_units], dtype=dtype, initializer=bias_init,
                collections={*(bias_collections or []), _Keys.GLOBAL_VARIABLES},
                regularizer=bias_regularizer, trainable=trainable,
            )  # fmt: skip
            y = nn_ops.bias_add(y, bias)
        if len(dims) > 2:
            sizes: list[Any] = array_ops.unstack(array_ops.shape(x))
            sizes[-1] = num_output_units
            y = array_ops.reshape(y, array_ops.stack(sizes))
            y.set_shape([*x.get_shape().as_list()[:-1], num_output_units])
        if activation_fn is not None:
            y = activation_fn(y)
        ops.add_to_collections([*(output_collections or []), _Keys.ACTIVATIONS], y)
        return y


elu = functools.partial(fully_connected, activation_fn=nn_ops.elu)
relu = functools.partial(fully_connected, activation_fn=nn_ops.relu)
relu6 = functools.partial(fully_connected, activation_fn=nn_ops.relu6)
linear = functools.partial(fully_connected, activation_fn=None)
legacy_relu = functools.partial(legacy_fully_connected, activation_fn=nn_ops.relu)
legacy_linear = functools.partial(legacy_fully_connected, activation_fn=None)
for _name in ("elu", "relu", "relu6", "linear", "legacy_relu", "legacy_linear"):
    export_constant(f"contrib.layers.{_name}", globals()[_name])


@tf_export("contrib.layers.bias_add")
@add_arg_scope
def bias_add(
    inputs: Any, activation_fn: Callable[..., Any] | None = None,
    initializer: Initializer = _ZEROS, regularizer: Regularizer | None = None,
    reuse: Any = None, variables_collections: Collections | None = None,
    outputs_collections: Collections | None = None,
    trainable: bool = True, data_format: str = "NHWC", scope: Any = None,
) -> Tensor:  # fmt: skip
    """activation_fn(inputs + biases), one bias for each channel.

    Args:
      inputs: a tensor [..., channels], or for "NCHW" [batch, channels, height, width].
      activation_fn: a function of the outputs; None for none.
      initializer, regularizer: see `tf.get_variable`.
      data_format: "NHWC" or "NCHW".
      reuse, variables_collections, outputs_collections, trainable, scope: see this module.

    Returns:
      A tensor like `inputs`.

    Raises:
      ValueError: the number of channels is unknown, or the inputs don't fit the `data_format`.
    """
    _require_format(data_format)
    with variable_scope.variable_scope(scope, "BiasAdd", [inputs], reuse=reuse) as sc:
        inputs = ops.convert_to_tensor(inputs)
        biases = bias_variable(
            _channels(inputs, data_format), inputs.dtype.base_dtype, initializer, regularizer,
            variables_collections, trainable,
        )  # fmt: skip
        outputs = nn_ops.bias_add(inputs, biases, data_format=data_format)
        if activation_fn is not None:
            outputs = activation_fn(outputs)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


def _require_format(data_format: str) -> None:
    if data_format not in ("NCHW", "NHWC"):
        raise ValueError("data_format has to be either NCHW or NHWC.")


def _channels(inputs: Tensor, data_format: str) -> int:
    """How many channels a tensor has."""
    dims = inputs.get_shape().dims
    if dims is None:
        raise ValueError("Dims of shape must be known but is None")
    axis = -1
    if data_format == "NCHW":
        if len(dims) != 4:
            raise ValueError("Data format NCHW only supports 4D Tensor")
        axis = 1
    count = dims[axis].value
    if count is None:
        raise ValueError("`C` dimension must be known but is None")
    return count


@tf_export("contrib.layers.dropout")
@add_arg_scope
def dropout(
    inputs: Any, keep_prob: Any = 0.5, noise_shape: Any = None, is_training: Any = True,
    outputs_collections: Collections | None = None, scope: Any = None, seed: Any = None,
) -> Tensor:  # fmt: skip
    """Zeroes elements when training, and scales up those that it keeps.

    Args:
      inputs: a float tensor.
      keep_prob: the probability to keep an element.
      noise_shape: the shape in which elements are dropped independently.
      is_training: a bool, or a scalar bool tensor.
      outputs_collections, scope: see this module.
      seed: the op seed.

    Returns:
      A tensor like `inputs`.
    """
    with variable_scope.variable_scope(
        scope, "Dropout", [inputs], custom_getter=model_variable_getter
    ) as sc:
        inputs = ops.convert_to_tensor(inputs)
        layer = core.Dropout(
            rate=1 - keep_prob, noise_shape=noise_shape, seed=seed, name=sc.name, _scope=sc
        )
        outputs = layer.apply(inputs, training=is_training)
        return utils.collect_named_outputs(outputs_collections, sc.name, outputs)


@tf_export("contrib.layers.flatten")
@add_arg_scope
def flatten(
    inputs: Any, outputs_collections: Collections | None = None, scope: Any = None
) -> Tensor:
    """Makes a matrix of the inputs: all dimensions but the first become one.

    Args:
      inputs: a tensor [batch, ...].
      outputs_collections, scope: see this module.

    Returns:
      [batch, size].
    """
    with ops.name_scope(scope, "Flatten", [inputs]) as sc:
        outputs = core.flatten(ops.convert_to_tensor(inputs))
        return utils.collect_named_outputs(outputs_collections, sc, outputs)


@tf_export("contrib.layers.softmax")
@add_arg_scope
def softmax(logits: Any, scope: Any = None) -> Tensor:
    """The softmax over the last of any number of dimensions.

    Args:
      logits: a float tensor of at least two dimensions, the last one known.
      scope: the variable scope.

    Returns:
      A tensor like `logits`.

    Raises:
      ValueError: the rank is less, or the last dimension unknown.
    """
    with variable_scope.variable_scope(scope, "softmax", [logits]):
        size = utils.last_dimension(logits.get_shape(), min_rank=2)
        predictions = nn_softmax.softmax(array_ops.reshape(logits, [-1, size]))
        predictions = array_ops.reshape(predictions, array_ops.shape(logits))
        if not context.executing_eagerly():
            predictions.set_shape(logits.get_shape())
        return predictions


# ---- several layers at once ----


def _layer_name(layer: Any, default: str) -> str:
    """A function's name, or that of the function in a `functools.partial`."""
    return getattr(layer, "__name__", None) or getattr(
        getattr(layer, "func", None), "__name__", default
    )


@tf_export("contrib.layers.repeat")
def repeat(inputs: Any, repetitions: int, layer: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Applies a layer several times, each time with variables of its own.

    Args:
      inputs: the inputs of the first.
      repetitions: how many times.
      layer: a function with the argument `scope`; the scopes are `<name>_1`, `<name>_2`, …
      *args, **kwargs: its further arguments; `scope` for the scope of all and their name.

    Returns:
      The outputs of the last.
    """
    return _stacked(inputs, layer, [args] * repetitions, kwargs, "Repeat", "repeat")


@tf_export("contrib.layers.stack")
def stack(inputs: Any, layer: Any, stack_args: Any, **kwargs: Any) -> Tensor:
    """Applies a layer several times, each time with other arguments.

    Args:
      inputs: the inputs of the first.
      layer: a function with the argument `scope`; the scopes are `<name>_1`, `<name>_2`, …
      stack_args: the arguments: a value, list or tuple for each time.
      **kwargs: arguments for all; `scope` for the scope of all and their name.

    Returns:
      The outputs of the last.

    Raises:
      ValueError: `stack_args` is no list or tuple.
    """
    if not isinstance(stack_args, list | tuple):
        raise ValueError("stack_args need to be a list or tuple")
    arguments = [args if isinstance(args, list | tuple) else [args] for args in stack_args]
    return _stacked(inputs, layer, arguments, kwargs, "Stack", "stack")


def _stacked(
    inputs: Any, layer: Any, arguments: Any, kwargs: Any, default_scope: str, default_name: str
) -> Tensor:
    scope = kwargs.pop("scope", None)
    with variable_scope.variable_scope(scope, default_scope, [inputs]):
        outputs = ops.convert_to_tensor(inputs)
        if scope is None:
            scope = _layer_name(layer, default_name)
        for i, args in enumerate(arguments, 1):
            outputs = layer(outputs, *args, **kwargs, scope=f"{scope}_{i}")
        return outputs
