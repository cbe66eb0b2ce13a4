"""Lists of tensors: variants, of which every change makes a new one.

What is known of a list while it is recorded is its tensor's handle data: (dtype, shape) of the
elements.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import list_ops
from tf1compat.backend import jnp
from tf1compat.core import constants, dtypes, errors, raw_ops, shapes
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.core.shapes import BareShapeError, ShapeError
from tf1compat.kernels.control_flow.stack import StackValue
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.control_flow.tensor_list_value import TensorListValue, is_array
from tf1compat.kernels.framework.common import jnp_dtype, known, refuse

# What is known while recording.


def _elements(op: Any, index: int = 0) -> Any:
    """(dtype, shape) of the elements of the list that is input `index`; None if it isn't known."""
    return op._inputs[index]._handle_data


def _declared(op: Any, index: int) -> Shape:
    """Input `index` read as the shape of elements, in which a scalar -1 stands for any."""
    shape = op._inputs[index]._shape
    if shape is not None and len(shape) == 0:
        value = constants.input_value(op._inputs[index])
        if value is None:
            raise BareShapeError(
                "Received a shape scalar with unknown static value.  A static value of '-1' is "
                "required to represent an unknown shape."
            )
        if value != -1:
            dtype = dtypes.cpp_name(op._inputs[index]._dtype)
            raise BareShapeError(
                "Received an invalid shape scalar with a static value that is not '-1': "
                f"Tensor<type: {dtype} shape: [] values: {value}>"
            )
        return None
    shapes.with_rank_at_most(shape, 1)
    return op.shape_input(index) if shape is not None else None


def _shape_of_elements(op: Any) -> Shape:
    data = _elements(op)
    return None if data is None else data[1]


def _behind(first: int | None, shape: Shape) -> Shape:
    return None if shape is None else (first, *shape)


def _check_dtype(op: Any, text: str) -> None:
    """Refuses a list of another dtype; `text` quotes the op's {wanted} and the list's {found}."""
    data, wanted = _elements(op), op._attrs["element_dtype"]
    if data is not None and data[0] is not wanted:
        names = {"wanted": dtypes.cpp_name(wanted), "found": dtypes.cpp_name(data[0])}
        raise ShapeError(text.format(**names))


_PUSHING = (
    "Trying to {} list with wrong element dtype. List has type {{found}} but trying to push "
    "element with type {{wanted}}"
)
_READING = (
    "Trying to read from list with wrong element dtype. List has type {found} but expected type "
    "{wanted}"
)
_EXPECTED = "Expected list with element dtype {wanted} but got list with element dtype {found}"


def _same_elements(op: Any) -> Any:
    return [_elements(op), *[None] * (len(op._outputs) - 1)]


def _same_or_new(op: Any) -> Any:
    data = _elements(op)
    return [(op._attrs["element_dtype"], None) if data is None else data]


def _new_elements(index: int) -> Any:
    def handle_data(op: Any) -> Any:
        return [(op._attrs["element_dtype"], _declared(op, index))]

    return handle_data


# What a program computes.


def _partial(value: Any) -> Shape:
    """A shape input of a lowering: None where it is not known."""
    if not known(value):
        return None if not np.ndim(value) else (None,) * np.shape(value)[0]
    if not value.ndim:
        return None
    return tuple(int(dim) if dim >= 0 else None for dim in value)


def _text(shape: Shape) -> str:
    return "<unknown>" if shape is None else shapes.to_string(shape)


def _merged(ctx: Any, a: Shape, b: Shape) -> Shape:
    try:
        return shapes.merge(a, b)
    except ShapeError:
        assert a is not None and b is not None
        if len(a) != len(b):
            what = f"ranks during merge: {len(a)} vs. {len(b)}"
        else:
            what = f"shapes during merge: {shapes.to_string(a)} vs. {shapes.to_string(b)}"
        refuse(ctx, f"PartialTensorShape: Incompatible {what}")


