"""Protocol buffers' numbers, and messages without a schema: what little needs neither."""

from __future__ import annotations

from typing import Any


def encode(number: int) -> bytes:
    """A whole number that is not negative."""
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def fields(data: bytes) -> dict[int, Any]:
    """The last value of each field of a message: ints, and bytes.

    Raises:
      ValueError: it is no message, or has fields of other kinds.
    """
    found: dict[int, Any] = {}
    at = 0
    while at < len(data):
        tag, at = _decode(data, at)
        value, at = _decode(data, at)
        if tag & 7 == 2 and at + value <= len(data):
            value, at = data[at : at + value], at + value
        elif tag & 7:
            raise ValueError("no message of numbers and bytes")
        found[tag >> 3] = value
    return found


def _decode(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("a message that ends too soon")
        byte = data[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at
