"""Dense columns made of ids (a part of TF's `feature_column` of `tf.contrib.layers`)."""

from __future__ import annotations

import collections
import math
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework import checkpoint_utils
from tf1compat.api.contrib.framework import variables as contrib_variables
from tf1compat.api.contrib.layers import embedding_ops
from tf1compat.api.contrib.layers.column_base import (
    _check_checkpoint,
    _DeepEmbeddingLookupArguments,
    _FeatureColumn,
    _OfIds,
    _path_of,
)
from tf1compat.api.contrib.layers.shaping import _inner_flatten
from tf1compat.api.feature_column import feature_column as fc_core
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import resource_variable_ops, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Collections, Initializer, TensorLike


class _OneHotColumn(
    _OfIds, fc_core._DenseColumn, collections.namedtuple("_OneHotColumn", ["sparse_id_column"])
):
    """See `one_hot_column`."""

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length

    def _to_dnn_input_layer(
        self, input_tensor: TensorLike, weight_collections: Collections | None = None,
        trainable: bool = False,
        output_rank: int = 2,
    ) -> Tensor:  # fmt: skip
        ids = _inner_flatten(self.sparse_id_column.id_tensor(input_tensor), output_rank)
        weights = self.sparse_id_column.weight_tensor(input_tensor)
        if weights is not None:
            merged = sparse_ops.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
            # Drops what lies beyond: sparse_merge takes any id.
            merged = sparse_ops.sparse_slice(
                merged, array_ops.zeros_like(merged.dense_shape), merged.dense_shape
            )
            dense = sparse_ops.sparse_tensor_to_dense(merged)
            batch_shape = array_ops.shape(dense)[:-1]
            shape = array_ops.concat([batch_shape, [self.length]], axis=0)
            return array_ops.reshape(dense, shape)
        dense = sparse_ops.sparse_tensor_to_dense(ids, default_value=-1)
        one_hot = array_ops.one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
        return math_ops.reduce_sum(one_hot, axis=[output_rank - 1])

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.length])

    def _get_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        return inputs.get(self)

    def _transform_feature(self, inputs: Any) -> Tensor:
        return self._to_dnn_input_layer(inputs.get(self.sparse_id_column))


class _Embedded(_FeatureColumn):
    """A column of embeddings, as the core's old columns are."""

    dimension: int

    @property
    def key(self) -> str:
        """What is the same for equal columns."""
        return self._key_without_properties(["initializer"])

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Tensor:
        arguments = self._deep_embedding_lookup_arguments(inputs.get(self))
        return _embeddings_from_arguments(self, arguments, weight_collections, trainable)


class _EmbeddingColumn(
    _Embedded, _OfIds, fc_core._DenseColumn,
    collections.namedtuple(
        "_EmbeddingColumn",
        ["sparse_id_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
         "tensor_name_in_ckpt", "shared_embedding_name", "shared_vocab_size", "max_norm",
         "trainable"],
    ),
):  # fmt: skip
    """See `embedding_column`."""

    def __new__(
        cls, sparse_id_column: Any, dimension: int, combiner: str = "mean",
        initializer: Initializer | None = None,
        ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
        shared_embedding_name: Any = None, shared_vocab_size: Any = None, max_norm: Any = None,
        trainable: bool = True,
    ):  # fmt: skip
        if initializer is not None and not callable(initializer):
            raise ValueError(
                "initializer must be callable if specified. Embedding of column_name: "
                f"{sparse_id_column.name}"
            )
        _check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        if initializer is None:
            logging.warn(
                'The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to '
                '"1/sqrt(dimension)" in core implementation (tf.feature_column.embedding_column).'
            )
            stddev = 1 / math.sqrt(sparse_id_column.length)
            initializer = init_ops.truncated_normal_initializer(mean=0.0, stddev=stddev)
        return super().__new__(
            cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from,
            tensor_name_in_ckpt, shared_embedding_name, shared_vocab_size, max_norm, trainable,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The column's name."""
        shared = "" if self.shared_embedding_name is None else "shared_"
        return f"{self.sparse_id_column.name}_{shared}embedding"

    @property
    def length(self) -> int:
        """How many ids there are."""
        shared = self.shared_vocab_size
        return self.sparse_id_column.length if shared is None else shared

    def _deep_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return _DeepEmbeddingLookupArguments(
            input_tensor=self.sparse_id_column.id_tensor(input_tensor),
            weight_tensor=self.sparse_id_column.weight_tensor(input_tensor),
            vocab_size=self.length, dimension=self.dimension, initializer=self.initializer,
            combiner=self.combiner, shared_embedding_name=self.shared_embedding_name,
            hash_key=None, max_norm=self.max_norm, trainable=self.trainable,
        )  # fmt: skip

    def _checkpoint_path(self) -> tuple[Any, Any] | None:
        return _path_of(self)

    def _wide_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        raise ValueError(
            f"Column {self} is not supported in linear models. Please use sparse_column."
        )

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)


