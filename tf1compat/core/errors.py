"""The exceptions of `tf.errors`, as in TF 1.15."""

import inspect
import os
import traceback
import warnings
from typing import Any

from tf1compat.core.export import export_constant, tf_export

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16

for _name, _code in [(n, c) for n, c in globals().items() if n.isupper()]:
    export_constant(f"errors.{_name}", _code)


class InaccessibleTensorError(ValueError):
    """A tensor is used outside of the function or loop body in which it lives."""


class OperatorNotAllowedInGraphError(TypeError):
    """A Python operator needs a tensor's value while the graph is only being recorded."""


@tf_export("errors.OpError", "OpError")
class OpError(Exception):
    """The failure of an operation at run time, as `tf.errors.OpError` in TF 1.15.

    Args:
      node_def: the `NodeDef` of the operation that failed, or None.
      op: the `tf.Operation` that failed, or None.
      message: what went wrong.
      error_code: one of the code constants of this module.
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int | None) -> None:
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses, a user's own too, may take fewer arguments than this class.
        parameters = list(inspect.signature(type(self).__init__).parameters)[1:]
        return type(self), tuple(getattr(self, name) for name in parameters)

    @property
    def message(self) -> str:
        """What went wrong."""
        return self._message

    @property
    def op(self) -> Any:
        """The `tf.Operation` that failed, if known."""
        return self._op

    @property
    def error_code(self) -> int | None:
        """The code constant of this kind of error."""
        return self._error_code

    @property
    def node_def(self) -> Any:
        """The `NodeDef` of the operation that failed, if known."""
        return self._node_def

    def __str__(self) -> str:
        if self._op is None:
            return self.message
        lines = _compact_traceback(self._op)
        output = [f"{self.message}\n\nOriginal stack trace for {self._op.name!r}:\n", *lines]
        original = getattr(self._op, "_original_op", None)
        while original is not None:
            previous, lines = lines, _compact_traceback(original)
            output.append(
                f"\n...which was originally created as op {original.name!r}, defined at:\n"
            )
            output.extend(_elide_common(lines, previous))
            original = getattr(original, "_original_op", None)
        return "".join(output)


def _compact_traceback(op: Any) -> list[str]:
    """The lines of the stack that created `op`, without the folder that all files share.

    In TF that is no more than the root, as its own files are among them. The stack of an
    `Operation` has the user's alone, and keeps their paths whole.
    """
    frames = [tuple(frame)[:4] for frame in op.traceback]
    if hasattr(op, "_user_stack"):
        return traceback.format_list(frames)
    files = [frame[0] for frame in frames if "<embedded" not in frame[0]]
    prefix = os.path.split(os.path.commonprefix(files))[0]
    return traceback.format_list([(f[0].removeprefix(prefix), *f[1:]) for f in frames])


def _elide_common(lines: list[str], previous: list[str]) -> list[str]:
    """`lines`, where a run that equals `previous` keeps only its first and last line."""
    output: list[str] = []
    run: list[str] = []

    def flush() -> None:
        output.extend(run[:1])
        if len(run) > 1:
            elided = len(run) - 2
            output.append(f"[elided {elided} identical lines from previous traceback]\n")
            output.append(run[-1])
        run.clear()

    for line, other in zip(lines, previous, strict=False):
        if line == other:
            run.append(line)
        else:
            flush()
            output.append(line)
    output.extend(run[:1])  # TF leaves a run open at the end without a word
    return output


@tf_export("errors.CancelledError")
class CancelledError(OpError):
    """An operation or a step was cancelled."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, CANCELLED)


@tf_export("errors.UnknownError")
class UnknownError(OpError):
    """An error of no known kind."""

    def __init__(
        self, node_def: Any, op: Any, message: str, error_code: int | None = UNKNOWN
    ) -> None:
        super().__init__(node_def, op, message, error_code)


@tf_export("errors.InvalidArgumentError")
class InvalidArgumentError(OpError):
    """An operation received an input it cannot take."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, INVALID_ARGUMENT)


@tf_export("errors.DeadlineExceededError")
class DeadlineExceededError(OpError):
    """A deadline passed before an operation could complete."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, DEADLINE_EXCEEDED)


@tf_export("errors.NotFoundError")
class NotFoundError(OpError):
    """Something asked for (e.g. a file) does not exist."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, NOT_FOUND)


@tf_export("errors.AlreadyExistsError")
class AlreadyExistsError(OpError):
    """Something to be created exists already."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, ALREADY_EXISTS)


