"""What converted code calls in place of Python's statements and operators."""
