"""What sources of Python 2 find: its builtins, its division, its modules."""
