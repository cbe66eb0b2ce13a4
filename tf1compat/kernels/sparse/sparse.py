"""Sparse tensors on the device: what has as many elements as its inputs have, or is dense."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.backend import Array, at, jnp
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import gradient, not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.framework.common import known, refuse, text_of_shape

DROP: dict[str, Any] = {"mode": "drop", "wrap_negative_indices": False}


def numpy_or_jax(*values: Any) -> Any:
    """NumPy where all values are known, else JAX's."""
    return np if all(known(value) for value in values) else jnp


def columns_of(indices: Any) -> tuple[Any, ...]:
    """The columns of a matrix of indices: an index of the dense tensor."""
    return tuple(indices[:, i] for i in range(indices.shape[1]))


def is_ordered(indices: np.ndarray, shape: Sequence[int]) -> bool:
    """Whether rows of indices are in row-major order, each once and all of them in `shape`."""
    try:
        places: Any = np.ravel_multi_index(columns_of(indices), tuple(shape))
    except ValueError:  # One is outside, or the shape is too large to count its places.
        return False
    return bool((places[1:] > places[:-1]).all())


# What several sparse ops refuse.


def check_order(indices: Any, shape: Sequence[int], ctx: Any) -> None:
    """Refuses indices that are out of `shape`, not in row-major order, or twice there."""
    if not indices.size:
        return
    xp = numpy_or_jax(indices)
    if xp is np and is_ordered(indices, shape):
        return
    limits = xp.asarray(np.array(shape, np.int64))
    outside = xp.any((indices < 0) | (indices >= limits), axis=1)
    difference = xp.diff(indices, axis=0)
    moves = difference != 0
    first = xp.take_along_axis(difference, xp.argmax(moves, axis=1)[:, None], axis=1)[:, 0]
    begin = xp.zeros((1,), bool)
    backwards = xp.concatenate([begin, first < 0])
    repeated = xp.concatenate([begin, ~xp.any(moves, axis=1)])
    bad = outside | backwards | repeated
    at = xp.argmax(bad)

    def text(at: Any, row: Any, outside: Any, backwards: Any) -> str:
        place = f"indices[{int(at)}] = [{','.join(str(int(i)) for i in row)}]"
        if outside:
            return f"{place} is out of bounds: need 0 <= index < {shapes.to_string(tuple(shape))}"
        if backwards:
            return (
                f"{place} is out of order. Many sparse ops require sorted indices.\n"
                "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n"
            )
        return f"{place} is repeated"

    ctx.check(
        ~xp.any(bad),
        errors.InvalidArgumentError,
        text,
        at=at,
        row=indices[at],
        outside=outside[at],
        backwards=backwards[at],
    )


def _in_order(indices: Any) -> Any:
    """The permutation that brings rows of indices into row-major order."""
    if not indices.shape[1]:
        return jnp.arange(indices.shape[0])
    return jnp.lexsort(tuple(reversed(columns_of(indices))))


def check_parts(indices: Any, values: Any, shape: Any, ctx: LoweringContext) -> None:
    """Refuses parts of a sparse tensor that are of other ranks, or of different lengths."""
    for what, value, rank in (
        ("indices should be a matrix", indices, 2),
        ("values should be a vector", values, 1),
        ("shape should be a vector", shape, 1),
    ):
        if np.ndim(value) != rank:
            refuse(ctx, f"Input {what} but received shape {text_of_shape(value)}")
    check_lengths(indices, values, ctx)


def check_lengths(indices: Any, values: Any, ctx: LoweringContext) -> None:
    """Refuses indices and values of different lengths."""
    counts = np.shape(indices)[0], np.shape(values)[0]
    if counts[0] != counts[1]:
        refuse(
            ctx,
            "indices and values rows (indexing dimension) must match. "
            f"(indices = {counts[0]}, values = {counts[1]})",
        )


def is_strings(value: Any) -> bool:
    """Whether a value is an array of byte strings, which only NumPy can hold."""
    return known(value) and value.dtype.kind == "O"


# Reductions to dense tensors.


def reduced_dimensions(axes: Any, rank: int, ctx: LoweringContext) -> list[int]:
    """The dimensions to reduce, each once and in order."""
    if np.ndim(axes) > 1:
        shape = text_of_shape(axes)
        refuse(ctx, f"Expected reduction_axes to be a scalar or a vector; got shape: {shape}")
    for axis in np.ravel(axes):
        if not -rank <= axis < rank:
            text = f"Invalid reduction dimension {axis}, for input with {rank} dimensions."
            refuse(ctx, text)
    return sorted({int(axis) % rank for axis in np.ravel(axes)})


