"""Keras's activations (`tensorflow.python.keras.activations`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras.utils.generic_utils import (
    deserialize_keras_object,
    serialize_keras_object,
)
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("keras.activations.linear")
def linear(x: TensorLike) -> Any:
    """`x`: the activation of a layer that has none.

    Args:
      x: a tensor.

    Returns:
      `x`.
    """
    return x


@tf_export("keras.activations.relu")
def relu(
    x: TensorLike, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0
) -> Any:
    """max(x, 0), with a slope below, a ceiling and a threshold if given.

    Args:
      x: a tensor.
      alpha: the slope below the threshold.
      max_value: the largest value, or None.
      threshold: where the slope begins.

    Returns:
      A tensor like `x`.
    """
    return backend.relu(x, alpha=alpha, max_value=max_value, threshold=threshold)


@tf_export("keras.activations.elu")
def elu(x: TensorLike, alpha: float = 1.0) -> Any:
    """`alpha * (exp(x) - 1)` below 0, `x` above.

    Args:
      x: a tensor.
      alpha: the scale of the negative part.

    Returns:
      A tensor like `x`.
    """
    return backend.elu(x, alpha)


@tf_export("keras.activations.selu")
def selu(x: TensorLike) -> Any:
    """The scaled exponential linear unit.

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return 1.0507009873554804934193349852946 * backend.elu(x, 1.6732632423543772848170429916717)


@tf_export("keras.activations.softplus")
def softplus(x: TensorLike) -> Any:
    """log(exp(x) + 1).

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return nn_ops.softplus(x)


@tf_export("keras.activations.softsign")
def softsign(x: TensorLike) -> Any:
    """x / (|x| + 1).

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return nn_ops.softsign(x)


@tf_export("keras.activations.tanh")
def tanh(x: TensorLike) -> Any:
    """The hyperbolic tangent.

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return math_ops.tanh(x)


@tf_export("keras.activations.sigmoid")
def sigmoid(x: TensorLike) -> Any:
    """1 / (1 + exp(-x)).

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return math_ops.sigmoid(x)


@tf_export("keras.activations.exponential")
def exponential(x: TensorLike) -> Any:
    """exp(x).

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return math_ops.exp(x)


@tf_export("keras.activations.hard_sigmoid")
def hard_sigmoid(x: TensorLike) -> Any:
    """A piecewise linear sigmoid: 0.2 x + 0.5, clipped to [0, 1].

    Args:
      x: a tensor.

    Returns:
      A tensor like `x`.
    """
    return backend.hard_sigmoid(x)


@tf_export("keras.activations.softmax")
def softmax(x: TensorLike, axis: int = -1) -> Any:
    """exp(x), normalised along `axis`; a matrix along its rows.

    Args:
      x: a tensor of rank 2 or more.
      axis: the axis that sums to 1.

    Returns:
      A tensor like `x`.

    Raises:
      ValueError: `x` is a vector.
    """
    ndim = backend.ndim(x)
    if ndim == 2:
        return nn_ops.softmax(x)
    if ndim > 2:
        e = math_ops.exp(x - math_ops.reduce_max(x, axis=axis, keepdims=True))
        return e / math_ops.reduce_sum(e, axis=axis, keepdims=True)
    raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x!s}")


@tf_export("keras.activations.serialize")
def serialize(activation: Callable[..., Any] | str) -> Any:
    """An activation's name, or the class and config of one that is an object.

    Args:
      activation: an activation.

    Returns:
      A string or a dict.
    """
    return serialize_keras_object(activation)


@tf_export("keras.activations.deserialize")
def deserialize(name: Any, custom_objects: dict[str, Any] | None = None) -> Any:
    """The activation of a name.

    Args:
      name: a name, or a dict of class and config.
      custom_objects: {name: class or function}, or None.

    Returns:
      A function of a tensor.

    Raises:
      ValueError: there is none.
    """
    return deserialize_keras_object(
        name,
        module_objects=globals(),
        custom_objects=custom_objects,
        printable_module_name="activation function",
    )


@tf_export("keras.activations.get")
def get(identifier: Any) -> Callable[[Any], Any]:
    """An activation from its name or config, or the callable that it is; `linear` for None.

    Args:
      identifier: a name, a callable or None.

    Returns:
      A function of a tensor.

    Raises:
      ValueError: there is none of that name.
      TypeError: `identifier` is none of these.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        return deserialize(identifier)
    if callable(identifier):
        return identifier
    if isinstance(identifier, dict):
        return deserialize_keras_object(identifier, printable_module_name="activation")
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
