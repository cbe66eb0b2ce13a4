"""Losses that are scaled by the number of replicas (`tensorflow.python.ops.nn_impl`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


@tf_export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> ops.Tensor:
    """The sum of a regularization loss over the number of replicas, which is 1.

    Args:
      regularization_loss: a tensor, or what makes one.

    Returns:
      A scalar.
    """
    return math_ops.reduce_sum(regularization_loss) / 1


@tf_export("nn.compute_average_loss")
def compute_average_loss(
    per_example_loss: Any, sample_weight: TensorLike | None = None, global_batch_size: Any = None
) -> ops.Tensor:
    """The sum of the losses of examples over the size of the batch, weights or not.

    Args:
      per_example_loss: tensor of at least one dimension, the first of which is the batch.
      sample_weight: a weight for each example, or None.
      global_batch_size: the number of examples; by default the size of the first dimension.

    Returns:
      A scalar.

    Raises:
      ValueError: the losses are a scalar.
    """
    loss = ops.convert_to_tensor(per_example_loss)
    dtype = loss.dtype
    with _of_rank_one_at_least(loss):
        if sample_weight is not None:
            loss = _weighted(loss, sample_weight)
        loss = math_ops.cast(loss, dtype)
        if global_batch_size is None:
            replicas = 1
            size = array_ops.shape_v2(loss)[0] * replicas
            global_batch_size = math_ops.cast(size, dtype)
        return math_ops.reduce_sum(loss) / global_batch_size


@contextlib.contextmanager
def _of_rank_one_at_least(loss: Any) -> Iterator[None]:
    text = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1"
    rank = loss.shape.ndims
    if rank == 0:
        raise ValueError(f"{text}, received: {loss}")
    if rank is not None:
        yield
        return
    rank = array_ops.rank(loss)
    one = math_ops.cast(1, dtype=dtypes.int32)
    with ops.control_dependencies([check_ops.assert_greater_equal(rank, one, message=f"{text}.")]):
        yield


def _weighted(loss: Any, sample_weight: TensorLike) -> Any:
    loss = math_ops.cast(loss, dtypes.float32)
    weight = math_ops.cast(sample_weight, dtypes.float32)
    weight = _with_rank_of(loss, ops.convert_to_tensor(weight))
    weight = weights_broadcast_ops.broadcast_weights(weight, loss)
    return math_ops.multiply(loss, weight)


def _with_rank_of(loss: Any, weight: Any) -> Any:
    """The weights with their last dimension squeezed, or one added, where that makes the ranks
    equal."""
    rank, weight_rank = loss.shape.ndims, weight.shape.ndims
    if weight_rank == 0:
        return weight
    if rank is not None and weight_rank is not None:
        if weight_rank - rank == 1:
            return array_ops.squeeze(weight, [-1])
        return array_ops.expand_dims(weight, [-1]) if rank - weight_rank == 1 else weight
    rank_now = array_ops.rank(weight)
    difference = rank_now - array_ops.rank(loss)

    def maybe_expanded() -> Any:
        return control_flow_ops.cond(
            math_ops.equal(difference, -1),
            lambda: array_ops.expand_dims(weight, [-1]),
            lambda: weight,
        )

    def adjusted() -> Any:
        return control_flow_ops.cond(
            math_ops.equal(difference, 1),
            lambda: array_ops.squeeze(weight, [-1]),
            maybe_expanded,
        )

    return control_flow_ops.cond(math_ops.equal(rank_now, 0), lambda: weight, adjusted)
