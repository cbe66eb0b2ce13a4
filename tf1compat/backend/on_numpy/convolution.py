"""Convolutions as matrix products.

All arrays are brought to one form: the input [batch, *space, channels], the filter [*window, in,
out], the output [batch, *space, out]. Each way goes over a few images at a time, so that what it
lays out stays in the cache:

* the windows of the input as the rows of a matrix (im2col);
* each element's products sent to the outputs that they belong to (col2im), where the input is
  dilated (as in the gradient of the input of a strided convolution: its windows would hold mostly
  zeros), or has so many more channels than the output that this moves less;
* for the gradient of a filter, which has batch and channels in each other's place, the product of
  those same windows, transposed, and the output's gradient;
* with one channel to a group, a product and a sum for each place of the window.
"""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from tf1compat.backend.on_numpy.array import pad
from tf1compat.backend.on_numpy.blas import matmul
from tf1compat.backend.on_numpy.promotion import promoted, wide

Array = Any

# How many elements are laid out at a time.
_BLOCK = 1 << 19
# How many sums of products are made at a time, where products and sums are all that is done.
_SUMS = 1 << 16
# By how much longer than a window's row a row of windows is for a matrix to be laid out by it.
_LONGER = 4


def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: Any = None,
    preferred_element_type: Any = None,
) -> Array:
    """`lax.conv_general_dilated`, with `dimension_numbers` as three strings like "NHWC"."""
    lhs, rhs = promoted(lhs, rhs)
    dtype = lhs.dtype if preferred_element_type is None else np.dtype(preferred_element_type)
    orders = _orders(*dimension_numbers)
    ones = (1,) * (lhs.ndim - 2)
    compute = wide(dtype)
    x = _arranged(lhs, orders[0], compute)
    w = _arranged(rhs, orders[1], compute)
    made = _convolve(
        x,
        w,
        _steps(
            x.shape[1:-1],
            w.shape[:-2],
            tuple(window_strides),
            tuple(map(tuple, padding)),
            tuple(lhs_dilation or ones),
            tuple(rhs_dilation or ones),
        ),
        feature_group_count,
        batch_group_count,
    )
    return _arranged(made, orders[2], dtype)


@functools.cache
def _orders(lhs: str, rhs: str, out: str) -> list[tuple[int, ...] | None]:
    """How arrays of these formats are brought to our form, and the result to its own; None: they
    have it."""
    space = [letter for letter in lhs if letter not in "NC"]
    ours = ("N", *space, "C")
    found = (
        tuple(lhs.index(c) for c in ours),
        tuple(rhs.index(c) for c in (*space, "I", "O")),
        tuple(ours.index(c) for c in out),
    )
    return [None if order == tuple(range(len(order))) else order for order in found]


def _arranged(x: Array, order: tuple[int, ...] | None, dtype: np.dtype) -> Array:
    x = x if order is None else x.transpose(order)
    return x if x.dtype is dtype else x.astype(dtype, copy=False)


