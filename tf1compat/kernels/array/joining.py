"""Joining tensors and taking them apart: Concat, Pack, Split and their relatives."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.backend import Array, jnp
from tf1compat.core import constants, shapes
from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array.concat_grad import concat_gradient
from tf1compat.kernels.array.padded_rows import of_concat
from tf1compat.kernels.framework import variants
from tf1compat.kernels.framework.common import refuse, text_of_shape
from tf1compat.kernels.framework.values import shared


def _merge_with_others(index: int, shape: Any, others: Any) -> Any:
    try:
        return shapes.merge(shape, others)
    except ShapeError as error:
        raise ShapeError(f"{error}\n\tFrom merging shape {index} with other shapes.") from None


# Concat.


def _concat_shape(values: Any, axis_shape: Any, where: int, op: Any) -> Any:
    shapes.with_rank(axis_shape, 0)
    value = op.const_input(where)
    if value is None:
        rank = next((len(shape) for shape in values if shape is not None), None)
        if rank == 0:
            raise ShapeError("Can't concatenate scalars (use tf.stack instead)")
        if rank is None:
            return None
        for shape in values:
            shapes.with_rank(shape, rank)
        return (None,) * rank
    axis = int(value)
    before, middle, after = _around(values[-1], axis)
    for shape in reversed(values[:-1]):
        first, size, last = _around(shape, axis)
        before = shapes.merge(first, before)
        middle = shapes.add_dims(middle, size)
        after = shapes.merge(last, after)
    return shapes.concat(before, (middle,), after)


def _around(shape: Any, axis: int) -> tuple[Any, int | None, Any]:
    """The dimensions before `axis`, the one there, and those after it."""
    shapes.with_rank_at_least(shape, -axis if axis < 0 else axis + 1)
    if shape is None:
        return (None if axis else ()), None, (() if axis == -1 else None)
    axis %= len(shape)
    return shape[:axis], shape[axis], shape[axis + 1 :]


def _concat_value(sources: Any) -> Any:
    parts = [constants.known_shape(tensor) for tensor in sources]
    return shapes.concat(*parts)


def _concat(values: Any, axis: Any, name: str, ctx: LoweringContext) -> Any:
    if np.ndim(axis):
        shape = text_of_shape(axis)
        refuse(ctx, f"{name} tensor should be a scalar integer, but got shape {shape}")
    axis = int(axis)
    first = np.shape(values[0])
    rank = len(first)
    if not -rank <= axis < rank:
        refuse(
            ctx,
            "ConcatOp : Expected concatenating dimensions in the range "
            f"[{-rank}, {rank}), but got {axis}",
        )
    axis %= rank
    for i, value in enumerate(values):
        shape = np.shape(value)
        if shape[:axis] == first[:axis] and shape[axis + 1 :] == first[axis + 1 :]:
            if len(shape) == rank:
                continue
        versus = f"shape[0] = {shapes.to_string(first)} vs. shape[{i}] = {shapes.to_string(shape)}"
        if len(shape) != rank:
            refuse(ctx, f"ConcatOp : Ranks of all input tensors should match: {versus}")
        refuse(ctx, f"ConcatOp : Dimensions of inputs should match: {versus}")
    return jnp.concatenate([jnp.asarray(value) for value in values], axis)


@op("ConcatV2", const=(1,), joins=True, autodiff=True, padding=of_concat)
class ConcatV2:
    def shape(values: Any, axis: Shape, *, op: Operation) -> Shape:
        return _concat_shape(values, axis, len(values), op)

    def lower(values: Any, axis: np.ndarray, *, ctx: LoweringContext) -> Array:
        return _concat(values, axis, "axis", ctx)

    numpy = np.concatenate

    def fold(values: Any, axis: np.ndarray) -> np.ndarray:
        return np.concatenate(values, int(axis))

    def shape_value(op: Any) -> Any:
        return _concat_value(op._inputs[:-1])

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return concat_gradient(op, grad, 0, len(op.inputs) - 1, len(op.inputs) - 1)


@op("Concat", const=(0,), autodiff=True)
class Concat:
    def shape(concat_dim: Any, values: Sequence[Shape], *, op: Operation) -> Shape:
        return _concat_shape(values, concat_dim, 0, op)

    def lower(concat_dim: Any, values: Sequence[Array], *, ctx: LoweringContext) -> Array:
        return _concat(values, concat_dim, "concat_dim", ctx)

    def fold(concat_dim: Any, values: Sequence[np.ndarray]) -> np.ndarray:
        return np.concatenate(values, int(concat_dim))

    def shape_value(op: Any) -> Any:
        return _concat_value(op._inputs[1:])

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return concat_gradient(op, grad, 1, len(op.inputs), 0)


def _without(sizes: Any, axis: int) -> list[int]:
    """The sizes of all dimensions but one."""
    found = sizes.tolist()
    del found[axis]
    return found


def _offset_problem(axis: int, shape: Any) -> str | None:
    """Why the shapes can't be joined, in TF's words."""
    rank = np.shape(shape[0])[0]
    if not -rank <= axis < rank:
        return f"Concat dim is out of range: {axis} vs. {rank}"
    for i, sizes in enumerate(shape):
        if np.shape(sizes)[0] != rank:
            return f"input {i} should contain {rank} elements, but got {np.shape(sizes)[0]}"
    if all(isinstance(sizes, np.ndarray) for sizes in shape):
        first, *rest = (_without(sizes, axis) for sizes in shape)
        for i, sizes in enumerate(rest):
            if sizes != first:
                texts = [f"[{' '.join(map(str, s))}]" for s in (shape[i + 1], shape[0])]
                return (
                    f"All dimensions except {axis % rank} must match. Input {i + 1} has shape "
                    f"{texts[0]} "
                    f"and doesn't match input 0 with shape {texts[1]}."
                )
    return None


def _offsets(axis: int, shape: Any, numpy: Any) -> list[Any]:
    """Where each part begins in the joined tensor."""
    sizes = numpy.stack([numpy.asarray(part)[axis] for part in shape])
    starts = numpy.cumsum(sizes) - sizes
    here = np.arange(len(shape[0])) == axis % len(shape[0])
    return [numpy.where(here, start, 0).astype(shape[0].dtype) for start in starts]


@functools.lru_cache(4096)
def _offsets_of_bytes(axis: int, parts: tuple[bytes, ...], dtype: np.dtype) -> list[Any]:
    """`_offsets` of shapes as the bytes of vectors of `dtype`, to be shared."""
    shape = [np.frombuffer(part, dtype) for part in parts]
    text = _offset_problem(axis, shape)
    if text:
        raise ValueError(text)
    return [shared(found) for found in _offsets(axis, shape, np)]


@op("ConcatOffset", const=(0,))
class ConcatOffset:
    def shape(concat_dim: Any, shape: Sequence[Shape]) -> Any:
        return list(shape)

    def lower(concat_dim: Any, shape: Sequence[Array], *, ctx: LoweringContext) -> Any:
        if np.ndim(concat_dim):
            refuse(
                ctx,
                "Concat dim tensor should be a scalar integer, but got shape "
                f"{text_of_shape(concat_dim)}",
            )
        for i, sizes in enumerate(shape):
            if np.ndim(sizes) != 1:
                refuse(ctx, f"input {i} should be a vector, but got shape {text_of_shape(sizes)}")
        text = _offset_problem(int(concat_dim), shape)
        if text:
            refuse(ctx, text)
        return _offsets(int(concat_dim), shape, jnp)

    def numpy(concat_dim: Any, shape: Sequence[np.ndarray]) -> Any:
        parts = [sizes.tobytes() for sizes in shape]
        return _offsets_of_bytes(int(concat_dim), tuple(parts), shape[0].dtype)

    def fold(concat_dim: Any, shape: Sequence[np.ndarray]) -> Any:
        if _offset_problem(int(concat_dim), shape):
            return None
        return _offsets(int(concat_dim), shape, np)


@op("ParallelConcat")
class ParallelConcat:
    def shape(values: Any, *, shape: Any) -> Shape:
        if not shapes.is_fully_known(shape):
            raise ShapeError("shape attr must be fully defined.")
        current = shapes.replace_dim(shape, 0, 1)
        for i, value in enumerate(values):
            if not shapes.is_fully_known(value):
                raise ShapeError("All input shapes must be fully defined.")
            if value[0] != 1:
                raise ShapeError("Size of first dimension must be 1.")
            current = _merge_with_others(i, value, current)
        return shape

    def lower(values: Any) -> Array:
        return jnp.concatenate([jnp.asarray(value) for value in values], 0)


# Pack and Unpack.


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ShapeError(f"Invalid axis: {axis}; must be in [{-rank},{rank})")
    return axis % rank


def _handle_data_of_all(op: Operation) -> Any:
    """What is known of the handles in a vector: what those have in common of which it is known."""
    found: Any = None
    for data in (tensor._handle_data for tensor in op._inputs):
        if data is None:
            continue
        if found is None:
            found = data
        elif found[0] is not data[0]:
            return [None]
        else:
            found = (found[0], shapes.relax(found[1], data[1]))
    return [found]


@op("Pack", autodiff=True)
class Pack:
    def shape(values: Any, *, axis: int) -> Shape:
        shape = values[-1]
        for i in reversed(range(len(values) - 1)):
            if values[i] != shape:
                shape = _merge_with_others(i, values[i], shape)
        if shape is None:
            return None
        axis = _axis(axis, len(shape) + 1)
        return (*shape[:axis], len(values), *shape[axis:])

    handle_data = _handle_data_of_all

    def stacked(values: Any, *, axis: int) -> Any:
        return np.stack(values, axis + 1 if axis >= 0 else axis)

    def lower(values: Any, *, axis: int, ctx: LoweringContext) -> Any:
        if variants.is_variant(ctx.op):
            return np.stack([variants.boxed(value) for value in values], axis)
        first = np.shape(values[0])
        for i, value in enumerate(values):
            if np.shape(value) != first:
                refuse(
                    ctx,
                    f"Shapes of all inputs must match: values[0].shape = {shapes.to_string(first)} "
                    f"!= values[{i}].shape = {text_of_shape(value)}",
                )
        rank = len(first) + 1
        if not -rank <= axis < rank:
            refuse(ctx, f"axis = {axis} not in [{-rank}, {rank})")
        return jnp.stack([jnp.asarray(value) for value in values], axis)

    def numpy(values: Any, *, axis: int) -> np.ndarray:
        if axis:
            return np.stack(values, axis)
        first = values[0]
        if not isinstance(first, np.ndarray | np.generic):
            return variants.vector(values)
        made = np.empty((len(values), *first.shape), first.dtype)
        for i, value in enumerate(values):
            if value.shape != first.shape:
                raise ValueError("The shapes differ")
            made[i, ...] = value  # the dots: of objects, not the array itself
        return made

    def fold(values: Any, *, axis: int) -> np.ndarray:
        return np.stack(values, axis)

    def shape_value(op: Any) -> Any:
        values = [constants.input_value(tensor) for tensor in op._inputs]
        return tuple(None if v is None or v < 0 else int(v) for v in values)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return array_ops.unstack(grad, num=op._attrs["N"], axis=op._attrs["axis"])


@op("Unpack", autodiff=True)
class Unpack:
    def shape(value: Any, *, num: int, axis: int) -> Any:
        if value is None:
            return [None] * num
        axis = _axis(axis, len(value))
        shapes.dim_with_value(value[axis], num)
        return [(*value[:axis], *value[axis + 1 :])] * num

    def lower(value: Any, *, num: int, axis: int, ctx: LoweringContext) -> Any:
        rank = np.ndim(value)
        if not -rank <= axis < rank:
            refuse(ctx, f"axis = {axis} not in [{-rank}, {rank})")
        axis %= rank
        if np.shape(value)[axis] != num:
            refuse(
                ctx, f"Input shape axis {axis} must equal {num}, got shape {text_of_shape(value)}"
            )
        if variants.is_variant(ctx.op):
            moved = np.moveaxis(value, axis, 0)
            return [variants.unboxed(moved[i, ...]) for i in range(num)]
        return [jnp.squeeze(part, axis) for part in jnp.split(value, num, axis)] if num else []

    def fold(value: Any, *, num: int, axis: int) -> Any:
        return list(np.moveaxis(value, axis, 0)) if value.shape[axis] == num else None

    def gradient(op: Any, *grads: Any) -> Gradients:
        return array_ops.stack(list(grads), axis=op._attrs["axis"])


# Split.


def _scalar_axis(index: int, rank: int | None, op: Any) -> int | None:
    """The known value of a scalar input that names a dimension, made positive where the rank is
    known.
    """
    value = op.const_input(index)
    if value is None:
        return None
    if value.ndim:
        raise ShapeError(f"Input must be scalar but has rank {value.ndim}")
    axis = int(value)
    if rank is None:
        return axis if axis >= 0 else None
    if not -rank <= axis < rank:
        raise ShapeError(
            f"Dimension size, given by scalar input {axis} must be in range [-{rank}, {rank})"
        )
    return axis % rank


def _join_gradients(op: Operation, axis: int, grads: Any) -> Any:
    return array_ops.concat(list(grads), op.inputs[axis])


def _check_split(value: Any, split_dim: Any, num_split: int, ctx: LoweringContext) -> int:
    """The dimension to split, or TF's error."""
    if np.ndim(split_dim):
        refuse(ctx, f"split_dim must be a scalar but has rank {np.ndim(split_dim)}")
    rank, axis = np.ndim(value), int(split_dim)
    if not -rank <= axis < rank:
        refuse(ctx, f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}")
    if num_split <= 0:
        refuse(ctx, f"Number of ways to split should be > 0, but got {num_split}")
    return axis % rank


