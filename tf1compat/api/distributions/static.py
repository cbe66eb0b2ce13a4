"""Small computations on shapes and truths, done at once where their operands are known."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.typing import TensorLike


def value(x: TensorLike) -> Any:
    """What a tensor is known to be while recording; None if it isn't."""
    return tensor_util.constant_value(ops.convert_to_tensor(x))


def same_shape(x: Any, y: Any) -> bool:
    """Whether two tensors are known to be of the same shape."""
    shapes = x.get_shape(), y.get_shape()
    return all(shape.is_fully_defined() for shape in shapes) and shapes[0] == shapes[1]


def logical_and(*args: Any) -> Any:
    """Whether all of them hold, a bool tensor."""
    known = [value(x) for x in args]
    if any(x is not None and not x for x in known):
        return constant_op.constant(False)
    if all(x is not None for x in known):
        return constant_op.constant(True)
    return math_ops.logical_and(*args) if len(args) == 2 else math_ops.reduce_all(args)


def equal(x: TensorLike, y: TensorLike) -> Any:
    """Whether two are equal, a bool tensor."""
    known = value(x), value(y)
    if known[0] is None or known[1] is None:
        return math_ops.equal(x, y)
    return constant_op.constant(np.array_equal(*known))


def logical_not(x: TensorLike) -> Any:
    """Whether it doesn't hold, a bool tensor."""
    known = value(x)
    return math_ops.logical_not(x) if known is None else constant_op.constant(np.logical_not(known))


def concatenated(*vectors: Any) -> Any:
    """Vectors one after the other, a tensor."""
    known = _joined(vectors)
    return array_ops.concat(vectors, 0) if known is None else constant_op.constant(known)


def concat_vectors(*vectors: Any) -> Any:
    """Vectors one after the other: a list if all are known, else a tensor."""
    known = _joined(vectors)
    return array_ops.concat(vectors, 0) if known is None else known


def _joined(vectors: Any) -> list[Any] | None:
    known = [value(x) for x in vectors]
    return None if any(x is None for x in known) else list(itertools.chain(*known))


def choice(predicate: Any, if_true: Any, if_false: Any) -> Any:
    """One of two scalars."""
    known = value(predicate)
    if known is None:
        return array_ops.where_v2(predicate, if_true, if_false)
    return if_true if known else if_false


def ones_like(x: Any) -> Any:
    """As many ones; a constant if the shape is known."""
    if x.get_shape().is_fully_defined():
        return array_ops.ones(x.get_shape().as_list(), dtype=x.dtype)
    return array_ops.ones_like(x)


def rank_of(shape: Any) -> Any:
    """The length of a shape that is a tensor.

    Raises:
      ValueError: it is no vector.
      TypeError: its elements aren't whole numbers.
    """
    static = shape.get_shape()
    if static.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if not shape.dtype.is_integer:
        raise TypeError("input is not a valid shape: wrong dtype")
    if static.is_fully_defined():
        return constant_op.constant(static.as_list()[0])
    return array_ops.shape(shape)[0]
