"""`tensorflow.python.ops.default_gradient`: zeros for gradients of tensors and handles."""

from __future__ import annotations

from tf1compat.api.control_flow import control_flow_state
from tf1compat.core import dtypes
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape


def get_zeros_dtype(t: Tensor) -> dtypes.DType:
    """The dtype of zeros for a tensor: of a handle that of its variable, or float32.

    Args:
      t: the tensor.
    """
    return shape_and_dtype(t)[1]


def shape_and_dtype(t: Tensor) -> tuple[TensorShape, dtypes.DType]:
    """The shape and the dtype of zeros for a tensor; see `get_zeros_dtype`.

    Args:
      t: the tensor.
    """
    shape, dtype = control_flow_state.shape_and_dtype(t)
    return TensorShape(shape), dtype


def zeros_like(t: Tensor) -> Tensor:
    """Zeros for a tensor, or for the variable of a handle.

    Args:
      t: the tensor.
    """
    return control_flow_state.zeros_like(t)
