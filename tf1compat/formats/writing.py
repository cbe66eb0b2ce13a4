"""Files that are written."""

from __future__ import annotations

import io
from typing import Any, BinaryIO


class _Named(io.FileIO):
    def write(self, data: Any) -> int | None:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.name
            raise


def create(path: str) -> BinaryIO:
    """An empty file to write to. That there is no room for what is written is said, unlike by
    `open`, with the file's name.

    Raises:
      OSError: it can't be made.
    """
    return io.BufferedWriter(_Named(path, "wb"))
