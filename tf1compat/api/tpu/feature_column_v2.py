"""Embedding columns that a TPU could look up (`tensorflow.python.tpu.feature_column_v2`). Off TPUs,
as in TF 1.15, they are embedding columns like others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.feature_column import column_arguments as arguments
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as old
from tf1compat.api.feature_column import feature_column_v2 as columns
from tf1compat.api.tpu import tpu_function
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer

CATEGORICAL = (
    columns.IdentityCategoricalColumn, columns.VocabularyFileCategoricalColumn,
    columns.VocabularyListCategoricalColumn, columns.WeightedCategoricalColumn,
    columns.SequenceCategoricalColumn,
)  # fmt: skip
SEQUENCES = (old._SequenceCategoricalColumn, columns.SequenceCategoricalColumn)
LENGTH_POSTFIX = "_seq_length_"


def check_categorical(column: Any, of: str, allowed: tuple[type, ...] = CATEGORICAL) -> None:
    """Refuses a categorical column that a TPU has no table for.

    Args:
      column: the column.
      of: the function that is given it.
      allowed: the classes that it may be of.

    Raises:
      TypeError: it is of another.
    """
    if not isinstance(column, allowed):
        names = " or ".join(kind.__name__ for kind in allowed)
        raise TypeError(
            f"categorical_column for tpu  {of} must be type {names}, got {kinds.tf_type(column)}."
        )


def table_initializer(column: Any, dimension: Any, initializer: Any) -> Any:
    """The initializer of a column's table, by default a truncated normal.

    Raises:
      ValueError: the dimension is none, or the initializer.
    """
    return arguments.embedding_initializer(
        dimension, initializer, None, None, f" Embedding of column_name: {column.name}"
    )


def shared_arguments(
    categorical_columns: Sequence[Any], dimension: Any, initializer: Any, name: str | None,
    max_sequence_lengths: Sequence[int] | None, allowed: tuple[type, ...] = CATEGORICAL,
) -> tuple[Sequence[int], Any, str]:  # fmt: skip
    """The checked (lengths of sequences, initializer, name) of columns that share a table.

    Args:
      categorical_columns, dimension, initializer, name, max_sequence_lengths: see
        `shared_embedding_columns_v2`.
      allowed: the classes of which the columns may be.

    Raises:
      TypeError, ValueError: see there.
    """
    for column in categorical_columns:
        check_categorical(column, "shared_embedding_columns", allowed)
    lengths = max_sequence_lengths or [0] * len(categorical_columns)
    if len(lengths) != len(categorical_columns):
        raise ValueError(
            "max_sequence_lengths and categorical_columns must be of the same length. "
            f"len(max_sequence_lengths)={len(lengths)} "
            f"len(categorical_columns)={len(categorical_columns)}."
        )
    initializer = arguments.embedding_initializer(dimension, initializer, None, None, " ")
    ordered = sorted(categorical_columns, key=lambda column: column.name)
    first = ordered[0]
    for column in ordered[1:]:
        if column._num_buckets != first._num_buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number "
                f"of buckets. Given column: {first} with buckets: {first._num_buckets} does  not "
                f"match column: {column} with buckets: {column._num_buckets}"
            )
    return lengths, initializer, arguments.shared_name(ordered, name)


@tf_export("tpu.experimental.embedding_column")
def embedding_column_v2(
    categorical_column: Any, dimension: Any, combiner: str = "mean", initializer: Any = None,
    max_sequence_length: int = 0, learning_rate_fn: Any = None,
) -> Any:  # fmt: skip
    """An embedding column that a TPU could look up.

    Args:
      categorical_column: of ids, of a vocabulary, or a weighted or sequence column of these.
      dimension: of the embeddings.
      combiner: "mean", "sqrtn" or "sum", of the several ids of an example.
      initializer: of the table; a truncated normal of deviation 1 / sqrt(dimension) by default.
      max_sequence_length: how long a TPU's sequences are at most; 0 of a column without.
      learning_rate_fn: of the step, for a TPU's table.

    Returns:
      The column.

    Raises:
      TypeError: another kind of column.
      ValueError: another argument is wrong.
    """
    check_categorical(categorical_column, "embedding_column")
    initializer = table_initializer(categorical_column, dimension, initializer)
    return _TPUEmbeddingColumnV2(
        categorical_column, dimension, combiner, initializer, max_sequence_length, learning_rate_fn
    )


@tf_export("tpu.experimental.shared_embedding_columns")
def shared_embedding_columns_v2(
    categorical_columns: Sequence[Any], dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None, shared_embedding_collection_name: str | None = None,
    max_sequence_lengths: Sequence[int] | None = None, learning_rate_fn: Any = None,
) -> list[Any]:  # fmt: skip
    """Embedding columns of one table, which a TPU could look up.

    Args:
      categorical_columns: as in `embedding_column`, of as many ids each.
      dimension, combiner, initializer, learning_rate_fn: see `embedding_column`.
      shared_embedding_collection_name: the table's name; made of the columns' by default.
      max_sequence_lengths: for each column; all 0 by default.

    Returns:
      The columns.

    Raises:
      TypeError: another kind of column.
      ValueError: another argument is wrong.
    """
    lengths, initializer, name = shared_arguments(
        categorical_columns, dimension, initializer, shared_embedding_collection_name,
        max_sequence_lengths,
    )  # fmt: skip
    buckets = categorical_columns[0]._num_buckets
    creator = columns.SharedEmbeddingColumnCreator(
        dimension, initializer, None, None, buckets, None, name
    )
    return [
        _TPUSharedEmbeddingColumnV2(
            column, creator, combiner, initializer, name, length, learning_rate_fn
        )
        for column, length in zip(categorical_columns, lengths, strict=True)
    ]


class OnTPU:
    """What a TPU would want to know of a column, which computes as its base does."""

    categorical_column: Any
    combiner: str
    _table: str
    _table_initializer: Any
    _table_dimension: int

    def _tell(self, max_sequence_length: int, learning_rate_fn: Any) -> None:
        self._max_sequence_length = max_sequence_length
        self._learning_rate_fn = learning_rate_fn
        column = self.categorical_column
        if self.is_sequence_column() and max_sequence_length < 1:
            raise ValueError(
                "max_sequence_length must be greater than 0 for sequence columns. Got "
                f"max_sequence_length={max_sequence_length} for sequence column {column.name}."
            )
        if not self.is_sequence_column() and max_sequence_length:
            raise ValueError(
                f"Non zero max_seq_length={max_sequence_length} specified for non sequence column "
                f"{column.name}."
            )

    def _dense(self, access: Any) -> Tensor:
        self._refuse_tpu()
        return super()._dense(access)  # pyright: ignore[reportAttributeAccessIssue]

    def _sequence(self, access: Any) -> Any:
        self._refuse_tpu()
        return super()._sequence(access)  # pyright: ignore[reportAttributeAccessIssue]

    def _refuse_tpu(self) -> None:
        """Raises NotImplementedError in a computation for TPUs."""
        if tpu_function.get_tpu_context().number_of_shards is not None:
            raise NotImplementedError(
                "The embedding columns of tf.tpu.experimental in a computation for TPUs are not "
                "supported by tf1compat: their tables would be a TPU's own. Look them up outside "
                "it, or use tf.feature_column.embedding_column."
            )

    def get_combiner(self) -> str:
        """How the several ids of an example are combined."""
        return self.combiner

    def get_embedding_table_size(self) -> tuple[int, int]:
        """(ids, dimension)."""
        return self.categorical_column._num_buckets, self._table_dimension

    def get_feature_key_name(self) -> str:
        """The name of the feature."""
        column = self.categorical_column
        return (column.categorical_column if self.is_categorical_column_weighted() else column).name

    def get_weight_key_name(self) -> str | None:
        """The name of the feature that weights; None without."""
        if self.is_categorical_column_weighted():
            return self.categorical_column.weight_feature_key
        return None

    def get_embedding_var_name(self) -> str:
        """The name of the table."""
        return self._table

    def get_initializer(self) -> Any:
        """The initializer of the table."""
        return self._table_initializer

    def is_categorical_column_weighted(self) -> bool:
        """Whether the ids are weighted."""
        weighted = (old._WeightedCategoricalColumn, columns.WeightedCategoricalColumn)
        return isinstance(self.categorical_column, weighted)

    def is_sequence_column(self) -> bool:
        """Whether the ids are sequences."""
        return isinstance(self.categorical_column, SEQUENCES)

    def get_max_sequence_length(self) -> int:
        """How long a TPU's sequences are at most."""
        return self._max_sequence_length

    def get_learning_rate_fn(self) -> Any:
        """The learning rate of the table, by step."""
        return self._learning_rate_fn

    def get_sequence_length_feature_key_name(self) -> str:
        """The name of the feature that holds the lengths of sequences."""
        return self.get_feature_key_name() + LENGTH_POSTFIX


