"""TensorArrays: a handle and a flow, the tensor that orders what is done with the array.

The handle's data is what is known of the elements: (dtype, shape), as for a variable's handle.

While a program runs the flow is the array (`tensor_array_value`), so what is done with an array is
seen by what its flow leads to, and by nothing else.  TF's array is mutable: it notices a second
read of an element that was cleared, which is not noticed here.
"""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import jax.numpy as jnp
import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.kernels.common import jnp_dtype, known, refuse, text_of_shape
from tf1compat.kernels.tensor_array_pieces import TensorArrayPieces
from tf1compat.kernels.tensor_array_value import TensorArrayHandle, TensorArrayValue

Array = Any

# TF numbers the arrays that a process makes; here, the operations that make them.
_numbers = itertools.count()


def _number(op: Any) -> int:
    return op.__dict__.setdefault("_array_number", next(_numbers))


def _check_handle(handle: Any) -> None:
    """A handle is a vector of two."""
    shapes.dim_with_value(shapes.with_rank(handle, 1)[0], 2)


def _element(op: Any) -> Any:
    """(dtype, shape) of the elements; None if nothing is known."""
    return op._inputs[0]._handle_data


def _check_write(op: Any, value: Any) -> None:
    known = _element(op)
    if known is not None:
        shapes.merge(known[1], value)


@op("TensorArrayV3", const=(0,), autodiff=True)
class TensorArrayV3:
    def shape(size: Any) -> Any:
        shapes.with_rank(size, 0)
        return [(2,), ()]

    def lower(
        size: Any,
        *,
        dtype: Any,
        element_shape: Shape,
        dynamic_size: bool,
        identical_element_shapes: bool,
        tensor_array_name: str,
        ctx: Any,
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
        )
        return [handle, handle.empty()]

    def handle_data(op: Any) -> Any:
        shape = op._attrs["element_shape"].to_tuple()
        if op._attrs["identical_element_shapes"] or shapes.is_fully_known(shape):
            return [(op._attrs["dtype"], shape), None]
        return [None, None]


@op("TensorArrayGradV3", autodiff=True)
class TensorArrayGradV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def lower(handle: Any, flow_in: Any, *, source: str) -> Any:
        handle = handle.gradient(source, flow_in)
        return [handle, _array(handle, flow_in, None)]

    def handle_data(op: Any) -> Any:
        return [_element(op), None]


@op("TensorArrayGradWithShape", const=(2,), autodiff=True)
class TensorArrayGradWithShape:
    def shape(handle: Any, flow_in: Any, shape_to_prepend: Any) -> Any:
        _check_handle(handle)
        return [(2,), ()]

    def lower(handle: Any, flow_in: Any, shape_to_prepend: Any, *, source: str) -> Any:
        handle = handle.gradient(source, flow_in)
        prefix = tuple(int(dim) for dim in shape_to_prepend)
        handle = dataclasses.replace(
            handle, element_shape=shapes.concat(prefix, handle.element_shape)
        )
        return [handle, _array(handle, flow_in, None)]

    def handle_data(op: Any) -> Any:
        known = _element(op)
        if known is None:
            return [None, None]
        dtype, shape = known
        prefix = op._inputs[2]._shape
        if shape is None or not prefix or prefix[0] is None:
            return [(dtype, None), None]
        return [(dtype, (None,) * prefix[0] + shape), None]


