"""Hash functions of byte strings: the 64-bit ones that TF 1.15 uses.

FarmHash's Fingerprint64 (Pike and Alakuijala, Google), SipHash-2-4 (Aumasson and Bernstein, 2012)
and MurmurHash64A (Appleby), on Python integers: a few microseconds a string.
"""

from __future__ import annotations

import struct

_MASK = 0xFFFFFFFFFFFFFFFF
_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F


def _fetch(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 8], "little")


def _fetch32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


def _rotate(x: int, right: int) -> int:
    x &= _MASK
    return (x >> right | x << (64 - right)) & _MASK


def _mix(x: int) -> int:
    x &= _MASK
    return x ^ x >> 47


def _combine(u: int, v: int, mul: int) -> int:
    a = _mix(((u ^ v) & _MASK) * mul)
    return _mix(((v ^ a) & _MASK) * mul) * mul & _MASK


def fingerprint64(data: bytes) -> int:
    """FarmHash's Fingerprint64."""
    size = len(data)
    if size > 64:
        return _fingerprint_long(data)
    mul = _K2 + size * 2
    if size > 32:
        return _fingerprint_33_to_64(data, mul)
    if size > 16:
        a = _fetch(data, 0) * _K1
        b = _fetch(data, 8)
        c = _fetch(data, size - 8) * mul
        d = _fetch(data, size - 16) * _K2
        first = _rotate(a + b, 43) + _rotate(c, 30) + d
        return _combine(first, a + _rotate(b + _K2, 18) + c, mul)
    if size >= 8:
        a = _fetch(data, 0) + _K2
        b = _fetch(data, size - 8)
        return _combine(_rotate(b, 37) * mul + a, (_rotate(a, 25) + b) * mul, mul)
    if size >= 4:
        return _combine(size + (_fetch32(data, 0) << 3), _fetch32(data, size - 4), mul)
    if size:
        y = data[0] + (data[size >> 1] << 8)
        z = size + (data[-1] << 2)
        return _mix(y * _K2 ^ z * _K0) * _K2 & _MASK
    return _K2


def _fingerprint_33_to_64(data: bytes, mul: int) -> int:
    size = len(data)
    a = _fetch(data, 0) * _K2
    b = _fetch(data, 8)
    c = _fetch(data, size - 8) * mul
    d = _fetch(data, size - 16) * _K2
    y = _rotate(a + b, 43) + _rotate(c, 30) + d
    z = _combine(y, a + _rotate(b + _K2, 18) + c, mul)
    e = _fetch(data, 16) * mul
    f = _fetch(data, 24)
    g = (y + _fetch(data, size - 32)) * mul
    h = (z + _fetch(data, size - 24)) * mul
    return _combine(_rotate(e + f, 43) + _rotate(g, 30) + h, e + _rotate(f + a, 18) + g, mul)


