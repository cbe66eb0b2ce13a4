"""A checkpoint of either version, read."""

from __future__ import annotations

import glob
import os
from typing import Any

from tf1compat.core import errors
from tf1compat.core.file_names import local
from tf1compat.formats import bundle, saved_slices

NO_FILES = "Unsuccessful TensorSliceReader constructor: Failed to find any matching files for {}"


def open_reader(prefix: str) -> Any:
    """A reader of the checkpoint: of version 2 if it has an index, else of version 1.

    Raises:
      NotFoundError: there is no such checkpoint.
      DataLossError: it is corrupt.
    """
    if os.path.exists(bundle.index_name(prefix)):
        return bundle.Reader(prefix)
    return open_slices(prefix)


def open_slices(pattern: str) -> saved_slices.Reader:
    """A reader of the files of version 1 that match a pattern.

    Raises:
      NotFoundError: there are none.
      InvalidArgumentError: their folder is not there.
      DataLossError: one is corrupt.
    """
    pattern = local(pattern)
    folder = os.path.dirname(pattern)
    if folder and not os.path.isdir(folder):
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Unsuccessful TensorSliceReader constructor: Failed to get matching files on "
            f"{pattern}: Not found: {folder}; No such file or directory",
        )
    paths = sorted(glob.glob(pattern))
    if not paths:
        raise errors.NotFoundError(None, None, NO_FILES.format(pattern))
    return saved_slices.Reader(paths)