def _array_list(
    ctx: Any, dtype: Any, shape: Shape, size: int, buffer: Any = None, written: bool = False
) -> TensorListValue:
    """A list of `size` elements, set if there is a `buffer`."""
    elements = None
    if buffer is not None:
        elements = (tuple(np.shape(buffer)[1:]), jnp_dtype(dtype))
    elif shapes.is_fully_known(shape):
        elements = (tuple(shape or ()), jnp_dtype(dtype))
    marks = np.full(size, written, np.bool_)
    body = TensorArrayValue(ctx.op.name, size, elements, buffer, marks)
    return TensorListValue(ctx.op.name, dtype, shape, -1, body, size)


def _is_variant(dtype: Any) -> bool:
    return dtype is dtypes.variant


def _length(list_: TensorListValue) -> Any:
    count = list_.count
    return np.array(count, np.int32) if isinstance(count, int) else count


@op("EmptyTensorList", carries_variants=True, autodiff=True)
class EmptyTensorList:
    def shape(element_shape: Any, max_num_elements: Any, *, op: Any) -> Any:
        _declared(op, 0)
        return ()

    handle_data = _new_elements(0)

    def lower(
        element_shape: Any, max_num_elements: Any, *, element_dtype: Any, ctx: Any
    ) -> TensorListValue:
        limit = int(max_num_elements) if known(max_num_elements) else -1
        owner = ctx.op.name
        body = StackValue(owner, ())
        return TensorListValue(owner, element_dtype, _partial(element_shape), limit, body, 0)


@op("TensorListReserve", const=(1,), carries_variants=True, autodiff=True)
class TensorListReserve:
    def shape(element_shape: Any, num_elements: Any, *, op: Any) -> Any:
        _declared(op, 0)
        return ()

    handle_data = _new_elements(0)

    def lower(
        element_shape: Any, num_elements: Any, *, element_dtype: Any, ctx: Any
    ) -> TensorListValue:
        size = int(num_elements)
        if size < 0:
            refuse(ctx, f"TensorListReserve expects num_elements to be non-negative. Got: {size}")
        shape = _partial(element_shape)
        if _is_variant(element_dtype):
            body = StackValue(ctx.op.name, (None,) * size)
            return TensorListValue(ctx.op.name, element_dtype, shape, -1, body, size)
        return _array_list(ctx, element_dtype, shape, size)


@op("TensorListPushBack", carries_variants=True, autodiff=True)
class TensorListPushBack:
    def shape(input_handle: Any, tensor: Any, *, op: Any) -> Any:
        _check_dtype(op, _PUSHING.format("push to"))
        return ()

    handle_data = _same_or_new

    def lower(input_handle: Any, tensor: Any, *, ctx: Any) -> Any:
        list_ = input_handle
        if not shapes.compatible(np.shape(tensor), list_.element_shape):
            refuse(
                ctx,
                "Tried to append a tensor with incompatible shape to a list. Op element shape: "
                f"{_text(np.shape(tensor))} list shape: {_text(list_.element_shape)}",
            )
        if list_.limit >= 0:
            ctx.check(
                np.array(list_.length < list_.limit)
                if list_.length is not None
                else _length(list_) < list_.limit,
                errors.InvalidArgumentError,
                "Tried to push item into a full list list size: {size} max_num_elements: "
                f"{list_.limit}",
                size=_length(list_),
            )
        return list_.pushed(tensor)

    def gradient(op: Any, dresult: Any) -> Any:
        return list(
            raw_ops.TensorListPopBack(
                dresult,
                element_shape=array_ops.shape(op.inputs[1]),
                element_dtype=op._attrs["element_dtype"],
            )
        )


@op("TensorListPopBack", carries_variants=True, autodiff=True)
class TensorListPopBack:
    def shape(input_handle: Any, element_shape: Any, *, op: Any) -> Any:
        _check_dtype(op, _PUSHING.format("read from"))
        return [(), _shape_of_elements(op)]

    def handle_data(op: Any) -> Any:
        return [_elements(op), None]

    def lower(input_handle: Any, element_shape: Any, *, ctx: Any) -> Any:
        list_ = input_handle
        if list_.length == 0:
            refuse(ctx, "Trying to pop from an empty list.")
        shape = _shape_if_not_set(ctx, list_, _partial(element_shape))
        value, rest = list_.popped(shape)
        return [rest, value]

    def gradient(op: Any, dlist: Any, delement: Any) -> Any:
        if dlist is None:
            dlist = _empty_like(op.outputs[0], delement.dtype)
        return raw_ops.TensorListPushBack(dlist, delement), None


