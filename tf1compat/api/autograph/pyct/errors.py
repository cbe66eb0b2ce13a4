"""Errors of converted code that is in files of its own: their traces by the code it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.api.autograph.pyct import origin_info


class FrameInfo(NamedTuple):
    """A line of a trace.

    Args:
      filename, lineno, function_name, code: what and where it is.
      converted: whether it is one of the original code.
    """

    filename: str
    lineno: int
    function_name: str
    code: str | None
    converted: bool


# Classes that are made of a text.
KNOWN_STRING_CONSTRUCTOR_ERRORS = (
    AssertionError,
    AttributeError,
    NameError,
    NotImplementedError,
    RuntimeError,
    StopIteration,
    TypeError,
    ValueError,
)


class MultilineMessageKeyError(KeyError):
    """A KeyError whose text has lines.

    Args:
      message: the text.
      original_key: the key.
    """

    def __init__(self, message: str, original_key: Any):
        super().__init__(original_key)
        self._message = message

    def __str__(self) -> str:
        return self._message


MultilineMessageKeyError.__name__ = KeyError.__name__


def _translated(trace: Iterable[Any], source_map: dict[Any, Any]) -> tuple[FrameInfo, ...]:
    """The lines of a trace from the innermost one to that of converted code, which is replaced by
    the line that it comes from."""
    found: list[FrameInfo] = []
    for filename, lineno, function_name, text in reversed(list(trace)):
        origin = source_map.get(origin_info.LineLocation(filename=filename, lineno=lineno))
        if origin is not None:
            line, where = origin.source_code_line, origin.loc
            found.append(FrameInfo(where.filename, where.lineno, origin.function_name, line, True))
            break
        found.append(FrameInfo(filename, lineno, function_name, text, False))
    return tuple(found)


class ErrorMetadataBase:
    """What an error of converted code says of the original one.

    Args:
      callsite_tb: the lines of its trace, as `traceback.extract_tb` gives them.
      cause_metadata: what the error already had of this kind when it came here, or None.
      cause_message: its text.
      source_map: the origins of lines, from `origin_info.create_source_map`.

    Attributes:
      translated_stack: the lines of the trace, `FrameInfo`s, from the innermost on.
      cause_message: the text.
    """

    def __init__(
        self, callsite_tb: Iterable[Any], cause_metadata: Any, cause_message: str, source_map: Any
    ):
        self.translated_stack = _translated(callsite_tb, source_map)
        self.cause_message = cause_message
        if cause_metadata is not None:
            outermost = self.translated_stack[-1]
            self.translated_stack = (*cause_metadata.translated_stack, outermost)
            self.cause_message = cause_metadata.cause_message

    def get_message(self) -> str:
        """The text with the lines."""
        paths = [frame.filename for frame in self.translated_stack]
        common = os.path.dirname(os.path.commonprefix(paths)) if len(paths) > 1 else ""
        common = "" if common == os.sep else common
        lines = ["in converted code:", *([f"    relative to {common}:"] if common else ()), ""]
        for frame in reversed(self.translated_stack):
            name = frame.filename[len(common) + 1 if common else 0 :]
            mark = "  *" if frame.converted else ""
            code = "<source unavailable>" if frame.code is None else frame.code.strip()
            lines.append(f"    {name}:{frame.lineno} {frame.function_name}{mark}")
            lines.append(f"        {code}")
        lines.append("")
        lines += [f"    {line}" for line in self.cause_message.split("\n")]
        return "\n".join([*lines, ""])

    def create_exception(self, source_error: Exception) -> Exception | None:
        """An error of a class like another's with the text.

        Args:
          source_error: the other one.

        Returns:
          The error; None where its class takes more than a text.
        """
        kind = type(source_error)
        if kind.__init__ is Exception.__init__ or kind in KNOWN_STRING_CONSTRUCTOR_ERRORS:
            return kind(self.get_message())
        if kind is KeyError:
            return MultilineMessageKeyError(self.get_message(), self.cause_message)
        return None

    def to_exception(self, source_error: Exception) -> Exception:
        """As `create_exception`, for raising.

        Args:
          source_error: the other error.

        Returns:
          The error, which knows this as `ag_error_metadata`.
        """
        made: Any = self.create_exception(source_error)
        made.__suppress_context__ = True
        made.ag_error_metadata = self
        return made
