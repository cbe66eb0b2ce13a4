"""TensorArrays in functional control flow, where they are lists, and in eager execution."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import list_ops
from tf1compat.api.control_flow.tensor_array_ops import TensorArray, build_ta_with_new_flow
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, errors, ops, raw_ops, tensor_util
from tf1compat.core.tensor_shape import as_shape
from tf1compat.core.typing import DTypeLike, ShapeLike


class GraphTensorArrayV2(TensorArray):
    """A `tf.TensorArray` whose flow is a list of tensors: a variant."""

    def __init__(
        self,
        dtype: DTypeLike,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: ShapeLike | None = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ):
        assert handle is None
        if flow is not None and not (isinstance(flow, ops.Tensor) and flow.dtype is dtypes.variant):
            raise TypeError("flow must be a variant tensor")
        if flow is None and size is None:
            raise ValueError("Size must be provided if flow is not provided")
        if flow is not None and size is not None:
            raise ValueError("Cannot provide both a flow and size at the same time")
        if flow is not None and element_shape is not None:
            raise ValueError("Cannot provide both a flow and element_shape at the same time")
        self._handle = None
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size  # pyright: ignore[reportAttributeAccessIssue]
        self._element_shape = [as_shape(element_shape)]
        self._infer_shape = infer_shape
        self._colocate_with_first_write_call = None  # pyright: ignore
        self._colocate_with = None  # pyright: ignore[reportAttributeAccessIssue]
        with ops.name_scope(name, "TensorArrayV2", [size, flow]) as scope:
            if flow is None:
                flow = list_ops.tensor_list_reserve(
                    element_shape=element_shape, num_elements=size, element_dtype=dtype, name=scope
                )
            self._flow = flow

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        raise NotImplementedError

    def read(self, index: Any, name: str | None = None) -> ops.Tensor:
        with ops.name_scope(name, "TensorArrayV2Read", [self._flow, index]):
            return list_ops.tensor_list_get_item(
                input_handle=self._flow,
                index=index,
                element_dtype=self._dtype,
                element_shape=self.element_shape,
                name=name,
            )

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        with ops.name_scope(name, "TensorArrayV2Write", [self._flow, index, value]):
            value = self._converted(value)
            self._check_element_shape(value.shape)
            flow = list_ops.tensor_list_set_item(
                input_handle=self._flow,
                index=index,
                item=value,
                resize_if_index_out_of_bounds=bool(self._dynamic_size),
                name=name,
            )
            return build_ta_with_new_flow(self, flow)

    def stack(self, name: str | None = None) -> ops.Tensor:
        with ops.name_scope(name, "TensorArrayV2Stack", [self._flow]):
            return list_ops.tensor_list_stack(
                input_handle=self._flow,
                element_dtype=self._dtype,
                element_shape=self.element_shape,
            )

    def gather(self, indices: Any, name: str | None = None) -> ops.Tensor:
        return list_ops.tensor_list_gather(
            input_handle=self._flow,
            indices=indices,
            element_dtype=self._dtype,
            element_shape=self.element_shape,
            name=name,
        )

    def concat(self, name: str | None = None) -> ops.Tensor:
        shape: Any = self.element_shape
        return list_ops.tensor_list_concat(
            input_handle=self._flow,
            element_dtype=self._dtype,
            element_shape=[None, *shape.dims[1:]] if shape else None,
            name=name,
        )

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        with ops.name_scope(name, "TensorArrayUnstack", [self._flow, value]):
            value = self._converted_parts(value)
            flow = list_ops.tensor_list_from_tensor(tensor=value, element_shape=value.shape[1:])
            return build_ta_with_new_flow(self, flow)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        with ops.name_scope(name, "TensorArrayScatter", [self._flow, value, indices]):
            value = self._converted_parts(value)
            flow = list_ops.tensor_list_scatter(
                tensor=value,
                indices=indices,
                element_shape=self.element_shape,
                input_handle=self._flow,
            )
            return build_ta_with_new_flow(self, flow)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        with ops.name_scope(name, "TensorArraySplit", [self._flow, value, lengths]):
            value = self._converted(value)
            lengths = math_ops.cast(lengths, dtypes.int64)
            if not ops.executing_eagerly():
                self._check_lengths(value, tensor_util.constant_value(lengths))
            flow = list_ops.tensor_list_split(
                tensor=value, lengths=lengths, element_shape=self.element_shape, name=name
            )
            return build_ta_with_new_flow(self, flow)

    def size(self, name: str | None = None) -> ops.Tensor:
        return list_ops.tensor_list_length(input_handle=self._flow, name=name)

    def close(self, name: str | None = None) -> ops.Operation:
        return raw_ops.NoOp(name=name)


class EagerTensorArray(TensorArray):
    """A `tf.TensorArray` of eager execution: a Python list, changed in place."""

    def __init__(
        self,
        dtype: DTypeLike,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: ShapeLike | None = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ):
        if handle is not None:
            raise ValueError(
                "TensorArray handles are not supported when eager execution is enabled."
            )
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled."
            )
        self._handle = None
        # There is no flow; others who take it for a tensor find one.
        self._flow = constant_op.constant(0, dtype=dtypes.int32)
        self._infer_shape = infer_shape
        self._element_shape = [as_shape(element_shape)]
        self._colocate_with_first_write_call = colocate_with_first_write_call
        self._colocate_with = []
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size or False
        self._clear_after_read = clear_after_read is None or clear_after_read
        self._previously_read_indices: list[int] = []
        self._tensor_array: list[Any] = [None] * int(_plain(size))

    def identity(self) -> TensorArray:
        return self

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient "
            "implementation does not use/need this function to compute gradients of operations "
            "that use TensorArrays."
        )

    def read(self, index: Any, name: str | None = None) -> ops.Tensor:
        index = _plain(index)
        if index < 0:
            raise errors.OutOfRangeError(
                None, None, f"Reading from negative indices (index {index}) is not allowed."
            )
        if index >= len(self._tensor_array):
            raise errors.OutOfRangeError(
                None,
                None,
                f"Tried to read from index {index} but array size is: {len(self._tensor_array)}",
            )
        tensor = self._tensor_array[index]
        if tensor is None:
            if index in self._previously_read_indices:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Could not read index {index} twice because it was cleared after a previous "
                    "read (perhaps try setting clear_after_read = false?)",
                )
            tensor = self._maybe_zero(index)
        if self._clear_after_read:
            self._tensor_array[index] = None
            self._previously_read_indices.append(index)
        return tensor

    def _maybe_zero(self, index: int) -> ops.Tensor:
        """The element at `index`: zeros if it was never written."""
        value = self._tensor_array[index]
        if value is None:
            value = array_ops.zeros(shape=self.element_shape, dtype=self._dtype)
            self._tensor_array[index] = value
        return value

    def _write(self, index: Any, value: Any) -> None:
        index = _plain(index)
        if index < 0:
            raise errors.OutOfRangeError(
                None, None, f"Writing to negative indices (index {index}) is not allowed."
            )
        size = len(self._tensor_array)
        if index >= size:
            if not self._dynamic_size:
                raise errors.OutOfRangeError(
                    None,
                    None,
                    f"Tried to write to index {index} but array is not resizeable and size is: "
                    f"{size}",
                )
            self._tensor_array.extend([None] * (index - size + 1))
        if not getattr(value, "_is_eager", False):
            value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        if self._dtype != value.dtype:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{value.dtype.name}",
            )
        if not self.element_shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Incompatible shape for value ({value.shape}), expected ({self.element_shape})"
            )
        if self._infer_shape:
            self._element_shape[0] = self.element_shape.merge_with(value.shape)
        self._tensor_array[index] = value

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        self._write(index, value)
        return self

    def stack(self, name: str | None = None) -> ops.Tensor:
        elements = [self._maybe_zero(i) for i in range(len(self._tensor_array))]
        return ops.convert_to_tensor(elements, name=name, dtype=self._dtype)

    def gather(self, indices: Any, name: str | None = None) -> ops.Tensor:
        return array_ops.stack([self._maybe_zero(int(i)) for i in _plain(indices)])

    def concat(self, name: str | None = None) -> ops.Tensor:
        elements = [self._maybe_zero(i) for i in range(len(self._tensor_array))]
        try:
            return array_ops.concat(elements, 0, name=name)
        except errors.OpError:
            for i, element in enumerate(elements):
                if element.shape.ndims == 0:
                    raise errors.InvalidArgumentError(
                        None,
                        None,
                        f"Concat saw a scalar shape at index {i} but requires at least vectors.",
                    ) from None
            raise

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        tensors = array_ops.unstack(value, name=name or "unstack")
        if len(tensors) > len(self._tensor_array) and not self._dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(tensors)} tensors into a TensorArray of static size "
                f"{len(self._tensor_array)}"
            )
        self._tensor_array = tensors
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        for index, part in zip(_plain(indices), array_ops.unstack(value)):
            self._write(index, part)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        value = self._converted(value)
        lengths = ops.convert_to_tensor(lengths)
        if lengths.shape.ndims != 1:
            text = f"Expected lengths to be a vector, received shape: {lengths.shape.as_list()}"
            raise errors.InvalidArgumentError(None, None, text)
        if value.shape.ndims == 0:
            text = (
                "Expected value to be at least a vector, but received shape: "
                f"{value.shape.as_list()}"
            )
            raise errors.InvalidArgumentError(None, None, text)
        total = int(lengths.numpy().sum())
        if total != value.shape.as_list()[0]:
            text = (
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{total} and value's shape is: {value.shape.as_list()} "
            )
            raise errors.InvalidArgumentError(None, None, text)
        size, count = len(self._tensor_array), lengths.shape.as_list()[0]
        if not self._dynamic_size and count != size:
            text = (
                f"TensorArray's size is not equal to the size of lengths ({size} vs. {count}), and "
                "the TensorArray is not marked as dynamically resizeable"
            )
            raise errors.InvalidArgumentError(None, None, text)
        self._tensor_array = array_ops.split(value, lengths, name=name or "split")
        return self

    def size(self, name: str | None = None) -> ops.Tensor:
        return constant_op.constant(len(self._tensor_array))

    def close(self, name: str | None = None) -> Any:
        del self._tensor_array[:]


def _plain(value: Any) -> Any:
    return value.numpy() if getattr(value, "_is_eager", False) else value
