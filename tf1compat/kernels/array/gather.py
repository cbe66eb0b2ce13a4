"""Elements and slices by index: gather, scatter into a new tensor, one-hot."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.backend import Array, at, jax, jnp, lax
from tf1compat.core import dtypes, errors, ops, raw_ops, shapes, tensor_util
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.op_registry import gradient, not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import ShapeError, UnknownShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext, Shape
from tf1compat.kernels.array import padded_rows
from tf1compat.kernels.control_flow.tensor_array_value import TensorArrayValue
from tf1compat.kernels.framework.common import in_range, known, refuse, text_of_shape

# Gather.


def check_indices(
    indices: Any, limit: int, ctx: LoweringContext, name: str = "indices", position: int = 1
) -> None:
    """Refuses indices outside [0, limit), with TF's text about the first one; they are input
    `position`."""
    if known(indices) and in_range(indices, limit):
        return
    shape = np.shape(indices)

    def text(at: Any, value: Any) -> str:
        where = ",".join(str(int(i)) for i in np.unravel_index(int(at), shape))
        return f"{name}{f'[{where}]' if shape else ''} = {value} is not in [0, {limit})"

    if not np.size(indices):
        return
    numpy: Any = np if isinstance(indices, np.ndarray) else jnp
    bad = ((indices < 0) | (indices >= limit)).reshape(-1)
    meant = ctx.meant(position)
    if meant is not None:
        bad &= jnp.arange(bad.size) < meant
    at = numpy.argmax(bad)
    ctx.check(
        ~numpy.any(bad), errors.InvalidArgumentError, text, at=at, value=indices.reshape(-1)[at]
    )


def take(params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    """The slices of `params` at `indices`, which are in range, along `axis`."""
    params, indices = jnp.asarray(params), jnp.asarray(indices)
    if params.shape[axis] == 0:
        shape = (*params.shape[:axis], *indices.shape[batch_dims:], *params.shape[axis + 1 :])
        return jnp.zeros(shape, params.dtype)
    if not batch_dims and known(params) and known(indices):
        return params.take(indices, axis, mode="clip")
    if batch_dims and axis == batch_dims and known(params) and known(indices):
        rank = indices.ndim
        batch = [
            np.arange(size).reshape(-1, *[1] * (rank - 1 - i))
            for i, size in enumerate(params.shape[:batch_dims])
        ]
        return params[(*batch, indices)]

    # Checked already: clipping only spares XLA the filling of what is out of range.
    def take_one(params: Any, indices: Any) -> Any:
        return jnp.take(params, indices, axis=axis - batch_dims, mode="clip")

    taken = take_one
    for _ in range(batch_dims):
        taken = jax.vmap(taken)
    return taken(params, indices)


@op("Gather", autodiff=True, padding=padded_rows.rows_at(1))
class Gather:
    def shape(params: Any, indices: Shape) -> Shape:
        shapes.with_rank_at_least(params, 1)
        return shapes.concat(indices, shapes.subshape(params, 1))

    def lower(params: Any, indices: Array, *, ctx: LoweringContext) -> Array:
        if not np.ndim(params):
            refuse(ctx, "params must be at least 1 dimensional")
        check_indices(indices, np.shape(params)[0], ctx)
        return take(params, indices, 0, 0)

    def fold(params: Any, indices: np.ndarray) -> np.ndarray:
        return _fold_take(params, indices, 0)

    def gradient(op: Any, grad: Tensor) -> Gradients:
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
    with ops.colocate_with(params):
        shape = array_ops.shape(params, out_type=dtypes.int64)
        return math_ops.cast(shape, dtypes.int32)


def _quiet_reshape(grad: Any, shape: Any) -> Any:
    """Reshapes a gradient that may be IndexedSlices, without the warning about making it dense."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Converting sparse IndexedSlices to a dense Tensor.*"
        )
        return array_ops.reshape(grad, shape)


_of_rows = padded_rows.rows_at(1)


