"""Lists of tensors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.autograph.utils import tensors
from tf1compat.api.control_flow import control_flow_ops, list_ops, tensor_array_ops
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


def new_list_or_tensor(iterable: Any = None) -> Any:
    """A new list of some elements; of none one in a tensor, so that tensors may be appended.

    Args:
      iterable: the elements.
    """
    elements = list(iterable) if iterable else []
    return elements or tf_tensor_list_new(())


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


class ListStackOpts(NamedTuple):
    """What is known of the elements of a list, and what else makes one value of a Python list."""

    element_dtype: Any
    original_call: Any


def list_stack(list_: Any, opts: ListStackOpts) -> Any:
    """The elements of a list as one tensor; a tensor that is no list as it is.

    Args:
      list_: a `TensorArray`, a list in a tensor, or anything that `opts.original_call` takes.
      opts: see there.

    Raises:
      ValueError: the dtype of a list in a tensor is not known.
    """
    assert isinstance(opts, ListStackOpts)
    if tensors.is_tensor_array(list_):
        return list_.stack()
    if not tensor_util.is_tensor(list_):
        return opts.original_call(list_)
    if list_.dtype != dtypes.variant:
        return list_
    if opts.element_dtype is None:
        raise ValueError(
            "cannot stack a list without knowing its element type; use set_element_type to "
            "annotate it"
        )
    return list_ops.tensor_list_stack(list_, element_dtype=opts.element_dtype)


def tf_tensor_array_new(
    elements: Iterable[Any], element_dtype: Any = None, element_shape: Any = None
) -> Any:
    """A `TensorArray` of some elements.

    Args:
      elements: the elements, of one dtype and shape.
      element_dtype: their dtype, which must be said of no elements.
      element_shape: their shape.

    Raises:
      ValueError: they are of several dtypes or shapes, or of others than said.
    """
    values = [ops.convert_to_tensor(element) for element in elements]
    found_dtype = _common("dtype", values, [value.dtype for value in values], element_dtype)
    if element_dtype is None and not values:
        raise ValueError("dtype is required to create an empty TensorArray")
    shapes = [tuple(value.shape.as_list()) for value in values]
    found_shape = _common("shape", values, shapes, element_shape)
    array = tensor_array_ops.TensorArray(
        dtype=found_dtype if element_dtype is None else element_dtype,
        size=len(values),
        dynamic_size=True,
        infer_shape=element_shape is None and found_shape is None,
        element_shape=found_shape if element_shape is None else element_shape,
    )
    for i, value in enumerate(values):
        array = array.write(i, value)
    return array


def _common(what: str, elements: list[Any], found: list[Any], said: Any) -> Any:
    """The dtype or the shape that elements have in common; None of no elements."""
    distinct = set(found)
    if len(distinct) > 1:
        raise ValueError(
            f"TensorArray requires all elements to have the same {what}: {tuple(elements)}"
        )
    if distinct and said is not None and said != found[0]:
        _refuse_other(what, said, elements, found[0])
    return found[0] if found else None


def _refuse_other(what: str, said: Any, elements: list[Any], found: Any) -> None:
    raise ValueError(
        f"incompatible {what}; specified: {said}, inferred from {tuple(elements)}: {found}"
    )


def tf_tensor_list_new(
    elements: Any, element_dtype: Any = None, element_shape: Any = None
) -> ops.Tensor:
    """A list in a tensor, of a tensor's rows or of some elements.

    Args:
      elements: a tensor, or elements, which may be of several dtypes and shapes.
      element_dtype: the dtype of all of them.
      element_shape: the shape of all of them.

    Raises:
      ValueError: they are of others than said.
    """
    if tensor_util.is_tensor(elements):
        if element_shape is not None:
            raise ValueError("element shape may not be specified when creating list from tensor")
        return list_ops.tensor_list_from_tensor(
            elements, element_shape=array_ops.shape(elements)[1:]
        )
    values = [ops.convert_to_tensor(element) for element in elements]
    kinds = {value.dtype for value in values}
    dtype = kinds.pop() if len(kinds) == 1 else dtypes.variant
    if element_dtype is not None and values:
        if kinds:
            _refuse_several("dtype", element_dtype, values)
        if element_dtype != dtype:
            _refuse_other("dtype", element_dtype, values, dtype)
    shapes = {tuple(value.shape.as_list()) for value in values}
    if element_shape is not None and len(shapes) > 1:
        _refuse_several("shape", element_shape, values)
    shape = array_ops.shape(values[0]) if len(shapes) == 1 else constant_op.constant(-1)
    if element_shape is not None and values:
        # A tensor is no shape, so that TF refuses any that is said.
        _refuse_other("shape", element_shape, values, shape)
    made = list_ops.empty_tensor_list(
        element_shape=ops.convert_to_tensor(
            shape if element_shape is None else element_shape, dtype=dtypes.int32
        ),
        element_dtype=dtype if element_dtype is None else element_dtype,
    )
    for value in values:
        made = list_ops.tensor_list_push_back(made, value)
    return made


def _refuse_several(what: str, said: Any, elements: list[Any]) -> None:
    raise ValueError(
        f"specified {what} {said} is inconsistent with that of elements {tuple(elements)}"
    )
