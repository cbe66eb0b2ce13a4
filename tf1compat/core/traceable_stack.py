"""`tensorflow.python.framework.traceable_stack`: objects, and the lines that put them there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any


class TraceableObject:
    """An object, and a line of source.

    Args:
      obj: the object.
      filename, lineno: the line; None for unknown.
    """

    SUCCESS, HEURISTIC_USED, FAILURE = range(3)

    def __init__(self, obj: Any, filename: str | None = None, lineno: int | None = None):
        self.obj = obj
        self.filename = filename
        self.lineno = lineno

    def set_filename_and_line_from_caller(self, offset: int = 0) -> int:
        """Sets the line to that of the code that calls this.

        Args:
          offset: how many calls further out that code is.

        Returns:
          SUCCESS; HEURISTIC_USED if there are not so many calls, and the outermost is taken.
        """
        result = self.SUCCESS
        frame: Any = sys._getframe(1)
        for _ in range(offset):
            if frame.f_back is None:
                result = self.HEURISTIC_USED
                break
            frame = frame.f_back
        self.filename, self.lineno = frame.f_code.co_filename, frame.f_lineno
        return result

    def copy_metadata(self) -> TraceableObject:
        """The same line, without the object."""
        return TraceableObject(None, filename=self.filename, lineno=self.lineno)


class TraceableStack:
    """A stack of objects, each with the line that pushed it.

    Args:
      existing_stack: `TraceableObject`s to begin with; the list becomes the stack's own.
    """

    def __init__(self, existing_stack: list[TraceableObject] | None = None):
        self._stack = [] if existing_stack is None else existing_stack

    def push_obj(self, obj: Any, offset: int = 0) -> int:
        """Pushes an object.

        Args:
          obj: the object.
          offset: how many calls out of the caller the line is that is noted.

        Returns:
          As `TraceableObject.set_filename_and_line_from_caller`.
        """
        traceable = TraceableObject(obj)
        self._stack.append(traceable)
        return traceable.set_filename_and_line_from_caller(offset + 1)

    def pop_obj(self) -> Any:
        """Takes the last object away and returns it."""
        return self._stack.pop().obj

    def peek_top_obj(self) -> Any:
        """The last object."""
        return self._stack[-1].obj

    def peek_objs(self) -> Iterator[Any]:
        """The objects, the last one first."""
        return (traceable.obj for traceable in reversed(self._stack))

    def peek_traceable_objs(self) -> Iterator[TraceableObject]:
        """The same with their lines."""
        return reversed(self._stack)

    def copy(self) -> TraceableStack:
        """A stack of the same objects."""
        return TraceableStack(list(self._stack))

    def __len__(self) -> int:
        return len(self._stack)
