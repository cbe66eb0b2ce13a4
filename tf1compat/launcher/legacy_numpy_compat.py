"""`numpy.compat`, as it was on Python 3 (see legacy_names.py)."""

from __future__ import annotations

import os
import pickle  # noqa: F401
from io import IOBase
from pathlib import Path
from typing import Any

basestring = unicode = str
integer_types = (int,)
long = int
strchar = "U"


def asbytes(s: Any) -> bytes:
    """Text as Latin-1 bytes."""
    return s if isinstance(s, bytes) else str(s).encode("latin-1")


def asstr(s: Any) -> str:
    """Bytes as Latin-1 text."""
    return s.decode("latin-1") if isinstance(s, bytes) else str(s)


asunicode = asstr


def isfileobj(f: Any) -> bool:
    """Whether it is an open file."""
    return isinstance(f, IOBase) and hasattr(f, "fileno")


def is_pathlib_path(obj: Any) -> bool:
    """Whether it is a `Path`."""
    return isinstance(obj, Path)


os_fspath = os.fspath
os_PathLike = os.PathLike
