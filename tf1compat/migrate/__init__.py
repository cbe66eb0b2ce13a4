"""Leaving TF1."""

from tf1compat.migrate.boundary import boundary
from tf1compat.migrate.export import export
from tf1compat.migrate.load import Loaded, load
from tf1compat.migrate.params import by_scope, flat
from tf1compat.migrate.to_jax import to_jax

__all__ = ["Loaded", "boundary", "by_scope", "export", "flat", "load", "to_jax"]
