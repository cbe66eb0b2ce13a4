"""Convolutions of volumes, and transposes of several kinds (a part of TF's nn_ops)."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.nn import nn_convolution, nn_ops
from tf1compat.api.nn.nn_ops import _sequence
from tf1compat.api.util.deprecation import renamed
from tf1compat.core import ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, ShapeLike, TensorLike


@tf_export("nn.conv3d")
def conv3d_v1(
    input: TensorLike, filter: TensorLike | None = None, strides: Any = None, padding: Any = None,
    data_format: str = "NDHWC", dilations: Any = [1, 1, 1, 1, 1],  # noqa: B006
    name: Name = None, filters: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of volumes.

    Args:
      input: [batch, depth, height, width, channels] ("NDHWC"), or channels second ("NCDHW").
      filter: [depth, height, width, channels, output channels]; its new name is `filters`.
      strides, dilations: one for each dimension of the input.
      padding: "SAME" or "VALID".
      data_format: see `input`.
      name: the operation's name.
      filters: see `filter`.

    Returns:
      [batch, new depth, new height, new width, filters], or channels second for "NCDHW".
    """
    filter = renamed("filters", filters, "filter", filter)
    return raw_ops.Conv3D(input, filter, strides, padding, data_format, dilations, name=name)


conv3d = conv3d_v1


