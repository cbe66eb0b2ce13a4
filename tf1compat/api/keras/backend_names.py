"""The part of `tf.keras.backend` that is names over one or two operations."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.keras.backend_config import (
    epsilon,
    floatx,
)
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.random import random_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import (
    nest,
    ops,
)
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike


def seed_or_drawn(seed: Any, limit: float) -> Any:
    return np.random.randint(int(limit)) if seed is None else seed


def _thin(signature: Callable[..., Any]) -> Callable[..., Any]:
    """Exports a function under its own name below keras.backend."""
    return tf_export(f"keras.backend.{signature.__name__}")(signature)


@_thin
def shape(x: Any) -> Any:
    """The shape as a tensor."""
    return array_ops.shape(x)


@_thin
def zeros_like(x: Any, dtype: Any = None, name: Name = None) -> Any:
    """Zeros of the shape of `x`."""
    return array_ops.zeros_like(x, dtype=dtype, name=name)


@_thin
def ones_like(x: Any, dtype: Any = None, name: Name = None) -> Any:
    """Ones of the shape of `x`."""
    return array_ops.ones_like(x, dtype=dtype, name=name)


@_thin
def cast(x: Any, dtype: Any) -> Any:
    """`x` as another dtype."""
    return math_ops.cast(x, dtype)


@_thin
def update(x: Any, new_x: Any) -> Any:
    """Assigns to a variable."""
    return state_ops.assign(x, new_x)


@_thin
def update_add(x: Any, increment: Any) -> Any:
    """Adds to a variable."""
    return state_ops.assign_add(x, increment)


@_thin
def update_sub(x: Any, decrement: Any) -> Any:
    """Subtracts from a variable."""
    return state_ops.assign_sub(x, decrement)


@_thin
def gradients(loss: Any, variables: Any) -> Any:
    """`tf.gradients`, colocated with the operations differentiated."""
    return gradients_impl.gradients(loss, variables, colocate_gradients_with_ops=True)


@_thin
def stop_gradient(variables: Any) -> Any:
    """`tf.stop_gradient` of a tensor, or of each of several."""
    if isinstance(variables, list | tuple):
        return map(array_ops.stop_gradient, variables)
    return array_ops.stop_gradient(variables)


@_thin
def clip(x: Any, min_value: Any, max_value: Any) -> Any:
    """`x` within bounds; a `max_value` below `min_value` counts as `min_value`, None as
    infinity."""
    if max_value is not None and max_value < min_value:
        max_value = min_value
    if max_value is None:
        max_value = np.inf
    least = constant_op.constant(min_value, dtype=x.dtype.base_dtype)
    most = constant_op.constant(max_value, dtype=x.dtype.base_dtype)
    return clip_ops.clip_by_value(x, least, most)


@_thin
def sqrt(x: Any) -> Any:
    """The square root; 0 below 0."""
    zero = constant_op.constant(0.0, dtype=x.dtype.base_dtype)
    inf = constant_op.constant(np.inf, dtype=x.dtype.base_dtype)
    return math_ops.sqrt(clip_ops.clip_by_value(x, zero, inf))


@_thin
def relu(x: Any, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0) -> Any:
    """max(x, 0), with a slope `alpha` below `threshold`, and a ceiling."""
    negative: Any = None
    if alpha != 0.0:
        if max_value is None and threshold == 0:
            return nn_ops.leaky_relu(x, alpha=alpha)
        negative = nn_ops.relu(-x + threshold if threshold != 0 else -x)
    if threshold != 0:
        x = x * math_ops.cast(math_ops.greater(x, threshold), floatx())
    elif max_value == 6:
        x = nn_ops.relu6(x)
        max_value = None
    else:
        x = nn_ops.relu(x)
    if max_value is not None:
        ceiling = constant_op.constant(max_value, dtype=x.dtype.base_dtype)
        zero = constant_op.constant(0.0, dtype=x.dtype.base_dtype)
        x = clip_ops.clip_by_value(x, zero, ceiling)
    if alpha != 0.0:
        x -= ops.convert_to_tensor(alpha, dtype=x.dtype.base_dtype) * negative
    return x


@_thin
def elu(x: Any, alpha: float = 1.0) -> Any:
    """`alpha * (exp(x) - 1)` below 0, `x` above."""
    result = nn_ops.elu(x)
    return result if alpha == 1 else array_ops.where(x > 0, result, alpha * result)


@_thin
def hard_sigmoid(x: Any) -> Any:
    """0.2 x + 0.5, clipped to [0, 1]."""
    slope = constant_op.constant(0.2, dtype=x.dtype.base_dtype)
    middle = constant_op.constant(0.5, dtype=x.dtype.base_dtype)
    return clip_ops.clip_by_value(math_ops.add(math_ops.multiply(x, slope), middle), 0.0, 1.0)


@_thin
def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x), normalised along `axis`."""
    return nn_ops.softmax(x, axis=axis)


@_thin
def dropout(
    x: Any, level: Any, noise_shape: TensorLike | None = None, seed: int | None = None
) -> Any:
    """Zeroes elements with probability `level` and scales up the others."""
    return nn_ops.dropout_v2(x, rate=level, noise_shape=noise_shape, seed=seed_or_drawn(seed, 10e6))


@_thin
def l2_normalize(x: Any, axis: TensorLike | None = None) -> Any:
    """Scales `x` to norm 1 along `axis`."""
    return nn_impl.l2_normalize(x, axis=axis)


