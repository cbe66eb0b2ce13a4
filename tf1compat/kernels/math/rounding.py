"""float32 results that are rounded where TensorFlow's kernels round them.

XLA may contract a product with the sum that follows it, and multiplies by the reciprocal of a
constant instead of dividing: the last bit is another one then, and what is rounded to an integer
or to a place in an image falls to the other side.
"""

from __future__ import annotations

from typing import Any

from tf1compat.backend import jnp, lax


def to_float32(exact: Any) -> Any:
    """A float64 rounded to float32, which XLA must not skip, as it may a mere conversion."""
    return lax.reduce_precision(exact, exponent_bits=8, mantissa_bits=23).astype(jnp.float32)


def product(x: Any, y: Any) -> Any:
    """The float32 product of two float32 values."""
    return to_float32(jnp.asarray(x).astype(jnp.float64) * jnp.asarray(y).astype(jnp.float64))


def quotient(x: Any, y: Any) -> Any:
    """The float32 quotient of two float32 values."""
    return to_float32(jnp.asarray(x).astype(jnp.float64) / jnp.asarray(y).astype(jnp.float64))
