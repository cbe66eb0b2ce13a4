"""`tf.compat`: strings of Python 2 and 3, and the switches between TF 1 and TF 2 behaviour."""

from __future__ import annotations

import contextlib
import datetime
import numbers
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.core import export, tf2
from tf1compat.core.export import export_constant, tf_export

integral_types = (numbers.Integral, np.integer)
real_types = (numbers.Real, np.integer, np.floating)
complex_types = (numbers.Complex, np.number)
bytes_or_text_types = (bytes, str)

for _name in ("integral_types", "real_types", "complex_types", "bytes_or_text_types"):
    export_constant(f"compat.{_name}", globals()[_name])

# TF 1.15 was cut from a tree in which changes of op versions were decided by this date.
_FORWARD_COMPATIBILITY_HORIZON = datetime.date(2019, 8, 21)
_FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME = "TF_FORWARD_COMPATIBILITY_DELTA_DAYS"
_SWITCHES = (
    "eager_execution",
    "v2_tensorshape",
    "resource_variables",
    "tensor_equality",
    "control_flow_v2",
)


@tf_export("compat.as_bytes")
def as_bytes(bytes_or_text: Any, encoding: str = "utf-8") -> bytes:
    """A string as bytes.

    Args:
      bytes_or_text: bytes or str.
      encoding: the encoding.

    Returns:
      bytes.

    Raises:
      TypeError: it is neither bytes, bytearray nor str.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    if isinstance(bytes_or_text, (bytes, bytearray)):
        return bytes(bytes_or_text)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


@tf_export("compat.as_text", "compat.as_str")
def as_text(bytes_or_text: Any, encoding: str = "utf-8") -> str:
    """A string as str.

    Args:
      bytes_or_text: bytes or str.
      encoding: the encoding.

    Returns:
      A str.

    Raises:
      TypeError: it is neither bytes nor str.
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


@tf_export("compat.as_str_any")
def as_str_any(value: Any) -> str:
    """`str(value)`, with bytes decoded.

    Args:
      value: anything.

    Returns:
      A str.
    """
    return as_str(value) if isinstance(value, bytes) else str(value)


@tf_export("compat.path_to_str")
def path_to_str(path: Any) -> Any:
    """A path object as str; anything else as it is.

    Args:
      path: an object with `__fspath__`, or anything else.

    Returns:
      A str, or `path`.
    """
    return as_str_any(path.__fspath__()) if hasattr(path, "__fspath__") else path


@tf_export("compat.forward_compatible")
def forward_compatible(year: int, month: int, day: int) -> bool:
    """Whether graphs may use what consumers built after the given day understand.

    `TF_FORWARD_COMPATIBILITY_DELTA_DAYS` in the environment moves TF 1.15's date.

    Args:
      year, month, day: ints.

    Returns:
      A bool.
    """
    return (_horizon.year, _horizon.month, _horizon.day) > (year, month, day)


@tf_export("compat.forward_compatibility_horizon")
@contextlib.contextmanager
def forward_compatibility_horizon(year: int, month: int, day: int) -> Iterator[None]:
    """Within it `forward_compatible` compares with the given day.

    Args:
      year, month, day: ints.

    Yields:
      Nothing, once, for the block.
    """
    try:
        _update_forward_compatibility_date_number(datetime.date(year, month, day))
        yield
    finally:
        _update_forward_compatibility_date_number()


def _update_forward_compatibility_date_number(
    date_to_override: datetime.date | None = None,
) -> None:
    """Sets the day to compare with: the given one, or what the environment makes of TF 1.15's."""
    global _horizon
    days = int(os.environ.get(_FORWARD_COMPATIBILITY_DELTA_DAYS_VAR_NAME) or 0)
    _horizon = date_to_override or _FORWARD_COMPATIBILITY_HORIZON + datetime.timedelta(days)


_update_forward_compatibility_date_number()


@tf_export("disable_v2_behavior")
def disable_v2_behavior() -> None:
    """Switches off eager execution and every other TF 2 behaviour (tf1compat starts so)."""
    tf2.disable()
    for name in _SWITCHES:
        _switch(f"disable_{name}")


@tf_export("enable_v2_behavior")
def enable_v2_behavior() -> None:
    """Switches on eager execution and the other TF 2 behaviours that TF 1.15 has.

    Raises:
      NotImplementedError: one of them is not supported by tf1compat.
    """
    tf2.enable()
    for name in _SWITCHES:
        _switch(f"enable_{name}")


def _switch(name: str) -> None:
    if export.has(name):
        export.find(name)()
    elif name.startswith("enable_"):
        raise NotImplementedError(f"tf.{name} is not supported by tf1compat yet")
