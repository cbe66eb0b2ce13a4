"""Dropout that keeps mean and variance (`tensorflow.contrib.nn.python.ops.alpha_dropout`)."""

from __future__ import annotations

import numbers

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

# What `selu` gives for large negative inputs: what dropped elements are set to.
_LOWEST = -1.7580993408473766


@tf_export("contrib.nn.alpha_dropout")
def alpha_dropout(
    x: TensorLike,
    keep_prob: TensorLike,
    noise_shape: TensorLike | None = None,
    seed: int | None = None,
    name: Name = None,
) -> Tensor:
    """Dropout for nets with `selu` (Klambauer et al., "Self-Normalizing Neural Networks", 2017):
    dropped elements take selu's lowest value, and mean and variance stay.

    Args:
      x: a float tensor.
      keep_prob: the probability that an element is kept; a scalar.
      noise_shape: the shape of the draws, which are broadcast against `x`; x's by default.
      seed: the op seed.
      name: the name scope.

    Returns:
      A tensor like `x`.

    Raises:
      ValueError: `keep_prob` is not in (0, 1].
    """
    with ops.name_scope(name, "alpha_dropout", [x]):
        x = ops.convert_to_tensor(x, name="x")
        if isinstance(keep_prob, numbers.Real) and not 0 < float(keep_prob) <= 1.0:
            raise ValueError(
                f"keep_prob must be a scalar tensor or a float in the range (0, 1], got "
                f"{keep_prob:g}"
            )
        keep_prob = ops.convert_to_tensor(keep_prob, dtype=x.dtype, name="keep_prob")
        keep_prob.get_shape().assert_has_rank(0)
        if tensor_util.constant_value(keep_prob) == 1:
            return x
        noise_shape = noise_shape if noise_shape is not None else array_ops.shape(x)
        draws = random_ops.random_uniform(noise_shape, seed=seed, dtype=x.dtype)
        kept = math_ops.cast(raw_ops.GreaterEqual(draws, 1 - keep_prob), x.dtype)
        x = x * kept + _LOWEST * (1 - kept)
        a = (keep_prob + keep_prob * (1 - keep_prob) * _LOWEST**2) ** -0.5
        b = -a * _LOWEST * (1 - keep_prob)
        return a * x + b
