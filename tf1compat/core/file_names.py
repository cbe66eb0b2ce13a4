"""Names of files as TF takes them: plain paths, and those that name their file system."""

from __future__ import annotations

import re
from typing import TypeVar

from tf1compat.core import errors

_Path = TypeVar("_Path", str, bytes)


def local(path: _Path) -> _Path:
    """The path for the operating system: "/a" for "file:///a".

    Raises:
      UnimplementedError: it lies in another file system (`gs://`, `hdfs://`).
    """
    text = path.decode(errors="surrogateescape") if isinstance(path, bytes) else path
    scheme = re.match(r"([a-zA-Z][0-9a-zA-Z.]*)://", text)
    if scheme is None:
        return path
    if scheme[1] != "file":
        raise errors.UnimplementedError(
            None, None, f"File system scheme '{scheme[1]}' not implemented (file: '{text}')"
        )
    return path[len("file://") :]
