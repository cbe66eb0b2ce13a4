"""Embeddings picked by hashes, and summed where their tables are (a part of TF's `embedding_ops`
of `tf.contrib.layers`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op, sequence_ops
from tf1compat.api.contrib.layers import sparse_feature_cross_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import resource_variable_ops, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike

__all__ = [
    "embedding_lookup_sparse_with_distributed_aggregation",
    "scattered_embedding_lookup",
    "scattered_embedding_lookup_sparse",
]


def _parts(params: Any) -> list[Any]:
    if isinstance(params, variables.PartitionedVariable):
        return list(params)
    return params if isinstance(params, list) else [params]


def _or_mean(combiner: str | None) -> str:
    if combiner is not None:
        return combiner
    logging.warn(
        'The default value of combiner will change from "mean" to "sqrtn" after 2016/11/01.'
    )
    return "mean"


def scattered_embedding_lookup(
    params: Any, values: Any, dimension: Any, name: Name = None, hash_key: Any = None
) -> Tensor:
    """A vector for each value, whose numbers hashes pick from a table.

    Args:
      params: a vector of numbers, or a list of the parts of one.
      values: words or integers of any shape.
      dimension: the vectors' size.
      name: the name scope.
      hash_key: what the hashes are combined with; None for an older way.

    Returns:
      A tensor [*shape of values, dimension].

    Raises:
      ValueError: no dimension, or parts of other sizes than partitioning makes.
    """
    if dimension is None:
        raise ValueError("You must specify dimension.")
    return _sampled_scattered_embedding_lookup(
        params, values, dimension=dimension, sampled_candidates=None, hash_key=hash_key, name=name
    )


def _check_sizes(params: list[Any]) -> int:
    """How many numbers there are; the parts must be of the sizes that partitioning makes."""
    sizes = []
    for param in params:
        shape = param.get_shape()
        shape.assert_has_rank(1)
        shape.assert_is_fully_defined()
        sizes.append(dimension_value(shape[0]) or 0)
    total = sum(sizes)
    for i, size in enumerate(sizes):
        expected = (total - i - 1) // len(params) + 1
        if size != expected:
            raise ValueError(f"Tensor {i} in params has size {size}, expected {expected}.")
    return total


def _sampled_scattered_embedding_lookup(
    params: Any, values: Any, dimension: Any = None, sampled_candidates: TensorLike | None = None,
    hash_key: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `scattered_embedding_lookup`; `sampled_candidates` [*shape of values, n] says which
    numbers of the vectors are wanted."""
    params = _parts(params)
    with ops.name_scope(name, "scattered_embedding_lookup", [*params, dimension, values]):
        values_shape = array_ops.shape(values)
        values = array_ops.reshape(values, [-1, 1])
        if sampled_candidates is None:
            if dimension is None:
                raise ValueError("You must specify either dimension or sampled_candidates.")
            if dimension <= 0:
                raise ValueError(f"Dimension must be >0. Given is {dimension}")
            numbers = array_ops.expand_dims(math_ops.range(0, dimension), 0)
            sampled_candidates = array_ops.tile(numbers, array_ops.shape(values))
        else:
            shape = array_ops.shape(sampled_candidates)
            dimension = shape[math_ops.subtract(array_ops.rank(sampled_candidates), 1)]
            shape = array_ops.shape(sampled_candidates)
            size = array_ops.reshape(dimension, shape=[1])
            expected = array_ops.concat([values_shape, size], 0)
            check = control_flow_ops.Assert(
                math_ops.reduce_all(math_ops.equal(shape, expected)),
                [
                    "The shape of sampled_candidates: ", shape,
                    " does not match the shape of values: ", values_shape,
                ],
            )  # fmt: skip
            with ops.control_dependencies([check]):
                sampled_candidates = array_ops.reshape(sampled_candidates, [-1, dimension])
        ids = sparse_feature_cross_op.sparse_feature_cross(
            [sampled_candidates, values], hashed_output=True, num_buckets=_check_sizes(params),
            hash_key=hash_key,
        )  # fmt: skip
        ids = sparse_ops.sparse_tensor_to_dense(ids)
        result = embedding_ops.embedding_lookup(params, ids, partition_strategy="div")
        return array_ops.reshape(result, array_ops.concat([values_shape, [dimension]], 0))


