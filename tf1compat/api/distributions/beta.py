"""`tf.distributions.Beta`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved, replaced
from tf1compat.api.distributions.scalar import ScalarEvent, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_value_note = util.AppendDocstring("`x` is in [0, 1], and broadcasts with the batch shape.")


@tf_export("distributions.Beta")
class Beta(ScalarEvent):
    """The Beta distribution, of density `x**(c1 - 1) (1 - x)**(c0 - 1) / B(c1, c0)` on [0, 1]."""

    concentration1 = parameter("concentration1", "The concentration of a success, alpha.")
    concentration0 = parameter("concentration0", "The concentration of a failure, beta.")
    total_concentration = parameter("total_concentration", "The sum of the two.")

    @moved("beta")
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Beta",
    ) -> None:
        """A batch of Beta distributions.

        Args:
          concentration1: positive float tensor.
          concentration0: positive float tensor that broadcasts with it.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1 = _checked_concentration(
                ops.convert_to_tensor(concentration1, name="concentration1"), validate_args
            )
            self._concentration0 = _checked_concentration(
                ops.convert_to_tensor(concentration0, name="concentration0"), validate_args
            )
            check_ops.assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        super().__init__(
            self._total_concentration.dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._concentration1, self._concentration0, self._total_concentration],
            name,
        )

    @staticmethod
    def _param_shapes(sample_shape: TensorLike) -> Any:
        shape = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)
        return {"concentration1": shape, "concentration0": shape}

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.total_concentration)

    def _batch_shape(self) -> Any:
        return self.total_concentration.get_shape()

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        alphas = [
            array_ops.ones_like(self.total_concentration, dtype=self.dtype) * concentration
            for concentration in (self.concentration1, self.concentration0)
        ]
        seeds = (seed, util.gen_new_seed(seed, "beta"))
        success, failure = (
            random_ops.random_gamma(shape=[n], alpha=alpha, dtype=self.dtype, seed=s)
            for alpha, s in zip(alphas, seeds, strict=True)
        )
        return success / (success + failure)

    @_value_note
    def _log_prob(self, x: TensorLike) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    @_value_note
    def _prob(self, x: TensorLike) -> Any:
        return math_ops.exp(self._log_prob(x))

    @_value_note
    def _log_cdf(self, x: TensorLike) -> Any:
        return math_ops.log(self._cdf(x))

    @_value_note
    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x: Any) -> Any:
        if self.validate_args:
            positive = check_ops.assert_positive(x, message="sample must be positive")
            one = array_ops.ones([], self.dtype)
            text = "sample must be less than `1`."
            below_one = check_ops.assert_less(x, one, message=text)
            x = control_flow_ops.with_dependencies([positive, below_one], x)
        success = math_ops.xlogy(self.concentration1 - 1.0, x)
        return success + (self.concentration0 - 1.0) * math_ops.log1p(-x)

    def _log_normalization(self) -> Any:
        parts = math_ops.lgamma(self.concentration1) + math_ops.lgamma(self.concentration0)
        return parts - math_ops.lgamma(self.total_concentration)

    def _entropy(self) -> Any:
        c1, c0, total = self.concentration1, self.concentration0, self.total_concentration
        rest = self._log_normalization() - (c1 - 1.0) * math_ops.digamma(c1)
        rest -= (c0 - 1.0) * math_ops.digamma(c0)
        return rest + (total - 2.0) * math_ops.digamma(total)

    def _mean(self) -> Any:
        return self._concentration1 / self._total_concentration

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    @util.AppendDocstring("The mode is defined where both concentrations are above 1.")
    def _mode(self) -> Any:
        c1, c0 = self.concentration1, self.concentration0
        mode = (c1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            nan = array_ops.fill(
                self.batch_shape_tensor(), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan"
            )
            return array_ops.where_v2(math_ops.logical_and(c1 > 1.0, c0 > 1.0), mode, nan)
        checks = [
            check_ops.assert_less(
                array_ops.ones([], dtype=self.dtype),
                concentration,
                message=f"Mode undefined for {name} <= 1.",
            )
            for name, concentration in (("concentration1", c1), ("concentration0", c0))
        ]
        return control_flow_ops.with_dependencies(checks, mode)


def _checked_concentration(concentration: TensorLike, validate_args: bool) -> Any:
    if not validate_args:
        return concentration
    text = "Concentration parameter must be positive."
    check = check_ops.assert_positive(concentration, message=text)
    return control_flow_ops.with_dependencies([check], concentration)


class BetaWithSoftplusConcentration(Beta):
    """A Beta distribution of the softplus of both concentrations."""

    @replaced(
        "beta",
        "Use `tfd.Beta(tf.nn.softplus(concentration1), tf.nn.softplus(concentration2))` instead.",
    )
    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "BetaWithSoftplusConcentration",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration1, concentration0]) as name:
            c1 = nn_ops.softplus(concentration1, name="softplus_concentration1")
            c0 = nn_ops.softplus(concentration0, name="softplus_concentration0")
            super().__init__(c1, c0, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@registers_kl(Beta, Beta)
def _kl_beta_beta(d1: Beta, d2: Beta, name: str | None = None) -> Any:
    names = ("concentration1", "concentration0", "total_concentration")
    values = [getattr(d, n) for d in (d1, d2) for n in names]
    with ops.name_scope(name, "kl_beta_beta", values=values):
        # TF takes the second normalisation before the first.
        from_second = d2._log_normalization()
        kl = from_second - d1._log_normalization()
        for n in names[:2]:
            psi = math_ops.digamma(getattr(d1, n))
            kl -= psi * (getattr(d2, n) - getattr(d1, n))
        psi = math_ops.digamma(d1.total_concentration)
        return kl + psi * (d2.total_concentration - d1.total_concentration)
