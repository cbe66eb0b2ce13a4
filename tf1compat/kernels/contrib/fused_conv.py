"""`FusedConv2DBiasActivation`, which only GPUs have a kernel for in TF 1.15, too."""

from __future__ import annotations

from typing import Any

from tf1compat.core import shapes
from tf1compat.core.op_registry import without_kernel
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.typing import Shape
from tf1compat.kernels.nn import conv
from tf1compat.kernels.nn.windows import Layout


def _shape(
    conv_input: Shape,
    filter: Shape,
    bias: Shape,
    side_input: Shape,
    conv_input_scale: Shape,
    side_input_scale: Shape,
    *,
    op: Operation,
) -> Any:
    in_vectors = op._attrs["data_format"] == b"NCHW_VECT_C"
    image = _vectors_flat(conv_input) if in_vectors else conv_input
    result = conv.conv_shape(image, _channels_last(filter, op), op, called="Conv2D")
    (biases,) = shapes.with_rank(bias, 1)
    at = Layout(op._attrs["data_format"].decode()).channels
    channels = result[at]
    if None not in (channels, biases) and channels != biases:
        raise ShapeError(
            f"Output depth dimension ({channels}) and bias dimension ({biases}) do not match."
        )
    channels = biases if channels is None else channels
    if not in_vectors:
        return (*result[:at], channels, *result[at + 1 :])
    # Each vector is of four channels.
    vectors = None if channels is None else channels // 4
    return (*result[:at], vectors, *result[at + 1 :], 4)


def _vectors_flat(shape: Shape) -> Shape:
    """A shape whose channels are not in vectors, for [first, channels / n, rows, columns, n]."""
    first, channels, *space, vector = shapes.with_rank(shape, 5)
    return (first, shapes.multiply_dims(channels, vector), *space)


def _channels_last(filter: Shape, op: Operation) -> Shape:
    """The shape of a filter as [rows, columns, input channels, output channels]."""
    form = op._attrs["filter_format"]
    if form == b"HWIO":
        return filter
    flat = _vectors_flat(filter) if form == b"OIHW_VECT_I" else shapes.with_rank(filter, 4)
    given, taken, rows, columns = shapes.with_rank(flat, 4)
    return rows, columns, taken, given


without_kernel("FusedConv2DBiasActivation", shape=_shape)
