"""Columns of numbers (a part of TF's `feature_column` of `tf.contrib.layers`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework.experimental import experimental
from tf1compat.api.contrib.layers import bucketization_op
from tf1compat.api.contrib.layers.column_base import (
    _Categorical,
    _FeatureColumn,
    _LinearEmbeddingLookupArguments,
    _reshape_real_valued_tensor,
)
from tf1compat.api.feature_column import feature_column as fc_core
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Collections, TensorLike


class _Numbers(_FeatureColumn):
    """Numbers, which a function may rescale."""

    column_name: Any
    normalizer: Any

    name: str = attribute("column_name", "The column's name.")

    @property
    def key(self) -> str:
        """What is the same for equal columns."""
        return self._key_without_properties(["normalizer"])

    normalizer_fn = attribute("normalizer", "The function that the feature goes through, or None.")

    def _normalized_input_tensor(self, input_tensor: TensorLike) -> Any:
        return input_tensor if self.normalizer is None else self.normalizer(input_tensor)

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the numbers, as float32."""
        tensor = self._normalized_input_tensor(columns_to_tensors[self.name])
        columns_to_tensors[self] = math_ops.cast(tensor, dtypes.float32)


class _RealValuedVarLenColumn(
    _Numbers,
    collections.namedtuple(
        "_RealValuedVarLenColumn",
        ["column_name", "default_value", "dtype", "normalizer", "is_sparse"],
    ),
):
    """See `_real_valued_var_len_column`."""

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        if self.is_sparse:
            return {self.column_name: parsing_ops.VarLenFeature(self.dtype)}
        return {
            self.column_name: parsing_ops.FixedLenSequenceFeature(
                [], self.dtype, allow_missing=True, default_value=self.default_value
            )
        }

    def _normalized_input_tensor(self, input_tensor: Any) -> Any:
        if self.normalizer is None or not self.is_sparse:
            return super()._normalized_input_tensor(input_tensor)
        values = self.normalizer(input_tensor.values)
        return SparseTensor(input_tensor.indices, values, input_tensor.dense_shape)

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        dense = self._to_dense_tensor(input_tensor)
        return _reshape_real_valued_tensor(dense, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: TensorLike) -> Any:
        if not self.is_sparse:
            return input_tensor
        raise ValueError(
            f"Set is_sparse to False if you want a dense Tensor for column_name: {self.name}"
        )


