"""Convolutions of volumes (a part of TF's nn_ops)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.deprecation import renamed
from tf1compat.api.nn_ops import _sequence
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor


@tf_export("nn.conv3d")
def conv3d_v1(
    input: Any, filter: Any = None, strides: Any = None, padding: Any = None,
    data_format: Any = "NDHWC", dilations: Any = [1, 1, 1, 1, 1],  # noqa: B006
    name: Any = None, filters: Any = None,
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
    """
    filter = renamed("filters", filters, "filter", filter)
    return raw_ops.Conv3D(input, filter, strides, padding, data_format, dilations, name=name)


conv3d = conv3d_v1


def conv3d_v2(
    input: Any, filters: Any, strides: Any, padding: Any, data_format: Any = "NDHWC",
    dilations: Any = None, name: Any = None,
) -> Tensor:  # fmt: skip
    """As `conv3d_v1`."""
    if dilations is None:
        dilations = [1, 1, 1, 1, 1]
    return raw_ops.Conv3D(input, filters, strides, padding, data_format, dilations, name=name)


@tf_export("nn.conv3d_transpose")
def conv3d_transpose(
    value: Any, filter: Any = None, output_shape: Any = None, strides: Any = None,
    padding: Any = "SAME", data_format: Any = "NDHWC", name: Any = None, input: Any = None,
    filters: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """The transpose of `conv3d`: what has `output_shape` if its convolution has that of `value`."""
    filter = renamed("filters", filters, "filter", filter)
    value = renamed("input", input, "value", value)
    return conv3d_transpose_v2(
        value, filter, output_shape, strides, padding, data_format, dilations, name
    )


def conv3d_transpose_v2(
    input: Any, filters: Any, output_shape: Any, strides: Any, padding: Any = "SAME",
    data_format: Any = "NDHWC", dilations: Any = None, name: Any = None,
) -> Tensor:  # fmt: skip
    """As `conv3d_transpose`."""
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
    input: Any, filter_sizes: Any, out_backprop: Any, strides: Any, padding: Any,
    data_format: Any = "NDHWC", dilations: Any = [1, 1, 1, 1, 1],  # noqa: B006
    name: Any = None,
) -> Tensor:  # fmt: skip
    """The gradient of `conv3d` with respect to its filter."""
    return raw_ops.Conv3DBackpropFilterV2(
        input, filter_sizes, out_backprop, strides, padding, data_format, dilations, name=name
    )
