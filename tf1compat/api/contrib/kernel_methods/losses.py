"""`tf.contrib.kernel_methods.sparse_multiclass_hinge_loss`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor

_RANKS = "rank 1 ([batch_size]) or 2 ([batch_size, 1]). Given rank is {}"


@tf_export("contrib.kernel_methods.sparse_multiclass_hinge_loss")
def sparse_multiclass_hinge_loss(
    labels: Any,
    logits: Any,
    weights: Any = 1.0,
    scope: Any = None,
    loss_collection: Any = ops.GraphKeys.LOSSES,
    reduction: Any = losses.Reduction.SUM_BY_NONZERO_WEIGHTS,
) -> Tensor:
    """By how much the right class is not ahead of the others by 1 (Crammer and Singer, 2001).

    Args:
      labels: int32 or int64 [batch] or [batch, 1].
      logits: float32 or float64 [batch, classes].
      weights: a scalar, [batch] or [batch, 1].
      scope: the name scope.
      loss_collection: where the loss is added.
      reduction: one of `tf.losses.Reduction`.

    Returns:
      The loss, a float32 scalar; [batch] if it is not reduced.

    Raises:
      ValueError: a shape or dtype is wrong.
    """
    with ops.name_scope(scope, "sparse_multiclass_hinge_loss", (logits, labels)) as scope:
        rank = logits.get_shape().ndims
        if rank != 2:
            raise ValueError(
                f"logits should have rank 2 ([batch_size, num_classes]). Given rank is {rank}"
            )
        shape = array_ops.shape(logits)
        batch_size, num_classes = shape[0], shape[1]
        logits = math_ops.cast(logits, dtypes.float32)
        if labels.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError(
                f"Invalid dtype for labels: {labels.dtype}. Acceptable dtypes: int32 and int64"
            )
        labels_rank = labels.get_shape().ndims
        if labels_rank not in (1, 2):
            raise ValueError("labels should have " + _RANKS.format(labels_rank))
        below = check_ops.assert_less(labels, math_ops.cast(num_classes, labels.dtype))
        with ops.control_dependencies([below]):
            labels = array_ops.reshape(labels, shape=[-1])
        weights = ops.convert_to_tensor(weights)
        weights_rank = weights.get_shape().ndims
        if weights_rank not in (0, 1, 2):
            # The rank that TF names here is the labels'.
            raise ValueError("non-scalar weights should have " + _RANKS.format(labels_rank))
        if weights_rank > 0:
            weights = array_ops.reshape(weights, shape=[-1])
            weights.get_shape().assert_is_compatible_with(labels.get_shape())

        column = [batch_size, 1]
        rows = array_ops.reshape(math_ops.range(batch_size), shape=column)
        classes = array_ops.reshape(math_ops.cast(labels, rows.dtype), shape=column)
        places = array_ops.concat([rows, classes], axis=1)
        right = array_ops.reshape(array_ops.gather_nd(params=logits, indices=places), shape=column)
        others = array_ops.one_hot(indices=labels, depth=num_classes, on_value=0.0, off_value=1.0)
        loss = math_ops.reduce_max(nn_ops.relu(logits - right + others), axis=1)
        return losses.compute_weighted_loss(
            loss, weights, scope, loss_collection, reduction=reduction
        )
