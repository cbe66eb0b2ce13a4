"""Making arrays, and giving them other shapes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.elementwise import asarray
from tf1compat.backend.on_numpy.promotion import kind, promoted

Array = Any


def array(x: Any, dtype: Any = None) -> Array:
    """A new array."""
    return np.array(asarray(x, dtype))


def arange(start: Any, stop: Any = None, step: Any = None, dtype: Any = None) -> Array:
    if stop is None:
        start, stop = 0, start
    return np.arange(start, stop, 1 if step is None else step, dtype=dtype)


def iota(dtype: Any, size: int) -> Array:
    return np.arange(size, dtype=dtype)


def zeros(shape: Any, dtype: Any = np.float64) -> Array:
    """Zeros; of strings, which are Python objects here, empty ones."""
    return np.full(shape, b"", dtype) if np.dtype(dtype).hasobject else np.zeros(shape, dtype)


def zeros_like(x: Any, dtype: Any = None, shape: Any = None) -> Array:
    return zeros(np.shape(x) if shape is None else shape, x.dtype if dtype is None else dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Array:
    return np.full(shape, asarray(fill_value, dtype))


def full_like(x: Any, fill_value: Any, dtype: Any = None, shape: Any = None) -> Array:
    dtype = x.dtype if dtype is None else dtype
    return full(x.shape if shape is None else shape, fill_value, dtype)


def _alike(arrays: Sequence[Any]) -> Sequence[Any]:
    """The arrays, of one dtype."""
    first = kind(arrays[0])
    return arrays if all(kind(a) is first for a in arrays[1:]) else promoted(*arrays)


def concatenate(arrays: Sequence[Any], axis: int = 0) -> Array:
    return np.concatenate(_alike(arrays), axis)


def stack(arrays: Sequence[Any], axis: int = 0) -> Array:
    return np.stack(_alike(arrays), axis)


def split(x: Any, indices_or_sections: Any, axis: int = 0) -> list[Array]:
    size = x.shape[axis]
    if np.ndim(indices_or_sections):
        cuts = [int(i) for i in indices_or_sections]
    else:
        step, rest = divmod(size, int(indices_or_sections))
        if rest:
            raise ValueError(f"{size} can't be cut into {indices_or_sections} equal parts")
        cuts = list(range(step, size, step)) if step else [0] * (int(indices_or_sections) - 1)
    place: list[Any] = [slice(None)] * x.ndim
    parts = []
    for start, limit in zip([0, *cuts], [*cuts, size]):
        place[axis] = slice(start, limit)
        parts.append(x[tuple(place)])
    return parts


def expand_dims(x: Any, axis: Any) -> Array:
    return np.expand_dims(x, axis if isinstance(axis, int) else tuple(axis))


def squeeze(x: Any, axis: Any = None) -> Array:
    return np.squeeze(x, axis if axis is None or isinstance(axis, int) else tuple(axis))


def flip(x: Any, axis: Any = None) -> Array:
    return np.flip(x, tuple(axis) if isinstance(axis, list | range) else axis)


def ravel(x: Any) -> Array:
    return np.asarray(x).reshape(-1)


def reshape(x: Any, shape: Any) -> Array:
    return np.reshape(x, shape)


def repeat(
    x: Any, repeats: Any, axis: int | None = None, total_repeat_length: int | None = None
) -> Array:
    found = np.repeat(x, repeats, axis)
    if total_repeat_length is None:
        return found
    along = 0 if axis is None else axis
    if found.shape[along] >= total_repeat_length:
        return found.take(np.arange(total_repeat_length), along)
    places = np.minimum(np.arange(total_repeat_length), found.shape[along] - 1)
    return found.take(places, along)


def pad_with_mode(x: Any, pad_width: Any, mode: str = "constant") -> Array:
    """`jnp.pad`."""
    x = np.asarray(x)
    if mode == "constant":
        return pad(x, np.zeros((), x.dtype), [(a, b, 0) for a, b in pad_width])
    return np.pad(x, pad_width, mode)  # pyright: ignore[reportCallIssue, reportArgumentType]


def pad(x: Any, padding_value: Any, padding_config: Any) -> Array:
    """`lax.pad`: for each dimension how much before, after and between the elements; negative
    amounts before and after cut off."""
    x = np.asarray(x)
    shape, source, target = _padding(x.shape, tuple(map(tuple, padding_config)))
    if source is None:
        return x
    value = np.asarray(padding_value, x.dtype)
    made = np.full(shape, value) if value != 0 else np.zeros(shape, x.dtype)
    made[target] = x[source]
    return made


@functools.lru_cache(maxsize=256)
def _padding(sizes: tuple[int, ...], config: tuple[tuple[int, int, int], ...]) -> tuple[Any, ...]:
    """The padded shape; which elements are kept, None if it is all of them and nothing else; and
    where these go."""
    shape, source, target = [], [], []
    for size, (low, high, interior) in zip(sizes, config):
        step = interior + 1
        total = max(low + (size + (size - 1) * interior if size else 0) + high, 0)
        first = max(0, -(low // step))  # element k is at low + k * step
        last = min(size - 1, (total - 1 - low) // step)
        count = max(last - first + 1, 0)
        start = low + first * step
        shape.append(total)
        source.append(slice(first, first + count))
        target.append(slice(start, start + (count - 1) * step + 1, step) if count else slice(0))
    if tuple(shape) == sizes and all(s.stop - s.start == n for s, n in zip(source, shape)):
        return sizes, None, None
    return tuple(shape), tuple(source), tuple(target)


def slice_(x: Any, start: Any, limit: Any, strides: Any = None) -> Array:
    steps = [1] * x.ndim if strides is None else strides
    return x[tuple([slice(a, b, s) for a, b, s in zip(start, limit, steps)])]


def slice_in_dim(x: Any, start: Any, limit: Any, stride: int = 1, axis: int = 0) -> Array:
    place: list[Any] = [slice(None)] * x.ndim
    place[axis] = slice(start, limit, stride)
    return x[tuple(place)]
