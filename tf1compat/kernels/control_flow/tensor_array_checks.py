"""What TF 1.15 checks when a TensorArray is used, and which array is meant."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend import at, jnp
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.control_flow.tensor_array_pieces import TensorArrayPieces
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayHandle, TensorArrayValue
from tf1compat.kernels.framework.common import known, refuse

Array = Any

# More elements than this are not stacked one by one by a program.
_STACKED = 64


@dataclasses.dataclass
class _Made:
    """An array that the program makes.

    TF's array is one object, so that what was written shows whichever flow it is read with: also
    with one of before, as where only a control dependency orders a read after a write.

    Attributes:
      read: which elements were read so far.
      now: the array after the last write; None before the first.
      before: the flows that `now` took the place of, by identity.
    """

    read: set[int] = dataclasses.field(default_factory=set)
    now: Any = None
    before: dict[int, Any] = dataclasses.field(default_factory=dict)

    def at(self, flow: Any) -> Any:
        """The array that `flow` is at."""
        return self.now if id(flow) in self.before else flow

    def write(self, flow: Any, array: Any) -> None:
        """Notes what the array is after a write that was given `flow`."""
        self.before |= {id(each): each for each in (flow, self.now) if each is not array}
        self.now = array


def array_at(
    handle: TensorArrayHandle, flow: Any, ctx: LoweringContext, begins: bool = False
) -> Any:
    """The array that `flow` is at.

    An array of gradients begins with zeros, wherever the walk of the gradients first comes to it:
    the flow is then that of the forward array, or a scalar zero.

    Args:
      handle, flow: the inputs of an operation.
      ctx: the run.
      begins: whether the operation may be the first to use the array, so that the flow may be any
        number, as in old graphs.

    Raises:
      NotImplementedError: the flow is not one of the array.
    """
    if handle.on_host:
        ctx.need_host()
    made = ctx.notes.get(handle.name) if ctx.notes else None
    if made is not None:
        flow = made.at(flow)
    if isinstance(flow, TensorArrayValue | TensorArrayPieces) and flow.owner == handle.name:
        return listed_at(handle, flow, ctx) if ctx.on_host else flow
    if not handle.accumulates and not (begins and hasattr(flow, "ndim")):
        raise NotImplementedError(
            f"Operation '{ctx.op.name}' uses TensorArray '{handle.name}' with a flow that is not "
            "its own: not supported by tf1compat yet"
        )
    return handle.empty() if made is None or made.now is None else made.now


def note_made(handle: TensorArrayHandle, ctx: LoweringContext) -> None:
    """Notes that the program makes the array."""
    if ctx.notes is not None:
        ctx.notes[handle.name] = _Made()


def writes(lower: Callable[..., Any]) -> Callable[..., Any]:
    """The lowering of what writes: the last input is the flow, the result the array."""

    @functools.wraps(lower)
    def noted(handle: Any, *inputs: Any, ctx: LoweringContext, **attrs: Any) -> Any:
        array = lower(handle, *inputs, ctx=ctx, **attrs)
        made = ctx.notes.get(handle.name) if ctx.notes else None
        if made is not None:
            made.write(inputs[-1], array)
        return array

    return noted


def listed_at(handle: TensorArrayHandle, array: Any, ctx: LoweringContext) -> TensorArrayPieces:
    """The array with every element as a value of its own."""
    if isinstance(array, TensorArrayPieces):
        return array
    if not array.can_be_listed or array.length is not None:
        ctx.need_host()
    listed = array.listed()
    if not handle.identical or array.elements is None:
        return listed
    return listed.allocated(*array.elements)


def room_for_shape(
    handle: TensorArrayHandle, array: Any, shape: Shape, ctx: LoweringContext
) -> Any:
    """The array in the form that takes elements of this shape; it was checked."""
    if not isinstance(array, TensorArrayPieces):
        array = array.allocated(shape, handle.numpy_dtype)
        if shape == array.element_shape or handle.identical:
            return array
        return listed_at(handle, array, ctx)
    return array.allocated(shape, handle.numpy_dtype) if handle.identical else array


def known_indices(array: TensorArrayPieces, indices: Array, ctx: LoweringContext) -> list[int]:
    """Indices of elements that are values of their own."""
    if not known(indices) or (np.size(indices) > _STACKED and ctx.in_session):
        ctx.need_host()
    return [int(i) for i in np.atleast_1d(indices)]


def check_write_dtype(ctx: LoweringContext, handle: Any, dtype: Any) -> None:
    if dtype != handle.dtype:
        refuse(
            ctx,
            f"TensorArray dtype is {dtypes.cpp_name(handle.dtype)} but Op is trying to write dtype "
            f"{dtypes.cpp_name(dtype)}.",
        )


def check_read_dtype(ctx: LoweringContext, handle: Any, dtype: Any) -> None:
    if dtype != handle.dtype:
        refuse(
            ctx,
            f"TensorArray dtype is {dtypes.cpp_name(handle.dtype)} but Op requested dtype "
            f"{dtypes.cpp_name(dtype)}.",
        )


def with_room(handle: TensorArrayHandle, array: Any, indices: Array, ctx: LoweringContext) -> Any:
    """The array, grown for what is to be written if it can grow."""
    if not handle.dynamic or not np.size(indices):
        return array
    if known(indices) and array.length is None:
        return array.grown(int(np.max(indices)) + 1)
    if isinstance(array, TensorArrayPieces):
        ctx.need_host()
        return array.grown(int(np.max(indices)) + 1)
    last = jnp.max(jnp.asarray(indices))
    room = max(array.size, ctx.buffer_size(handle.name))
    ctx.check_buffer_size(handle.name, last + 1, room)
    return array.reaching(room, last)


def check_writable(
    ctx: LoweringContext, handle: TensorArrayHandle, array: Any, indices: Array
) -> None:
    """Fails the run unless all `indices` are inside and were not written before."""
    size = array.size
    numpy = np if known(indices) and (known(array.written) or array.written is None) else jnp
    outside = indices < 0
    if array.length is None or not handle.dynamic:  # Else it grew for them.
        outside = outside | (indices >= array.count)
    wrong = outside
    if array.written is not None and size:
        at = numpy.clip(indices, 0, size - 1)
        wrong = wrong | numpy.asarray(array.written)[at]
        if np.size(indices) > 1:
            inside = numpy.where(outside, size, at)
            wrong = wrong | (_times(inside, size, numpy)[inside] > 1) & ~outside
    made = ctx.notes.get(handle.name) if ctx.notes else None
    read = frozenset(made.read) if made is not None else ()

    def text(index: Any) -> str:
        start = f"TensorArray {handle.name}: "
        if not 0 <= index < size:
            return (
                f"{start}Tried to write to index {index} but array is not resizeable and size is: "
                f"{size}"
            )
        done = "read" if int(index) in read else "written to"
        return (
            f"{start}Could not write to TensorArray index {index} because it has already been "
            f"{done}."
        )

    index, holds = _first(indices, wrong, numpy)
    ctx.check(holds, errors.InvalidArgumentError, text, index=index)


def check_readable(
    ctx: LoweringContext, handle: TensorArrayHandle, array: Any, indices: Array
) -> None:
    """Fails the run unless all `indices` are inside and the shape of the elements is known."""
    counted = array.length is None or ctx.counts_room
    size = np.int32(array.size) if counted else array.length
    numpy = np if known(indices) and counted else jnp
    index, holds = _first(indices, (indices < 0) | (indices >= size), numpy)
    ctx.check(
        holds,
        errors.InvalidArgumentError,
        "Tried to read from index {index} but array size is: {size}",
        index=index,
        size=size,
    )
    every = numpy.atleast_1d(indices)
    found = known_shape(handle, array, None)
    if not shapes.is_fully_known(found):
        _check_written(ctx, handle, array, every, found)
    elif handle.on_host and any(array.pieces[int(i)] is None for i in every):
        refuse(ctx, "tensor_array::TensorSetZero type not supported: string")
    _note_read(ctx, handle, indices)


def _first(indices: Array, wrong: Array, numpy: Any) -> tuple[Array, Array]:
    """The first of the indices that is wrong, and whether none is."""
    if not np.ndim(indices):  # As most are, in a loop: the less there is to compile the better.
        return indices, numpy.logical_not(wrong)
    return numpy.asarray(indices)[numpy.argmax(wrong)], ~wrong.any()


def _check_written(
    ctx: LoweringContext, handle: TensorArrayHandle, array: Any, indices: Array, shape: Shape
) -> None:
    """Fails the run unless the elements, whose shape isn't known otherwise, were written."""

    def text(index: Any) -> str:
        return (
            f"TensorArray {handle.name}: Could not read from TensorArray index {index}.  "
            f"Furthermore, the element shape is not fully defined: {partial_text(shape)}.  "
            "It is possible you are working with a resizeable TensorArray and stop_gradients is "
            "not allowing the gradients to be written.  If you set the full element_shape property "
            "on the forward TensorArray, the proper all-zeros tensor will be returned instead of "
            "incurring this error."
        )

    if isinstance(array, TensorArrayPieces):
        if known(indices):
            missing = [i for i in indices if array.pieces[int(i)] is None]
            if missing:
                refuse(ctx, text(missing[0]))
    elif array.elements is None:
        # TF would come upon it when the read runs; nothing can be traced after it.
        refuse(ctx, text(indices[0] if known(indices) else 0))
    elif array.written is not None and array.size:
        numpy = np if known(indices) and known(array.written) else jnp
        written = numpy.asarray(array.written)[numpy.clip(indices, 0, array.size - 1)]
        index = numpy.asarray(indices)[numpy.argmin(written)]
        ctx.check(written.all(), errors.InvalidArgumentError, text, index=index)


