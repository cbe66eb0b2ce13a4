"""The first columns of features (`tensorflow.contrib.layers.python.layers.feature_column`).

A column turns the features that it parses into a tensor (`insert_transformed_feature`), which the
functions of `feature_column_ops` make an input of. Most are columns of the core's old kind too, so
that `tf.feature_column.input_layer` takes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.layers.column_base import (
    _DeepEmbeddingLookupArguments,
    _FeatureColumn,
    _get_feature_config,
    _LinearEmbeddingLookupArguments,
    _reshape_real_valued_tensor,
)
from tf1compat.api.contrib.layers.embedding_columns import (
    _EmbeddingColumn,
    _embeddings_from_arguments,
    _is_variable,
    _maybe_restore_from_checkpoint,
    _OneHotColumn,
    _ScatteredEmbeddingColumn,
)
from tf1compat.api.contrib.layers.id_columns import (
    _CrossedColumn,
    _LazyBuilderByColumnsToTensor,
    _SparseColumn,
    _SparseColumnHashed,
    _SparseColumnIntegerized,
    _SparseColumnKeys,
    _SparseColumnVocabulary,
    _SparseIdLookupConfig,
    _WeightedSparseColumn,
)
from tf1compat.api.contrib.layers.number_columns import (
    DataFrameColumn,
    _BucketizedColumn,
    _real_valued_var_len_column,
    _RealValuedColumn,
    _RealValuedVarLenColumn,
)
from tf1compat.api.feature_column.feature_column import InputLayer
from tf1compat.api.io import parsing_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Initializer

# What slim has.
__all__ = [
    "DataFrameColumn",
    "InputLayer",
    "bucketized_column",
    "create_feature_spec_for_parsing",
    "crossed_column",
    "embedding_column",
    "make_place_holder_tensors_for_base_features",
    "one_hot_column",
    "real_valued_column",
    "scattered_embedding_column",
    "shared_embedding_columns",
    "sparse_column_with_hash_bucket",
    "sparse_column_with_integerized_feature",
    "sparse_column_with_keys",
    "sparse_column_with_vocabulary_file",
    "weighted_sparse_column",
]
# What TF's module has besides.
_OTHERS = (
    _BucketizedColumn, _DeepEmbeddingLookupArguments, _FeatureColumn, _LazyBuilderByColumnsToTensor,
    _LinearEmbeddingLookupArguments, _OneHotColumn, _RealValuedVarLenColumn,
    _embeddings_from_arguments, _is_variable, _maybe_restore_from_checkpoint,
    _real_valued_var_len_column, _reshape_real_valued_tensor,
)  # fmt: skip


@tf_export("contrib.layers.sparse_column_with_integerized_feature")
def sparse_column_with_integerized_feature(
    column_name: Any, bucket_size: Any, combiner: str = "sum", dtype: DTypeLike = dtypes.int64
) -> Any:
    """A column of integers, modulo the number of ids.

    Args:
      column_name: the feature's key.
      bucket_size: how many ids there are.
      combiner: "sum", "mean" or "sqrtn": how the weights of an example's ids are combined.
      dtype: an integer dtype.

    Returns:
      A sparse column.

    Raises:
      ValueError: an argument is wrong.
    """
    return _SparseColumnIntegerized(
        column_name, is_integerized=True, bucket_size=bucket_size, combiner=combiner, dtype=dtype
    )


@tf_export("contrib.layers.sparse_column_with_hash_bucket")
def sparse_column_with_hash_bucket(
    column_name: Any, hash_bucket_size: Any, combiner: str = "sum",
    dtype: DTypeLike = dtypes.string,
    hash_keys: Any = None,
) -> Any:  # fmt: skip
    """A column whose ids are hashes of words.

    Args:
      column_name: the feature's key.
      hash_bucket_size: how many ids there are.
      combiner: "sum", "mean" or "sqrtn".
      dtype: string or an integer dtype.
      hash_keys: pairs of integers, to hash each word once with each.

    Returns:
      A sparse column.

    Raises:
      ValueError: an argument is wrong.
    """
    return _SparseColumnHashed(
        column_name, bucket_size=hash_bucket_size, combiner=combiner, dtype=dtype,
        hash_keys=hash_keys,
    )  # fmt: skip


@tf_export("contrib.layers.sparse_column_with_keys")
def sparse_column_with_keys(
    column_name: Any, keys: Any, default_value: int = -1, combiner: str = "sum",
    dtype: DTypeLike = dtypes.string,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a list.

    Args:
      column_name: the feature's key.
      keys: the words.
      default_value: the id of other words.
      combiner: "sum", "mean" or "sqrtn".
      dtype: string or an integer dtype.

    Returns:
      A sparse column.

    Raises:
      ValueError: an argument is wrong.
    """
    keys = tuple(keys)
    config = _SparseIdLookupConfig(keys=keys, vocab_size=len(keys), default_value=default_value)
    return _SparseColumnKeys(column_name, lookup_config=config, combiner=combiner, dtype=dtype)


