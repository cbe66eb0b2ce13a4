"""Op types about images."""
