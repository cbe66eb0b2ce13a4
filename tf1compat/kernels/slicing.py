"""Slices, padding, splitting, gather and the ops around them."""

from __future__ import annotations

import warnings
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from tf1compat.core import constants, dtypes, errors, raw_ops, shapes
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.shapes import ShapeError
from tf1compat.kernels import strided_slice
from tf1compat.kernels.strided_slice import UNKNOWN, Masks


def _masks(attrs: Any) -> Masks:
    return Masks(*[attrs[f"{name}_mask"] for name in Masks._fields])


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
    return [int(v) for v in value] if isinstance(value, np.ndarray) else _elements(tensor)


@op("StridedSlice", const=(3,), autodiff=True)
class StridedSlice:
    def shape(input: Any, begin: Any, end: Any, strides: Any, *, op: Any) -> Any:
        for bound in (begin, end, strides):
            shapes.with_rank(bound, 1)
        steps = op.const_input(3)
        if input is None or steps is None:
            return None
        first, last = op.const_input(1), op.const_input(2)
        spec = strided_slice.canonical(
            len(input),
            None if first is None else [int(v) for v in first],
            None if last is None else [int(v) for v in last],
            [int(v) for v in steps],
            _masks(op._attrs),
        )
        return strided_slice.shape_of(input, spec)

    def lower(input: Any, begin: Any, end: Any, strides: Any, *, op: Any, ctx: Any) -> Any:
        shape = np.shape(input)
        spec = strided_slice.canonical(
            len(shape),
            _bounds(op.inputs[1], begin),
            _bounds(op.inputs[2], end),
            [int(v) for v in strides],
            _masks(op._attrs),
        )
        unknown = [i for i, part in enumerate(spec.slices) if part is UNKNOWN]
        if any(i in spec.result for i in unknown):
            # The size of the result depends on the bounds.
            ctx.need(1 if not isinstance(begin, np.ndarray) else 2)
        for i, (dim, part) in enumerate(zip(shape, spec.slices, strict=True)):
            if isinstance(part, int) and not -dim <= part < dim:
                text = f"slice index {part} of dimension {i} out of bounds."
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        positions = _sources(len(shape), op)
        result = input
        for i in unknown:
            at = begin[positions[i]]
            ctx.check(
                (at >= -shape[i]) & (at < shape[i]),
                errors.InvalidArgumentError,
                "slice index {at} of dimension {i} out of bounds.",
                at=at,
                i=np.asarray(i),
            )
            result = lax.dynamic_slice_in_dim(result, jnp.where(at < 0, at + shape[i], at), 1, i)
        index = tuple(0 if part is UNKNOWN else part for part in spec.slices)
        result = jnp.asarray(result)[index]
        new = [i for i, source in enumerate(spec.result) if source is None]
        return jnp.expand_dims(result, new) if new else result

    def fold(input: Any, begin: Any, end: Any, strides: Any, *, op: Any) -> Any:
        spec = strided_slice.canonical(
            input.ndim,
            [int(v) for v in begin],
            [int(v) for v in end],
            [int(v) for v in strides],
            _masks(op._attrs),
        )
        try:
            result = input[tuple(spec.slices)]
        except IndexError:
            return None
        new = [i for i, source in enumerate(spec.result) if source is None]
        return np.expand_dims(result, new) if new else result

    def shape_value(op: Any) -> Any:
        source = op._inputs[0]
        known = [constants.known_value(tensor) for tensor in op._inputs[1:]]
        masks = _masks(op._attrs)
        if any(value is None or value.size != 1 for value in known):
            return None
        if masks.ellipsis or masks.new_axis or masks.shrink_axis:
            return None
        whole = constants.known_shape_value(source)
        if whole is None:
            return None
        begin, end, step = (int(value[0]) for value in known)
        return whole[slice(None if masks.begin & 1 else begin, None if masks.end & 1 else end, step)]

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        begin, end, strides = op.inputs[1:]
        x = array_ops.shape(op.inputs[0], out_type=begin.dtype)
        masks = {f"{name}_mask": op.get_attr(f"{name}_mask") for name in Masks._fields}
        return [raw_ops.StridedSliceGrad(x, begin, end, strides, grad, **masks), None, None, None]


def _sources(rank: int, op: Any) -> dict[int, int]:
    """Which index of the slice spec each input dimension is sliced by."""
    masks = _masks(op._attrs)
    count = len(_elements(op.inputs[3]))
    used = sum(not (masks.ellipsis >> i & 1) and not (masks.new_axis >> i & 1) for i in range(count))
    found: dict[int, int] = {}
    dim = 0
    for i in range(count):
        if masks.ellipsis >> i & 1:
            dim += rank - used
        elif not masks.new_axis >> i & 1:
            found[dim] = i
            dim += 1
    return found


