"""Convolutions, and their gradients as ops of their own."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import PRECISION, Array, jnp, lax, on_cpu
from tf1compat.core import raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.nn import conv_on_cpu
from tf1compat.kernels.nn.windows import Layout, output_size, pads, run_size

# Of how many shapes it is remembered what the checks of a convolution found.
_MOST_FORMS = 256


class _Geometry:
    """Strides, dilations and padding of a convolution op: `_Geometry.of(op)`.

    Attributes:
      layout: where its dimensions are.
      rank: how many there are.
      all_strides, all_dilations: for each of them.
      padding: "SAME", "VALID" or "EXPLICIT".
    """

    def __init__(
        self,
        data_format: str,
        strides: tuple[int, ...],
        dilations: tuple[int, ...],
        padding: str,
        explicit: tuple[int, ...],
    ):
        self.layout = Layout(data_format)
        self.rank = len(self.layout.space) + 2
        self.all_strides = strides
        self.all_dilations = dilations
        self.padding = padding
        self._explicit = explicit
        self._forms: dict[Any, Any] = {}

    @classmethod
    def of(cls, op: Any, dilated: bool = True) -> _Geometry:
        """That of an operation; without `dilated`, whatever it says of dilations."""
        attrs = op._attrs
        strides = tuple(attrs["strides"])
        dilations = attrs.get("dilations") or ()
        dilations = tuple(dilations) if dilated and dilations else (1,) * len(dilations or strides)
        # Old op types and quantized ones have no format.
        usual = b"NDHWC" if len(strides) == 5 else b"NHWC"
        return _geometry(
            attrs.get("data_format", usual).decode(),
            strides,
            dilations,
            attrs["padding"].decode(),
            tuple(attrs.get("explicit_paddings") or ()),
        )

    def check(self, op_type: str, depthwise: bool = False) -> None:
        """Refuses attrs that make no sense, while recording.

        Args:
          op_type: as errors name it.
          depthwise: whether each channel is convolved by itself.

        Raises:
          ShapeError: TF's text.
        """
        rank, flat = self.rank, self._explicit
        if len(self.all_dilations) != rank:
            raise ShapeError(
                f"{op_type} requires the dilation attribute to contain {rank} values, but got: "
                f"{len(self.all_dilations)}"
            )
        if len(self.all_strides) != rank:
            formats = rank == 4 and not depthwise
            where = f" on data format {self.layout.format}" if formats else ""
            raise ShapeError(
                f"{op_type}{where} requires the stride attribute to contain {rank} values, but "
                f"got: {len(self.all_strides)}"
            )
        if self.padding != "EXPLICIT":
            if flat:
                raise ShapeError(
                    "explicit_paddings attribute must be empty if the padding attribute is not "
                    "EXPLICIT"
                )
            return
        if len(flat) != 2 * rank:
            raise ShapeError(
                f"explicit_paddings attribute must contain {2 * rank} values, but got: {len(flat)}"
            )
        if any(amount < 0 for amount in flat):
            raise ShapeError("All elements of explicit_paddings must be nonnegative")
        if any(flat[2 * i] or flat[2 * i + 1] for i in (0, self.layout.channels)):
            raise ShapeError(
                "Nonzero explicit padding in the batch or depth dimensions is not supported"
            )

    @functools.cached_property
    def strides(self) -> list[int]:
        """The strides in space."""
        return self.layout.spatial(self.all_strides)

    @functools.cached_property
    def dilations(self) -> list[int]:
        """The dilations in space."""
        return self.layout.spatial(self.all_dilations)

    @functools.cached_property
    def explicit(self) -> list[tuple[int, int]]:
        """The explicit paddings in space."""
        flat = self._explicit or [0] * (2 * self.rank)
        return [(flat[2 * i], flat[2 * i + 1]) for i in self.layout.space]

    def output_space(self, space: Any, window: Any) -> list[int | None]:
        """The static sizes of the output in space."""
        parts = zip(space, window, self.strides, self.dilations, self.explicit)
        return [
            output_size(size, w, stride, self.padding, dilation, explicit)
            for size, w, stride, dilation, explicit in parts
        ]

    def run_space(self, space: Any, window: Any, ctx: LoweringContext) -> list[int]:
        """The sizes of a run's output in space."""
        parts = zip(space, window, self.strides, self.dilations, self.explicit)
        return [
            run_size(size, w, stride, self.padding, dilation, explicit, ctx)
            for size, w, stride, dilation, explicit in parts
        ]

    def pads(self, space: Any, window: Any) -> list[tuple[int, int]]:
        """The paddings in space."""
        parts = zip(space, window, self.strides, self.dilations, self.explicit)
        return [
            pads(size, w, stride, self.padding, dilation, explicit)
            for size, w, stride, dilation, explicit in parts
        ]

    def windows(self, input: Sequence[int], window: Sequence[int]) -> conv_on_cpu.Windows | None:
        """The windows of a convolution for which there are other forms (`conv_on_cpu`), else None.

        Args:
          input: the input's shape.
          window: the filter's sizes in space.
        """
        if not on_cpu() or self.layout.format != "NHWC" or 0 in (*input, *window):
            return None
        space = input[1:3]
        if self.padding != "SAME":
            # Where no window fits there are none.
            parts = zip(space, window, self.dilations, self.explicit)
            if any(size + sum(e) <= (w - 1) * dilation for size, w, dilation, e in parts):
                return None
        out = [size or 0 for size in self.output_space(space, window)]
        before = [low for low, _ in self.pads(space, window)]
        return conv_on_cpu.Windows(space, window, out, self.strides, self.dilations, before)

    def form(
        self, input: Any, filter: Any, ctx: LoweringContext
    ) -> tuple[int, list[tuple[int, int]]]:
        """How many groups a run's convolution has and its paddings in space, or TF's error."""
        shapes = None  # Of arrays alone: sizes that are expressions can't always be compared.
        if input.__class__ is filter.__class__ is np.ndarray:
            shapes = input.shape, filter.shape
            if (known := self._forms.get(shapes)) is not None:
                return known
        _check_forward(input, filter, self, ctx)
        groups = _check_depth(input, filter, self, ctx)
        space = self.layout.spatial(np.shape(input))
        found = groups, self.pads(space, np.shape(filter)[:-2])
        if shapes is not None and len(self._forms) < _MOST_FORMS:
            self._forms[shapes] = found
        return found

    def check_run(self, ctx: LoweringContext) -> None:
        """Fails the run for strides that are none, or strides or dilations of batch or channels."""
        if min(self.layout.spatial(self.all_strides)) <= 0:
            which = "Row and column" if self.rank == 4 else "Spatial"
            refuse(ctx, f"{which} strides should be larger than 0.")
        for name, values in (("strides", self.all_strides), ("dilations", self.all_dilations)):
            if values[0] != 1 or values[self.layout.channels] != 1:
                refuse(
                    ctx,
                    f"Current implementation does not yet support {name} in the batch and depth "
                    "dimensions.",
                )


