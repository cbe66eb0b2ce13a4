"""The collection of losses (`tensorflow.python.ops.losses.util`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api import constant_op, math_ops
from tf1compat.core import context, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("losses.add_loss")
def add_loss(loss: Any, loss_collection: Any = ops.GraphKeys.LOSSES) -> None:
    """Adds a loss to a collection, if one is given."""
    if loss_collection and not context.executing_eagerly():
        ops.add_to_collection(loss_collection, loss)


@tf_export("losses.get_losses")
def get_losses(scope: Any = None, loss_collection: Any = ops.GraphKeys.LOSSES) -> list[Any]:
    """The losses of a collection, those whose names match `scope`."""
    return ops.get_collection(loss_collection, scope)


@tf_export("losses.get_regularization_losses")
def get_regularization_losses(scope: Any = None) -> list[Any]:
    """The losses in `GraphKeys.REGULARIZATION_LOSSES`, those whose names match `scope`."""
    return ops.get_collection(ops.GraphKeys.REGULARIZATION_LOSSES, scope)


@tf_export("losses.get_regularization_loss")
def get_regularization_loss(scope: Any = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the regularisation losses; 0 if there are none."""
    losses = get_regularization_losses(scope)
    return math_ops.add_n(losses, name=name) if losses else constant_op.constant(0.0)


@tf_export("losses.get_total_loss")
def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: Any = None
) -> Tensor:
    """The sum of all losses."""
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    return math_ops.add_n(losses, name=name)