def _empty_like(list_: Any, dtype: Any) -> Any:
    shape = raw_ops.TensorListElementShape(list_, shape_type=dtypes.int32)
    return list_ops.empty_tensor_list(element_dtype=dtype, element_shape=shape)


def _shape_if_not_set(ctx: Any, list_: TensorListValue, wanted: Shape) -> Shape:
    """The shape of an element, as far as it is known."""
    if _is_variant(list_.element_dtype):
        return ()
    own = list_.known_shape
    return own if shapes.is_fully_known(own) else _merged(ctx, list_.element_shape, wanted)


@op("TensorListStack", carries_variants=True, autodiff=True)
class TensorListStack:
    def shape(input_handle: Any, element_shape: Any, *, num_elements: int, op: Any) -> Any:
        _check_dtype(op, _READING)
        shape = shapes.merge(_shape_of_elements(op), _declared(op, 1))
        return _behind(num_elements if num_elements >= 0 else None, shape)

    def lower(
        input_handle: Any, element_shape: Any, *, num_elements: int, element_dtype: Any, ctx: Any
    ) -> Any:
        list_ = _whole(input_handle, ctx)
        if num_elements >= 0 and list_.length != num_elements:
            refuse(
                ctx,
                f"Operation expected a list with {num_elements} elements but got a list with "
                f"{list_.length} elements.",
            )
        _check_alike(ctx, list_)
        if list_.known_shape is None or not list_.length:
            shape = _merged(ctx, list_.element_shape, _partial(element_shape))
            if not shapes.is_fully_known(shape):
                what = "Tried to stack elements of an empty list with non-fully-defined "
                if list_.length:
                    what = (
                        "Tried to stack list which only contains uninitialized tensors and has a "
                        "non-fully-defined "
                    )
                refuse(ctx, f"{what}element_shape: {_text(shape)}")
            return jnp.zeros((list_.length or 0, *(shape or ())), jnp_dtype(element_dtype))
        shape = _merged(ctx, _partial(element_shape), list_.known_shape)
        array = list_.arrayed(shape)
        assert array is not None
        return array.allocated(shape, jnp_dtype(element_dtype)).buffer

    def gradient(op: Any, dtensor: Any) -> Any:
        shape = dtensor.shape[1:]
        return list_ops.tensor_list_from_tensor(dtensor, element_shape=shape), None


def _whole(list_: TensorListValue, ctx: Any) -> TensorListValue:
    """The list, if its length is known while the program is traced."""
    if list_.length is None:
        ctx.need(0)
    return list_


def _check_alike(ctx: Any, list_: TensorListValue) -> None:
    """Fails the run unless all elements have one shape."""
    if list_.is_array or list_.body.items is None:
        return
    shape: Shape = None
    for item in list_.items():
        if item is not None and is_array(item):
            shape = _merged(ctx, shape, np.shape(item))


@op("TensorListFromTensor", carries_variants=True, autodiff=True)
class TensorListFromTensor:
    def shape(tensor: Any, element_shape: Any, *, op: Any) -> Any:
        declared = _declared(op, 1)
        if tensor is not None and tensor:
            shapes.merge(tensor[1:], declared)
        return ()

    handle_data = _new_elements(1)

    def lower(tensor: Any, element_shape: Any, *, element_dtype: Any, ctx: Any) -> Any:
        _check_vector(ctx, tensor)
        declared, shape = _partial(element_shape), np.shape(tensor)[1:]
        _check_parts(ctx, declared, shape)
        size = np.shape(tensor)[0]
        return _array_list(ctx, element_dtype, declared, size, jnp.asarray(tensor), True)

    def gradient(op: Any, dlist: Any) -> Any:
        tensor = op.inputs[0]
        size = tensor._shape[0] if tensor._shape else None
        if dlist is None:
            dlist = _empty_like(op.outputs[0], tensor.dtype)
        grad = raw_ops.TensorListStack(
            dlist,
            element_shape=array_ops.slice(array_ops.shape(tensor), [1], [-1]),
            element_dtype=tensor.dtype,
            num_elements=-1 if size is None else size,
        )
        return grad, None


