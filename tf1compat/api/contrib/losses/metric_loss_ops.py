"""Losses of embeddings: what is alike shall be near
(`tensorflow.contrib.losses.python.metric_learning.metric_loss_ops`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, diagonal_ops, gather_ops
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_matmul, math_ops
from tf1compat.api.nn import nn_softmax
from tf1compat.api.sparse import sparse_ops, sparse_reduce_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike

__all__ = [
    "contrastive_loss",
    "lifted_struct_loss",
    "npairs_loss",
    "triplet_semihard_loss",
]


def pairwise_distance(feature: Any, squared: bool = False) -> Tensor:
    """The distances between all rows.

    Args:
      feature: floats [n, size].
      squared: whether to give their squares.

    Returns:
      [n, n].
    """
    squares = math_ops.add(
        math_ops.reduce_sum(math_ops.square(feature), axis=[1], keepdims=True),
        math_ops.reduce_sum(math_ops.square(array_ops.transpose(feature)), axis=[0], keepdims=True),
    ) - 2.0 * math_matmul.matmul(feature, array_ops.transpose(feature))
    squares = math_ops.maximum(squares, 0.0)
    is_zero = math_ops.less_equal(squares, 0.0)
    # The gradient of a root is infinite at 0.
    distances = squares if squared else math_ops.sqrt(squares + _floats(is_zero) * 1e-16)
    distances = math_ops.multiply(distances, _floats(math_ops.logical_not(is_zero)))
    count = array_ops.shape(feature)[0]
    return math_ops.multiply(distances, array_ops.ones_like(distances) - _identity(count))


def _floats(mask: TensorLike) -> Tensor:
    """1 where a mask is true, else 0."""
    return math_ops.cast(mask, dtypes.float32)


def _identity(size: TensorLike) -> Tensor:
    """The unit matrix."""
    return diagonal_ops.diag(array_ops.ones([size]))


def contrastive_loss(
    labels: TensorLike, embeddings_anchor: Any, embeddings_positive: Any, margin: TensorLike = 1.0
) -> Tensor:
    """The squared distance of pairs that are alike, and of how far others are within a margin.

    Hadsell et al., "Dimensionality Reduction by Learning an Invariant Mapping", 2006.

    Args:
      labels: [batch], 1 for a pair that is alike, else 0.
      embeddings_anchor, embeddings_positive: [batch, size].
      margin: how far apart the others shall be.

    Returns:
      A scalar.
    """
    difference = math_ops.squared_difference(embeddings_anchor, embeddings_positive)
    distances = math_ops.sqrt(math_ops.reduce_sum(difference, 1))
    alike = math_ops.cast(labels, distances.dtype) * math_ops.square(distances)
    others = 1.0 - math_ops.cast(labels, distances.dtype)
    others *= math_ops.square(math_ops.maximum(margin - distances, 0.0))
    return math_ops.reduce_mean(alike + others, name="contrastive_loss")


def masked_maximum(data: TensorLike, mask: TensorLike, dim: int = 1) -> Tensor:
    """The maximum along a dimension of the elements where the mask is 1, not 0."""
    least = math_ops.reduce_min(data, dim, keepdims=True)
    masked = math_ops.multiply(data - least, mask)
    return math_ops.reduce_max(masked, dim, keepdims=True) + least


def masked_minimum(data: TensorLike, mask: TensorLike, dim: int = 1) -> Tensor:
    """The minimum along a dimension of the elements where the mask is 1, not 0."""
    greatest = math_ops.reduce_max(data, dim, keepdims=True)
    masked = math_ops.multiply(data - greatest, mask)
    return math_ops.reduce_min(masked, dim, keepdims=True) + greatest


def _as_column(labels: TensorLike) -> Tensor:
    shape = array_ops.shape(labels)
    assert shape.shape == 1
    return array_ops.reshape(labels, [shape[0], 1])


def _are_alike(column: Any) -> Tensor:
    """Whether two examples have one label, for all pairs."""
    return math_ops.equal(column, array_ops.transpose(column))


def _pairs(
    labels: TensorLike, embeddings: Any, squared: bool
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Of all pairs: the distances, which are alike, which are not; and the number of examples."""
    column = _as_column(labels)
    distances = pairwise_distance(embeddings, squared)
    alike = _are_alike(column)
    return distances, alike, math_ops.logical_not(alike), array_ops.size(column)