_geometry = functools.lru_cache(maxsize=1024)(_Geometry)


def _depthwise_geometry(op: Operation) -> _Geometry:
    """TF's kernels of depthwise convolutions take no notice of the dilations."""
    return _Geometry.of(op, dilated=False)


# Static shapes.


def _filter_format(rank: int) -> str:
    return {3: "WIO", 4: "HWIO", 5: "DHWIO"}[rank]


def conv_shape(
    input: Any, filter: Any, op: Any, depthwise: bool = False, called: str | None = None
) -> Any:
    """The shape of what a convolution gives.

    Args:
      input: shape of the images.
      filter: shape of the filter, its channels last.
      op: the operation, for its attrs.
      depthwise: whether each channel has filters of its own.
      called: what errors call the op; its type by default.

    Raises:
      ShapeError: they do not fit.
    """
    geometry = _Geometry.of(op)
    layout, rank = geometry.layout, geometry.rank
    input, filter = shapes.with_rank(input, rank), shapes.with_rank(filter, rank)
    geometry.check(called or ("DepthwiseConv2D" if depthwise else op.type), depthwise)
    depth, in_depth = input[layout.channels], filter[-2]
    channels = filter[-1]
    if depthwise:
        channels = shapes.multiply_dims(shapes.merge_dim(depth, in_depth), channels)
    elif depth is not None and in_depth:
        groups, rest = divmod(depth, in_depth)
        if rest:
            raise ShapeError(
                f"Depth of input ({depth}) is not a multiple of input depth of filter ({in_depth})"
            )
        if groups and channels is not None and channels % groups:
            raise ShapeError(
                f"Depth of output ({channels}) is not a multiple of the number of groups ({groups})"
            )
    space = geometry.output_space(layout.spatial(input), filter[:-2])
    return layout.shape(input[0], space, channels)


