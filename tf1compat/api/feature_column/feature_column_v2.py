"""The columns of `tf.feature_column` (`tensorflow.python.feature_column.feature_column_v2`).

Each can be read in the new way, with a `FeatureTransformationCache` and a `StateManager`, and in
the old one, as `tf.feature_column.input_layer` does.
"""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.api.array import gather_ops
from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as fc_old
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape

_FEATURE_COLUMN_DEPRECATION_DATE = None
_FEATURE_COLUMN_DEPRECATION = (
    "The old _FeatureColumn APIs are being deprecated. Please use the new FeatureColumn APIs "
    "instead."
)

_check_shape = arguments.check_shape
_collect_leaf_level_keys = kinds.leaf_level_keys
_to_sparse_input_and_drop_ignore_values = kinds.to_sparse_input
_verify_static_batch_size_equality = kinds.verify_static_batch_size_equality


class StateManager:
    """Keeps the variables and resources of columns."""

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None,
        trainable: bool = True, use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """Makes a variable of a column.

        Args:
          feature_column: the column.
          name: the variable's name, which the column knows it by.
          shape, dtype, trainable, use_resource, initializer: see `tf.get_variable`.
        """
        raise NotImplementedError("StateManager.create_variable")

    def add_variable(self, feature_column: Any, var: Any) -> None:
        """Keeps a variable that is there already."""
        raise NotImplementedError("StateManager.add_variable")

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """A column's variable."""
        raise NotImplementedError("StateManager.get_var")

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keeps something else of a column's, e.g. a table."""
        raise NotImplementedError("StateManager.add_resource")

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """A column's resource."""
        raise NotImplementedError("StateManager.get_resource")


# What a column is.


class FeatureColumn(abc.ABC):
    """Something that is made of features."""

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The column's name, unique among those of a model."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    @abc.abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The column's value, made of what the cache has of features and other columns."""

    @property
    @abc.abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""

    def create_state(self, state_manager: Any) -> None:
        """Makes the column's variables; most have none."""
        return

    @property
    @abc.abstractmethod
    def _is_v2_column(self) -> bool:
        """Whether the column and those that it is made of are new ones."""

    @property
    @abc.abstractmethod
    def parents(self) -> list[Any]:
        """The columns and keys that it is made of."""

    @abc.abstractmethod
    def _get_config(self) -> dict[str, Any]:
        """The column as plain data."""

    @classmethod
    def _from_config(
        cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None
    ) -> Any:
        """A column from what `_get_config` gave."""
        return None


class DenseColumn(FeatureColumn):
    """A column that is a dense tensor [batch, *variable_shape]."""

    @property
    @abc.abstractmethod
    def variable_shape(self) -> TensorShape:
        """The shape without the batch."""

    @abc.abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor."""


class CategoricalColumn(FeatureColumn):
    """A column of ids below a known number."""

    IdWeightPair = collections.namedtuple("IdWeightPair", ("id_tensor", "weight_tensor"))

    @property
    @abc.abstractmethod
    def num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Any:
        """An `IdWeightPair`: ids, and weights or None."""


class SequenceDenseColumn(FeatureColumn):
    """A column that is a sequence of dense tensors."""

    TensorSequenceLengthPair = collections.namedtuple(
        "TensorSequenceLengthPair", ("dense_tensor", "sequence_length")
    )

    @abc.abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Any:
        """A `TensorSequenceLengthPair`: [batch, time, *variable_shape] and [batch]."""


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all are new columns, made of new ones."""
    return all(isinstance(c, FeatureColumn) and c._is_v2_column for c in feature_columns)


class FeatureTransformationCache(kinds.Features):
    """Features by key, and the values of columns, each made when it is first asked for.

    Args:
      features: {key: a tensor or SparseTensor}.
    """

    _column_class = FeatureColumn

    def get(self, key: Any, state_manager: Any) -> Any:
        """The value of a feature (a matrix at least) or of a column.

        Raises:
          TypeError: `key` is neither.
          ValueError: there is no such feature, or it is a scalar.
        """
        return self._get(key, lambda column: column.transform_feature(self, state_manager))


