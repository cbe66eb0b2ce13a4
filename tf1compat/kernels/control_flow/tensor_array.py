"""TensorArrays: a handle and a flow, the tensor that orders what is done with the array.

The handle's data is what is known of the elements: (dtype, shape), as for a variable's handle.

While a program runs the flow is the array (`tensor_array_value`), so in a loop or a branch what is
done with an array is seen by what its flow leads to, and by nothing else.  TF's array is mutable:
what was written shows by every flow, and it refuses a second read of an element that was cleared.
Here that is so where the program is sure to come to the operations (`tensor_array_checks`).
"""

from __future__ import annotations

import dataclasses
import itertools
import weakref
from typing import Any

import numpy as np

from tf1compat.api.control_flow.tensor_array_ops import TensorArray
from tf1compat.backend import jnp
from tf1compat.core import errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.control_flow import tensor_array_host
from tf1compat.kernels.control_flow.tensor_array_checks import (
    array_at,
    check_alike,
    check_read_dtype,
    check_readable,
    check_writable,
    check_write_dtype,
    fitting_shape,
    known_indices,
    known_shape,
    listed_at,
    note_made,
    refuse_empty,
    refuse_shape,
    room_for_shape,
    with_room,
    writes,
)
from tf1compat.kernels.control_flow.tensor_array_pieces import TensorArrayPieces, joined, parts_of
from tf1compat.kernels.control_flow.tensor_array_value import (
    HOST_DTYPES,
    TensorArrayHandle,
    TensorArrayValue,
)
from tf1compat.kernels.framework.common import known, refuse, text_of_shape

Array = Any

# TF numbers the arrays that a process makes; here, the operations that make them.
_numbers = itertools.count()
_numbered: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()


def _number(op: Operation) -> int:
    return _numbered.setdefault(op, next(_numbers))


def holds_text(op: Operation) -> bool:
    """Whether the elements never leave the host."""
    return (op._attrs.get("dtype") or op._attrs["T"]) in HOST_DTYPES


def _check_handle(handle: Any) -> None:
    """A handle is a vector of two."""
    shapes.dim_with_value(shapes.with_rank(handle, 1)[0], 2)


def _element(op: Operation) -> Any:
    """(dtype, shape) of the elements; None if nothing is known."""
    return op._inputs[0]._handle_data


def _check_write(op: Operation, value: Any) -> None:
    known = _element(op)
    if known is not None:
        shapes.merge(known[1], value)


@op("TensorArrayV3", const=(0,), host=holds_text, flows=True, autodiff=True)
class TensorArrayV3:
    def shape(size: Any) -> Any:
        shapes.with_rank(size, 0)
        return [(2,), ()]

    def lower(
        size: Any,
        *,
        dtype: DType,
        element_shape: Shape,
        dynamic_size: bool,
        clear_after_read: bool,
        identical_element_shapes: bool,
        tensor_array_name: str,
        ctx: LoweringContext,
    ) -> Any:
        if np.ndim(size):
            refuse(ctx, f"TensorArray size must be scalar, but had shape: {text_of_shape(size)}")
        if size < 0:
            refuse(ctx, "Size should be >= 0.")
        handle = TensorArrayHandle(
            f"{tensor_array_name or ctx.op.name}_{_number(ctx.op)}",
            dtype,
            int(size),
            element_shape,
            identical_element_shapes,
            dynamic_size,
            clear_after_read,
        )
        note_made(handle, ctx)
        return [handle, handle.empty()]

    def numpy(
        size: Any,
        *,
        dtype: DType,
        element_shape: Shape,
        dynamic_size: bool,
        clear_after_read: bool,
        identical_element_shapes: bool,
        tensor_array_name: str,
        ctx: LoweringContext,
    ) -> Any:
        return tensor_array_host.made(
            f"{tensor_array_name or ctx.op.name}_{_number(ctx.op)}",
            dtype,
            size,
            ctx,
            element_shape=element_shape,
            identical=identical_element_shapes,
            dynamic=dynamic_size,
            clears=clear_after_read,
        )

    def handle_data(op: Any) -> Any:
        shape = op._attrs["element_shape"].to_tuple()
        if op._attrs["identical_element_shapes"] or shapes.is_fully_known(shape):
            return [(op._attrs["dtype"], shape), None]
        return [None, None]