def _sizes_shape(index: int) -> Any:
    """The shape function of a gradient whose shape is what input `index` says."""

    def shape(a: Any, b: Any, out_backprop: Any, *, op: Any) -> Any:
        rank = 5 if len(op._attrs["strides"]) == 5 else 4
        return shapes.with_rank(op.shape_input(index), rank)

    return staticmethod(shape)


# Lowerings.


def _forward(
    input: Any, filter: Any, geometry: _Geometry, groups: int, pads: Sequence[tuple[int, int]]
) -> Any:
    if groups == 1 and (windows := geometry.windows(input.shape, filter.shape[:-2])):
        if conv_on_cpu.multiplies(windows):
            return conv_on_cpu.product(input, filter, windows)
    return lax.conv_general_dilated(
        input,
        filter,
        geometry.strides,
        pads,
        rhs_dilation=geometry.dilations,
        dimension_numbers=geometry.layout.lax(_filter_format(filter.ndim)),
        feature_group_count=groups,
        precision=PRECISION,
    )


def _input_gradient(
    sizes: tuple[int, ...], filter: Any, grad: Any, geometry: _Geometry, groups: int
) -> Any:
    """The gradient of a convolution with respect to its input: a convolution with the flipped
    filter."""
    if groups == 1 and (windows := geometry.windows(sizes, filter.shape[:-2])):
        if conv_on_cpu.multiplies_back(windows, grad):
            return conv_on_cpu.product_input_gradient(filter, grad, windows)
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
        precision=PRECISION,
    )


def _filter_gradient(
    input: Any, sizes: tuple[int, ...], grad: Any, geometry: _Geometry, groups: int
) -> Any:
    """The gradient of a convolution with respect to its filter: batch and channels change
    places."""
    if groups == 1 and (windows := geometry.windows(input.shape, sizes[:-2])):
        if conv_on_cpu.multiplies_for_filter(windows, input, grad):
            return conv_on_cpu.product_filter_gradient(input, grad, windows)
        if conv_on_cpu.adds_up_rows(windows, input, grad):
            input, grad = lax.optimization_barrier((input, grad))
            return conv_on_cpu.filter_gradient_by_rows(input, grad, windows)
    layout = geometry.layout
    space, window, out = layout.spatial(input.shape), sizes[:-2], layout.spatial(grad.shape)
    padding = []
    for size, w, o, stride, dilation, (before, _) in zip(
        space, window, out, geometry.strides, geometry.dilations, geometry.pads(space, window)
    ):
        needed = (o - 1) * stride + (w - 1) * dilation + 1
        padding.append((before, needed - size - before))
    if on_cpu():
        # XLA transposes both for it, which takes far longer where it computes them on the way.
        input, grad = lax.optimization_barrier((input, grad))
    # The batch becomes the contracted dimension; XLA has a grouped form of this
    # (batch_group_count).
    letters = layout.format
    swapped = letters.replace("N", "x").replace("C", "N").replace("x", "C")
    spatial = _filter_format(len(sizes))[:-2]
    grad_format = letters.replace("N", "I").replace("C", "O")
    return lax.conv_general_dilated(
        input,
        grad,
        geometry.dilations,
        padding,
        rhs_dilation=geometry.strides,
        dimension_numbers=(swapped, grad_format, f"{spatial}NC"),
        batch_group_count=groups,
        precision=PRECISION,
    )


