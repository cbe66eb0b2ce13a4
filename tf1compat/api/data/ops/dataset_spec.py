"""Datasets as components of elements."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops.dataset_ops import DatasetV2
from tf1compat.core import dtypes
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.type_spec import BatchableTypeSpec, TensorSpec


class _VariantDataset(DatasetV2):
    """The dataset that a variant tensor stands for."""

    def __init__(self, dataset_variant: Any, structure: Any):
        self._structure = structure
        super().__init__(dataset_variant)

    def _inputs(self) -> list[Any]:
        return []

    @property
    def element_spec(self) -> Any:
        return self._structure


class _NestedVariant(CompositeTensor):
    """Several datasets in one tensor."""

    def __init__(self, variant_tensor: Any, element_spec: Any, dataset_shape: Any):
        self._variant_tensor = variant_tensor
        self._element_spec = element_spec
        self._dataset_shape = dataset_shape

    @property
    def _type_spec(self) -> Any:
        return DatasetSpec(self._element_spec, self._dataset_shape)


@tf_export("data.experimental.from_variant")
def from_variant(variant: Any, structure: Any) -> Any:
    """The dataset that a variant tensor stands for.

    Args:
      variant: the tensor.
      structure: the structure of `TypeSpec`s of an element.

    Returns:
      A `Dataset`.
    """
    return _VariantDataset(variant, structure)


@tf_export("data.experimental.to_variant")
def to_variant(dataset: Any) -> Any:
    """The variant tensor that stands for a dataset.

    Args:
      dataset: a `Dataset`.

    Returns:
      A variant scalar.
    """
    return dataset._variant_tensor


@tf_export("data.DatasetSpec", "data.experimental.DatasetStructure")
class DatasetSpec(BatchableTypeSpec):
    """Describes a dataset, as a component of an element.

    Args:
      element_spec: the structure of `TypeSpec`s of its elements.
      dataset_shape: of the tensor of datasets; a scalar for one.
    """

    def __init__(self, element_spec: Any, dataset_shape: Any = ()):
        self._element_spec = element_spec
        self._dataset_shape = as_shape(dataset_shape)

    @property
    def value_type(self) -> type:
        return _VariantDataset

    def _serialize(self) -> tuple[Any, ...]:
        return self._element_spec, self._dataset_shape

    @property
    def _component_specs(self) -> Any:
        return TensorSpec(self._dataset_shape, dtypes.variant)

    def _to_components(self, value: Any) -> Any:
        return value._variant_tensor

    def _from_components(self, components: Any) -> Any:
        if self._dataset_shape.ndims == 0:
            return _VariantDataset(components, self._element_spec)
        return _NestedVariant(components, self._element_spec, self._dataset_shape)

    @staticmethod
    def from_value(value: Any) -> Any:
        """The spec of a dataset."""
        return DatasetSpec(value.element_spec)

    def _check_batched(self) -> None:
        if self._dataset_shape.ndims == 0:
            raise ValueError("Unbatching a dataset is only supported for rank >= 1")

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        self._check_batched()
        return self._to_tensor_list(value)

    def _batch(self, batch_size: int | None) -> Any:
        shape = TensorShape([batch_size]).concatenate(self._dataset_shape)
        return DatasetSpec(self._element_spec, shape)

    def _unbatch(self) -> Any:
        self._check_batched()
        return DatasetSpec(self._element_spec, self._dataset_shape[1:])

    def _to_legacy_output_types(self) -> Any:
        return self

    def _to_legacy_output_shapes(self) -> Any:
        return self

    def _to_legacy_output_classes(self) -> Any:
        return self