def _weak(data: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    w, x, y, z = struct.unpack_from("<4Q", data, at)
    a += w
    b = _rotate(b + a + z, 21)
    c = a
    a += x + y
    return (a + z) & _MASK, (b + _rotate(a, 44) + c) & _MASK


def _fingerprint_long(data: bytes) -> int:
    size = len(data)
    x = (81 * _K2 + _fetch(data, 0)) & _MASK
    y = (81 * _K1 + 113) & _MASK
    z = _mix(y * _K2 + 113) * _K2 & _MASK
    v, w = (0, 0), (0, 0)
    end = (size - 1) // 64 * 64
    for at in range(0, end, 64):
        x = _rotate(x + y + v[0] + _fetch(data, at + 8), 37) * _K1 & _MASK
        y = _rotate(y + v[1] + _fetch(data, at + 48), 42) * _K1 & _MASK
        x ^= w[1]
        y = (y + v[0] + _fetch(data, at + 40)) & _MASK
        z = _rotate(z + w[0], 33) * _K1 & _MASK
        v = _weak(data, at, v[1] * _K1, x + w[0])
        w = _weak(data, at + 32, z + w[1], y + _fetch(data, at + 16))
        z, x = x, z
    mul = (_K1 + ((z & 0xFF) << 1)) & _MASK
    at = size - 64
    w0 = w[0] + ((size - 1) & 63)
    v0 = (v[0] + w0) & _MASK
    w0 = (w0 + v0) & _MASK
    x = _rotate(x + y + v0 + _fetch(data, at + 8), 37) * mul & _MASK
    y = _rotate(y + v[1] + _fetch(data, at + 48), 42) * mul & _MASK
    x ^= w[1] * 9 & _MASK
    y = (y + v0 * 9 + _fetch(data, at + 40)) & _MASK
    z = _rotate(z + w0, 33) * mul & _MASK
    v = _weak(data, at, v[1] * mul, x + w0)
    w = _weak(data, at + 32, z + w[1], y + _fetch(data, at + 16))
    z, x = x, z
    first = _combine(v[0], w[0], mul) + _mix(y) * _K0 + z
    return _combine(first & _MASK, (_combine(v[1], w[1], mul) + x) & _MASK, mul)


def hash64(data: bytes, seed: int = 0xDECAFCAFFE) -> int:
    """MurmurHash64A with TF's seed."""
    m = 0xC6A4A7935BD1E995
    size = len(data)
    h = (seed ^ size * m) & _MASK
    whole = size // 8 * 8
    for (k,) in struct.iter_unpack("<Q", data[:whole]):
        h = (h ^ _mix(k * m) * m & _MASK) * m & _MASK
    if size > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & _MASK
    h = _mix(h) * m & _MASK
    return _mix(h)


def siphash(data: bytes, key: tuple[int, int]) -> int:
    """SipHash-2-4 with a key of two words."""
    k0, k1 = key[0] & _MASK, key[1] & _MASK
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    size = len(data)
    whole = size // 8 * 8
    words = [word for (word,) in struct.iter_unpack("<Q", data[:whole])]
    words.append((size & 0xFF) << 56 | int.from_bytes(data[whole:], "little"))

    def rounds(count: int) -> None:
        nonlocal v0, v1, v2, v3
        for _ in range(count):
            v0 = (v0 + v1) & _MASK
            v1 = _rotate(v1, 51) ^ v0
            v0 = _rotate(v0, 32)
            v2 = (v2 + v3) & _MASK
            v3 = _rotate(v3, 48) ^ v2
            v0 = (v0 + v3) & _MASK
            v3 = _rotate(v3, 43) ^ v0
            v2 = (v2 + v1) & _MASK
            v1 = _rotate(v1, 47) ^ v2
            v2 = _rotate(v2, 32)

    for word in words:
        v3 ^= word
        rounds(2)
        v0 ^= word
    v2 ^= 0xFF
    rounds(4)
    return v0 ^ v1 ^ v2 ^ v3


def fingerprint128(data: bytes) -> tuple[int, int]:
    """FarmHash's Fingerprint128, the low word first."""
    if len(data) < 16:
        return _city(data, _K0, _K1)
    return _city(data[16:], _fetch(data, 0), _fetch(data, 8) + _K0)


def _sixteen(u: int, v: int) -> int:
    return _combine(u & _MASK, v & _MASK, 0x9DDFEA08EB382D69)


def _city(data: bytes, low: int, high: int) -> tuple[int, int]:
    if len(data) < 128:
        return _city_short(data, low, high)
    size = len(data)
    x, y, z = low & _MASK, high & _MASK, size * _K1 & _MASK
    v0 = _rotate(y ^ _K1, 49) * _K1 + _fetch(data, 0) & _MASK
    v = v0, _rotate(v0, 42) * _K1 + _fetch(data, 8) & _MASK
    w = (
        _rotate(y + z, 35) * _K1 + x & _MASK,
        _rotate(x + _fetch(data, 88), 53) * _K1 & _MASK,
    )
    whole = size // 128 * 128
    for at in range(0, whole, 64):
        x = _rotate(x + y + v[0] + _fetch(data, at + 8), 37) * _K1 & _MASK
        y = _rotate(y + v[1] + _fetch(data, at + 48), 42) * _K1 & _MASK
        x ^= w[1]
        y = y + v[0] + _fetch(data, at + 40) & _MASK
        z = _rotate(z + w[0], 33) * _K1 & _MASK
        v = _weak(data, at, v[1] * _K1, x + w[0])
        w = _weak(data, at + 32, z + w[1], y + _fetch(data, at + 16))
        z, x = x, z
    x = x + _rotate(v[0] + z, 49) * _K0 & _MASK
    y = y * _K0 + _rotate(w[1], 37) & _MASK
    z = z * _K0 + _rotate(w[0], 27) & _MASK
    w = w[0] * 9 & _MASK, w[1]
    v = v[0] * _K0 & _MASK, v[1]
    # The rest, in chunks of 32 bytes from the end.
    left = size - whole
    for done in range(32, left + 32, 32):
        at = size - done
        y = _rotate(x + y, 42) * _K0 + v[1] & _MASK
        w = w[0] + _fetch(data, at + 16) & _MASK, w[1]
        x = x * _K0 + w[0] & _MASK
        z = z + w[1] + _fetch(data, at) & _MASK
        w = w[0], w[1] + v[0] & _MASK
        v = _weak(data, at, v[0] + z, v[1])
        v = v[0] * _K0 & _MASK, v[1]
    x = _sixteen(x, v[0])
    y = _sixteen(y + z, w[0])
    return _sixteen(x + v[1], w[1]) + y & _MASK, _sixteen(x + w[1], y + v[1])


def _city_short(data: bytes, low: int, high: int) -> tuple[int, int]:
    size = len(data)
    a, b = low & _MASK, high & _MASK
    if size <= 16:
        a = _mix(a * _K1) * _K1 & _MASK
        c = b * _K1 + _short(data) & _MASK
        d = _mix(a + (_fetch(data, 0) if size >= 8 else c))
    else:
        c = _sixteen(_fetch(data, size - 8) + _K1, a)
        d = _sixteen(b + size, c + _fetch(data, size - 16))
        a = a + d & _MASK
        for at in range(0, size - 16, 16):
            a = (a ^ _mix(_fetch(data, at) * _K1) * _K1) * _K1 & _MASK
            b ^= a
            c = (c ^ _mix(_fetch(data, at + 8) * _K1) * _K1) * _K1 & _MASK
            d ^= c
    a = _sixteen(a, c)
    b = _sixteen(d, b)
    return a ^ b, _sixteen(b, a)


def _short(data: bytes) -> int:
    """The 64-bit hash of at most 16 bytes that `_city_short` takes in; FarmHash's is the same."""
    return fingerprint64(data)
