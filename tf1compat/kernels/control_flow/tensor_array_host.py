"""TensorArrays where all values are at hand: one mutable object, as in TF, which the handle is.

The flow is TF's dummy number then. What is refused, and in which words, is as in TF 1.15's
`tensor_array.h`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.control_flow.tensor_array_checks import (
    check_alike,
    check_read_dtype,
    check_write_dtype,
    partial_text,
    refuse_empty,
    refuse_shape,
)
from tf1compat.kernels.framework.common import refuse, text_of_shape


class HostTensorArray:
    """The elements of an array, and what was done with each.

    Args:
      name: the array's own name, as errors quote it.
      dtype: the dtype of the elements, TF's.
      size: how many elements there are to begin with.
      element_shape: what is known of their shape.
      identical: whether all have one shape.
      dynamic: whether writing beyond the end makes the array larger.
      clears: whether an element can be read only once.
      of: the array whose gradients these are: what is written is then added up.
    """

    def __init__(
        self,
        name: str,
        dtype: Any,
        size: int,
        element_shape: Shape,
        identical: bool,
        dynamic: bool = False,
        clears: bool = False,
        of: HostTensorArray | None = None,
    ):
        self.name = name
        self.dtype = dtype
        self.numpy_dtype = dtype.as_numpy_dtype
        self.element_shape = element_shape
        self.identical = identical
        self.dynamic = dynamic
        self.clears = clears
        self.of = of
        self.elements: list[Any] = [None] * size
        self._written = [False] * size
        self._read = [False] * size
        self._gradients: dict[tuple[str, tuple[int, ...]], HostTensorArray] = {}
        # Its own, so that a loop finds the array that goes with a flow.
        self.flow = np.zeros((), np.float32)
        # Shapes of the elements of an array of gradients.
        self._shapes: list[Shape] | None = None

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self.elements)

    # What a loop that XLA runs takes and leaves.

    def traced(self, room: int) -> tuple[Any, Any] | None:
        """The array as a program takes it.

        Args:
          room: how many elements it is to have room for, so that one program does for arrays of
            several sizes.

        Returns:
          Its handle, and its value in NumPy; None if that cannot be said in a program.
        """
        made = [element for element in self.elements if element is not None]
        form: Any = made[0].shape if made else self.element_shape
        if self.numpy_dtype is object or not self.identical or any(e.shape != form for e in made):
            return None
        elements = (form, np.dtype(self.numpy_dtype)) if shapes.is_fully_known(form) else None
        buffer = written = None
        if made:
            buffer = np.zeros((room, *form), self.numpy_dtype)
            for i, element in enumerate(self.elements):
                if element is not None:
                    buffer[i] = element
        if self.of is None:
            written = np.zeros(room, np.bool_)
            written[: self.size] = self._written
        # A program is traced with JAX's classes, whatever array library this module is run with.
        values = importlib.import_module("tf1compat.kernels.control_flow.tensor_array_value")
        handle = values.TensorArrayHandle(
            self.name, self.dtype, room, self.element_shape, self.identical, self.dynamic,
            self.clears, self.of is not None, self.of is not None,
        )  # fmt: skip
        length = None if self.of is not None else np.int32(self.size)
        return handle, values.TensorArrayValue(self.name, room, elements, buffer, written, length)

    @property
    def family(self) -> list[HostTensorArray]:
        """This array, and those of its gradients."""
        return [self, *(one for made in self._gradients.values() for one in made.family)]

    def named(self, owner: str) -> HostTensorArray | None:
        """This array, or that of its gradients, by name; None if it is another one's."""
        if owner == self.name:
            return self
        return (
            self.gradient(owner[len(self.name) + 1 :])
            if owner.startswith(self.name + "@")
            else None
        )

    def untraced(self, buffer: Any, written: Any, length: Any) -> None:
        """Takes what a program left.

        Args:
          buffer: the elements, stacked; None if all are as they were.
          written: which of them were written; None if all are.
          length: how many elements there are; None if as many as before.
        """
        if length is not None:
            self._grow(int(length))
        if buffer is None:
            return
        marks = [True] * self.size if written is None else written[: self.size].tolist()
        for i, mark in enumerate(marks):
            if mark:
                self.elements[i] = buffer[i, ...]
                self._written[i] = True
        if self.identical and any(marks):
            self.element_shape = buffer.shape[1:]

    def gradient(self, source: str, prefix: tuple[int, ...] = ()) -> HostTensorArray:
        """The array of the gradients that `source` names.

        Args:
          prefix: dimensions that the gradients have before those of the elements.
        """
        found = self._gradients.get((source, prefix))
        if found is None:
            shape = shapes.concat(prefix, self.element_shape)
            name = f"{self.name}@{source}"
            found = HostTensorArray(
                name, self.dtype, self.size, shape, self.identical, clears=True, of=self
            )
            found._shapes = [shapes.concat(prefix, self.shape_of(i)) for i in range(self.size)]
            self._gradients[source, prefix] = found
        return found

    def shape_of(self, index: int) -> Shape:
        """What is known of the shape of an element."""
        element = self.elements[index]
        if element is not None:
            return np.shape(element)
        return self.element_shape if self._shapes is None else self._shapes[index]

    def _grow(self, size: int) -> None:
        more = size - self.size
        if more > 0:
            self.elements += [None] * more
            self._written += [False] * more
            self._read += [False] * more

    def write(self, index: int, value: Any, ctx: LoweringContext) -> None:
        """Writes an element; in an array of gradients, adds to it."""
        if self.dynamic and index >= self.size:
            self._grow(index + 1)
        if not 0 <= index < self.size:
            refuse(
                ctx,
                f"TensorArray {self.name}: Tried to write to index {index} but array is not "
                f"resizeable and size is: {self.size}",
            )
        adds = self.of is not None
        if self._read[index] or (self._written[index] and not adds):
            done = "read" if self._read[index] else "written to"
            refuse(
                ctx,
                f"TensorArray {self.name}: Could not write to TensorArray index {index} because it "
                f"has already been {done}.",
            )
        shape = value.shape
        wanted = self.element_shape
        if shape != wanted:
            if not shapes.compatible(shape, wanted):
                refuse_shape(ctx, self, np.int32(index), shape, wanted)
            if self.identical:
                self.element_shape = shape
        before = self.elements[index]
        self.elements[index] = value if before is None or not adds else before + value
        self._written[index] = True

    def read(self, index: int, ctx: LoweringContext) -> Any:
        """An element; zeros, if nothing was written there and its shape is known."""
        if not 0 <= index < self.size:
            refuse(ctx, f"Tried to read from index {index} but array size is: {self.size}")
        value = self.elements[index]
        if value is None:
            if self._read[index] and self.clears:
                refuse(
                    ctx,
                    f"TensorArray {self.name}: Could not read index {index} twice because it was "
                    "cleared after a previous read (perhaps try setting clear_after_read = "
                    "false?).",
                )
            value = self._zeros(index, ctx)
        if self.clears:
            self.elements[index] = None
        self._read[index] = True
        return value

    def _zeros(self, index: int, ctx: LoweringContext) -> Any:
        shape: Any = self.shape_of(index)
        if not shapes.is_fully_known(shape):
            refuse(
                ctx,
                f"TensorArray {self.name}: Could not read from TensorArray index {index}.  "
                "Furthermore, the element shape is not fully defined: "
                f"{partial_text(self.element_shape)}.  It is possible you are working with a "
                "resizeable TensorArray and stop_gradients is not allowing the gradients to be "
                "written.  If you set the full element_shape property on the forward TensorArray, "
                "the proper all-zeros tensor will be returned instead of incurring this error.",
            )
        if np.dtype(self.numpy_dtype).hasobject:
            refuse(ctx, "tensor_array::TensorSetZero type not supported: string")
        return np.zeros(shape, self.numpy_dtype)

    def read_all(self, indices: Iterable[int], ctx: LoweringContext) -> list[Any]:
        """The elements at `indices`."""
        return [self.read(index, ctx) for index in indices]


