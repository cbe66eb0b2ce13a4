"""`tf.distributions.Exponential`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions.gamma import Gamma
from tf1compat.api.distributions.moved import moved, replaced
from tf1compat.api.distributions.scalar import positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Exponential")
class Exponential(Gamma):
    """The exponential distribution: a Gamma distribution of concentration 1."""

    @moved("exponential")
    def __init__(
        self,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Exponential",
    ) -> None:
        """A batch of exponential distributions.

        Args:
          rate: positive float tensor, one over the means.
          validate_args: whether parameters and samples are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[rate]) as name:
            self._rate = ops.convert_to_tensor(rate, name="rate")
        one = array_ops.ones([], dtype=self._rate.dtype)
        super().__init__(one, self._rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters
        self._graph_parents += [self._rate]

    @classmethod
    def _param_shapes(cls, sample_shape: TensorLike) -> Any:
        return {"rate": ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    def _log_survival_function(self, value: TensorLike) -> Any:
        return self._log_prob(value) - math_ops.log(self._rate)

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = array_ops.concat([[n], array_ops.shape(self._rate)], 0)
        return -math_ops.log(positive_uniform(shape, self.dtype, seed)) / self._rate


class ExponentialWithSoftplusRate(Exponential):
    """An exponential distribution of the softplus of `rate`."""

    @replaced("exponential", "Use `tfd.Exponential(tf.nn.softplus(rate)).")
    def __init__(
        self,
        rate: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "ExponentialWithSoftplusRate",
    ) -> None:
        parameters = dict(locals())
        with ops.name_scope(name, values=[rate]) as name:
            positive = nn_ops.softplus(rate, name="softplus_rate")
            super().__init__(positive, validate_args, allow_nan_stats, name)
        self._parameters = parameters
