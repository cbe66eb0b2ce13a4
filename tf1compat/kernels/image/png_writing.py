"""PNG files, byte by byte as libpng writes them for TF."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

SIGNATURE = b"\x89PNG\r\n\x1a\n"

_NONE, _SUB, _UP, _AVERAGE, _PAETH = range(5)

# libpng flushes its buffer to a chunk whenever it is full.
_CHUNK_SIZE = 8192

# Data up to this size gets a smaller window, by which zlib needs less memory.
_SMALL = 16384

# What zlib needs of a window beyond the data itself.
_LOOKAHEAD = 262


def chunk(kind: bytes, content: bytes) -> bytes:
    """A chunk of a PNG file: length, kind, content and checksum."""
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


def _paeth(left: np.ndarray, above: np.ndarray, corner: np.ndarray) -> np.ndarray:
    """Of the three the one that is nearest to left + above - corner."""
    to_left, to_above = np.abs(above - corner), np.abs(left - corner)
    to_corner = np.abs(left + above - 2 * corner)
    near = np.where(to_above <= to_corner, above, corner)
    return np.where((to_left <= to_above) & (to_left <= to_corner), left, near)


def _filtered(lines: np.ndarray, step: int) -> tuple[np.ndarray, bool]:
    """The lines, each by the filter that leaves the smallest sum, and whether there was a choice.

    Args:
      lines: the bytes, of shape [height, row].
      step: how many bytes a pixel has.
    """
    height, row = lines.shape
    left = np.zeros(lines.shape, np.int16)
    left[:, step:] = lines[:, :-step]
    above = np.zeros(lines.shape, np.int16)
    above[1:] = lines[:-1]
    predictions: dict[int, Any] = {_NONE: np.int16(0)}
    if row > step:
        predictions[_SUB] = left
    if height > 1:
        predictions[_UP] = above
    if row > step and height > 1:
        corner = np.zeros(lines.shape, np.int16)
        corner[1:, step:] = lines[:-1, :-step]
        predictions[_AVERAGE] = (left + above) >> 1
        predictions[_PAETH] = _paeth(left, above, corner)
    kinds = np.array(list(predictions), np.uint8)
    ways = np.stack([(lines - value).astype(np.uint8) for value in predictions.values()])
    sums = np.minimum(ways, 256 - ways.astype(np.int16)).sum(axis=-1, dtype=np.int64)
    best = sums.argmin(axis=0)
    chosen = ways[best, np.arange(height)]
    return np.hstack([kinds[best][:, None], chosen]), len(predictions) > 1


def _deflated(data: bytes, compression: int, filtered: bool) -> bytes:
    """What zlib makes of the data with the window that libpng asks it for."""
    bits = 15
    if len(data) <= _SMALL:
        while len(data) + _LOOKAHEAD <= 1 << (bits - 1):
            bits -= 1
    strategy = zlib.Z_FILTERED if filtered else zlib.Z_DEFAULT_STRATEGY
    writer = zlib.compressobj(compression, zlib.DEFLATED, bits, 9, strategy)
    result = bytearray(writer.compress(data) + writer.flush())
    # The header may promise a smaller window than zlib itself can be asked for.
    window = result[0] >> 4
    if len(data) <= _SMALL and len(data) <= 1 << (window + 7):
        window -= 1
        while window > 0 and len(data) <= 1 << (window + 7):
            window -= 1
        result[0] = result[0] & 0x0F | window << 4
        level = result[1] & 0xE0
        result[1] = level + 31 - (result[0] << 8 | level) % 31
    return bytes(result)


def png_file(image: Any, compression: int = -1) -> bytes:
    """A PNG file of an image.

    Args:
      image: an array of shape [height, width, channels], of 8 or 16 bits without sign; none of
        the sizes is 0, and there are at most 4 channels.
      compression: zlib's level, from 0 to 9, or -1 for its own choice.

    Returns:
      The bytes that TF's EncodePng gives.
    """
    height, width, channels = image.shape
    color = {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    step = channels * image.dtype.itemsize
    lines = np.ascontiguousarray(image.astype(image.dtype.newbyteorder(">")))
    lines, filtered = _filtered(lines.view(np.uint8).reshape(height, width * step), step)
    header = struct.pack(">IIBBBBB", width, height, 8 * image.dtype.itemsize, color, 0, 0, 0)
    packed = _deflated(lines.tobytes(), compression, filtered)
    parts = [packed[i : i + _CHUNK_SIZE] for i in range(0, len(packed), _CHUNK_SIZE)]
    return b"".join(
        [
            SIGNATURE,
            chunk(b"IHDR", header),
            *[chunk(b"IDAT", part) for part in parts],
            chunk(b"IEND", b""),
        ]
    )