class NewAccess:
    """How columns use each other in the new way; see `column_kinds`.

    Args:
      cache: a `FeatureTransformationCache`.
      state_manager: a `StateManager`.
    """

    # Set below.
    sequence_class: Any
    categorical_classes = (CategoricalColumn, fc_old._CategoricalColumn)

    def __init__(self, cache: Any = None, state_manager: Any = None):
        self._cache, self.state_manager = cache, state_manager

    def get(self, key: Any) -> Any:
        """A feature, or a column's value."""
        return self._cache.get(key, self.state_manager)

    def transform(self, column: Any) -> Any:
        """A column's value, made anew."""
        return column.transform_feature(self._cache, self.state_manager)

    def ids(self, column: Any) -> Any:
        """A categorical column's ids and weights."""
        return column.get_sparse_tensors(self._cache, self.state_manager)

    def spec(self, column: Any) -> dict[str, Any]:
        """What a column parses."""
        is_new = isinstance(column, FeatureColumn)
        return column.parse_example_spec if is_new else column._parse_example_spec

    def buckets(self, column: Any) -> int:
        """How many ids a categorical column has."""
        is_new = isinstance(column, FeatureColumn)
        return getattr(column, "num_buckets" if is_new else "_num_buckets")

    def keep(self, column: Any, name: str, resource: Any) -> None:
        """Keeps a table of a column's."""
        if self.state_manager is not None:
            self.state_manager.add_resource(column, name, resource)


class _New:
    """The new methods of columns, made of what `column_kinds` says."""

    _parents: tuple[str, ...] = ("key",)  # The fields that are columns or keys.
    _fields: tuple[str, ...]

    @property
    def parse_example_spec(self: Any) -> dict[str, Any]:
        """{key: how to parse that feature}."""
        return self._spec(NewAccess())

    def transform_feature(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """The column's value."""
        return self._value(NewAccess(transformation_cache, state_manager))

    @property
    def parents(self) -> list[Any]:
        """The columns and keys that it is made of."""
        return [getattr(self, field) for field in self._parents]

    @property
    def _is_v2_column(self) -> bool:
        return is_feature_column_v2(p for p in self.parents if not isinstance(p, str))

    def _get_config(self: Any) -> dict[str, Any]:
        from tf1compat.api.feature_column import serialization

        return {
            field: serialization.plain_field(field, value)
            for field, value in zip(self._fields, self, strict=True)
        }

    @classmethod
    def _from_config(
        cls: Any, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None
    ) -> Any:
        from tf1compat.api.feature_column import serialization

        _check_config_keys(config, cls._fields)
        return cls(**{
            field: serialization.field(field, value, custom_objects, columns_by_name)
            for field, value in _standardize_and_copy_config(config).items()
        })  # fmt: skip


class _NewDense(_New):
    @property
    def variable_shape(self: Any) -> TensorShape:
        """The shape without the batch."""
        return self._dense_shape(NewAccess())

    def get_dense_tensor(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """The tensor, [batch, *variable_shape]."""
        return self._dense(NewAccess(transformation_cache, state_manager))


class _NewCategorical(_New):
    @property
    def num_buckets(self: Any) -> int:
        """How many ids there are."""
        return self._buckets(NewAccess())

    def get_sparse_tensors(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """Ids, and weights or None."""
        return self._ids(NewAccess(transformation_cache, state_manager))


class _NewSequence(_New):
    def get_sequence_dense_tensor(self: Any, transformation_cache: Any, state_manager: Any) -> Any:
        """A dense tensor and the lengths of sequences."""
        return self._sequence(NewAccess(transformation_cache, state_manager))


_OLD_METHODS = {
    name: value
    for methods in (
        fc_old._Old, fc_old._OldDense, fc_old._OldCategorical, fc_old._OldSequence,
    )
    for name, value in vars(methods).items()
    if name in fc_old._DenseColumn.__abstractmethods__
    or name in fc_old._CategoricalColumn.__abstractmethods__
    or name in fc_old._SequenceDenseColumn.__abstractmethods__
}  # fmt: skip


def _with_old_methods(cls: Any) -> Any:
    """Gives a class those methods of old columns that it lacks; they say that they are old."""
    missing = [name for name in _OLD_METHODS if name in cls.__abstractmethods__]
    if issubclass(cls, fc_old._SequenceCategoricalColumn):
        missing = [name for name in _OLD_METHODS if hasattr(cls, name)]
    for name in missing:
        method = _OLD_METHODS[name]
        is_property = isinstance(method, property)
        old = method.fget if is_property else method

        def call(self: Any, *args: Any, _old: Any = old, **kwargs: Any) -> Any:
            return _old(self, *args, **kwargs)

        call.__name__, call.__qualname__ = name, f"{cls.__name__}.{name}"
        call = deprecated(_FEATURE_COLUMN_DEPRECATION_DATE, _FEATURE_COLUMN_DEPRECATION)(call)
        setattr(cls, name, property(call) if is_property else call)
    return abc.update_abstractmethods(cls)


# The columns.


@_with_old_methods
class NumericColumn(
    kinds.Numeric, _NewDense, DenseColumn, fc_old._DenseColumn,
    collections.namedtuple(
        "NumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")
    ),
):  # fmt: skip
    """See `numeric_column`."""


@_with_old_methods
class BucketizedColumn(
    kinds.Bucketized, _NewDense, _NewCategorical, DenseColumn, CategoricalColumn,
    fc_old._DenseColumn, fc_old._CategoricalColumn,
    collections.namedtuple("BucketizedColumn", ("source_column", "boundaries")),
):  # fmt: skip
    """See `bucketized_column`."""

    _parents = ("source_column",)


@_with_old_methods
class HashedCategoricalColumn(
    kinds.Hashed, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple("HashedCategoricalColumn", ("key", "hash_bucket_size", "dtype")),
):  # fmt: skip
    """See `categorical_column_with_hash_bucket`."""


@_with_old_methods
class VocabularyFileCategoricalColumn(
    kinds.VocabularyFile, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "VocabularyFileCategoricalColumn",
        ("key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"),
    ),
):  # fmt: skip
    """See `categorical_column_with_vocabulary_file`."""


@_with_old_methods
class VocabularyListCategoricalColumn(
    kinds.VocabularyList, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "VocabularyListCategoricalColumn",
        ("key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"),
    ),
):  # fmt: skip
    """See `categorical_column_with_vocabulary_list`."""


