"""Tensors printed with what they are (contrib's `framework.python.ops.prettyprint_ops`)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.control_flow.tensor_array_ops import TensorArray
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.variables.variable_base import Variable
from tf1compat.core import dtypes, ops
from tf1compat.core.sparse_tensor import SparseTensor

__all__ = ["print_op"]

_KINDS = (
    (ops.Tensor, "Tensor"),
    (SparseTensor, "SparseTensor"),
    (TensorArray, "TensorArray"),
    (Variable, "Variable"),
)


def _kind(t: Any) -> str | None:
    return next((name for cls, name in _KINDS if isinstance(t, cls)), None)


def _described(
    t: Any, print_name: bool, print_type: bool, print_shape: bool, find_first: bool
) -> Iterator[Any]:
    """What is printed of a value."""
    kind = _kind(t)
    is_tensor, is_sparse, is_array = (
        kind == name for name in ("Tensor", "SparseTensor", "TensorArray")
    )
    if print_name and is_tensor:
        yield constant(f"Name: {t.name}")
    if print_type:
        if kind is None:
            raise ValueError("t must be a Tensor, SparseTensor, TensorArray or Variable.")
        yield constant(f"Type: {kind} ({t.dtype.name})")
    if print_shape and is_sparse:
        yield from (constant("Shape:"), t.dense_shape)
    elif print_shape and is_tensor:
        yield constant(f"Shape: {t.get_shape().dims}")
    elif print_shape and is_array:
        yield from (constant("Size:"), t.size())
    if find_first and t.dtype == dtypes.bool:
        numbers = math_ops.cast(t, dtypes.uint8)
        yield from (constant("First True in Boolean tensor at:"), math_ops.argmax(numbers, 0))
    if is_sparse:
        yield from (constant("Sparse indices:"), t.indices)
        yield from (constant("Sparse values:"), t.values)
    elif is_tensor:
        yield from (constant("Value:"), t)
    elif is_array:
        yield from (constant("Value:"), t.stack())


def print_op(
    input_: Any, data: Any = None, message: str | None = None, first_n: int | None = None,
    summarize: int = 20, print_tensor_name: bool = True, print_tensor_type: bool = True,
    print_shape: bool = True, summarize_indicator_vector: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """The same value; what it is, and others are, is printed when it is computed.

    Args:
      input_: a tensor, sparse tensor, `TensorArray` or variable.
      data: others that are printed with it.
      message: what is printed first.
      first_n: how often it is printed; always by default.
      summarize: how many elements of each tensor.
      print_tensor_name: whether to print names.
      print_tensor_type: whether to print kinds and dtypes.
      print_shape: whether to print shapes.
      summarize_indicator_vector: whether to print where the first True of booleans is.
      name: the operation's name.

    Raises:
      ValueError: it, or one of the others, is something else.
    """
    refused = "input_ must be of type Tensor, SparseTensor or TensorArray"
    if input_ is None:
        raise ValueError(refused)
    what = (print_tensor_name, print_tensor_type, print_shape, summarize_indicator_vector)
    shown = [part for t in (input_, *(data or ())) for part in _described(t, *what)]

    def printing(tensor: Any) -> Any:
        return logging_ops.Print(tensor, shown, message or "", first_n, summarize, name)

    if isinstance(input_, ops.Tensor | Variable):
        return printing(input_)
    if not isinstance(input_, SparseTensor | TensorArray):
        raise ValueError(refused)
    with ops.control_dependencies([printing(constant([]))]):
        if isinstance(input_, SparseTensor):
            parts = (input_.indices, input_.values, input_.dense_shape)
            return SparseTensor(*map(array_ops.identity, parts))
        return TensorArray(dtype=input_.dtype, handle=input_.handle, flow=input_.flow)
