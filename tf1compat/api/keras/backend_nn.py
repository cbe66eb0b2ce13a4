"""The convolutions, poolings and normalisations of `tf.keras.backend`.

Where channels come first, images change places before and after, as TF does it on CPUs.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.keras.backend_config import image_data_format
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.nn import nn_conv3d, nn_convolution, nn_impl, nn_ops, nn_pool
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import ShapeLike, TensorLike

__all__ = [
    "batch_normalization", "bias_add", "conv1d", "conv2d", "conv2d_transpose", "conv3d",
    "conv3d_transpose", "depthwise_conv2d", "in_top_k", "local_conv", "local_conv1d",
    "local_conv2d", "normalize_batch_in_training", "pool2d", "pool3d", "separable_conv1d",
    "separable_conv2d", "sparse_categorical_crossentropy",
]  # fmt: skip


def _format(data_format: Any) -> str:
    data_format = data_format or image_data_format()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(f"Unknown data_format: {data_format}")
    return data_format


def _padding(padding: Any) -> str:
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding: {padding}")
    return padding.upper()


def _to_last(x: Any, first: bool, rank: int) -> Any:
    return array_ops.transpose(x, (0, *range(2, rank + 2), 1)) if first else x


def _to_first(x: Any, first: bool, rank: int) -> Any:
    return array_ops.transpose(x, (0, rank + 1, *range(1, rank + 1))) if first else x


def _convolve(
    rank: int, x: Any, kernel: Any, strides: Any, padding: Any, data_format: str, rate: Any
) -> Any:
    first = data_format == "channels_first"
    x = _to_last(x, first, rank)
    x = nn_convolution.convolution(
        input=x, filter=kernel, dilation_rate=rate, strides=strides, padding=padding,
        data_format="N" + "DHW"[3 - rank :] + "C",
    )  # fmt: skip
    return _to_first(x, first, rank)


@tf_export("keras.backend.conv1d")
def conv1d(
    x: Any, kernel: Any, strides: Any = 1, padding: str = "valid", data_format: str | None = None,
    dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """A 1-D convolution; `padding` may be "causal".

    Args:
      x: [batch, steps, channels], or channels second for "channels_first".
      kernel: [size, channels, filters].
      strides: the stride.
      padding: "valid", "same" or "causal".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      dilation_rate: the distance between the kernel's rows.

    Returns:
      [batch, new steps, filters], or filters second.
    """
    data_format = _format(data_format)
    size = kernel.shape.as_list()[0]
    if padding == "causal":
        x = backend.temporal_padding(x, (dilation_rate * (size - 1), 0))
        padding = "valid"
    return _convolve(1, x, kernel, strides, _padding(padding), data_format, dilation_rate)


@tf_export("keras.backend.conv2d")
def conv2d(
    x: Any, kernel: Any, strides: Any = (1, 1), padding: str = "valid", data_format: Any = None,
    dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A 2-D convolution.

    Args:
      x: [batch, rows, columns, channels], or channels second for "channels_first".
      kernel: [rows, columns, channels, filters].
      strides: two strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      dilation_rate: the two distances between the kernel's elements.

    Returns:
      [batch, new rows, new columns, filters], or filters second.
    """
    data_format = _format(data_format)
    return _convolve(2, x, kernel, strides, _padding(padding), data_format, dilation_rate)


@tf_export("keras.backend.conv3d")
def conv3d(
    x: Any, kernel: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1, 1),
) -> Any:  # fmt: skip
    """A 3-D convolution.

    Args:
      x: [batch, depth, rows, columns, channels], or channels second for "channels_first".
      kernel: [depth, rows, columns, channels, filters].
      strides: three strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      dilation_rate: the three distances between the kernel's elements.

    Returns:
      [batch, new depth, new rows, new columns, filters], or filters second.
    """
    data_format = _format(data_format)
    return _convolve(3, x, kernel, strides, _padding(padding), data_format, dilation_rate)


