"""The columns of `tf.feature_column` (`tensorflow.python.feature_column.feature_column_v2`).

Each can be read in the new way, with a `FeatureTransformationCache` and a `StateManager`, and in
the old one, as `tf.feature_column.input_layer` does.
"""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.feature_column.column_classes import *  # noqa: F403
from tf1compat.api.feature_column.column_classes import (
    CategoricalColumn,
    DenseColumn,
    FeatureColumn,
    FeatureTransformationCache,
    NewAccess,
    NewCategorical,
    NewDense,
    NewSequence,
    SequenceDenseColumn,
    with_old_methods,
)
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Initializer, ShapeLike

_check_shape = arguments.check_shape
_collect_leaf_level_keys = kinds.leaf_level_keys
_to_sparse_input_and_drop_ignore_values = kinds.to_sparse_input
_verify_static_batch_size_equality = kinds.verify_static_batch_size_equality


# The columns.


@with_old_methods
class NumericColumn(
    kinds.Numeric, NewDense, DenseColumn, fc_old._DenseColumn,
    collections.namedtuple(
        "NumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")
    ),
):  # fmt: skip
    """See `numeric_column`."""


@with_old_methods
class BucketizedColumn(
    kinds.Bucketized, NewDense, NewCategorical, DenseColumn, CategoricalColumn,
    fc_old._DenseColumn, fc_old._CategoricalColumn,
    collections.namedtuple("BucketizedColumn", ("source_column", "boundaries")),
):  # fmt: skip
    """See `bucketized_column`."""

    _parents = ("source_column",)


@with_old_methods
class HashedCategoricalColumn(
    kinds.Hashed, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple("HashedCategoricalColumn", ("key", "hash_bucket_size", "dtype")),
):  # fmt: skip
    """See `categorical_column_with_hash_bucket`."""


@with_old_methods
class VocabularyFileCategoricalColumn(
    kinds.VocabularyFile, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "VocabularyFileCategoricalColumn",
        ("key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"),
    ),
):  # fmt: skip
    """See `categorical_column_with_vocabulary_file`."""


@with_old_methods
class VocabularyListCategoricalColumn(
    kinds.VocabularyList, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "VocabularyListCategoricalColumn",
        ("key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"),
    ),
):  # fmt: skip
    """See `categorical_column_with_vocabulary_list`."""


@with_old_methods
class IdentityCategoricalColumn(
    kinds.Identity, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "IdentityCategoricalColumn", ("key", "number_buckets", "default_value")
    ),
):  # fmt: skip
    """See `categorical_column_with_identity`."""

    _where = staticmethod(gather_ops.where_v2)

    def _buckets(self, access: Any) -> int:
        return self.number_buckets


@with_old_methods
class WeightedCategoricalColumn(
    kinds.Weighted, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype")
    ),
):  # fmt: skip
    """See `weighted_categorical_column`."""

    _parents = ("categorical_column", "weight_feature_key")


@with_old_methods
class CrossedColumn(
    kinds.Crossed, NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple("CrossedColumn", ("keys", "hash_bucket_size", "hash_key")),
):  # fmt: skip
    """See `crossed_column`."""

    @property
    def parents(self) -> list[Any]:
        """The columns and keys that are crossed."""
        return list(self.keys)


@with_old_methods
class IndicatorColumn(
    kinds.Indicator, NewDense, NewSequence, DenseColumn, SequenceDenseColumn,
    fc_old._DenseColumn, fc_old._SequenceDenseColumn,
    collections.namedtuple("IndicatorColumn", "categorical_column"),
):  # fmt: skip
    """See `indicator_column`."""

    _parents = ("categorical_column",)