def _positives(alike: Any, count: Any) -> Tensor:
    """1 for each pair of different examples that are alike."""
    return _floats(alike) - _identity(count)


def _bounded(losses: Any, positives: Any) -> Tensor:
    """What is above 0 of the losses of `_positives`."""
    return math_ops.maximum(math_ops.multiply(losses, positives), 0.0)


# A matrix of pairs is compared with each of its own elements (i, j) by `count` copies of it below
# each other and a column of all elements, those of the transpose one after the other.


def _copies(matrix: TensorLike, count: Any) -> Tensor:
    return array_ops.tile(matrix, [count, 1])


def _elements(matrix: TensorLike) -> Tensor:
    return array_ops.reshape(array_ops.transpose(matrix), [-1, 1])


def _of_elements(column: Any, count: Any) -> Tensor:
    """The matrix that has these `_elements`."""
    return array_ops.transpose(array_ops.reshape(column, [count, count]))


def triplet_semihard_loss(labels: TensorLike, embeddings: Any, margin: TensorLike = 1.0) -> Tensor:
    """Each pair that is alike shall be nearer, by a margin, than the nearest other one beyond it.

    Schroff et al., "FaceNet", 2015.

    Args:
      labels: ints [batch].
      embeddings: floats [batch, size], of norm 1.
      margin: the margin.

    Returns:
      A scalar.
    """
    distances, alike, others, count = _pairs(labels, embeddings, squared=True)
    copies = _copies(distances, count)
    beyond = math_ops.logical_and(
        _copies(others, count), math_ops.greater(copies, _elements(distances))
    )
    number_beyond = math_ops.reduce_sum(_floats(beyond), 1, keepdims=True)
    is_any = _of_elements(math_ops.greater(number_beyond, 0.0), count)
    others, beyond = _floats(others), _floats(beyond)
    outside = _of_elements(masked_minimum(copies, beyond), count)
    inside = array_ops.tile(masked_maximum(distances, others), [1, count])
    negatives = gather_ops.where(is_any, outside, inside)
    losses = math_ops.add(margin, distances - negatives)
    positives = _positives(alike, count)
    number = math_ops.reduce_sum(positives)
    total = math_ops.reduce_sum(_bounded(losses, positives))
    return math_ops.truediv(total, number, name="triplet_semihard_loss")


