"""`tf.distributions.Normal`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distributions import special_math
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.location_scale import LocationScale, constructor
from tf1compat.api.distributions.moved import replaced
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Normal")
class Normal(LocationScale):
    """The normal distribution of mean `loc` and standard deviation `scale`."""

    loc = parameter("loc", "The mean.")
    scale = parameter("scale", "The standard deviation.")

    __init__ = constructor(
        "Normal", "normal distributions", ("means", "standard deviations"), "normal"
    )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        return self._at(random_ops.random_normal(shape, dtype=self.loc.dtype, seed=seed))

    def _log_prob(self, x: TensorLike) -> Any:
        exponent = -0.5 * math_ops.square(self._z(x))
        return exponent - (0.5 * math.log(2.0 * math.pi) + math_ops.log(self.scale))

    def _log_cdf(self, x: TensorLike) -> Any:
        return special_math.log_ndtr(self._z(x))

    def _cdf(self, x: TensorLike) -> Any:
        return special_math.ndtr(self._z(x))

    def _log_survival_function(self, x: TensorLike) -> Any:
        return special_math.log_ndtr(-self._z(x))

    def _survival_function(self, x: TensorLike) -> Any:
        return special_math.ndtr(-self._z(x))

    def _entropy(self) -> Any:
        return 0.5 * math.log(2.0 * math.pi * math.e) + math_ops.log(self._batch_scale())

    def _mean(self) -> Any:
        return self._batch_loc()

    def _mode(self) -> Any:
        return self._mean()

    def _stddev(self) -> Any:
        return self._batch_scale()

    def _quantile(self, p: Any) -> Any:
        return self._inv_z(special_math.ndtri(p))

    def _inv_z(self, z: TensorLike) -> Any:
        with ops.name_scope("reconstruct", values=[z]):
            return self._at(z)


class NormalWithSoftplusScale(Normal):
    """A normal distribution whose standard deviation is the softplus of `scale`."""

    @replaced("normal", "Use `tfd.Normal(loc, tf.nn.softplus(scale)) instead.")
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "NormalWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[scale]) as name:
            positive = nn_ops.softplus(scale, name="softplus_scale")
            super().__init__(loc, positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@registers_kl(Normal, Normal)
def _kl_normal_normal(n_a: Normal, n_b: Normal, name: str | None = None) -> Any:
    with ops.name_scope(name, "kl_normal_normal", [n_a.loc, n_b.loc]):
        one, two, half = (constant_op.constant(x, dtype=n_a.dtype) for x in (1, 2, 0.5))
        variance_a, variance_b = math_ops.square(n_a.scale), math_ops.square(n_b.scale)
        ratio = variance_a / variance_b
        distance = math_ops.squared_difference(n_a.loc, n_b.loc) / (two * variance_b)
        return distance + half * (ratio - one - math_ops.log(ratio))
