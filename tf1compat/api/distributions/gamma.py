"""`tf.distributions.Gamma`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved, replaced
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Gamma")
class Gamma(Broadcasting):
    """The Gamma distribution of shape `concentration` and inverse scale `rate`."""

    _broadcast = _positive = ("concentration", "rate")
    concentration = parameter("concentration", "The shape parameter, alpha.")
    rate = parameter("rate", "The inverse scale, beta.")

    @moved("gamma")
    def __init__(
        self,
        concentration: TensorLike,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Gamma",
    ) -> None:
        """A batch of Gamma distributions.

        Args:
          concentration: positive float tensor.
          rate: positive float tensor that broadcasts with it.
          validate_args: whether parameters and samples are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the parameters are of different dtypes.
        """
        self._set_up(dict(locals()))

    @util.AppendDocstring("See `tf.random.gamma` for how the samples are drawn.")
    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        return random_ops.random_gamma(
            shape=[n], alpha=self.concentration, beta=self.rate, dtype=self.dtype, seed=seed
        )

    def _log_prob(self, x: TensorLike) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: TensorLike) -> Any:
        x = self._checked_sample(x)
        return math_ops.xlogy(self.concentration - 1.0, x) - self.rate * x

    def _log_normalization(self) -> Any:
        log_gamma = math_ops.lgamma(self.concentration)
        return log_gamma - self.concentration * math_ops.log(self.rate)

    def _cdf(self, x: TensorLike) -> Any:
        x = self._checked_sample(x)
        return math_ops.igamma(self.concentration, self.rate * x)

    def _entropy(self) -> Any:
        alpha = self.concentration
        rest = alpha - math_ops.log(self.rate) + math_ops.lgamma(alpha)
        return rest + (1.0 - alpha) * math_ops.digamma(alpha)

    def _mean(self) -> Any:
        return self.concentration / self.rate

    def _variance(self) -> Any:
        return self.concentration / math_ops.square(self.rate)

    def _stddev(self) -> Any:
        return math_ops.sqrt(self.concentration) / self.rate

    @util.AppendDocstring("The mode is defined where `concentration > 1`.")
    def _mode(self) -> Any:
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            nan = array_ops.fill(
                self.batch_shape_tensor(), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan"
            )
            return array_ops.where_v2(self.concentration > 1.0, mode, nan)
        check = check_ops.assert_less(
            array_ops.ones([], self.dtype),
            self.concentration,
            message="mode not defined when any concentration <= 1",
        )
        return control_flow_ops.with_dependencies([check], mode)

    def _checked_sample(self, x: TensorLike) -> Any:
        check_ops.assert_same_float_dtype(tensors=[x], dtype=self.dtype)
        if not self.validate_args:
            return x
        return control_flow_ops.with_dependencies([check_ops.assert_positive(x)], x)


class GammaWithSoftplusConcentrationRate(Gamma):
    """A Gamma distribution of the softplus of both parameters."""

    @replaced(
        "gamma",
        "Use `tfd.Gamma(tf.nn.softplus(concentration), tf.nn.softplus(rate))` instead.",
    )
    def __init__(
        self,
        concentration: TensorLike,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration, rate]) as name:
            alpha = nn_ops.softplus(concentration, name="softplus_concentration")
            beta = nn_ops.softplus(rate, name="softplus_rate")
            super().__init__(alpha, beta, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@registers_kl(Gamma, Gamma)
def _kl_gamma_gamma(g0: Gamma, g1: Gamma, name: str | None = None) -> Any:
    a0, b0, a1, b1 = g0.concentration, g0.rate, g1.concentration, g1.rate
    with ops.name_scope(name, "kl_gamma_gamma", values=[a0, b0, a1, b1]):
        gammas = (a0 - a1) * math_ops.digamma(a0) + math_ops.lgamma(a1) - math_ops.lgamma(a0)
        rates = gammas + a1 * math_ops.log(b0) - a1 * math_ops.log(b1)
        return rates + a0 * (b1 / b0 - 1.0)
