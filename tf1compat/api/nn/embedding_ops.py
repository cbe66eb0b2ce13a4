"""`tensorflow.python.ops.embedding_ops`: rows of tables that may be cut into several variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import resource_variable_ops, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension, TensorShape, dimension_value
from tf1compat.core.typing import Name, TensorLike


def _clip(params: TensorLike, ids: TensorLike, max_norm: Any) -> Any:
    """Embeddings scaled down to norm `max_norm`, each over the dimensions that `ids` has not."""
    if max_norm is None:
        return params

    def rank(x: TensorLike) -> tuple[Any, bool]:
        known = ops.convert_to_tensor(x).get_shape().ndims
        return (known, True) if known else (array_ops.rank(x), False)

    ids_rank, ids_known = rank(ids)
    params_rank, params_known = rank(params)
    known = ids_known and params_known
    axes = list(range(ids_rank, params_rank)) if known else math_ops.range(ids_rank, params_rank)
    return clip_ops.clip_by_norm(params, max_norm, axes=axes)


def _rows(param: Any) -> int | None:
    return dimension_value(param.get_shape()[0])


def _rows_when_run(param: TensorLike) -> Any:
    known = _rows(param)
    if known is not None:
        return known
    with ops.colocate_with(param):
        return array_ops.shape(param)[0]


def _assignments(params: list[Any], flat_ids: Tensor, strategy: str) -> tuple[Tensor, Tensor]:
    """For each id, which of the params has its row, and which row of that one it is."""
    count = len(params)
    if strategy == "mod":
        return flat_ids % count, flat_ids // count
    if strategy != "div":
        raise ValueError("Unrecognized partition strategy: " + strategy)
    total: Any = sum((Dimension(_rows(p)) for p in params[1:]), Dimension(_rows(params[0])))
    if total.value:
        total = constant_op.constant(total.value, flat_ids.dtype)
    else:
        sizes = array_ops.stack([_rows_when_run(param) for param in params])
        total = math_ops.reduce_sum(math_ops.cast(sizes, flat_ids.dtype))
    # The first `extras` params have a row more than the others.
    each = total // count
    extras = total % count
    assignments = math_ops.maximum(flat_ids // (each + 1), (flat_ids - extras) // each)
    new_ids = array_ops.where(
        assignments < extras, flat_ids % (each + 1), (flat_ids - extras) % each
    )
    return assignments, new_ids


def _as_list(params: Any) -> list[Any]:
    """The parts of an embedding, which may be given as a tensor or a partitioned variable."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, list | tuple) and not params:
        raise ValueError("Need at least one param")
    is_many = isinstance(params, list | variables.PartitionedVariable)
    return list(params) if is_many else [params]


def _lookup_in_one(
    param: TensorLike,
    ids: Tensor,
    max_norm: Any,
    transform_fn: Callable[[Any], Any] | None,
    name: Name,
) -> Tensor:
    with ops.colocate_with(param):
        rows = _clip(array_ops.gather(param, ids, name=name), ids, max_norm)
        if transform_fn:
            rows = transform_fn(rows)
    return array_ops.identity(rows)


def _row_shape(params: list[Any] | None, rows: Tensor) -> tuple[TensorShape, Any]:
    """The shape of a row, as far as it is known, and as it is when run: that of the params' rows
    or, if there are none, of the rows that were found."""
    if params is None:
        static = rows.get_shape()[1:]
        return static, static if static.is_fully_defined() else array_ops.shape(rows)[1:]
    static, *others = (param.get_shape()[1:] for param in params)
    for other in others:
        static = static.merge_with(other)
    if static.is_fully_defined():
        return static, static
    with ops.colocate_with(params[0]):
        whole = array_ops.shape(params[0])
    return static, whole[1:]


