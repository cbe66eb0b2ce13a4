"""The array library that kernels compute with: JAX.

A kernel takes `jnp`, `lax`, … from here and not from JAX itself, since it is also worked out at
once on NumPy values: then the same module, run a second time (`twins`), finds the names of
`on_numpy` in their place.
"""

from __future__ import annotations

import os
import warnings
from typing import Any

import jax as jax
import jax.numpy as jnp
import numpy as np
from jax import Array as Array
from jax import lax as lax
from jax import nn as nn
from jax.core import Tracer as Tracer
from jax.scipy import special as special

__all__ = [
    "Tracer",
    "at",
    "in_place",
    "jax",
    "jnp",
    "lax",
    "memory_stats",
    "mulhi",
    "nn",
    "on_cpu",
    "special",
]

# Said at every fork once JAX is used, though what is forked off, mostly to load data, does not.
warnings.filterwarnings("ignore", r"os\.fork\(\) was called", RuntimeWarning)


# How exactly matrix products and convolutions of float32 are computed. On NVIDIA's newer GPUs they
# are several times faster in TF32 (with 10 bits of the mantissa), as in NVIDIA's own TF 1.15.
_TF32 = os.environ.get("TF1COMPAT_TF32") or os.environ.get("NVIDIA_TF32_OVERRIDE") or "0"
PRECISION = lax.Precision.HIGHEST if _TF32 == "0" else lax.Precision.HIGH


def at(x: Any) -> Any:
    """`x.at`, which NumPy arrays don't have: `at(x)[index].set(value)` is a changed copy of `x`."""
    return x.at


def in_place(x: Any) -> Any:
    """As `at`, of an array that nothing else needs: NumPy arrays are changed themselves, and XLA
    needs no copy if `x` is a variable of which no other value is used."""
    return x.at


def memory_stats() -> dict[str, int]:
    """What the first device's allocator counts; nothing where it counts nothing, as on a CPU."""
    return jax.devices()[0].memory_stats() or {}


def mulhi(x: Any, y: Any) -> Any:
    """The upper halves of products of uint32 numbers."""
    if not jax.config.jax_enable_x64:  # pyright: ignore[reportAttributeAccessIssue]
        return lax.mulhi(x, y)
    # XLA cannot divide `lax.mulhi` among devices; 64 bits take as long to run.
    return lax.convert_element_type(
        x.astype(np.uint64) * y.astype(np.uint64) >> np.uint64(32), np.uint32
    )


def on_cpu() -> bool:
    """Whether XLA computes on a CPU: some operations are best put otherwise there."""
    return jax.default_backend() == "cpu"
