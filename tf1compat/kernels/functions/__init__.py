"""Op types about functions of operations, and of Python."""
