"""Parts of `tensorflow.python.eager.backprop`: types of attrs, and sums of gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import indexed_slices
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, errors, op_defs, ops
from tf1compat.core.tensor_shape import as_shape

# TF's numbers for the types of attrs; that of a list is a list of one.
_TYPES = {"string": 0, "int": 1, "float": 2, "bool": 3, "type": 4, "shape": 5, "tensor": 6}
_TYPES["func"] = 8


def op_attr_type(op_type: str, attr_name: str) -> int | list[int]:
    """TF's number for the type of an attr; in a list if the attr is one.

    Raises:
      NotFoundError: there is no such op type.
      InvalidArgumentError: it has no such attr.
    """
    op_def = op_defs.get(op_type)
    if op_def is None:
        raise errors.NotFoundError(
            None,
            None,
            f"'{op_type}' is neither a type of a primitive operation nor a name of a function "
            "registered in binary running on vm. Make sure the operation or function is "
            "registered in the binary running in this process.",
        )
    for attr in op_def.attrs.values():
        if attr.name == attr_name:
            if attr.type.startswith("list("):
                return [_TYPES[attr.type[len("list(") : -1]]]
            return _TYPES[attr.type]
    raise errors.InvalidArgumentError(
        None, None, f"Attribute '{attr_name}' does not exist for this operation"
    )


def make_attr(attr_type: int | list[int], value: Any) -> Any:
    """An attr's value as a gradient function takes it.

    Args:
      attr_type: see `op_attr_type`.
      value: numbers of dtypes, shapes, strings, or what else the attr has.
    """
    if attr_type == _TYPES["type"]:
        return dtypes.as_dtype(value)
    if attr_type == [_TYPES["type"]]:
        return [dtypes.as_dtype(item) for item in value]
    if attr_type == _TYPES["shape"]:
        return as_shape(value).as_proto()
    if attr_type == [_TYPES["shape"]]:
        return [as_shape(item).as_proto() for item in value]
    return value.encode() if isinstance(value, str) else value


def _num_elements(grad: Any) -> int:
    """How many elements a gradient has in memory.

    Raises:
      ValueError: it is neither a tensor nor IndexedSlices.
    """
    if isinstance(grad, ops.IndexedSlices):
        grad = grad.values
    if not isinstance(grad, ops.Tensor):
        raise ValueError("`grad` not a Tensor or IndexedSlices.")
    return grad.shape.num_elements() or 0


def _aggregate_grads(gradients: Sequence[Any]) -> Any:
    """The sum of gradients: IndexedSlices if all are."""
    assert gradients, "No gradients to aggregate"
    if len(gradients) == 1:
        return gradients[0]
    if all(isinstance(grad, ops.Tensor) for grad in gradients):
        return math_ops.add_n(gradients)
    return indexed_slices.aggregate(gradients)