@tf_export("contrib.layers.sparse_column_with_vocabulary_file")
def sparse_column_with_vocabulary_file(
    column_name: Any, vocabulary_file: str, num_oov_buckets: int = 0, vocab_size: Any = None,
    default_value: int = -1, combiner: str = "sum", dtype: DTypeLike = dtypes.string,
) -> Any:  # fmt: skip
    """A column whose ids are the places of words in a file.

    Args:
      column_name: the feature's key.
      vocabulary_file: the file, one word a line.
      num_oov_buckets: how many ids, after those, other words are hashed to.
      vocab_size: how many words of the file count.
      default_value: the id of other words if there are none such.
      combiner: "sum", "mean" or "sqrtn".
      dtype: string or an integer dtype.

    Returns:
      A sparse column.

    Raises:
      ValueError: an argument is wrong.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    config = _SparseIdLookupConfig(
        vocabulary_file=vocabulary_file, num_oov_buckets=num_oov_buckets, vocab_size=vocab_size,
        default_value=default_value,
    )  # fmt: skip
    return _SparseColumnVocabulary(
        column_name, lookup_config=config, combiner=combiner, dtype=dtype
    )


@tf_export("contrib.layers.weighted_sparse_column")
def weighted_sparse_column(
    sparse_id_column: Any, weight_column_name: Any, dtype: Any = dtypes.float32
) -> Any:
    """A column of ids with weights.

    Args:
      sparse_id_column: the ids.
      weight_column_name: the feature of weights.
      dtype: of the weights.

    Returns:
      A sparse column, whose value is a pair of SparseTensors: ids and weights.

    Raises:
      ValueError: the dtype is none of numbers.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


@tf_export("contrib.layers.one_hot_column")
def one_hot_column(sparse_id_column: Any) -> Any:
    """A dense column that says how often each id occurs.

    Args:
      sparse_id_column: a sparse column.

    Returns:
      A dense column of one number for each id.
    """
    return _OneHotColumn(sparse_id_column)


@tf_export("contrib.layers.embedding_column")
def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = "mean",
    initializer: Initializer | None = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: Any = None,
    trainable: bool = True,
) -> Any:  # fmt: skip
    """A dense column of the vectors of ids, combined.

    Args:
      sparse_id_column: the ids.
      dimension: the vectors' size.
      combiner: "mean", "sqrtn" or "sum".
      initializer: of the table; by default a truncated normal of deviation 1 / sqrt(ids).
      ckpt_to_load_from, tensor_name_in_ckpt: what the table starts from instead.
      max_norm: scale vectors down to this l2 norm.
      trainable: whether the table is.

    Returns:
      A dense column of `dimension` numbers an example.

    Raises:
      ValueError: an argument is wrong.
    """
    return _EmbeddingColumn(
        sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
        max_norm=max_norm, trainable=trainable,
    )  # fmt: skip