def _padding(op: Operation, kinds: Any) -> Any:
    along_rows = op.const_input(2) == 0 and not op._attrs["batch_dims"]
    return _of_rows(op, kinds) if along_rows else padded_rows.REFUSED


@op("GatherV2", const=(2,), autodiff=True, padding=_padding)
class GatherV2:
    def shape(params: Any, indices: Shape, axis: Shape, *, batch_dims: int, op: Operation) -> Shape:
        shapes.with_rank_at_least(params, 1)
        shapes.with_rank(axis, 0)
        value = op.const_input(2)
        if value is None:
            if params is None or indices is None:
                return None
            return (None,) * (len(params) + len(indices) - 1)
        at = int(value)
        shapes.with_rank_at_least(params, -at if at < 0 else at + 1)
        shapes.with_rank_at_least(params, batch_dims + 1)
        outer = shapes.subshape(params, 0, at)
        inner = () if at == -1 else shapes.subshape(params, at + 1)
        return shapes.concat(outer, shapes.subshape(indices, batch_dims), inner)

    def lower(
        params: Any, indices: Array, axis: np.ndarray, *, batch_dims: int, ctx: LoweringContext
    ) -> Any:
        if isinstance(params, TensorArrayValue):  # A flow repeated is that flow (see `pfor`).
            return params
        if np.ndim(axis):
            refuse(ctx, "axis must be scalar")
        rank, at = np.ndim(params), int(axis)
        if not rank:
            refuse(ctx, "params must be at least 1 dimensional")
        if not -rank <= at < rank:
            refuse(ctx, f"Expected axis in the range [{-rank}, {rank}), but got {at}")
        at %= rank
        batch = _batch_dims(batch_dims, np.shape(params), np.shape(indices), at, ctx)
        check_indices(indices, np.shape(params)[at], ctx)
        return take(params, indices, at, batch)

    def numpy(
        params: Any, indices: np.ndarray, axis: np.ndarray, *, batch_dims: int, ctx: LoweringContext
    ) -> np.ndarray:
        if axis.ndim:
            raise ValueError("The axis is no scalar")
        at = axis.item()
        if batch_dims or not in_range(indices, params.shape[at]):
            return GatherV2.lower(params, indices, axis, batch_dims=batch_dims, ctx=ctx)
        return params.take(indices, at)

    def fold(params: Any, indices: Any, axis: Any, *, batch_dims: int) -> Any:
        return None if batch_dims else _fold_take(params, indices, int(axis))

    def gradient(op: Any, grad: Tensor) -> Gradients:
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
        batches, between, at_axis, after = _dimensions(values_shape, outer, batch_dims)
        values = _quiet_reshape(grad, values_shape)
        perm = array_ops.concat([batches, at_axis, between, after], 0)
        moved = array_ops.transpose(values, perm)
        result = _batch_gather_gradient(shape, moved, indices, batch_dims, shape[axis])
        back = array_ops.concat([batches, between + 1, [batch_dims], after], 0)
        return [array_ops.transpose(result, back), None, None]


def _dimensions(shape: Any, outer: Any, batch_dims: int) -> tuple[Any, ...]:
    """The dimensions of the batch, those from it to the axis, the axis (which is as far in as
    `outer` is long), and those after it."""
    rank, axis = array_ops.size(shape), array_ops.size(outer)
    batches = math_ops.range(batch_dims)
    return batches, math_ops.range(batch_dims, axis), [axis], math_ops.range(axis + 1, rank)


