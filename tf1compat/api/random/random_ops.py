"""Random tensors: `tf.random_uniform`, `tf.truncated_normal`, `tf.multinomial`, …"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_seed
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_UNIFORM_DTYPES = (
    dtypes.float16,
    dtypes.bfloat16,
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
)


def _with_static_shape(tensor: ops.Tensor, shape: ops.Tensor, suffix: Any) -> ops.Tensor:
    """Inside a function, where `shape` may come from outside: gives `tensor` the shape `shape` +
    shape(suffix) as far as it is known."""
    in_function = not context.executing_eagerly() and ops.get_default_graph().building_function
    if in_function and not tensor.shape.is_fully_defined():
        sizes = tensor_util.constant_value_as_shape(tensor_util.shape_tensor(shape))
        tensor.set_shape(sizes.concatenate(ops.convert_to_tensor(suffix).shape))
    return tensor


@tf_export("random.uniform", "random_uniform")
def random_uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Uniformly distributed numbers in [minval, maxval) (as `tf.random_uniform` in TF 1.15).

    Args:
      shape: int32 or int64 vector.
      minval: scalar of type `dtype`.
      maxval: scalar of type `dtype`; 1 by default for floats.
      dtype: float16, bfloat16, float32, float64, int32 or int64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of that shape and dtype.

    Raises:
      ValueError: another dtype, or no `maxval` for integers.
    """
    dtype = dtypes.as_dtype(dtype)
    _check_uniform(dtype, maxval)
    if maxval is None:
        maxval = 1
    with ops.name_scope(name, "random_uniform", [shape, minval, maxval]) as scope:
        shape = tensor_util.shape_tensor(shape)
        minval, maxval = tensor_util.named_tensors(dtype, min=minval, max=maxval)
        seed1, seed2 = random_seed.get_seed(seed)
        if dtype.is_integer:
            result = raw_ops.RandomUniformInt(
                shape, minval, maxval, seed=seed1, seed2=seed2, name=scope
            )
        else:
            drawn = raw_ops.RandomUniform(shape, dtype, seed=seed1, seed2=seed2)
            result = math_ops.add(drawn * (maxval - minval), minval, name=scope)
        tensor_util.maybe_set_static_shape(result, shape)
        return result


def _check_uniform(dtype: dtypes.DType, maxval: Any) -> None:
    if dtype not in _UNIFORM_DTYPES:
        raise ValueError(f"Invalid dtype {dtype!r}")
    if maxval is None and dtype.is_integer:
        raise ValueError(f"Must specify maxval for integer dtype {dtype!r}")


