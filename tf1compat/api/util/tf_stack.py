"""`tensorflow.python.util.tf_stack`: stacks of calls."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Collection, Mapping
from typing import Any, ClassVar, NamedTuple

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


class StackTraceTransform:
    """A context in which `extract_stack` gives other calls, in this thread."""

    _active: ClassVar[_Transforms]

    def __enter__(self) -> Any:
        self._active.stack.append(self)
        return self

    def __exit__(self, unused_type: Any, unused_value: Any, unused_traceback: Any) -> None:
        self._active.stack.remove(self)

    def reset(self) -> None:
        """Tells that what the context knows has changed; it is always asked anew."""


class _Transforms(threading.local):
    def __init__(self) -> None:
        self.stack: list[Any] = []


class StackTraceMapper(StackTraceTransform):
    """A context in which calls are shown at other places."""

    _active = _Transforms()

    def get_effective_source_map(self) -> Mapping[tuple[str, int], tuple[str, int, str]]:
        """(file, line) -> (file, line, function) of what stands for it."""
        raise NotImplementedError("subclasses need to override this")


class StackTraceFilter(StackTraceTransform):
    """A context in which calls from some files are left out."""

    _active = _Transforms()

    def get_filtered_filenames(self) -> Collection[str]:
        """The files."""
        raise NotImplementedError("subclasses need to override this")


class CurrentModuleFilter(StackTraceFilter):
    """Leaves out the file that makes this."""

    def __init__(self) -> None:
        self._filename = sys._getframe(1).f_code.co_filename

    def get_filtered_filenames(self) -> Collection[str]:
        return {self._filename}


def extract_stack(limit: int = -1) -> list[StackFrame]:
    """The calls that led here.

    Args:
      limit: how many of the innermost ones; -1 for all.

    Returns:
      The calls, the innermost last.
    """
    found = []
    maps, filters = StackTraceMapper._active.stack, StackTraceFilter._active.stack
    places = maps[-1].get_effective_source_map() if maps else {}
    hidden = {name for one in filters for name in one.get_filtered_filenames()}
    frame: Any = sys._getframe(1)
    while frame is not None and len(found) != limit:
        code = frame.f_code
        if found and code.co_filename in hidden:  # The innermost call is shown in any case.
            frame = frame.f_back
            continue
        place = (code.co_filename, frame.f_lineno, code.co_name)
        filename, lineno, name = places.get(place[:2], place)
        found.append(StackFrame(filename, lineno, name, frame.f_globals, code.co_firstlineno))
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
