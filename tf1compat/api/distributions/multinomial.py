"""`tf.distributions.Multinomial`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops, map_fn
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.vector import VectorEvent, outer
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("distributions.Multinomial")
class Multinomial(VectorEvent):
    """How often each class comes up in a number of draws."""

    _shaped_as = "_mean_val"
    total_count = parameter("total_count", "The number of draws.")
    logits = parameter("logits", "The logarithms of the probabilities, not normalised.")
    probs = parameter("probs", "The probabilities, by class in the last dimension.")

    @moved("multinomial")
    def __init__(
        self,
        total_count: Any,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Multinomial",
    ) -> None:
        """A batch of multinomial distributions, of logits or of probabilities.

        Args:
          total_count: float tensor of whole numbers, how many draws.
          logits: float tensor, by class in the last dimension, or None.
          probs: float tensor, by class in the last dimension, or None.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both of `logits` and `probs` are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = ops.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = util.embed_check_nonnegative_integer_form(self._total_count)
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits,
                probs=probs,
                multidimensional=True,
                validate_args=validate_args,
                name=name,
            )
            self._mean_val = self._total_count[..., array_ops.newaxis] * self._probs
        super().__init__(
            self._probs.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._logits, self._probs],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        count = math_ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        # Both parameters of the batch shape, then flat.
        count = array_ops.ones_like(self.logits[..., 0], dtype=count.dtype) * count
        ones = array_ops.ones_like(count[..., array_ops.newaxis], dtype=self.logits.dtype)
        flat_logits = array_ops.reshape(ones * self.logits, [-1, k])
        flat_counts = n * array_ops.reshape(count, [-1])

        def draw(one: Any) -> Any:
            logits, count = one
            classes = random_ops.multinomial(logits[array_ops.newaxis, ...], count, seed)
            rows = array_ops.reshape(classes, [n, -1])
            return math_ops.reduce_sum(array_ops.one_hot(rows, depth=k), axis=-2)

        counts = map_fn.map_fn(draw, [flat_logits, flat_counts], dtype=self.dtype)
        counts = array_ops.transpose(counts, perm=[1, 0, 2])
        shape = array_ops.concat([[n], self.batch_shape_tensor(), [k]], 0)
        return array_ops.reshape(counts, shape)

    @util.AppendDocstring(
        "`counts` holds how often each class is drawn, in any order; its last dimension sums to "
        "`total_count`."
    )
    def _log_prob(self, counts: Any) -> Any:
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _log_unnormalized_prob(self, counts: Any) -> Any:
        counts = self._checked_sample(counts)
        return math_ops.reduce_sum(counts * nn_ops.log_softmax(self.logits), -1)

    def _log_normalization(self, counts: Any) -> Any:
        counts = self._checked_sample(counts)
        return -util.log_combinations(self.total_count, counts)

    def _mean(self) -> Any:
        return array_ops.identity(self._mean_val)

    def _full_probs(self) -> Any:
        return self.probs * array_ops.ones_like(self.total_count)[..., array_ops.newaxis]

    def _covariance(self) -> Any:
        products = outer(self._mean_val, self._full_probs())
        return array_ops.matrix_set_diag(-products, self._variance())

    def _variance(self) -> Any:
        p = self._full_probs()
        return self._mean_val - self._mean_val * p

    def _checked_sample(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = util.embed_check_nonnegative_integer_form(counts)
        check = check_ops.assert_equal(
            self.total_count,
            math_ops.reduce_sum(counts, -1),
            message="counts must sum to `self.total_count`",
        )
        return control_flow_ops.with_dependencies([check], counts)