# What a run refuses.


def _check_forward(input: Any, filter: Any, geometry: _Geometry, ctx: LoweringContext) -> None:
    rank = geometry.rank
    if np.ndim(input) != rank:
        refuse(ctx, f"input must be {rank}-dimensional{text_of_shape(input) if rank == 4 else ''}")
    if np.ndim(filter) != rank:
        shown = f": {text_of_shape(filter)}" if rank == 4 else ""
        refuse(ctx, f"filter must be {rank}-dimensional{shown}")
    geometry.check_run(ctx)
    layout = geometry.layout
    geometry.run_space(layout.spatial(np.shape(input)), np.shape(filter)[:-2], ctx)


def _check_depth(input: Any, filter: Any, geometry: _Geometry, ctx: LoweringContext) -> int:
    """How many groups a convolution has, or TF's error."""
    if np.size(input) and 0 in np.shape(filter)[:-2]:  # TF divides by its size
        refuse(ctx, f"filter must have no zero dimensions: {text_of_shape(filter)}")
    depth, in_depth = np.shape(input)[geometry.layout.channels], np.shape(filter)[-2]
    if depth and (not in_depth or depth % in_depth):
        word = "input" if geometry.rank == 4 else "Input"
        refuse(ctx, f"{word} depth must be evenly divisible by filter depth: {depth} vs {in_depth}")
    return depth // in_depth if depth else 1


def _sizes(value: Any, label: str, name: str, ctx: LoweringContext) -> tuple[int, ...]:
    """A shape vector as ints, or TF's error."""
    if np.ndim(value) != 1:
        refuse(ctx, f"{label}: {name} input must be 1-dim, not {np.ndim(value)}")
    sizes = tuple(int(v) for v in value)
    for size in sizes:
        if size < 0:
            refuse(ctx, f"Dimension {size} must be >= 0")
    return sizes


def _check_backward(
    label: str,
    input: Sequence[int],
    filter: Sequence[int],
    grad: Sequence[int],
    geometry: _Geometry,
    ctx: LoweringContext,
) -> int:
    """Refuses shapes that don't belong together, with TF's texts.

    Args:
      label: what TF's kernel calls itself.
      input, filter, grad: the shapes.
      geometry: that of the convolution.
      ctx: the run.

    Returns:
      How many groups the convolution has.
    """
    rank, layout = geometry.rank, geometry.layout
    for name, shape in (("input", input), ("filter", filter), ("out_backprop", grad)):
        if len(shape) != rank:
            refuse(ctx, f"{label}: {name} must be {rank}-dimensional")
    geometry.check_run(ctx)
    if input[0] != grad[0]:
        refuse(
            ctx,
            f"{label}: input and out_backprop must have the same batch sizeinput batch: {input[0]}"
            f"outbackprop batch: {grad[0]} batch_dim: 0",
        )
    depth = input[layout.channels]
    if depth % filter[-2]:
        refuse(ctx, f"{label}: input depth must be evenly divisible by filter depth")
    if filter[-1] != grad[layout.channels]:
        refuse(ctx, f"{label}: filter and out_backprop must have the same out_depth")
    space, window, out = layout.spatial(input), filter[:-2], layout.spatial(grad)
    computed = geometry.run_space(space, window, ctx)
    for i, at in enumerate(layout.space):
        if computed[i] != out[i]:
            refuse(
                ctx,
                f"{label}: Size of out_backprop doesn't match computed: actual = {out[i]}, "
                f"computed = {computed[i]} spatial_dim: {at} input: {space[i]} filter: "
                f"{window[i]} output: {out[i]} stride: {geometry.strides[i]} dilation: "
                f"{geometry.dilations[i]}",
            )
    return depth // filter[-2]


