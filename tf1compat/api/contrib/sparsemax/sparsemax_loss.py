"""The loss that goes with the sparsemax."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("contrib.sparsemax.sparsemax_loss")
def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: Name = None) -> Any:
    """The sparsemax loss of each row.

    Args:
      logits: float tensor [batch, classes].
      sparsemax: float tensor [batch, classes], the `sparsemax` of the logits.
      labels: float tensor [batch, classes], the probabilities that are wanted.
      name: scope of the ops.

    Returns:
      A tensor [batch].
    """
    with ops.name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]) as name:
        z = ops.convert_to_tensor(logits, name="logits")
        p = ops.convert_to_tensor(sparsemax, name="sparsemax")
        q = ops.convert_to_tensor(labels, name="labels")
        # Where p or q are 0, an infinite z counts nothing.
        is_there = math_ops.logical_or(p > 0, math_ops.is_nan(p))
        of_probs = array_ops.where(is_there, p * (z - 0.5 * p), array_ops.zeros_like(p))
        of_labels = q * (0.5 * q - z)
        is_nothing = math_ops.logical_and(math_ops.equal(q, 0), math_ops.is_inf(z))
        of_labels = array_ops.where(is_nothing, array_ops.zeros_like(z), of_labels)
        return math_ops.reduce_sum(of_probs + of_labels, axis=1)
