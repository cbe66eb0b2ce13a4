"""Python 2's `md5`."""

from tf1compat.launcher.py2.hashlib import md5  # noqa: F401
from tf1compat.launcher.py2.hashlib import md5 as new  # noqa: F401