def scattered_embedding_lookup_sparse(
    params: Any, sparse_values: Any, dimension: Any, combiner: Any = None,
    default_value: Any = None, name: Name = None, hash_key: Any = None,
) -> Tensor:  # fmt: skip
    """`scattered_embedding_lookup` of the values of each row, combined.

    Args:
      params, dimension, name, hash_key: see `scattered_embedding_lookup`.
      sparse_values: a SparseTensor [batch, …] of words or integers.
      combiner: "mean" (the default), "sqrtn" or "sum".
      default_value: what rows without any have.

    Returns:
      A tensor [batch, dimension].

    Raises:
      TypeError: `sparse_values` is something else.
      ValueError: another combiner.
    """
    combiner = _or_mean(combiner)
    params = _parts(params)
    if not isinstance(sparse_values, SparseTensor):
        raise TypeError("sparse_values must be SparseTensor")
    with ops.name_scope(
        name, "scattered_embedding_lookup_sparse", [*params, sparse_values]
    ) as scope:
        if default_value is None:
            # Something that nobody uses.
            is_word = sparse_values.dtype == dtypes.string
            default_value = "6ZxWzWOHxZ" if is_word else 1288896567
        sparse_values, _ = sparse_ops.sparse_fill_empty_rows(sparse_values, default_value)
        rows = _rows(sparse_values)
        values, idx = sequence_ops.unique(sparse_values.values)
        found = scattered_embedding_lookup(params, values, dimension, hash_key=hash_key)
        combine: dict[str, Callable[..., Tensor]] = {
            "sum": math_ops.sparse_segment_sum,
            "mean": math_ops.sparse_segment_mean,
            "sqrtn": math_ops.sparse_segment_sqrt_n,
        }
        if combiner not in combine:
            raise ValueError("Combiner must be one of 'mean', 'sqrtn' or 'sum'.")
        return combine[combiner](found, idx, rows, name=scope)


def _rows(sparse: SparseTensor) -> Tensor:
    """The row of each value, int32."""
    rows = sparse.indices[:, 0]
    return rows if rows.dtype == dtypes.int32 else math_ops.cast(rows, dtypes.int32)


def _sampled_scattered_embedding_lookup_sparse(
    params: Any, sp_values: TensorLike, dimension: Any = None,
    sampled_candidates: TensorLike | None = None,
    hash_key: Any = None, with_sign_hash: bool = False, name: Name = None,
) -> Tensor:  # fmt: skip
    """The sums of the vectors of each row; `with_sign_hash`, hashes also pick their signs."""
    if not isinstance(sp_values, SparseTensor):
        raise TypeError("sp_values must be SparseTensor")
    with ops.name_scope(
        name=name,
        default_name="sampled_scattered_embedding_lookup_sparse",
        values=[sp_values, params, dimension, sampled_candidates],
    ) as scope:
        rows = sp_values.indices[:, 0]
        if sampled_candidates is not None:
            sampled_candidates = array_ops.gather(sampled_candidates, rows)
        settings = {
            "dimension": dimension, "sampled_candidates": sampled_candidates, "hash_key": hash_key,
        }  # fmt: skip
        found = _sampled_scattered_embedding_lookup(
            params, sp_values.values, name="values_lookup", **settings
        )
        if with_sign_hash:
            signs = _sampled_scattered_embedding_lookup(
                constant_op.constant([-1.0, 1.0]), sp_values.values, name="signs_lookup",
                **settings,
            )  # fmt: skip
            found = math_ops.multiply(signs, found, name="signs_hash")
        if rows.dtype != dtypes.int32:
            rows = math_ops.cast(rows, dtypes.int32)
        count = array_ops.shape(sp_values)[0]
        return math_ops.unsorted_segment_sum(found, rows, num_segments=count, name=scope)


