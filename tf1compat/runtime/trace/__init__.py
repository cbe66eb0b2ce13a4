"""Giving operations their meaning on JAX values."""
