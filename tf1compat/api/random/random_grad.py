"""`tensorflow.python.ops.random_grad`: what gradients of random operations share."""

from __future__ import annotations

from tf1compat.api.array import array_ops
from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike


def add_leading_unit_dimensions(x: TensorLike, num_dimensions: TensorLike) -> Tensor:
    """A tensor with dimensions of size one before its own.

    Args:
      x: the tensor.
      num_dimensions: how many.
    """
    ones = array_ops.ones([num_dimensions], dtype=dtypes.int32)
    return array_ops.reshape(x, array_ops.concat([ones, array_ops.shape(x)], axis=0))
