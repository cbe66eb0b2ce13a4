"""Columns that are sequences (`tensorflow.python.feature_column.sequence_feature_column`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column_v2 as fc
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike


def concatenate_context_input(context_input: Any, sequence_input: Any) -> Tensor:
    """Adds what holds for a whole sequence to each of its steps.

    Args:
      context_input: float32 [batch, d].
      sequence_input: float32 [batch, time, e].

    Returns:
      float32 [batch, time, e + d].

    Raises:
      ValueError, TypeError: another rank or dtype.
    """
    checks = []
    for name, tensor, rank in (
        ("sequence_input", sequence_input, 3),
        ("context_input", context_input, 2),
    ):
        shape = [array_ops.shape(tensor)]
        message = f"{name} must have rank {rank}"
        checks.append(check_ops.assert_rank(tensor, rank, message=message, data=shape))
        message = f"{name} must have dtype float32; got {tensor.dtype}."
        checks.append(check_ops.assert_type(tensor, dtypes.float32, message=message))
    with ops.control_dependencies(checks):
        length = array_ops.shape(sequence_input)[1]
        tiled = array_ops.tile(
            array_ops.expand_dims(context_input, 1), array_ops.concat([[1], [length], [1]], 0)
        )
    return array_ops.concat([sequence_input, tiled], 2)


@tf_export("feature_column.sequence_categorical_column_with_identity")
def sequence_categorical_column_with_identity(
    key: Any, num_buckets: Any, default_value: Any = None
) -> Any:
    """As `tf.feature_column.categorical_column_with_identity`, for sequences.

    Args:
      key, num_buckets, default_value: as in `tf.feature_column.categorical_column_with_identity`.

    Returns:
      A `SequenceCategoricalColumn`.
    """
    column = fc.categorical_column_with_identity(key, num_buckets, default_value)
    return fc.SequenceCategoricalColumn(column)


@tf_export("feature_column.sequence_categorical_column_with_hash_bucket")
def sequence_categorical_column_with_hash_bucket(
    key: Any, hash_bucket_size: Any, dtype: DTypeLike = dtypes.string
) -> Any:
    """As `tf.feature_column.categorical_column_with_hash_bucket`, for sequences.

    Args:
      key, hash_bucket_size, dtype: as in `tf.feature_column.categorical_column_with_hash_bucket`.

    Returns:
      A `SequenceCategoricalColumn`.
    """
    column = fc.categorical_column_with_hash_bucket(key, hash_bucket_size, dtype)
    return fc.SequenceCategoricalColumn(column)


@tf_export("feature_column.sequence_categorical_column_with_vocabulary_file")
def sequence_categorical_column_with_vocabulary_file(
    key: Any, vocabulary_file: str, vocabulary_size: Any = None, num_oov_buckets: Any = 0,
    default_value: Any = None, dtype: DTypeLike = dtypes.string,
) -> Any:  # fmt: skip
    """As `tf.feature_column.categorical_column_with_vocabulary_file`, for sequences.

    Args:
      key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype: as in
        `tf.feature_column.categorical_column_with_vocabulary_file`.

    Returns:
      A `SequenceCategoricalColumn`.
    """
    column = fc.categorical_column_with_vocabulary_file(
        key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
    )
    return fc.SequenceCategoricalColumn(column)


@tf_export("feature_column.sequence_categorical_column_with_vocabulary_list")
def sequence_categorical_column_with_vocabulary_list(
    key: Any, vocabulary_list: Any, dtype: DTypeLike | None = None, default_value: Any = -1,
    num_oov_buckets: Any = 0,
) -> Any:  # fmt: skip
    """As `tf.feature_column.categorical_column_with_vocabulary_list`, for sequences.

    Args:
      key, vocabulary_list, dtype, default_value, num_oov_buckets: as in
        `tf.feature_column.categorical_column_with_vocabulary_list`.

    Returns:
      A `SequenceCategoricalColumn`.
    """
    column = fc.categorical_column_with_vocabulary_list(
        key, vocabulary_list, dtype, default_value, num_oov_buckets
    )
    return fc.SequenceCategoricalColumn(column)


@tf_export("feature_column.sequence_numeric_column")
def sequence_numeric_column(
    key: Any, shape: ShapeLike = (1,), default_value: Any = 0.0, dtype: DTypeLike = dtypes.float32,
    normalizer_fn: Callable[..., Any] | None = None,
) -> Any:  # fmt: skip
    """A column of sequences of numbers.

    Args:
      key: the feature's key; the feature is sparse.
      shape: the shape of one step.
      default_value: what short sequences are padded with.
      dtype: of the feature.
      normalizer_fn: a function that the feature goes through, or None.

    Returns:
      A `SequenceNumericColumn`.

    Raises:
      TypeError, ValueError: an argument is wrong.
    """
    shape = arguments.check_shape(shape, key)
    arguments.check_number(dtype, normalizer_fn, key)
    return SequenceNumericColumn(
        key, shape=shape, default_value=default_value, dtype=dtype, normalizer_fn=normalizer_fn
    )


def _assert_all_equal_and_return(tensors: Any, name: Name = None) -> Any:
    """The first of tensors that must be equal."""
    with ops.name_scope(name, "assert_all_equal", values=tensors):
        if len(tensors) == 1:
            return tensors[0]
        checks = [check_ops.assert_equal(tensors[0], tensor) for tensor in tensors[1:]]
        with ops.control_dependencies(checks):
            return array_ops.identity(tensors[0])


class SequenceNumericColumn(
    kinds.SequenceNumeric, fc.NewSequence, fc.SequenceDenseColumn,
    collections.namedtuple(
        "SequenceNumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")
    ),
):  # fmt: skip
    """See `sequence_numeric_column`."""

    @property
    def variable_shape(self) -> Any:
        """The shape of one step."""
        return self._dense_shape(fc.NewAccess())
