"""The collection of losses (`tensorflow.python.ops.losses.util`)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, weights_broadcast_ops
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import TensorLike


@contextlib.contextmanager
def check_per_example_loss_rank(per_example_loss: Tensor) -> Iterator[None]:
    """Context manager: what is recorded in it needs losses that have a dimension of examples.

    Args:
      per_example_loss: the losses.

    Raises:
      ValueError: a scalar.
    """
    rank = per_example_loss.shape.rank
    text = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1"
    if rank == 0:
        raise ValueError(f"{text}, received: {per_example_loss}")
    if rank is not None:
        yield
        return
    rank = array_ops.rank(per_example_loss)
    one = math_ops.cast(1, dtypes.int32)
    check = check_ops.assert_greater_equal(rank, one, message=f"{text}.")
    with ops.control_dependencies([check]):
        yield


@tf_export("losses.add_loss")
def add_loss(loss: Any, loss_collection: Any = ops.GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection, if one is given.

    Args:
      loss: a scalar tensor.
      loss_collection: the collection, or None for none.
    """
    if loss_collection and not context.executing_eagerly():
        ops.add_to_collection(loss_collection, loss)


@tf_export("losses.get_losses")
def get_losses(scope: Any = None, loss_collection: Any = ops.GraphKeys.LOSSES) -> list[Any]:
    """The losses of a collection, those whose names match `scope`.

    Args:
      scope: a pattern (`re.match`) of names, or None for all.
      loss_collection: the collection.

    Returns:
      Tensors.
    """
    return ops.get_collection(loss_collection, scope)


@tf_export("losses.get_regularization_losses")
def get_regularization_losses(scope: Any = None) -> list[Any]:
    """The losses in `GraphKeys.REGULARIZATION_LOSSES`, those whose names match `scope`.

    Args:
      scope: a pattern (`re.match`) of names, or None for all.

    Returns:
      Tensors.
    """
    return ops.get_collection(ops.GraphKeys.REGULARIZATION_LOSSES, scope)


@tf_export("losses.get_regularization_loss")
def get_regularization_loss(scope: Any = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the regularisation losses; 0 if there are none.

    Args:
      scope: a pattern (`re.match`) of names, or None for all.
      name: the operation's name.

    Returns:
      A float32 scalar.
    """
    losses = get_regularization_losses(scope)
    return math_ops.add_n(losses, name=name) if losses else constant_op.constant(0.0)


@tf_export("losses.get_total_loss")
def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: Any = None
) -> Tensor:
    """The sum of all losses.

    Args:
      add_regularization_losses: whether those of regularisation count.
      name: the operation's name.
      scope: a pattern (`re.match`) of names, or None for all.

    Returns:
      A scalar.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return math_ops.add_n(losses, name=name)


def squeeze_or_expand_dimensions(
    y_pred: Any, y_true: Any = None, sample_weight: TensorLike | None = None
) -> Any:
    """Brings predictions, labels and weights to ranks that fit.

    Predictions or labels lose a last dimension of 1 where the other has none; weights lose or get
    one where their rank is off by 1. Where ranks are unknown it is decided when the graph runs.

    Returns:
      (y_pred, y_true), or (y_pred, y_true, sample_weight) if there are weights.
    """
    predicted = y_pred.shape.ndims
    if y_true is not None:
        known = y_true.shape.ndims
        if known is not None and predicted is not None:
            if predicted - known != 1 or dimension_value(y_pred.shape[-1]) == 1:
                y_true, y_pred = confusion_matrix.remove_squeezable_dimensions(y_true, y_pred)
        else:
            before = y_true, y_pred

            def squeezed() -> Any:
                return confusion_matrix.remove_squeezable_dimensions(*before)

            difference = array_ops.rank(y_pred) - array_ops.rank(y_true)
            is_one = math_ops.equal(1, array_ops.shape(y_pred)[-1])
            y_true, y_pred = control_flow_ops.cond(
                math_ops.equal(1, difference),
                lambda: control_flow_ops.cond(is_one, squeezed, lambda: before),
                squeezed,
            )
    if sample_weight is None:
        return y_pred, y_true
    weights = ops.convert_to_tensor(sample_weight)
    return y_pred, y_true, weights_broadcast_ops.fit_rank(weights, y_pred, predicted)


def scale_losses_by_sample_weight(losses: Any, sample_weight: TensorLike) -> Tensor:
    """Losses times weights that broadcast to them, as float32."""
    losses = math_ops.cast(losses, dtypes.float32)
    sample_weight = math_ops.cast(sample_weight, dtypes.float32)
    losses, _, sample_weight = squeeze_or_expand_dimensions(losses, None, sample_weight)
    sample_weight = weights_broadcast_ops.broadcast_weights(sample_weight, losses)
    return math_ops.multiply(losses, sample_weight)
