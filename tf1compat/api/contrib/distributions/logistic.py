"""`tf.contrib.distributions.Logistic`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.distributions.location_scale import LocationScale
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter, positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.Logistic")
class Logistic(LocationScale):
    """The logistic distribution about `loc`: its cdf is a sigmoid of width `scale`."""

    loc = parameter("loc", "The mean.")
    scale = parameter("scale", "The width.")

    @moved("logistic", "tf.contrib.distributions")
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Logistic",
    ) -> None:
        """A batch of logistic distributions.

        Args:
          loc: float tensor, the means.
          scale: float tensor that broadcasts with `loc`, the positive widths.
          validate_args: whether `scale` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          TypeError: `loc` and `scale` are of different dtypes.
        """
        self._set_up(dict(locals()))

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
