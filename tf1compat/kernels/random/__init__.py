"""Op types about random numbers and initializers."""