class _Steps:
    """How the window moves over inputs of one shape.

    Attributes:
      strides, padding: of the window's moves, and around the input.
      spread, dilation: the dilations of the input and of the window.
      spreads: whether the input is dilated.
      strided: whether the window moves by more than 1.
      pads: what `pad` is told of the dimensions in space; None if there is nothing to pad.
      out: the sizes of the output.
    """

    def __init__(
        self,
        space: Sequence[int],
        window: Sequence[int],
        strides: Sequence[int],
        padding: Sequence[tuple[int, int]],
        spread: Sequence[int],
        dilation: Sequence[int],
    ):
        self.strides = strides
        self.padding = [(int(low), int(high)) for low, high in padding]
        self.spread = spread
        self.dilation = dilation
        self.spreads = any(up != 1 for up in spread)
        self.strided = any(s != 1 for s in strides)
        padded = any(low or high for low, high in self.padding)
        self.pads = [(low, high, 0) for low, high in self.padding] if padded else None
        sizes = []
        for n, k, s, (a, b), up, d in zip(
            space, window, strides, self.padding, spread, dilation, strict=True
        ):
            full = ((n - 1) * up + 1 if n else 0) + a + b
            sizes.append(max((full - (k - 1) * d - 1) // s + 1, 0))
        self.out = tuple(sizes)


_steps = functools.lru_cache(maxsize=256)(_Steps)


def _convolve(x: Array, w: Array, steps: _Steps, groups: int, batch_groups: int) -> Array:
    batch, *space, depth = x.shape
    *window, _, channels = w.shape
    out = steps.out
    shape = (batch // batch_groups, *out, channels)
    if 0 in shape or not x.size or not w.size:
        return np.zeros(shape, x.dtype)
    if batch_groups == 1 and not steps.strided:
        gathered = math.prod(out) * depth if math.prod(window) > 1 and groups == 1 else 0
        if steps.spreads or 8 * math.prod(space) * channels < gathered:
            return _scattered(x, w, steps, shape, groups)
    if steps.spreads:
        amounts = [(0, 0, up - 1) for up in steps.spread]
        x = _padded(x, amounts)
    if steps.pads is not None:
        x = _padded(x, steps.pads)
    if groups > 1:
        return _by_channel_groups(x, w, steps, shape, groups)
    if batch_groups > 1:
        return _by_batch_groups(x, w, steps, shape, batch_groups)
    return _gathered(x, w, steps, shape)


def _padded(x: Array, amounts: Sequence[tuple[int, int, int]]) -> Array:
    """`x` with more space; what is next to each other in memory stays so."""
    if x.flags.c_contiguous:
        return pad(x, 0, [(0, 0, 0), *amounts, (0, 0, 0)])
    order = sorted(range(x.ndim), key=lambda i: -abs(x.strides[i]))
    config = [(0, 0, 0), *amounts, (0, 0, 0)]
    made = pad(np.transpose(x, order), 0, [config[i] for i in order])
    return np.transpose(made, np.argsort(order))


def _gathered(x: Array, w: Array, steps: _Steps, shape: tuple[int, ...]) -> Array:
    """The convolution of a padded input, from its windows."""
    window, out = w.shape[:-2], shape[1:-1]
    if x.strides[-1] <= x.strides[0] or 1 in (x.shape[0], x.shape[-1]):
        return _of_windows(x, w, steps, shape)
    # Batch and channels are in each other's place: with the window's places for outputs, and the
    # outputs for places of a window, these are the windows of images.
    images = np.swapaxes(x, 0, -1)
    block = max(_BLOCK // (math.prod(window) * math.prod(out) * images.shape[-1]), 1)
    total = None
    for i in range(0, len(images), block):
        rows = _windows(images[i : i + block], out, window, steps.strides, steps.dilation)
        right = np.moveaxis(w[..., i : i + block, :], -2, 0)
        part = matmul(rows.T, right.reshape(-1, w.shape[-1]))
        total = part if total is None else np.add(total, part, out=total)
    assert total is not None
    return np.moveaxis(total.reshape(*out, shape[0], shape[-1]), -2, 0)


def _of_windows(x: Array, w: Array, steps: _Steps, shape: tuple[int, ...]) -> Array:
    window, out, channels = w.shape[:-2], shape[1:-1], shape[-1]
    factor = w.reshape(-1, channels)
    made = np.empty(shape, w.dtype)
    block = max(_BLOCK // (math.prod(out) * len(factor)), 1)
    for i in range(0, len(x), block):
        rows = _windows(x[i : i + block], window, out, steps.dilation, steps.strides)
        matmul(rows, factor, out=made[i : i + block].reshape(-1, channels))
    return made


def _windows(
    x: Array,
    window: Sequence[int],
    out: Sequence[int],
    dilation: Sequence[int],
    strides: Sequence[int],
) -> Array:
    """A row for each window: [batch * places of the output, places of the window * channels]."""
    depth = x.shape[-1]
    if all(k == 1 for k in window):
        return _at_place(x, (0,) * len(window), out, dilation, strides).reshape(-1, depth)
    steps = x.strides[1:-1]
    moves = [stride * step for stride, step in zip(strides, steps)]
    places = [d * step for d, step in zip(dilation, steps)]
    # All at once: NumPy copies what is next to each other in both as one piece.
    pieces = (depth if dilation[-1] > 1 else depth * window[-1], out[-1])
    if pieces[1] > _LONGER * pieces[0]:
        shape = (*window, depth, len(x), *out)
        view = _view(x, shape, (*places, x.strides[-1], x.strides[0], *moves))
        return _laid_out(view).reshape(-1, len(x) * math.prod(out)).T
    shape = (len(x), *out, *window, depth)
    view = _view(x, shape, (x.strides[0], *moves, *places, x.strides[-1]))
    return _laid_out(view).reshape(len(x) * math.prod(out), -1)


def _view(x: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """`as_strided`, without its Python code where that can be."""
    if x.flags.c_contiguous:
        return np.ndarray(shape, x.dtype, x, 0, strides)
    return as_strided(x, shape, strides, writeable=False)


class _Scratch(threading.local):
    """Memory for what is laid out: new memory costs more than what is written there."""

    def __init__(self) -> None:
        self._bytes = np.empty(0, np.uint8)

    def array(self, shape: tuple[int, ...], dtype: np.dtype) -> Array:
        """An array, until the thread asks for the next."""
        size = math.prod(shape) * dtype.itemsize
        if size > 8 * _BLOCK:
            return np.empty(shape, dtype)
        if size > self._bytes.size:
            self._bytes = np.empty(size, np.uint8)
        return np.ndarray(shape, dtype, self._bytes)


_scratch = _Scratch()


def _laid_out(view: Array) -> Array:
    made = _scratch.array(view.shape, view.dtype)
    made[...] = view
    return made


def _at_place(
    x: Array,
    place: Sequence[int],
    out: Sequence[int],
    dilation: Sequence[int],
    strides: Sequence[int],
) -> Array:
    """What all windows hold at one place, as a view: [batch, *out, channels]."""
    parts = [
        slice(k * d, k * d + (n - 1) * s + 1, s)
        for k, n, d, s in zip(place, out, dilation, strides)
    ]
    return x[(slice(None), *parts)]


def _by_channel_groups(
    x: Array, w: Array, steps: _Steps, shape: tuple[int, ...], groups: int
) -> Array:
    """Each group of channels has filters of its own."""
    *window, depth, channels = w.shape
    per_group = channels // groups
    if depth == 1:
        total = np.zeros(shape, w.dtype)
        for part in _parts(shape):
            some, sums = x[part], total[part]
            some = np.repeat(some, per_group, -1) if per_group > 1 else some
            for place in np.ndindex(*window):
                held = _at_place(some, place, shape[1:-1], steps.dilation, steps.strides)
                sums += _product(held, w[place])
        return total
    parts = [
        _gathered(
            x[..., g * depth : (g + 1) * depth],
            w[..., g * per_group : (g + 1) * per_group],
            steps,
            (*shape[:-1], per_group),
        )
        for g in range(groups)
    ]
    return np.concatenate(parts, -1)


def _parts(shape: tuple[int, ...]) -> Iterator[slice]:
    """Parts of a batch, of which one's sums and products stay in the cache."""
    size = max(_SUMS // max(math.prod(shape[1:]), 1), 1)
    return (slice(i, i + size) for i in range(0, shape[0], size))


def _product(x: Array, factors: Array) -> Array:
    """The product with a factor a channel, until the thread asks for the next.

    Args:
      x: [batch, *space, channels].
      factors: [1, channels].
    """
    # With a factor for each element of a row NumPy's innermost loop is a row, not a place.
    row = np.repeat(factors, x.shape[-2], 0)
    return np.multiply(x, row, out=_scratch.array(x.shape, factors.dtype))


def _by_batch_groups(
    x: Array, w: Array, steps: _Steps, shape: tuple[int, ...], groups: int
) -> Array:
    """Each group of the batch has filters of its own."""
    size, per_group = x.shape[0] // groups, shape[-1] // groups
    if size == 1:
        # [batch, *space, channels], as in `_gathered`.
        images = np.swapaxes(x, 0, -1)
        images = np.repeat(images, per_group, -1) if per_group > 1 else images
        right = np.moveaxis(w, -2, 0)
        letters = "nabcde"[: w.ndim]
        made = np.empty(shape, w.dtype)
        for place in itertools.product(*map(range, shape[1:-1])):
            left = _at_place(images, place, w.shape[:-2], steps.strides, steps.dilation)
            made[(0, *place)] = np.einsum(f"{letters},{letters}->{letters[-1]}", left, right)
        return made
    parts = [
        _gathered(
            x[g * size : (g + 1) * size],
            w[..., g * per_group : (g + 1) * per_group],
            steps,
            (*shape[:-1], per_group),
        )
        for g in range(groups)
    ]
    return np.concatenate(parts, -1)


def _scattered(x: Array, w: Array, steps: _Steps, shape: tuple[int, ...], groups: int) -> Array:
    """The convolution of an input that may be dilated, by strides of 1: what each element adds to
    each output."""
    *window, depth, channels = w.shape
    per_group, places = channels // groups, math.prod(window)
    if groups > 1 and depth == 1:
        return _scattered_by_channels(x, w, steps, shape, per_group)
    # [in, places * out], or one for each group.
    factors = np.moveaxis(w.reshape(places, depth, groups, per_group), 0, 2)
    factors = np.moveaxis(factors, 1, 0) if groups > 1 else factors
    factors = np.ascontiguousarray(factors).reshape(*(groups,) * (groups > 1), depth, -1)
    space = x.shape[1:-1]
    block = max(_BLOCK // (math.prod(space) * places * channels), 1)
    targets = [_targets(place, space, shape[1:-1], steps) for place in np.ndindex(*window)]
    made = np.zeros(shape, w.dtype)
    for i in range(0, len(x), block):
        some = x[i : i + block]
        if groups == 1:
            rows = some.reshape(-1, depth)
            products = _scratch.array((len(rows), places * channels), w.dtype)
            matmul(rows, factors, out=products)
        else:
            rows = np.moveaxis(some.reshape(-1, groups, depth), 1, 0)
            products = rows @ factors
            products = np.moveaxis(products.reshape(groups, -1, places, per_group), 0, 2)
        products = products.reshape(len(some), *space, places, channels)
        for k, (source, target) in enumerate(targets):
            made[(slice(i, i + block), *target)] += products[(slice(None), *source, k)]
    return made


def _scattered_by_channels(
    x: Array, w: Array, steps: _Steps, shape: tuple[int, ...], per_group: int
) -> Array:
    """`_scattered`, where each channel has filters of its own."""
    *window, _, _ = w.shape
    targets = [_targets(place, x.shape[1:-1], shape[1:-1], steps) for place in np.ndindex(*window)]
    made = np.zeros(shape, w.dtype)
    for part in _parts(shape):
        some, sums = x[part], made[part]
        some = np.repeat(some, per_group, -1) if per_group > 1 else some
        for place, (source, target) in zip(np.ndindex(*window), targets, strict=True):
            sums[(slice(None), *target)] += _product(some[(slice(None), *source)], w[place])
    return made


def _targets(
    place: Sequence[int], space: Sequence[int], out: Sequence[int], steps: _Steps
) -> tuple[list[slice], list[slice]]:
    """Which elements of the input add, at one place of the window, to which outputs."""
    source, target = [], []
    for k, n, size, up, d, (low, _) in zip(
        place, space, out, steps.spread, steps.dilation, steps.padding
    ):
        # Element q adds to output low + q * up - k * d.
        start = low - k * d
        first = max(0, -(start // up))
        last = min(n - 1, (size - 1 - start) // up)
        count = max(last - first + 1, 0)
        begin = start + first * up
        source.append(slice(first, first + count))
        target.append(slice(begin, begin + (count - 1) * up + 1, up) if count else slice(0))
    return source, target