@op("Split", const=(0,), splits=True, autodiff=True)
class Split:
    def shape(split_dim: Any, value: Shape, *, num_split: int, op: Operation) -> Any:
        axis = _scalar_axis(0, None if value is None else len(value), op)
        if axis is None:
            return [None if value is None else (None,) * len(value)] * num_split
        shapes.with_rank_at_least(value, axis + 1)
        if value is None:
            return [None] * num_split
        try:
            size = shapes.divide_dims(value[axis], num_split)
        except ShapeError as error:
            raise ShapeError(
                f"{error}\n\tNumber of ways to split should evenly divide the split dimension"
            ) from None
        return [shapes.replace_dim(value, axis, size)] * num_split

    def lower(split_dim: Any, value: Array, *, num_split: int, ctx: LoweringContext) -> Any:
        axis = _check_split(value, split_dim, num_split, ctx)
        size = np.shape(value)[axis]
        if size % num_split:
            refuse(
                ctx,
                "Number of ways to split should evenly divide the split dimension, but got "
                "split_dim "
                f"{axis} (size = {size}) and num_split {num_split}",
            )
        return list(jnp.split(jnp.asarray(value), num_split, axis))

    def numpy(split_dim: Any, value: np.ndarray, *, num_split: int) -> Any:
        axis = int(split_dim)
        size, rest = divmod(value.shape[axis], num_split)
        if rest or split_dim.ndim:
            raise ValueError("Not evenly divided")
        before = (slice(None),) * (axis % value.ndim)
        parts = [slice(i * size, (i + 1) * size) for i in range(num_split)]
        return [value[(*before, part)] for part in parts]

    def fold(split_dim: Any, value: np.ndarray, *, num_split: int) -> Any:
        return np.split(value, num_split, int(split_dim))

    def gradient(op: Any, *grads: Any) -> Gradients:
        return [None, _join_gradients(op, 0, grads)]


