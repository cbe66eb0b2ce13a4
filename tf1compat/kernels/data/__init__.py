"""Op types about datasets and their iterators."""
