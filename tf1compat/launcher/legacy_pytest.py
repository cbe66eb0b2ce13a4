"""Test files that pytest loads by a loader of its own: they are the user's modules too."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable
from typing import Any

from tf1compat.launcher import folders, rewrite


def rewriting_numpy(rewrite_asserts: Callable[..., Any]) -> Callable[..., Any]:
    """pytest's `rewrite_asserts(tree, source, path)`, of what works on the NumPy of today."""
    installed = folders.installed_folders()

    @functools.wraps(rewrite_asserts)
    def changed(mod: ast.Module, source: bytes, module_path: str | None = None, *rest: Any) -> Any:
        if module_path is None or not os.path.abspath(module_path).startswith(installed):
            mod.body = rewrite.OldNumpy().visit(mod).body
        return rewrite_asserts(mod, source, module_path, *rest)

    return changed


def apart(tail: str) -> str:
    """The ending of files where pytest keeps what it compiled: others than without tf1compat."""
    return f".tf1compat{tail}"
