"""Convolutions, their gradients as ops of their own, and pooling."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax

from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.shapes import ShapeError

_EXACT = lax.Precision.HIGHEST


def output_size(
    size: int | None,
    window: int | None,
    stride: int,
    padding: str,
    dilation: int = 1,
    pads: Any = (0, 0),
) -> int | None:
    """The size of one dimension of a windowed op's output.

    Raises:
      ShapeError: the window does not fit.
    """
    if size is None:
        return None
    if padding == "SAME":
        return -(-size // stride)
    if window is None:
        return None
    extent = (window - 1) * dilation + 1
    size += sum(pads)
    result = (size - extent + stride) // stride
    if result < 0 or size < extent and padding != "SAME":
        if (size - extent + stride) < 0 or size - extent < 0:
            raise ShapeError(f"Negative dimension size caused by subtracting {extent} from {size}")
    return result


def pads(
    size: int, window: int, stride: int, padding: str, dilation: int = 1, explicit: Any = (0, 0)
) -> tuple[int, int]:
    """The padding before and after one dimension."""
    if padding == "VALID":
        return 0, 0
    if padding == "EXPLICIT":
        return explicit
    extent = (window - 1) * dilation + 1
    total = max((-(-size // stride) - 1) * stride + extent - size, 0)
    return total // 2, total - total // 2


class Layout:
    """Where batch, channels and space are in a data format."""

    def __init__(self, data_format: str):
        self.format = data_format
        self.channels = data_format.index("C")
        self.space = [i for i, c in enumerate(data_format) if c in "DHW"]

    def lax(self, filter_format: str) -> tuple[str, str, str]:
        return self.format, filter_format, self.format

    def spatial(self, per_dimension: Any) -> list[int]:
        """The spatial items of a list with one item for each dimension."""
        return [per_dimension[i] for i in self.space]

    def shape(self, batch: Any, space: Any, channels: Any) -> tuple[Any, ...]:
        """A shape with these sizes."""
        result = [batch] * (len(self.space) + 2)
        for at, size in zip(self.space, space, strict=True):
            result[at] = size
        result[self.channels] = channels
        return tuple(result)


def _explicit(attrs: Any, layout: Layout) -> list[tuple[int, int]]:
    flat = attrs.get("explicit_paddings") or [0] * (2 * (len(layout.space) + 2))
    return [(flat[2 * i], flat[2 * i + 1]) for i in layout.space]


class _Geometry:
    """Strides, dilations and padding of a convolution op."""

    def __init__(self, op: Any):
        attrs = op._attrs
        self.layout = Layout(attrs["data_format"].decode())
        self.strides = self.layout.spatial(attrs["strides"])
        dilations = attrs.get("dilations") or [1] * len(attrs["strides"])
        self.dilations = self.layout.spatial(dilations)
        self.padding = attrs["padding"].decode()
        self.explicit = _explicit(attrs, self.layout)

    def output_space(self, space: Any, window: Any) -> list[int | None]:
        return [
            output_size(size, w, stride, self.padding, dilation, explicit)
            for size, w, stride, dilation, explicit in zip(
                space, window, self.strides, self.dilations, self.explicit, strict=True
            )
        ]

    def pads(self, space: Any, window: Any) -> list[tuple[int, int]]:
        return [
            pads(size, w, stride, self.padding, dilation, explicit)
            for size, w, stride, dilation, explicit in zip(
                space, window, self.strides, self.dilations, self.explicit, strict=True
            )
        ]


def _filter_format(rank: int) -> str:
    return {3: "WIO", 4: "HWIO", 5: "DHWIO"}[rank]


def _conv_shape(input: Any, filter: Any, op: Any, depthwise: bool = False) -> Any:
    geometry = _Geometry(op)
    layout = geometry.layout
    rank = len(layout.space) + 2
    input, filter = shapes.with_rank(input, rank), shapes.with_rank(filter, rank)
    window = filter[:-2]
    depth, in_depth = input[layout.channels], filter[-2]
    if depthwise:
        in_depth = shapes.merge_dim(depth, in_depth)
        channels = shapes.multiply_dims(in_depth, filter[-1])
    else:
        channels = filter[-1]
        if depth is not None and in_depth is not None and in_depth and depth % in_depth:
            raise ShapeError(
                f"Depth of input ({depth}) is not a multiple of input depth of filter ({in_depth})"
                if rank == 4
                else f"Dimensions must be equal, but are {depth} and {in_depth}"
            )
    space = geometry.output_space(layout.spatial(input), window)
    return layout.shape(input[0], space, channels)


def _forward(input: Any, filter: Any, geometry: _Geometry, groups: int) -> Any:
    layout = geometry.layout
    space = layout.spatial(input.shape)
    return lax.conv_general_dilated(
        input,
        filter,
        geometry.strides,
        geometry.pads(space, filter.shape[:-2]),
        rhs_dilation=geometry.dilations,
        dimension_numbers=layout.lax(_filter_format(filter.ndim)),
        feature_group_count=groups,
        precision=_EXACT,
    )


def _input_gradient(
    sizes: tuple[int, ...], filter: Any, grad: Any, geometry: _Geometry, groups: int
) -> Any:
    """The gradient of a convolution with respect to its input: a convolution with the flipped
    filter."""
    layout = geometry.layout
    space = layout.spatial(sizes)
    window = filter.shape[:-2]
    out = layout.spatial(grad.shape)
    padding = []
    for size, w, o, stride, dilation, (before, _) in zip(
        space, window, out, geometry.strides, geometry.dilations, geometry.pads(space, window)
    ):
        extent = (w - 1) * dilation + 1
        low = extent - 1 - before
        spread = (o - 1) * stride + 1
        padding.append((low, size + extent - 1 - spread - low))
    flipped = jnp.flip(filter, tuple(range(filter.ndim - 2)))
    if groups > 1:
        # (…, I/g, g*O) -> (…, O, g*I/g)
        *spatial, i, o = flipped.shape
        flipped = flipped.reshape(*spatial, i, groups, o // groups)
        flipped = jnp.moveaxis(flipped, -2, -3).reshape(*spatial, groups * i, o // groups)
    flipped = jnp.swapaxes(flipped, -1, -2)
    return lax.conv_general_dilated(
        grad,
        flipped,
        [1] * len(space),
        padding,
        lhs_dilation=geometry.strides,
        rhs_dilation=geometry.dilations,
        dimension_numbers=layout.lax(_filter_format(filter.ndim)),
        feature_group_count=groups,
        precision=_EXACT,
    )


def _filter_gradient(
    input: Any, sizes: tuple[int, ...], grad: Any, geometry: _Geometry, groups: int
) -> Any:
    """The gradient of a convolution with respect to its filter: batch and channels change
    places."""
    layout = geometry.layout
    space, window, out = layout.spatial(input.shape), sizes[:-2], layout.spatial(grad.shape)
    padding = []
    for size, w, o, stride, dilation, (before, _) in zip(
        space, window, out, geometry.strides, geometry.dilations, geometry.pads(space, window)
    ):
        needed = (o - 1) * stride + (w - 1) * dilation + 1
        padding.append((before, needed - size - before))
    # The batch becomes the contracted dimension; XLA has a grouped form of this
    # (batch_group_count).
    letters = layout.format
    swapped = letters.replace("N", "x").replace("C", "N").replace("x", "C")
    spatial = _filter_format(len(sizes))[:-2]
    grad_format = letters.replace("N", "I").replace("C", "O")
    result_format = spatial.replace("D", "D") + "NC"
    return lax.conv_general_dilated(
        input,
        grad,
        geometry.dilations,
        padding,
        rhs_dilation=geometry.strides,
        dimension_numbers=(swapped, grad_format, result_format),
        batch_group_count=groups,
        precision=_EXACT,
    )


def _attrs_of(op: Any, names: str) -> dict[str, Any]:
    return {name: op._attrs[name] for name in names.split()}


_CONV2D = "dilations strides padding explicit_paddings use_cudnn_on_gpu data_format"
_DEPTHWISE = "dilations strides padding data_format"


@op("Conv2D", autodiff=True)
class Conv2D:
    def shape(input: Any, filter: Any, *, op: Any) -> Any:
        return _conv_shape(input, filter, op)

    def lower(input: Any, filter: Any, *, op: Any, ctx: Any) -> Any:
        geometry = _Geometry(op)
        depth, in_depth = input.shape[geometry.layout.channels], filter.shape[-2]
        if depth % in_depth:
            text = f"input and filter must have the same depth: {depth} vs {in_depth}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return _forward(jnp.asarray(input), jnp.asarray(filter), geometry, depth // in_depth)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _CONV2D)
        x, w = op.inputs
        shape_x, shape_w = array_ops.shape_n([x, w])
        return [
            raw_ops.Conv2DBackpropInput(shape_x, w, grad, **attrs),
            raw_ops.Conv2DBackpropFilter(x, shape_w, grad, **attrs),
        ]


@op("Conv2DBackpropInput", const=(0,), autodiff=True)
class Conv2DBackpropInput:
    def shape(input_sizes: Any, filter: Any, out_backprop: Any, *, op: Any) -> Any:
        return op.shape_input(0) or (None,) * 4

    def lower(input_sizes: Any, filter: Any, out_backprop: Any, *, op: Any) -> Any:
        geometry = _Geometry(op)
        sizes = tuple(int(v) for v in input_sizes)
        groups = sizes[geometry.layout.channels] // filter.shape[-2]
        return _input_gradient(sizes, jnp.asarray(filter), out_backprop, geometry, groups)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _CONV2D)
        w, dy = op.inputs[1], op.inputs[2]
        return [
            None,
            raw_ops.Conv2DBackpropFilter(grad, array_ops.shape(w), dy, **attrs),
            raw_ops.Conv2D(grad, w, **attrs),
        ]


@op("Conv2DBackpropFilter", const=(1,), autodiff=True)
class Conv2DBackpropFilter:
    def shape(input: Any, filter_sizes: Any, out_backprop: Any, *, op: Any) -> Any:
        return op.shape_input(1) or (None,) * 4

    def lower(input: Any, filter_sizes: Any, out_backprop: Any, *, op: Any) -> Any:
        geometry = _Geometry(op)
        sizes = tuple(int(v) for v in filter_sizes)
        groups = input.shape[geometry.layout.channels] // sizes[-2]
        return _filter_gradient(jnp.asarray(input), sizes, out_backprop, geometry, groups)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _CONV2D)
        x, dy = op.inputs[0], op.inputs[2]
        return [
            raw_ops.Conv2DBackpropInput(array_ops.shape(x), grad, dy, **attrs),
            None,
            raw_ops.Conv2D(x, grad, **attrs),
        ]


def _grouped(filter: Any) -> Any:
    """A depthwise filter (H, W, C, M) as that of a convolution in C groups."""
    *space, channels, multiplier = filter.shape
    return filter.reshape(*space, 1, channels * multiplier)


@op("DepthwiseConv2dNative", autodiff=True)
class DepthwiseConv2dNative:
    def shape(input: Any, filter: Any, *, op: Any) -> Any:
        return _conv_shape(input, filter, op, depthwise=True)

    def lower(input: Any, filter: Any, *, op: Any) -> Any:
        return _forward(jnp.asarray(input), _grouped(filter), _Geometry(op), filter.shape[-2])

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _DEPTHWISE)
        x, w = op.inputs
        return [
            raw_ops.DepthwiseConv2dNativeBackpropInput(array_ops.shape(x), w, grad, **attrs),
            raw_ops.DepthwiseConv2dNativeBackpropFilter(x, array_ops.shape(w), grad, **attrs),
        ]


@op("DepthwiseConv2dNativeBackpropInput", const=(0,), autodiff=True)
class DepthwiseConv2dNativeBackpropInput:
    def shape(input_sizes: Any, filter: Any, out_backprop: Any, *, op: Any) -> Any:
        return op.shape_input(0) or (None,) * 4

    def lower(input_sizes: Any, filter: Any, out_backprop: Any, *, op: Any) -> Any:
        sizes = tuple(int(v) for v in input_sizes)
        return _input_gradient(
            sizes, _grouped(filter), out_backprop, _Geometry(op), filter.shape[-2]
        )

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _DEPTHWISE)
        w, dy = op.inputs[1], op.inputs[2]
        return [
            None,
            raw_ops.DepthwiseConv2dNativeBackpropFilter(grad, array_ops.shape(w), dy, **attrs),
            raw_ops.DepthwiseConv2dNative(grad, w, **attrs),
        ]


@op("DepthwiseConv2dNativeBackpropFilter", const=(1,), autodiff=True)
class DepthwiseConv2dNativeBackpropFilter:
    def shape(input: Any, filter_sizes: Any, out_backprop: Any, *, op: Any) -> Any:
        return op.shape_input(1) or (None,) * 4

    def lower(input: Any, filter_sizes: Any, out_backprop: Any, *, op: Any) -> Any:
        *space, channels, multiplier = (int(v) for v in filter_sizes)
        sizes = (*space, 1, channels * multiplier)
        result = _filter_gradient(jnp.asarray(input), sizes, out_backprop, _Geometry(op), channels)
        return result.reshape(*space, channels, multiplier)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        attrs = _attrs_of(op, _DEPTHWISE)
        x, dy = op.inputs[0], op.inputs[2]
        return [
            raw_ops.DepthwiseConv2dNativeBackpropInput(array_ops.shape(x), grad, dy, **attrs),
            None,
            raw_ops.DepthwiseConv2dNative(x, grad, **attrs),
        ]
