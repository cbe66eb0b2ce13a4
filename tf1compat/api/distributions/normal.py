"""`tf.distributions.Normal`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution, special_math
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved, replaced
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("distributions.Normal")
class Normal(Broadcasting):
    """The normal distribution of mean `loc` and standard deviation `scale`."""

    _broadcast = ("loc", "scale")
    loc = parameter("loc", "The mean.")
    scale = parameter("scale", "The standard deviation.")

    @moved("normal")
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "Normal",
    ) -> None:
        """A batch of normal distributions.

        Args:
          loc: float tensor, the means.
          scale: float tensor that broadcasts with `loc`, the positive standard deviations.
          validate_args: whether `scale` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: `loc` and `scale` are of different dtypes.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, scale]) as name:
            checks = [check_ops.assert_positive(scale)] if validate_args else []
            with ops.control_dependencies(checks):
                self._loc = array_ops.identity(loc, name="loc")
                self._scale = array_ops.identity(scale, name="scale")
                check_ops.assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            self._scale.dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._loc, self._scale],
            name,
        )

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = self._shape_of_draws(n)
        standard = random_ops.random_normal(shape, dtype=self.loc.dtype, seed=seed)
        return standard * self.scale + self.loc

    def _log_prob(self, x: Any) -> Any:
        exponent = -0.5 * math_ops.square(self._z(x))
        return exponent - (0.5 * math.log(2.0 * math.pi) + math_ops.log(self.scale))

    def _log_cdf(self, x: Any) -> Any:
        return special_math.log_ndtr(self._z(x))

    def _cdf(self, x: Any) -> Any:
        return special_math.ndtr(self._z(x))

    def _log_survival_function(self, x: Any) -> Any:
        return special_math.log_ndtr(-self._z(x))

    def _survival_function(self, x: Any) -> Any:
        return special_math.ndtr(-self._z(x))

    def _entropy(self) -> Any:
        scale = self._stddev()
        return 0.5 * math.log(2.0 * math.pi * math.e) + math_ops.log(scale)

    def _mean(self) -> Any:
        return self.loc * array_ops.ones_like(self.scale)

    def _mode(self) -> Any:
        return self._mean()

    def _stddev(self) -> Any:
        return self.scale * array_ops.ones_like(self.loc)

    def _quantile(self, p: Any) -> Any:
        return self._inv_z(special_math.ndtri(p))

    def _z(self, x: Any) -> Any:
        with ops.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale

    def _inv_z(self, z: Any) -> Any:
        with ops.name_scope("reconstruct", values=[z]):
            return z * self.scale + self.loc


class NormalWithSoftplusScale(Normal):
    """A normal distribution whose standard deviation is the softplus of `scale`."""

    @replaced("normal", "Use `tfd.Normal(loc, tf.nn.softplus(scale)) instead.")
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "NormalWithSoftplusScale",
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
