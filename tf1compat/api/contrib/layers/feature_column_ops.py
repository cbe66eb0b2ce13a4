"""Inputs of nets and linear models made of columns
(`tensorflow.contrib.layers.python.layers.feature_column_ops`)."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.framework import variables as contrib_variables
from tf1compat.api.contrib.framework.experimental import experimental
from tf1compat.api.contrib.layers import embedding_columns as embeddings
from tf1compat.api.contrib.layers import embedding_ops
from tf1compat.api.contrib.layers import feature_column as fc
from tf1compat.api.contrib.layers.shaping import _inner_flatten
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.random import init_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, Name

__all__ = [
    "check_feature_columns",
    "infer_real_valued_columns",
    "input_from_feature_columns",
    "joint_weighted_sum_from_feature_columns",
    "parse_feature_columns_from_examples",
    "parse_feature_columns_from_sequence_examples",
    "sequence_input_from_feature_columns",
    "transform_features",
    "weighted_sum_from_feature_columns",
]


def _maybe_reshape_input_tensor(tensor: Any, column_name: str, output_rank: int) -> Any:
    """A tensor, or SparseTensor, with the given rank."""
    rank = tensor.get_shape().ndims
    is_sparse = isinstance(tensor, SparseTensor)
    if rank is None and is_sparse:
        rank = tensor.dense_shape.get_shape().as_list()[0]
    if rank is None:
        raise ValueError(
            f"Error while processing column {column_name}. Rank of input Tensor can not be None."
        )
    if output_rank > rank + 1:
        raise ValueError(
            f"Error while processing column {column_name}. Rank of input Tensor ({rank}) should be "
            f"the same as output_rank ({output_rank}). For example, sequence data should typically "
            "be 3 dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
        )
    if output_rank == rank + 1:
        if is_sparse:
            shape = array_ops.concat([tensor.dense_shape, [1]], 0)
            return sparse_ops.sparse_reshape(tensor, shape)
        reshaped = array_ops.expand_dims(tensor, -1)
        static = tensor.get_shape()
        if static.dims is not None:
            reshaped.set_shape([*static.as_list(), 1])
        return reshaped
    return _inner_flatten(tensor, output_rank) if output_rank < rank else tensor


def _sorted(feature_columns: Any) -> list[Any]:
    return sorted(set(feature_columns), key=lambda column: column.key)


def _input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Any, trainable: bool,
    scope: Any, output_rank: int, default_name: str, cols_to_outs: Any = None,
) -> Tensor:  # fmt: skip
    columns_to_tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    if cols_to_outs is not None and not isinstance(cols_to_outs, dict):
        raise ValueError("cols_to_outs must be a dict unless None")
    values = columns_to_tensors.values()
    with variable_scope.variable_scope(scope, default_name=default_name, values=values):
        outputs = []
        transformer = _Transformer(columns_to_tensors)
        weight_collections = _add_variable_collection(weight_collections)
        for column in _sorted(feature_columns):
            with variable_scope.variable_scope(None, default_name=column.name, values=values):
                tensor = transformer.transform(column)
                if output_rank == 3:
                    reshape = functools.partial(
                        _maybe_reshape_input_tensor,
                        column_name=column.name,
                        output_rank=output_rank,
                    )
                    tensor = nest.map_structure(reshape, tensor)
                try:
                    arguments = column._deep_embedding_lookup_arguments(tensor)
                    output = fc._embeddings_from_arguments(
                        column, arguments, weight_collections, trainable, output_rank=output_rank
                    )
                except NotImplementedError as no_embedding:
                    try:
                        output = column._to_dnn_input_layer(
                            tensor, weight_collections, trainable, output_rank=output_rank
                        )
                    except ValueError as error:
                        raise ValueError(
                            f"Error creating input layer for column: {column.name}.\n{error}, "
                            f"{no_embedding}"
                        ) from error
                outputs.append(output)
                if cols_to_outs is not None:
                    cols_to_outs[column] = output
        return array_ops.concat(outputs, output_rank - 1)


@tf_export("contrib.layers.input_from_feature_columns")
def input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Collections | None = None,
    trainable: bool = True, scope: Any = None, cols_to_outs: Any = None,
) -> Tensor:  # fmt: skip
    """The columns of examples side by side, ordered by their keys.

    Args:
      columns_to_tensors: {feature: a tensor or SparseTensor}.
      feature_columns: columns of numbers, of embeddings and the like.
      weight_collections: what variables join.
      trainable: whether they are trainable.
      scope: the variable scope.
      cols_to_outs: a dict that gets {column: its part of the result}.

    Returns:
      A float32 matrix.

    Raises:
      ValueError: a column can't be an input.
    """
    return _input_from_feature_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, output_rank=2,
        default_name="input_from_feature_columns", cols_to_outs=cols_to_outs,
    )  # fmt: skip


@tf_export("contrib.layers.sequence_input_from_feature_columns")
@experimental
def sequence_input_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, weight_collections: Collections | None = None,
    trainable: bool = True, scope: Any = None,
) -> Tensor:  # fmt: skip
    """As `input_from_feature_columns`, for sequences: [batch, time, size].

    Args:
      columns_to_tensors, feature_columns, weight_collections, trainable, scope: as in
        `input_from_feature_columns`.

    Returns:
      A tensor [batch, time, size].
    """
    _check_supported_sequence_columns(feature_columns)
    _check_forbidden_sequence_columns(feature_columns)
    return _input_from_feature_columns(
        columns_to_tensors, feature_columns, weight_collections, trainable, scope, output_rank=3,
        default_name="sequence_input_from_feature_columns",
    )  # fmt: skip


def _zeros(name: str, shape: list[Any], trainable: bool, collections: Any, **kwargs: Any) -> Any:
    return contrib_variables.model_variable(
        name=name, shape=shape, initializer=init_ops.zeros_initializer(), trainable=trainable,
        collections=collections, **kwargs,
    )  # fmt: skip


def _with_bias(
    predictions: Tensor, num_outputs: int, trainable: bool, weight_collections: Any
) -> tuple[Tensor, Any]:
    """The sums with a bias, and the bias."""
    collections = _add_variable_collection(weight_collections)
    bias = _zeros("bias_weight", [num_outputs], trainable, collections)
    _log_variable(bias)
    return nn_ops.bias_add(predictions, bias), bias


def _create_embedding_lookup(
    column: Any, columns_to_tensors: Any, arguments: Any, num_outputs: int, trainable: bool,
    weight_collections: Any,
) -> tuple[list[Any], Tensor]:  # fmt: skip
    """(the parts of a column's weights, what it adds to a linear model)."""
    with variable_scope.variable_scope(
        None, default_name=column.name, values=columns_to_tensors.values()
    ):
        variable = contrib_variables.model_variable(
            name="weights", shape=[arguments.vocab_size, num_outputs], dtype=dtypes.float32,
            initializer=arguments.initializer, trainable=trainable,
            collections=weight_collections,
        )  # fmt: skip
        parts = embeddings.parts_of(variable)
        return parts, embedding_ops.safe_embedding_lookup_sparse(
            parts, arguments.input_tensor, sparse_weights=arguments.weight_tensor,
            combiner=arguments.combiner, name=f"{column.name}_weights",
        )  # fmt: skip


def _create_joint_embedding_lookup(
    columns_to_tensors: Any, arguments: list[Any], num_outputs: int, trainable: bool,
    weight_collections: Any,
) -> tuple[list[Any], Tensor]:  # fmt: skip
    """The same for several columns whose weights are one variable."""
    advice = "Please use weighted_sum_from_feature_columns instead."
    for one in arguments:
        assert one.weight_tensor is None, (
            f"Joint sums for weighted sparse columns are not supported. {advice}"
        )
        assert one.combiner == "sum", (
            f"Combiners other than sum are not supported for joint sums. {advice}"
        )
    assert len(arguments) >= 1, "At least one column must be in the model."
    size = 0
    tensors = []
    for one in arguments:
        ids = one.input_tensor
        tensors.append(SparseTensor(ids.indices, ids.values + size, ids.dense_shape))
        size += one.vocab_size
    joined = sparse_ops.sparse_concat(1, tensors)
    with variable_scope.variable_scope(
        None, default_name="linear_weights", values=columns_to_tensors.values()
    ):
        variable = _zeros(
            "weights", [size, num_outputs], trainable, weight_collections, dtype=dtypes.float32
        )
        parts = embeddings.parts_of(variable)
        return parts, embedding_ops.safe_embedding_lookup_sparse(
            parts, joined, sparse_weights=None, combiner="sum", name="_weights"
        )


@tf_export("contrib.layers.joint_weighted_sum_from_feature_columns")
def joint_weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int,
    weight_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> tuple[Tensor, Any, Any]:  # fmt: skip
    """As `weighted_sum_from_feature_columns`, the weights of all columns in one variable.

    Args: see `weighted_sum_from_feature_columns`.

    Returns:
      The sums [batch, num_outputs], a list of the parts of the variable, and the bias.

    Raises:
      NotImplementedError: a column is one of numbers.
    """
    columns_to_tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    with variable_scope.variable_scope(
        scope,
        default_name="joint_weighted_sum_from_feature_columns",
        values=columns_to_tensors.values(),
    ):
        transformer = _Transformer(columns_to_tensors)
        arguments = []
        for column in _sorted(feature_columns):
            tensor = transformer.transform(column)
            try:
                arguments.append(column._wide_embedding_lookup_arguments(tensor))
            except NotImplementedError:
                raise NotImplementedError(
                    "Real-valued columns are not supported. Use weighted_sum_from_feature_columns "
                    "instead, or bucketize these columns."
                ) from None
        variable, predictions = _create_joint_embedding_lookup(
            columns_to_tensors, arguments, num_outputs, trainable, weight_collections
        )
        predictions, bias = _with_bias(predictions, num_outputs, trainable, weight_collections)
        return predictions, variable, bias


@tf_export("contrib.layers.weighted_sum_from_feature_columns")
def weighted_sum_from_feature_columns(
    columns_to_tensors: Any, feature_columns: Any, num_outputs: int,
    weight_collections: Collections | None = None, trainable: bool = True, scope: Any = None,
) -> tuple[Tensor, dict[Any, Any], Any]:  # fmt: skip
    """A linear model: a weighted sum of columns, and a bias.

    Args:
      columns_to_tensors: {feature: a tensor or SparseTensor}.
      feature_columns: columns of ids or numbers.
      num_outputs: the size of the result.
      weight_collections: what variables join.
      trainable: whether they are trainable.
      scope: the variable scope.

    Returns:
      The sums [batch, num_outputs], {column: a list of the parts of its weights}, and the bias.

    Raises:
      ValueError: a column can't be part of a linear model.
    """
    columns_to_tensors = columns_to_tensors.copy()
    check_feature_columns(feature_columns)
    values = columns_to_tensors.values()
    with variable_scope.variable_scope(
        scope, default_name="weighted_sum_from_feature_columns", values=values
    ):
        sums = []
        weights: dict[Any, Any] = {}
        transformer = _Transformer(columns_to_tensors)
        for column in _sorted(feature_columns):
            tensor = transformer.transform(column)
            try:
                arguments = column._wide_embedding_lookup_arguments(tensor)
                variable, predictions = _create_embedding_lookup(
                    column, columns_to_tensors, arguments, num_outputs, trainable,
                    weight_collections,
                )  # fmt: skip
            except NotImplementedError:
                with variable_scope.variable_scope(None, default_name=column.name, values=values):
                    dense = column._to_dense_tensor(tensor)
                    dense = _maybe_reshape_input_tensor(dense, column.name, output_rank=2)
                    shape = [dense.get_shape()[1], num_outputs]
                    variable = [_zeros("weight", shape, trainable, weight_collections)]
                    predictions = math_ops.matmul(dense, variable[0], name="matmul")
            except ValueError as error:
                raise ValueError(
                    f"Error creating weighted sum for column: {column.name}.\n{error}"
                ) from error
            sums.append(array_ops.reshape(predictions, shape=(-1, num_outputs)))
            weights[column] = variable
            _log_variable(variable)
            fc._maybe_restore_from_checkpoint(column._checkpoint_path(), variable)
        predictions, bias = _with_bias(
            math_ops.add_n(sums), num_outputs, trainable, weight_collections
        )
        return predictions, weights, bias


@tf_export("contrib.layers.parse_feature_columns_from_examples")
def parse_feature_columns_from_examples(
    serialized: Any, feature_columns: Any, name: Name = None, example_names: Any = None
) -> dict[Any, Any]:
    """Parses the features of columns, and makes the columns' values.

    Args:
      serialized: strings [batch]: `tf.train.Example`s.
      feature_columns: the columns.
      name: the name scope.
      example_names: strings [batch], for messages.

    Returns:
      {feature or column: its value}.
    """
    check_feature_columns(feature_columns)
    columns_to_tensors = parsing_ops.parse_example(
        serialized=serialized, features=fc.create_feature_spec_for_parsing(feature_columns),
        name=name, example_names=example_names,
    )  # fmt: skip
    transformer = _Transformer(columns_to_tensors)
    for column in _sorted(feature_columns):
        transformer.transform(column)
    return columns_to_tensors


@tf_export("contrib.layers.transform_features")
def transform_features(features: Any, feature_columns: Any) -> dict[Any, Any]:
    """{column: its value}.

    Args:
      features: {feature: a tensor or SparseTensor}.
      feature_columns: the columns.

    Returns:
      {column: a tensor or SparseTensor}.
    """
    columns_to_tensors = features.copy()
    check_feature_columns(feature_columns)
    transformer = _Transformer(columns_to_tensors)
    for column in _sorted(feature_columns):
        transformer.transform(column)
    return {key: value for key, value in columns_to_tensors.items() if key in feature_columns}


@tf_export("contrib.layers.parse_feature_columns_from_sequence_examples")
def parse_feature_columns_from_sequence_examples(
    serialized: Any, context_feature_columns: Any, sequence_feature_columns: Any,
    name: Name = None, example_name: Any = None,
) -> tuple[dict[str, Any], dict[str, Any]]:  # fmt: skip
    """Parses the features of columns of a `tf.train.SequenceExample`.

    Args:
      serialized: a string.
      context_feature_columns: columns of what holds for the whole sequence, or None.
      sequence_feature_columns: columns of steps, or None.
      name: the name scope.
      example_name: a string, for messages.

    Returns:
      {feature: its value} of the whole and of the steps.

    Raises:
      ValueError: `serialized` is a batch.
    """
    try:
        serialized = array_ops.reshape(serialized, [])
    except ValueError as error:
        raise ValueError(
            "serialized must contain as single sequence example. Batching must be done after "
            f"parsing for sequence examples. Error: {error}"
        ) from error
    context_feature_columns = context_feature_columns or []
    sequence_feature_columns = sequence_feature_columns or []
    check_feature_columns(context_feature_columns)
    context_spec = fc.create_feature_spec_for_parsing(context_feature_columns)
    check_feature_columns(sequence_feature_columns)
    sequence_spec = fc._create_sequence_feature_spec_for_parsing(
        sequence_feature_columns, allow_missing_by_default=False
    )
    return parsing_ops.parse_single_sequence_example(
        serialized, context_spec, sequence_spec, example_name, name
    )


def _log_variable(variable: Any) -> None:
    # TF says so of single variables only: of a list it asks whether that is one.
    if fc._is_variable(variable):
        logging.info("Created variable %s, with device=%s", variable.name, variable.device)


def _infer_real_valued_column_for_tensor(name: str, tensor: Any) -> Any:
    text = (
        "{} not supported for auto detection. Please define corresponding FeatureColumn for tensor "
        "{{}} {{}}."
    )
    if isinstance(tensor, SparseTensor):
        raise ValueError(text.format("SparseTensor is"), name, tensor)
    if not (tensor.dtype.is_integer or tensor.dtype.is_floating):
        raise ValueError(text.format("Non integer or non floating types are"), name, tensor)
    dimension = 1
    for size in tensor.get_shape().as_list()[1:]:
        dimension *= size
    return fc.real_valued_column(name, dimension=dimension, dtype=tensor.dtype)


@tf_export("contrib.layers.infer_real_valued_columns")
def infer_real_valued_columns(features: Any) -> list[Any]:
    """A column of numbers for each feature.

    Args:
      features: a tensor, or {key: a tensor}.

    Returns:
      A list of columns of `real_valued_column`.

    Raises:
      ValueError: a feature is not a dense tensor of numbers.
    """
    if not isinstance(features, dict):
        return [_infer_real_valued_column_for_tensor("", features)]
    return [_infer_real_valued_column_for_tensor(key, value) for key, value in features.items()]


@tf_export("contrib.layers.check_feature_columns")
def check_feature_columns(feature_columns: Any) -> None:
    """Raises ValueError if columns are a dict, or two of them the same.

    Args:
      feature_columns: feature columns.
    """
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    seen = set()
    for column in feature_columns:
        if column.key in seen:
            raise ValueError(
                f"Duplicate feature column key found for column: {column.name}. This usually means "
                "that the column is almost identical to another column, and one must be discarded."
            )
        seen.add(column.key)


class _Transformer:
    """Makes the values of columns, each once.

    Args:
      columns_to_tensors: {feature: a tensor or SparseTensor}; it gets the columns' values too.
    """

    def __init__(self, columns_to_tensors: dict[Any, Any]):
        self._columns_to_tensors = columns_to_tensors

    def transform(self, feature_column: Any) -> Any:
        """A column's value.

        Raises:
          ValueError: the column has none.
        """
        logging.debug("Transforming feature_column %s", feature_column)
        if feature_column not in self._columns_to_tensors:
            feature_column.insert_transformed_feature(self._columns_to_tensors)
        if feature_column not in self._columns_to_tensors:
            raise ValueError(f"Column {feature_column.name} is not supported.")
        return self._columns_to_tensors[feature_column]


def _add_variable_collection(weight_collections: Collections) -> Any:
    if weight_collections:
        return list({*weight_collections, ops.GraphKeys.GLOBAL_VARIABLES})
    return weight_collections


_SUPPORTED_SEQUENCE_COLUMNS = (
    fc._OneHotColumn, fc._EmbeddingColumn, fc._RealValuedColumn, fc._RealValuedVarLenColumn,
)  # fmt: skip
_FORBIDDEN_SEQUENCE_COLUMNS = (
    fc._ScatteredEmbeddingColumn, fc._BucketizedColumn, fc._CrossedColumn,
)  # fmt: skip


def _check_supported_sequence_columns(feature_columns: Any) -> None:
    for column in feature_columns:
        if not isinstance(column, _SUPPORTED_SEQUENCE_COLUMNS):
            raise ValueError(
                f"FeatureColumn type {type(column).__name__} is not currently supported for "
                "sequence data."
            )


def _get_parent_columns(feature_column: Any) -> tuple[Any, ...]:
    """The columns that one is made of."""
    if isinstance(
        feature_column, fc._WeightedSparseColumn | fc._OneHotColumn | fc._EmbeddingColumn
    ):
        return (feature_column.sparse_id_column,)
    if isinstance(feature_column, fc._BucketizedColumn):
        return (feature_column.source_column,)
    if isinstance(feature_column, fc._CrossedColumn):
        return tuple(feature_column.columns)
    return ()


def _gather_feature_columns(feature_columns: Any) -> list[Any]:
    """Columns, and all that they are made of."""
    gathered = list(feature_columns)
    for column in gathered:  # It grows meanwhile.
        gathered += [parent for parent in _get_parent_columns(column) if parent not in gathered]
    return gathered


def _check_forbidden_sequence_columns(feature_columns: Any) -> None:
    for column in _gather_feature_columns(feature_columns):
        if isinstance(column, _FORBIDDEN_SEQUENCE_COLUMNS):
            raise ValueError(
                f"Column {column.name} is of type {type(column).__name__}, which is not currently "
                "supported for sequences."
            )
