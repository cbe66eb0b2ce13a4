"""Leaving TF1."""

from tf1compat.migrate.to_jax import to_jax

__all__ = ["to_jax"]
