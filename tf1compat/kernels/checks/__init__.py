"""Op types about checks of values, shapes and numbers."""
