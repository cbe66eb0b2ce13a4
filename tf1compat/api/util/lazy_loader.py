"""`tensorflow.python.util.lazy_loader`: a module that is imported when something in it is used."""

from __future__ import annotations

import importlib
import types
from typing import Any

from tf1compat.api.platform import tf_logging


class LazyLoader(types.ModuleType):
    """Stands for a module until an attribute of it is asked for.

    Args:
      local_name: the name that it has in its parent.
      parent_module_globals: the parent's globals, in which the module then takes its place.
      name: the module's full name.
      warning: what is logged when it is imported.
    """

    def __init__(
        self,
        local_name: str,
        parent_module_globals: dict[str, Any],
        name: str,
        warning: str | None = None,
    ):
        super().__init__(name)
        self._local_name = local_name
        self._parent_module_globals = parent_module_globals
        self._warning = warning

    def _load(self) -> types.ModuleType:
        module = importlib.import_module(self.__name__)
        self._parent_module_globals[self._local_name] = module
        if self._warning:
            tf_logging.warning(self._warning)
            self._warning = None
        self.__dict__.update(module.__dict__)
        return module

    def __getattr__(self, item: str) -> Any:
        return getattr(self._load(), item)

    def __dir__(self) -> list[str]:
        return dir(self._load())
