"""`tensorflow.python.ops.io_ops`: operations on files."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("io.read_file", "read_file")
def read_file(filename: Any, name: str | None = None) -> ops.Tensor:
    """The contents of a file.

    Args:
      filename: a scalar string tensor.
      name: the operation's name.

    Returns:
      A scalar string tensor.

    Raises:
      NotFoundError: at run time, if there is no such file.
    """
    return raw_ops.ReadFile(filename, name=name)


@tf_export("io.write_file", "write_file")
def write_file(filename: Any, contents: Any, name: str | None = None) -> ops.Operation:
    """An operation that writes a file, and makes the directories it lies in.

    Args:
      filename: a scalar string tensor.
      contents: a scalar string tensor.
      name: the operation's name.
    """
    return raw_ops.WriteFile(filename, contents, name=name)


@tf_export("io.matching_files", "matching_files")
def matching_files(pattern: Any, name: str | None = None) -> ops.Tensor:
    """The paths that match any of some patterns, sorted.

    Args:
      pattern: a string tensor, a scalar or a vector.
      name: the operation's name.

    Returns:
      A vector of strings.
    """
    return raw_ops.MatchingFiles(pattern, name=name)