@op("TensorArrayGradV3", flows=True, autodiff=True)
class TensorArrayGradV3:
    numpy = tensor_array_host.gradient

    def shape(handle: Any, flow_in: Shape) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def lower(handle: Any, flow_in: Any, *, source: str, ctx: LoweringContext) -> Any:
        handle = handle.gradient(source, flow_in)
        return [handle, array_at(handle, flow_in, ctx)]

    def handle_data(op: Any) -> Any:
        return [_element(op), None]


@op("TensorArrayGradWithShape", const=(2,), flows=True, autodiff=True)
class TensorArrayGradWithShape:
    numpy = tensor_array_host.gradient_with_shape

    def shape(handle: Any, flow_in: Shape, shape_to_prepend: Shape) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def lower(
        handle: Any,
        flow_in: Any,
        shape_to_prepend: np.ndarray,
        *,
        source: str,
        ctx: LoweringContext,
    ) -> Any:
        handle = handle.gradient(source, flow_in)
        prefix = tuple(int(dim) for dim in shape_to_prepend)
        handle = dataclasses.replace(
            handle, element_shape=shapes.concat(prefix, handle.element_shape)
        )
        return [handle, array_at(handle, flow_in, ctx)]

    def handle_data(op: Any) -> Any:
        known = _element(op)
        if known is None:
            return [None, None]
        dtype, shape = known
        prefix = op._inputs[2]._shape
        if shape is None or not prefix or prefix[0] is None:
            return [(dtype, None), None]
        return [(dtype, (None,) * prefix[0] + shape), None]


@op("TensorArrayWriteV3", host=holds_text, flows=True, autodiff=True)
class TensorArrayWriteV3:
    numpy = tensor_array_host.write

    def shape(handle: Any, index: Shape, value: Shape, flow_in: Shape, *, op: Operation) -> Shape:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        _check_write(op, value)
        return ()

    @writes
    def lower(
        handle: Any, index: Any, value: Any, flow_in: Any, *, T: DType, ctx: LoweringContext
    ) -> Any:
        if isinstance(value, TensorArrayValue | TensorArrayPieces):
            raise NotImplementedError(
                f"Operation '{ctx.op.name}' writes the flow of TensorArray '{value.owner}' to a "
                "TensorArray, as loops in pfor do: supported by tf1compat in the host tier only"
            )
        check_write_dtype(ctx, handle, T)
        array = with_room(handle, array_at(handle, flow_in, ctx, True), index, ctx)
        check_writable(ctx, handle, array, index)
        shape = fitting_shape(ctx, handle, array, index, value)
        array = room_for_shape(handle, array, shape, ctx)
        if isinstance(array, TensorArrayPieces):
            return array.with_pieces(known_indices(array, index, ctx), [value])
        if shape != array.element_shape:
            return array  # Refused.
        return array.with_element(index, value)

    def gradient(op: Any, flow: Any) -> Gradients:
        value = _gradient_array(op, flow, op._attrs["T"], flow).read(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayReadV3", host=holds_text, autodiff=True)
class TensorArrayReadV3:
    numpy = tensor_array_host.read

    def shape(handle: Any, index: Shape, flow_in: Shape, *, op: Operation) -> Shape:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return None if known is None else known[1]

    def lower(handle: Any, index: Any, flow_in: Any, *, dtype: DType, ctx: LoweringContext) -> Any:
        check_read_dtype(ctx, handle, dtype)
        array = array_at(handle, flow_in, ctx)
        check_readable(ctx, handle, array, index)
        if isinstance(array, TensorArrayPieces):
            return array.element(known_indices(array, index, ctx)[0])
        return array.element(index)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.write(op.inputs[1], grad).flow]


@op("TensorArrayGatherV3", host=holds_text, autodiff=True)
class TensorArrayGatherV3:
    numpy = tensor_array_host.gather

    def shape(
        handle: Any, indices: Shape, flow_in: Shape, *, element_shape: Shape, op: Operation
    ) -> Shape:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return shapes.concat(indices, element_shape if known is None else known[1])

    def lower(
        handle: Any,
        indices: Any,
        flow_in: Any,
        *,
        dtype: DType,
        element_shape: Shape,
        ctx: LoweringContext,
    ) -> Any:
        check_read_dtype(ctx, handle, dtype)
        array = array_at(handle, flow_in, ctx)
        if not np.size(indices):
            found = known_shape(handle, array, element_shape)
            if not shapes.is_fully_known(found):
                refuse_empty(ctx, "element shape", found, "packing")
            return np.zeros((0, *found), handle.numpy_dtype)  # pyright: ignore
        if isinstance(array, TensorArrayValue) and shapes.is_fully_known(element_shape):
            # What nothing was written to is zeros of it.
            array = array.allocated(element_shape, handle.numpy_dtype)
        check_readable(ctx, handle, array, indices)
        if isinstance(array, TensorArrayPieces):
            places = known_indices(array, indices, ctx)
            check_alike(ctx, [array.shape_of(i) for i in places], element_shape)
            return array.stacked(places)
        check_alike(ctx, [array.element_shape], element_shape)
        return array.elements_at(indices)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.scatter(op.inputs[1], grad).flow]