def _note_read(ctx: LoweringContext, handle: TensorArrayHandle, indices: Array) -> None:
    """Notes what is read; fails the run if that was read before, and so cleared.

    What only the run knows is not noticed: an index, or what a branch or another program reads.
    """
    if ctx.notes is None or handle.accumulates or not known(indices):
        return
    made = ctx.notes.get(handle.name)
    for index in np.atleast_1d(indices):
        if handle.clears and (ctx.repeats if made is None else int(index) in made.read):
            refuse(
                ctx,
                f"TensorArray {handle.name}: Could not read index {index} twice because it was "
                "cleared after a previous read (perhaps try setting clear_after_read = false?).",
            )
        if made is not None:
            made.read.add(int(index))


def check_alike(
    ctx: LoweringContext, of_all: Sequence[Shape], wanted: Shape, joined: str | None = None
) -> None:
    """Fails the run unless elements of these shapes can be put together.

    Args:
      ctx: the run.
      of_all: the shapes of the elements.
      wanted: what the operation says of them.
      joined: the name of the attr that says so, if the first dimension doesn't count.
    """
    but = " (excepting dimension 0)" if joined else ""
    rows = [shape[1:] if joined else shape for shape in of_all]  # pyright: ignore
    first = shapes.to_string(rows[0])
    if not shapes.compatible(rows[0], wanted):
        start = f"TensorArray was passed {joined or 'element_shape'} {shapes.to_string(wanted)}"
        if joined:
            refuse(ctx, f"{start} but index 0 has{but} shape: {first} which does not match.")
        refuse(ctx, f"{start} which does not match the Tensor at index 0: {first}")
    for i, shape in enumerate(rows):
        if shape != rows[0]:
            refuse(
                ctx,
                f"TensorArray has inconsistent shapes.  Index 0 has{but} shape: {first} but index "
                f"{i} has{but} shape: {shapes.to_string(shape)}",
            )


