"""Op types about boosted trees."""
