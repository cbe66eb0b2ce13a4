"""`tf.contrib.distributions.QuantizedDistribution`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution as base
from tf1compat.api.distributions import util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_prob_note = util.AppendDocstring(
    "A whole number has the mass of the interval of 1 that ends at it; `low` has all below it, "
    "`high` all from `high - 1` on."
)
_cdf_note = util.AppendDocstring("Fractions are rounded down first.")
_Instead = Callable[[Callable[[], Any], Any], Any]  # of a test and a value
_sf_note = util.AppendDocstring("Fractions are rounded up first.")


def _log_difference(big: Any, small: Any) -> Any:
    """log(exp(big) - exp(small))."""
    with ops.name_scope("logsum_expbig_minus_expsmall", values=[small, big]):
        return math_ops.log(1.0 - math_ops.exp(small - big)) + big


@tf_export("contrib.distributions.QuantizedDistribution")
class QuantizedDistribution(base.Distribution):
    """The draws of a distribution rounded up to whole numbers, and cut off at two of them."""

    @moved("quantized_distribution", "tf.contrib.distributions")
    def __init__(
        self,
        distribution: Any,
        low: TensorLike | None = None,
        high: TensorLike | None = None,
        validate_args: bool = False,
        name: Name = "QuantizedDistribution",
    ) -> None:
        """A distribution of whole numbers.

        Args:
          distribution: of scalars.
          low: float tensor of whole numbers, the lowest ones; None for no bound.
          high: float tensor of whole numbers, the highest ones; None for no bound.
          validate_args: whether the bounds and values are checked.
          name: scope of the ops.

        Raises:
          TypeError: bounds and distribution are of different dtypes, or not of floats.
        """
        parameters = dict(locals())
        values = [*distribution.parameters.values(), low, high]
        with ops.name_scope(name, values=values) as name:
            self._dist, self._validate_args = distribution, validate_args
            low = None if low is None else ops.convert_to_tensor(low, name="low")
            high = None if high is None else ops.convert_to_tensor(high, name="high")
            check_ops.assert_same_float_dtype(tensors=[distribution, low, high])
            checks = []
            if validate_args and low is not None and high is not None:
                text = "low must be strictly less than high."
                checks.append(check_ops.assert_less(low, high, message=text))
            with ops.control_dependencies(checks):
                self._low = None if low is None else self._check_integer(low)
                self._high = None if high is None else self._check_integer(high)
        bounds = [bound for bound in (self._low, self._high) if bound is not None]
        super().__init__(
            distribution.dtype,
            base.NOT_REPARAMETERIZED,
            validate_args,
            distribution.allow_nan_stats,
            parameters,
            distribution._graph_parents + bounds,
            name,
        )

    distribution = attribute("_dist", "The distribution that is quantized.")
    low = attribute("_low", "The lowest value, or None.")
    high = attribute("_high", "The highest value, or None.")

    def _batch_shape_tensor(self) -> Any:
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self.distribution.batch_shape

    def _event_shape_tensor(self) -> Any:
        return self.distribution.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self.distribution.event_shape

    def _check_integer(self, value: TensorLike) -> Any:
        with ops.name_scope("check_integer", values=[value]):
            value = ops.convert_to_tensor(value, name="value")
            if not self.validate_args:
                return value
            check = util.assert_integer_form(value, message="value has non-integer components.")
            return control_flow_ops.with_dependencies([check], value)

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        with ops.name_scope("transform"):
            n = ops.convert_to_tensor(n, name="n")
            draws = self.distribution.sample(n, seed=seed)
            ones = array_ops.ones_like(draws)
            whole = math_ops.ceil(draws)
            if self._low is not None:
                whole = array_ops.where(whole < self._low, self._low * ones, whole)
            if self._high is not None:
                whole = array_ops.where(whole > self._high, self._high * ones, whole)
            return whole

    @_prob_note
    def _log_prob(self, y: Any) -> Any:
        y = self._check_integer(y)
        return base.first_implemented(
            lambda: self._log_prob_of_tails(y),
            lambda: _log_difference(self.log_cdf(y), self.log_cdf(y - 1)),
        )

    def _log_prob_of_tails(self, y: TensorLike) -> Any:
        """By that of the two tails which is thin, as its differences are exact."""
        upper = _here_and_before(self.log_survival_function, y)
        lower = _here_and_before(self.log_cdf, y)
        big = array_ops.where(upper[0] < lower[0], upper[1], lower[0])
        small = array_ops.where(upper[0] < lower[0], upper[0], lower[1])
        return _log_difference(big, small)

    @_prob_note
    def _prob(self, y: Any) -> Any:
        y = self._check_integer(y)
        return base.first_implemented(
            lambda: self._prob_of_tails(y), lambda: self.cdf(y) - self.cdf(y - 1)
        )

    def _prob_of_tails(self, y: TensorLike) -> Any:
        sf, sf_before = _here_and_before(self.survival_function, y)
        cdf, cdf_before = _here_and_before(self.cdf, y)
        return array_ops.where(sf < cdf, sf_before - sf, cdf - cdf_before)

    def _within(self, j: Any, value: TensorLike, below: _Instead, above: _Instead) -> Any:
        """`value`, but where j is beyond the bounds."""
        j += array_ops.zeros_like(value)
        if self._low is not None:
            value = below(lambda: j < self._low, value)
        if self._high is not None:
            value = above(lambda: j >= self._high, value)
        return value

    @_cdf_note
    def _log_cdf(self, y: TensorLike) -> Any:
        j = math_ops.floor(y)
        return self._within(j, self.distribution.log_cdf(j), _or_minus_inf, _or_zeros)

    @_cdf_note
    def _cdf(self, y: TensorLike) -> Any:
        j = math_ops.floor(y)
        value = self.distribution.cdf(j)
        return self._within(j, value, _or_zeros, _or_ones)

    @_sf_note
    def _log_survival_function(self, y: TensorLike) -> Any:
        j = math_ops.ceil(y)
        value = self.distribution.log_survival_function(j)
        return self._within(j, value, _or_zeros, _or_minus_inf)

    @_sf_note
    def _survival_function(self, y: TensorLike) -> Any:
        j = math_ops.ceil(y)
        value = self.distribution.survival_function(j)
        return self._within(j, value, _or_ones, _or_zeros)


def _here_and_before(function: Callable[[Any], Any], y: Any) -> tuple[Any, Any]:
    return function(y), function(y - 1)


def _or_zeros(beyond: Callable[[], Any], value: TensorLike) -> Any:
    return array_ops.where(beyond(), array_ops.zeros_like(value), value)


def _or_ones(beyond: Callable[[], Any], value: TensorLike) -> Any:
    return array_ops.where(beyond(), array_ops.ones_like(value), value)


def _or_minus_inf(beyond: Callable[[], Any], value: TensorLike) -> Any:
    minus_inf = -np.inf * array_ops.ones_like(value)
    return array_ops.where(beyond(), minus_inf, value)
