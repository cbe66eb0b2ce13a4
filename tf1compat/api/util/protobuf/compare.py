"""`tensorflow.python.util.protobuf.compare`: whether messages are equal, for tests."""

from __future__ import annotations

from typing import Any

from google.protobuf import text_format
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_WHOLE = frozenset(
    {
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_SINT64,
        FieldDescriptor.TYPE_ENUM,
    }
)
_DIGITS = {FieldDescriptor.TYPE_FLOAT: 6, FieldDescriptor.TYPE_DOUBLE: 7}


def assertProtoEqual(
    self: Any,
    a: Any,
    b: Any,
    check_initialized: bool = True,
    normalize_numbers: bool = False,
    msg: str | None = None,
) -> None:
    """Fails a test case unless two messages are equal.

    Args:
      self: the test case.
      a: a message, or one in text form.
      b: a message.
      check_initialized: whether a required field without a value fails the test.
      normalize_numbers: whether to round numbers first, in the messages themselves.
      msg: what the failure says.
    """
    if isinstance(a, str):
        a = text_format.Merge(a, type(b)())
    for message in (a, b):
        missing = message.FindInitializationErrors() if check_initialized else None
        if missing:
            self.fail(f"Initialization errors: {missing}\n{message}")
        if normalize_numbers:
            NormalizeNumberFields(message)
    self.assertMultiLineEqual(
        text_format.MessageToString(a), text_format.MessageToString(b), msg=msg
    )


def NormalizeNumberFields(pb: Any) -> Any:
    """Rounds the numbers of a message, in place: floats to 6 digits, doubles to 7.

    Returns:
      The message.
    """
    for field, value in pb.ListFields():
        is_many = not isinstance(value, (int, float, str, bytes, Message))
        parts: list[Any] = [value]
        if is_many:
            parts = list(value.values() if hasattr(value, "values") else value)
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for part in parts:
                if isinstance(part, Message):
                    NormalizeNumberFields(part)
        elif field.type in _WHOLE or field.type in _DIGITS:
            digits = _DIGITS.get(field.type)
            rounded = [int(x) if digits is None else round(float(x), digits) for x in parts]
            if is_many:
                pb.ClearField(field.name)
                getattr(pb, field.name).extend(rounded)
            else:
                setattr(pb, field.name, rounded[0])
    return pb


def ProtoEq(a: Any, b: Any) -> bool:
    """Whether two messages, or values of their fields, are equal; order counts in lists."""
    return _plain(a) == _plain(b)


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return {field.number: _plain(part) for field, part in value.ListFields()}
    if hasattr(value, "items"):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return value
    return [_plain(part) for part in value]


class ProtoAssertions:
    """`assertProtoEqual` for test cases that are derived from this."""

    def assertProtoEqual(self, *args: Any, **kwargs: Any) -> None:
        """See the function."""
        assertProtoEqual(self, *args, **kwargs)