def _batch_dims(batch_dims: int, params: Any, indices: Any, axis: int, ctx: LoweringContext) -> int:
    """How many leading dimensions params and indices share, or TF's error."""
    if not batch_dims:
        return 0
    rank = len(indices)
    if not -rank <= batch_dims < rank:
        refuse(ctx, f"Expected batch_dims in the range [{-rank}, {rank}), but got {batch_dims}")
    if batch_dims < 0:
        batch_dims += rank
    if batch_dims >= len(params):
        refuse(ctx, f"batch_dims ({batch_dims}) must be less than rank(params) ({len(params)}).")
    if axis < batch_dims:
        refuse(ctx, f"batch_dims ({batch_dims}) must be less than or equal to axis ({axis}).")
    for i in range(batch_dims):
        if params[i] != indices[i]:
            refuse(
                ctx,
                f"params.shape[{i}]: {params[i]} should be equal to indices.shape[{i}]: "
                f"{indices[i]}",
            )
    return batch_dims


def _batch_gather_gradient(
    shape: Any, values: Any, indices: Any, batch_dims: int, size: Any
) -> Any:
    count = array_ops.expand_dims(array_ops.size(indices), 0)
    if not batch_dims:
        return math_ops.unsorted_segment_sum(values, array_ops.reshape(indices, count), size)
    values_shape = array_ops.shape(values)
    outer = values_shape[:batch_dims]
    inner = values_shape[batch_dims:][1:]
    batch = raw_ops.Prod(outer, [0], False)
    flat = array_ops.concat([[-1], inner], 0)
    size = size * batch
    indices = _batch_indices(shape, indices, batch_dims)
    values = _quiet_reshape(values, flat)
    sums = math_ops.unsorted_segment_sum(values, array_ops.reshape(indices, count), size)
    return array_ops.reshape(sums, array_ops.concat([outer, flat], 0))


def _batch_indices(shape: Any, indices: Any, batch_dims: int) -> Any:
    """Adds to each index where its batch begins."""
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


# Indices of several dimensions.


def check_index_rows(
    indices: Any, limits: Any, text: Callable[[str, str], str], ctx: LoweringContext
) -> None:
    """Refuses rows of indices that are not within `limits`.

    Args:
      indices: [..., depth].
      limits: as many sizes as the rows of indices are long.
      text: words it, for where the first bad row is (`indices[2]`) and what it says.
      ctx: the run.
    """
    depth = indices.shape[-1]
    if not depth or not indices.size:
        return
    bad = jnp.any((indices < 0) | (indices >= np.array(limits, indices.dtype)), axis=-1).reshape(-1)
    at = jnp.argmax(bad)
    outer = indices.shape[:-1]

    def words(at: Any, value: Any) -> str:
        place = ",".join(str(int(i)) for i in np.unravel_index(int(at), outer))
        row = ", ".join(str(int(v)) for v in np.atleast_1d(value))
        return text(f"indices[{place}]" if outer else "indices", row)

    row = indices.reshape(-1, depth)[at]
    ctx.check(~jnp.any(bad), errors.InvalidArgumentError, words, at=at, value=row)


@op("GatherNd", autodiff=True)
class GatherNd:
    def shape(params: Any, indices: Shape) -> Shape:
        shapes.with_rank_at_least(indices, 1)
        if params is None or indices is None or indices[-1] is None:
            return None
        depth = indices[-1]
        if depth > len(params):
            raise ShapeError(
                "indices.shape[-1] must be <= params.rank, but saw indices shape: "
                f"{shapes.to_string(indices)} and params shape: {shapes.to_string(params)}"
            )
        return (*indices[:-1], *params[depth:])

    def lower(params: Any, indices: Array, *, ctx: LoweringContext) -> Array:
        # Text stays on the host.
        params = params if params.dtype == object else jnp.asarray(params)
        indices = jnp.asarray(indices)
        if not params.ndim:
            refuse(ctx, "params must be at least a vector")
        if not indices.ndim:
            refuse(ctx, "indices must be at least a vector")
        depth, shape = indices.shape[-1], params.shape
        if depth > len(shape):
            refuse(
                ctx,
                "index innermost dimension length must be <= params rank; saw: "
                f"{depth} vs. {len(shape)}",
            )
        if not params.size and math.prod(indices.shape[:-1]):
            refuse(
                ctx,
                "Requested more than 0 entries, but params is empty.  Params shape: "
                f"{shapes.to_string(shape)}",
            )
        check_index_rows(
            indices,
            shape[:depth],
            lambda where, value: (
                f"{where} = [{value}] does not index into param shape {shapes.to_string(shape)}"
            ),
            ctx,
        )
        index = tuple(jnp.clip(indices[..., i], 0, max(shape[i] - 1, 0)) for i in range(depth))
        if params.dtype == object:
            return params[tuple(map(np.asarray, index))].reshape(
                *indices.shape[:-1], *shape[depth:]
            )
        return params[index] if depth else jnp.broadcast_to(params, (*indices.shape[:-1], *shape))

    def gradient(op: Any, grad: Tensor) -> Gradients:
        params, indices = op.inputs
        shape = array_ops.shape(params, out_type=indices.dtype)
        dims = indices._shape
        if dims is not None and len(dims) == 2 and dims[-1] == 1:
            return [IndexedSlices(grad, array_ops.squeeze(indices, axis=-1), shape), None]
        return [array_ops.scatter_nd(indices, grad, shape), None]