@with_old_methods
class EmbeddingColumn(
    kinds.Embedding, NewDense, NewSequence, DenseColumn, SequenceDenseColumn,
    fc_old._DenseColumn, fc_old._SequenceDenseColumn,
    collections.namedtuple(
        "EmbeddingColumn",
        ("categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from",
         "tensor_name_in_ckpt", "max_norm", "trainable"),
    ),
):  # fmt: skip
    """See `embedding_column`."""

    _parents = ("categorical_column",)

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape([self.dimension])

    def create_state(self, state_manager: Any) -> None:
        """Makes the table."""
        column = self.categorical_column
        num_buckets = getattr(column, "num_buckets", column._num_buckets)
        state_manager.create_variable(
            self, name="embedding_weights", shape=(num_buckets, self.dimension),
            dtype=dtypes.float32, trainable=self.trainable, use_resource=True,
            initializer=self.initializer,
        )  # fmt: skip

    def _embedded(self, access: Any, ids: Any) -> Tensor:
        if isinstance(access, NewAccess):
            table = access.state_manager.get_variable(self, name="embedding_weights")
        else:
            collections_ = access.weight_collections
            if collections_ and ops.GraphKeys.GLOBAL_VARIABLES not in collections_:
                collections_.append(ops.GraphKeys.GLOBAL_VARIABLES)
            table = variable_scope.get_variable(
                name="embedding_weights",
                shape=(self.categorical_column._num_buckets, self.dimension),
                dtype=dtypes.float32, initializer=self.initializer,
                trainable=self.trainable and access.trainable, collections=collections_,
            )  # fmt: skip
        kinds.start_from_checkpoint(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
        return self._embeddings(ids, table)

    def _dense(self, access: Any) -> Tensor:
        self._refuse_sequence(access)
        return self._embedded(access, access.ids(self.categorical_column))

    def _sequence(self, access: Any) -> Any:
        self._demand_sequence(access, "SequenceCategoricalColumn")
        ids = access.ids(self.categorical_column)
        return self._with_length(self._embedded(access, ids), ids)


def _raise_shared_embedding_column_error(*_: Any, **__: Any) -> Any:
    raise ValueError(
        "SharedEmbeddingColumns are not supported in `linear_model` or `input_layer`. Please use "
        "`DenseFeatures` or `LinearModel` instead."
    )


class SharedEmbeddingColumnCreator:
    """Makes embedding columns that share a table.

    Args:
      dimension: of the embeddings.
      initializer: of the table.
      ckpt_to_load_from, tensor_name_in_ckpt: what the table starts from, or None.
      num_buckets: how many ids there are.
      trainable: whether the table is; it is by None, too.
      name: the table's name.
    """

    def __init__(
        self, dimension: int, initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any,
        num_buckets: int, trainable: bool | None, name: str = "shared_embedding_column_creator",
    ):  # fmt: skip
        self._dimension = dimension
        self._initializer = initializer
        self._ckpt_to_load_from = ckpt_to_load_from
        self._tensor_name_in_ckpt = tensor_name_in_ckpt
        self._num_buckets = num_buckets
        self._trainable = trainable
        self._name = name
        self._embedding_weights: dict[Any, Any] = {}  # One of each graph.

    def __call__(self, categorical_column: Any, combiner: str, max_norm: Any) -> Any:
        return SharedEmbeddingColumn(categorical_column, self, combiner, max_norm)

    @property
    def embedding_weights(self) -> Any:
        """The table in the default graph."""
        key = ops.get_default_graph()._graph_key
        if key not in self._embedding_weights:
            table = variable_scope.get_variable(
                name=self._name, shape=(self._num_buckets, self._dimension), dtype=dtypes.float32,
                initializer=self._initializer, trainable=self._trainable,
            )  # fmt: skip
            kinds.start_from_checkpoint(table, self._ckpt_to_load_from, self._tensor_name_in_ckpt)
            self._embedding_weights[key] = table
        return self._embedding_weights[key]

    @property
    def dimension(self) -> int:
        """The size of the embeddings."""
        return self._dimension


class SharedEmbeddingColumn(
    kinds.Embedding, NewDense, NewSequence, DenseColumn, SequenceDenseColumn,
    fc_old._DenseColumn, fc_old._SequenceDenseColumn,
    collections.namedtuple(
        "SharedEmbeddingColumn",
        ("categorical_column", "shared_embedding_column_creator", "combiner", "max_norm"),
    ),
):  # fmt: skip
    """See `shared_embedding_columns_v2`."""

    _parents = ("categorical_column",)

    @property
    def _is_v2_column(self) -> bool:
        return True

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.categorical_column.name}_shared_embedding"

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape([self.shared_embedding_column_creator.dimension])

    def _embedded(self, access: Any) -> Tensor:
        with ops.name_scope(None, default_name=self.name):
            ids = access.ids(self.categorical_column)
            return self._embeddings(ids, self.shared_embedding_column_creator.embedding_weights)

    def _dense(self, access: Any) -> Tensor:
        self._refuse_sequence(access)
        return self._embedded(access)

    def _sequence(self, access: Any) -> Any:
        self._demand_sequence(access, "SequenceCategoricalColumn")
        dense = self._embedded(access)
        return self._with_length(dense, access.ids(self.categorical_column))

    _parse_example_spec = _variable_shape = property(_raise_shared_embedding_column_error)
    _transform_feature = _raise_shared_embedding_column_error
    _get_dense_tensor = _get_sequence_dense_tensor = _raise_shared_embedding_column_error

    def _get_config(self) -> dict[str, Any]:
        raise NotImplementedError

    @classmethod
    def _from_config(
        cls,
        config: dict[str, Any],
        custom_objects: dict[str, Any] | None = None,
        columns_by_name: Any = None,
    ) -> Any:
        raise NotImplementedError


