"""Lists of tensors, which are values (`tensorflow.python.ops.list_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.tensor_shape import Dimension, TensorShape
from tf1compat.core.typing import ShapeLike


def empty_tensor_list(
    element_shape: ShapeLike,
    element_dtype: Any,
    max_num_elements: Any = None,
    name: str | None = None,
) -> Any:
    """A list without elements.

    Args:
      element_shape: what is known of the shape of the elements.
      element_dtype: their dtype.
      max_num_elements: an int32 scalar, how many there can be; by default as many as there will be.
      name: the operation's name.
    """
    return raw_ops.EmptyTensorList(
        element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype,
        max_num_elements=-1 if max_num_elements is None else max_num_elements,
        name=name,
    )


def tensor_list_reserve(
    element_shape: Any, num_elements: Any, element_dtype: Any, name: str | None = None
) -> Any:
    """A list of `num_elements` elements that are not there yet."""
    return raw_ops.TensorListReserve(
        element_shape=_build_element_shape(element_shape),
        num_elements=num_elements,
        element_dtype=element_dtype,
        name=name,
    )


def tensor_list_from_tensor(tensor: Any, element_shape: ShapeLike, name: str | None = None) -> Any:
    """The list of the parts of `tensor` along its first dimension."""
    return raw_ops.TensorListFromTensor(
        tensor=tensor, element_shape=_build_element_shape(element_shape), name=name
    )


def tensor_list_get_item(
    input_handle: Any,
    index: Any,
    element_dtype: Any,
    element_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Any:
    """The element at `index`."""
    return raw_ops.TensorListGetItem(
        input_handle=input_handle,
        index=index,
        element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype,
        name=name,
    )


def tensor_list_pop_back(input_handle: Any, element_dtype: Any, name: str | None = None) -> Any:
    """(the list without its last element, that element)."""
    return raw_ops.TensorListPopBack(
        input_handle=input_handle, element_shape=-1, element_dtype=element_dtype, name=name
    )


def tensor_list_push_back(input_handle: Any, tensor: Any, name: str | None = None) -> Any:
    """The list with `tensor` behind its last element."""
    return raw_ops.TensorListPushBack(input_handle=input_handle, tensor=tensor, name=name)


def tensor_list_gather(
    input_handle: Any,
    indices: Any,
    element_dtype: Any,
    element_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Any:
    """The elements at `indices`, stacked."""
    return raw_ops.TensorListGather(
        input_handle=input_handle,
        indices=indices,
        element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype,
        name=name,
    )


def tensor_list_scatter(
    tensor: Any,
    indices: Any,
    element_shape: ShapeLike | None = None,
    input_handle: Any = None,
    name: str | None = None,
) -> Any:
    """A list with the parts of `tensor` along its first dimension at `indices`.

    Args:
      tensor: [n, ...].
      indices: an int32 vector [n].
      element_shape: what is known of the shape of the elements, where there is no list before.
      input_handle: the list before; by default a new one, as long as it has to be.
      name: the operation's name.
    """
    if input_handle is not None:
        return raw_ops.TensorListScatterIntoExistingList(
            input_handle=input_handle, tensor=tensor, indices=indices, name=name
        )
    return raw_ops.TensorListScatterV2(
        tensor=tensor,
        indices=indices,
        element_shape=_build_element_shape(element_shape),
        num_elements=-1,
        name=name,
    )


def tensor_list_stack(
    input_handle: Any,
    element_dtype: Any,
    num_elements: int = -1,
    element_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Any:
    """All elements, stacked."""
    return raw_ops.TensorListStack(
        input_handle=input_handle,
        element_shape=_build_element_shape(element_shape),
        element_dtype=element_dtype,
        num_elements=num_elements,
        name=name,
    )


def tensor_list_concat(
    input_handle: Any,
    element_dtype: Any,
    element_shape: ShapeLike | None = None,
    name: str | None = None,
) -> Any:
    """All elements, concatenated along their first dimension."""
    return raw_ops.TensorListConcatV2(
        input_handle=input_handle,
        element_dtype=element_dtype,
        element_shape=_build_element_shape(element_shape),
        leading_dims=ops.convert_to_tensor([], dtype=dtypes.int64),
        name=name,
    )[0]


def tensor_list_split(
    tensor: Any, element_shape: ShapeLike, lengths: Any, name: str | None = None
) -> Any:
    """The list of consecutive parts of `tensor`, of the given `lengths`."""
    return raw_ops.TensorListSplit(
        tensor=tensor,
        element_shape=_build_element_shape(element_shape),
        lengths=lengths,
        name=name,
    )


def tensor_list_set_item(
    input_handle: Any,
    index: Any,
    item: Any,
    resize_if_index_out_of_bounds: bool = False,
    name: str | None = None,
) -> Any:
    """The list with `item` at `index`.

    Args:
      input_handle: the list.
      index: an int32 scalar.
      item: the element.
      resize_if_index_out_of_bounds: whether an `index` behind the end makes the list longer.
      name: the operation's name.
    """
    if resize_if_index_out_of_bounds:
        size = raw_ops.TensorListLength(input_handle)
        before = input_handle
        input_handle = control_flow_ops.cond(
            index >= size,
            lambda: raw_ops.TensorListResize(before, index + 1),
            lambda: before,
        )
    return raw_ops.TensorListSetItem(input_handle, index=index, item=item, name=name)


def tensor_list_length(input_handle: Any, name: str | None = None) -> Any:
    """How many elements the list has."""
    return raw_ops.TensorListLength(input_handle, name=name)


def _build_element_shape(shape: Any) -> Any:
    """A shape, perhaps partly known, as the ops take it: -1 for what is not known."""
    if isinstance(shape, ops.Tensor):
        return shape
    if isinstance(shape, TensorShape):
        # The truth of a shape is that its rank is known.
        shape = shape.as_list() if shape else None
    if shape is None:
        return -1
    if not shape:
        return ops.convert_to_tensor(shape, dtype=dtypes.int32)
    return [_size(dim) for dim in shape]


def _size(dim: Any) -> Any:
    if isinstance(dim, Dimension):
        dim = dim.value
    return -1 if dim is None else dim
