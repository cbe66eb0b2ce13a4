"""Python 2's `sha`."""

from hashlib import sha1 as new  # noqa: F401
from hashlib import sha1 as sha  # noqa: F401
