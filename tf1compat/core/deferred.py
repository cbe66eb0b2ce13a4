"""Modules that are imported when something of theirs is first asked for.

For what is slow to load and rarely needed, and for what an extra installs: the import stands with
the others, at the top of the file.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any


class Deferred:
    """A module by its name.

    Args:
      name: the module's full name.
      missing: makes the exception that is raised if the module is not installed.
    """

    def __init__(self, name: str, missing: Callable[[], Exception] | None = None):
        self._name = name
        self._missing = missing

    def __getattr__(self, attribute: str) -> Any:
        try:
            module = importlib.import_module(self._name)
        except ModuleNotFoundError as error:
            if self._missing is None:
                raise
            raise self._missing() from error
        value = getattr(module, attribute)
        setattr(self, attribute, value)
        return value
