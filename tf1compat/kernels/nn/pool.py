"""Pooling of images and volumes, and its gradients."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import errors, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import gradient, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse
from tf1compat.kernels.nn.windows import Layout, output_size, pads, run_size


class Window:
    """Window sizes, strides and padding of a pooling op, one item for each dimension.

    Args:
      op: the operation.
      ksize, strides: where they are inputs of it, and not attrs.
    """

    def __init__(self, op: Any, ksize: Any = None, strides: Any = None):
        attrs = op._attrs
        self.ksize: list[int] = attrs["ksize"] if ksize is None else [int(k) for k in ksize]
        self.strides: list[int] = attrs["strides"] if strides is None else [int(s) for s in strides]
        self.padding = attrs["padding"].decode()
        self.layout = Layout(attrs["data_format"].decode() if "data_format" in attrs else "NHWC")
        self.rank = len(self.layout.space) + 2
        self.takes_maxima = op.type.startswith("MaxPool") and self.rank == 4

    def output_shape(self, input: Any, op_type: str) -> Any:
        """The static shape of the output.

        Raises:
          ShapeError: the input or the attrs don't fit.
        """
        input = shapes.with_rank(input, self.rank)
        for name, values in (("stride", self.strides), ("ksize", self.ksize)):
            if len(values) != self.rank:
                raise ShapeError(
                    f"{op_type} requires the {name} attribute to contain {self.rank} values, but "
                    f"got: {len(values)}"
                )
        spatial = op_type == "AvgPool" or self.rank == 5
        # TF looks for windows over examples when it runs.
        pooled = self.layout.space if spatial else range(1, self.rank)
        return tuple(
            output_size(size, None if window == -1 else window, stride, self.padding)
            if i in pooled and (window != 1 or stride != 1)
            else size
            for i, (size, window, stride) in enumerate(zip(input, self.ksize, self.strides))
        )

    def check(self, shape: Any, ctx: LoweringContext) -> tuple[int, ...]:
        """The shape of a run's output; refuses what TF's kernels do."""
        if len(shape) != self.rank:
            if self.rank == 5:
                refuse(ctx, "tensor_in must be 5-dimensional")
            number = ("NHWC", "NCHW").index(self.layout.format)
            refuse(ctx, f"tensor_in_shape must have 2 spatial dimensions. {len(shape)} {number}")
        if self.takes_maxima:
            for i, size in enumerate(self.ksize):
                if size <= 0:
                    refuse(ctx, f"Sliding window ksize for dimension {i} was zero.")
        deep, depth_stride = self.ksize[self.layout.channels], self.strides[self.layout.channels]
        text = None
        if self.ksize[0] != 1 or self.strides[0] != 1:
            text = "Pooling is not yet supported on the batch dimension."
        elif self.rank == 5 and (deep != 1 or depth_stride != 1):
            text = "Pooling is not yet supported on the depth dimension."
        elif deep != 1 and any(self.ksize[i] != 1 for i in self.layout.space):
            text = (
                "MaxPooling supports exactly one of pooling across depth or pooling across "
                "width/height."
            )
        elif deep != 1 and shape[self.layout.channels] % deep:
            text = (
                "Depthwise max pooling requires the depth window to evenly divide the input depth"
            )
        elif deep != depth_stride:
            text = "Depthwise max pooling requires the depth window to equal the depth stride"
        if text:
            ctx.check(False, errors.UnimplementedError, text)
        return tuple(
            run_size(size, window, stride, self.padding, 1, (0, 0), ctx)
            for size, window, stride in zip(shape, self.ksize, self.strides)
        )

    def pads(self, shape: Any) -> list[tuple[int, int]]:
        """The padding before and after each dimension."""
        return [
            pads(size, window, stride, self.padding)
            for size, window, stride in zip(shape, self.ksize, self.strides)
        ]

    def tiles(self, shape: Any) -> bool:
        """Whether the windows cut the input into tiles: no overlap, no gap, no padding, no rest."""
        return self.ksize == self.strides and all(
            size % window == 0 for size, window in zip(shape, self.ksize)
        )

    def split(self, shape: Any) -> list[int]:
        """Each dimension of an input cut into tiles as two: which tile, the place within it."""
        sizes: list[int] = []
        for size, window in zip(shape, self.ksize):
            sizes += [size // window, window]
        return sizes


def _lowest(dtype: Any) -> Any:
    return -np.inf if jnp.issubdtype(dtype, jnp.floating) else jnp.iinfo(dtype).min


def _reduced(
    value: Any, window: Window, initial: Any, function: Callable[..., Any], ctx: LoweringContext
) -> Any:
    out = window.check(np.shape(value), ctx)
    if 0 in out:
        return jnp.zeros(out, value.dtype)
    return lax.reduce_window(
        value,
        np.asarray(initial, value.dtype),
        function,
        window.ksize,
        window.strides,
        window.pads(np.shape(value)),
    )


def _parts(value: Any, window: Window, fill: Any) -> list[Any]:
    """For each place of the window, what all windows hold there, in the output's shape; what is
    outside the input is `fill`."""
    padded = lax.pad(
        value, jnp.asarray(fill, value.dtype), [(a, b, 0) for a, b in window.pads(value.shape)]
    )
    out = [(size - k) // s + 1 for size, k, s in zip(padded.shape, window.ksize, window.strides)]
    parts = []
    for place in np.ndindex(*window.ksize):
        limits = [p + (n - 1) * s + 1 for p, n, s in zip(place, out, window.strides)]
        parts.append(lax.slice(padded, place, limits, window.strides))
    return parts


def _joined(parts: list[Any], shape: Any, window: Window) -> Any:
    """Adds windows up where they came from: the transpose of `_parts`."""
    widths = window.pads(shape)
    full = [size + a + b for size, (a, b) in zip(shape, widths)]
    total = jnp.zeros(full, parts[0].dtype)
    for place, part in zip(np.ndindex(*window.ksize), parts):
        spread = [(n - 1) * s + 1 for n, s in zip(part.shape, window.strides)]
        rest = [f - p - s for f, p, s in zip(full, place, spread)]
        config = [(p, r, s - 1) for p, r, s in zip(place, rest, window.strides)]
        total = total + lax.pad(part, jnp.zeros((), part.dtype), config)
    limits = [a + size for size, (a, _) in zip(shape, widths)]
    return lax.slice(total, [a for a, _ in widths], limits)


def _winners(x: Any, y: Any, window: Window) -> Any:
    """The number of the place that gives each window's maximum: the first of equal ones, as in TF.

    Comparing place after place stays elementwise, which XLA runs much faster than an argmax.
    """
    winner = jnp.full(y.shape, -1, jnp.int32)  # no place equals a NaN
    parts = _parts(x, window, _lowest(x.dtype))
    for i, part in reversed(list(enumerate(parts))):
        winner = jnp.where(part == y, i, winner)
    return winner


def _pick(winner: Any, values: list[Any]) -> list[Any]:
    """For each place its value where it is the winner, else 0."""
    return [jnp.where(winner == i, v, jnp.zeros((), v.dtype)) for i, v in enumerate(values)]


# Max pooling.


def max_pool(input: Any, window: Window, ctx: LoweringContext) -> Any:
    input, lowest = jnp.asarray(input), _lowest(input.dtype)
    if jnp.issubdtype(input.dtype, jnp.floating):
        # TF skips NaN, from the lowest number on.
        least = jnp.asarray(jnp.finfo(input.dtype).min, input.dtype)
        input = jnp.where(jnp.isnan(input), least, input)
    return _reduced(input, window, lowest, lax.max, ctx)


def _check_ranks(ctx: LoweringContext, window: Window, **inputs: Any) -> None:
    for name, value in inputs.items():
        if np.ndim(value) != window.rank:
            refuse(ctx, f"{name} must be {window.rank}-dimensional")


def _max_pool_grad(x: Any, y: Any, grad: Any, window: Window, ctx: LoweringContext) -> Any:
    _check_ranks(ctx, window, tensor_in=x, tensor_out=y, out_backprop=grad)
    if np.shape(grad) != np.shape(y):
        refuse(ctx, "out_backprop must have the shape of tensor_out")
    x, y = jnp.asarray(x), jnp.asarray(y)
    if not y.size:
        return jnp.zeros(x.shape, x.dtype)
    winner = _winners(x, y, window)
    count = int(np.prod(window.ksize))
    if window.tiles(x.shape):
        within = tuple(range(1, 2 * x.ndim, 2))
        place = jnp.expand_dims(jnp.arange(count).reshape(window.ksize), range(0, 2 * x.ndim, 2))
        hit = jnp.expand_dims(winner, within) == place
        spread = jnp.where(hit, jnp.expand_dims(grad, within), jnp.zeros((), grad.dtype))
        return spread.reshape(x.shape)
    return _joined(_pick(winner, [grad] * count), x.shape, window)


def _max_pool_grad_on_numpy(x: Any, y: Any, grad: Any, window: Window) -> Any:
    """As `_max_pool_grad`: each place adds where it is the first to hold the window's maximum."""
    if not x.ndim == y.ndim == grad.ndim == window.rank or y.shape != grad.shape:
        raise ValueError("The shapes do not fit")
    widths = window.pads(x.shape)
    padded = lax.pad(x, _lowest(x.dtype), [(a, b, 0) for a, b in widths])
    total = np.zeros(padded.shape, grad.dtype)
    # Some images at a time, which stay in the cache.
    some = max(_PIECE * len(y) // max(y.size, 1), 1) if len(x) == len(y) else len(x)
    for i in range(0, len(x), some):
        piece = slice(i, i + some)
        _add_where_first(padded[piece], total[piece], y[piece], grad[piece], window)
    if padded is x:
        return total
    return total[tuple([slice(a, a + size) for size, (a, _) in zip(x.shape, widths)])]


def _add_where_first(x: Any, total: Any, y: Any, grad: Any, window: Window) -> None:
    """Adds `grad` to `total` where `x` is the first of a window to be `y`."""
    # A product of bits and truths is what is added, or all zeros: NumPy is slow where it may skip.
    bits = np.dtype(f"i{grad.dtype.itemsize}")
    given, open_ = (grad + np.zeros((), grad.dtype)).view(bits), None  # A sum is never -0.0.
    apart = all(k <= s for k, s in zip(window.ksize, window.strides))
    for place in itertools.product(*map(range, window.ksize)):
        where = tuple([slice(p, p + n * s, s) for p, n, s in zip(place, y.shape, window.strides)])
        hit = x[where] == y
        if open_ is None:
            open_ = ~hit
        else:
            hit &= open_
            open_ ^= hit
        part = total[where]
        if apart:
            np.multiply(given, hit, out=part.view(bits))
        else:
            part += np.multiply(given, hit).view(grad.dtype)


def _max_pool_grad_grad(x: Any, y: Any, grad: Any, window: Window, ctx: LoweringContext) -> Any:
    _check_ranks(ctx, window, tensor_in=x, tensor_out=y, out_grad_backprop=grad)
    if np.shape(grad) != np.shape(x):
        refuse(ctx, "out_grad_backprop must have the shape of tensor_in")
    x, y = jnp.asarray(x), jnp.asarray(y)
    if not y.size:
        return jnp.zeros(y.shape, grad.dtype)
    return sum(_pick(_winners(x, y, window), _parts(grad, window, 0)))


# How many outputs of a pooling are looked at at once.
_PIECE = 1 << 16
_ATTRS = ("ksize", "strides", "padding", "data_format")


def _attrs_of(op: Operation) -> dict[str, Any]:
    return {name: op._attrs[name] for name in _ATTRS}


def _no_gradient_for(tensor: Any) -> Any:
    return array_ops.zeros(shape=array_ops.shape(tensor), dtype=tensor.dtype)


def _max_pool_rules(name: str) -> None:
    """Registers max pooling, its gradient, and that one's."""

    def shape(input: Any, *, op: Any) -> Any:
        return Window(op).output_shape(input, name)

    def lower(input: Any, *, op: Any, ctx: LoweringContext) -> Any:
        return max_pool(input, Window(op), ctx)

    def differentiate(op: Operation, grad: Tensor) -> Any:
        record = raw_ops.function(f"{name}Grad")
        return record(op.inputs[0], op.outputs[0], grad, **_attrs_of(op))

    def grad_shape(orig_input: Any, orig_output: Any, grad: Any, *, op: Any) -> Any:
        return shapes.with_rank(orig_input, Window(op).rank)

    def grad_lower(
        orig_input: Any, orig_output: Any, grad: Any, *, op: Any, ctx: LoweringContext
    ) -> Any:
        return _max_pool_grad(orig_input, orig_output, grad, Window(op), ctx)

    def grad_numpy(orig_input: Any, orig_output: Any, grad: Any, *, op: Any) -> Any:
        return _max_pool_grad_on_numpy(orig_input, orig_output, grad, Window(op))

    def grad_grad_shape(orig_input: Any, orig_output: Any, grad: Any, *, op: Any) -> Any:
        result = Window(op).output_shape(orig_input, f"{name}GradGrad")
        shapes.merge(orig_input, grad)
        shapes.merge(orig_output, result)
        return result

    def grad_grad_lower(
        orig_input: Any, orig_output: Any, grad: Any, *, op: Any, ctx: LoweringContext
    ) -> Any:
        return _max_pool_grad_grad(orig_input, orig_output, grad, Window(op), ctx)

    def by(other: str) -> Callable[..., Any]:
        def differentiate(op: Operation, grad: Tensor) -> Any:
            x, y = op.inputs[0], op.inputs[1]
            nothing = [_no_gradient_for(x), _no_gradient_for(y)]
            return [*nothing, raw_ops.function(other)(x, y, grad, **_attrs_of(op))]

        return differentiate

    first, second = f"{name}Grad", f"{name}GradGrad"
    register(name, shape=shape, lower=lower, gradient=differentiate)
    register(first, shape=grad_shape, lower=grad_lower, numpy=grad_numpy, gradient=by(second))
    register(second, shape=grad_grad_shape, lower=grad_grad_lower, gradient=by(first))


_max_pool_rules("MaxPool")
_max_pool_rules("MaxPool3D")


def _window_of_inputs(op: Operation, ksize: Any, strides: Any, ctx: LoweringContext) -> Window:
    for name, value in (("ksize", ksize), ("stride", strides)):
        if np.size(value) != 4:
            refuse(ctx, f"Sliding window {name} field must specify 4 dimensions")
    return Window(op, ksize, strides)


@op("MaxPoolV2", const=(1, 2))
class MaxPoolV2:
    def shape(input: Any, ksize: Shape, strides: Shape, *, op: Operation) -> Shape:
        input = shapes.with_rank(input, 4)
        shapes.with_rank(ksize, 1)
        shapes.with_rank(strides, 1)
        window, steps = op.const_input(1), op.const_input(2)
        if window is None or steps is None:
            return None
        return Window(op, window, steps).output_shape(input, "MaxPool")

    def lower(
        input: Any, ksize: np.ndarray, strides: np.ndarray, *, op: Operation, ctx: LoweringContext
    ) -> Array:
        return max_pool(input, _window_of_inputs(op, ksize, strides, ctx), ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        x, ksize, strides = op.inputs
        attrs = {name: op.get_attr(name) for name in ("padding", "data_format")}
        return [raw_ops.MaxPoolGradV2(x, op.outputs[0], grad, ksize, strides, **attrs), None, None]


@op("MaxPoolGradV2", const=(3, 4))
class MaxPoolGradV2:
    def shape(orig_input: Any, *_: Any) -> Shape:
        return shapes.with_rank(orig_input, 4)

    def lower(
        x: Any,
        y: Array,
        grad: Array,
        ksize: np.ndarray,
        strides: np.ndarray,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        return _max_pool_grad(x, y, grad, _window_of_inputs(op, ksize, strides, ctx), ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        x, y, _, ksize, strides = op.inputs
        attrs = {name: op.get_attr(name) for name in ("padding", "data_format")}
        nothing = [_no_gradient_for(x), _no_gradient_for(y)]
        second = raw_ops.MaxPoolGradGradV2(x, y, grad, ksize, strides, **attrs)
        return [*nothing, second, None, None]


@op("MaxPoolGradGradV2", const=(3, 4))
class MaxPoolGradGradV2:
    def shape(orig_input: Any, orig_output: Shape, *_: Any) -> Shape:
        return shapes.with_rank(orig_output, 4)

    def lower(
        x: Any,
        y: Array,
        grad: Array,
        ksize: np.ndarray,
        strides: np.ndarray,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        return _max_pool_grad_grad(x, y, grad, _window_of_inputs(op, ksize, strides, ctx), ctx)


# Max pooling that says where the maxima are.


@op("MaxPoolWithArgmax")
class MaxPoolWithArgmax:
    def shape(input: Any, *, op: Operation) -> Any:
        return [Window(op).output_shape(input, "MaxPoolWithArgmax")] * 2

    def lower(
        input: Any,
        *,
        Targmax: DType,
        include_batch_in_index: bool,
        op: Operation,
        ctx: LoweringContext,
    ) -> Any:
        window = Window(op)
        x = jnp.asarray(input)
        y = max_pool(x, window, ctx)
        winner = _winners(x, y, window)
        batch, rows, columns, depth = x.shape
        out = y.shape
        steps, widths = window.strides, window.pads(x.shape)
        row = (winner // window.ksize[2]) % window.ksize[1]
        column = winner % window.ksize[2]
        row = row + (jnp.arange(out[1]) * steps[1] - widths[1][0])[None, :, None, None]
        column = column + (jnp.arange(out[2]) * steps[2] - widths[2][0])[None, None, :, None]
        index = (row * columns + column) * depth + jnp.arange(depth)
        if include_batch_in_index:
            index = index + (jnp.arange(batch) * rows * columns * depth)[:, None, None, None]
        return [y, index.astype(Targmax.as_numpy_dtype)]

    def gradient(op: Any, grad: Tensor, _: Any) -> Gradients:
        names = ("ksize", "strides", "padding", "include_batch_in_index")
        attrs = {name: op.get_attr(name) for name in names}
        return raw_ops.MaxPoolGradWithArgmax(op.inputs[0], grad, op.outputs[1], **attrs)


@op("MaxPoolGradWithArgmax")
class MaxPoolGradWithArgmax:
    def shape(input: Any, grad: Shape, argmax: Shape) -> Shape:
        return shapes.with_rank(input, 4)

    def lower(input: Any, grad: Array, argmax: Array, *, include_batch_in_index: bool) -> Array:
        batch = input.shape[0]
        index = jnp.asarray(argmax)
        if not include_batch_in_index:
            index = index + (jnp.arange(batch) * (input.size // batch))[:, None, None, None]
        flat = jnp.zeros(input.size, grad.dtype)
        return at(flat)[index.reshape(-1)].add(jnp.reshape(grad, -1)).reshape(input.shape)


@op("MaxPoolGradGradWithArgmax", gpu_only=True)
class MaxPoolGradGradWithArgmax:
    def shape(input: Any, grad: Shape, argmax: Shape) -> Shape:
        return argmax

    def lower(input: Any, grad: Array, argmax: Array, *, include_batch_in_index: bool) -> Array:
        batch = input.shape[0]
        index = jnp.asarray(argmax)
        if not include_batch_in_index:
            index = index + (jnp.arange(batch) * (input.size // batch))[:, None, None, None]
        return jnp.reshape(grad, -1)[index]


# Average pooling.


def _counts(shape: Any, window: Window, dtype: Any) -> Any:
    """How many elements of the input each window holds; sizes 1 for batch and channels."""
    small = [size if i in window.layout.space else 1 for i, size in enumerate(shape)]
    padded = np.pad(np.ones(small, np.float64), window.pads(small))
    view = np.lib.stride_tricks.sliding_window_view(padded, window.ksize)
    steps = tuple(slice(None, None, s) for s in window.strides)
    totals = view[steps].sum(axis=tuple(range(len(shape), 2 * len(shape))))
    return jnp.asarray(totals, dtype)


def _check_spatial(window: Window, ctx: LoweringContext) -> None:
    if window.ksize[0] != 1 or window.strides[0] != 1:
        text = "Pooling is not yet supported on the batch dimension."
        ctx.check(False, errors.UnimplementedError, text)
    if window.ksize[window.layout.channels] != 1:
        text = "Non-spatial pooling is not yet supported. Volunteers? :)"
        ctx.check(False, errors.UnimplementedError, text)


def average(value: Any, window: Window, ctx: LoweringContext) -> Any:
    value = jnp.asarray(value)
    out = window.check(np.shape(value), ctx)
    _check_spatial(window, ctx)
    if 0 in window.ksize:
        return jnp.full(out, np.nan, value.dtype)  # TF divides 0 by 0
    total = _reduced(value, window, 0, lax.add, ctx)
    return total / _counts(value.shape, window, value.dtype) if total.size else total


def _average_grad(sizes: Any, grad: Any, window: Window, ctx: LoweringContext) -> Any:
    if np.ndim(sizes) != 1 or len(sizes) != window.rank:
        refuse(ctx, f"out_backprop must be 1-dimensional and {window.rank} elements")
    if np.ndim(grad) != window.rank:
        refuse(ctx, f"out_backprop must be {window.rank}-dimensional")
    _check_spatial(window, ctx)
    shape = tuple(int(size) for size in sizes)
    if not np.size(grad) or 0 in window.ksize:
        return jnp.zeros(shape, grad.dtype)
    share = grad / _counts(shape, window, grad.dtype)
    if window.tiles(shape):
        within = tuple(range(1, 2 * len(shape), 2))
        tiles = jnp.broadcast_to(jnp.expand_dims(share, within), window.split(shape))
        return tiles.reshape(shape)
    return _joined([share] * int(np.prod(window.ksize)), shape, window)


def _avg_pool_rules(name: str) -> None:
    """Registers average pooling and its gradient."""

    def shape(value: Any, *, op: Any) -> Any:
        return Window(op).output_shape(value, name)

    def lower(value: Any, *, op: Any, ctx: LoweringContext) -> Any:
        return average(value, Window(op), ctx)

    def grad_shape(orig_input_shape: Any, grad: Any, *, op: Any) -> Any:
        return shapes.with_rank(op.shape_input(0), Window(op).rank)

    def grad_lower(orig_input_shape: Any, grad: Any, *, op: Any, ctx: LoweringContext) -> Any:
        return _average_grad(orig_input_shape, grad, Window(op), ctx)

    register(name, shape=shape, lower=lower, autodiff=True)
    register(f"{name}Grad", shape=grad_shape, lower=grad_lower, const=(0,), autodiff=True)

    @gradient(name)
    def _differentiate(op: Operation, grad: Tensor) -> Any:
        record = raw_ops.function(f"{name}Grad")
        return record(array_ops.shape(op.inputs[0]), grad, **_attrs_of(op))

    @gradient(f"{name}Grad")
    def _differentiate_grad(op: Operation, grad: Tensor) -> Any:
        kept = array_ops.stop_gradient(op.inputs[0])
        return [kept, raw_ops.function(name)(grad, **_attrs_of(op))]


_avg_pool_rules("AvgPool")
_avg_pool_rules("AvgPool3D")
