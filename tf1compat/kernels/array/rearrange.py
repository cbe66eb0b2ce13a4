"""Moving elements about: reversed sequences, rolled dimensions, space into depth, patches of
images.
"""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, manip_ops
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.backend import Array, jnp, lax
from tf1compat.core import dtypes, errors, raw_ops, shapes
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.nn.windows import computed_size, pads, run_size


@op("ReverseSequence", autodiff=True)
class ReverseSequence:
    def shape(input: Any, seq_lengths: Shape, *, seq_dim: int, batch_dim: int) -> Shape:
        lengths = shapes.with_rank(seq_lengths, 1)
        if input is None:
            return None
        for name, dim in (("batch_dim", batch_dim), ("seq_dim", seq_dim)):
            if dim >= len(input):
                raise ShapeError(f"{name} must be < input rank: {dim} vs. {len(input)}")
        return shapes.replace_dim(input, batch_dim, shapes.merge_dim(input[batch_dim], lengths[0]))

    def lower(
        input: Any, seq_lengths: Array, *, seq_dim: int, batch_dim: int, ctx: LoweringContext
    ) -> Array:
        shape = np.shape(input)
        if np.ndim(seq_lengths) != 1:
            refuse(ctx, f"seq_lens input must be 1-dim, not {np.ndim(seq_lengths)}")
        if batch_dim == seq_dim:
            refuse(ctx, f"batch_dim == seq_dim == {seq_dim}")
        for name, dim in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
            if dim >= len(shape):
                refuse(ctx, f"{name} must be < input.dims()( {dim} vs. {len(shape)})")
        if len(shape) < 2:
            refuse(ctx, f"ReverseSequenceOp : Unhandled input dimensions: {len(shape)}")
        # TF does not count negative dimensions from the end: it finds nothing there.
        rows, size = (shape[dim] if dim >= 0 else 0 for dim in (batch_dim, seq_dim))
        if len(seq_lengths) != rows:
            sizes = f"{len(seq_lengths)} vs. {rows}"
            refuse(ctx, f"len(seq_lens) != input.dims({batch_dim}), ({sizes})")
        lengths = jnp.asarray(seq_lengths)
        for bad, text in (
            (lengths < 0, "seq_lens({at}) < 0"),
            (lengths > size, f"seq_lens({{at}}) > input.dims({seq_dim})"),
        ):
            if lengths.size:
                ctx.check(~jnp.any(bad), errors.InvalidArgumentError, text, at=jnp.argmax(bad))
        if seq_dim < 0:
            return input
        places = jnp.arange(size, dtype=lengths.dtype)
        source = jnp.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)
        layout = [1] * len(shape)
        layout[batch_dim], layout[seq_dim] = shape[batch_dim], size
        if batch_dim > seq_dim:
            source = source.T
        return jnp.take_along_axis(jnp.asarray(input), source.reshape(layout), seq_dim)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        lengths = op.inputs[1]
        axes = {"batch_axis": op.get_attr("batch_dim"), "seq_axis": op.get_attr("seq_dim")}
        return [array_ops.reverse_sequence(grad, seq_lengths=lengths, **axes), None]


@op("Roll", const=(2,), autodiff=True)
class Roll:
    def shape(input: Any, shift: Shape, axis: Shape) -> Shape:
        shapes.with_rank_at_least(input, 1)
        shapes.with_rank_at_most(shift, 1)
        shapes.with_rank_at_most(axis, 1)
        shapes.merge(shift, axis)
        return input

    def lower(input: Any, shift: Array, axis: np.ndarray, *, ctx: LoweringContext) -> Array:
        rank = np.ndim(input)
        if not rank:
            refuse(ctx, "input must be 1-D or higher")
        for name, value in (("shift", shift), ("axis", axis)):
            if np.ndim(value) > 1:
                refuse(
                    ctx, f"{name} must be a scalar or a 1-D vector. Found: {text_of_shape(value)}"
                )
        if np.size(shift) != np.size(axis):
            refuse(ctx, "shift and axis must have the same size")
        axes = [int(a) + rank if a < 0 else int(a) for a in np.reshape(axis, [-1])]
        for a in axes:
            if not 0 <= a < rank:
                refuse(ctx, f"axis {a} is out of range")
        shifts = jnp.reshape(shift, [-1])
        result = jnp.asarray(input)
        for i, a in enumerate(axes):
            result = jnp.roll(result, shifts[i], a)
        return result

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [manip_ops.roll(grad, -op.inputs[1], op.inputs[2]), None, None]


# Space and depth.


def _places(data_format: str) -> tuple[int, int, int]:
    """Where height, width and depth are."""
    if data_format not in ("NHWC", "NCHW"):
        raise NotImplementedError(
            f"data_format {data_format} of SpaceToDepth is not supported by tf1compat yet"
        )
    return (1, 2, 3) if data_format == "NHWC" else (2, 3, 1)


def _other_direction(record: str) -> Any:
    def gradient(op: Operation, grad: Tensor) -> Any:
        attrs = {name: op.get_attr(name) for name in ("block_size", "data_format")}
        return getattr(array_ops, record)(grad, **attrs)

    return gradient