# What the op types do: `numpy` rules, see ARCHITECTURE.md.


def gradient(
    handle: HostTensorArray, flow_in: Any, *, source: str
) -> tuple[HostTensorArray, np.ndarray]:
    """TensorArrayGradV3."""
    found = handle.gradient(source)
    return found, found.flow


def gradient_with_shape(
    handle: HostTensorArray, flow_in: Any, shape_to_prepend: Any, *, source: str
) -> tuple[HostTensorArray, np.ndarray]:
    """TensorArrayGradWithShape."""
    found = handle.gradient(source, tuple(shape_to_prepend.tolist()))
    return found, found.flow


def write(
    handle: HostTensorArray, index: Any, value: Any, flow_in: Any, *, T: Any, ctx: LoweringContext
) -> Any:
    """TensorArrayWriteV3."""
    if handle.dtype != T:
        check_write_dtype(ctx, handle, T)
    handle.write(int(index), value, ctx)
    return handle.flow


def read(
    handle: HostTensorArray, index: Any, flow_in: Any, *, dtype: Any, ctx: LoweringContext
) -> Any:
    """TensorArrayReadV3."""
    if dtype != handle.dtype:
        check_read_dtype(ctx, handle, dtype)
    return handle.read(int(index), ctx)


def gather(
    handle: HostTensorArray,
    indices: Any,
    flow_in: Any,
    *,
    dtype: Any,
    element_shape: Shape,
    ctx: LoweringContext,
) -> Any:
    """TensorArrayGatherV3."""
    check_read_dtype(ctx, handle, dtype)
    if not indices.size:
        found: Any = shapes.merge(handle.element_shape, element_shape)
        if not shapes.is_fully_known(found):
            refuse_empty(ctx, "element shape", found, "packing")
        return np.zeros((0, *found), handle.numpy_dtype)
    if handle.element_shape is None and shapes.is_fully_known(element_shape):
        handle.element_shape = element_shape  # What nothing was written to is zeros of it.
    elements = handle.read_all(indices.tolist(), ctx)
    first = elements[0].shape
    if any(e.shape != first for e in elements) or not shapes.compatible(first, element_shape):
        check_alike(ctx, [e.shape for e in elements], element_shape)
    return _joined(np.stack, elements, handle)


