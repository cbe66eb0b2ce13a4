"""Gumbel's distribution, that of the largest of many draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api.distributions.location_scale import LocationScale
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter, positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.core.typing import Name, TensorLike


class _Gumbel(LocationScale):
    """Gumbel's distribution about the mode `loc`."""

    loc = parameter("loc", "The mode.")
    scale = parameter("scale", "The width.")

    @moved("gumbel", "tf.contrib.distributions")
    def __init__(
        self,
        loc: TensorLike,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Gumbel",
    ) -> None:
        """A batch of Gumbel distributions.

        Args:
          loc: float tensor, the modes.
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