class _ScatteredEmbeddingColumn(
    _Embedded, fc_core._DenseColumn,
    collections.namedtuple(
        "_ScatteredEmbeddingColumn",
        ["column_name", "size", "dimension", "hash_key", "combiner", "initializer"],
    ),
):  # fmt: skip
    """See `scattered_embedding_column`."""

    def __new__(
        cls, column_name: Any, size: int, dimension: int, hash_key: Any, combiner: str = "sqrtn",
        initializer: Initializer | None = None,
    ):  # fmt: skip
        if initializer is not None and not callable(initializer):
            raise ValueError(
                f"initializer must be callable if specified. column_name: {column_name}"
            )
        if initializer is None:
            initializer = init_ops.truncated_normal_initializer(mean=0.0, stddev=0.1)
        return super().__new__(cls, column_name, size, dimension, hash_key, combiner, initializer)

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return {self.column_name: parsing_ops.VarLenFeature(dtypes.string)}

    def insert_transformed_feature(self, columns_to_tensors: dict[Any, Any]) -> None:
        """Adds the feature."""
        columns_to_tensors[self] = columns_to_tensors[self.column_name]

    def _deep_embedding_lookup_arguments(self, input_tensor: TensorLike) -> Any:
        return _DeepEmbeddingLookupArguments(
            input_tensor=input_tensor, weight_tensor=None, vocab_size=self.size,
            initializer=self.initializer, combiner=self.combiner, dimension=self.dimension,
            shared_embedding_name=None, hash_key=self.hash_key, max_norm=None, trainable=True,
        )  # fmt: skip

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.column_name)


def _is_variable(v: TensorLike) -> bool:
    return isinstance(v, variables.Variable | resource_variable_ops.ResourceVariable)


def parts_of(variable: Any) -> list[Any]:
    """A variable, or its parts, in a list."""
    return [variable] if _is_variable(variable) else variable._get_variable_list()


def _embeddings_from_arguments(
    column: Any, args: Any, weight_collections: Any, trainable: Any, output_rank: int = 2
) -> Tensor:
    """The embeddings that a column's arguments ask for; makes the table."""
    input_tensor = _inner_flatten(args.input_tensor, output_rank)
    weights = args.weight_tensor
    if weights is not None:
        weights = _inner_flatten(weights, output_rank)

    def table(name: str, shape: list[int]) -> Any:
        return contrib_variables.model_variable(
            name=name, shape=shape, dtype=dtypes.float32, initializer=args.initializer,
            trainable=trainable and args.trainable, collections=weight_collections,
        )  # fmt: skip

    if args.hash_key:
        return embedding_ops.scattered_embedding_lookup_sparse(
            table("weights", [args.vocab_size]), input_tensor, args.dimension,
            hash_key=args.hash_key, combiner=args.combiner, name="lookup",
        )  # fmt: skip
    shape = [args.vocab_size, args.dimension]
    if args.shared_embedding_name is None:
        embeddings = table("weights", shape)
    else:
        graph = ops.get_default_graph()
        key = f"SHARED_EMBEDDING_COLLECTION_{args.shared_embedding_name.upper()}"
        collection = graph.get_collection_ref(key)
        if not collection:
            embeddings = table(args.shared_embedding_name, shape)
            graph.add_to_collection(key, embeddings)
        elif len(collection) > 1:
            raise ValueError(f"Collection {key} can only contain one (partitioned) variable.")
        else:
            embeddings = collection[0]
            if embeddings.get_shape() != shape:
                raise ValueError(
                    f"The embedding variable with name {args.shared_embedding_name} already "
                    "exists, but its shape does not match required embedding shape here. Please "
                    "make sure to use different shared_embedding_name for different shared "
                    "embeddings."
                )
    parts = parts_of(embeddings)
    _maybe_restore_from_checkpoint(column._checkpoint_path(), parts)
    return embedding_ops.safe_embedding_lookup_sparse(
        parts, input_tensor, sparse_weights=weights, combiner=args.combiner,
        name=f"{column.name}weights", max_norm=args.max_norm,
    )  # fmt: skip


def _maybe_restore_from_checkpoint(checkpoint_path: str | None, variable: list[Any]) -> None:
    """Makes a variable, given as the list of its parts, start from a checkpoint."""
    if checkpoint_path is not None:
        path, tensor_name = checkpoint_path
        restored = variable[0] if len(variable) == 1 else variable
        checkpoint_utils.init_from_checkpoint(path, {tensor_name: restored})
