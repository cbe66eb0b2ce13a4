"""Op types of libraries that TF loads when they are asked for: their modules register them."""
