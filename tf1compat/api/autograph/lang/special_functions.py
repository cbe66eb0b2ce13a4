"""`tensorflow.python.autograph.lang.special_functions`: lists for code that is converted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from tf1compat.api.array import constant_op
from tf1compat.api.autograph.operators import data_structures
from tf1compat.core import tensor_util


def match_staging_level(value: Any, like_value: Any) -> Any:
    """A value as a constant if another one is a tensor, else as it is.

    Args:
      value: the value.
      like_value: the other one.
    """
    return constant_op.constant(value) if tensor_util.is_tensor(like_value) else value


def tensor_list(
    elements: Any,
    element_dtype: Any = None,
    element_shape: Any = None,
    use_tensor_array: bool = False,
) -> Any:
    """A list of tensors in a tensor, or a `TensorArray`.

    Args:
      elements: the elements, or a tensor whose rows they are.
      element_dtype, element_shape: of the elements; needed if there are none.
      use_tensor_array: whether it is to be a `TensorArray`.

    Raises:
      ValueError: there are no elements, and no dtype or no shape; or they are no list.
    """
    is_known = element_dtype is not None and element_shape is not None
    if not is_known and not tensor_util.is_tensor(elements):
        if not isinstance(elements, list | tuple):
            raise ValueError(
                f"unknown type for elements: {type(elements)}; only Tensor, list and tuple are "
                "allowed"
            )
        if not elements:
            raise ValueError("element_dtype and element_shape are required when elements are empty")
    new = (
        data_structures.tf_tensor_array_new
        if use_tensor_array
        else data_structures.tf_tensor_list_new
    )
    return new(elements, element_dtype, element_shape)


def stack(list_or_tensor: Any, element_dtype: Any = None, strict: bool = True) -> Any:
    """The elements of a list as one tensor; a tensor that is no list as it is.

    Args:
      list_or_tensor: a `TensorArray`, a list in a tensor, or anything else.
      element_dtype: the dtype of the elements of a list in a tensor.
      strict: whether anything else is refused rather than returned.

    Raises:
      ValueError: it is.
    """

    def refuse(x: Any) -> NoReturn:
        raise ValueError(f"{x} must be stackable when strict=True")

    otherwise: Callable[[Any], Any] = refuse if strict else lambda x: x
    return data_structures.list_stack(
        list_or_tensor, data_structures.ListStackOpts(element_dtype, otherwise)
    )