def _work(op: Operation, dims: Any) -> float:
    """What a convolution or a gradient of one costs, in multiply-adds of a matrix product."""
    y, w = op._outputs[0], op._inputs[1]
    if len(op._inputs) == 3:
        y = op._inputs[2]
        w = op._outputs[0] if "Filter" in op.type else w
    filter = dims(w)
    return _PATCHES * math.prod(dims(y)) * math.prod(filter) / max([*filter[-1:], 1])


# By how much gathering patches makes a convolution dearer than the product alone.
_PATCHES = 3


class _Kind(NamedTuple):
    """The op types of one kind of convolution, and the attrs that they share."""

    forward: str
    by_input: str
    by_filter: str
    attrs: str

    def attrs_of(self, op: Operation) -> dict[str, Any]:
        return {name: op._attrs[name] for name in self.attrs.split()}


def _gradient_by_input(kind: _Kind) -> Callable[[Any, Tensor], Gradients]:
    """The gradient function of a convolution's gradient by its input."""

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = kind.attrs_of(op)
        w, dy = op.inputs[1], op.inputs[2]
        dw = getattr(raw_ops, kind.by_filter)(grad, array_ops.shape(w), dy, **attrs)
        return [None, dw, getattr(raw_ops, kind.forward)(grad, w, **attrs)]

    return gradient


def _gradient_by_filter(kind: _Kind) -> Callable[[Any, Tensor], Gradients]:
    """The gradient function of a convolution's gradient by its filter."""

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = kind.attrs_of(op)
        x, dy = op.inputs[0], op.inputs[2]
        dx = getattr(raw_ops, kind.by_input)(array_ops.shape(x), grad, dy, **attrs)
        return [dx, None, getattr(raw_ops, kind.forward)(x, grad, **attrs)]

    return gradient


# Two and three dimensions.

_CONV2D = _Kind(
    "Conv2D",
    "Conv2DBackpropInput",
    "Conv2DBackpropFilter",
    "dilations strides padding explicit_paddings use_cudnn_on_gpu data_format",
)
_CONV3D = _Kind(
    "Conv3D",
    "Conv3DBackpropInputV2",
    "Conv3DBackpropFilterV2",
    "dilations strides padding data_format",
)


def _conv_shape(input: Any, filter: Shape, *, op: Operation) -> Shape:
    return conv_shape(input, filter, op)


def _conv(input: Any, filter: Array, *, op: Operation, ctx: LoweringContext) -> Array:
    geometry = _Geometry.of(op)
    groups, pads = geometry.form(input, filter, ctx)
    return _forward(jnp.asarray(input), jnp.asarray(filter), geometry, groups, pads)


def _conv_by_input(label: str, label_of_sizes: str = "") -> Callable[..., Array]:
    """The rule of a convolution's gradient by its input, whose errors begin with `label`."""

    def lower(
        input_sizes: Any, filter: Array, out_backprop: Array, *, op: Operation, ctx: LoweringContext
    ) -> Array:
        geometry = _Geometry.of(op)
        sizes = _sizes(input_sizes, label_of_sizes or label, "input_sizes", ctx)
        groups = _check_backward(label, sizes, filter.shape, out_backprop.shape, geometry, ctx)
        return _input_gradient(sizes, jnp.asarray(filter), out_backprop, geometry, groups)

    return lower