@with_old_methods
class SequenceCategoricalColumn(
    NewCategorical, CategoricalColumn, fc_old._SequenceCategoricalColumn,
    collections.namedtuple("SequenceCategoricalColumn", "categorical_column"),
):  # fmt: skip
    """A categorical column read as a sequence."""

    name = kinds.Sequence.name  # pyright: ignore[reportAssignmentType]

    _parents = ("categorical_column",)


NewAccess.sequence_class = SequenceCategoricalColumn


def _normalize_feature_columns(feature_columns: Any) -> list[Any]:
    """The columns, ordered by their names."""
    columns = kinds.normalized_columns(feature_columns, FeatureColumn)
    return sorted(columns, key=lambda c: c.name)


def _transform_features_v2(
    features: Any, feature_columns: Any, state_manager: Any
) -> dict[Any, Any]:
    """{column: its value}."""
    feature_columns = _normalize_feature_columns(feature_columns)
    outputs = {}
    with ops.name_scope(None, default_name="transform_features", values=features.values()):
        cache = FeatureTransformationCache(features)
        for column in feature_columns:
            with ops.name_scope(None, default_name=column.name):
                outputs[column] = cache.get(column, state_manager)
    return outputs


# Functions that make them.


@tf_export("compat.v2.feature_column.make_parse_example_spec")
def make_parse_example_spec_v2(feature_columns: Any) -> dict[str, Any]:
    """As `tf.feature_column.make_parse_example_spec`, for new columns.

    Args:
      feature_columns: columns of `tf.feature_column`.

    Returns:
      {key: a `FixedLenFeature` or `VarLenFeature`}.
    """
    return kinds.parse_example_spec(feature_columns, FeatureColumn, NewAccess().spec)


