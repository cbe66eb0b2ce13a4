"""`tf.contrib.distributions.Cauchy`."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.location_scale import LocationScale, constructor
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.distributions.Cauchy")
class Cauchy(LocationScale):
    """Cauchy's distribution about `loc`, which has no mean."""

    loc = parameter("loc", "The median.")
    scale = parameter("scale", "The width: half of the draws are within it.")

    __init__ = constructor(
        "Cauchy",
        "Cauchy distributions",
        ("medians", "widths"),
        "cauchy",
        "tf.contrib.distributions",
    )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        return self._quantile(random_ops.random_uniform(shape, dtype=self.dtype, seed=seed))

    def _log_prob(self, x: TensorLike) -> Any:
        log_density = -math_ops.log1p(math_ops.square(self._z(x)))
        return log_density - (np.log(np.pi) + math_ops.log(self.scale))

    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.atan(self._z(x)) / np.pi + 0.5

    def _log_cdf(self, x: TensorLike) -> Any:
        return math_ops.log1p(2 / np.pi * math_ops.atan(self._z(x))) - np.log(2)

    def _entropy(self) -> Any:
        h = np.log(4 * np.pi) + math_ops.log(self.scale)
        return h * array_ops.ones_like(self.loc)

    def _quantile(self, p: Any) -> Any:
        return self.loc + self.scale * math_ops.tan(np.pi * (p - 0.5))

    def _mode(self) -> Any:
        return self._batch_loc()

    def _mean(self) -> Any:
        return self._undefined("mean")

    def _stddev(self) -> Any:
        return self._undefined("stddev")

    def _undefined(self, what: str) -> Any:
        if not self.allow_nan_stats:
            raise ValueError(f"`{what}` is undefined for Cauchy distribution.")
        return array_ops.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(np.nan))