def _check_vector(ctx: Any, tensor: Any) -> None:
    if not np.ndim(tensor):
        refuse(ctx, "Tensor must be at least a vector, but saw shape: []")


def _check_parts(ctx: Any, declared: Shape, shape: Shape) -> None:
    if not shapes.compatible(declared, shape):
        refuse(
            ctx,
            f"Specified a list with shape {_text(declared)} from a tensor with shape "
            f"{_text(shape)}",
        )


@op("TensorListGetItem", carries_variants=True, autodiff=True)
class TensorListGetItem:
    def shape(input_handle: Any, index: Any, element_shape: Any, *, op: Any) -> Any:
        _check_dtype(op, _EXPECTED)
        return shapes.merge(_shape_of_elements(op), _declared(op, 2))

    def lower(input_handle: Any, index: Any, element_shape: Any, *, ctx: Any) -> Any:
        list_ = input_handle
        if np.ndim(index):
            index = index.reshape(())
        ctx.check(
            _inside(list_, index),
            errors.InvalidArgumentError,
            "Trying to access element {index} in a list with {size} elements.",
            index=index,
            size=_length(list_),
        )
        shape = _shape_if_not_set(ctx, list_, _partial(element_shape))
        if not shapes.is_fully_known(shape) and not list_.is_set(index):
            refuse(
                ctx,
                "Trying to read an uninitialized tensor but element_shape is not fully defined: "
                f"{_text(shape)} and no list element is set.",
            )
        if not list_.length and list_.length is not None:
            return list_.zeros(shape)
        return list_.item(index, shape)

    def gradient(op: Any, ditem: Any) -> Any:
        size = raw_ops.TensorListLength(op.inputs[0])
        reserved = raw_ops.TensorListReserve(
            raw_ops.TensorListElementShape(op.inputs[0], shape_type=dtypes.int32),
            size,
            element_dtype=ditem.dtype,
        )
        grad = raw_ops.TensorListSetItem(reserved, index=op.inputs[1], item=ditem)
        return grad, None, None


def _inside(list_: TensorListValue, index: Any) -> Any:
    return (index >= 0) & (index < _length(list_))


@op("TensorListSetItem", carries_variants=True, autodiff=True)
class TensorListSetItem:
    def shape(input_handle: Any, index: Any, item: Any, *, op: Any) -> Any:
        data = _elements(op)
        if data is not None:
            shapes.merge(item, data[1])
        return ()

    handle_data = _same_or_new

    def lower(input_handle: Any, index: Any, item: Any, *, ctx: Any) -> Any:
        list_ = input_handle
        ctx.check(
            _inside(list_, index),
            errors.InvalidArgumentError,
            "Trying to modify element {index} in a list with {size} elements.",
            index=index,
            size=_length(list_),
        )
        if not shapes.compatible(np.shape(item), list_.element_shape):
            refuse(
                ctx,
                "Tried to set a tensor with incompatible shape at a list index. Item element "
                f"shape: {_text(np.shape(item))} list shape: {_text(list_.element_shape)}",
            )
        if list_.length == 0:
            return list_
        return list_.with_item(index, item)

    def gradient(op: Any, dlist: Any) -> Any:
        _, index, item = op.inputs
        list_grad = raw_ops.TensorListSetItem(dlist, index=index, item=array_ops.zeros_like(item))
        element_grad = list_ops.tensor_list_get_item(
            dlist, index, element_shape=array_ops.shape(item), element_dtype=item.dtype
        )
        return list_grad, None, element_grad


@op("TensorListLength", autodiff=True)
class TensorListLength:
    def shape(input_handle: Any) -> Any:
        return ()

    def lower(input_handle: Any) -> Any:
        return _length(input_handle)


@op("TensorListElementShape", autodiff=True)
class TensorListElementShape:
    def shape(input_handle: Any, *, op: Any) -> Any:
        shape = _shape_of_elements(op)
        return (None if shape is None else len(shape),)

    def lower(input_handle: Any, *, shape_type: Any) -> Any:
        shape, numpy = input_handle.element_shape, shape_type.as_numpy_dtype
        if shape is None:
            return np.array(-1, numpy)
        return np.array([-1 if dim is None else dim for dim in shape], numpy)


