"""`tensorflow.python.util.tf_stack`: stacks of calls."""

from __future__ import annotations

import linecache
import sys
from typing import Any, NamedTuple

TB_FILENAME = 0
TB_LINENO = 1
TB_FUNCNAME = 2
TB_CODEDICT = 3


class StackFrame(NamedTuple):
    """A call that has not ended."""

    filename: str
    lineno: int
    name: str
    globals: dict[str, Any]
    func_start_lineno: int


def extract_stack(limit: int = -1) -> list[StackFrame]:
    """The calls that led here.

    Args:
      limit: how many of the innermost ones; -1 for all.

    Returns:
      The calls, the innermost last.
    """
    found = []
    frame: Any = sys._getframe(1)
    while frame is not None and len(found) != limit:
        code = frame.f_code
        place = (code.co_filename, frame.f_lineno, code.co_name)
        found.append(StackFrame(*place, frame.f_globals, code.co_firstlineno))
        frame = frame.f_back
    return found[::-1]


def convert_stack(
    stack: Any, include_func_start_lineno: bool = False
) -> tuple[tuple[Any, ...], ...]:
    """What `extract_stack` gives, with source lines: (file, line, function, source line).

    Args:
      stack: the calls.
      include_func_start_lineno: whether the function's first line follows.
    """
    found = []
    for filename, line, name, module_globals, first_line in stack:
        linecache.checkcache(filename)
        source = linecache.getline(filename, line, module_globals).strip() or None
        call: tuple[Any, ...] = (filename, line, name, source)
        found.append((*call, first_line) if include_func_start_lineno else call)
    return tuple(found)
