"""Distributions whose methods take conditions: named arguments for their private forms."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions import distribution as base
from tf1compat.api.distributions import util
from tf1compat.api.distributions.transformed_distribution import TransformedDistribution
from tf1compat.api.math import math_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike

_conditions = util.AppendDocstring(
    kwargs_dict={"**condition_kwargs": "Named arguments of the private form."}
)


def _of_a_value(method: str, doc: str) -> Any:
    """The public method of that name, which takes a value and conditions."""

    def call(self: Any, value: TensorLike, name: str = method, **condition_kwargs: Any) -> Any:
        return getattr(self, f"_call_{method}")(value, name, **condition_kwargs)

    call.__name__, call.__doc__ = method, doc
    call.__qualname__ = f"ConditionalDistribution.{method}"
    return _conditions(call)


@tf_export("contrib.distributions.ConditionalDistribution")
class ConditionalDistribution(base.Distribution):
    """A distribution whose methods hand more named arguments to their private forms."""

    @_conditions
    def sample(
        self,
        sample_shape: TensorLike = (),
        seed: int | None = None,
        name: str = "sample",
        **condition_kwargs: Any,
    ) -> Any:
        """Draws from the distributions."""
        return self._call_sample_n(sample_shape, seed, name, **condition_kwargs)

    log_prob = _of_a_value("log_prob", "The logarithm of the density or mass at a value.")
    prob = _of_a_value("prob", "The density or mass at a value.")
    log_cdf = _of_a_value(
        "log_cdf", "The logarithm of the probability of a draw of at most `value`."
    )
    cdf = _of_a_value("cdf", "The probability of a draw of at most `value`.")
    log_survival_function = _of_a_value(
        "log_survival_function",
        "The logarithm of the probability of a draw greater than `value`.",
    )
    survival_function = _of_a_value(
        "survival_function", "The probability of a draw greater than `value`."
    )


_both = util.AppendDocstring(
    kwargs_dict={
        "bijector_kwargs": "Dict of named arguments of the bijector.",
        "distribution_kwargs": "Dict of named arguments of the distribution.",
    }
)
_Kwargs = dict[str, Any] | None


@tf_export("contrib.distributions.ConditionalTransformedDistribution")
class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """A transformed distribution of which bijector and distribution take conditions.

    They are the named arguments `bijector_kwargs` and `distribution_kwargs`, dicts.
    """

    def _sample_n(
        self,
        n: TensorLike,
        seed: int | None = None,
        bijector_kwargs: _Kwargs = None,
        distribution_kwargs: _Kwargs = None,
    ) -> Any:
        return TransformedDistribution._sample_n(self, n, seed, **(distribution_kwargs or {}))

    def _call_sample_n(
        self,
        sample_shape: TensorLike,
        seed: Any,
        name: str,
        bijector_kwargs: _Kwargs = None,
        distribution_kwargs: _Kwargs = None,
    ) -> Any:
        both = {"bijector_kwargs": bijector_kwargs, "distribution_kwargs": distribution_kwargs}
        return self._drawn(sample_shape, seed, name, bijector_kwargs or {}, both)

    @_both
    def _log_prob(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        found = []
        for x, ildj in self._fibers(y, bijector_kwargs or {})[0]:
            x = self._maybe_rotate_dims(x, rotate_right=True)
            log_prob = self.distribution.log_prob(x, **(distribution_kwargs or {}))
            if self._is_maybe_event_override:
                log_prob = math_ops.reduce_sum(log_prob, self._reduce_event_indices)
            found.append(math_ops.cast(ildj, log_prob.dtype) + log_prob)
        if self.bijector._is_injective:
            return found[0]
        return math_ops.reduce_logsumexp(array_ops.stack(found), axis=0)

    @_both
    def _prob(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        found = []
        for x, ildj in self._fibers(y, bijector_kwargs or {})[0]:
            x = self._maybe_rotate_dims(x, rotate_right=True)
            prob = self.distribution.prob(x, **(distribution_kwargs or {}))
            if self._is_maybe_event_override:
                prob = math_ops.reduce_prod(prob, self._reduce_event_indices)
            found.append(math_ops.exp(math_ops.cast(ildj, prob.dtype)) * prob)
        return found[0] if self.bijector._is_injective else sum(found)

    def _at_inverse(
        self, method: str, y: TensorLike, bijector_kwargs: _Kwargs, distribution_kwargs: _Kwargs
    ) -> Any:
        self._only_where_monotone(method)
        x = self.bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self.distribution, method)(x, **(distribution_kwargs or {}))

    @_both
    def _log_cdf(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        return self._at_inverse("log_cdf", y, bijector_kwargs, distribution_kwargs)

    @_both
    def _cdf(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        return self._at_inverse("cdf", y, bijector_kwargs, distribution_kwargs)

    @_both
    def _log_survival_function(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        return self._at_inverse("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    @_both
    def _survival_function(
        self, y: TensorLike, bijector_kwargs: _Kwargs = None, distribution_kwargs: _Kwargs = None
    ) -> Any:
        return self._at_inverse("survival_function", y, bijector_kwargs, distribution_kwargs)

    @_both
    def _quantile(
        self,
        value: TensorLike,
        bijector_kwargs: _Kwargs = None,
        distribution_kwargs: _Kwargs = None,
    ) -> Any:
        self._only_where_monotone("quantile")
        x = self.distribution.quantile(value, **(distribution_kwargs or {}))
        return self.bijector.forward(x, **(bijector_kwargs or {}))
