"""`StringIO` and `cStringIO`: a file in memory, of bytes or of text, whichever is written to it."""

from __future__ import annotations

import io
from typing import Any


class StringIO:
    """Binary until text is written to it or given at first."""

    def __init__(self, buffer: Any = b""):
        self._file: Any
        self._file = io.StringIO(buffer) if isinstance(buffer, str) else io.BytesIO(buffer)

    def write(self, data: Any) -> int:
        if isinstance(data, str) and isinstance(self._file, io.BytesIO):
            if self._file.getvalue():
                return self._file.write(data.encode("utf-8"))
            self._file = io.StringIO()
        elif isinstance(data, bytes) and isinstance(self._file, io.StringIO):
            written = self._file.getvalue().encode("utf-8")
            self._file = io.BytesIO()
            self._file.write(written)
        return self._file.write(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __iter__(self) -> Any:
        return iter(self._file)

    def __enter__(self) -> StringIO:
        return self

    def __exit__(self, *args: object) -> None:
        self._file.close()