@_thin
def dot(x: Any, y: TensorLike) -> Any:
    """The product of matrices; of more dimensions, over the last of `x` and the last but one of
    `y`."""
    if ndim(x) is None or (ndim(x) <= 2 and ndim(y) <= 2):
        sparse = isinstance(x, SparseTensor)
        return (sparse_ops.sparse_tensor_dense_matmul if sparse else math_ops.matmul)(x, y)

    def sizes(tensor: TensorLike) -> tuple[Any, ...]:
        dynamic = array_ops.unstack(array_ops.shape(tensor))
        return tuple(d if s is None else s for s, d in zip(int_shape(tensor), dynamic, strict=True))

    x_shape, y_shape = sizes(x), sizes(y)
    axes = list(range(ndim(y)))
    axes = [axes.pop(-2), *axes]
    xt = array_ops.reshape(x, [-1, x_shape[-1]])
    yt = array_ops.reshape(array_ops.transpose(y, perm=axes), [y_shape[-2], -1])
    return array_ops.reshape(math_ops.matmul(xt, yt), x_shape[:-1] + y_shape[:-2] + y_shape[-1:])


@_thin
def to_dense(tensor: TensorLike) -> Any:
    """A sparse tensor as an ordinary one; others as they are."""
    is_sparse = isinstance(tensor, SparseTensor)
    return sparse_ops.sparse_tensor_to_dense(tensor) if is_sparse else tensor


@_thin
def concatenate(tensors: Any, axis: int = -1) -> Any:
    """Tensors joined along `axis`: a sparse one if all of them are."""
    if axis < 0:
        axis %= ndim(tensors[0]) or 1
    if all(isinstance(x, SparseTensor) for x in tensors):
        return sparse_ops.sparse_concat(axis, tensors)
    return array_ops.concat([to_dense(x) for x in tensors], axis)


@_thin
def binary_crossentropy(target: Any, output: Any, from_logits: bool = False) -> Any:
    """The cross-entropy of probabilities (or logits), element by element."""
    if not from_logits:
        if not is_output_of(output, "Sigmoid"):
            small = constant_op.constant(epsilon(), dtype=output.dtype.base_dtype)
            output = clip_ops.clip_by_value(output, small, 1.0 - small)
            total = target * math_ops.log(output + epsilon())
            total += (1 - target) * math_ops.log(1 - output + epsilon())
            return -total
        output = output.op.inputs[0]
    return nn_impl.sigmoid_cross_entropy_with_logits(labels=target, logits=output)


@_thin
def categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """The cross-entropy of distributions (or logits) along `axis`."""
    if not from_logits:
        if not is_output_of(output, "Softmax"):
            output = output / math_ops.reduce_sum(output, axis, True)
            small = constant_op.constant(epsilon(), dtype=output.dtype.base_dtype)
            output = clip_ops.clip_by_value(output, small, 1.0 - small)
            return -math_ops.reduce_sum(target * math_ops.log(output), axis)
        output = output.op.inputs[0]
    return nn_ops.softmax_cross_entropy_with_logits_v2(labels=target, logits=output, axis=axis)


@_thin
def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Any:
    """Normally distributed numbers."""
    return random_ops.random_normal(
        shape, mean=mean, stddev=stddev, dtype=dtype or floatx(), seed=seed_or_drawn(seed, 10e6)
    )


@_thin
def random_uniform(
    shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Any:
    """Uniformly distributed numbers."""
    return random_ops.random_uniform(
        shape, minval=minval, maxval=maxval, dtype=dtype or floatx(), seed=seed_or_drawn(seed, 10e6)
    )


@_thin
def truncated_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: int | None = None
) -> Any:
    """Normally distributed numbers within two standard deviations."""
    return random_ops.truncated_normal(
        shape, mean, stddev, dtype=dtype or floatx(), seed=seed_or_drawn(seed, 10e6)
    )


def is_output_of(x: Any, op_type: str) -> bool:
    """Whether an operation of that type is known to have made a tensor."""
    recorded = isinstance(x, ops.Tensor) and not x._is_eager
    return recorded and x.op.type == op_type


@tf_export("keras.backend.int_shape")
def int_shape(x: Any) -> Any:
    """The static shape as a tuple of ints and None; None if not even the rank is known.

    Args:
      x: a tensor or variable.

    Returns:
      A tuple, or None.
    """
    try:
        return tuple(TensorShape(x.shape).as_list())
    except ValueError:
        return None


@tf_export("keras.backend.ndim")
def ndim(x: Any) -> Any:
    """The rank, or None.

    Args:
      x: a tensor or variable.

    Returns:
      An int, or None.
    """
    return TensorShape(x.shape).ndims


# Python's own, which Keras's hide.
py_all, py_any, py_sum = builtins.all, builtins.any, builtins.sum


def cast_variables_to_tensor(tensors: Any) -> Any:
    """A structure with an identity in the place of each variable.

    Args:
      tensors: tensors and variables.
    """
    is_variable = variables.Variable
    return nest.map_structure(
        lambda x: array_ops.identity(x) if isinstance(x, is_variable) else x, tensors
    )


def is_tpu_strategy(strategy: Any) -> bool:
    """Whether a distribution strategy is one for TPUs.

    Args:
      strategy: the strategy, or None.
    """
    return strategy is not None and type(strategy).__name__.startswith("TPUStrategy")
