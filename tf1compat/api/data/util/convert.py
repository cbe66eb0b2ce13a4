"""Arguments of datasets as tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.core import dtypes, ops, tensor_shape


def optional_param_to_tensor(
    argument_name: str,
    argument_value: Any,
    argument_default: Any = 0,
    argument_dtype: Any = dtypes.int64,
) -> ops.Tensor:
    """A tensor, named after the argument, of its value or of its default."""
    if argument_value is not None:
        return ops.convert_to_tensor(argument_value, dtype=argument_dtype, name=argument_name)
    return constant_op.constant(argument_default, dtype=argument_dtype, name=argument_name)


def partial_shape_to_tensor(shape_like: Any) -> ops.Tensor:
    """A shape as an int64 vector, -1 for what is unknown.

    Raises:
      ValueError, TypeError: it is a tensor, but no vector of int64.
    """
    try:
        shape = tensor_shape.as_shape(shape_like)
        dims = [-1 if dim is None else dim for dim in shape.as_list()]
        return ops.convert_to_tensor(dims, dtype=dtypes.int64)
    except (TypeError, ValueError):
        found = ops.convert_to_tensor(shape_like, preferred_dtype=dtypes.int64)
    if found.shape.ndims not in (None, 1):
        raise ValueError(
            f"The given shape {shape_like!s} must be a 1-D tensor of tf.int64 values, but the "
            f"shape was {found.shape}."
        )
    if found.dtype != dtypes.int64:
        raise TypeError(
            f"The given shape {shape_like!s} must be a 1-D tensor of tf.int64 values, but the "
            f"element type was {found.dtype.name}."
        )
    return found
