"""Op types about summaries."""