def _times(indices: Array, most: int, numpy: Any) -> Array:
    """How often each of the numbers up to `most` is among `indices`."""
    if numpy is np:
        return np.bincount(indices, minlength=most + 1)
    return at(jnp.zeros(most + 1, jnp.int32))[indices].add(1)


def fitting_shape(
    ctx: LoweringContext,
    handle: TensorArrayHandle,
    array: Any,
    index: Array,
    value: Array,
    prefix: int = 0,
) -> Shape:
    """The shape of the elements of `value`; fails the run if the array takes others."""
    shape = np.shape(value)[prefix:]
    wanted = known_shape(handle, array, None)
    if not shapes.compatible(shape, wanted):
        refuse_shape(ctx, handle, index, shape, wanted)
    return shape


def refuse_shape(
    ctx: LoweringContext, handle: Any, index: Array, shape: Shape, wanted: Shape
) -> None:
    """Fails the run for an element of another shape than those before."""
    ctx.check(
        jnp.bool_(False) if not isinstance(index, int | np.ndarray | np.generic) else False,
        errors.InvalidArgumentError,
        f"TensorArray {handle.name}: Could not write to TensorArray index {{index}} because the "
        f"value shape is {shapes.to_string(shape)} which is incompatible with the TensorArray's "
        f"inferred element shape: {partial_text(wanted)} (consider setting infer_shape=False).",
        index=index,
    )


def known_shape(handle: TensorArrayHandle, array: Any, also: Shape) -> Shape:
    """All that is known of the shape of the elements."""
    if array.elements is not None and (handle.identical or handle.accumulates):
        return array.element_shape
    return shapes.merge(handle.element_shape, also)


def refuse_empty(ctx: LoweringContext, what: str, shape: Shape, doing: str) -> None:
    """Fails the run: an array without elements doesn't tell their shape."""
    text = (
        f"TensorArray has size zero, but {what} {partial_text(shape)} is not fully defined. "
        f"Currently only static shapes are supported when {doing} zero-size TensorArrays."
    )
    ctx.check(False, errors.UnimplementedError, lambda: text)


def partial_text(shape: Shape) -> str:
    """What is known of a shape, as TF prints it."""
    return "<unknown>" if shape is None else shapes.to_string(shape)
