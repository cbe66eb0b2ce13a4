"""Products of matrices, and of arrays by labels."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.backend.on_numpy import blas
from tf1compat.backend.on_numpy.promotion import promoted, wide

Array = Any


def _operands(x: Any, y: Any, element_type: Any) -> tuple[Array, Array, np.dtype]:
    """Two arrays of a dtype to multiply and add in, and the dtype of the result."""
    if type(x) is np.ndarray and type(y) is np.ndarray and x.dtype is y.dtype:
        if element_type is None and x.dtype.itemsize > 2:
            return x, y, x.dtype
    x, y = promoted(x, y)
    dtype = x.dtype if element_type is None else np.dtype(element_type)
    compute = wide(dtype)
    return x.astype(compute, copy=False), y.astype(compute, copy=False), dtype


def matmul(x: Any, y: Any, precision: Any = None, preferred_element_type: Any = None) -> Array:
    x, y, dtype = _operands(x, y, preferred_element_type)
    made = blas.matmul(x, y)
    return made if made.dtype is dtype else made.astype(dtype)


def dot(x: Any, y: Any, precision: Any = None, preferred_element_type: Any = None) -> Array:
    x, y, dtype = _operands(x, y, preferred_element_type)
    return np.asarray(np.dot(x, y)).astype(dtype, copy=False)


class _AsProduct(NamedTuple):
    """An einsum of two operands as one product of (stacks of) matrices.

    Attributes:
      x_order, y_order: [batch, rows, summed] and [batch, summed, columns], as dimensions.
      counts: how many dimensions are batch, rows, summed and columns.
      order: the result's dimensions, from [batch, rows, columns].
    """

    x_order: tuple[int, ...]
    y_order: tuple[int, ...]
    counts: tuple[int, int, int, int]
    order: tuple[int, ...]


@functools.cache
def _as_product(equation: str) -> _AsProduct | None:
    """None if it is none: labels that repeat in an operand, or are summed in one alone."""
    if "." in equation or "->" not in equation:
        return None
    inputs, out = equation.replace(" ", "").split("->")
    x, y = inputs.split(",")
    for labels in (x, y, out):
        if len(set(labels)) != len(labels):
            return None
    if any((label in x) + (label in y) + (label in out) < 2 for label in x + y):
        return None
    batch = [label for label in out if label in x and label in y]
    rows = [label for label in out if label in x and label not in y]
    columns = [label for label in out if label in y and label not in x]
    summed = [label for label in x if label in y and label not in out]
    if len(batch) + len(rows) + len(columns) != len(out):
        return None
    made = [*batch, *rows, *columns]
    return _AsProduct(
        tuple(x.index(label) for label in [*batch, *rows, *summed]),
        tuple(y.index(label) for label in [*batch, *summed, *columns]),
        (len(batch), len(rows), len(summed), len(columns)),
        tuple(made.index(label) for label in out),
    )


def einsum(
    equation: str, *operands: Any, precision: Any = None, preferred_element_type: Any = None
) -> Array:
    if len(operands) == 2:
        plan = _as_product(equation)
        if plan is not None:
            x, y, dtype = _operands(*operands, preferred_element_type)
            return _product(x, y, plan).astype(dtype, copy=False)
    arrays = promoted(*operands)
    dtype = arrays[0].dtype if preferred_element_type is None else np.dtype(preferred_element_type)
    arrays = [a.astype(wide(dtype), copy=False) for a in arrays]
    return np.asarray(np.einsum(equation, *arrays, optimize=len(arrays) > 2)).astype(
        dtype, copy=False
    )


def _product(x: Array, y: Array, plan: _AsProduct) -> Array:
    x, y = x.transpose(plan.x_order), y.transpose(plan.y_order)
    batch, rows, summed, columns = plan.counts
    sizes: Sequence[int] = x.shape[:batch]
    row_sizes, column_sizes = x.shape[batch : batch + rows], y.shape[batch + summed :]
    if x.shape[batch + rows :] != y.shape[batch : batch + summed] or y.shape[:batch] != sizes:
        raise ValueError(f"einsum: sizes {x.shape} and {y.shape} don't fit")
    inner = math.prod(x.shape[batch + rows :])
    left = x.reshape(*sizes, math.prod(row_sizes), inner)
    right = y.reshape(*sizes, inner, math.prod(column_sizes))
    return (
        blas.matmul(left, right).reshape((*sizes, *row_sizes, *column_sizes)).transpose(plan.order)
    )
