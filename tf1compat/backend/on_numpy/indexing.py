"""Reading and changing arrays at indices, which may be out of range."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.promotion import converted

Array = Any


def _missing(dtype: np.dtype) -> Any:
    """What is read where there is nothing."""
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return info.max if dtype.kind == "u" else info.min
    return True if dtype.kind == "b" else np.nan


def _bounds(index: Array) -> tuple[int, int]:
    return (int(index.min()), int(index.max())) if index.size else (0, -1)


def _is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray | np.generic) and item.dtype.kind == "b"


class _Place:
    """An index of an array, with the dimension that each array of integers in it is for."""

    def __init__(self, index: Any, shape: tuple[int, ...]):
        items = list(index) if isinstance(index, tuple) else [index]
        taken = 0
        for i, item in enumerate(items):
            if isinstance(item, list):
                items[i] = item = np.asarray(item)
            if item is not None and item is not Ellipsis:
                taken += np.ndim(item) if _is_mask(item) else 1
        self.items = items
        self.integers: list[tuple[int, int]] = []  # (position in the index, dimension)
        dimension = 0
        for i, item in enumerate(items):
            if item is Ellipsis:
                dimension += len(shape) - taken
            elif isinstance(item, slice):
                dimension += 1
            elif _is_mask(item):
                dimension += np.ndim(item)
            elif item is not None:
                self.integers.append((i, dimension))
                dimension += 1
        self.shape = shape

    def outside(self, wraps: bool) -> bool:
        """Whether some index is out of range."""
        for i, dimension in self.integers:
            low, high = _bounds(np.asarray(self.items[i]))
            size = self.shape[dimension]
            if high >= size or low < (-size if wraps else 0):
                return True
        return False

    def changed(self, change: Callable[[Array, int], Array]) -> tuple[Any, ...]:
        """The index with each array of integers given to `change`, with the size of its
        dimension."""
        items = list(self.items)
        for i, dimension in self.integers:
            items[i] = change(np.asarray(items[i]), self.shape[dimension])
        return tuple(items)

    @property
    def plain(self) -> tuple[Any, ...]:
        return tuple(self.items)


def _wrapped(index: Array, size: int) -> Array:
    return np.where(index < 0, index + size, index)


class _Indexed:
    """`at(x)[index]`, or `in_place(x)[index]`."""

    __slots__ = ("in_place", "index", "x")

    def __init__(self, x: Array, index: Any, in_place: bool):
        self.x = x
        self.index = index
        self.in_place = in_place

    def get(
        self, mode: Any = None, fill_value: Any = None, wrap_negative_indices: bool = True,
        unique_indices: bool = False, indices_are_sorted: bool = False,
    ) -> Array:  # fmt: skip
        x, place = self.x, _Place(self.index, self.x.shape)
        wraps = wrap_negative_indices
        if not place.outside(wraps):
            return x[place.plain]

        def inside(index: Array, size: int) -> Array:
            return np.clip(_wrapped(index, size) if wraps else index, 0, max(size - 1, 0))

        if mode != "fill":
            return x[place.changed(inside)]
        # Read from a copy with one more element along the indexed dimensions.
        larger, moved = _with_spare(x, place, wraps)
        value = _missing(x.dtype) if fill_value is None else fill_value
        for _, dimension in place.integers:
            larger[_last(dimension)] = value
        return larger[moved]

    def set(self, values: Any, **how: Any) -> Array:
        return self._change(_set, values, **how)

    def add(self, values: Any, **how: Any) -> Array:
        return self._change(_add, values, **how)

    def subtract(self, values: Any, **how: Any) -> Array:
        return self.add(-np.asarray(values), **how)

    def multiply(self, values: Any, **how: Any) -> Array:
        return self._change(np.multiply.at, values, **how)

    mul = multiply

    def divide(self, values: Any, **how: Any) -> Array:
        divisors = _Indexed(np.ones_like(self.x), self.index, True).multiply(values, **how)
        return np.true_divide(self.x, divisors).astype(self.x.dtype)

    def min(self, values: Any, **how: Any) -> Array:
        return self._change(np.minimum.at, values, **how)

    def max(self, values: Any, **how: Any) -> Array:
        return self._change(np.maximum.at, values, **how)

    def _change(
        self, change: Callable[[Array, Any, Array], Any], values: Any, mode: Any = None,
        wrap_negative_indices: bool = True, unique_indices: bool = False,
        indices_are_sorted: bool = False,
    ) -> Array:  # fmt: skip
        x, wraps = self.x, wrap_negative_indices
        values = np.asarray(values)
        if values.dtype != x.dtype:
            values = converted(values, x.dtype)
        place = _Place(self.index, x.shape)
        if not place.outside(wraps):
            made = x if self.in_place else np.array(x)
            change(made, place.plain, values)
            return made
        if mode == "clip":
            made = x if self.in_place else np.array(x)
            clip = place.changed(
                lambda i, n: np.clip(_wrapped(i, n) if wraps else i, 0, max(n - 1, 0))
            )
            change(made, clip, values)
            return made
        # What is out of range changes a spare element.
        larger, moved = _with_spare(x, place, wraps)
        change(larger, moved, values)
        made = larger[tuple([slice(size) for size in x.shape])]
        if not self.in_place:
            return np.ascontiguousarray(made)
        x[...] = made
        return x


def _with_spare(x: Array, place: _Place, wraps: bool) -> tuple[Array, tuple[Any, ...]]:
    """A copy of `x` with one more element along each dimension with integer indices, and the index
    with that in the place of what is out of range."""
    sizes = list(x.shape)
    for _, dimension in place.integers:
        sizes[dimension] += 1
    larger = np.zeros(sizes, x.dtype)
    larger[tuple([slice(size) for size in x.shape])] = x

    def moved(index: Array, size: int) -> Array:
        if index.dtype.kind == "u":
            index = index.astype(np.int64)
        index = _wrapped(index, size) if wraps else index
        return np.where((index < 0) | (index >= size), size, index)

    return larger, place.changed(moved)


def _last(dimension: int) -> tuple[Any, ...]:
    return (*[slice(None)] * dimension, -1)


def _set(x: Array, index: Any, values: Array) -> None:
    # In an array of objects NumPy would put an array without dimensions, not the string in it.
    x[index] = values if values.ndim else values[()]


# Up to so many elements are added one by one.
_FEW = 1 << 12


def _add(x: Array, index: Any, values: Array) -> None:
    """As `np.add.at`: what repeated indices add is added one after the other."""
    rows = index[0] if len(index) == 1 else None
    if not isinstance(rows, np.ndarray) or rows.ndim != 1 or x.ndim < 2 or rows.size < 2:
        np.add.at(x, index, values)
        return
    values = np.broadcast_to(values, (rows.size, *x.shape[1:]))
    if values.size <= _FEW:
        _add_elements(x, rows, values)
        return
    order = np.argsort(rows, kind="stable")
    ordered = rows[order]
    first = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    if first.all():
        x[rows] += values
        return
    chosen, repeated = order[first], order[~first]
    x[rows[chosen]] += values[chosen]
    _add_elements(x, rows[repeated], values[repeated])


def _add_elements(x: Array, rows: Array, values: Array) -> None:
    """Adds rows: NumPy is quick where single elements of a vector are added to."""
    cells = np.arange(math.prod(x.shape[1:]))
    where = (rows[:, np.newaxis].astype(np.intp) % len(x)) * cells.size + cells
    flat = x.reshape(-1)
    np.add.at(flat, where.reshape(-1), values.reshape(-1))
    if not np.may_share_memory(flat, x):
        x[...] = flat.reshape(x.shape)


class _At:
    __slots__ = ("in_place", "x")

    def __init__(self, x: Array, in_place: bool):
        self.x = x
        self.in_place = in_place

    def __getitem__(self, index: Any) -> _Indexed:
        return _Indexed(self.x, index, self.in_place)


def at(x: Any) -> _At:
    """`at(x)[index].set(value)` and the like: a changed copy of `x`."""
    return _At(np.asarray(x), False)


def in_place(x: Any) -> _At:
    """As `at`, but it is `x` itself that is changed and returned."""
    return _At(x, True)


def take(x: Any, indices: Any, axis: int | None = None, mode: str | None = None) -> Array:
    """The slices of `x` at `indices`: out of range a NaN (or an extreme integer), or, with the mode
    "clip", the nearest; then negative ones don't count from the end."""
    x, indices = np.asarray(x), np.asarray(indices)
    if axis is None:
        x, axis = x.reshape(-1), 0
    size = x.shape[axis]
    low, high = _bounds(indices)
    if mode == "clip" and size:
        return x.take(indices, axis, mode="clip")
    if high < size and low >= -size:
        return x.take(indices, axis)
    outside = (indices < -size) | (indices >= size)
    if size:
        found = x.take(np.where(outside, 0, indices), axis)
    else:
        found = np.zeros((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]), x.dtype)
    axis %= x.ndim
    outside = outside.reshape(outside.shape + (1,) * (x.ndim - 1 - axis))
    return np.where(outside, np.asarray(_missing(x.dtype)).astype(x.dtype), found)


