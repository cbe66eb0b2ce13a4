"""`tf.contrib.losses` (`tensorflow.contrib.losses.python.losses.loss_ops`).

Every loss computes one number for each example (or element), weighs them, and averages those with
a weight that is not 0 to a scalar that joins `GraphKeys.LOSSES`. Arguments that all take:
  predictions (or logits), labels: tensors of one shape.
  weights: a scalar, or one for each of the first dimensions' elements.
  scope: the name scope.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, gather_ops, slicing
from tf1compat.api.contrib.framework.arg_scope import add_arg_scope
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_impl, nn_ops, nn_softmax
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

__all__ = [
    "absolute_difference",
    "add_loss",
    "compute_weighted_loss",
    "cosine_distance",
    "get_losses",
    "get_regularization_losses",
    "get_total_loss",
    "hinge_loss",
    "log_loss",
    "mean_pairwise_squared_error",
    "mean_squared_error",
    "sigmoid_cross_entropy",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]

_Keys = ops.GraphKeys
_MODULE = "tensorflow.contrib.losses.python.losses.loss_ops"


def _moved(name: str, note: str = "") -> Any:
    """Decorator: deprecated in favour of the function of that name in `tf.losses`."""
    return deprecated("2016-12-30", f"Use tf.losses.{name} instead.{note}", module=_MODULE)


def _order(first: str) -> str:
    return f" Note that the order of the {first} and labels arguments has been changed."


# ---- weighing ----


@tf_export("contrib.losses.compute_weighted_loss")
@_moved("compute_weighted_loss")
def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: Any = None) -> Tensor:
    """Weighs and averages losses.

    Args:
      losses: a tensor [batch, ...].
      weights, scope: see this module.

    Returns:
      A scalar of the losses' dtype.

    Raises:
      ValueError: the rank of losses or weights is unknown.
    """
    with ops.name_scope(scope, "weighted_loss", [losses, weights]):
        losses = ops.convert_to_tensor(losses)
        dtype = losses.dtype
        losses = math_ops.cast(losses, dtypes.float32)
        weights = math_ops.cast(ops.convert_to_tensor(weights), dtypes.float32)
        _known_rank(losses, "losses")
        if _known_rank(weights, "weights") > 1:
            dims: Any = weights.get_shape().dims
            if dims[-1].is_compatible_with(1):
                weights = array_ops.squeeze(weights, [-1])
        total = _weighted_sum(losses, weights)
        count = _num_present(losses, weights)
        mean = math_ops.div_no_nan(math_ops.reduce_sum(total), count, name="value")
        mean = math_ops.cast(mean, dtype)
        add_loss(mean)
        return mean


def _known_rank(tensor: Tensor, what: str) -> int:
    rank = tensor.get_shape().ndims
    if rank is None:
        raise ValueError(f"{what}.get_shape().ndims cannot be None")
    return rank


def _weighted_sum(losses: Any, weights: Any) -> Tensor:
    ranks: Any = (weights.get_shape().ndims, losses.get_shape().ndims)
    axes = list(range(*ranks))
    reduced = math_ops.reduce_sum(losses, axis=axes)
    return math_ops.reduce_sum(math_ops.multiply(reduced, weights))


def _num_present(losses: Any, weights: Any, per_batch: bool = False) -> Tensor:
    """How many losses have a weight that is not 0, in all or for each example."""
    of_scalar = weights.get_shape().ndims == 0
    counts = (_counts_of_scalar if of_scalar else _counts_of_many)(losses, weights)
    return counts if per_batch else math_ops.reduce_sum(counts)


def _counts_of_scalar(losses: Any, weight: Any) -> Tensor:
    """How many losses each example has; 0 if the weight of all is."""
    batch = array_ops.reshape(slicing.slice(array_ops.shape(losses), [0], [1]), [])
    elements = math_ops.cast(array_ops.size(losses), dtypes.float32)
    each = math_ops.div(elements, math_ops.cast(batch, dtypes.float32))
    each = gather_ops.where(math_ops.equal(weight, 0), 0.0, each)
    return math_ops.multiply(array_ops.ones(array_ops.reshape(batch, [1])), each)


def _counts_of_many(losses: Any, weights: Any) -> Tensor:
    """How many losses of each example have a weight that is not 0."""
    rank = weights.get_shape().ndims
    present = math_ops.cast(math_ops.not_equal(weights, 0), dtypes.float32)
    present = math_ops.reduce_sum(present, axis=list(range(1, rank)))
    weighed_together = math_ops.reduce_prod(slicing.slice(array_ops.shape(losses), [rank], [-1]))
    return math_ops.multiply(present, math_ops.cast(weighed_together, dtypes.float32))


# ---- the collections ----


@tf_export("contrib.losses.add_loss")
@_moved("add_loss")
@add_arg_scope
def add_loss(loss: Any, loss_collection: Any = _Keys.LOSSES) -> None:
    """Adds a loss to a collection, if one is given.

    Args:
      loss: a scalar tensor.
      loss_collection: the collection, or None for none.
    """
    if loss_collection:
        ops.add_to_collection(loss_collection, loss)


@tf_export("contrib.losses.get_losses")
@_moved("get_losses")
def get_losses(scope: Any = None, loss_collection: Any = _Keys.LOSSES) -> list[Any]:
    """The losses of a collection, those whose names match `scope`.

    Args:
      scope: a pattern (`re.match`) of names, or None for all.
      loss_collection: the collection.

    Returns:
      Tensors.
    """
    return ops.get_collection(loss_collection, scope)


@tf_export("contrib.losses.get_regularization_losses")
@_moved("get_regularization_losses")
def get_regularization_losses(scope: Any = None) -> list[Any]:
    """The losses in `GraphKeys.REGULARIZATION_LOSSES`, those whose names match `scope`.

    Args:
      scope: a pattern (`re.match`) of names, or None for all.

    Returns:
      Tensors.
    """
    return ops.get_collection(_Keys.REGULARIZATION_LOSSES, scope)


@tf_export("contrib.losses.get_total_loss")
@_moved("get_total_loss")
def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Tensor:
    """The sum of all losses.

    Args:
      add_regularization_losses: whether those in `GraphKeys.REGULARIZATION_LOSSES` are among them.
      name: the operation's name.

    Returns:
      A scalar of the losses' dtype.
    """
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return math_ops.add_n(losses, name=name)


# ---- losses ----


def _require_one_shape(first: Any, second: Any) -> None:
    first.get_shape().assert_is_compatible_with(second.get_shape())


def _as_floats(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    """Predictions and labels of one shape, as float32."""
    _require_one_shape(predictions, labels)
    predictions = math_ops.cast(predictions, dtypes.float32)
    return predictions, math_ops.cast(labels, dtypes.float32)


def _loss_of(
    name: str, each: Callable[[Any, Any], Any], predictions: TensorLike, labels: Any,
    weights: TensorLike,
    scope: Any,
) -> Tensor:  # fmt: skip
    """The weighted loss `each(predictions, labels)`, both as floats."""
    with ops.name_scope(scope, name, [predictions, labels, weights]) as scope:
        losses = each(*_as_floats(predictions, labels))
        return compute_weighted_loss(losses, weights, scope=scope)


def _cross_entropy(
    name: str, entropy: Callable[..., Any], prepared: Callable[[Any, Any], Any], logits: TensorLike,
    labels: TensorLike, weights: TensorLike, scope: Any,
) -> Tensor:  # fmt: skip
    """The weighted `entropy` of logits and `prepared(logits, labels)`."""
    with ops.name_scope(scope, name, [logits, labels, weights]) as scope:
        losses = entropy(labels=prepared(logits, labels), logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def _as_logits(logits: Any, labels: Any) -> Tensor:
    """Labels of the logits' shape, in their type."""
    _require_one_shape(logits, labels)
    return math_ops.cast(labels, logits.dtype)


