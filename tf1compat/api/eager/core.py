"""`tensorflow.python.eager.core`: errors of eager execution."""

from __future__ import annotations

from tf1compat.core import errors
from tf1compat.core.eager import SymbolicInput as _SymbolicException  # noqa: F401 - TF's name


def _status_to_exception(code: int, message: str) -> errors.OpError:
    """The error of a status.

    Args:
      code: one of gRPC's.
      message: its text.
    """
    error_class = errors._CODE_TO_CLASS.get(code)
    if error_class is None:
        return errors.UnknownError(None, None, message, code)
    return error_class(None, None, message)  # type: ignore[call-arg]


class _FallbackException(Exception):  # noqa: N818 - TF's name
    """What the quick way to an operation cannot take: the long way is to be tried."""


class _NotOkStatusException(Exception):  # noqa: N818 - TF's name
    """A status that is not OK.

    Args:
      message: its text.
      code: one of gRPC's.
    """

    def __init__(self, message: str, code: int):
        super().__init__()
        self.message = message
        self.code = code

    def __str__(self) -> str:
        error = _status_to_exception(self.code, self.message)
        return f"{type(error).__name__}: {error}"
