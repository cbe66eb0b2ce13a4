"""The loss of sequences (`tensorflow.contrib.seq2seq.python.ops.loss`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

__all__ = ["sequence_loss"]


@tf_export("contrib.seq2seq.sequence_loss")
def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, sum_over_timesteps: bool = False,
    sum_over_batch: bool = False, softmax_loss_function: Callable[..., Any] | None = None,
    name: Any = None,
) -> Tensor:  # fmt: skip
    """The weighted cross entropy of sequences of logits.

    Args:
      logits: floats [batch, time, classes].
      targets: the classes, ints [batch, time].
      weights: floats [batch, time].
      average_across_timesteps, average_across_batch: whether to sum along time, batch, and divide
        by the sum of the weights there.
      sum_over_timesteps, sum_over_batch: whether to sum, and divide by the number of the weights
        that are not zero.
      softmax_loss_function: of (labels, logits) in place of the cross entropy.
      name: the name scope.

    Returns:
      The loss: a scalar, or floats [batch], [time] or [batch, time].

    Raises:
      ValueError: a rank is wrong, or a direction is both averaged and summed over.
    """
    if len(logits.get_shape()) != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.get_shape()) != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.get_shape()) != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError(
            "average_across_timesteps and sum_over_timesteps cannot be set to True at same time."
        )
    if average_across_batch and sum_over_batch:
        raise ValueError(
            "average_across_batch and sum_over_batch cannot be set to True at same time."
        )
    with ops.name_scope(name, "sequence_loss", [logits, targets, weights]):
        num_classes = array_ops.shape(logits)[2]
        flat_logits = array_ops.reshape(logits, [-1, num_classes])
        targets = array_ops.reshape(targets, [-1])
        if softmax_loss_function is None:
            loss = nn_ops.sparse_softmax_cross_entropy_with_logits(
                labels=targets, logits=flat_logits
            )
        else:
            loss = softmax_loss_function(labels=targets, logits=flat_logits)
        loss *= array_ops.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            loss = math_ops.reduce_sum(loss)
            return math_ops.div_no_nan(loss, math_ops.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            loss = math_ops.reduce_sum(loss)
            count = math_ops.cast(math_ops.count_nonzero(weights), loss.dtype)
            return math_ops.div_no_nan(loss, count)
        loss = array_ops.reshape(loss, array_ops.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0] if average_across_batch else [1]
            loss = math_ops.reduce_sum(loss, axis=axis)
            return math_ops.div_no_nan(loss, math_ops.reduce_sum(weights, axis=axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [0] if sum_over_batch else [1]
            loss = math_ops.reduce_sum(loss, axis=axis)
            count = math_ops.cast(math_ops.count_nonzero(weights, axis=axis), dtype=loss.dtype)
            return math_ops.div_no_nan(loss, count)
        return loss
