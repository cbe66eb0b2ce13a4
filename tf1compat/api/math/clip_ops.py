"""`tensorflow.python.ops.clip_ops`: keeping values or norms within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant_v1 as constant
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


def _values(t: TensorLike, name: str) -> Tensor:
    """The tensor, or the values of the IndexedSlices."""
    return ops.convert_to_tensor(t.values if isinstance(t, IndexedSlices) else t, name=name)


def _like(t: TensorLike, values: Tensor) -> Any:
    """`values` as the kind of thing that `t` is."""
    return (
        IndexedSlices(values, t.indices, t.dense_shape) if isinstance(t, IndexedSlices) else values
    )


@tf_export("clip_by_value")
@add_dispatch_support
def clip_by_value(
    t: TensorLike, clip_value_min: Any, clip_value_max: Any, name: Name = None
) -> Any:
    """Brings values outside [clip_value_min, clip_value_max] to the nearer end.

    Args:
      t: a tensor or IndexedSlices.
      clip_value_min, clip_value_max: scalars, or tensors that broadcast to the shape of `t`.
      name: the operation's name.

    Returns:
      The same kind of thing as `t`.

    Raises:
      ValueError: the bounds have a larger shape than `t`.
      TypeError: the dtypes differ.
    """
    with ops.name_scope(name, "clip_by_value", [t, clip_value_min, clip_value_max]) as name:
        values = _values(t, "t")
        below = math_ops.minimum(values, clip_value_max)
        values.shape.merge_with(below.shape)
        clipped = math_ops.maximum(below, clip_value_min, name=name)
        values.shape.merge_with(clipped.shape)
        return _like(t, clipped)


@tf_export("clip_by_norm")
def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: TensorLike | None = None, name: Name = None
) -> Any:
    """Scales `t` down where its L2 norm is above `clip_norm`.

    Args:
      t: a tensor or IndexedSlices.
      clip_norm: a positive scalar.
      axes: the dimensions that a norm is taken over; None for all.
      name: the operation's name.

    Returns:
      The same kind of thing as `t`.
    """
    with ops.name_scope(name, "clip_by_norm", [t, clip_norm]) as name:
        values = _values(t, "t")
        square_sum = math_ops.reduce_sum(values * values, axes, keepdims=True)
        norm = _root(square_sum)
        scaled = values * clip_norm
        values.shape.merge_with(scaled.shape)
        clipped = array_ops.identity(scaled / math_ops.maximum(norm, clip_norm), name=name)
        return _like(t, clipped)


def _root(square_sum: Tensor) -> Tensor:
    """The square root; it is not taken at 0, where its derivative is infinite."""
    positive = square_sum > 0
    safe = array_ops.where(positive, square_sum, array_ops.ones_like(square_sum))
    return array_ops.where(positive, math_ops.sqrt(safe), square_sum)


def _inverse_of_larger(
    inverse: Tensor, clip_norm: TensorLike, dtype: DTypeLike | None = None
) -> Tensor:
    """The inverse of a norm, or of `clip_norm` if the norm is below it."""
    return math_ops.minimum(inverse, constant(1.0, dtype=dtype) / clip_norm)


def _checked_list(t_list: Any) -> list[Any]:
    if not isinstance(t_list, Sequence) or isinstance(t_list, str):
        raise TypeError("t_list should be a sequence")
    return list(t_list)


def _list_values(t_list: list[Any]) -> list[Any]:
    return [None if t is None else _values(t, f"t_{i}") for i, t in enumerate(t_list)]


@tf_export("linalg.global_norm", "global_norm")
def global_norm(t_list: Any, name: Name = None) -> Tensor:
    """The L2 norm of all elements of all tensors together.

    Args:
      t_list: a sequence of tensors, IndexedSlices and None (left out).
      name: the name scope.

    Returns:
      A scalar.

    Raises:
      TypeError: `t_list` is not a sequence.
    """
    t_list = _checked_list(t_list)
    with ops.name_scope(name, "global_norm", t_list) as name:
        halves = []
        for value in _list_values(t_list):
            if value is not None:
                with ops.colocate_with(value):
                    halves.append(raw_ops.L2Loss(value))
        half = math_ops.reduce_sum(array_ops.stack(halves))
        return math_ops.sqrt(half * constant(2.0, dtype=half.dtype), name="global_norm")


@tf_export("clip_by_global_norm")
def clip_by_global_norm(
    t_list: Any, clip_norm: TensorLike, use_norm: Any = None, name: Name = None
) -> tuple[list[Any], Tensor]:
    """Scales all tensors down together, if their global norm is above `clip_norm`.

    Args:
      t_list: a sequence of tensors, IndexedSlices and None (stays None).
      clip_norm: a positive scalar.
      use_norm: the global norm, if it is known already.
      name: the name scope.

    Returns:
      (the scaled things, the global norm). They are NaN if the norm is not finite.

    Raises:
      TypeError: `t_list` is not a sequence.
    """
    t_list = _checked_list(t_list)
    if use_norm is None:
        use_norm = global_norm(t_list, name)
    with ops.name_scope(name, "clip_by_global_norm", [*t_list, clip_norm]) as name:
        inverse = 1.0 / use_norm
        scale_for_finite = clip_norm * _inverse_of_larger(inverse, clip_norm, use_norm.dtype)
        scale = array_ops.where(
            math_ops.is_finite(use_norm),
            scale_for_finite,
            constant(float("nan"), dtype=use_norm.dtype),
        )
        clipped = []
        for i, (t, value) in enumerate(zip(t_list, _list_values(t_list), strict=True)):
            if value is None:
                clipped.append(None)
                continue
            with ops.colocate_with(value):
                scaled = array_ops.identity(value * scale, name=f"{name}_{i}")
            clipped.append(_like(t, scaled))
    return clipped, use_norm


@tf_export("clip_by_average_norm")
@deprecated(
    None,
    "clip_by_average_norm is deprecated in TensorFlow 2.0. Please use "
    "clip_by_norm(t, clip_norm * tf.cast(tf.size(t), tf.float32), name) instead.",
)
def clip_by_average_norm(t: TensorLike, clip_norm: TensorLike, name: Name = None) -> Tensor:
    """Scales `t` down if its L2 norm divided by its size is above `clip_norm`.

    Args:
      t: a floating-point tensor.
      clip_norm: a scalar above 0.
      name: the operation's name.

    Returns:
      A tensor like `t`.
    """
    with ops.name_scope(name, "clip_by_average_norm", [t, clip_norm]) as name:
        t = ops.convert_to_tensor(t, name="t")
        size = math_ops.cast(array_ops.size(t), dtypes.float32)
        inverse = math_ops.rsqrt(math_ops.reduce_sum(t * t, math_ops.range(array_ops.rank(t))))
        scaled = t * clip_norm
        clipped = scaled * _inverse_of_larger(inverse * size, clip_norm)
        return array_ops.identity(clipped, name=name)
