"""Python 2's `md5`."""

from hashlib import md5  # noqa: F401
from hashlib import md5 as new  # noqa: F401
