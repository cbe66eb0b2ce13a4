"""Python 2's `sha`."""

from tf1compat.launcher.py2.hashlib import sha1 as new  # noqa: F401
from tf1compat.launcher.py2.hashlib import sha1 as sha  # noqa: F401
