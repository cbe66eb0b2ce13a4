"""Op types about arithmetic, reductions, products, special functions."""