def embedding_lookup_sparse_with_distributed_aggregation(
    params: Any, sp_ids: Any, sp_weights: Any, partition_strategy: str = "mod", name: Name = None,
    combiner: Any = None, max_norm: Any = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.embedding_lookup_sparse`, summed where each part of the table is.

    Args:
      params: a table, or a list of the parts of one.
      sp_ids: a SparseTensor of ids [batch, …].
      sp_weights: a SparseTensor with the same indices, or None.
      partition_strategy: "mod" or "div": how rows are dealt out to parts.
      name: the name scope.
      combiner: "mean" (the default), "sqrtn" or "sum".
      max_norm: scale rows of the table down to this l2 norm.

    Returns:
      A tensor [batch, *row].

    Raises:
      TypeError: ids or weights are not sparse.
      ValueError: another combiner, or no table.
    """
    combiner = _or_mean(combiner)
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError("combiner must be one of 'mean', 'sqrtn' or 'sum'")
    params = _parts(params)
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError("sp_ids must be SparseTensor")
    if sp_weights is not None:
        if not isinstance(sp_weights, SparseTensor):
            raise TypeError("sp_weights must be either None or SparseTensor")
        for part in ("values", "indices", "dense_shape"):
            shape = getattr(sp_ids, part).get_shape()
            shape.assert_is_compatible_with(getattr(sp_weights, part).get_shape())
    with ops.name_scope(name, "embedding_lookup_sparse", [*params, sp_ids]):
        rows = _rows(sp_ids)
        ids, idx, weights = sp_ids.values, None, None
        if sp_weights is None:
            ids, idx = sequence_ops.unique(ids)
        else:
            weights = sp_weights.values
        sums = _embedding_lookup_with_distributed_aggregation(
            params, ids, partition_strategy=partition_strategy, max_norm=max_norm,
            weights=weights, idx=idx, segment_ids=rows,
        )  # fmt: skip
        if weights is None:
            weights = array_ops.fill([array_ops.shape(rows)[0]], 1)
        if weights.dtype != sums.dtype:
            weights = math_ops.cast(weights, sums.dtype)
        weights = embedding_ops._with_dimensions_of(weights, sums)
        if combiner == "mean":
            return math_ops.div(sums, math_ops.segment_sum(weights, rows))
        if combiner == "sqrtn":
            squares = math_ops.segment_sum(math_ops.pow(weights, 2), rows)
            return math_ops.div(sums, math_ops.sqrt(squares))
        return sums


def _do_gather(params: Any, ids: TensorLike, name: Name = None) -> Tensor:
    if isinstance(params, resource_variable_ops.ResourceVariable):
        return params.sparse_read(ids, name=name)
    return array_ops.gather(params, ids, name=name)


def _clipped(x: Tensor, max_norm: Any) -> Tensor:
    if max_norm is None:
        return x
    rank: Any = x.get_shape().ndims
    if rank is None:
        rank = array_ops.size(array_ops.shape(x))
    return clip_ops.clip_by_norm(x, max_norm, axes=list(range(1, rank)))


def _weighted(rows: Tensor, weights: Tensor) -> Tensor:
    if weights.dtype != rows.dtype:
        weights = math_ops.cast(weights, rows.dtype)
    return rows * embedding_ops._with_dimensions_of(weights, rows)


def _embedding_lookup_with_distributed_aggregation(
    params: Any, ids: TensorLike, partition_strategy: str = "mod", name: Name = None,
    max_norm: Any = None, weights: Any = None, idx: Any = None, segment_ids: Any = None,
) -> Tensor:  # fmt: skip
    """The sums of rows by segment.

    Args:
      params, partition_strategy, max_norm: see
        `embedding_lookup_sparse_with_distributed_aggregation`.
      ids: a vector of ids.
      weights: their weights; without any, `idx` says which id each value has.
      segment_ids: the segment of each value.
    """
    if params is None or params == []:
        raise ValueError("Need at least one param")
    params = _parts(params)
    with ops.name_scope(
        name, "embedding_lookup_with_distributed_aggregation", [*params, ids]
    ) as scope:
        if not any(isinstance(p, resource_variable_ops.ResourceVariable) for p in params):
            params = ops.convert_n_to_tensor_or_indexed_slices(params, name="params")
        if len(params) == 1:
            with ops.colocate_with(params[0]):
                rows = _clipped(_do_gather(params[0], ids), max_norm)
                if weights is None:
                    return math_ops.sparse_segment_sum(rows, idx, segment_ids, name=scope)
                return math_ops.segment_sum(_weighted(rows, weights), segment_ids, name=scope)
        return _summed_by_part(
            params, ids, partition_strategy, scope, max_norm, weights, idx, segment_ids
        )


def _dealt_out(params: list[Any], ids: Tensor, strategy: str) -> tuple[Tensor, Tensor]:
    """For each id, which of the params has its row, and which row of that one it is."""
    count = len(params)
    if strategy == "mod":
        return ids % count, ids // count
    if strategy != "div":
        raise ValueError("Unrecognized partition strategy: " + strategy)
    total: Any = sum((p.get_shape().dims[0] for p in params[1:]), params[0].get_shape().dims[0])
    if total.value:
        total = constant_op.constant(total.value, ids.dtype)
    else:
        sizes: list[Any] = []
        for param in params:
            size = param.get_shape().dims[0].value
            if size is None:
                with ops.colocate_with(param):
                    size = array_ops.shape(param)[0]
            sizes.append(size)
        total = math_ops.reduce_sum(math_ops.cast(array_ops.stack(sizes), ids.dtype))
    # The first `extras` params have a row more than the others.
    each = total // count
    extras = total % count
    assignments = math_ops.maximum(ids // (each + 1), (ids - extras) // each)
    is_longer = math_ops.cast(assignments < extras, ids.dtype)
    new_ids = is_longer * (ids % (each + 1)) + (1 - is_longer) * ((ids - extras) % each)
    return assignments, new_ids


def _summed_by_part(
    params: list[Any], ids: TensorLike, partition_strategy: str, name: Name, max_norm: Any,
    weights: Any,
    idx: Any, segment_ids: Any,
) -> Tensor:  # fmt: skip
    count = len(params)
    ids = ops.convert_to_tensor(ids, name="ids")
    flat_ids = array_ops.reshape(ids, [-1])
    original = math_ops.range(array_ops.size(flat_ids))
    assignments, new_ids = _dealt_out(params, flat_ids, partition_strategy)
    assignments = math_ops.cast(assignments, dtypes.int32)
    gather_ids = data_flow_ops.dynamic_partition(new_ids, assignments, count)
    positions = data_flow_ops.dynamic_partition(original, assignments, count)
    results: list[Any] = []
    for param, part_ids in zip(params, gather_ids, strict=True):
        with ops.colocate_with(param):
            results.append(_do_gather(param, part_ids))
    part_weights: list[Any] = []
    if weights is not None:
        part_weights = [array_ops.gather(weights, position) for position in positions]
    row = params[0].get_shape()[1:]
    for param in params[1:]:
        row = row.merge_with(param.get_shape()[1:])
    whole: Any = None
    if not row.is_fully_defined():
        with ops.colocate_with(params[0]):
            whole = array_ops.shape(params[0])
    for i, param in enumerate(params):
        with ops.colocate_with(param):
            size = array_ops.shape(positions[i])
            rest: Any = row if whole is None else array_ops.slice(whole, [1], [-1])
            results[i] = array_ops.reshape(results[i], array_ops.concat([size, rest], 0))
    for i, param in enumerate(params):
        with ops.colocate_with(param):
            results[i] = _clipped(results[i], max_norm)
    if weights is not None:
        for i, param in enumerate(params):
            with ops.colocate_with(param):
                results[i] = _weighted(results[i], part_weights[i])
    segments: list[Any] = []
    for i, param in enumerate(params):
        if weights is not None:
            part_segments = array_ops.gather(segment_ids, positions[i])
            unique_segments, where = sequence_ops.unique(part_segments)
            segments.append(unique_segments)
            with ops.colocate_with(param):
                results[i] = math_ops.segment_sum(results[i], where)
        else:
            _, excluded = sequence_ops.setdiff1d(idx, positions[i])
            everything = math_ops.range(array_ops.shape(idx)[0])
            _, included = sequence_ops.setdiff1d(everything, excluded)
            part_segments = array_ops.gather(segment_ids, included)
            part_idx = array_ops.gather(idx, included)
            unique_segments, where = sequence_ops.unique(part_segments)
            _, part_idx = sequence_ops.unique(part_idx)
            segments.append(unique_segments)
            with ops.colocate_with(param):
                results[i] = math_ops.sparse_segment_sum(results[i], part_idx, where)
    all_segments = array_ops.concat(segments, 0)
    all_results = array_ops.concat(results, 0)
    last = math_ops.reduce_max(all_segments) + 1
    return math_ops.unsorted_segment_sum(all_results, all_segments, last, name=name)