def _joined(join: Any, elements: Sequence[Any], handle: HostTensorArray) -> Any:
    return join(elements) if elements else np.zeros(0, handle.numpy_dtype)


def scatter(
    handle: HostTensorArray, indices: Any, value: Any, flow_in: Any, *, T: Any, ctx: LoweringContext
) -> Any:
    """TensorArrayScatterV3."""
    check_write_dtype(ctx, handle, T)
    if not value.ndim:
        refuse(
            ctx,
            "Input value for unpack must be at least a vector but received shape: "
            f"{text_of_shape(value)}",
        )
    if indices.size != value.shape[0]:
        refuse(
            ctx,
            "Expected len(indices) == values.shape[0], but saw: "
            f"{indices.size} vs. {value.shape[0]}",
        )
    places = indices.tolist()
    last = max(places, default=-1)
    if last >= handle.size and not handle.dynamic:
        refuse(ctx, f"Max scatter index must be < array size ({last} vs. {handle.size})")
    for place, element in zip(places, _parts(value), strict=True):
        handle.write(place, element, ctx)
    return handle.flow


def _parts(value: Any) -> list[Any]:
    """The parts of `value` along its first dimension, each an array."""
    return [value[i, ...] for i in range(len(value))]


def concat(
    handle: HostTensorArray,
    flow_in: Any,
    *,
    dtype: Any,
    element_shape_except0: Any,
    ctx: LoweringContext,
) -> Any:
    """TensorArrayConcatV3."""
    check_read_dtype(ctx, handle, dtype)
    if not handle.size:
        if not shapes.is_fully_known(element_shape_except0):
            refuse_empty(ctx, "element_shape_except0", element_shape_except0, "concatenating")
        empty = np.zeros((0, *element_shape_except0), handle.numpy_dtype)
        return [empty, np.zeros(0, np.int64)]
    elements = handle.read_all(range(handle.size), ctx)
    for i, element in enumerate(elements):
        if not element.ndim:
            refuse(
                ctx,
                f"Concat saw a scalar shape at index {i} but requires at least vectors.  Did you "
                "mean to call pack?",
            )
    of_all = [element.shape for element in elements]
    check_alike(ctx, of_all, element_shape_except0, "element_shape_except0")
    lengths = np.array([shape[0] for shape in of_all], np.int64)
    return [np.concatenate(elements), lengths]


def split(
    handle: HostTensorArray, value: Any, lengths: Any, flow_in: Any, *, T: Any, ctx: LoweringContext
) -> Any:
    """TensorArraySplitV3."""
    if not value.ndim:
        refuse(ctx, "Expected value to be at least a vector, but received shape: []")
    total = int(lengths.sum())
    if total != value.shape[0]:
        refuse(
            ctx,
            "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
            f"{total} and value's shape is: {text_of_shape(value)}",
        )
    count = lengths.size
    if count != handle.size and not (handle.dynamic and count > handle.size):
        refuse(
            ctx,
            "TensorArray's size is not equal to the size of lengths "
            f"({handle.size} vs. {count}), and the TensorArray is not marked as dynamically "
            "resizeable",
        )
    check_write_dtype(ctx, handle, T)
    for i, part in enumerate(np.split(value, np.cumsum(lengths)[:-1]) if count else ()):
        handle.write(i, part, ctx)
    return handle.flow


def size(handle: HostTensorArray, flow_in: Any) -> Any:
    """TensorArraySizeV3."""
    return np.array(handle.size, np.int32)


def made(name: str, dtype: Any, count: Any, ctx: LoweringContext, **facts: Any) -> Any:
    """TensorArrayV3: the handle of a new array, and its flow.

    Args:
      name: the array's name.
      count: its size, as the op is given it.
      **facts: the rest of what `HostTensorArray` takes.

    Raises:
      InvalidArgumentError: the size is none.
    """
    if count.ndim:
        refuse(ctx, f"TensorArray size must be scalar, but had shape: {text_of_shape(count)}")
    if count < 0:
        ctx.check(False, errors.InvalidArgumentError, "Size should be >= 0.")
    found = HostTensorArray(name, dtype, int(count), **facts)
    return found, found.flow
