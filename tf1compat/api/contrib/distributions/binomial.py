"""`tf.contrib.distributions.Binomial` and `NegativeBinomial`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, static, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import Broadcasting, parameter
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_value_note = util.AppendDocstring(
    "`value` is the number of successes: whole, not negative, and at most `total_count`."
)


class _OfTrials(Broadcasting):
    """One of trials that succeed with a probability."""

    _broadcast = ("total_count", "probs")
    logits = parameter("logits", "The log-odds of a success.")
    probs = parameter("probs", "The probability of a success.")

    @classmethod
    def _param_shapes(cls, sample_shape: TensorLike) -> Any:
        return distribution.Distribution._param_shapes(sample_shape)


@tf_export("contrib.distributions.Binomial")
class Binomial(_OfTrials):
    """The distribution of how many of `total_count` trials succeed."""

    total_count = parameter("total_count", "How many trials there are.")

    @moved("binomial", "tf.contrib.distributions")
    def __init__(
        self,
        total_count: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Binomial",
    ) -> None:
        """A batch of binomial distributions, of log-odds or of probabilities.

        Args:
          total_count: float tensor of whole numbers, how many trials there are.
          logits: float tensor, the log-odds of a success, or None.
          probs: float tensor, the probabilities of a success, or None.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, logits, probs]) as name:
            count = ops.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                text = "total_count must be non-negative."
                checks = [check_ops.assert_non_negative(count, message=text)]
                text = "total_count cannot contain fractional components."
                checks.append(util.assert_integer_form(count, message=text))
                count = control_flow_ops.with_dependencies(checks, count)
            self._total_count = count
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args, name=name
            )
        super().__init__(
            self._probs.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._logits, self._probs],
            name,
        )

    def _checked(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = util.embed_check_nonnegative_integer_form(counts)
        text = "counts are not less than or equal to n."
        check = check_ops.assert_less_equal(counts, self.total_count, message=text)
        return control_flow_ops.with_dependencies([check], counts)

    @_value_note
    def _log_prob(self, counts: Any) -> Any:
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    @_value_note
    def _prob(self, counts: Any) -> Any:
        return math_ops.exp(self._log_prob(counts))

    def _log_unnormalized_prob(self, counts: Any) -> Any:
        counts = self._checked(counts)
        successes = counts * math_ops.log(self.probs)
        return successes + (self.total_count - counts) * math_ops.log1p(-self.probs)

    def _log_normalization(self, counts: Any) -> Any:
        counts = self._checked(counts)
        failures = math_ops.lgamma(1.0 + self.total_count - counts)
        both = failures + math_ops.lgamma(1.0 + counts)
        return both - math_ops.lgamma(1.0 + self.total_count)

    def _cdf(self, counts: Any) -> Any:
        counts, probs = self._checked(counts), self.probs
        if not static.same_shape(counts, probs):
            probs += array_ops.zeros_like(counts)
            counts += array_ops.zeros_like(self.probs)
        # betainc is not defined where all trials have succeeded.
        n = self.total_count
        ones = array_ops.ones_like(n - counts)
        all_of_them = math_ops.equal(counts, n)

        def unless_all(x: TensorLike) -> Any:
            return array_ops.where_v2(all_of_them, ones, x)

        return unless_all(math_ops.betainc(unless_all(n - counts), counts + 1, 1 - probs))

    def _mean(self) -> Any:
        return self.total_count * self.probs

    def _variance(self) -> Any:
        return self._mean() * (1.0 - self.probs)

    @util.AppendDocstring(
        "Where `(1 + total_count) * probs` is whole there are two modes, of which this is the "
        "larger."
    )
    def _mode(self) -> Any:
        return math_ops.floor((1.0 + self.total_count) * self.probs)


@tf_export("contrib.distributions.NegativeBinomial")
class NegativeBinomial(_OfTrials):
    """The distribution of how many trials succeed before `total_count` have failed."""

    total_count = parameter("total_count", "How many failures there are.")

    @moved("negative_binomial", "tf.contrib.distributions")
    def __init__(
        self,
        total_count: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "NegativeBinomial",
    ) -> None:
        """A batch of negative binomial distributions, of log-odds or of probabilities.

        Args:
          total_count: positive float tensor, how many failures there are.
          logits: float tensor, the log-odds of a success, or None.
          probs: float tensor, the probabilities of a success, or None.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = util.get_logits_and_probs(
                logits, probs, validate_args=validate_args, name=name
            )
            checks = [check_ops.assert_positive(total_count)] if validate_args else []
            with ops.control_dependencies(checks):
                self._total_count = array_ops.identity(total_count)
        super().__init__(
            self._probs.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._probs, self._logits],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        rate = random_ops.random_gamma(
            shape=[n],
            alpha=self.total_count,
            beta=math_ops.exp(-self.logits),
            dtype=self.dtype,
            seed=seed,
        )
        seed = util.gen_new_seed(seed, "negative_binom")
        return random_ops.random_poisson(rate, shape=[], dtype=self.dtype, seed=seed)

    def _checked(self, x: TensorLike) -> Any:
        return util.embed_check_nonnegative_integer_form(x) if self.validate_args else x

    def _cdf(self, x: Any) -> Any:
        x = self._checked(x)
        return math_ops.betainc(self.total_count, 1.0 + x, math_ops.sigmoid(-self.logits))

    def _log_prob(self, x: TensorLike) -> Any:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: TensorLike) -> Any:
        x = self._checked(x)
        failures = self.total_count * math_ops.log_sigmoid(-self.logits)
        return failures + x * math_ops.log_sigmoid(self.logits)

    def _log_normalization(self, x: Any) -> Any:
        x = self._checked(x)
        n = self.total_count
        both = -math_ops.lgamma(n + x) + math_ops.lgamma(1.0 + x)
        return both + math_ops.lgamma(n)

    def _mean(self) -> Any:
        return self.total_count * math_ops.exp(self.logits)

    def _mode(self) -> Any:
        n = self.total_count
        more = array_ops.where_v2(n > 1.0, n - 1.0, array_ops.zeros_like(n))
        return math_ops.floor(more * math_ops.exp(self.logits))

    def _variance(self) -> Any:
        return self._mean() / math_ops.sigmoid(-self.logits)
