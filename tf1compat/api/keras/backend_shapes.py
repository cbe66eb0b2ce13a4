"""The functions of `tf.keras.backend` that repeat, pad, resize and join."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import functional_ops
from tf1compat.api.control_flow import map_fn as map_fn_lib
from tf1compat.api.image import image_resize
from tf1compat.api.io import logging_ops
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_ops
from tf1compat.api.training import moving_averages
from tf1compat.core import ops, tf2
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Initializer, Name, TensorLike

__all__ = [
    "arange", "batch_dot", "batch_flatten", "foldl", "foldr", "map_fn", "moving_average_update",
    "print_tensor", "random_binomial", "repeat", "repeat_elements", "resize_images",
    "resize_volumes", "spatial_2d_padding", "spatial_3d_padding", "temporal_padding",
]  # fmt: skip


@tf_export("keras.backend.moving_average_update")
def moving_average_update(x: Any, value: TensorLike, momentum: TensorLike) -> Any:
    """Moves a variable towards `value`.

    But under TF 2's behaviour it makes up for the variable's start at 0.

    Args:
      x: a variable.
      value: a tensor of its shape.
      momentum: the part of the old value that stays.

    Returns:
      An operation.
    """
    return moving_averages.assign_moving_average(x, value, momentum, zero_debias=not tf2.enabled())


@tf_export("keras.backend.batch_dot")
def batch_dot(x: Any, y: TensorLike, axes: Any = None) -> Any:
    """Products of the tensors of two batches.

    Args:
      x, y: tensors [batch, ...].
      axes: over which axis of each to sum.

    Returns:
      A tensor whose first dimension is the batch.
    """
    if isinstance(axes, int):
        axes = (axes, axes)
    x_rank, y_rank = backend.ndim(x), backend.ndim(y)
    if axes is None:
        axes = [x_rank - 1, y_rank - 2]
    extra = abs(x_rank - y_rank)

    def widened(tensor: TensorLike) -> Any:
        return array_ops.reshape(
            tensor, array_ops.concat([array_ops.shape(tensor), [1] * extra], axis=0)
        )

    if x_rank > y_rank:
        y = widened(y)
    elif y_rank > x_rank:
        x = widened(x)
    if backend.ndim(x) == 2 and backend.ndim(y) == 2:
        if axes[0] == axes[1]:
            out = math_ops.reduce_sum(math_ops.multiply(x, y), axes[0])
        else:
            product = math_ops.multiply(array_ops.transpose(x, [1, 0]), y)
            out = math_ops.reduce_sum(product, axes[1])
    else:
        adjoint_x = None if axes[0] == backend.ndim(x) - 1 else True
        adjoint_y = True if axes[1] == backend.ndim(y) - 1 else None
        out = math_ops.matmul(x, y, adjoint_a=adjoint_x, adjoint_b=adjoint_y)
    if extra:
        first = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        out = array_ops.squeeze(out, list(range(first, first + extra)))
    return array_ops.expand_dims(out, 1) if backend.ndim(out) == 1 else out


@tf_export("keras.backend.repeat_elements")
def repeat_elements(x: Any, rep: int, axis: int) -> Any:
    """Each element `rep` times along an axis.

    Args:
      x: a tensor.
      rep: how often, an int.
      axis: the axis.

    Returns:
      A tensor, `rep` times as long along the axis.
    """
    shape = x.shape.as_list()
    if shape[axis] is not None:
        parts = array_ops.split(value=x, num_or_size_splits=shape[axis], axis=axis)
        return backend.concatenate([part for part in parts for _ in range(rep)], axis)
    sizes = array_ops.shape(x)
    repeated = array_ops.expand_dims(x, axis=axis + 1)
    times = np.ones(len(shape) + 1)
    times[axis + 1] = rep
    repeated = array_ops.tile(repeated, times)
    times = np.delete(times, axis + 1)
    times[axis] = rep
    sizes *= constant_op.constant(times, dtype="int32")
    repeated = array_ops.reshape(repeated, sizes)
    repeated.set_shape(shape)
    return repeated


@tf_export("keras.backend.repeat")
def repeat(x: Any, n: Any) -> Any:
    """A matrix `n` times, along a new second axis.

    Args:
      x: [batch, size].
      n: how often, an int.

    Returns:
      [batch, n, size].
    """
    assert backend.ndim(x) == 2
    x = array_ops.expand_dims(x, 1)
    return array_ops.tile(x, array_ops.stack([1, n, 1]))


@tf_export("keras.backend.arange")
def arange(start: Any, stop: Any = None, step: Any = 1, dtype: DTypeLike = "int32") -> Any:
    """The numbers from `start` (or 0) up to `stop` (or `start`).

    Args:
      start: the first number, or the end if there is no `stop`.
      stop: the end, which does not belong to it.
      step: the distance.
      dtype: the dtype.

    Returns:
      A vector.
    """
    if stop is None and start < 0:
        start = 0
    result = math_ops.range(start, limit=stop, delta=step, name="arange")
    return result if dtype == "int32" else math_ops.cast(result, dtype)


@tf_export("keras.backend.batch_flatten")
def batch_flatten(x: Any) -> Any:
    """A matrix: all dimensions but the first become one.

    Args:
      x: [batch, …].

    Returns:
      [batch, size].
    """
    return array_ops.reshape(x, array_ops.stack([-1, backend.prod(backend.shape(x)[1:])]))


@tf_export("keras.backend.temporal_padding")
def temporal_padding(x: Any, padding: Any = (1, 1)) -> Any:
    """Zeros before and after the steps of [batch, steps, channels].

    Args:
      x: [batch, steps, channels].
      padding: how many before and after.

    Returns:
      [batch, more steps, channels].
    """
    assert len(padding) == 2
    return array_ops.pad(x, [[0, 0], [padding[0], padding[1]], [0, 0]])


def _spatial_padding(x: Any, padding: Any, data_format: Any) -> Any:
    for pair in padding:
        assert len(pair) == 2
    data_format = data_format or backend.image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(f"Unknown data_format: {data_format}")
    space = [list(pair) for pair in padding]
    if data_format == "channels_first":
        return array_ops.pad(x, [[0, 0], [0, 0], *space])
    return array_ops.pad(x, [[0, 0], *space, [0, 0]])


@tf_export("keras.backend.spatial_2d_padding")
def spatial_2d_padding(
    x: Any, padding: Any = ((1, 1), (1, 1)), data_format: str | None = None
) -> Any:
    """Zeros around images.

    Args:
      x: [batch, rows, columns, channels], or channels second.
      padding: ((above, below), (left, right)).
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.

    Returns:
      A tensor with more rows and columns.
    """
    assert len(padding) == 2
    return _spatial_padding(x, padding, data_format)


@tf_export("keras.backend.spatial_3d_padding")
def spatial_3d_padding(
    x: Any, padding: Any = ((1, 1), (1, 1), (1, 1)), data_format: str | None = None
) -> Any:
    """Zeros around volumes.

    Args:
      x: [batch, depth, rows, columns, channels], or channels second.
      padding: three pairs, before and after.
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.

    Returns:
      A larger tensor.
    """
    assert len(padding) == 3
    return _spatial_padding(x, padding, data_format)


@tf_export("keras.backend.resize_images")
def resize_images(
    x: Any, height_factor: int, width_factor: int, data_format: str,
    interpolation: str = "nearest",
) -> Any:  # fmt: skip
    """Images enlarged by factors; `interpolation` is "nearest" or "bilinear".

    Args:
      x: [batch, rows, columns, channels], or channels second.
      height_factor, width_factor: positive ints.
      data_format: "channels_last" or "channels_first".
      interpolation: "nearest" or "bilinear".

    Returns:
      A larger tensor.
    """
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid `data_format` argument: {data_format}")
    first = data_format == "channels_first"
    rows = 2 if first else 1
    before = backend.int_shape(x)
    size = array_ops.shape(x)[rows : rows + 2]
    size *= constant_op.constant(np.array([height_factor, width_factor], dtype="int32"))
    if first:
        x = backend.permute_dimensions(x, [0, 2, 3, 1])
    methods = {
        "nearest": image_resize.ResizeMethod.NEAREST_NEIGHBOR,
        "bilinear": image_resize.ResizeMethod.BILINEAR,
    }
    if interpolation not in methods:
        raise ValueError('interpolation should be one of "nearest" or "bilinear".')
    x = image_resize.resize_images_v2(x, size, method=methods[interpolation])
    if first:
        x = backend.permute_dimensions(x, [0, 3, 1, 2])
    height = None if before[rows] is None else before[rows] * height_factor
    width = None if before[rows + 1] is None else before[rows + 1] * width_factor
    x.set_shape((None, None, height, width) if first else (None, height, width, None))
    return x


@tf_export("keras.backend.resize_volumes")
def resize_volumes(
    x: Any, depth_factor: int, height_factor: int, width_factor: int, data_format: str
) -> Any:
    """Volumes enlarged by factors.

    Args:
      x: [batch, depth, rows, columns, channels], or channels second.
      depth_factor, height_factor, width_factor: positive ints.
      data_format: "channels_last" or "channels_first".

    Returns:
      A larger tensor.
    """
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Invalid data_format: {data_format}")
    first = 2 if data_format == "channels_first" else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = repeat_elements(x, factor, axis=first + i)
    return x


@tf_export("keras.backend.random_binomial")
def random_binomial(
    shape: Any, p: float = 0.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Any:
    """Ones with probability `p`, else zeros.

    Args:
      shape: the shape.
      p: the probability, in [0, 1].
      dtype: the dtype, `floatx()` by default.
      seed: the seed; drawn from NumPy by default.

    Returns:
      A tensor of 0 and 1.
    """
    dtype = dtype or backend.floatx()
    if seed is None:
        seed = np.random.randint(int(10e6))
    return array_ops.where(
        random_ops.random_uniform(shape, dtype=dtype, seed=seed) <= p,
        array_ops.ones(shape, dtype=dtype),
        array_ops.zeros(shape, dtype=dtype),
    )


@tf_export("keras.backend.print_tensor")
def print_tensor(x: Any, message: str = "") -> Any:
    """`x`; each time that it is computed, it is printed after `message`.

    Args:
      x: a tensor.
      message: what is printed before it.

    Returns:
      A tensor like `x`.
    """
    if not (isinstance(x, ops.Tensor) and hasattr(x, "graph")):
        logging_ops.print_v2(message, x, output_stream=sys.stdout)
        return x
    printed = logging_ops.print_v2(message, x, output_stream=sys.stdout)
    with ops.control_dependencies([printed]):
        return array_ops.identity(x)


@tf_export("keras.backend.map_fn")
def map_fn(fn: Callable[..., Any], elems: Any, name: Name = None, dtype: Any = None) -> Any:
    """`tf.map_fn`.

    Args:
      fn: a function of a slice.
      elems: a tensor.
      name: a name.
      dtype: the dtype of the results.

    Returns:
      The results, stacked.
    """
    return map_fn_lib.map_fn(fn, elems, name=name, dtype=dtype)


@tf_export("keras.backend.foldl")
def foldl(
    fn: Callable[..., Any], elems: Any, initializer: Initializer | None = None, name: Name = None
) -> Any:
    """`tf.foldl`.

    Args:
      fn: a function of what was computed so far and the next slice.
      elems: a tensor.
      initializer: what `fn` is given first; the first slice by default.
      name: a name.

    Returns:
      The last result.
    """
    return functional_ops.foldl(fn, elems, initializer=initializer, name=name)


@tf_export("keras.backend.foldr")
def foldr(
    fn: Callable[..., Any], elems: Any, initializer: Initializer | None = None, name: Name = None
) -> Any:
    """`tf.foldr`.

    Args:
      fn: a function of what was computed so far and the next slice from the end.
      elems: a tensor.
      initializer: what `fn` is given first; the last slice by default.
      name: a name.

    Returns:
      The last result.
    """
    return functional_ops.foldr(fn, elems, initializer=initializer, name=name)


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
