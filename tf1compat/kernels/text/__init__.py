"""Op types about strings."""
