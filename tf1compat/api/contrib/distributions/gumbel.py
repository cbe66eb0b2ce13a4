"""Gumbel's distribution, that of the largest of many draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.distributions.location_scale import LocationScale, constructor
from tf1compat.api.distributions.scalar import parameter, positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.core.typing import TensorLike


class _Gumbel(LocationScale):
    """Gumbel's distribution about the mode `loc`."""

    loc = parameter("loc", "The mode.")
    scale = parameter("scale", "The width.")

    __init__ = constructor(
        "_Gumbel", "Gumbel distributions", ("modes", "widths"), "gumbel", "tf.contrib.distributions"
    )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        uniform = positive_uniform(self._shape_of_draws(n), self.dtype, seed)
        return self._at(-math_ops.log(-math_ops.log(uniform)))

    def _log_prob(self, x: TensorLike) -> Any:
        z = self._z(x)
        return -z - math_ops.exp(-z) - math_ops.log(self.scale)

    def _log_cdf(self, x: TensorLike) -> Any:
        return -math_ops.exp(-self._z(x))

    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.exp(-math_ops.exp(-self._z(x)))

    def _entropy(self) -> Any:
        return 1 + math_ops.log(self._batch_scale()) + np.euler_gamma

    def _mean(self) -> Any:
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self) -> Any:
        return self._batch_scale() * math.pi / math.sqrt(6)

    def _mode(self) -> Any:
        return self._batch_loc()