@tf_export("random.normal", "random_normal")
def random_normal(
    shape: Any,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Normally distributed numbers (as `tf.random_normal` in TF 1.15).

    Args:
      shape: int32 or int64 vector.
      mean, stddev: scalars of type `dtype`.
      dtype: float16, bfloat16, float32 or float64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of that shape and dtype.
    """
    return _normal(
        "random_normal", raw_ops.RandomStandardNormal, shape, mean, stddev, dtype, seed, name
    )


@tf_export("random.truncated_normal", "truncated_normal")
def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Normally distributed numbers within two standard deviations (as `tf.truncated_normal`).

    Args:
      shape: int32 or int64 vector.
      mean, stddev: scalars of type `dtype`.
      dtype: float16, bfloat16, float32 or float64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of that shape and dtype.
    """
    return _normal(
        "truncated_normal", raw_ops.TruncatedNormal, shape, mean, stddev, dtype, seed, name
    )


def _normal(
    default_name: str,
    draw: Any,
    shape: ShapeLike,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DTypeLike,
    seed: Any,
    name: Name,
) -> ops.Tensor:
    with ops.name_scope(name, default_name, [shape, mean, stddev]) as scope:
        sizes = tensor_util.shape_tensor(shape)
        mean, stddev = tensor_util.named_tensors(dtype, mean=mean, stddev=stddev)
        seed1, seed2 = random_seed.get_seed(seed)
        drawn = draw(sizes, dtype, seed=seed1, seed2=seed2)
        value = math_ops.add(drawn * stddev, mean, name=scope)
        tensor_util.maybe_set_static_shape(value, shape)
        return value


def parameterized_truncated_normal(
    shape: ShapeLike,
    means: Any = 0.0,
    stddevs: Any = 1.0,
    minvals: Any = -2.0,
    maxvals: Any = 2.0,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Normally distributed numbers between bounds, perhaps with other parameters for each row.

    Args:
      shape: int32 or int64 vector.
      means, stddevs, minvals, maxvals: of type `dtype`, scalars or [shape[0]].
      dtype: float32 or float64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of that shape and dtype.
    """
    params = {"means": means, "stddevs": stddevs, "minvals": minvals, "maxvals": maxvals}
    with ops.name_scope(name, "parameterized_truncated_normal", [shape, *params.values()]):
        sizes = tensor_util.shape_tensor(shape)
        tensors = tensor_util.named_tensors(dtype, **params)
        seed1, seed2 = random_seed.get_seed(seed)
        drawn = raw_ops.ParameterizedTruncatedNormal(sizes, *tensors, seed=seed1, seed2=seed2)
        tensor_util.maybe_set_static_shape(drawn, shape)
        return drawn


@tf_export("random.shuffle", "random_shuffle")
def random_shuffle(
    value: TensorLike, seed: int | None = None, name: str | None = None
) -> ops.Tensor:
    """`value` with its rows (dimension 0) in random order (as `tf.random_shuffle` in TF 1.15).

    Args:
      value: a tensor.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of the same shape and dtype.
    """
    seed1, seed2 = random_seed.get_seed(seed)
    return raw_ops.RandomShuffle(value, seed=seed1, seed2=seed2, name=name)


@tf_export("image.random_crop", "random_crop")
def random_crop(
    value: TensorLike, size: TensorLike, seed: int | None = None, name: str | None = None
) -> ops.Tensor:
    """A slice of the given size at a random place (as `tf.random_crop` in TF 1.15).

    Args:
      value: a tensor.
      size: int32 vector, one element for each dimension of `value`, none larger than that
        dimension.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of shape `size`.
    """
    with ops.name_scope(name, "random_crop", [value, size]) as scope:
        value = ops.convert_to_tensor(value, name="value")
        size = ops.convert_to_tensor(size, dtype=dtypes.int32, name="size")
        shape = _shape_not_below(array_ops.shape(value), size)
        places = shape - size + 1
        drawn = random_uniform(
            array_ops.shape(shape), dtype=size.dtype, maxval=size.dtype.max, seed=seed
        )
        return array_ops.slice(value, drawn % places, size, name=scope)


def _shape_not_below(shape: ops.Tensor, size: ops.Tensor) -> ops.Tensor:
    """`shape`, behind the assertion that no dimension is smaller than in `size`."""
    details = ["Need value.shape >= size, got ", shape, size]
    check = control_flow_ops.Assert(math_ops.reduce_all(shape >= size), details, summarize=1000)
    return control_flow_ops.with_dependencies([check], shape)


@tf_export("random.multinomial", "multinomial")
@deprecated(date=None, instructions="Use `tf.random.categorical` instead.")
def multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int | None = None,
    name: str | None = None,
    output_dtype: Any = None,
) -> ops.Tensor:
    """Classes drawn by their log-probabilities (as `tf.multinomial` in TF 1.15).

    Args:
      logits: float [batch_size, num_classes], unnormalised log-probabilities.
      num_samples: int32 scalar, the draws for each row.
      seed: see `tf.set_random_seed`.
      name: of the operation.
      output_dtype: int32 or int64, the default.

    Returns:
      [batch_size, num_samples].
    """
    with ops.name_scope(name, "multinomial", [logits]):
        return multinomial_categorical_impl(logits, num_samples, output_dtype, seed)


@tf_export("random.categorical")
def categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Classes drawn by their log-probabilities (as `tf.random.categorical` in TF 1.15).

    Args:
      logits: float [batch_size, num_classes], unnormalised log-probabilities.
      num_samples: int32 scalar, the draws for each row.
      dtype: int32 or int64, the default.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      [batch_size, num_samples].
    """
    with ops.name_scope(name, "categorical", [logits]):
        return multinomial_categorical_impl(logits, num_samples, dtype, seed)


def multinomial_categorical_impl(
    logits: TensorLike, num_samples: TensorLike, dtype: Any, seed: int | None
) -> ops.Tensor:
    logits = ops.convert_to_tensor(logits, name="logits")
    seed1, seed2 = random_seed.get_seed(seed)
    return raw_ops.Multinomial(logits, num_samples, seed=seed1, seed2=seed2, output_dtype=dtype)


@tf_export("random.gamma", "random_gamma")
def random_gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Gamma-distributed numbers, differentiable in both parameters (as `tf.random_gamma`).

    Args:
      shape: int32 vector: the samples to draw for each pair of parameters.
      alpha: of type `dtype`, the shape parameter.
      beta: of type `dtype`, the rate; 1 by default; broadcast against `alpha`.
      dtype: float16, float32 or float64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of shape `shape` + shape(alpha + beta).
    """
    with ops.name_scope(name, "random_gamma", [shape, alpha, beta]):
        shape = ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        alpha, beta = tensor_util.named_tensors(
            dtype, alpha=alpha, beta=1 if beta is None else beta
        )
        alpha = alpha + array_ops.zeros_like(beta)
        seed1, seed2 = random_seed.get_seed(seed)
        least = np.finfo(alpha.dtype.as_numpy_dtype).tiny
        drawn = raw_ops.RandomGamma(shape, alpha, seed=seed1, seed2=seed2)
        result = math_ops.maximum(least, drawn / beta)
        return _with_static_shape(result, shape, alpha)


@tf_export("random.poisson", "random_poisson")
def random_poisson(
    lam: Any,
    shape: ShapeLike,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """Poisson-distributed numbers (as `tf.random_poisson` in TF 1.15).

    Args:
      lam: the rates, of a float or integer type.
      shape: int32 vector: the samples to draw for each rate.
      dtype: float16, float32, float64, int32 or int64.
      seed: see `tf.set_random_seed`.
      name: of the operation.

    Returns:
      A tensor of shape `shape` + shape(lam).
    """
    return random_poisson_v2(shape, lam, dtype, seed, name)


@tf_export("compat.v2.random.poisson")
def random_poisson_v2(
    shape: ShapeLike,
    lam: Any,
    dtype: DTypeLike = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> ops.Tensor:
    """`random_poisson` with its first arguments in TF 2's order.

    Args:
      shape: the shape of the samples of each rate.
      lam: rates; floating point.
      dtype: of the samples.
      seed: the op seed.
      name: the operation's name.

    Returns:
      A tensor of `shape` and then the shape of `lam`.
    """
    with ops.name_scope(name, "random_poisson", [lam, shape]):
        shape = ops.convert_to_tensor(shape, name="shape", dtype=dtypes.int32)
        seed1, seed2 = random_seed.get_seed(seed)
        result = raw_ops.RandomPoissonV2(shape, lam, dtype=dtype, seed=seed1, seed2=seed2)
        return _with_static_shape(result, shape, lam)


# Seeded by a tensor: the same seed gives the same numbers in every run.


@tf_export("random.stateless_uniform")
def stateless_random_uniform(
    shape: ShapeLike,
    seed: int,
    minval: Any = 0,
    maxval: Any = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> ops.Tensor:
    """`tf.random.uniform` with an int32 or int64 [2] tensor as its seed.

    Args:
      shape: an int vector.
      seed: int32 or int64 [2].
      minval, maxval: the range [minval, maxval).
      dtype: a floating-point dtype, int32 or int64.
      name: the operation's name.

    Returns:
      A tensor of `shape` and `dtype`.
    """
    dtype = dtypes.as_dtype(dtype)
    _check_uniform(dtype, maxval)
    if maxval is None:
        maxval = 1
    with ops.name_scope(name, "stateless_random_uniform", [shape, seed, minval, maxval]) as scope:
        shape = tensor_util.shape_tensor(shape)
        minval, maxval = tensor_util.named_tensors(dtype, min=minval, max=maxval)
        if dtype.is_integer:
            result = raw_ops.StatelessRandomUniformInt(shape, seed, minval, maxval, name=scope)
        else:
            drawn = raw_ops.StatelessRandomUniform(shape, seed, dtype=dtype)
            result = math_ops.add(drawn * (maxval - minval), minval, name=scope)
        tensor_util.maybe_set_static_shape(result, shape)
        return result


@tf_export("random.stateless_normal")
def stateless_random_normal(
    shape: ShapeLike,
    seed: int,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> ops.Tensor:
    """`tf.random.normal` with an int32 or int64 [2] tensor as its seed.

    Args:
      shape: an int vector.
      seed: int32 or int64 [2].
      mean, stddev: scalars, or what broadcasts against `shape`.
      dtype: a floating-point dtype.
      name: the operation's name.

    Returns:
      A tensor of `shape` and `dtype`.
    """
    draw = raw_ops.StatelessRandomNormal
    return _stateless_normal(
        "stateless_random_normal", draw, shape, seed, mean, stddev, dtype, name
    )


@tf_export("random.stateless_truncated_normal")
def stateless_truncated_normal(
    shape: ShapeLike,
    seed: int,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> ops.Tensor:
    """`tf.random.truncated_normal` with an int32 or int64 [2] tensor as its seed.

    Args:
      shape: an int vector.
      seed: int32 or int64 [2].
      mean, stddev: scalars, or what broadcasts against `shape`.
      dtype: a floating-point dtype.
      name: the operation's name.

    Returns:
      A tensor of `shape` and `dtype`.
    """
    draw = raw_ops.StatelessTruncatedNormal
    return _stateless_normal(
        "stateless_truncated_normal", draw, shape, seed, mean, stddev, dtype, name
    )


def _stateless_normal(
    default_name: str,
    draw: Any,
    shape: ShapeLike,
    seed: int,
    mean: TensorLike,
    stddev: TensorLike,
    dtype: DTypeLike,
    name: Name,
) -> ops.Tensor:
    with ops.name_scope(name, default_name, [shape, seed, mean, stddev]) as scope:
        shape = tensor_util.shape_tensor(shape)
        mean, stddev = tensor_util.named_tensors(dtype, mean=mean, stddev=stddev)
        drawn = draw(shape, seed, dtype)
        result = math_ops.add(drawn * stddev, mean, name=scope)
        tensor_util.maybe_set_static_shape(result, shape)
        return result


@tf_export("random.stateless_multinomial")
@deprecated(
    date=None,
    instructions="Use `tf.random.stateless_categorical` instead.",
    module="tensorflow.python.ops.stateless_random_ops",
)
def stateless_multinomial(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int,
    output_dtype: Any = dtypes.int64,
    name: str | None = None,
) -> ops.Tensor:
    """`tf.multinomial` with an int32 or int64 [2] tensor as its seed.

    Args:
      logits: floating point [batch, classes].
      num_samples: a scalar int32.
      seed: int32 or int64 [2].
      output_dtype: int32 or int64.
      name: the operation's name.

    Returns:
      Classes [batch, num_samples].
    """
    with ops.name_scope(name, "stateless_multinomial", [logits, seed]):
        return stateless_multinomial_categorical_impl(logits, num_samples, output_dtype, seed)


@tf_export("random.stateless_categorical")
def stateless_categorical(
    logits: TensorLike,
    num_samples: TensorLike,
    seed: int,
    dtype: DTypeLike = dtypes.int64,
    name: str | None = None,
) -> ops.Tensor:
    """`tf.random.categorical` with an int32 or int64 [2] tensor as its seed.

    Args:
      logits: floating point [batch, classes].
      num_samples: a scalar int32.
      seed: int32 or int64 [2].
      dtype: int32 or int64.
      name: the operation's name.

    Returns:
      Classes [batch, num_samples].
    """
    with ops.name_scope(name, "stateless_categorical", [logits, seed]):
        return stateless_multinomial_categorical_impl(logits, num_samples, dtype, seed)


def stateless_multinomial_categorical_impl(
    logits: TensorLike, num_samples: TensorLike, dtype: DTypeLike, seed: int
) -> ops.Tensor:
    logits = ops.convert_to_tensor(logits, name="logits")
    return raw_ops.StatelessMultinomial(logits, num_samples, seed, output_dtype=dtype)