@op("SplitV", const=(1, 2), autodiff=True)
class SplitV:
    def shape(
        value: Any, size_splits: Shape, split_dim: Shape, *, num_split: int, op: Operation
    ) -> Any:
        rank = None if value is None else len(value)
        axis = _scalar_axis(2, rank, op)
        sizes = op.const_input(1)
        if value is None:
            return [None] * num_split
        if rank == 0:
            raise ShapeError("Can't split scalars")
        if sizes is None:
            return [
                (None,) * len(value) if axis is None else shapes.replace_dim(value, axis, None)
            ] * num_split
        # TF takes an unknown dimension to be the last.
        axis = -1 if axis is None else axis
        parts = _split_sizes(value[axis], [int(size) for size in sizes], num_split)
        return [shapes.replace_dim(value, axis, part) for part in parts]

    def lower(
        value: Any,
        size_splits: np.ndarray,
        split_dim: np.ndarray,
        *,
        num_split: int,
        ctx: LoweringContext,
    ) -> Any:
        if np.ndim(size_splits) != 1 or len(size_splits) != num_split:
            refuse(
                ctx,
                "size of the split_tensor must be 1-D and have the same elements as outputs got "
                f"{np.ndim(size_splits)} -D and {np.size(size_splits)} elements",
            )
        axis = _check_split(value, split_dim, num_split, ctx)
        total = np.shape(value)[axis]
        sizes = [int(size) for size in size_splits]
        if num_split == 1 and sizes[0] not in (-1, total):
            refuse(
                ctx,
                "If there is only one output, it must have the same size as the input. Input size: "
                f"{total} output size: {sizes[0]}",
            )
        given = sum(size for size in sizes if size != -1)
        if sizes.count(-1) > 1:
            refuse(ctx, "There can only be one -1 in the input.")
        if given != total if -1 not in sizes else given > total:
            refuse(
                ctx,
                "Determined shape must either match input shape along split_dim exactly if fully "
                "specified, or be less than the size of the input along split_dim if not fully "
                f"specified.  Got: {given}",
            )
        sizes = [total - given if size == -1 else size for size in sizes]
        return list(jnp.split(jnp.asarray(value), np.cumsum(sizes)[:-1], axis))

    def fold(value: Any, size_splits: np.ndarray, split_dim: np.ndarray, *, num_split: int) -> Any:
        total = value.shape[int(split_dim)]
        try:
            sizes = _split_sizes(total, [int(size) for size in size_splits], num_split)
        except ShapeError:
            return None
        return np.split(value, np.cumsum(sizes)[:-1], int(split_dim))

    def gradient(op: Any, *grads: Any) -> Gradients:
        return [_join_gradients(op, 2, grads), None, None]


def _split_sizes(total: int | None, sizes: list[int], count: int) -> list[Any]:
    """The sizes of the parts, the one that is -1 worked out."""
    if len(sizes) != count:
        raise ShapeError("Length of size_splits should be equal to num_outputs")
    if sizes.count(-1) > 1:
        raise ShapeError("size_splits can only have one -1")
    given = sum(size for size in sizes if size != -1)
    if total is not None and (given > total if -1 in sizes else given != total):
        raise ShapeError(
            f"can't split axis of size {total} into pieces of size [{','.join(map(str, sizes))}]"
        )
    rest = None if total is None else total - given
    return [rest if size == -1 else size for size in sizes]


not_differentiable("ConcatOffset")
