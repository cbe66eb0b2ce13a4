"""`tf.load_op_library` and its like: shared libraries of kernels written for TF's C++ runtime."""

from __future__ import annotations

import errno
import os
from typing import Any

from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import errors
from tf1compat.core.export import tf_export


def _load(path: str, function: str) -> None:
    """Fails: there is no C++ runtime that a library could register its kernels with."""
    if not os.path.exists(path):
        text = f"{path}: cannot open shared object file: No such file or directory"
        raise errors.NotFoundError(None, None, text)
    raise NotImplementedError(
        f"tf.{function}({path!r}): a library of kernels for TensorFlow's C++ runtime is not "
        "supported by tf1compat yet. Write the operation with tf.py_func or out of TF's own."
    )


@tf_export("load_op_library")
def load_op_library(library_filename: str) -> Any:
    """Not supported: operations of a shared library.

    Args:
      library_filename: its path.

    Raises:
      NotFoundError: there is no such file, as in TF 1.15.
      NotImplementedError: there is one.
    """
    _load(library_filename, "load_op_library")


@tf_export("load_file_system_library")
@deprecated(None, "Use `tf.load_library` instead.")
def load_file_system_library(library_filename: str) -> None:
    """Not supported: file systems of a shared library; see `load_op_library`.

    Args:
      library_filename: the library's path.
    """
    _load(library_filename, "load_file_system_library")


@tf_export("load_library")
def load_library(library_location: str) -> None:
    """Not supported: kernels of a shared library, or of all those in a folder.

    Args:
      library_location: a path of a file or folder.

    Raises:
      OSError: there is nothing at the path, as in TF 1.15.
      NotImplementedError: there is a library.
    """
    if not os.path.exists(library_location):
        raise OSError(
            errno.ENOENT,
            "The file or folder to load kernel libraries from does not exist.",
            library_location,
        )
    if not os.path.isdir(library_location):
        _load(library_location, "load_library")
    for name in sorted(os.listdir(library_location)):
        if ".so" in name:
            _load(os.path.join(library_location, name), "load_library")
