"""Which exports are kept (`tensorflow.contrib.session_bundle.gc`).

A filter takes a list of `Path`s and returns some of them, sorted.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

from tf1compat.api.platform import gfile
from tf1compat.api.util.deprecation import deprecated

_deprecated = deprecated("2017-06-30", "No longer supported. Switch to SavedModel immediately.")


class Path(NamedTuple):
    """A file or folder, and the version that its name says (None: not known)."""

    path: str
    export_version: int | None


Filter = Callable[[list[Path]], list[Path]]


@_deprecated
def largest_export_versions(n: int) -> Filter:
    """Keeps the `n` paths of the largest versions; of equal ones those that come last.

    Args:
      n: how many.

    Returns:
      The filter.
    """

    def keep(paths: list[Path]) -> list[Path]:
        known = [(p.export_version, i) for i, p in enumerate(paths) if p.export_version is not None]
        return sorted(paths[i] for _, i in sorted(known, reverse=True)[: max(n, 0)])

    return keep


@_deprecated
def one_of_every_n_export_versions(n: int) -> Filter:
    """Keeps the path of the largest version of each of [0, n], (n, 2n], (2n, 3n], …

    Args:
      n: the length of an interval.

    Returns:
      The filter.
    """

    def keep(paths: list[Path]) -> list[Path]:
        kept: dict[float, Path] = {}
        for path in paths:
            version = path.export_version
            if version is not None:
                interval = (version - 1) // n if version else 0
                before = kept.get(interval)
                # A version is in `before` where a path is.
                if before is None or before.export_version < version:  # type: ignore[operator]
                    kept[interval] = path
        return sorted(kept.values())

    return keep


@_deprecated
def mod_export_version(n: int) -> Filter:
    """Keeps the paths whose version is a multiple of `n`.

    Args:
      n: the factor.

    Returns:
      The filter. All versions have to be known.
    """
    return lambda paths: sorted(p for p in paths if p.export_version % n == 0)  # type: ignore[operator]


@_deprecated
def union(lf: Filter, rf: Filter) -> Filter:
    """Keeps what either of two filters keeps.

    Args:
      lf: a filter.
      rf: another one.

    Returns:
      The filter.
    """
    return lambda paths: sorted({*lf(paths), *rf(paths)})


@_deprecated
def negation(f: Filter) -> Filter:
    """Keeps what a filter doesn't keep.

    Args:
      f: the filter.

    Returns:
      The other one.
    """
    return lambda paths: sorted(set(paths).difference(f(paths)))


@_deprecated
def get_paths(base_dir: str, parser: Callable[[Path], Path | None]) -> list[Path]:
    """What is in a folder.

    Args:
      base_dir: the folder.
      parser: takes a `Path` without a version, and returns it with one; None leaves it out.

    Returns:
      The paths, sorted.
    """
    found = (parser(Path(os.path.join(base_dir, n), None)) for n in gfile.ListDirectory(base_dir))
    return sorted(path for path in found if path)
