"""What the columns of `tf.contrib.layers` have in common."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers.shaping import _inner_flatten
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, TensorLike

# What a linear model, and what a net, needs to look an embedding up.
_LinearEmbeddingLookupArguments = collections.namedtuple(
    "_LinearEmbeddingLookupArguments",
    ["input_tensor", "weight_tensor", "vocab_size", "initializer", "combiner"],
)
_DeepEmbeddingLookupArguments = collections.namedtuple(
    "_DeepEmbeddingLookupArguments",
    ["input_tensor", "weight_tensor", "vocab_size", "initializer", "combiner", "dimension",
     "shared_embedding_name", "hash_key", "max_norm", "trainable"],
)  # fmt: skip


class _FeatureColumn(abc.ABC):
    """A column."""

    _parsable = True  # Whether specs for parsing can be made of it.

    _fields: tuple[str, ...]

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The column's name."""

    @property
    @abc.abstractmethod
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""

    @property
    def key(self) -> str:
        """What is the same for equal columns."""
        return str(self)

    @abc.abstractmethod
    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the column's value to {feature or column: value}."""

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = True,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        raise ValueError("Calling an abstract method.")

    def _deep_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def _to_dense_tensor(self, input_tensor: TensorLike) -> Any:
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    def _checkpoint_path(self) -> tuple[Any, Any] | None:
        """The checkpoint and the tensor that the column's variable starts from."""
        return None

    def _key_without_properties(self: Any, properties: list[str]) -> str:
        fields = ", ".join(
            f"{name}={value}"
            for name, value in zip(self._fields, self, strict=True)
            if name not in properties
        )
        return f"{type(self).__name__}({fields})"

    _parse_example_spec: dict[str, Any] = attribute("config")


class _Categorical(_FeatureColumn):
    """A column of ids, as the core's old columns are."""

    length: Any
    IdWeightPair: Any

    def id_tensor(self, input_tensor: TensorLike) -> Any:
        """The ids in the column's value."""
        return input_tensor

    def weight_tensor(self, input_tensor: TensorLike) -> Any:
        """The weights in the column's value; None if it has none."""
        return None

    _num_buckets: int = attribute("length")

    def _get_sparse_tensors(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        value = inputs.get(self)
        return self.IdWeightPair(self.id_tensor(value), self.weight_tensor(value))

    def _wide_arguments(self, input_tensor: TensorLike, combiner: str) -> Any:
        return _LinearEmbeddingLookupArguments(
            input_tensor=self.id_tensor(input_tensor),
            weight_tensor=self.weight_tensor(input_tensor),
            vocab_size=self.length,
            initializer=init_ops.zeros_initializer(),
            combiner=combiner,
        )


class _OfIds(_FeatureColumn):
    """A column that is made of a column of ids."""

    sparse_id_column: Any

    @property
    def config(self) -> dict[str, Any]:
        """That of the ids."""
        return _get_feature_config(self.sparse_id_column)

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the ids."""
        if self.sparse_id_column not in columns_to_tensors:
            self.sparse_id_column.insert_transformed_feature(columns_to_tensors)
        columns_to_tensors[self] = columns_to_tensors[self.sparse_id_column]


def _get_feature_config(feature_column: Any) -> dict[str, Any]:
    """{key: how to parse that feature} of a column."""
    if not isinstance(feature_column, _FeatureColumn):
        raise TypeError(
            "feature_columns should only contain instances of _FeatureColumn. Given column is "
            f"{feature_column}"
        )
    if not feature_column._parsable:
        raise TypeError(f"Not supported _FeatureColumn type. Given column is {feature_column}")
    return feature_column.config


def _reshape_real_valued_tensor(
    input_tensor: Tensor, output_rank: int, column_name: Any = None
) -> Tensor:
    """A tensor of numbers with the given rank."""
    rank = input_tensor.get_shape().ndims
    if rank is not None:
        if output_rank > rank + 1:
            where = "" if column_name is None else f"Error while processing column {column_name}."
            raise ValueError(
                f"{where}Rank of input Tensor ({rank}) should be the same as output_rank "
                f"({output_rank}). For example, sequence data should typically be 3 dimensional "
                "(rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
            )
        if output_rank == rank + 1:
            logging.warning(
                f"Rank of input Tensor ({rank}) should be the same as output_rank ({output_rank}) "
                "for column. Will attempt to expand dims. It is highly recommended that you resize "
                "your input, as this behavior may change."
            )
            return array_ops.expand_dims(input_tensor, -1, name="expand_dims")
        if output_rank == rank:
            return input_tensor
    return _inner_flatten(input_tensor, output_rank)


def _check_checkpoint(ckpt_to_load_from: Any, tensor_name_in_ckpt: Any) -> None:
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )


def _path_of(column: Any) -> tuple[Any, Any] | None:
    if column.ckpt_to_load_from is None:
        return None
    return column.ckpt_to_load_from, column.tensor_name_in_ckpt
