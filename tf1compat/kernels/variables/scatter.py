"""Updating rows, elements and slices of variables, and gathering from resource variables."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.variables import resource_variable_ops
from tf1compat.backend import at, in_place, jnp, lax
from tf1compat.core import errors, ops, raw_ops, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Gradients, LoweringContext
from tf1compat.kernels.array import padded_rows, strided_slice
from tf1compat.kernels.array.gather import GatherNd, check_index_rows, check_indices, take
from tf1compat.kernels.array.slicing import located
from tf1compat.kernels.framework.common import known, text_of_shape
from tf1compat.kernels.variables.state import check_handle_dtype, variable_shape

Array = Any


# Combining updates with what is there.  `where` is a tuple of index vectors; repeated indices act
# one after the other.
# An index out of range fails the run elsewhere; here its update is dropped.

_MODE: dict[str, Any] = {"mode": "drop", "wrap_negative_indices": False}


def _places(where: tuple[Array, ...], sizes: tuple[int, ...]) -> Array:
    """A number for each update, in [0, updates): the same where they are for the same place."""
    flat = where[0]
    if len(where) > 1 and math.prod(sizes) > np.iinfo(flat.dtype).max:
        flat = flat.astype(np.int64)
    for index, size in zip(where[1:], sizes[1:], strict=True):
        flat = flat * size + index.astype(flat.dtype)
    order = jnp.argsort(flat, stable=True)
    ordered = flat[order]
    other = at(jnp.zeros_like(order))[1:].set((ordered[1:] != ordered[:-1]).astype(order.dtype))
    return at(order)[order].set(jnp.cumsum(other, dtype=order.dtype))


def _set_last(params: Array, where: tuple[Array, ...], updates: Array) -> Array:
    """Of several updates of one place the last one holds, on every device."""
    count = where[0].size
    if count > 1 and not known(params):  # NumPy keeps the last.
        places, turn = _places(where, params.shape[: len(where)]), jnp.arange(count)
        latest = at(jnp.zeros_like(turn))[places].max(turn)
        # An update that a later one overwrites is sent out of range, where it is dropped.
        where = (jnp.where(latest[places] == turn, where[0], params.shape[0]), *where[1:])
    return in_place(params)[where].set(updates, **_MODE)


def _divide(params: Array, where: tuple[Array, ...], updates: Array) -> Array:
    places = _places(where, params.shape[: len(where)])
    divisors = at(jnp.ones_like(updates))[places].multiply(updates)[places]
    # Integers are divided towards zero.
    rows = lax.div(at(params)[where].get(mode="clip"), divisors)
    return in_place(params)[where].set(rows, **_MODE)


def _without_nan(updates: Array, instead: float) -> Array:
    """TF compares, and a comparison with NaN changes nothing."""
    if not jnp.issubdtype(updates.dtype, jnp.floating):
        return updates
    return jnp.where(jnp.isnan(updates), jnp.asarray(instead, updates.dtype), updates)


_COMBINE: dict[str, Callable[[Array, tuple[Array, ...], Array], Array]] = {
    "Update": _set_last,
    "Add": lambda params, where, updates: in_place(params)[where].add(updates, **_MODE),
    "Sub": lambda params, where, updates: in_place(params)[where].subtract(updates, **_MODE),
    "Mul": lambda params, where, updates: in_place(params)[where].multiply(updates, **_MODE),
    "Div": _divide,
    "Min": lambda params, where, updates: in_place(params)[where].min(
        _without_nan(updates, jnp.inf), **_MODE
    ),
    "Max": lambda params, where, updates: in_place(params)[where].max(
        _without_nan(updates, -jnp.inf), **_MODE
    ),
}


def _changing(update: str) -> Callable[..., list[Array]]:
    """What `ctx.update` is to do with a variable."""
    combine = _COMBINE[update]
    return lambda tables, where, updates: [combine(tables[0], where, updates)]


# Scatter: rows.


def _scatter_shape(_: Shape, indices: Shape, updates: Shape, *, op: Any) -> Shape | list[Shape]:
    variable = variable_shape(op)
    if op._inputs[0]._dtype._is_ref_dtype:
        result: Any = variable
    else:
        check_handle_dtype(op, op._attrs["dtype"])
        result = []
    # A scalar is an update of every row.
    if updates != ():
        shapes.with_rank_at_least(variable, 1)
        rows = None if variable is None else variable[1:]
        shapes.merge(updates, shapes.concat(indices, rows))
    return result


def _scatter_lower(update: str) -> Callable[..., Any]:
    change = _changing(update)

    def lower(ref: Any, indices: Array, updates: Array, *, ctx: LoweringContext) -> Any:
        shape, indices = ref.value_shape, jnp.asarray(indices)
        check_indices(indices, shape[0], ctx)
        wanted = indices.shape + shape[1:]
        if np.shape(updates) == ():
            updates = jnp.broadcast_to(updates, wanted)
        if ref.is_resource and indices.size:
            # All that TensorFlow looks at; the next check is stricter.
            ctx.check(
                np.size(updates) % indices.size == 0,
                errors.InvalidArgumentError,
                f"shape of indices ({text_of_shape(indices)}) is not compatible with the shape of "
                f"updates ({text_of_shape(updates)})",
            )
        ctx.check(
            np.shape(updates) == wanted,
            errors.InvalidArgumentError,
            "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got "
            f"updates.shape {text_of_shape(updates)}, indices.shape {text_of_shape(indices)}, "
            f"params.shape {shapes.to_string(shape)}",
        )
        rows = jnp.reshape(updates, (indices.size, *shape[1:]))
        ctx.update([ref], (indices.reshape(-1),), change, rows)
        return None if ref.is_resource else ref

    return lower


for _name in _COMBINE:
    for _form in ("Scatter", "ResourceScatter"):
        register(
            _form + _name,
            shape=_scatter_shape,
            lower=_scatter_lower(_name),
            writes=(0,),
            updates_rows=True,
            padding=padded_rows.updating(1, 2),
        )


# ScatterNd: elements and slices.


def _scatter_nd_shape(_: Shape, indices: Shape, updates: Shape, *, op: Any) -> Shape | list[Shape]:
    variable = variable_shape(op)
    result: Any = variable if op._inputs[0]._dtype._is_ref_dtype else []
    if variable is not None:
        shapes.with_rank_at_least(variable, 1)
    if indices is None or updates is None or variable is None:
        return result
    shapes.with_rank_at_least(indices, 1)
    outer = len(indices) - 1
    shapes.with_rank_at_least(updates, outer)
    depth = indices[-1]
    if depth is None:
        return result
    for of_what, expected in ((indices, indices[:-1]), (variable, variable[depth:])):
        is_outer = of_what is indices
        found = updates[:outer] if is_outer else updates[outer:]
        try:
            shapes.merge(expected, found)
        except ShapeError as error:
            side, name = ("outer", "indices") if is_outer else ("inner", "input")
            raise ShapeError(
                f"The {side} {len(expected)} dimensions of {name}.shape="
                f"{shapes.to_string(of_what)} must match the {side} {len(found)} dimensions of "
                f"updates.shape={shapes.to_string(updates)}: {error}"
            ) from None
    return result


def _scatter_nd_lower(update: str) -> Callable[..., Any]:
    change = _changing(update)

    def lower(ref: Any, indices: Array, updates: Array, *, ctx: LoweringContext) -> Any:
        shape, indices = ref.value_shape, jnp.asarray(indices)
        found = f"indices.shape {text_of_shape(indices)}, updates.shape {text_of_shape(updates)}"
        ctx.check(
            (0 in np.shape(indices)) == (0 in np.shape(updates)),
            errors.InvalidArgumentError,
            "Indices and updates specified for empty output.  indices shape: "
            f"{text_of_shape(indices)}",
        )
        ctx.check(
            not indices.ndim or np.shape(updates)[:1] in ((), np.shape(indices)[:1]),
            errors.InvalidArgumentError,
            f"The outermost dimension of updates and indices must match. Got {found}",
        )
        batch = max(indices.ndim - 1, 1)
        depth = indices.shape[-1] if indices.ndim > 1 else 1
        ctx.check(
            indices.ndim > 0
            and depth <= len(shape)
            and np.shape(updates) == (*indices.shape[:batch], *shape[depth:]),
            errors.InvalidArgumentError,
            "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
            f"updates.shape: {text_of_shape(updates)}, indices.shape: {text_of_shape(indices)}, "
            f"params_shape: {shapes.to_string(shape)}, slice_dim: {depth}, and batch_dim: {batch}",
        )
        if indices.ndim == 1:  # TF looks at the first alone.
            indices, updates = indices[:1, None], updates[:1]
        if depth == 0:
            raise NotImplementedError(
                f"{ctx.op.type} with indices of depth 0 is not supported by tf1compat yet"
            )
        check_index_rows(
            indices,
            shape[:depth],
            lambda where, value: (
                f"{where} = [{value}] does not index into shape {shapes.to_string(shape)}"
            ),
            ctx,
        )
        flat = indices.reshape(-1, depth)
        updates = jnp.reshape(updates, (flat.shape[0], *shape[depth:]))
        ctx.update([ref], tuple(flat[:, i] for i in range(depth)), change, updates)
        return None if ref.is_resource else ref

    return lower


for _name in ("Update", "Add", "Sub"):
    for _form in ("ScatterNd", "ResourceScatterNd"):
        register(
            _form + _name,
            shape=_scatter_nd_shape,
            lower=_scatter_nd_lower(_name),
            writes=(0,),
            updates_rows=True,
        )


# Gathering from a resource variable.


def _gather_shape(_: Shape, indices: Shape, *, dtype: Any, batch_dims: int, op: Any) -> Shape:
    check_handle_dtype(op, dtype)
    params = variable_shape(op)
    if params is not None:
        shapes.with_rank_at_least(params, 1 + batch_dims)
    if params is None or indices is None:
        return None
    return (*indices[:batch_dims], *indices[batch_dims:], *params[batch_dims + 1 :])


@op("ResourceGather", reads=(0,), padding=padded_rows.rows_at(1))
class ResourceGather:
    shape = staticmethod(_gather_shape)

    def lower(resource: Any, indices: Any, *, batch_dims: int, ctx: LoweringContext) -> Any:
        params = resource.read()
        check_indices(indices, np.shape(params)[batch_dims], ctx)
        return take(params, indices, batch_dims, batch_dims)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        handle, indices = op.inputs
        params_shape = resource_variable_ops.variable_shape(handle)
        size = array_ops.expand_dims(array_ops.size(indices), 0)
        values_shape = array_ops.concat([size, params_shape[1:]], 0)
        values = array_ops.reshape(grad, values_shape)
        indices = array_ops.reshape(indices, size)
        return ops.IndexedSlices(values, indices, params_shape), None


@op("ResourceGatherNd", reads=(0,))
class ResourceGatherNd:
    def shape(resource: Any, indices: Shape, *, dtype: DType, op: Operation) -> Shape:
        check_handle_dtype(op, dtype)
        params = variable_shape(op)
        if params is None or indices is None or indices[-1] is None:
            return None
        if indices[-1] > len(params):
            raise ShapeError(
                f"indices.shape[-1] must be <= params.rank, but saw indices shape: "
                f"{shapes.to_string(indices)} and params shape: {shapes.to_string(params)}"
            )
        return (*indices[:-1], *params[indices[-1] :])

    def lower(resource: Any, indices: Any, *, ctx: LoweringContext) -> Any:
        return GatherNd.lower(resource.read(), indices, ctx=ctx)

    def gradient(op: Any, grad: Tensor) -> Gradients:
        handle, indices = op.inputs
        shape = raw_ops.VariableShape(handle, out_type=indices.dtype)
        dims = indices._shape
        if dims is not None and len(dims) == 2 and dims[-1] == 1:
            return ops.IndexedSlices(grad, array_ops.squeeze(indices, axis=-1), shape), None
        return array_ops.scatter_nd(indices, grad, shape), None


# Assigning to a slice.


def _assign_slice(
    ref: Any, begin: Any, end: Any, strides: Any, value: Any, *, ctx: LoweringContext
) -> Any:
    ref.assign(_with_slice(ref.read(), begin, end, strides, value, ctx))
    return None if ref.is_resource else ref


def _with_slice(
    params: Any, begin: Any, end: Any, strides: Any, value: Any, ctx: LoweringContext
) -> Any:
    """An array with another slice."""
    params = jnp.asarray(params)
    spec, index = located(params.shape, begin, end, strides, ctx.op, ctx)
    wanted = strided_slice.sizes(params.shape, spec)
    if 0 in wanted:
        return params
    ctx.check(
        np.shape(value) == wanted,
        errors.UnimplementedError,
        f"sliced l-value shape {text_of_shape(np.broadcast_to(False, wanted))} does not match "
        f"r-value shape {text_of_shape(value)}. Automatic broadcasting not yet implemented.",
    )
    return at(params)[index].set(jnp.squeeze(value, tuple(spec.new)))


@op("TensorStridedSliceUpdate", const=(3,))
class TensorStridedSliceUpdate:
    def shape(input: Any, begin: Shape, end: Shape, strides: Shape, value: Shape) -> Shape:
        return input

    def lower(
        input: Any, begin: Any, end: Any, strides: np.ndarray, value: Any, *, ctx: LoweringContext
    ) -> Any:
        return _with_slice(input, begin, end, strides, value, ctx)


@op("StridedSliceAssign", writes=(0,), const=(3,))
class StridedSliceAssign:
    def shape(ref: Any, begin: Shape, end: Shape, strides: Shape, value: Shape) -> Any:
        return ref

    lower = staticmethod(_assign_slice)


@op("ResourceStridedSliceAssign", writes=(0,), const=(3,))
class ResourceStridedSliceAssign:
    def shape(ref: Any, begin: Shape, end: Shape, strides: Shape, value: Shape) -> Any:
        return []

    lower = staticmethod(_assign_slice)


@op("ScatterAddNdim", writes=(0,))
class ScatterAddNdim:
    def shape(input: Any, indices: Shape, deltas: Shape) -> None:
        pass

    def lower(input: Any, indices: Any, deltas: Any) -> None:
        params, places = jnp.asarray(input.read()), jnp.moveaxis(jnp.asarray(indices), -1, 0)
        input.assign(at(params)[tuple(places)].add(deltas, **_MODE))


not_differentiable(
    "ScatterAdd", "ScatterSub", "ScatterMul", "ScatterDiv",
    "ScatterNdUpdate", "ScatterNdAdd", "ScatterNdSub",
)  # fmt: skip
