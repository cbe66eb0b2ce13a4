"""`tensorflow.python.ops.ragged.ragged_operators`: Python's operators on ragged tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_getitem
from tf1compat.api.ragged.ragged_tensor import RaggedTensor


def _right(operator: Callable[..., Any]) -> Callable[..., Any]:
    """The operator with its operands swapped."""
    return lambda y, x: operator(x, y)


_BINARY = {
    "add": math_ops.add,
    "and": math_ops.logical_and,
    "div": math_ops.div,
    "floordiv": math_ops.floordiv,
    "mod": math_ops.floormod,
    "mul": math_ops.multiply,
    "or": math_ops.logical_or,
    "pow": math_ops.pow,
    "sub": math_ops.subtract,
    "truediv": math_ops.truediv,
    "xor": math_ops.logical_xor,
}
_OTHERS = {
    "abs": math_ops.abs,
    "ge": math_ops.greater_equal,
    "getitem": ragged_getitem.ragged_tensor_getitem,
    "gt": math_ops.greater,
    "invert": math_ops.logical_not,
    "le": math_ops.less_equal,
    "lt": math_ops.less,
    "neg": math_ops.negative,
}
for _name, _function in _OTHERS.items():
    setattr(RaggedTensor, f"__{_name}__", _function)
for _name, _function in _BINARY.items():
    setattr(RaggedTensor, f"__{_name}__", _function)
    setattr(RaggedTensor, f"__r{_name}__", _right(_function))
