"""Losses of single examples (`tensorflow.contrib.boosted_trees.python.utils.losses`).

Each gives the losses [batch, 1], and an update that does nothing, as in TF 1.15.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor


def _weighted(loss: Any, weights: Any) -> tuple[Any, Any]:
    return (loss if weights is None else loss * weights), control_flow_ops.no_op()


def per_example_squared_hinge_loss(labels: Any, weights: Any, predictions: Any) -> Any:
    """The square of the mean hinge loss.

    Args:
      labels: [batch, 1], 0 or 1.
      weights: [batch, 1].
      predictions: [batch, 1] float32, logits.

    Returns:
      (a scalar, an update).
    """
    loss = losses.hinge_loss(labels=labels, logits=predictions, weights=weights)
    return math_ops.square(loss), control_flow_ops.no_op()


def per_example_logistic_loss(labels: Any, weights: Any, predictions: Any) -> Any:
    """The cross entropy of logits with labels 0 and 1; see `per_example_squared_hinge_loss`."""
    labels = math_ops.cast(labels, dtypes.float32)
    loss = nn_impl.sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions)
    return loss * weights, control_flow_ops.no_op()


def per_example_quantile_regression_loss(
    labels: Any, weights: Any, predictions: Any, quantile: float
) -> Any:
    """How far predictions are from a quantile: squared where that is less.

    Args:
      labels: [batch, 1].
      weights: [batch, 1], or None.
      predictions: [batch, 1] float32.
      quantile: from 0 to 1.
    """
    error = math_ops.cast(labels, dtypes.float32) - predictions

    def side(factor: float) -> Any:
        return array_ops.where(error * factor < 1, math_ops.square(factor * error), factor * error)

    above, below = side(quantile), side(quantile - 1)
    return _weighted(array_ops.where(error > 0, above, below), weights)


def _one_hot_rows(labels: Tensor, classes: int) -> Tensor:
    """[batch, 1, classes] of [batch] or [batch, 1] labels."""
    labels = math_ops.cast(labels, dtypes.int64)
    if len(labels.shape) != 2:
        labels = array_ops.expand_dims(labels, 1)
    return array_ops.one_hot(labels, classes)


def _clamped_probabilities(p: Tensor, eps: float) -> Tensor:
    """`p` within [eps, 1 - eps]; TF records both bounds before the first comparison."""
    low, high = array_ops.zeros_like(p) + eps, array_ops.ones_like(p) - eps
    p = array_ops.where(p >= eps, p, low)
    return array_ops.where(p <= 1 - eps, p, high)


def per_example_maxent_loss(
    labels: Any, weights: Any, logits: Any, num_classes: int, eps: float = 1e-15
) -> Any:
    """The cross entropy of several classes' logits.

    Args:
      labels: [batch] or [batch, 1], the classes' numbers.
      weights: [batch, 1], or None.
      logits: [batch, classes] float32.
      num_classes: how many classes.
      eps: probabilities are kept so far from 0 and 1.
    """
    one_of = math_ops.reduce_sum(_one_hot_rows(labels, num_classes), axis=[1])
    one_of = math_ops.cast(one_of, dtypes.float32)
    powers = math_ops.exp(logits)
    total = math_ops.add(math_ops.reduce_sum(powers, 1, keepdims=True), eps)
    found = math_ops.reduce_sum(one_of * math_ops.divide(powers, total), 1)
    found = _clamped_probabilities(found, eps)
    return _weighted(array_ops.expand_dims(-math_ops.log(found), 1), weights)


def per_example_squared_loss(labels: Any, weights: Any, predictions: Any) -> Any:
    """Squared differences, added up over [batch, dimension]."""
    squares = math_ops.squared_difference(predictions, labels)
    return math_ops.reduce_sum(squares, 1, keepdims=True) * weights, control_flow_ops.no_op()


def _logits_and_labels(name: str | None, labels: Any, logits: Any) -> tuple[Any, Any]:
    with ops.name_scope(name, "exp_loss", [logits, labels]):
        logits = ops.convert_to_tensor(logits, name="logits")
        labels = ops.convert_to_tensor(labels, name="labels")
        try:
            labels.get_shape().merge_with(logits.get_shape())
        except ValueError:
            raise ValueError(
                f"logits and labels must have the same shape ({logits.get_shape()} vs "
                f"{labels.get_shape()})"
            ) from None
    return logits, labels


def _signs(labels: Any, logits: Any) -> tuple[Any, Any, Any]:
    """Labels above 0 as 1, others as -1; and ones and minus ones like the logits."""
    zeros = array_ops.zeros_like(logits, dtype=logits.dtype)
    ones = array_ops.ones_like(logits, dtype=logits.dtype)
    minus_ones = -array_ops.ones_like(logits, dtype=logits.dtype)
    return array_ops.where(labels > zeros, ones, minus_ones), ones, minus_ones


def per_example_exp_loss(
    labels: Any, weights: Any, predictions: Any, name: str | None = None, eps: float = 0.1
) -> Any:
    """exp(-label * p) of labels -1 and 1 and of p, the sigmoid stretched by 1 / eps and cut there.

    Args:
      labels: [batch, 1]; what is above 0 means 1.
      weights: [batch, 1].
      predictions: [batch, 1] float32, logits.
      name: name scope of the inputs.
      eps: how far from one half a probability may be.

    Raises:
      ValueError: labels and predictions have other shapes.
    """
    labels = math_ops.cast(labels, dtypes.float32)
    logits, labels = _logits_and_labels(name, labels, predictions)
    signs, ones, minus_ones = _signs(labels, logits)
    stretched = 1.0 / eps * math_ops.sigmoid(logits) + -1.0 / 2 / eps
    stretched = array_ops.where(stretched < -1, minus_ones, stretched)
    stretched = array_ops.where(stretched > 1, ones, stretched)
    return math_ops.exp(-stretched * signs) * weights, control_flow_ops.no_op()


def per_example_full_exp_loss(
    labels: Any, weights: Any, predictions: Any, name: str | None = None
) -> Any:
    """exp(-label * logit) of labels -1 and 1; see `per_example_exp_loss`."""
    labels = math_ops.cast(labels, dtypes.float32)
    logits, labels = _logits_and_labels(name, labels, predictions)
    signs, _, _ = _signs(labels, logits)
    return math_ops.exp(-1.0 * logits * signs) * weights, control_flow_ops.no_op()
