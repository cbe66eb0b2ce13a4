"""`tensorflow.python.ops.sort_ops`: sorting along a dimension, by top_k."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


@tf_export("sort")
def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: Name = None) -> Tensor:
    """Sorts a tensor along `axis`.

    Args:
      values: a tensor of numbers.
      axis: a constant int.
      direction: "ASCENDING" or "DESCENDING".
      name: the name scope.

    Returns:
      A tensor like `values`.

    Raises:
      ValueError: another direction, or an axis that is not constant.
    """
    with ops.name_scope(name, "sort"):
        return _sort_or_argsort(values, axis, direction, return_argsort=False)


@tf_export("argsort")
def argsort(
    values: Any,
    axis: int = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: Name = None,
) -> Tensor:
    """The indices that sort a tensor along `axis`; as `sort` (`stable` is ignored: it always
    is).

    Args:
      values: a tensor of numbers of rank 1 or more.
      axis: an int; the last dimension by default.
      direction: "ASCENDING" or "DESCENDING".
      stable: accepted.
      name: the operation's name.

    Returns:
      An int32 tensor of the shape of `values`.
    """
    with ops.name_scope(name, "argsort"):
        return _sort_or_argsort(values, axis, direction, return_argsort=True)


def _sort_or_argsort(values: Any, axis: TensorLike, direction: str, return_argsort: bool) -> Tensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f"{direction!s} should be one of ASCENDING, DESCENDING")
    axis = ops.convert_to_tensor(axis, name="axis")
    known = tensor_util.constant_value(axis)
    if axis.shape.ndims != 0 or known is None:
        raise ValueError("axis must be a constant scalar")
    values = ops.convert_to_tensor(values, name="values")
    if direction == "DESCENDING":
        return _descending(values, int(known), return_argsort)
    result = _descending(-values, int(known), return_argsort)
    return result if return_argsort else -result


def _descending(values: Tensor, axis: Any, return_argsort: bool) -> Tensor:
    k = array_ops.shape(values)[axis]
    rank = array_ops.rank(values)
    static_rank = values.shape.ndims
    if axis == -1 or axis + 1 == values.get_shape().ndims:
        top, indices = nn_ops.top_k(values, k)
        return indices if return_argsort else top
    # The axis changes places with the last one, and back.
    if axis < 0:
        axis += static_rank or rank
    if static_rank is not None:
        order = np.arange(static_rank)
        order[axis], order[-1] = static_rank - 1, axis
        swap = constant_op.constant(order, name="transposition")
    else:
        parts = [
            math_ops.range(axis),
            [rank - 1],
            math_ops.range(axis + 1, rank - 1),
            [axis],
        ]
        swap = array_ops.concat(parts, axis=0)
    top, indices = nn_ops.top_k(array_ops.transpose(values, swap), k)
    return array_ops.transpose(indices if return_argsort else top, swap)