def take_along_axis(x: Any, indices: Any, axis: int | None = None) -> Array:
    x, indices = np.asarray(x), np.asarray(indices)
    if axis is None:
        x, axis = x.reshape(-1), 0
    size = x.shape[axis]
    low, high = _bounds(indices)
    if high < size and low >= -size:
        return np.take_along_axis(x, indices, axis)
    outside = (indices < -size) | (indices >= size)
    found = np.take_along_axis(x, np.where(outside, 0, indices), axis)
    return np.where(outside, np.asarray(_missing(x.dtype)).astype(x.dtype), found)


# Slices that start at a value. They are moved so that they lie within the array.


def _start(index: Any, size: int, length: int) -> int:
    index = int(index)
    return min(max(index + size if index < 0 else index, 0), size - length)


def dynamic_slice(x: Any, start_indices: Sequence[Any], slice_sizes: Sequence[int]) -> Array:
    starts = [_start(i, n, m) for i, n, m in zip(start_indices, x.shape, slice_sizes)]
    return x[tuple([slice(start, start + size) for start, size in zip(starts, slice_sizes)])]


def dynamic_slice_in_dim(x: Any, start_index: Any, slice_size: int, axis: int = 0) -> Array:
    start = _start(start_index, x.shape[axis], slice_size)
    place: list[Any] = [slice(None)] * x.ndim
    place[axis] = slice(start, start + slice_size)
    return x[tuple(place)]


def dynamic_index_in_dim(x: Any, index: Any, axis: int = 0, keepdims: bool = True) -> Array:
    start = _start(index, x.shape[axis], 1)
    place: list[Any] = [slice(None)] * x.ndim
    place[axis] = slice(start, start + 1) if keepdims else start
    return np.asarray(x[tuple(place)])


def dynamic_update_index_in_dim(x: Any, update: Any, index: Any, axis: int) -> Array:
    made = np.array(x)
    update = np.asarray(update)
    if update.ndim == made.ndim:
        update = np.squeeze(update, axis)
    place: list[Any] = [slice(None)] * made.ndim
    place[axis] = _start(index, made.shape[axis], 1)
    _set(made, tuple(place), update)
    return made