@op("TensorArrayScatterV3", host=holds_text, flows=True, autodiff=True)
class TensorArrayScatterV3:
    numpy = tensor_array_host.scatter

    def shape(handle: Any, indices: Any, value: Any, flow_in: Shape, *, op: Any) -> Shape:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        if shapes.with_rank_at_least(value, 1) is not None:
            shapes.merge_dim(value[0], indices[0])
            _check_write(op, value[1:])
        return ()

    @writes
    def lower(
        handle: Any, indices: Any, value: Any, flow_in: Any, *, T: DType, ctx: LoweringContext
    ) -> Any:
        check_write_dtype(ctx, handle, T)
        if not np.ndim(value):
            refuse(
                ctx,
                "Input value for unpack must be at least a vector but received shape: "
                f"{text_of_shape(value)}",
            )
        count = np.size(indices)
        if count != np.shape(value)[0]:
            refuse(
                ctx,
                "Expected len(indices) == values.shape[0], but saw: "
                f"{count} vs. {np.shape(value)[0]}",
            )
        array = with_room(handle, array_at(handle, flow_in, ctx, True), indices, ctx)
        if count:
            last = indices.max()
            ctx.check(
                last < array.size,
                errors.InvalidArgumentError,
                f"Max scatter index must be < array size ({{last}} vs. {array.size})",
                last=last,
            )
            check_writable(ctx, handle, array, indices)
        first = indices[0] if count else np.int32(0)
        shape = fitting_shape(ctx, handle, array, first, value, prefix=1)
        array = room_for_shape(handle, array, shape, ctx)
        if not count:
            return array
        if isinstance(array, TensorArrayPieces):
            return array.with_pieces(known_indices(array, indices, ctx), parts_of(value))
        if shape != array.element_shape:
            return array
        return array.with_elements(indices, value)

    def gradient(op: Any, flow: Any) -> Gradients:
        value = _gradient_array(op, flow, op._attrs["T"], flow).gather(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayConcatV3", host=holds_text, autodiff=True)
class TensorArrayConcatV3:
    numpy = tensor_array_host.concat

    def shape(handle: Any, flow_in: Shape) -> Any:
        _check_handle(handle)
        shapes.with_rank(flow_in, 0)
        return [None, (None,)]

    def lower(
        handle: Any,
        flow_in: Any,
        *,
        dtype: DType,
        element_shape_except0: Shape,
        ctx: LoweringContext,
    ) -> Any:
        check_read_dtype(ctx, handle, dtype)
        array: Any = array_at(handle, flow_in, ctx)
        if not array.size:
            if not shapes.is_fully_known(element_shape_except0):
                refuse_empty(ctx, "element_shape_except0", element_shape_except0, "concatenating")
            empty = np.zeros((0, *element_shape_except0), handle.numpy_dtype)  # pyright: ignore
            return [empty, np.zeros(0, np.int64)]
        if array.length is not None or handle.bound:
            ctx.need_host()
        check_readable(ctx, handle, array, np.arange(array.size, dtype=np.int32))
        listed = isinstance(array, TensorArrayPieces)
        of_all: Any = array.shapes() if listed else [array.element_shape]
        for i, shape in enumerate(of_all):
            if not shape:
                refuse(
                    ctx,
                    f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did "
                    "you mean to call pack?",
                )
        check_alike(ctx, of_all, element_shape_except0, "element_shape_except0")
        if listed:
            pieces = [array.element(i) for i in range(array.size)]
            lengths = np.array([shape[0] for shape in of_all], np.int64)
            return [joined(pieces, np.concatenate, jnp.concatenate), lengths]
        rows, *rest = of_all[0]
        value = array.buffer.reshape((array.size * rows, *rest))
        return [value, np.full(array.size, rows, np.int64)]

    def gradient(op: Any, grad: Tensor, _: Any) -> Gradients:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[1])
        return [None, array.split(grad, lengths=op.outputs[1]).flow]