def _embedding_lookup_and_transform(
    params: TensorLike, ids: TensorLike, partition_strategy: str = "mod", name: Name = None,
    max_norm: Any = None,
    transform_fn: Callable[[Any], Any] | None = None,
) -> Any:  # fmt: skip
    """As `embedding_lookup`; `transform_fn` is applied to the rows where they are."""
    params = _as_list(params)
    with ops.name_scope(name, "embedding_lookup", [*params, ids]) as name:
        count = len(params)
        if not any(isinstance(p, resource_variable_ops.ResourceVariable) for p in params):
            params = ops.convert_n_to_tensor_or_indexed_slices(params, name="params")
        ids = ops.convert_to_tensor(ids, name="ids")
        if count == 1 and (not transform_fn or ids.get_shape().ndims == 1):
            return _lookup_in_one(params[0], ids, max_norm, transform_fn, name)
        flat_ids = array_ops.reshape(ids, [-1])
        original = math_ops.range(array_ops.size(flat_ids))
        assignments, new_ids = _assignments(params, flat_ids, partition_strategy)
        assignments = math_ops.cast(assignments, dtypes.int32)
        gather_ids = data_flow_ops.dynamic_partition(new_ids, assignments, count)
        positions = data_flow_ops.dynamic_partition(original, assignments, count)
        parts = []
        for param, part_ids in zip(params, gather_ids, strict=True):
            with ops.colocate_with(param):
                result = array_ops.gather(param, part_ids)
                if transform_fn:
                    result = transform_fn(_clip(result, part_ids, max_norm))
            parts.append(result)
        ret = data_flow_ops.parallel_dynamic_stitch(positions, parts, name=name)
        row_static, row = _row_shape(params if transform_fn is None else None, ret)
        ret = array_ops.reshape(ret, array_ops.concat([array_ops.shape(ids), row], 0))
        ret.set_shape(ids.get_shape().concatenate(row_static))
        return ret if transform_fn else _clip(ret, ids, max_norm)


@tf_export("nn.embedding_lookup")
def embedding_lookup(
    params: TensorLike, ids: TensorLike, partition_strategy: str = "mod", name: Name = None,
    validate_indices: bool = True, max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """The rows `ids` of a table that may be cut into several.

    Args:
      params: a tensor or variable [rows, *row], a list of them, or a PartitionedVariable.
      ids: ints of any shape.
      partition_strategy: with several params, "mod": row r is in params[r % n]; "div": they have
        consecutive rows.
      name: the name scope.
      validate_indices: ignored, as in TF 1.15.
      max_norm: scale rows down to this l2 norm.

    Returns:
      A tensor of shape `ids.shape + row`.

    Raises:
      ValueError: no params, or an unknown strategy.
    """
    return _embedding_lookup_and_transform(
        params, ids, partition_strategy, name=name, max_norm=max_norm
    )


@tf_export("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod", name: Name = None,
    combiner: Any = None, max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """For each row of ids, the rows of a table that they name, combined to one.

    Args:
      params: the table, as in `embedding_lookup`.
      sp_ids: a SparseTensor of ids, int32 or int64, [n, …]; every row has at least one.
      sp_weights: a SparseTensor with the same indices: how much each id counts; or None.
      partition_strategy: as in `embedding_lookup`.
      name: the name scope.
      combiner: "mean" (the default), "sqrtn" (the sum divided by the root of the sum of the
        squared weights) or "sum".
      max_norm: scale rows of the table down to this l2 norm.

    Returns:
      A tensor of shape [n, *row].

    Raises:
      TypeError: the ids or weights are not sparse.
      ValueError: another combiner.
    """
    if combiner is None:
        tf_logging.warn(
            'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
        )
        combiner = "mean"
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    if isinstance(params, variables.PartitionedVariable):
        params = list(params)
    if not isinstance(params, list):
        params = [params]
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError("sp_weights must be either None or SparseTensor")
        for part in ("values", "indices", "dense_shape"):
            ids_shape = getattr(sp_ids, part).get_shape()
            ids_shape.assert_is_compatible_with(getattr(sp_weights, part).get_shape())
    with ops.name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]) as name:
        segment_ids = sp_ids.indices[:, 0]
        if segment_ids.dtype != dtypes.int32:
            segment_ids = math_ops.cast(segment_ids, dtypes.int32)
        ids, positions = array_ops.unique(sp_ids.values)
        embeddings = embedding_lookup(
            params, ids, partition_strategy=partition_strategy, max_norm=max_norm
        )
        if embeddings.dtype in (dtypes.float16, dtypes.bfloat16):
            embeddings = math_ops.cast(embeddings, dtypes.float32)
        if sp_weights is None:
            combine = getattr(math_ops, f"sparse_segment_{_SEGMENT_NAMES[combiner]}")
            return combine(embeddings, positions, segment_ids, name=name)
        weights = sp_weights.values
        if weights.dtype != embeddings.dtype:
            weights = math_ops.cast(weights, embeddings.dtype)
        embeddings = array_ops.gather(embeddings, positions)
        weights = _with_dimensions_of(weights, embeddings)
        embeddings *= weights
        if combiner == "sum":
            return math_ops.segment_sum(embeddings, segment_ids, name=name)
        embeddings = math_ops.segment_sum(embeddings, segment_ids)
        if combiner == "mean":
            total = math_ops.segment_sum(weights, segment_ids)
        else:
            squares = math_ops.segment_sum(math_ops.pow(weights, 2), segment_ids)
            total = math_ops.sqrt(squares)
        return math_ops.div(embeddings, total, name=name)


