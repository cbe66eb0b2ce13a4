"""The names that kernels take from `tf1compat.backend`, working on NumPy arrays.

NumPy in, NumPy out, of the dtype that JAX gives for the same arguments with 64-bit types enabled;
with JAX's results where NumPy's differ: an index out of range never raises, a conversion to an
integer saturates, a division by zero is quiet. Arguments are never changed, but by
`in_place`; results may be views of them. Who calls runs under `np.errstate(all="ignore")`.

Files are subjects; `jnp`, `lax`, `nn`, `special` and `jax` gather the names under which JAX offers
them.
"""

from numpy import ndarray as Array

from tf1compat.backend.on_numpy import jax, jnp, lax, nn, special
from tf1compat.backend.on_numpy.indexing import at, in_place
from tf1compat.backend.on_numpy.jax import Tracer

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

PRECISION = lax.Precision.HIGHEST

mulhi = lax.mulhi


def memory_stats() -> dict[str, int]:
    """Nothing: no allocator counts what NumPy takes."""
    return {}


def on_cpu() -> bool:
    """No: it is NumPy that computes, and forms that suit XLA are none of its."""
    return False
