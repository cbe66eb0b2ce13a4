"""Slices, repeating, reversing and broadcasting of tensors."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, at, jnp, lax
from tf1compat.core import constants, errors, raw_ops, shapes
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array import padded_rows, strided_slice
from tf1compat.kernels.array.strided_slice import Masks
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import refuse, text_of_shape

# StridedSlice.


def _masks(attrs: Any) -> Masks:
    return Masks(*[attrs[f"{name}_mask"] for name in Masks._fields])


def _mask_attrs(op: Operation) -> dict[str, Any]:
    return {f"{name}_mask": op.get_attr(f"{name}_mask") for name in Masks._fields}


def _elements(tensor: Any) -> list[int | None]:
    """The elements of an int vector that are known while recording, None for the others."""
    value = constants.known_value(tensor)
    if value is not None:
        return [int(v) for v in value]
    source = tensor.op
    if source.type == "Pack" and source._attrs["axis"] == 0:
        parts = [constants.known_value(item) for item in source.inputs]
        return [None if part is None or part.ndim else int(part) for part in parts]
    size = tensor._shape[0] if tensor._shape else None
    return [None] * (size or 0)


def _bounds(tensor: Any, value: Any) -> list[int | None]:
    """The elements of a bound: those that the run knows, else those known while recording."""
    if isinstance(value, np.ndarray):
        return [int(v) for v in value]
    found = _elements(tensor)
    return found if len(found) == len(value) else [None] * len(value)


def located(
    shape: Any, begin: Any, end: Any, strides: Any, op: Any, ctx: LoweringContext
) -> tuple[strided_slice.Spec, tuple[Any, ...]]:
    """The slices of a run.

    Bounds that make up the result's size must be known; an index that drops a dimension need not
    be.

    Returns:
      The spec, and for each input dimension a slice or an index.
    """
    if not np.ndim(begin) == np.ndim(end) == np.ndim(strides) == 1 or not (
        len(begin) == len(end) == len(strides)
    ):
        refuse(
            ctx,
            "Expected begin, end, and strides to be 1D equal size tensors, but got shapes "
            f"{text_of_shape(begin)}, {text_of_shape(end)}, and {text_of_shape(strides)} instead.",
        )
    try:
        spec = strided_slice.canonical(
            len(shape),
            _bounds(op.inputs[1], begin),
            _bounds(op.inputs[2], end),
            [int(v) for v in strides],
            _masks(op._attrs),
        )
        strided_slice.check(shape, spec)
    except ShapeError as error:
        refuse(ctx, str(error))
    index: list[Any] = []
    for i, (dim, part) in enumerate(zip(shape, spec.parts, strict=True)):
        if part.known:
            index.append(part.begin if part.shrink else part.as_slice())
            continue
        if not part.shrink:
            ctx.need(1 if not isinstance(begin, np.ndarray) else 2)
        at = begin[part.source]
        at = jnp.where(at < 0, at + dim, at)
        ctx.check(
            (at >= 0) & (at < dim),
            errors.InvalidArgumentError,
            f"slice index {{at}} of dimension {i} out of bounds.",
            at=at,
        )
        index.append(at)
    return spec, tuple(index)


def _known_index(
    shape: tuple[int, ...], begin: Any, end: Any, strides: Any, masks: tuple[int, ...]
) -> tuple[Any, ...]:
    """The index of a slice, new dimensions included, where all bounds are known.

    Raises:
      ValueError: what `located` words.
    """
    if not begin.ndim == end.ndim == strides.ndim == 1:
        raise ValueError("Not vectors")
    bounds = begin.tobytes(), end.tobytes(), strides.tobytes()
    return _index_of_bytes(shape, begin.dtype, masks, *bounds)


@functools.lru_cache(4096)
def _index_of_bytes(
    shape: tuple[int, ...], dtype: np.dtype, masks: tuple[int, ...], *bounds: bytes
) -> tuple[Any, ...]:
    begin, end, strides = (np.frombuffer(bound, dtype).tolist() for bound in bounds)
    if not len(begin) == len(end) == len(strides):
        raise ValueError("Not of one size")
    spec = strided_slice.canonical(len(shape), begin, end, strides, Masks(*masks))
    strided_slice.check(shape, spec)
    index: list[Any] = [part.begin if part.shrink else part.as_slice() for part in spec.parts]
    for place, source in enumerate(spec.result):
        if source is None:
            # Before the first of the later input dimensions that stay.
            later = next((s for s in spec.result[place:] if s is not None), len(spec.parts))
            news = spec.result[:place].count(None)
            index.insert(later + news, np.newaxis)
    return tuple(index)


@op("StridedSlice", const=(3,), autodiff=True, padding=padded_rows.of_slice)
class StridedSlice:
    def shape(input: Any, begin: Shape, end: Shape, strides: Shape, *, op: Operation) -> Shape:
        bounds = [shapes.with_rank(bound, 1) for bound in (begin, end, strides)]
        count = shapes.merge_all([bounds[0], bounds[1], bounds[2]])
        steps = op.const_input(3)
        if input is None or count == (None,) or steps is None:
            return None
        first, last = op.const_input(1), op.const_input(2)
        spec = strided_slice.canonical(
            len(input),
            None if first is None else first.tolist(),
            None if last is None else last.tolist(),
            steps.tolist(),
            _masks(op._attrs),
        )
        return strided_slice.shape_of(input, spec, first is not None and last is not None)

    def handle_data(op: Any) -> Any:
        return [op._inputs[0]._handle_data]

    def lower(
        input: Any,
        begin: Array,
        end: Array,
        strides: np.ndarray,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        spec, index = located(np.shape(input), begin, end, strides, op, ctx)
        result = jnp.asarray(input)[index]
        return jnp.expand_dims(result, spec.new) if spec.new else result

    def numpy(
        input: Any, begin: np.ndarray, end: np.ndarray, strides: np.ndarray, *, begin_mask: int,
        end_mask: int,
        ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
    ) -> np.ndarray:  # fmt: skip
        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        # With the dots one element of objects (variants) is an array, too.
        result = input[(*_known_index(input.shape, begin, end, strides, masks), ...)]
        return result if result.ndim else variants.unboxed(result)

    def stacked(
        input: Any, begin: np.ndarray, end: np.ndarray, strides: np.ndarray, *, begin_mask: int,
        end_mask: int,
        ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
    ) -> np.ndarray:  # fmt: skip
        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        return input[(slice(None), *_known_index(input.shape[1:], begin, end, strides, masks))]

    def fold(
        input: Any, begin: np.ndarray, end: np.ndarray, strides: np.ndarray, *, op: Operation
    ) -> np.ndarray:
        spec = strided_slice.canonical(
            input.ndim, begin.tolist(), end.tolist(), strides.tolist(), _masks(op._attrs)
        )
        strided_slice.check(input.shape, spec)
        index = tuple(part.begin if part.shrink else part.as_slice() for part in spec.parts)
        result = input[index]
        return np.expand_dims(result, spec.new) if spec.new else result

    def shape_value(op: Any) -> Any:
        masks = _masks(op._attrs)
        if (
            any(tensor._shape != (1,) for tensor in op._inputs[1:])
            or masks.begin | masks.end > 1
            or masks.ellipsis
            or masks.new_axis
            or masks.shrink_axis
        ):
            # TF gives up: of an unknown value it does not even take the length.
            value = constants.input_value(op._outputs[0])
            return None if value is None else shapes.from_sizes(value)
        bounds: Any = [constants.known_value(tensor) for tensor in op._inputs[1:]]
        known = bounds[2] is not None and (
            (masks.begin or bounds[0] is not None) and (masks.end or bounds[1] is not None)
        )
        if not known:
            return constants.value_as_shape(op._outputs[0])
        begin = 0 if masks.begin else int(bounds[0][0])
        end = None if masks.end else int(bounds[1][0])
        return shapes.subshape(constants.known_shape(op._inputs[0]), begin, end, int(bounds[2][0]))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        begin, end, strides = op.inputs[1:]
        x = array_ops.shape(op.inputs[0], out_type=begin.dtype)
        return [
            raw_ops.StridedSliceGrad(x, begin, end, strides, grad, **_mask_attrs(op)),
            None,
            None,
            None,
        ]


@op("StridedSliceGrad", const=(0, 3), autodiff=True)
class StridedSliceGrad:
    def shape(
        shape: Any, begin: Shape, end: Shape, strides: Shape, dy: Shape, *, op: Operation
    ) -> Shape:
        return op.shape_input(0)

    def lower(
        shape: Any,
        begin: Array,
        end: Array,
        strides: np.ndarray,
        dy: Array,
        *,
        op: Operation,
        ctx: LoweringContext,
    ) -> Array:
        if np.ndim(shape) != 1:
            refuse(ctx, f"shape must be 1-D, got shape.shape = {text_of_shape(shape)}")
        sizes = tuple(int(v) for v in shape)
        spec, index = located(sizes, begin, end, strides, op, ctx)
        expected = strided_slice.sizes(sizes, spec)
        if np.shape(dy) != expected:
            refuse(
                ctx,
                f"shape of dy was {text_of_shape(dy)} instead of {shapes.to_string(expected)}",
            )
        if spec.new:
            dy = jnp.squeeze(dy, tuple(spec.new))
        return at(jnp.zeros(sizes, dy.dtype))[index].set(dy)

    def numpy(
        shape: Any, begin: np.ndarray, end: np.ndarray, strides: np.ndarray, dy: np.ndarray, *,
        begin_mask: int, end_mask: int,
        ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int,
    ) -> np.ndarray:  # fmt: skip
        masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
        made = np.zeros(shape.tolist(), dy.dtype)
        index = _known_index(made.shape, begin, end, strides, masks)
        if shape.ndim != 1 or made[index].shape != dy.shape:
            raise ValueError("The shapes don't fit")
        made[index] = dy
        return made

    def gradient(op: Any, grad: Tensor) -> Gradients:
        begin, end, strides = op.inputs[1:4]
        sliced = array_ops.strided_slice(grad, begin, end, strides, **_mask_attrs(op))
        return [None, None, None, None, sliced]


# Slice.


def _check_bounds(i: int, dim: int, b: int, s: int, ctx: LoweringContext) -> None:
    if dim == 0:
        if b or s:
            refuse(
                ctx,
                f"Expected begin[{i}] == 0 (got {b}) and size[{i}] == 0 (got {s}) when "
                f"input.dim_size({i}) == 0",
            )
        return
    if not 0 <= b <= dim:
        refuse(ctx, f"Expected begin[{i}] in [0, {dim}], but got {b}")
    if s < 0 or b + s > dim:
        refuse(ctx, f"Expected size[{i}] in [0, {dim - b}], but got {s}")


@op("Slice", const=(2,), autodiff=True)
class Slice:
    def shape(input: Any, begin: Shape, size: Shape, *, op: Operation) -> Shape:
        bounds = shapes.merge(shapes.with_rank(begin, 1), shapes.with_rank(size, 1))
        if bounds[0] is not None:  # pyright: ignore[reportOptionalSubscript]
            input = shapes.with_rank(input, bounds[0])  # pyright: ignore
        first = op.shape_input(1)
        sizes = op.const_input(2)
        if sizes is None:
            partial = op.shape_input(2)
            if partial is not None:
                shapes.with_rank(first, len(partial))
                return partial
            return None if input is None else (None,) * len(input)
        first = shapes.with_rank(first, len(sizes))
        result: list[int | None] = []
        for i, wanted in enumerate(sizes.tolist()):
            dim = None if input is None else input[i]
            if wanted < -1:
                raise ShapeError(
                    f"Out of bounds slicing on dimension {i} of length "
                    f"{-1 if dim is None else dim}: "
                    f"sizes vector cannot be < -1, but was {wanted}"
                )
            result.append(shapes.subtract_dims(dim, first[i]) if wanted == -1 else wanted)
        return tuple(result)

    def lower(input: Any, begin: Array, size: np.ndarray, *, ctx: LoweringContext) -> Array:
        shape = np.shape(input)
        rank = len(shape)
        if np.shape(begin) != (rank,) or np.shape(size) != (rank,):
            refuse(
                ctx,
                f"Expected begin and size arguments to be 1-D tensors of size {rank}, but got "
                f"shapes "
                f"{text_of_shape(begin)} and {text_of_shape(size)} instead.",
            )
        sizes = [int(v) for v in size]
        if -1 in sizes and not isinstance(begin, np.ndarray):
            ctx.need(1)
        if isinstance(begin, np.ndarray):
            first = [int(b) for b in begin]
            sizes = [
                dim - b if v == -1 else v for dim, b, v in zip(shape, first, sizes, strict=True)
            ]
            for i, (dim, b, s) in enumerate(zip(shape, first, sizes, strict=True)):
                _check_bounds(i, dim, b, s, ctx)
            limits = [b + v for b, v in zip(first, sizes, strict=True)]
            return lax.slice(jnp.asarray(input), first, limits)
        if any(not 0 <= s <= dim for dim, s in zip(shape, sizes)):
            ctx.need(1)  # The error says where it begins.
        for i, (dim, s) in enumerate(zip(shape, sizes, strict=True)):
            ctx.check(
                (begin[i] >= 0) & (begin[i] <= dim),
                errors.InvalidArgumentError,
                f"Expected begin[{i}] in [0, {dim}], but got {{at}}",
                at=begin[i],
            )
            ctx.check(
                begin[i] + s <= dim,
                errors.InvalidArgumentError,
                lambda at, i=i, dim=dim, s=s: (
                    f"Expected size[{i}] in [0, {dim - int(at)}], but got {s}"
                ),
                at=begin[i],
            )
        return lax.dynamic_slice(jnp.asarray(input), [begin[i] for i in range(rank)], sizes)

    def numpy(input: Any, begin: np.ndarray, size: np.ndarray) -> np.ndarray:
        index = []
        for dim, b, s in zip(input.shape, begin.tolist(), size.tolist(), strict=True):
            limit = dim if s == -1 else b + s
            if not 0 <= b <= limit <= dim:
                raise ValueError("Out of bounds")
            index.append(slice(b, limit))
        return input[tuple(index)]

    def fold(input: Any, begin: Any, size: Any) -> Any:
        sizes = [
            dim - b if v == -1 else v for dim, b, v in zip(input.shape, begin, size, strict=True)
        ]
        if any(
            b < 0 or v < 0 or b + v > dim
            for dim, b, v in zip(input.shape, begin, sizes, strict=True)
        ):
            return None
        return input[tuple(slice(b, b + v) for b, v in zip(begin, sizes, strict=True))]

    def gradient(op: Any, grad: Tensor) -> Gradients:
        source, begin = op.inputs[0], op.inputs[1]
        rank = array_ops.rank(source)
        size = array_ops.shape(op.outputs[0])
        column = array_ops.stack([rank, 1])
        padding = [
            array_ops.reshape(begin, column),
            array_ops.reshape(array_ops.shape(source) - size - begin, column),
        ]
        return [array_ops.pad(grad, array_ops.concat(padding, 1)), None, None]


# Repeating and reversing.


def _sum_over_tiles(grad: IndexedSlices, rows: Any) -> Any:
    """The slices summed to a tensor of that many rows, over which their indices wrap around."""
    rows = math_ops.cast(rows, grad.indices.dtype)
    return math_ops.unsorted_segment_sum(grad.values, math_ops.mod(grad.indices, rows), rows)


@op("Tile", const=(1,), autodiff=True)
class Tile:
    def shape(input: Any, multiples: Shape, *, op: Operation) -> Shape:
        times = op.shape_input(1)
        if input is not None:
            times = shapes.with_rank(times, len(input))
        elif times is None:
            return None
        else:
            input = (None,) * len(times)
        return tuple(map(shapes.multiply_dims, input, times))

    def lower(input: Any, multiples: np.ndarray, *, ctx: LoweringContext) -> Any:
        if isinstance(input, TensorArrayValue):  # A flow repeated is that flow (see `pfor`).
            return input
        if np.ndim(multiples) != 1:
            refuse(ctx, f"Expected multiples to be 1-D, but got shape {text_of_shape(multiples)}")
        rank = np.ndim(input)
        if len(multiples) != rank:
            refuse(
                ctx,
                f"Expected multiples argument to be a vector of length {rank} but got length "
                f"{len(multiples)}",
            )
        for i, times in enumerate(multiples):
            if times < 0:
                refuse(ctx, f"Expected multiples[{i}] >= 0, but got {times}")
        return jnp.tile(input, [int(times) for times in multiples])

    def numpy(input: Any, multiples: np.ndarray) -> np.ndarray:
        times = multiples.tolist()
        if len(times) != input.ndim or min(times, default=0) < 0:
            raise ValueError("Not to be repeated so")
        shape = input.shape
        made = np.empty([n * size for n, size in zip(times, shape)], input.dtype)
        parts = [part for pair in zip(times, shape) for part in pair]
        made.reshape(parts)[...] = input.reshape([part for size in shape for part in (1, size)])
        return made

    def fold(input: Any, multiples: Any) -> Any:
        if len(multiples) != input.ndim or (multiples < 0).any():
            return None
        return np.tile(input, multiples)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        multiples = op.inputs[1]
        size = array_ops.shape(op.inputs[0], out_type=multiples.dtype)
        split = array_ops.reshape(array_ops.transpose(array_ops.stack([multiples, size])), [-1])
        axes = math_ops.range(0, array_ops.size(split), 2)
        if isinstance(grad, IndexedSlices):
            grad = _sum_over_tiles(grad, size[0])
            split = array_ops.concat([[1], split[1:]], axis=0)
        result = math_ops.reduce_sum(array_ops.reshape(grad, split), axes)
        result.set_shape(op.inputs[0].get_shape())
        return [result, None]


@op("ReverseV2", const=(1,), autodiff=True)
class ReverseV2:
    def shape(tensor: Any, axis: Shape, *, op: Operation) -> Shape:
        shapes.with_rank(axis, 1)
        if tensor is not None and len(tensor) > 8:
            raise ShapeError("reverse does not work on tensors with more than 8 dimensions")
        axes = op.const_input(1)
        if axes is not None and tensor is not None:
            text = _axis_problem(axes, len(tensor))
            if text:
                raise ShapeError(text)
        return tensor

    def lower(tensor: Any, axis: np.ndarray, *, ctx: LoweringContext) -> Array:
        if np.ndim(axis) != 1:
            refuse(ctx, f"'dims' must be 1-dimension, not {np.ndim(axis)}")
        if not np.ndim(tensor):
            return tensor
        text = _axis_problem(axis, np.ndim(tensor))
        if text:
            refuse(ctx, text)
        if np.ndim(tensor) > 8:
            text = "reverse is not implemented for tensors of rank > 8."
            ctx.check(False, errors.UnimplementedError, text)
        return jnp.flip(jnp.asarray(tensor), tuple(int(a) for a in axis))

    def fold(tensor: Any, axis: np.ndarray) -> np.ndarray:
        return np.flip(tensor, tuple(int(a) for a in axis))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [array_ops.reverse(grad, op.inputs[1]), None]


def _axis_problem(axes: Any, rank: int) -> str | None:
    """Why a tensor can't be reversed along `axes`, in TF's words (the bracket it leaves open
    included).
    """
    seen = set()
    for i, axis in enumerate(axes.tolist()):
        place = axis + rank if axis < 0 else axis
        if not 0 <= place < rank:
            return f"'axis'[{i}] = {axis} is out of valid range [0, {rank - 1}"
        if place in seen:
            return f"axis {place} specified more than once."
        seen.add(place)
    return None


@op("Reverse", const=(1,), autodiff=True)
class Reverse:
    def shape(tensor: Any, dims: Shape) -> Shape:
        dims = shapes.with_rank(dims, 1)
        if dims[0] is None:
            return tensor
        if dims[0] > 8:
            raise ShapeError("reverse does not work on tensors with more than 8 dimensions")
        return shapes.with_rank(tensor, dims[0])

    def lower(tensor: Any, dims: np.ndarray, *, ctx: LoweringContext) -> Array:
        rank = np.ndim(tensor)
        if rank:
            if np.ndim(dims) != 1:
                refuse(ctx, f"'dims' must be 1-dimension, not {np.ndim(dims)}")
            if len(dims) != rank:
                refuse(
                    ctx,
                    "'dims' must have the same number of values as 'input' has dimensions. "
                    f"'input' has {rank}'dims' has {len(dims)} values",
                )
        else:
            return tensor
        return jnp.flip(jnp.asarray(tensor), tuple(int(i) for i in np.flatnonzero(dims)))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [raw_ops.Reverse(grad, op.inputs[1]), None]


# Broadcasting.


@op("BroadcastTo", const=(1,), autodiff=True)
class BroadcastTo:
    def shape(input: Any, shape: Shape, *, op: Operation) -> Shape:
        result: Any = op.shape_input(1)
        if result is None or input is None:
            return result
        shapes.with_rank_at_most(input, len(result))
        for i in range(-1, -len(input) - 1, -1):
            if (input[i] or 0) > 1:
                result = shapes.replace_dim(result, i, shapes.merge_dim(input[i], result[i]))
        return result

    def lower(input: Any, shape: np.ndarray, *, ctx: LoweringContext) -> Array:
        if np.ndim(shape) != 1:
            shape_text = text_of_shape(shape)
            refuse(ctx, f"shape must be a vector of {{int32,int64}}, got shape {shape_text}")
        sizes, wanted = np.shape(input), tuple(int(v) for v in shape)
        for size in wanted:
            if size < 0:
                refuse(ctx, f"Dimension {size} must be >= 0")
        if len(sizes) > len(wanted):
            refuse(
                ctx,
                f"Rank of input ({len(sizes)}) must be no greater than rank of output shape "
                f"({len(wanted)}).",
            )
        if 0 in wanted:
            return jnp.zeros(wanted, input.dtype)
        pairs = [
            pair for pair in zip(reversed(sizes), reversed(wanted)) if pair[0] not in (1, pair[1])
        ]
        texts = shapes.to_string(sizes), shapes.to_string(wanted)
        if any(want != 1 for _, want in pairs):
            refuse(ctx, f"Incompatible shapes: {texts[0]} vs. {texts[1]}")
        if pairs:
            refuse(
                ctx, f"Unable to broadcast tensor of shape {texts[0]} to tensor of shape {texts[1]}"
            )
        return jnp.broadcast_to(input, wanted)

    def fold(input: Any, shape: np.ndarray) -> np.ndarray:
        return np.broadcast_to(input, tuple(shape))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        shape = array_ops.shape(op.inputs[0])
        _, axes = raw_ops.BroadcastGradientArgs(op.inputs[1], shape)
        summed = math_ops.reduce_sum(grad, axis=axes, keepdims=True)
        return [array_ops.reshape(summed, shape), None]


@op("BroadcastArgs", const=(0, 1))
class BroadcastArgs:
    def shape(s0: Any, s1: Shape) -> Shape:
        a, b = shapes.with_rank(s0, 1)[0], shapes.with_rank(s1, 1)[0]
        return (None if a is None or b is None else max(a, b),)

    def lower(s0: Any, s1: Any, *, ctx: LoweringContext) -> Any:
        for i, shape in enumerate((s0, s1)):
            if np.ndim(shape) != 1:
                refuse(ctx, f"In[{i}] must be a vector.{text_of_shape(shape)}")
        try:
            return np.array(np.broadcast_shapes(tuple(s0), tuple(s1)), s0.dtype)
        except ValueError:
            text = " vs. ".join(f"[{','.join(map(str, shape))}]" for shape in (s0, s1))
            refuse(ctx, f"Incompatible shapes: {text}")

    def fold(s0: Any, s1: np.ndarray) -> np.ndarray:
        return np.array(np.broadcast_shapes(tuple(s0), tuple(s1)), s0.dtype)