_SEGMENT_NAMES = {"mean": "mean", "sqrtn": "sqrt_n", "sum": "sum"}


def _with_dimensions_of(weights: Tensor, embeddings: Tensor) -> Tensor:
    """A vector reshaped so that it is broadcast along the rows of `embeddings`."""
    rank = array_ops.rank(embeddings)
    ones = array_ops.fill(array_ops.expand_dims(rank - 1, 0), 1)
    shape = array_ops.concat([array_ops.shape(weights), ones], 0)
    static = weights.get_shape()
    weights = array_ops.reshape(weights, shape)
    ndims = embeddings.get_shape().ndims
    if ndims is not None:
        weights.set_shape(static.concatenate([1] * (ndims - 1)))
    return weights


@tf_export("compat.v2.nn.embedding_lookup_sparse")
def embedding_lookup_sparse_v2(
    params: TensorLike, sp_ids: Any, sp_weights: Any, combiner: Any = None, max_norm: Any = None,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `embedding_lookup_sparse`, with the strategy "div".

    Args:
      params, sp_ids, sp_weights, combiner, max_norm, name: as in `embedding_lookup_sparse`.

    Returns:
      As `embedding_lookup_sparse`.
    """
    return embedding_lookup_sparse(params, sp_ids, sp_weights, "div", name, combiner, max_norm)


def _as_matrices(
    ids: SparseTensor, weights: SparseTensor | None, rank: Any
) -> tuple[SparseTensor, SparseTensor | None]:
    """Ids and weights with all dimensions but the last one put together."""
    shape = ids.dense_shape
    rows = math_ops.reduce_prod(array_ops.slice(shape, [0], [rank - 1]))
    ids = sparse_ops.sparse_reshape(ids, [rows, array_ops.gather(shape, rank - 1)])
    if weights is None:
        return ids, None
    return ids, SparseTensor(ids.indices, weights.values, ids.dense_shape)


@tf_export("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = "mean",
    default_id: Any = None, name: Name = None, partition_strategy: str = "div",
    max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """As `embedding_lookup_sparse`, for ids of any rank, of which some rows may be empty or bad.

    Negative ids count for nothing, nor do those with weights that are not positive (unless the
    combiner is "sum").

    Args:
      embedding_weights: the table, as in `embedding_lookup`.
      sparse_ids: a SparseTensor of ids [*rows, …].
      sparse_weights: a SparseTensor with the same indices, or None.
      combiner: "mean", "sqrtn" or "sum".
      default_id: the id in rows that have none; by default such rows are 0.
      name: the name scope.
      partition_strategy: "div" or "mod".
      max_norm: scale rows of the table down to this l2 norm.

    Returns:
      A tensor of shape [*rows, *row of the table].

    Raises:
      ValueError: no table.
    """
    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    if isinstance(embedding_weights, variables.PartitionedVariable):
        embedding_weights = list(embedding_weights)
    if not isinstance(embedding_weights, list):
        embedding_weights = [embedding_weights]
    if not embedding_weights:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    dtype = sparse_weights.dtype if sparse_weights is not None else None
    embedding_weights = [
        w
        if isinstance(w, resource_variable_ops.ResourceVariable) and dtype in (None, w.dtype)
        else ops.convert_to_tensor(w, dtype=dtype)
        for w in embedding_weights
    ]
    values = [*embedding_weights, sparse_ids, sparse_weights]
    with ops.name_scope(name, "embedding_lookup", values) as scope:
        original_shape = sparse_ids.dense_shape
        static_rank = original_shape.get_shape().dims[0].value
        rank: Any = array_ops.size(original_shape) if static_rank is None else static_rank
        sparse_ids, sparse_weights = _as_matrices(sparse_ids, sparse_weights, rank)
        sparse_ids, sparse_weights = _prune_invalid_ids(sparse_ids, sparse_weights)
        if combiner != "sum":
            sparse_ids, sparse_weights = _prune_invalid_weights(sparse_ids, sparse_weights)
        sparse_ids, is_row_empty = sparse_ops.sparse_fill_empty_rows(sparse_ids, default_id or 0)
        if sparse_weights is not None:
            sparse_weights, _ = sparse_ops.sparse_fill_empty_rows(sparse_weights, 1.0)
        result = embedding_lookup_sparse(
            embedding_weights,
            sparse_ids,
            sparse_weights,
            combiner=combiner,
            partition_strategy=partition_strategy,
            name=None if default_id is None else scope,
            max_norm=max_norm,
        )
        if default_id is None:
            is_row_empty = array_ops.tile(
                array_ops.reshape(is_row_empty, [-1, 1]),
                array_ops.stack([1, array_ops.shape(result)[1]]),
            )
            result = array_ops.where(is_row_empty, array_ops.zeros_like(result), result, name=scope)
        outer = array_ops.slice(math_ops.cast(original_shape, dtypes.int32), [0], [rank - 1])
        inner = array_ops.slice(array_ops.shape(result), [1], [-1])
        final_result = array_ops.reshape(result, array_ops.concat([outer, inner], 0))
        static = TensorShape(None if static_rank is None else [None] * (static_rank - 1))
        final_result.set_shape(static.concatenate(result.get_shape()[1:]))
        return final_result


@tf_export("compat.v2.nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse_v2(
    embedding_weights: Any, sparse_ids: Any, sparse_weights: Any = None, combiner: Any = "mean",
    default_id: Any = None, max_norm: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `safe_embedding_lookup_sparse`.

    Args:
      embedding_weights, sparse_ids, sparse_weights, combiner, default_id, max_norm, name: as in
        `safe_embedding_lookup_sparse`.

    Returns:
      As `safe_embedding_lookup_sparse`.
    """
    return safe_embedding_lookup_sparse(
        embedding_weights,
        sparse_ids,
        sparse_weights=sparse_weights,
        combiner=combiner,
        default_id=default_id,
        name=name,
        max_norm=max_norm,
    )


def _retain(sparse_ids: Any, sparse_weights: Any, mask: Tensor) -> tuple[Any, Any]:
    sparse_ids = sparse_ops.sparse_retain(sparse_ids, mask)
    if sparse_weights is not None:
        sparse_weights = sparse_ops.sparse_retain(sparse_weights, mask)
    return sparse_ids, sparse_weights


def _prune_invalid_ids(sparse_ids: Any, sparse_weights: Any) -> tuple[Any, Any]:
    """Leaves out ids that are negative."""
    is_valid = math_ops.greater_equal(sparse_ids.values, 0)
    if sparse_weights is not None:
        ones = array_ops.ones_like(sparse_weights.values, dtype=dtypes.bool)
        is_valid = math_ops.logical_and(is_valid, ones)
    return _retain(sparse_ids, sparse_weights, is_valid)


def _prune_invalid_weights(sparse_ids: Any, sparse_weights: Any) -> tuple[Any, Any]:
    """Leaves out ids whose weights are not positive."""
    if sparse_weights is None:
        return sparse_ids, sparse_weights
    return _retain(sparse_ids, sparse_weights, math_ops.greater(sparse_weights.values, 0))