@tf_export("compat.v2.nn.conv3d")
def conv3d_v2(
    input: TensorLike, filters: Any, strides: Any, padding: Any, data_format: str = "NDHWC",
    dilations: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `conv3d_v1`.

    Args:
      input: [batch, depth, height, width, channels], or channels second for "NCDHW".
      filters: [depth, height, width, channels, filters].
      strides: five ints, of which the batch's and the channels' are 1.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      dilations: five ints, or None.
      name: the operation's name.

    Returns:
      [batch, new depth, new height, new width, filters], or filters second.
    """
    if dilations is None:
        dilations = [1, 1, 1, 1, 1]
    return raw_ops.Conv3D(input, filters, strides, padding, data_format, dilations, name=name)


@tf_export("nn.conv3d_transpose")
def conv3d_transpose(
    value: TensorLike, filter: TensorLike | None = None, output_shape: ShapeLike | None = None,
    strides: Any = None,
    padding: Any = "SAME", data_format: str = "NDHWC", name: Name = None,
    input: TensorLike | None = None,
    filters: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of `conv3d`: what has `output_shape` if its convolution has that of `value`.

    Args:
      value, input: [batch, depth, height, width, channels], one of the two.
      filter, filters: [depth, height, width, new channels, channels], one of the two.
      output_shape: the result's shape, an int32 vector.
      strides: one, three or five ints.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      name: the operation's name.
      dilations: one, three or five ints, or None.

    Returns:
      A tensor of `output_shape`.
    """
    filter = renamed("filters", filters, "filter", filter)
    value = renamed("input", input, "value", value)
    return conv3d_transpose_v2(
        value, filter, output_shape, strides, padding, data_format, dilations, name
    )


@tf_export("compat.v2.nn.conv3d_transpose")
def conv3d_transpose_v2(
    input: TensorLike, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME",
    data_format: str | None = "NDHWC", dilations: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """As `conv3d_transpose`.

    Args:
      input, filters, output_shape, strides, padding, data_format, dilations, name: as in
        `conv3d_transpose`.

    Returns:
      As `conv3d_transpose`.
    """
    with ops.name_scope(name, "conv3d_transpose", [input, output_shape]) as name:
        data_format = "NDHWC" if data_format is None else data_format
        channel = 1 if data_format.startswith("NC") else 4
        strides = _sequence(strides, 3, channel, "strides")
        dilations = _sequence(dilations, 3, channel, "dilations")
        return raw_ops.Conv3DBackpropInputV2(
            output_shape, filters, input, strides, padding, data_format, dilations, name=name
        )


@tf_export("nn.conv3d_backprop_filter", "nn.conv3d_backprop_filter_v2")
def conv3d_backprop_filter_v2(
    input: TensorLike, filter_sizes: Any, out_backprop: TensorLike, strides: Any, padding: Any,
    data_format: str = "NDHWC", dilations: Any = [1, 1, 1, 1, 1],  # noqa: B006
    name: Name = None,
) -> Tensor:  # fmt: skip
    """The gradient of `conv3d` with respect to its filter.

    Args:
      input: [batch, depth, height, width, channels].
      filter_sizes: the filter's shape, an int32 vector.
      out_backprop: the gradient of the convolution's output.
      strides: five ints.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      dilations: five ints.
      name: the operation's name.

    Returns:
      A tensor of the shape `filter_sizes`.
    """
    return raw_ops.Conv3DBackpropFilterV2(
        input, filter_sizes, out_backprop, strides, padding, data_format, dilations, name=name
    )


@tf_export("nn.conv_transpose")
def conv_transpose(
    input: TensorLike, filters: Any, output_shape: Any, strides: Any, padding: str = "SAME",
    data_format: str | None = None, dilations: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """The transpose of a convolution of sequences, images or volumes.

    Args:
      input: [batch, …, channels], or as `data_format` says.
      filters: [..., out channels of the result, channels of `input`].
      output_shape: the shape of the result: ints, or a vector of static length.
      strides: one int, or one for each dimension.
      padding: "SAME" or "VALID".
      data_format: "N…C" or "NC…".
      dilations: one int, or one for each dimension.
      name: the operation's name.

    Returns:
      A tensor of `output_shape`.

    Raises:
      ValueError: there are no such convolutions.
    """
    with ops.name_scope(name, "conv_transpose", [input, output_shape]) as name:
        if tensor_util.is_tensor(output_shape):
            n = output_shape.shape[0] - 2
        elif isinstance(output_shape, Sized):
            n = len(output_shape) - 2
        else:
            raise ValueError("output_shape must be a tensor or sized collection.")
        if not 1 <= n <= 3:
            raise ValueError(f"output_shape must be of length 3, 4 or 5 but was {n + 2}.")
        n = int(n)
        if n == 2:
            return nn_ops.conv2d_transpose(
                input, filters, output_shape, strides, padding, data_format, name,
                dilations=dilations,
            )  # fmt: skip
        record = nn_convolution.conv1d_transpose if n == 1 else conv3d_transpose_v2
        return record(
            input, filters, output_shape, strides,
            padding=padding, data_format=data_format, dilations=dilations, name=name,
        )  # fmt: skip


@tf_export("nn.atrous_conv2d_transpose")
def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: str, name: Name = None
) -> Tensor:
    """The transpose of `atrous_conv2d`.

    Args:
      value: [batch, rows, columns, channels].
      filters: [rows, columns, out channels of the result, channels of `value`].
      output_shape: the shape of the result: four ints, or an int32 vector.
      rate: an int of at least 1.
      padding: "SAME" or "VALID".
      name: the operation's name.

    Returns:
      A tensor of `output_shape`.

    Raises:
      ValueError: shapes, rate or padding don't fit.
    """
    with ops.name_scope(name, "atrous_conv2d_transpose", [value, filters, output_shape]) as name:
        value = ops.convert_to_tensor(value, name="value")
        filters = ops.convert_to_tensor(filters, name="filters")
        static = filters.get_shape()
        if not value.get_shape().dims[3].is_compatible_with(static[3]):
            raise ValueError(
                "value's input channels does not match filters' input channels, "
                f"{value.get_shape()[3]} != {static[3]}"
            )
        if rate < 1:
            raise ValueError(f"rate {rate} cannot be less than one")
        if rate == 1:
            return nn_ops.conv2d_transpose(
                value, filters, output_shape, [1, 1, 1, 1], padding, "NHWC"
            )
        converted = ops.convert_to_tensor(output_shape, name="output_shape").get_shape()
        if not converted.is_compatible_with([4]):
            raise ValueError(f"output_shape must have shape (4,), got {converted}")
        if isinstance(output_shape, tuple):
            output_shape = list(output_shape)
        if isinstance(output_shape, list | np.ndarray) and not static.dims[2].is_compatible_with(
            output_shape[3]
        ):
            raise ValueError(
                "output_shape does not match filter's output channels, "
                f"{output_shape[3]} != {static[2]}"
            )
        if padding == "SAME":
            known = static.is_fully_defined()
            sizes = static.as_list() if known else array_ops.shape(filters)
            # A filter with holes.
            extents = [sizes[0], sizes[1]]
            extents = [size + (size - 1) * (rate - 1) for size in extents]
            totals = [extent - 1 for extent in extents]
            before, after = [], []
            for total in totals:
                before.append(total // 2)
                after.append(total - before[-1])
        elif padding == "VALID":
            before = after = [0, 0]
        else:
            raise ValueError(f"padding must be either VALID or SAME: {padding}")
        sizes = [output_shape[i + 1] + before[i] + after[i] for i in range(2)]
        extra = [(rate - size % rate) % rate for size in sizes]
        value = array_ops.space_to_batch(
            input=value, paddings=[[0, extra[0]], [0, extra[1]]], block_size=rate
        )
        input_sizes = [
            rate * rate * output_shape[0],
            *((size + more) // rate for size, more in zip(sizes, extra)),
            output_shape[3],
        ]
        value = raw_ops.Conv2DBackpropInput(
            input_sizes, filters, value, [1, 1, 1, 1], "VALID", data_format="NHWC"
        )
        crops = [[a, b + more] for a, b, more in zip(before, after, extra)]
        return array_ops.batch_to_space(input=value, crops=crops, block_size=rate)