@op("StridedSliceGrad", const=(0, 3), autodiff=True)
class StridedSliceGrad:
    def shape(shape: Any, begin: Any, end: Any, strides: Any, dy: Any, *, op: Any) -> Any:
        return op.shape_input(0)

    def lower(shape: Any, begin: Any, end: Any, strides: Any, dy: Any, *, op: Any, ctx: Any) -> Any:
        sizes = tuple(int(v) for v in shape)
        spec = strided_slice.canonical(
            len(sizes),
            _bounds(op.inputs[1], begin),
            _bounds(op.inputs[2], end),
            [int(v) for v in strides],
            _masks(op._attrs),
        )
        unknown = [i for i, part in enumerate(spec.slices) if part is UNKNOWN]
        if any(i in spec.result for i in unknown):
            ctx.need(1 if not isinstance(begin, np.ndarray) else 2)
        new = [i for i, source in enumerate(spec.result) if source is None]
        if new:
            dy = jnp.squeeze(dy, tuple(new))
        positions = _sources(len(sizes), op)
        index = tuple(begin[positions[i]] if part is UNKNOWN else part for i, part in enumerate(spec.slices))
        return jnp.zeros(sizes, dy.dtype).at[index].set(dy)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        begin, end, strides = op.inputs[1:4]
        masks = {f"{name}_mask": op.get_attr(f"{name}_mask") for name in Masks._fields}
        return [None, None, None, None, array_ops.strided_slice(grad, begin, end, strides, **masks)]


@op("Slice", const=(2,), autodiff=True)
class Slice:
    def shape(input: Any, begin: Any, size: Any, *, op: Any) -> Any:
        sizes = op.const_input(2)
        rank = None if input is None else len(input)
        if rank is None:
            rank = next((s[0] for s in (begin, size) if s is not None and len(s) == 1), None)
            if rank is None:
                return None
            input = (None,) * rank
        if sizes is None:
            return (None,) * rank
        if len(sizes) != rank:
            raise ShapeError(f"Shape must be rank {len(sizes)} but is rank {rank}")
        first = op.const_input(1)
        result: list[int | None] = []
        for i, (dim, wanted) in enumerate(zip(input, sizes, strict=True)):
            at = None if first is None else int(first[i])
            if wanted == -1:
                result.append(None if dim is None or at is None else shapes.subtract_dims(dim, at))
            else:
                if dim is not None and at is not None and at + wanted > dim:
                    raise ShapeError(f"Dimension size, given by scalar input 1, must be in range [-{dim}, {dim})")
                result.append(int(wanted))
        return tuple(result)

    def lower(input: Any, begin: Any, size: Any, *, ctx: Any) -> Any:
        shape = np.shape(input)
        if any(v == -1 for v in size) and not isinstance(begin, np.ndarray):
            ctx.need(1)
        if isinstance(begin, np.ndarray):
            sizes = [dim - int(b) if v == -1 else int(v) for dim, b, v in zip(shape, begin, size, strict=True)]
            for i, (dim, b, v) in enumerate(zip(shape, begin, sizes, strict=True)):
                if not 0 <= b <= dim:
                    text = f"Expected begin[{i}] in [0, {dim}], but got {b}"
                    ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
                if v < 0 or b + v > dim:
                    text = f"Expected size[{i}] in [0, {dim - b}], but got {v}"
                    ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
            limits = [int(b) + v for b, v in zip(begin, sizes, strict=True)]
            return lax.slice(jnp.asarray(input), [int(b) for b in begin], limits)
        sizes = [int(v) for v in size]
        for i, (dim, v) in enumerate(zip(shape, sizes, strict=True)):
            ctx.check(
                (begin[i] >= 0) & (begin[i] <= dim),
                errors.InvalidArgumentError,
                f"Expected begin[{i}] in [0, {dim}], but got {{at}}",
                at=begin[i],
            )
            ctx.check(
                begin[i] + v <= dim,
                errors.InvalidArgumentError,
                lambda at, i=i, dim=dim, v=v: f"Expected size[{i}] in [0, {dim - int(at)}], but got {v}",
                at=begin[i],
            )
        return lax.dynamic_slice(jnp.asarray(input), [begin[i] for i in range(len(sizes))], sizes)

    def fold(input: Any, begin: Any, size: Any) -> Any:
        sizes = [dim - b if v == -1 else v for dim, b, v in zip(input.shape, begin, size, strict=True)]
        if any(b < 0 or v < 0 or b + v > dim for dim, b, v in zip(input.shape, begin, sizes, strict=True)):
            return None
        return input[tuple(slice(b, b + v) for b, v in zip(begin, sizes, strict=True))]

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        source, begin = op.inputs[0], op.inputs[1]
        rank = array_ops.rank(source)
        size = array_ops.shape(op.outputs[0])
        column = array_ops.stack([rank, 1])
        before = array_ops.reshape(begin, column)
        after = array_ops.reshape(array_ops.shape(source) - size - begin, column)
        return [array_ops.pad(grad, array_ops.concat([before, after], 1)), None, None]