@tf_export("feature_column.numeric_column")
def numeric_column(
    key: Any, shape: ShapeLike = (1,), default_value: Any = None, dtype: DTypeLike = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """A column of numbers.

    Args:
      key: the feature's key.
      shape: the shape of an example's numbers.
      default_value: what an example has that lacks the feature: a number, numbers of that shape,
        or None if it must not.
      dtype: of the feature; the column itself is of float32.
      normalizer_fn: a function that the feature goes through, or None.

    Returns:
      A dense column.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    return arguments.numeric(NumericColumn, key, shape, default_value, dtype, normalizer_fn)


@tf_export("feature_column.bucketized_column")
def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """A column that says between which boundaries numbers lie.

    Args:
      source_column: a numeric column of one dimension.
      boundaries: a list of numbers that grow; n of them make n + 1 buckets.

    Returns:
      A column that is dense (one-hot) and categorical.

    Raises:
      ValueError: an argument is wrong.
    """
    arguments.check_source(source_column, (NumericColumn, fc_old._NumericColumn))
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    arguments.check_boundaries(boundaries)
    return BucketizedColumn(source_column, tuple(boundaries))


@tf_export("feature_column.categorical_column_with_hash_bucket")
def categorical_column_with_hash_bucket(
    key: Any, hash_bucket_size: Any, dtype: Any = dtypes.string
) -> Any:
    """A column whose ids are hashes of words.

    Args:
      key: the feature's key.
      hash_bucket_size: how many ids there are.
      dtype: of the feature: string or an integer one.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: an argument is wrong.
    """
    return arguments.hashed(HashedCategoricalColumn, key, hash_bucket_size, dtype)


@tf_export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(
    key: Any, vocabulary_file: str, vocabulary_size: Any = None, num_oov_buckets: Any = 0,
    default_value: Any = None, dtype: DTypeLike = dtypes.string,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a file.

    Args:
      key: the feature's key.
      vocabulary_file: the file, one word a line.
      vocabulary_size: how many of its words count; all by default.
      num_oov_buckets: how many ids, after those, other words are hashed to.
      default_value: the id of other words if there are none such; -1 by default.
      dtype: of the feature: string or an integer one.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: an argument is wrong, or there is no such file.
    """
    return categorical_column_with_vocabulary_file_v2(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


@tf_export("compat.v2.feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file_v2(
    key: Any, vocabulary_file: str, vocabulary_size: Any = None, dtype: Any = dtypes.string,
    default_value: Any = None, num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """As `categorical_column_with_vocabulary_file`.

    Args:
      key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets: as in
        `categorical_column_with_vocabulary_file`.

    Returns:
      As `categorical_column_with_vocabulary_file`.
    """
    return arguments.vocabulary_file(
        VocabularyFileCategoricalColumn, key, vocabulary_file, vocabulary_size, num_oov_buckets,
        default_value, dtype,
    )  # fmt: skip


@tf_export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: Any = -1,
    num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a list.

    Args:
      key: the feature's key.
      vocabulary_list: words or integers.
      dtype: of the feature; that of the list by default.
      default_value: the id of what isn't in the list.
      num_oov_buckets: how many ids, after those of the list, other words are hashed to.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: an argument is wrong.
    """
    return arguments.vocabulary_list(
        VocabularyListCategoricalColumn, key, vocabulary_list, dtype, default_value,
        num_oov_buckets,
    )  # fmt: skip


@tf_export("feature_column.categorical_column_with_identity")
def categorical_column_with_identity(key: Any, num_buckets: Any, default_value: Any = None) -> Any:
    """A column of ids as they are.

    Args:
      key: the feature's key.
      num_buckets: how many ids there are.
      default_value: the id of what lies outside; by default that is an error when it is run.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: an argument is wrong.
    """
    arguments.check_identity(key, num_buckets, default_value)
    return IdentityCategoricalColumn(
        key=key, number_buckets=num_buckets, default_value=default_value
    )


@tf_export("feature_column.indicator_column")
def indicator_column(categorical_column: Any) -> Any:
    """A dense column that says how often each id occurs.

    Args:
      categorical_column: the column of ids.

    Returns:
      A `DenseColumn`.
    """
    return IndicatorColumn(categorical_column)


@tf_export("feature_column.weighted_categorical_column")
def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: Any, dtype: DTypeLike = dtypes.float32
) -> Any:
    """A categorical column whose ids have weights.

    Args:
      categorical_column: the column of ids.
      weight_feature_key: the feature of weights.
      dtype: of the weights: integers or floats.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: another dtype.
    """
    return arguments.weighted(
        WeightedCategoricalColumn, categorical_column, weight_feature_key, dtype
    )


@tf_export("feature_column.crossed_column")
def crossed_column(keys: Any, hash_bucket_size: Any, hash_key: Any = None) -> Any:
    """A column whose ids are hashes of combinations.

    Args:
      keys: keys of features, and categorical columns that are no hashes.
      hash_bucket_size: how many ids there are.
      hash_key: what the hashes are combined with.

    Returns:
      A `CategoricalColumn`.

    Raises:
      ValueError: an argument is wrong.
    """
    return arguments.crossed(
        CrossedColumn, keys, hash_bucket_size, hash_key,
        (CategoricalColumn, fc_old._CategoricalColumn),
        (HashedCategoricalColumn, fc_old._HashedCategoricalColumn),
    )  # fmt: skip


@tf_export("feature_column.embedding_column")
def embedding_column(
    categorical_column: Any, dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: Any = None,
    trainable: bool = True,
) -> Any:  # fmt: skip
    """A dense column of the vectors of ids, combined.

    Args:
      categorical_column: the column of ids.
      dimension: the vectors' size.
      combiner: "mean", "sqrtn" or "sum": how those of an example are combined.
      initializer: of the table; a truncated normal of deviation 1 / sqrt(dimension) by default.
      ckpt_to_load_from, tensor_name_in_ckpt: what the table starts from instead.
      max_norm: scale vectors down to this l2 norm.
      trainable: whether the table is.

    Returns:
      A `DenseColumn`.

    Raises:
      ValueError: an argument is wrong.
    """
    initializer = arguments.embedding_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        lambda: f" Embedding of column_name: {categorical_column.name}",
    )  # fmt: skip
    return EmbeddingColumn(
        categorical_column=categorical_column, dimension=dimension, combiner=combiner,
        initializer=initializer, ckpt_to_load_from=ckpt_to_load_from,
        tensor_name_in_ckpt=tensor_name_in_ckpt, max_norm=max_norm, trainable=trainable,
    )  # fmt: skip


def _refuse_eager() -> None:
    if context.executing_eagerly():
        raise RuntimeError(
            "shared_embedding_columns are not supported when eager execution is enabled."
        )


@tf_export("feature_column.shared_embedding_columns")
def shared_embedding_columns(
    categorical_columns: Any, dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None,
    shared_embedding_collection_name: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """Embedding columns that share a table.

    Args:
      categorical_columns: columns of ids, of one kind and size.
      dimension, combiner, initializer: see `embedding_column`.
      shared_embedding_collection_name: the collection and the scope of the table; by default made
        of the columns' names.
      ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: see `embedding_column`.

    Returns:
      A dense column for each.

    Raises:
      ValueError: an argument is wrong.
      RuntimeError: eagerly.
    """
    _refuse_eager()
    initializer = arguments.embedding_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt
    )
    ordered = sorted(categorical_columns, key=lambda c: c.name)
    arguments.check_shared(
        ordered, lambda c: c._num_buckets, fc_old._CategoricalColumn,
        (fc_old._WeightedCategoricalColumn, WeightedCategoricalColumn), kinds.tf_type,
    )  # fmt: skip
    name = arguments.shared_name(ordered, shared_embedding_collection_name)
    return [
        fc_old._SharedEmbeddingColumn(
            categorical_column=column,
            initializer=initializer,
            dimension=dimension,
            combiner=combiner,
            shared_embedding_collection_name=name,
            ckpt_to_load_from=ckpt_to_load_from,
            tensor_name_in_ckpt=tensor_name_in_ckpt,
            max_norm=max_norm,
            trainable=trainable,
        )
        for column in categorical_columns
    ]


@tf_export("compat.v2.feature_column.shared_embeddings")
def shared_embedding_columns_v2(
    categorical_columns: Any, dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None,
    shared_embedding_collection_name: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """As `shared_embedding_columns`, for layers; the columns themselves keep the table.

    Args:
      categorical_columns, dimension, combiner, initializer, shared_embedding_collection_name,
        ckpt_to_load_from, tensor_name_in_ckpt, max_norm, trainable: as in
        `shared_embedding_columns`.

    Returns:
      As `shared_embedding_columns`.
    """
    _refuse_eager()
    initializer = arguments.embedding_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt
    )
    ordered = sorted(categorical_columns, key=lambda c: c.name)
    arguments.check_shared(
        ordered, lambda c: c.num_buckets, CategoricalColumn, WeightedCategoricalColumn,
        kinds.tf_type,
    )  # fmt: skip
    name = arguments.shared_name(ordered, shared_embedding_collection_name)
    creator = SharedEmbeddingColumnCreator(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, ordered[0].num_buckets,
        trainable, name,
    )  # fmt: skip
    return [creator(column, combiner, max_norm) for column in categorical_columns]
