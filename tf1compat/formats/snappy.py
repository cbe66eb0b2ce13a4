"""Snappy's block format, read only: TF's older checkpoints compress their tables with it."""

from __future__ import annotations


def varint(data: bytes, at: int) -> tuple[int, int]:
    """The variable-length number at a place, and where it ends.

    Raises:
      ValueError: the data end in it.
    """
    value = shift = 0
    while True:
        if at >= len(data):
            raise ValueError("truncated number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def decompress(data: bytes) -> bytes:
    """What a compressed block holds.

    Raises:
      ValueError: the block is corrupt.
    """
    size, at = varint(data, 0)
    found = bytearray()
    end = len(data)
    while at < end:
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            length = (tag >> 2) + 1
            if length > 60:
                width = length - 60
                length = int.from_bytes(data[at : at + width], "little") + 1
                at += width
            found += data[at : at + length]
            at += length
            continue
        if tag & 3 == 1:
            length = (tag >> 2 & 7) + 4
            offset = (tag >> 5) << 8 | data[at]
            at += 1
        else:
            width = 2 if tag & 3 == 2 else 4
            length = (tag >> 2) + 1
            offset = int.from_bytes(data[at : at + width], "little")
            at += width
        if not 0 < offset <= len(found):
            raise ValueError("corrupt snappy block")
        start = len(found) - offset
        if offset >= length:
            found += found[start : start + length]
        else:
            # The copy reads what it writes: the piece repeats.
            piece = bytes(found[start:])
            found += (piece * (length // offset + 1))[:length]
    if len(found) != size:
        raise ValueError("corrupt snappy block")
    return bytes(found)