@op("SpaceToDepth", autodiff=True)
class SpaceToDepth:
    def shape(input: Any, *, block_size: int, data_format: str) -> Shape:
        result = list(shapes.with_rank(input, 4))
        height, width, depth = _places(data_format)
        result[height] = shapes.divide_dims(result[height], block_size)
        result[width] = shapes.divide_dims(result[width], block_size)
        result[depth] = shapes.multiply_dims(result[depth], block_size**2)
        return tuple(result)

    def lower(input: Any, *, block_size: int, data_format: str, ctx: LoweringContext) -> Array:
        height, width, depth = _places(data_format)
        if np.ndim(input) != 4:
            refuse(ctx, f"Input rank should be 4 instead of {np.ndim(input)}")
        shape = np.shape(input)
        if shape[height] % block_size or shape[width] % block_size:
            refuse(
                ctx,
                f"Image width {shape[width]} and height {shape[height]} should be divisible by "
                f"block_size: {block_size}",
            )
        n, h, w, c = (shape[i] for i in (0, height, width, depth))
        b = block_size
        if data_format == "NHWC":
            split = jnp.reshape(input, (n, h // b, b, w // b, b, c)).transpose(0, 1, 3, 2, 4, 5)
            return split.reshape(n, h // b, w // b, b * b * c)
        split = jnp.reshape(input, (n, c, h // b, b, w // b, b)).transpose(0, 3, 5, 1, 2, 4)
        return split.reshape(n, b * b * c, h // b, w // b)

    gradient = _other_direction("depth_to_space")


@op("DepthToSpace", autodiff=True)
class DepthToSpace:
    def shape(input: Any, *, block_size: int, data_format: str) -> Shape:
        result = list(shapes.with_rank(input, 4))
        height, width, depth = _places(data_format)
        result[height] = shapes.multiply_dims(result[height], block_size)
        result[width] = shapes.multiply_dims(result[width], block_size)
        result[depth] = shapes.divide_dims(result[depth], block_size**2)
        return tuple(result)

    def lower(input: Any, *, block_size: int, data_format: str, ctx: LoweringContext) -> Array:
        height, width, depth = _places(data_format)
        if np.ndim(input) != 4:
            refuse(ctx, f"Input rank should be: 4 instead of: {np.ndim(input)}")
        shape = np.shape(input)
        b = block_size
        if shape[depth] % (b * b):
            refuse(ctx, f"Input depth dimension {shape[depth]} should be divisible by: {b * b}")
        n, h, w, c = (shape[i] for i in (0, height, width, depth))
        c //= b * b
        if data_format == "NHWC":
            split = jnp.reshape(input, (n, h, w, b, b, c)).transpose(0, 1, 3, 2, 4, 5)
            return split.reshape(n, h * b, w * b, c)
        split = jnp.reshape(input, (n, b, b, c, h, w)).transpose(0, 3, 4, 1, 5, 2)
        return split.reshape(n, c, h * b, w * b)

    gradient = _other_direction("space_to_depth")


# Patches.


def _patch_shape(input: Any, ksizes: Any, strides: Any, rates: Any, padding: str) -> Any:
    shape = shapes.with_rank(input, len(ksizes))
    depth = shapes.multiply_dims(shape[-1], math.prod(ksizes[1:-1]))
    space = [size for size in shape[1:-1] if size is not None]
    if len(space) != len(shape) - 2:
        # So TF does it, even for volumes, whose patches have a dimension more.
        return (shape[0], None, None, depth)
    geometry = zip(space, ksizes[1:-1], strides[1:-1], rates[1:-1], strict=True)
    sizes = [computed_size(size, k, s, padding, rate) for size, k, s, rate in geometry]
    return (shape[0], *sizes, depth)


def _extract(
    input: Any, ksizes: Any, strides: Any, rates: Any, padding: str, ctx: LoweringContext
) -> Any:
    for name, values in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
        if values[0] != 1 or values[-1] != 1:
            raise errors.UnimplementedError(None, None, f"Only support {name} across space.")
    if np.ndim(input) != len(ksizes):
        refuse(ctx, f"input must be {len(ksizes)}-dimensional{text_of_shape(input)}")
    window, steps, gaps = ksizes[1:-1], strides[1:-1], rates[1:-1]
    space = np.shape(input)[1:-1]
    counts = [
        run_size(size, k, s, padding, rate, (0, 0), ctx)
        for size, k, s, rate in zip(space, window, steps, gaps, strict=True)
    ]
    if 0 in counts:
        depth = input.shape[-1] * math.prod(window)
        return jnp.zeros((input.shape[0], *counts, depth), input.dtype)
    widths = [
        pads(size, k, s, padding, rate)
        for size, k, s, rate in zip(space, window, steps, gaps, strict=True)
    ]
    padded = lax.pad(
        jnp.asarray(input),
        np.zeros((), input.dtype),
        [(0, 0, 0), *((a, b, 0) for a, b in widths), (0, 0, 0)],
    )
    parts = []
    for place in np.ndindex(*window):
        index: list[Any] = [slice(None)]
        for p, s, rate, count in zip(place, steps, gaps, counts, strict=True):
            first = int(p) * rate
            index.append(slice(first, first + (count - 1) * s + 1 if count else first, s))
        parts.append(padded[tuple(index)])
    return jnp.concatenate(parts, -1)


@op("ExtractImagePatches", autodiff=True)
class ExtractImagePatches:
    def shape(
        images: Any,
        *,
        ksizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str,
    ) -> Shape:
        shapes.with_rank(images, 4)
        for name, values in (("ksizes", ksizes), ("strides", strides), ("rates", rates)):
            if len(values) != 4:
                raise ShapeError(
                    f"ExtractImagePatches requires the {name} attribute to contain 4 values, but "
                    f"got: {len(values)}"
                )
        return _patch_shape(images, ksizes, strides, rates, padding)

    def lower(
        images: Any,
        *,
        ksizes: Sequence[int],
        strides: Sequence[int],
        rates: Sequence[int],
        padding: str,
        ctx: LoweringContext,
    ) -> Array:
        return _extract(images, ksizes, strides, rates, padding, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        settings = {name: op.get_attr(name) for name in ("ksizes", "strides", "rates", "padding")}
        shape = array_ops.shape(op.inputs[0], out_type=dtypes.int64)
        batch, rows, columns, channels = shape[0], shape[1], shape[2], shape[3]

        def out_space() -> tuple[Any, ...]:
            output_shape = array_ops.shape(op.outputs[0], out_type=dtypes.int64)
            return output_shape[1], output_shape[2]

        return _patches_gradient(
            grad,
            (batch, channels),
            (rows, columns),
            lambda images: raw_ops.ExtractImagePatches(images, **settings),
            out_space,
            settings["ksizes"][1:-1],
        )


@op("ExtractVolumePatches", autodiff=True)
class ExtractVolumePatches:
    def shape(input: Any, *, ksizes: Sequence[int], strides: Sequence[int], padding: str) -> Shape:
        return _patch_shape(input, ksizes, strides, [1] * 5, padding)

    def lower(
        input: Any,
        *,
        ksizes: Sequence[int],
        strides: Sequence[int],
        padding: str,
        ctx: LoweringContext,
    ) -> Array:
        return _extract(input, ksizes, strides, [1] * 5, padding, ctx)

    def gradient(op: Any, grad: Any) -> Gradients:
        settings = {name: op.get_attr(name) for name in ("ksizes", "strides", "padding")}
        space = [dim.value for dim in op.inputs[0].shape.dims[1:-1]]
        shape = array_ops.shape(op.inputs[0])
        return _patches_gradient(
            grad,
            (shape[0], shape[4]),
            tuple(space),
            lambda volumes: raw_ops.ExtractVolumePatches(volumes, **settings),
            lambda: tuple(dim.value for dim in op.outputs[0].shape.dims[1:-1]),
            settings["ksizes"][1:-1],
        )


def _patches_gradient(
    grad: Any, batch_and_channels: tuple[Any, Any], space: tuple[Any, ...],
    extract: Callable[[Any], Any], out_space: Callable[[], tuple[Any, ...]], window: Sequence[int],
) -> Any:  # fmt: skip
    """The gradient of patches: a sparse matrix says which element of the input each is.

    Args:
      grad: the gradient of the patches.
      batch_and_channels, space: the sizes of the input.
      extract: records the patches of an input of one channel.
      out_space: gives, and perhaps records, how many patches there are in each dimension.
      window: the size of a patch.
    """
    (batch, channels), rank = batch_and_channels, len(space)
    # Element 0 stands for the padding.
    count = 1 + functools.reduce(lambda x, y: x * y, space)
    elements = array_ops.reshape(math_ops.range(1, count, dtype=dtypes.int64), (1, *space, 1))
    patched = extract(elements)
    outputs = out_space()
    out_count = functools.reduce(lambda x, y: x * y, (*outputs, *window))
    depth = math.prod(window)
    places = array_ops.reshape(math_ops.range(out_count, dtype=dtypes.int64), (1, *outputs, depth))
    pairs = array_ops.concat(
        [array_ops.expand_dims(patched, axis=-1), array_ops.expand_dims(places, axis=-1)], axis=-1
    )
    pairs = array_ops.reshape(pairs, (-1, 2))
    ones = array_ops.ones([out_count], dtype=grad.dtype)
    matrix = SparseTensor(pairs, ones, (count, out_count))
    matrix = sparse_ops.sparse_slice(matrix, (1, 0), (count - 1, out_count))
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Converting sparse IndexedSlices to a dense Tensor.*"
        )
        grad = array_ops.reshape(grad, (batch, *outputs, *window, channels))
    grad = array_ops.transpose(grad, (*range(1, 2 * rank + 1), 0, 2 * rank + 1))
    flat = array_ops.reshape(grad, (-1, batch * channels))
    summed = sparse_ops.sparse_tensor_dense_matmul(matrix, flat)
    summed = array_ops.reshape(summed, (*space, batch, channels))
    return [array_ops.transpose(summed, (rank, *range(rank), rank + 1))]
