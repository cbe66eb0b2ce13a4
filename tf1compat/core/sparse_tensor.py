"""`tf.SparseTensor`: the elements of a tensor that are given, and where they belong."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from tf1compat.core import conversion, dtypes, tensor_util, tf2
from tf1compat.core.attribute import attribute
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import tf_export
from tf1compat.core.scopes import eval_using_default_session, name_scope
from tf1compat.core.tensor import Tensor, TensorBase
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.type_spec import BatchableTypeSpec, TensorSpec
from tf1compat.core.typing import DTypeLike, Name, ShapeLike

# What `Session.run` gives for a fetched SparseTensor: NumPy arrays.
SparseTensorValue = collections.namedtuple(  # noqa: PYI024
    "SparseTensorValue", ["indices", "values", "dense_shape"]
)
tf_export("SparseTensorValue")(SparseTensorValue)


@tf_export("SparseTensor", "sparse.SparseTensor")
class SparseTensor(TensorBase, CompositeTensor):
    """A tensor most of whose elements are 0: `dense[indices[i]] = values[i]` (as
    `tf.SparseTensor`).

    Args:
      indices: int64, shape [number of elements, rank]; converted to a tensor.
      values: any dtype, shape [number of elements].
      dense_shape: int64, shape [rank]: the shape of the dense tensor.

    Raises:
      ValueError: the shapes do not fit each other.
    """

    # What prints it, and errors of conversions, name the class with its module.
    __module__ = "tensorflow.python.framework.sparse_tensor"

    def __init__(self, indices: Any, values: Any, dense_shape: Any):
        with name_scope(None, "SparseTensor", [indices, values, dense_shape]):
            indices = conversion.convert_to_tensor(indices, name="indices", dtype=dtypes.int64)
            values = conversion.convert_to_tensor(values, name="values")
            dense_shape = conversion.convert_to_tensor(
                dense_shape, name="dense_shape", dtype=dtypes.int64
            )
        self._indices = indices
        self._values = values
        self._dense_shape = dense_shape
        count, rank = indices.shape.with_rank(2).dims
        count.merge_with(values.shape.with_rank(1).dims[0])
        rank.merge_with(dense_shape.shape.with_rank(1).dims[0])

    @classmethod
    def from_value(cls, sparse_tensor_value: Any) -> SparseTensor:
        """A SparseTensor of a SparseTensor or SparseTensorValue.

        Raises:
          TypeError: it is neither.
        """
        if not is_sparse(sparse_tensor_value):
            raise TypeError(f"Neither a SparseTensor nor SparseTensorValue: {sparse_tensor_value}.")
        value = sparse_tensor_value
        return SparseTensor(value.indices, value.values, value.dense_shape)

    indices = attribute("_indices", "The int64 matrix that says where each value belongs.")
    values = attribute("_values", "The vector of the values.")
    dense_shape = attribute("_dense_shape", "The int64 vector with the shape of the dense tensor.")
    op = attribute("_values.op", "The operation that computes `values`.")
    dtype: dtypes.DType = attribute("_values.dtype", "The `DType` of the values.")
    graph = attribute("_indices.graph", "The `Graph` that the tensors belong to.")

    @property
    def shape(self) -> TensorShape:
        """The static shape of the dense tensor, as far as it is known."""
        return tensor_util.constant_value_as_shape(self._dense_shape)

    def get_shape(self) -> TensorShape:
        """As `shape`."""
        return self.shape

    def __str__(self) -> str:
        return (
            f"SparseTensor(indices={self._indices!s}, values={self._values!s}, "
            f"dense_shape={self._dense_shape!s})"
        )

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value, a `SparseTensorValue`, in `session` (default: the current one)."""
        tensors = [self.indices, self.values, self.dense_shape]
        return SparseTensorValue(
            *eval_using_default_session(tensors, feed_dict, self.graph, session)
        )

    def consumers(self) -> list[Any]:
        """The operations that use one of the tensors."""
        parts = (self._indices, self._values, self._dense_shape)
        recorded = [part for part in parts if not part._is_eager]
        return list(dict.fromkeys(op for part in recorded for op in part.consumers()))

    @staticmethod
    def _override_operator(operator: str, func: Any) -> None:
        if operator not in Tensor.OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        setattr(SparseTensor, operator, func)

    @property
    def _type_spec(self) -> SparseTensorSpec:
        return SparseTensorSpec(self.shape, self.dtype)

    def _shape_invariant_to_type_spec(self, shape: TensorShape) -> SparseTensorSpec:
        # The invariant of a loop variable is the shape of its dense_shape.
        if shape.ndims is not None and shape.ndims != 1:
            raise ValueError("Expected a shape with 1 dimension")
        rank = None if shape.dims is None else shape.dims[0].value
        return SparseTensorSpec(None if rank is None else [None] * rank, self.dtype)


