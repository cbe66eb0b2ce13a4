"""Shapes: asking for them, and the same elements in another (a part of TF's array_ops)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import context, dtypes, ops, raw_ops, tensor_util
from tf1compat.core import shapes as shape_algebra
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, Name, ShapeLike, TensorLike

_MODULE = "tensorflow.python.ops.array_ops"

__all__ = [
    "broadcast_dynamic_shape",
    "broadcast_static_shape",
    "broadcast_to",
    "expand_dims",
    "expand_dims_v2",
    "fill",
    "guarantee_const",
    "identity",
    "identity_n",
    "prevent_gradient",
    "rank",
    "rank_internal",
    "reshape",
    "shape",
    "shape_internal",
    "shape_n",
    "shape_v2",
    "size",
    "size_internal",
    "size_v2",
    "squeeze",
    "squeeze_v2",
    "stop_gradient",
]


def _sparse_shape(value: TensorLike) -> Any:
    """The dense_shape of a SparseTensor (or its value), else None."""
    return (
        getattr(value, "dense_shape", None)
        if type(value).__name__.startswith("SparseTensor")
        else None
    )


@tf_export("reshape", "manip.reshape")
def reshape(tensor: Any, shape: Any, name: Name = None) -> Tensor:
    """Gives `tensor` another shape with the same elements in row-major order; one size may be
    -1.

    Args:
      tensor: a tensor of any shape and dtype.
      shape: an int32 or int64 vector.
      name: the operation's name.

    Returns:
      A tensor of `shape` and the dtype of `tensor`.

    Raises:
      ValueError: the static sizes don't agree.
    """
    result = raw_ops.Reshape(tensor, shape, name=name)
    tensor_util.maybe_set_static_shape(result, shape)
    return result


@tf_export("fill")
def fill(dims: Any, value: TensorLike, name: Name = None) -> Tensor:
    """A tensor of shape `dims` filled with the scalar `value`.

    Args:
      dims: an int32 or int64 vector.
      value: a scalar of any dtype.
      name: the operation's name.

    Returns:
      A tensor of shape `dims` and the dtype of `value`.
    """
    result = raw_ops.Fill(dims, value, name=name)
    tensor_util.maybe_set_static_shape(result, dims)
    return result


@tf_export("identity")
@add_dispatch_support
def identity(input: TensorLike, name: Name = None) -> Tensor:
    """A tensor with the value of `input`.

    Args:
      input: a tensor of any shape and dtype, or a composite tensor.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    if context.executing_eagerly() and not hasattr(input, "graph"):
        input = ops.convert_to_tensor(input)
    return raw_ops.Identity(input, name=name)


@tf_export("identity_n")
def identity_n(input: TensorLike, name: Name = None) -> list[Tensor]:
    """Tensors with the values of the tensors `input`.

    Args:
      input: a list of tensors of any shapes and dtypes.
      name: the operation's name.

    Returns:
      A list of tensors like `input`.
    """
    return raw_ops.IdentityN(input, name=name)


