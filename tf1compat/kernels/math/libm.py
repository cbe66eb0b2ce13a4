"""float32 `log`, `sin` and `cos` as the C library rounds them: the same bits on every platform.

TF 1.15 on CPU makes its normals with glibc's `logf` and `sincosf` (2.28 and later), which are not
correctly rounded in one case in a hundred.  These follow the same steps in float64: argument
reduction, then a short polynomial.  Over all 2**23 arguments that a float32 Box-Muller transform
can have they return glibc's bits; JAX's own functions differ from platform to platform, which a
rejection sampler would turn into different numbers.

Only the ranges that Box-Muller needs are right: `log` for normal positive numbers, `sin_or_cos` for
|angle| < 120.

The coefficients are those of Arm's Optimized Routines (math/logf_data.c, math/sincosf_data.c; MIT
licence, copyright 1999-2019 Arm Limited), which glibc uses.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.backend import jnp, lax

Array = Any

_hex = float.fromhex

# For each sixteenth c of the mantissa's range: 1/c and log(c), for a c near the middle where both
# are nearly exact.
LOG_TABLE = np.array(
    [
        (_hex("0x1.661ec79f8f3bep+0"), _hex("-0x1.57bf7808caadep-2")),
        (_hex("0x1.571ed4aaf883dp+0"), _hex("-0x1.2bef0a7c06ddbp-2")),
        (_hex("0x1.49539f0f010bp+0"), _hex("-0x1.01eae7f513a67p-2")),
        (_hex("0x1.3c995b0b80385p+0"), _hex("-0x1.b31d8a68224e9p-3")),
        (_hex("0x1.30d190c8864a5p+0"), _hex("-0x1.6574f0ac07758p-3")),
        (_hex("0x1.25e227b0b8eap+0"), _hex("-0x1.1aa2bc79c81p-3")),
        (_hex("0x1.1bb4a4a1a343fp+0"), _hex("-0x1.a4e76ce8c0e5ep-4")),
        (_hex("0x1.12358f08ae5bap+0"), _hex("-0x1.1973c5a611cccp-4")),
        (_hex("0x1.0953f419900a7p+0"), _hex("-0x1.252f438e10c1ep-5")),
        (1.0, 0.0),
        (_hex("0x1.e608cfd9a47acp-1"), _hex("0x1.aa5aa5df25984p-5")),
        (_hex("0x1.ca4b31f026aap-1"), _hex("0x1.c5e53aa362eb4p-4")),
        (_hex("0x1.b2036576afce6p-1"), _hex("0x1.526e57720db08p-3")),
        (_hex("0x1.9c2d163a1aa2dp-1"), _hex("0x1.bc2860d22477p-3")),
        (_hex("0x1.886e6037841edp-1"), _hex("0x1.1058bc8a07ee1p-2")),
        (_hex("0x1.767dcf5534862p-1"), _hex("0x1.4043057b6ee09p-2")),
    ]
)
LOG_POLYNOMIAL = (
    _hex("-0x1.00ea348b88334p-2"),
    _hex("0x1.5575b0be00b6ap-2"),
    _hex("-0x1.ffffef20a4123p-2"),
)
LN2 = _hex("0x1.62e42fefa39efp-1")
# The bits of the float32 at which the table's range begins.
LOG_START = 0x3F330000

SIN = (
    _hex("-0x1.555545995a603p-3"),
    _hex("0x1.1107605230bc4p-7"),
    _hex("-0x1.994eb3774cf24p-13"),
)
COS = (
    1.0,
    _hex("-0x1.ffffffd0c621cp-2"),
    _hex("0x1.55553e1068f19p-5"),
    _hex("-0x1.6c087e89a359dp-10"),
    _hex("0x1.99343027bf8c3p-16"),
)
HALF_PI = _hex("0x1.921FB54442D18p0")
# 2/pi * 2**24: the quadrant in the upper eight bits of an int32.
QUADRANT = _hex("0x1.45F306DC9C883p+23")


def log(x: Array) -> Array:
    """Natural logarithm of positive, normal float32 numbers, as glibc's `logf` rounds it."""
    bits = lax.bitcast_convert_type(x, np.int32)
    offset = bits - np.int32(LOG_START)
    exponent = offset >> np.int32(23)
    z = lax.bitcast_convert_type(bits - (exponent << np.int32(23)), np.float32).astype(np.float64)
    inverse, log_c = _look_up(offset >> np.int32(19) & np.int32(15))
    r = z * inverse - 1.0
    base = log_c + exponent.astype(np.float64) * LN2
    squared = r * r
    a0, a1, a2 = LOG_POLYNOMIAL
    y = (a0 * squared + (a1 * r + a2)) * squared + (base + r)
    return y.astype(np.float32)


def _look_up(index: Array) -> tuple[Array, Array]:
    """Rows of the table, by selects: a gather, which XLA won't vectorise, takes twice as long."""
    if isinstance(index, np.ndarray):
        return LOG_TABLE[:, 0].take(index), LOG_TABLE[:, 1].take(index)
    odd = [index >> np.int32(bit) & np.int32(1) == 1 for bit in range(4)]
    columns = []
    for column in range(2):
        values = list(LOG_TABLE[:, column])
        for bit in odd:
            values = [jnp.where(bit, values[i + 1], values[i]) for i in range(0, len(values), 2)]
        columns.append(values[0])
    return columns[0], columns[1]


def sin_or_cos(angle: Array, cosine: Array) -> Array:
    """Sine, or cosine where the integer `cosine` is 1, as glibc's `sincosf` rounds float32."""
    x = angle.astype(np.float64)
    quadrant = (x * QUADRANT).astype(np.int32) + np.int32(0x800000) >> np.int32(24)
    r = x - quadrant.astype(np.float64) * HALF_PI
    r2 = r * r
    r3 = r2 * r
    r4 = r2 * r2
    sine = r + r3 * SIN[0] + r3 * r2 * (SIN[1] + r2 * SIN[2])
    c0, c1, c2, c3, c4 = COS
    cosine_ = c0 + r2 * c1 + r4 * c2 + r4 * r2 * (c3 + r2 * c4)
    # cos(x) = sin(x + one quadrant).
    quadrant = quadrant + cosine.astype(np.int32)
    value = jnp.where(quadrant & np.int32(1) == 1, cosine_, sine)
    return jnp.where(quadrant & np.int32(2) == 2, -value, value).astype(np.float32)


def sqrt(x: Array) -> Array:
    """Correctly rounded float32 square root: XLA's own is approximate on GPUs."""
    return lax.sqrt(x.astype(np.float64)).astype(np.float32)