def _transposed(
    rank: int, x: Any, output_shape: Any, data_format: str, run: Callable[[Any, Any], Any]
) -> Any:
    """`run` of what channels come last in, with the output's shape as a tensor."""
    first = data_format == "channels_first"
    x = _to_last(x, first, rank)
    if first:
        output_shape = (
            output_shape[0],
            *(output_shape[i] for i in range(2, rank + 2)),
            output_shape[1],
        )
    if output_shape[0] is None:
        output_shape = (array_ops.shape(x)[0], *output_shape[1:])
    if isinstance(output_shape, tuple | list):
        output_shape = array_ops.stack(list(output_shape))
    return _to_first(run(x, output_shape), first, rank)


@tf_export("keras.backend.conv2d_transpose")
def conv2d_transpose(
    x: Any, kernel: Any, output_shape: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: Any = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """The transpose of a 2-D convolution.

    Args:
      x: [batch, rows, columns, filters], or filters second for "channels_first".
      kernel: [rows, columns, channels, filters].
      output_shape: the result's shape, an int32 vector or a tuple.
      strides: two strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      dilation_rate: the two distances between the kernel's elements.

    Returns:
      A tensor of `output_shape`.
    """
    data_format = _format(data_format)

    def run(x: Any, shape: Any) -> Any:
        pad = _padding(padding)
        if dilation_rate == (1, 1):
            return nn_ops.conv2d_transpose(
                x, kernel, shape, (1, *strides, 1), padding=pad, data_format="NHWC"
            )
        assert dilation_rate[0] == dilation_rate[1]
        return nn_conv3d.atrous_conv2d_transpose(
            x, kernel, shape, rate=dilation_rate[0], padding=pad
        )

    return _transposed(2, x, output_shape, data_format, run)


def conv3d_transpose(
    x: Any, kernel: Any, output_shape: ShapeLike, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: str | None = None,
) -> Any:  # fmt: skip
    """The transpose of a 3-D convolution."""
    data_format = _format(data_format)
    if isinstance(output_shape, tuple | list):
        output_shape = array_ops.stack(output_shape)

    def run(x: Any, shape: Any) -> Any:
        return nn_conv3d.conv3d_transpose(
            x, kernel, shape, (1, *strides, 1), padding=_padding(padding), data_format="NDHWC"
        )

    return _transposed(3, x, output_shape, data_format, run)


def separable_conv1d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = 1,
    padding: str = "valid", data_format: str | None = None, dilation_rate: Any = 1,
) -> Any:  # fmt: skip
    """A separable 1-D convolution, as one over images of height 1."""
    data_format = _format(data_format)
    strides = (strides,) if isinstance(strides, int) else tuple(strides)
    rate = (dilation_rate,) if isinstance(dilation_rate, int) else tuple(dilation_rate)
    first = data_format == "channels_first"
    x = _to_last(x, first, 1)
    x = array_ops.expand_dims(x, 1)
    depthwise_kernel = array_ops.expand_dims(depthwise_kernel, 0)
    pointwise_kernel = array_ops.expand_dims(pointwise_kernel, 0)
    x = nn_convolution.separable_conv2d(
        x, depthwise_kernel, pointwise_kernel, strides=(1, *strides * 2, 1),
        padding=_padding(padding), rate=(1, *rate), data_format="NHWC",
    )  # fmt: skip
    return _to_first(array_ops.squeeze(x, [1]), first, 1)