@op("TensorListResize", carries_variants=True, autodiff=True)
class TensorListResize:
    def shape(input_handle: Any, size: Any) -> Any:
        shapes.with_rank(size, 0)
        return ()

    handle_data = _same_elements

    def lower(input_handle: Any, size: Any, *, ctx: Any) -> Any:
        list_ = input_handle
        ctx.check(
            size >= 0,
            errors.InvalidArgumentError,
            "TensorListSlice expects size to be non-negative. Got: {size}",
            size=size,
        )
        if known(size) and list_.length is not None:
            return list_.resized(int(size))
        room = max(list_.length or 0, ctx.buffer_size(list_.owner))
        ctx.check_buffer_size(list_.owner, jnp.asarray(size), room)
        return list_.reaching(size - 1, room)

    def gradient(op: Any, dlist: Any) -> Any:
        size = raw_ops.TensorListLength(op.inputs[0])
        return raw_ops.TensorListResize(dlist, size), None


@op("TensorListGather", carries_variants=True, autodiff=True)
class TensorListGather:
    def shape(input_handle: Any, indices: Any, element_shape: Any, *, op: Any) -> Any:
        _check_dtype(op, _EXPECTED)
        shape = shapes.merge(_shape_of_elements(op), _declared(op, 2))
        return None if indices is None else shapes.concat(indices, shape)

    def lower(
        input_handle: Any, indices: Any, element_shape: Any, *, element_dtype: Any, ctx: Any
    ) -> Any:
        list_ = input_handle
        shape = _partial(element_shape)
        if not np.ndim(indices):
            indices = indices.reshape(1)
        if np.size(indices):
            shape = _shape_if_not_set(ctx, list_, shape)
        else:
            shape = _merged(ctx, list_.element_shape, shape)
        if not shapes.is_fully_known(shape):
            if not np.size(indices):
                what = "Tried to gather 0-elements from a list with non-fully-defined shape: "
            else:
                what = (
                    "Tried to gather uninitialized tensors from a list with non-fully-defined "
                    "shape: "
                )
            refuse(ctx, f"{what}{_text(shape)}")
        if np.size(indices):
            ctx.check(
                (indices < _length(list_)).all(),
                errors.InvalidArgumentError,
                "Index {last} out o range; list only has {size} elements.",
                last=indices.max(),
                size=_length(list_),
            )
        array = _as_array(ctx, list_, shape, element_dtype)
        return array.elements_at(indices)

    def gradient(op: Any, dtensor: Any) -> Any:
        list_, indices, _ = op.inputs
        shape = raw_ops.TensorListElementShape(list_, shape_type=dtypes.int32)
        size = raw_ops.TensorListLength(list_)
        grad = list_ops.tensor_list_reserve(shape, size, dtensor.dtype)
        grad = list_ops.tensor_list_scatter(tensor=dtensor, indices=indices, input_handle=grad)
        return grad, None, None


def _as_array(ctx: Any, list_: TensorListValue, shape: Shape, dtype: Any) -> TensorArrayValue:
    array = list_.arrayed(shape)
    if array is None:
        _check_alike(ctx, list_)
        raise NotImplementedError(
            f"Operation '{ctx.op.name}' ({ctx.op.type}) of a list of lists is not supported by "
            "tf1compat yet"
        )
    return array.allocated(shape, jnp_dtype(dtype))


def _scattered(
    ctx: Any, dtype: Any, declared: Shape, size: int | None, tensor: Any, indices: Any
) -> TensorListValue:
    """A list of parts of `tensor` at `indices`."""
    _check_vector(ctx, tensor)
    _check_parts(ctx, declared, np.shape(tensor)[1:])
    count = np.shape(tensor)[0]
    if count != np.size(indices):
        refuse(
            ctx,
            f"Invalid number of rows in input tensor. Expected: {np.size(indices)} Actual: {count}",
        )
    if count:
        ctx.check(
            (indices >= 0).all(),
            errors.InvalidArgumentError,
            "Indices in TensorListScatter must all be non-negative.",
        )
    if size is None:
        if not known(indices):
            ctx.need(1)
        size = int(indices.max()) + 1 if count else 0
    elif count:
        ctx.check(
            (indices < size).all(),
            errors.InvalidArgumentError,
            f"TensorListScatter: Trying to scatter at index {{last}} in list with size {size}",
            last=indices.max(),
        )
    list_ = _array_list(ctx, dtype, declared, size)
    if not count or not size:
        return list_
    array = list_.body.allocated(np.shape(tensor)[1:], jnp_dtype(dtype))
    return list_._with(array.with_elements(indices, jnp.asarray(tensor)), size)