def _padded_shape(input: Any, paddings: Any, op: Any) -> Any:
    shapes.with_rank(paddings, 2)
    if paddings is not None:
        shapes.dim_with_value(paddings[1], 2)
    value = op.const_input(1)
    if value is None:
        rank = None if input is None else len(input)
        if rank is None and paddings is not None:
            rank = paddings[0]
        return None if rank is None else (None,) * rank
    if input is None:
        return (None,) * len(value)
    if len(input) != len(value):
        raise ShapeError(f"Shape must be rank {len(value)} but is rank {len(input)}")
    if (value < 0).any():
        raise ShapeError("Paddings must be non-negative")
    return tuple(None if dim is None else dim + int(a) + int(b) for dim, (a, b) in zip(input, value, strict=True))


def _pad_gradient(op: Any, grad: Any) -> Any:
    from tf1compat.api import array_ops

    x, paddings = op.inputs[0], op.inputs[1]
    before = array_ops.slice(paddings, [0, 0], array_ops.stack([array_ops.rank(x), 1]))
    begin = array_ops.reshape(before, [-1])
    result = array_ops.slice(grad, begin, array_ops.shape(x))
    return [result] + [None] * (len(op.inputs) - 1)


def _pad(input: Any, paddings: Any, value: Any, ctx: Any) -> Any:
    for i, (a, b) in enumerate(paddings):
        if a < 0 or b < 0:
            text = f"Paddings must be non-negative: {a} {b}"
            ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        del i
    return lax.pad(jnp.asarray(input), value, [(int(a), int(b), 0) for a, b in paddings])


@op("Pad", const=(1,), autodiff=True)
class Pad:
    def shape(input: Any, paddings: Any, *, op: Any) -> Any:
        return _padded_shape(input, paddings, op)

    def lower(input: Any, paddings: Any, *, ctx: Any) -> Any:
        return _pad(input, paddings, jnp.zeros((), input.dtype), ctx)

    def fold(input: Any, paddings: Any) -> Any:
        return np.pad(input, paddings) if input.dtype != object else None

    gradient = _pad_gradient


@op("PadV2", const=(1,))
class PadV2:
    def shape(input: Any, paddings: Any, constant_values: Any, *, op: Any) -> Any:
        return _padded_shape(input, paddings, op)

    def lower(input: Any, paddings: Any, constant_values: Any, *, ctx: Any) -> Any:
        return _pad(input, paddings, constant_values, ctx)

    def fold(input: Any, paddings: Any, constant_values: Any) -> Any:
        return np.pad(input, paddings, constant_values=constant_values)

    gradient = _pad_gradient


@op("MirrorPad", const=(1,), autodiff=True)
class MirrorPad:
    def shape(input: Any, paddings: Any, *, op: Any) -> Any:
        return _padded_shape(input, paddings, op)

    def lower(input: Any, paddings: Any, *, mode: str, ctx: Any) -> Any:
        reflect = mode == "REFLECT"
        for i, ((a, b), dim) in enumerate(zip(paddings, np.shape(input), strict=True)):
            limit = dim - 1 if reflect else dim
            if a > limit or b > limit:
                word = "less than" if reflect else "no greater than"
                text = f"paddings must be {word} the dimension size: {a}, {b} {word} {dim}"
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
            del i
        widths = [(int(a), int(b)) for a, b in paddings]
        return jnp.pad(jnp.asarray(input), widths, mode="reflect" if reflect else "symmetric")

    def gradient(op: Any, grad: Any) -> Any:
        return [raw_ops.MirrorPadGrad(grad, op.inputs[1], mode=op.get_attr("mode")), None]


