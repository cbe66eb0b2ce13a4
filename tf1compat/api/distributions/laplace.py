"""`tf.distributions.Laplace`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.distributions import special_math
from tf1compat.api.distributions.location_scale import LocationScale, constructor
from tf1compat.api.distributions.moved import replaced
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Laplace")
class Laplace(LocationScale):
    """The Laplace distribution about `loc`, of density `exp(-|x - loc| / scale) / (2 scale)`."""

    loc = parameter("loc", "The mean.")
    scale = parameter("scale", "The width.")

    __init__ = constructor("Laplace", "Laplace distributions", ("means", "widths"), "laplace")

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        number = self.dtype.as_numpy_dtype
        # From just above -1, where the logarithm below would be infinite.
        uniform = random_ops.random_uniform(
            shape=self._shape_of_draws(n),
            minval=np.nextafter(number(-1.0), number(0.0)),
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        side = self.scale * math_ops.sign(uniform)
        return self.loc - side * math_ops.log1p(-math_ops.abs(uniform))

    def _log_prob(self, x: TensorLike) -> Any:
        return -math_ops.abs(self._z(x)) - (math.log(2.0) + math_ops.log(self.scale))

    def _prob(self, x: TensorLike) -> Any:
        return math_ops.exp(self._log_prob(x))

    def _log_cdf(self, x: TensorLike) -> Any:
        return special_math.log_cdf_laplace(self._z(x))

    def _log_survival_function(self, x: TensorLike) -> Any:
        return special_math.log_cdf_laplace(-self._z(x))

    def _cdf(self, x: TensorLike) -> Any:
        z = self._z(x)
        return 0.5 + 0.5 * math_ops.sign(z) * (1.0 - math_ops.exp(-math_ops.abs(z)))

    def _entropy(self) -> Any:
        scale = self.scale + array_ops.zeros_like(self.loc)
        return math.log(2.0) + 1.0 + math_ops.log(scale)

    def _mean(self) -> Any:
        return self.loc + array_ops.zeros_like(self.scale)

    def _median(self) -> Any:
        return self._mean()

    def _mode(self) -> Any:
        return self._mean()

    def _stddev(self) -> Any:
        return math.sqrt(2.0) * self.scale + array_ops.zeros_like(self.loc)

    def _z(self, x: TensorLike) -> Any:
        return (x - self.loc) / self.scale


class LaplaceWithSoftplusScale(Laplace):
    """A Laplace distribution whose width is the softplus of `scale`."""

    @replaced("laplace", "Use `tfd.Laplace(loc, tf.nn.softplus(scale)) instead.")
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "LaplaceWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, scale]) as name:
            positive = nn_ops.softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters
