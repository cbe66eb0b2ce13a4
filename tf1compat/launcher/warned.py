"""Warnings that come up in a helper of rewritten code name the line of the source."""

from __future__ import annotations

import os
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep


def install() -> None:
    """Has warnings shown as if rewritten code did itself what its helpers do for it.

    NumPy's arithmetic warns of the frame that it is called in, and takes no `stacklevel`.
    """
    shown = warnings.showwarning
    if getattr(shown, "__module__", None) == __name__:
        return

    def showwarning(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: str | None = None,
    ) -> None:
        caller = _caller(filename) if filename.startswith(_HERE) else None
        if caller is None:
            shown(message, category, filename, lineno, file, line)
        else:
            _warn_of(caller, message, category)

    warnings.showwarning = showwarning


def _frame(frame: types.FrameType | None, wanted: Callable[[str], bool]) -> Any:
    while frame is not None and not wanted(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _caller(filename: str) -> types.FrameType | None:
    """Who called the helper in a file, if it was called by other code than the launcher's."""
    helper: types.FrameType | None = _frame(sys._getframe(1), filename.__eq__)
    if helper is None:
        return None
    # Once for each line of the user's: by their module's record, which the helper's would hide.
    helper.f_globals.get("__warningregistry__", {}).clear()
    return _frame(helper, lambda file: not file.startswith(_HERE))


def _warn_of(caller: types.FrameType, message: Warning | str, category: type[Warning]) -> None:
    names = caller.f_globals
    warnings.warn_explicit(
        message,
        category,
        caller.f_code.co_filename,
        caller.f_lineno,
        names.get("__name__"),
        names.setdefault("__warningregistry__", {}),
    )
