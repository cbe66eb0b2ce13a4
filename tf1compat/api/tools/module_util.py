"""`tensorflow.python.tools.module_util`: where modules are."""

from __future__ import annotations

import os
import types


def get_parent_dir(module: types.ModuleType) -> str:
    """The folder around the one that a module's file is in.

    Args:
      module: the module.
    """
    return os.path.abspath(os.path.join(os.path.dirname(str(module.__file__)), ".."))
