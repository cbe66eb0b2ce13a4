"""`tf.distributions.Bernoulli`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions import distribution, static, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import ScalarEvent, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("distributions.Bernoulli")
class Bernoulli(ScalarEvent):
    """The distribution of 1 with a probability, of 0 otherwise."""

    logits = parameter("logits", "The log-odds of a 1.")
    probs = parameter("probs", "The probability of a 1.")

    @moved("bernoulli")
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Bernoulli",
    ) -> None:
        """A batch of Bernoulli distributions, of log-odds or of probabilities.

        Args:
          logits: float tensor, the log-odds of a 1, or None.
          probs: float tensor, the probabilities of a 1, or None.
          dtype: of the samples.
          validate_args: whether the probabilities and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name) as name:
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        super().__init__(
            dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs],
            name,
        )

    @staticmethod
    def _param_shapes(sample_shape: TensorLike) -> Any:
        return {"logits": ops.convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self._logits)

    def _batch_shape(self) -> Any:
        return self._logits.get_shape()

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = self._shape_of_draws(n)
        uniform = random_ops.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return math_ops.cast(math_ops.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event: Any) -> Any:
        if self.validate_args:
            event = util.embed_check_integer_casting_closed(event, target_dtype=dtypes.bool)
        logits = self.logits
        event = math_ops.cast(event, logits.dtype)
        if not static.same_shape(event, logits):
            logits, event = (
                array_ops.ones_like(event) * logits,
                array_ops.ones_like(logits) * event,
            )
        return -nn_impl.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self) -> Any:
        certain = -self.logits * (math_ops.sigmoid(self.logits) - 1)
        return certain + nn_ops.softplus(-self.logits)

    def _mean(self) -> Any:
        return array_ops.identity(self.probs)

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self.probs)

    @util.AppendDocstring("1 where a 1 is more probable than a 0, and 0 elsewhere.")
    def _mode(self) -> Any:
        return math_ops.cast(self.probs > 0.5, self.dtype)


@registers_kl(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Any:
    with ops.name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        zero = nn_ops.softplus(-b.logits) - nn_ops.softplus(-a.logits)
        one = nn_ops.softplus(b.logits) - nn_ops.softplus(a.logits)
        return math_ops.sigmoid(a.logits) * zero + math_ops.sigmoid(-a.logits) * one
