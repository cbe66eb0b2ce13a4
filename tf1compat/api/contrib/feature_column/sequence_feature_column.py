"""Old columns that are sequences, and the input of recurrent nets made of them."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as fc
from tf1compat.api.feature_column import sequence_feature_column as sequences
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Collections, DTypeLike, ShapeLike

concatenate_context_input = sequences.concatenate_context_input
_assert_all_equal_and_return = sequences._assert_all_equal_and_return


@tf_export("contrib.feature_column.sequence_input_layer")
def sequence_input_layer(
    features: Any,
    feature_columns: Any,
    weight_collections: Collections | None = None,
    trainable: bool = True,
) -> Any:
    """The columns of sequences side by side, ordered by their names.

    Args:
      features: {key: a SparseTensor [batch, time, …]}.
      feature_columns: columns that are sequences of dense tensors.
      weight_collections: what variables join.
      trainable: whether they are trainable.

    Returns:
      A float32 tensor [batch, time, the columns' sizes together], and the lengths, int64 [batch].

    Raises:
      ValueError: a column is something else.
    """
    feature_columns = fc._normalize_feature_columns(feature_columns)
    for column in feature_columns:
        if not isinstance(column, fc._SequenceDenseColumn):
            raise ValueError(
                "All feature_columns must be of type _SequenceDenseColumn. You can wrap a "
                "sequence_categorical_column with an embedding_column or indicator_column. Given "
                f"(type {kinds.tf_type(column)}): {column}"
            )
    with variable_scope.variable_scope(
        None, default_name="sequence_input_layer", values=features.values()
    ):
        builder = fc._LazyBuilder(features)
        ordered = sorted(feature_columns, key=lambda c: c.name)
        outputs, lengths = [], []
        for column in ordered:
            with variable_scope.variable_scope(None, default_name=column._var_scope_name):
                dense, length = column._get_sequence_dense_tensor(
                    builder, weight_collections=weight_collections, trainable=trainable
                )
                size = column._variable_shape.num_elements()
                shape = array_ops.shape(dense)
                outputs.append(array_ops.reshape(dense, shape=[shape[0], shape[1], size]))
                lengths.append(length)
        kinds.verify_static_batch_size_equality(outputs, ordered)
        kinds.verify_static_batch_size_equality(lengths, ordered)
        length = _assert_all_equal_and_return(lengths)
        return array_ops.concat(outputs, -1), length


@tf_export("contrib.feature_column.sequence_categorical_column_with_identity")
def sequence_categorical_column_with_identity(
    key: Any, num_buckets: Any, default_value: Any = None
) -> Any:
    """As the one of `tf.feature_column`, an old column.

    Args:
      key, num_buckets, default_value: as in
        `tf.feature_column.sequence_categorical_column_with_identity`.

    Returns:
      As `tf.feature_column.sequence_categorical_column_with_identity`.
    """
    column = fc._categorical_column_with_identity(key, num_buckets, default_value)
    return fc._SequenceCategoricalColumn(column)


@tf_export("contrib.feature_column.sequence_categorical_column_with_hash_bucket")
def sequence_categorical_column_with_hash_bucket(
    key: Any, hash_bucket_size: Any, dtype: DTypeLike = dtypes.string
) -> Any:
    """As the one of `tf.feature_column`, an old column.

    Args:
      key, hash_bucket_size, dtype: as in
        `tf.feature_column.sequence_categorical_column_with_hash_bucket`.

    Returns:
      As `tf.feature_column.sequence_categorical_column_with_hash_bucket`.
    """
    column = fc._categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    return fc._SequenceCategoricalColumn(column)


@tf_export("contrib.feature_column.sequence_categorical_column_with_vocabulary_file")
def sequence_categorical_column_with_vocabulary_file(
    key: Any, vocabulary_file: str, vocabulary_size: Any = None, num_oov_buckets: Any = 0,
    default_value: Any = None, dtype: DTypeLike = dtypes.string,
) -> Any:  # fmt: skip
    """As the one of `tf.feature_column`, an old column.

    Args:
      key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype: as in
        `tf.feature_column.sequence_categorical_column_with_vocabulary_file`.

    Returns:
      As `tf.feature_column.sequence_categorical_column_with_vocabulary_file`.
    """
    column = fc._categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
    )
    return fc._SequenceCategoricalColumn(column)


@tf_export("contrib.feature_column.sequence_categorical_column_with_vocabulary_list")
def sequence_categorical_column_with_vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: Any = -1,
    num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """As the one of `tf.feature_column`, an old column.

    Args:
      key, vocabulary_list, dtype, default_value, num_oov_buckets: as in
        `tf.feature_column.sequence_categorical_column_with_vocabulary_list`.

    Returns:
      As `tf.feature_column.sequence_categorical_column_with_vocabulary_list`.
    """
    column = fc._categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets
    )
    return fc._SequenceCategoricalColumn(column)


@tf_export("contrib.feature_column.sequence_numeric_column")
def sequence_numeric_column(
    key: Any, shape: ShapeLike = (1,), default_value: Any = 0.0, dtype: DTypeLike = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """As the one of `tf.feature_column`, an old column.

    Args:
      key, shape, default_value, dtype, normalizer_fn: as in
        `tf.feature_column.sequence_numeric_column`.

    Returns:
      As `tf.feature_column.sequence_numeric_column`.
    """
    shape = arguments.check_shape(shape, key)
    arguments.check_number(dtype, normalizer_fn, key)
    return _SequenceNumericColumn(
        key, shape=shape, default_value=default_value, dtype=dtype, normalizer_fn=normalizer_fn
    )


class _SequenceNumericColumn(
    kinds.SequenceNumeric, fc._OldSequence, fc._SequenceDenseColumn,
    collections.namedtuple(
        "_SequenceNumericColumn", ["key", "shape", "default_value", "dtype", "normalizer_fn"]
    ),
):  # fmt: skip
    """See `sequence_numeric_column`."""

    @property
    def _variable_shape(self) -> Any:
        return self._dense_shape(None)
