"""`tf.contrib.distributions.Poisson`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import ScalarEvent, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_value_note = util.AppendDocstring("`x` is whole and not negative, which is checked if asked for.")


@tf_export("contrib.distributions.Poisson")
class Poisson(ScalarEvent):
    """The Poisson distribution of how many independent events there are."""

    rate = parameter("rate", "The mean.")
    log_rate = parameter("log_rate", "The logarithm of the mean.")

    @moved("poisson", "tf.contrib.distributions")
    def __init__(
        self,
        rate: TensorLike | None = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Poisson",
    ) -> None:
        """A batch of Poisson distributions, of means or of their logarithms.

        Args:
          rate: positive float tensor, the means, or None.
          log_rate: float tensor, their logarithms, or None.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
          TypeError: what is given is not of a float dtype.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            given = "log_rate" if rate is None else "rate"
            value = ops.convert_to_tensor(log_rate if rate is None else rate, name=given)
            if not value.dtype.is_floating:
                raise TypeError(f"{given}.dtype ({value.dtype.name}) is a not a float-type.")
            if rate is None:
                self._rate = math_ops.exp(value, name="rate")
                self._log_rate = value
            else:
                checks = [check_ops.assert_positive(value)] if validate_args else []
                with ops.control_dependencies(checks):
                    self._rate = array_ops.identity(value, name="rate")
                    self._log_rate = math_ops.log(value, name="log_rate")
        super().__init__(
            self._rate.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._rate],
            name,
        )

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.rate)

    def _batch_shape(self) -> Any:
        return self.rate.shape

    def _checked(self, x: TensorLike) -> Any:
        return util.embed_check_nonnegative_integer_form(x) if self.validate_args else x

    @_value_note
    def _log_prob(self, x: Any) -> Any:
        x = self._checked(x)
        return x * self.log_rate - math_ops.lgamma(1.0 + x) - self.rate

    @_value_note
    def _log_cdf(self, x: TensorLike) -> Any:
        return math_ops.log(self.cdf(x))

    @_value_note
    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.igammac(1.0 + self._checked(x), self.rate)

    def _mean(self) -> Any:
        return array_ops.identity(self.rate)

    def _variance(self) -> Any:
        return array_ops.identity(self.rate)

    @util.AppendDocstring("Where `rate` is whole there are two modes, of which this is the larger.")
    def _mode(self) -> Any:
        return math_ops.floor(self.rate)

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        return random_ops.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)
