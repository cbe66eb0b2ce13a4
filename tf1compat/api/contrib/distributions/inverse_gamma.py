"""`tf.contrib.distributions.InverseGamma`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.InverseGamma")
class InverseGamma(Broadcasting):
    """The distribution of the inverses of gamma draws."""

    _broadcast = _positive = ("concentration", "rate")
    concentration = parameter("concentration", "The shape parameter.")
    rate = parameter("rate", "The scale of the draws.")

    @moved("inverse_gamma", "tf.contrib.distributions")
    def __init__(
        self,
        concentration: TensorLike,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "InverseGamma",
    ) -> None:
        """A batch of inverse gamma distributions.

        Args:
          concentration: positive float tensor.
          rate: positive float tensor that broadcasts with it.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: whether a mean or variance that is undefined is NaN, or an error.
          name: scope of the ops.

        Raises:
          TypeError: the two are of different dtypes.
        """
        self._set_up(dict(locals()), distribution.NOT_REPARAMETERIZED)

    @util.AppendDocstring("See `tf.random.gamma` for how the draws are made.")
    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        draws = random_ops.random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed
        )
        return 1.0 / draws

    def _checked(self, x: TensorLike) -> Any:
        check_ops.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        if not self.validate_args:
            return x
        return control_flow_ops.with_dependencies([check_ops.assert_positive(x)], x)

    def _log_prob(self, x: TensorLike) -> Any:
        x = self._checked(x)
        log_density = -(1.0 + self.concentration) * math_ops.log(x) - self.rate / x
        log_gamma = math_ops.lgamma(self.concentration)
        return log_density - (log_gamma - self.concentration * math_ops.log(self.rate))

    def _cdf(self, x: TensorLike) -> Any:
        x = self._checked(x)
        return math_ops.igammac(self.concentration, self.rate / x)

    def _entropy(self) -> Any:
        a = self.concentration
        h = a + math_ops.log(self.rate) + math_ops.lgamma(a)
        return h - (1.0 + a) * math_ops.digamma(a)

    @util.AppendDocstring("The mean is only defined where `concentration > 1`.")
    def _mean(self) -> Any:
        mean = self.rate / (self.concentration - 1.0)
        return self._if_above(1.0, mean, "mean")

    @util.AppendDocstring("The variance is only defined where `concentration > 2`.")
    def _variance(self) -> Any:
        square = math_ops.square(self.rate)
        spread = math_ops.squared_difference(self.concentration, 1.0)
        variance = square / spread / (self.concentration - 2.0)
        return self._if_above(2.0, variance, "variance")

    def _if_above(self, least: float, value: TensorLike, what: str) -> Any:
        """A statistic that is only defined where the concentration is above a number."""
        if self.allow_nan_stats:
            nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype())
            nans = array_ops.fill(self.batch_shape_tensor(), nan, name="nan")
            return array_ops.where_v2(self.concentration > least, value, nans)
        bound = (
            array_ops.ones([], self.dtype)
            if least == 1.0
            else constant_op.constant(least, dtype=self.dtype)
        )
        text = f"{what} undefined when any concentration <= {int(least)}"
        check = check_ops.assert_less(bound, self.concentration, message=text)
        return control_flow_ops.with_dependencies([check], value)

    @util.AppendDocstring("The mode is `rate / (concentration + 1)`.")
    def _mode(self) -> Any:
        return self.rate / (1.0 + self.concentration)


@tf_export("contrib.distributions.InverseGammaWithSoftplusConcentrationRate")
class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """An inverse gamma distribution of the softplus of `concentration` and `rate`.

    Args:
      concentration, rate, validate_args, allow_nan_stats, name: as in `InverseGamma`.
    """

    @moved("inverse_gamma", "tf.contrib.distributions")
    def __init__(
        self,
        concentration: TensorLike,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration, rate]) as name:
            super().__init__(
                nn_ops.softplus(concentration, name="softplus_concentration"),
                nn_ops.softplus(rate, name="softplus_rate"),
                validate_args,
                allow_nan_stats,
                name,
            )
        self._parameters = parameters
