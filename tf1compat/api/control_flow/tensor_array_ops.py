"""`tf.TensorArray`: an array of tensors that a loop writes and reads one by one."""

from __future__ import annotations

import contextlib
import traceback
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_util, list_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.type_spec import (
    TensorSpec,
    TypeSpec,
    register_type_spec_from_value_converter,
    type_spec_from_value,
)
from tf1compat.core.typing import DTypeLike


@tf_export("TensorArray")
class TensorArray:
    """An array of tensors, each written at most once (as `tf.TensorArray` of TF 1.15).

    Every method that changes the array returns a new object, to be used from then on: its `flow`
    makes what is done with it wait for the change. Gradients go through it.

    Args:
      dtype: the dtype of the elements.
      size: an int32 scalar.
      dynamic_size: whether writing beyond the end makes the array larger.
      clear_after_read: forget elements once they are read (True by default).
      tensor_array_name: a name for the array itself.
      handle, flow: those of an existing array, in place of a size.
      infer_shape: all elements have one shape.
      element_shape: what is known of that shape.
      colocate_with_first_write_call: place the array with what is first written into it.
      name: the name scope.

    Raises:
      ValueError, TypeError: arguments that don't go together.
    """

    def __new__(cls, dtype: Any, *args: Any, flow: Any = None, **kwargs: Any) -> TensorArray:
        if cls is TensorArray:
            cls = _kind(args[5] if len(args) > 5 else flow)
        return super().__new__(cls)  # pyright: ignore[reportArgumentType]

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ):
        _check_arguments(
            handle, tensor_array_name, size, element_shape, dynamic_size, clear_after_read
        )
        self._dtype = dtypes.as_dtype(dtype).base_dtype
        self._dynamic_size = dynamic_size or False
        self._infer_shape = infer_shape
        self._colocate_with_first_write_call = colocate_with_first_write_call
        # Lists, as all objects that stand for one array share them.
        self._colocate_with: list[Any] = []
        self._element_shape = [as_shape(element_shape)]
        with ops.name_scope(name, "TensorArray", [handle, size, flow]) as scope:
            if handle is not None:
                if flow is None:
                    raise ValueError("flow must not be None if handle is not None.")
                self._handle, self._flow = handle, flow
                return
            attrs = {
                "dtype": dtype,
                "element_shape": element_shape,
                "identical_element_shapes": infer_shape,
                "dynamic_size": self._dynamic_size,
                "clear_after_read": clear_after_read is None or clear_after_read,
                "tensor_array_name": tensor_array_name or "",
            }
            with contextlib.ExitStack() as place:
                if colocate_with_first_write_call:
                    # What is written first will say where.
                    place.enter_context(ops.device(None))
                    place.enter_context(ops.colocate_with(None, ignore_existing=True))
                self._handle, self._flow = raw_ops.TensorArrayV3(size, **attrs, name=scope)

    flow = attribute("_flow", "The scalar tensor that what is done next waits for.")
    dtype: dtypes.DType = attribute("_dtype", "The dtype of the elements.")
    handle = attribute("_handle", "The handle of the array.")

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of the elements."""
        return self._element_shape[0]

    dynamic_size: bool = attribute("_dynamic_size", "Whether the array can grow.")

    def _check_element_shape(self, shape: TensorShape) -> None:
        """Notes the shape of an element to be written.

        Raises:
          ValueError: elements are known to have another one.
        """
        if not shape.is_compatible_with(self.element_shape):
            raise ValueError(f"Inconsistent shapes: saw {shape} but expected {self.element_shape} ")
        if self._infer_shape:
            self._element_shape[0] = self.element_shape.merge_with(shape)

    def _maybe_colocate_with(self, value: ops.Tensor) -> contextlib.AbstractContextManager[Any]:
        """Colocates operations with the first value that was written."""
        if not self._colocate_with_first_write_call:
            return contextlib.nullcontext()
        if not self._colocate_with:
            self._colocate_with.append(value)
        return ops.colocate_with(self._colocate_with[0])

    def identity(self) -> TensorArray:
        """The same array, with a flow that takes the current control dependencies up."""
        return build_ta_with_new_flow(self, array_ops.identity(self._flow))

    def grad(self, source: str, flow: Any = None, name: str | None = None) -> TensorArray:
        """The array of the gradients of the elements.

        Args:
          source: tells the calls of `tf.gradients` apart.
          flow: a flow of this array after which its size is final.
          name: the name scope.
        """
        if flow is None:
            flow = self.flow
        with (
            ops.name_scope(name, "TensorArrayGrad", [self._handle]),
            ops.colocate_with(self._handle),
        ):
            handle, _ = raw_ops.TensorArrayGradV3(self._handle, flow, source=source, name=name)
            with ops.control_dependencies([handle]):
                flow = array_ops.identity(flow, name="gradient_flow")
            result = TensorArray(
                dtype=self._dtype,
                handle=handle,
                flow=flow,
                infer_shape=self._infer_shape,
                colocate_with_first_write_call=False,
            )
            result._element_shape = self._element_shape
            return result

    def read(self, index: Any, name: str | None = None) -> ops.Tensor:
        """The element at `index`, an int32 scalar."""
        value = raw_ops.TensorArrayReadV3(
            self._handle, index, self._flow, dtype=self._dtype, name=name
        )
        value.set_shape(self.element_shape)
        return value

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`, an int32 scalar.

        Raises:
          ValueError: `value` has not the shape of the elements.
        """
        with ops.name_scope(name, "TensorArrayWrite", [self._handle, index, value]):
            value = self._converted(value)
            self._check_element_shape(value.shape)
            with self._maybe_colocate_with(value):
                flow = raw_ops.TensorArrayWriteV3(self._handle, index, value, self._flow, name=name)
            return build_ta_with_new_flow(self, flow)

    def _converted(self, value: Any) -> ops.Tensor:
        """`value` as a tensor; it need not be of the array's dtype, but that is noted."""
        value = ops.convert_to_tensor(value, preferred_dtype=self._dtype, name="value")
        if value.dtype != self._dtype:
            tf_logging.error(
                f"Error: Input value {value} has dtype {value.dtype}, but expected dtype "
                f"{self._dtype}.  This leads to undefined behavior and will be an error in future "
                f"versions of TensorFlow.  Traceback:\n{''.join(traceback.format_stack())}"
            )
        return value

    def _converted_parts(self, value: Any) -> ops.Tensor:
        """`value` as a tensor whose parts along the first dimension can be elements."""
        value = self._converted(value)
        self._check_element_shape(value.shape[1:])
        return value

    def stack(self, name: str | None = None) -> ops.Tensor:
        """All elements, stacked: a tensor with one more dimension."""
        with (
            ops.colocate_with(self._handle),
            ops.name_scope(name, "TensorArrayStack", [self._handle]),
        ):
            return self.gather(math_ops.range(0, self.size()), name=name)

    def gather(self, indices: Any, name: str | None = None) -> ops.Tensor:
        """The elements at `indices`, an int32 vector, stacked."""
        shape = self.element_shape
        value = raw_ops.TensorArrayGatherV3(
            self._handle, indices, self._flow, dtype=self._dtype, element_shape=shape, name=name
        )
        value.set_shape(TensorShape([None]).concatenate(shape))
        return value

    def concat(self, name: str | None = None) -> ops.Tensor:
        """All elements, concatenated along their first dimension."""
        rest = self.element_shape[1:]
        value, _ = raw_ops.TensorArrayConcatV3(
            self._handle, self._flow, dtype=self._dtype, element_shape_except0=rest, name=name
        )
        value.set_shape(TensorShape([None]).concatenate(rest))
        return value

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """The array with the parts of `value` along its first dimension as elements."""
        with ops.name_scope(name, "TensorArrayUnstack", [self._handle, value]):
            return self.scatter(math_ops.range(0, array_ops.shape(value)[0]), value, name=name)

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """The array with the parts of `value` along its first dimension at `indices`.

        Raises:
          ValueError: they have not the shape of the elements.
        """
        with ops.name_scope(name, "TensorArrayScatter", [self._handle, value, indices]):
            value = self._converted_parts(value)
            with self._maybe_colocate_with(value):
                flow = raw_ops.TensorArrayScatterV3(
                    self._handle, indices, value, self._flow, name=name
                )
            return build_ta_with_new_flow(self, flow)

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """The array with consecutive parts of `value`, of the given `lengths`, as elements.

        Raises:
          ValueError: they have not the shape of the elements.
        """
        with ops.name_scope(name, "TensorArraySplit", [self._handle, value, lengths]):
            value = ops.convert_to_tensor(value, dtype=self._dtype, name="value")
            with self._maybe_colocate_with(value):
                lengths = math_ops.cast(lengths, dtypes.int64)
                self._check_lengths(value, tensor_util.constant_value(lengths))
                flow = raw_ops.TensorArraySplitV3(
                    self._handle, value, lengths, self._flow, name=name
                )
            return build_ta_with_new_flow(self, flow)

    def _check_lengths(self, value: ops.Tensor, lengths: Any) -> None:
        """Refuses parts of `value` of known equal `lengths` that can't be elements."""
        if value.shape.dims is None or lengths is None or not lengths.shape:
            return
        if lengths.max() == lengths.min():
            first = TensorShape([int(lengths.flat[0])])
            self._check_element_shape(first.concatenate(value.shape[1:]))

    def size(self, name: str | None = None) -> ops.Tensor:
        """The number of elements, an int32 scalar."""
        return raw_ops.TensorArraySizeV3(self._handle, self._flow, name=name)

    def close(self, name: str | None = None) -> ops.Operation:
        """An operation that frees the array."""
        return raw_ops.TensorArrayCloseV3(self._handle, name=name)


