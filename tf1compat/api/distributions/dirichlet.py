"""`tf.distributions.Dirichlet`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.vector import outer
from tf1compat.api.math import math_ops, special_math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_value_note = util.AppendDocstring("`x` is positive, and its last dimension sums to 1.")


class Concentrated(distribution.Distribution):
    """A distribution over vectors with a `concentration` for each of their elements."""

    concentration = parameter("concentration", "The concentrations, in the last dimension.")
    total_concentration = parameter("total_concentration", "Their sum.")

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.total_concentration)

    def _batch_shape(self) -> Any:
        return self.total_concentration.get_shape()

    def _event_shape_tensor(self) -> Any:
        return array_ops.shape(self.concentration)[-1:]

    def _event_shape(self) -> Any:
        return self.concentration.get_shape().with_rank_at_least(1)[-1:]

    def _variance_scale_term(self) -> Any:
        raise NotImplementedError

    def _covariance(self) -> Any:
        x = self._variance_scale_term() * self._mean()
        return array_ops.matrix_set_diag(-outer(x, x), self._variance())


@tf_export("distributions.Dirichlet")
class Dirichlet(Concentrated):
    """The Dirichlet distribution over vectors of positive numbers that sum to 1."""

    @moved("dirichlet")
    def __init__(
        self,
        concentration: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Dirichlet",
    ) -> None:
        """A batch of Dirichlet distributions.

        Args:
          concentration: positive float tensor of at least one dimension, the last of which is that
            of the vectors.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[concentration]) as name:
            alpha = ops.convert_to_tensor(concentration, name="concentration")
            self._concentration = _checked_concentration(alpha) if validate_args else alpha
            self._total_concentration = math_ops.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._concentration, self._total_concentration],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        gamma = random_ops.random_gamma(
            shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed
        )
        return gamma / math_ops.reduce_sum(gamma, -1, keepdims=True)

    @_value_note
    def _log_prob(self, x: TensorLike) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    @_value_note
    def _prob(self, x: TensorLike) -> Any:
        return math_ops.exp(self._log_prob(x))

    def _log_unnormalized_prob(self, x: TensorLike) -> Any:
        x = self._checked_sample(x)
        return math_ops.reduce_sum(math_ops.xlogy(self.concentration - 1.0, x), -1)

    def _checked_sample(self, x: TensorLike) -> Any:
        if not self.validate_args:
            return x
        checks = [check_ops.assert_positive(x, message="samples must be positive")]
        one, total = array_ops.ones([], dtype=self.dtype), math_ops.reduce_sum(x, -1)
        text = "sample last-dimension must sum to `1`"
        checks.append(check_ops.assert_near(one, total, message=text))
        return control_flow_ops.with_dependencies(checks, x)

    def _log_normalization(self) -> Any:
        return special_math_ops.lbeta(self.concentration)

    def _entropy(self) -> Any:
        k = math_ops.cast(self.event_shape_tensor()[0], self.dtype)
        total, alpha = self.total_concentration, self.concentration
        rest = self._log_normalization() + (total - k) * math_ops.digamma(total)
        return rest - math_ops.reduce_sum((alpha - 1.0) * math_ops.digamma(alpha), axis=-1)

    def _mean(self) -> Any:
        return self.concentration / self.total_concentration[..., array_ops.newaxis]

    def _variance(self) -> Any:
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (scale - x)

    def _variance_scale_term(self) -> Any:
        return math_ops.rsqrt(1.0 + self.total_concentration[..., array_ops.newaxis])

    @util.AppendDocstring("The mode is defined where every concentration is above 1.")
    def _mode(self) -> Any:
        k = math_ops.cast(self.event_shape_tensor()[0], self.dtype)
        above = self.concentration - 1.0
        mode = above / (self.total_concentration[..., array_ops.newaxis] - k)
        if self.allow_nan_stats:
            nan = np.array(np.nan, self.dtype.as_numpy_dtype)
            nans = array_ops.fill(array_ops.shape(mode), nan, name="nan")
            is_defined = math_ops.reduce_all(self.concentration > 1.0, axis=-1)
            return array_ops.where_v2(is_defined, mode, nans)
        check = check_ops.assert_less(
            array_ops.ones([], self.dtype),
            self.concentration,
            message="Mode undefined when any concentration <= 1",
        )
        return control_flow_ops.with_dependencies([check], mode)


def _checked_concentration(concentration: TensorLike) -> Any:
    parameter_text = "Concentration parameter must"
    checks = [
        check_ops.assert_positive(concentration, message=f"{parameter_text} be positive."),
        check_ops.assert_rank_at_least(
            concentration, 1, message=f"{parameter_text} have >=1 dimensions."
        ),
        check_ops.assert_less(
            1,
            array_ops.shape(concentration)[-1],
            message=f"{parameter_text} have event_size >= 2.",
        ),
    ]
    return control_flow_ops.with_dependencies(checks, concentration)


@registers_kl(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(d1: Dirichlet, d2: Dirichlet, name: str | None = None) -> Any:
    a, b = d1.concentration, d2.concentration
    with ops.name_scope(name, "kl_dirichlet_dirichlet", values=[a, b]):
        # The expectation of log(x) under the first is the difference of two digammas.
        psi_total = math_ops.digamma(math_ops.reduce_sum(a, axis=-1, keepdims=True))
        expected_log = math_ops.digamma(a) - psi_total
        difference = math_ops.reduce_sum((a - b) * expected_log, axis=-1)
        return difference - special_math_ops.lbeta(a) + special_math_ops.lbeta(b)
