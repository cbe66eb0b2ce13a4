"""Convolutions as matrix products.

All arrays are brought to one form: the input [batch, *space, channels], the filter [*window, in,
out], the output [batch, *space, out]. Three ways, by what the convolution is for:

* the windows of the input as the rows of a matrix (im2col), a few images at a time so that it stays
  small: a forward convolution; with batch and channels in each other's place, as the gradient of a
  filter has them, the same matrix is read by columns;
* an input that is dilated, as in the gradient of the input of a strided convolution: its windows
  would hold mostly zeros, so each place of the window sends its product to where it belongs
  (col2im);
* one channel to a group: a product and a sum for each place of the window.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.backend.on_numpy.array import pad
from tf1compat.backend.on_numpy.blas import matmul
from tf1compat.backend.on_numpy.promotion import promoted, wide

Array = Any

# How many elements of windows are laid out at a time.
_WINDOW_ELEMENTS = 1 << 20


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
    lhs_format, rhs_format, out_format = dimension_numbers
    letters = [letter for letter in lhs_format if letter not in "NC"]
    x = np.transpose(lhs, [lhs_format.index(c) for c in ("N", *letters, "C")])
    w = np.transpose(rhs, [rhs_format.index(c) for c in (*letters, "I", "O")])
    ones = (1,) * len(letters)
    compute = wide(dtype)
    made = _convolve(
        x.astype(compute, copy=False),
        w.astype(compute, copy=False),
        _Steps(
            tuple(window_strides), tuple((int(a), int(b)) for a, b in padding),
            tuple(lhs_dilation or ones), tuple(rhs_dilation or ones),
        ),
        feature_group_count,
        batch_group_count,
    )  # fmt: skip
    order = [("N", *letters, "C").index(c) for c in out_format]
    return np.transpose(made, order).astype(dtype, copy=False)


class _Steps:
    """How the window moves: strides, padding, and the dilations of the input and of the window."""

    def __init__(self, strides: Any, padding: Any, spread: Any, dilation: Any):
        self.strides = strides
        self.padding = padding
        self.spread = spread
        self.dilation = dilation

    def out(self, space: Sequence[int], window: Sequence[int]) -> tuple[int, ...]:
        """The sizes of the output."""
        sizes = []
        for n, k, s, (a, b), up, d in zip(
            space, window, self.strides, self.padding, self.spread, self.dilation
        ):
            full = ((n - 1) * up + 1 if n else 0) + a + b
            sizes.append(max((full - (k - 1) * d - 1) // s + 1, 0))
        return tuple(sizes)


def _convolve(x: Array, w: Array, steps: _Steps, groups: int, batch_groups: int) -> Array:
    batch, *space, _ = x.shape
    *window, _, channels = w.shape
    out = steps.out(space, window)
    shape = (batch // batch_groups, *out, channels)
    if 0 in shape or not x.size or not w.size:
        return np.zeros(shape, x.dtype)
    if any(up != 1 for up in steps.spread):
        if all(s == 1 for s in steps.strides) and batch_groups == 1:
            return _scattered(x, w, steps, shape, groups)
        amounts = [(0, 0, up - 1) for up in steps.spread]
        x = pad(x, 0, [(0, 0, 0), *amounts, (0, 0, 0)])
    if any(p != (0, 0) for p in steps.padding):
        x = pad(x, 0, [(0, 0, 0), *[(a, b, 0) for a, b in steps.padding], (0, 0, 0)])
    if groups == batch_groups == 1:
        return _contracted(_windows(x, window, out, steps), w, shape)
    if groups > 1:
        return _by_channel_groups(_windows(x, window, out, steps), w, shape, groups)
    return _by_batch_groups(_windows(x, window, out, steps), w, shape, batch_groups)


def _windows(x: Array, window: Sequence[int], out: Sequence[int], steps: _Steps) -> Array:
    """The windows of `x` as a view: [batch, *out, *window, channels]."""
    first, *inner, last = x.strides
    by_out = [stride * s for stride, s in zip(inner, steps.strides)]
    by_window = [stride * d for stride, d in zip(inner, steps.dilation)]
    return np.lib.stride_tricks.as_strided(
        x,
        (x.shape[0], *out, *window, x.shape[-1]),
        (first, *by_out, *by_window, last),
        writeable=False,
    )


def _contracted(windows: Array, w: Array, shape: tuple[int, ...]) -> Array:
    """The product of windows [batch, *out, *window, in] and a filter [*window, in, out]."""
    batch, depth = windows.shape[0], windows.shape[-1]
    rank = len(shape) - 2
    inner = math.prod(w.shape[:-1])
    channels = w.shape[-1]
    if abs(windows.strides[-1]) <= abs(windows.strides[0]) or depth == 1:
        # A row for each window.
        factor = w.reshape(inner, channels)
        per_image = math.prod(shape[1:-1])
        images = max(_WINDOW_ELEMENTS // (per_image * inner), 1)
        if images >= batch:
            return matmul(windows.reshape(batch * per_image, inner), factor).reshape(shape)
        made = np.empty(shape, np.result_type(windows, w))
        for i in range(0, batch, images):
            some = windows[i : i + images]
            rows = some.reshape(len(some) * per_image, inner)
            matmul(rows, factor, out=made[i : i + images].reshape(-1, channels))
        return made
    # What is contracted lies further apart than the batch: a column for each window.
    space, window = range(1, rank + 1), range(rank + 1, 2 * rank + 1)
    columns = np.transpose(windows, (2 * rank + 1, *window, *space, 0))
    factor = np.moveaxis(w, -2, 0)
    per_item = math.prod(columns.shape[1:])
    items = max(_WINDOW_ELEMENTS // per_item, 1)
    total = None
    for i in range(0, depth, items):
        some = columns[i : i + items]
        left = some.reshape(-1, math.prod(shape[:-1]))
        part = matmul(left.T, factor[i : i + items].reshape(-1, channels))
        total = part if total is None else np.add(total, part, out=total)
    assert total is not None
    return np.moveaxis(total.reshape(*shape[1:-1], batch, channels), -2, 0)


def _places(rank: int, sizes: Sequence[int]) -> Any:
    """For each place of a window: where it is in a filter, and in a view of windows."""
    for place in itertools.product(*map(range, sizes)):
        yield place, (slice(None),) * (rank + 1) + place


def _by_channel_groups(windows: Array, w: Array, shape: tuple[int, ...], groups: int) -> Array:
    """Each group of channels has filters of its own."""
    rank = len(shape) - 2
    *window, depth, channels = w.shape
    per_group = channels // groups
    if depth == 1:
        total = np.zeros((*shape[:-1], groups, per_group), w.dtype)
        for place, view in _places(rank, window):
            total += windows[view][..., None] * w[place].reshape(groups, per_group)
        return total.reshape(shape)
    parts = [
        _contracted(
            windows[..., g * depth : (g + 1) * depth],
            w[..., g * per_group : (g + 1) * per_group],
            (*shape[:-1], per_group),
        )
        for g in range(groups)
    ]
    return np.concatenate(parts, -1)


def _by_batch_groups(windows: Array, w: Array, shape: tuple[int, ...], groups: int) -> Array:
    """Each group of the batch has filters of its own."""
    size, per_group = windows.shape[0] // groups, shape[-1] // groups
    rank = len(shape) - 2
    if size == 1:
        # The sum of products for each place of the output, of which there are few.
        made = np.empty((*shape[1:-1], groups, per_group), w.dtype)
        filters = w.reshape(*w.shape[:-1], groups, per_group)
        letters = "abcd"[: rank + 1]
        for place in itertools.product(*map(range, shape[1:-1])):
            view = windows[(slice(None), *place)]
            made[place] = np.einsum(f"g{letters},{letters}gm->gm", view, filters)
        return made.reshape(shape)
    parts = [
        _contracted(
            windows[g * size : (g + 1) * size],
            w[..., g * per_group : (g + 1) * per_group],
            (*shape[:-1], per_group),
        )
        for g in range(groups)
    ]
    return np.concatenate(parts, -1)


def _scattered(x: Array, w: Array, steps: _Steps, shape: tuple[int, ...], groups: int) -> Array:
    """The convolution of a dilated input: what each element adds to each output."""
    batch, *space, depth = x.shape
    *window, _, channels = w.shape
    per_group = channels // groups
    made = np.zeros(shape, w.dtype)
    rows = np.ascontiguousarray(x).reshape(-1, groups, depth // groups)
    for place in itertools.product(*map(range, window)):
        source: list[Any] = [slice(None)]
        target: list[Any] = [slice(None)]
        for k, n, size, up, d, (low, _) in zip(
            place, space, shape[1:-1], steps.spread, steps.dilation, steps.padding
        ):
            # Element q adds to output low + q * up - k * d.
            start = low - k * d
            first = max(0, -(start // up))
            last = min(n - 1, (size - 1 - start) // up)
            count = max(last - first + 1, 0)
            source.append(slice(first, first + count))
            begin = start + first * up
            target.append(slice(begin, begin + (count - 1) * up + 1 if count else begin, up))
        if any(part.stop <= part.start for part in target[1:]):
            continue
        if groups == 1:
            product = matmul(rows[:, 0], w[place])
        else:
            factors = np.moveaxis(w[place].reshape(-1, groups, per_group), 1, 0)
            if depth == groups:
                product = rows * factors[:, 0]
            else:
                product = np.moveaxis(np.moveaxis(rows, 1, 0) @ factors, 0, 1)
        product = product.reshape(batch, *space, channels)
        made[tuple(target)] += product[tuple(source)]
    return made
