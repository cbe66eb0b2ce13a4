"""`tf.contrib.distributions.Logistic`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.distributions.location_scale import LocationScale, constructor
from tf1compat.api.distributions.scalar import parameter, positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("contrib.distributions.Logistic")
class Logistic(LocationScale):
    """The logistic distribution about `loc`: its cdf is a sigmoid of width `scale`."""

    loc = parameter("loc", "The mean.")
    scale = parameter("scale", "The width.")

    __init__ = constructor(
        "Logistic",
        "logistic distributions",
        ("means", "widths"),
        "logistic",
        "tf.contrib.distributions",
    )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        uniform = positive_uniform(self._shape_of_draws(n), self.dtype, seed)
        return self._at(math_ops.log(uniform) - math_ops.log1p(-1.0 * uniform))

    def _log_prob(self, x: TensorLike) -> Any:
        z = self._z(x)
        return -z - 2.0 * nn_ops.softplus(-z) - math_ops.log(self.scale)

    def _log_cdf(self, x: TensorLike) -> Any:
        return -nn_ops.softplus(-self._z(x))

    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.sigmoid(self._z(x))

    def _log_survival_function(self, x: TensorLike) -> Any:
        return -nn_ops.softplus(self._z(x))

    def _survival_function(self, x: TensorLike) -> Any:
        return math_ops.sigmoid(-self._z(x))

    def _entropy(self) -> Any:
        return 2 + math_ops.log(self._batch_scale())

    def _mean(self) -> Any:
        return self._batch_loc()

    def _mode(self) -> Any:
        return self._mean()

    def _stddev(self) -> Any:
        return self._batch_scale() * math.pi / math.sqrt(3)
