"""`tf.gfile`: files under the names of TF's first versions."""

from __future__ import annotations

from tf1compat.api.lib.io.file_io import FileIO
from tf1compat.api.lib.io.file_io import copy as Copy
from tf1compat.api.lib.io.file_io import create_dir as MkDir
from tf1compat.api.lib.io.file_io import delete_file as Remove
from tf1compat.api.lib.io.file_io import delete_recursively as DeleteRecursively
from tf1compat.api.lib.io.file_io import file_exists as Exists
from tf1compat.api.lib.io.file_io import get_matching_files as Glob
from tf1compat.api.lib.io.file_io import is_directory as IsDirectory
from tf1compat.api.lib.io.file_io import list_directory as ListDirectory
from tf1compat.api.lib.io.file_io import recursive_create_dir as MakeDirs
from tf1compat.api.lib.io.file_io import rename as Rename
from tf1compat.api.lib.io.file_io import stat as Stat
from tf1compat.api.lib.io.file_io import walk as Walk
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

__all__ = [
    "Copy",
    "DeleteRecursively",
    "Exists",
    "FastGFile",
    "GFile",
    "Glob",
    "IsDirectory",
    "ListDirectory",
    "MakeDirs",
    "MkDir",
    "Open",
    "Remove",
    "Rename",
    "Stat",
    "Walk",
]


@tf_export("io.gfile.GFile", "gfile.GFile", "gfile.Open")
class GFile(FileIO):
    """A file; its contents are str, or bytes if `mode` has a "b" (as `tf.gfile.GFile`).

    Args:
      name: the path.
      mode: as in `open`: "r", "w" or "a", with "b" and "+".
    """

    def __init__(self, name: Name, mode: str = "r"):
        super().__init__(name, mode)


@tf_export("gfile.FastGFile")
class FastGFile(FileIO):
    """As `tf.gfile.GFile`.

    Args:
      name, mode: as in `tf.gfile.GFile`.
    """

    @deprecated(None, "Use tf.gfile.GFile.", module="tensorflow.python.platform.gfile")
    def __init__(self, name: Name, mode: str = "r"):
        super().__init__(name, mode)


Open = GFile
