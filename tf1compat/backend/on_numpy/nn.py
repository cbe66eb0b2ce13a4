"""The names of `jax.nn`."""

# ruff: noqa: F401

from tf1compat.backend.on_numpy.functions import log_softmax, relu, sigmoid, softmax
