"""`tensorflow.python.util.tf_contextlib`: the standard context manager decorator."""

from contextlib import contextmanager

__all__ = ["contextmanager"]