def _conv_by_filter(label: str) -> Callable[..., Array]:
    """The rule of a convolution's gradient by its filter, whose errors begin with `label`."""

    def lower(
        input: Any,
        filter_sizes: np.ndarray,
        out_backprop: Array,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        geometry = _Geometry.of(op)
        sizes = _sizes(filter_sizes, label, "filter_sizes", ctx)
        groups = _check_backward(label, np.shape(input), sizes, out_backprop.shape, geometry, ctx)
        return _filter_gradient(jnp.asarray(input), sizes, out_backprop, geometry, groups)

    return lower


@op("Conv2D", autodiff=True, work=_work)
class Conv2D:
    shape = _conv_shape
    lower = _conv

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = _CONV2D.attrs_of(op)
        x, w = op.inputs
        shape_x, shape_w = array_ops.shape_n([x, w])
        return [
            raw_ops.Conv2DBackpropInput(shape_x, w, grad, **attrs),
            raw_ops.Conv2DBackpropFilter(x, shape_w, grad, **attrs),
        ]


@op("Conv2DBackpropInput", const=(0,), autodiff=True, work=_work)
class Conv2DBackpropInput:
    shape = _sizes_shape(0)
    lower = _conv_by_input("Conv2DCustomBackpropInput", "Conv2DBackpropInput")
    gradient = _gradient_by_input(_CONV2D)


@op("Conv2DBackpropFilter", const=(1,), autodiff=True, work=_work)
class Conv2DBackpropFilter:
    shape = _sizes_shape(1)
    lower = _conv_by_filter("Conv2DCustomBackpropFilter")
    gradient = _gradient_by_filter(_CONV2D)


@op("Conv3D", autodiff=True, work=_work)
class Conv3D:
    shape = _conv_shape
    lower = _conv

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = _CONV3D.attrs_of(op)
        x, w = op.inputs
        dx = raw_ops.Conv3DBackpropInputV2(array_ops.shape(x), w, grad, **attrs)
        return [dx, raw_ops.Conv3DBackpropFilterV2(x, array_ops.shape(w), grad, **attrs)]


@op("Conv3DBackpropInputV2", const=(0,), autodiff=True, work=_work)
class Conv3DBackpropInputV2:
    shape = _sizes_shape(0)
    lower = _conv_by_input("Conv3DBackpropInputOp")
    gradient = _gradient_by_input(_CONV3D)


@op("Conv3DBackpropFilterV2", const=(1,), autodiff=True, work=_work)
class Conv3DBackpropFilterV2:
    shape = _sizes_shape(1)
    lower = _conv_by_filter("Conv3DBackpropFilterOp")
    gradient = _gradient_by_filter(_CONV3D)


# Each channel by itself.

_DEPTHWISE = _Kind(
    "DepthwiseConv2dNative",
    "DepthwiseConv2dNativeBackpropInput",
    "DepthwiseConv2dNativeBackpropFilter",
    "dilations strides padding data_format",
)


def _grouped(filter: Any) -> Any:
    """A depthwise filter (H, W, C, M) as that of a convolution in C groups."""
    *space, channels, multiplier = filter.shape
    return filter.reshape(*space, 1, channels * multiplier)


def _check_square_steps(geometry: _Geometry, ctx: LoweringContext) -> None:
    rows, columns = geometry.layout.spatial(geometry.all_strides)
    if rows != columns:
        refuse(
            ctx,
            "Current implementation only supports equal length strides in the row and column "
            "dimensions.",
        )


def _check_depthwise(
    label: str,
    input: Sequence[int],
    filter: Sequence[int],
    grad: Sequence[int],
    geometry: _Geometry,
    ctx: LoweringContext,
) -> None:
    """As `_check_backward`, of a depthwise convolution."""
    _check_square_steps(geometry, ctx)
    for name, shape in (("input", input), ("filter", filter), ("out_backprop", grad)):
        if len(shape) != 4:
            refuse(ctx, f"{label}: {name} must be 4-dimensional")
    if input[0] != grad[0]:
        refuse(ctx, f"{label}: input and out_backprop must have the same batch size")
    channels = geometry.layout.channels
    if input[channels] != filter[2]:
        refuse(ctx, f"{label}: input and filter must have the same in_depth")
    if filter[2] * filter[3] != grad[channels]:
        refuse(ctx, f"{label}: depth_multiplier * in_depth not equal to out_depth")
    spatial = geometry.layout.spatial
    computed = geometry.run_space(spatial(input), filter[:2], ctx)
    for name, actual, wanted in zip(("rows", "cols"), spatial(grad), computed):
        if actual != wanted:
            refuse(
                ctx,
                f"{label}: Number of {name} of out_backprop doesn't match computed: actual = "
                f"{actual}, computed = {wanted}",
            )


@op("DepthwiseConv2dNative", autodiff=True, work=_work)
class DepthwiseConv2dNative:
    def shape(input: Any, filter: Shape, *, op: Operation) -> Shape:
        return conv_shape(input, filter, op, depthwise=True)

    def lower(input: Any, filter: Array, *, op: Operation, ctx: LoweringContext) -> Array:
        geometry = _depthwise_geometry(op)
        _check_forward(input, filter, geometry, ctx)
        _check_square_steps(geometry, ctx)
        depth, in_depth = np.shape(input)[geometry.layout.channels], filter.shape[2]
        if depth != in_depth:
            refuse(ctx, f"input and filter must have the same depth: {depth} vs {in_depth}")
        input = jnp.asarray(input)
        if windows := geometry.windows(input.shape, filter.shape[:2]):
            return conv_on_cpu.depthwise(input, filter, windows)
        pads = geometry.pads(geometry.layout.spatial(input.shape), filter.shape[:2])
        return _forward(input, _grouped(filter), geometry, in_depth, pads)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        attrs = _DEPTHWISE.attrs_of(op)
        x, w = op.inputs
        return [
            raw_ops.DepthwiseConv2dNativeBackpropInput(array_ops.shape(x), w, grad, **attrs),
            raw_ops.DepthwiseConv2dNativeBackpropFilter(x, array_ops.shape(w), grad, **attrs),
        ]


@op("DepthwiseConv2dNativeBackpropInput", const=(0,), autodiff=True, work=_work)
class DepthwiseConv2dNativeBackpropInput:
    shape = _sizes_shape(0)

    def lower(
        input_sizes: Any, filter: Array, out_backprop: Array, *, op: Operation, ctx: LoweringContext
    ) -> Array:
        label = "DepthwiseConv2DBackpropInput"
        geometry = _depthwise_geometry(op)
        sizes = _sizes(input_sizes, label, "input_sizes", ctx)
        _check_depthwise(label, sizes, filter.shape, out_backprop.shape, geometry, ctx)
        if windows := geometry.windows(sizes, filter.shape[:2]):
            return conv_on_cpu.depthwise_input_gradient(filter, out_backprop, windows)
        return _input_gradient(sizes, _grouped(filter), out_backprop, geometry, filter.shape[-2])

    gradient = _gradient_by_input(_DEPTHWISE)


@op("DepthwiseConv2dNativeBackpropFilter", const=(1,), autodiff=True, work=_work)
class DepthwiseConv2dNativeBackpropFilter:
    shape = _sizes_shape(1)

    def lower(
        input: Any,
        filter_sizes: np.ndarray,
        out_backprop: Array,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        label = "DepthwiseConv2DBackpropFilter"
        geometry = _depthwise_geometry(op)
        filter = _sizes(filter_sizes, label, "filter_sizes", ctx)
        _check_depthwise(label, np.shape(input), filter, out_backprop.shape, geometry, ctx)
        if windows := geometry.windows(np.shape(input), filter[:2]):
            return conv_on_cpu.depthwise_filter_gradient(jnp.asarray(input), out_backprop, windows)
        *space, channels, multiplier = filter
        sizes = (*space, 1, channels * multiplier)
        result = _filter_gradient(jnp.asarray(input), sizes, out_backprop, geometry, channels)
        return result.reshape(*space, channels, multiplier)

    gradient = _gradient_by_filter(_DEPTHWISE)
