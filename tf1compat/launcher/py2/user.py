"""Python 2's `UserDict`."""

from collections import UserDict  # noqa: F401
from collections import UserDict as IterableUserDict  # noqa: F401
from collections.abc import MutableMapping as DictMixin  # noqa: F401
