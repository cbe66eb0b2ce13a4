"""Initializers by fan-in and fan-out (`tensorflow.contrib.layers.python.layers.initializers`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tf1compat.api.random import random_ops
from tf1compat.core import dtypes
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike

__all__ = [
    "variance_scaling_initializer",
    "xavier_initializer",
    "xavier_initializer_conv2d",
]


@tf_export("contrib.layers.xavier_initializer")
def xavier_initializer(
    uniform: bool = True, seed: int | None = None, dtype: DTypeLike = dtypes.float32
) -> Callable[..., Any]:
    """An initializer that keeps the scale of gradients about the same in all layers.

    Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks",
    2010.

    Args:
      uniform: whether to draw from a uniform distribution, else from a truncated normal one.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Returns:
      An initializer.
    """
    return variance_scaling_initializer(
        factor=1.0, mode="FAN_AVG", uniform=uniform, seed=seed, dtype=dtype
    )


xavier_initializer_conv2d = xavier_initializer
export_constant("contrib.layers.xavier_initializer_conv2d", xavier_initializer)


@tf_export("contrib.layers.variance_scaling_initializer")
def variance_scaling_initializer(
    factor: float = 2.0, mode: str = "FAN_IN", uniform: bool = False, seed: Any = None,
    dtype: Any = dtypes.float32,
) -> Callable[..., Any]:  # fmt: skip
    """An initializer that draws with variance factor / n.

    Args:
      factor: the factor.
      mode: what n is: "FAN_IN" for the number of inputs of a unit, "FAN_OUT" for its outputs,
        "FAN_AVG" for their mean.
      uniform: whether to draw from a uniform distribution, else from a truncated normal one.
      seed: see `tf.set_random_seed`.
      dtype: a float dtype.

    Returns:
      A function of a shape.

    Raises:
      TypeError: there is no such mode, or `dtype` is no float dtype.
    """
    _require_float(dtype)
    if mode not in ["FAN_IN", "FAN_OUT", "FAN_AVG"]:
        raise TypeError("Unknown mode %s [FAN_IN, FAN_OUT, FAN_AVG]", mode)

    def _initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        _require_float(dtype)
        fan_in = fan_out = 1.0
        if shape:
            fan_in = float(shape[-2]) if len(shape) > 1 else float(shape[-1])
            fan_out = float(shape[-1])
        for dim in shape[:-2]:
            fan_in *= float(dim)
            fan_out *= float(dim)
        n = {"FAN_IN": fan_in, "FAN_OUT": fan_out, "FAN_AVG": (fan_in + fan_out) / 2.0}[mode]
        if uniform:
            limit = math.sqrt(3.0 * factor / n)
            return random_ops.random_uniform(shape, -limit, limit, dtype, seed=seed)
        # A normal distribution that is cut at two standard deviations has less variance.
        stddev = math.sqrt(1.3 * factor / n)
        return random_ops.truncated_normal(shape, 0.0, stddev, dtype, seed=seed)

    return _initializer


def _require_float(dtype: Any) -> None:
    if not dtype.is_floating:
        raise TypeError("Cannot create initializer for non-floating point type.")
