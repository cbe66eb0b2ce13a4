"""Operations on lists that join, split, gather and scatter their elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import list_ops
from tf1compat.backend import Array, jnp
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import Shape, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.control_flow import tensor_list_rules as rules
from tf1compat.kernels.control_flow.stack import StackValue
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.control_flow.tensor_list_value import TensorListValue
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import jnp_dtype, known, refuse, text_of_shape


@op(
    "TensorListGather",
    carries_variants=True,
    host=variants.has_variant_elements,
    autodiff=True,
)
class TensorListGather:
    def shape(input_handle: Any, indices: Shape, element_shape: Shape, *, op: Operation) -> Shape:
        rules.check_dtype(op, rules.EXPECTED)
        shape = shapes.merge(rules.shape_of_elements(op), rules.declared(op, 2))
        return None if indices is None else shapes.concat(indices, shape)

    def lower(
        input_handle: Any,
        indices: Any,
        element_shape: Any,
        *,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        list_ = input_handle
        rules.check_elements(ctx, list_, element_dtype)
        shape = rules.partial(ctx, element_shape)
        if not np.ndim(indices):
            indices = indices.reshape(1)
        shape = rules.merged(ctx, shape, list_.element_shape)
        if np.size(indices):
            shape = rules.shape_if_not_set(ctx, list_, shape)
        if not shapes.is_fully_known(shape):
            if not np.size(indices):
                what = "Tried to gather 0-elements from a list with non-fully-defined shape: "
            else:
                what = (
                    "Tried to gather uninitialized tensors from a list with non-fully-defined "
                    "shape: "
                )
            refuse(ctx, f"{what}{rules.text(shape)}")
        if np.size(indices):
            ctx.check(
                (indices < rules.length(list_)).all(),
                errors.InvalidArgumentError,
                "Index {last} out o range; list only has {size} elements.",
                last=indices.max(),
                size=rules.length(list_),
            )
        if rules.is_variant(element_dtype):
            items = list_.items()
            return variants.vector([items[i] for i in indices.ravel()]).reshape(np.shape(indices))
        array = _as_array(ctx, list_, shape, element_dtype)
        return array.elements_at(indices)

    def gradient(op: Any, dtensor: Any) -> Gradients:
        list_, indices, _ = op.inputs
        shape = raw_ops.TensorListElementShape(list_, shape_type=dtypes.int32)
        size = raw_ops.TensorListLength(list_)
        grad = list_ops.tensor_list_reserve(shape, size, dtensor.dtype)
        grad = list_ops.tensor_list_scatter(tensor=dtensor, indices=indices, input_handle=grad)
        return grad, None, None


def _as_array(
    ctx: LoweringContext, list_: TensorListValue, shape: Shape, dtype: Any
) -> TensorArrayValue:
    array = list_.arrayed(shape)
    if array is None:
        rules.check_alike(ctx, list_)
        raise NotImplementedError(
            f"Operation '{ctx.op.name}' ({ctx.op.type}) of a list of lists is not supported by "
            "tf1compat yet"
        )
    return array.allocated(shape, jnp_dtype(dtype))


def _scattered(
    ctx: LoweringContext, dtype: Any, declared: Shape, size: int | None, tensor: Any, indices: Any
) -> TensorListValue:
    """A list of parts of `tensor` at `indices`."""
    rules.check_vector(ctx, tensor)
    rules.check_parts(ctx, declared, np.shape(tensor)[1:])
    indices = indices.reshape(-1)
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
    list_ = rules.array_list(ctx, dtype, declared, size)
    if not count or not size:
        return list_
    array = list_.body.allocated(np.shape(tensor)[1:], jnp_dtype(dtype))
    return list_._with(array.with_elements(indices, jnp.asarray(tensor)), size)


@op("TensorListScatter", carries_variants=True, autodiff=True)
class TensorListScatter:
    def shape(tensor: Any, indices: Shape, element_shape: Shape, *, op: Operation) -> Any:
        rules.declared(op, 2)
        return ()

    handle_data = rules.new_elements(2)

    def lower(
        tensor: Any, indices: Any, element_shape: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        return _scattered(
            ctx, element_dtype, rules.partial(ctx, element_shape), None, tensor, indices
        )

    def gradient(op: Any, dlist: Any) -> Gradients:
        return _scatter_gradient(op, dlist), None, None


@op("TensorListScatterV2", const=(3,), carries_variants=True, autodiff=True)
class TensorListScatterV2:
    def shape(
        tensor: Any, indices: Shape, element_shape: Shape, num_elements: Shape, *, op: Operation
    ) -> Any:
        rules.declared(op, 2)
        return ()

    handle_data = rules.new_elements(2)

    def lower(
        tensor: Any,
        indices: Any,
        element_shape: Any,
        num_elements: np.ndarray,
        *,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        size = int(num_elements)
        if size < -1:
            refuse(ctx, f"TensorListScatter expects num_elements >= -1, found: {size}")
        return _scattered(
            ctx,
            element_dtype,
            rules.partial(ctx, element_shape),
            None if size == -1 else size,
            tensor,
            indices,
        )

    def gradient(op: Any, dlist: Any) -> Gradients:
        return _scatter_gradient(op, dlist), None, None, None


def _scatter_gradient(op: Operation, dlist: Any, position: int = 0) -> Any:
    tensor, indices = op.inputs[position], op.inputs[position + 1]
    return raw_ops.TensorListGather(
        dlist,
        indices,
        element_shape=array_ops.slice(array_ops.shape(tensor), [1], [-1]),
        element_dtype=tensor.dtype,
    )


@op("TensorListScatterIntoExistingList", carries_variants=True, autodiff=True)
class TensorListScatterIntoExistingList:
    def shape(input_handle: Any, tensor: Shape, indices: Shape, *, op: Operation) -> Any:
        rules.check_dtype(op, rules.EXPECTED)
        shapes.with_rank(indices, 1)
        return ()

    handle_data = rules.same_or_new

    def lower(
        input_handle: Any, tensor: Any, indices: Any, *, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        list_ = input_handle
        if list_.element_dtype is not element_dtype:
            given = f"input tensor type: {dtypes.cpp_name(element_dtype)}"
            found = f"list element_type: {dtypes.cpp_name(list_.element_dtype)}"
            refuse(ctx, f"Invalid data types; {given} {found}")
        rules.check_vector(ctx, tensor)
        count, *rest = np.shape(tensor)
        shape = tuple(rest)
        if np.shape(indices) != (count,):
            given = np.shape(indices)[0] if np.ndim(indices) else 0
            refuse(ctx, f"Expected len(indices) == tensor.shape[0], but saw: {given} vs. {count}")
        rules.check_parts(ctx, list_.element_shape, shape)
        if not count:
            return list_
        if list_.known_shape is not None:
            rules.merged(ctx, list_.known_shape, shape)
        array = _as_array(ctx, list_, shape, element_dtype)
        if known(indices) and list_.length is not None:
            size = max(int(indices.max()) + 1, list_.length)
            array = array.grown(size)
            return list_._with(array.with_elements(indices, jnp.asarray(tensor)), size)
        return list_._with(array.with_elements(indices, jnp.asarray(tensor)), list_.length)

    def gradient(op: Any, dlist: Any) -> Gradients:
        _, tensor, indices = op.inputs
        dtensor = _scatter_gradient(op, dlist, 1)
        zeros = array_ops.zeros_like(tensor)
        grad = list_ops.tensor_list_scatter(zeros, indices, indices, input_handle=dlist)
        return grad, dtensor, None


def _concat_shape(op: Operation, declared: Shape) -> Any:
    rules.check_dtype(op, rules.READING)
    shape = shapes.merge(declared, rules.shape_of_elements(op))
    return [None if shape is None else (None, *shape[1:]), (None,)]


def _concatenated(
    ctx: LoweringContext, list_: TensorListValue, declared: Shape, leading: Any, dtype: Any
) -> Any:
    """(all elements joined along their first dimension, their sizes there)."""
    rules.check_elements(ctx, list_, dtype)
    list_ = rules.whole(list_, ctx)
    numpy = jnp_dtype(list_.element_dtype)
    rest = rules.merged(ctx, declared, list_.element_shape)
    if rest is not None and not rest:
        refuse(ctx, "Concat requires elements to be at least vectors, found scalars instead.")
    rest = None if rest is None else rest[1:]
    if not list_.length:
        if not shapes.is_fully_known(rest):
            element_shape = rules.merged(ctx, declared, list_.element_shape)
            refuse(
                ctx,
                "All except the first dimension must be fully defined when concating an empty "
                f"tensor list. element_shape: {rules.text(element_shape)}",
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
    shape = rules.merged(ctx, None if own is None else own[1:], rest)
    for i, item in enumerate(items):
        if item is None:
            rows = int(leading[i]) if np.size(leading) > i else (own or (None,))[0]
            if rows is None:
                refuse(
                    ctx,
                    f"List contains uninitialized tensor at index {i} but leading_dims has only "
                    f"{np.size(leading)} elements.",
                )
            if not shapes.is_fully_known(shape):
                refuse(
                    ctx,
                    "Concat requires the element shape of uninitialized tensors to be fully "
                    f"defined: {rules.text(rules.merged(ctx, list_.element_shape, declared))}",
                )
            items[i] = jnp.zeros((rows, *(shape or ())), numpy)
        elif not np.ndim(item):
            refuse(ctx, _SCALAR.format(i))
        else:
            shape = rules.merged(ctx, shape, np.shape(item)[1:])
    lengths = np.array([np.shape(item)[0] for item in items], np.int64)
    return [jnp.concatenate([jnp.asarray(item) for item in items]), lengths]


_SCALAR = "Concat saw a scalar shape at index {} but requires at least vectors."


@op("TensorListConcat", autodiff=True)
class TensorListConcat:
    def shape(input_handle: Any, *, element_shape: Shape, op: Operation) -> Any:
        return _concat_shape(op, element_shape)

    def lower(
        input_handle: Any, *, element_shape: Shape, element_dtype: DType, ctx: LoweringContext
    ) -> Any:
        return _concatenated(ctx, input_handle, element_shape, (), element_dtype)

    def gradient(op: Any, dtensor: Any, _: Any) -> Gradients:
        return _concat_gradient(op, dtensor)


@op("TensorListConcatV2", autodiff=True)
class TensorListConcatV2:
    def shape(
        input_handle: Any, element_shape: Shape, leading_dims: Shape, *, op: Operation
    ) -> Any:
        return _concat_shape(op, rules.declared(op, 1))

    def lower(
        input_handle: Any,
        element_shape: Array,
        leading_dims: Array,
        *,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        declared = rules.partial(ctx, element_shape)
        return _concatenated(ctx, input_handle, declared, leading_dims, element_dtype)

    def gradient(op: Any, dtensor: Any, _: Any) -> Gradients:
        return _concat_gradient(op, dtensor), None, None


def _concat_gradient(op: Operation, dtensor: Any) -> Any:
    return list_ops.tensor_list_split(
        dtensor,
        element_shape=raw_ops.TensorListElementShape(op.inputs[0], shape_type=dtypes.int32),
        lengths=op.outputs[1],
    )


@op("TensorListSplit", const=(2,), carries_variants=True, autodiff=True)
class TensorListSplit:
    def shape(tensor: Any, element_shape: Shape, lengths: Shape, *, op: Operation) -> Any:
        shapes.with_rank(lengths, 1)
        tensor = shapes.with_rank_at_least(tensor, 1)
        declared = rules.declared(op, 1)
        if tensor is not None:
            shapes.merge((None, *tensor[1:]), declared)
        return ()

    handle_data = rules.new_elements(1)

    def lower(
        tensor: Any,
        element_shape: Any,
        lengths: np.ndarray,
        *,
        element_dtype: DType,
        ctx: LoweringContext,
    ) -> Any:
        declared = rules.partial(ctx, element_shape)
        if declared == ():
            refuse(
                ctx,
                "TensorListSplit requires element_shape to be at least of rank 1, but saw: []",
            )
        rules.check_vector(ctx, tensor)
        if not shapes.compatible(declared, (None, *np.shape(tensor)[1:])):
            refuse(
                ctx,
                f"tensor shape {text_of_shape(tensor)} is not compatible with element_shape "
                f"{rules.text(declared)}",
            )
        if np.ndim(lengths) != 1:
            refuse(
                ctx, f"Expected lengths to be a vector, received shape: {text_of_shape(lengths)}"
            )
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
            return rules.array_list(ctx, element_dtype, declared, size, buffer, True)
        parts = tuple(jnp.split(tensor, np.cumsum(lengths)[:-1])) if size else ()
        body = StackValue(ctx.op.name, parts)
        return TensorListValue(ctx.op.name, element_dtype, declared, -1, body, size)

    def gradient(op: Any, dlist: Any) -> Gradients:
        tensor, _, lengths = op.inputs
        shape = array_ops.slice(array_ops.shape(tensor), [1], [-1])
        shape = array_ops.concat([[-1], shape], axis=0)
        grad = raw_ops.TensorListConcatV2(
            dlist, element_shape=shape, leading_dims=lengths, element_dtype=tensor.dtype
        )
        return grad[0], None, None


@op("TensorListConcatLists", carries_variants=True, autodiff=True)
class TensorListConcatLists:
    def shape(input_a: Any, input_b: Shape, *, op: Operation) -> Any:
        wanted = op._attrs["element_dtype"]
        for index, name in enumerate("ab"):
            data = rules.elements(op, index)
            if data is not None and data[0] is not wanted:
                found = dtypes.cpp_name(data[0])
                raise ShapeError(
                    f"input_{name}.type != element_dtype: {found} vs. {dtypes.cpp_name(wanted)}"
                )
        a, b = rules.elements(op, 0), rules.elements(op, 1)
        if a is not None and b is not None:
            shapes.merge(a[1], b[1])
        return shapes.merge(input_a, input_b)

    def handle_data(op: Any) -> Any:
        found = [
            data[1] for data in (rules.elements(op, 0), rules.elements(op, 1)) if data is not None
        ]
        return [(op._attrs["element_dtype"], shapes.merge_all(found) if found else None)]

    def lower(input_a: Any, input_b: Any, *, element_dtype: DType, ctx: LoweringContext) -> Any:
        for index, list_ in enumerate((input_a, input_b)):
            if list_.element_dtype is not element_dtype:
                found, wanted = map(dtypes.cpp_name, (list_.element_dtype, element_dtype))
                text = f"input_{'ab'[index]}[0].dtype != element_dtype.  Saw: {found} vs. {wanted}"
                refuse(ctx, text)
            if list_.length is None:
                ctx.need(index)
        shape = input_a.element_shape
        if shape != input_b.element_shape:
            found = f"{rules.text(shape)} vs. {rules.text(input_b.element_shape)}"
            what = "input_a and input_b TensorList element shapes are not identical at index 0."
            refuse(ctx, f"{what}  Saw {found}")
        items = (*input_a.items(), *input_b.items())
        size = len(items)
        body = StackValue(ctx.op.name, items)
        return TensorListValue(ctx.op.name, element_dtype, shape, -1, body, size)
