"""Which exports stay (`tensorflow.contrib.learn.python.learn.utils.gc`).

A filter is a function of a list of `Path`s that gives those of them that it keeps.
"""

from __future__ import annotations

import collections
import heapq
import math
import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import gfile
from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated

Path = collections.namedtuple("Path", "path export_version")  # noqa: PYI024
Filter = Callable[[list[Path]], list[Path]]

_OWN_FILES = deprecated(None, "Please implement your own file management or use Saver.")


@_OWN_FILES
def largest_export_versions(n: int) -> Filter:
    """Keeps the n highest versions."""

    def keep(paths: list[Path]) -> list[Path]:
        numbered = [
            (p.export_version, i) for i, p in enumerate(paths) if p.export_version is not None
        ]
        return sorted(paths[i] for _, i in heapq.nlargest(n, numbered))

    return keep


@_OWN_FILES
def one_of_every_n_export_versions(n: int) -> Filter:
    """Keeps the highest version of 0 to n, of n + 1 to 2 n, and so on."""

    def keep(paths: list[Path]) -> list[Path]:
        highest: dict[int, Path] = {}
        for path in paths:
            version = path.export_version
            if version is None:
                continue
            interval = math.floor((version - 1) / n) if version else 0
            if interval not in highest or highest[interval].export_version < version:
                highest[interval] = path
        return sorted(highest.values())

    return keep


@_OWN_FILES
def mod_export_version(n: int) -> Filter:
    """Keeps the versions that are multiples of n."""
    return lambda paths: sorted(path for path in paths if path.export_version % n == 0)


@_OWN_FILES
def union(lf: Filter, rf: Filter) -> Filter:
    """Keeps what one of two filters keeps."""
    return lambda paths: sorted({*lf(paths), *rf(paths)})


@_OWN_FILES
def negation(f: Filter) -> Filter:
    """Keeps what a filter doesn't."""
    return lambda paths: sorted(set(paths) - set(f(paths)))


@deprecated(None, "Please implement your own file name management.")
def get_paths(base_dir: Any, parser: Callable[[Path], Any]) -> list[Path]:
    """What lies in a folder.

    Args:
      base_dir: the folder.
      parser: a function of a `Path` without version that gives one with, or None to leave it out.
    """
    folder = compat.as_str_any(base_dir)
    names = [compat.as_str_any(name) for name in gfile.ListDirectory(base_dir)]
    paths = [parser(Path(os.path.join(folder, name), None)) for name in names]
    return sorted(path for path in paths if path)
