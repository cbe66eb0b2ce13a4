"""Columns of ids (a part of TF's `feature_column` of `tf.contrib.layers`)."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.contrib.layers import sparse_feature_cross_op
from tf1compat.api.contrib.layers import sparse_ops as contrib_sparse_ops
from tf1compat.api.contrib.layers.column_base import (
    _Categorical,
    _check_checkpoint,
    _FeatureColumn,
    _get_feature_config,
    _OfIds,
    _path_of,
    _reshape_real_valued_tensor,
)
from tf1compat.api.contrib.layers.number_columns import _BucketizedColumn
from tf1compat.api.contrib.lookup import lookup_ops as lookup
from tf1compat.api.feature_column import feature_column as fc_core
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.text import string_ops
from tf1compat.core import dtypes, nest
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike


class _SparseColumn(
    _Categorical, fc_core._CategoricalColumn,
    collections.namedtuple(
        "_SparseColumn",
        ["column_name", "is_integerized", "bucket_size", "lookup_config", "combiner", "dtype"],
    ),
):  # fmt: skip
    """A column of ids: those of the feature, hashes of it, or places in a vocabulary."""

    def __new__(
        cls, column_name: Any, is_integerized: bool = False, bucket_size: Any = None,
        lookup_config: Any = None, combiner: str = "sum", dtype: Any = dtypes.string,
    ):  # fmt: skip
        name = f"column_name: {column_name}"
        if is_integerized and bucket_size is None:
            raise ValueError(f"bucket_size must be set if is_integerized is True. {name}")
        if is_integerized and not dtype.is_integer:
            raise ValueError(
                f"dtype must be an integer if is_integerized is True. dtype: {dtype}, {name}."
            )
        if dtype != dtypes.string and not dtype.is_integer:
            raise ValueError(f"dtype must be string or integer. dtype: {dtype}, {name}")
        if bucket_size is None and lookup_config is None:
            raise ValueError(f"one of bucket_size or lookup_config must be set. {name}")
        if bucket_size is not None and lookup_config:
            raise ValueError(
                f"one and only one of bucket_size or lookup_config must be set. {name}"
            )
        if bucket_size is not None and bucket_size < 1:
            raise ValueError(f"bucket_size must be at least 1. bucket_size: {bucket_size}, {name}")
        if lookup_config and not isinstance(lookup_config, _SparseIdLookupConfig):
            raise TypeError(
                "lookup_config must be an instance of _SparseIdLookupConfig. Given one is in type "
                f"{type(lookup_config)} for column_name {column_name}"
            )
        if lookup_config and lookup_config.vocabulary_file and lookup_config.vocab_size is None:
            raise ValueError(f"vocab_size must be defined. {name}")
        return super().__new__(
            cls, column_name, is_integerized=is_integerized, bucket_size=bucket_size,
            lookup_config=lookup_config, combiner=combiner, dtype=dtype,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column_name

    @property
    def length(self) -> int:
        """How many ids there are."""
        if self.bucket_size is not None:
            return self.bucket_size
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return {self.column_name: parsing_ops.VarLenFeature(self.dtype)}

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        raise ValueError(
            "SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. "
            f"column: {self}"
        )

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return self._wide_arguments(input_tensor, self.combiner)

    def _get_input_sparse_tensor(self, input_tensor: Any) -> SparseTensor:
        if isinstance(input_tensor, SparseTensor):
            return input_tensor
        ignored = "" if input_tensor.dtype == dtypes.string else -1
        input_tensor = _reshape_real_valued_tensor(input_tensor, 2, self.name)
        return contrib_sparse_ops.dense_to_sparse_tensor(input_tensor, ignore_value=ignored)

    def is_compatible(self, other_column: Any) -> bool:
        """Whether the ids of both may mean the same."""
        if self.lookup_config and other_column.lookup_config:
            return self.lookup_config == other_column.lookup_config
        compatible = self.length == other_column.length and (
            self.dtype == other_column.dtype
            or (self.dtype.is_integer and other_column.dtype.is_integer)
        )
        if compatible:
            logging.warn(
                f"Column {self.name} and {other_column.name} may not have the same vocabulary."
            )
        return compatible

    @abc.abstractmethod
    def _do_transform(self, input_tensor: SparseTensor) -> Any:
        """The ids of a feature's values."""

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the ids."""
        tensor = self._get_input_sparse_tensor(columns_to_tensors[self.name])
        columns_to_tensors[self] = self._do_transform(tensor)

    def _transform_feature(self, inputs: Any) -> Any:
        return self._do_transform(self._get_input_sparse_tensor(inputs.get(self.name)))


class _SparseColumnIntegerized(_SparseColumn):
    """See `sparse_column_with_integerized_feature`."""

    def _do_transform(self, input_tensor: SparseTensor) -> SparseTensor:
        ids = math_ops.mod(input_tensor.values, self.bucket_size, name="mod")
        return SparseTensor(input_tensor.indices, ids, input_tensor.dense_shape)


class _SparseColumnHashed(_SparseColumn):
    """See `sparse_column_with_hash_bucket`."""

    hash_keys: Any

    def __new__(
        cls, column_name: Any, is_integerized: bool = False, bucket_size: Any = None,
        lookup_config: Any = None, combiner: str = "sum", dtype: Any = dtypes.string,
        hash_keys: Any = None,
    ):  # fmt: skip
        if hash_keys is not None:
            if not isinstance(hash_keys, list) or not hash_keys:
                raise ValueError("hash_keys must be a non-empty list.")
            if not all(isinstance(pair, list) and len(pair) == 2 for pair in hash_keys) or not all(
                isinstance(key, int) for key in nest.flatten(hash_keys)
            ):
                raise ValueError("Each element of hash_keys must be a pair of integers.")
        made = super().__new__(
            cls, column_name, is_integerized=is_integerized, bucket_size=bucket_size,
            lookup_config=lookup_config, combiner=combiner, dtype=dtype,
        )  # fmt: skip
        made.hash_keys = hash_keys
        return made

    def _do_transform(self, input_tensor: SparseTensor) -> SparseTensor:
        words = input_tensor.values
        if self.dtype.is_integer:
            words = string_ops.as_string(words)

        def of(ids: TensorLike) -> SparseTensor:
            return SparseTensor(input_tensor.indices, ids, input_tensor.dense_shape)

        if not self.hash_keys:
            size = self.bucket_size
            return of(string_ops.string_to_hash_bucket_fast(words, size, name="lookup"))
        hashes = [
            of(string_ops.string_to_hash_bucket_strong(words, self.bucket_size, key))
            for key in self.hash_keys
        ]
        return sparse_ops.sparse_concat(axis=1, sp_inputs=hashes, name="lookup")


class _SparseColumnKeys(_SparseColumn):
    """See `sparse_column_with_keys`."""

    def _do_transform(self, input_tensor: SparseTensor) -> Any:
        table = lookup.index_table_from_tensor(
            mapping=tuple(self.lookup_config.keys),
            default_value=self.lookup_config.default_value,
            dtype=self.dtype,
            name="lookup",
        )
        return table.lookup(input_tensor)


class _SparseColumnVocabulary(_SparseColumn):
    """See `sparse_column_with_vocabulary_file`."""

    def _do_transform(self, input_tensor: SparseTensor) -> Any:
        if self.dtype.is_integer:
            words = string_ops.as_string(input_tensor.values)
            input_tensor = SparseTensor(input_tensor.indices, words, input_tensor.dense_shape)
        config = self.lookup_config
        table = lookup.index_table_from_file(
            vocabulary_file=config.vocabulary_file, num_oov_buckets=config.num_oov_buckets,
            vocab_size=config.vocab_size, default_value=config.default_value,
            name=f"{self.name}_lookup",
        )  # fmt: skip
        return table.lookup(input_tensor)


class _SparseIdLookupConfig(
    collections.namedtuple(
        "_SparseIdLookupConfig",
        ["vocabulary_file", "keys", "num_oov_buckets", "vocab_size", "default_value"],
    )
):
    """The vocabulary of a column."""

    def __new__(
        cls, vocabulary_file: str | None = None, keys: Any = None, num_oov_buckets: int = 0,
        vocab_size: Any = None, default_value: int = -1,
    ):  # fmt: skip
        return super().__new__(
            cls, vocabulary_file, keys, num_oov_buckets, vocab_size, default_value
        )


class _WeightedSparseColumn(
    _OfIds, _Categorical, fc_core._CategoricalColumn,
    collections.namedtuple(
        "_WeightedSparseColumn", ["sparse_id_column", "weight_column_name", "dtype"]
    ),
):  # fmt: skip
    """See `weighted_sparse_column`."""

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        config = _get_feature_config(self.sparse_id_column)
        config[self.weight_column_name] = parsing_ops.VarLenFeature(self.dtype)
        return config

    @property
    def lookup_config(self) -> Any:
        """The vocabulary."""
        return self.sparse_id_column.lookup_config

    def id_tensor(self, input_tensor: Any) -> Any:
        """The ids."""
        return input_tensor[0]

    def weight_tensor(self, input_tensor: Any) -> Any:
        """The weights."""
        return input_tensor[1]

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        raise ValueError(
            "WeightedSparseColumn is not supported in DNN. Please use embedding_column or "
            f"one_hot_column. column: {self}"
        )

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return self._wide_arguments(input_tensor, self.sparse_id_column.combiner)

    def _do_transform(self, id_tensor: Any, weight_tensor: Any) -> tuple[Any, Any]:
        if not isinstance(weight_tensor, SparseTensor):
            # A dense 0 is no weight.
            weight_tensor = contrib_sparse_ops.dense_to_sparse_tensor(weight_tensor)
        if not self.dtype.is_floating:
            weight_tensor = math_ops.cast(weight_tensor, dtypes.float32)
        return id_tensor, weight_tensor

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the ids and weights."""
        super().insert_transformed_feature(columns_to_tensors)
        weights = columns_to_tensors[self.weight_column_name]
        columns_to_tensors[self] = self._do_transform(columns_to_tensors[self], weights)

    def _transform_feature(self, inputs: Any) -> Any:
        ids = inputs.get(self.sparse_id_column)
        return self._do_transform(ids, inputs.get(self.weight_column_name))

    def is_compatible(self, other_column: Any) -> bool:
        """Whether the ids of both may mean the same."""
        if isinstance(other_column, _WeightedSparseColumn):
            other_column = other_column.sparse_id_column
        return self.sparse_id_column.is_compatible(other_column)


