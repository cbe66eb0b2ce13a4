"""Gumbel's distribution, that of the largest of many draws."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tf1compat.api import array_ops, check_ops, math_ops, random_ops
from tf1compat.api.distributions import distribution
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.core import ops


class _Gumbel(Broadcasting):
    """Gumbel's distribution about the mode `loc`."""

    _broadcast = ("loc", "scale")
    loc = parameter("loc", "The mode.")
    scale = parameter("scale", "The width.")

    @moved("gumbel", "tf.contrib.distributions")
    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "Gumbel",
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
        parameters = dict(locals())
        with ops.name_scope(name, values=[loc, scale]) as name:
            checks = [check_ops.assert_positive(scale)] if validate_args else []
            with ops.control_dependencies(checks):
                self._loc = array_ops.identity(loc, name="loc")
                self._scale = array_ops.identity(scale, name="scale")
                check_ops.assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            self._scale.dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._loc, self._scale],
            name,
        )

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        # From the smallest normal number on: the logarithm of 0 would be infinite.
        uniform = random_ops.random_uniform(
            shape=array_ops.concat([[n], self.batch_shape_tensor()], 0),
            minval=np.finfo(self.dtype.as_numpy_dtype).tiny,
            maxval=1.0,
            dtype=self.dtype,
            seed=seed,
        )
        standard = -math_ops.log(-math_ops.log(uniform))
        return standard * self.scale + self.loc

    def _log_prob(self, x: Any) -> Any:
        z = self._z(x)
        return -z - math_ops.exp(-z) - math_ops.log(self.scale)

    def _log_cdf(self, x: Any) -> Any:
        return -math_ops.exp(-self._z(x))

    def _cdf(self, x: Any) -> Any:
        return math_ops.exp(-math_ops.exp(-self._z(x)))

    def _entropy(self) -> Any:
        scale = self.scale * array_ops.ones_like(self.loc)
        return 1 + math_ops.log(scale) + np.euler_gamma

    def _mean(self) -> Any:
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self) -> Any:
        return self.scale * array_ops.ones_like(self.loc) * math.pi / math.sqrt(6)

    def _mode(self) -> Any:
        return self.loc * array_ops.ones_like(self.scale)

    def _z(self, x: Any) -> Any:
        with ops.name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale
