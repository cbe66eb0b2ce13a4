"""The old columns, and `tf.feature_column.input_layer` and `linear_model`
(`tensorflow.python.feature_column.feature_column`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column.column_interfaces import (
    _CategoricalColumn,
    _DenseColumn,
    _FeatureColumn,
    _SequenceDenseColumn,
)
from tf1compat.api.layers import base
from tf1compat.api.random import init_ops
from tf1compat.api.variables import template, variable_scope, variables
from tf1compat.core import context, dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Collections, DTypeLike, Initializer, Name, ShapeLike

_check_shape = arguments.check_shape
_collect_leaf_level_keys = kinds.leaf_level_keys
_to_sparse_input_and_drop_ignore_values = kinds.to_sparse_input
_verify_static_batch_size_equality = kinds.verify_static_batch_size_equality


# What a column is.


class _LazyBuilder(kinds.Features):
    """Features by key, and the values of columns, each made when it is first asked for.

    Args:
      features: {key: a tensor or SparseTensor}.
    """

    _column_class = _FeatureColumn

    def get(self, key: Any) -> Any:
        """The value of a feature (a matrix at least) or of a column.

        Raises:
          TypeError: `key` is neither.
          ValueError: there is no such feature, or it is a scalar.
        """
        return self._get(key, lambda column: column._transform_feature(self))


class OldAccess:
    """How columns use each other in the old way; see `column_kinds`.

    Args:
      inputs: a `_LazyBuilder`.
      weight_collections: what variables join.
      trainable: whether they are trainable.
    """

    # Set below.
    sequence_class: Any
    categorical_classes: Any = _CategoricalColumn

    def __init__(
        self,
        inputs: Any = None,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ):
        self._inputs = inputs
        self.weight_collections, self.trainable = weight_collections, trainable

    def get(self, key: Any) -> Any:
        """A feature, or a column's value."""
        return self._inputs.get(key)

    def transform(self, column: Any) -> Any:
        """A column's value, made anew."""
        return column._transform_feature(self._inputs)

    def ids(self, column: Any) -> Any:
        """A categorical column's ids and weights."""
        return column._get_sparse_tensors(
            self._inputs, weight_collections=self.weight_collections, trainable=self.trainable
        )

    def spec(self, column: Any) -> dict[str, Any]:
        """What a column parses."""
        return column._parse_example_spec

    def buckets(self, column: Any) -> int:
        """How many ids a categorical column has."""
        return column._num_buckets

    def keep(self, column: Any, name: str, resource: Any) -> None:
        """What a column needs besides variables; nobody asks for it."""


class _Old:
    """The methods of old columns, made of what `column_kinds` says."""

    _access = OldAccess

    @property
    def _parse_example_spec(self: Any) -> dict[str, Any]:
        return self._spec(OldAccess())

    def _transform_feature(self: Any, inputs: Any) -> Any:
        return self._value(OldAccess(inputs))


class _OldDense(_Old):
    @property
    def _variable_shape(self: Any) -> TensorShape:
        return self._dense_shape(OldAccess())

    def _get_dense_tensor(
        self: Any,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        return self._dense(OldAccess(inputs, weight_collections, trainable))


class _OldCategorical(_Old):
    @property
    def _num_buckets(self: Any) -> int:
        return self._buckets(OldAccess())

    def _get_sparse_tensors(
        self: Any,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        return self._ids(OldAccess(inputs, weight_collections, trainable))


class _OldSequence(_Old):
    # The functions that texts name.
    _layers = ("input_layer", "sequence_input_layer")

    def _get_sequence_dense_tensor(
        self: Any,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        return self._sequence(OldAccess(inputs, weight_collections, trainable))


# The columns.


class _NumericColumn(
    kinds.Numeric, _OldDense, _DenseColumn,
    collections.namedtuple(
        "_NumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]
    ),
):  # fmt: skip
    """See `_numeric_column`."""


class _BucketizedColumn(
    kinds.Bucketized, _OldDense, _OldCategorical, _DenseColumn, _CategoricalColumn,
    collections.namedtuple("_BucketizedColumn", ["source_column", "boundaries"]),
):  # fmt: skip
    """See `_bucketized_column`."""


class _HashedCategoricalColumn(
    kinds.Hashed, _OldCategorical, _CategoricalColumn,
    collections.namedtuple("_HashedCategoricalColumn", ["key", "hash_bucket_size", "dtype"]),
):  # fmt: skip
    """See `_categorical_column_with_hash_bucket`."""


class _VocabularyFileCategoricalColumn(
    kinds.VocabularyFile, _OldCategorical, _CategoricalColumn,
    collections.namedtuple(
        "_VocabularyFileCategoricalColumn",
        ("key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"),
    ),
):  # fmt: skip
    """See `_categorical_column_with_vocabulary_file`."""


class _VocabularyListCategoricalColumn(
    kinds.VocabularyList, _OldCategorical, _CategoricalColumn,
    collections.namedtuple(
        "_VocabularyListCategoricalColumn",
        ("key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets"),
    ),
):  # fmt: skip
    """See `_categorical_column_with_vocabulary_list`."""


class _IdentityCategoricalColumn(
    kinds.Identity, _OldCategorical, _CategoricalColumn,
    collections.namedtuple("_IdentityCategoricalColumn", ("key", "num_buckets", "default_value")),
):  # fmt: skip
    """See `_categorical_column_with_identity`."""

    _where = staticmethod(gather_ops.where)

    def _buckets(self, access: Any) -> int:
        return self.num_buckets


class _WeightedCategoricalColumn(
    kinds.Weighted, _OldCategorical, _CategoricalColumn,
    collections.namedtuple(
        "_WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype")
    ),
):  # fmt: skip
    """See `_weighted_categorical_column`."""


class _CrossedColumn(
    kinds.Crossed, _OldCategorical, _CategoricalColumn,
    collections.namedtuple("_CrossedColumn", ["keys", "hash_bucket_size", "hash_key"]),
):  # fmt: skip
    """See `_crossed_column`."""


class _IndicatorColumn(
    _OldDense, _OldSequence, kinds.Indicator, _DenseColumn, _SequenceDenseColumn,
    collections.namedtuple("_IndicatorColumn", ["categorical_column"]),
):  # fmt: skip
    """See `_indicator_column`."""


class _OldEmbedding(_OldDense, _OldSequence, kinds.Embedding):
    dimension: int

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape([self.dimension])

    def _embedded(self, access: OldAccess) -> Tensor:
        raise NotImplementedError

    def _dense(self, access: OldAccess) -> Tensor:
        self._refuse_sequence(access)
        return self._embedded(access)

    def _sequence(self, access: OldAccess) -> Any:
        self._demand_sequence(access, access.sequence_class.__name__)
        dense = self._embedded(access)
        return self._with_length(dense, access.ids(self.categorical_column))


class _EmbeddingColumn(
    _OldEmbedding, _DenseColumn, _SequenceDenseColumn,
    collections.namedtuple(
        "_EmbeddingColumn",
        ("categorical_column", "dimension", "combiner", "layer_creator", "ckpt_to_load_from",
         "tensor_name_in_ckpt", "max_norm", "trainable"),
    ),
):  # fmt: skip
    """See `_embedding_column`."""

    def _embedded(self, access: OldAccess) -> Tensor:
        ids = access.ids(self.categorical_column)
        table = self.layer_creator(
            weight_collections=access.weight_collections,
            scope=variable_scope.get_variable_scope(),
        )
        kinds.start_from_checkpoint(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
        return self._embeddings(ids, table)


class _SharedEmbeddingColumn(
    _OldEmbedding, _DenseColumn, _SequenceDenseColumn,
    collections.namedtuple(
        "_SharedEmbeddingColumn",
        ("categorical_column", "dimension", "combiner", "initializer",
         "shared_embedding_collection_name", "ckpt_to_load_from", "tensor_name_in_ckpt",
         "max_norm", "trainable"),
    ),
):  # fmt: skip
    """See `tf.feature_column.shared_embedding_columns`."""

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def _var_scope_name(self) -> str:
        return self.shared_embedding_collection_name

    def _embedded(self, access: OldAccess) -> Tensor:
        with ops.name_scope(None, default_name=self.name):
            ids = access.ids(self.categorical_column)
            table = self._shared_table(access)
            kinds.start_from_checkpoint(table, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
            return self._embeddings(ids, table)

    def _shared_table(self, access: OldAccess) -> Any:
        """The table, which the first of the columns that share it makes."""
        shape = (self.categorical_column._num_buckets, self.dimension)
        collection = ops.get_collection(self.shared_embedding_collection_name)
        advice = (
            "Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not "
            "add any variables to this collection. The feature_column library already adds a "
            "variable under the hood."
        )
        if not collection:
            table = variable_scope.get_variable(
                name="embedding_weights", shape=shape, dtype=dtypes.float32,
                initializer=self.initializer, trainable=self.trainable and access.trainable,
                collections=access.weight_collections,
            )  # fmt: skip
            ops.add_to_collection(self.shared_embedding_collection_name, table)
            return table
        if len(collection) > 1:
            raise ValueError(f"Collection {collection} can only contain one variable. {advice}")
        table = collection[0]
        if table.get_shape() != shape:
            raise ValueError(
                f"Shared embedding collection {self.shared_embedding_collection_name} contains "
                f"variable {table.name} of unexpected shape {table.get_shape()}. Expected shape is "
                f"{shape}. {advice}"
            )
        return table


class _SequenceCategoricalColumn(
    kinds.Sequence, _OldCategorical, _CategoricalColumn,
    collections.namedtuple("_SequenceCategoricalColumn", ["categorical_column"]),
):  # fmt: skip
    """A categorical column read as a sequence."""


OldAccess.sequence_class = _SequenceCategoricalColumn


# Functions that make them.


def _numeric_column(
    key: Any, shape: ShapeLike = (1,), default_value: Any = None, dtype: DTypeLike = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """As `tf.feature_column.numeric_column`, an old column."""
    return arguments.numeric(_NumericColumn, key, shape, default_value, dtype, normalizer_fn)


def _bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """As `tf.feature_column.bucketized_column`, an old column."""
    arguments.check_source(source_column, _NumericColumn)
    arguments.check_boundaries(boundaries)
    return _BucketizedColumn(source_column, tuple(boundaries))


def _categorical_column_with_hash_bucket(
    key: Any, hash_bucket_size: Any, dtype: Any = dtypes.string
) -> Any:
    """As `tf.feature_column.categorical_column_with_hash_bucket`, an old column."""
    return arguments.hashed(_HashedCategoricalColumn, key, hash_bucket_size, dtype)


def _categorical_column_with_vocabulary_file(
    key: Any, vocabulary_file: str, vocabulary_size: Any = None, num_oov_buckets: Any = 0,
    default_value: Any = None, dtype: Any = dtypes.string,
) -> Any:  # fmt: skip
    """As `tf.feature_column.categorical_column_with_vocabulary_file`, an old column."""
    return arguments.vocabulary_file(
        _VocabularyFileCategoricalColumn, key, vocabulary_file, vocabulary_size, num_oov_buckets,
        default_value, dtype,
    )  # fmt: skip


def _categorical_column_with_vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: Any = -1,
    num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """As `tf.feature_column.categorical_column_with_vocabulary_list`, an old column."""
    return arguments.vocabulary_list(
        _VocabularyListCategoricalColumn, key, vocabulary_list, dtype, default_value,
        num_oov_buckets,
    )  # fmt: skip


def _categorical_column_with_identity(key: Any, num_buckets: Any, default_value: Any = None) -> Any:
    """As `tf.feature_column.categorical_column_with_identity`, an old column."""
    arguments.check_identity(key, num_buckets, default_value)
    return _IdentityCategoricalColumn(key=key, num_buckets=num_buckets, default_value=default_value)


def _indicator_column(categorical_column: Any) -> Any:
    """As `tf.feature_column.indicator_column`, an old column."""
    return _IndicatorColumn(categorical_column)


def _weighted_categorical_column(
    categorical_column: Any, weight_feature_key: Any, dtype: DTypeLike = dtypes.float32
) -> Any:
    """As `tf.feature_column.weighted_categorical_column`, an old column."""
    return arguments.weighted(
        _WeightedCategoricalColumn, categorical_column, weight_feature_key, dtype
    )


def _crossed_column(keys: Any, hash_bucket_size: Any, hash_key: Any = None) -> Any:
    """As `tf.feature_column.crossed_column`, an old column."""
    return arguments.crossed(
        _CrossedColumn, keys, hash_bucket_size, hash_key, _CategoricalColumn,
        (_HashedCategoricalColumn,),
    )  # fmt: skip


def _embedding_column(
    categorical_column: Any, dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: Any = None,
    trainable: bool = True,
) -> Any:  # fmt: skip
    """As `tf.feature_column.embedding_column`, an old column."""
    initializer = arguments.embedding_initializer(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        f" Embedding of column_name: {categorical_column.name}",
    )  # fmt: skip
    shape = (categorical_column._num_buckets, dimension)

    def create(weight_collections: Collections, scope: Any) -> Any:
        layer = _EmbeddingColumnLayer(
            embedding_shape=shape, initializer=initializer, weight_collections=weight_collections,
            trainable=trainable, name="embedding_column_layer",
        )  # fmt: skip
        return layer(None, scope=scope)

    return _EmbeddingColumn(
        categorical_column=categorical_column, dimension=dimension, combiner=combiner,
        layer_creator=create, ckpt_to_load_from=ckpt_to_load_from,
        tensor_name_in_ckpt=tensor_name_in_ckpt, max_norm=max_norm, trainable=trainable,
    )  # fmt: skip


class _EmbeddingColumnLayer(base.Layer):
    """The layer of an old embedding column: a table.

    Args:
      embedding_shape: (ids, dimension).
      initializer: of the table.
      weight_collections: what the table joins.
      trainable, name, **kwargs: see `tf.layers.Layer`.
    """

    def __init__(
        self, embedding_shape: Any, initializer: Any, weight_collections: Collections | None = None,
        trainable: bool = True, name: Name = None, **kwargs: Any,
    ):  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._embedding_shape = embedding_shape
        self._initializer = initializer
        self._weight_collections = weight_collections

    def set_weight_collections(self, weight_collections: Collections) -> None:
        """Sets what the table is to join when it is made."""
        self._weight_collections = weight_collections

    def build(self, _: Any) -> None:
        """Makes the table."""
        self._embedding_weight_var = self.add_variable(
            name="embedding_weights", shape=self._embedding_shape, dtype=dtypes.float32,
            initializer=self._initializer, trainable=self.trainable,
        )  # fmt: skip
        if self._weight_collections and not context.executing_eagerly():
            add_to_collections(self._embedding_weight_var, self._weight_collections)
        self.built = True

    def call(self, _: Any) -> Any:
        """The table."""
        return self._embedding_weight_var


def add_to_collections(variable: Any, weight_collections: Any) -> None:
    """Adds a variable, or its parts, to collections that it isn't in yet."""
    for key in weight_collections:
        if key == ops.GraphKeys.GLOBAL_VARIABLES:
            continue
        partitioned = isinstance(variable, variables.PartitionedVariable)
        for part in list(variable) if partitioned else [variable]:
            ops.add_to_collection(key, part)


_add_to_collections = add_to_collections


def _normalize_feature_columns(feature_columns: Any) -> Any:
    return kinds.normalized_columns(feature_columns, _FeatureColumn)


@tf_export("feature_column.make_parse_example_spec")
def make_parse_example_spec(feature_columns: Any) -> dict[str, Any]:
    """What `tf.io.parse_example` needs for these columns.

    Args:
      feature_columns: an iterable of columns.

    Returns:
      {key: a FixedLenFeature or VarLenFeature}.

    Raises:
      ValueError: something is no column, or two columns want one feature in different ways.
    """
    return kinds.parse_example_spec(feature_columns, _FeatureColumn, OldAccess().spec)


def _transform_features(features: Any, feature_columns: Any) -> dict[Any, Any]:
    """{column: its value} (as `tf.contrib.layers.transform_features`, for these columns)."""
    feature_columns = _normalize_feature_columns(feature_columns)
    outputs = {}
    with ops.name_scope(None, default_name="transform_features", values=features.values()):
        builder = _LazyBuilder(features)
        for column in sorted(feature_columns, key=lambda c: c.name):
            with ops.name_scope(None, default_name=column.name):
                outputs[column] = builder.get(column)
    return outputs


# Nets' inputs.


def model_collections(weight_collections: Any) -> list[Any]:
    """Collections for the variables of columns: the given ones, and where all join."""
    found = list(weight_collections or [])
    for key in (ops.GraphKeys.GLOBAL_VARIABLES, ops.GraphKeys.MODEL_VARIABLES):
        if key not in found:
            found.append(key)
    return found


def _internal_input_layer(
    features: Any, feature_columns: Any, weight_collections: Collections | None = None,
    trainable: bool = True,
    cols_to_vars: Any = None, scope: Any = None, cols_to_output_tensors: Any = None,
    from_template: bool = False,
) -> Tensor:  # fmt: skip
    feature_columns = _normalize_feature_columns(feature_columns)
    for column in feature_columns:
        if not isinstance(column, _DenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical "
                f"column with an embedding_column or indicator_column. Given: {column}"
            )
    weight_collections = model_collections(weight_collections)

    def concatenated() -> Tensor:
        builder = _LazyBuilder(features)
        ordered = sorted(feature_columns, key=lambda c: c.name)
        outputs = []
        for column in ordered:
            with variable_scope.variable_scope(None, default_name=column._var_scope_name):
                tensor = column._get_dense_tensor(
                    builder, weight_collections=weight_collections, trainable=trainable
                )
                output = kinds.flat(tensor, column._variable_shape.num_elements())
                outputs.append(output)
                if cols_to_vars is not None:
                    # Also those of an earlier column that it shares.
                    cols_to_vars[column] = ops.get_collection(
                        ops.GraphKeys.GLOBAL_VARIABLES,
                        scope=variable_scope.get_variable_scope().name,
                    )
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = output
        _verify_static_batch_size_equality(outputs, ordered)
        return array_ops.concat(outputs, 1)

    if from_template:
        return concatenated()
    with variable_scope.variable_scope(scope, default_name="input_layer", values=features.values()):
        return concatenated()


@tf_export("feature_column.input_layer")
def input_layer(
    features: Any, feature_columns: Any, weight_collections: Collections | None = None,
    trainable: bool = True,
    cols_to_vars: Any = None, cols_to_output_tensors: Any = None,
) -> Tensor:  # fmt: skip
    """The dense columns of examples side by side, ordered by their names.

    Args:
      features: {key: a tensor or SparseTensor [batch, …]}.
      feature_columns: dense columns, e.g. of `numeric_column` or `embedding_column`.
      weight_collections: what variables join, besides the global and the model's ones.
      trainable: whether they are trainable.
      cols_to_vars: a dict that gets {column: its variables}.
      cols_to_output_tensors: a dict that gets {column: its part of the result}.

    Returns:
      A float32 tensor [batch, the columns' sizes together].

    Raises:
      ValueError: a column isn't dense.
    """
    return _internal_input_layer(
        features, feature_columns, weight_collections=weight_collections, trainable=trainable,
        cols_to_vars=cols_to_vars, cols_to_output_tensors=cols_to_output_tensors,
    )  # fmt: skip


class InputLayer:
    """`input_layer` as an object, whose calls share variables.

    Args:
      feature_columns, weight_collections, trainable, cols_to_vars: as in `input_layer`.
      name: the variable scope.
      create_scope_now: whether the scope's name is taken now, not at the first call.
    """

    def __init__(
        self, feature_columns: Any, weight_collections: Collections | None = None,
        trainable: bool = True,
        cols_to_vars: Any = None, name: str = "feature_column_input_layer",
        create_scope_now: bool = True,
    ):  # fmt: skip
        self._feature_columns = feature_columns
        self._weight_collections = weight_collections
        self._trainable = trainable
        self._cols_to_vars = cols_to_vars
        self._name = name
        self._input_layer_template = template.make_template(
            name, _internal_input_layer, create_scope_now_=create_scope_now
        )
        self._scope = self._input_layer_template.variable_scope

    def __call__(self, features: Any) -> Tensor:
        return self._input_layer_template(
            features=features, feature_columns=self._feature_columns,
            weight_collections=self._weight_collections, trainable=self._trainable,
            cols_to_vars=None, from_template=True,
        )  # fmt: skip

    name: str = attribute("_name", "The name.")
    non_trainable_variables = attribute(
        "_input_layer_template.non_trainable_variables", "The variables that are not trainable."
    )
    trainable_variables = attribute(
        "_input_layer_template.trainable_variables", "The trainable variables."
    )
    variables = attribute("_input_layer_template.variables", "All variables.")

    non_trainable_weights = non_trainable_variables
    trainable_weights = trainable_variables
    weights = variables


# Linear models.


def _create_weighted_sum(
    column: Any, builder: Any, units: int, sparse_combiner: str, weight_collections: Any,
    trainable: bool, weight_var: Any = None,
) -> Tensor:  # fmt: skip
    """What a column adds to a linear model."""
    settings = {"weight_collections": weight_collections, "trainable": trainable}

    def weight(size: Any) -> Any:
        if weight_var is not None:
            return weight_var
        return variable_scope.get_variable(
            name="weights", shape=[size, units], initializer=init_ops.zeros_initializer(),
            trainable=trainable, collections=weight_collections,
        )  # fmt: skip

    if isinstance(column, _CategoricalColumn):
        ids = kinds.flat_ids(column._get_sparse_tensors(builder, **settings))
        return kinds.weighted_sparse(ids, weight(column._num_buckets), sparse_combiner)
    tensor = column._get_dense_tensor(builder, **settings)
    size = column._variable_shape.num_elements()
    return kinds.weighted_dense(kinds.flat(tensor, size), weight(size))


@tf_export("feature_column.linear_model")
def linear_model(
    features: Any, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
    weight_collections: Collections | None = None, trainable: bool = True, cols_to_vars: Any = None,
) -> Tensor:  # fmt: skip
    """A weighted sum of columns, and a bias.

    Args:
      features: {key: a tensor or SparseTensor [batch, …]}.
      feature_columns: dense and categorical columns.
      units: the size of the result.
      sparse_combiner: "sum", "mean" or "sqrtn": how the weights of an example's ids are combined.
      weight_collections: what variables join, besides the global and the model's ones.
      trainable: whether they are trainable.
      cols_to_vars: a dict that gets {column: its variables}, and those of "bias".

    Returns:
      A float32 tensor [batch, units].

    Raises:
      ValueError: a column is neither dense nor categorical.
    """
    with variable_scope.variable_scope(None, "linear_model") as scope:
        name = _strip_leading_slashes(scope.name)
    # It is a keras model: what that takes is loaded for it alone.
    from tf1compat.api.feature_column.feature_layers import _LinearModel

    model = _LinearModel(
        feature_columns=feature_columns, units=units, sparse_combiner=sparse_combiner,
        weight_collections=weight_collections, trainable=trainable, name=name,
    )  # fmt: skip
    result = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return result


def _strip_leading_slashes(name: str) -> str:
    return name.rsplit("/", 1)[-1]