@op("MirrorPadGrad", const=(1,), autodiff=True)
class MirrorPadGrad:
    def shape(input: Any, paddings: Any, *, op: Any) -> Any:
        value = op.const_input(1)
        if value is None or input is None:
            return None if input is None else (None,) * len(input)
        return tuple(
            None if dim is None else dim - int(a) - int(b) for dim, (a, b) in zip(input, value, strict=True)
        )

    def lower(input: Any, paddings: Any, *, mode: str) -> Any:
        # The padding is folded back onto what it mirrored, one dimension after the other.
        skip = 1 if mode == "REFLECT" else 0
        result = jnp.asarray(input)
        for axis, (a, b) in enumerate(paddings):
            a, b = int(a), int(b)
            size = result.shape[axis] - a - b
            core = lax.slice_in_dim(result, a, a + size, axis=axis)
            if a:
                part = jnp.flip(lax.slice_in_dim(result, 0, a, axis=axis), axis)
                core = _add_at(core, part, skip, axis)
            if b:
                part = jnp.flip(lax.slice_in_dim(result, a + size, a + size + b, axis=axis), axis)
                core = _add_at(core, part, size - skip - b, axis)
            result = core
        return result

    def gradient(op: Any, grad: Any) -> Any:
        return [raw_ops.MirrorPad(grad, op.inputs[1], mode=op.get_attr("mode")), None]


def _add_at(core: Any, part: Any, start: int, axis: int) -> Any:
    index = [slice(None)] * core.ndim
    index[axis] = slice(start, start + part.shape[axis])
    return core.at[tuple(index)].add(part)


@op("Tile", const=(1,), autodiff=True)
class Tile:
    def shape(input: Any, multiples: Any, *, op: Any) -> Any:
        value = op.const_input(1)
        if value is None:
            if input is None and multiples is not None and len(multiples) == 1 and multiples[0] is not None:
                return (None,) * multiples[0]
            return None if input is None else (None,) * len(input)
        if input is None:
            return (None,) * len(value)
        if len(input) != len(value):
            raise ShapeError(f"Shape must be rank {len(value)} but is rank {len(input)}")
        return tuple(shapes.multiply_dims(dim, int(m)) for dim, m in zip(input, value, strict=True))

    def lower(input: Any, multiples: Any, *, ctx: Any) -> Any:
        for i, m in enumerate(multiples):
            if m < 0:
                text = f"Expected multiples[{i}] >= 0, but got {m}"
                ctx.check(False, errors.InvalidArgumentError, lambda text=text: text)
        return jnp.tile(input, [int(m) for m in multiples])

    def fold(input: Any, multiples: Any) -> Any:
        return np.tile(input, multiples)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops, math_ops

        multiples = op.inputs[1]
        size = array_ops.shape(op.inputs[0], out_type=multiples.dtype)
        split = array_ops.reshape(array_ops.transpose(array_ops.stack([multiples, size])), [-1])
        axes = math_ops.range(0, array_ops.size(split), 2)
        if isinstance(grad, IndexedSlices):
            first = math_ops.cast(size[0], grad.indices.dtype)
            grad = math_ops.unsorted_segment_sum(
                grad.values, math_ops.mod(grad.indices, first), first
            )
            split = array_ops.concat([[1], split[1:]], axis=0)
        result = math_ops.reduce_sum(array_ops.reshape(grad, split), axes)
        result.set_shape(op.inputs[0].get_shape())
        return [result, None]


def _split_gradient_axis(op: Any, axis: int, grads: Any) -> Any:
    from tf1compat.api import array_ops

    return array_ops.concat(list(grads), op.inputs[axis])


@op("Split", const=(0,), autodiff=True)
class Split:
    def shape(split_dim: Any, value: Any, *, num_split: int, op: Any) -> Any:
        axis = op.const_input(0)
        if axis is None or value is None:
            return [None if value is None else (None,) * len(value)] * num_split
        rank = len(value)
        if not -rank <= axis < rank:
            raise ShapeError(f"Dimension size, given by scalar input {int(axis)} must be in range [-{rank}, {rank})")
        axis = int(axis) % rank
        if value[axis] is not None and value[axis] % num_split:
            raise ShapeError(
                f"Dimension size must be evenly divisible by {num_split} but is {value[axis]}"
            )
        size = None if value[axis] is None else value[axis] // num_split
        return [(*value[:axis], size, *value[axis + 1 :])] * num_split

    def lower(split_dim: Any, value: Any, *, num_split: int, ctx: Any) -> Any:
        axis = int(split_dim)
        size = np.shape(value)[axis]
        if size % num_split:
            text = (
                "Number of ways to split should evenly divide the split dimension, but got split_dim "
                f"{axis} (size = {size}) and num_split {num_split}"
            )
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return list(jnp.split(jnp.asarray(value), num_split, axis))

    def fold(split_dim: Any, value: Any, *, num_split: int) -> Any:
        return np.split(value, num_split, int(split_dim))

    def gradient(op: Any, *grads: Any) -> Any:
        return [None, _split_gradient_axis(op, 0, grads)]


