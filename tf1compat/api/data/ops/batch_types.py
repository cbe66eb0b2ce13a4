"""Datasets of batches and windows of elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.ops.dataset_ops import (
    get_legacy_output_classes,
    get_legacy_output_shapes,
    get_legacy_output_types,
)
from tf1compat.api.data.ops.dataset_spec import DatasetSpec
from tf1compat.api.data.ops.dataset_types import UnaryDataset, _bool, _int64
from tf1compat.api.data.util import nest, sparse, structure
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.typing import DTypeLike


def batched_spec(spec: Any, batch_size: Any, drop_remainder: bool) -> Any:
    """The structure of batches of elements of the structure `spec`."""
    size = None
    if tensor_util.constant_value(drop_remainder):
        size = tensor_util.constant_value(batch_size)
    return nest.map_structure(lambda component: component._batch(size), spec)


class BatchDataset(UnaryDataset):
    """Elements of a dataset, stacked."""

    def __init__(self, input_dataset: Any, batch_size: Any, drop_remainder: bool):
        self._input_dataset = input_dataset
        self._batch_size = _int64(batch_size, "batch_size")
        self._drop_remainder = _bool(drop_remainder, "drop_remainder")
        self._structure = batched_spec(
            input_dataset.element_spec, self._batch_size, self._drop_remainder
        )
        variant = raw_ops.BatchDatasetV2(
            input_dataset._variant_tensor,
            batch_size=self._batch_size,
            drop_remainder=self._drop_remainder,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_structure")


def _fits_padded(padded_shape: Any, component_shape: Any) -> bool:
    """Whether a component of a shape can be padded to another one."""
    if padded_shape.dims is None or component_shape.dims is None:
        return True
    if len(padded_shape.dims) != len(component_shape.dims):
        return False
    pairs = zip(padded_shape.dims, component_shape.dims)
    return not any(
        a.value is not None and b.value is not None and a.value < b.value for a, b in pairs
    )


def _padded_shape_to_tensor(padded_shape: Any, component_shape: Any) -> Any:
    """A padded shape as a vector, -1 for what is not given.

    Raises:
      ValueError, TypeError: it is no vector of int64, or too small for the component.
    """
    try:
        shape = as_shape(padded_shape)
        dims = [-1 if dim is None else dim for dim in shape.as_list()]
        tensor = ops.convert_to_tensor(dims, dtype=dtypes.int64)
    except (TypeError, ValueError):
        tensor = ops.convert_to_tensor(padded_shape, preferred_dtype=dtypes.int64)
        if tensor.shape.ndims not in (None, 1):
            raise ValueError(
                f"Padded shape {padded_shape} must be a 1-D tensor of tf.int64 values, but its "
                f"shape was {tensor.shape}."
            ) from None
        if tensor.dtype != dtypes.int64:
            raise TypeError(
                f"Padded shape {padded_shape} must be a 1-D tensor of tf.int64 values, but its "
                f"element type was {tensor.dtype.name}."
            ) from None
        shape = tensor_util.constant_value_as_shape(tensor)
    if not _fits_padded(shape, component_shape):
        raise ValueError(
            f"The padded shape {shape} is not compatible with the corresponding input component "
            f"shape {component_shape}."
        )
    return tensor


def _padding_value_to_tensor(value: Any, output_type: DTypeLike) -> Any:
    value = ops.convert_to_tensor(value, name="padding_value")
    if not value.shape.is_compatible_with(TensorShape([])):
        raise ValueError(f"Padding value should be a scalar, but is not: {value}")
    if value.dtype != output_type:
        raise TypeError(
            f"Padding value tensor ({value!s}) does not match output type: {output_type}"
        )
    return value


def _default_padding(input_dataset: Any) -> Any:
    def zero(dtype: Any) -> Any:
        if dtype.base_dtype == dtypes.string:
            return ""
        if dtype.base_dtype == dtypes.variant:
            raise TypeError(
                "Unable to create padding for field of type 'variant' because t.base_type == "
                f"dtypes.variant == {dtype.base_dtype}."
            )
        return np.zeros_like(dtype.as_numpy_dtype())

    return nest.map_structure(zero, get_legacy_output_types(input_dataset))


class PaddedBatchDataset(UnaryDataset):
    """Elements of a dataset, padded to one shape and stacked."""

    def __init__(
        self,
        input_dataset: Any,
        batch_size: Any,
        padded_shapes: Any,
        padding_values: Any,
        drop_remainder: bool,
    ):
        self._input_dataset = input_dataset
        types = get_legacy_output_types(input_dataset)
        classes = get_legacy_output_classes(input_dataset)
        if sparse.any_sparse(classes):
            raise TypeError("Batching of padded sparse tensors is not currently supported")
        self._batch_size = _int64(batch_size, "batch_size")
        if padding_values is None:
            padding_values = _default_padding(input_dataset)
        input_shapes = get_legacy_output_shapes(input_dataset)
        flat = nest.flatten_up_to(input_shapes, padded_shapes)
        tensors = [
            _padded_shape_to_tensor(padded, component)
            for component, padded in zip(nest.flatten(input_shapes), flat)
        ]
        self._padded_shapes = nest.pack_sequence_as(input_shapes, tensors)
        self._padding_values = nest.map_structure_up_to(
            input_shapes, _padding_value_to_tensor, padding_values, types
        )
        self._drop_remainder = _bool(drop_remainder, "drop_remainder")
        dropping = control_flow_ops.smart_constant_value(self._drop_remainder)
        size = tensor_util.constant_value(self._batch_size) if dropping else None
        shapes = nest.map_structure(
            lambda s: TensorShape([size]).concatenate(tensor_util.constant_value_as_shape(s)),
            self._padded_shapes,
        )
        self._structure = structure.convert_legacy_structure(types, shapes, classes)
        arguments: dict[str, Any] = {
            "batch_size": self._batch_size,
            "padded_shapes": tensors,
            "padding_values": nest.flatten(self._padding_values),
            "output_shapes": structure.get_flat_tensor_shapes(self._structure),
        }
        variant = raw_ops.PaddedBatchDatasetV2(
            input_dataset._variant_tensor, drop_remainder=self._drop_remainder, **arguments
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_structure")


class WindowDataset(UnaryDataset):
    """Datasets of consecutive elements of a dataset."""

    def __init__(
        self, input_dataset: Any, size: Any, shift: Any, stride: Any, drop_remainder: bool
    ):
        self._input_dataset = input_dataset
        self._size = _int64(size, "size")
        self._shift = _int64(shift, "shift")
        self._stride = _int64(stride, "stride")
        self._drop_remainder = _bool(drop_remainder, "drop_remainder")
        classes = get_legacy_output_classes(input_dataset)
        parts = zip(
            nest.flatten(get_legacy_output_types(input_dataset)),
            nest.flatten(get_legacy_output_shapes(input_dataset)),
            nest.flatten(classes),
        )
        specs = [DatasetSpec(structure.convert_legacy_structure(*part)) for part in parts]
        self._structure = nest.pack_sequence_as(classes, specs)
        variant = raw_ops.WindowDataset(
            input_dataset._variant_tensor,
            self._size,
            self._shift,
            self._stride,
            self._drop_remainder,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_structure")
