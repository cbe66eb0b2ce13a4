"""Losses that are scaled by the number of replicas (`tensorflow.python.ops.nn_impl`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss: Any) -> ops.Tensor:
    """The sum of a regularization loss over the number of replicas, which is 1.

    Args:
      regularization_loss: a tensor, or what makes one.

    Returns:
      A scalar.
    """
    return math_ops.reduce_sum(regularization_loss) / 1
