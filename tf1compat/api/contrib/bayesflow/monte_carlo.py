"""`tf.contrib.bayesflow.monte_carlo`: means over distributions, by samples."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_PREFIX = "contrib.bayesflow.monte_carlo."


@tf_export(_PREFIX + "expectation")
def expectation(
    f: Any,
    samples: Any,
    log_prob: Any = None,
    use_reparametrization: bool = True,
    axis: TensorLike = 0,
    keep_dims: bool = False,
    name: Name = None,
) -> Any:
    """The mean of a function of samples, whose gradient is that of the true mean.

    Args:
      f: a function of samples.
      samples: a tensor of them.
      log_prob: samples -> the logarithms of their densities, if gradients don't go through them.
      use_reparametrization: whether gradients go through the samples.
      axis: the dimensions of the samples.
      keep_dims: whether these dimensions are kept, with a size of 1.
      name: scope of the ops.

    Returns:
      A tensor of the dtype of `f(samples)`, and of its shape without the dimensions `axis` (or with
      1 for them).

    Raises:
      ValueError: `f`, or `log_prob` where it is needed, can't be called.
    """
    with ops.name_scope(name, "expectation", [samples]):
        if not callable(f):
            raise ValueError("`f` must be a callable function.")
        if use_reparametrization:
            return math_ops.reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("`log_prob` must be a callable function.")
        x = array_ops.stop_gradient(samples)
        log_p = log_prob(x)
        values = f(x)
        # Adds 0, whose gradient is that of the density.
        fixed = array_ops.stop_gradient(values)
        values += fixed * (log_p - array_ops.stop_gradient(log_p))
        return math_ops.reduce_mean(values, axis=axis, keepdims=keep_dims)


def _samples(q: Any, z: Any, n: Any, seed: Any) -> Any:
    with ops.name_scope("get_samples", values=[z, n]):
        if (n is None) == (z is None):
            raise ValueError(
                f'Must specify exactly one of arguments "n" and "z".  Found: n = {n}, z = {z}'
            )
        return ops.convert_to_tensor(z, name="z") if n is None else q.sample(n, seed=seed)


def _log_mean_exp(values: Any) -> Any:
    centre = array_ops.stop_gradient(math_ops.reduce_max(values, axis=[0]))
    mean = math_ops.reduce_mean(math_ops.exp(values - centre), axis=[0])
    return math_ops.log(mean) + centre


@tf_export(_PREFIX + "expectation_importance_sampler")
def expectation_importance_sampler(
    f: Any,
    log_p: Any,
    sampling_dist_q: Any,
    z: TensorLike | None = None,
    n: TensorLike | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler",
) -> Any:
    """The mean of f over p, by samples of another distribution.

    Args:
      f: a function of samples.
      log_p: samples -> the logarithms of their densities under p.
      sampling_dist_q: the other distribution.
      z: samples of it; or
      n: how many are drawn.
      seed: of the draws.
      name: scope of the ops.

    Returns:
      A tensor of the dtype of `f(z)`, and of its shape without the first dimension.

    Raises:
      ValueError: both `z` and `n` are given, or neither.
    """
    with ops.name_scope(name, values=[z, n]):
        z = _samples(sampling_dist_q, z, n, seed)
        log_p_z = log_p(z)
        log_q_z = sampling_dist_q.log_prob(z)
        values = f(z)
        # The parts above and below 0 apart, each plus 1, so that they have logarithms.
        above = math_ops.log(nn_ops.relu(values) + 1.0)
        below = math_ops.log(nn_ops.relu(-1.0 * values) + 1.0)
        means = [_log_mean_exp(part + log_p_z - log_q_z) for part in (above, below)]
    return math_ops.exp(means[0]) - math_ops.exp(means[1])


@tf_export(_PREFIX + "expectation_importance_sampler_logspace")
def expectation_importance_sampler_logspace(
    log_f: Any,
    log_p: Any,
    sampling_dist_q: Any,
    z: TensorLike | None = None,
    n: TensorLike | None = None,
    seed: int | None = None,
    name: str = "expectation_importance_sampler_logspace",
) -> Any:
    """The logarithm of the mean of a positive function over p.

    Args: see `expectation_importance_sampler`; and
      log_f: samples -> the logarithm of the function.

    Returns:
      A tensor of the dtype of `log_f(z)`, and of its shape without the first dimension.
    """
    with ops.name_scope(name, values=[z, n]):
        z = _samples(sampling_dist_q, z, n, seed)
        return _log_mean_exp(log_f(z) + log_p(z) - sampling_dist_q.log_prob(z))