def _kind(flow: Any) -> type[TensorArray]:
    """What records an array here: its own ops, or lists; or, in eager execution, a Python list."""
    is_list = flow is not None and flow.dtype is dtypes.variant
    eager = context.executing_eagerly() and not is_list
    if not (eager or is_list or control_flow_util.EnableControlFlowV2(ops.get_default_graph())):
        return TensorArray
    from tf1compat.api.control_flow import tensor_array_v2

    return tensor_array_v2.EagerTensorArray if eager else tensor_array_v2.GraphTensorArrayV2


def _check_arguments(
    handle: Any, tensor_array_name: Any, size: Any, element_shape: Any, dynamic_size: Any,
    clear_after_read: Any,
) -> None:  # fmt: skip
    if handle is None:
        if size is None:
            raise ValueError("Size must be provided if handle is not provided")
        return
    if tensor_array_name:
        raise ValueError("Cannot construct with both handle and tensor_array_name")
    if not isinstance(handle, ops.Tensor):
        raise TypeError("Handle must be a Tensor")
    contradictions = {
        "size": size,
        "element_shape": element_shape,
        "dynamic_size": dynamic_size,
        "clear_after_read": clear_after_read,
    }
    for argument, value in contradictions.items():
        if value is not None:
            raise ValueError(f"Cannot provide both a handle and {argument} at the same time")


