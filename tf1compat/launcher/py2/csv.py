"""`csv`, where files are opened as Python 2 wanted them: in binary mode."""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from csv import *  # noqa: F403
from typing import Any


def _text(lines: Iterable[Any]) -> Iterator[str]:
    for line in lines:
        yield line.decode("utf-8", "surrogateescape") if isinstance(line, bytes) else line


def reader(csvfile: Iterable[Any], *args: Any, **kwargs: Any) -> Any:
    """`csv.reader`, also of lines of bytes."""
    return csv.reader(_text(csvfile), *args, **kwargs)


class DictReader(csv.DictReader):
    """`csv.DictReader`, also of lines of bytes."""

    def __init__(self, f: Iterable[Any], *args: Any, **kwargs: Any):
        super().__init__(_text(f), *args, **kwargs)
