"""The losses of `head`: each gives (what is minimized, the weighted average)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.losses import losses_impl
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import weights_broadcast_ops
from tf1compat.api.nn import nn_impl, nn_softmax
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.sparse import sparse_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor

Loss = Callable[..., tuple[Any, Any]]


def weight_tensor(features: dict[str, Any], name: str | None) -> Any:
    """The weights of examples among the features, float32, of rank 2; None if there are none.

    Raises:
      ValueError: there is no feature of that name.
    """
    if not name:
        return None
    if name not in features:
        raise ValueError(f"Weights {name} missing from features.")
    with ops.name_scope(None, "weight_tensor", tuple(features.values())):
        weights = math_ops.cast(features[name], dtypes.float32)
        shape = weights.get_shape()
        if shape.ndims != 1:
            return weights
        logging.warning(f"Weights {name} has shape {shape}, expanding to make it 2d.")
        if isinstance(weights, SparseTensor):
            return sparse_ops.sparse_reshape(weights, (-1, 1))
        return array_ops.reshape(weights, (-1, 1))


def _weighted(losses: Any, weights: Any) -> tuple[Any, Any]:
    with ops.name_scope("loss", values=(losses, weights)) as scope:
        if weights is None:
            average = minimized = math_ops.reduce_mean(losses, name=scope)
            return minimized, average
        weights = weights_broadcast_ops.broadcast_weights(weights, losses)
        with ops.name_scope(None, "weighted_loss", (losses, weights)) as inner:
            losses = math_ops.multiply(losses, weights, name=inner)
        minimized = math_ops.reduce_mean(losses, name=scope)
        sums = [math_ops.reduce_sum(x) for x in (losses, weights)]
        sums[1] = math_ops.cast(sums[1], dtypes.float32)
        return minimized, math_ops.div(*sums, name="weighted_average_loss")


def _column(x: Any) -> Any:
    """A vector as a matrix of one column."""
    return array_ops.expand_dims(x, axis=1) if len(x.get_shape()) == 1 else x


def _both_columns(labels: Any, logits: Any) -> tuple[Any, Any]:
    logits, labels = ops.convert_to_tensor(logits), ops.convert_to_tensor(labels)
    labels, logits = _column(labels), _column(logits)
    logits.get_shape().assert_is_compatible_with(labels.get_shape())
    return labels, logits


def mean_squared(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of regression."""
    with ops.name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        labels, logits = _both_columns(labels, logits)
        labels = math_ops.cast(labels, dtypes.float32)
        return _weighted(math_ops.squared_difference(logits, labels, name=name), weights)


def poisson(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of counts, whose logarithms are predicted."""
    with ops.name_scope(None, "_poisson_loss", (logits, labels)) as name:
        labels, logits = _both_columns(labels, logits)
        losses = nn_impl.log_poisson_loss(labels, logits, compute_full_loss=True, name=name)
        return _weighted(losses, weights)


def log_of_two_classes(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of two classes."""
    with ops.name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits = ops.convert_to_tensor(logits)
        labels = _column(math_ops.cast(labels, dtypes.float32))
        losses = nn_impl.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return _weighted(losses, weights)


def softmax(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of several classes.

    Raises:
      ValueError: the labels are no integers.
    """
    with ops.name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = ops.convert_to_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        is_column = len(labels.get_shape()) == 2
        if is_column:
            labels = array_ops.squeeze(labels, axis=(1,))
        losses = nn_softmax.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name=name
        )
        if is_column:
            losses = array_ops.expand_dims(losses, axis=(1,))
        return _weighted(losses, weights)


def sigmoid(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of labels of which several hold."""
    with ops.name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
        labels = math_ops.cast(labels, dtypes.float32)
        losses = nn_impl.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return _weighted(losses, weights)


def hinge(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
    """Of support vector machines."""
    with ops.name_scope(None, "hinge_loss", (logits, labels)) as name:
        holds = math_ops.less_equal(array_ops.rank(labels), 2)
        said = ("labels shape should be either [batch_size, 1] or [batch_size]",)
        with ops.control_dependencies((control_flow_ops.Assert(holds, said),)):
            labels = array_ops.reshape(labels, shape=(-1, 1))
        none = losses_impl.Reduction.NONE
        losses = losses_impl.hinge_loss(labels=labels, logits=logits, scope=name, reduction=none)
        return _weighted(losses, weights)


def custom(loss_fn: Any) -> Loss | None:
    """A user's function of labels, logits and weights as a loss; None if there is none.

    Raises:
      ValueError: it takes other arguments.
    """
    if not loss_fn:
        return None
    for name in ("labels", "logits", "weights"):
        if name not in inspect.signature(loss_fn).parameters:
            raise ValueError(f"Argument {name} not found in loss_fn.")

    def both(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        given = () if weights is None else (weights,)
        loss = loss_fn(labels, logits, *given)
        return loss, loss

    return both
