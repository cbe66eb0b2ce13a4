"""`tensorflow.python.ops.embedding_ops`: rows of tables that may be cut into several variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import (
    array_ops,
    clip_ops,
    constant_op,
    data_flow_ops,
    math_ops,
    resource_variable_ops,
    variables,
)  # fmt: skip
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension


def _clip(params: Any, ids: Any, max_norm: Any) -> Any:
    """Embeddings scaled down to norm `max_norm`, each over the dimensions that `ids` has not."""
    if max_norm is None:
        return params

    def rank(x: Any) -> tuple[Any, bool]:
        known = ops.convert_to_tensor(x).get_shape().ndims
        return (known, True) if known else (array_ops.rank(x), False)

    ids_rank, ids_known = rank(ids)
    params_rank, params_known = rank(params)
    known = ids_known and params_known
    axes = list(range(ids_rank, params_rank)) if known else math_ops.range(ids_rank, params_rank)
    return clip_ops.clip_by_norm(params, max_norm, axes=axes)


def _rows(param: Any) -> int | None:
    return param.get_shape()[0].value


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
        sizes: list[Any] = []
        for param in params:
            if _rows(param) is not None:
                sizes.append(_rows(param))
            else:
                with ops.colocate_with(param):
                    sizes.append(array_ops.shape(param)[0])
        total = math_ops.reduce_sum(math_ops.cast(array_ops.stack(sizes), flat_ids.dtype))
    # The first `extras` params have a row more than the others.
    each = total // count
    extras = total % count
    assignments = math_ops.maximum(flat_ids // (each + 1), (flat_ids - extras) // each)
    new_ids = array_ops.where(
        assignments < extras, flat_ids % (each + 1), (flat_ids - extras) % each
    )
    return assignments, new_ids


def _embedding_lookup_and_transform(
    params: Any, ids: Any, partition_strategy: str = "mod", name: Any = None, max_norm: Any = None,
    transform_fn: Callable[[Any], Any] | None = None,
) -> Any:  # fmt: skip
    """As `embedding_lookup`; `transform_fn` is applied to the rows where they are."""
    if params is None:
        raise ValueError("params must be specified")
    if isinstance(params, list | tuple) and not params:
        raise ValueError("Need at least one param")
    if isinstance(params, variables.PartitionedVariable):
        params = list(params)
    if not isinstance(params, list):
        params = [params]
    with ops.name_scope(name, "embedding_lookup", [*params, ids]) as name:
        count = len(params)
        if not any(isinstance(p, resource_variable_ops.ResourceVariable) for p in params):
            params = ops.convert_n_to_tensor_or_indexed_slices(params, name="params")
        ids = ops.convert_to_tensor(ids, name="ids")
        if count == 1 and (not transform_fn or ids.get_shape().ndims == 1):
            with ops.colocate_with(params[0]):
                result = _clip(array_ops.gather(params[0], ids, name=name), ids, max_norm)
                if transform_fn:
                    result = transform_fn(result)
            return array_ops.identity(result)
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
        if transform_fn is None:
            row_static = params[0].get_shape()[1:]
            for param in params[1:]:
                row_static = row_static.merge_with(param.get_shape()[1:])
        else:
            row_static = ret.get_shape()[1:]
        row: Any
        if row_static.is_fully_defined():
            row = row_static
        elif transform_fn is None:
            with ops.colocate_with(params[0]):
                whole = array_ops.shape(params[0])
            row = whole[1:]
        else:
            row = array_ops.shape(ret)[1:]
        ret = array_ops.reshape(ret, array_ops.concat([array_ops.shape(ids), row], 0))
        ret.set_shape(ids.get_shape().concatenate(row_static))
        return ret if transform_fn else _clip(ret, ids, max_norm)


@tf_export("nn.embedding_lookup")
def embedding_lookup(
    params: Any, ids: Any, partition_strategy: str = "mod", name: Any = None,
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