class _TPUEmbeddingColumnV2(OnTPU, columns.EmbeddingColumn):
    """See `embedding_column_v2`."""

    def __new__(
        cls, categorical_column: Any, dimension: int, combiner: str = "mean",
        initializer: Any = None, max_sequence_length: int = 0, learning_rate_fn: Any = None,
    ) -> Any:  # fmt: skip
        made: Any = columns.EmbeddingColumn.__new__(
            cls, categorical_column, dimension, combiner, initializer, None, None, None, True
        )
        made._table, made._table_dimension = categorical_column.name, dimension
        made._table_initializer = initializer
        made._tell(max_sequence_length, learning_rate_fn)
        return made


class _TPUSharedEmbeddingColumnV2(OnTPU, columns.SharedEmbeddingColumn):
    """See `shared_embedding_columns_v2`."""

    def __new__(
        cls, categorical_column: Any, shared_embedding_column_creator: Any, combiner: str = "mean",
        initializer: Any = None, shared_embedding_collection_name: Any = None,
        max_sequence_length: int = 0, learning_rate_fn: Any = None,
    ) -> Any:  # fmt: skip
        made: Any = columns.SharedEmbeddingColumn.__new__(
            cls, categorical_column, shared_embedding_column_creator, combiner, None
        )
        made._table = shared_embedding_collection_name
        made._table_dimension = shared_embedding_column_creator.dimension
        made._table_initializer = initializer
        made._tell(max_sequence_length, learning_rate_fn)
        return made


def split_sequence_columns_v2(feature_columns: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """(sequence columns, others) of such columns.

    Args:
      feature_columns: the columns.

    Raises:
      TypeError: another kind of column.
    """
    for column in feature_columns:
        if not isinstance(column, OnTPU):
            raise TypeError(
                "column must be a _TPUEmbeddingColumnV2 or _TPUSharedEmbeddingColumnV2 but got "
                f"{kinds.tf_type(column)} instead."
            )
    return split(feature_columns)


def split(feature_columns: Sequence[OnTPU]) -> tuple[list[Any], list[Any]]:
    """(sequence columns, others) of columns."""
    return (
        [column for column in feature_columns if column.is_sequence_column()],
        [column for column in feature_columns if not column.is_sequence_column()],
    )