@tf_export("contrib.layers.shared_embedding_columns")
def shared_embedding_columns(
    sparse_id_columns: Any, dimension: int, combiner: str = "mean",
    shared_embedding_name: Any = None, initializer: Initializer | None = None,
    ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: Any = None, trainable: bool = True,
) -> Any:  # fmt: skip
    """Embedding columns that share a table.

    Args:
      sparse_id_columns: columns of ids that mean the same.
      shared_embedding_name: the table's name; by default one made of the columns' names.
      dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
        trainable: see `embedding_column`.

    Returns:
      A column for each: a tuple, or for a single one a list.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    columns = sparse_id_columns
    if not isinstance(columns, Sequence) or isinstance(columns, str):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type "
            f"{type(columns)}."
        )
    if len(columns) < 1:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in columns:
        if not isinstance(column, _SparseColumn | _WeightedSparseColumn):
            raise TypeError(
                "Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but "
                f"{column} is not."
            )
    first = columns[0]
    settings = {"max_norm": max_norm, "trainable": trainable}
    start = (ckpt_to_load_from, tensor_name_in_ckpt)
    if len(columns) == 1:
        return [
            _EmbeddingColumn(
                first, dimension, combiner, initializer, *start, shared_embedding_name, **settings
            )
        ]
    is_weighted = isinstance(first, _WeightedSparseColumn)
    for column in columns[1:]:
        if not (first.is_compatible(column) if is_weighted else column.is_compatible(first)):
            raise ValueError("The input sparse id columns are not compatible.")
    if not shared_embedding_name:
        plain = sorted(column for column in columns if isinstance(column, _SparseColumn))
        weighted = [column for column in columns if not isinstance(column, _SparseColumn)]
        names = [column.name for column in plain + sorted(weighted, key=lambda c: c.name)]
        shared_embedding_name = "_".join(names[:3])
        if len(names) > 3:
            shared_embedding_name += f"_plus_{len(names) - 3}_others"
        shared_embedding_name += "_shared_embedding"
    return tuple(
        _EmbeddingColumn(
            column,
            dimension,
            combiner,
            initializer,
            *start,
            shared_embedding_name,
            first.length,
            **settings,
        )
        for column in columns
    )


@tf_export("contrib.layers.scattered_embedding_column")
def scattered_embedding_column(
    column_name: Any, size: int, dimension: int, hash_key: Any, combiner: str = "mean",
    initializer: Initializer | None = None,
) -> Any:  # fmt: skip
    """A dense column of vectors whose numbers are picked from a table by hashes of the words.

    Args:
      column_name: the feature's key.
      size: the table's size.
      dimension: the vectors' size.
      hash_key: what the hashes are combined with.
      combiner: "mean", "sqrtn" or "sum".
      initializer: of the table; a truncated normal of deviation 0.1 by default.

    Returns:
      A dense column of `dimension` numbers an example.

    Raises:
      ValueError: an argument is wrong.
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            f"Dimension and size must be greater than 0. dimension: {dimension}, size: {size}, "
            f"column_name: {column_name}"
        )
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(
            f"Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: {combiner}, "
            f"column_name: {column_name}"
        )
    return _ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)


@tf_export("contrib.layers.real_valued_column")
def real_valued_column(
    column_name: Any, dimension: Any = 1, default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer: Any = None,
) -> Any:  # fmt: skip
    """A column of numbers.

    Args:
      column_name: the feature's key.
      dimension: how many numbers an example has.
      default_value: what an example has that lacks the feature: a number, or a list of them.
      dtype: of the feature.
      normalizer: a function that the feature goes through, or None.

    Returns:
      A dense column of `dimension` numbers an example.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    name = f"column_name: {column_name}"
    if dimension is None:
        raise TypeError(
            "dimension must be an integer. Use the _real_valued_var_len_column for variable length "
            f"features.dimension: {dimension}, {name}"
        )
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. dimension: {dimension}, {name}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. dimension: {dimension}, {name}")
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, {name}")
    if default_value is None:
        return _RealValuedColumn(column_name, dimension, None, dtype, normalizer)
    is_list = isinstance(default_value, list)
    if is_list and len(default_value) != dimension:
        raise ValueError(
            "The length of default_value must be equal to dimension. default_value: "
            f"{default_value}, dimension: {dimension}, {name}"
        )
    values = default_value if is_list else [default_value] * dimension
    kind = int if dtype.is_integer else int | float
    if not all(isinstance(value, kind) for value in values):
        raise TypeError(
            f"default_value must be compatible with dtype. default_value: {default_value}, dtype: "
            f"{dtype}, {name}"
        )
    if dtype.is_floating:
        values = [float(value) for value in values]
    return _RealValuedColumn(column_name, dimension, values, dtype, normalizer)


@tf_export("contrib.layers.bucketized_column")
def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """A column that says between which boundaries numbers lie.

    Args:
      source_column: a column of `real_valued_column`.
      boundaries: a sorted list of numbers.

    Returns:
      A column of `len(boundaries) + 1` ids for each number.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    return _BucketizedColumn(source_column, boundaries)