@tf_export("stop_gradient")
def stop_gradient(input: Any, name: Name = None) -> Tensor:
    """The value of `input`, through which no gradient flows.

    Args:
      input: a tensor of any shape and dtype.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.StopGradient(input, name=name)


def prevent_gradient(input: TensorLike, message: str = "", name: Name = None) -> Tensor:
    """The value of `input`; asking for a gradient through it raises LookupError."""
    return raw_ops.PreventGradient(input, message=message, name=name)


@tf_export("guarantee_const")
def guarantee_const(input: TensorLike, name: Name = None) -> Tensor:
    """The value of `input`, promised to be constant.

    Args:
      input: a tensor of any shape and dtype.
      name: the operation's name.

    Returns:
      A tensor like `input`.
    """
    return raw_ops.GuaranteeConst(input, name=name)


@tf_export("expand_dims")
@deprecated_args(None, "Use the `axis` argument instead", "dim", module=_MODULE)
@add_dispatch_support
def expand_dims(
    input: Any, axis: Any = None, name: Name = None, dim: TensorLike | None = None
) -> Tensor:
    """Inserts a dimension of 1 at `axis`.

    Args:
      input: a tensor of any shape and dtype.
      axis: a scalar int in [-rank - 1, rank]: where the new dimension is in the result.
      dim: the older name of `axis`.
      name: the operation's name.

    Returns:
      A tensor of one dimension more.

    Raises:
      ValueError: both `axis` and `dim` are given, or neither.
    """
    axis = renamed("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("Must specify an axis argument to tf.expand_dims()")
    return expand_dims_v2(input, axis, name)


@tf_export("compat.v2.expand_dims")
@add_dispatch_support
def expand_dims_v2(input: TensorLike, axis: TensorLike, name: Name = None) -> Tensor:
    """Inserts a dimension of 1 at `axis`.

    Args:
      input: a tensor.
      axis: where, an int32 or int64 scalar in [-rank - 1, rank].
      name: the operation's name.

    Returns:
      `input` with one more dimension.
    """
    return raw_ops.ExpandDims(input, axis, name=name)


@tf_export("squeeze")
@deprecated_args(None, "Use the `axis` argument instead", "squeeze_dims", module=_MODULE)
@add_dispatch_support
def squeeze(
    input: TensorLike, axis: TensorLike | None = None, name: Name = None, squeeze_dims: Any = None
) -> Tensor:
    """Removes dimensions of 1: those in `axis`, or all.

    Args:
      input: a tensor of any shape and dtype.
      axis: ints; all dimensions of 1 if None or empty.
      squeeze_dims: the older name of `axis`.
      name: the operation's name.

    Returns:
      A tensor of the same elements with fewer dimensions.

    Raises:
      ValueError: a dimension in `axis` is known not to be 1.
    """
    axis = renamed("axis", axis, "squeeze_dims", squeeze_dims)
    if np.isscalar(axis):
        axis = [axis]
    return raw_ops.Squeeze(input, axis, name=name)


@tf_export("compat.v2.squeeze")
@add_dispatch_support
def squeeze_v2(input: TensorLike, axis: TensorLike | None = None, name: Name = None) -> Tensor:
    """As `squeeze`.

    Args:
      input, axis, name: as in `squeeze`.

    Returns:
      As `squeeze`.
    """
    return squeeze(input, axis, name)


# Shapes.


@tf_export("shape")
def shape(input: Any, name: Name = None, out_type: Any = dtypes.int32) -> Tensor:
    """The shape of `input` as an int vector; a constant where it is known while recording.

    Args:
      input: a tensor or SparseTensor of any shape and dtype.
      out_type: int32 or int64.
      name: the operation's name.

    Returns:
      A vector [rank] of `out_type`.
    """
    return shape_internal(input, name, optimize=True, out_type=out_type)


@tf_export("compat.v2.shape")
def shape_v2(input: TensorLike, out_type: DTypeLike = dtypes.int32, name: Name = None) -> Tensor:
    """As `shape`.

    Args:
      input, out_type, name: as in `shape`.

    Returns:
      As `shape`.
    """
    return shape(input, name, out_type)


def shape_internal(
    input: TensorLike, name: Name = None, optimize: bool = True, out_type: DTypeLike = dtypes.int32
) -> Tensor:
    """As `shape`; `optimize=False` records an op in any case."""
    with ops.name_scope(name, "Shape", [input]) as name:
        sparse = _sparse_shape(input)
        if sparse is not None:
            return raw_ops.Cast(sparse, DstT=out_type)
        if not context.executing_eagerly():
            tensor = ops.convert_to_tensor(input)
            known = tensor._shape
            if optimize and known is not None and None not in known:
                return constant(list(known), out_type, name=name)
        return raw_ops.Shape(input, out_type=out_type, name=name)


@tf_export("shape_n")
def shape_n(
    input: TensorLike, out_type: DTypeLike = dtypes.int32, name: Name = None
) -> list[Tensor]:
    """The shapes of several tensors.

    Args:
      input: a list of tensors of any shapes and dtypes.
      out_type: int32 or int64.
      name: the operation's name.

    Returns:
      A list of vectors of `out_type`.
    """
    return raw_ops.ShapeN(input, out_type=out_type, name=name)


@tf_export("size")
@add_dispatch_support
def size(input: TensorLike, name: Name = None, out_type: DTypeLike = dtypes.int32) -> Tensor:
    """The number of elements of `input`.

    Args:
      input: a tensor or SparseTensor of any shape and dtype.
      out_type: int32 or int64.
      name: the operation's name.

    Returns:
      A scalar of `out_type`.
    """
    return size_internal(input, name, optimize=True, out_type=out_type)


@add_dispatch_support
def size_v2(input: TensorLike, out_type: DTypeLike = dtypes.int32, name: Name = None) -> Tensor:
    """As `size`, with `name` last."""
    return size(input, name, out_type)


def size_internal(
    input: TensorLike, name: Name = None, optimize: bool = True, out_type: DTypeLike = dtypes.int32
) -> Tensor:
    """As `size`; `optimize=False` records an op in any case."""
    with ops.name_scope(name, "Size", [input]) as name:
        sparse = _sparse_shape(input)
        if sparse is not None:
            return raw_ops.Prod(raw_ops.Cast(sparse, DstT=out_type), 0, name=name)
        tensor = ops.convert_to_tensor(input)
        if optimize:
            count = shape_algebra.num_elements(tensor._shape)
            if count is None and tensor._shape and 0 in tensor._shape:
                count = 0
            if count is not None:
                return constant(count, out_type, name=name)
        return raw_ops.Size(input, out_type=out_type, name=name)


@tf_export("rank")
@add_dispatch_support
def rank(input: TensorLike, name: Name = None) -> Tensor:
    """The number of dimensions of `input`.

    Args:
      input: a tensor or SparseTensor of any shape and dtype.
      name: the operation's name.

    Returns:
      An int32 scalar.
    """
    return rank_internal(input, name, optimize=True)


def rank_internal(input: TensorLike, name: Name = None, optimize: bool = True) -> Tensor:
    """As `rank`; `optimize=False` records an op in any case."""
    with ops.name_scope(name, "Rank", [input]) as name:
        sparse = _sparse_shape(input)
        if sparse is not None:
            return raw_ops.Size(sparse, name=name)
        tensor = ops.convert_to_tensor(input)
        if optimize and tensor._shape is not None:
            return constant(len(tensor._shape), dtypes.int32, name=name)
        # Of what was not a tensor, TF makes one again.
        return raw_ops.Rank(input, name=name)


@tf_export("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape to which shapes `shape_x` and `shape_y` (int vectors) broadcast.

    Args:
      shape_x, shape_y: int32 or int64 vectors.

    Returns:
      A vector of their dtype.
    """
    return raw_ops.BroadcastArgs(shape_x, shape_y)


@tf_export("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The static shape to which two TensorShapes broadcast.

    Args:
      shape_x, shape_y: TensorShapes.

    Returns:
      A TensorShape.

    Raises:
      ValueError: they don't.
    """
    try:
        return TensorShape.from_tuple(
            shape_algebra.broadcast(shape_x.to_tuple(), shape_y.to_tuple())
        )
    except shape_algebra.ShapeError:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}") from None


@tf_export("broadcast_to")
def broadcast_to(input: TensorLike, shape: ShapeLike, name: Name = None) -> Tensor:
    """Broadcasts `input` to `shape`.

    Args:
      input: a tensor of any dtype whose shape broadcasts to `shape`.
      shape: an int32 or int64 vector.
      name: the operation's name.

    Returns:
      A tensor of `shape` and the dtype of `input`.
    """
    return raw_ops.BroadcastTo(input, shape, name=name)
