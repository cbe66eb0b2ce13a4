"""`tf.RaggedTensorSpec`: what is known of a ragged tensor before there is one."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.ragged.ragged_tensor import RaggedTensor, is_ragged
from tf1compat.api.ragged.ragged_tensor_value import RaggedTensorValue
from tf1compat.core import dtypes, ops, tensor_shape, tf2
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import (
    BatchableTypeSpec,
    TensorSpec,
    register_type_spec_from_value_converter,
)
from tf1compat.core.typing import DTypeLike, ShapeLike


@tf_export("RaggedTensorSpec")
class RaggedTensorSpec(BatchableTypeSpec):
    """Describes a `tf.RaggedTensor` (as in TF 1.15).

    Args:
      shape: its shape, None for what is ragged; None if unknown.
      dtype: the dtype of the values.
      ragged_rank: how many dimensions are ragged; all but the first by default.
      row_splits_dtype: int32 or int64.

    Raises:
      ValueError, TypeError: `ragged_rank` doesn't fit.
    """

    def __init__(
        self,
        shape: ShapeLike | None = None,
        dtype: DTypeLike = dtypes.float32,
        ragged_rank: int | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ):
        self._shape = tensor_shape.as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)
        self._row_splits_dtype = dtypes.as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @property
    def value_type(self) -> type:
        return RaggedTensor if self._ragged_rank > 0 else ops.Tensor

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self) -> Any:
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        flat_shape = TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1 :])
        rows = tensor_shape.dimension_at_index(self._shape, 0)
        outer = TensorSpec([None if rows is None else rows + 1], self._row_splits_dtype)
        inner = TensorSpec([None], self._row_splits_dtype)
        return [TensorSpec(flat_shape, self._dtype), outer, *[inner] * (self._ragged_rank - 1)]

    def _to_components(self, value: Any) -> Any:
        return [value.flat_values, *value.nested_row_splits] if is_ragged(value) else [value]

    def _from_components(self, tensor_list: Any) -> Any:
        result, *nested_row_splits = tensor_list
        if tf2.keeps_values(tensor_list):
            for row_splits in nested_row_splits[::-1]:
                result = RaggedTensorValue(result, row_splits)
            return result
        if isinstance(result, np.ndarray):
            result, *nested_row_splits = map(ops.convert_to_tensor, tensor_list)
        for row_splits in nested_row_splits[::-1]:
            result = RaggedTensor(result, row_splits, internal=True)
        return result

    # As one variant tensor: what datasets pass on.

    @property
    def _flat_tensor_specs(self) -> Any:
        return [TensorSpec(None, dtypes.variant)]

    def _to_tensor_list(self, value: Any) -> Any:
        return [value._to_variant(batched_input=False)]

    def _to_batched_tensor_list(self, value: Any) -> Any:
        return [value._to_variant(batched_input=True)]

    def _from_compatible_tensor_list(self, tensor_list: Any) -> Any:
        if self._ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be non-negative; got {self._ragged_rank}.")
        result = RaggedTensor._from_variant(
            tensor_list[0], dtype=self._dtype, output_ragged_rank=self._ragged_rank
        )
        flat, outer, *_ = self._component_specs
        result.row_splits.set_shape(outer.shape)
        result.flat_values.set_shape(flat.shape)
        return result

    def _batch(self, batch_size: Any) -> RaggedTensorSpec:
        shape = TensorShape([batch_size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1)

    def _unbatch(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1)

    def _to_legacy_output_types(self) -> Any:
        return self._dtype

    def _to_legacy_output_shapes(self) -> Any:
        return self._shape

    def _to_legacy_output_classes(self) -> Any:
        return self

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a RaggedTensor or RaggedTensorValue."""
        return cls(
            shape=value.shape,
            dtype=value.values.dtype,
            ragged_rank=value.ragged_rank,
            row_splits_dtype=value.row_splits.dtype,
        )


register_type_spec_from_value_converter(RaggedTensorValue, RaggedTensorSpec.from_value)