@op("TensorListScatter", carries_variants=True, autodiff=True)
class TensorListScatter:
    def shape(tensor: Any, indices: Any, element_shape: Any, *, op: Any) -> Any:
        _declared(op, 2)
        return ()

    handle_data = _new_elements(2)

    def lower(
        tensor: Any, indices: Any, element_shape: Any, *, element_dtype: Any, ctx: Any
    ) -> Any:
        return _scattered(ctx, element_dtype, _partial(element_shape), None, tensor, indices)

    def gradient(op: Any, dlist: Any) -> Any:
        return _scatter_gradient(op, dlist), None, None


@op("TensorListScatterV2", const=(3,), carries_variants=True, autodiff=True)
class TensorListScatterV2:
    def shape(tensor: Any, indices: Any, element_shape: Any, num_elements: Any, *, op: Any) -> Any:
        _declared(op, 2)
        return ()

    handle_data = _new_elements(2)

    def lower(
        tensor: Any,
        indices: Any,
        element_shape: Any,
        num_elements: Any,
        *,
        element_dtype: Any,
        ctx: Any,
    ) -> Any:
        size = int(num_elements)
        if size < -1:
            refuse(ctx, f"TensorListScatter expects num_elements >= -1, found: {size}")
        return _scattered(
            ctx,
            element_dtype,
            _partial(element_shape),
            None if size == -1 else size,
            tensor,
            indices,
        )

    def gradient(op: Any, dlist: Any) -> Any:
        return _scatter_gradient(op, dlist), None, None, None


def _scatter_gradient(op: Any, dlist: Any, position: int = 0) -> Any:
    tensor, indices = op.inputs[position], op.inputs[position + 1]
    return raw_ops.TensorListGather(
        dlist,
        indices,
        element_shape=array_ops.slice(array_ops.shape(tensor), [1], [-1]),
        element_dtype=tensor.dtype,
    )


@op("TensorListScatterIntoExistingList", carries_variants=True, autodiff=True)
class TensorListScatterIntoExistingList:
    def shape(input_handle: Any, tensor: Any, indices: Any, *, op: Any) -> Any:
        _check_dtype(op, _EXPECTED)
        shapes.with_rank(indices, 1)
        return ()

    handle_data = _same_or_new

    def lower(input_handle: Any, tensor: Any, indices: Any, *, element_dtype: Any, ctx: Any) -> Any:
        list_ = input_handle
        _check_vector(ctx, tensor)
        count, *rest = np.shape(tensor)
        shape = tuple(rest)
        if np.shape(indices) != (count,):
            given = np.shape(indices)[0] if np.ndim(indices) else 0
            refuse(ctx, f"Expected len(indices) == tensor.shape[0], but saw: {given} vs. {count}")
        _check_parts(ctx, list_.element_shape, shape)
        if not count:
            return list_
        if list_.known_shape is not None:
            _merged(ctx, list_.known_shape, shape)
        array = _as_array(ctx, list_, shape, element_dtype)
        if known(indices) and list_.length is not None:
            size = max(int(indices.max()) + 1, list_.length)
            array = array.grown(size)
            return list_._with(array.with_elements(indices, jnp.asarray(tensor)), size)
        return list_._with(array.with_elements(indices, jnp.asarray(tensor)), list_.length)

    def gradient(op: Any, dlist: Any) -> Any:
        _, tensor, indices = op.inputs
        dtensor = _scatter_gradient(op, dlist, 1)
        zeros = array_ops.zeros_like(tensor)
        grad = list_ops.tensor_list_scatter(zeros, indices, indices, input_handle=dlist)
        return grad, dtensor, None


def _concat_shape(op: Any, declared: Shape) -> Any:
    _check_dtype(op, _READING)
    shape = shapes.merge(declared, _shape_of_elements(op))
    return [None if shape is None else (None, *shape[1:]), (None,)]


