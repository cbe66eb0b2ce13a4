"""What a ragged tensor's parts must be like, and how many rows there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_util
from tf1compat.core import dtypes, nest, ops, tensor_util
from tf1compat.core.tensor import Tensor


def row_count(nrows: Any, value_rowids: Tensor) -> tuple[Tensor, Any]:
    """The number of rows, as a tensor and (if it is known) a number."""
    if nrows is not None:
        nrows = ops.convert_to_tensor(nrows, value_rowids.dtype, "nrows")
        count = tensor_util.constant_value(nrows)
        if count is not None:
            if count < 0:
                raise ValueError(f"Expected nrows >= 0; got {count}")
            rowids = tensor_util.constant_value(value_rowids)
            if rowids is not None and rowids.size and count < rowids[-1] + 1:
                raise ValueError(
                    f"Expected nrows >= value_rowids[-1] + 1; got nrows={count}, "
                    f"value_rowids[-1]={rowids[-1]}"
                )
        return nrows, count
    rowids = tensor_util.constant_value(value_rowids)
    if rowids is None:
        return array_ops.concat([value_rowids[-1:], [-1]], axis=0)[0] + 1, None
    count = rowids[-1] + 1 if rowids.size else 0
    return ops.convert_to_tensor(count, value_rowids.dtype, name="nrows"), count


class FactoryChecks:
    """What a method that makes a ragged tensor checks at run time, in the order of the calls."""

    def __init__(self, method: str):
        self._message = f"Arguments to {method} do not form a valid RaggedTensor"
        self._made: list[Any] = []

    def that(self, assertion: Callable[..., Any], *operands: Any) -> None:
        """Adds one of the assertions of `tf.debugging`."""
        self._made.append(assertion(*operands, message=self._message))

    def zero(self, tensor: Tensor) -> None:
        self.that(check_ops.assert_equal, tensor, constant(0, dtype=tensor.dtype))

    def rising(self, tensor: Tensor) -> None:
        self.that(check_ops.assert_non_negative, ragged_util.splits_to_lengths(tensor))

    def before(self, values: Any, partition: Tensor) -> Tensor:
        """What partitions `values`, once all holds, and `values` has rows at all."""
        if not nest.is_composite(values):
            self._made.append(check_ops.assert_rank_at_least(values, 1))
        return control_flow_ops.with_dependencies(self._made, partition)


def assert_without_gaps(indices: Tensor) -> list[Any]:
    """Operations that fail unless each row's columns are 0, 1, 2, …"""
    rows, columns = indices[:, :-1], indices[:, -1]
    other_row = math_ops.reduce_any(math_ops.not_equal(rows[1:], rows[:-1]), axis=1)
    begins = math_ops.equal(columns[1:], 0)
    goes_on = math_ops.equal(columns[1:], columns[:-1] + 1)
    follows = array_ops.where(other_row, begins, goes_on)
    from_zero = math_ops.reduce_all(math_ops.equal(columns[:1], 0))
    holds = math_ops.logical_and(from_zero, math_ops.reduce_all(follows))
    message = ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices]
    return [control_flow_ops.Assert(holds, message)]


def nrows_of(tensor: Any, out_type: Any = dtypes.int32) -> Tensor:
    if nest.is_composite(tensor):
        return tensor.nrows(out_type=out_type)
    return array_ops.shape(tensor, out_type=out_type)[0]
