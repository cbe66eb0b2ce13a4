"""Functions of operations, and of Python."""