def _concatenated(ctx: Any, list_: TensorListValue, declared: Shape, leading: Any) -> Any:
    """(all elements joined along their first dimension, their sizes there)."""
    list_ = _whole(list_, ctx)
    numpy = jnp_dtype(list_.element_dtype)
    rest = _merged(ctx, list_.element_shape, declared)
    if rest is not None and not rest:
        refuse(ctx, "Concat requires elements to be at least vectors, found scalars instead.")
    rest = None if rest is None else rest[1:]
    if not list_.length:
        if not shapes.is_fully_known(rest):
            refuse(
                ctx,
                "All except the first dimension must be fully defined when concating an empty "
                f"tensor list. element_shape: {_text(_merged(ctx, list_.element_shape, declared))}",
            )
        return [jnp.zeros((0, *(rest or ())), numpy), np.zeros(0, np.int64)]
    own = list_.known_shape
    all_set = not np.size(leading) or not list_.is_array or np.all(list_.body.written)
    if list_.is_array and all_set and own is not None and shapes.is_fully_known(own):
        if not own:
            refuse(ctx, _SCALAR.format(0))
        joined = list_.body.allocated(own, numpy).buffer
        joined = joined.reshape((list_.length * own[0], *own[1:]))
        return [joined, np.full(list_.length, own[0], np.int64)]
    items: list[Any] = list(list_.items())
    shape = _merged(ctx, None if own is None else own[1:], rest)
    for i, item in enumerate(items):
        if item is None:
            rows = int(leading[i]) if np.size(leading) else (own or (None,))[0]
            if rows is None or not shapes.is_fully_known(shape):
                refuse(
                    ctx,
                    "Concat requires the element shape of uninitialized tensors to be fully "
                    f"defined: {_text(_merged(ctx, list_.element_shape, declared))}",
                )
            items[i] = jnp.zeros((rows, *(shape or ())), numpy)
        elif not np.ndim(item):
            refuse(ctx, _SCALAR.format(i))
        else:
            shape = _merged(ctx, shape, np.shape(item)[1:])
    lengths = np.array([np.shape(item)[0] for item in items], np.int64)
    return [jnp.concatenate([jnp.asarray(item) for item in items]), lengths]


_SCALAR = "Concat saw a scalar shape at index {} but requires at least vectors."


@op("TensorListConcat", autodiff=True)
class TensorListConcat:
    def shape(input_handle: Any, *, element_shape: Any, op: Any) -> Any:
        return _concat_shape(op, element_shape)

    def lower(input_handle: Any, *, element_shape: Any, ctx: Any) -> Any:
        return _concatenated(ctx, input_handle, element_shape, ())

    def gradient(op: Any, dtensor: Any, _: Any) -> Any:
        return _concat_gradient(op, dtensor)


@op("TensorListConcatV2", autodiff=True)
class TensorListConcatV2:
    def shape(input_handle: Any, element_shape: Any, leading_dims: Any, *, op: Any) -> Any:
        return _concat_shape(op, _declared(op, 1))

    def lower(input_handle: Any, element_shape: Any, leading_dims: Any, *, ctx: Any) -> Any:
        return _concatenated(ctx, input_handle, _partial(element_shape), leading_dims)

    def gradient(op: Any, dtensor: Any, _: Any) -> Any:
        return _concat_gradient(op, dtensor), None, None


def _concat_gradient(op: Any, dtensor: Any) -> Any:
    return list_ops.tensor_list_split(
        dtensor,
        element_shape=raw_ops.TensorListElementShape(op.inputs[0], shape_type=dtypes.int32),
        lengths=op.outputs[1],
    )


