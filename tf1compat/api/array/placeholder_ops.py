"""Tensors whose values a run feeds (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

__all__ = ["placeholder", "placeholder_with_default", "sparse_placeholder"]


@tf_export("placeholder")
def placeholder(dtype: DTypeLike, shape: ShapeLike | None = None, name: Name = None) -> Tensor:
    """A tensor whose value every run must feed.

    Args:
      dtype: the dtype of what is fed.
      shape: what is known of its shape; anything if None.
      name: the operation's name.

    Returns:
      A tensor that has no value of its own.

    Raises:
      RuntimeError: eager execution is on.
    """
    if context.executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")
    return raw_ops.Placeholder(dtype=dtype, shape=shape, name=name)


@tf_export("sparse.placeholder", "sparse_placeholder")
def sparse_placeholder(dtype: Any, shape: Any = None, name: Name = None) -> SparseTensor:
    """A SparseTensor whose value every run must feed (as `tf.sparse_placeholder`).

    Args:
      dtype: the dtype of the values.
      shape: the dense shape: fixed if it is fully known, else fed too.
      name: a prefix for the names of the placeholders.

    Returns:
      A `SparseTensor` of three placeholders, or of two and a constant shape.
    """
    if context.executing_eagerly():
        raise RuntimeError("tf.placeholder() is not compatible with eager execution.")

    def part(suffix: str) -> str | None:
        return None if name is None else f"{name}/{suffix}"

    rank = None
    if isinstance(shape, Tensor):
        rank = None if shape._shape is None else shape._shape[0]
    elif shape is not None:
        rank = len(shape)
        shape = None if None in shape else shape
    if shape is None:
        dense_shape = placeholder(dtypes.int64, shape=[rank], name=part("shape"))
    else:
        dense_shape = ops.convert_to_tensor(shape, dtype=dtypes.int64, name=part("shape"))
    values = placeholder(dtype, shape=[None], name=part("values"))
    indices = placeholder(dtypes.int64, shape=[None, rank], name=part("indices"))
    return SparseTensor(indices, values, dense_shape)


@tf_export("placeholder_with_default")
def placeholder_with_default(
    input: TensorLike, shape: ShapeLike | None, name: Name = None
) -> Tensor:
    """A tensor whose value a run may feed; `input` otherwise.

    Args:
      input: the value where nothing is fed; of any dtype.
      shape: what is known of the shape of either; `input` must have it.
      name: the operation's name.

    Returns:
      A tensor of the dtype of `input`.
    """
    return raw_ops.PlaceholderWithDefault(input, shape, name=name)
