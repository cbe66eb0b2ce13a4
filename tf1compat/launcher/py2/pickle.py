"""`pickle` and `cPickle`: files may be open as text, strings in old pickles may be bytes."""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import io
import pickle
from pickle import *  # noqa: F403
from typing import Any


def _binary(file: Any) -> Any:
    if not isinstance(file, io.TextIOBase):
        return file
    file.flush()
    return getattr(file, "buffer", file)


def load(file: Any) -> Any:
    """`pickle.load`; strings that aren't ASCII are read as Latin-1, which keeps their bytes."""
    return Unpickler(file).load()


def loads(data: Any) -> Any:
    """`pickle.loads`, also of text."""
    return load(io.BytesIO(data.encode("latin-1") if isinstance(data, str) else data))


def dump(obj: Any, file: Any, protocol: int | None = None) -> None:
    """`pickle.dump`, also to a text file; by default in a form that Python 2 reads."""
    pickle.dump(obj, _binary(file), 2 if protocol is None else protocol)


class Unpickler:
    """`pickle.Unpickler`; see `load`."""

    def __init__(self, file: Any):
        self._file = _binary(file)

    def load(self) -> Any:
        """The next object of the file."""
        if not self._file.seekable():
            self._file = io.BytesIO(self._file.read())
        start = self._file.tell()
        try:
            return pickle.load(self._file)
        except UnicodeDecodeError:
            self._file.seek(start)
        return pickle.load(self._file, encoding="latin-1")
