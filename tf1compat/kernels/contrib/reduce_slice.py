"""Reductions of slices of a tensor along one axis (`tf.contrib.reduce_slice_ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.core import dtypes, shapes
from tf1compat.core.op_registry import Shape, op
from tf1compat.core.operation import Operation
from tf1compat.kernels.text.string import invalid


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtypes.as_dtype(dtype).is_floating else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.inf if dtypes.as_dtype(dtype).is_floating else np.iinfo(dtype).max


# What is reduced with, and what an empty slice gives.
_KINDS: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "Sum": (np.add, lambda dtype: 0),
    "Prod": (np.multiply, lambda dtype: 1),
    "Max": (np.maximum, _lowest),
    "Min": (np.minimum, _highest),
}


def _shape(data: Shape, indices: Shape, axis: Shape, *, op: Operation) -> Shape:
    """TF 1.15's: that of the indices where it is known, so not always what comes out."""
    shapes.with_rank(axis, 0)
    shapes.with_rank_at_least(data, 1)
    handle, count = data, None
    if indices is not None:
        shapes.with_rank_at_least(indices, 1)
        handle = shapes.with_rank_at_most(indices, 2)
        if len(indices) == 1:
            count = shapes.subtract_dims(indices[0], 1)
        else:
            shapes.merge_dim(indices[1], 2)
            count = indices[0]
    place = op.const_input(2)
    if place is None:
        return None if data is None else shapes.unknown(len(data))
    return shapes.replace_dim(handle, int(place), count)


def _lower(data: Any, indices: Any, axis: Any, *, op: Operation) -> Any:
    function, empty = _KINDS[op.type.removeprefix("ReduceSlice")]
    if indices.ndim == 1:
        indices = np.stack([indices[:-1], indices[1:]], 1)
    axis = int(axis)
    if not 0 <= axis < data.ndim:
        raise invalid(f"Invalid axis: {axis} for data of {data.ndim} dimensions")
    moved = np.moveaxis(data, axis, 0)
    result = np.full((len(indices), *moved.shape[1:]), empty(data.dtype), data.dtype)
    for i, (start, end) in enumerate(indices.tolist()):
        part = moved[max(start, 0) : max(end, 0)]
        if len(part):
            function.reduce(part, axis=0, dtype=data.dtype, out=result[i, ...])
    return np.ascontiguousarray(np.moveaxis(result, 0, axis))


for _kind in _KINDS:
    op(f"ReduceSlice{_kind}", host=True)(
        type(f"ReduceSlice{_kind}", (), {"shape": _shape, "lower": _lower})
    )