def build_ta_with_new_flow(old_ta: TensorArray, flow: Any) -> TensorArray:
    """The array `old_ta` with another flow.

    Raises:
      NotImplementedError: `old_ta` is none of functional control flow, which is recorded now.
    """
    if (
        not context.executing_eagerly()
        and type(old_ta).__name__ != "GraphTensorArrayV2"
        and control_flow_util.EnableControlFlowV2(ops.get_default_graph())
    ):
        raise NotImplementedError(
            "Attempting to build a graph-mode TF2-style TensorArray from either an eager-mode "
            "TensorArray or a TF1-style TensorArray.  This is not currently supported.  You may be "
            "attempting to capture a TensorArray inside a tf.function or tf.data map function. "
            "Instead, construct a new TensorArray inside the function."
        )
    new_ta = TensorArray(
        dtype=old_ta._dtype,
        handle=old_ta._handle,
        flow=flow,
        infer_shape=old_ta._infer_shape,
        colocate_with_first_write_call=old_ta._colocate_with_first_write_call,
    )
    new_ta._dynamic_size = old_ta._dynamic_size
    new_ta._colocate_with = old_ta._colocate_with
    new_ta._element_shape = old_ta._element_shape
    return new_ta


@tf_export("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """Describes a `tf.TensorArray`.

    Args:
      element_shape: the shape of the elements.
      dtype: their dtype.
      dynamic_size: whether the array can grow.
      infer_shape: whether all elements have one shape.
    """

    def __init__(
        self,
        element_shape: Any = None,
        dtype: DTypeLike = dtypes.float32,
        dynamic_size: bool = False,
        infer_shape: bool = True,
    ):
        self._element_shape = as_shape(element_shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._dynamic_size = dynamic_size
        self._infer_shape = infer_shape

    @property
    def value_type(self) -> type:
        return TensorArray

    @staticmethod
    def from_value(value: TensorArray) -> TensorArraySpec:
        """The spec of an array.

        Raises:
          TypeError: `value` is none.
        """
        if not isinstance(value, TensorArray):
            raise TypeError(f"Expected value to be a TensorArray, but saw: {type(value)}")
        return TensorArraySpec(
            value.element_shape, value.dtype, value.dynamic_size, value._infer_shape
        )

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Whether dtype, shape of the elements and growth fit; `infer_shape` does not matter."""
        other = spec_or_value
        if not isinstance(other, TypeSpec):
            is_array = isinstance(other, TensorArray)
            other = self.from_value(other) if is_array else type_spec_from_value(other)
        return (
            isinstance(other, TensorArraySpec)
            and self._dtype.is_compatible_with(other._dtype)
            and self._element_shape.is_compatible_with(other._element_shape)
            and self._dynamic_size == other._dynamic_size
        )

    def most_specific_compatible_type(self, other: Any) -> TensorArraySpec:
        """The narrowest spec that covers both.

        Raises:
          ValueError: there is none.
        """
        if not self.is_compatible_with(other):
            raise ValueError("Types are not compatible")
        return TensorArraySpec(
            self._element_shape.most_specific_compatible_shape(other._element_shape),
            self._dtype,
            self._dynamic_size,
            self._infer_shape and other._infer_shape,
        )

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    # An array is a list of tensors where it passes between functions.

    @property
    def _component_specs(self) -> list[TypeSpec]:
        return [TensorSpec([], dtypes.variant)]

    def _to_components(self, value: Any) -> list[Any]:
        if not isinstance(value, TensorArray):
            raise TypeError(f"value must be a TensorArray, but saw: {type(value)}")
        if value.flow is not None and value.flow.dtype == dtypes.variant:
            return [value.flow]
        with ops.name_scope("convert_tensor_array"):
            stacked = value.stack()
            return [list_ops.tensor_list_from_tensor(stacked, value.element_shape)]

    def _from_components(self, components: Any) -> TensorArray:
        array = TensorArray(
            self._dtype,
            flow=components[0],
            dynamic_size=self._dynamic_size,
            infer_shape=self._infer_shape,
        )
        array._element_shape = [self._element_shape]
        return array

    def _to_legacy_output_types(self) -> Any:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return as_shape([self._dynamic_size, self._infer_shape]).concatenate(self._element_shape)

    def _to_legacy_output_classes(self) -> Any:
        return TensorArray


register_type_spec_from_value_converter(
    TensorArray, TensorArraySpec.from_value, allow_subclass=True
)
