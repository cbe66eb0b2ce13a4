"""`tf.distributions.Categorical`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.distributions import distribution, util
from tf1compat.api.distributions.kullback_leibler import registers_kl
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import ScalarEvent, parameter
from tf1compat.api.distributions.vector import batch_rank_of
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import random_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def _broadcast_cat_event_and_params(event: Any, params: Any, base_dtype: Any) -> tuple[Any, Any]:
    """Class numbers and the parameters for each of them, of the same shape but for the classes."""
    if event.dtype.is_floating:
        event = math_ops.cast(event, dtype=dtypes.int32)
    elif not event.dtype.is_integer:
        raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({base_dtype})")
    batch = params.shape[:-1]
    if batch.is_fully_defined() and event.shape.is_fully_defined() and batch == event.shape:
        return event, params
    params *= array_ops.ones_like(event[..., array_ops.newaxis], dtype=params.dtype)
    event *= array_ops.ones(array_ops.shape(params)[:-1], dtype=event.dtype)
    event.set_shape(params.shape[:-1])
    return event, params


@tf_export("distributions.Categorical")
class Categorical(ScalarEvent):
    """The distribution of the number of a class, from 0 on."""

    event_size = parameter("event_size", "The number of classes, an int32 scalar.")
    logits = parameter("logits", "The logarithms of the probabilities, not normalised.")
    probs = parameter("probs", "The probabilities, by class in the last dimension.")

    @moved("categorical")
    def __init__(
        self,
        logits: TensorLike | None = None,
        probs: TensorLike | None = None,
        dtype: DTypeLike = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Name = "Categorical",
    ) -> None:
        """A batch of categorical distributions, of logits or of probabilities.

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
                logits=logits,
                probs=probs,
                validate_args=validate_args,
                multidimensional=True,
                name=name,
            )
            if validate_args:
                self._logits = util.embed_check_categorical_event_shape(self._logits)
            static = self._logits.get_shape().with_rank_at_least(1)
            self._batch_rank, shape, self._event_size = _rank_shape_and_size(self._logits, static)
            self._batch_shape_val = _batch_shape(static[:-1], shape)
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
        return array_ops.identity(self._batch_shape_val)

    def _batch_shape(self) -> Any:
        return self.logits.get_shape()[:-1]

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        logits = self.logits
        if logits.get_shape().ndims != 2:
            logits = array_ops.reshape(logits, [-1, self.event_size])
        number = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        draws = random_ops.multinomial(logits, n, seed=seed, output_dtype=number)
        draws = array_ops.transpose(draws)
        shape = self._shape_of_draws(n)
        return math_ops.cast(array_ops.reshape(draws, shape), self.dtype)

    def _broadcast_to_each_other(self, k: TensorLike, params: Any) -> tuple[Any, Any]:
        k = ops.convert_to_tensor(k, name="k")
        if self.validate_args:
            k = util.embed_check_integer_casting_closed(k, target_dtype=dtypes.int32)
        return _broadcast_cat_event_and_params(k, params, self.dtype.base_dtype)

    def _cdf(self, k: TensorLike) -> Any:
        k, probs = self._broadcast_to_each_other(k, self.probs)
        rows = array_ops.reshape(probs, (-1, self._event_size))
        is_below = array_ops.sequence_mask(array_ops.reshape(k, [-1]), self._event_size)
        below = array_ops.where(is_below, rows, array_ops.zeros_like(rows))
        return array_ops.reshape(math_ops.reduce_sum(below, axis=-1), array_ops.shape(k))

    def _log_prob(self, k: TensorLike) -> Any:
        k, logits = self._broadcast_to_each_other(k, self.logits)
        return -nn_ops.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _entropy(self) -> Any:
        return -math_ops.reduce_sum(nn_ops.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Any:
        mode = math_ops.cast(math_ops.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


def _batch_shape(known: TensorShape, shape: Any) -> Any:
    """All of a shape but its last element."""
    if known.is_fully_defined():
        return constant_op.constant(known.as_list(), dtype=dtypes.int32, name="batch_shape")
    with ops.name_scope(name="batch_shape"):
        return shape[:-1]


def _rank_shape_and_size(logits: TensorLike, static: TensorShape) -> tuple[Any, Any, Any]:
    """The rank of the batch, the shape of the logits and the number of classes, as tensors."""
    rank = batch_rank_of(logits)
    shape = array_ops.shape(logits, name="logits_shape")
    known = dimension_value(static[-1])
    if known is not None:
        size = ops.convert_to_tensor(known, dtype=dtypes.int32, name="event_size")
    else:
        with ops.name_scope(name="event_size"):
            size = shape[rank]
    return rank, shape, size


@registers_kl(Categorical, Categorical)
def _kl_categorical_categorical(a: Any, b: Any, name: str | None = None) -> Any:
    with ops.name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        difference = nn_ops.log_softmax(a.logits) - nn_ops.log_softmax(b.logits)
        return math_ops.reduce_sum(nn_ops.softmax(a.logits) * difference, axis=-1)