@_with_old_methods
class IdentityCategoricalColumn(
    kinds.Identity, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "IdentityCategoricalColumn", ("key", "number_buckets", "default_value")
    ),
):  # fmt: skip
    """See `categorical_column_with_identity`."""

    _where = staticmethod(gather_ops.where_v2)

    def _buckets(self, access: Any) -> int:
        return self.number_buckets


@_with_old_methods
class WeightedCategoricalColumn(
    kinds.Weighted, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple(
        "WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype")
    ),
):  # fmt: skip
    """See `weighted_categorical_column`."""

    _parents = ("categorical_column", "weight_feature_key")


@_with_old_methods
class CrossedColumn(
    kinds.Crossed, _NewCategorical, CategoricalColumn, fc_old._CategoricalColumn,
    collections.namedtuple("CrossedColumn", ("keys", "hash_bucket_size", "hash_key")),
):  # fmt: skip
    """See `crossed_column`."""

    @property
    def parents(self) -> list[Any]:
        """The columns and keys that are crossed."""
        return list(self.keys)


@_with_old_methods
class IndicatorColumn(
    kinds.Indicator, _NewDense, _NewSequence, DenseColumn, SequenceDenseColumn,
    fc_old._DenseColumn, fc_old._SequenceDenseColumn,
    collections.namedtuple("IndicatorColumn", "categorical_column"),
):  # fmt: skip
    """See `indicator_column`."""

    _parents = ("categorical_column",)


