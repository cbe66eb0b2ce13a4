"""`tf.distributions.Uniform`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Uniform")
class Uniform(Broadcasting):
    """The uniform distribution over `[low, high)`."""

    _broadcast = ("low", "high")
    low = parameter("low", "The lower bound, which is included.")
    high = parameter("high", "The upper bound, which is not.")

    @moved("uniform")
    def __init__(
        self,
        low: TensorLike = 0.0,
        high: TensorLike = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Uniform",
    ) -> None:
        """A batch of uniform distributions.

        Args:
          low: float tensor, the lower bounds.
          high: float tensor that broadcasts with `low`, the upper bounds.
          validate_args: whether `low < high` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: the bounds are of different dtypes.
          InvalidArgumentError: the check fails.
        """
        self._set_up(dict(locals()))

    def _checks(self, given: dict[str, Any]) -> list[Any]:
        text = "uniform not defined when low >= high."
        return [check_ops.assert_less(given["low"], given["high"], message=text)]

    def range(self, name: str = "range") -> Any:
        """`high - low`."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        standard = random_ops.random_uniform(shape, dtype=self.dtype, seed=seed)
        return self.low + self.range() * standard

    def _prob(self, x: Any) -> Any:
        x = x * array_ops.ones(self.batch_shape_tensor(), dtype=x.dtype)
        is_nan = math_ops.is_nan(x)
        outside = math_ops.logical_or(x < self.low, x >= self.high)
        zeros = array_ops.zeros_like(x)
        inside = array_ops.ones_like(x) / self.range()
        return array_ops.where_v2(is_nan, x, array_ops.where_v2(outside, zeros, inside))

    def _cdf(self, x: TensorLike) -> Any:
        shape = array_ops.broadcast_dynamic_shape(array_ops.shape(x), self.batch_shape_tensor())
        zeros = array_ops.zeros(shape, dtype=self.dtype)
        ones = array_ops.ones(shape, dtype=self.dtype)
        full = x * ones
        below = x < self.low
        within = (full - self.low) / self.range()
        not_above = array_ops.where_v2(below, zeros, within)
        return array_ops.where_v2(x >= self.high, ones, not_above)

    def _entropy(self) -> Any:
        return math_ops.log(self.range())

    def _mean(self) -> Any:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Any:
        return math_ops.square(self.range()) / 12.0

    def _stddev(self) -> Any:
        return self.range() / math.sqrt(12.0)
