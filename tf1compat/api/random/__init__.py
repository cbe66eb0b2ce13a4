"""Random numbers and initializers."""