@_with_old_methods
class EmbeddingColumn(
    kinds.Embedding, _NewDense, _NewSequence, DenseColumn, SequenceDenseColumn,
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
      trainable: whether the table is.
      name: the table's name.
    """

    def __init__(
        self, dimension: int, initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any,
        num_buckets: int, trainable: bool, name: str = "shared_embedding_column_creator",
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
    kinds.Embedding, _NewDense, _NewSequence, DenseColumn, SequenceDenseColumn,
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
        cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: Any = None
    ) -> Any:
        raise NotImplementedError


@_with_old_methods
class SequenceCategoricalColumn(
    _NewCategorical, CategoricalColumn, fc_old._SequenceCategoricalColumn,
    collections.namedtuple("SequenceCategoricalColumn", "categorical_column"),
):  # fmt: skip
    """A categorical column read as a sequence."""

    name = kinds.Sequence.name

    _parents = ("categorical_column",)


NewAccess.sequence_class = SequenceCategoricalColumn


def _check_config_keys(config: dict[str, Any], expected_keys: Any) -> None:
    if set(config) != set(expected_keys):
        raise ValueError(f"Invalid config: {config}, expected keys: {expected_keys}")


def _standardize_and_copy_config(config: dict[str, Any]) -> dict[str, Any]:
    """Tuples for the lists that JSON makes of them."""
    return {
        key: tuple(value) if isinstance(value, list) else value for key, value in config.items()
    }


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
    """As `tf.feature_column.make_parse_example_spec`, for new columns."""
    return kinds.parse_example_spec(feature_columns, FeatureColumn, NewAccess().spec)


@tf_export("feature_column.numeric_column")
def numeric_column(
    key: Any, shape: Any = (1,), default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer_fn: Any = None,
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

    Raises:
      ValueError: an argument is wrong.
    """
    return arguments.hashed(HashedCategoricalColumn, key, hash_bucket_size, dtype)


@tf_export("feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file(
    key: Any, vocabulary_file: Any, vocabulary_size: Any = None, num_oov_buckets: Any = 0,
    default_value: Any = None, dtype: Any = dtypes.string,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a file.

    Args:
      key: the feature's key.
      vocabulary_file: the file, one word a line.
      vocabulary_size: how many of its words count; all by default.
      num_oov_buckets: how many ids, after those, other words are hashed to.
      default_value: the id of other words if there are none such; -1 by default.
      dtype: of the feature: string or an integer one.

    Raises:
      ValueError: an argument is wrong, or there is no such file.
    """
    return categorical_column_with_vocabulary_file_v2(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


@tf_export("compat.v2.feature_column.categorical_column_with_vocabulary_file")
def categorical_column_with_vocabulary_file_v2(
    key: Any, vocabulary_file: Any, vocabulary_size: Any = None, dtype: Any = dtypes.string,
    default_value: Any = None, num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """As `categorical_column_with_vocabulary_file`."""
    return arguments.vocabulary_file(
        VocabularyFileCategoricalColumn, key, vocabulary_file, vocabulary_size, num_oov_buckets,
        default_value, dtype,
    )  # fmt: skip


@tf_export("feature_column.categorical_column_with_vocabulary_list")
def categorical_column_with_vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: Any = None, default_value: Any = -1,
    num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a list.

    Args:
      key: the feature's key.
      vocabulary_list: words or integers.
      dtype: of the feature; that of the list by default.
      default_value: the id of what isn't in the list.
      num_oov_buckets: how many ids, after those of the list, other words are hashed to.

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
    """
    return IndicatorColumn(categorical_column)


@tf_export("feature_column.weighted_categorical_column")
def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: Any, dtype: Any = dtypes.float32
) -> Any:
    """A categorical column whose ids have weights.

    Args:
      categorical_column: the column of ids.
      weight_feature_key: the feature of weights.
      dtype: of the weights: integers or floats.

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
    categorical_column: Any, dimension: Any, combiner: str = "mean", initializer: Any = None,
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

    Raises:
      ValueError: an argument is wrong.
    """
    initializer = arguments.embedding_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        f" Embedding of column_name: {categorical_column.name}",
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
    categorical_columns: Any, dimension: Any, combiner: str = "mean", initializer: Any = None,
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
        )  # fmt: skip
        for column in categorical_columns
    ]


@tf_export("compat.v2.feature_column.shared_embeddings")
def shared_embedding_columns_v2(
    categorical_columns: Any, dimension: Any, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: Any = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """As `shared_embedding_columns`, for layers; the columns themselves keep the table."""
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
