"""Kinds of tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.core import dtypes, tensor_util
from tf1compat.core.sparse_tensor import SparseTensor


def is_dense_tensor(t: Any) -> bool:
    """Whether it is a tensor, and not a sparse one."""
    return tensor_util.is_tensor(t) and not isinstance(t, SparseTensor)


def is_tensor_array(t: Any) -> bool:
    """Whether it is a `tf.TensorArray`."""
    return type(t).__name__ == "TensorArray" and hasattr(t, "flow")


def is_tensor_list(t: Any) -> bool:
    """Whether it is a list of tensors in a tensor."""
    return tensor_util.is_tensor(t) and t.dtype == dtypes.variant and not t.shape.ndims


def is_range_tensor(t: Any) -> bool:
    """Whether `tf.range` has recorded it."""
    return (
        tensor_util.is_tensor(t)
        and not getattr(t, "_is_eager", False)
        and (getattr(getattr(t, "op", None), "type", None) == "Range")
    )
