"""`tensorflow.python.ops.ragged.ragged_getitem`: what `ragged[…]` records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_gather_ops, ragged_math_ops
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.core import context, ops
from tf1compat.core.tensor import Tensor

_ALL = slice(None)


def ragged_tensor_getitem(self: RaggedTensor, key: Any) -> Any:
    """Rows, parts of rows and elements of a ragged tensor (as in TF 1.15).

    Args:
      self: the ragged tensor.
      key: as for tensors; but a ragged dimension inside takes no single index.

    Returns:
      A ragged tensor or tensor.

    Raises:
      ValueError: an index into a ragged dimension inside.
      IndexError, TypeError: too many indices, or no indices at all.
    """
    with ops.name_scope(None, "RaggedGetItem", [self, *_tensors_in(key)]):
        return _getitem(self, list(key) if isinstance(key, list | tuple) else [key])


def _tensors_in(key: Any) -> Iterator[Tensor]:
    if isinstance(key, Tensor):
        yield key
    parts: Any = key if isinstance(key, list | tuple) else ()
    if isinstance(key, slice):
        parts = (key.start, key.stop, key.step)
    for part in parts:
        yield from _tensors_in(part)


def _getitem(value: Any, keys: list[Any]) -> Any:
    if not keys:
        return value
    row_key, inner_keys = keys[0], keys[1:]
    if row_key is Ellipsis:
        return _getitem(value, _without_ellipsis(keys, value.shape.ndims))
    if row_key is array_ops.newaxis:
        inner = _getitem(value, inner_keys)
        nsplits = array_ops.shape(inner.row_splits, out_type=inner.row_splits.dtype)[0]
        splits = array_ops.stack([0, nsplits - 1])
        return RaggedTensor.from_row_splits(inner, splits, validate=False)
    if isinstance(row_key, slice):
        return _inner_getitem(_rows(value, row_key), inner_keys)
    starts, limits = value.row_splits[:-1], value.row_splits[1:]
    if context.executing_eagerly():
        try:
            outside = int(row_key) >= len(starts)
        except (TypeError, ValueError):
            outside = False
        if outside:
            raise IndexError(f"Row key {row_key} out of bounds")
    row = value.values[starts[row_key] : limits[row_key]]
    return row.__getitem__(inner_keys)


def _is_all(key: slice) -> bool:
    return key.start is None and key.stop is None and key.step is None


def _rows(value: RaggedTensor, key: slice) -> RaggedTensor:
    """A slice of the rows."""
    if _is_all(key):
        return value
    starts = value.row_splits[:-1][key]
    limits = value.row_splits[1:][key]
    zero = array_ops.zeros([1], value.row_splits.dtype)
    if key.step is not None and key.step != 1:
        return _of_ranges(starts, limits, 1, value.values)
    # Of no rows at all the splits are a zero; else the first row's start and all limits.
    splits = array_ops.concat([zero[array_ops.size(starts) :], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor.from_row_splits(value.values[first:last], splits - first, validate=False)


def _inner_getitem(value: Any, keys: list[Any]) -> Any:
    """Slices of every row."""
    if not keys:
        return value
    if isinstance(value, Tensor):
        return value.__getitem__([_ALL, *keys])
    key = keys[0]
    if key is Ellipsis:
        return _inner_getitem(value, _without_ellipsis(keys, value.values.shape.ndims))
    if key is array_ops.newaxis:
        inner = _inner_getitem(value, keys[1:])
        nsplits = array_ops.shape(inner.row_splits, out_type=inner.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(inner, math_ops.range(nsplits), validate=False)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if _is_all(key):
        return value.with_values(_inner_getitem(value.values, keys[1:]))
    starts, limits = value.row_splits[:-1], value.row_splits[1:]
    if key.start is not None and key.start != 0:
        starts = _moved(key.start, value.row_splits[:-1], value.row_splits[1:])
    if key.stop is not None and key.stop != 0:
        limits = _moved(key.stop, value.row_splits[:-1], value.row_splits[1:])
    inner = _of_ranges(starts, limits, key.step, value.values)
    return inner.with_values(_inner_getitem(inner.values, keys[1:]))


def _without_ellipsis(keys: list[Any], rank: int | None) -> list[Any]:
    """The keys with a first `...` made one `:` (and itself again), or nothing."""
    if rank is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(1 for key in keys if key is not array_ops.newaxis)
    if count > rank + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == rank + 1 else [_ALL, *keys]


def _of_ranges(starts: Tensor, limits: Tensor, step: Any, values: Any) -> RaggedTensor:
    """Rows that are ranges of `values`."""
    step = ops.convert_to_tensor(1 if step is None else step, name="step")
    if not step.dtype.is_integer:
        raise TypeError("slice strides must be integers or None")
    step = math_ops.cast(step, starts.dtype)
    places = ragged_math_ops.range(starts, limits, step, row_splits_dtype=starts.dtype)
    gather = ragged_gather_ops.gather if isinstance(values, RaggedTensor) else array_ops.gather
    return places.with_values(gather(params=values, indices=places.values))


def _moved(offset: Any, starts: Tensor, limits: Tensor) -> Tensor:
    """Where an offset into each row leads: counted from its end, if it is negative."""

    def forwards() -> Tensor:
        return math_ops.minimum(starts + offset, limits)

    def backwards() -> Tensor:
        return math_ops.maximum(limits + offset, starts)

    if isinstance(offset, Tensor):
        offset = math_ops.cast(offset, starts.dtype)
        found: Any = control_flow_ops.cond(offset >= 0, forwards, backwards)
        return found
    if isinstance(offset, int):
        return forwards() if offset > 0 else backwards()
    raise TypeError("slice offsets must be integers or None")
