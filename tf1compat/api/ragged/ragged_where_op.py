"""`tensorflow.python.ops.ragged.ragged_where_op`: `tf.where` of ragged tensors."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_concat_ops, ragged_functional_ops, ragged_gather_ops
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    match_row_splits_dtypes,
)
from tf1compat.core import ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def where(
    condition: TensorLike,
    x: TensorLike | None = None,
    y: TensorLike | None = None,
    name: Name = None,
) -> Any:
    """As `tf.where`, where any argument may be ragged.

    Raises:
      ValueError: one of `x` and `y` is missing, or the shapes do not fit.
    """
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    # TF takes the name for the default, too.
    with ops.name_scope("RaggedWhere", name, [condition, x, y]):
        condition = convert_to_tensor_or_ragged_tensor(condition, name="condition")
        if x is None:
            return _coordinates(condition)
        x = convert_to_tensor_or_ragged_tensor(x, name="x")
        y = convert_to_tensor_or_ragged_tensor(y, name="y")
        return _choice(*match_row_splits_dtypes(condition, x, y))


def _choice(condition: Any, x: Any, y: Any) -> Any:
    ragged = [isinstance(value, RaggedTensor) for value in (condition, x, y)]
    if not any(ragged):
        return array_ops.where(condition, x, y)
    if all(ragged):
        return ragged_functional_ops.map_flat_values(array_ops.where, condition, x, y)
    if ragged[0]:
        raise ValueError("Input shapes do not match.")
    # Whole rows of x or y, out of both joined.
    condition.shape.assert_has_rank(1)
    both = ragged_concat_ops.concat([x, y], axis=0)
    x_nrows = _nrows(x, both.row_splits.dtype)
    y_nrows = _nrows(y, both.row_splits.dtype)
    rows = array_ops.where(condition, math_ops.range(x_nrows), x_nrows + math_ops.range(y_nrows))
    return ragged_gather_ops.gather(both, rows)


def _coordinates(condition: Any) -> Tensor:
    """Where a condition holds, as rows of indices."""
    if not isinstance(condition, RaggedTensor):
        return array_ops.where(condition)
    found = _coordinates(condition.values)
    condition = condition.with_row_splits_dtype(found.dtype)
    places = found[:, 0]
    rows = array_ops.gather(condition.value_rowids(), places)
    columns = places - array_ops.gather(condition.row_splits, rows)
    return array_ops.concat(
        [array_ops.expand_dims(rows, 1), array_ops.expand_dims(columns, 1), found[:, 1:]], axis=1
    )


def _nrows(value: Any, out_type: DTypeLike) -> Tensor:
    if isinstance(value, RaggedTensor):
        return value.nrows(out_type=out_type)
    return array_ops.shape(value, out_type=out_type)[0]
