"""Old embedding columns that a TPU could look up (`tensorflow.python.tpu.feature_column`). Off TPUs
they are embedding columns like others; in a computation for TPUs they are what was fed for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.feature_column import column_kinds as kinds
from tf1compat.api.feature_column import feature_column as old
from tf1compat.api.tpu import feature_column_v2 as v2
from tf1compat.api.tpu import tpu, tpu_function
from tf1compat.api.variables import variable_scope
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Initializer

_TPU_FC_TO_SCOPE = "_tpu_feature_column_scope"
_SEQUENCE_FEATURE_LENGTH_POSTFIX = v2.LENGTH_POSTFIX
_SUPPORTED_SEQUENCE_COLUMNS = v2.SEQUENCES
_SUPPORTED_CATEGORICAL_COLUMNS_V2 = v2.CATEGORICAL
_SUPPORTED_CATEGORICAL_COLUMNS = (
    old._IdentityCategoricalColumn, old._VocabularyFileCategoricalColumn,
    old._VocabularyListCategoricalColumn, old._WeightedCategoricalColumn,
    old._SequenceCategoricalColumn, *v2.CATEGORICAL,
)  # fmt: skip


def embedding_column(
    categorical_column: Any, dimension: Any, combiner: str = "mean",
    initializer: Initializer | None = None, max_sequence_length: int = 0,
    learning_rate_fn: Any = None,
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
    v2.check_categorical(categorical_column, "embedding_column", _SUPPORTED_CATEGORICAL_COLUMNS)
    initializer = v2.table_initializer(categorical_column, dimension, initializer)
    usual = old._embedding_column(categorical_column, dimension, combiner, initializer)
    column = _TPUEmbeddingColumn(
        categorical_column, dimension, combiner, usual.layer_creator,
        max_sequence_length=max_sequence_length, learning_rate_fn=learning_rate_fn,
    )  # fmt: skip
    column._table_initializer = initializer
    return column


def shared_embedding_columns(
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
    lengths, initializer, name = v2.shared_arguments(
        categorical_columns, dimension, initializer, shared_embedding_collection_name,
        max_sequence_lengths, _SUPPORTED_CATEGORICAL_COLUMNS,
    )  # fmt: skip
    return [
        _TPUSharedEmbeddingColumn(
            column,
            dimension,
            combiner,
            initializer,
            name,
            max_sequence_length=length,
            learning_rate_fn=learning_rate_fn,
        )  # fmt: skip
        for column, length in zip(categorical_columns, lengths, strict=True)
    ]


class _TPUBaseEmbeddingColumn(v2.OnTPU):
    """What both kinds are, besides a usual column."""

    _is_shared = False

    def _dense(self, access: Any) -> Tensor:
        usual = super(v2.OnTPU, self)._dense  # pyright: ignore[reportAttributeAccessIssue]
        if tpu.under_tpu_inference_context():
            return tpu.outside_compilation(lambda: usual(access))
        if _is_running_on_cpu():
            return usual(access)
        return self._fed(access)

    def _sequence(self, access: Any) -> Any:
        usual = super(v2.OnTPU, self)._sequence  # pyright: ignore[reportAttributeAccessIssue]
        if tpu.under_tpu_inference_context():
            return tpu.outside_compilation(lambda: usual(access))
        if _is_running_on_cpu():
            return usual(access)
        dense = self._fed(access)
        # The features are matrices at least, lengths are not.
        lengths = array_ops.squeeze(access.get(self.get_sequence_length_feature_key_name()), -1)
        return old._SequenceDenseColumn.TensorSequenceLengthPair(
            dense_tensor=dense, sequence_length=lengths
        )

    def _fed(self, access: Any) -> Any:
        """What a TPU looked up, which is in the place of the feature."""
        found = access.get(self.get_feature_key_name())
        _record_variable_scope_and_name(
            self.get_embedding_var_name(), "embedding_weights", self._is_shared
        )
        return found


class _TPUEmbeddingColumn(_TPUBaseEmbeddingColumn, old._EmbeddingColumn):
    """See `embedding_column`."""

    def __new__(
        cls, categorical_column: Any, dimension: int, combiner: str = "mean",
        layer_creator: Any = None, ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
        max_norm: Any = None, trainable: bool = True, max_sequence_length: int = 0,
        learning_rate_fn: Any = None,
    ) -> Any:  # fmt: skip
        made: Any = old._EmbeddingColumn.__new__(
            cls, categorical_column, dimension, combiner, layer_creator, ckpt_to_load_from,
            tensor_name_in_ckpt, max_norm, trainable,
        )  # fmt: skip
        made._table, made._table_dimension = categorical_column.name, dimension
        made._tell(max_sequence_length, learning_rate_fn)
        return made


class _TPUSharedEmbeddingColumn(_TPUBaseEmbeddingColumn, old._SharedEmbeddingColumn):
    """See `shared_embedding_columns`."""

    _is_shared = True

    def __new__(
        cls, categorical_column: Any, dimension: int, combiner: str = "mean",
        initializer: Any = None, shared_embedding_collection_name: Any = None,
        ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: Any = None,
        trainable: bool = True, max_sequence_length: int = 0, learning_rate_fn: Any = None,
    ) -> Any:  # fmt: skip
        made: Any = old._SharedEmbeddingColumn.__new__(
            cls, categorical_column, dimension, combiner, initializer,
            shared_embedding_collection_name, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
            trainable,
        )  # fmt: skip
        made._table, made._table_dimension = shared_embedding_collection_name, dimension
        made._table_initializer = initializer
        made._tell(max_sequence_length, learning_rate_fn)
        return made


def _record_variable_scope_and_name(
    embedding_var_name: str, embedding_var_name_in_fc: str, is_shared_embedding: bool = False
) -> None:
    """Notes in the graph in which scope a table would be.

    Raises:
      ValueError: it would be in two, or under two names.
    """
    collection = ops.get_default_graph().get_collection_ref(_TPU_FC_TO_SCOPE)
    if not collection:
        collection.append({})
    scope = variable_scope.get_variable_scope().name
    known = collection[0].setdefault(embedding_var_name, (scope, embedding_var_name_in_fc))
    if known[0] != scope and not is_shared_embedding:
        raise ValueError(
            f"For embedding var name {embedding_var_name}, the variable scope name is different, "
            f"got {scope}; expected {known[0]}"
        )
    if known[1] != embedding_var_name_in_fc:
        raise ValueError(
            f"For embedding var name {embedding_var_name}, the embedding name is different, "
            f"got {embedding_var_name_in_fc}; expected {known[1]}"
        )


def _is_running_on_cpu() -> bool:
    """Whether no computation for TPUs is being recorded."""
    return tpu_function.get_tpu_context().number_of_shards is None


def get_sequence_length_feature_key_name_from_feature_key_name(feature_name: str) -> str:
    """The name of the feature with the lengths of a sequence feature.

    Args:
      feature_name: that of the sequence feature.

    Returns:
      It.
    """
    return feature_name + _SEQUENCE_FEATURE_LENGTH_POSTFIX


def split_sequence_columns(feature_columns: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """(sequence columns, others) of such columns.

    Args:
      feature_columns: the columns.

    Returns:
      The two lists.

    Raises:
      TypeError: another kind of column.
    """
    for column in feature_columns:
        if not isinstance(column, _TPUBaseEmbeddingColumn):
            raise TypeError(
                "column must be a _TPUEmbeddingColumn or  _TPUSharedEmbeddingColumn but got "
                f"{kinds.tf_type(column)} instead."
            )
    return v2.split(feature_columns)
