"""Distributions over (0, 1) and simplexes that come near to discrete ones when they are cold."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import bijectors, logistic
from tf1compat.api.contrib.distributions.onehot_categorical import OverClasses
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter, positive_uniform
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike

_LIBRARY = "tf.contrib.distributions"


@tf_export("contrib.distributions.RelaxedBernoulli")
class RelaxedBernoulli(TransformedDistribution):
    """A distribution over (0, 1): a Bernoulli distribution in the limit of temperature 0."""

    temperature = parameter("temperature", "How far from discrete it is.")
    logits = parameter("logits", "The log-odds of a 1.")
    probs = parameter("probs", "The probability of a 1.")

    @moved("relaxed_bernoulli", _LIBRARY)
    def __init__(
        self,
        temperature: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "RelaxedBernoulli",
    ) -> None:
        """A batch of relaxed Bernoulli distributions.

        Args:
          temperature: positive float tensor.
          logits: float tensor, the log-odds of a 1, or None.
          probs: float tensor, the probabilities of a 1, or None.
          validate_args: whether parameters are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[logits, probs, temperature]) as name:
            checks = [check_ops.assert_positive(temperature)] if validate_args else []
            with ops.control_dependencies(checks):
                self._temperature = array_ops.identity(temperature, name="temperature")
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args
            )
            super().__init__(
                distribution=logistic.Logistic(
                    self._logits / self._temperature,
                    1.0 / self._temperature,
                    validate_args=validate_args,
                    allow_nan_stats=allow_nan_stats,
                    name=f"{name}/Logistic",
                ),
                bijector=bijectors.Sigmoid(validate_args=validate_args),
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: TensorLike) -> Any:
        return {"logits": ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)}


@tf_export("contrib.distributions.ExpRelaxedOneHotCategorical")
class ExpRelaxedOneHotCategorical(OverClasses):
    """The distribution of the logarithms of relaxed one-hot vectors."""

    temperature = parameter("temperature", "How far from discrete it is.")

    @moved("relaxed_onehot_categorical", _LIBRARY)
    def __init__(
        self,
        temperature: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "ExpRelaxedOneHotCategorical",
    ) -> None:
        """A batch of distributions, of logits or of probabilities.

        Args:
          temperature: positive float tensor.
          logits: float tensor, by class in the last dimension, or None.
          probs: float tensor, by class in the last dimension, or None.
          dtype: of the samples; by default that of the logits.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[logits, probs, temperature]) as name:
            self._logits, self._probs = util.get_logits_and_probs(
                name=name,
                logits=logits,
                probs=probs,
                validate_args=validate_args,
                multidimensional=True,
            )
            if dtype is None:
                dtype = self._logits.dtype
                if not validate_args:
                    temperature = math_ops.cast(temperature, dtype)
            checks = [check_ops.assert_positive(temperature)] if validate_args else []
            with ops.control_dependencies(checks):
                self._temperature = array_ops.identity(temperature, name="temperature")
                self._temperature_2d = array_ops.reshape(
                    temperature, [-1, 1], name="temperature_2d"
                )
            self._measure_classes()
        super().__init__(
            dtype,
            distribution.FULLY_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs, self._temperature],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        rows = self._rows(self.logits * array_ops.ones(shape, dtype=self.dtype))
        uniform = positive_uniform(array_ops.shape(rows), self.dtype, seed)
        gumbel = -math_ops.log(-math_ops.log(uniform))
        noisy = math_ops.div(gumbel + rows, self._temperature_2d)
        return array_ops.reshape(nn_ops.log_softmax(noisy), shape)

    def _log_prob(self, x: Any) -> Any:
        x, logits = self._with_logits(self._checked_logarithms(x))
        shape = array_ops.shape(math_ops.reduce_sum(logits, axis=[-1]))
        logits, x = self._rows(logits), self._rows(x)
        k = math_ops.cast(self.event_size, x.dtype)
        log_norm = math_ops.lgamma(k) + (k - 1.0) * math_ops.log(self.temperature)
        terms = nn_ops.log_softmax(logits - x * self._temperature_2d)
        log_density = math_ops.reduce_sum(terms, [-1], keepdims=False)
        return array_ops.reshape(log_norm + log_density, shape)


@tf_export("contrib.distributions.RelaxedOneHotCategorical")
class RelaxedOneHotCategorical(TransformedDistribution):
    """A distribution over simplexes: that of one-hot vectors in the limit of temperature 0."""

    @moved("relaxed_onehot_categorical", _LIBRARY)
    def __init__(
        self,
        temperature: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "RelaxedOneHotCategorical",
    ) -> None:
        """A batch of distributions, of logits or of probabilities.

        Args: see `ExpRelaxedOneHotCategorical`.
        """
        logarithms = ExpRelaxedOneHotCategorical(
            temperature, logits, probs, dtype, validate_args, allow_nan_stats
        )
        super().__init__(logarithms, bijectors.Exp(), name=name)