def npairs_loss(
    labels: TensorLike, embeddings_anchor: Any, embeddings_positive: Any, reg_lambda: Any = 0.002,
    print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """The cross-entropy of the products of all pairs, and a penalty on the embeddings' norms.

    Sohn, "Improved Deep Metric Learning with Multi-class N-pair Loss Objective", 2016.

    Args:
      labels: ints [batch].
      embeddings_anchor, embeddings_positive: floats [batch, size].
      reg_lambda: the factor of the penalty.
      print_losses: whether to print both when they are computed.

    Returns:
      A scalar.
    """
    return _npairs(
        lambda: _floats(_are_alike(_as_column(labels))),
        embeddings_anchor, embeddings_positive, reg_lambda, print_losses,
    )  # fmt: skip


def npairs_loss_multilabel(
    sparse_labels: Sequence[SparseTensor], embeddings_anchor: Any, embeddings_positive: Any,
    reg_lambda: Any = 0.002, print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """`npairs_loss` of pairs with several labels each.

    Args:
      sparse_labels: for each pair a sparse vector with ones in the places of its labels.
      embeddings_anchor, embeddings_positive: floats [batch, size].
      reg_lambda: the factor of the penalty.
      print_losses: whether to print both when they are computed.

    Returns:
      A scalar.

    Raises:
      TypeError: something else than sparse tensors among the labels.
    """
    if not all(isinstance(labels, SparseTensor) for labels in sparse_labels):
        raise TypeError(f"sparse_labels must be a list of SparseTensors, but got {sparse_labels}")
    with ops.name_scope("NpairsLossMultiLabel"):
        return _npairs(
            lambda: math_ops.cast(_common_labels(sparse_labels), dtypes.float32),
            embeddings_anchor, embeddings_positive, reg_lambda, print_losses,
        )  # fmt: skip


def _common_labels(sparse_labels: Sequence[SparseTensor]) -> Tensor:
    """How many labels each pair has in common with each."""
    count = len(sparse_labels)
    result = array_ops.zeros([count, count])
    for i, a in enumerate(sparse_labels):
        for j, b in enumerate(sparse_labels):
            common = math_ops.cast(
                sparse_reduce_ops.sparse_reduce_sum(sparse_ops.sparse_minimum(a, b)), dtypes.float32
            )
            common = array_ops.expand_dims(array_ops.expand_dims(common, 0), 1)
            around = [[i, count - i - 1], [j, count - j - 1]]
            result += array_ops.pad(common, around, "CONSTANT")
    return result


def _npairs(
    alike_of: Callable[[], Tensor], embeddings_anchor: Any, embeddings_positive: Any,
    reg_lambda: Any, print_losses: bool,
) -> Tensor:  # fmt: skip
    anchors, positives = (
        math_ops.reduce_mean(math_ops.reduce_sum(math_ops.square(embeddings), 1))
        for embeddings in (embeddings_anchor, embeddings_positive)
    )
    penalty = math_ops.multiply(0.25 * reg_lambda, anchors + positives, name="l2loss")
    products = math_matmul.matmul(
        embeddings_anchor, embeddings_positive, transpose_a=False, transpose_b=True
    )
    alike = alike_of()
    alike /= math_ops.reduce_sum(alike, 1, keepdims=True)
    entropy = nn_softmax.softmax_cross_entropy_with_logits(logits=products, labels=alike)
    entropy = math_ops.reduce_mean(entropy, name="xentropy")
    if print_losses:
        entropy = logging_ops.Print(entropy, ["cross entropy:", entropy, "l2loss:", penalty])
    return penalty + entropy


def lifted_struct_loss(labels: TensorLike, embeddings: Any, margin: TensorLike = 1.0) -> Tensor:
    """A smooth bound of how much nearer than a pair that is alike any other of both may be.

    Song et al., "Deep Metric Learning via Lifted Structured Feature Embedding", 2016.

    Args:
      labels: ints [batch].
      embeddings: floats [batch, size], not normalised.
      margin: the margin.

    Returns:
      A scalar.
    """
    distances, alike, others, count = _pairs(labels, embeddings, squared=False)
    nearness = margin - distances
    mask = _floats(others)
    # The greatest term goes out of the logarithm, so that no exponential overflows.
    greatest = masked_maximum(nearness, mask)
    greatest = math_ops.maximum(greatest, array_ops.transpose(greatest))
    copies, masks = _copies(nearness, count), _copies(mask, count)
    terms = math_ops.multiply(math_ops.exp(copies - _elements(greatest)), masks)
    left = array_ops.reshape(math_ops.reduce_sum(terms, 1, keepdims=True), [count, count])
    losses = greatest + math_ops.log(left + array_ops.transpose(left))
    losses += distances
    positives = _positives(alike, count)
    number = math_ops.reduce_sum(positives) / 2.0
    total = 0.25 * math_ops.reduce_sum(math_ops.square(_bounded(losses, positives)))
    return math_ops.truediv(total, number, name="liftedstruct_loss")
