"""`tf.contrib.distributions.HalfNormal`."""

from __future__ import annotations

import math
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import distribution, special_math
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_ROOT_2, _ROOT_PI = math.sqrt(2.0), math.sqrt(math.pi)


@tf_export("contrib.distributions.HalfNormal")
class HalfNormal(Broadcasting):
    """The distribution of the absolute values of normal draws about 0."""

    _broadcast = ("scale",)
    scale = parameter("scale", "The standard deviation of the normal draws.")

    @moved("half_normal", "tf.contrib.distributions")
    def __init__(
        self,
        scale: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "HalfNormal",
    ) -> None:
        """A batch of half-normal distributions.

        Args:
          scale: float tensor, the positive standard deviations of the normal draws.
          validate_args: whether `scale` is checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[scale]) as name:
            checks = [check_ops.assert_positive(scale)] if validate_args else []
            with ops.control_dependencies(checks):
                self._scale = array_ops.identity(scale, name="scale")
        super().__init__(
            self._scale.dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._scale],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        normal = random_ops.random_normal(self._shape_of_draws(n), dtype=self.dtype, seed=seed)
        return math_ops.abs(normal * self.scale)

    def _prob(self, x: Any) -> Any:
        peak = _ROOT_2 / self.scale / _ROOT_PI
        density = peak * math_ops.exp(-0.5 * (x / self.scale) ** 2)
        return density * math_ops.cast(x >= 0, self.dtype)

    def _cdf(self, x: TensorLike) -> Any:
        return math_ops.erf(nn_ops.relu(x) / self.scale / _ROOT_2)

    def _entropy(self) -> Any:
        return 0.5 * math_ops.log(math.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Any:
        return self.scale * _ROOT_2 / _ROOT_PI

    def _quantile(self, p: Any) -> Any:
        return _ROOT_2 * self.scale * special_math.erfinv(p)

    def _mode(self) -> Any:
        return array_ops.zeros(self.batch_shape_tensor())

    def _variance(self) -> Any:
        return self.scale**2.0 * (1.0 - 2.0 / math.pi)
