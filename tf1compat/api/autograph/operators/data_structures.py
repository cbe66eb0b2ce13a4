"""Lists of tensors."""

from __future__ import annotations

from typing import Any, NamedTuple

from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import control_flow_ops, list_ops
from tf1compat.core import dtypes, ops, raw_ops, tensor_util


class ListPopOpts(NamedTuple):
    """What is known of the elements of a list."""

    element_dtype: Any
    element_shape: Any


def new_list(iterable: Any = None) -> Any:
    """A new list: a tensor's elements as a list in a tensor, others as Python's."""
    if tensor_util.is_tensor(iterable):
        shape = raw_ops.Shape(iterable)[1:]
        return raw_ops.TensorListFromTensor(iterable, shape)
    if iterable:
        return list(iterable)
    return []


def list_append(list_: Any, x: Any) -> Any:
    """The list with one more element at its end.

    Raises:
      ValueError: it is another tensor than a list.
    """
    if tensors.is_tensor_array(list_):
        return list_.write(list_.size(), x)
    if not tensor_util.is_tensor(list_):
        list_.append(x)
        return list_
    if list_.dtype != dtypes.variant:
        raise ValueError(
            f"tensor lists are expected to be Tensors with dtype=tf.variant, instead found {list_}"
        )

    def empty() -> Any:
        like = ops.convert_to_tensor(x)
        return list_ops.empty_tensor_list(raw_ops.Shape(like), like.dtype)

    list_ = control_flow_ops.cond(raw_ops.TensorListLength(list_) > 0, lambda: list_, empty)
    return list_ops.tensor_list_push_back(list_, x)


def list_pop(list_: Any, i: Any, opts: ListPopOpts) -> tuple[Any, Any]:
    """The list without an element, and that element.

    Raises:
      ValueError: the list can't be popped from.
      NotImplementedError: another than the last element of a list in a tensor.
    """
    if tensors.is_tensor_array(list_):
        raise ValueError("TensorArray does not support item removal")
    if not tensor_util.is_tensor(list_):
        return list_, list_.pop() if i is None else list_.pop(i)
    if list_.dtype != dtypes.variant:
        raise ValueError(
            f"tensor lists are expected to be Tensors with dtype=tf.variant, instead found {list_}"
        )
    if i is not None:
        raise NotImplementedError("tensor lists only support removing from the end")
    for what, known in (("type", opts.element_dtype), ("shape", opts.element_shape)):
        if known is None:
            raise ValueError(
                f"cannot pop from a list without knowing its element {what}; use "
                "set_element_type to annotate it"
            )
    rest, x = list_ops.tensor_list_pop_back(list_, element_dtype=opts.element_dtype)
    x.set_shape(opts.element_shape)
    return rest, x
