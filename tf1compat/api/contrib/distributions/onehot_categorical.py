"""`tf.contrib.distributions.OneHotCategorical`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, static, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.vector import VectorEvent, batch_rank_of, outer
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Name, TensorLike


class OverClasses(VectorEvent):
    """A distribution over vectors with an element for each class."""

    _shaped_as = "_logits"
    _batch_rank: Any
    event_size = parameter("event_size", "The number of classes, an int32 scalar.")
    logits = parameter("logits", "The logarithms of the probabilities, not normalised.")
    probs = parameter("probs", "The probabilities, by class in the last dimension.")

    def _measure_classes(self) -> None:
        """Keeps the rank of the batch and the number of classes, once there are logits."""
        self._batch_rank = batch_rank_of(self.logits)
        with ops.name_scope(name="event_size"):
            self._event_size = array_ops.shape(self.logits)[-1]

    def _rows(self, x: TensorLike) -> Any:
        """A tensor of vectors as a matrix."""
        return array_ops.reshape(x, [-1, self.event_size])

    def _shape_of_draws(self, n: TensorLike) -> Any:
        """That of `n` draws from the whole batch."""
        return array_ops.concat([[n], array_ops.shape(self.logits)], 0)

    def _checked_logarithms(self, x: TensorLike) -> Any:
        """The logarithms of a value, whose elements must sum to 1.

        TF 1.15 asks the same of one-hot vectors themselves.
        """
        if not self.validate_args:
            return x
        not_positive = check_ops.assert_non_positive(x)
        zero = array_ops.zeros([], dtype=self.dtype)
        normalised = check_ops.assert_near(zero, math_ops.reduce_logsumexp(x, axis=[-1]))
        return control_flow_ops.with_dependencies([not_positive, normalised], x)

    def _with_logits(self, x: Any) -> tuple[Any, Any]:
        """A value and the logits, broadcast against each other."""
        logits = self.logits
        if static.same_shape(x, logits):
            return x, logits
        logits = array_ops.ones_like(x, dtype=logits.dtype) * logits
        return array_ops.ones_like(logits, dtype=x.dtype) * x, logits


@tf_export("contrib.distributions.OneHotCategorical")
class OneHotCategorical(OverClasses):
    """The distribution of a class, as a vector that is 1 at its number and 0 elsewhere."""

    @moved("onehot_categorical", "tf.contrib.distributions")
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "OneHotCategorical",
    ) -> None:
        """A batch of distributions, of logits or of probabilities.

        Args:
          logits: float tensor, by class in the last dimension, or None.
          probs: float tensor, by class in the last dimension, or None.
          dtype: of the samples.
          validate_args: whether the parameters and values are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: both are given, or neither.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = util.get_logits_and_probs(
                name=name,
                logits=logits,
                probs=probs,
                validate_args=validate_args,
                multidimensional=True,
            )
            self._measure_classes()
        super().__init__(
            dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs],
            name,
        )

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape, logits = self._shape_of_draws(n), self.logits
        if logits.get_shape().ndims != 2:
            logits = self._rows(logits)
        classes = array_ops.transpose(random_ops.multinomial(logits, n, seed=seed))
        vectors = array_ops.one_hot(classes, self.event_size, dtype=self.dtype)
        return array_ops.reshape(vectors, shape)

    def _log_prob(self, x: TensorLike) -> Any:
        x, logits = self._with_logits(self._checked_logarithms(x))
        shape = array_ops.shape(math_ops.reduce_sum(logits, -1))
        logits, labels = self._rows(logits), self._rows(x)
        loss = nn_ops.softmax_cross_entropy_with_logits(labels=labels, logits=logits)
        return array_ops.reshape(-loss, shape)

    def _entropy(self) -> Any:
        return -math_ops.reduce_sum(nn_ops.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        best = math_ops.argmax(self.logits, axis=self._batch_rank)
        mode = array_ops.one_hot(best, self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.get_shape())
        return mode

    def _covariance(self) -> Any:
        products = outer(self.probs, self.probs)
        return array_ops.matrix_set_diag(-products, self._variance())

    def _variance(self) -> Any:
        return self.probs * (1.0 - self.probs)


@registers_kl(OneHotCategorical, OneHotCategorical)
def _kl_categorical_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with ops.name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        probs = nn_ops.softmax(a.logits)
        difference = nn_ops.log_softmax(a.logits) - nn_ops.log_softmax(b.logits)
        return math_ops.reduce_sum(probs * difference, axis=-1)
