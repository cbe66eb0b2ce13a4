"""TF 1.15's random bits in JAX: Philox 4x32-10, and the uniforms and normals made of its words.

Everything here is a pure function of a key and a counter and runs inside `jax.jit` with the same
result on every platform.  Uniforms and float32 normals are bit for bit those of TF 1.15 on CPU;
float64 normals agree to an ulp or two.

The stream: counter c gives four 32-bit words, c+1 the next four.  `key` is uint32[2] (the graph
seed, low word first), `counter` uint32[4] (128 bits, low word first; an op starts at (0, 0, op seed
low, op seed high)).

Each *element* works out its own Philox block, the same block four times over for float32.  Writing
blocks of four and interleaving them instead does a quarter of the arithmetic but measures four
times slower on CPU (10M floats: 90 ms against 23 ms), since XLA then neither vectorises nor
parallelises the loop.  On NumPy values, where that is not so, blocks are drawn whole
(`philox_host.py`).

Algorithm: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from tf1compat.backend import at, jax, jnp, lax, mulhi
from tf1compat.kernels.framework.common import known
from tf1compat.kernels.math import libm, rounding
from tf1compat.kernels.random import philox_host
from tf1compat.kernels.random.philox_host import MULTIPLIERS, ROUNDS, WEYL

Array = Any
Words = tuple[Array, Array, Array, Array]

# 128-bit steps that TF sets aside for each output of an op, so that no two of its threads draw the
# same numbers.
RESERVED_PER_OUTPUT = 256

u32 = np.uint32


def block(key: Array, counter: Array, low: Array, high: Array | None = None) -> Words:
    """The four words at `counter + (high << 32 | low)`.

    Args:
      key: uint32[2].
      counter: uint32[4], low word first.
      low: uint32 array, the offset's low word; one block is drawn for each of its elements.
      high: uint32 array of the same shape, or None for zero.

    Returns:
      Four uint32 arrays of the shape of `low`.
    """
    c0, c1, c2, c3 = _add(counter, low, high)
    k0, k1 = key[0], key[1]
    m0, m1 = (lax.full_like(c0, m) for m in MULTIPLIERS)
    for round_ in range(ROUNDS):
        if round_:
            k0, k1 = k0 + u32(WEYL[0]), k1 + u32(WEYL[1])
        c0, c1, c2, c3 = (
            mulhi(c2, m1) ^ c1 ^ k0,
            c2 * m1,
            mulhi(c0, m0) ^ c3 ^ k1,
            c0 * m0,
        )
    return c0, c1, c2, c3


def _add(counter: Array, low: Array, high: Array | None) -> Words:
    """128-bit `counter + (high << 32 | low)`, element by element."""
    c0 = counter[0] + low
    carry = (c0 < low).astype(u32)
    c1 = counter[1] + carry
    carry &= (c1 == 0).astype(u32)
    if high is not None:
        c1 = c1 + high
        carry |= (c1 < high).astype(u32)
    c2 = counter[2] + carry
    c3 = counter[3] + (carry & (c2 == 0).astype(u32))
    return c0, c1, c2, c3


def stateless_key(seed: Array) -> tuple[Array, Array]:
    """The key and the counter that TF's Stateless* ops make of their seed.

    Args:
      seed: int32[2] or int64[2].

    Returns:
      (uint32[2], uint32[4]).
    """
    seed = jnp.asarray(seed)
    low = seed.astype(u32)
    # The upper words: the sign for int32 seeds, as TF widens them.
    high = (seed >> (31 if seed.dtype.itemsize == 4 else 32)).astype(u32)
    zero = jnp.zeros_like(low[:1])
    start = jnp.stack([low[0], high[0], low[1], high[1]])
    mixed = jnp.concatenate(block(jnp.array([0x3EC8F720, 0x02461E29], u32), start, zero))
    return mixed[:2], jnp.concatenate([zero, zero, mixed[2:]])


def _elements(n: int, per_block: int) -> tuple[Array, Array | None, Array]:
    """For each of `n` outputs its block's offset (low, high) and its place in that block."""
    shift = per_block.bit_length() - 1
    if n < 1 << 32:
        index = lax.iota(u32, n)
        return index >> u32(shift), None, index & u32(per_block - 1)
    index = lax.iota(np.uint64, n)
    place = (index & np.uint64(per_block - 1)).astype(u32)
    index >>= np.uint64(shift)
    return index.astype(u32), (index >> np.uint64(32)).astype(u32), place


def _per_block(dtype: Any) -> int:
    """How many outputs TF draws from one block: 8-byte types take two words each."""
    return 2 if np.dtype(dtype).itemsize == 8 else 4


def _pick(words: Words, place: Array) -> Array:
    """The word number `place` (0..3) of each block."""
    return jnp.where(
        place < 2,
        jnp.where(place == 0, words[0], words[1]),
        jnp.where(place == 2, words[2], words[3]),
    )


