"""`tensorflow.contrib.layers.python.ops.bucketization_op`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = ["bucketize"]


def bucketize(input_tensor: TensorLike, boundaries: Any, name: Name = None) -> Tensor:
    """Between which of the sorted `boundaries` each element lies, int32."""
    return math_ops._bucketize(input_tensor, boundaries=boundaries, name=name)
