"""`tensorflow.python.util.all_util`: what a module offers."""

from __future__ import annotations

import importlib
import re
import types
from collections.abc import Sequence
from typing import Any

_REFERENCE = re.compile(r"@@([\w.]+)")


def make_all(module_name: str, doc_string_modules: Sequence[Any] | None = None) -> list[str]:
    """The module's names that docstrings mention as `@@name`.

    Args:
      module_name: the module that offers them.
      doc_string_modules: modules whose docstrings to read; by default that module.
    """
    module = importlib.import_module(module_name)
    modules = doc_string_modules or [module]
    names = {name for module in modules for name in _REFERENCE.findall(module.__doc__ or "")}
    return sorted(name for name in names if hasattr(module, name))


def reveal_undocumented(symbol_name: str, target_module: Any = None) -> None:
    """Does nothing: `remove_undocumented` has hidden nothing."""


def remove_undocumented(
    module_name: str,
    allowed_exception_list: Sequence[str] | None = None,
    doc_string_modules: Sequence[types.ModuleType] | None = None,
) -> None:
    """Leaves the module as it is: TF hides names to keep its documentation tidy."""