def _pick_pair(words: Words, second: Array) -> tuple[Array, Array]:
    """Words (0, 1), or (2, 3) where `second`."""
    return jnp.where(second, words[2], words[0]), jnp.where(second, words[3], words[1])


def _join(low: Array, high: Array) -> Array:
    return low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)


@functools.partial(jax.jit, static_argnames=("n",))
def words(key: Array, counter: Array, n: int) -> Array:
    """The first `n` words of the stream: uint32[n]."""
    if known(counter):
        return philox_host.words(key, counter, n)
    low, high, place = _elements(n, 4)
    return _pick(block(key, counter, low, high), place)


def words_from(key: Array, counter: Array, place: int, count: int) -> Array:
    """`count` words of the stream from `place` on, of NumPy values."""
    skipped = place & 3
    return philox_host.words(key, counter, skipped + count, place >> 2)[skipped:]


def words_at(key: Array, counter: Array, index: Array) -> Array:
    """The words at `index` (a uint32 array) of the stream."""
    return _pick(block(key, counter, index >> u32(2)), index & u32(3))


@functools.partial(jax.jit, static_argnames=("n",))
def bits64(key: Array, counter: Array, n: int) -> Array:
    """The first `n` pairs of words, the first of a pair as the low one: uint64[n]."""
    if known(counter):
        found = philox_host.words(key, counter, 2 * n)
        return _join(found[0::2], found[1::2])
    low, high, place = _elements(n, 2)
    return _join(*_pick_pair(block(key, counter, low, high), place == 1))


def unit_float32(word: Array) -> Array:
    """Float in [0, 1) with the low 23 bits of a word as its mantissa."""
    bits = word & u32(0x7FFFFF) | u32(0x3F800000)
    return lax.bitcast_convert_type(bits, np.float32) - np.float32(1)


def unit_float64(first: Array, second: Array) -> Array:
    """Float in [0, 1) with 52 bits of mantissa: 20 of the first word, then the second word."""
    bits = _join(second, first & u32(0xFFFFF) | u32(0x3FF00000))
    return lax.bitcast_convert_type(bits, np.float64) - np.float64(1)


def _unit_16(word: Array, dtype: Any, mantissa_bits: int, one: int) -> Array:
    bits = word.astype(np.uint16) & np.uint16((1 << mantissa_bits) - 1) | np.uint16(one)
    # Exact in float32, where every platform subtracts alike.
    return (lax.bitcast_convert_type(bits, dtype).astype(np.float32) - np.float32(1)).astype(dtype)


@functools.partial(jax.jit, static_argnames=("n", "dtype"))
def uniform(key: Array, counter: Array, n: int, dtype: Any) -> Array:
    """RandomUniform: `n` floats in [0, 1) of type float16, bfloat16, float32 or float64."""
    dtype = np.dtype(dtype)
    if dtype == np.float64:
        if known(counter):
            found = philox_host.words(key, counter, 2 * n)
            return unit_float64(found[0::2], found[1::2])
        low, high, place = _elements(n, 2)
        return unit_float64(*_pick_pair(block(key, counter, low, high), place == 1))
    word = words(key, counter, n)
    if dtype == np.float32:
        return unit_float32(word)
    if dtype == np.float16:
        return _unit_16(word, dtype, 10, 0x3C00)
    return _unit_16(word, dtype, 7, 0x3F80)


def uniform_int(key: Array, counter: Array, n: int, minval: Array, maxval: Array) -> Array:
    """RandomUniformInt: `n` integers in [minval, maxval), of the bounds' type (int32 or int64).

    As in TF the remainder of one draw by the range, so slightly biased for ranges that are no power
    of two.
    """
    minval, maxval = jnp.asarray(minval), jnp.asarray(maxval)
    draw = words if minval.dtype.itemsize == 4 else bits64
    unsigned = u32 if minval.dtype.itemsize == 4 else np.uint64
    offset = draw(key, counter, n) % (maxval.astype(unsigned) - minval.astype(unsigned))
    return (minval.astype(unsigned) + offset).astype(minval.dtype)


def _normal_of(words_: Words, place: Array, dtype: Any) -> Array:
    """The Box-Muller normal number `place` of a block: of four float32 (two pairs) or two float64.

    Half and bfloat16 are float32's, rounded.
    """
    if dtype == np.float64:
        radius, angle = _polar_float64(words_)
        return jnp.where(place == 0, jnp.sin(angle), jnp.cos(angle)) * radius
    radius, angle = _polar_float32(*_pick_pair(words_, place >= 2))
    return (libm.sin_or_cos(angle, place & u32(1)) * radius).astype(dtype)


