"""Single image random dot stereograms (Thimbleby, Inglis and Witten 1994). On the host."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from tf1compat.core.op_registry import not_differentiable, op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.framework.common import refuse


class _Rand:
    """The numbers of C's `rand()` in GNU's library: TensorFlow's kernel takes its dots from it."""

    def __init__(self, seed: int = 1) -> None:
        state = [seed]
        for _ in range(30):
            state.append(16807 * state[-1] % 0x7FFFFFFF)
        # What follows the seeding: three of the first again, then 310 that are thrown away.
        self._state = state[3:] + state[:3]
        self.take(310)

    def take(self, count: int) -> np.ndarray:
        """The next `count` numbers."""
        numbers = self._state
        start = len(numbers)
        for i in range(start, start + count):
            numbers.append((numbers[i - 31] + numbers[i - 3]) & 0xFFFFFFFF)
        self._state = numbers[-31:]
        return np.array(numbers[start:], np.int64) >> 1


# `rand()` belongs to the process: a second picture goes on where the first one ended.
_rand = _Rand()
_lock = threading.Lock()


@op("SingleImageRandomDotStereograms", host=True)
class SingleImageRandomDotStereograms:
    def shape(depth_values: Any, *, number_colors: int, output_image_shape: Any) -> Any:
        columns, rows = output_image_shape[:2]
        return (rows, columns, 3 if number_colors > 256 else 1)

    def lower(
        depth_values: Any, *, hidden_surface_removal: bool, convergence_dots_size: int,
        dots_per_inch: int, eye_separation: float, mu: float, normalize: bool,
        normalize_max: float, normalize_min: float, border_level: float, number_colors: int,
        output_image_shape: Any, output_data_window: Any, ctx: LoweringContext,
    ) -> Any:  # fmt: skip
        if depth_values.ndim < 2:
            refuse(ctx, f"depth_values must be at least 2-D, got shape {depth_values.shape}")
        if len(output_image_shape) != 3 or None in (*output_image_shape, *output_data_window):
            refuse(ctx, f"output_image_shape must be [X, Y, channels]: {output_image_shape}")
        width, height, channels = output_image_shape
        channels = 3 if number_colors > 256 else channels
        levels = _levels(depth_values, (normalize_min, normalize_max) if normalize else None)
        between_eyes = int(np.float32(eye_separation) * dots_per_inch)
        margin = between_eyes + 1
        dots = max(convergence_dots_size, 0)
        # Where the data stand: in the middle, or above the dots with a third of what is left.
        window, window_rows = output_data_window
        spare = max(height - window_rows - dots, 0) if dots else height - window_rows
        top = int(spare / (3 if dots else 2))
        left = int((width - window) / 2)
        rows = _places(np.arange(height) - top, levels.shape[0], window_rows)
        columns = _places(np.arange(-margin, width + margin) - left, levels.shape[1], window)
        depth = np.where(
            (rows >= 0)[:, None] & (columns >= 0), levels[rows][:, columns], border_level
        )
        near = depth[:, margin : margin + width]
        apart = _separation(near, mu, between_eyes)
        seen = np.ones(near.shape, bool)
        if hidden_surface_removal:
            seen = _visible(depth, near, margin, mu, between_eyes)
        image = _coloured(_linked(apart, seen), channels, number_colors == 2)
        if dots:
            _draw_dots(image, dots, height - 1 - top, int(_separation(0.0, mu, between_eyes)))
        return image


not_differentiable("SingleImageRandomDotStereograms")


def _levels(depths: np.ndarray, limits: tuple[float, float] | None) -> np.ndarray:
    """The depths between 0 (far) and 1 (near)."""
    rows, columns = depths.shape[:2]
    levels = depths.ravel()[: rows * columns].reshape(rows, columns).astype(np.float64)
    if limits is not None:
        low, high = limits
        if high < low:
            low, high = levels.min(), levels.max()
        with np.errstate(all="ignore"):
            levels = (levels - low) / (float(high) - low)
    return np.clip(np.nan_to_num(levels, nan=0.0), 0.0, 1.0)


def _places(offsets: np.ndarray, size: int, window: int) -> np.ndarray:
    """Which row or column of the data each one of the picture shows; -1 for none."""
    places = size * offsets / window
    return np.where((places >= 0) & (places < size), places, -1).astype(np.int64)


def _separation(depth: Any, mu: float, between_eyes: int) -> np.ndarray:
    """How far apart the two dots of a point are, in pixels."""
    return np.floor((1 - mu * depth) * between_eyes / (2 - mu * depth) + 0.5).astype(np.int64)


def _visible(
    depth: np.ndarray, near: np.ndarray, margin: int, mu: float, between_eyes: int
) -> np.ndarray:
    """Whether both eyes see a point: nothing between it and them is in the way."""
    width = near.shape[1]
    seen = np.ones(near.shape, bool)
    step = 2 * (2 - mu * near) / (mu * between_eyes)
    going = seen.copy()
    t = 1
    while going.any() and t <= margin:
        ray = near + step * t
        left, right = (depth[:, margin + d : margin + d + width] for d in (-t, t))
        seen &= ~going | ((left < ray) & (right < ray))
        going &= seen & (ray < 1)
        t += 1
    return seen


def _linked(apart: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """For each pixel the one to its right that must look like it, or itself; all rows at once."""
    rows, width = apart.shape
    same = np.tile(np.arange(width), (rows, 1))
    for x in range(width):
        left = x - apart[:, x] // 2
        right = left + apart[:, x]
        row = np.flatnonzero((left >= 0) & (right < width) & seen[:, x])
        left, right = left[row], right[row]
        going = np.ones(row.shape, bool)
        while True:
            other = same[row, left]
            going = (other != left) & (other != right)
            if not going.any():
                break
            before = other < right
            left, right = (
                np.where(going, np.where(before, other, right), left),
                np.where(going & ~before, other, right),
            )
        same[row, left] = right
    return same


def _coloured(same: np.ndarray, channels: int, two: bool) -> np.ndarray:
    """A colour for each pixel that is linked to none, from right to left, and theirs for others."""
    rows, width = same.shape
    free = same[:, ::-1] == np.arange(width)[::-1]
    with _lock:
        numbers = _rand.take(int(free.sum()) * channels)
    colours = 255 * (numbers % 2) if two else numbers % 256
    image = np.zeros((rows, width, channels), np.uint8)
    image[:, ::-1][free] = colours.reshape(-1, channels)
    for x in range(width - 1, -1, -1):
        image[:, x] = image[np.arange(rows), same[:, x]]
    return image


def _draw_dots(image: np.ndarray, size: int, last_row: int, apart: int) -> None:
    """Two black squares, that become three when the eyes look as they should."""
    first = max(last_row - size + 1, 0)
    for centre in (image.shape[1] // 2 - apart // 2, image.shape[1] // 2 + apart // 2):
        begin = centre - size // 2
        image[first : last_row + 1, max(begin, 0) : max(begin + size, 0)] = 0
