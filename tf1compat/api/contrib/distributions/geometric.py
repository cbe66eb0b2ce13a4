"""`tf.contrib.distributions.Geometric`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import ScalarEvent, parameter, positive_uniform
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.distributions.Geometric")
class Geometric(ScalarEvent):
    """The geometric distribution: how many failures there are before the first success."""

    logits = parameter("logits", "The log-odds of a success.")
    probs = parameter("probs", "The probability of a success.")

    @moved("geometric", "tf.contrib.distributions")
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Geometric",
    ) -> None:
        """A batch of geometric distributions, of log-odds or of probabilities.

        Args:
          logits: float tensor, the log-odds of a success, or None.
          probs: float tensor, the probabilities of a success, or None.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[logits, probs]) as name:
            self._logits, given = util.get_logits_and_probs(
                logits, probs, validate_args=validate_args, name=name
            )
            checks = [check_ops.assert_positive(given)] if validate_args else []
            with ops.control_dependencies(checks):
                self._probs = array_ops.identity(given, name="probs")
        super().__init__(
            self._probs.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._probs, self._logits],
            name,
        )

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self._probs)

    def _batch_shape(self) -> Any:
        return self.probs.get_shape()

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = array_ops.concat([[n], array_ops.shape(self._probs)], 0)
        uniform = positive_uniform(shape, self.dtype, seed)
        return math_ops.floor(math_ops.log(uniform) / math_ops.log1p(-self.probs))

    def _whole(self, x: TensorLike) -> Any:
        if self.validate_args:
            x = util.embed_check_nonnegative_integer_form(x)
        else:
            x = math_ops.floor(x)
        return x * array_ops.ones_like(self.probs)

    def _cdf(self, x: Any) -> Any:
        x = self._whole(x)
        negative = x < 0.0
        zeros = array_ops.zeros_like(x)
        cdf = -math_ops.expm1((1.0 + x) * math_ops.log1p(-self.probs))
        return array_ops.where(negative, zeros, cdf)

    def _log_prob(self, x: TensorLike) -> Any:
        x = self._whole(x)
        probs = self.probs * array_ops.ones_like(x)
        # Where no failure counts, none of probability 0 may either: 0 times infinity is NaN.
        safe = array_ops.where(math_ops.equal(x, 0.0), array_ops.zeros_like(probs), probs)
        return x * math_ops.log1p(-safe) + math_ops.log(probs)

    def _entropy(self) -> Any:
        probs = self._probs
        if self.validate_args:
            one = constant_op.constant(1.0, probs.dtype)
            text = "Entropy is undefined when logits = inf or probs = 1."
            check = check_ops.assert_less(probs, one, message=text)
            probs = control_flow_ops.with_dependencies([check], probs)
        return nn_ops.softplus(self.logits) / probs - self.logits

    def _mean(self) -> Any:
        return math_ops.exp(-self.logits)

    def _variance(self) -> Any:
        return self._mean() / self.probs

    def _mode(self) -> Any:
        return array_ops.zeros(self.batch_shape_tensor(), dtype=self.dtype)