def _polar_float32(first: Array, second: Array) -> tuple[Array, Array]:
    radius = libm.sqrt(np.float32(-2) * libm.log(lax.max(unit_float32(first), np.float32(1e-7))))
    angle = np.float64(2 * np.pi) * unit_float32(second).astype(np.float64)
    return radius, rounding.to_float32(angle)


def _polar_float64(words_: Words) -> tuple[Array, Array]:
    u = lax.max(unit_float64(words_[0], words_[1]), np.float64(1e-7))
    return jnp.sqrt(-2 * jnp.log(u)), 2 * np.pi * unit_float64(words_[2], words_[3])


def normal_pair_float64(words_: Words) -> tuple[Array, Array]:
    """The two float64 normals of a block."""
    radius, angle = _polar_float64(words_)
    return jnp.sin(angle) * radius, jnp.cos(angle) * radius


@functools.partial(jax.jit, static_argnames=("n", "dtype"))
def normal(key: Array, counter: Array, n: int, dtype: Any) -> Array:
    """RandomStandardNormal: `n` normals of type float16, bfloat16, float32 or float64."""
    dtype = np.dtype(dtype)
    if known(counter):
        return philox_host.normals(key, counter, n, dtype).astype(dtype, copy=False)
    low, high, place = _elements(n, _per_block(dtype))
    return _normal_of(block(key, counter, low, high), place, dtype)


@functools.partial(jax.jit, static_argnames=("n", "dtype"))
def truncated_normal(key: Array, counter: Array, n: int, dtype: Any) -> Array:
    """TruncatedNormal: `n` normals, redrawn until they lie strictly within (-2, 2).

    TF gives each group of outputs (four, or two for float64) a generator of its own, 256 steps an
    output further on, and keeps the first four (two) acceptable normals of it.

    The groups are drawn in pieces: two blocks suffice for nearly every piece, where all groups
      together would need seven. Pieces have few different sizes, since XLA compiles equal ones
      once, however many initializers a program has.
    """
    size = _per_block(dtype)
    groups = -(-n // size)
    if known(counter):
        stride = RESERVED_PER_OUTPUT * size // 4
        found = philox_host.truncated_normals(key, counter, groups, stride, dtype)
        return found[:n].astype(dtype, copy=False)
    piece = next((p for p in _PIECES if p >= groups), _PIECES[-1])
    pieces = -(-groups // piece)

    def draw(number: Array) -> Array:
        return _first_acceptable(key, counter, number * u32(piece), piece, np.dtype(dtype))

    values = draw(u32(0)) if pieces == 1 else lax.map(draw, lax.iota(u32, pieces))
    return values.reshape(-1)[:n].astype(dtype)


_PIECES = (64, 256, 1024, 4096, 16384)


def _first_acceptable(key: Array, counter: Array, first: Array, groups: int, dtype: Any) -> Array:
    """The first acceptable normals of each output group's own stretch of the stream.

    Args:
      key: uint32[2].
      counter: uint32[4].
      first: uint32 scalar, the number of the first group.
      groups: how many groups to draw.
      dtype: what TF was asked for.  Rejection looks at the numbers before they are rounded to half.

    Returns:
      float32 or float64 [groups * (4 or 2)].
    """
    size = _per_block(dtype)
    work = np.dtype(np.float64 if dtype == np.float64 else np.float32)
    stride = (RESERVED_PER_OUTPUT * size // 4).bit_length() - 1
    index = lax.iota(u32, groups * size)
    place = index & u32(size - 1)
    group = first + (index >> u32(size.bit_length() - 1))
    low, high = group << u32(stride), group >> u32(32 - stride)
    slot = place.astype(np.int32)

    # All arrays but `filled` and `flags` are flat, [groups * size]: a last axis of four would keep
    # XLA from vectorising.
    def step(state: tuple[Array, Array, Array]) -> tuple[Array, Array, Array]:
        number, values, filled = state
        drawn = _normal_of(block(key, counter, low + number, high), place, work)
        fits = (abs(drawn) < work.type(2)).reshape(groups, size).astype(np.int32)
        flags = (fits << lax.iota(np.int32, size)).sum(axis=1, dtype=np.int32)
        # Slot s takes the normal of this block before which s - filled others are acceptable.
        wanted, flags_ = slot - jnp.repeat(filled, size), jnp.repeat(flags, size)
        source, before = lax.full_like(slot, size), lax.full_like(slot, 0)
        for i in range(size):
            fit = flags_ >> np.int32(i) & np.int32(1)
            source = jnp.where((fit == 1) & (before == wanted), np.int32(i), source)
            before = before + fit
        taken = at(drawn)[index.astype(np.int32) - slot + source].get(mode="clip")
        values = jnp.where(source < size, taken, values)
        return number + u32(1), values, filled + lax.population_count(flags)

    start = (jnp.zeros((), u32), jnp.zeros(groups * size, work), jnp.zeros(groups, np.int32))
    return lax.while_loop(lambda state: (state[2] < size).any(), step, start)[1]
