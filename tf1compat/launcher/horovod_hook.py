"""`import horovod.tensorflow` and `horovod.keras`, where Horovod is not installed.

Its own operations are written for TensorFlow's C++ runtime. If Horovod is installed, for PyTorch
perhaps, it is left alone.
"""

from __future__ import annotations

import importlib
import importlib.abc
import sys
import types
from importlib.machinery import ModuleSpec
from typing import Any

# Horovod's module -> ours. What only holds others has no names of its own.
_MODULES = {
    "horovod": "",
    "horovod.common": "",
    "horovod.common.basics": "tf1compat.api.horovod.basics",
    "horovod.common.process_sets": "tf1compat.api.horovod.basics",
    "horovod.tensorflow": "tf1compat.api.horovod.on_tensorflow",
    "horovod.tensorflow.mpi_ops": "tf1compat.api.horovod.mpi_ops",
    "horovod.tensorflow.compression": "tf1compat.api.horovod.compression",
    "horovod.tensorflow.keras": "tf1compat.api.horovod.on_keras",
    "horovod.tensorflow.keras.callbacks": "tf1compat.api.horovod.on_keras_callbacks",
    "horovod.keras": "tf1compat.api.horovod.on_keras",
    "horovod.keras.callbacks": "tf1compat.api.horovod.on_keras_callbacks",
}


class _Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """The last of all finders: it is asked for what no other one has."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        root = sys.modules.get("horovod")
        if fullname not in _MODULES or (root is not None and not _is_ours(root)):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        # What makes its op types known, and their meaning.
        importlib.import_module("tf1compat.kernels.libraries.horovod")
        source = _MODULES[module.__name__]
        if source:
            names = importlib.import_module(source)
            for name, value in vars(names).items():
                if name == "__getattr__" or not name.startswith("__"):
                    setattr(module, name, value)


_hook = _Hook()


def _is_ours(module: types.ModuleType) -> bool:
    return module.__spec__ is not None and module.__spec__.loader is _hook


def install() -> None:
    """Puts the hook after all other finders."""
    if _hook not in sys.meta_path:
        sys.meta_path.append(_hook)
