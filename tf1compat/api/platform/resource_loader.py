"""`tf.resource_loader`: paths of data files beside a script."""

from __future__ import annotations

import os
import sys

from tf1compat.api.platform import sysconfig
from tf1compat.core.export import tf_export


def _directory_of_caller(depth: int = 2) -> str:
    return os.path.dirname(os.path.abspath(sys._getframe(depth).f_code.co_filename))


@tf_export("resource_loader.load_resource")
def load_resource(path: str) -> bytes:
    """The contents of a file.

    Args:
      path: relative to the root of the tensorflow package.

    Returns:
      Bytes.

    Raises:
      OSError: it cannot be read.
    """
    with open(os.path.join(sysconfig.get_lib(), path), "rb") as file:
        return file.read()


@tf_export("resource_loader.get_data_files_path")
def get_data_files_path() -> str:
    """The directory of the calling script."""
    return _directory_of_caller()


@tf_export("resource_loader.get_root_dir_with_all_resources")
def get_root_dir_with_all_resources() -> str:
    """The directory below Bazel's innermost ".runfiles" one, or that of the calling script."""
    start = directory = _directory_of_caller()
    below = ""
    while ".runfiles" not in os.path.basename(directory):
        below, directory = directory, os.path.dirname(directory)
        if below == directory:
            return start
    return below or start


@tf_export("resource_loader.get_path_to_datafile")
def get_path_to_datafile(path: str) -> str:
    """The path of a file given relative to the calling script.

    Args:
      path: a path relative to the script that calls.

    Returns:
      A path.
    """
    return os.path.join(_directory_of_caller(), path)


@tf_export("resource_loader.readahead_file_path")
def readahead_file_path(path: str, readahead: str = "128M") -> str:
    """The path itself; there is no read-ahead.

    Args:
      path: a path.
      readahead: is not read.

    Returns:
      `path`.
    """
    return path