def check_values(indices: Any, values: Any, ctx: LoweringContext) -> None:
    """Refuses what is not a list of elements."""
    if np.ndim(values) != 1:
        refuse(ctx, f"vals must be a vec, but got: {text_of_shape(values)}")
    check_lengths(indices, values, ctx)


def _reduced_shape(
    input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any,
    *, keep_dims: bool, op: Any,
) -> Any:  # fmt: skip
    shape, axes = op.const_input(2), op.const_input(3)
    if shape is None or axes is None:
        return None
    reduced = {int(axis) % len(shape) for axis in np.ravel(axes)}
    kept = [(1 if i in reduced else int(size)) for i, size in enumerate(shape)]
    return tuple(size for i, size in enumerate(kept) if keep_dims or i not in reduced)


def _reduction(name: str) -> None:
    def lower(
        input_indices: Any, input_values: Any, input_shape: Any, reduction_axes: Any,
        *, keep_dims: bool, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        sizes = [int(size) for size in input_shape]
        reduced = reduced_dimensions(reduction_axes, len(sizes), ctx)
        check_values(input_indices, input_values, ctx)
        kept = [i for i in range(len(sizes)) if i not in reduced]
        shape = tuple(sizes[i] for i in kept)
        values, indices = jnp.asarray(input_values), jnp.asarray(input_indices)
        places = tuple(indices[:, i] for i in kept)
        result = jnp.zeros(shape, values.dtype)
        if name == "Sum":
            result = at(result)[places].add(jnp.sum(values) if not places else values, **DROP)
        elif values.size:
            found = jnp.full(shape, True) if not places else jnp.zeros(shape, bool)
            found = at(found)[places].set(True, **DROP)
            lowest = jnp.full(shape, _lowest(values.dtype), values.dtype)
            highest = at(lowest)[places].max(jnp.max(values) if not places else values, **DROP)
            result = jnp.where(found, highest, result)
        if keep_dims:
            return result.reshape([1 if i in reduced else size for i, size in enumerate(sizes)])
        return result

    register(f"SparseReduce{name}", shape=_reduced_shape, lower=lower, const=(2, 3))


def _lowest(dtype: Any) -> Any:
    return -jnp.inf if jnp.issubdtype(dtype, jnp.inexact) else jnp.iinfo(dtype).min


_reduction("Sum")
_reduction("Max")


@gradient("SparseReduceSum")
def _sparse_reduce_sum_gradient(op: Operation, grad: Tensor) -> Any:
    indices, _, shape, axes = op.inputs
    kept_shape = math_ops.reduced_shape(shape, axes)
    grad = array_ops.reshape(grad, kept_shape)
    scale = shape // math_ops.cast(kept_shape, dtypes.int64)
    return [None, array_ops.gather_nd(grad, indices // scale), None, None]


# Order and shape.


@op("SparseReorder")
class SparseReorder:
    def shape(input_indices: Any, input_values: Shape, input_shape: Shape) -> Any:
        indices = shapes.with_rank(input_indices, 2)
        values = shapes.with_rank(input_values, 1)
        shapes.with_rank(input_shape, 1)
        return [indices, values]

    def lower(
        input_indices: Any, input_values: Array, input_shape: Array, *, ctx: LoweringContext
    ) -> Any:
        check_parts(input_indices, input_values, input_shape, ctx)
        if np.shape(input_indices)[1] != np.shape(input_shape)[0]:
            refuse(ctx, "Order length must be SparseTensor rank.")
        if is_strings(input_values):
            order = np.lexsort(tuple(reversed(columns_of(np.asarray(input_indices)))))
            return [input_indices[order], input_values[order]]
        indices = jnp.asarray(input_indices)
        order = _in_order(indices)
        return [indices[order], jnp.asarray(input_values)[order]]

    def gradient(op: Any, _: Any, grad: Tensor) -> Gradients:
        indices, _, shape = op.inputs
        count = array_ops.shape(indices)[0]
        entries = math_ops.range(count)
        ordered = sparse_ops.sparse_reorder(SparseTensor(indices, entries, shape))
        inverse = array_ops.invert_permutation(ordered.values)
        return [None, array_ops.gather(grad, inverse), None]


@op("SparseReshape", const=(1, 2))
class SparseReshape:
    def shape(input_indices: Any, input_shape: Shape, new_shape: Shape) -> Any:
        indices = shapes.with_rank(input_indices, 2)
        shapes.with_rank(input_shape, 1)
        new_shape = shapes.with_rank(new_shape, 1)
        return [(indices[0], new_shape[0]), new_shape]

    def lower(
        input_indices: Any, input_shape: np.ndarray, new_shape: np.ndarray, *, ctx: LoweringContext
    ) -> Any:
        for name, value, rank, kind in (
            ("indices", input_indices, 2, "matrix"),
            ("shape", input_shape, 1, "vector"),
        ):
            if np.ndim(value) != rank:
                shape = text_of_shape(value)
                refuse(ctx, f"Input {name} should be a {kind} but received shape {shape}")
        if np.ndim(new_shape) != 1:
            shape = text_of_shape(new_shape)
            refuse(ctx, f"Target shape should be a vector but received shape {shape}")
        sizes = _inferred([int(d) for d in input_shape], [int(d) for d in new_shape], ctx)
        return [_reshaped(input_indices, input_shape, sizes), np.array(sizes, np.int64)]

    def fold(input_indices: Any, input_shape: np.ndarray, new_shape: np.ndarray) -> Any:
        sizes, size = new_shape.copy(), np.prod(input_shape)
        if input_indices.ndim != 2 or (sizes == -1).sum() > 1:
            return None
        rest = np.prod(sizes[sizes != -1])
        if (sizes < -1).any() or not rest or size % rest:
            return None
        sizes[sizes == -1] = size // rest
        if np.prod(sizes) != size:
            return None
        return [_reshaped(input_indices, input_shape, sizes.tolist()), sizes]


def _reshaped(indices: Any, old_shape: Any, new_shape: list[int]) -> Any:
    """Where the elements of a sparse tensor are in another shape."""
    old, new = _strides(old_shape), _strides(new_shape)
    place = (indices * old).sum(axis=1)
    xp = numpy_or_jax(indices)
    columns = [place // s % max(d, 1) for s, d in zip(new, new_shape, strict=True)]
    if columns:
        columns[0] = place // new[0]  # an index that was out of range is so in the new shape
    return xp.stack(columns, axis=1) if columns else xp.zeros((place.size, 0), np.int64)


def _strides(sizes: Any) -> np.ndarray:
    return np.cumprod([1, *[max(int(size), 1) for size in sizes][:0:-1]], dtype=np.int64)[::-1][
        : len(sizes)
    ]


def _inferred(old: list[int], new: list[int], ctx: LoweringContext) -> list[int]:
    """The new shape, with what its -1 stands for."""
    size = int(np.prod(old))
    unknown = [i for i, d in enumerate(new) if d == -1]
    if len(unknown) > 1:
        text = f"only one output dimension may be -1, not both {unknown[0]} and {unknown[1]}"
        refuse(ctx, text)
    for i, d in enumerate(new):
        if d < -1:
            refuse(ctx, f"size {i} must be non-negative, not {d}")
    if unknown:
        rest = int(np.prod([d for d in new if d != -1]))
        if not rest:
            refuse(
                ctx,
                "reshape cannot infer the missing input size for an empty tensor unless all "
                "specified input sizes are non-zero",
            )
        if size % rest:
            refuse(
                ctx,
                f"Input to reshape is a SparseTensor with {size} dense values, but the requested "
                f"shape requires a multiple of {rest}. input_shape="
                f"{shapes.to_string(tuple(old))} output_shape="
                f"{shapes.to_string(tuple(max(d, 1) if d == -1 else d for d in new))}",
            )
        new = [size // rest if d == -1 else d for d in new]
    if int(np.prod(new)) != size:
        refuse(
            ctx,
            f"Input to reshape is a tensor with {size} dense values, but the requested shape has "
            f"{int(np.prod(new))}. input_shape={shapes.to_string(tuple(old))} output_shape="
            f"{shapes.to_string(tuple(new))}",
        )
    return new


@op("SparseConcat")
class SparseConcat:
    def shape(indices: Any, values: Sequence[Shape], shapes_: Sequence[Shape]) -> Any:
        count: Any = 0
        columns, rank = None, None
        for index, value, shape in zip(indices, values, shapes_, strict=True):
            index = shapes.with_rank(index, 2)
            value = shapes.with_rank(value, 1)
            shape = shapes.with_rank(shape, 1)
            count = shapes.add_dims(count, shapes.merge_dim(index[0], value[0]))
            columns = shapes.merge_dim(columns, index[1])
            rank = shapes.merge_dim(rank, shape[0])
        return [(count, columns), (count,), (rank,)]

    def lower(
        indices: Any,
        values: Sequence[Array],
        shapes_: Sequence[Array],
        *,
        concat_dim: int,
        ctx: LoweringContext,
    ) -> Any:
        for n, parts in enumerate(zip(indices, values, shapes_, strict=True)):
            _check_joined(*parts, n, ctx)
        rank = np.shape(shapes_[0])[0]
        if not -rank <= concat_dim < rank:
            text = f"Concat dimension must be in range [{-rank}, {rank}), got {concat_dim}"
            refuse(ctx, text)
        axis = concat_dim % rank
        xp = numpy_or_jax(*shapes_)
        sizes = [xp.asarray(shape) for shape in shapes_]
        _check_concat(sizes, axis, rank, ctx)
        strings = is_strings(values[0])
        offset: Any = 0
        moved = []
        for index, size in zip(indices, sizes, strict=True):
            step = (np.arange(rank) == axis) * offset
            moved.append(index + step.astype(index.dtype))
            offset = offset + size[axis]
        total = [offset if i == axis else sizes[0][i] for i in range(rank)]
        if strings:
            joined = np.concatenate(moved)
            order = np.lexsort(tuple(reversed(columns_of(joined))))
            return [joined[order], np.concatenate(values)[order], np.array(total, np.int64)]
        joined = jnp.concatenate(moved)
        order = _in_order(joined)
        joined_values = jnp.concatenate([jnp.asarray(value) for value in values])
        return [joined[order], joined_values[order], xp.stack(total)]


def _check_joined(indices: Any, values: Any, shape: Any, n: int, ctx: LoweringContext) -> None:
    for what, value, rank in (
        ("indices should be a matrix", indices, 2),
        ("values should be a vector", values, 1),
        ("shapes should be a vector", shape, 1),
    ):
        if np.ndim(value) != rank:
            text = f"Input {what} but received shape {text_of_shape(value)} at position {n}"
            refuse(ctx, text)
    check_lengths(indices, values, ctx)
    if np.shape(indices)[1] != np.shape(shape)[0]:
        refuse(ctx, "Order length must be SparseTensor rank.")


def _check_concat(sizes: list[Any], axis: int, rank: int, ctx: LoweringContext) -> None:
    for n, size in enumerate(sizes[1:], 1):
        if size.shape[0] != rank:
            refuse(
                ctx,
                f"Ranks of all input tensors must match: expected {rank} but got "
                f"{size.shape[0]} at position {n}",
            )
        for i in range(rank):
            if i != axis:
                ctx.check(
                    size[i] == sizes[0][i],
                    errors.InvalidArgumentError,
                    f"Input shapes must match: expected {{first}} for dimension {i} but got "
                    f"{{other}} at position {n}",
                    first=sizes[0][i],
                    other=size[i],
                )


not_differentiable("SparseConcat")


@op("SparseFillEmptyRowsGrad")
class SparseFillEmptyRowsGrad:
    def shape(reverse_index_map: Any, grad_values: Shape) -> Any:
        shapes.with_rank(grad_values, 1)
        return [shapes.with_rank(reverse_index_map, 1), ()]

    def lower(reverse_index_map: Any, grad_values: Array, *, ctx: LoweringContext) -> Any:
        for name, value in (("reverse_index_map", reverse_index_map), ("grad_values", grad_values)):
            if np.ndim(value) != 1:
                refuse(ctx, f"{name} must be a vector, saw: {text_of_shape(value)}")
        places, grads = jnp.asarray(reverse_index_map), jnp.asarray(grad_values)
        size = grads.shape[0]
        bad = (places < 0) | (places >= size)
        if places.size:
            ctx.check(
                ~jnp.any(bad),
                errors.InvalidArgumentError,
                f"Elements in reverse index must be in [0, {size}) but got {{place}}",
                place=places[jnp.argmax(bad)],
            )
        filled = at(jnp.ones((size,), bool))[places].set(False, **DROP)
        total = jnp.sum(jnp.where(filled, grads, 0), dtype=grads.dtype)
        return [at(grads)[places].get(mode="clip"), total]


def sparse_shapes(indices: Any, values: Any, shape: Any) -> tuple[Any, Any]:
    """(number of elements, rank) of a sparse tensor, as far as static shapes tell.

    Raises:
      ShapeError: they do not fit each other.
    """
    indices = shapes.with_rank(indices, 2)
    values = shapes.with_rank(values, 1)
    shape = shapes.with_rank(shape, 1)
    if None not in (indices[0], values[0]) and indices[0] != values[0]:
        raise ShapeError(
            f"Number of elements in index ({indices[0]}) and values ({values[0]}) do not match."
        )
    if None not in (indices[1], shape[0]) and indices[1] != shape[0]:
        raise ShapeError(f"Index rank ({indices[1]}) and shape rank ({shape[0]}) do not match.")
    return shapes.merge_dim(indices[0], values[0]), shapes.merge_dim(indices[1], shape[0])