@op("TensorArraySplitV3", const=(2,), host=holds_text, flows=True, autodiff=True)
class TensorArraySplitV3:
    numpy = tensor_array_host.split

    def shape(handle: Any, value: Shape, lengths: Shape, flow_in: Shape) -> Shape:
        _check_handle(handle)
        shapes.with_rank(lengths, 1)
        shapes.with_rank(flow_in, 0)
        return ()

    @writes
    def lower(
        handle: Any, value: Any, lengths: Any, flow_in: Any, *, T: DType, ctx: LoweringContext
    ) -> Any:
        shape = np.shape(value)
        if not shape:
            refuse(ctx, "Expected value to be at least a vector, but received shape: []")
        total = int(lengths.sum())
        if total != shape[0]:
            refuse(
                ctx,
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{total} and value's shape is: {text_of_shape(value)}",
            )
        count = lengths.size
        array = array_at(handle, flow_in, ctx, True)
        fits = count <= array.size if handle.bound else count == array.size
        if not fits and not (handle.dynamic and count > array.size):
            refuse(
                ctx,
                "TensorArray's size is not equal to the size of lengths "
                f"({array.size} vs. {count}), and the TensorArray is not marked as dynamically "
                "resizeable",
            )
        check_write_dtype(ctx, handle, T)
        if not count:
            return array
        array = array.grown(count)
        indices = np.arange(count, dtype=np.int32)
        check_writable(ctx, handle, array, indices)
        differ = (lengths != lengths[0]).any() or array.elements is None and not handle.identical
        if differ or isinstance(array, TensorArrayPieces):
            ends = np.cumsum(lengths)[:-1]
            parts = np.split(value, ends) if known(value) else jnp.split(value, ends)
            for i, part in enumerate(parts):
                fitting_shape(ctx, handle, array, np.int32(i), part)
                if handle.identical and np.shape(part) != np.shape(parts[0]):
                    refuse_shape(ctx, handle, i, np.shape(part), np.shape(parts[0]))
            return listed_at(handle, array, ctx).with_pieces(range(count), parts)
        value = value.reshape((count, int(lengths[0]), *shape[1:]))
        shape = fitting_shape(ctx, handle, array, indices[0], value, prefix=1)
        array = array.allocated(shape, handle.numpy_dtype)
        return array.with_elements(indices, value)

    def gradient(op: Any, flow: Any) -> Gradients:
        value = _gradient_array(op, flow, op._attrs["T"], flow).concat()
        return [None, value, None, flow]


@op("TensorArraySizeV3", autodiff=True)
class TensorArraySizeV3:
    numpy = tensor_array_host.size

    def shape(handle: Any, flow_in: Shape) -> Shape:
        _check_handle(handle)
        return ()

    def lower(handle: Any, flow_in: Any, *, ctx: LoweringContext) -> Any:
        array = array_at(handle, flow_in, ctx, True)
        counted = array.length is None or ctx.counts_room
        return np.array(array.size, np.int32) if counted else array.length


@op("TensorArrayCloseV3", autodiff=True)
class TensorArrayCloseV3:
    def shape(handle: Any) -> Any:
        _check_handle(handle)
        return []

    def lower(handle: Any) -> Any:
        return []


not_differentiable(
    "TensorArrayV3", "TensorArrayGradV3", "TensorArrayGradWithShape", "TensorArraySizeV3",
    "TensorArrayCloseV3",
)  # fmt: skip


def _gradient_array(op: Operation, gradient: Any, dtype: Any, flow: Any) -> Any:
    """The array of the gradients of the elements, one for each call of `tf.gradients`.

    Args:
      op: the forward operation.
      gradient: the gradient (or its flow) that `op` is given; its name tells the calls apart.
      dtype: the dtype of the elements.
      flow: the flow after which the array has its final size.
    """
    array = TensorArray(
        dtype=dtype, handle=op.inputs[0], flow=flow, colocate_with_first_write_call=False
    )
    return array.grad(source=_call_of(gradient), flow=flow)


def _call_of(gradient: Any) -> str:
    """The name scope of the call of `tf.gradients` that made `gradient`.

    Raises:
      ValueError: it does not begin with "gradients".
    """
    parts = gradient.name.split("/")
    scopes = [i for i, part in enumerate(parts) if part.startswith("gradients")]
    if not scopes:
        raise ValueError(
            "Expected op/tensor name to start with gradients (excluding scope), got: "
            f"{gradient.name}. This means that a tf.gradients op with this op in its dependency "
            "path has a custom name that does not start with 'gradients'. Please make sure all "
            "calls to tf.gradients that have non-empty 'name' arguments use names that start with "
            "'gradients'."
        )
    return "/".join(parts[: scopes[-1] + 1])
