"""Sorted tables of keys and values, as in LevelDB: the index of a checkpoint is one.

A table is blocks of entries, an index block of (a key not before those of a block, where the block
is), and a footer that says where the index is. An entry shares a prefix with the key before it; at
the restart points, which end a block, it does not.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator

from tf1compat.core import errors
from tf1compat.formats import snappy
from tf1compat.formats.crc32c import masked_crc
from tf1compat.formats.snappy import varint

_MAGIC = 0xDB4775248B80FB57
_FOOTER = 48
_TRAILER = struct.Struct("<BI")  # How the block is compressed, and its checksum.
_UNCOMPRESSED, _SNAPPY = 0, 1
_BLOCK_SIZE = 1 << 18
_RESTART_INTERVAL = 16


def put_varint(value: int) -> bytes:
    """A number in as few bytes as it needs, seven bits each."""
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    found.append(value)
    return bytes(found)


class _Block:
    """A block while it is written."""

    def __init__(self, interval: int):
        self._interval = interval
        self._restarts = [0]
        self._since = 0
        self._last = b""
        self.data = bytearray()

    def add(self, key: bytes, value: bytes) -> None:
        shared = 0
        if self._since < self._interval:
            limit = min(len(key), len(self._last))
            while shared < limit and key[shared] == self._last[shared]:
                shared += 1
        else:
            self._restarts.append(len(self.data))
            self._since = 0
        self.data += put_varint(shared) + put_varint(len(key) - shared) + put_varint(len(value))
        self.data += key[shared:] + value
        self._last = key
        self._since += 1

    def finish(self) -> bytes:
        tail = [*self._restarts, len(self._restarts)]
        return bytes(self.data) + struct.pack(f"<{len(tail)}I", *tail)


def write(entries: Iterable[tuple[bytes, bytes]]) -> bytes:
    """A table of entries that are in the order of their keys."""
    found = bytearray()

    def put(block: bytes) -> bytes:
        """Appends a block; returns its handle."""
        handle = put_varint(len(found)) + put_varint(len(block))
        kind = bytes([_UNCOMPRESSED])
        found.extend(block + _TRAILER.pack(_UNCOMPRESSED, masked_crc(block + kind)))
        return handle

    index, block = _Block(1), _Block(_RESTART_INTERVAL)
    handle, last = None, b""
    for key, value in entries:
        if handle is not None:
            index.add(_between(last, key), handle)
            handle = None
        block.add(key, value)
        last = key
        if len(block.data) >= _BLOCK_SIZE:
            handle, block = put(block.finish()), _Block(_RESTART_INTERVAL)
    if block.data:
        handle = put(block.finish())
    if handle is not None:
        index.add(_after(last), handle)
    handles = put(_Block(_RESTART_INTERVAL).finish()) + put(index.finish())
    found += handles.ljust(_FOOTER - 8, b"\0") + struct.pack("<Q", _MAGIC)
    return bytes(found)


def _between(last: bytes, following: bytes) -> bytes:
    """A short key that is not before `last`, and before `following`."""
    limit = min(len(last), len(following))
    same = next((i for i in range(limit) if last[i] != following[i]), limit)
    if same < limit and last[same] < 0xFF and last[same] + 1 < following[same]:
        return last[:same] + bytes([last[same] + 1])
    return last


def _after(key: bytes) -> bytes:
    """A short key that is not before `key`."""
    for i, byte in enumerate(key):
        if byte != 0xFF:
            return key[:i] + bytes([byte + 1])
    return key


def read(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a table, in order.

    Raises:
      DataLossError: it is no table, or a corrupt one.
    """
    if len(data) < _FOOTER:
        raise _loss("file is too short to be an sstable")
    footer = data[-_FOOTER:]
    if struct.unpack("<Q", footer[-8:])[0] != _MAGIC:
        raise _loss("not an sstable (bad magic number)")
    try:
        at = varint(footer, varint(footer, 0)[1])[1]
        for _, handle in _entries(_block(data, footer, at)):
            yield from _entries(_block(data, handle, 0))
    except (ValueError, IndexError, struct.error):
        raise _loss("bad entry in block") from None


def _block(data: bytes, handle: bytes, at: int) -> bytes:
    offset, at = varint(handle, at)
    size, _ = varint(handle, at)
    end = offset + size
    if end + _TRAILER.size > len(data):
        raise _loss("truncated block read")
    kind, crc = _TRAILER.unpack_from(data, end)
    if masked_crc(data[offset : end + 1]) != crc:
        raise _loss("block checksum mismatch")
    if kind not in (_UNCOMPRESSED, _SNAPPY):
        raise _loss("bad block type")
    block = data[offset:end]
    return snappy.decompress(block) if kind == _SNAPPY else block


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    (restarts,) = struct.unpack_from("<I", block, len(block) - 4)
    end = len(block) - 4 * (restarts + 1)
    if end < 0:
        raise _loss("bad block contents")
    at, key = 0, b""
    while at < end:
        shared, at = varint(block, at)
        rest, at = varint(block, at)
        size, at = varint(block, at)
        if shared > len(key) or at + rest + size > end:
            raise _loss("bad entry in block")
        key = key[:shared] + block[at : at + rest]
        at += rest
        yield key, block[at : at + size]
        at += size


def _loss(text: str) -> errors.DataLossError:
    return errors.DataLossError(None, None, text)