class _CrossedColumn(
    _Categorical, fc_core._CategoricalColumn,
    collections.namedtuple(
        "_CrossedColumn",
        ["columns", "hash_bucket_size", "hash_key", "combiner", "ckpt_to_load_from",
         "tensor_name_in_ckpt"],
    ),
):  # fmt: skip
    """See `crossed_column`."""

    def __new__(
        cls, columns: Any, hash_bucket_size: int, hash_key: Any, combiner: str = "sum",
        ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    ):  # fmt: skip
        for column in columns:
            if not isinstance(column, _SparseColumn | _CrossedColumn | _BucketizedColumn):
                raise TypeError(
                    "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn "
                    f"instances. (column {column} is a {type(column).__name__})"
                )
        if len(columns) < 2:
            raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
        if hash_bucket_size < 2:
            raise ValueError(
                f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}"
            )
        _check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        return super().__new__(
            cls, tuple(sorted(columns, key=lambda c: c.name)), hash_bucket_size, hash_key,
            combiner, ckpt_to_load_from, tensor_name_in_ckpt,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The column's name."""
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        config: dict[str, Any] = {}
        for column in self.columns:
            config.update(_get_feature_config(column))
        return config

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.hash_bucket_size

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        raise ValueError(
            f"CrossedColumn is not supported in DNN. Please use embedding_column. column: {self}"
        )

    def _checkpoint_path(self) -> tuple[Any, Any] | None:
        return _path_of(self)

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return self._wide_arguments(input_tensor, self.combiner)

    def _leaves(self) -> list[Any]:
        """What is crossed, other crosses taken apart."""
        leaves: list[Any] = []
        for column in self.columns:
            is_cross = isinstance(column, _CrossedColumn)
            leaves.extend(column._leaves() if is_cross else [column])
        return leaves

    def _transform_feature(self, inputs: Any) -> SparseTensor:
        tensors = []
        for column in self._leaves():
            if isinstance(column, _SparseColumn):
                # The words themselves.
                tensors.append(inputs.get(column.name))
            elif isinstance(column, _BucketizedColumn):
                tensors.append(column.to_sparse_tensor(inputs.get(column)))
            else:
                tensors.append(inputs.get(column))
        return sparse_feature_cross_op.sparse_feature_cross(
            tensors, hashed_output=True, num_buckets=self.hash_bucket_size,
            hash_key=self.hash_key, name="cross",
        )  # fmt: skip

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the ids."""
        inputs = _LazyBuilderByColumnsToTensor(columns_to_tensors)
        columns_to_tensors[self] = self._transform_feature(inputs)


class _LazyBuilderByColumnsToTensor:
    """{feature or column: value} as what the core's columns read."""

    def __init__(self, columns_to_tensors: dict[Any, Any]):
        self._columns_to_tensors = columns_to_tensors

    def get(self, key: Any) -> Any:
        """A feature, or a column's value.

        Raises:
          TypeError: `key` is neither.
          ValueError: there is no such feature.
        """
        if key in self._columns_to_tensors:
            return self._columns_to_tensors[key]
        if isinstance(key, str):
            raise ValueError(f"features dictionary doesn't contain key ({key})")
        if not isinstance(key, _FeatureColumn):
            raise TypeError(f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}')
        key.insert_transformed_feature(self._columns_to_tensors)
        return self._columns_to_tensors[key]