@tf_export("contrib.layers.crossed_column")
def crossed_column(
    columns: Any, hash_bucket_size: int, combiner: str = "sum", ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, hash_key: Any = None,
) -> Any:  # fmt: skip
    """A column whose ids are hashes of combinations.

    Args:
      columns: columns of ids or of buckets.
      hash_bucket_size: how many ids there are.
      combiner: "sum", "mean" or "sqrtn".
      ckpt_to_load_from, tensor_name_in_ckpt: what the weights start from, or None.
      hash_key: what the hashes are combined with; None for an older way.

    Returns:
      A sparse column.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    return _CrossedColumn(
        columns, hash_bucket_size, hash_key, combiner=combiner,
        ckpt_to_load_from=ckpt_to_load_from, tensor_name_in_ckpt=tensor_name_in_ckpt,
    )  # fmt: skip


@tf_export("contrib.layers.create_feature_spec_for_parsing")
def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """{key: how to parse that feature}, for `tf.parse_example`.

    Args:
      feature_columns: columns, or a dict of them.

    Returns:
      {key: a `FixedLenFeature` or `VarLenFeature`}.

    Raises:
      TypeError: something is no column.
    """
    if isinstance(feature_columns, dict):
        feature_columns = feature_columns.values()
    config: dict[str, Any] = {}
    for column in feature_columns:
        config.update(_get_feature_config(column))
    return config


def _create_sequence_feature_spec_for_parsing(
    sequence_feature_columns: Any, allow_missing_by_default: bool = False
) -> dict[str, Any]:
    """The same for sequences: what has a fixed length an example has it a step."""
    config: dict[str, Any] = {}
    for key, feature in create_feature_spec_for_parsing(sequence_feature_columns).items():
        if isinstance(feature, parsing_ops.FixedLenFeature | parsing_ops.FixedLenSequenceFeature):
            has_default = feature.default_value is not None
            if has_default:
                logging.warning(
                    f'Found default value {feature.default_value} for feature "{key}". Ignoring '
                    "this value and setting `allow_missing=True` instead."
                )
            feature = parsing_ops.FixedLenSequenceFeature(
                shape=feature.shape, dtype=feature.dtype,
                allow_missing=allow_missing_by_default or has_default,
            )  # fmt: skip
        elif not isinstance(feature, parsing_ops.VarLenFeature):
            raise TypeError(f"Unsupported feature type: {type(feature).__name__}")
        config[key] = feature
    return config


@tf_export("contrib.layers.make_place_holder_tensors_for_base_features")
def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """{key: a placeholder} for the features of columns.

    Args:
      feature_columns: columns, or a dict of them.

    Returns:
      {key: a placeholder [None, size], or a sparse one}.
    """
    placeholders = {}
    for key, feature in create_feature_spec_for_parsing(feature_columns).items():
        name = f"Placeholder_{key}"
        if isinstance(feature, parsing_ops.VarLenFeature):
            placeholders[key] = array_ops.sparse_placeholder(feature.dtype, name=name)
        else:
            shape = (None, feature.shape[0])
            placeholders[key] = array_ops.placeholder(feature.dtype, shape=shape, name=name)
    return placeholders
