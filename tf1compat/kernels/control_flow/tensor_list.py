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
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext, Shape
from tf1compat.kernels.control_flow import tensor_list_rules as rules
from tf1compat.kernels.control_flow.stack import StackValue
from tf1compat.kernels.control_flow.tensor_list_value import TensorListValue
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import jnp_dtype, known, refuse, text_of_shape

# What is known while recording.


# What a program computes.


@op("EmptyTensorList", carries_variants=True, autodiff=True)
class EmptyTensorList:
    def shape(element_shape: Any, max_num_elements: Shape, *, op: Operation) -> Any:
        rules.declared(op, 0)
        return ()

    handle_data = rules.new_elements(0)

    def lower(
        element_shape: Any, max_num_elements: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> TensorListValue:
        if np.ndim(max_num_elements):
            shape = text_of_shape(max_num_elements)
            refuse(ctx, f"max_num_elements expected to be a scalar but got shape: {shape}")
        limit = int(max_num_elements) if known(max_num_elements) else -1
        owner = ctx.op.name
        body = StackValue(owner, ())
        return TensorListValue(
            owner, element_dtype, rules.partial(ctx, element_shape), limit, body, 0
        )


@op("TensorListReserve", const=(1,), carries_variants=True, autodiff=True)
class TensorListReserve:
    def shape(element_shape: Any, num_elements: Shape, *, op: Operation) -> Any:
        rules.declared(op, 0)
        return ()

    handle_data = rules.new_elements(0)

    def lower(
        element_shape: Any, num_elements: np.ndarray, *, element_dtype: DType, ctx: LoweringContext
    ) -> TensorListValue:
        size = int(num_elements)
        if size < 0:
            refuse(ctx, f"TensorListReserve expects num_elements to be non-negative. Got: {size}")
        shape = rules.partial(ctx, element_shape)
        if rules.is_variant(element_dtype):
            body = StackValue(ctx.op.name, (None,) * size)
            return TensorListValue(ctx.op.name, element_dtype, shape, -1, body, size)
        return rules.array_list(ctx, element_dtype, shape, size)


@op("TensorListPushBack", carries_variants=True, autodiff=True)
class TensorListPushBack:
    def shape(input_handle: Any, tensor: Shape, *, op: Operation) -> Any:
        rules.check_dtype(op, rules.PUSHING.format("push to"))
        return ()

    handle_data = rules.same_or_new

    def lower(input_handle: Any, tensor: Any, *, element_dtype: DType, ctx: LoweringContext) -> Any:
        list_ = input_handle
        if not shapes.compatible(np.shape(tensor), list_.element_shape):
            refuse(
                ctx,
                "Tried to append a tensor with incompatible shape to a list. Op element shape: "
                f"{rules.text(np.shape(tensor))} list shape: {rules.text(list_.element_shape)}",
            )
        rules.check_elements(ctx, list_, element_dtype)
        if list_.limit >= 0:
            ctx.check(
                np.array(list_.length < list_.limit)
                if list_.length is not None
                else rules.length(list_) < list_.limit,
                errors.InvalidArgumentError,
                "Tried to push item into a full list list size: {size} max_num_elements: "
                f"{list_.limit}",
                size=rules.length(list_),
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
    def shape(input_handle: Any, element_shape: Shape, *, op: Operation) -> Any:
        rules.check_dtype(op, rules.PUSHING.format("read from"))
        return [(), rules.shape_of_elements(op)]

    def handle_data(op: Any) -> Any:
        return [rules.elements(op), None]

    def lower(
        input_handle: Any, element_shape: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        list_ = input_handle
        rules.check_elements(ctx, list_, element_dtype)
        if list_.length == 0:
            refuse(ctx, "Trying to pop from an empty list.")
        shape = rules.shape_if_not_set(ctx, list_, rules.partial(ctx, element_shape))
        value, rest = list_.popped(shape)
        return [rest, value]

    def gradient(op: Any, dlist: Any, delement: Any) -> Any:
        if dlist is None:
            dlist = _empty_like(op.outputs[0], delement.dtype)
        return raw_ops.TensorListPushBack(dlist, delement), None


def _empty_like(list_: Any, dtype: Any) -> Any:
    shape = raw_ops.TensorListElementShape(list_, shape_type=dtypes.int32)
    return list_ops.empty_tensor_list(element_dtype=dtype, element_shape=shape)


@op(
    "TensorListStack",
    carries_variants=True,
    host=variants.has_variant_elements,
    autodiff=True,
)
class TensorListStack:
    def shape(input_handle: Any, element_shape: Shape, *, num_elements: int, op: Operation) -> Any:
        rules.check_dtype(op, rules.READING)
        shape = shapes.merge(rules.shape_of_elements(op), rules.declared(op, 1))
        return rules.behind(num_elements if num_elements >= 0 else None, shape)

    def lower(
        input_handle: Any,
        element_shape: Any,
        *,
        num_elements: int,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        rules.check_elements(ctx, input_handle, element_dtype)
        list_ = rules.whole(input_handle, ctx)
        if num_elements >= 0 and list_.length != num_elements:
            refuse(
                ctx,
                f"Operation expected a list with {num_elements} elements but got a list with "
                f"{list_.length} elements.",
            )
        if rules.is_variant(element_dtype):
            return variants.vector(list_.items())
        rules.check_alike(ctx, list_)
        if not shapes.is_fully_known(list_.known_shape) or not list_.length:
            shape = rules.merged(ctx, rules.partial(ctx, element_shape), list_.element_shape)
            if not shapes.is_fully_known(shape):
                what = "Tried to stack elements of an empty list with non-fully-defined "
                if list_.length:
                    what = (
                        "Tried to stack list which only contains uninitialized tensors and has a "
                        "non-fully-defined "
                    )
                refuse(ctx, f"{what}element_shape: {rules.text(shape)}")
            return jnp.zeros((list_.length or 0, *(shape or ())), jnp_dtype(element_dtype))
        shape = rules.merged(ctx, rules.partial(ctx, element_shape), list_.known_shape)
        array = list_.arrayed(shape)
        assert array is not None
        return array.allocated(shape, jnp_dtype(element_dtype)).buffer

    def gradient(op: Any, dtensor: Any) -> Any:
        shape = dtensor.shape[1:]
        return list_ops.tensor_list_from_tensor(dtensor, element_shape=shape), None


@op(
    "TensorListFromTensor",
    carries_variants=True,
    host=variants.has_variant_elements,
    autodiff=True,
)
class TensorListFromTensor:
    def shape(tensor: Any, element_shape: Shape, *, op: Operation) -> Any:
        declared = rules.declared(op, 1)
        if tensor is not None and tensor:
            shapes.merge(tensor[1:], declared)
        return ()

    handle_data = rules.new_elements(1)

    def lower(
        tensor: Any, element_shape: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        rules.check_vector(ctx, tensor)
        declared, shape = rules.partial(ctx, element_shape), np.shape(tensor)[1:]
        rules.check_parts(ctx, declared, shape)
        size = np.shape(tensor)[0]
        if rules.is_variant(element_dtype):
            items = tuple(variants.unboxed(tensor[i, ...]) for i in range(size))
            body = StackValue(ctx.op.name, items)
            return TensorListValue(ctx.op.name, element_dtype, declared, -1, body, size)
        return rules.array_list(ctx, element_dtype, declared, size, jnp.asarray(tensor), True)

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


@op("TensorListGetItem", carries_variants=True, autodiff=True)
class TensorListGetItem:
    def shape(input_handle: Any, index: Shape, element_shape: Shape, *, op: Operation) -> Any:
        rules.check_dtype(op, rules.EXPECTED)
        return shapes.merge(rules.shape_of_elements(op), rules.declared(op, 2))

    def lower(
        input_handle: Any,
        index: Any,
        element_shape: Any,
        *,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        list_ = input_handle
        rules.check_elements(ctx, list_, element_dtype)
        if np.ndim(index):
            index = index.reshape(())
        ctx.check(
            _inside(list_, index),
            errors.InvalidArgumentError,
            "Trying to access element {index} in a list with {size} elements.",
            index=index,
            size=rules.length(list_),
        )
        shape = rules.shape_if_not_set(ctx, list_, rules.partial(ctx, element_shape))
        if not shapes.is_fully_known(shape) and not list_.is_set(index):
            refuse(
                ctx,
                "Trying to read an uninitialized tensor but element_shape is not fully defined: "
                f"{rules.text(shape)} and no list element is set.",
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
    return (index >= 0) & (index < rules.length(list_))


@op("TensorListSetItem", carries_variants=True, autodiff=True)
class TensorListSetItem:
    def shape(input_handle: Any, index: Shape, item: Shape, *, op: Operation) -> Any:
        data = rules.elements(op)
        if data is not None:
            shapes.merge(item, data[1])
        return ()

    handle_data = rules.same_or_new

    def lower(
        input_handle: Any, index: Any, item: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        list_ = input_handle
        rules.check_elements(ctx, list_, element_dtype)
        ctx.check(
            _inside(list_, index),
            errors.InvalidArgumentError,
            "Trying to modify element {index} in a list with {size} elements.",
            index=index,
            size=rules.length(list_),
        )
        if not shapes.compatible(np.shape(item), list_.element_shape):
            refuse(
                ctx,
                "Tried to set a tensor with incompatible shape at a list index. Item element "
                f"shape: {rules.text(np.shape(item))} "
                f"list shape: {rules.text(list_.element_shape)}",
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
        return rules.length(input_handle)


@op("TensorListElementShape", autodiff=True)
class TensorListElementShape:
    def shape(input_handle: Any, *, op: Operation) -> Any:
        shape = rules.shape_of_elements(op)
        return (None if shape is None else len(shape),)

    def lower(input_handle: Any, *, shape_type: Any) -> Any:
        shape, numpy = input_handle.element_shape, shape_type.as_numpy_dtype
        if shape is None:
            return np.array(-1, numpy)
        return np.array([-1 if dim is None else dim for dim in shape], numpy)


@op("TensorListResize", carries_variants=True, autodiff=True)
class TensorListResize:
    def shape(input_handle: Any, size: Shape) -> Any:
        shapes.with_rank(size, 0)
        return ()

    handle_data = rules.same_elements

    def lower(input_handle: Any, size: Any, *, ctx: LoweringContext) -> Any:
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


@op("TensorListPushBackBatch", host=True)
class TensorListPushBackBatch:
    def shape(input_handles: Any, tensor: Shape, *, op: Operation) -> Any:
        shapes.with_rank(input_handles, 1)
        rules.check_dtype(op, rules.PUSHING.format("push to"))
        shapes.with_rank_at_least(tensor, 1)
        return shapes.merge_prefix(tensor, input_handles)[1]

    handle_data = rules.same_or_new

    def lower(
        input_handles: Any, tensor: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        shape, lists = np.shape(tensor), variants.boxed(input_handles)
        if not shape:
            refuse(ctx, "Expected tensor to be at least a vector, but saw shape: []")
        if lists.ndim != 1:
            found = text_of_shape(lists)
            refuse(ctx, f"Expected input_handles to be a vector, but saw shape: {found}")
        if shape[0] != lists.size:
            counts = f"{shape[0]} vs. {lists.size}"
            refuse(ctx, f"Expected tensor.shape[0] == input_handles.size, but saw {counts}")
        for i, list_ in enumerate(lists):
            if list_.element_dtype is not element_dtype:
                found, wanted = map(dtypes.cpp_name, (list_.element_dtype, element_dtype))
                names = f"op elements {wanted} but list elements {found}"
                refuse(ctx, f"Invalid data type at index {i}; {names}")
            if not shapes.compatible(shape[1:], list_.element_shape):
                refuse(
                    ctx,
                    f"Tried to append a tensor with incompatible shape to a list at index {i}. "
                    f"Op element shape: {rules.text(shape[1:])} "
                    f"list shape: {rules.text(list_.element_shape)}",
                )
        return variants.vector([list_.pushed(tensor[i]) for i, list_ in enumerate(lists)])


@op("FakeParam", autodiff=True)
class FakeParam:
    def shape(*, shape: Any) -> Any:
        return shape

    def lower(*, dtype: Any, shape: Any) -> Any:
        return np.zeros([0 if dim is None else dim for dim in shape or ()], jnp_dtype(dtype))


not_differentiable(
    "TensorListConcatLists", "TensorListElementShape", "TensorListLength", "TensorListPushBackBatch"
)
