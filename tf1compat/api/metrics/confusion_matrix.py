"""Confusion matrices, and labels and predictions of matching rank."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: Name = None
) -> tuple[Tensor, Tensor]:
    """Squeezes the last dimension of the one whose rank is 1 more than expected.

    Args:
      labels, predictions: tensors.
      expected_rank_diff: the rank of the predictions less that of the labels.
      name: the name scope.

    Returns:
      (labels, predictions).
    """
    with ops.name_scope(name, "remove_squeezable_dimensions", [labels, predictions]):
        predictions = ops.convert_to_tensor(predictions)
        labels = ops.convert_to_tensor(labels)
        shapes = labels.get_shape(), predictions.get_shape()
        ranks = shapes[0].ndims, shapes[1].ndims
        more, less = expected_rank_diff + 1, expected_rank_diff - 1
        if ranks[0] is not None and ranks[1] is not None:
            difference = ranks[1] - ranks[0]
            if difference == more:
                predictions = array_ops.squeeze(predictions, [-1])
            elif difference == less:
                labels = array_ops.squeeze(labels, [-1])
            return labels, predictions
        difference = array_ops.rank(predictions) - array_ops.rank(labels)

        def squeezed(tensor: Tensor, expected: int) -> Tensor:
            return control_flow_ops.cond(
                math_ops.equal(expected, difference),
                lambda: array_ops.squeeze(tensor, [-1]),
                lambda: tensor,
            )

        if ranks[1] is None or shapes[1].dims[-1].is_compatible_with(1):
            predictions = squeezed(predictions, more)
        if ranks[0] is None or shapes[0].dims[-1].is_compatible_with(1):
            labels = squeezed(labels, less)
        return labels, predictions


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: TensorLike | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
) -> Tensor:
    """As `tf.confusion_matrix`; its arguments in the order of TF 2."""
    with ops.name_scope(
        name, "confusion_matrix", (predictions, labels, num_classes, weights)
    ) as name:
        labels, predictions = remove_squeezable_dimensions(
            ops.convert_to_tensor(labels, name="labels"),
            ops.convert_to_tensor(predictions, name="predictions"),
        )
        predictions = math_ops.cast(predictions, dtypes.int64)
        labels = math_ops.cast(labels, dtypes.int64)
        labels = _not_negative(labels, "labels")
        predictions = _not_negative(predictions, "predictions")
        if num_classes is None:
            largest = math_ops.maximum(
                math_ops.reduce_max(predictions), math_ops.reduce_max(labels)
            )
            num_classes = largest + 1
        else:
            limit = math_ops.cast(num_classes, dtypes.int64)
            labels = _below(labels, limit, "labels")
            predictions = _below(predictions, limit, "predictions")
        if weights is not None:
            weights = _as_values(weights, predictions, dtype)
        shape = array_ops.stack([num_classes, num_classes])
        indices = array_ops.stack([labels, predictions], axis=1)
        values = array_ops.ones_like(predictions, dtype) if weights is None else weights
        counts = SparseTensor(
            indices=indices, values=values, dense_shape=math_ops.cast(shape, dtypes.int64)
        )
        zeros = array_ops.zeros(math_ops.cast(shape, dtypes.int32), dtype)
        return raw_ops.SparseTensorDenseAdd(
            counts.indices, counts.values, counts.dense_shape, zeros
        )


def _as_values(weights: TensorLike, predictions: Tensor, dtype: DTypeLike) -> Tensor:
    weights = ops.convert_to_tensor(weights, name="weights")
    predictions.get_shape().assert_is_compatible_with(weights.get_shape())
    return math_ops.cast(weights, dtype)


def _not_negative(values: Tensor, what: str) -> Tensor:
    check = check_ops.assert_non_negative(values, message=f"`{what}` contains negative values")
    return control_flow_ops.with_dependencies([check], values)


def _below(values: Tensor, limit: Tensor, what: str) -> Tensor:
    check = check_ops.assert_less(values, limit, message=f"`{what}` out of bound")
    return control_flow_ops.with_dependencies([check], values)


@tf_export("math.confusion_matrix", "confusion_matrix")
def confusion_matrix_v1(
    labels: TensorLike,
    predictions: TensorLike,
    num_classes: int | None = None,
    dtype: DTypeLike = dtypes.int32,
    name: Name = None,
    weights: TensorLike | None = None,
) -> Tensor:
    """Counts how often each label was predicted as each class, as in TF 1.15.

    Args:
      labels, predictions: vectors of class numbers.
      num_classes: the number of classes; by default the largest number and one.
      dtype: the element type of the result.
      name: the name scope.
      weights: a tensor of the shape of `predictions`, or None for 1.

    Returns:
      A matrix of `dtype`: a row for each label, a column for each prediction.

    Raises:
      ValueError: shapes don't go together.
    """
    return confusion_matrix(labels, predictions, num_classes, weights, dtype, name)
