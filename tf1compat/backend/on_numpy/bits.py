"""Numbers as bits: shifts, high halves of products, other views, fewer digits."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

from tf1compat.backend.on_numpy.promotion import promoted

Array = Any


def _unsigned(dtype: np.dtype) -> np.dtype:
    return np.dtype(f"u{dtype.itemsize}")


def _shifts(x: Any, y: Any) -> tuple[Array, Array, Array]:
    """The number, by how much, and where that is not more bits than there are."""
    x, y = promoted(x, y)
    amount = y.astype(_unsigned(y.dtype), copy=False)
    width = 8 * x.dtype.itemsize
    return x, np.minimum(amount, width - 1), amount < width


def shift_left(x: Any, y: Any) -> Array:
    x, amount, fits = _shifts(x, y)
    return np.where(fits, np.left_shift(x, amount.astype(x.dtype)), np.zeros((), x.dtype))


def shift_right_arithmetic(x: Any, y: Any) -> Array:
    """Fills with the highest bit, also that of an unsigned number."""
    x, amount, _ = _shifts(x, y)
    signed = np.dtype(f"i{x.dtype.itemsize}")
    return np.right_shift(x.view(signed), amount.astype(signed)).view(x.dtype)


def shift_right_logical(x: Any, y: Any) -> Array:
    x, amount, fits = _shifts(x, y)
    bits = x.astype(_unsigned(x.dtype), copy=False)
    return np.where(fits, np.right_shift(bits, amount), np.zeros((), bits.dtype)).astype(x.dtype)


def mulhi(x: Array, y: Array) -> Array:
    """The upper half of the bits of a product."""
    size = x.dtype.itemsize
    if size < 8:
        wide = np.dtype(f"{x.dtype.kind}{2 * size}")
        product = x.astype(wide)
        product *= y
        product >>= wide.type(8 * size)
        return product.astype(x.dtype)
    if x.dtype.kind == "i":
        found = mulhi(x.astype(np.uint64), y.astype(np.uint64)).astype(np.int64)
        return found - np.where(x < 0, y, 0) - np.where(y < 0, x, 0)
    half, low = np.uint64(32), np.uint64(0xFFFFFFFF)
    x0, x1, y0, y1 = x & low, x >> half, y & low, y >> half
    middle = x1 * y0 + (x0 * y0 >> half)
    other = x0 * y1 + (middle & low)
    return x1 * y1 + (middle >> half) + (other >> half)


def population_count(x: Array) -> Array:
    return np.bitwise_count(np.asarray(x).astype(_unsigned(x.dtype))).astype(x.dtype)


def bitcast_convert_type(x: Any, dtype: Any) -> Array:
    """The same bits as numbers of another dtype; a wider one takes the last dimension, a narrower
    one adds it."""
    x, dtype = np.asarray(x), np.dtype(dtype)
    if "b" in (x.dtype.kind, dtype.kind):
        return x.astype(dtype)
    if x.dtype.itemsize == dtype.itemsize:
        return x.view(dtype)
    if x.dtype.itemsize > dtype.itemsize:
        return np.ascontiguousarray(x).reshape(*x.shape, 1).view(dtype)
    return np.ascontiguousarray(x).view(dtype)[..., 0]


_NARROW = {
    (5, 10): np.dtype(np.float16),
    (8, 7): np.dtype(ml_dtypes.bfloat16),
    (8, 23): np.dtype(np.float32),
    (11, 52): np.dtype(np.float64),
}


def reduce_precision(x: Any, exponent_bits: int, mantissa_bits: int) -> Array:
    """Rounded to what a narrower float dtype can hold."""
    x = np.asarray(x)
    narrow = _NARROW[exponent_bits, mantissa_bits]
    if narrow == x.dtype or narrow.itemsize > x.dtype.itemsize:
        return x
    return x.astype(narrow).astype(x.dtype)