@tf_export("contrib.losses.absolute_difference")
@_moved("absolute_difference")
def absolute_difference(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    weights: TensorLike = 1.0,
    scope: Any = None,
) -> Tensor:
    """The mean of |predictions - labels|.

    Args: see this module.

    Returns:
      A float32 scalar; it joins `GraphKeys.LOSSES`.
    """

    def each(predictions: Tensor, labels: Tensor) -> Tensor:
        return math_ops.abs(math_ops.subtract(predictions, labels))

    return _loss_of("absolute_difference", each, predictions, labels, weights, scope)


@tf_export("contrib.losses.sigmoid_cross_entropy")
@_moved(
    "sigmoid_cross_entropy",
    " Note that the order of the predictions and labels arguments has been changed.",
)
def sigmoid_cross_entropy(
    logits: TensorLike, multi_class_labels: Any, weights: TensorLike = 1.0,
    label_smoothing: Any = 0,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """The cross-entropy of independent classes.

    Args: see this module.
      label_smoothing: how far labels are moved towards 1/2.

    Returns:
      A scalar of the logits' dtype; it joins `GraphKeys.LOSSES`.
    """

    def prepared(logits: Any, labels: Any) -> Tensor:
        labels = _as_logits(logits, labels)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        return labels

    return _cross_entropy(
        "sigmoid_cross_entropy_loss", nn_impl.sigmoid_cross_entropy_with_logits, prepared,
        logits, multi_class_labels, weights, scope,
    )  # fmt: skip


@tf_export("contrib.losses.softmax_cross_entropy")
@_moved("softmax_cross_entropy", _order("logits"))
def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """The cross-entropy of classes that exclude each other.

    Args: see this module.
      label_smoothing: how far labels are moved towards 1/classes.

    Returns:
      A scalar of the logits' dtype; it joins `GraphKeys.LOSSES`.
    """

    def prepared(logits: Any, labels: Any) -> Tensor:
        labels = _as_logits(logits, labels)
        if label_smoothing > 0:
            classes = math_ops.cast(array_ops.shape(labels)[1], logits.dtype)
            of_each_class = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + of_each_class
        return labels

    return _cross_entropy(
        "softmax_cross_entropy_loss", nn_softmax.softmax_cross_entropy_with_logits, prepared,
        logits, onehot_labels, weights, scope,
    )  # fmt: skip


@tf_export("contrib.losses.sparse_softmax_cross_entropy")
@_moved("sparse_softmax_cross_entropy", _order("logits"))
def sparse_softmax_cross_entropy(
    logits: TensorLike, labels: TensorLike, weights: TensorLike = 1.0, scope: Any = None
) -> Tensor:
    """The cross-entropy of classes that exclude each other, labelled by number.

    Args: see this module.
      labels: integers [batch] or [batch, 1].

    Returns:
      A scalar of the logits' dtype; it joins `GraphKeys.LOSSES`.
    """

    def prepared(_: Any, labels: TensorLike) -> Tensor:
        return array_ops.reshape(labels, shape=[array_ops.shape(labels)[0]])

    return _cross_entropy(
        "sparse_softmax_cross_entropy_loss", nn_softmax.sparse_softmax_cross_entropy_with_logits,
        prepared, logits, labels, weights, scope,
    )  # fmt: skip


@tf_export("contrib.losses.log_loss")
@_moved("log_loss", _order("predictions"))
def log_loss(
    predictions: TensorLike, labels: TensorLike | None = None, weights: TensorLike = 1.0,
    epsilon: float = 1e-7,
    scope: Any = None,
) -> Tensor:  # fmt: skip
    """-labels log(predictions) - (1 - labels) log(1 - predictions).

    Args: see this module.
      epsilon: added inside the logarithms.

    Returns:
      A float32 scalar; it joins `GraphKeys.LOSSES`.
    """

    def term(shares: Tensor, predictions: Tensor) -> Tensor:
        return math_ops.multiply(shares, math_ops.log(predictions + epsilon))

    def each(predictions: Tensor, labels: Tensor) -> Tensor:
        return -term(labels, predictions) - term(1 - labels, 1 - predictions)

    return _loss_of("log_loss", each, predictions, labels, weights, scope)


@tf_export("contrib.losses.hinge_loss")
@_moved(
    "hinge_loss",
    " Note that the order of the logits and labels arguments has been changed, and to stay "
    "unweighted, reduction=Reduction.NONE",
)
def hinge_loss(logits: TensorLike, labels: Any = None, scope: Any = None) -> Tensor:
    """max(0, 1 - y logits), where y is -1 for label 0 and 1 for label 1.

    Args: see this module.

    Returns:
      The losses themselves.
    """
    with ops.name_scope(scope, "hinge_loss", [logits, labels]) as scope:
        _require_one_shape(logits, labels)
        labels = math_ops.cast(labels, dtypes.float32)
        ones = array_ops.ones_like(labels)
        signs = math_ops.subtract(2 * labels, ones)
        return nn_ops.relu(math_ops.subtract(ones, math_ops.multiply(signs, logits)))


@tf_export("contrib.losses.mean_squared_error")
@_moved("mean_squared_error")
def mean_squared_error(
    predictions: TensorLike,
    labels: TensorLike | None = None,
    weights: TensorLike = 1.0,
    scope: Any = None,
) -> Tensor:
    """The mean of (predictions - labels)^2.

    Args: see this module.

    Returns:
      A float32 scalar; it joins `GraphKeys.LOSSES`.
    """
    each = math_ops.squared_difference
    return _loss_of("mean_squared_error", each, predictions, labels, weights, scope)


@tf_export("contrib.losses.mean_pairwise_squared_error")
@_moved("mean_pairwise_squared_error", _order("predictions"))
def mean_pairwise_squared_error(
    predictions: TensorLike, labels: TensorLike | None = None, weights: Any = 1.0, scope: Any = None
) -> Tensor:
    """The mean, over all pairs of elements of an example, of the squared error of their difference.

    Args: see this module.

    Returns:
      A float32 scalar; it joins `GraphKeys.LOSSES`.

    Raises:
      ValueError: the rank of the predictions or the weights is unknown.
    """
    with ops.name_scope(
        scope, "mean_pairwise_squared_error", [predictions, labels, weights]
    ) as scope:
        predictions, labels = _as_floats(predictions, labels)
        weights = math_ops.cast(ops.convert_to_tensor(weights), dtypes.float32)
        diffs = math_ops.subtract(predictions, labels)
        rank = _known_rank(diffs, "diffs")
        _known_rank(weights, "weights")
        of_example = functools.partial(math_ops.reduce_sum, axis=list(range(1, rank)))

        def twice_mean(total: Tensor, count: Tensor) -> Tensor:
            return 2.0 * math_ops.div_no_nan(total, count, name="value")

        squares = of_example(math_ops.square(diffs))
        count = _num_present(diffs, weights, per_batch=True)
        of_squares = twice_mean(squares, count)
        of_products = twice_mean(math_ops.square(of_example(diffs)), math_ops.square(count))
        loss = _weighted_sum(of_squares - of_products, weights)
        is_any = math_ops.reduce_sum(count) > 0
        mean = gather_ops.where(is_any, loss, array_ops.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


@tf_export("contrib.losses.cosine_distance")
@_moved("cosine_distance")
@deprecated_args(None, "dim is deprecated, use axis instead", "dim", module=_MODULE)
def cosine_distance(
    predictions: TensorLike, labels: TensorLike | None = None, axis: TensorLike | None = None,
    weights: TensorLike = 1.0, scope: Any = None,
    dim: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """1 - predictions . labels, for unit vectors along `axis`.

    Args: see this module.
      axis, dim: along which the vectors are.

    Returns:
      A float32 scalar; it joins `GraphKeys.LOSSES`.

    Raises:
      ValueError: there is no `axis`.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")

    def each(predictions: Tensor, labels: Tensor) -> Tensor:
        products = math_ops.multiply(predictions, labels)
        return 1 - math_ops.reduce_sum(products, axis=[axis])

    return _loss_of("cosine_distance_loss", each, predictions, labels, weights, scope)
