"""Embedding look-ups of `tf.contrib.layers`
(`tensorflow.contrib.layers.python.layers.embedding_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, gather_ops, sequence_ops, slicing
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.layers.scattered_embeddings import (
    _sampled_scattered_embedding_lookup,
    _sampled_scattered_embedding_lookup_sparse,
    embedding_lookup_sparse_with_distributed_aggregation,
    scattered_embedding_lookup,
    scattered_embedding_lookup_sparse,
)
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops, tensor_shape
from tf1compat.core.export import required, tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "embedding_lookup_sparse_with_distributed_aggregation",
    "embedding_lookup_unique",
    "safe_embedding_lookup_sparse",
    "scattered_embedding_lookup",
    "scattered_embedding_lookup_sparse",
]
# What TF's module has besides.
_OTHERS = (_sampled_scattered_embedding_lookup, _sampled_scattered_embedding_lookup_sparse)


@tf_export("contrib.layers.embedding_lookup_unique")
def embedding_lookup_unique(
    params: Any, ids: TensorLike, partition_strategy: str = "mod", name: Name = None
) -> Tensor:
    """`tf.nn.embedding_lookup` that gathers each row once, however often its id occurs.

    Args:
      params: a table, or a list of the parts of one.
      ids: integers of any shape.
      partition_strategy: "mod" or "div": how rows are dealt out to parts.
      name: the name scope.

    Returns:
      A tensor of the shape of `ids` and that of a row.
    """
    with ops.name_scope(name, "EmbeddingLookupUnique", [params, ids]):
        ids = ops.convert_to_tensor(ids)
        shape = array_ops.shape(ids)
        flat = array_ops.reshape(ids, math_ops.reduce_prod(shape, keepdims=True))
        unique_ids, positions = sequence_ops.unique(flat)
        rows = embedding_ops.embedding_lookup(params, unique_ids, partition_strategy)
        embeddings = gather_ops.gather(rows, positions)
        sizes = array_ops.concat([shape, array_ops.shape(rows)[1:]], 0)
        embeddings = array_ops.reshape(embeddings, sizes)
        embeddings.set_shape(ids.get_shape().concatenate(rows.get_shape()[1:]))
        return embeddings


@tf_export("contrib.layers.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = None,
    default_id: Any = None, name: Name = None, partition_strategy: str = "div",
    max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.embedding_lookup_sparse` for ids of any rank, without invalid ids and empty rows.

    Args:
      embedding_weights: a table, or a list of the parts of one.
      sparse_ids: a sparse tensor of ids; negative ones are left out.
      sparse_weights: a sparse tensor of floats, one for each id; those not above 0 are left out,
        unless weights are summed.
      combiner: "sum", "mean" (the default) or "sqrtn".
      default_id: the id for rows without any; by default their embedding is 0.
      name: the name scope.
      partition_strategy: "mod" or "div": how rows are dealt out to parts.
      max_norm: the greatest norm of an embedding.

    Returns:
      A tensor of the ids' shape, its last dimension the embeddings' size.

    Raises:
      ValueError: there are no `embedding_weights`.
      NotImplementedError: what it needs is not there yet.
    """
    if combiner is None:
        logging.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if isinstance(embedding_weights, variables.PartitionedVariable):
        embedding_weights = list(embedding_weights)
    if not isinstance(embedding_weights, list):
        embedding_weights = [embedding_weights]
    if len(embedding_weights) < 1:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    dtype = None if sparse_weights is None else sparse_weights.dtype
    tables = [ops.convert_to_tensor(w, dtype=dtype) for w in embedding_weights]
    check_ops.assert_same_float_dtype([*tables, sparse_weights])
    with ops.name_scope(name, "embedding_lookup", [*tables, sparse_ids, sparse_weights]) as scope:
        shape = sparse_ids.dense_shape
        static_rank = tensor_shape.dimension_value(shape.get_shape()[0])
        rank: Any = array_ops.size(shape) if static_rank is None else static_rank
        rows = math_ops.reduce_prod(slicing.slice(shape, [0], [rank - 1]))
        columns = gather_ops.gather(shape, rank - 1)
        sparse_ids = required("sparse.reshape")(sparse_ids, [rows, columns])
        if sparse_weights is not None:
            sparse_weights = SparseTensor(
                sparse_ids.indices, sparse_weights.values, sparse_ids.dense_shape
            )
        sparse_ids, sparse_weights = _without_invalid(sparse_ids, sparse_weights, combiner)
        fill = required("sparse.fill_empty_rows")
        sparse_ids, is_empty = fill(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = fill(sparse_weights, 1.0)
        result = required("nn.embedding_lookup_sparse")(
            tables, sparse_ids, sparse_weights, combiner=combiner,
            partition_strategy=partition_strategy, name=None if default_id is None else scope,
            max_norm=max_norm,
        )  # fmt: skip
        if default_id is None:
            column = array_ops.reshape(is_empty, [-1, 1])
            is_empty = array_ops.tile(column, array_ops.stack([1, array_ops.shape(result)[1]]))
            zeros = array_ops.zeros_like(result)
            result = gather_ops.where(is_empty, zeros, result, name=scope)
        first = slicing.slice(math_ops.cast(shape, dtypes.int32), [0], [rank - 1])
        last = slicing.slice(array_ops.shape(result), [1], [-1])
        final = array_ops.reshape(result, array_ops.concat([first, last], 0))
        unknown = tensor_shape.unknown_shape(None if static_rank is None else static_rank - 1)
        final.set_shape(unknown.concatenate(result.get_shape()[1:]))
        return final


def _without_invalid(
    sparse_ids: SparseTensor, sparse_weights: SparseTensor | None, combiner: str
) -> tuple[Any, Any]:
    """The ids that are not negative and whose weights are above 0, and these weights."""
    retain = required("sparse.retain")
    is_valid = math_ops.greater_equal(sparse_ids.values, 0)
    if sparse_weights is None:
        return retain(sparse_ids, is_valid), None
    ones = array_ops.ones_like(sparse_weights.values, dtype=dtypes.bool)
    is_valid = math_ops.logical_and(is_valid, ones)
    ids, weights = retain(sparse_ids, is_valid), retain(sparse_weights, is_valid)
    if combiner == "sum":
        return ids, weights
    is_valid = math_ops.greater(weights.values, 0)
    return retain(ids, is_valid), retain(weights, is_valid)
