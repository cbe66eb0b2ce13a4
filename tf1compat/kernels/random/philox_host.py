"""Philox words and their normals on NumPy values: the numbers of `philox.py`, bit for bit.

Here blocks are drawn whole, and in pieces that stay in the processor's cache: a pass over a large
array waits for memory, and a normal takes about a hundred passes.  Of few blocks the calls would be
what takes time, so these are worked out side by side in Python's integers: 64 bits hold what two
words multiplied give, and an integer has as many such lanes as there are blocks.  And what is drawn
again and again, a few numbers at a time, is drawn ahead (`_ahead`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.kernels.math import libm

Array = np.ndarray

MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
ROUNDS = 10
_WORD = 0xFFFFFFFF
_MASK, _32 = np.uint64(_WORD), np.uint64(32)

# Blocks up to which Python's integers are quicker, and blocks that are worked out at once.
_FEW = 200
_PIECE = 8192

# Blocks that are drawn ahead, and blocks of one call up to which that is worth it.
_AHEAD = 128
_AHEAD_EACH = 32

u32, u64, f32, f64 = np.uint32, np.uint64, np.float32, np.float64


def blocks(key: Array, counter: Array, offsets: Array) -> tuple[Array, Array]:
    """The words of the blocks at `counter + offsets`.

    Args:
      key: uint32[2].
      counter: uint32[4], low word first.
      offsets: uint64[n].

    Returns:
      The words 0 and 2 of each block, and the words 1 and 3: uint64[2, n], below 2**32.
    """
    return (_few_blocks if offsets.size <= _FEW else _many_blocks)(key, counter, offsets)


def _many_blocks(key: Array, counter: Array, offsets: Array) -> tuple[Array, Array]:
    low, high = (int(half) for half in np.ascontiguousarray(counter).view(u64))
    first = offsets + u64(low)
    second = (first < offsets) + u64(high)
    even, odd = np.stack([first & _MASK, second & _MASK]), np.stack([first >> _32, second >> _32])
    multipliers = np.array(MULTIPLIERS, u64)[:, None]
    for keys in _round_keys(*key.tolist()):
        # Each half gives the other one's next words.
        products = (even * multipliers)[::-1]
        even = products >> _32
        even ^= odd
        even ^= np.array(keys, u64)[:, None]
        even &= _MASK
        odd = products  # The upper halves are masked when they have met the rest.
    return even, odd & _MASK


def _few_blocks(key: Array, counter: Array, offsets: Array) -> tuple[Array, Array]:
    size = 8 * offsets.size
    lanes = int.from_bytes(b"\1\0\0\0\0\0\0\0" * offsets.size, "little")
    offset = int.from_bytes(offsets.tobytes(), "little")
    mask = _WORD * lanes
    # A sum in each lane, from which the carry is taken to the next word.
    words, carry = [], 0
    for word, part in zip(counter.tolist(), (offset & mask, offset >> 32 & mask, 0, 0)):
        total = part + carry + word * lanes
        words.append(total & mask)
        carry = total >> 32 & mask
    c0, c1, c2, c3 = words
    m0, m1 = MULTIPLIERS
    for k0, k1 in _round_keys(*key.tolist()):
        second, first = c2 * m1, c0 * m0
        c0 = (second >> 32 ^ c1 ^ k0 * lanes) & mask
        c2 = (first >> 32 ^ c3 ^ k1 * lanes) & mask
        c1, c3 = second & mask, first & mask
    even, odd = (
        np.frombuffer((a | b << 8 * size).to_bytes(2 * size, "little"), u64).reshape(2, -1)
        for a, b in ((c0, c2), (c1, c3))
    )
    return even, odd


@functools.lru_cache(maxsize=256)
def _round_keys(k0: int, k1: int) -> list[tuple[int, int]]:
    return [(k0 + i * WEYL[0] & _WORD, k1 + i * WEYL[1] & _WORD) for i in range(ROUNDS)]


def _pieces(count: int) -> Iterator[slice]:
    for start in range(0, count, _PIECE):
        yield slice(start, min(start + _PIECE, count))


# What is known of generators that few blocks are drawn from: where the last of them began, and what
# was drawn ahead, the next at the end.
_drawn: dict[Any, tuple[int, int, list[Array]]] = {}
_MOST_DRAWN = 512


def _ahead(
    draw: Callable[[Array], Array], key: Array, counter: Array, count: int, kind: Any
) -> Array:
    """`draw` of `count` blocks at `counter`.

    An operation that runs again has its counter moved on by the same distance as before, so that
    what it will ask for is known after the second time; and to draw many costs little more.

    Args:
      draw: what makes numbers, a row a block, of offsets from `counter`.
      key: uint32[2].
      counter: uint32[4].
      count: how many blocks, `_AHEAD_EACH` at most.
      kind: what else the numbers hang on.

    Returns:
      The rows; nobody else has them.
    """
    generator = key.tobytes(), counter[2:].tobytes(), count, kind
    place = int.from_bytes(counter[:2].tobytes(), "little")
    # Taken out, so that no other thread takes numbers of it meanwhile.
    last, step, rows = _drawn.pop(generator, (place, 0, []))
    if not rows or place - last != step:
        step = place - last
        times = _AHEAD // count if 0 < step < 1 << 32 else 1
        offsets = np.arange(times, dtype=u64)[:, None] * u64(max(step, 0))
        made = draw((offsets + np.arange(count, dtype=u64)).reshape(-1))
        rows = list(made.reshape(times, count, -1)[::-1])
    if len(_drawn) >= _MOST_DRAWN:
        _drawn.clear()
    found = rows.pop().copy()
    _drawn[generator] = place, step, rows
    return found


def words(key: Array, counter: Array, n: int, first: int = 0) -> Array:
    """`n` words of the stream from the block number `first` on: uint32[n]."""

    def draw(offsets: Array, out: Array | None = None) -> Array:
        even, odd = blocks(key, counter, offsets)
        return np.bitwise_or(even, odd << _32, out).T

    count = -(-n // 4)
    if first == 0 < count <= _AHEAD_EACH:
        return _ahead(draw, key, counter, count, u32).reshape(-1).view(u32)[:n]
    made = np.empty((count, 2), u64)
    for piece in _pieces(count):
        offsets = np.arange(first + piece.start, first + piece.stop, dtype=u64)
        draw(offsets, made[piece].T)
    return made.reshape(-1).view(u32)[:n]


def normals(key: Array, counter: Array, n: int, dtype: Any) -> Array:
    """`n` Box-Muller normals of the stream: float64 if `dtype` is, else float32."""

    def draw(offsets: Array) -> Array:
        return _normals_of_blocks(blocks(key, counter, offsets), dtype)

    made = _room(-(-n // _per_block(dtype)), dtype)
    if 0 < len(made) <= _AHEAD_EACH:
        return _ahead(draw, key, counter, len(made), made.dtype).reshape(-1)[:n]
    for piece in _pieces(len(made)):
        made[piece] = draw(np.arange(piece.start, piece.stop, dtype=u64))
    return made.reshape(-1)[:n]


def truncated_normals(key: Array, counter: Array, groups: int, stride: int, dtype: Any) -> Array:
    """For each group of outputs the first acceptable normals of its own stretch of the stream.

    Args:
      key: uint32[2].
      counter: uint32[4].
      groups: how many groups there are.
      stride: how many blocks further on the next group's stretch begins.
      dtype: what TF was asked for.

    Returns:
      float32 or float64 [groups * (4 or 2)].
    """
    made = _room(groups, dtype)
    size = made.shape[1]
    waiting = [(np.arange(piece.start, piece.stop), None) for piece in _pieces(groups)]
    number = 0
    # Drawn again is for those alone that still lack numbers, and for few of them some blocks at
    # once.
    while waiting:
        ahead = 4 if len(waiting) == 1 and 4 * len(waiting[0][0]) <= _FEW else 1
        left = []
        for rows, had in waiting:
            offsets = (rows.astype(u64) * u64(stride))[:, None] + np.arange(
                number, number + ahead, dtype=u64
            )
            drawn = _normals_of_blocks(blocks(key, counter, offsets.reshape(-1)), dtype)
            drawn = drawn.reshape(rows.size, -1)
            if had is not None:
                drawn = np.concatenate([had, drawn], 1)
            elif ahead == 1:  # Five rows of six are whole at once: these are not picked out.
                made[rows[0] : rows[-1] + 1] = drawn
                some = np.flatnonzero(~(abs(drawn) < 2).all(1))
                left.append((rows[some], drawn[some]))
                continue
            fits = abs(drawn) < 2
            have = fits.cumsum(1, np.int16)
            done = have[:, -1] >= size
            made[rows[done]] = drawn[done][(fits & (have <= size))[done]].reshape(-1, size)
            left.append((rows[~done], drawn[~done]))
        waiting = _joined(left)
        number += ahead
    return made.reshape(-1)


def _joined(left: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
    """What still waits, in pieces that are worth a call."""
    rows, had = (np.concatenate(parts) for parts in zip(*left))
    return [(rows[piece], had[piece]) for piece in _pieces(rows.size)]


def _per_block(dtype: Any) -> int:
    return 2 if np.dtype(dtype) == f64 else 4


def _room(blocks: int, dtype: Any) -> Array:
    """For the normals of so many blocks, in the type that they are worked out in."""
    return np.empty((blocks, _per_block(dtype)), f64 if np.dtype(dtype) == f64 else f32)


def _normals_of_blocks(words: tuple[Array, Array], dtype: Any) -> Array:
    """All normals of blocks, [blocks, 4 or 2], of their words."""
    even, odd = words
    if np.dtype(dtype) == f64:
        first, second = _unit_float64(even, odd)
        radius, angle = np.sqrt(-2 * np.log(np.maximum(first, 1e-7))), 2 * np.pi * second
        return np.stack([np.sin(angle) * radius, np.cos(angle) * radius], 1)
    radius = _radius(even)
    sine, cosine = _sine_and_cosine(odd)
    made = np.empty((2, 2, radius.shape[1]), f32)  # pair, sine or cosine, block
    np.multiply(sine, radius, out=made[:, 0])
    np.multiply(cosine, radius, out=made[:, 1])
    return made.reshape(4, -1).T


def _unit_float64(first: Array, second: Array) -> Array:
    return ((first & u64(0xFFFFF) | u64(0x3FF00000)) << u64(32) | second).view(f64) - 1


# What of a word is the mantissa of its unit float32.
_MANTISSA = u64(0x7FFFFF)


def _radius(word: Array) -> Array:
    """sqrt(-2 log u), u the unit float32 of a word, 1e-7 at the least: `libm.log` in place."""
    u = (word & _MANTISSA).astype(np.int32).astype(f64)
    u *= 2.0**-23
    np.maximum(u, f64(f32(1e-7)), out=u)
    place = u.astype(f32).view(np.int32)
    place -= np.int32(libm.LOG_START - (_EXPONENTS << 23))
    place >>= np.int32(19)
    r, base = _INVERSE.take(place), _LOG.take(place)
    r *= u
    r -= 1
    base += r
    a0, a1, a2 = libm.LOG_POLYNOMIAL
    squared = r * r
    y = squared * a0
    r *= a1
    r += a2
    y += r
    y *= squared
    y += base
    radius = y.astype(f32)
    radius *= f32(-2)
    return np.sqrt(radius, out=radius)


# `libm.LOG_TABLE` for every exponent that a unit float can have: the inverse scaled, so that it
# takes the number itself, and the logarithm with the exponent's.
_EXPONENTS = 24
_INVERSE, _LOG = (
    np.concatenate([libm.LOG_TABLE[:, 0] * 2.0**-k for k in range(-_EXPONENTS, 1)]),
    np.concatenate([libm.LOG_TABLE[:, 1] + k * libm.LN2 for k in range(-_EXPONENTS, 1)]),
)


def _sine_and_cosine(word: Array) -> tuple[Array, Array]:
    """Of 2 pi u, u the unit float32 of a word: `libm.sin_or_cos`, both at once and in place."""
    r = (word & _MANTISSA).astype(np.int32).astype(f64)
    r *= 2 * np.pi * 2.0**-23
    r = r.astype(f32).astype(f64)
    quadrant = (r * libm.QUADRANT).astype(np.int32)
    quadrant += np.int32(0x800000)
    quadrant >>= np.int32(24)
    r -= quadrant.astype(f64) * libm.HALF_PI
    r2 = r * r
    r3 = r2 * r
    r4 = r2 * r2
    s0, s1, s2 = libm.SIN
    tail = r2 * s2
    tail += s1
    r5 = r3 * r2
    tail *= r5
    r3 *= s0
    r += r3
    r += tail
    c0, c1, c2, c3, c4 = libm.COS
    np.multiply(r2, c4, out=tail)
    tail += c3
    np.multiply(r4, r2, out=r5)
    tail *= r5
    r4 *= c2
    r2 *= c1
    r2 += c0
    r2 += r4
    r2 += tail
    sine, cosine = r.astype(f32), r2.astype(f32)
    swapped = np.negative(quadrant & np.int32(1))  # All bits, where sine and cosine change places.
    swapped &= sine.view(np.int32) ^ cosine.view(np.int32)
    for value, turns in ((sine, quadrant), (cosine, quadrant + np.int32(1))):
        bits = value.view(np.int32)
        bits ^= swapped
        # The sign, in the third quadrant and the fourth.
        bits ^= (turns & np.int32(2)) << np.int32(30)
    return sine, cosine
