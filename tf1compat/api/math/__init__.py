"""Arithmetic, reductions, products, special functions."""
