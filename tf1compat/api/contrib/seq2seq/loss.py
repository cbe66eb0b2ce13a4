"""The loss of sequences (`tensorflow.contrib.seq2seq.python.ops.loss`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.keras.losses import Loss
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name

__all__ = ["SequenceLoss", "sequence_loss"]


def _count(weights: Any, axis: Any) -> Tensor:
    """How many weights are not zero, in their own dtype."""
    return math_ops.cast(math_ops.count_nonzero(weights, axis=axis), weights.dtype)


@tf_export("contrib.seq2seq.sequence_loss")
def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True,
    average_across_batch: bool = True, sum_over_timesteps: bool = False,
    sum_over_batch: bool = False, softmax_loss_function: Callable[..., Any] | None = None,
    name: Name = None,
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
    for what, given, dims in (
        ("Logits", logits, "batch_size x sequence_length x logits"),
        ("Targets", targets, "batch_size x sequence_length"),
        ("Weights", weights, "batch_size x sequence_length"),
    ):
        if len(given.get_shape()) != len(dims.split(" x ")):
            raise ValueError(f"{what} must be a [{dims}] tensor")
    averaged = {"timesteps": average_across_timesteps, "batch": average_across_batch}
    summed = {"timesteps": sum_over_timesteps, "batch": sum_over_batch}
    for along in averaged:
        if averaged[along] and summed[along]:
            raise ValueError(
                f"average_across_{along} and sum_over_{along} cannot be set to True at same time."
            )
    with ops.name_scope(name, "sequence_loss", [logits, targets, weights]):
        flat_logits = array_ops.reshape(logits, [-1, array_ops.shape(logits)[2]])
        cross_entropy = softmax_loss_function or nn_ops.sparse_softmax_cross_entropy_with_logits
        loss = cross_entropy(labels=array_ops.reshape(targets, [-1]), logits=flat_logits)
        loss *= array_ops.reshape(weights, [-1])
        if not all(averaged.values()) and not all(summed.values()):
            loss = array_ops.reshape(loss, array_ops.shape(logits)[0:2])
        for reduced, size in ((averaged, math_ops.reduce_sum), (summed, _count)):
            if any(reduced.values()):
                axis = None if all(reduced.values()) else [0] if reduced["batch"] else [1]
                loss = math_ops.reduce_sum(loss, axis=axis)
                return math_ops.div_no_nan(loss, size(weights, axis=axis))
        return loss


class SequenceLoss(Loss):
    """`sequence_loss` as a loss of Keras: calls give `sequence_loss(y_pred, y_true, weights)`.

    Args:
      average_across_timesteps, average_across_batch: see `sequence_loss`.
      sum_over_timesteps, sum_over_batch: see `sequence_loss`.
      softmax_loss_function: see `sequence_loss`.
      name: the name scope.
    """

    def __init__(
        self, average_across_timesteps: bool = False, average_across_batch: bool = False,
        sum_over_timesteps: bool = True, sum_over_batch: bool = True,
        softmax_loss_function: Callable[..., Any] | None = None, name: Name = None,
    ):  # fmt: skip
        super().__init__(name=name)
        self.average_across_timesteps = average_across_timesteps
        self.average_across_batch = average_across_batch
        self.sum_over_timesteps = sum_over_timesteps
        self.sum_over_batch = sum_over_batch
        self.softmax_loss_function = softmax_loss_function

    def __call__(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Tensor:
        """The loss.

        Args:
          y_true: the classes, ints [batch, time].
          y_pred: logits [batch, time, classes].
          sample_weight: floats [batch, time].
        """
        return sequence_loss(
            y_pred, y_true, sample_weight, self.average_across_timesteps,
            self.average_across_batch, self.sum_over_timesteps, self.sum_over_batch,
            self.softmax_loss_function, self.name,
        )  # fmt: skip

    def call(self, y_true: Any, y_pred: Any) -> None:
        """Nothing: `__call__` does it all, as its reduction is another."""
