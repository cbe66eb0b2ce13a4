"""Cross-entropies with the arguments in the order of old versions
(`tensorflow.contrib.nn.python.ops.cross_entropy`)."""

from __future__ import annotations

from tf1compat.api.nn import nn_impl, nn_softmax
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("contrib.nn.deprecated_flipped_softmax_cross_entropy_with_logits")
def deprecated_flipped_softmax_cross_entropy_with_logits(
    logits: TensorLike, labels: TensorLike, dim: int = -1, name: Name = None
) -> Tensor:
    """As `tf.nn.softmax_cross_entropy_with_logits`.

    Args:
      logits, labels, name: as in `tf.nn.softmax_cross_entropy_with_logits`.
      dim: the axis of the classes.

    Returns:
      As `tf.nn.softmax_cross_entropy_with_logits`.
    """
    return nn_softmax.softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, dim=dim, name=name
    )


@tf_export("contrib.nn.deprecated_flipped_sparse_softmax_cross_entropy_with_logits")
def deprecated_flipped_sparse_softmax_cross_entropy_with_logits(
    logits: TensorLike, labels: TensorLike, name: Name = None
) -> Tensor:
    """As `tf.nn.sparse_softmax_cross_entropy_with_logits`.

    Args:
      logits, labels, name: as in `tf.nn.sparse_softmax_cross_entropy_with_logits`.

    Returns:
      As `tf.nn.sparse_softmax_cross_entropy_with_logits`.
    """
    return nn_softmax.sparse_softmax_cross_entropy_with_logits(
        labels=labels, logits=logits, name=name
    )


@tf_export("contrib.nn.deprecated_flipped_sigmoid_cross_entropy_with_logits")
def deprecated_flipped_sigmoid_cross_entropy_with_logits(
    logits: TensorLike, targets: TensorLike, name: Name = None
) -> Tensor:
    """As `tf.nn.sigmoid_cross_entropy_with_logits`.

    Args:
      logits, name: as in `tf.nn.sigmoid_cross_entropy_with_logits`.
      targets: the labels, of the shape and dtype of `logits`.

    Returns:
      As `tf.nn.sigmoid_cross_entropy_with_logits`.
    """
    return nn_impl.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits, name=name)
