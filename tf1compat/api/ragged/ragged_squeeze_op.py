"""`tensorflow.python.ops.ragged.ragged_squeeze_op`: dimensions of size 1 left out."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.api.ragged.ragged_tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


def squeeze(input: Any, axis: Any = None, name: Name = None) -> Any:
    """As `tf.squeeze`, where `input` may be ragged; then `axis` must be given.

    Raises:
      ValueError, TypeError: `axis` is missing, or no ints.
      InvalidArgumentError: at run time, if one of the dimensions has another size.
    """
    with ops.name_scope(name, "RaggedSqueeze", [input]):
        input = convert_to_tensor_or_ragged_tensor(input)
        if isinstance(input, Tensor):
            return array_ops.squeeze(input, axis, name)
        if axis is None:
            raise ValueError("Ragged.squeeze must have an axis argument.")
        if isinstance(axis, int):
            axis = [axis]
        elif not (isinstance(axis, list | tuple) and all(isinstance(dim, int) for dim in axis)):
            raise TypeError("Axis must be a list or tuple of integers.")
        dims = [ragged_util.get_positive_axis(dim, input.shape.ndims) for dim in axis]
        dense_dims = [dim - input.ragged_rank for dim in dims if dim > input.ragged_rank]
        ragged_dims = {dim for dim in dims if dim <= input.ragged_rank}
        checks = _checks(input, ragged_dims)
        result: Any = control_flow_ops.with_dependencies(checks, input.flat_values)
        if dense_dims:
            result = array_ops.squeeze(result, dense_dims)
        splits = [
            splits
            for dim, splits in enumerate(input.nested_row_splits, 1)
            if dim not in ragged_dims
        ]
        if 0 in ragged_dims:
            splits = splits[1:]
        result = RaggedTensor.from_nested_row_splits(result, splits)
        if ragged_dims.issuperset(range(input.ragged_rank + 1)):
            result = array_ops.squeeze(result, [0], name)
        return result


def _checks(value: RaggedTensor, dims: set[int]) -> list[Any]:
    """Operations that fail unless the ragged dimensions have size 1."""
    one = constant(1, dtype=value.row_splits.dtype)
    checks = []
    for dim, lengths in enumerate(value.nested_row_lengths(), 1):
        if dim in dims:
            holds = math_ops.reduce_all(math_ops.equal(lengths, one))
            message = f"the given axis (axis = {dim}) is not squeezable!"
            checks.append(control_flow_ops.Assert(holds, [message]))
    if 0 in dims:
        two = constant(2, dtype=dtypes.int32)
        holds = math_ops.equal(array_ops.size(value.row_splits), two)
        message = "the given axis (axis = 0) is not squeezable!"
        checks.append(control_flow_ops.Assert(holds, [message]))
    return checks
