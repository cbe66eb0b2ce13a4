"""`tf.contrib.distributions.PoissonLogNormalQuadratureCompound`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.distributions import poisson
from tf1compat.api.contrib.distributions.bijectors.elementwise import Exp
from tf1compat.api.distributions import categorical, distribution, normal, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.static import concat_vectors
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"
_MODULE = "poisson_lognormal"


@tf_export("contrib.distributions.quadrature_scheme_lognormal_gauss_hermite")
@moved(_MODULE, _LIBRARY)
def quadrature_scheme_lognormal_gauss_hermite(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: Name = None
) -> tuple[Any, Any]:
    """The points and weights of Gauss and Hermite for a normal distribution.

    Args:
      loc: float tensor, the means.
      scale: float tensor, the standard deviations.
      quadrature_size: how many points.
      validate_args: not used.
      name: scope of the ops.

    Returns:
      The points [..., quadrature_size] and the probabilities [quadrature_size].
    """
    with ops.name_scope(name, "vector_diffeomixture_quadrature_gauss_hermite", [loc, scale]):
        grid, probs = util.gauss_hermite(quadrature_size, loc.dtype)
        probs = ops.convert_to_tensor(probs, name="probs", dtype=loc.dtype)
        return loc[..., None] + math.sqrt(2.0) * scale[..., None] * grid, probs


def midpoints(dist: Any, batch_ndims: Any, quadrature_size: int, transform: Any = None) -> Any:
    """The quantiles at equal steps, without the first and the last, as the last dimension."""
    zero = array_ops.zeros([], dtype=dist.dtype)
    edges = math_ops.linspace(zero, 1.0, quadrature_size + 3)[1:-1]
    ones = array_ops.ones([batch_ndims], dtype=dtypes.int32)
    edges = array_ops.reshape(edges, shape=array_ops.concat([[-1], ones], axis=0))
    quantiles = dist.quantile(edges)
    if transform is not None:
        quantiles = transform(quantiles)
    order = array_ops.concat([math_ops.range(1, 1 + batch_ndims), [0]], axis=0)
    return array_ops.transpose(quantiles, order)


def batch_ndims_of(dist: Any) -> Any:
    """How many batch dimensions a distribution has: a number if it is known."""
    known = dist.batch_shape.ndims
    return array_ops.shape(dist.batch_shape_tensor())[0] if known is None else known


@tf_export("contrib.distributions.quadrature_scheme_lognormal_quantiles")
@moved(_MODULE, _LIBRARY)
def quadrature_scheme_lognormal_quantiles(
    loc: TensorLike,
    scale: TensorLike,
    quadrature_size: int,
    validate_args: bool = False,
    name: Name = None,
) -> tuple[Any, Any]:
    """Points between the quantiles of log-normal distributions, of equal weights.

    Args:
      loc: float tensor, the means of the logarithms.
      scale: float tensor, their standard deviations.
      quadrature_size: how many points.
      validate_args: see `Distribution`.
      name: scope of the ops.

    Returns:
      The points [..., quadrature_size] and the probabilities [quadrature_size].
    """
    with ops.name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        dist = TransformedDistribution(
            normal.Normal(loc=loc, scale=scale), Exp(), validate_args=validate_args
        )
        quantiles = midpoints(dist, batch_ndims_of(dist), quadrature_size)
        grid = (quantiles[..., :-1] + quantiles[..., 1:]) / 2.0
        grid.set_shape(dist.batch_shape.concatenate([quadrature_size]))
        probability = 1.0 / math_ops.cast(quadrature_size, dist.dtype)
        return grid, array_ops.fill(dims=[quadrature_size], value=probability)


@tf_export("contrib.distributions.PoissonLogNormalQuadratureCompound")
class PoissonLogNormalQuadratureCompound(distribution.Distribution):
    """A Poisson distribution whose rate is log-normal, by a mixture over points of the latter."""

    mixture_distribution = parameter("mixture_distribution", "Chooses a point.")
    distribution = parameter("distribution", "The Poisson distributions at the points.")
    loc = parameter("loc", "The mean of the logarithm of the rate.")
    scale = parameter("scale", "Its standard deviation.")
    quadrature_size = parameter("quadrature_size", "How many points there are.")

    @moved(_MODULE, _LIBRARY)
    def __init__(
        self,
        loc: TensorLike | None,
        scale: TensorLike | None,
        quadrature_size: int = 8,
        quadrature_fn: Any = quadrature_scheme_lognormal_quantiles,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "PoissonLogNormalQuadratureCompound",
    ) -> None:
        """A batch of distributions.

        Args:
          loc: float tensor, the means of the logarithm of the rate.
          scale: float tensor, its standard deviations.
          quadrature_size: how many points.
          quadrature_fn: (loc, scale, size, validate_args) -> points and probabilities.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: points and probabilities are of different dtypes.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, scale]) as name:
            if loc is not None:
                loc = ops.convert_to_tensor(loc, name="loc")
            if scale is not None:
                dtype = None if loc is None else loc.dtype
                scale = ops.convert_to_tensor(scale, dtype=dtype, name="scale")
            grid, probs = quadrature_fn(loc, scale, quadrature_size, validate_args)
            if grid.dtype.base_dtype != probs.dtype.base_dtype:
                raise TypeError(
                    f"Quadrature grid dtype ({grid.dtype.name}) does not match quadrature "
                    f"probs dtype ({probs.dtype.name})."
                )
            kept = {"validate_args": validate_args, "allow_nan_stats": allow_nan_stats}
            self._distribution = poisson.Poisson(log_rate=grid, **kept)
            self._mixture_distribution = categorical.Categorical(logits=math_ops.log(probs), **kept)
            self._loc, self._scale, self._quadrature_size = loc, scale, quadrature_size
            super().__init__(
                grid.dtype,
                distribution.NOT_REPARAMETERIZED,
                validate_args,
                allow_nan_stats,
                parameters,
                [loc, scale],
                name,
            )

    def _batch_shape_tensor(self) -> Any:
        own = self.distribution.batch_shape_tensor()
        both = own, array_ops.shape(self.mixture_distribution.logits)
        return array_ops.broadcast_dynamic_shape(*both)[:-1]

    def _batch_shape(self) -> Any:
        both = self.distribution.batch_shape, self.mixture_distribution.logits.shape
        return array_ops.broadcast_static_shape(*both)[:-1]

    def _event_shape(self) -> Any:
        return TensorShape([])

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        size = self.batch_shape.num_elements()
        if size is None:
            size = math_ops.reduce_prod(self.batch_shape_tensor())
        nothing = np.array([], np.int32)
        scalar = self.mixture_distribution.is_scalar_batch()
        shape = concat_vectors([n], util.pick_vector(scalar, [size], nothing))
        salt = "poisson_lognormal_quadrature_compound"
        points = self.mixture_distribution.sample(shape, seed=util.gen_new_seed(seed, salt))
        rest = util.pick_vector(self.is_scalar_batch(), nothing, np.array([-1], np.int32))
        points = array_ops.reshape(points, shape=concat_vectors([n], rest))
        points += math_ops.range(
            start=0,
            limit=size * self._quadrature_size,
            delta=self._quadrature_size,
            dtype=points.dtype,
        )
        rates = array_ops.reshape(self.distribution.rate, shape=[-1])
        rate = array_ops.gather(rates, points)
        rate = array_ops.reshape(rate, shape=concat_vectors([n], self.batch_shape_tensor()))
        return random_ops.random_poisson(lam=rate, shape=[], dtype=self.dtype, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        values = self.distribution.log_prob(x[..., None])
        return math_ops.reduce_logsumexp(self.mixture_distribution.logits + values, axis=-1)

    def _mean(self) -> Any:
        logs = self.mixture_distribution.logits + self.distribution.log_rate
        return math_ops.exp(math_ops.reduce_logsumexp(logs, axis=-1))

    def _variance(self) -> Any:
        return math_ops.exp(self._log_variance())

    def _stddev(self) -> Any:
        return math_ops.exp(0.5 * self._log_variance())

    def _log_variance(self) -> Any:
        # Within the points the variance is the rate; between them it is of the rates.
        mean = self.distribution.mean()
        between = math_ops.log(math_ops.abs(mean - self._mean()[..., None]))
        both = array_ops.stack([self.distribution.log_rate, 2.0 * between], axis=-1)
        logs = self.mixture_distribution.logits[..., None] + both
        return math_ops.reduce_logsumexp(logs, axis=[-2, -1])
