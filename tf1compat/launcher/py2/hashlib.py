"""`hashlib`, of text too."""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import hashlib
from hashlib import *  # noqa: F403
from typing import Any


def _bytes(data: Any) -> Any:
    return data.encode("utf-8", "surrogateescape") if isinstance(data, str) else data


class _Hash:
    """A hash object that takes text, as UTF-8."""

    def __init__(self, name: str, data: Any = b""):
        self._hash = hashlib.new(name, _bytes(data))

    def update(self, data: Any) -> None:
        """Adds bytes, or text."""
        self._hash.update(_bytes(data))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hash, name)


def new(name: str, data: Any = b"") -> _Hash:
    """`hashlib.new`."""
    return _Hash(name, data)


def md5(data: Any = b"") -> _Hash:
    """`hashlib.md5`."""
    return _Hash("md5", data)


def sha1(data: Any = b"") -> _Hash:
    """`hashlib.sha1`."""
    return _Hash("sha1", data)


def sha256(data: Any = b"") -> _Hash:
    """`hashlib.sha256`."""
    return _Hash("sha256", data)


def sha512(data: Any = b"") -> _Hash:
    """`hashlib.sha512`."""
    return _Hash("sha512", data)
