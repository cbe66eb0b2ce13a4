"""The names of `jax` itself. What handles containers of arrays is JAX's own."""

# ruff: noqa: F401

from contextlib import nullcontext
from types import SimpleNamespace

from jax import Array, ShapeDtypeStruct, tree, tree_util

from tf1compat.backend.on_numpy import jnp as numpy
from tf1compat.backend.on_numpy import lax, linalg, nn
from tf1compat.backend.on_numpy.control import callback, jit, vmap

enable_x64 = nullcontext  # NumPy has 64-bit types anyway
debug = SimpleNamespace(callback=callback)
scipy = SimpleNamespace(linalg=linalg)


class Tracer:
    """What stands for a value that is not known yet: here there are none."""
