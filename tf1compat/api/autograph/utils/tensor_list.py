"""`tensorflow.python.autograph.utils.tensor_list`: a list in a tensor that behaves as Python's."""

from __future__ import annotations

from typing import Any

from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import list_ops
from tf1compat.core import ops


def dynamic_list_append(target: Any, element: Any) -> Any:
    """A list with one more element.

    Args:
      target: a `TensorArray`, a list in a tensor, or what has a method `append`.
      element: the element.

    Returns:
      The new list; of what has a method `append`, `target` itself.
    """
    if tensors.is_tensor_array(target):
        return target.write(target.size(), element)
    if isinstance(target, ops.Tensor):
        return list_ops.tensor_list_push_back(target, element)
    target.append(element)
    return target


class TensorList:
    """A list in a tensor.

    Args:
      shape: the shape of the elements.
      dtype: their dtype.
    """

    def __init__(self, shape: Any, dtype: Any):
        self.dtype = dtype
        self.shape = shape
        self.clear()

    def append(self, value: Any) -> None:
        """Adds an element at the end."""
        self.list_ = list_ops.tensor_list_push_back(self.list_, value)

    def pop(self) -> Any:
        """Takes the last element away and returns it."""
        self.list_, value = list_ops.tensor_list_pop_back(self.list_, self.dtype)
        return value

    def clear(self) -> None:
        """Takes all elements away."""
        self.list_ = list_ops.empty_tensor_list(self.shape, self.dtype)

    def count(self) -> Any:
        """How many elements there are."""
        return list_ops.tensor_list_length(self.list_)

    def __getitem__(self, key: Any) -> Any:
        return list_ops.tensor_list_get_item(self.list_, key, self.dtype)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.list_ = list_ops.tensor_list_set_item(self.list_, key, value)
