"""`tf.contrib.distributions.OneHotCategorical`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export


@tf_export("contrib.distributions.OneHotCategorical")
class OneHotCategorical(distribution.Distribution):
    """The distribution of a class, as a vector that is 1 at its number and 0 elsewhere."""

    event_size = parameter("event_size", "The number of classes, an int32 scalar.")
    logits = parameter("logits", "The logarithms of the probabilities, not normalised.")
    probs = parameter("probs", "The probabilities, by class in the last dimension.")

    @moved("onehot_categorical", "tf.contrib.distributions")
    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "OneHotCategorical",
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
            rank = self._logits.get_shape().with_rank_at_least(1).ndims
            if rank is not None:
                self._batch_rank = ops.convert_to_tensor(
                    rank - 1, dtype=dtypes.int32, name="batch_rank"
                )
            else:
                with ops.name_scope(name="batch_rank"):
                    self._batch_rank = array_ops.rank(self._logits) - 1
            with ops.name_scope(name="event_size"):
                self._event_size = array_ops.shape(self._logits)[-1]
        super().__init__(
            dtype,
            distribution.NOT_REPARAMETERIZED,
            validate_args,
            allow_nan_stats,
            parameters,
            [self._logits, self._probs],
            name,
        )

    def _batch_shape_tensor(self) -> Any:
        return array_ops.shape(self.logits)[:-1]

    def _batch_shape(self) -> Any:
        return self.logits.get_shape()[:-1]

    def _event_shape_tensor(self) -> Any:
        return array_ops.shape(self.logits)[-1:]

    def _event_shape(self) -> Any:
        return self.logits.get_shape().with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = array_ops.concat([[n], array_ops.shape(self.logits)], 0)
        logits = self.logits
        if logits.get_shape().ndims != 2:
            logits = array_ops.reshape(logits, [-1, self.event_size])
        classes = array_ops.transpose(random_ops.multinomial(logits, n, seed=seed))
        vectors = array_ops.one_hot(classes, self.event_size, dtype=self.dtype)
        return array_ops.reshape(vectors, shape)

    def _log_prob(self, x: Any) -> Any:
        logits = self.logits
        if self.validate_args:
            checks = [
                check_ops.assert_non_positive(x),
                check_ops.assert_near(
                    array_ops.zeros([], dtype=self.dtype),
                    math_ops.reduce_logsumexp(x, axis=[-1]),
                ),
            ]
            x = control_flow_ops.with_dependencies(checks, x)
        shapes = x.get_shape(), logits.get_shape()
        if not (all(s.is_fully_defined() for s in shapes) and shapes[0] == shapes[1]):
            logits = array_ops.ones_like(x, dtype=logits.dtype) * logits
            x = array_ops.ones_like(logits, dtype=x.dtype) * x
        shape = array_ops.shape(math_ops.reduce_sum(logits, -1))
        flat_logits = array_ops.reshape(logits, [-1, self.event_size])
        flat_x = array_ops.reshape(x, [-1, self.event_size])
        loss = nn_ops.softmax_cross_entropy_with_logits(labels=flat_x, logits=flat_logits)
        return array_ops.reshape(-loss, shape)

    def _entropy(self) -> Any:
        return -math_ops.reduce_sum(nn_ops.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        best = math_ops.argmax(self.logits, axis=self._batch_rank)
        mode = array_ops.one_hot(best, self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.get_shape())
        return mode

    def _covariance(self) -> Any:
        p = self.probs
        outer = -math_ops.matmul(p[..., None], p[..., None, :])
        return array_ops.matrix_set_diag(outer, self._variance())

    def _variance(self) -> Any:
        return self.probs * (1.0 - self.probs)


@registers_kl(OneHotCategorical, OneHotCategorical)
def _kl_categorical_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with ops.name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        probs = nn_ops.softmax(a.logits)
        difference = nn_ops.log_softmax(a.logits) - nn_ops.log_softmax(b.logits)
        return math_ops.reduce_sum(probs * difference, axis=-1)