@tf_export("keras.backend.separable_conv2d")
def separable_conv2d(
    x: Any, depthwise_kernel: Any, pointwise_kernel: Any, strides: Any = (1, 1),
    padding: str = "valid", data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A separable 2-D convolution.

    Args:
      x: [batch, rows, columns, channels], or channels second for "channels_first".
      depthwise_kernel: [rows, columns, channels, multiplier].
      pointwise_kernel: [1, 1, channels * multiplier, filters].
      strides: two strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      dilation_rate: the two distances between the kernel's elements.

    Returns:
      [batch, new rows, new columns, filters], or filters second.
    """
    data_format = _format(data_format)
    if len(strides) != 2:
        raise ValueError("`strides` must be a tuple of 2 integers.")
    first = data_format == "channels_first"
    x = nn_convolution.separable_conv2d(
        _to_last(x, first, 2), depthwise_kernel, pointwise_kernel, strides=(1, *strides, 1),
        padding=_padding(padding), rate=dilation_rate, data_format="NHWC",
    )  # fmt: skip
    return _to_first(x, first, 2)


def depthwise_conv2d(
    x: Any, depthwise_kernel: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None, dilation_rate: Any = (1, 1),
) -> Any:  # fmt: skip
    """A convolution of each channel by its own filters."""
    first = _format(data_format) == "channels_first"
    x = nn_convolution.depthwise_conv2d(
        _to_last(x, first, 2), depthwise_kernel, strides=(1, *strides, 1),
        padding=_padding(padding), rate=dilation_rate, data_format="NHWC",
    )  # fmt: skip
    return _to_first(x, first, 2)


def _pooled(rank: int, x: Any, size: Any, strides: Any, padding: Any, first: bool, pool: Any):
    x = _to_last(x, first, rank)
    data_format = "N" + "DHW"[3 - rank :] + "C"
    x = pool(x, (1, *size, 1), (1, *strides, 1), padding=_padding(padding), data_format=data_format)
    return _to_first(x, first, rank)


@tf_export("keras.backend.pool2d")
def pool2d(
    x: Any, pool_size: Any, strides: Any = (1, 1), padding: str = "valid",
    data_format: str | None = None,
    pool_mode: str = "max",
) -> Any:  # fmt: skip
    """Pools images by "max" or "avg".

    Args:
      x: [batch, rows, columns, channels], or channels second for "channels_first".
      pool_size: the rows and columns of a window.
      strides: two strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      pool_mode: "max" or "avg".

    Returns:
      [batch, new rows, new columns, channels], or channels second.
    """
    data_format = _format(data_format)
    for value, name in ((pool_size, "pool_size"), (strides, "strides")):
        if len(value) != 2:
            raise ValueError(f"`{name}` must be a tuple of 2 integers.")
    if pool_mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {pool_mode}")
    pool = nn_ops.max_pool if pool_mode == "max" else nn_ops.avg_pool
    return _pooled(2, x, pool_size, strides, padding, data_format == "channels_first", pool)


@tf_export("keras.backend.pool3d")
def pool3d(
    x: Any, pool_size: Any, strides: Any = (1, 1, 1), padding: str = "valid",
    data_format: str | None = None, pool_mode: str = "max",
) -> Any:  # fmt: skip
    """Pools volumes by "max" or "avg".

    Args:
      x: [batch, depth, rows, columns, channels], or channels second for "channels_first".
      pool_size: the size of a window, three ints.
      strides: three strides.
      padding: "valid" or "same".
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.
      pool_mode: "max" or "avg".

    Returns:
      [batch, new depth, new rows, new columns, channels], or channels second.
    """
    data_format = _format(data_format)
    if pool_mode not in ("max", "avg"):
        raise ValueError(f"Invalid pooling mode: {pool_mode}")
    pool = nn_pool.max_pool3d if pool_mode == "max" else nn_pool.avg_pool3d
    return _pooled(3, x, pool_size, strides, padding, data_format == "channels_first", pool)


def local_conv(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: Any,
    data_format: Any = None,
) -> Any:  # fmt: skip
    """A convolution whose filters differ from place to place.

    Args:
      inputs: [batch, *space, channels], or channels first.
      kernel: [places, features of a window, filters].
      kernel_size, strides: of the windows.
      output_shape: the number of places in each dimension.
      data_format: where the channels are.
    """
    data_format = _format(data_format)
    last = data_format == "channels_last"
    shape = backend.int_shape(kernel)
    rank = len(output_shape)
    windows = []
    for place in itertools.product(*(range(int(size)) for size in output_shape)):
        space = [
            slice(at * stride, at * stride + size)
            for at, stride, size in zip(place, strides, kernel_size, strict=True)
        ]
        everything = slice(None)
        cut = [everything, *space, everything] if last else [everything, everything, *space]
        windows.append(backend.reshape(inputs[tuple(cut)], (1, -1, shape[1])))
    output = backend.batch_dot(backend.concatenate(windows, axis=0), kernel)
    output = backend.reshape(output, (*output_shape, -1, shape[-1]))
    space = list(range(rank))
    order = [rank, *space, rank + 1] if last else [rank, rank + 1, *space]
    return backend.permute_dimensions(output, order)


@tf_export("keras.backend.local_conv1d")
def local_conv1d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, data_format: str | None = None
) -> Any:
    """A 1-D convolution whose filters differ from place to place.

    Args:
      inputs: [batch, steps, channels], or channels second for "channels_first".
      kernel: [new steps, size * channels, filters].
      kernel_size: a tuple of one int.
      strides: a tuple of one int.
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.

    Returns:
      [batch, new steps, filters], or filters second.
    """
    return local_conv(inputs, kernel, kernel_size, strides, (kernel.shape[0],), data_format)


@tf_export("keras.backend.local_conv2d")
def local_conv2d(
    inputs: Any, kernel: Any, kernel_size: Any, strides: Any, output_shape: ShapeLike,
    data_format: str | None = None,
) -> Any:  # fmt: skip
    """A 2-D convolution whose filters differ from place to place.

    Args:
      inputs: [batch, rows, columns, channels], or channels second for "channels_first".
      kernel: [new rows * new columns, size * channels, filters].
      kernel_size: two ints.
      strides: two ints.
      output_shape: the result's rows and columns.
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.

    Returns:
      [batch, new rows, new columns, filters], or filters second.
    """
    return local_conv(inputs, kernel, kernel_size, strides, output_shape, data_format)


@tf_export("keras.backend.bias_add")
def bias_add(x: Any, bias: Any, data_format: str | None = None) -> Any:
    """Adds a bias of one number for each channel, or for each place and channel.

    Args:
      x: [batch, …, channels], or channels second for "channels_first".
      bias: [channels], or of the shape of `x` without the batch.
      data_format: "channels_last" or "channels_first"; `image_data_format()` by default.

    Returns:
      A tensor like `x`.

    Raises:
      ValueError: the bias has another rank.
    """
    first = _format(data_format) == "channels_first"
    shape = backend.int_shape(bias)
    rank = backend.ndim(x)
    if len(shape) not in (1, rank - 1):
        raise ValueError(
            f"Unexpected bias dimensions {len(shape)}, expect to be 1 or {rank} dimensions"
        )
    if rank not in (3, 4, 5):
        return nn_ops.bias_add(x, bias)
    if len(shape) == 1 and rank == 4 and not first:
        return nn_ops.bias_add(x, bias, data_format="NHWC")
    if len(shape) == 1:
        if first:
            full = (1, shape[0], *[1] * (rank - 2))
        else:
            # TF gives 5-D inputs a bias of 4 dimensions.
            full = (*[1] * (min(rank, 4) - 1), shape[0])
    elif first:
        full = (1, shape[-1], *shape[:-1])
    else:
        full = (1, *shape)
    return x + backend.reshape(bias, full)


@tf_export("keras.backend.normalize_batch_in_training")
def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: float = 1e-3
) -> tuple[Any, Any, Any]:
    """Normalises a batch by its own statistics.

    Args:
      x: a tensor of floating point.
      gamma, beta: the scale and the offset of each channel, or None.
      reduction_axes: the axes to normalise over.
      epsilon: what is added to the variance.

    Returns:
      (what is normalised, the mean, the variance).
    """
    axes = list(reduction_axes)
    rank = backend.ndim(x)
    if rank == 4 and axes == [0, 1, 2]:
        if gamma is None:
            gamma = constant_op.constant(1.0, dtype=x.dtype, shape=[x.shape[3]])
        if beta is None:
            beta = constant_op.constant(0.0, dtype=x.dtype, shape=[x.shape[3]])
        return nn_impl.fused_batch_norm(x, gamma, beta, epsilon=epsilon, data_format="NHWC")
    mean, variance = nn_impl.moments(x, reduction_axes, None, None, False)
    if sorted(axes) == list(range(rank))[:-1] and (rank, axes) != (4, [0, 2, 3]):
        normed = nn_impl.batch_normalization(x, mean, variance, beta, gamma, epsilon)
        return normed, mean, variance
    shape = array_ops.stack([1 if i in axes else array_ops.shape(x)[i] for i in range(rank)])

    def broadcast(v: Any) -> Any:
        return None if v is None else array_ops.reshape(v, shape)

    wide_mean, wide_variance = broadcast(mean), broadcast(variance)
    wide_gamma, wide_beta = broadcast(gamma), broadcast(beta)
    normed = nn_impl.batch_normalization(
        x, wide_mean, wide_variance, wide_beta, wide_gamma, epsilon
    )
    return normed, mean, variance


@tf_export("keras.backend.batch_normalization")
def batch_normalization(
    x: Any, mean: TensorLike, var: Any, beta: Any, gamma: Any, axis: int = -1, epsilon: float = 1e-3
) -> Any:
    """Normalises by given statistics.

    Args:
      x: a tensor of floating point.
      mean, var: the statistics.
      beta, gamma: the offset and the scale, or None.
      axis: the axis of the channels.
      epsilon: what is added to the variance.

    Returns:
      A tensor like `x`.
    """
    if backend.ndim(x) != 4:
        return nn_impl.batch_normalization(x, mean, var, beta, gamma, epsilon)
    data_format = {1: "NCHW", -3: "NCHW", 3: "NHWC", -1: "NHWC"}.get(axis)
    if data_format == "NHWC":

        def flat(v: Any) -> Any:
            return array_ops.reshape(v, [-1]) if backend.ndim(v) > 1 else v

        mean, var = flat(mean), flat(var)
        beta = backend.zeros_like(mean) if beta is None else flat(beta)
        gamma = backend.ones_like(mean) if gamma is None else flat(gamma)
    return nn_impl.fused_batch_norm(
        x, gamma, beta, epsilon=epsilon, mean=mean, variance=var, is_training=False,
        data_format=data_format,  # pyright: ignore[reportArgumentType]
    )[0]  # fmt: skip


@tf_export("keras.backend.in_top_k")
def in_top_k(predictions: TensorLike, targets: Any, k: TensorLike) -> Any:
    """Whether targets are among the `k` largest predictions.

    Args:
      predictions: float32 [batch, classes].
      targets: int32 or int64 [batch].
      k: how many count.

    Returns:
      bool [batch].
    """
    return nn_ops.in_top_k(predictions, targets, k)


@tf_export("keras.backend.sparse_categorical_crossentropy")
def sparse_categorical_crossentropy(
    target: Any, output: Any, from_logits: bool = False, axis: int = -1
) -> Any:
    """The cross-entropy of distributions (or logits) along `axis` and classes that are
    integers.

    Args:
      target: integers [...].
      output: [..., classes].
      from_logits: whether `output` has logits rather than probabilities.
      axis: the axis of the classes.

    Returns:
      [...], in floating point.
    """
    if not from_logits:
        if isinstance(output, np.ndarray):
            raise AttributeError("'numpy.ndarray' object has no attribute 'op'")
        if not backend.is_output_of(output, "Softmax"):
            small = constant_op.constant(backend.epsilon(), dtype=output.dtype.base_dtype)
            output = clip_ops.clip_by_value(output, small, 1 - small)
            output = math_ops.log(output)
        else:
            output = output.op.inputs[0]
    rank = TensorShape(output.shape).ndims
    if rank is not None:
        axis %= rank
        if axis != rank - 1:
            order = [*range(axis), *range(axis + 1, rank), axis]
            output = array_ops.transpose(output, perm=order)
    elif axis != -1:
        raise ValueError(
            f"Cannot compute sparse categorical crossentropy with `axis={axis}` on an output "
            "tensor with unknown rank"
        )
    target = math_ops.cast(target, "int64")
    output_shape = array_ops.shape_v2(output)
    target_rank = target.shape.ndims
    flat = target_rank is not None and rank is not None and target_rank != rank - 1
    if flat:
        target = backend.flatten(target)
        output = array_ops.reshape(output, [-1, output_shape[-1]])
    result = nn_ops.sparse_softmax_cross_entropy_with_logits(labels=target, logits=output)
    if flat and rank >= 3:  # pyright: ignore[reportOptionalOperand]
        return array_ops.reshape(result, output_shape[:-1])
    return result


# Last, as that module takes all that is above.
from tf1compat.api.keras import backend  # noqa: E402
