"""`inspect` with classes that name TF's module: their source is in ours.

`inspect.getsource(tf.keras.layers.Dense)`, `inspect.getfile(type(layer))`: Python asks the module
that a class names for its file, and a module of TF's may be made of several of ours.
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Any

from tf1compat.core import export


def install() -> None:
    """Has `inspect` look for TF's classes in the files that define them."""
    original = inspect.getfile
    if hasattr(original, "__wrapped__"):
        return

    @functools.wraps(original)
    def getfile(object: Any) -> str:
        if isinstance(object, type):
            home = sys.modules.get(export.written_in(object))
            file = getattr(home, "__file__", None)
            if file is not None and home is not sys.modules.get(object.__module__):
                return file
        return original(object)

    inspect.getfile = getfile
