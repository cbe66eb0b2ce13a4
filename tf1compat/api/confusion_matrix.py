"""`tensorflow.python.ops.confusion_matrix`: labels and predictions of matching rank."""

from __future__ import annotations

from typing import Any

from tf1compat.api import array_ops, control_flow_ops, math_ops
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: Any = None
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
