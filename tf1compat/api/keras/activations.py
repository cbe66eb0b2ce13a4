"""Keras's activations (`tensorflow.python.keras.activations`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import math_ops, nn_ops
from tf1compat.api.keras import backend


def linear(x: Any) -> Any:
    """`x`: the activation of a layer that has none."""
    return x


def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """max(x, 0), with a slope below, a ceiling and a threshold if given."""
    return backend.relu(x, alpha=alpha, max_value=max_value, threshold=threshold)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """`alpha * (exp(x) - 1)` below 0, `x` above."""
    return backend.elu(x, alpha)


def selu(x: Any) -> Any:
    """The scaled exponential linear unit."""
    return 1.0507009873554804934193349852946 * backend.elu(x, 1.6732632423543772848170429916717)


def softplus(x: Any) -> Any:
    """log(exp(x) + 1)."""
    return nn_ops.softplus(x)


def softsign(x: Any) -> Any:
    """x / (|x| + 1)."""
    return nn_ops.softsign(x)


def tanh(x: Any) -> Any:
    """The hyperbolic tangent."""
    return math_ops.tanh(x)


def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    return math_ops.sigmoid(x)


def exponential(x: Any) -> Any:
    """exp(x)."""
    return math_ops.exp(x)


def hard_sigmoid(x: Any) -> Any:
    """A piecewise linear sigmoid: 0.2 x + 0.5, clipped to [0, 1]."""
    return backend.hard_sigmoid(x)


def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x), normalised along `axis`; a matrix along its rows.

    Raises:
      ValueError: `x` is a vector.
    """
    ndim = backend.ndim(x)
    if ndim == 2:
        return nn_ops.softmax(x)
    if ndim > 2:
        e = math_ops.exp(x - math_ops.reduce_max(x, axis=axis, keepdims=True))
        return e / math_ops.reduce_sum(e, axis=axis, keepdims=True)
    raise ValueError(f"Cannot apply softmax to a tensor that is 1D. Received input: {x}")


_BY_NAME = {
    function.__name__: function
    for function in (
        linear, relu, elu, selu, softplus, softsign, tanh, sigmoid, exponential, hard_sigmoid,
        softmax,
    )
}  # fmt: skip


def get(identifier: Any) -> Callable[[Any], Any]:
    """An activation from its name, or the callable that it is; `linear` for None.

    Raises:
      ValueError: there is none of that name.
      TypeError: `identifier` is neither a name nor callable.
    """
    if identifier is None:
        return linear
    if isinstance(identifier, str):
        if identifier not in _BY_NAME:
            raise ValueError(f"Unknown activation function:{identifier}")
        return _BY_NAME[identifier]
    if callable(identifier):
        return identifier
    raise TypeError(f"Could not interpret activation function identifier: {identifier!r}")
