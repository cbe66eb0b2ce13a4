"""`tf.contrib.distributions.Kumaraswamy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import bijectors, distribution_util
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, uniform, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.api.math import math_ops, special_math_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("contrib.distributions.Kumaraswamy")
class Kumaraswamy(TransformedDistribution):
    """Kumaraswamy's distribution over (0, 1): a beta distribution's like, with a simple cdf."""

    @moved("kumaraswamy", "tf.contrib.distributions")
    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Kumaraswamy",
    ) -> None:
        """A batch of Kumaraswamy distributions.

        Args:
          concentration1: positive float tensor: the larger, the nearer to 1 are the draws.
          concentration0: positive float tensor: the larger, the nearer to 0.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: whether a mode that is undefined is NaN, or an error.
          name: scope of the ops.
        """
        with ops.name_scope(name, values=[concentration1, concentration0]) as name:
            a = ops.convert_to_tensor(concentration1, name="concentration1")
            b = ops.convert_to_tensor(concentration0, name="concentration0")
        super().__init__(
            distribution=uniform.Uniform(
                low=array_ops.zeros([], dtype=a.dtype),
                high=array_ops.ones([], dtype=a.dtype),
                allow_nan_stats=allow_nan_stats,
            ),
            bijector=bijectors.Kumaraswamy(a, b, validate_args),
            batch_shape=distribution_util.get_broadcast_shape(a, b),
            name=name,
        )
        self._reparameterization_type = distribution.FULLY_REPARAMETERIZED

    concentration1 = attribute("bijector.concentration1", "The exponent of the value.")
    concentration0 = attribute(
        "bijector.concentration0", "The exponent of 1 - value ** concentration1."
    )

    def _entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        rest_of_a, rest_of_b = 1 - 1.0 / a, 1 - 1.0 / b
        terms = rest_of_a + rest_of_b * _harmonic_number(b)
        return terms + math_ops.log(a) + math_ops.log(b)

    def _moment(self, n: int) -> Any:
        """The mean of the n-th power."""
        both = self.concentration1 + self.concentration0
        a = array_ops.ones_like(both, dtype=self.dtype) * self.concentration1
        b = array_ops.ones_like(both, dtype=self.dtype) * self.concentration0
        arguments = array_ops.stack([1 + n / a, b], -1)
        return math_ops.exp(math_ops.log(b) + special_math_ops.lbeta(arguments))

    def _mean(self) -> Any:
        return self._moment(1)

    def _variance(self) -> Any:
        return self._moment(2) - math_ops.square(self._moment(1))

    @util.AppendDocstring("The mode is only defined where both concentrations are above 1.")
    def _mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        mode = ((a - 1) / (a * b - 1)) ** (1.0 / a)
        if self.allow_nan_stats:
            nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            nans = array_ops.fill(self.batch_shape_tensor(), nan, name="nan")
            return array_ops.where_v2((a > 1.0) & (b > 1.0), mode, nans)
        checks = []
        for name, value in (("concentration1", a), ("concentration0", b)):
            one = array_ops.ones([], dtype=value.dtype)
            text = f"Mode undefined for {name} <= 1."
            checks.append(check_ops.assert_less(one, value, message=text))
        return control_flow_ops.with_dependencies(checks, mode)


def _harmonic_number(x: Any) -> Any:
    one = array_ops.ones([], dtype=x.dtype)
    return math_ops.digamma(x + one) - math_ops.digamma(one)
