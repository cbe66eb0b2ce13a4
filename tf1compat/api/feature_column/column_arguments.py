"""What the functions that make columns check of their arguments, old and new alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.feature_column import utils
from tf1compat.api.platform import gfile
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.core import dtypes, nest


def check_shape(shape: Any, key: Any) -> tuple[int, ...]:
    """A numeric column's shape as a tuple.

    Raises:
      TypeError, ValueError: it has something else than positive integers.
    """
    assert shape is not None
    shape = tuple(shape if nest.is_sequence(shape) else [shape])
    for dimension in shape:
        if not isinstance(dimension, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if dimension < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {shape}, key: {key}")
    return shape


def check_number(dtype: Any, normalizer_fn: Any, key: Any) -> None:
    """Raises ValueError if a numeric column's dtype is none of numbers, and TypeError if its
    normalizer can't be called."""
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    check_normalizer(normalizer_fn)


def check_normalizer(normalizer_fn: Callable[..., Any] | None) -> None:
    """Raises TypeError if it can't be called."""
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def numeric(
    column_class: Callable[..., Any], key: Any, shape: Any, default_value: Any, dtype: Any,
    normalizer_fn: Any,
) -> Any:  # fmt: skip
    """A numeric column; see `tf.feature_column.numeric_column`."""
    shape = check_shape(shape, key)
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")
    default_value = utils.check_default_value(shape, default_value, dtype, key)
    check_normalizer(normalizer_fn)
    utils.assert_key_is_string(key)
    return column_class(
        key, shape=shape, default_value=default_value, dtype=dtype, normalizer_fn=normalizer_fn
    )


def check_source(source_column: Any, classes: Any) -> None:
    """Raises ValueError unless a column is a numeric one of one dimension."""
    if not isinstance(source_column, classes):
        raise ValueError(
            "source_column must be a column generated with numeric_column(). Given: "
            f"{source_column}"
        )
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")


def check_boundaries(boundaries: Any) -> None:
    """Raises ValueError unless `boundaries` is a list or tuple that grows."""
    if (
        not boundaries
        or not isinstance(boundaries, list | tuple)
        or any(a >= b for a, b in zip(boundaries, boundaries[1:], strict=False))
    ):
        raise ValueError("boundaries must be a sorted list.")


def hashed(
    column_class: Callable[..., Any], key: Any, hash_bucket_size: Any, dtype: dtypes.DType
) -> Any:
    """See `tf.feature_column.categorical_column_with_hash_bucket`."""
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}"
        )
    utils.assert_key_is_string(key)
    utils.assert_string_or_int(dtype, prefix=f"column_name: {key}")
    return column_class(key, hash_bucket_size, dtype)


def _check_buckets(num_oov_buckets: Any, default_is_given: bool, key: Any) -> None:
    if num_oov_buckets:
        if default_is_given:
            raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
        if num_oov_buckets < 0:
            raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


def vocabulary_file(
    column_class: Callable[..., Any], key: Any, vocabulary_file: str, vocabulary_size: Any,
    num_oov_buckets: Any, default_value: Any, dtype: dtypes.DType,
) -> Any:  # fmt: skip
    """See `tf.feature_column.categorical_column_with_vocabulary_file`."""
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not gfile.Exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with gfile.GFile(vocabulary_file) as file:
            vocabulary_size = sum(1 for _ in file)
        logging.info(
            "vocabulary_size = %d in %s is inferred from the number of elements in the "
            "vocabulary_file %s.",
            vocabulary_size,
            key,
            vocabulary_file,
        )
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_buckets(num_oov_buckets, default_value is not None, key)
    utils.assert_string_or_int(dtype, prefix=f"column_name: {key}")
    utils.assert_key_is_string(key)
    return column_class(
        key=key, vocabulary_file=vocabulary_file, vocabulary_size=vocabulary_size,
        num_oov_buckets=0 if num_oov_buckets is None else num_oov_buckets,
        default_value=-1 if default_value is None else default_value, dtype=dtype,
    )  # fmt: skip


