"""Which folders are the user's own, and what they have below TF's names."""

from __future__ import annotations

import functools
import os
import site
import sys
import sysconfig

import tf1compat


@functools.cache
def installed_folders() -> tuple[str, ...]:
    """Where modules are that are not the user's own."""
    paths = sysconfig.get_paths()
    folders = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(site.getsitepackages(), [site.getusersitepackages()])
    folders.add(os.path.dirname(os.path.abspath(tf1compat.__file__)))
    return tuple(os.path.abspath(folder) + os.sep for folder in folders)


def own_folders(module_name: str) -> list[str]:
    """The user's folders of a package, where they have further modules of it.

    Args:
      module_name: the package, e.g. "tensorflow.python.ops".

    Returns:
      Those on `sys.path` that exist.
    """
    path = os.path.join(*module_name.split("."))
    folders = (os.path.join(os.path.abspath(entry), path) for entry in sys.path)
    return [
        folder
        for folder in folders
        if os.path.isdir(folder) and not folder.startswith(installed_folders())
    ]