@tf_export("errors.PermissionDeniedError")
class PermissionDeniedError(OpError):
    """The caller may not run this operation."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, PERMISSION_DENIED)


@tf_export("errors.UnauthenticatedError")
class UnauthenticatedError(OpError):
    """The caller is not authenticated."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNAUTHENTICATED)


@tf_export("errors.ResourceExhaustedError")
class ResourceExhaustedError(OpError):
    """Memory or another resource has run out."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, RESOURCE_EXHAUSTED)


@tf_export("errors.FailedPreconditionError")
class FailedPreconditionError(OpError):
    """The state does not allow the operation, e.g. a variable is not initialized."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, FAILED_PRECONDITION)


@tf_export("errors.AbortedError")
class AbortedError(OpError):
    """The operation was aborted, usually because of another one at the same time."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, ABORTED)


@tf_export("errors.OutOfRangeError")
class OutOfRangeError(OpError):
    """An operation went past the end of its input: a closed queue, a finished iterator."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, OUT_OF_RANGE)


@tf_export("errors.UnimplementedError")
class UnimplementedError(OpError):
    """The operation does not support these arguments."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNIMPLEMENTED)


@tf_export("errors.InternalError")
class InternalError(OpError):
    """The system is in a state that it should never be in."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, INTERNAL)


@tf_export("errors.UnavailableError")
class UnavailableError(OpError):
    """The runtime is not available now."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, UNAVAILABLE)


@tf_export("errors.DataLossError")
class DataLossError(OpError):
    """Data is lost or corrupt, e.g. in a truncated file."""

    def __init__(self, node_def: Any, op: Any, message: str) -> None:
        super().__init__(node_def, op, message, DATA_LOSS)


_CODE_TO_CLASS: dict[int, type[OpError]] = {
    CANCELLED: CancelledError,
    UNKNOWN: UnknownError,
    INVALID_ARGUMENT: InvalidArgumentError,
    DEADLINE_EXCEEDED: DeadlineExceededError,
    NOT_FOUND: NotFoundError,
    ALREADY_EXISTS: AlreadyExistsError,
    PERMISSION_DENIED: PermissionDeniedError,
    UNAUTHENTICATED: UnauthenticatedError,
    RESOURCE_EXHAUSTED: ResourceExhaustedError,
    FAILED_PRECONDITION: FailedPreconditionError,
    ABORTED: AbortedError,
    OUT_OF_RANGE: OutOfRangeError,
    UNIMPLEMENTED: UnimplementedError,
    INTERNAL: InternalError,
    UNAVAILABLE: UnavailableError,
    DATA_LOSS: DataLossError,
}
_CLASS_TO_CODE = {cls: code for code, cls in _CODE_TO_CLASS.items()}


@tf_export("errors.exception_type_from_error_code")
def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """The exception class of an error code; KeyError if there is none.

    Args:
      error_code: a number, such as `INVALID_ARGUMENT`.

    Returns:
      A subclass of `OpError`.
    """
    return _CODE_TO_CLASS[error_code]


@tf_export("errors.error_code_from_exception_type")
def error_code_from_exception_type(cls: type) -> Any:
    """The error code of an exception class (for an unknown class: a warning and, as in TF 1.15,
    an `UnknownError` object).

    Returns:
      An int.
    """
    try:
        return _CLASS_TO_CODE[cls]
    except KeyError:
        warnings.warn("Unknown class exception", stacklevel=2)
        return UnknownError(None, None, "Unknown class exception", None)


def make_exception(node_def: Any, op: Any, message: str, error_code: int) -> OpError:
    """The exception object for an error code."""
    cls = _CODE_TO_CLASS.get(error_code)
    if cls is None:
        warnings.warn(f"Unknown error code: {error_code}", stacklevel=2)
        return UnknownError(node_def, op, message, error_code)
    return cls(node_def, op, message)  # type: ignore[call-arg]


class Status:
    """An error code with its message, as code written against TF's C API fills one in."""

    def __init__(self) -> None:
        self.code = OK
        self.message = ""


@tf_export("errors.raise_exception_on_not_ok_status")
class raise_exception_on_not_ok_status:  # named like a function in TF too
    """Context manager that gives a `Status` and on leaving raises what was set in it."""

    def __enter__(self) -> Status:
        self.status = Status()
        return self.status

    def __exit__(self, *exc_info: object) -> bool:
        if self.status.code != OK:
            raise make_exception(None, None, self.status.message, self.status.code)
        return False
