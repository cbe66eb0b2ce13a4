"""`tf.losses` (`tensorflow.python.ops.losses.losses_impl`).

Every loss computes one number for each example (or element), weighs them, and reduces them to a
scalar that joins a collection. Arguments that all take:
  weights: a scalar, or a tensor that broadcasts against the losses.
  scope: the name scope.
  loss_collection: the collection to join; None for none.
  reduction: one of `Reduction`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.losses import util
from tf1compat.api.math import math_ops
from tf1compat.api.metrics import confusion_matrix, weights_broadcast_ops
from tf1compat.api.nn import nn_impl, nn_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

_LOSSES = ops.GraphKeys.LOSSES


@tf_export("losses.Reduction")
class Reduction:
    """How losses become one: not at all, by their sum, or by a mean over one of several counts."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All keys."""
        return (
            cls.NONE,
            cls.SUM,
            cls.MEAN,
            cls.SUM_OVER_BATCH_SIZE,
            cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ValueError unless `key` is one of them."""
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


_DEFAULT = Reduction.SUM_BY_NONZERO_WEIGHTS


def _safe_mean(losses: Any, count: Any) -> Tensor:
    return math_ops.div_no_nan(math_ops.reduce_sum(losses), count, name="value")


def _num_elements(losses: Any) -> Tensor:
    with ops.name_scope(None, "num_elements", values=[losses]) as scope:
        return math_ops.cast(array_ops.size(losses, name=scope), dtype=losses.dtype)


def _num_present(losses: Any, weights: TensorLike, per_batch: bool = False) -> Tensor:
    """How many losses have a weight that is not 0."""
    if _is_known_nonzero(weights):
        return _num_elements(losses)
    with ops.name_scope(None, "num_present", (losses, weights)) as scope:
        weights = math_ops.cast(weights, dtype=dtypes.float32)
        absent = math_ops.equal(weights, 0.0)
        present = array_ops.where(
            absent, array_ops.zeros_like(weights), array_ops.ones_like(weights)
        )
        present = weights_broadcast_ops.broadcast_weights(present, losses)
        axes = math_ops.range(1, array_ops.rank(present)) if per_batch else None
        return math_ops.reduce_sum(present, axis=axes, keepdims=per_batch, name=scope)


def _is_known_nonzero(weights: Any) -> bool:
    """Whether the weights are one number, known here not to be 0."""
    if isinstance(weights, float):
        return weights != 0.0
    is_known = context.executing_eagerly() and weights.shape.ndims == 0
    return is_known and bool(math_ops.not_equal(weights, 0.0))


@tf_export("losses.compute_weighted_loss")
def compute_weighted_loss(
    losses: Any, weights: TensorLike = 1.0, scope: Any = None, loss_collection: Any = _LOSSES,
    reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """Weighs and reduces losses.

    Args:
      losses: a tensor.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar of the losses' dtype; their weighted values for Reduction.NONE.

    Raises:
      ValueError: the weights don't broadcast against the losses, or there is no such reduction.
    """
    Reduction.validate(reduction)
    with ops.name_scope(scope, "weighted_loss", (losses, weights)):
        # Estimators look it up.
        graph: Any = ops.get_default_graph()
        graph._last_loss_reduction = reduction
        checked = weights_broadcast_ops.assert_broadcastable(weights, losses)
        with ops.control_dependencies((checked,)):
            losses = ops.convert_to_tensor(losses)
            dtype = losses.dtype
            losses, weights = (
                math_ops.cast(tensor, dtype=dtypes.float32) for tensor in (losses, weights)
            )
            loss = math_ops.multiply(losses, weights)
            if reduction != Reduction.NONE:
                loss = math_ops.reduce_sum(loss)
            if reduction == Reduction.MEAN:
                total = math_ops.reduce_sum(array_ops.ones_like(losses) * weights)
                loss = _safe_mean(loss, total)
            elif reduction == Reduction.SUM_BY_NONZERO_WEIGHTS:
                loss = _safe_mean(loss, _num_present(losses, weights))
            elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                loss = _safe_mean(loss, _num_elements(losses))
            loss = math_ops.cast(loss, dtype)
            util.add_loss(loss, loss_collection)
            return loss


def _require(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _as_floats(first: Any, second: Any) -> tuple[Tensor, Tensor]:
    """Two tensors of one shape, as float32, in this order."""
    first = math_ops.cast(first, dtype=dtypes.float32)
    second = math_ops.cast(second, dtype=dtypes.float32)
    first.get_shape().assert_is_compatible_with(second.get_shape())
    return first, second


@tf_export("losses.absolute_difference")
def absolute_difference(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """|predictions - labels|.

    Args:
      labels, predictions: tensors of one shape.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels`.
    """
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(scope, "absolute_difference", (predictions, labels, weights)) as scope:
        predictions, labels = _as_floats(predictions, labels)
        losses = math_ops.abs(math_ops.subtract(predictions, labels))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.cosine_distance")
@deprecated_args(None, "dim is deprecated, use axis instead", "dim")
def cosine_distance(
    labels: TensorLike, predictions: TensorLike, axis: TensorLike | None = None,
    weights: TensorLike = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT, dim: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """1 - labels . predictions, for unit vectors along `axis`.

    Args:
      labels, predictions: tensors of one shape.
      axis, dim: along which the vectors are.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels` with 1 in place of `axis`.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(scope, "cosine_distance_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _as_floats(predictions, labels)
        products = math_ops.multiply(predictions, labels)
        losses = 1 - math_ops.reduce_sum(products, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.hinge_loss")
def hinge_loss(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """max(0, 1 - y logits), where y is -1 for label 0 and 1 for label 1.

    Args:
      labels, logits: tensors of one shape.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels`.
    """
    _require(labels=labels, logits=logits)
    with ops.name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        logits, labels = _as_floats(logits, labels)
        ones = array_ops.ones_like(labels)
        labels = math_ops.subtract(2 * labels, ones)
        losses = nn_ops.relu(math_ops.subtract(ones, math_ops.multiply(labels, logits)))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.huber_loss")
def huber_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, delta: float = 1.0,
    scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """Half the squared error up to an error of `delta`, linear beyond.

    Args:
      labels, predictions: tensors of one shape.
      delta: where the loss becomes linear.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels`.
    """
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _as_floats(predictions, labels)
        error = math_ops.abs(math_ops.subtract(predictions, labels))
        quadratic = math_ops.minimum(error, delta)
        linear = math_ops.subtract(error, quadratic)
        half = ops.convert_to_tensor(0.5, dtype=quadratic.dtype)
        losses = math_ops.add(
            math_ops.multiply(half, math_ops.multiply(quadratic, quadratic)),
            math_ops.multiply(delta, linear),
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.log_loss")
def log_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, epsilon: float = 1e-7,
    scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """-labels log(predictions) - (1 - labels) log(1 - predictions).

    Args:
      labels, predictions: tensors of one shape.
      epsilon: added inside the logarithms.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels`.
    """
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        predictions, labels = _as_floats(predictions, labels)

        def term(shares: Tensor, predictions: Tensor) -> Tensor:
            return math_ops.multiply(shares, math_ops.log(predictions + epsilon))

        losses = -term(labels, predictions) - term(1 - labels, 1 - predictions)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.mean_pairwise_squared_error")
def mean_pairwise_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES,
) -> Tensor:  # fmt: skip
    """The mean, over all pairs of elements of an example, of the squared error of their difference.

    Args:
      labels, predictions: tensors of one shape, examples first.
      weights, scope, loss_collection: see this module.

    Returns:
      A scalar.
    """
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(
        scope, "mean_pairwise_squared_error", (predictions, labels, weights)
    ) as scope:
        weights = math_ops.cast(weights, dtype=dtypes.float32)
        labels = math_ops.cast(labels, dtype=dtypes.float32)
        checked = weights_broadcast_ops.assert_broadcastable(weights, labels)
        with ops.control_dependencies((checked,)):
            predictions = math_ops.cast(predictions, dtype=dtypes.float32)
            predictions.get_shape().assert_is_compatible_with(labels.get_shape())
            diffs = math_ops.subtract(predictions, labels)
            axes = math_ops.range(1, array_ops.rank(diffs))
            of_example = functools.partial(math_ops.reduce_sum, axis=axes, keepdims=True)

            def twice_mean(total: Tensor, count: Tensor) -> Tensor:
                count = math_ops.maximum(count, 0)
                return 2.0 * math_ops.div_no_nan(total, count, name="value")

            squares = of_example(math_ops.square(diffs))
            count = _num_present(diffs, weights, per_batch=True)
            of_squares = twice_mean(squares, count - 1)
            sums = of_example(diffs)
            of_products = twice_mean(math_ops.square(sums), math_ops.multiply(count, count - 1))
            loss = math_ops.reduce_sum(math_ops.multiply(of_squares - of_products, weights))
            is_any = math_ops.reduce_sum(count) > 0
            mean = array_ops.where(is_any, loss, array_ops.zeros_like(loss), name="value")
            util.add_loss(mean, loss_collection)
            return mean


@tf_export("losses.mean_squared_error")
def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """(predictions - labels)^2.

    Args:
      labels, predictions: tensors of one shape.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `labels`.
    """
    _require(labels=labels, predictions=predictions)
    with ops.name_scope(scope, "mean_squared_error", (predictions, labels, weights)) as scope:
        predictions, labels = _as_floats(predictions, labels)
        losses = math_ops.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: Any = None, loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """The cross-entropy of sigmoid(logits), element by element.

    Args:
      multi_class_labels: 0 or 1, in the shape of `logits`.
      logits: a float tensor.
      label_smoothing: how far to move the labels towards 1/2.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE a tensor like `logits`.
    """
    _require(multi_class_labels=multi_class_labels, logits=logits)
    values = (logits, multi_class_labels, weights)
    with ops.name_scope(scope, "sigmoid_cross_entropy_loss", values) as scope:
        logits = ops.convert_to_tensor(logits)
        labels = math_ops.cast(multi_class_labels, logits.dtype)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = nn_impl.sigmoid_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


@tf_export("losses.softmax_cross_entropy")
def softmax_cross_entropy(
    onehot_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0,
    label_smoothing: float = 0,
    scope: Any = None, loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """The cross-entropy of softmax(logits) under distributions; no gradient flows to these.

    Args:
      onehot_labels, logits: [batch, classes].
      label_smoothing: how far to move the labels towards 1 / classes.
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE [batch].
    """
    _require(onehot_labels=onehot_labels, logits=logits)
    values = (logits, onehot_labels, weights)
    with ops.name_scope(scope, "softmax_cross_entropy_loss", values) as scope:
        logits = ops.convert_to_tensor(logits)
        labels: Any = math_ops.cast(onehot_labels, logits.dtype)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        if label_smoothing > 0:
            classes = math_ops.cast(array_ops.shape(labels)[-1], logits.dtype)
            others = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + others
        labels = array_ops.stop_gradient(labels, name="labels_stop_gradient")
        losses = nn_ops.softmax_cross_entropy_with_logits_v2(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def _remove_squeezable_dimensions(
    labels: Any, predictions: Any, weights: Any = None, expected_rank_diff: int = 0
) -> Sequence[Any]:
    """Squeezes a last dimension of 1 that labels, predictions or weights have too many."""
    labels, predictions = confusion_matrix.remove_squeezable_dimensions(
        labels, predictions, expected_rank_diff=expected_rank_diff
    )
    if weights is None:
        return labels, predictions, weights
    weights = ops.convert_to_tensor(weights)
    shape = weights.get_shape()
    if labels.get_shape().ndims is not None and shape.ndims is not None:
        if shape.ndims - labels.get_shape().ndims == 1:
            weights = array_ops.squeeze(weights, [-1])
        return labels, predictions, weights
    difference = array_ops.rank(weights) - array_ops.rank(labels)
    if shape.ndims is None or (shape.ndims > 0 and shape.dims[-1].is_compatible_with(1)):
        whole = weights
        weights = control_flow_ops.cond(
            math_ops.equal(1, difference),
            lambda: array_ops.squeeze(whole, [-1]),
            lambda: whole,
        )
    return labels, predictions, weights


@tf_export("losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: Any = None,
    loss_collection: Any = _LOSSES, reduction: str = _DEFAULT,
) -> Tensor:  # fmt: skip
    """The cross-entropy of softmax(logits) at integer labels.

    Args:
      labels: ints [batch], or [batch, 1].
      logits: [batch, classes].
      weights, scope, loss_collection, reduction: see this module.

    Returns:
      A scalar, or for Reduction.NONE [batch].
    """
    _require(labels=labels, logits=logits)
    with ops.name_scope(
        scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)
    ) as scope:
        labels, logits, weights = _remove_squeezable_dimensions(
            labels, logits, weights, expected_rank_diff=1
        )
        losses = nn_ops.sparse_softmax_cross_entropy_with_logits(
            labels=labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)
