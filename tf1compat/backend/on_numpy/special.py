"""The names of `jax.scipy.special`."""

# ruff: noqa: F401

from tf1compat.backend.on_numpy.functions import i0e, i1e