@op("SplitV", const=(1, 2), autodiff=True)
class SplitV:
    def shape(value: Any, size_splits: Any, split_dim: Any, *, num_split: int, op: Any) -> Any:
        axis, sizes = op.const_input(2), op.const_input(1)
        if value is None:
            return [None] * num_split
        if axis is None:
            return [(None,) * len(value)] * num_split
        axis = int(axis) % len(value)
        if sizes is None:
            parts: list[int | None] = [None] * num_split
        else:
            parts = _split_sizes(value[axis], [int(v) for v in sizes])
        return [(*value[:axis], part, *value[axis + 1 :]) for part in parts]

    def lower(value: Any, size_splits: Any, split_dim: Any, *, num_split: int, ctx: Any) -> Any:
        axis = int(split_dim)
        total = np.shape(value)[axis]
        sizes = _split_sizes(total, [int(v) for v in size_splits])
        if sum(s or 0 for s in sizes) != total:
            text = (
                "Determined shape must either match input shape along split_dim exactly if fully specified, or be "
                f"less than the size of the input along split_dim if not fully specified.  Got: {sum(s or 0 for s in sizes)}"
            )
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        bounds = np.cumsum(sizes)[:-1]
        return list(jnp.split(jnp.asarray(value), bounds, axis))

    def fold(value: Any, size_splits: Any, split_dim: Any) -> Any:
        sizes = _split_sizes(value.shape[int(split_dim)], [int(v) for v in size_splits])
        return np.split(value, np.cumsum(sizes)[:-1], int(split_dim))

    def gradient(op: Any, *grads: Any) -> Any:
        return [_split_gradient_axis(op, 2, grads), None, None]


def _split_sizes(total: int | None, sizes: list[int]) -> list[int | None]:
    """Works out the one size that may be -1."""
    result: list[int | None] = list(sizes)
    if -1 in sizes:
        known = sum(size for size in sizes if size != -1)
        result[sizes.index(-1)] = None if total is None else total - known
    elif total is not None and sum(sizes) != total:
        raise ShapeError(f"can't split axis of size {total} into pieces of size [{','.join(map(str, sizes))}]")
    return result


@op("ReverseV2", const=(1,), autodiff=True)
class ReverseV2:
    def shape(tensor: Any, axis: Any, *, op: Any) -> Any:
        value = op.const_input(1)
        if value is not None and tensor is not None:
            seen = set()
            for a in value:
                if not -len(tensor) <= a < len(tensor):
                    raise ShapeError(f"axis[{list(value).index(a)}] = {a} is out of valid range [0, {len(tensor) - 1}]")
                if int(a) % len(tensor) in seen:
                    raise ShapeError(f"axis {int(a) % len(tensor)} specified more than once.")
                seen.add(int(a) % len(tensor))
        return tensor

    def lower(tensor: Any, axis: Any) -> Any:
        return jnp.flip(jnp.asarray(tensor), tuple(int(a) for a in axis))

    def fold(tensor: Any, axis: Any) -> Any:
        return np.flip(tensor, tuple(int(a) for a in axis))

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return [array_ops.reverse(grad, op.inputs[1]), None]


@op("BroadcastTo", const=(1,), autodiff=True)
class BroadcastTo:
    def shape(input: Any, shape: Any, *, op: Any) -> Any:
        wanted = op.shape_input(1)
        if wanted is not None and input is not None and len(input) > len(wanted):
            raise ShapeError(f"Shape must be at most rank {len(wanted)} but is rank {len(input)}")
        return wanted

    def lower(input: Any, shape: Any, *, ctx: Any) -> Any:
        wanted = tuple(int(v) for v in shape)
        try:
            return jnp.broadcast_to(input, wanted)
        except ValueError:
            text = f"Incompatible shapes: {shapes.to_string(np.shape(input))} vs. {shapes.to_string(wanted)}"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)

    def fold(input: Any, shape: Any) -> Any:
        try:
            return np.broadcast_to(input, tuple(shape))
        except ValueError:
            return None

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops, math_ops

        shape = array_ops.shape(op.inputs[0])
        _, axes = raw_ops.BroadcastGradientArgs(op.inputs[1], shape)
        summed = math_ops.reduce_sum(grad, axis=axes, keepdims=True)
        return [array_ops.reshape(summed, shape), None]


@op("BroadcastArgs")
class BroadcastArgs:
    def shape(s0: Any, s1: Any) -> Any:
        sizes = [None if s is None else s[0] for s in (s0, s1)]
        return (None if None in sizes else max(sizes),)  # pyright: ignore[reportArgumentType]

    def fold(s0: Any, s1: Any) -> Any:
        try:
            return np.array(np.broadcast_shapes(tuple(s0), tuple(s1)), s0.dtype)
        except ValueError:
            return None


# Gather.


