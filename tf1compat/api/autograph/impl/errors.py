"""Errors of converted code, with the lines of the user's that led to them."""

from __future__ import annotations

import linecache
import os
from typing import Any

import tf1compat
from tf1compat.core import errors as tf_errors


class AutoGraphError(Exception):
    """Base of AutoGraph's errors."""


class ConversionError(AutoGraphError):
    """A function can't be converted."""


class StagingError(AutoGraphError):
    """Converted code failed, with an error of a class that takes more than a text."""


# Classes of errors that are made of a text alone.
_PLAIN = (
    AssertionError, AttributeError, NameError, NotImplementedError, RuntimeError, StopIteration,
    TypeError, UnboundLocalError, ValueError, AutoGraphError, ConversionError, StagingError,
    tf_errors.InaccessibleTensorError, tf_errors.OperatorNotAllowedInGraphError,
)  # fmt: skip
# What users don't look for errors in, and of it what calls converted functions.
_OWN = os.path.dirname(tf1compat.__file__) + os.sep
_CALLERS = os.path.dirname(__file__) + os.sep
# What calls a function as it is.
leaving: set[Any] = set()


class _Key(KeyError):
    """A KeyError whose text has lines; it is called as KeyError is."""

    def __str__(self) -> str:
        return str(self.args[0])


_Key.__name__ = _Key.__qualname__ = "KeyError"


def note(error: BaseException, converted: Any) -> None:
    """Notes that an error came out of a converted function."""
    known = error.__dict__.setdefault("_ag_codes", [])
    known.append(converted.__code__)


def described(error: Exception) -> Exception:
    """The error to raise in the place of one that came out of converted functions: of the same
    class where possible, with the user's lines in its text."""
    codes = error.__dict__.pop("_ag_codes", None)
    if not codes or hasattr(error, "ag_pass_through"):
        return error
    frames: list[tuple[str, str, str]] = []  # the file of each, where in it, the line's text
    inside, last, beyond = False, None, False
    trace = error.__traceback__
    while trace is not None:
        code, line = trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next
        if code.co_filename.startswith(_OWN):
            beyond = beyond or code in leaving or not code.co_filename.startswith(_CALLERS)
            continue
        own = any(code is known or _contains(known, code) for known in codes)
        inside = inside or own
        if not inside:
            continue
        text = linecache.getline(code.co_filename, line).strip()
        name = code.co_name
        mark = "  *" if own else ""
        if own:
            whole = next(known for known in codes if code is known or _contains(known, code))
            if whole is last:  # A branch is a function of its own: only the innermost counts.
                frames.pop()
            last, beyond = whole, False
            name = "None" if whole.co_name == "<lambda>" else whole.co_name
        else:
            last = None
        frames.append((code.co_filename, f":{line} {name}{mark}", text))
    kind = type(error)
    message = _message(frames, beyond, f"{kind.__name__}: {error}")
    made: Exception
    if isinstance(error, tf_errors.OpError):
        op_error: Any = kind
        made = op_error(error.node_def, error.op, message)
    elif kind in _PLAIN:
        made = kind(message)
    elif kind is KeyError:
        made = _Key(message)
    else:
        made = StagingError(message)
    made.__cause__ = error.__cause__
    return made.with_traceback(error.__traceback__)


def _message(frames: list[tuple[str, str, str]], beyond: bool, cause: str) -> str:
    """The text of an error.

    Args:
      frames: for each of the user's, the file, where in it, and the text of the line.
      beyond: whether the error comes out of this package, whose lines are not shown but whose
        place counts for what the paths have in common.
      cause: what happened.
    """
    paths = [file for file, _, _ in frames] + [_OWN] * beyond
    common = os.path.dirname(os.path.commonprefix(paths)) if len(paths) > 1 else ""
    common = "" if common == os.sep else common
    lines = ["in converted code:"]
    if common:
        lines.append(f"    relative to {common}:")
    lines.append("")
    skipped = len(common) + 1 if common else 0
    for file, place, text in frames:
        lines += [f"    {file[skipped:]}{place}", f"        {text}"]
    lines.append("")
    lines += [f"    {line}" for line in cause.split("\n")]
    return "\n".join([*lines, ""])


def _contains(code: Any, inner: Any) -> bool:
    return any(
        constant is inner or _contains(constant, inner)
        for constant in code.co_consts
        if hasattr(constant, "co_consts")
    )