def scattered_shape(into: Any, indices: Any, updates: Any, which: str) -> None:
    """Refuses updates that don't fit the indices or what they are scattered into, with TF's
    texts.
    """
    if shapes.num_elements(into) == 0 and (
        (shapes.num_elements(indices) or 0) > 0 or (shapes.num_elements(updates) or 0) > 0
    ):
        raise ShapeError("Indices and updates specified for empty output shape")
    if indices is None or updates is None or indices[-1] is None:
        return
    outer = len(indices) - 1
    at = (
        f"of indices.shape={shapes.to_string(indices)} must match the outer {outer} dimensions of "
        f"updates.shape={shapes.to_string(updates)}"
    )
    prefix = shapes.subshape(updates, 0, outer)
    try:
        shapes.merge(indices[:-1], prefix)
    except ShapeError as error:
        raise ShapeError(f"The outer {outer} dimensions {at}: {error}") from None
    suffix = shapes.subshape(into, indices[-1])
    try:
        shapes.merge(suffix, shapes.subshape(updates, outer))
    except ShapeError as error:
        inner = len(into) - indices[-1]
        raise ShapeError(
            f"The inner {inner} dimensions of {which}.shape={shapes.to_string(into)} must match "
            f"the "
            f"inner {len(updates) - outer} dimensions of "
            f"updates.shape={shapes.to_string(updates)}: {error}"
        ) from None


def _scatter(into: Any, indices: Any, updates: Any, method: str, ctx: LoweringContext) -> Any:
    """Scatters `updates` into the array `into`, checked as by TF's kernels."""
    indices, updates = jnp.asarray(indices), jnp.asarray(updates)
    sizes = into.shape
    if not indices.ndim:
        refuse(ctx, f"Indices shape must have rank at least one. Found:{text_of_shape(indices)}")
    if not updates.ndim:
        refuse(ctx, f"Updates shape must have rank at least one. Found:{text_of_shape(updates)}")
    empty = not indices.size, not updates.size
    if empty[0] != empty[1] or (0 in sizes and not all(empty)):
        refuse(ctx, "Indices and updates specified for empty output shape")
    outer, depth = indices.ndim - 1, indices.shape[-1]
    inner, suffix = sizes[depth:], updates.shape[outer:]
    if updates.shape[:outer] != indices.shape[:-1]:
        refuse(
            ctx,
            "Outer dimensions of indices and update must match. Indices shape: "
            f"{text_of_shape(indices)}, updates shape:{text_of_shape(updates)}",
        )
    if len(suffix) != len(sizes) - depth:
        refuse(
            ctx,
            "Inner dimensions of output shape must match inner dimensions of updates shape. "
            f"Output: {shapes.to_string(sizes)} updates: {text_of_shape(updates)}",
        )
    if suffix != inner:
        refuse(
            ctx,
            f"The inner {len(inner)} dimensions of output.shape={shapes.to_string(sizes)} must "
            f"match the inner {len(suffix)} dimensions of updates.shape={text_of_shape(updates)}",
        )
    check_index_rows(
        indices,
        sizes[:depth],
        lambda where, value: (
            f"{where} = [{value}] does not index into shape {shapes.to_string(sizes)}"
        ),
        ctx,
    )
    target = at(into)[tuple(indices[..., i] for i in range(depth))]
    return getattr(target, method)(updates, mode="drop")


