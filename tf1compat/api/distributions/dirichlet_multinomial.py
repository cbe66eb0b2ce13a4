"""`tf.distributions.DirichletMultinomial`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.dirichlet import Concentrated
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops, special_math_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_value_note = util.AppendDocstring(
    "`counts` holds how often each class is drawn, in any order; its last dimension sums to "
    "`total_count`."
)


@tf_export("distributions.DirichletMultinomial")
class DirichletMultinomial(Concentrated):
    """Counts of draws of classes whose probabilities are drawn from a Dirichlet distribution."""

    total_count = parameter("total_count", "The number of draws.")

    @moved("dirichlet_multinomial")
    def __init__(
        self,
        total_count: Any,
        concentration: TensorLike,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "DirichletMultinomial",
    ) -> None:
        """A batch of distributions.

        Args:
          total_count: float tensor of whole numbers, how many draws.
          concentration: positive float tensor, by class in the last dimension.
          validate_args: whether parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[total_count, concentration]) as name:
            count = ops.convert_to_tensor(total_count, name="total_count")
            if validate_args:
                count = util.embed_check_nonnegative_integer_form(count)
            alpha = ops.convert_to_tensor(concentration, name="concentration")
            if validate_args:
                alpha = util.embed_check_categorical_event_shape(alpha)
                text = "Concentration parameter must be positive."
                check = check_ops.assert_positive(alpha, message=text)
                alpha = control_flow_ops.with_dependencies([check], alpha)
            self._total_count, self._concentration = count, alpha
            self._total_concentration = math_ops.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._total_count, self._concentration],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        count = math_ops.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        gamma = random_ops.random_gamma(
            shape=[n], alpha=self.concentration, dtype=self.dtype, seed=seed
        )
        logits = array_ops.reshape(math_ops.log(gamma), shape=[-1, k])
        draw_seed = util.gen_new_seed(seed, salt="dirichlet_multinomial")
        draws = random_ops.multinomial(logits=logits, num_samples=count, seed=draw_seed)
        counts = math_ops.reduce_sum(array_ops.one_hot(draws, depth=k), -2)
        shape = array_ops.concat([[n], self.batch_shape_tensor(), [k]], 0)
        return math_ops.cast(array_ops.reshape(counts, shape), self.dtype)

    @_value_note
    def _log_prob(self, counts: Any) -> Any:
        counts = self._checked_sample(counts)
        after = special_math_ops.lbeta(self.concentration + counts)
        ordered = after - special_math_ops.lbeta(self.concentration)
        return ordered + util.log_combinations(self.total_count, counts)

    @_value_note
    def _prob(self, counts: Any) -> Any:
        return math_ops.exp(self._log_prob(counts))

    def _mean(self) -> Any:
        total = self.total_concentration[..., array_ops.newaxis]
        return self.total_count * (self.concentration / total)

    def _variance(self) -> Any:
        scale = self._variance_scale_term()
        x = scale * self._mean()
        return x * (self.total_count * scale - x)

    def _variance_scale_term(self) -> Any:
        total = self.total_concentration[..., array_ops.newaxis]
        return math_ops.sqrt((1.0 + total / self.total_count) / (1.0 + total))

    def _checked_sample(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = util.embed_check_nonnegative_integer_form(counts)
        check = check_ops.assert_equal(
            self.total_count,
            math_ops.reduce_sum(counts, -1),
            message="counts last-dimension must sum to `self.total_count`",
        )
        return control_flow_ops.with_dependencies([check], counts)
