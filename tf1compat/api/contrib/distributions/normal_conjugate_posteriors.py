"""What is known of a normal distribution's mean after observations, its width being known."""

from __future__ import annotations

from typing import Any

from tf1compat.api.distributions import normal
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


def _posterior(prior: Any, scale: TensorLike, s: Any, n: TensorLike) -> tuple[Any, Any, Any]:
    """The mean's own mean and variance, and the variance of an observation."""
    if not isinstance(prior, normal.Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    if s.dtype != prior.dtype:
        raise TypeError(
            f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}"
        )
    n = math_ops.cast(n, prior.dtype)
    before = math_ops.square(prior.scale)
    own = math_ops.square(scale)
    after = 1.0 / (1 / before + n / own)
    return (prior.loc / before + s / own) * after, after, own


@tf_export("contrib.distributions.normal_conjugates_known_scale_posterior")
def normal_conjugates_known_scale_posterior(
    prior: Any, scale: TensorLike, s: Any, n: TensorLike
) -> Any:
    """The distribution of the mean, given observations.

    Args:
      prior: a `Normal` distribution, what was known of the mean.
      scale: float tensor, the standard deviation of an observation.
      s: float tensor, the sum of the observations.
      n: int scalar, how many there are.

    Returns:
      A `Normal` distribution.

    Raises:
      TypeError: `prior` is no `Normal`, or `s` of another dtype.
    """
    loc, variance, _ = _posterior(prior, scale, s, n)
    return normal.Normal(loc=loc, scale=math_ops.sqrt(variance))


@tf_export("contrib.distributions.normal_conjugates_known_scale_predictive")
def normal_conjugates_known_scale_predictive(
    prior: Any, scale: TensorLike, s: Any, n: TensorLike
) -> Any:
    """The distribution of the next observation, given those so far.

    Raises: see `normal_conjugates_known_scale_posterior`.

    Args:
      prior, scale, s, n: as in `normal_conjugates_known_scale_posterior`.

    Returns:
      A `Normal` distribution.
    """
    loc, variance, own = _posterior(prior, scale, s, n)
    return normal.Normal(loc=loc, scale=math_ops.sqrt(variance + own))