def _gathered_shape(params: Any, indices: Any, axis: int | None, batch_dims: int) -> Any:
    if params is None or indices is None:
        return None
    if axis is None:
        return (None,) * (len(params) + len(indices) - 1 - batch_dims)
    rank = len(params)
    if not -rank <= axis < rank:
        raise ShapeError(f"Shape must be at least rank {axis + 1 if axis >= 0 else -axis} but is rank {rank}")
    axis %= rank
    if batch_dims < 0:
        batch_dims += len(indices)
    return (*params[:axis], *indices[batch_dims:], *params[axis + 1 :])


def _check_indices(indices: Any, limit: int, ctx: Any, name: str = "indices") -> None:
    """Refuses indices outside [0, limit), with TF's text about the first one."""
    if isinstance(indices, np.ndarray):
        bad = (indices < 0) | (indices >= limit)
        if bad.any():
            first = tuple(int(i) for i in np.argwhere(bad)[0])
            text = f"{name}[{','.join(map(str, first))}] = {indices[first]} is not in [0, {limit})"
            if not first:
                text = f"{name} = {indices[()]} is not in [0, {limit})"
            ctx.check(False, errors.InvalidArgumentError, lambda: text)
        return
    if indices.size == 0:
        return
    bad = (indices < 0) | (indices >= limit)
    flat = jnp.argmax(bad.reshape(-1))
    shape = indices.shape

    def text(at: Any, value: Any) -> str:
        where = ",".join(str(int(i)) for i in np.unravel_index(int(at), shape))
        return f"{name}{f'[{where}]' if shape else ''} = {value} is not in [0, {limit})"

    ctx.check(
        ~jnp.any(bad), errors.InvalidArgumentError, text, at=flat, value=indices.reshape(-1)[flat]
    )