@experimental
def _real_valued_var_len_column(
    column_name: Any, default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer: Any = None, is_sparse: bool = False,
) -> Any:  # fmt: skip
    """A column of any number of numbers an example.

    Args:
      column_name: the feature's key.
      default_value: what short examples are padded with, if the feature is dense.
      dtype: of the feature.
      normalizer: a function that the feature goes through, or None.
      is_sparse: whether the feature is sparse.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise TypeError(
            f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}"
        )
    if default_value is None and not is_sparse:
        raise ValueError(
            "default_value must be provided when is_sparse=False to parse a padded Tensor. "
            f"column_name: {column_name}"
        )
    if isinstance(default_value, list):
        raise ValueError(
            f"Only scalar default value. default_value: {default_value}, column_name: {column_name}"
        )
    if default_value is not None:
        default_value = int(default_value) if dtype.is_integer else float(default_value)
    return _RealValuedVarLenColumn(column_name, default_value, dtype, normalizer, is_sparse)


class _RealValuedColumn(
    _Numbers, fc_core._DenseColumn,
    collections.namedtuple(
        "_RealValuedColumn", ["column_name", "dimension", "default_value", "dtype", "normalizer"]
    ),
):  # fmt: skip
    """See `real_valued_column`."""

    def __new__(
        cls, column_name: Any, dimension: Any, default_value: Any, dtype: Any, normalizer: Any
    ):
        if default_value is not None:
            default_value = tuple(default_value)
        return super().__new__(cls, column_name, dimension, default_value, dtype, normalizer)

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        default = None if self.default_value is None else list(self.default_value)
        feature = parsing_ops.FixedLenFeature([self.dimension], self.dtype, default)
        return {self.column_name: feature}

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        if input_tensor.dtype != dtypes.float32:
            input_tensor = math_ops.cast(input_tensor, dtypes.float32)
        return _reshape_real_valued_tensor(input_tensor, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: TensorLike) -> Any:
        return input_tensor

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        return inputs.get(self)

    def _transform_feature(self, inputs: Any) -> Tensor:
        tensor = self._normalized_input_tensor(inputs.get(self.name))
        return math_ops.cast(tensor, dtypes.float32)


class _BucketizedColumn(
    _Categorical, fc_core._CategoricalColumn, fc_core._DenseColumn,
    collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"]),
):  # fmt: skip
    """See `bucketized_column`."""

    def __new__(cls, source_column: Any, boundaries: Any):
        if not isinstance(source_column, _RealValuedColumn):
            raise TypeError(
                "source_column must be an instance of _RealValuedColumn. source_column: "
                f"{source_column}"
            )
        if source_column.dimension is None:
            raise ValueError(
                f"source_column must have a defined dimension. source_column: {source_column}"
            )
        if not isinstance(boundaries, list | tuple) or not boundaries:
            raise ValueError(
                f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}"
            )
        if any(a > b for a, b in zip(boundaries, boundaries[1:], strict=False)):
            raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
        return super().__new__(cls, source_column, tuple(dict.fromkeys(boundaries)))

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """How many buckets a number has."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return self.source_column.config

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        ids = math_ops.cast(input_tensor, dtypes.int64)
        one_hot = array_ops.one_hot(ids, self.length, 1.0, 0.0, name="one_hot")
        return array_ops.reshape(one_hot, [-1, self._num_buckets], name="reshape")

    def to_sparse_tensor(self, input_tensor: TensorLike) -> SparseTensor:
        """The buckets as ids; each of an example's numbers has ids of its own."""
        dimension = self.source_column.dimension
        batch_size = array_ops.shape(input_tensor, name="shape")[0]
        rows = math_ops.range(0, batch_size)
        if dimension > 1:
            repeated = array_ops.tile(
                array_ops.expand_dims(rows, 1, name="expand_dims"), [1, dimension], name="tile"
            )
            rows = array_ops.reshape(repeated, [-1], name="reshape")
            columns = array_ops.tile(math_ops.range(0, dimension), [batch_size], name="tile")
        else:
            columns = array_ops.zeros([batch_size], dtype=dtypes.int32, name="zeros")
        ids = array_ops.reshape(input_tensor, [-1], name="reshape")
        if dimension > 1:
            ids += self.length * columns
        places = array_ops.transpose(array_ops.stack((rows, columns)))
        return SparseTensor(
            math_ops.cast(places, dtypes.int64), ids,
            math_ops.cast(array_ops.stack([batch_size, dimension]), dtypes.int64),
        )  # fmt: skip

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return _LinearEmbeddingLookupArguments(
            input_tensor=self.to_sparse_tensor(input_tensor), weight_tensor=None,
            vocab_size=self._num_buckets, initializer=init_ops.zeros_initializer(),
            combiner="sum",
        )  # fmt: skip

    def _transform_feature(self, inputs: Any) -> Tensor:
        return bucketization_op.bucketize(
            inputs.get(self.source_column), boundaries=list(self.boundaries), name="bucketize"
        )

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the buckets."""
        from tf1compat.api.contrib.layers.id_columns import _LazyBuilderByColumnsToTensor

        inputs = _LazyBuilderByColumnsToTensor(columns_to_tensors)
        columns_to_tensors[self] = self._transform_feature(inputs)

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension

    def id_tensor(self, input_tensor: TensorLike) -> Any:
        """The buckets as ids."""
        return self.to_sparse_tensor(input_tensor)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self._num_buckets])

    def _get_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Tensor:
        return self._to_dnn_input_layer(inputs.get(self), weight_collections, trainable or False)


class DataFrameColumn(
    _FeatureColumn, collections.namedtuple("DataFrameColumn", ["column_name", "series"])
):
    """A column of a `tf.contrib.learn` data frame.

    Args:
      column_name: the column's name.
      series: what the column is built of.
    """

    _parsable = False

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column_name

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return self.series.required_base_features()

    @property
    def key(self) -> str:
        """The name."""
        return self.name

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the series."""
        columns_to_tensors[self] = self.series.build(columns_to_tensors)

    def _to_dnn_input_layer(
        self, input_tensor: Any, weight_collections: Any = None, trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        if input_tensor.dtype != dtypes.float32:
            input_tensor = math_ops.cast(input_tensor, dtypes.float32)
        return _reshape_real_valued_tensor(input_tensor, output_rank, self.name)

    def _to_dense_tensor(self, input_tensor: TensorLike) -> Any:
        return self._to_dnn_input_layer(input_tensor)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, type(self)) and self.__dict__ == other.__dict__

    __hash__ = tuple.__hash__
