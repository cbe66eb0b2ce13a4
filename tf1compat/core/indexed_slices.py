"""`tf.IndexedSlices`: some rows of a tensor, as gradients of gathers are."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.core import constants, dtypes, tf2
from tf1compat.core.attribute import attribute
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import tf_export
from tf1compat.core.scopes import get_graph_from_inputs
from tf1compat.core.tensor import TensorBase
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.type_spec import TensorSpec, TypeSpec
from tf1compat.core.typing import DTypeLike, ShapeLike


@tf_export("IndexedSlices")
class IndexedSlices(TensorBase, CompositeTensor):
    """Rows of a larger tensor: `dense[indices[i]] = values[i]`; rows with the same index add up
    (as `tf.IndexedSlices`).

    Args:
      values: a tensor of shape [d0, d1, …, dn].
      indices: a 1-D integer tensor of shape [d0].
      dense_shape: a 1-D integer tensor, the shape of the larger tensor; None if unknown.

    Raises:
      ValueError: the tensors are of different graphs.
    """

    # What prints it, and errors of conversions, name the class with its module.
    __module__ = "tensorflow.python.framework.indexed_slices"

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None):
        get_graph_from_inputs([values, indices, dense_shape])
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    values = attribute("_values", "The tensor that holds the rows.")
    indices = attribute("_indices", "The 1-D tensor that says where each row belongs.")
    dense_shape = attribute(
        "_dense_shape", "The 1-D tensor with the shape of the larger tensor, or None."
    )
    name: str = attribute("values.name", "The name of `values`.")
    device: str = attribute("values.device", "The device of `values`.")
    op = attribute("values.op", "The operation that computes `values`.")
    dtype: dtypes.DType = attribute("values.dtype", "The `DType` of the elements.")
    graph = attribute("_values.graph", "The `Graph` that the tensors belong to.")

    def __str__(self) -> str:
        shape = f", dense_shape={self._dense_shape!s}" if self._dense_shape is not None else ""
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def consumers(self) -> list[Any]:
        """The operations that use one of the tensors."""
        parts = (self._values, self._indices, self._dense_shape)
        recorded = [part for part in parts if part is not None and not part._is_eager]
        found = [op for part in recorded for op in part.consumers()]
        return list(dict.fromkeys(found))

    @property
    def _type_spec(self) -> IndexedSlicesSpec:
        shape = TensorShape([None]).concatenate(self._values.shape[1:])
        shape_dtype = None
        if self._dense_shape is not None:
            shape_dtype = self._dense_shape.dtype
            known = constants.known_shape(self._dense_shape)
            shape = shape.merge_with(TensorShape.from_tuple(known))
        indices_shape = self._indices.shape.merge_with(self._values.shape[:1])
        return IndexedSlicesSpec(shape, self.dtype, self._indices.dtype, shape_dtype, indices_shape)

    def _shape_invariant_to_type_spec(self, shape: TensorShape) -> IndexedSlicesSpec:
        dense_shape = TensorShape([None]).concatenate(shape[1:])
        shape_dtype = None if self._dense_shape is None else self._dense_shape.dtype
        return IndexedSlicesSpec(
            dense_shape, self.dtype, self._indices.dtype, shape_dtype, shape[:1]
        )


# What `Session.run` gives for a fetched IndexedSlices: NumPy arrays.
IndexedSlicesValue = collections.namedtuple(  # noqa: PYI024
    "IndexedSlicesValue", ["values", "indices", "dense_shape"]
)


@tf_export("IndexedSlicesSpec")
class IndexedSlicesSpec(TypeSpec):
    """Describes a `tf.IndexedSlices`.

    Args:
      shape: the dense shape; None if unknown.
      dtype: the dtype of the values.
      indices_dtype: int32 or int64.
      dense_shape_dtype: int32, int64, or None if there is no dense_shape.
      indices_shape: the shape of the indices: how many rows there are.
    """

    def __init__(
        self,
        shape: ShapeLike | None = None,
        dtype: DTypeLike = dtypes.float32,
        indices_dtype: Any = dtypes.int64,
        dense_shape_dtype: Any = None,
        indices_shape: Any = None,
    ):
        self._shape = as_shape(shape)
        self._values_dtype = dtypes.as_dtype(dtype)
        self._indices_dtype = dtypes.as_dtype(indices_dtype)
        self._dense_shape_dtype = dense_shape_dtype and dtypes.as_dtype(dense_shape_dtype)
        self._indices_shape = as_shape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type:
        return IndexedSlices

    def _serialize(self) -> tuple[Any, ...]:
        return (
            self._shape,
            self._values_dtype,
            self._indices_dtype,
            self._dense_shape_dtype,
            self._indices_shape,
        )

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        values = TensorSpec(self._indices_shape.concatenate(self._shape[1:]), self._values_dtype)
        specs = (values, TensorSpec(self._indices_shape, self._indices_dtype))
        if self._dense_shape_dtype is None:
            return specs
        return *specs, TensorSpec([self._shape.ndims], self._dense_shape_dtype)

    def _to_components(self, value: IndexedSlices) -> tuple[Any, ...]:
        parts = (value.values, value.indices)
        return parts if value.dense_shape is None else (*parts, value.dense_shape)

    def _from_components(self, components: Any) -> Any:
        if tf2.keeps_values(components):
            values, indices, *dense_shape = components
            return IndexedSlicesValue(values, indices, *(dense_shape or [None]))
        return IndexedSlices(*components)