def _take(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    params, indices = jnp.asarray(params), jnp.asarray(indices)
    if params.shape[axis] == 0:
        shape = (*params.shape[:axis], *indices.shape[batch_dims:], *params.shape[axis + 1 :])
        return jnp.zeros(shape, params.dtype)
    if batch_dims:
        import jax

        take = lambda p, i: jnp.take(p, i, axis=axis - batch_dims, mode="clip")  # noqa: E731
        for _ in range(batch_dims):
            take = jax.vmap(take)
        return take(params, indices)
    # Checked already: clipping only spares XLA the filling of what is out of range.
    return jnp.take(params, indices, axis=axis, mode="clip")


@op("Gather", autodiff=True)
class Gather:
    def shape(params: Any, indices: Any) -> Any:
        return _gathered_shape(params, indices, 0, 0)

    def lower(params: Any, indices: Any, *, ctx: Any) -> Any:
        _check_indices(indices, np.shape(params)[0], ctx)
        return _take(params, indices, 0, 0)

    def fold(params: Any, indices: Any) -> Any:
        return _fold_take(params, indices, 0)

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        shape = _params_shape(op.inputs[0])
        indices = op.inputs[1]
        size = array_ops.expand_dims(array_ops.size(indices), 0)
        values_shape = array_ops.concat([size, shape[1:]], 0)
        values = _quiet_reshape(grad, values_shape)
        return [IndexedSlices(values, array_ops.reshape(indices, size), shape), None]


def _fold_take(params: Any, indices: Any, axis: int) -> Any:
    if ((indices < 0) | (indices >= params.shape[axis])).any():
        return None
    return np.take(params, indices, axis)


def _params_shape(params: Any) -> Any:
    from tf1compat.api import array_ops, math_ops
    from tf1compat.core import ops

    with ops.colocate_with(params):
        shape = array_ops.shape(params, out_type=dtypes.int64)
        return math_ops.cast(shape, dtypes.int32)


def _quiet_reshape(grad: Any, shape: Any) -> Any:
    """Reshapes a gradient that may be IndexedSlices, without the warning about making it dense."""
    from tf1compat.api import array_ops

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Converting sparse IndexedSlices to a dense Tensor.*")
        return array_ops.reshape(grad, shape)


@op("GatherV2", const=(2,), autodiff=True)
class GatherV2:
    def shape(params: Any, indices: Any, axis: Any, *, batch_dims: int, op: Any) -> Any:
        value = op.const_input(2)
        return _gathered_shape(params, indices, None if value is None else int(value), batch_dims)

    def lower(params: Any, indices: Any, axis: Any, *, batch_dims: int, ctx: Any) -> Any:
        at = int(axis) % max(np.ndim(params), 1)
        batch = batch_dims + np.ndim(indices) if batch_dims < 0 else batch_dims
        _check_indices(indices, np.shape(params)[at], ctx)
        return _take(params, indices, at, batch)

    def fold(params: Any, indices: Any, axis: Any, *, batch_dims: int) -> Any:
        return None if batch_dims else _fold_take(params, indices, int(axis))

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops, math_ops, tensor_util

        shape = _params_shape(op.inputs[0])
        indices, axis = op.inputs[1], op.inputs[2]
        size = array_ops.expand_dims(array_ops.size(indices), 0)
        batch_dims = op._attrs["batch_dims"]
        if batch_dims < 0:
            batch_dims += indices.shape.ndims
        if tensor_util.constant_value(axis) == 0:
            values_shape = array_ops.concat([size, shape[1:]], 0)
            values = _quiet_reshape(grad, values_shape)
            return [IndexedSlices(values, array_ops.reshape(indices, size), shape), None, None]
        outer = shape[:axis]
        inner = shape[axis:][1:]
        values_shape = array_ops.concat([outer, [-1], inner], 0)
        values_dims = array_ops.size(values_shape)
        axis_dims = array_ops.size(outer)
        batches = math_ops.range(batch_dims)
        between = math_ops.range(batch_dims, axis_dims)
        after = math_ops.range(axis_dims + 1, values_dims)
        values = _quiet_reshape(grad, values_shape)
        perm = array_ops.concat([batches, [axis_dims], between, after], 0)
        moved = array_ops.transpose(values, perm)
        result = _batch_gather_gradient(shape, moved, indices, batch_dims, shape[axis])
        back = array_ops.concat([batches, between + 1, [batch_dims], after], 0)
        return [array_ops.transpose(result, back), None, None]


def _batch_gather_gradient(shape: Any, values: Any, indices: Any, batch_dims: int, size: Any) -> Any:
    from tf1compat.api import array_ops, math_ops

    count = array_ops.expand_dims(array_ops.size(indices), 0)
    outer: Any = None
    flat: Any = None
    if batch_dims:
        values_shape = array_ops.shape(values)
        outer = values_shape[:batch_dims]
        inner = values_shape[batch_dims:][1:]
        batch = raw_ops.Prod(outer, [0], False)
        flat = array_ops.concat([[-1], inner], 0)
        size = size * batch
        indices = _batch_indices(shape, indices, batch_dims)
        values = _quiet_reshape(values, flat)
    indices = array_ops.reshape(indices, count)
    result = math_ops.unsorted_segment_sum(values, indices, size)
    if batch_dims:
        result = array_ops.reshape(result, array_ops.concat([outer, flat], 0))
    return result


def _batch_indices(shape: Any, indices: Any, batch_dims: int) -> Any:
    """Adds to each index where its batch begins."""
    from tf1compat.api import array_ops, math_ops

    rank = indices.shape.ndims
    dtype = indices.dtype.base_dtype
    sizes = math_ops.cast(shape, dtype)
    step = array_ops.ones((), dtype=dtype)
    for dim in range(batch_dims, 0, -1):
        size = sizes[dim - 1]
        step = step * sizes[dim]
        start = array_ops.zeros((), dtype=dtype)
        one = array_ops.ones((), dtype=dtype)
        offsets = math_ops.range(start, size, one) * step
        layout = array_ops.stack([1] * (dim - 1) + [size] + [1] * (rank - dim), axis=0)
        indices = indices + array_ops.reshape(offsets, layout)
    return indices


@op("GatherNd", autodiff=True)
class GatherNd:
    def shape(params: Any, indices: Any) -> Any:
        if params is None or indices is None or not indices or indices[-1] is None:
            return None
        depth = indices[-1]
        if depth > len(params):
            raise ShapeError(f"indices.shape[-1] must be <= params.rank, but saw indices shape: {shapes.to_string(indices)} and params shape: {shapes.to_string(params)}")  # noqa: E501
        return (*indices[:-1], *params[depth:])

    def lower(params: Any, indices: Any, *, ctx: Any) -> Any:
        params, indices = jnp.asarray(params), jnp.asarray(indices)
        depth = indices.shape[-1]
        limits = np.array(params.shape[:depth], indices.dtype)
        if depth and indices.size:
            bad = jnp.any((indices < 0) | (indices >= limits), axis=-1).reshape(-1)
            at = jnp.argmax(bad)
            outer, shape = indices.shape[:-1], params.shape

            def text(at: Any, value: Any) -> str:
                where = ",".join(str(int(i)) for i in np.unravel_index(int(at), outer)) if outer else ""
                quoted = ", ".join(str(int(v)) for v in np.atleast_1d(value))
                return f"indices[{where}] = [{quoted}] does not index into param shape {shapes.to_string(shape)}"

            ctx.check(
                ~jnp.any(bad), errors.InvalidArgumentError, text,
                at=at, value=indices.reshape(-1, depth)[at],
            )  # fmt: skip
        index = tuple(jnp.clip(indices[..., i], 0, max(params.shape[i] - 1, 0)) for i in range(depth))
        return params[index] if depth else jnp.broadcast_to(params, (*indices.shape[:-1], *params.shape))

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        params, indices = op.inputs
        shape = array_ops.shape(params, out_type=indices.dtype)
        dims = indices._shape
        if dims is not None and len(dims) == 2 and dims[-1] == 1:
            return [IndexedSlices(grad, array_ops.squeeze(indices, axis=-1), shape), None]
        return [array_ops.scatter_nd(indices, grad, shape), None]


@op("ScatterNd", const=(2,), autodiff=True)
class ScatterNd:
    def shape(indices: Any, updates: Any, shape: Any, *, op: Any) -> Any:
        return op.shape_input(2)

    def lower(indices: Any, updates: Any, shape: Any, *, ctx: Any) -> Any:
        sizes = tuple(int(v) for v in shape)
        indices, updates = jnp.asarray(indices), jnp.asarray(updates)
        depth = indices.shape[-1]
        if depth and indices.size:
            limits = np.array(sizes[:depth], indices.dtype)
            bad = jnp.any((indices < 0) | (indices >= limits), axis=-1).reshape(-1)
            at = jnp.argmax(bad)
            outer = indices.shape[:-1]

            def text(at: Any, value: Any) -> str:
                where = ",".join(str(int(i)) for i in np.unravel_index(int(at), outer)) if outer else ""
                quoted = ", ".join(str(int(v)) for v in np.atleast_1d(value))
                return f"indices[{where}] = [{quoted}] does not index into shape {shapes.to_string(sizes)}"

            ctx.check(
                ~jnp.any(bad), errors.InvalidArgumentError, text,
                at=at, value=indices.reshape(-1, depth)[at],
            )  # fmt: skip
        zeros = jnp.zeros(sizes, updates.dtype)
        index = tuple(indices[..., i] for i in range(depth))
        return zeros.at[index].add(updates, mode="drop")

    def gradient(op: Any, grad: Any) -> Any:
        from tf1compat.api import array_ops

        return [None, array_ops.gather_nd(grad, op.inputs[0]), None]


@op("OneHot", const=(1,))
class OneHot:
    def shape(indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int, op: Any) -> Any:
        value = op.const_input(1)
        if value is not None and value < 0:
            raise ShapeError(f"Dimension size, given by scalar input 1, must be non-negative but is {int(value)}")
        if indices is None:
            return None
        if axis < -1 or axis > len(indices):
            raise ShapeError(f"axis must be >= -1, not {axis}" if axis < -1 else f"Shape must be at least rank {axis} but is rank {len(indices)}")  # noqa: E501
        at = len(indices) if axis == -1 else axis
        return (*indices[:at], None if value is None else int(value), *indices[at:])

    def lower(indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
        size = int(depth)
        at = np.ndim(indices) if axis == -1 else axis
        positions = jnp.arange(size, dtype=indices.dtype)
        layout = [1] * (np.ndim(indices) + 1)
        layout[at] = size
        hit = jnp.expand_dims(indices, at) == positions.reshape(layout)
        return jnp.where(hit, on_value, off_value)

    def fold(indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
        at = indices.ndim if axis == -1 else axis
        layout = [1] * (indices.ndim + 1)
        layout[at] = int(depth)
        hit = np.expand_dims(indices, at) == np.arange(int(depth)).reshape(layout)
        return np.where(hit, on_value, off_value)


@op("Where", host=True)
class Where:
    def shape(input: Any) -> Any:
        return (None, None if input is None else len(input))

    def lower(input: Any) -> Any:
        return np.argwhere(np.asarray(input)).astype(np.int64)

    def fold(input: Any) -> Any:
        return np.argwhere(input).astype(np.int64)


def _unique(x: Any, out_idx: Any) -> tuple[Any, Any, Any]:
    values, first, inverse, counts = np.unique(
        np.asarray(x), return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    index = out_idx.as_numpy_dtype
    return values[order], rank[inverse.reshape(-1)].astype(index), counts[order].astype(index)


@op("Unique", host=True)
class Unique:
    def shape(x: Any) -> Any:
        shapes.with_rank(x, 1)
        return [(None,), x]

    def lower(x: Any, *, out_idx: Any) -> Any:
        return list(_unique(x, out_idx)[:2])

    fold = lower


@op("UniqueWithCounts", host=True)
class UniqueWithCounts:
    def shape(x: Any) -> Any:
        shapes.with_rank(x, 1)
        return [(None,), x, (None,)]

    def lower(x: Any, *, out_idx: Any) -> Any:
        return list(_unique(x, out_idx))

    fold = lower


not_differentiable("OneHot")