@op("ScatterNd", const=(2,), autodiff=True)
class ScatterNd:
    def shape(indices: Any, updates: Shape, shape: Shape, *, op: Operation) -> Shape:
        shapes.with_rank_at_least(indices, 1)
        shapes.with_rank_at_least(updates, 1)
        result = op.shape_input(2)
        scattered_shape(result, indices, updates, "output")
        return result

    def lower(indices: Any, updates: Array, shape: np.ndarray, *, ctx: LoweringContext) -> Array:
        if np.ndim(shape) != 1:
            refuse(ctx, "Shape must be a vector")
        sizes = tuple(int(v) for v in shape)
        for size in sizes:
            if size < 0:
                refuse(ctx, f"Dimension {size} must be >= 0")
        if np.ndim(indices) < 1:
            refuse(
                ctx, f"Indices shape must have rank at least one. Found:{text_of_shape(indices)}"
            )
        if np.ndim(updates) < 1:
            refuse(
                ctx, f"Updates shape must have rank at least one. Found:{text_of_shape(updates)}"
            )
        if 0 in sizes and (np.size(indices) or np.size(updates)):
            refuse(
                ctx,
                "Indices and updates specified for empty output.  indices shape: "
                f"{text_of_shape(indices)}",
            )
        method = "max" if updates.dtype == bool else "add"
        return _scatter(jnp.zeros(sizes, updates.dtype), indices, updates, method, ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        return [None, array_ops.gather_nd(grad, op.inputs[0]), None]


def _into_shape(tensor: Any, indices: Any, updates: Any) -> Any:
    for shape in (tensor, indices, updates):
        shapes.with_rank_at_least(shape, 1)
    scattered_shape(tensor, indices, updates, "output")
    return tensor


def _into(method: str, negate: bool = False) -> Callable[..., Any]:
    def lower(tensor: Any, indices: Any, updates: Any, *, ctx: LoweringContext) -> Any:
        updates = -updates if negate else updates
        return _scatter(jnp.asarray(tensor), indices, updates, method, ctx)

    return lower


register("TensorScatterUpdate", shape=_into_shape, lower=_into("set"))
register("TensorScatterAdd", shape=_into_shape, lower=_into("add"), autodiff=True)
register("TensorScatterSub", shape=_into_shape, lower=_into("add", negate=True), autodiff=True)
register("ScatterNdNonAliasingAdd", shape=_into_shape, lower=_into("add"), autodiff=True)


@gradient("TensorScatterUpdate")
def _tensor_scatter_update_gradient(op: Operation, grad: Tensor) -> Any:
    indices = op.inputs[1]
    updates_grad = array_ops.gather_nd(grad, indices)
    kept = array_ops.identity(grad)
    zeros = array_ops.zeros_like(op.inputs[2], dtype=grad.dtype)
    rest = raw_ops.TensorScatterUpdate(kept, indices, zeros)
    return [rest, None, updates_grad]


@gradient("TensorScatterAdd")
def _tensor_scatter_add_gradient(op: Operation, grad: Tensor) -> Any:
    updates_grad = array_ops.gather_nd(grad, op.inputs[1])
    return [array_ops.identity(grad), None, updates_grad]


@gradient("TensorScatterSub")
def _tensor_scatter_sub_gradient(op: Operation, grad: Tensor) -> Any:
    updates_grad = array_ops.gather_nd(grad, op.inputs[1])
    return [array_ops.identity(grad), None, -updates_grad]


@gradient("ScatterNdNonAliasingAdd")
def _scatter_nd_add_gradient(op: Operation, grad: Tensor) -> Any:
    return [grad, None, array_ops.gather_nd(grad, op.inputs[1])]


def _full(like: Any, value: Any) -> Any:
    return jnp.full(np.shape(like), value, like.dtype)


@op("UnravelIndex", const=(1,))
class UnravelIndex:
    def shape(indices: Any, dims: Shape) -> Shape:
        rank = shapes.with_rank(dims, 1)[0]
        if indices is None:
            return None
        return (rank,) if not indices else (rank, shapes.num_elements(indices))

    def lower(indices: Any, dims: np.ndarray, *, ctx: LoweringContext) -> Array:
        if np.ndim(indices) > 1:
            shape = text_of_shape(indices)
            refuse(ctx, f'The indices can only be scalar or vector, got "{shape}"')
        if np.ndim(dims) != 1:
            refuse(ctx, f'The indices can only be 1-D, got "{text_of_shape(dims)}"')
        indices = jnp.asarray(indices)
        if not dims.size:
            return jnp.zeros((0, *indices.shape), indices.dtype)
        steps = int(np.prod(dims)) // np.cumprod(dims)
        parts = [  # of a negative index as C++ divides
            lax.rem(lax.div(indices, _full(indices, step)), _full(indices, dim))
            for step, dim in zip(steps, dims)
        ]
        return jnp.stack(parts)


# One-hot.


@op("OneHot", const=(1,))
class OneHot:
    def shape(
        indices: Any, depth: Shape, on_value: Shape, off_value: Shape, *, axis: int, op: Operation
    ) -> Shape:
        if axis < -1:
            raise UnknownShapeError("axis must be >= -1")
        value = op.const_input(1)
        if value is not None and value.ndim:
            raise ShapeError(f"Input must be scalar but has rank {value.ndim}")
        size = None if value is None else int(value)
        if size is not None and size < 0:
            raise ShapeError(
                f"Dimension size, given by scalar input 1, must be non-negative but is {size}"
            )
        if indices is None:
            return None
        at = (axis + len(indices) + 1) % (len(indices) + 1)
        return (*indices[:at], size, *indices[at:])

    def lower(
        indices: Any,
        depth: np.ndarray,
        on_value: Array,
        off_value: Array,
        *,
        axis: int,
        ctx: LoweringContext,
    ) -> Array:
        rank = np.ndim(indices)
        if not (axis == -1 or 0 <= axis <= rank):
            refuse(ctx, f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis}")
        for name, value in (("depth", depth), ("on_value", on_value), ("off_value", off_value)):
            if np.ndim(value):
                refuse(ctx, f"{name} must be a scalar, but got: {text_of_shape(value)}")
        size = int(depth)
        if size < 0:
            refuse(ctx, f"depth must be non-negative, got: {size}")
        at = rank if axis == -1 else axis
        layout = [1] * (rank + 1)
        layout[at] = size
        # Compared in 64 bits: a uint8 index is less than a depth that does not fit its type.
        positions = jnp.arange(size, dtype=jnp.int64).reshape(layout)
        hit = jnp.expand_dims(jnp.asarray(indices, jnp.int64), at) == positions
        return jnp.where(hit, on_value, off_value)

    def stacked(
        indices: Any,
        depth: np.ndarray,
        on_value: Array,
        off_value: Array,
        *,
        axis: int,
        ctx: LoweringContext,
    ) -> Array:
        at = axis if axis < 0 else axis + 1
        return OneHot.lower(indices, depth, on_value, off_value, axis=at, ctx=ctx)

    def fold(indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
        if depth < 0 or depth.ndim or on_value.ndim or off_value.ndim:
            return None
        at = indices.ndim if axis == -1 else axis
        layout = [1] * (indices.ndim + 1)
        layout[at] = int(depth)
        hit = np.expand_dims(indices, at) == np.arange(int(depth)).reshape(layout)
        return np.where(hit, on_value, off_value)


not_differentiable("OneHot")