@op("TensorArrayWriteV3", autodiff=True)
class TensorArrayWriteV3:
    def shape(handle: Any, index: Any, value: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        _check_write(op, value)
        return ()

    def lower(handle: Any, index: Any, value: Any, flow_in: Any, *, T: Any, ctx: Any) -> Any:
        _check_write_dtype(ctx, handle, T)
        array = _with_room(handle, _array(handle, flow_in, ctx), index, ctx)
        _check_writable(ctx, handle, array, index)
        array = array.allocated(_fitting_shape(ctx, handle, array, index, value), handle.dtype)
        if np.shape(value) != array.element_shape:
            if handle.identical:
                return array  # Refused.
            array = array.listed()
        return array.with_element(index, value)

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).read(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayReadV3", autodiff=True)
class TensorArrayReadV3:
    def shape(handle: Any, index: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(index, 0)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return None if known is None else known[1]

    def lower(handle: Any, index: Any, flow_in: Any, *, dtype: Any, ctx: Any) -> Any:
        _check_read_dtype(ctx, handle, dtype)
        array = _array(handle, flow_in, ctx)
        _check_readable(ctx, handle, array, index)
        return array.element(index)

    def gradient(op: Any, grad: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.write(op.inputs[1], grad).flow]


@op("TensorArrayGatherV3", autodiff=True)
class TensorArrayGatherV3:
    def shape(handle: Any, indices: Any, flow_in: Any, *, element_shape: Any, op: Any) -> Any:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        known = _element(op)
        return shapes.concat(indices, element_shape if known is None else known[1])

    def lower(
        handle: Any, indices: Any, flow_in: Any, *, dtype: Any, element_shape: Shape, ctx: Any
    ) -> Any:
        _check_read_dtype(ctx, handle, dtype)
        array = _array(handle, flow_in, ctx)
        if not np.size(indices):
            found = _element_shape(handle, array, element_shape)
            if not shapes.is_fully_known(found):
                _refuse_empty(ctx, "element shape", found, "packing")
            return jnp.zeros((0, *found), jnp_dtype(dtype))  # pyright: ignore
        _check_readable(ctx, handle, array, indices)
        return array.elements_at(indices)

    def gradient(op: Any, grad: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[2])
        return [None, None, array.scatter(op.inputs[1], grad).flow]


@op("TensorArrayScatterV3", autodiff=True)
class TensorArrayScatterV3:
    def shape(handle: Any, indices: Any, value: Any, flow_in: Any, *, op: Any) -> Any:
        _check_handle(handle)
        indices = shapes.with_rank(indices, 1)
        shapes.with_rank(flow_in, 0)
        if shapes.with_rank_at_least(value, 1) is not None:
            shapes.merge_dim(value[0], indices[0])
            _check_write(op, value[1:])
        return ()

    def lower(handle: Any, indices: Any, value: Any, flow_in: Any, *, T: Any, ctx: Any) -> Any:
        _check_write_dtype(ctx, handle, T)
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
        array = _with_room(handle, _array(handle, flow_in, ctx), indices, ctx)
        if count:
            last = indices.max()
            ctx.check(
                last < array.size,
                errors.InvalidArgumentError,
                f"Max scatter index must be < array size ({{last}} vs. {array.size})",
                last=last,
            )
            _check_writable(ctx, handle, array, indices)
        first = indices[0] if count else np.int32(0)
        shape = _fitting_shape(ctx, handle, array, first, value, prefix=1)
        array = array.allocated(shape, handle.dtype)
        if not count:
            return array
        if np.shape(value)[1:] != array.element_shape:
            if handle.identical:
                return array
            array = array.listed()
        return array.with_elements(indices, value)

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).gather(op.inputs[1])
        return [None, None, value, flow]


@op("TensorArrayConcatV3", autodiff=True)
class TensorArrayConcatV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(flow_in, 0)
        return [None, (None,)]

    def lower(
        handle: Any, flow_in: Any, *, dtype: Any, element_shape_except0: Shape, ctx: Any
    ) -> Any:
        _check_read_dtype(ctx, handle, dtype)
        array: Any = _array(handle, flow_in, ctx)
        if not array.size:
            if not shapes.is_fully_known(element_shape_except0):
                _refuse_empty(ctx, "element_shape_except0", element_shape_except0, "concatenating")
            empty = jnp.zeros((0, *element_shape_except0), jnp_dtype(dtype))  # pyright: ignore
            return [empty, np.zeros(0, np.int64)]
        if array.length is not None:
            raise NotImplementedError(
                f"TensorArray '{handle.name}' grew in a loop: joining its elements is not "
                "supported by tf1compat yet"
            )
        _check_readable(ctx, handle, array, np.arange(array.size, dtype=np.int32))
        listed = isinstance(array, TensorArrayPieces)
        of_all: Any = array.shapes() if listed else [array.element_shape]
        for i, shape in enumerate(of_all):
            if not shape:
                refuse(
                    ctx,
                    f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did "
                    "you mean to call pack?",
                )
        if listed:
            joined = jnp.concatenate([jnp.asarray(piece) for piece in array.pieces])
            return [joined, np.array([shape[0] for shape in of_all], np.int64)]
        rows, *rest = of_all[0]
        joined = array.buffer.reshape((array.size * rows, *rest))
        return [joined, np.full(array.size, rows, np.int64)]

    def gradient(op: Any, grad: Any, _: Any) -> Any:
        array = _gradient_array(op, grad, op._attrs["dtype"], op.inputs[1])
        return [None, array.split(grad, lengths=op.outputs[1]).flow]


@op("TensorArraySplitV3", const=(2,), autodiff=True)
class TensorArraySplitV3:
    def shape(handle: Any, value: Any, lengths: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        shapes.with_rank(lengths, 1)
        shapes.with_rank(flow_in, 0)
        return ()

    def lower(handle: Any, value: Any, lengths: Any, flow_in: Any, *, T: Any, ctx: Any) -> Any:
        _check_write_dtype(ctx, handle, T)
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
        array = _array(handle, flow_in, ctx)
        if count != array.size and not (handle.dynamic and count > array.size):
            refuse(
                ctx,
                "TensorArray's size is not equal to the size of lengths "
                f"({array.size} vs. {count}), and the TensorArray is not marked as dynamically "
                "resizeable",
            )
        if not count:
            return array
        array = array.grown(count)
        indices = np.arange(count, dtype=np.int32)
        _check_writable(ctx, handle, array, indices)
        if (lengths != lengths[0]).any() or array.elements is None and not handle.identical:
            ends = np.cumsum(lengths)[:-1]
            parts = jnp.split(jnp.asarray(value), ends)
            for i, part in enumerate(parts):
                _fitting_shape(ctx, handle, array, np.int32(i), part)
                if handle.identical and np.shape(part) != np.shape(parts[0]):
                    _refuse_shape(ctx, handle, i, np.shape(part), np.shape(parts[0]))
            return array.listed().with_pieces(0, parts)
        value = value.reshape((count, int(lengths[0]), *shape[1:]))
        array = array.allocated(
            _fitting_shape(ctx, handle, array, indices[0], value, prefix=1), handle.dtype
        )
        return array.with_elements(indices, value)

    def gradient(op: Any, flow: Any) -> Any:
        value = _gradient_array(op, flow, op._attrs["T"], flow).concat()
        return [None, value, None, flow]


@op("TensorArraySizeV3", autodiff=True)
class TensorArraySizeV3:
    def shape(handle: Any, flow_in: Any) -> Any:
        _check_handle(handle)
        return ()

    def lower(handle: Any, flow_in: Any, *, ctx: Any) -> Any:
        array = _array(handle, flow_in, ctx)
        return np.array(array.size, np.int32) if array.length is None else array.length


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


def _gradient_array(op: Any, gradient: Any, dtype: Any, flow: Any) -> Any:
    """The array of the gradients of the elements, one for each call of `tf.gradients`.

    Args:
      op: the forward operation.
      gradient: the gradient (or its flow) that `op` is given; its name tells the calls apart.
      dtype: the dtype of the elements.
      flow: the flow after which the array has its final size.
    """
    from tf1compat.api.tensor_array_ops import TensorArray

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


# What the lowerings share.


def _array(handle: TensorArrayHandle, flow: Any, ctx: Any) -> Any:
    """The array that `flow` is at.

    An array of gradients begins with zeros, wherever the walk of the gradients first comes to it:
    the flow is then that of the forward array, or a scalar zero.

    Raises:
      NotImplementedError: the flow is not one of the array.
    """
    if isinstance(flow, TensorArrayValue | TensorArrayPieces) and flow.owner == handle.name:
        return flow
    if not handle.accumulates:
        raise NotImplementedError(
            f"Operation '{ctx.op.name}' uses TensorArray '{handle.name}' with a flow that is not "
            "its own: not supported by tf1compat yet"
        )
    return handle.empty()


def _check_write_dtype(ctx: Any, handle: TensorArrayHandle, dtype: Any) -> None:
    if dtype != handle.dtype:
        refuse(
            ctx,
            f"TensorArray dtype is {dtypes.cpp_name(handle.dtype)} but Op is trying to write dtype "
            f"{dtypes.cpp_name(dtype)}.",
        )


def _check_read_dtype(ctx: Any, handle: TensorArrayHandle, dtype: Any) -> None:
    if dtype != handle.dtype:
        refuse(
            ctx,
            f"TensorArray dtype is {dtypes.cpp_name(handle.dtype)} but Op requested dtype "
            f"{dtypes.cpp_name(dtype)}.",
        )


def _with_room(handle: TensorArrayHandle, array: Any, indices: Array, ctx: Any) -> TensorArrayValue:
    """The array, grown for what is to be written if it can grow."""
    if not handle.dynamic or not np.size(indices):
        return array
    if known(indices) and array.length is None:
        return array.grown(int(np.max(indices)) + 1)
    last = jnp.max(jnp.asarray(indices))
    room = max(array.size, ctx.room(handle.name))
    ctx.check_room(handle.name, last + 1, room)
    return array.reaching(room, last)


def _check_writable(ctx: Any, handle: TensorArrayHandle, array: Any, indices: Array) -> None:
    """Fails the run unless all `indices` are inside and were not written before."""
    size = array.size
    numpy = np if known(indices) and (known(array.written) or array.written is None) else jnp
    outside = indices < 0
    if array.length is None:  # Else it grew for them.
        outside = outside | (indices >= size)
    wrong = numpy.atleast_1d(outside)
    if array.written is not None and size:
        at = numpy.clip(indices, 0, size - 1)
        wrong = wrong | numpy.asarray(array.written)[at]

    def text(index: Any) -> str:
        start = f"TensorArray {handle.name}: "
        if not 0 <= index < size:
            return (
                f"{start}Tried to write to index {index} but array is not resizeable and size is: "
                f"{size}"
            )
        return (
            f"{start}Could not write to TensorArray index {index} because it has already been "
            "written to."
        )

    first = numpy.atleast_1d(indices)[numpy.argmax(wrong)]
    ctx.check(~wrong.any(), errors.InvalidArgumentError, text, index=first)


def _check_readable(ctx: Any, handle: TensorArrayHandle, array: Any, indices: Array) -> None:
    """Fails the run unless all `indices` are inside and the shape of the elements is known."""
    size = np.int32(array.size) if array.length is None else array.length
    numpy = np if known(indices) and array.length is None else jnp
    wrong = numpy.atleast_1d((indices < 0) | (indices >= size))
    every = numpy.atleast_1d(indices)
    ctx.check(
        ~wrong.any(),
        errors.InvalidArgumentError,
        "Tried to read from index {index} but array size is: {size}",
        index=every[numpy.argmax(wrong)],
        size=size,
    )
    if isinstance(array, TensorArrayPieces):
        missing = [i for i in (every if known(indices) else ()) if array.pieces[int(i)] is None]
        every = missing or every
        unknown = bool(missing)
    else:
        unknown = array.elements is None
    if unknown:
        # TF would come upon it when the read runs; nothing can be traced after it.
        index = every[0] if known(indices) else "of a loop"
        refuse(
            ctx,
            f"TensorArray {handle.name}: Could not read from TensorArray index {index}.  "
            "Furthermore, the element shape is not fully defined: "
            f"{_partial_text(handle.element_shape)}.  It is possible you are working with a "
            "resizeable TensorArray and stop_gradients is not allowing the gradients to be "
            "written.  If you set the full element_shape property on the forward TensorArray, the "
            "proper all-zeros tensor will be returned instead of incurring this error.",
        )


def _fitting_shape(
    ctx: Any,
    handle: TensorArrayHandle,
    array: Any,
    index: Array,
    value: Array,
    prefix: int = 0,
) -> Shape:
    """The shape of the elements of `value`; fails the run if the array takes others."""
    shape = np.shape(value)[prefix:]
    wanted = _element_shape(handle, array, None) if handle.identical else handle.element_shape
    if not shapes.compatible(shape, wanted):
        _refuse_shape(ctx, handle, index, shape, wanted)
    return shape


def _refuse_shape(
    ctx: Any, handle: TensorArrayHandle, index: Array, shape: Shape, wanted: Shape
) -> None:
    """Fails the run for an element of another shape than those before."""
    ctx.check(
        jnp.bool_(False) if not isinstance(index, int | np.ndarray | np.generic) else False,
        errors.InvalidArgumentError,
        f"TensorArray {handle.name}: Could not write to TensorArray index {{index}} because the "
        f"value shape is {shapes.to_string(shape)} which is incompatible with the TensorArray's "
        f"inferred element shape: {_partial_text(wanted)} (consider setting infer_shape=False).",
        index=index,
    )


def _element_shape(handle: TensorArrayHandle, array: Any, also: Shape) -> Shape:
    """All that is known of the shape of the elements."""
    if array.elements is not None:
        return array.element_shape
    return shapes.merge(handle.element_shape, also)


def _refuse_empty(ctx: Any, what: str, shape: Shape, doing: str) -> None:
    """Fails the run: an array without elements doesn't tell their shape."""
    text = (
        f"TensorArray has size zero, but {what} {_partial_text(shape)} is not fully defined. "
        f"Currently only static shapes are supported when {doing} zero-size TensorArrays."
    )
    ctx.check(False, errors.UnimplementedError, lambda: text)


def _partial_text(shape: Shape) -> str:
    return "<unknown>" if shape is None else shapes.to_string(shape)
