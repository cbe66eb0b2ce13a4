"""`tensorflow.python.ops.inplace_ops`: rows that are written over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike


def _instead(name: str) -> str:
    return (
        f"Prefer tf.tensor_scatter_nd_{name}, which offers the same functionality with "
        "well-defined read-write semantics."
    )


def _inplace(record: Callable[..., Tensor], x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """Records an operation on rows `i`: an int vector, a scalar for one row, None for all of x."""
    x = ops.convert_to_tensor(x)
    v = ops.convert_to_tensor(v, x.dtype)
    if i is None:
        row = array_ops.reshape(x, [1, -1])
        result = record(row, [0], array_ops.reshape(v, [1, -1]))
        return array_ops.reshape(result, array_ops.shape(x))
    i = math_ops.cast(i, dtypes.int32)
    if i.get_shape().ndims == 0:
        return record(x, array_ops.reshape(i, [1]), array_ops.expand_dims(v, 0))
    return record(x, i, v)


@deprecated(None, _instead("update"))
def alias_inplace_update(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """`x` with rows `i` replaced by `v`."""
    return _inplace(raw_ops.InplaceUpdate, x, i, v)


@deprecated(None, _instead("add"))
def alias_inplace_add(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """`x` with `v` added to rows `i`."""
    return _inplace(raw_ops.InplaceAdd, x, i, v)


@deprecated(None, _instead("sub"))
def alias_inplace_sub(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """`x` with `v` subtracted from rows `i`."""
    return _inplace(raw_ops.InplaceSub, x, i, v)


def empty_like(x: TensorLike, init: Any = None) -> Tensor:
    """A tensor like `x` of any values; of zeros if `init`."""
    x = ops.convert_to_tensor(x)
    return raw_ops.Empty(array_ops.shape(x), x.dtype, init=init)


@deprecated(None, _instead("update"))
def inplace_update(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """A copy of `x` with rows `i` replaced by `v`."""
    return alias_inplace_update(raw_ops.DeepCopy(x), i, v)


@deprecated(None, _instead("add"))
def inplace_add(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """A copy of `x` with `v` added to rows `i`."""
    return alias_inplace_add(raw_ops.DeepCopy(x), i, v)


@deprecated(None, _instead("sub"))
def inplace_sub(x: TensorLike, i: Any, v: TensorLike) -> Tensor:
    """A copy of `x` with `v` subtracted from rows `i`."""
    return alias_inplace_sub(raw_ops.DeepCopy(x), i, v)


def empty(shape: ShapeLike, dtype: DTypeLike, init: Any = False, name: Name = None) -> Tensor:
    """A tensor of any values; of zeros if `init`."""
    return raw_ops.Empty(shape, dtype, init=init, name=name)


@tf_export("timestamp")
def timestamp(name: Name = None) -> Tensor:
    """The seconds since the epoch when the operation runs, a float64 scalar.

    Args:
      name: the operation's name.

    Returns:
      A float64 scalar.
    """
    return raw_ops.Timestamp(name=name)