@op("TensorListSplit", const=(2,), carries_variants=True, autodiff=True)
class TensorListSplit:
    def shape(tensor: Any, element_shape: Any, lengths: Any, *, op: Any) -> Any:
        shapes.with_rank(lengths, 1)
        tensor = shapes.with_rank_at_least(tensor, 1)
        declared = _declared(op, 1)
        if tensor is not None:
            shapes.merge((None, *tensor[1:]), declared)
        return ()

    handle_data = _new_elements(1)

    def lower(
        tensor: Any, element_shape: Any, lengths: Any, *, element_dtype: Any, ctx: Any
    ) -> Any:
        _check_vector(ctx, tensor)
        declared = _partial(element_shape)
        _check_parts(ctx, declared, (None, *np.shape(tensor)[1:]))
        total, start = np.shape(tensor)[0], 0
        for length in lengths.tolist():
            if length < 0:
                refuse(ctx, f"Invalid value in lengths: {length}")
            if start + length > total:
                refuse(
                    ctx,
                    f"Attempting to slice [{start}, {start + length}] from tensor with length "
                    f"{total}",
                )
            start += length
        if start != total:
            refuse(
                ctx,
                f"Unused values in tensor. Length of tensor: {total} Values used: {start}",
            )
        size = int(lengths.size)
        tensor = jnp.asarray(tensor)
        if size and (lengths == lengths[0]).all():
            buffer = tensor.reshape((size, int(lengths[0]), *tensor.shape[1:]))
            return _array_list(ctx, element_dtype, declared, size, buffer, True)
        parts = tuple(jnp.split(tensor, np.cumsum(lengths)[:-1])) if size else ()
        body = StackValue(ctx.op.name, parts)
        return TensorListValue(ctx.op.name, element_dtype, declared, -1, body, size)

    def gradient(op: Any, dlist: Any) -> Any:
        tensor, _, lengths = op.inputs
        shape = array_ops.slice(array_ops.shape(tensor), [1], [-1])
        shape = array_ops.concat([[-1], shape], axis=0)
        grad = raw_ops.TensorListConcatV2(
            dlist, element_shape=shape, leading_dims=lengths, element_dtype=tensor.dtype
        )
        return grad[0], None, None


@op("TensorListConcatLists", carries_variants=True, autodiff=True)
class TensorListConcatLists:
    def shape(input_a: Any, input_b: Any, *, op: Any) -> Any:
        wanted = op._attrs["element_dtype"]
        for index, name in enumerate("ab"):
            data = _elements(op, index)
            if data is not None and data[0] is not wanted:
                found = dtypes.cpp_name(data[0])
                raise ShapeError(
                    f"input_{name}.type != element_dtype: {found} vs. {dtypes.cpp_name(wanted)}"
                )
        a, b = _elements(op, 0), _elements(op, 1)
        if a is not None and b is not None:
            shapes.merge(a[1], b[1])
        return shapes.merge(input_a, input_b)

    def handle_data(op: Any) -> Any:
        found = [data[1] for data in (_elements(op, 0), _elements(op, 1)) if data is not None]
        return [(op._attrs["element_dtype"], shapes.merge_all(found) if found else None)]

    def lower(input_a: Any, input_b: Any, *, element_dtype: Any, ctx: Any) -> Any:
        for index, list_ in enumerate((input_a, input_b)):
            if list_.length is None:
                ctx.need(index)
        shape = _merged(ctx, input_a.element_shape, input_b.element_shape)
        items = (*input_a.items(), *input_b.items())
        size = len(items)
        body = StackValue(ctx.op.name, items)
        return TensorListValue(ctx.op.name, element_dtype, shape, -1, body, size)


@op("TensorListPushBackBatch", carries_variants=True, autodiff=True)
class TensorListPushBackBatch:
    def shape(input_handles: Any, tensor: Any, *, op: Any) -> Any:
        shapes.with_rank(input_handles, 1)
        _check_dtype(op, _PUSHING.format("push to"))
        if tensor is None or not tensor:
            return input_handles
        return shapes.merge(input_handles, tensor[:1])

    handle_data = _same_or_new

    def lower(input_handles: Any, tensor: Any, *, ctx: Any) -> Any:
        raise NotImplementedError(
            f"A vector of lists (operation '{ctx.op.name}') is not supported by tf1compat yet"
        )


@op("FakeParam", autodiff=True)
class FakeParam:
    def shape(*, shape: Any) -> Any:
        return shape

    def lower(*, dtype: Any, shape: Any) -> Any:
        return np.zeros([0 if dim is None else dim for dim in shape or ()], jnp_dtype(dtype))


not_differentiable(
    "TensorListConcatLists", "TensorListElementShape", "TensorListLength", "TensorListPushBackBatch"
)