def vocabulary_list(
    column_class: Callable[..., Any], key: Any, vocabulary_list: Any, dtype: Any,
    default_value: Any, num_oov_buckets: Any,
) -> Any:  # fmt: skip
    """See `tf.feature_column.categorical_column_with_vocabulary_list`."""
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    own_dtype = dtypes.as_dtype(np.array(vocabulary_list).dtype)
    _check_buckets(num_oov_buckets, default_value != -1, key)
    utils.assert_string_or_int(own_dtype, prefix=f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = own_dtype
    elif dtype.is_integer != own_dtype.is_integer:
        raise ValueError(
            f"dtype {dtype} and vocabulary dtype {own_dtype} do not match, column_name: {key}"
        )
    utils.assert_string_or_int(dtype, prefix=f"column_name: {key}")
    utils.assert_key_is_string(key)
    return column_class(
        key=key, vocabulary_list=tuple(vocabulary_list), dtype=dtype, default_value=default_value,
        num_oov_buckets=num_oov_buckets,
    )  # fmt: skip


def check_identity(key: Any, num_buckets: Any, default_value: Any) -> None:
    """See `tf.feature_column.categorical_column_with_identity`."""
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(
            f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}"
        )
    utils.assert_key_is_string(key)


def weighted(
    column_class: Callable[..., Any], categorical_column: Any, weight_feature_key: Any, dtype: Any
) -> Any:
    """See `tf.feature_column.weighted_categorical_column`."""
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return column_class(
        categorical_column=categorical_column, weight_feature_key=weight_feature_key, dtype=dtype
    )


def crossed(
    column_class: Callable[..., Any], keys: Any, hash_bucket_size: Any, hash_key: Any,
    categorical: Any, hashed: Any,
) -> Any:  # fmt: skip
    """See `tf.feature_column.crossed_column`.

    Args:
      column_class: what to make.
      keys, hash_bucket_size, hash_key: its fields.
      categorical: the classes that can be crossed.
      hashed: those of them that can't, the one to be named in texts first.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, str) and not isinstance(key, categorical):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column "
                f"except {hashed[0].__name__}. Given: {key}"
            )
        if isinstance(key, hashed):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before "
                "crossing will increase probability of collision. Instead, use the feature name as "
                f"a string. Given: {key}"
            )
    return column_class(keys=tuple(keys), hash_bucket_size=hash_bucket_size, hash_key=hash_key)


def embedding_initializer(
    dimension: Any, initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any,
    of: str | Callable[[], str] = "",
) -> Any:  # fmt: skip
    """The initializer of an embedding's table.

    Args:
      dimension: the embedding's size.
      initializer: None for a truncated normal of standard deviation 1 / sqrt(dimension).
      ckpt_to_load_from, tensor_name_in_ckpt: both, or neither.
      of: an addition to the text about a bad initializer, or what gives it.

    Raises:
      ValueError: one of them is wrong.
    """
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError(
            "Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them."
        )
    if initializer is not None and not callable(initializer):
        of = of() if callable(of) else of
        raise ValueError(f"initializer must be callable if specified.{of}")
    if initializer is None:
        stddev = 1 / math.sqrt(dimension)
        initializer = init_ops.truncated_normal_initializer(mean=0.0, stddev=stddev)
    return initializer


def check_shared(
    columns: list[Any], buckets: Callable[[Any], int], categorical: type, weighted: Any, told: Any
) -> None:
    """Raises ValueError unless columns are categorical ones of one kind and size.

    Args:
      columns: the columns.
      buckets: the size of a column.
      categorical: what they must be.
      weighted: those that are of the kind of the column that they weight.
      told: a value's type, as text.
    """
    first = columns[0]
    num_buckets = buckets(first)
    if not isinstance(first, categorical):
        raise ValueError(
            f"All categorical_columns must be subclasses of {categorical.__name__}. Given: "
            f"{first}, of type: {told(first)}"
        )
    if isinstance(first, weighted):
        first = first.categorical_column
    for column in columns[1:]:
        if isinstance(column, weighted):
            column = column.categorical_column
        if not isinstance(column, type(first)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type, "
                "or be weighted_categorical_column of the same type. Given column: "
                f"{first} of type: {told(first)} does not match given column: {column} of type: "
                f"{told(column)}"
            )
        if buckets(column) != num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number "
                f"of buckets. Given column: {first} with buckets: {num_buckets} does  not match "
                f"column: {column} with buckets: {buckets(column)}"
            )


def shared_name(columns: Iterable[Any], name: str | None) -> str:
    """The name of what columns share: the given one, or one made of theirs."""
    return name or "_".join(column.name for column in columns) + "_shared_embedding"
