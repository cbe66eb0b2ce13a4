"""Op types about lookup tables."""