@tf_export("SparseTensorSpec")
class SparseTensorSpec(BatchableTypeSpec):
    """Describes a `tf.SparseTensor`.

    Args:
      shape: the dense shape; None if unknown.
      dtype: the dtype of the values.
    """

    def __init__(self, shape: ShapeLike | None = None, dtype: DTypeLike = dtypes.float32):
        self._shape = as_shape(shape)
        self._dtype = dtypes.as_dtype(dtype)

    @property
    def value_type(self) -> type:
        return SparseTensor

    dtype: dtypes.DType = attribute("_dtype", "The `DType` of the values.")
    shape: TensorShape = attribute("_shape", "The dense shape.")

    def _serialize(self) -> tuple[Any, ...]:
        return self._shape, self._dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        rank = self._shape.ndims
        return [
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], self._dtype),
            TensorSpec([rank], dtypes.int64),
        ]

    def _to_components(self, value: Any) -> list[Any]:
        if isinstance(value, SparseTensorValue):
            value = SparseTensor.from_value(value)
        return [value.indices, value.values, value.dense_shape]

    def _from_components(self, components: Any) -> Any:
        if tf2.keeps_values(components):
            return SparseTensorValue(*components)
        return SparseTensor(*components)

    def _to_legacy_output_types(self) -> Any:
        return self._dtype

    def _to_legacy_output_shapes(self) -> Any:
        return self._shape

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [TensorSpec(None, dtypes.variant)]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        from tf1compat.core import raw_ops

        parts = self._to_components(SparseTensor.from_value(value))
        return [raw_ops.SerializeSparse(*parts, out_type=dtypes.variant)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        from tf1compat.core import raw_ops

        shape = tensor_util.constant_value_as_shape(value.dense_shape)
        if self._shape.merge_with(shape).ndims == 0:
            raise ValueError("Unbatching a sparse tensor is only supported for rank >= 1")
        parts = self._to_components(value)
        return [raw_ops.SerializeManySparse(*parts, out_type=dtypes.variant)]

    def _from_compatible_tensor_list(self, tensor_list: list[Any]) -> Any:
        from tf1compat.core import raw_ops

        result = SparseTensor(*raw_ops.DeserializeSparse(tensor_list[0], self._dtype))
        rank = self._shape.ndims
        result.indices.set_shape([None, rank])
        result.dense_shape.set_shape([rank])
        return result

    def _batch(self, batch_size: int | None) -> SparseTensorSpec:
        return SparseTensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self) -> SparseTensorSpec:
        if self._shape.ndims == 0:
            raise ValueError("Unbatching a tensor is only supported for rank >= 1")
        return SparseTensorSpec(self._shape[1:], self._dtype)

    @classmethod
    def from_value(cls, value: Any) -> SparseTensorSpec:
        """The spec of a SparseTensor or SparseTensorValue.

        Raises:
          TypeError: it is neither.
        """
        if isinstance(value, SparseTensorValue) and isinstance(value.values, np.ndarray):
            return cls(value.dense_shape, value.values.dtype)
        if not is_sparse(value):
            raise TypeError("Expected SparseTensor or SparseTensorValue")
        return SparseTensor.from_value(value)._type_spec


@tf_export("convert_to_tensor_or_sparse_tensor")
def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: DTypeLike | None = None, name: Name = None
) -> Any:
    """Converts `value` to a `Tensor`, unless it is a SparseTensor or SparseTensorValue.

    Args:
      value: either of these, or anything with a registered conversion.
      dtype: the dtype that it must have.
      name: the name of an op made for it.

    Returns:
      A `Tensor` or a `SparseTensor`.

    Raises:
      RuntimeError: a sparse tensor of another dtype.
    """
    if dtype is not None:
        dtype = dtypes.as_dtype(dtype)
    if isinstance(value, SparseTensorValue):
        value = SparseTensor.from_value(value)
    if not isinstance(value, SparseTensor):
        return conversion.convert(value, dtype, name)
    if dtype is not None and not dtype.is_compatible_with(value.dtype):
        raise RuntimeError(f"Sparse dtype: requested = {dtype.name}, actual = {value.dtype.name}")
    return value


def is_sparse(x: Any) -> bool:
    """Whether `x` is a `SparseTensor` or `SparseTensorValue`."""
    return isinstance(x, SparseTensor | SparseTensorValue)
